"""The macros and C++ standards that CMake plainly gives to a CUDA build."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from migrate.model.signals import Kind, Signal
from migrate.parse.ecosystem.words import gpu_switch_in, hip_switch_in
from migrate.parse.macros import HIP_KINDS, MacroKind, ProjectMacros, macro_kind

_DEFINITION = re.compile(r'[A-Za-z_]\w*(?:=(?:[\w.+:/-]+|"[^"\\$<>;]*"))?')
_NO_MACRO_OF_A_CUDA_BUILD = HIP_KINDS | {MacroKind.OTHER_PLATFORM}
_FLAG_VARIABLES = re.compile(r"CMAKE_(?:C|CXX|CUDA)_FLAGS|CUDA_NVCC_FLAGS")
_NAMING = frozenset({"add_compile_definitions", "target_compile_definitions"})
_GIVING_FLAGS = frozenset({"add_definitions", "add_compile_options", "target_compile_options"})
_STANDARD_FLAG = re.compile(r"-std=(?:c|gnu)\+\+(\w\w)\b")
_FEATURE = re.compile(r"(cxx|cuda)_std_(\d\d)")
_STANDARD_NAME = re.compile(r"(?:CMAKE_)?(CXX|CUDA)_STANDARD")
_DRAFTS = {"0x": "11", "1y": "14", "1z": "17", "2a": "20", "2b": "23", "2c": "26"}
_STANDARDS = frozenset({"11", "14", "17", "20", "23", "26"})
_SCOPES = frozenset({"PRIVATE", "PUBLIC", "INTERFACE", "BEFORE", "AFTER", "SYSTEM"})
_CONNECTIVES = frozenset({"AND", "OR", "DEFINED"})
_ON_FOR_CUDA = frozenset({"CMAKE_CUDA_COMPILER", "CMAKE_CUDA_COMPILER_LOADED"})


def flag_signals(
    name: str, arguments: Sequence[str], line: int, conditions: Sequence[str]
) -> Iterator[Signal]:
    """Yield the macros and the standards that one command gives, under the conditions around it.

    What depends on variables, generator expressions or on anything but CUDA being built is left
    out, and so are the macros of other platforms. A standard counts under every condition that
    does not ask for HIP.
    """
    flags = _flags(name, arguments)
    standards = list(_standards(name, arguments, flags, line))
    if not flags and not standards:
        return
    if any(hip_switch_in(one) and not _holds_for_cuda(one) for one in conditions):
        return
    yield from standards
    if not all(_holds_for_cuda(one) for one in conditions):
        return
    if name in _NAMING:
        given = [flag.removeprefix("-D") for flag in flags]
    else:
        given = [flag[2:] for flag in flags if flag.startswith("-D")]
    for definition in given:
        plain = definition.replace('\\"', '"')
        if _DEFINITION.fullmatch(plain) and _is_for_cuda(plain.partition("=")[0]):
            yield Signal(Kind.DEFINITION, plain, line)


def _is_for_cuda(macro: str) -> bool:
    """Whether a CUDA build is given a macro of this name, and not by its compiler."""
    kind = macro_kind(macro, ProjectMacros())
    return kind not in _NO_MACRO_OF_A_CUDA_BUILD and not macro.startswith("__")


def _holds_for_cuda(condition: str) -> bool:
    """Whether a condition only asks whether CUDA is built, and says yes where it is.

    Parentheses are gone from the text, so that what ``NOT`` stands before is only known where a
    single word follows.
    """
    words = condition.split()
    negated = False
    while words and words[0] == "NOT":
        words, negated = words[1:], not negated
    if negated:
        return len(words) == 1 and hip_switch_in(words[0]) == _bare(words[0])
    names = [_bare(word) for word in words if word not in _CONNECTIVES]
    return bool(names) and all(
        name in _ON_FOR_CUDA or (gpu_switch_in(name) == name != "") for name in names
    )


def _bare(word: str) -> str:
    return word.removeprefix("${").removesuffix("}")


def _flags(name: str, arguments: Sequence[str]) -> list[str]:
    """The flags that a command gives, those in generator expressions left out.

    ``NAME="value"`` without quotes around it all comes as two arguments: neither is taken.
    """
    values: Sequence[str] = ()
    if name in _NAMING or name in _GIVING_FLAGS:
        values = arguments[1:] if name.startswith("target_") else arguments
    else:
        variable = arguments[:1] if name == "set" else arguments[1:2]
        if name in {"set", "list", "string"} and any(map(_FLAG_VARIABLES.fullmatch, variable)):
            values = [word for value in arguments[1:] for word in value.split()]
    words = [word for value in values if value not in _SCOPES for word in value.split(";")]
    flags: list[str] = []
    depth, before = 0, ""
    for word in words:
        depth += word.count("$<")
        if not depth and "$" not in word and not before.endswith("="):
            flags.append(word)
        depth = max(depth - word.count(">"), 0) if depth else 0
        before = word
    return flags


def _standards(
    name: str, arguments: Sequence[str], flags: Sequence[str], line: int
) -> Iterator[Signal]:
    cuda = name in {"set", "list", "string"} and any(
        "CUDA" in variable for variable in arguments[: 1 if name == "set" else 2]
    )
    for flag in flags:
        match = _STANDARD_FLAG.search(flag)
        if match:
            yield from _standard("CUDA" if cuda else "CXX", match[1], line)
    if name == "target_compile_features":
        for feature in map(_FEATURE.fullmatch, arguments):
            if feature:
                yield from _standard(feature[1].upper(), feature[2], line)
    elif name in {"set", "set_target_properties", "set_property"}:
        for word, value in pairwise(arguments):
            named = _STANDARD_NAME.fullmatch(word)
            if named and word.startswith("CMAKE_") == (name == "set"):
                yield from _standard(named[1], value, line)


def _standard(language: str, number: str, line: int) -> Iterator[Signal]:
    number = _DRAFTS.get(number, number)
    if number in _STANDARDS:
        kind = Kind.CUDA_STANDARD if language == "CUDA" else Kind.CXX_STANDARD
        yield Signal(kind, f"c++{number}", line)
