"""Options that undo the macros with which PyTorch hides the operators of half."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.options.groups import of_groups
from migrate.rules.options.sources import TORCH


def _check(code: Code) -> Iterator[Hit]:
    yield from of_groups(code, "half")


RULE = Rule(
    id="HA-E043",
    slug="half-operators-switched-on",
    title="Operators of half switched on by CUDA's macros",
    family=Family.OPTIONS,
    tier=Tier.ECOSYSTEM,
    why="PyTorch hides half's operators and conversions in extensions by "
    "__HIP_NO_HALF_OPERATORS__ and __HIP_NO_HALF_CONVERSIONS__ on ROCm: undefining "
    "CUDA's macros changes nothing there, and code with these operators does not "
    "compile.",
    fix="Undefine HIP's macros beside or in place of CUDA's.",
    evidence=(TORCH,),
    example=Example(
        cuda="from setuptools import setup\n"
        "from torch.utils.cpp_extension import CUDAExtension\n"
        "setup(ext_modules=[CUDAExtension('ops', ['a.cu'], extra_compile_args={'nvcc': "
        "['-U__CUDA_NO_HALF_OPERATORS__']})])\n",
        hip="from setuptools import setup\n"
        "from torch.utils.cpp_extension import CUDAExtension\n"
        "setup(ext_modules=[CUDAExtension('ops', ['a.cu'], extra_compile_args={'nvcc': "
        "['-U__HIP_NO_HALF_OPERATORS__']})])\n",
        name="setup.py",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.RENAMED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
