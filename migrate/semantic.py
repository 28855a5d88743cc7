"""The compiler's pass over a tree: units planned, parsed in workers, their answers gathered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from migrate.discover.compile_db import find_compile_database, read_compile_database
from migrate.discover.toolkit import find_toolkit, named_toolkits
from migrate.errors import AssessError, ExitCode
from migrate.facts.ownership import own_libraries
from migrate.facts.units import plan_units
from migrate.model.facts import FileFacts
from migrate.model.semantic import Outcome, SemanticMode, SemanticRun, UnitFacts
from migrate.model.signals import EcosystemFacts
from migrate.model.source import Inventory
from migrate.model.unit import CompileDatabase, Toolkit, Unit, UnitPlan
from migrate.progress import Progress
from migrate.settings import Settings

_MOST_NAMED = 1000
"""So many failed units and missing headers are named in a result."""


@dataclass(frozen=True, slots=True)
class Semantics:
    """What the units say, in the order of the plan, and how the pass went."""

    run: SemanticRun
    units: tuple[UnitFacts, ...] = ()


def read_semantics(
    files: Sequence[FileFacts],
    ecosystem: Sequence[EcosystemFacts],
    inventory: Inventory,
    settings: Settings,
    progress: Progress,
) -> Semantics:
    """Parse the units that tell most, as far as the settings and this machine allow.

    Raises:
        AssessError: ``require`` is set and a unit cannot be parsed (exit code 4); a named
            ``compile_commands.json`` or toolkit cannot be used (2).
    """
    mode = SemanticMode(settings.semantic)
    if mode is SemanticMode.OFF:
        return Semantics(SemanticRun(mode=mode))
    database = _database(inventory.root, settings)
    third_party = frozenset(
        file.path for file in inventory.sources if file.vendored and not settings.include_vendored
    )
    plan = plan_units(
        files,
        ecosystem,
        database,
        root=inventory.root,
        third_party=third_party,
        budget=settings.semantic_budget,
    )
    if not plan.units:
        return Semantics(SemanticRun(mode=mode, idle=_nothing_to_parse(settings)))
    toolkit = find_toolkit(settings.cuda_path, named_toolkits(database))
    semantics = _Pass(files, inventory, settings, progress, plan, toolkit, database).run()
    if mode is SemanticMode.REQUIRE:
        _require(semantics.run)
    return semantics


def _database(root: str, settings: Settings) -> CompileDatabase:
    if settings.compile_commands is not None:
        return read_compile_database(settings.compile_commands, root, named=True)
    found = find_compile_database(root)
    return read_compile_database(found, root) if found is not None else CompileDatabase()


def _nothing_to_parse(settings: Settings) -> str:
    if not settings.semantic_budget:
        return "the budget is 0 units"
    return "there is no source file with CUDA code to parse"


def _require(run: SemanticRun) -> None:
    problem = run.idle
    if run.failed:
        path, reason = run.failed[0]
        more = f" (and {len(run.failed) - 1} more)" if len(run.failed) > 1 else ""
        problem = f"{path}: {reason}{more}"
    if problem:
        raise AssessError(
            f"--semantic require: {problem}",
            slug="semantic",
            hint="`hipassess doctor` says what is there and what is not.",
            code=ExitCode.INCOMPLETE,
        )


@dataclass(frozen=True, slots=True)
class _Pass:
    files: Sequence[FileFacts]
    inventory: Inventory
    settings: Settings
    progress: Progress
    plan: UnitPlan
    toolkit: Toolkit
    database: CompileDatabase

    def run(self) -> Semantics:
        """Parse the planned units, or say why that cannot be done."""
        # libclang is loaded only where there is something for it to do.
        from migrate.parse.clang.native import LibclangError, load_libclang  # noqa: PLC0415

        mode = SemanticMode(self.settings.semantic)
        if not self.toolkit.include or self.toolkit.lacking:
            return Semantics(SemanticRun(mode=mode, idle=_lacking(self.toolkit)))
        try:
            version = load_libclang().version
        except LibclangError as error:
            return Semantics(SemanticRun(mode=mode, idle=str(error)))
        units = self._units()
        return Semantics(self._totals(units, version), units)

    def _units(self) -> tuple[UnitFacts, ...]:
        from migrate.parse.clang.stage import parse_units  # noqa: PLC0415 - as above

        total = len(self.plan.units)
        done = 0

        def advance(count: int) -> None:
            nonlocal done
            done += count
            self.progress("parsing", done, total)

        self.progress("parsing", 0, total)
        return parse_units(
            [_of_one_release(unit, self.toolkit) for unit in self.plan.units],
            self.inventory.root,
            self.toolkit,
            own=self._own_libraries(),
            macros=self._macros(),
            jobs=self.settings.jobs,
            cached=not self.settings.no_cache,
            progress=advance,
        )

    def _own_libraries(self) -> frozenset[str]:
        return own_libraries(
            file.path
            for file in self.inventory.sources
            if file.language.c_family and (self.settings.include_vendored or not file.vendored)
        )

    def _macros(self) -> tuple[tuple[str, str, int], ...]:
        """The tree's macros with CUDA names in their bodies, whose expansions are counted."""
        return tuple(
            sorted(
                (macro.name, file.path, macro.line)
                for file in self.files
                for macro in file.macros
                if macro.symbols or macro.alias
            )
        )

    def _totals(self, units: Sequence[UnitFacts], version: str) -> SemanticRun:
        failed = [unit for unit in units if unit.outcome is Outcome.FAILED]
        headers = Counter(header for unit in units for header in unit.missing_headers)
        refused = {name for unit in self.plan.units for name in unit.arguments.refused}
        return SemanticRun(
            mode=SemanticMode(self.settings.semantic),
            libclang=version,
            toolkit=f"CUDA {self.toolkit.version}".strip(),
            units=len(units),
            parsed=len(units) - len(failed),
            with_errors=sum(unit.outcome is Outcome.PARTIAL for unit in units),
            known=sum(unit.known for unit in self.plan.units),
            beyond_budget=self.plan.beyond_budget,
            uncovered=len(self.plan.uncovered),
            failed=tuple((unit.path, unit.reason) for unit in failed[:_MOST_NAMED]),
            missing_headers=tuple(
                sorted(headers.items(), key=lambda row: (-row[1], row[0]))[:_MOST_NAMED]
            ),
            limited=any(unit.limited for unit in units),
            refused=tuple(sorted(refused)),
            left_out=tuple(sorted(self.database.left_out.items())),
        )


def _of_one_release(unit: Unit, toolkit: Toolkit) -> Unit:
    """The unit without folders of another CUDA toolkit: two releases contradict each other."""
    given = unit.arguments
    return replace(
        unit,
        arguments=replace(
            given,
            include=tuple(one for one in given.include if not _is_another(one, toolkit)),
            system=tuple(one for one in given.system if not _is_another(one, toolkit)),
        ),
    )


def _is_another(folder: str, toolkit: Toolkit) -> bool:
    return folder not in toolkit.include and Path(folder, "cuda_runtime_api.h").is_file()


def _lacking(toolkit: Toolkit) -> str:
    if not toolkit.include:
        return "no CUDA headers found (pip install 'hipassess[cuda-headers]', or --cuda-path)"
    return f"the CUDA headers found lack {', '.join(toolkit.lacking)}"
