"""Which builds compile a stretch of a file: its ``#if`` branches, judged for CUDA and for HIP."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from migrate.model.verdict import State
from migrate.parse.conditions import ProjectMacros, World, evaluate, hip_macros

_DIRECTIVE = re.compile(
    rb"^[^\S\n]*#[^\S\n]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b"
    rb"((?:[^\n\\]|\\[\s\S])*)",
    re.MULTILINE,
)
_SPACE = re.compile(r"\s+")


@dataclass(slots=True)
class _Branch:
    condition: str
    """The branch's own condition; "1" for ``#else``."""
    start: int
    body: int
    end: int = 0
    chains: list[_Chain] = field(default_factory=list)


@dataclass(slots=True)
class _Chain:
    branches: list[_Branch]
    end: int = 0


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of a file with one state; ``state`` None is code that neither build compiles."""

    start: int
    state: State | None
    condition: str


@dataclass(frozen=True, slots=True)
class Regions:
    """The states over a whole file, by offset."""

    starts: list[int]
    regions: list[Region]

    def state_at(self, offset: int) -> State | None:
        """The state that a use at ``offset`` has."""
        return self.regions[bisect_right(self.starts, offset) - 1].state

    @property
    def plain(self) -> bool:
        """Whether every build compiles all of it, as far as can be told."""
        return all(region.state is State.ACTIVE for region in self.regions)


def read_regions(masked: bytes, project: ProjectMacros, *, hip_file: bool = False) -> Regions:
    """Split a masked file at its conditionals and give each stretch its state.

    ``ported`` is a branch that a HIP build leaves out while another branch of the same conditional
    is there for HIP; ``hip`` one that only HIP builds take; None one that nobody compiles
    (``#if 0``, a third vendor's). Two conditionals that follow each other with nothing between
    (``#ifdef USE_ROCM ... #endif #ifndef USE_ROCM ... #endif``) are read as one.
    """
    base = State.HIP if hip_file else State.ACTIVE
    root = _Branch(condition="", start=0, body=0, end=len(masked))
    _build(masked, root)
    regions = [Region(0, base, "")]
    if root.chains:
        _flatten(masked, root.chains, base, project, regions)
    return Regions([region.start for region in regions], regions)


def _build(masked: bytes, root: _Branch) -> None:
    stack: list[_Branch] = [root]
    chains: list[_Chain] = []
    for match in _DIRECTIVE.finditer(masked):
        word = match[1].decode("ascii")
        text = _SPACE.sub(" ", match[2].replace(b"\\", b" ").decode("latin-1")).strip()
        if word in {"if", "ifdef", "ifndef"}:
            chain = _Chain([_Branch(_condition(word, text), match.start(), match.end())])
            stack[-1].chains.append(chain)
            chains.append(chain)
            stack.append(chain.branches[0])
        elif not chains:
            continue
        elif word == "endif":
            stack.pop().end = match.start()
            chains.pop().end = match.end()
        else:
            stack.pop().end = match.start()
            branch = _Branch(_condition(word, text), match.start(), match.end())
            chains[-1].branches.append(branch)
            stack.append(branch)
    for branch, chain in zip(stack[1:], chains, strict=True):
        branch.end = chain.end = len(masked)


def _condition(word: str, text: str) -> str:
    if word == "else":
        return "1"
    if word.endswith("ndef"):
        return f"!defined({text.split(' ')[0]})"
    if word.endswith("def"):
        return f"defined({text.split(' ')[0]})"
    return text


@dataclass(frozen=True, slots=True)
class _Judged:
    """One conditional's branches as (true in CUDA, true in HIP), and whether HIP is named in it."""

    worth: tuple[tuple[bool | None, bool | None], ...]
    aware: bool

    @property
    def hip_branch(self) -> bool:
        """Whether a HIP build compiles one of the branches."""
        return self.aware and any(hip is not False for _, hip in self.worth)


def _judge(chain: _Chain, project: ProjectMacros) -> _Judged:
    conditions = [branch.condition for branch in chain.branches]
    aware = any(hip_macros(condition, project) for condition in conditions)
    return _Judged(
        tuple(
            zip(
                _truths(conditions, World.CUDA, project, options_off=False),
                _truths(conditions, World.HIP, project, options_off=aware),
                strict=True,
            )
        ),
        aware,
    )


def _truths(
    conditions: list[str], world: World, project: ProjectMacros, *, options_off: bool
) -> list[bool | None]:
    """Whether each branch is taken, given that the earlier ones were not."""
    truths: list[bool | None] = []
    before: bool | None = False
    for condition in conditions:
        own = evaluate(condition, world, project, cuda_options_off=options_off)
        if before is True or own is False:
            truths.append(False)
        elif before is False:
            truths.append(own)
        else:
            truths.append(None)
        before = True if before or own else (None if before is None or own is None else False)
    return truths


def _flatten(
    masked: bytes,
    chains: list[_Chain],
    outer: State | None,
    project: ProjectMacros,
    regions: list[Region],
) -> None:
    judged = [_judge(chain, project) for chain in chains]
    for group in _neighbours(masked, chains, project):
        hip_branch = any(judged[index].hip_branch for index in group)
        for index in group:
            chain = chains[index]
            directive = State.PORTED if judged[index].aware and outer is State.ACTIVE else outer
            for branch, (cuda, hip) in zip(chain.branches, judged[index].worth, strict=True):
                regions.append(Region(branch.start, directive, branch.condition))
                state = _combine(outer, _state(cuda, hip, hip_branch=hip_branch))
                regions.append(Region(branch.body, state, branch.condition))
                if branch.chains:
                    _flatten(masked, branch.chains, state, project, regions)
            regions.append(Region(chain.end, outer, ""))


def _neighbours(masked: bytes, chains: list[_Chain], project: ProjectMacros) -> list[list[int]]:
    groups: list[list[int]] = []
    for index, chain in enumerate(chains):
        previous = groups[-1][-1] if groups else -1
        joins = (
            previous >= 0
            and _complement(chains[previous], chain, project)
            and not masked[chains[previous].end : chain.branches[0].start].strip()
        )
        if joins:
            groups[-1].append(index)
        else:
            groups.append([index])
    return groups


def _complement(first: _Chain, second: _Chain, project: ProjectMacros) -> bool:
    """Whether two one-branch conditionals ask about the same HIP macro."""
    if len(first.branches) != 1 or len(second.branches) != 1:
        return False
    return bool(
        hip_macros(first.branches[0].condition, project)
        & hip_macros(second.branches[0].condition, project)
    )


def _state(cuda: bool | None, hip: bool | None, *, hip_branch: bool) -> State | None:
    if cuda is False and hip is False:
        return None
    if cuda is False:
        return State.HIP
    if hip is False and hip_branch:
        return State.PORTED
    return State.ACTIVE


def _combine(outer: State | None, inner: State | None) -> State | None:
    if outer is None or inner is None:
        return None
    if State.HIP in {outer, inner}:
        return State.HIP
    return State.PORTED if State.PORTED in {outer, inner} else State.ACTIVE
