"""Words that mean the same in every kind of file: architectures, libraries, tools, versions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from migrate.knowledge.components import component_named, library_named, names_of_kind
from migrate.model.signals import Kind, Signal

_ARCH = re.compile(r"\b(?:sm|compute|lto)_(\d{2,3}[af]?)\b")
_ARCH_LIST_ITEM = re.compile(r"(\d{1,2})\.(\d)([af]?)(?:\+PTX)?|(\d{2,3}[af]?)(?:-real|-virtual)?")
_LINK_FLAG = re.compile(r"(?<![\w-])-l([A-Za-z][\w+-]*)")
_WHEEL_INDEX = re.compile(r"(?:/whl/|\+)cu(\d{2})(\d)\b")
_TOOLKIT_PATH = re.compile(r"/cuda-(\d{1,2}\.\d{1,2})\b")
_MODULE = re.compile(
    r"\bmodule\s+(?:load|add)\b[^\n]{0,200}?\b(?:cuda|CUDA|cudatoolkit)/(\d+\.\d+)"
)
_ROCM = re.compile(
    r"(?<![\w-])(?:hipcc|rocm(?:[/:@=._-][\w.:/-]*)?|rocm-dev|hip-dev|amdclang\+\+|gfx\d+[a-f]?"
    r"|HIP_PLATFORM|ROCM_(?:PATH|HOME|VERSION)|HIP_(?:PATH|ROOT_DIR|ARCH(?:ITECTURES)?))(?!\w)"
    r"|\brocm/[\w.-]+",
    re.IGNORECASE,
)
HIP_WORDS = frozenset(
    ("HIP", "ROCM", "HIPCC", "AMDGPU", "HIPBLAS", "ROCBLAS", "HIPFFT", "ROCFFT", "HIPCUB")
)
_CI_SWITCH = re.compile(
    r"(?<!\w)(?:-D\s*)?(?P<name>[A-Za-z]\w*_\w+)(?!\w)"
    r"(?!(?::\w+)?\s*[:=]\s*[\"']?(?:OFF|0|FALSE|NO)\b)",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
CUDA_WORDS = frozenset(("CUDA", "NVCC", "CUDATOOLKIT", "CUBLAS"))
_WHOLE_SWITCH = re.compile(
    r"(?:^|_)(?:CUDA|CUDATOOLKIT|GPU)(?:_?(?:FOUND|ENABLED?|SUPPORT|BACKEND|BUILD))?$",
    re.IGNORECASE,
)
_VARIABLE = re.compile(
    r"^(?:(?:CUDA|NCCL|CUDNN|NVSHMEM|NVIDIA|CUBLAS|NVTE|CUTLASS|UCX|MV2|MPICH|PSM2)_[A-Z0-9_]+"
    r"|OMPI_MCA_\w+)$"
)


def architectures_in(text: str) -> Iterator[str]:
    """Yield ``sm_80`` for each architecture named in compiler flags."""
    for match in _ARCH.finditer(text):
        yield f"sm_{match[1]}"


def architectures_of_list(text: str) -> Iterator[str]:
    """Yield the architectures of a list value: ``70;80-real``, ``7.0 8.0+PTX`` or ``90a``."""
    for item in re.split(r"[;,\s\"']+", text):
        match = _ARCH_LIST_ITEM.fullmatch(item)
        if match:
            yield f"sm_{match[4] or match[1] + match[2] + match[3]}"
        else:
            yield from architectures_in(item)


def linked_in(text: str) -> Iterator[str]:
    """Yield the CUDA libraries of ``-l`` flags."""
    for match in _LINK_FLAG.finditer(text):
        library = library_named(match[1])
        if library:
            yield library


def link_signals(text: str, line: int) -> Iterator[Signal]:
    """Yield the CUDA libraries of ``-l`` flags, as linked and as linked by name."""
    for library in linked_in(text):
        yield Signal(Kind.LINK, library, line)
        yield Signal(Kind.LINK_NAME, library, line)


def command_signals(text: str, line: int) -> Iterator[Signal]:
    """Yield what any command line says: architectures, libraries, tools, CUDA versions."""
    yield from (Signal(Kind.CUDA_ARCH, arch, line) for arch in architectures_in(text))
    yield from link_signals(text, line)
    yield from (Signal(Kind.TOOL, match[1], line) for match in _tools().finditer(text))
    yield from version_signals(text, line)


@cache
def _tools() -> re.Pattern[str]:
    """The programs of the CUDA world as words of a command."""
    names = sorted(names_of_kind("tool"), key=lambda name: (-len(name), name))
    return re.compile(rf"(?<![\w.-])({'|'.join(map(re.escape, names))})(?![\w./=-])")


def version_signals(text: str, line: int) -> Iterator[Signal]:
    """Yield the CUDA version that wheel indexes, toolkit paths and modules name."""
    for match in _WHEEL_INDEX.finditer(text):
        yield Signal(Kind.CUDA_VERSION, f"{match[1]}.{match[2]}", line)
    for pattern in (_TOOLKIT_PATH, _MODULE):
        for match in pattern.finditer(text):
            yield Signal(Kind.CUDA_VERSION, match[1], line)


def rocm_word_in(text: str) -> str:
    """Return the word of a command or setting that shows ROCm; "" where there is none."""
    match = _ROCM.search(text)
    return match[0].rstrip(":/=@") if match else ""


def ci_rocm_word_in(text: str) -> str:
    """Return the word of a CI job that shows ROCm, or the switch that it turns on for it.

    ``-DGGML_HIP=ON`` and ``$GG_BUILD_ROCM`` are such words, ``-DUSE_ROCM=OFF`` is none.
    """
    for match in _CI_SWITCH.finditer(text):
        if not HIP_WORDS.isdisjoint(match["name"].upper().split("_")):
            return match["name"]
    return rocm_word_in(text)


def hip_switch_in(text: str) -> str:
    """Return an identifier such as ``USE_ROCM`` or ``GGML_HIP``; "" where there is none."""
    return _identifier_with(text, HIP_WORDS)


def cuda_switch_in(text: str) -> str:
    """Return an identifier such as ``USE_CUDA`` or ``CUDA_FOUND``; "" where there is none."""
    return _identifier_with(text, CUDA_WORDS)


def gpu_switch_in(text: str) -> str:
    """Return an identifier that switches CUDA or GPUs as a whole: ``USE_CUDA``, ``ENABLE_GPU``.

    ``CUDA_HOME`` or ``USE_CUDA_LTO`` is none: it sets how, not whether.
    """
    return next(
        (match[0] for match in _IDENTIFIER.finditer(text) if _WHOLE_SWITCH.search(match[0])), ""
    )


def _identifier_with(text: str, words: frozenset[str]) -> str:
    for match in _IDENTIFIER.finditer(text):
        if not words.isdisjoint(match[0].upper().split("_")):
            return match[0]
    return ""


def environment_named(name: str) -> bool:
    """Whether a variable belongs to CUDA's libraries or driver, or to a component."""
    return _VARIABLE.match(name) is not None or bool(component_named("environment", name))
