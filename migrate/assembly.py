"""The stages' results put together: evidence for the estimate, rows and totals, one assessment."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from migrate import __version__
from migrate.classify.components import find_components
from migrate.classify.findings import mechanical_rows, name_findings
from migrate.classify.hazards import rule_findings
from migrate.classify.totals import (
    api_rows,
    directory_rows,
    file_rows,
    library_rows,
    shares_of,
)
from migrate.classify.uses import ClassifiedFile
from migrate.discover.inventory import title_of
from migrate.estimate.coefficients import Coefficients, Hours
from migrate.estimate.drivers import count_drivers, library_drivers
from migrate.estimate.effort import estimate_effort
from migrate.estimate.shares import share_hours, unit_hours, unit_of
from migrate.evidence import (
    active_kernels,
    driver_of,
    gather_evidence,
    has_work,
    is_built_for_hip,
    is_cuda,
)
from migrate.facts.ownership import own_libraries
from migrate.knowledge.apis import load_tables
from migrate.knowledge.components import known_components
from migrate.model.assessment import Assessment, FileRow, Project, Summary
from migrate.model.effort import Effort, Scope, Strategy, Team
from migrate.model.facts import FileFacts
from migrate.model.finding import Finding
from migrate.model.kernel import KernelRow
from migrate.model.resolution import Resolution
from migrate.model.rule import Driver, Rule, RuleRun
from migrate.model.semantic import Program, SemanticRun
from migrate.model.signals import EcosystemFacts, Kind
from migrate.model.source import Inventory
from migrate.model.target import Target
from migrate.model.verdict import Flag, State, Tier, Verdict
from migrate.report.numbers import percent, plural
from migrate.settings import Settings, settings_for_result

_KERNEL_LIBRARIES = frozenset({"device", "cooperative_groups", "wmma", "libcudacxx", "cutlass"})
_INTERFACE_LIBRARIES = frozenset({"runtime", "driver", "rtc", "macros", "complex", "", "nvjitlink"})


@dataclass(frozen=True, slots=True)
class Assembly:
    """The stages' results for one target, and what is made of them."""

    settings: Settings
    inventory: Inventory
    target: Target
    files: tuple[ClassifiedFile, ...]
    project: Project
    coefficients: Coefficients
    program: Program = field(default_factory=Program)
    kernels: tuple[KernelRow, ...] = ()
    rules: RuleRun = field(default_factory=RuleRun)

    def build(
        self, cuda_source: str, ecosystem: Sequence[EcosystemFacts], semantic: SemanticRun
    ) -> Assessment:
        """Estimate the effort and fill every table.

        Args:
            cuda_source: how the source's CUDA version is known.
            ecosystem: what the files around the code say.
            semantic: how far the compiler was asked.
        """
        findings = (
            *name_findings(self.files, self.target, driver_of, self._tier_of),
            *rule_findings(self.files, self.rules, self.target, driver_of),
        )
        findings = tuple(sorted(findings, key=_by_place))
        components = find_components(
            self.files,
            ecosystem,
            frozenset() if self.settings.include_vendored else self._vendored(),
            self.target,
            self._tests(),
            own=own_libraries(file.path for file in self.inventory.sources if not file.vendored),
        )
        evidence = gather_evidence(self.files, findings, self.project, components)
        counts = count_drivers(evidence)
        findings = share_hours(
            findings,
            counts,
            evidence.kloc,
            self.coefficients,
            unit=self._unit_of(frozenset(evidence.libraries)),
        )
        effort = self._effort(counts, evidence.kloc)
        files = self._file_rows(findings, counts, evidence.kloc)
        complete, reason = self._completeness(semantic)
        return Assessment(
            version=__version__,
            tables_as_of=load_tables().as_of,
            root_name=title_of(self.settings.paths),
            target=self.target,
            cuda_source=cuda_source,
            complete=complete,
            incomplete_reason=reason,
            commit=self.inventory.commit,
            dirty=self.inventory.dirty,
            settings=settings_for_result(self.settings),
            skipped=self.inventory.skipped,
            summary=self._summary(files, effort),
            apis=api_rows(self.files),
            findings=findings,
            files=files,
            directories=directory_rows(files),
            libraries=library_rows(
                self.files, {key: row.title for key, row in known_components().items()}
            ),
            components=components,
            project=replace(
                self.project,
                hip_files=sum(
                    is_built_for_hip(file, self.project) and bool(len(file.facts.uses))
                    for file in self.files
                ),
            ),
            semantic=semantic,
            program=self.program,
            kernels=self.kernels,
            rules=_rules_met(self.rules),
            uses=mechanical_rows(
                self.files,
                driver_of,
                self._tier_of,
                lambda file, driver: self._use_hours(file, driver, counts, evidence.kloc),
            )
            if self.settings.all_uses
            else (),
        )

    def _vendored(self) -> frozenset[str]:
        return frozenset(file.path for file in self.inventory.sources if file.vendored)

    def _tests(self) -> frozenset[str]:
        return frozenset(file.path for file in self.inventory.sources if file.test)

    def _tier_of(self, answer: Resolution, driver: str) -> Tier:
        if driver:
            return self.coefficients.drivers[driver].tier
        if answer.library in _KERNEL_LIBRARIES:
            return Tier.KERNEL
        return Tier.INTERFACE if answer.library in _INTERFACE_LIBRARIES else Tier.ECOSYSTEM

    def _unit_of(self, libraries: frozenset[str]) -> Callable[[Finding, str], str]:
        """What a finding shares a priced unit with; for a library's price, its library.

        A component that the driver did not count, because it is not among ``libraries`` (nothing
        imports what is required) or has no price, has no part in the price of another.
        """
        library = {answer.name: answer.library for file in self.files for answer in file.answers}
        build = {file.facts.path: _build_of(file.facts) for file in self.files}
        titles = {one.title: one.part_of or one.key for one in known_components().values()}

        def unit(finding: Finding, per: str) -> str:
            if finding.driver == Driver.BUILD_SYSTEM:
                return build[finding.path]
            if per == "library" and finding.symbol in library:
                return library[finding.symbol]
            if per == "library" and finding.symbol in titles:
                key = titles[finding.symbol]
                return key if key in libraries and finding.driver in library_drivers(key) else ""
            return unit_of(finding, per)

        return unit

    def _effort(self, counts: Mapping[str, float], kloc: float) -> Effort:
        return estimate_effort(
            counts,
            kloc=kloc,
            scope=Scope(self.settings.scope),
            strategy=Strategy(self.settings.strategy),
            team=Team(self.settings.team),
            coefficients=self.coefficients,
        )

    def _file_rows(
        self, findings: Sequence[Finding], counts: Mapping[str, float], kloc: float
    ) -> tuple[FileRow, ...]:
        found: Counter[str] = Counter()
        hours: dict[str, float] = defaultdict(float)
        for finding in findings:
            found[finding.path] += 1
            hours[finding.path] += finding.hours[1]
        for file in self.files:
            hours[file.facts.path] += self._own_hours(file, counts, kloc)
        return file_rows(self.files, self._vendored(), found, hours)

    def _own_hours(self, file: ClassifiedFile, counts: Mapping[str, float], kloc: float) -> float:
        """Most likely hours of a file beside its findings: renames, review, kernels to validate."""
        if not has_work(file) or is_built_for_hip(file, self.project):
            return 0.0

        def unit(driver: str) -> float:
            return unit_hours(driver, counts, kloc, self.coefficients)[1]

        total = unit("gpu_kloc") * file.facts.code_lines / 1000 * (1.0 if is_cuda(file) else 0.25)
        total += unit("kernel_validated") * active_kernels(file.facts)
        for row in file.active_rows():
            answer = file.answers[row]
            if answer.verdict.mechanical and row not in file.priced:
                driver = driver_of(answer, file.function(row).side)
                total += self._use_hours(file, driver, counts, kloc)[1]
        return total

    def _use_hours(
        self, file: ClassifiedFile, driver: str, counts: Mapping[str, float], kloc: float
    ) -> Hours:
        """The hours of one active mechanical use; none where the HIP build has the file already."""
        if driver != "direct_reference" or is_built_for_hip(file, self.project):
            return (0.0, 0.0, 0.0)
        return unit_hours(driver, counts, kloc, self.coefficients)

    def _completeness(self, semantic: SemanticRun) -> tuple[bool, str]:
        """Whether what was left unread is little enough (``max_unread``, by bytes).

        A unit that reached a limit of time or memory makes a run incomplete too: on another
        machine its answers might be there.
        """
        if self.rules.failed:
            first = self.rules.failed[0]
            checks = plural(len(self.rules.failed), "check")
            ours = ", which is our fault" if first.rule.startswith("HA-") else ""
            return False, (
                f"{checks} failed{ours}; the first: {first.rule} on {first.path}: {first.error}"
            )
        if semantic.limited:
            return False, "the compiler reached a limit of time or memory on a unit"
        unread = sum(skipped.size for skipped in self.inventory.skipped if skipped.candidate)
        read = sum(file.size for file in self.inventory.sources)
        share = unread / (unread + read) if unread else 0.0
        if share <= self.settings.max_unread:
            return self._all_priced(unread + read)
        count = sum(skipped.candidate for skipped in self.inventory.skipped)
        return False, (
            f"{plural(count, 'candidate file')} with {percent(share)} of the bytes not read "
            f"(limit {percent(self.settings.max_unread)})"
        )

    def _all_priced(self, total: int) -> tuple[bool, str]:
        """Whether CUDA Fortran, which is read and in no figure, is little enough too."""
        unpriced = self.project.unpriced
        share = unpriced.fortran_bytes / total if total else 0.0
        if share <= self.settings.max_unread:
            return True, ""
        return False, (
            f"{plural(unpriced.fortran_files, 'file')} of CUDA Fortran with {percent(share)} of "
            f"the bytes in no figure (limit {percent(self.settings.max_unread)})"
        )

    def _summary(self, files: Sequence[FileRow], effort: Effort) -> Summary:
        states: Counter[State] = Counter()
        verdicts: Counter[Verdict] = Counter()
        for row in files:
            states.update(row.states)
            verdicts.update(row.verdicts)
        active = [file.answers[row] for file in self.files for row in file.active_rows()]
        touching = [
            row
            for row in files
            if row.uses > row.states.get(State.VENDORED, 0) or (row.kernels and not row.vendored)
        ]
        return Summary(
            files=len(self.inventory.sources),
            lines=sum(row.lines for row in files),
            cuda_lines=sum(row.lines for row in touching),
            uses=states[State.ACTIVE],
            distinct_names=len({answer.name for answer in active}),
            kernels=sum(active_kernels(file.facts) for file in self.files if file.own),
            launches=sum(len(file.facts.launches) for file in self.files),
            states={state: states[state] for state in State},
            verdicts={verdict: verdicts[verdict] for verdict in Verdict},
            shares=shares_of(self.files),
            effort=effort,
            older_names=len({answer.name for answer in active if answer.older}),
            unconfirmed_names=len(
                {answer.name for answer in active if Flag.UNCONFIRMED in answer.flags}
            ),
        )


def _by_place(finding: Finding) -> tuple[str, int, str, str, str]:
    return (finding.path, finding.line, finding.rule, finding.symbol, finding.id)


def _build_of(facts: FileFacts) -> str:
    """The build system that a file belongs to, its kind where it says none."""
    said = (signal.value for signal in facts.signals if signal.kind is Kind.BUILD)
    return next(said, facts.language.value)


def _rules_met(run: RuleRun) -> tuple[Rule, ...]:
    """The rules that have findings, in order of id."""
    met = {found.rule.id: found.rule for found in run.hits}
    return tuple(met[key] for key in sorted(met))
