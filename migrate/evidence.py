"""What the effort estimate counts in classified files: the work that is still to be done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

from migrate.classify.totals import is_cuda_file
from migrate.classify.uses import ClassifiedFile
from migrate.estimate.drivers import SITE_DRIVERS, DriverEvidence, driver_for
from migrate.estimate.shares import carries_effort, count_sites
from migrate.knowledge.apis import table_keys
from migrate.knowledge.components import known_components
from migrate.model.assessment import Component, Project
from migrate.model.facts import FileFacts, UseKind
from migrate.model.finding import Finding
from migrate.model.identity import NAME_RULES
from migrate.model.resolution import Resolution
from migrate.model.rule import Driver
from migrate.model.source import Language
from migrate.model.verdict import Side, State

_TRANSLATION_UNITS = (".c", ".cc", ".cpp", ".cxx", ".C", ".c++")
_HOLDERS = frozenset({Language.PYTHON, Language.NOTEBOOK})
"""Of these only the CUDA code that they hold was read as code."""
_CUDA_UNITS = (".cu", ".cu.cc")


def gather_evidence(
    files: Sequence[ClassifiedFile],
    findings: Sequence[Finding],
    project: Project,
    components: Sequence[Component] = (),
) -> DriverEvidence:
    """Count what drives effort.

    A file that the project's HIP build compiles already needs no first compile, no renames and no
    validation: only what its findings name is left in it. Where every file is of that kind, build,
    tests and packages are there too.
    """
    tally = _Tally()
    for file in files:
        tally.add(file, built=is_built_for_hip(file, project))
    work = [file for file in files if has_work(file) and not is_built_for_hip(file, project)]
    sites = count_sites(findings)
    return DriverEvidence(
        active_uses=tally.uses,
        direct_references=tally.direct,
        sites={driver: sites[driver] for driver in SITE_DRIVERS if sites[driver]},
        missing_apis=tuple(sorted(tally.missing)),
        cuda_lines=sum(file.facts.code_lines for file in work if is_cuda(file)),
        other_lines=sum(file.facts.code_lines for file in work if not is_cuda(file)),
        cuda_units=_count(work, _CUDA_UNITS),
        other_units=_count(work, _TRANSLATION_UNITS),
        kernels=sum(active_kernels(file.facts) for file in work),
        hazard_kinds=_hazard_kinds(findings),
        matrix_kernels=tuple(sorted(_matrix_kernels(findings))),
        matrix_families=tuple(sorted({"cutlass"} & tally.libraries)),
        libraries=tuple(sorted(tally.libraries | _needed(components, project))),
        profilers=_symbols_of(findings, Driver.PROFILER) if work else (),
        gpu_aware_mpi=bool(work) and bool(_symbols_of(findings, Driver.COMMUNICATION)),
        build_systems=project.build if work else (),
        test_files=project.test_files if work else 0,
        packages=project.packages if work else 0,
    )


@dataclass(slots=True)
class _Tally:
    """Sums over the active uses that are work."""

    uses: int = 0
    direct: int = 0
    missing: set[str] = field(default_factory=set)
    libraries: set[str] = field(default_factory=set)

    def add(self, file: ClassifiedFile, *, built: bool) -> None:
        """Take a file's active uses in; in a file built for HIP those that a tool maps are done."""
        for row in file.active_rows():
            answer = file.answers[row]
            if built and answer.verdict.mechanical:
                continue
            self.uses += 1
            self.libraries.add(answer.library)
            if row not in file.priced:
                driver = driver_of(answer, file.function(row).side)
                self.direct += driver == "direct_reference"
                if driver == "missing_api":
                    self.missing.add(answer.name)


def _needed(components: Iterable[Component], project: Project) -> set[str]:
    """The components that work is spent on though no name of theirs is seen to be called.

    One that own code links or imports has to be built and checked, and so has one that is
    included, unless its names are known: then nothing of it is called. What is only named (a
    requirement, an image) comes along with something else or is part of the machine, whose price
    is fixed. A project with a HIP build has seen to its components.
    """
    if project.hip_support == "full":
        return set()
    known = known_components()
    return {known[one.key].part_of or one.key for one in components if _is_work(one)}


@cache
def _with_names() -> frozenset[str]:
    """The libraries whose names the tables know."""
    return frozenset(table_keys())


def _is_work(component: Component) -> bool:
    if component.needed == "header":
        known = known_components()[component.key]
        return (known.part_of or known.key) not in _with_names()
    return component.needed not in {"", "named"}


def _hazard_kinds(findings: Sequence[Finding]) -> tuple[str, ...]:
    """The kinds of hazard that findings name; a name's finding names none: ``other``."""
    kinds = {
        finding.kind or "other"
        for finding in findings
        if finding.driver == "hazard_kind" and carries_effort(finding)
    }
    return tuple(sorted(kinds))


def _matrix_kernels(findings: Sequence[Finding]) -> set[str]:
    return {
        f"{finding.path}:{finding.function}"
        for finding in findings
        if finding.driver == "matrix_kernel" and carries_effort(finding)
    }


def driver_of(answer: Resolution, side: Side) -> str:
    """The effort driver of a use's answer, "" for none."""
    name = answer.name.removeprefix("asm:") if answer.kind == "asm" else answer.name
    return driver_for(answer.library, name, answer.verdict, answer.kind, side)


def is_built_for_hip(file: ClassifiedFile, project: Project) -> bool:
    """Whether the project's HIP build compiles a file already, as far as the tree shows."""
    return file.facts.hip_built or project.hip_support == "full"


def compiles_for_hip(file: ClassifiedFile, project: Project) -> bool:
    """Whether a file seems to compile for HIP already, with all that is active in it.

    A project that supports HIP throughout still leaves files out of that build: those with
    something in them that HIP does not have.
    """
    if file.facts.hip_built:
        return True
    return project.hip_support == "full" and not any(
        file.answers[row].verdict.cuda_only for row in file.active_rows()
    )


def has_work(file: ClassifiedFile) -> bool:
    """Whether a file is part of the port: CUDA by its kind, or with a use that is no mere guard.

    Third-party, HIP and wholly ported files are not.
    """
    facts = file.facts
    if facts.hip or not file.own:
        return False
    if not len(facts.uses):
        return is_cuda(file) or active_kernels(facts) > 0
    kinds = {UseKind(facts.uses.kind[row]) for row in file.active_rows()}
    return bool(kinds - {UseKind.DIRECTIVE}) or (bool(kinds) and is_cuda(file))


def is_cuda(file: ClassifiedFile) -> bool:
    """Whether all that counts as a file's code is GPU code."""
    facts = file.facts
    return is_cuda_file(facts.language, facts.path) or (
        facts.language in _HOLDERS and facts.code_lines > 0
    )


def active_kernels(facts: FileFacts) -> int:
    """The kernels of a file that are not ported."""
    return sum(function.kernel and function.state is State.ACTIVE for function in facts.functions)


def _count(files: Iterable[ClassifiedFile], suffixes: tuple[str, ...]) -> int:
    return sum(file.facts.path.endswith(suffixes) for file in files)


def _symbols_of(findings: Sequence[Finding], driver: Driver) -> tuple[str, ...]:
    """What the findings of rules with a driver name: tools, or settings of MPI."""
    return tuple(
        sorted(
            {
                finding.symbol
                for finding in findings
                if finding.driver == driver
                and finding.rule not in NAME_RULES
                and carries_effort(finding)
            }
        )
    )
