"""A build script of Cargo that compiles with nvcc or links CUDA's libraries."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.build.named import builds_with, hits
from migrate.rules.build.sources import HIPCC, ROCM_CMAKE
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    if builds_with(code, "cargo"):
        yield from hits(code, code.signals(Kind.CUDA_RULE), named=True)


RULE = Rule(
    id="HA-E023",
    slug="cargo-cuda",
    title="CUDA built or linked by Cargo",
    family=Family.BUILD,
    tier=Tier.ECOSYSTEM,
    why="The script names NVIDIA's libraries and compiler; nothing else tells Cargo of ROCm's.",
    fix="Link amdhip64 and ROCm's libraries from /opt/rocm/lib under a feature of its "
    "own, and compile kernels with hipcc.",
    evidence=(
        ROCM_CMAKE,
        HIPCC,
    ),
    example=Example(
        cuda='fn main() {\n    println!("cargo:rustc-link-lib=dylib=cudart");\n}\n',
        hip='fn main() {\n    println!("cargo:rustc-link-lib=dylib=amdhip64");\n}\n',
        name="build.rs",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.RENAMED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
