"""libclang as it is loaded: its version, its resource headers, the functions that we call."""

from __future__ import annotations

import ctypes
import os
import re
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

SERIES = 22
"""The release of clang whose resource headers and cursors this code was written for."""
_OURS = "libclang-ng"
_OTHERS = ("libclang", "clang")
"""Packages that install a module of the same name."""
_VARIABLES = ("LIBCLANG_LIBRARY_FILE", "LIBCLANG_LIBRARY_PATH")
_REINSTALL = f"pip install --force-reinstall {_OURS}"
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

        native = _native_folder()
        own = native is not None and Path(cindex.conf.get_filename()).parent.samefile(native)
    except (ImportError, OSError):
        raise LibclangError(_not_there()) from None
    if native is None or not own:
        raise LibclangError(_hidden("another one"))
    try:
        library = cindex.conf.lib
        library.clang_getClangVersion.restype = cindex._CXString  # noqa: SLF001 - has no other name
        # The module adds this to a command without -isystem, and mixes two libraries by it.
        cindex.Config.libcxx_dir = None
        held = library.clang_getClangVersion()  # the text goes when this does
        told = str(library.clang_getCString(held))
        _declare(library)
    except Exception as error:  # noqa: BLE001 - any failure means the same: it cannot be used
        raise LibclangError(f"libclang cannot be loaded: {_first_line(error)}") from None
    found = _VERSION.search(told)
    number = found[1] if found else told
    resources = native / "resource"
    if not number.startswith(f"{SERIES}.") or not resources.is_dir():
        raise LibclangError(_hidden(f"libclang {number}"))
    return Libclang(number, resources)


def _native_folder() -> Path | None:
    """The folder in which ``libclang-ng`` has its library, None where there is none."""
    package = find_spec("clang.native")
    places = package.submodule_search_locations if package else None
    return Path(next(iter(places))) if places else None


def _not_there() -> str:
    if not _installed(_OURS):
        return f"{_OURS} is not installed: pip install '{_OURS}>={SERIES}.1,<{SERIES + 1}'"
    return (
        f"files of {_OURS} are not there, as when another package with the module clang was "
        f"removed: {_REINSTALL}"
    )


def _hidden(by: str) -> str:
    """Say what is in the way of our libclang, and how to be rid of it."""
    for variable in _VARIABLES:
        if os.environ.get(variable):
            return f"the variable {variable} names another libclang: unset it"
    others = [f"{name} {number}" for name in _OTHERS if (number := _installed(name))]
    names = " ".join(other.partition(" ")[0] for other in others)
    removal = f"pip uninstall {names}, then {_REINSTALL}" if names else _REINSTALL
    return (
        f"the module clang of {_OURS} {SERIES} is hidden by that of {' and '.join(others) or by}: "
        f"{removal}; or use an environment of its own (pipx, uvx)"
    )


def _installed(name: str) -> str:
    """The version of an installed package, "" where it is not."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)


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
