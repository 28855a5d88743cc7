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
_SUFFIXES = (".ptx", ".cubin", ".fatbin")
_COMPILED = ("nvrtcGetPTX", "nvrtcGetCUBIN")
"""What NVRTC compiles becomes HIPRTC's code object with the rename."""


def _check(code: Code) -> Iterator[Hit]:
    for call in code.calls(*_LOADS):
        named = _names_an_image(call)
        if named or not _compiles_at_run_time(code):
            confidence = Confidence.CERTAIN if named else Confidence.LIKELY
            yield code.hit(call, confidence=confidence)


def _names_an_image(call: CallSite) -> bool:
    return any(suffix in argument for argument in call.arguments for suffix in _SUFFIXES)


def _compiles_at_run_time(code: Code) -> bool:
    return not code.base.symbols.isdisjoint(_COMPILED)


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
