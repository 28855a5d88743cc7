"""Bazel files that build with CUDA's rules or toolchain."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.build.named import builds_with, hits
from migrate.rules.build.sources import BAZEL_ROCM
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    if builds_with(code, "bazel"):
        yield from hits(code, code.signals(Kind.CUDA_RULE), named=True)


RULE = Rule(
    id="HA-E017",
    slug="bazel-cuda",
    title="CUDA built by Bazel",
    family=Family.BUILD,
    tier=Tier.ECOSYSTEM,
    why="The rules, the configured toolchain and the switches are for CUDA; HIP needs a "
    "toolchain of its own, as TensorFlow and XLA have it with local_config_rocm and "
    "if_rocm.",
    fix="Add a toolchain for ROCm (local_config_rocm or one of your own around hipcc) "
    "and select() between both; the kernels' libraries are built by it.",
    evidence=(BAZEL_ROCM,),
    example=Example(
        cuda='load("@rules_cuda//cuda:defs.bzl", "cuda_library")\n'
        "\n"
        'cuda_library(name = "heat", srcs = ["heat.cu"])\n',
        hip='load("@local_config_rocm//rocm:build_defs.bzl", "rocm_library")\n'
        "\n"
        'rocm_library(name = "heat", srcs = ["heat.cu.cc"])\n',
        name="BUILD.bazel",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.REPLACED,
    severity=Severity.MAJOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
