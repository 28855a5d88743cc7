"""PyTorch's scaled product of fp8 matrices, in the format that a GPU of fnuz lacks."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, Trait
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.python.sources import FP8_TYPES


def _check(code: Code) -> Iterator[Hit]:
    names = {signal.value for signal in code.signals(Kind.PYTHON_NAME)}
    if "torch._scaled_mm" not in names:
        return
    for signal in code.signals(Kind.PYTHON_NAME):
        if signal.value == "torch.float8_e4m3fn":
            yield code.hit(signal)


RULE = Rule(
    id="HA-E056",
    slug="fp8-scaled-product",
    title="fp8 product of PyTorch in e4m3fn",
    family=Family.PYTHON,
    tier=Tier.ECOSYSTEM,
    why="torch._scaled_mm multiplies on this GPU in the fnuz format alone: float8_e4m3fn is "
    "refused, and float8_e4m3fnuz has another exponent bias, maximum and no negative zero.",
    fix="Choose the type by the GPU at run time: float8_e4m3fnuz with its maximum and scales "
    "on gfx942, float8_e4m3fn on gfx950 and gfx12.",
    evidence=(FP8_TYPES,),
    example=Example(
        cuda="import torch\n"
        "\n"
        "\n"
        "def product(a, b, scale):\n"
        "    a = a.to(torch.float8_e4m3fn)\n"
        "    return torch._scaled_mm(a, b, scale_a=scale, scale_b=scale)\n",
        hip="import torch\n"
        "\n"
        "FP8 = torch.float8_e4m3fnuz if torch.version.hip else torch.float8_e4m3fn\n"
        "\n"
        "\n"
        "def product(a, b, scale):\n"
        "    return torch._scaled_mm(a.to(FP8), b, scale_a=scale, scale_b=scale)\n",
        name="fp8.py",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.CHANGED,
    severity=Severity.MAJOR,
    confidence=Confidence.LIKELY,
    check=_check,
    holds=Holds(traits=(Trait.FP8_FNUZ,)),
    per_file=True,
)
