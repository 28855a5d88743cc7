"""What a macro's name tells of the builds that define it: a CUDA build, a HIP build, neither."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache

from migrate.parse.own_words import NO_WORDS, OwnWords


class MacroKind(Enum):
    """What a macro's name tells of the builds that define it."""

    HIP_PLATFORM = "defined and true in every HIP build, in no CUDA build"
    HIP_VERSION = "defined in every HIP build with a value that is not known, in no CUDA build"
    HIP = "defined in some HIP builds, in no CUDA build"
    CUDA = "defined in some CUDA builds, in no HIP build"
    ALWAYS_HIP = "defined by the tree itself in every HIP build, and in some CUDA builds"
    CUDA_GUARD = "defined by the tree itself, and only where it leaves HIP out"
    CUDA_OPTION = "a project's CUDA switch: off in a HIP build only where HIP has its own branch"
    OTHER_PLATFORM = "a third platform: defined in neither build"
    NEUTRAL = "nothing is known"


HIP_KINDS = frozenset({MacroKind.HIP_PLATFORM, MacroKind.HIP_VERSION, MacroKind.HIP})
"""What no CUDA build defines."""
NO_HIP_KINDS = frozenset({MacroKind.CUDA, MacroKind.CUDA_GUARD})
"""What no HIP build defines."""

_HIP_WORDS = frozenset({"HIP", "HIPCC", "ROCM", "ROC", "AMD", "AMDGPU", "AMDGCN", "HCC", "MFMA"})
_HIP_ARCH = re.compile(r"(?:gfx\w+|GFX\d\w*|GCN\d*|CDNA\d*|RDNA\d*)")
_HIP_COMPILER = frozenset({"__HIPCC__", "__HIP__", "__HCC__"})
_HIP_VERSION = re.compile(r"(?:\w+_)?(?:HIP|ROCM)_VERSION(?:_MAJOR|_MINOR|_PATCH)?")
_CUDA_BUILTIN = re.compile(
    r"__CUDACC\w*|__CUDA_ARCH\w*|__CUDA__|__NVCC__|CUDART_VERSION|CUDA_VERSION|CUDA_ARCH"
    r"|CUDNN_(?:VERSION|MAJOR|MINOR)|__HIP_PLATFORM_NV\w+|__NVCOMPILER\w*|__CUDAARCH\w*"
)
_OTHER_WORDS = frozenset(
    {"MUSA", "SYCL", "ONEAPI", "CANN", "ASCEND", "MACA", "OPENCL", "METAL", "XPU", "NPU", "MPS"}
)
_SWITCH_ENDS = frozenset({"ENABLE", "ENABLED", "FOUND", "SUPPORT", "BUILD", "COMPILE", "COMPILER"})
_SWITCH_WORDS = _SWITCH_ENDS | {
    *("USE", "USES", "USING", "WITH", "HAVE", "HAS", "FOR", "TARGET", "PLATFORM", "BACKEND")
}
_CUDA_WORDS = frozenset({"CUDA", "NVIDIA", "NVCC", "NV"})
_PLAIN_SWITCHES = frozenset({"HIP", "ROCM", "CUDA"})


@dataclass(frozen=True, slots=True)
class ProjectMacros:
    """The project's own macros: defined only in HIP, or only in CUDA builds.

    ``hip`` and ``cuda`` are named in settings, the others found by where the tree defines them;
    ``inferred_platform`` in every HIP build and no CUDA build. ``always_hip`` are defined in every
    HIP build and in some CUDA builds. ``words`` are the macros that stand for CUDA's qualifiers and
    launches.
    """

    hip: frozenset[str] = field(default_factory=frozenset)
    cuda: frozenset[str] = field(default_factory=frozenset)
    inferred_platform: frozenset[str] = field(default_factory=frozenset)
    inferred_hip: frozenset[str] = field(default_factory=frozenset)
    inferred_cuda: frozenset[str] = field(default_factory=frozenset)
    always_hip: frozenset[str] = field(default_factory=frozenset)
    words: OwnWords = field(default=NO_WORDS, compare=False)


@lru_cache(maxsize=16384)
def macro_kind(name: str, project: ProjectMacros) -> MacroKind:
    """Judge a macro by its name: the project's own, a compiler's, or made of telling words.

    The compilers' macros are listed in the HIP porting guide (ROCm/rocm-systems,
    projects/hip/docs/how-to/hip_porting_guide.rst). ``USE_ROCM``, ``WITH_HIP``, ``GGML_USE_HIP``,
    ``HIP_ENABLED`` and their kind follow one pattern: a switch word beside one for the platform.
    """
    if name in project.hip or name in project.inferred_platform:
        return MacroKind.HIP_PLATFORM
    if name in project.cuda:
        return MacroKind.CUDA
    if name in project.inferred_hip:
        return MacroKind.HIP
    if name in project.inferred_cuda:
        return MacroKind.CUDA_GUARD
    if name in project.always_hip:
        return MacroKind.ALWAYS_HIP
    return _compiler_macro(name) or _switch([word for word in name.split("_") if word], name)


def _compiler_macro(name: str) -> MacroKind | None:
    if _CUDA_BUILTIN.fullmatch(name):
        return MacroKind.CUDA
    if name in _HIP_COMPILER or name.startswith(("__HIP_PLATFORM_", "HIP_PLATFORM_")):
        return MacroKind.HIP_PLATFORM
    return MacroKind.HIP_VERSION if _HIP_VERSION.fullmatch(name) else None


def _switch(words: list[str], name: str) -> MacroKind:
    upper = [word.upper() for word in words]
    switch = bool(_SWITCH_WORDS.intersection(upper)) or words in [[w] for w in _PLAIN_SWITCHES]
    platform = upper[-1] if upper else ""
    if len(upper) > 1 and platform in _SWITCH_ENDS:
        platform = upper[-2]
    if any(word in _HIP_WORDS or _HIP_ARCH.fullmatch(word) for word in words):
        on = switch and platform in _HIP_WORDS
        return MacroKind.HIP_PLATFORM if on else MacroKind.HIP
    if switch and platform in _CUDA_WORDS:
        return MacroKind.CUDA_OPTION
    if _OTHER_WORDS.intersection(upper) and (switch or name.startswith("__")):
        return MacroKind.OTHER_PLATFORM
    return MacroKind.NEUTRAL
