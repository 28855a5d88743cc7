"""Makefiles, configure scripts' sources and the other build systems: words, line by line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from migrate.knowledge.components import library_named
from migrate.model.signals import Kind, Signal
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
_OTHER_SUFFIXES = {".bzl": "bazel", ".vcxproj": "msbuild", ".props": "msbuild"}
_OTHER_CUDA = re.compile(
    r"cuda_library|rules_cuda|@local_config_cuda|\bif_cuda\b|cuda_default_copts"  # bazel
    r"|add_languages\([^)\n]{0,200}'cuda'"
    r"|^\s*project\([^)]{0,200}'cuda'|dependency\(\s*'cuda'"  # meson
    r"|CUDA \d+\.\d+\.(?:props|targets)|<CudaCompile\b"  # msbuild
    r"|AX_CHECK_CUDA|\bnvcc\b|\bNVCC\b|add_rules\(\"cuda|cargo:rustc-link-lib=(?:dylib=)?cuda",
    re.MULTILINE,
)
_OTHER_OPTIONAL = re.compile(
    r"AC_ARG_(?:WITH|ENABLE)\(\s*\[?(cuda\w*)|option\(\s*'(\w*cuda\w*)'|\b(if_cuda)\b"
    r"|--config[= ](cuda)\b",
    re.IGNORECASE,
)
_OTHER_HIP = re.compile(
    r"\bif_rocm\b|@local_config_rocm|--config[= ]rocm|build:rocm|dependency\(\s*'hip"
    r"|option\(\s*'\w*(?:hip|rocm)\w*'|AC_ARG_(?:WITH|ENABLE)\(\s*\[?(?:hip|rocm)\b|\bhipcc\b",
    re.IGNORECASE,
)
_MSBUILD_VERSION = re.compile(r"CUDA (\d+\.\d+)\.(?:props|targets)")
_RUST_LINK = re.compile(r"cargo:rustc-link-lib=(?:\w+=)?([\w-]+)")


def read_make(text: str) -> Iterator[Signal]:
    """Yield what a Makefile says; comments do not count."""
    yield Signal(Kind.BUILD, "make", 1)
    for line, content in _lines(text, "#"):
        yield from _make_line(content, line)


def read_other_build(path: str, text: str) -> Iterator[Signal]:
    """Yield what a file of another build system says, as far as its words tell it plainly."""
    place = PurePosixPath(path)
    name = place.name.lower()
    if name == ".gitmodules":
        yield from _submodules(text)
        return
    if name == "vcpkg.json":
        yield from _vcpkg(text)
        return
    build = _OTHER_BUILDS.get(name) or _OTHER_SUFFIXES.get(place.suffix.lower())
    if build is None:
        return
    yield Signal(Kind.BUILD, build, 1)
    comment = {"msbuild": "", "cargo": "//", "xmake": "--"}.get(build, "#")
    for line, content in _lines(text, comment):
        yield from _other_line(build, content, line)


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
    if re.match(r"\s*(?:NVCC|CUDA)_?ARCHS?\s*[:?+]?=|\s*SMS\s*[:?+]?=", content):
        for number in re.findall(r"(?<![\w.])(\d{2,3}[af]?)(?![\w.])", content.partition("=")[2]):
            yield Signal(Kind.CUDA_ARCH, f"sm_{number}", line)
    yield from command_signals(content, line)


def _other_line(build: str, content: str, line: int) -> Iterator[Signal]:
    if _OTHER_CUDA.search(content):
        yield Signal(Kind.BUILD_CUDA, build, line)
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
            if (word.endswith(".lib") or build == "meson") and (library := library_named(word)):
                yield Signal(Kind.LINK, library, line)
    yield from command_signals(content, line)


def _submodules(text: str) -> Iterator[Signal]:
    for line, content in _lines(text, "#"):
        key, _, value = content.partition("=")
        if key.strip() == "url":
            repository = value.strip().rstrip("/").removesuffix(".git").rsplit("/", 1)[-1]
            yield Signal(Kind.SUBMODULE, repository.lower(), line)


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
