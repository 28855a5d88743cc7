"""The options of nvcc that make PTX, cubin or fatbin files."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.options.groups import of_groups
from migrate.rules.options.sources import CLANG_DRIVER, HIP_GENCO


def _check(code: Code) -> Iterator[Hit]:
    yield from of_groups(code, "output")


RULE = Rule(
    id="HA-E039",
    slug="nvcc-device-file",
    title="PTX or binaries of NVIDIA GPUs made by nvcc",
    family=Family.OPTIONS,
    tier=Tier.ECOSYSTEM,
    why="clang refuses the options, there is no PTX on AMD GPUs, and a binary is for one "
    "gfx target or a bundle of several.",
    fix="Make code objects with hipcc --genco --offload-arch=..., one bundle for all "
    "targets, and load them with hipModuleLoad.",
    evidence=(
        CLANG_DRIVER,
        HIP_GENCO,
    ),
    example=Example(
        cuda="NVCC = nvcc\nscale.ptx: scale.cu\n\t$(NVCC) -ptx scale.cu -o scale.ptx\n",
        hip="scale.hsaco: scale.hip\n"
        "\thipcc --genco --offload-arch=gfx942 scale.hip -o scale.hsaco\n",
        name="Makefile",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.REPLACED,
    severity=Severity.MAJOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
