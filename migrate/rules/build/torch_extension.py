"""A set-up script that builds a PyTorch extension from CUDA sources."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.source import Language
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.build.named import hits
from migrate.rules.build.sources import TORCH
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    if code.facts.language is Language.PYTHON:
        yield from hits(code, code.signals(Kind.CUDA_RULE))


RULE = Rule(
    id="HA-E021",
    slug="torch-cuda-extension",
    title="PyTorch extension with CUDA sources",
    family=Family.BUILD,
    tier=Tier.ECOSYSTEM,
    why="PyTorch for ROCm takes CUDAExtension as it is: it turns the sources into HIP by "
    "its own hipify and compiles them with hipcc. Library names in libraries= and "
    "options for nvcc go through unchanged.",
    fix="Build it with PyTorch for ROCm first and see what is left: options, libraries, "
    "sources that hipify does not reach.",
    evidence=(TORCH,),
    example=Example(
        cuda="from setuptools import setup\n"
        "from torch.utils.cpp_extension import CUDAExtension\n"
        "\n"
        "setup(ext_modules=[CUDAExtension('ops', ['ops.cu'])])\n",
        hip="from setuptools import setup\n"
        "from torch.utils.cpp_extension import CppExtension\n"
        "\n"
        "setup(ext_modules=[CppExtension('ops', ['ops.cpp'])])\n",
        name="setup.py",
    ),
    driver=Driver.NONE,
    verdict=Verdict.SAME,
    severity=Severity.INFO,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
