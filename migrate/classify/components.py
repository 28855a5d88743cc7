"""The CUDA-side libraries a code base uses: called, included, linked or only named."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from migrate.classify.uses import ClassifiedFile
from migrate.knowledge.headers import resolve_header
from migrate.knowledge.libraries import Library, known_libraries
from migrate.knowledge.tables import table_rows
from migrate.model.assessment import Component
from migrate.model.signals import EcosystemFacts, Kind, Signal
from migrate.model.target import RocmRelease, Target
from migrate.model.verdict import State, Verdict

_PLACES = 20
_USE_ORDER = ("called", "header", "linked", "named")
_NOT_COMPONENTS = frozenset({"device", "macros", "complex", "samples", ""})
_USE_OF_KIND = {
    Kind.LINK: "linked",
    Kind.FIND: "linked",
    Kind.SUBMODULE: "named",
    Kind.REQUIREMENT: "named",
    Kind.IMPORT: "named",
    Kind.SYSTEM_PACKAGE: "named",
}
_LOOKED_UP_AS = {Kind.FIND: "link", Kind.SUBMODULE: "link"}
_VERSIONS = re.compile(r"(?<=[a-z])\d+(?=-|$)|-cu(?:da)?[\d-]+x?(?=-|$)|-\d[\d-]*(?=-|$)")
"""What packages put their CUDA and own versions in: ``libcudnn8-dev``, ``nvidia-nccl-cu12``."""


@cache
def _known_names() -> dict[tuple[str, str], str]:
    """Kind of signal and name, in lower case, to a library's key."""
    names = {("link", key): key for key in known_libraries()}
    for kind, name, library in table_rows("kind,name,library", "component_names.csv"):
        names[kind, name.lower()] = library
    return names


def _library_of(signal: Signal) -> str:
    """The key of the library that a signal speaks of, "" for none."""
    kind = _LOOKED_UP_AS.get(signal.kind, signal.kind.value)
    name = signal.value.lower()
    names = _known_names()
    return names.get((kind, name)) or names.get((kind, _VERSIONS.sub("", name)), "")


@dataclass(slots=True)
class _Found:
    uses: int = 0
    how: set[str] = field(default_factory=set)
    states: set[State] = field(default_factory=set)
    paths: set[str] = field(default_factory=set)
    where: list[tuple[str, int]] = field(default_factory=list)

    def add(self, how: str, state: State, path: str, line: int, *, uses: int = 0) -> None:
        self.uses += uses
        self.how.add(how)
        self.states.add(state)
        self.paths.add(path)
        if len(self.where) < _PLACES:
            self.where.append((path, line))


def find_components(
    files: Sequence[ClassifiedFile],
    ecosystem: Sequence[EcosystemFacts],
    vendored: Collection[str],
    target: Target,
    tests: Collection[str],
    *,
    own: Collection[str] = (),
) -> tuple[Component, ...]:
    """List the libraries that the tree uses, each once, with its strongest use.

    ``uses`` counts the active uses of its names; a library that is used by test code alone is
    ``test_only``. A library that the tree is itself (``own``, by key) is none of its components.
    """
    found: dict[str, _Found] = defaultdict(_Found)
    headers = _HeaderLibraries(target)
    for file in files:
        _add_calls(found, file)
        _add_headers(found, file, headers, vendored)
    for facts in ecosystem:
        for signal in facts.signals:
            how = _USE_OF_KIND.get(signal.kind, "")
            key = _library_of(signal) if how else ""
            if key:
                state = State.VENDORED if facts.path in vendored else State.ACTIVE
                found[key].add(how, state, facts.path, signal.line)
    for key in own:
        found.pop(key, None)
    return tuple(_components(found, frozenset(tests), target))


def _add_calls(found: dict[str, _Found], file: ClassifiedFile) -> None:
    for row, answer in enumerate(file.answers):
        state = file.state(row)
        found[answer.library].add(
            "called",
            state,
            file.facts.path,
            file.facts.uses.line[row],
            uses=int(state is State.ACTIVE),
        )


class _HeaderLibraries(dict[str, str]):
    """The library of each header that was asked for; "" for one that no table knows."""

    def __init__(self, target: Target) -> None:
        super().__init__()
        self._target = target

    def __missing__(self, header: str) -> str:
        answer = resolve_header(header, self._target)
        library = self[header] = answer.library if answer else ""
        return library


def _add_headers(
    found: dict[str, _Found],
    file: ClassifiedFile,
    headers: _HeaderLibraries,
    vendored: Collection[str],
) -> None:
    for include in file.facts.includes:
        library = headers[include.name] if include.state is not State.HIP else ""
        if library:
            state = State.VENDORED if file.facts.path in vendored else include.state
            found[library].add("header", state, file.facts.path, include.line)


def _components(
    found: dict[str, _Found], tests: frozenset[str], target: Target
) -> Iterator[Component]:
    libraries = known_libraries()
    for key, entry in sorted(found.items()):
        if key in _NOT_COMPONENTS or key not in libraries:
            continue
        yield _component(libraries[key], entry, tests, target)


def _component(library: Library, entry: _Found, tests: frozenset[str], target: Target) -> Component:
    use = next(how for how in _USE_ORDER if how in entry.how)
    if entry.paths <= tests:
        use = "test_only"
    return Component(
        name=library.title,
        kind=library.kind,
        verdict=_verdict(library, target),
        rocm=library.rocm,
        use=use,
        state=next(state for state in State if state in entry.states),
        uses=entry.uses,
        where=tuple(dict.fromkeys(entry.where)),
    )


def _verdict(library: Library, target: Target) -> Verdict:
    """What becomes of a library; one that ROCm has only after the target's release comes later."""
    if library.since and not target.rocm.has(RocmRelease.parse(library.since)):
        return Verdict.LATER
    return Verdict(library.compatibility)
