"""libclang as it is loaded: its version, its resource headers, the functions that we call."""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

SERIES = 22
"""The release of clang whose resource headers and cursors this code was written for."""
_VERSION = re.compile(r"version (\d+(?:\.\d+)*)")


@dataclass(frozen=True, slots=True)
class Libclang:
    """A libclang that can be used; ``resources`` is its resource directory, an absolute path."""

    version: str
    resources: Path

    @property
    def libcxx(self) -> Path:
        """The C++ standard library's headers that come with it."""
        return self.resources.parent / "libcxx"


class LibclangError(Exception):
    """No libclang that can be used; the text says why and what to do."""


@cache
def load_libclang() -> Libclang:
    """Load libclang and check that it is the one of ``libclang-ng``.

    The packages ``libclang`` and ``clang`` install the same module, and whichever came last wins.

    Raises:
        LibclangError: it is not there, cannot be loaded, or is another one.
    """
    try:
        from clang import cindex  # noqa: PLC0415 - loaded where the semantic pass runs only

        from_package = find_spec("clang.native")
        library = cindex.conf.lib
        library.clang_getClangVersion.restype = cindex._CXString  # noqa: SLF001 - has no other name
        held = library.clang_getClangVersion()
        version = str(library.clang_getCString(held))
    except ImportError:
        raise LibclangError("the package libclang-ng is not installed") from None
    except Exception as error:  # noqa: BLE001 - any failure means the same: it cannot be used
        raise LibclangError(f"libclang cannot be loaded: {error}") from None
    found = _VERSION.search(version)
    number = found[1] if found else version
    places = from_package.submodule_search_locations if from_package else None
    resources = Path(next(iter(places), "")) / "resource" if places else Path()
    if not found or not number.startswith(f"{SERIES}.") or not resources.is_dir():
        raise LibclangError(
            f"another package's module clang ({number}) hides that of libclang-ng {SERIES}: "
            "uninstall libclang and clang here, or use an environment of its own (pipx, uvx)"
        )
    _declare(library)
    return Libclang(number, resources)


def _declare(library: Any) -> None:  # noqa: ANN401
    """Tell ctypes of functions that the module leaves out."""
    from clang import cindex  # noqa: PLC0415

    place = [ctypes.POINTER(cindex.c_object_p), *[ctypes.POINTER(ctypes.c_uint)] * 3]
    for name in ("clang_getFileLocation", "clang_getSpellingLocation"):
        function = getattr(library, name)
        function.argtypes = [cindex.SourceLocation, *place]
        function.restype = None
    library.clang_Cursor_isInlineNamespace.argtypes = [cindex.Cursor]
    library.clang_Cursor_isInlineNamespace.restype = ctypes.c_uint
    pointer, cursor = ctypes.c_void_p, cindex.Cursor
    for name, argument, result in (
        ("clang_Cursor_Evaluate", cursor, pointer),
        ("clang_EvalResult_getKind", pointer, ctypes.c_int),
        ("clang_EvalResult_isUnsignedInt", pointer, ctypes.c_uint),
        ("clang_EvalResult_getAsUnsigned", pointer, ctypes.c_ulonglong),
        ("clang_EvalResult_getAsLongLong", pointer, ctypes.c_longlong),
        ("clang_EvalResult_dispose", pointer, None),
        ("clang_Cursor_isMacroFunctionLike", cursor, ctypes.c_uint),
        ("clang_Cursor_isDynamicCall", cursor, ctypes.c_int),
    ):
        getattr(library, name).argtypes = [argument]
        getattr(library, name).restype = result
