"""What the rules on wavefronts and lane masks ask alike of a file."""

from __future__ import annotations

from migrate.model.mark import MarkKind
from migrate.rules.code import Code


def only_newer_cuda(code: Code, line: int) -> bool:
    """Whether a line is compiled only where CUDA's macros have a value, as in no HIP build."""
    return any(mark.line <= line <= mark.end_line for mark in code.marks(MarkKind.CUDA_BRANCH))
