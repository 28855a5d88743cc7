"""Random numbers that are others than cuRAND's for the same seed."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.facts import CallSite
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, State, Tier, Verdict
from migrate.rules.base import CodeBase
from migrate.rules.code import Code

_CREATED = ("curandCreateGenerator", "curandCreateGeneratorHost")
_INIT = "curand_init"
_EQUAL = ("CURAND_RNG_QUASI_DEFAULT", "CURAND_RNG_QUASI_SOBOL32", "CURAND_RNG_QUASI_SOBOL64")
_OF_SOBOL = 3
"""The arguments of ``curand_init`` for Sobol numbers that are not scrambled."""


def _check(code: Code) -> Iterator[Hit]:
    if not code.base.symbols.isdisjoint((*_CREATED, _INIT)):
        first = code.base.once(_first_call)
        if first is not None and first[0] == code.path:
            yield code.hit(first[1])


def _first_call(base: CodeBase) -> tuple[str, CallSite] | None:
    """The tree's first call that starts another sequence: one is told for all."""
    for file in base.files:
        told = [call for call in file.calls if call.state is State.ACTIVE and _differs(call)]
        if told:
            return file.path, min(told, key=lambda call: (call.line, call.column))
    return None


def _differs(call: CallSite) -> bool:
    if call.symbol == _INIT:
        return len(call.arguments) != _OF_SOBOL
    return call.symbol in _CREATED and not any(
        argument.strip() in _EQUAL for argument in call.arguments
    )


RULE = Rule(
    id="HA-I035",
    slug="random-sequence",
    title="Random numbers other than cuRAND's for the same seed",
    family=Family.RUNTIME,
    tier=Tier.INTERFACE,
    why="The generators have the same names and the same statistics, and give other numbers for a "
    "seed: of all generators only Sobol without scrambling repeats cuRAND's sequence. Tests that "
    "compare with stored numbers fail, and runs are not the same as before. It is told once for "
    "the whole tree.",
    fix="Compare statistics, or store the numbers anew; where both builds must agree, feed them "
    "numbers from the host or from a generator of your own.",
    evidence=(
        RuleEvidence(
            "rocRAND: which generators give cuRAND's sequence",
            "https://rocm.docs.amd.com/projects/rocRAND/en/docs-10.0.0/conceptual/curand-compatibility.html",
            RocmRelease(10, 0),
        ),
        RuleEvidence(
            "The same of ROCm 6.1",
            "https://rocm.docs.amd.com/projects/rocRAND/en/docs-6.1.5/conceptual/curand-compatibility.html",
            RocmRelease(6, 1),
        ),
    ),
    example=Example(
        cuda="void f(curandGenerator_t* g) {\n"
        "  curandCreateGenerator(g, CURAND_RNG_PSEUDO_DEFAULT);\n}",
        hip="void f(curandGenerator_t* g) {\n"
        "  curandCreateGenerator(g, CURAND_RNG_QUASI_SOBOL32);\n}",
    ),
    driver=Driver.NONE,
    verdict=Verdict.SAME,
    severity=Severity.INFO,
    check=_check,
)
