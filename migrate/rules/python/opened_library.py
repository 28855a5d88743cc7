"""A library of CUDA that Python opens as a file."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.python.sources import HIP_PYTHON, LIBRARY_NAMES


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.OPENED):
        yield code.hit(signal)


RULE = Rule(
    id="HA-E055",
    slug="cuda-library-by-file-name",
    title="CUDA library opened by its file's name",
    family=Family.PYTHON,
    tier=Tier.ECOSYSTEM,
    why="The file does not exist on a machine with ROCm, and neither imports nor links show "
    "that it is needed. ROCm's library has another file name and other symbol names.",
    fix="Open ROCm's library (libamdhip64.so, libhipblas.so, librccl.so, libamd_smi.so) and "
    "its symbols, or take HIP Python.",
    evidence=(LIBRARY_NAMES, HIP_PYTHON),
    example=Example(
        cuda='import ctypes\n\nblas = ctypes.CDLL("libcublas.so.12")\n',
        hip='import ctypes\n\nblas = ctypes.CDLL("libhipblas.so")\n',
        name="load.py",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.REPLACED,
    severity=Severity.MAJOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
