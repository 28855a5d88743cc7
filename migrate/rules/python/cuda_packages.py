"""A Python or conda package that is asked for in its build for CUDA."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.python.sources import CUPY, JAX, THEROCK, TORCH_HIP

_FIX = {
    "jax[": "Ask for the extra jax[rocm7-local], which is a plugin for ROCm on the machine.",
    "cupy": "CuPy for ROCm has no wheel by this name, and is marked experimental: AMD hosts "
    "amd-cupy, or build it with CUPY_INSTALL_USE_HIP=1.",
    "onnxruntime": "Take the build with the MIGraphX execution provider.",
    "tensorflow": "Take AMD's tensorflow-rocm build for the target's release.",
    "pytorch-cuda": "conda has no such package for ROCm: take PyTorch's wheels for ROCm.",
    "cuda": "conda has no official packages of ROCm: take its system packages, wheels or image.",
}


def _check(code: Code) -> Iterator[Hit]:
    own = {signal.value.lower() for signal in code.signals(Kind.PROJECT)}
    for signal in code.signals(Kind.CUDA_PACKAGE):
        name = signal.value
        if not name.startswith("nvidia-") and name.partition("[")[0] not in own:
            fix = next((said for word, said in _FIX.items() if name.startswith(word)), "")
            # An index behind a variable may also be that for CPUs.
            chosen = Confidence.LIKELY if "$" in name else None
            yield code.hit(signal, fix=fix, confidence=chosen)


RULE = Rule(
    id="HA-E052",
    slug="package-built-for-cuda",
    title="Package in its build for CUDA",
    family=Family.PYTHON,
    tier=Tier.ECOSYSTEM,
    why="The name, the extra, the version's local part or the index chooses a build for CUDA: "
    "it does not install beside ROCm, or installs and finds no GPU.",
    fix="Choose the build for ROCm of the target's release: PyTorch's wheel index for ROCm "
    "instead of the one for CUDA, and for other packages their ROCm build; keep it apart "
    "from the list for CUDA.",
    evidence=(
        TORCH_HIP,
        JAX,
        CUPY,
        THEROCK,
    ),
    example=Example(
        cuda="torch==2.5.1+cu121\ncupy-cuda12x\n",
        hip="torch==2.5.1\ncupy\n",
        name="requirements.txt",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.REPLACED,
    severity=Severity.MAJOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
