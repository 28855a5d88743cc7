"""Which components the files around the code name, where no finding of a name tells it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from migrate.knowledge.components import (
    KnownComponent,
    component_named,
    known_components,
    library_named,
)
from migrate.knowledge.headers import library_of_header
from migrate.knowledge.linked_libraries import linked_libraries
from migrate.model.rule import Hit
from migrate.model.signals import Kind, Signal
from migrate.model.source import Language
from migrate.model.target import RocmRelease
from migrate.model.vendor import is_for_rocm
from migrate.model.verdict import Confidence, Severity, State, Verdict
from migrate.rules.base import CodeBase
from migrate.rules.code import Code

_KINDS = frozenset({"library", "header", "framework", "python", "language", "profiler"})
"""The kinds of component that are asked for as a package or linked; others have rules of theirs."""
_PACKAGES = (Kind.REQUIREMENT, Kind.SUBMODULE)
_NAMED = (*_PACKAGES, Kind.IMPORT, Kind.LINK, Kind.FIND)
_TOLD = (Kind.CUDA_PACKAGE, Kind.OPENED, Kind.BINDING, Kind.CUDA_TARGET)
"""What other rules tell of the same line."""
_NOT_BY_IMPORT = frozenset({"faiss_gpu"})
"""The module's name is also that of the package for CPUs."""
_OTHER_LANGUAGES = frozenset({Language.FORTRAN, Language.OTHER_CODE})
"""Their rules tell what they bind."""
_IN_CODE = frozenset({"ptx", "cuda_fortran", "openacc", "other_bindings"})
"""Found in code, and told by the rules on it."""


@dataclass(frozen=True, slots=True)
class Met:
    """A component at a place that names it."""

    component: KnownComponent
    signal: Signal
    driver: str
    later: bool


def met_components(code: Code) -> tuple[Met, ...]:
    """The components that a file names, each at its places; not what code calls or the tree is."""
    return code.once(_met)


def hits_of(code: Code, *drivers: str) -> Iterator[Hit]:
    """A hit at each place of the components that one of the drivers prices."""
    for met in met_components(code):
        if met.driver in drivers:
            yield _hit(code, met)


def _hit(code: Code, met: Met) -> Hit:
    known = met.component
    said = f"{known.title}: {known.rocm or 'nothing'} on ROCm."
    detail = f"{said} {known.note}" if known.note else said
    verdict = Verdict.LATER if met.later else Verdict(known.compatibility)
    # A package that is looked for may be optional; one that no driver prices has a build for ROCm.
    optional = met.signal.kind is Kind.FIND
    minor = met.driver == "partial" and not known.driver
    return code.hit(
        met.signal,
        symbol=known.title,
        detail=detail,
        verdict=verdict,
        severity=Severity.MINOR if minor else None,
        confidence=Confidence.LIKELY if optional or minor else None,
    )


def _met(code: Code) -> tuple[Met, ...]:
    if code.facts.language in _OTHER_LANGUAGES or is_for_rocm(code.path):
        return ()
    told = {signal.line for signal in code.signals(*_TOLD)}
    linked = {
        (signal.line, key) for signal in code.signals(Kind.LINK_NAME) if (key := _twin(signal))
    }
    skipped = code.base.once(_called) | code.base.once(_own)
    return tuple(
        met
        for signal in code.signals(*_NAMED)
        if signal.line not in told and signal.state is not State.HIP
        for met in _of(code, signal)
        if met.component.key not in skipped and (signal.line, met.component.key) not in linked
    )


def _twin(linked: Signal) -> str:
    """The component that a library is of whose only change is its name; "" for others."""
    if linked.value not in linked_libraries():
        return ""
    known = known_components().get(component_named(Kind.LINK.value, library_named(linked.value)))
    return known.key if known and Verdict(known.compatibility).mechanical else ""


def _of(code: Code, signal: Signal) -> Iterator[Met]:
    known = known_components().get(component_named(signal.kind.value, signal.value))
    if known is None or known.kind not in _KINDS or known.key in _IN_CODE:
        return
    if signal.kind is Kind.IMPORT and known.key in _NOT_BY_IMPORT:
        return
    if signal.kind is Kind.LINK and _is_left_out(signal.value):
        return
    later = bool(known.since) and not code.target.rocm.has(RocmRelease.parse(known.since))
    driver = _driver(known, later=later)
    if driver and (driver != "drop_in" or signal.kind in _PACKAGES):
        yield Met(known, signal, driver, later)


def _is_left_out(library: str) -> bool:
    """Whether a linked library is one that ROCm needs nothing for, such as cudadevrt."""
    row = linked_libraries().get(library)
    return row is not None and not row.hip


def _driver(known: KnownComponent, *, later: bool) -> str:
    """What prices a component: its own word, that of what it is part of, or its verdict."""
    whole = known_components()[known.part_of] if known.part_of else known
    driver = (known.driver or whole.driver).partition(";")[0]
    verdict = Verdict(known.compatibility)
    if driver == "drop_in" and verdict is Verdict.SAME and not later:
        return ""
    if later and driver != "profiler":
        return "none"
    if driver or verdict in {Verdict.SAME, Verdict.RENAMED}:
        return driver
    return "none" if verdict is Verdict.MISSING else "partial"


def _called(base: CodeBase) -> frozenset[str]:
    """The components whose headers the code includes: findings of their names tell them."""
    found: set[str] = set()
    for file in base.files:
        for include in file.includes:
            found |= {library_of_header(include.name), component_named("include", include.name)}
    return frozenset(found - {""})


def _own(base: CodeBase) -> frozenset[str]:
    """The components that the tree is itself, by what it calls itself and by its folders."""
    found: set[str] = set()
    folders: set[str] = set()
    for file in base.files:
        folders.update(file.path.split("/")[:-1])
        for signal in file.signals:
            if signal.kind is Kind.PROJECT:
                kinds = ("requirement", "import", "find", "submodule")
                found |= {component_named(kind, signal.value) for kind in kinds}
    found |= {component_named("import", folder) for folder in folders}
    return frozenset(found - {""})
