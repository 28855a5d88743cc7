"""One translation unit parsed: the arguments that work, and how well it went."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from clang import cindex

from migrate.model.unit import CompileArguments, Toolkit
from migrate.parse.clang.native import Libclang
from migrate.treefile import system_path

KEEP_GOING = 0x200
"""Without it, libclang says nothing of what follows a header that is not there."""
_OPTIONS = cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD | KEEP_GOING
_MISSING = re.compile(r"'([^']*)' file not found")
_STANDARDS = {"cuda": "c++17", "c++": "gnu++17", "c": "gnu17"}
"""What compilers take where nothing is said; CUDA's headers want 17."""
_WRAPPER = "__clang_cuda_runtime_wrapper.h"
_LAUNCH = "hipassess_launch.h"
_ARCH = "sm_90"
"""Where nothing is said: what newer architectures have is in few programs yet."""
_KNOWN_ARCH = re.compile(r"sm_(\d{2,3})[af]?")
_OLDEST, _NEWEST = 50, 121
"""The architectures that clang 22 knows."""
_STAND_IN = str(Path(__file__).parent / "standin")
_SEARCHED_LAST = re.compile(r"/usr/include/*")
"""Where the C library is, and Debian's CUDA; it is searched anyway, last.

Before the C++ library, it would cut that one's ``#include_next`` short.
"""

NOT_UTF8 = "a path of it is not UTF-8, and libclang's module takes no other"


class UnitError(Exception):
    """Libclang gave no translation unit; the text says why."""


@dataclass(frozen=True)
class ParsedUnit:
    """A translation unit with the folder that the tree's paths are relative to."""

    handle: Any
    root: str

    def file(self, path: str) -> Any:  # noqa: ANN401
        """Libclang's file of a path of the tree, null where the unit has not read it."""
        return self.handle.get_file(f"{self.root}/{system_path(path)}")

    @cached_property
    def missing_headers(self) -> tuple[str, ...]:
        """The headers that were not found, as written, in order."""
        found = (_MISSING.search(one.spelling) for one in self._errors)
        return tuple(dict.fromkeys(match[1] for match in found if match))

    @cached_property
    def errors(self) -> int:
        """How many errors there are beside headers that were not found."""
        return sum(not _MISSING.search(one.spelling) for one in self._errors)

    @cached_property
    def _errors(self) -> list[Any]:
        return [one for one in self.handle.diagnostics if one.severity >= cindex.Diagnostic.Error]

    @cached_property
    def included(self) -> tuple[str, ...]:
        """The files that the unit read, its own first, with the paths by which they were opened."""
        names = [self.handle.spelling]
        names += [str(one.include.name) for one in self.handle.get_includes()]
        return tuple(dict.fromkeys(names))


def clang_arguments(
    arguments: CompileArguments, toolkit: Toolkit, libclang: Libclang, library: Sequence[str] = ()
) -> list[str]:
    """The arguments for a unit: what its command says, and what stands in for CUDA's compiler.

    ``library`` is what :func:`migrate.parse.clang.library.standard_library_arguments` gives.

    Host and device code are parsed in one go, the device's way: a pass for the host does not see
    what stands under ``#if __CUDA_ARCH__ >= 800``, and code under ``#ifndef __CUDA_ARCH__`` is
    rarer. Errors of the two were equal in all units compared, but for inline PTX with operands
    that no AMD GPU knows either.
    """
    resources = libclang.resources
    given = [
        "-x", arguments.language, "-resource-dir", str(resources),
        f"-std={arguments.standard or _STANDARDS[arguments.language]}",
        "-ferror-limit=0", "-w",
    ]  # fmt: skip
    if arguments.language == "cuda":
        given += [
            "--cuda-device-only",
            f"--cuda-gpu-arch={_arch(arguments.cuda_archs)}",
            "-nocudainc",
            "-nocudalib",
        ]
        given += ["-isystem", str(resources / "include" / "cuda_wrappers")]
    given += library
    given += [f"-iquote{folder}" for folder in arguments.quote]
    given += [f"-I{folder}" for folder in arguments.include]
    stand_in = (_STAND_IN,) if arguments.language == "cuda" else ()
    for folder in (*arguments.system, *toolkit.include, *stand_in):
        if not _SEARCHED_LAST.fullmatch(folder):
            given += ["-isystem", folder]
    given += arguments.macros
    if arguments.language == "cuda":
        given += _compiler_version(toolkit.version)
        given += ["-include", _WRAPPER, "-include", _LAUNCH]
    for file in arguments.forced:
        given += ["-include", file]
    return given


def _arch(given: Sequence[str]) -> str:
    """The newest of the architectures that a command names and clang knows."""
    known = [
        (int(match[1]), name)
        for name in given
        if (match := _KNOWN_ARCH.fullmatch(name)) and _OLDEST <= int(match[1]) <= _NEWEST
    ]
    return max(known, default=(0, _ARCH))[1]


def _compiler_version(version: str) -> list[str]:
    """The macros by which CUDA's compiler says its version: those of the headers' release."""
    major, _, minor = version.partition(".")
    if not major.isdecimal():
        return []
    return [
        f"-D__CUDACC_VER_MAJOR__={major}",
        f"-D__CUDACC_VER_MINOR__={minor if minor.isdecimal() else 0}",
        "-D__CUDACC_VER_BUILD__=0",
    ]


def parse_unit(path: str, root: str, arguments: Sequence[str]) -> ParsedUnit:
    """Parse one file of the tree; what is wrong in it is told by the unit.

    Raises:
        UnitError: libclang gave no translation unit at all, or cannot be told of the path.
    """
    name = f"{root}/{system_path(path)}"
    try:
        "".join((name, *arguments)).encode()
    except UnicodeEncodeError:
        raise UnitError(NOT_UTF8) from None
    try:
        # What is instantiated from templates is then shown at file scope as well.
        handle = cindex.Index.create(excludeDecls=True).parse(
            name, list(arguments), options=_OPTIONS
        )
    except cindex.TranslationUnitLoadError:
        raise UnitError("libclang gave no translation unit") from None
    return ParsedUnit(handle, root)
