"""Files of PTX or of NVIDIA machine code in the tree."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.source import Language
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.ptx.sources import MODULES, NO_PTX


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.GPU_IMAGE):
        made = _is_made_from_a_source(code)
        detail = (
            "A CUDA source of the same name is in the tree: this is its output." if made else ""
        )
        confidence = Confidence.POSSIBLE if made else Confidence.CERTAIN
        yield code.hit(mark, detail=detail, confidence=confidence)


def _is_made_from_a_source(code: Code) -> bool:
    stem = PurePosixPath(code.path).name.partition(".")[0]
    return any(
        file.language is Language.CUDA and PurePosixPath(file.path).stem == stem
        for file in code.base.files
    )


RULE = Rule(
    id="HA-K062",
    slug="gpu-image-file",
    title="PTX or NVIDIA machine code as a file",
    family=Family.PTX,
    tier=Tier.KERNEL,
    why="A .ptx, .cubin or .fatbin file is code for NVIDIA GPUs only. HIP loads AMD code "
    "objects, and nothing turns one into the other: without the CUDA source there is "
    "nothing to port.",
    fix="Find the source that the file was made from and compile it with hipcc --genco for each "
    "GPU; where there is none, the kernel is written anew.",
    verdict=Verdict.MISSING,
    severity=Severity.MAJOR,
    evidence=(MODULES, NO_PTX),
    example=Example(
        cuda=".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n",
        hip="",
        name="kernel.ptx",
    ),
    driver=Driver.PTX_BLOCK,
    check=_check,
)
