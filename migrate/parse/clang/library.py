"""The C++ standard library that units are parsed with: this machine's, or libclang's own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from clang import cindex

from migrate.parse.clang.native import Libclang, load_libclang

SYSTEM = "system"
BUNDLED = "libc++"

_PROBE = """
#if !__has_include(<stdlib.h>)
#error no C
#endif
#if !__has_include(<vector>)
#error no C++
#endif
"""
_PROBE_FILE = "hipassess-library.cpp"


@dataclass(frozen=True, slots=True)
class StandardLibrary:
    """Which headers of the C++ standard library there are, and the arguments that take them.

    ``name`` is :data:`SYSTEM` or :data:`BUNDLED`, "" where there are none. ``has_c`` says whether
    this machine has the headers of the C library, without which no C++ one works.
    """

    name: str
    has_c: bool
    arguments: tuple[str, ...] = ()

    @property
    def works(self) -> bool:
        """Whether a unit can be parsed with it."""
        return bool(self.name) and self.has_c


def standard_library_arguments() -> tuple[str, ...]:
    """Return the arguments that units need beside their own to find a C++ standard library.

    None where this machine has one; else those for the one that comes with libclang.

    Raises:
        LibclangError: there is no libclang that can be used.
    """
    return find_standard_library().arguments


@cache
def find_standard_library() -> StandardLibrary:
    """Ask libclang what it finds; this reads no file of the tree.

    Raises:
        LibclangError: there is no libclang that can be used.
    """
    libclang = load_libclang()
    lacking = _lacking(libclang)
    has_c = not lacking & {"no C", "all"}
    if not lacking - {"no C"}:
        return StandardLibrary(SYSTEM, has_c)
    if (libclang.libcxx / "vector").is_file():
        return StandardLibrary(BUNDLED, has_c, _bundled(libclang))
    return StandardLibrary("", has_c)


def _bundled(libclang: Libclang) -> tuple[str, ...]:
    # CUDA's host_defines.h refuses libc++ on x86 unless the macro is there; it parses with it.
    return "-nostdinc++", "-isystem", str(libclang.libcxx), "-D_ALLOW_UNSUPPORTED_LIBCPP"


def _lacking(libclang: Libclang) -> set[str]:
    """The probe's errors, "all" where it cannot be parsed."""
    arguments = ["-x", "c++", "-std=c++17", "-resource-dir", str(libclang.resources)]
    try:
        unit = cindex.Index.create().parse(
            _PROBE_FILE, arguments, unsaved_files=[(_PROBE_FILE, _PROBE)]
        )
    except cindex.TranslationUnitLoadError:
        return {"all"}
    return {str(one.spelling) for one in unit.diagnostics}
