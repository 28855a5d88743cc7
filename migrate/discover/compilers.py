"""Which compiler a command starts, and as what it takes a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from migrate.discover.places import clean_path, is_absolute

_FARTHEST = 64
_LONGEST_NAME = 100
_WRAPPERS = frozenset(("ccache", "sccache", "distcc", "icecc", "buildcache", "env", "time", "nice"))
_VARIABLE = re.compile(r"[A-Za-z_]\w*=")
_VERSION = re.compile(r"-\d[\d.]*$|\.exe$")
_CL = frozenset(("cl", "clang-cl"))
_PLUS = re.compile(r"\+\+$|^(?:mpicxx|mpiCC|CC|icpc|icpx|dpcpp)$")

_SUFFIXES = {
    "cuda": ("cu", "cuh"),
    "hip": ("hip",),
    "c++": (
        "cc", "cpp", "cxx", "c++", "cp", "C", "CPP", "h", "hh", "hpp", "hxx", "h++",
        "ixx", "cppm", "ipp", "inl", "tpp",
    ),
    "c": ("c",),
}  # fmt: skip
_LANGUAGE = {suffix: language for language, all_ in _SUFFIXES.items() for suffix in all_}


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiler:
    """The compiler of a command.

    ``nvcc_path`` is that of nvcc where it is absolute, else "". ``plus`` says that C files are
    compiled as C++, ``wrapped`` that C++ files are as CUDA (Kokkos' ``nvcc_wrapper``).
    """

    nvcc: bool = False
    nvcc_path: str = ""
    hip: bool = False
    cl: bool = False
    plus: bool = False
    wrapped: bool = False


def find_compiler(words: Sequence[str]) -> tuple[Compiler, Sequence[str]]:
    """Return the compiler of a command, through launchers as ccache, and the words after it."""
    start = _position(words)
    if start >= len(words) or words[start].startswith("-"):
        return Compiler(cl="--driver-mode=cl" in words), words[start:]
    path = words[start].replace("\\", "/")
    name = path.rpartition("/")[2][:_LONGEST_NAME]
    while (shorter := _VERSION.sub("", name)) not in {name, ""}:
        name = shorter
    lower = name.lower()
    nvcc = lower in {"nvcc", "nvcc_wrapper"}
    compiler = Compiler(
        nvcc=nvcc,
        nvcc_path=clean_path(path) if lower == "nvcc" and is_absolute(path) else "",
        hip=lower in {"hipcc", "hipcc.bin"},
        cl=lower in _CL or "--driver-mode=cl" in words,
        plus=bool(_PLUS.search(name)),
        wrapped=lower == "nvcc_wrapper",
    )
    return compiler, words[start + 1 :]


def _position(words: Sequence[str]) -> int:
    wrapped = False
    for position, word in enumerate(words[:_FARTHEST]):
        name = word.replace("\\", "/").rpartition("/")[2].lower().removesuffix(".exe")
        if name == "cmake" and "--" in words[:_FARTHEST]:
            return list(words[:_FARTHEST]).index("--") + 1
        if name in _WRAPPERS or _VARIABLE.match(word):
            wrapped = True
        elif not (wrapped and word.startswith("-")):
            return position
    return len(words)


def language_of_suffix(file: str, compiler: Compiler) -> str:
    """Return the language as which a compiler takes a file by its name, "" for none it knows."""
    name = file.replace("\\", "/").rpartition("/")[2]
    stem, _, suffix = name.rpartition(".")
    language = _LANGUAGE.get(suffix) or _LANGUAGE.get(suffix.lower(), "") if stem else ""
    if language == "c" and compiler.plus:
        language = "c++"
    return "cuda" if language == "c++" and compiler.wrapped else language
