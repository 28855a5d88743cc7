"""CMake files: languages, packages, libraries, architectures and switches, by command."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from migrate.knowledge.components import component_named, library_named
from migrate.model.signals import Kind, Signal
from migrate.model.verdict import State
from migrate.parse.ecosystem.build_branches import Branches
from migrate.parse.ecosystem.cmake_cuda import cuda_signals, module_signals
from migrate.parse.ecosystem.cmake_flags import flag_signals
from migrate.parse.ecosystem.cmake_text import Command, commands_of
from migrate.parse.ecosystem.words import (
    architectures_in,
    architectures_of_list,
    gpu_switch_in,
    hip_switch_in,
    link_signals,
)

_VERSION = re.compile(r"\d+(?:\.\d+)?(?:\.\d+)*")
_ARCH_VARIABLES = re.compile(
    r"(?:CMAKE_)?CUDA_ARCHITECTURES|TORCH_CUDA_ARCH_LIST|\w*CUDA_ARCH(?:S|_BIN|_PTX|_LIST)?|\w*NVCC_ARCHS(?:_\w+)?"
    r"|(?:CUDA_)?COMPUTE_CAPABILIT(?:Y|IES)"
)
_BUILDERS = frozenset(
    (
        *("cuda_add_library", "cuda_add_executable", "cuda_compile", "cuda_compile_ptx"),
        *("cuda_select_nvcc_arch_flags", "cuda_add_cublas_to_target", "cuda_add_cufft_to_target"),
    )
)
_NAMING = {
    "project": Kind.PROJECT,
    "add_library": Kind.TARGET,
    "add_executable": Kind.TARGET,
    "cuda_add_library": Kind.TARGET,
}
"""Commands whose first argument names something of the project's own."""
_HIP_COMMANDS = re.compile(r"hip_\w+|rocm_\w+|find_package_hip")
_HIP_PACKAGES = re.compile(r"hip(?:[a-z]+)?|roc(?:m|[a-z]+)|rccl|miopen|amd_smi", re.IGNORECASE)
_TEST_COMMANDS = {
    "gtest_discover_tests": "gtest",
    "gtest_add_tests": "gtest",
    "catch_discover_tests": "catch2",
    "doctest_discover_tests": "doctest",
    "enable_testing": "ctest",
    "add_test": "ctest",
}
_TEST_PACKAGES = {"gtest": "gtest", "catch2": "catch2", "doctest": "doctest"}
_VARIABLE_LIBRARY = re.compile(
    r"\$\{(?:CUDA_|LIB)?([A-Za-z_0-9]+?)_(?:LIBRARY|LIBRARIES|LIB|LIBS)\}"
)
_REPOSITORY = re.compile(r"(?:git(?:hub|lab)[\w.-]*[/:]|^gh:)[\w.-]+/([\w.-]+)")
_TAKING_IN = frozenset({"include", "add_subdirectory"})
_NESTING = 20
"""How many ``if`` blocks around a command are looked at."""
_MODULE_FILE = re.compile(r"(?:^|/)Find\w+\.cmake(?:\.in)?$")


def read_cmake(path: str, text: str) -> Iterator[Signal]:
    """Yield what a CMake file says.

    A module that finds a package (``FindX.cmake``) names libraries that nobody may use: only its
    HIP words count.
    """
    if _MODULE_FILE.search(path) is not None:
        yield from module_signals(path)
        for command in commands_of(text):
            yield from _hip_signals(command)
        return
    branches = Branches()
    found = [
        (signal, branches.current)
        for command in commands_of(text)
        for signal in _signals_of(command, branches)
    ]
    branches.settle()
    for signal, branch in found:
        state = branches.state_of(branch)
        yield signal if state is State.ACTIVE else replace(signal, state=state)
    yield Signal(Kind.BUILD, "cmake", 1)


def _signals_of(command: Command, branches: Branches) -> Iterator[Signal]:
    """Yield what a command says in the branch in which it stands."""
    if command.name == "endif":
        branches.end()
    elif command.name == "else":
        branches.otherwise()
    elif command.name == "elseif":
        branches.alternative(" ".join(command.arguments))
    yield from _hip_signals(command)
    yield from _command_signals(command, branches.conditions)
    yield from flag_signals(command.name, command.arguments, command.line, branches.conditions)
    yield from cuda_signals(command)
    if command.name == "if":
        branches.begin(" ".join(command.arguments))


def _hip_signals(command: Command) -> Iterator[Signal]:
    name, arguments = command.name, command.arguments
    word = ""
    if name in {"enable_language", "project", "check_language"} and "HIP" in arguments:
        word = f"{name}(HIP)"
    elif name == "find_package" and arguments and _HIP_PACKAGES.fullmatch(arguments[0]):
        word = f"find_package({arguments[0]})"
    elif name not in {"find_path", "find_library"} and _HIP_COMMANDS.fullmatch(name):
        word = name
    elif name in {"if", "elseif"} or _is_option(name):
        word = hip_switch_in(" ".join(arguments[:1] if _is_option(name) else arguments))
    elif name == "set_source_files_properties" and "HIP" in arguments:
        word = "LANGUAGE HIP"
    if word:
        yield Signal(Kind.HIP, word, command.line)


def _is_option(command: str) -> bool:
    """Whether a command declares an option; projects have their own forms of it."""
    return command == "option" or command.endswith("_option")


def _command_signals(command: Command, conditions: Sequence[str]) -> Iterator[Signal]:
    name, arguments, line = command.name, command.arguments, command.line
    if name in _TEST_COMMANDS:
        yield Signal(Kind.TEST_FRAMEWORK, _TEST_COMMANDS[name], line)
    if _compiles_cuda(command):
        yield Signal(Kind.BUILD_CUDA, "cmake", line)
        switch = next(filter(None, map(gpu_switch_in, conditions[-_NESTING:])), "")
        if switch:
            yield Signal(Kind.CUDA_OPTIONAL, switch, line)
    if name in _NAMING and arguments and "$" not in arguments[0]:
        yield Signal(_NAMING[name], arguments[0], line)
    if name == "check_language" and "CUDA" in arguments:
        yield Signal(Kind.CUDA_OPTIONAL, "check_language(CUDA)", line)
    elif _is_option(name) and arguments and gpu_switch_in(arguments[0]):
        yield Signal(Kind.CUDA_OPTIONAL, arguments[0], line)
    elif name == "find_package" and arguments:
        yield from _package(arguments, line)
    elif name == "include" and "CPack" in arguments:
        yield Signal(Kind.PACKAGE, "cpack", line)
    elif name in {"fetchcontent_declare", "externalproject_add", "cpmaddpackage"}:
        yield from _fetched(arguments, line)
    yield from _taken_in(command)
    yield from _programs(command)
    yield from _libraries(command)
    yield from _architectures(command)


def _taken_in(command: Command) -> Iterator[Signal]:
    """Yield the file or folder that is read in here."""
    if command.name in _TAKING_IN and command.arguments:
        yield Signal(Kind.INCLUDED, command.arguments[0], command.line)


def _programs(command: Command) -> Iterator[Signal]:
    """Yield the tools of the CUDA world that are looked for, or kept in a variable."""
    if command.name in {"find_program", "set"}:
        for word in command.arguments:
            if component_named("tool", word):
                yield Signal(Kind.TOOL, word, command.line)


def _compiles_cuda(command: Command) -> bool:
    name, arguments = command.name, command.arguments
    if name in {"project", "enable_language"}:
        return "CUDA" in arguments[1 if name == "project" else 0 :]
    if name == "find_package":
        return bool(arguments) and arguments[0] in {"CUDA", "CUDAToolkit"}
    if name in {"set_source_files_properties", "set_property"}:
        return "LANGUAGE" in arguments and "CUDA" in arguments
    return name in _BUILDERS


def _package(arguments: Sequence[str], line: int) -> Iterator[Signal]:
    package = arguments[0]
    if component_named("find", package):
        yield Signal(Kind.FIND, package, line)
    if package.lower() in _TEST_PACKAGES:
        yield Signal(Kind.TEST_FRAMEWORK, _TEST_PACKAGES[package.lower()], line)
    if package == "Boost" and "unit_test_framework" in arguments:
        yield Signal(Kind.TEST_FRAMEWORK, "boost-test", line)
    if package in {"CUDA", "CUDAToolkit"}:
        if len(arguments) > 1 and _VERSION.fullmatch(arguments[1]):
            exact = "EXACT" in arguments
            kind = Kind.CUDA_VERSION if exact else Kind.CUDA_AT_LEAST
            yield Signal(kind, ".".join(arguments[1].split(".")[:2]), line)
        if "QUIET" in arguments and "REQUIRED" not in arguments:
            yield Signal(Kind.CUDA_OPTIONAL, f"find_package({package} QUIET)", line)


def _fetched(arguments: Sequence[str], line: int) -> Iterator[Signal]:
    for word in arguments:
        repository = _REPOSITORY.search(word)
        if repository is not None:
            yield Signal(Kind.SUBMODULE, repository[1].removesuffix(".git").lower(), line)


def _libraries(command: Command) -> Iterator[Signal]:
    name, arguments, line = command.name, command.arguments, command.line
    if name in {"cuda_add_cublas_to_target", "cuda_add_cufft_to_target"}:
        yield Signal(Kind.LINK, name.split("_")[2], line)
    if name not in {
        "target_link_libraries",
        "link_libraries",
        "cuda_add_executable",
        "set",
        "list",
    }:
        return
    appends = name in {"set", "list"}
    for word, line in zip(arguments, command.lines, strict=True):
        if "CUDA::" in word:
            for target in re.findall(r"CUDA::(\w+)", word):
                library = library_named(target)
                if library:
                    yield Signal(Kind.LINK, library, line)
            continue
        yield from link_signals(word, line)
        if appends:
            continue
        variable = _VARIABLE_LIBRARY.fullmatch(word)
        library = library_named(variable[1] if variable else word.rsplit("::", 1)[-1])
        if library and (variable or library != "cuda"):
            yield Signal(Kind.LINK, library, line)
            if library_named(word):
                yield Signal(Kind.LINK_NAME, library, line)


def _architectures(command: Command) -> Iterator[Signal]:
    name, arguments, line = command.name, command.arguments, command.line
    found: list[str] = []
    if name in {"set", "list", "option"}:
        words = arguments[1:] if name == "list" else arguments
        if words and _ARCH_VARIABLES.fullmatch(words[0]):
            found.extend(arch for word in words[1:] for arch in architectures_of_list(word))
    elif name in {"set_target_properties", "set_property"} and "CUDA_ARCHITECTURES" in arguments:
        place = arguments.index("CUDA_ARCHITECTURES") + 1
        end = place + 1 if name == "set_target_properties" else len(arguments)
        found.extend(arch for word in arguments[place:end] for arch in architectures_of_list(word))
    for word in arguments:
        if "_" in word:
            found.extend(architectures_in(word))
    for arch in dict.fromkeys(found):
        yield Signal(Kind.CUDA_ARCH, arch, line)
