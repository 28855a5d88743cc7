"""The storage class ``register``, which C++17 has no more."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.source import Language
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Side, Tier
from migrate.rules.code import Code
from migrate.rules.compiler.sources import CLANG_DIALECT


def _check(code: Code) -> Iterator[Hit]:
    compiled = code.facts.language is Language.CUDA
    for mark in code.marks(MarkKind.REGISTER):
        if compiled or mark.side in {Side.DEVICE, Side.BOTH}:
            yield code.hit(mark)


RULE = Rule(
    id="HA-K163",
    slug="register-keyword",
    title="The word register in a declaration",
    family=Family.COMPILER,
    tier=Tier.KERNEL,
    why="C++17, which clang compiles HIP as unless told otherwise, has no storage class register: "
    "clang reports an error where nvcc passes over it. It never kept anything in a register.",
    fix="Leave the word out.",
    evidence=(
        CLANG_DIALECT,
        RuleEvidence(
            "ExLlamaV2 leaves the word out in its HIP build",
            "turboderp-org/exllamav2:exllamav2/exllamav2_ext/cuda/q_mlp_softmax.cuh",
            RocmRelease(6, 2),
        ),
    ),
    example=Example(
        cuda="__global__ void f(float* a) { register float x = a[0]; a[1] = x; }",
        hip="__global__ void f(float* a) { float x = a[0]; a[1] = x; }",
    ),
    driver=Driver.HAZARD_KIND,
    severity=Severity.MINOR,
    per_file=True,
    check=_check,
)
