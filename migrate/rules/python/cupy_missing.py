"""Functions that CuPy does not have on AMD GPUs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.python.sources import CUPY

_NAMES = re.compile(
    r"cupyx\.scipy\.sparse\b.*|cupyx?\.(?:cuda\.)?cutensor\b.*|cupy\.linalg\.eig(?:h|valsh)"
    r"|cupy\.roots|cupyx\.scipy\.interpolate\.make_interp_spline"
)


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.PYTHON_NAME):
        if _NAMES.fullmatch(signal.value):
            yield code.hit(signal)


RULE = Rule(
    id="HA-E065",
    slug="cupy-lacks-on-rocm",
    title="Part of CuPy that its ROCm build lacks",
    family=Family.PYTHON,
    tier=Tier.ECOSYSTEM,
    why="CuPy names these parts as not available or not yet supported on AMD GPUs: cuTENSOR, "
    "sparse matrices, eigenvalues of symmetric matrices, roots of polynomials, splines.",
    fix="Compute it on the CPU with SciPy, or by PyTorch or hipSPARSE and rocSOLVER; test "
    "what remains, since the support is experimental.",
    evidence=(CUPY,),
    example=Example(
        cuda="import cupy as cp\n\nVALUES, VECTORS = cp.linalg.eigh(cp.eye(3))\n",
        hip="import numpy as np\n\nVALUES, VECTORS = np.linalg.eigh(np.eye(3))\n",
        name="solve.py",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.MISSING,
    severity=Severity.MAJOR,
    confidence=Confidence.LIKELY,
    check=_check,
    per_file=True,
)
