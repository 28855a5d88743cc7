"""Makefiles, configure scripts' sources and the other build systems: words, line by line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from migrate.knowledge.components import library_named
from migrate.model.signals import Kind, Signal
from migrate.model.verdict import State
from migrate.parse.ecosystem.build_branches import Branches
from migrate.parse.ecosystem.build_words import cuda_rule_in
from migrate.parse.ecosystem.command_lines import logical_lines, nvcc_signals
from migrate.parse.ecosystem.nvcc_options import options_in, words_of
from migrate.parse.ecosystem.packages import system_signals
from migrate.parse.ecosystem.test_runners import read_tox
from migrate.parse.ecosystem.words import (
    command_signals,
    gpu_switch_in,
    hip_switch_in,
    rocm_word_in,
)

_COMPILES_CUDA = re.compile(
    r"\bnvcc\b|\$[({]NVCC[)}]|%\.cu\b|\.cu\.o\b|\.SUFFIXES:.{0,200}\.cu\b|\bNVCC\s*[:?+]?="
)
_CONDITIONAL = re.compile(r"\s*(?:else\s+)?(ifdef|ifndef|ifeq|ifneq)\b(.*)")
_NOTHING = re.compile(r"[,\s\"'(](?:|0|no|off|false)[\"']?\s*\)?$", re.IGNORECASE)
"""What stands behind a switch that is off: ``ifeq ($(USE_HIP),0)``."""
_RULE = re.compile(r"(?!\t)[^=:]{1,200}:(?!=)")
_HIP_RECIPE = re.compile(r"\$[({]?HIPCC\b|\bhipcc\b")
_NVCC_RECIPE = re.compile(r"\$[({]?NVCC\b|\bnvcc\b")
_TOOLKIT_PATH = re.compile(
    r"\s*(?:export\s+|override\s+)?"
    r"(?:(CUDA_(?:HOME|PATH|ROOT|TOOLKIT_ROOT_DIR)|CUDACXX)\s*[:?+]*=|(\w+)\s*[:?+]*=[^#\n]{0,400}?"
    r"/(?:usr/local|opt|usr/lib)/cuda(?:-[\d.]+)?(?![\w-]))"
)
"""An assignment that holds a folder of the CUDA toolkit."""
_ARCH_VARIABLE = re.compile(
    r"\s*(?:export\s+|override\s+)?(\w+)\s*[:?+]*=\s*[\"']?(?:sm|compute)_\d{2,3}[af]?[\"']?\s*$"
)
_ARCH_NUMBERS = re.compile(r"\s*((?:NVCC|CUDA)_?ARCHS?|SMS)\s*[:?+]?=")
_OTHER_BUILDS = {
    "meson.build": "meson",
    "meson_options.txt": "meson",
    "meson.options": "meson",
    "build": "bazel",
    "build.bazel": "bazel",
    "workspace": "bazel",
    "workspace.bazel": "bazel",
    "module.bazel": "bazel",
    ".bazelrc": "bazel",
    "configure.ac": "autotools",
    "configure.in": "autotools",
    "makefile.am": "autotools",
    "sconstruct": "scons",
    "sconscript": "scons",
    "wscript": "waf",
    "xmake.lua": "xmake",
    "build.rs": "cargo",
}
_OTHER_SUFFIXES = {
    ".bzl": "bazel",
    ".bazel": "bazel",
    ".vcxproj": "msbuild",
    ".props": "msbuild",
    ".m4": "autotools",
}
_OTHER_OPTIONAL = re.compile(
    r"AC_ARG_(?:WITH|ENABLE)\(\s*\[?(cuda\w*)|option\(\s*'(\w*cuda\w*)'|\b(if_cuda)\b"
    r"|--config[= ](cuda)\b",
    re.IGNORECASE,
)
_DNL = re.compile(r"\bdnl\b[^\n]*")
"""A comment of m4."""
_NVCC_LIST = re.compile(r"nvcc|cuda_(?:args|flags|copts|opts)|\bcuda\b[\"']", re.IGNORECASE)
_OTHER_HIP = re.compile(
    r"\bif_rocm\b|@local_config_rocm|--config[= ]rocm|build:rocm|dependency\(\s*'hip"
    r"|option\(\s*'\w*(?:hip|rocm)\w*'|AC_ARG_(?:WITH|ENABLE)\(\s*\[?(?:hip|rocm)\b|\bhipcc\b",
    re.IGNORECASE,
)
_DEBIAN_FIELD = re.compile(
    r"(?:(?:Build-|Pre-)?Depends(?:-\w+)?|Recommends|Suggests)\s*:", re.IGNORECASE
)
_OF_CUDA = frozenset({Kind.CUDA_RULE, Kind.NVCC, Kind.OPTION, Kind.CUDA_VARIABLE})
_REMARK = re.compile(r"\s*(?:<\w+>)?\s*@?(?:rem\s|::)", re.IGNORECASE)
"""A line of a batch script in a project of Visual Studio that is a comment."""
_MSBUILD_VERSION = re.compile(r"CUDA (\d+\.\d+)\.(?:props|targets)")
_RUST_LINK = re.compile(r"cargo:rustc-link-lib=(?:\w+=)?([\w-]+)")


def read_make(text: str) -> Iterator[Signal]:
    """Yield what a Makefile says; comments do not count."""
    branches = Branches()
    lines = list(logical_lines(text, "#"))
    found = [
        (signal, branches.current)
        for line, content in lines
        for signal in _signals_of(content, line, branches)
    ]
    for_hip = _rules_for_hip(lines)
    branches.settle()
    for signal, branch in found:
        state = State.HIP if signal.line in for_hip else branches.state_of(branch)
        yield signal if state is State.ACTIVE else replace(signal, state=state)
    yield Signal(Kind.BUILD, "make", 1)


def _rules_for_hip(lines: Sequence[tuple[int, str]]) -> set[int]:
    """The lines of the rules whose recipe calls hipcc and no nvcc: ``.cu.o: ; $(HIPCC) -c``."""
    found: set[int] = set()
    rule, recipe = 0, ""
    for line, content in (*lines, (0, "end:")):
        if content.startswith("\t"):
            recipe += content
        elif content.strip() and _RULE.match(content):
            if rule and _HIP_RECIPE.search(recipe) and not _NVCC_RECIPE.search(recipe):
                found.add(rule)
            rule, recipe = line, content.partition(";")[2]
    return found


def _signals_of(content: str, line: int, branches: Branches) -> Iterator[Signal]:
    """Yield what a logical line says in the branch in which it stands."""
    word = content.split(None, 1)[0] if content.strip() else ""
    if word in {"else", "endif"} or _CONDITIONAL.match(content):
        _follow(branches, content, word)
    yield from nvcc_signals(line, content)
    for number, part in enumerate(content.split("\n"), line):
        yield from _make_line(part, number)


def _follow(branches: Branches, content: str, word: str) -> None:
    conditional = _CONDITIONAL.match(content)
    if word == "endif":
        branches.end()
    elif conditional is None:
        branches.otherwise()
    else:
        negated = conditional[1] in {"ifndef", "ifneq"}
        asked = conditional[2].strip()
        if conditional[1] in {"ifeq", "ifneq"} and _NOTHING.search(asked):
            negated = not negated
        condition = f"NOT {asked}" if negated else asked
        (branches.alternative if word == "else" else branches.begin)(condition)


def read_other_build(path: str, text: str) -> Iterator[Signal]:
    """Yield what a file of another build system says, as far as its words tell it plainly."""
    place = PurePosixPath(path)
    name = place.name.lower()
    if name == ".gitmodules":
        yield from _submodules(text)
        return
    if name == "tox.ini":
        yield from read_tox(text)
        return
    if name.startswith("control"):
        yield from _debian_control(text)
        return
    if name == "vcpkg.json":
        yield from _vcpkg(text)
        return
    build = _OTHER_BUILDS.get(name) or _OTHER_SUFFIXES.get(place.suffix.lower())
    if build is None:
        return
    said = _beside_hip(list(_other_signals(build, text)))
    macros = place.suffix.lower() == ".m4"
    if name != "aclocal.m4" and (said or not macros):
        yield Signal(Kind.BUILD, build, 1)
        yield from said


def _beside_hip(said: list[Signal]) -> list[Signal]:
    """Mark what builds CUDA as ported where the same file builds HIP too."""
    if all(signal.kind is not Kind.HIP for signal in said):
        return said
    return [
        replace(signal, state=State.PORTED) if signal.kind in _OF_CUDA else signal
        for signal in said
    ]


def _other_signals(build: str, text: str) -> Iterator[Signal]:
    comment = {"msbuild": "", "cargo": "//", "xmake": "--"}.get(build, "#")
    if build == "autotools":
        text = _DNL.sub("", text)
    elif build == "msbuild":
        text = _without_comments(text)
    for line, content in _lines(text, comment):
        yield from _other_line(build, content, line)
        if build == "autotools":
            yield from _toolkit_path(content, line)
            yield from _architecture(content, line)
    lines = list(logical_lines(text, comment))
    for_hip = _rules_for_hip(lines) if build == "autotools" else set[int]()
    for line, content in lines:
        if line not in for_hip:
            yield from _nvcc(build, content, line)


def _without_comments(text: str) -> str:
    """A project of Visual Studio with its comments blanked, lines where they are."""
    kept: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0:
        end = text.find("-->", start)
        end = len(text) if end < 0 else end + 3
        kept += [text[at:start], "\n" * text.count("\n", start, end)]
        at = end
    plain = "".join((*kept, text[at:]))
    return "\n".join("" if _REMARK.match(line) else line for line in plain.split("\n"))


def _nvcc(build: str, content: str, line: int) -> Iterator[Signal]:
    """Yield nvcc and its options, from command lines or from lists of texts."""
    if build == "autotools":
        yield from nvcc_signals(line, content)
    elif "-" in content:
        words = words_of(content, line, lists=True)
        yield from options_in(words, nvcc=_NVCC_LIST.search(content) is not None)


def _lines(text: str, comment: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), start=1):
        content = (
            re.split(rf"(?:^|\s){re.escape(comment)}", line, maxsplit=1)[0] if comment else line
        )
        if content.strip():
            yield number, content


def _make_line(content: str, line: int) -> Iterator[Signal]:
    if _COMPILES_CUDA.search(content):
        yield Signal(Kind.BUILD_CUDA, "make", line)
    conditional = _CONDITIONAL.match(content)
    if conditional is not None:
        cuda, hip = gpu_switch_in(conditional[2]), hip_switch_in(conditional[2])
        if cuda:
            yield Signal(Kind.CUDA_OPTIONAL, cuda, line)
        if hip:
            yield Signal(Kind.HIP, hip, line)
    elif word := rocm_word_in(content):
        yield Signal(Kind.HIP, word, line)
    yield from _toolkit_path(content, line)
    yield from _architecture(content, line)
    yield from command_signals(content, line)


def _architecture(content: str, line: int) -> Iterator[Signal]:
    """Yield what a variable says that chooses GPUs: ``SMS ?= 70 80``, ``ARCH = sm_80``."""
    named = _ARCH_VARIABLE.match(content)
    if named is not None:
        yield Signal(Kind.ARCH_VARIABLE, named[1], line)
    elif listed := _ARCH_NUMBERS.match(content):
        numbers = re.findall(r"(?<![\w.])(\d{2,3}[af]?)(?![\w.])", content.partition("=")[2])
        if numbers:
            yield Signal(Kind.ARCH_VARIABLE, listed[1], line)
        for number in numbers:
            yield Signal(Kind.CUDA_ARCH, f"sm_{number}", line)


def _toolkit_path(content: str, line: int) -> Iterator[Signal]:
    path = _TOOLKIT_PATH.match(content) if "cuda" in content.lower() else None
    if path is not None:
        yield Signal(Kind.TOOLKIT_PATH, path[1] or path[2], line)


def _other_line(build: str, content: str, line: int) -> Iterator[Signal]:
    found = cuda_rule_in(build, content)
    if found:
        yield Signal(Kind.BUILD_CUDA, build, line)
        yield Signal(Kind.CUDA_RULE, found, line)
    optional = _OTHER_OPTIONAL.search(content)
    if optional is not None:
        word = next(group for group in optional.groups() if group)
        yield Signal(Kind.CUDA_OPTIONAL, word, line)
    hip = _OTHER_HIP.search(content)
    if hip is not None:
        yield Signal(Kind.HIP, hip[0].strip(), line)
    for match in _MSBUILD_VERSION.finditer(content):
        yield Signal(Kind.CUDA_VERSION, match[1], line)
    for match in _RUST_LINK.finditer(content):
        if library := library_named(match[1]):
            yield Signal(Kind.LINK, library, line)
    if build in {"msbuild", "meson"}:
        for word in (
            re.findall(r"[\w.-]+", content) if ".lib" in content or "dep" in content else ()
        ):
            library = library_named(word) if word.endswith(".lib") or build == "meson" else ""
            if library and (build, word) != ("meson", "cuda"):  # its name for the whole toolkit
                yield Signal(Kind.LINK, library, line)
    yield from command_signals(content, line)


def _submodules(text: str) -> Iterator[Signal]:
    for line, content in _lines(text, "#"):
        key, _, value = content.partition("=")
        if key.strip() == "url":
            repository = value.strip().rstrip("/").removesuffix(".git").rsplit("/", 1)[-1]
            yield Signal(Kind.SUBMODULE, repository.lower(), line)


def _debian_control(text: str) -> Iterator[Signal]:
    """Yield CUDA's packages that a Debian package needs; a field goes on over indented lines."""
    needed = False
    for line, content in enumerate(text.splitlines(), start=1):
        if content[:1] not in {" ", "\t"}:
            needed = _DEBIAN_FIELD.match(content) is not None
        if needed:
            yield from system_signals(content, line)


def _vcpkg(text: str) -> Iterator[Signal]:
    try:
        manifest = json.loads(text)
    except (ValueError, RecursionError):
        return
    dependencies = manifest.get("dependencies", []) if isinstance(manifest, dict) else []
    for one in dependencies if isinstance(dependencies, list) else []:
        name = one.get("name") if isinstance(one, dict) else one
        if isinstance(name, str):
            line = text.count("\n", 0, max(text.find(f'"{name}"'), 0)) + 1
            yield Signal(Kind.FIND, name, line)
