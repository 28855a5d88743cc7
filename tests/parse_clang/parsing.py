"""Parse a piece of source as libclang sees it, with declarations of our own in place of CUDA's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from migrate.model.unit import CompileArguments, Toolkit
from migrate.parse.clang.native import load_libclang
from migrate.parse.clang.unit import ParsedUnit, clang_arguments, parse_unit
from migrate.parse.clang.walk import TreeFiles

TOOLKIT = Toolkit(
    include=(str(Path(__file__).parent / "toolkit" / "include"),), origin="tests", version="12.9"
)
"""A few of CUDA's declarations, in the places where CUDA has them."""


def parse_text(
    tmp_path: Path,
    text: str,
    *,
    arguments: CompileArguments | None = None,
    errors: bool = False,
    **headers: str,
) -> tuple[ParsedUnit, TreeFiles]:
    """Parse a text as ``unit.cu`` beside headers, which are named by their stem: ``shim="..."``.

    The unit answers for all of them. Errors in the text are a mistake of the test's, unless it
    says that there are some.
    """
    return parse_texts(tmp_path, text, headers, arguments=arguments, errors=errors)


def parse_texts(
    tmp_path: Path,
    text: str,
    headers: Mapping[str, str],
    *,
    arguments: CompileArguments | None = None,
    errors: bool = False,
) -> tuple[ParsedUnit, TreeFiles]:
    """Do as :func:`parse_text` with the headers in a mapping."""
    (tmp_path / "unit.cu").write_text(text, encoding="utf-8")
    paths = ["unit.cu"]
    for stem, header in headers.items():
        (tmp_path / f"{stem}.h").write_text(header, encoding="utf-8")
        paths.append(f"{stem}.h")
    given = clang_arguments(arguments or CompileArguments(), TOOLKIT, load_libclang())
    unit = parse_unit("unit.cu", str(tmp_path), given)
    wrong = [str(one) for one in unit.handle.diagnostics if one.severity >= one.Error]
    assert errors or not wrong, wrong
    return unit, TreeFiles(unit, paths)
