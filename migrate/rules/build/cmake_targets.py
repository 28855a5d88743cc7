"""CMake's imported targets of CUDA that have a twin in ROCm's packages."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.knowledge.cmake_targets import CmakeTarget, cmake_targets
from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.build.named import listed
from migrate.rules.build.sources import ROCM_CMAKE
from migrate.rules.code import Code

_MECHANICAL = frozenset({"renamed", "dropped"})


def _check(code: Code) -> Iterator[Hit]:
    rows = cmake_targets()
    found = [
        (signal, row)
        for signal in code.signals(Kind.CUDA_TARGET)
        if (row := rows.get(signal.value.removeprefix("CUDA::").lower())) is not None
        and row.becomes in _MECHANICAL
    ]
    detail = f"{listed(_said(row) for _, row in found)}."
    for signal, _ in found:
        yield code.hit(signal, detail=detail)


def _said(row: CmakeTarget) -> str:
    if not row.hip:
        return f"CUDA::{row.cuda} is left out"
    return f"CUDA::{row.cuda} -> {row.hip} (package {row.package})"


RULE = Rule(
    id="HA-E004",
    slug="cmake-cuda-target",
    title="Targets CUDA:: that ROCm has under another name",
    family=Family.BUILD,
    tier=Tier.ECOSYSTEM,
    why="ROCm's packages export targets of their own, each from a find_package of its own.",
    fix="Link the named targets in the AMD build and find their packages.",
    evidence=(ROCM_CMAKE,),
    example=Example(
        cuda="target_link_libraries(tiles PRIVATE CUDA::cublas)\n",
        hip="find_package(hipblas REQUIRED)\ntarget_link_libraries(tiles PRIVATE roc::hipblas)\n",
        name="CMakeLists.txt",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.RENAMED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
