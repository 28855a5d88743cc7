"""Which builds compile a stretch of a file: its ``#if`` branches, judged for CUDA and for HIP."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from migrate.model.verdict import State
from migrate.parse.conditions import (
    ProjectMacros,
    World,
    evaluate,
    hip_macros,
    is_platform_switch,
)
from migrate.parse.directives import Directives, joined_text

_OPENING = frozenset({"if", "ifdef", "ifndef"})
_WORDS = (*_OPENING, "elif", "elifdef", "elifndef", "else", "endif")


@dataclass(slots=True)
class Branch:
    """One branch by offsets: ``start`` of its directive, ``body`` behind it; the chains in it."""

    condition: str
    """The branch's own condition; "1" for ``#else``."""
    start: int
    body: int
    chains: list[Chain] = field(default_factory=list)


@dataclass(slots=True)
class Chain:
    """An ``#if`` with all its branches; ``end`` is behind its ``#endif``."""

    branches: list[Branch]
    end: int


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of a file with one state; ``state`` None is code that neither build compiles.

    ``left_out`` says that a conditional which tells HIP builds apart keeps it out of them,
    ``taken`` that such a conditional makes every HIP build compile it.
    """

    start: int
    state: State | None
    condition: str
    left_out: bool = False
    taken: bool = False


@dataclass(frozen=True, slots=True)
class Regions:
    """The states over a whole file, by offset."""

    starts: list[int]
    regions: list[Region]
    chains: list[Chain]
    """The outermost conditionals."""

    def state_at(self, offset: int) -> State | None:
        """The state that a use at ``offset`` has."""
        return self.at(offset).state

    def at(self, offset: int) -> Region:
        """The stretch that an offset is in."""
        return self.regions[bisect_right(self.starts, offset) - 1]

    def cuda_at(self, offset: int) -> bool:
        """Whether a CUDA build compiles the place."""
        state = self.state_at(offset)
        return state is not None and state is not State.HIP

    @property
    def plain(self) -> bool:
        """Whether every build compiles all of it, as far as can be told."""
        return all(region.state is State.ACTIVE for region in self.regions)


def read_regions(
    masked: bytes, directives: Directives, project: ProjectMacros, base: State | None
) -> Regions:
    """Split a masked file at its conditionals and give each stretch its state.

    ``ported`` is a branch that a HIP build leaves out while another branch of the same conditional
    is there for HIP; ``hip`` one that only HIP builds take; None one that nobody compiles
    (``#if 0``, a third vendor's). Two conditionals that follow each other with nothing between
    (``#ifdef USE_ROCM ... #endif #ifndef USE_ROCM ... #endif``) are read as one. ``base`` is the
    state outside of all conditionals.
    """
    chains = read_chains(masked, directives)
    regions = [Region(0, base, "")]
    if chains:
        _flatten(masked, chains, base, project, regions)
    return Regions([region.start for region in regions], regions, chains)


def read_chains(masked: bytes, directives: Directives) -> list[Chain]:
    """The outermost conditionals; one without ``#endif`` reaches to the end."""
    root = Branch(condition="", start=0, body=0)
    stack: list[Branch] = [root]
    chains: list[Chain] = []
    for line in directives.of(*_WORDS):
        if line.word in _OPENING:
            branch = Branch(_condition(line.word, joined_text(masked, line)), line.start, line.end)
            chain = Chain([branch], len(masked))
            stack[-1].chains.append(chain)
            chains.append(chain)
            stack.append(branch)
        elif not chains:
            continue
        elif line.word == "endif":
            stack.pop()
            chains.pop().end = line.end
        else:
            stack.pop()
            branch = Branch(_condition(line.word, joined_text(masked, line)), line.start, line.end)
            chains[-1].branches.append(branch)
            stack.append(branch)
    return root.chains


def _condition(word: str, text: str) -> str:
    if word == "else":
        return "1"
    if word.endswith("ndef"):
        return f"!defined({text.partition(' ')[0]})"
    if word.endswith("def"):
        return f"defined({text.partition(' ')[0]})"
    return text


@dataclass(frozen=True, slots=True)
class _Worth:
    """What a branch is worth: whether a CUDA build and a HIP build take it, None for "depends"."""

    cuda: bool | None
    hip: bool | None


@dataclass(frozen=True, slots=True)
class _Group:
    """Conditionals that are read as one: the worth of each branch, whether HIP is named."""

    chains: list[Chain]
    worth: list[list[_Worth]]
    aware: bool

    @property
    def hip_branch(self) -> bool:
        """Whether a HIP build compiles one of the branches."""
        return self.aware and any(
            branch.hip is not False for branches in self.worth for branch in branches
        )


def _judge(chains: list[Chain], project: ProjectMacros) -> _Group:
    aware = any(
        hip_macros(branch.condition, project) for chain in chains for branch in chain.branches
    )
    worth = []
    for chain in chains:
        conditions = [branch.condition for branch in chain.branches]
        cuda = _truths(conditions, World.CUDA, project, options_off=False)
        hip = _truths(conditions, World.HIP, project, options_off=aware)
        worth.append(list(map(_Worth, cuda, hip)))
    return _Group(chains, worth, aware)


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


@dataclass(frozen=True, slots=True)
class _Todo:
    """Conditionals that are still to be flattened, or, with none, a region to be put down."""

    chains: list[Chain]
    outer: State | None
    left_out: bool = False
    """Whether HIP builds are kept out, by the conditionals around."""
    every_hip: bool = True
    """Whether every HIP build gets here."""
    taken: bool = False
    """Whether one of the conditionals around names HIP, and lets it in."""
    nested: bool = True
    region: Region | None = None


def _flatten(
    masked: bytes,
    chains: list[Chain],
    base: State | None,
    project: ProjectMacros,
    regions: list[Region],
) -> None:
    """Put the regions of nested conditionals down in order, however deep the nesting."""
    stack = [_Todo(chains, base, nested=False)]
    while stack:
        todo = stack.pop()
        if todo.region is not None:
            regions.append(todo.region)
            continue
        stack.extend(reversed(_steps(masked, todo, project)))


def _steps(masked: bytes, todo: _Todo, project: ProjectMacros) -> list[_Todo]:
    outer = todo.outer
    steps: list[_Todo] = []

    def put(start: int, state: State | None, branch: Branch | None, around: _Todo) -> None:
        region = Region(
            start,
            state,
            branch.condition if branch else "",
            left_out=around.left_out,
            taken=around.taken and around.every_hip,
        )
        steps.append(_Todo([], None, region=region))

    for neighbours in _neighbours(masked, todo.chains, project):
        group = _judge(neighbours, project)
        directive = State.PORTED if group.aware and outer is State.ACTIVE else outer
        for chain, branches in zip(group.chains, group.worth, strict=True):
            guard = not todo.nested and is_include_guard(chain)
            for branch, worth in zip(chain.branches, branches, strict=True):
                put(branch.start, directive, branch, todo)
                inside = _Todo(
                    branch.chains,
                    _combine(outer, _state(worth, hip_branch=group.hip_branch)),
                    left_out=todo.left_out or (group.aware and worth.hip is False),
                    every_hip=todo.every_hip and (guard or worth.hip is True),
                    taken=todo.taken or (group.aware and worth.hip is True),
                    nested=not guard,
                )
                put(branch.body, inside.outer, branch, inside)
                if branch.chains:
                    steps.append(inside)
            put(chain.end, outer, None, todo)
    return steps


def is_include_guard(chain: Chain) -> bool:
    """Whether an outermost conditional has the form of an include guard."""
    return len(chain.branches) == 1 and chain.branches[0].condition.startswith("!defined(")


def _neighbours(masked: bytes, chains: list[Chain], project: ProjectMacros) -> list[list[Chain]]:
    """Put conditionals together that follow each other and each ask for one platform.

    ``#ifdef USE_CUDA ... #endif #ifdef USE_HIP ... #endif`` says what ``#elif`` would say.
    """
    groups: list[list[Chain]] = []
    for chain in chains:
        previous = groups[-1][-1] if groups else None
        if (
            previous is not None
            and _asks_for_platform(previous, project)
            and _asks_for_platform(chain, project)
            and not masked[previous.end : chain.branches[0].start].strip()
        ):
            groups[-1].append(chain)
        else:
            groups.append([chain])
    return groups


def _asks_for_platform(chain: Chain, project: ProjectMacros) -> bool:
    return len(chain.branches) == 1 and is_platform_switch(chain.branches[0].condition, project)


def _state(worth: _Worth, *, hip_branch: bool) -> State | None:
    if worth.cuda is False:
        return None if worth.hip is False else State.HIP
    return State.PORTED if worth.hip is False and hip_branch else State.ACTIVE


def _combine(outer: State | None, inner: State | None) -> State | None:
    if outer is None or inner is None:
        return None
    if State.HIP in {outer, inner}:
        return State.HIP
    return State.PORTED if State.PORTED in {outer, inner} else State.ACTIVE
