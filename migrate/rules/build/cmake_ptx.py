"""CMake that compiles kernels to PTX, cubin, fatbin or OptiX-IR."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.build.named import hits
from migrate.rules.build.sources import HIP_GENCO
from migrate.rules.code import Code

_NAMES = re.compile(r"(?:CMAKE_)?CUDA_(?:PTX|CUBIN|FATBIN|OPTIX)_COMPILATION")
_COMMANDS = frozenset({"cuda_compile_ptx", "cuda_compile_cubin", "cuda_compile_fatbin"})


def _check(code: Code) -> Iterator[Hit]:
    found = [one for one in code.signals(Kind.CUDA_VARIABLE) if _NAMES.fullmatch(one.value)]
    found += [one for one in code.signals(Kind.FIND_CUDA) if one.value in _COMMANDS]
    yield from hits(code, found, named=True)


RULE = Rule(
    id="HA-E009",
    slug="cmake-ptx-compilation",
    title="PTX or binaries of NVIDIA GPUs made by CMake",
    family=Family.BUILD,
    tier=Tier.ECOSYSTEM,
    why="There is no PTX on AMD GPUs; the files that the program loads have to be code "
    "objects, made for each gfx target.",
    fix="Compile to code objects (hipcc --genco --offload-arch=...) by a custom command, "
    "load them with hipModuleLoad, or compile at run time with HIPRTC.",
    evidence=(HIP_GENCO,),
    example=Example(
        cuda="add_library(kernels OBJECT scale.cu)\n"
        "set_target_properties(kernels PROPERTIES CUDA_PTX_COMPILATION ON)\n",
        hip="add_custom_command(OUTPUT scale.hsaco COMMAND hipcc --genco "
        "--offload-arch=gfx942 scale.hip -o scale.hsaco)\n",
        name="CMakeLists.txt",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.REPLACED,
    severity=Severity.MAJOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
