"""Cells of a notebook that are CUDA."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.python.sources import HIP_PYTHON


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.CUDA_TEXT):
        if signal.value == "cell":
            yield code.hit(signal)


RULE = Rule(
    id="HA-E066",
    slug="notebook-cell-of-cuda",
    title="Notebook cell compiled by nvcc",
    family=Family.PYTHON,
    tier=Tier.ECOSYSTEM,
    why="The cell's magic hands its text to nvcc, which is not there with ROCm. What stands "
    "in the cell was read as CUDA here.",
    fix="Write the cell to a file (%%writefile) and call hipcc, or call HIP through Python.",
    evidence=(HIP_PYTHON,),
    example=Example(
        cuda='{"cells": [{"cell_type": "code", "source": [\n'
        ' "%%cu\\n",\n'
        ' "__global__ void k() {}\\n"]}]}',
        hip="",
        name="demo.ipynb",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.REPLACED,
    severity=Severity.MAJOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
