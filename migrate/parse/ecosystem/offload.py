"""Lines of build files and scripts that turn GPU code on without naming CUDA's compiler.

NVIDIA's HPC compilers and their options, targets of OpenMP and SYCL, CUDA back ends of layers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.knowledge.components import library_named
from migrate.model.signals import Kind, Signal
from migrate.model.verdict import State

_COMPILERS = re.compile(
    r"nvfortran|pgfortran|pgf9\d|\bnvc(?:\+\+)?\b|\bpgc(?:c|\+\+)|nvhpc|\bPGI\b", re.IGNORECASE
)
_OPTION = re.compile(
    r"(?<![^\s\"'=;,(])-(?:Mcuda(?:=[\w.,:]+)?|Mcudalib=[\w,]+|cudalib=[\w,]+"
    r"|gpu=(?:cc|sm_|cuda\d|managed|unified|mem:|pinned|rdc|nordc|fast|lineinfo|maxreg)[\w.,:]*"
    r"|ta=(?:tesla|nvidia|gpu)[\w.,:]*|stdpar(?:=[\w,]+)?|mp=(?:\w+,){0,4}gpu\b)(?![\w=])"
)
_SHORT_OPTION = re.compile(
    r"(?<![^\s\"'=;,(])-(?:acc(?:=(?:gpu|verystrict|strict|noautopar))?|cuda)(?![\w=./-])"
)
_FOR_CPU = re.compile(r"-(?:stdpar|gpu)=(?:multicore|host)")
_TARGET = re.compile(
    r"-fopenmp-targets=nvptx[\w-]*|-fsycl-targets=[\"']?(?:nvptx[\w-]*|nvidia_gpu_sm_\w+)"
    r"|-foffload=(?:nvptx[\w-]*)|--(?:acpp|hipsycl|opensycl)-targets=[\"']?cuda[\w:,;-]*"
    r"|\b(?:ACPP|HIPSYCL)_TARGETS[=: ]+[\"']?cuda[\w:,;-]*"
)
_AMD_TARGET = re.compile(r"amdgcn|amd_gpu_gfx|--offload-arch=gfx|-targets=[\"']?hip\b|\bgfx\d{3}")
_SWITCH = re.compile(
    r"(?:(?<![\w$@{])|(?<=-D))(?P<name>kokkos_enable_cuda|kokkos_arch_(?:kepler|maxwell|pascal|volta|turing|ampere|ada"
    r"|hopper|blackwell)\d*|raja_enable_cuda|umpire_enable_cuda|chai_enable_cuda"
    r"|alpaka_acc_gpu_cuda_(?:enable|only_mode)|amrex_gpu_backend|mfem_use_cuda|occa_enable_cuda"
    r"|occa_cuda_enabled|trilinos_enable_cuda|tpl_enable_cuda|kokkos_devices)(?::\w+)?"
    r"[ \t]*[=: \t][ \t]*[\"']?(?P<value>on|true|1|yes|cuda)\b",
    re.IGNORECASE,
)
_LAYERS = (
    "kokkos",
    "raja",
    "umpire",
    "chai",
    "alpaka",
    "amrex",
    "mfem",
    "occa",
    "trilinos",
    "tpl_",
)
_SIGNS = (
    *("-targets=", "_targets", "-foffload", "-gpu=", "-mcuda", "cudalib", "-stdpar", "-ta="),
    "-mp=",
)
_HIP_SWITCH = re.compile(
    r"(?:enable|use|gpu)_(?:hip|rocm)|_hip_enable|gpu_backend[= :\"']{1,4}hip"
    r"|kokkos_arch_(?:amd|vega|navi)|kokkos_devices[ =:\"']{1,4}hip",
    re.IGNORECASE,
)  # fmt: skip
_COMMENT = re.compile(r"(?:^|\s)#[^\n]*")


def offload_signals(text: str) -> Iterator[Signal]:
    """Yield what turns GPU code on; ``#`` begins a comment.

    Where the file names AMD's target or the switch for HIP too, its lines for CUDA are ``ported``.
    """
    short = _COMPILERS.search(text) is not None
    lower = text.lower()
    layers = any(layer in lower for layer in _LAYERS)
    if not (short or layers or any(sign in lower for sign in _SIGNS)):
        return
    amd = State.PORTED if _AMD_TARGET.search(text) else State.ACTIVE
    hip = State.PORTED if layers and _HIP_SWITCH.search(text) else State.ACTIVE
    for number, line in enumerate(text.splitlines(), start=1):
        code = _COMMENT.sub("", line)
        yield from _options(code, number, short=short)
        for match in _TARGET.finditer(code):
            yield Signal(Kind.OFFLOAD_TARGET, match[0].strip("\"'"), number, amd)
        if layers:
            for match in _SWITCH.finditer(code):
                yield Signal(Kind.LAYER_SWITCH, match["name"], number, hip)


def _options(code: str, number: int, *, short: bool) -> Iterator[Signal]:
    for match in _OPTION.finditer(code):
        if _FOR_CPU.match(match[0]):
            continue
        yield Signal(Kind.HPC_OPTION, match[0], number)
        if "cudalib=" in match[0]:
            for library in match[0].partition("=")[2].split(","):
                if named := library_named(library):
                    yield Signal(Kind.LINK, named, number)
    if short:
        for match in _SHORT_OPTION.finditer(code):
            yield Signal(Kind.HPC_OPTION, match[0], number)
