"""A kernel given as it is to a function that takes an address."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Tier
from migrate.rules.code import Code
from migrate.rules.shared.sources import HIP_HEADER

_CAST = re.compile(r"^\(\s*(?:const\s+)?void\s*(?:const\s*)?\*|^(?:reinterpret|static)_cast\s*<")
_NAME = re.compile(r"&?\s*(?:\w+\s*::\s*)*([A-Za-z_]\w*)\s*(?:<.*>)?")


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.KERNEL_ARGUMENT):
        template, argument = mark.values
        if not _CAST.match(argument) and (template or _is_kernel(code, argument)):
            yield code.hit(mark)


def _is_kernel(code: Code, argument: str) -> bool:
    match = _NAME.fullmatch(argument)
    return match is not None and match[1] in code.base.kernel_names


RULE = Rule(
    id="HA-K122",
    slug="kernel-without-cast",
    title="Kernel given without a cast to a launch by address",
    family=Family.SHARED,
    tier=Tier.INTERFACE,
    why="cudaLaunchKernel is a template in C++ and takes a kernel as it is; hipLaunchKernel takes "
    "const void*, and a pointer to a function does not convert to it: the code does not compile. "
    "hipLaunchCooperativeKernel and hipLaunchKernelEx are templates in HIP too.",
    fix="Cast the kernel: reinterpret_cast<const void*>(kernel), without template arguments.",
    confidence=Confidence.CERTAIN,
    evidence=(HIP_HEADER,),
    example=Example(
        cuda="__global__ void k(int* p) { *p = 1; }\n"
        "void f(void** args) { cudaLaunchKernel(k, dim3(1), dim3(64), args, 0, 0); }",
        hip="__global__ void k(int* p) { *p = 1; }\n"
        "void f(void** args) {\n"
        "  cudaLaunchKernel((const void*)k, dim3(1), dim3(64), args, 0, 0);\n"
        "}",
    ),
    driver=Driver.SEMANTIC_SITE,
    check=_check,
)
