"""The libraries, frameworks and tools a code base uses: called, included, linked or named."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from pathlib import PurePosixPath

from migrate.classify.component_places import ComponentPlaces
from migrate.classify.own_names import OwnNames
from migrate.classify.uses import ClassifiedFile
from migrate.knowledge.components import (
    KnownComponent,
    component_named,
    known_components,
    library_named,
)
from migrate.knowledge.headers import library_of_header
from migrate.knowledge.sources import known_sources
from migrate.model.assessment import Component
from migrate.model.mark import MarkKind
from migrate.model.resolution import Resolution
from migrate.model.signals import EcosystemFacts, Kind, Signal
from migrate.model.target import RocmRelease, Target
from migrate.model.verdict import State, Verdict

_NOT_COMPONENTS = frozenset({"device", "macros", "complex", "samples", ""})
_USE_OF_KIND = {
    Kind.LINK: "linked",
    Kind.FIND: "linked",
    Kind.IMPORT: "called",
    Kind.PROVIDER: "called",
    Kind.BUILD_CUDA: "named",
    Kind.CUDA_LANGUAGE: "named",
    Kind.FIND_CUDA: "named",
    Kind.NVCC: "named",
    Kind.CUDA_RULE: "named",
    Kind.SUBMODULE: "named",
    Kind.REQUIREMENT: "named",
    Kind.SYSTEM_PACKAGE: "named",
    Kind.IMAGE: "named",
    Kind.TOOL: "named",
    Kind.ENVIRONMENT: "named",
    Kind.GPU_REQUEST: "named",
    Kind.CLUSTER_GPU: "named",
    Kind.OPERATOR: "named",
    Kind.JOB_GPU: "named",
    Kind.CI_GPU: "named",
    Kind.DEFINITION: "named",
    Kind.MODULE: "named",
    Kind.INSTALLER: "named",
    Kind.MPI_GPU: "named",
    Kind.KERNEL_MODULE: "named",
    Kind.HPC_OPTION: "named",
    Kind.OFFLOAD_TARGET: "named",
    Kind.LAYER_SWITCH: "named",
    Kind.RECIPE: "named",
    Kind.BINDING: "named",
    Kind.FORTRAN_KERNEL: "called",
    Kind.FORTRAN_DEVICE_CODE: "called",
    Kind.FORTRAN_LAUNCH: "called",
    Kind.FORTRAN_DEVICE_DATA: "called",
    Kind.FORTRAN_CALL: "called",
    Kind.CUF_LOOP: "called",
    Kind.C_INTERFACE: "called",
    Kind.OPENACC: "called",
    Kind.OPENMP_TARGET: "called",
}
_COUNTED = frozenset({Kind.IMPORT, Kind.FORTRAN_CALL})
"""Signals that are uses themselves, where no table of uses has them."""
_FEATURE = "feature"
_WORD = re.compile(r"\w+")
_Found = dict[str, ComponentPlaces]


def find_components(
    files: Sequence[ClassifiedFile],
    ecosystem: Sequence[EcosystemFacts],
    vendored: Collection[str],
    target: Target,
    tests: Collection[str],
    *,
    own: Collection[str] = (),
) -> tuple[Component, ...]:
    """List what the tree uses, each once, with its strongest use.

    ``uses`` counts the active uses of its names, and the imports of a Python module; what test
    code alone uses is ``test_only``. A component that the tree is itself (``own``, by key, or by
    the name that its build files give it) is none of its components.
    """
    found: _Found = defaultdict(ComponentPlaces)
    names = OwnNames.of(files, ecosystem, vendored)
    scan = _Scan(found, names, frozenset(vendored), frozenset(tests))
    for file in files:
        scan.add_calls(file)
        scan.add_headers(file)
        scan.add_conditions(file)
    for facts in ecosystem:
        scan.add_signals(facts)
    for key in {*own, *names.components}:
        found.pop(key, None)
    known = known_components()
    return tuple(
        _component(known[key], places, target)
        for key, places in sorted(found.items())
        if key not in _NOT_COMPONENTS and key in known
    )


class _Scan:
    """Walks over the files and gives each place to its component."""

    def __init__(
        self, found: _Found, names: OwnNames, vendored: frozenset[str], tests: frozenset[str]
    ) -> None:
        self._found = found
        self._names = names
        self._vendored = vendored
        self._tests = tests
        self._of_name: dict[tuple[str, str, str], tuple[str, ...]] = {}

    def add_calls(self, file: ClassifiedFile) -> None:
        """Take the uses of names in, and the file itself where its kind is a component."""
        path, test = file.facts.path, file.facts.path in self._tests
        for row, answer in enumerate(file.answers):
            state = file.state(row)
            for key in self._components_of(answer):
                places = self._found[key]
                places.add("called", state, path, file.facts.uses.line[row], test=test)
                if state is State.ACTIVE:
                    places.count(answer)
        self._add(component_named("suffix", PurePosixPath(path).suffix), "called", path, 1)

    def add_headers(self, file: ClassifiedFile) -> None:
        """Take the headers in that no HIP branch includes."""
        for include in file.facts.includes:
            if include.state is State.HIP or self._names.holds_header(include.name):
                continue
            for key in _components_of_header(include.name):
                self._add(key, "header", file.facts.path, include.line, state=include.state)

    def add_conditions(self, file: ClassifiedFile) -> None:
        """Take in what code is compiled for: ``#ifdef USE_GPU_AWARE_MPI``."""
        for mark in file.facts.marks:
            if mark.kind is not MarkKind.CONDITIONAL or mark.state is State.HIP:
                continue
            for word in _WORD.findall(mark.symbol):
                key = component_named("definition", word)
                self._add(key, "named", file.facts.path, mark.line, state=mark.state)

    def add_signals(self, facts: EcosystemFacts) -> None:
        """Take in what a file around the code says."""
        for signal in facts.signals:
            how = _USE_OF_KIND.get(signal.kind, "")
            if not how or signal.state is State.HIP or self._names.is_own(signal, facts.path):
                continue
            for key in _components_of_signal(signal):
                self._add(key, how, facts.path, signal.line, state=signal.state)
                active = signal.state is State.ACTIVE and facts.path not in self._vendored
                if active and signal.kind in _COUNTED:
                    self._found[key].uses += 1

    def _add(
        self, key: str, how: str, path: str, line: int, *, state: State = State.ACTIVE
    ) -> None:
        if key:
            state = State.VENDORED if path in self._vendored else state
            self._found[key].add(how, state, path, line, test=path in self._tests)

    def _components_of(self, answer: Resolution) -> tuple[str, ...]:
        """The components that a name belongs to: a feature is told beside its library."""
        known = (answer.library, answer.name, answer.kind)
        if known not in self._of_name:
            self._of_name[known] = _components_of(*known)
        return self._of_name[known]


def _components_of(library: str, name: str, kind: str) -> tuple[str, ...]:
    if kind == "asm":
        return (library, "ptx")
    return _with_closer(library, component_named("symbol", name) if library else "")


def _components_of_signal(signal: Signal) -> Iterator[str]:
    """The components that a signal speaks of: an option of NVIDIA's compilers shows these too."""
    found = {component_named(signal.kind.value, signal.value)}
    if signal.kind is Kind.HPC_OPTION:
        found |= {"nvhpc"} | {
            component_named("link", library_named(word))
            for word in signal.value.partition("cudalib=")[2].split(",")
        }
    return (key for key in sorted(found) if key)


@cache
def _components_of_header(name: str) -> tuple[str, ...]:
    return _with_closer(library_of_header(name), component_named("include", name))


def _with_closer(library: str, closer: str) -> tuple[str, ...]:
    """A library, or the part of it that is told apart; a feature stands beside its library."""
    if not closer:
        return (library,)
    return (library, closer) if known_components()[closer].kind == _FEATURE else (closer,)


def _component(known: KnownComponent, places: ComponentPlaces, target: Target) -> Component:
    return Component(
        key=known.key,
        name=known.title,
        kind=known.kind,
        verdict=_verdict(known, target),
        rocm=known.rocm,
        use=places.use,
        state=places.state,
        uses=places.uses,
        where=places.listed(),
        names=len(places.names),
        cuda_only=len(places.cuda_only),
        since=known.since,
        note=known.note,
        evidence=tuple(_evidence(known)),
        needed=places.needed,
    )


def _evidence(known: KnownComponent) -> Iterator[str]:
    sources = known_sources()
    return (sources[key].url for key in known.source.split(";") if key in sources)


def _verdict(known: KnownComponent, target: Target) -> Verdict:
    """What becomes of it; what ROCm has only after the target's release comes later."""
    if known.since and not target.rocm.has(RocmRelease.parse(known.since)):
        return Verdict.LATER
    return Verdict(known.compatibility)
