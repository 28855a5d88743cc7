"""``__ffs`` and ``__ffsll`` on an integer that none of HIP's overloads takes as it is."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier
from migrate.rules.code import Code
from migrate.rules.compiler.sources import BIT_FUNCTIONS

_LONG_LONG = frozenset({"long long", "unsigned long long", "long long int",
                        "unsigned long long int", "long long unsigned", "ulonglong"})  # fmt: skip
_64_BITS = frozenset({"uint64_t", "int64_t", "std::uint64_t", "std::int64_t", "size_t",
                      "std::size_t", "unsigned long", "long", "unsigned long int", "long int",
                      "ulong", "long unsigned int"})  # fmt: skip
_32_BITS = frozenset({"int", "unsigned", "unsigned int", "uint32_t", "int32_t", "uint", "short",
                      "std::uint32_t", "std::int32_t", "unsigned short", "uint16_t"})  # fmt: skip


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.TYPED_ARGUMENT):
        argument, typed = mark.values
        if _is_ambiguous(mark.symbol, typed.removeprefix("const ")):
            yield code.hit(mark, detail=f"{argument} is declared as {typed}.")


def _is_ambiguous(function: str, typed: str) -> bool:
    if function == "__ffsll":
        return typed in _64_BITS or typed in _32_BITS
    return function == "__ffs" and (typed in _64_BITS or typed in _LONG_LONG)


RULE = Rule(
    id="HA-K170",
    slug="bit-search-overload",
    title="Bit search on a type without an overload in HIP",
    family=Family.COMPILER,
    tier=Tier.KERNEL,
    why="CUDA has one __ffs and one __ffsll, and converts. HIP has two of each, signed and "
    "unsigned: for int and unsigned, and for long long and unsigned long long. A long, which "
    "uint64_t and size_t are, fits neither better, and the call is ambiguous.",
    fix="Cast the argument to unsigned long long (or to unsigned for __ffs).",
    evidence=(BIT_FUNCTIONS,),
    example=Example(
        cuda="__device__ int first(uint64_t bits) { return __ffsll(bits); }",
        hip="__device__ int first(uint64_t bits) { return __ffsll((unsigned long long)bits); }",
    ),
    driver=Driver.HAZARD_KIND,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
)
