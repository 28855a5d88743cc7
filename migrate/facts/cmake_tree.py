"""CMake's files as a tree: one that only CUDA's branch takes in has the state of that branch."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from posixpath import basename, dirname, join, normpath

from migrate.model.signals import EcosystemFacts, Kind, Signal
from migrate.model.source import Language
from migrate.model.verdict import State

_HERE = re.compile(r"\$\{CMAKE_CURRENT_(?:SOURCE|LIST)_DIR\}/")
_ABOVE = re.compile(r"\$\{(?:CMAKE|PROJECT|\w+)_SOURCE_DIR\}/")
_LISTS = "CMakeLists.txt"
_MOST_ROUNDS = 20
"""How deep files take in files; what is deeper keeps its own states."""
_WHATEVER_THE_BRANCH = frozenset({Kind.BUILD, Kind.HIP})
"""What a file says of itself, whoever takes it in."""
_Edges = Mapping[str, Sequence[tuple[str, State]]]


def with_branches_around(files: Sequence[EcosystemFacts]) -> tuple[EcosystemFacts, ...]:
    """Give what CMake's files say the state of the branches that take them in.

    Only where every place that takes a file in is for CUDA beside a branch for HIP, or every one
    is for HIP: a file that nobody takes in, or that is taken in elsewhere too, keeps its states.
    """
    states = _states(_edges(files))
    if not states:
        return tuple(files)
    return tuple(
        _in_state(file, states[file.path]) if file.path in states else file for file in files
    )


def _in_state(file: EcosystemFacts, state: State) -> EcosystemFacts:
    signals = tuple(
        replace(one, state=state)
        if one.state is State.ACTIVE and one.kind not in _WHATEVER_THE_BRANCH
        else one
        for one in file.signals
    )
    return replace(file, signals=signals)


def _edges(files: Iterable[EcosystemFacts]) -> _Edges:
    """Who takes a file in, and in which state, by the file's path."""
    cmake = {file.path: file for file in files if file.language is Language.CMAKE}
    modules: dict[str, list[str]] = defaultdict(list)
    for path in cmake:
        modules[basename(path)].append(path)
    edges: dict[str, list[tuple[str, State]]] = defaultdict(list)
    for path, file in cmake.items():
        for signal in file.signals:
            if signal.kind is Kind.INCLUDED:
                taken = _taken_in(path, signal, cmake, modules)
                if taken not in {"", path}:
                    edges[taken].append((path, signal.state))
    return edges


def _taken_in(
    path: str,
    signal: Signal,
    files: Mapping[str, EcosystemFacts],
    modules: Mapping[str, Sequence[str]],
) -> str:
    """The file that a place takes in; "" where it is not in the tree or cannot be told."""
    for place in _places(path, signal.value):
        for found in (place, join(place, _LISTS)):
            if found in files:
                return found
    named = modules.get(f"{signal.value}.cmake", ())
    return named[0] if len(named) == 1 else ""


def _places(path: str, written: str) -> Iterator[str]:
    """Where a file or folder may be that another names, the likeliest first."""
    folder = dirname(path)
    relative = _HERE.sub("", written, count=1)
    above = [folder, *_above(folder)]
    if relative == written:
        relative = _ABOVE.sub("", written, count=1)
        above = above[::-1] if relative != written else above
    else:
        above = above[:1]
    if "$" not in relative and not relative.startswith("/"):
        yield from (normpath(join(place, relative)) for place in above)


def _above(folder: str) -> Iterator[str]:
    while folder:
        folder = dirname(folder)
        yield folder


def _states(edges: _Edges) -> dict[str, State]:
    """The files that are taken in for one side alone, with its state."""
    states: dict[str, State] = {}
    for _ in range(_MOST_ROUNDS):
        changed = False
        for path, takers in edges.items():
            around = {_around(states, taker, state) for taker, state in takers}
            state = around.pop() if len(around) == 1 else State.ACTIVE
            if state is not states.get(path, State.ACTIVE):
                states[path] = state
                changed = True
        if not changed:
            break
    return {path: state for path, state in states.items() if state is not State.ACTIVE}


def _around(states: Mapping[str, State], taker: str, state: State) -> State:
    return state if state is not State.ACTIVE else states.get(taker, State.ACTIVE)
