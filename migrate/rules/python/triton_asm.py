"""Assembly in a Triton kernel."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.python.sources import TRITON


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.PYTHON_NAME):
        if signal.value == "triton.language.inline_asm_elementwise":
            yield code.hit(signal)


RULE = Rule(
    id="HA-E057",
    slug="ptx-in-triton",
    title="PTX in a Triton kernel",
    family=Family.PYTHON,
    tier=Tier.ECOSYSTEM,
    why="tl.inline_asm_elementwise hands its text to the assembler of the GPU: PTX is no "
    "AMDGPU assembly, so the kernel does not compile.",
    fix="Say it in Triton's own operations, or branch by the back end (a constexpr) and write "
    "AMDGPU assembly.",
    evidence=(TRITON,),
    example=Example(
        cuda="import triton\n"
        "import triton.language as tl\n"
        "\n"
        "\n"
        "@triton.jit\n"
        "def k(x):\n"
        '    return tl.inline_asm_elementwise("ex2 $0, $1;", "f", [x], tl.float32, True, 1)\n',
        hip="import triton\n"
        "import triton.language as tl\n"
        "\n"
        "\n"
        "@triton.jit\n"
        "def k(x):\n"
        "    return tl.exp2(x)\n",
        name="kernel.py",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    verdict=Verdict.MISSING,
    severity=Severity.MAJOR,
    confidence=Confidence.LIKELY,
    check=_check,
)
