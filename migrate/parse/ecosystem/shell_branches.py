"""Branches of a shell script for one vendor's GPUs: which lines are for CUDA, which for ROCm."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from migrate.model.signals import Signal
from migrate.model.verdict import State

_OPENS = re.compile(r"\s*(if|case)\b")
_NEXT = re.compile(r"(?:^|;)\s*(?:elif|else)\b")
_CLOSES = re.compile(r"(?:^|;)\s*(?:fi|esac)\b")
_ARM = re.compile(r"\s*\(?[\w.*?|\"' -]+\)")
_ROCM = re.compile(
    r"rocm|(?<![a-z])hip(?![a-z])|hipcc|(?<![a-z])amd(?!64)|radeon|/dev/kfd", re.IGNORECASE
)
_CUDA = re.compile(r"cuda|nvidia|nvcc|/dev/nvidia", re.IGNORECASE)
_USES_ROCM = re.compile(
    r"\brocm(?:/\S+)?\b|craype-accel-amd|\bhipcc\b|ROCM_PATH|MIOPEN_|--offload-arch"
)
_NV = re.compile(r"\s--nv\b|(?<![\w.-])(?:nsys|ncu|nvprof)\s")
_DEFAULT = re.compile(r":?-[^{}]{0,100}(?=\})")
_MOST_SPANS = 500


@dataclass(slots=True)
class _Branch:
    start: int
    condition: str
    end: int = 0


@dataclass(slots=True)
class _Choice:
    word: str
    branches: list[_Branch] = field(default_factory=list)

    def goes_on(self, content: str) -> bool:
        """Whether a line begins the next branch."""
        return (_ARM.match if self.word == "case" else _NEXT.search)(content) is not None


def with_states(signals: Iterable[Signal], lines: Iterable[tuple[int, str]]) -> Iterator[Signal]:
    """Give signals the state of the branch that they stand in.

    Where a script asks for the vendor, its branch for ROCm is ``hip`` and that for CUDA ``ported``.
    """
    found = (span for choice in _choices(lines) for span in _spans(choice))
    spans = list(islice(found, _MOST_SPANS))
    for signal in signals:
        state = next((span[2] for span in spans if span[0] <= signal.line <= span[1]), None)
        yield signal if state is None else replace(signal, state=state)


def is_script_for_rocm(lines: Iterable[tuple[int, str]]) -> bool:
    """Whether a script loads or runs something of ROCm and nothing of CUDA."""
    rocm = False
    for _, content in lines:
        if _CUDA.search(content) or _NV.search(content):
            return False
        rocm = rocm or _USES_ROCM.search(content) is not None
    return rocm


def _choices(lines: Iterable[tuple[int, str]]) -> Iterator[_Choice]:
    """Yield ``if`` and ``case`` statements, inner ones first; one never closed is none."""
    stack: list[_Choice] = []
    for line, content in lines:
        opens, closes = _OPENS.match(content), _CLOSES.search(content)
        if opens and not closes:
            stack.append(_Choice(opens[1], [_Branch(line, _condition(content))]))
        elif closes and not opens and stack:
            done = stack.pop()
            done.branches[-1].end = line
            yield done
        elif stack and not opens and stack[-1].goes_on(content):
            stack[-1].branches[-1].end = line - 1
            stack[-1].branches.append(_Branch(line, _condition(content)))


def _condition(content: str) -> str:
    """What a line asks, without what is done on it."""
    arm = _ARM.match(content)
    if arm:
        return arm[0]
    return _DEFAULT.sub("", re.split(r"\bthen\b", content, maxsplit=1)[0])


def _spans(choice: _Choice) -> Iterator[tuple[int, int, State]]:
    """Yield first line, last line and state of the branches of a choice between vendors."""
    rocm = [one for one in choice.branches if _is_rocm(one)]
    if not rocm:
        return
    cuda = [one for one in choice.branches if _is_cuda(one)]
    other = [one for one in choice.branches if one not in rocm and one not in cuda]
    for branch in rocm:
        yield branch.start, branch.end, State.HIP
    for branch in cuda or other:
        yield branch.start, branch.end, State.PORTED


def _is_rocm(branch: _Branch) -> bool:
    return _ROCM.search(branch.condition) is not None and not _CUDA.search(branch.condition)


def _is_cuda(branch: _Branch) -> bool:
    return _CUDA.search(branch.condition) is not None and not _ROCM.search(branch.condition)
