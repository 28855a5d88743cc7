"""Interfaces that a Fortran program declares itself to CUDA's C functions."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.knowledge.apis import load_tables
from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.languages.sources import HIPFORT


def _check(code: Code) -> Iterator[Hit]:
    tables = load_tables()
    for signal in code.signals(Kind.C_INTERFACE):
        # A project's own C function may have a name of CUDA's form: only real names count.
        if tables.standing(signal.value) == 0:
            continue
        answer = tables.resolve(signal.value, code.target)
        yield code.hit(
            signal,
            detail=f"{signal.value} is {answer.hip} in HIP." if answer.hip else "",
            verdict=Verdict.MISSING if answer.verdict.cuda_only else None,
        )


RULE = Rule(
    id="HA-E182",
    slug="fortran-c-interface",
    title="Own Fortran interface to a CUDA function",
    family=Family.LANGUAGES,
    tier=Tier.ECOSYSTEM,
    why="The interface binds to a symbol of CUDA's libraries, which no library of ROCm has.",
    fix="Use the module of hipFORT, which declares the same function of HIP, or name HIP's "
    "function in bind(c). Check enumerators: their numbers are declared by hand too.",
    evidence=(HIPFORT,),
    example=Example(
        cuda="interface\n"
        '  integer(c_int) function gpu_sync() bind(c, name="cudaDeviceSynchronize")\n'
        "    import :: c_int\n  end function\nend interface\n",
        hip="use hipfort, only: hipDeviceSynchronize\n",
        name="gpu.f90",
    ),
    driver=Driver.NONE,
    verdict=Verdict.REPLACED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
