"""Libraries of CUDA that a build links by name."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.knowledge.linked_libraries import LinkedLibrary, linked_libraries
from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.source import Language
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.build.named import listed
from migrate.rules.build.sources import HIP_LINKING, ROCM_CMAKE
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    if code.facts.language is Language.OTHER_CODE:
        return  # a binding of another language
    rows = linked_libraries()
    found = [
        (signal, rows[signal.value])
        for signal in code.signals(Kind.LINK_NAME)
        if signal.value in rows
    ]
    detail = f"{listed(_said(row) for _, row in found)}."
    for signal, _ in found:
        yield code.hit(signal, detail=detail)


def _said(row: LinkedLibrary) -> str:
    return f"{row.cuda} -> {row.hip}" if row.hip else f"{row.cuda} is left out"


RULE = Rule(
    id="HA-E025",
    slug="linked-cuda-library",
    title="Libraries of CUDA linked by name",
    family=Family.BUILD,
    tier=Tier.ECOSYSTEM,
    why="The linker does not find them where ROCm is installed; ROCm's libraries have names "
    "of their own.",
    fix="Link the named libraries from the lib folder of ROCm in the AMD build. hipcc links "
    "HIP's runtime by itself; other compilers are given -lamdhip64.",
    evidence=(HIP_LINKING, ROCM_CMAKE),
    example=Example(
        cuda="LDLIBS = -L/usr/local/cuda/lib64 -lcudart -lcufft\n",
        hip="LDLIBS = -L/opt/rocm/lib -lamdhip64 -lhipfft\n",
        name="Makefile",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.RENAMED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
