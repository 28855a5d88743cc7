"""The conditionals of a build file: which of their branches CUDA builds take, which HIP's."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from migrate.model.verdict import State
from migrate.parse.ecosystem.words import CUDA_WORDS, HIP_WORDS, cuda_switch_in, hip_switch_in

_WORD = re.compile(r"[^\s()!]+|!")
_LETTER = re.compile(r"[A-Za-z|]")
_SWITCHES_OFF = re.compile(r"(?:^|_)(?:SKIP|NO|DISABLE|WITHOUT)_", re.IGNORECASE)
"""Switches that leave something out, such as ``SKIP_CUDA_BUILD``: they choose no side."""
_NESTING = 40
"""How many conditionals around a command are looked at."""
_NEGATIONS = frozenset({"NOT", "not", "!"})
_CHOICES = frozenset({"OR", "or", "||"})
_CONNECTIVES = frozenset({"AND", "and", "&&"})
_CUDA, _HIP, _NOT_CUDA, _NOT_HIP = "cuda", "hip", "not cuda", "not hip"
_OPPOSITE = {_CUDA: _NOT_CUDA, _HIP: _NOT_HIP, _NOT_CUDA: _CUDA, _NOT_HIP: _HIP}


@dataclass(slots=True)
class _Group:
    """A conditional with its branches; ``around`` is the branch that it stands in."""

    around: _Branch | None
    branches: list[_Branch] = field(default_factory=list)
    has_else: bool = False


@dataclass(slots=True, eq=False)
class _Branch:
    group: _Group
    condition: str
    side: str
    state: State = State.ACTIVE


class Branches:
    """Follows the conditionals of one file; states are known once the file is read."""

    def __init__(self) -> None:
        self._groups: list[_Group] = []
        self._open: list[_Branch] = []

    @property
    def current(self) -> _Branch | None:
        """The innermost branch that is open."""
        return self._open[-1] if self._open else None

    @property
    def conditions(self) -> list[str]:
        """The conditions of the open branches, outermost first; ``NOT`` before that of an else."""
        return [branch.condition for branch in self._open[-_NESTING:]]

    def begin(self, condition: str) -> None:
        """A conditional begins."""
        group = _Group(self.current)
        self._groups.append(group)
        self._push(group, condition, side_of(condition))

    def alternative(self, condition: str) -> None:
        """Another branch with a condition of its own."""
        if self._open:
            group = self._open.pop().group
            self._push(group, condition, side_of(condition))

    def otherwise(self) -> None:
        """The branch that is taken where no other is; a second one goes on with what is open."""
        if self._open and not self._open[-1].group.has_else:
            last = self._open.pop()
            group = last.group
            group.has_else = True
            self._push(group, f"NOT {last.condition}", _side_of_else(group))

    def end(self) -> None:
        """The innermost conditional ends."""
        if self._open:
            self._open.pop()

    def _push(self, group: _Group, condition: str, side: str) -> None:
        branch = _Branch(group, condition, side)
        group.branches.append(branch)
        self._open.append(branch)

    def settle(self) -> None:
        """Give every branch its state, those around first.

        A branch is ported that has HIP's beside it, or HIP's conditional with a twin switch, or
        that HIP builds are kept out of by name: someone has decided there.
        """
        twins = {
            (id(group.around), _stem(hip_switch_in(group.branches[0].condition)))
            for group in self._groups
            if group.branches[0].side == _HIP
        }
        for group in self._groups:
            first = group.branches[0]
            twin = (id(group.around), _stem(cuda_switch_in(first.condition))) in twins
            hip = twin or any(branch.side == _HIP for branch in group.branches)
            around = group.around.state if group.around else State.ACTIVE
            for branch in group.branches:
                branch.state = _state(branch.side, around, hip=hip)

    @staticmethod
    def state_of(branch: _Branch | None) -> State:
        """The state of what stands in a branch."""
        return branch.state if branch else State.ACTIVE


def _state(side: str, around: State, *, hip: bool) -> State:
    if side == _HIP or around is State.HIP:
        return State.HIP
    if side == _NOT_HIP or (side == _CUDA and hip):
        return State.PORTED
    return around


def side_of(condition: str) -> str:
    """Whose builds alone a condition lets in: ``cuda``, ``hip``, their negations, or ""."""
    said: set[str] = set()
    negated = False
    for match in _WORD.finditer(condition):
        word = match[0]
        if word in _NEGATIONS:
            negated = not negated
            continue
        if not _LETTER.search(word) or _SWITCHES_OFF.search(word):
            continue
        for side, named in ((_CUDA, cuda_switch_in(word)), (_HIP, hip_switch_in(word))):
            if named:
                said.add(_OPPOSITE[side] if negated else side)
        if word in _CHOICES or word in _CONNECTIVES:
            negated = False
        if word in _CHOICES:
            said.add("or")
    if "or" in said and len(said) > 2:  # noqa: PLR2004 - a choice between two sides is neither's
        return ""
    said.discard("or")
    if {_CUDA, _HIP} <= said or {_NOT_CUDA, _NOT_HIP} <= said:
        return ""
    return next((side for side in (_HIP, _CUDA, _NOT_HIP, _NOT_CUDA) if side in said), "")


def _side_of_else(group: _Group) -> str:
    sides = {branch.side for branch in group.branches}
    if len(sides) == 1:
        return {_HIP: _NOT_HIP, _CUDA: "", "": ""}.get(next(iter(sides))) or _positive(sides)
    return _NOT_HIP if _HIP in sides and _CUDA not in sides else ""


def _positive(sides: set[str]) -> str:
    """``hip`` behind a branch for what is not HIP, and so for CUDA; "" else."""
    (side,) = sides
    return _OPPOSITE[side] if side in {_NOT_CUDA, _NOT_HIP} else ""


def _stem(switch: str) -> str:
    """A switch without whose it is: ``USE_CUDA`` and ``USE_HIP`` are one."""
    parts = switch.upper().split("_")
    return "_".join("*" if part in CUDA_WORDS or part in HIP_WORDS else part for part in parts)
