"""The options of nvcc that say for which GPUs code is made."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.options.groups import of_groups
from migrate.rules.options.sources import CLANG_DRIVER, CLANG_HIP, HIPCC

_VARIABLE = "The variable holds numbers of NVIDIA's GPUs for such an option."


def _check(code: Code) -> Iterator[Hit]:
    yield from of_groups(code, "gpu")
    for signal in code.signals(Kind.ARCH_VARIABLE):
        yield code.hit(signal, detail=_VARIABLE)


RULE = Rule(
    id="HA-E030",
    slug="nvcc-gpu-option",
    title="NVIDIA GPUs chosen by options of nvcc",
    family=Family.OPTIONS,
    tier=Tier.ECOSYSTEM,
    why="The options and their sm_ and compute_ numbers are nvcc's: clang and hipcc stop at them.",
    fix="Give --offload-arch= for each gfx target of the AMD build; there is no PTX to "
    "fall back on, so every target has to be named.",
    evidence=(
        CLANG_DRIVER,
        CLANG_HIP,
        HIPCC,
    ),
    example=Example(
        cuda="NVCC = nvcc\n"
        "heat.o: heat.cu\n"
        "\t$(NVCC) -gencode arch=compute_80,code=sm_80 -c heat.cu -o heat.o\n",
        hip="heat.o: heat.cu\n\thipcc --offload-arch=gfx942 -c heat.cu -o heat.o\n",
        name="Makefile",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.RENAMED,
    severity=Severity.MINOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
