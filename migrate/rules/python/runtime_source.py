"""CUDA source that a Python program gives to a compiler when it runs."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.python.sources import CUPY, HIP_PYTHON, TORCH_EXTENSION

_FIX = {
    "cupy": "Keep the text: CuPy built for ROCm gives it to hipRTC. CUDA's headers, PTX and warp "
    "code in it need what they need in a file; Jitify and dynamic parallelism are refused.",
    "torch": "Keep the call: PyTorch for ROCm translates the sources before it compiles them. "
    "Look at flags for nvcc, and at what hipify does not know.",
    "pycuda": "PyCUDA has no ROCm build: move the host code to HIP Python or CuPy; the kernels' "
    "text can stay as HIP C++.",
    "cuda": "Take hiprtc of HIP Python, which has a layer with these names; options are clang's.",
}


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.RUNTIME_SOURCE, Kind.UNREAD_SOURCE):
        package = signal.value.partition(".")[0]
        unread = signal.kind is Kind.UNREAD_SOURCE
        detail = (
            f"Line {signal.line}: the text comes from elsewhere and was not read." if unread else ""
        )
        yield code.hit(signal, fix=_FIX.get(package, ""), detail=detail)


RULE = Rule(
    id="HA-E050",
    slug="cuda-compiled-by-python",
    title="CUDA compiled at run time by Python",
    family=Family.PYTHON,
    tier=Tier.ECOSYSTEM,
    why="The text is given to NVRTC or nvcc when the program runs, so that no converter sees "
    "it and no build fails. What stands in it was read as CUDA here, and has findings of "
    "its own.",
    fix="Keep the text where the package has a ROCm build that compiles it; else move it to "
    "HIP Python or to an extension of its own.",
    evidence=(
        CUPY,
        TORCH_EXTENSION,
        HIP_PYTHON,
    ),
    example=Example(
        cuda="import cupy\n"
        "\n"
        'add = cupy.RawKernel(r\'extern "C" __global__ void add(int* a) { a[0] = 1; }\', "add")\n',
        hip="",
        name="kernels.py",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.CHANGED,
    severity=Severity.MAJOR,
    confidence=Confidence.LIKELY,
    check=_check,
    per_file=True,
)
