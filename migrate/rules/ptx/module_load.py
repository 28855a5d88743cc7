"""Modules of PTX or cubins loaded by the driver."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.facts import CallSite
from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.ptx.sources import MODULES, NO_PTX

_LOADS = (
    *("cuModuleLoad", "cuModuleLoadData", "cuModuleLoadDataEx", "cuModuleLoadFatBinary"),
    *("cuLibraryLoadData", "cuLibraryLoadFromFile"),
    *("cuLinkAddData", "cuLinkAddData_v2", "cuLinkAddFile", "cuLinkAddFile_v2"),
    *("cudaLibraryLoadData", "cudaLibraryLoadFromFile"),
)
_FROM_FILES = frozenset(
    {
        "cuModuleLoad",
        "cuLibraryLoadFromFile",
        "cuLinkAddFile",
        "cuLinkAddFile_v2",
        "cudaLibraryLoadFromFile",
    }
)
_SUFFIXES = (".ptx", ".cubin", ".fatbin")
_COMPILED = ("nvrtcGetPTX", "nvrtcGetCUBIN")
"""What NVRTC compiles becomes HIPRTC's code object with the rename."""
_ELSEWHERE = "NVRTC is in use here: its output becomes HIPRTC's code object, any other image not."


def _check(code: Code) -> Iterator[Hit]:
    here = not frozenset(code.symbols).isdisjoint(_COMPILED)
    compiled = here or not code.base.symbols.isdisjoint(_COMPILED)
    for call in code.calls(*_LOADS):
        if _names_an_image(call):
            yield code.hit(call, confidence=Confidence.CERTAIN)
        elif not compiled:
            yield code.hit(call, confidence=Confidence.LIKELY)
        elif not here or call.symbol in _FROM_FILES:
            # NVRTC's output is in memory; one that another file keeps may come by here too.
            yield code.hit(call, detail=_ELSEWHERE, confidence=Confidence.POSSIBLE)


def _names_an_image(call: CallSite) -> bool:
    return any(suffix in argument for argument in call.arguments for suffix in _SUFFIXES)


RULE = Rule(
    id="HA-K063",
    slug="gpu-image-load",
    title="Module loaded from PTX or a cubin",
    family=Family.PTX,
    tier=Tier.KERNEL,
    why="The call has a counterpart, its input has not: HIP modules are AMD code objects, PTX "
    "and cubins are refused, and options of the just-in-time compiler are ignored.",
    fix="Build a code object for each GPU (hipcc --genco) from the source of the kernel and "
    "load that, or compile the source at run time with HIPRTC.",
    verdict=Verdict.CHANGED,
    severity=Severity.MAJOR,
    evidence=(MODULES, NO_PTX),
    example=Example(
        cuda='#include <cuda.h>\nvoid f(CUmodule* m) { cuModuleLoad(m, "kernel.ptx"); }',
        hip="#include <hip/hip_runtime.h>\n"
        'void f(hipModule_t* m) { hipModuleLoad(m, "kernel.co"); }',
    ),
    driver=Driver.PTX_BLOCK,
    check=_check,
)
