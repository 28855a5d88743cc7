"""The host loops around a place, and what else happens in them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from migrate.model.facts import CallSite
from migrate.model.mark import Mark, MarkKind
from migrate.rules.code import Code

LAUNCHES = (
    "cudaLaunchKernel",
    "cudaLaunchKernelEx",
    "cudaLaunchCooperativeKernel",
    "cuLaunchKernel",
)
_EVENTS = ("cudaEventRecord", "cudaEventElapsedTime", "cuEventRecord")


@dataclass(frozen=True)
class Loops:
    """The loops of one file, and the lines of what tells them apart."""

    code: Code
    _lines: dict[tuple[str, ...], tuple[int, ...]] = field(default_factory=dict)

    @cached_property
    def _marks(self) -> tuple[Mark, ...]:
        return tuple(self.code.marks(MarkKind.LOOP))

    def innermost(self, line: int) -> Mark | None:
        """The smallest loop with a line in it."""
        around = [loop for loop in self._marks if loop.line <= line <= loop.end_line]
        return max(around, key=lambda loop: (loop.line, loop.column), default=None)

    def has(self, loop: Mark, *symbols: str) -> bool:
        """Whether a loop uses one of the names."""
        if symbols not in self._lines:
            self._lines[symbols] = tuple(use.line for use in self.code.uses(*symbols))
        return any(loop.line <= line <= loop.end_line for line in self._lines[symbols])

    def measures(self, loop: Mark) -> bool:
        """Whether a loop takes the time: what it waits for it waits for on purpose."""
        return bool(loop.values[1]) or self.has(loop, *_EVENTS)

    def launches(self, loop: Mark) -> bool:
        """Whether a loop launches kernels."""
        return self.has(loop, *LAUNCHES) or any(
            loop.line <= launch.line <= loop.end_line for launch in self.code.facts.launches
        )


def depends_on(call: CallSite, counter: str, arguments: Iterable[int]) -> bool:
    """Whether one of a call's arguments is written with a loop's counter."""
    if not counter:
        return False
    word = re.compile(rf"\b{re.escape(counter)}\b")
    return any(at < len(call.arguments) and word.search(call.arguments[at]) for at in arguments)
