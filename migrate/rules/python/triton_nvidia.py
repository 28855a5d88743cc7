"""Modules of Triton that only its NVIDIA back end has."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.python.sources import TRITON

_NAMES = re.compile(
    r"triton\.(?:language\.(?:(?:extra\.)?cuda|math\.libdevice)|backends\.nvidia"
    r"|experimental\.gluon\.language\.nvidia)(?:\..*)?"
)


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.PYTHON_NAME):
        if _NAMES.fullmatch(signal.value):
            yield code.hit(signal)


RULE = Rule(
    id="HA-E058",
    slug="triton-nvidia-module",
    title="Triton's module for NVIDIA GPUs",
    family=Family.PYTHON,
    tier=Tier.ECOSYSTEM,
    why="These parts of Triton exist for its NVIDIA back end alone; the AMD back end has its "
    "own, with other names and functions.",
    fix="Take triton.language.extra.libdevice, which each back end maps to its own library, "
    "or a branch for the AMD back end.",
    evidence=(TRITON,),
    example=Example(
        cuda="from triton.language.extra.cuda import libdevice\n",
        hip="from triton.language.extra import libdevice\n",
        name="kernel.py",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.CHANGED,
    severity=Severity.MAJOR,
    confidence=Confidence.LIKELY,
    check=_check,
    per_file=True,
)
