"""Numba's warp functions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.python.sources import NUMBA_HIP

_NAMES = re.compile(r"numba\.cuda\.(?!warpsize|laneid)\w+")


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.PYTHON_NAME):
        if _NAMES.fullmatch(signal.value):
            yield code.hit(signal)


RULE = Rule(
    id="HA-E064",
    slug="numba-warp-function",
    title="Warp functions in a Numba kernel",
    family=Family.PYTHON,
    tier=Tier.ECOSYSTEM,
    why="numba-hip, an experimental package for Instinct GPUs, has wavefronts of 64 lanes "
    "behind warpsize and not yet all _sync functions: masks and widths of 32 lanes are "
    "wrong there.",
    fix="Take warpsize instead of 32, and keep a reduction through shared memory where the "
    "function is missing.",
    evidence=(NUMBA_HIP,),
    example=Example(
        cuda="from numba import cuda\n"
        "\n"
        "\n"
        "@cuda.jit\n"
        "def k(a):\n"
        "    a[0] = cuda.shfl_down_sync(0xFFFFFFFF, a[0], 16)\n",
        hip="",
        name="kernel.py",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.CHANGED,
    severity=Severity.MAJOR,
    confidence=Confidence.LIKELY,
    check=_check,
    per_file=True,
)
