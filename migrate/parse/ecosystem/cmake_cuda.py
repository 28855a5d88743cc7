"""What a CMake command says of CUDA: language, toolkit, targets, variables, options of nvcc."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from migrate.model.signals import Kind, Signal
from migrate.model.verdict import State
from migrate.parse.ecosystem.cmake_text import Command, Piece, pieces_of
from migrate.parse.ecosystem.nvcc_options import Word, names_nvcc, options_in, words_of

_LANGUAGE_COMMANDS = frozenset({"project", "enable_language", "check_language"})
_PROPERTY_COMMANDS = frozenset({"set_source_files_properties", "set_property"})
_FIND_CUDA = re.compile(
    r"cuda_(?:add_(?:library|executable|cublas_to_target|cufft_to_target)|compile(?:_ptx|_cubin|_fatbin)?"
    r"|include_directories|build_clean_target|build_shared_library|wrap_srcs|link_separable_compilation_objects"
    r"|compute_separable_compilation_object_file_name|select_nvcc_arch_flags|remove_cuda_flag_list)"
)
_TALK = frozenset(
    ("message", "cmake_minimum_required", "install", "cmake_policy", "mark_as_advanced", "unset")
)
_TARGET = re.compile(r"(?<!\w)CUDA::(\w+)")
_TOOLKIT = re.compile(r"CUDAToolkit_\w+|CMAKE_CUDA_TOOLKIT_\w+")
_FIND_CUDA_VARIABLE = (
    r"CUDA_(?:NVCC_FLAGS(?:_[A-Z]+)?|NVCC_EXECUTABLE|LIBRARIES|INCLUDE_DIRS|TOOLKIT_ROOT_DIR|FOUND|VERSION(?:_M\w+|_STRING)?"
    r"|SDK_ROOT_DIR|[A-Za-z]+_LIBRARY|[A-Z]+_LIBRARIES|PROPAGATE_HOST_FLAGS|HOST_COMPILER|HOST_COMPILATION_CPP"
    r"|USE_STATIC_CUDA_RUNTIME|ATTACH_VS_BUILD_RULE_TO_CUDA_FILE|VERBOSE_BUILD|64_BIT_DEVICE_CODE|BUILD_CUBIN)"
)
_PROPERTY = (
    r"CUDA_(?:ARCHITECTURES|STANDARD(?:_REQUIRED)?|EXTENSIONS|SEPARABLE_COMPILATION|RESOLVE_DEVICE_SYMBOLS"
    r"|PTX_COMPILATION|CUBIN_COMPILATION|FATBIN_COMPILATION|OPTIX_COMPILATION|RUNTIME_LIBRARY|VISIBILITY_PRESET"
    r"|COMPILER_LAUNCHER)"
)
_VARIABLE = re.compile(
    rf"CMAKE_CUDA_\w+|(?:CMAKE_)?{_PROPERTY}|{_FIND_CUDA_VARIABLE}|TORCH_CUDA_ARCH_LIST"
    r"|\w*CUDA_ARCH(?:S|_BIN|_PTX|_LIST)|\w+_CUDA_ARCHITECTURES|\w*NVCC_ARCHS(?:_\w+)?"
)
_OWN_VARIABLE = re.compile(
    r"(?!CMAKE_|TORCH_)\w*CUDA_ARCH(?:S|_BIN|_PTX|_LIST)|(?!CMAKE_)\w+_CUDA_ARCHITECTURES|\w*NVCC_ARCHS(?:_\w+)?"
)
"""A project's own list of GPUs: told where it is set, not wherever it is used."""
_FEATURE = re.compile(r"cuda_std_\d\d")
_REFERENCE = re.compile(r"\$\{(?:CACHE:)?(\w+)\}|\$CACHE\{(\w+)\}")
_DEFINED = re.compile(r"-D(\w+)(?::\w+)?=")
_CONDITION = re.compile(
    r"CMAKE_CUDA_COMPILER_(?:ID|VERSION)|CUDA_VERSION(?:_M\w+)?|CUDAToolkit_VERSION(?:_M\w+)?"
)
_GENERATED_LANGUAGE = re.compile(r"\$<((?:COMPILE|LINK)_LANGUAGE:[\w,]*)>")
_GENERATED_COMPILER = re.compile(
    r"\$<((?:COMPILE|LINK)_LANG_AND_ID:CUDA,[\w,]*|CUDA_COMPILER_(?:ID|VERSION):[\w.,]*)>"
)
_MODULE_NAME = re.compile(r"(?:^|/)Find(\w+)\.cmake(?:\.in)?$")
_TOOLKIT_MODULES = frozenset({"CUDA", "CUDAToolkit"})
_FLAGS_VARIABLE = re.compile(r"flags|options|args|opts|gencode|nvcc|arch", re.IGNORECASE)
_LONGEST_NAME = 100
_OPTION_COMMANDS = frozenset(
    ("target_compile_options", "add_compile_options", "target_link_options", "add_link_options")
)


def module_signals(path: str) -> Iterator[Signal]:
    """Yield the package that a Find module is for; the toolkit's own modules are copies."""
    name = _MODULE_NAME.search(path)
    if name is not None and name[1] not in _TOOLKIT_MODULES:
        yield Signal(Kind.FIND_MODULE, name[1], 1)


def cuda_signals(command: Command) -> Iterator[Signal]:
    """Yield what one command says of CUDA."""
    name, arguments, line = command.name, command.arguments, command.line
    if name in _TALK or not _may_speak(command):
        return
    if name in _LANGUAGE_COMMANDS and "CUDA" in arguments[1 if name == "project" else 0 :]:
        yield Signal(Kind.CUDA_LANGUAGE, f"{name}(CUDA)", line)
    elif name in _PROPERTY_COMMANDS and "LANGUAGE" in arguments and "CUDA" in arguments:
        yield Signal(Kind.CUDA_LANGUAGE, "LANGUAGE CUDA", line)
    elif _FIND_CUDA.fullmatch(name):
        yield Signal(Kind.FIND_CUDA, name, line)
    elif name == "find_package" and arguments[:1] == ("CUDA",):
        yield Signal(Kind.FIND_CUDA, "find_package(CUDA)", line)
    elif name == "include" and arguments[:1] == ("FindCUDA",):
        yield Signal(Kind.FIND_CUDA, "include(FindCUDA)", line)
    elif name in {"find_package", "find_dependency"} and arguments[:1] == ("CUDAToolkit",):
        yield Signal(Kind.CUDA_TOOLKIT, f"{name}(CUDAToolkit)", line)
    yield from _named(command)
    yield from _options(command)


def _may_speak(command: Command) -> bool:
    """Whether there is a word of CUDA or an option in a command at all."""
    return names_nvcc(command.name) or any(
        "-" in argument or names_nvcc(argument) for argument in command.arguments
    )


def _named(command: Command) -> Iterator[Signal]:
    """Yield targets, variables, properties and questions to the compiler, each once."""
    seen: set[tuple[Kind, str]] = set()
    asks = command.name in {"if", "elseif", "while"}
    variable = _variable_of(command)
    dual = any("HIP" in argument for argument in command.arguments)
    for argument, line in zip(command.arguments, command.lines, strict=True):
        for kind, value in _names_in(argument, asks=asks):
            if _OWN_VARIABLE.fullmatch(value) and value not in variable:
                continue
            if (kind, value) not in seen:
                seen.add((kind, value))
                signal = Signal(kind, value, line)
                if dual and kind is Kind.CUDA_CONDITION and not asks:
                    signal = replace(signal, state=State.PORTED)
                yield signal


def _variable_of(command: Command) -> tuple[str, ...]:
    """Return the variable that a command sets, as the tuple of its one name."""
    if command.name in {"set", "option"}:
        return command.arguments[:1]
    return command.arguments[1:2] if command.name == "list" else ()


def _names_in(argument: str, *, asks: bool) -> Iterator[tuple[Kind, str]]:
    for match in _TARGET.finditer(argument):
        yield Kind.CUDA_TARGET, match[0]
    for match in _GENERATED_LANGUAGE.finditer(argument):
        languages = match[1].partition(":")[2].split(",")
        if "CUDA" in languages and "HIP" not in languages:
            yield Kind.CUDA_CONDITION, match[1]
    for match in _GENERATED_COMPILER.finditer(argument):
        yield Kind.CUDA_CONDITION, match[1]
    names = {argument, *(one or two for one, two in _REFERENCE.findall(argument))}
    names.update(_DEFINED.findall(argument) if argument.startswith("-D") else ())
    for name in sorted(name for name in names if len(name) <= _LONGEST_NAME):
        if asks and _CONDITION.fullmatch(name):
            yield Kind.CUDA_CONDITION, name
        elif _TOOLKIT.fullmatch(name):
            yield Kind.CUDA_TOOLKIT, name
        elif _VARIABLE.fullmatch(name) or _FEATURE.fullmatch(name):
            yield Kind.CUDA_VARIABLE, name


def _options(command: Command) -> Iterator[Signal]:
    """Yield nvcc's options, those for CUDA sources alone and those that only nvcc has."""
    pieces = list(pieces_of(command))
    dual = any(piece.language == "HIP" for piece in pieces)
    for language in ("CUDA", "HIP", ""):
        words = [word for piece in pieces if piece.language == language for word in _words(piece)]
        nvcc = language == "CUDA" or (not language and _is_for_nvcc(command))
        for signal in options_in(words, nvcc=nvcc):
            if language == "HIP":
                yield replace(signal, state=State.HIP)
            else:
                yield replace(signal, state=State.PORTED) if dual and language else signal


def _words(piece: Piece) -> Iterator[Word]:
    return words_of(piece.text.replace("SHELL:", " "), piece.line)


def _is_for_nvcc(command: Command) -> bool:
    """Whether a command's arguments are options for nvcc: what it sets or calls says so."""
    name, arguments = command.name, command.arguments
    if name in {"set", "list", "string"}:
        variable = arguments[:1] if name == "set" else arguments[1:2]
        return (
            bool(variable) and names_nvcc(variable[0]) and bool(_FLAGS_VARIABLE.search(variable[0]))
        )
    if name in _OPTION_COMMANDS:
        return False
    if name in {"execute_process", "add_custom_command", "add_custom_target"}:
        return any(_is_nvcc(argument) for argument in arguments)
    return _FIND_CUDA.fullmatch(name) is not None


def _is_nvcc(argument: str) -> bool:
    return argument.rpartition("/")[2] == "nvcc" or argument in {
        "${CUDA_NVCC_EXECUTABLE}",
        "${CMAKE_CUDA_COMPILER}",
        "${CUDAToolkit_NVCC_EXECUTABLE}",
    }
