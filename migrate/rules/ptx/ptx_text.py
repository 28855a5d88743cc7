"""PTX in a string literal."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.ptx.sources import MODULES, NO_PTX


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.PTX_TEXT):
        yield code.hit(mark, symbol="PTX", confidence=Confidence.CERTAIN)


RULE = Rule(
    id="HA-K064",
    slug="ptx-text",
    title="PTX in a string",
    family=Family.PTX,
    tier=Tier.KERNEL,
    why="A whole PTX module stands in the source as text, for the driver to compile. HIP loads "
    "AMD code objects only, and the kernels in the text are seen by no converter.",
    fix="Write the kernels as HIP source and build or compile them at run time with HIPRTC.",
    verdict=Verdict.MISSING,
    severity=Severity.MAJOR,
    evidence=(MODULES, NO_PTX),
    example=Example(
        cuda="const char* module() {\n"
        '  return ".version 7.0\\n.target sm_70\\n.visible .entry k() { ret; }";\n'
        "}",
        hip='const char* module() { return "extern \\"C\\" __global__ void k() {}"; }',
    ),
    driver=Driver.PTX_BLOCK,
    check=_check,
)
