"""Where the data outside the package lies: in the wheel's copy, else in the checkout."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


@cache
def data_path(*parts: str) -> Path:
    """The path of a file or folder of ours, as ``data_path("mappings", "apis")``.

    An installed package carries the data in ``migrate/_data`` (pyproject.toml, force-include); a
    checkout has it beside the package. The path need not exist.
    """
    packed = _PACKAGE / "_data"
    root = packed if packed.is_dir() else _PACKAGE.parent
    return root.joinpath(*parts)
