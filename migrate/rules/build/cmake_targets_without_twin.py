"""CMake's imported targets of CUDA that no target of ROCm stands for."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.knowledge.cmake_targets import cmake_targets
from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.build.sources import ROCM_CMAKE
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    rows = cmake_targets()
    for signal in code.signals(Kind.CUDA_TARGET):
        row = rows.get(signal.value.removeprefix("CUDA::").lower())
        if row is not None and row.becomes in {"replaced", "missing"}:
            instead = f" {row.hip} takes its place." if row.hip else ""
            yield code.hit(
                signal,
                detail=f"{signal.value}: {row.note}{instead}" if row.note else "",
                verdict=Verdict(row.becomes),
            )


RULE = Rule(
    id="HA-E005",
    slug="cmake-cuda-target-without-twin",
    title="Targets CUDA:: without a twin in ROCm",
    family=Family.BUILD,
    tier=Tier.ECOSYSTEM,
    why="The library has no counterpart of the same interface in ROCm, so that linking "
    "is not a matter of names.",
    fix="Decide with the library: port to what ROCm has, keep the feature for CUDA "
    "builds, or leave it out.",
    evidence=(ROCM_CMAKE,),
    example=Example(
        cuda="target_link_libraries(tiles PRIVATE CUDA::nppif)\n",
        hip="target_link_libraries(tiles PRIVATE hip::host)\n",
        name="CMakeLists.txt",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.REPLACED,
    severity=Severity.MAJOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
