"""The one module that knows the order of the stages: from paths to an assessment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from migrate.assembly import Assembly
from migrate.classify.raised import raise_verdicts
from migrate.classify.resolver import Resolver
from migrate.classify.uses import ClassifiedFile, classify_files
from migrate.discover.inventory import discover_sources, root_and_starts
from migrate.errors import AssessError, ExitCode
from migrate.estimate.coefficients import load_coefficients
from migrate.evidence import compiles_for_hip
from migrate.excerpts import read_excerpts
from migrate.facts.cmake_tree import with_branches_around
from migrate.facts.images import image_files
from migrate.facts.includes import IncludeGraph
from migrate.facts.join import drop_own_names, settle_states
from migrate.facts.kernels import kernel_rows
from migrate.facts.layers import find_layers
from migrate.facts.program import join_program
from migrate.facts.project import cuda_version_from, join_project
from migrate.facts.project_files import with_signals
from migrate.facts.semantic import Merged, merge_answers
from migrate.facts.shims import find_mapped_names
from migrate.facts.unpriced import count_unpriced
from migrate.knowledge.apis import load_tables
from migrate.knowledge.archs import parse_arch
from migrate.knowledge.releases import parse_release
from migrate.model.assessment import Assessment, Project
from migrate.model.facts import FileFacts
from migrate.model.graph import CodeGraph
from migrate.model.kernel import KernelRow
from migrate.model.rule import Rule, RuleRun
from migrate.model.semantic import Program, UnitFacts
from migrate.model.signals import EcosystemFacts
from migrate.model.source import Inventory, Skipped
from migrate.model.target import CudaVersion, Target
from migrate.own_rules import load_own_rules
from migrate.parse.ecosystem.reader import read_ecosystem_files
from migrate.progress import Progress, no_progress
from migrate.reading import read_sources
from migrate.report.ranking import ranked_findings, skip_reasons
from migrate.rules.base import CodeBase
from migrate.rules.engine import run_rules
from migrate.rules.registry import RULES, chosen_rules
from migrate.semantic import read_semantics
from migrate.settings import Settings

_MOST_EXCERPTS = 1000
_REASONS_NAMED = 3


def assess(
    settings: Settings, *, progress: Progress = no_progress, excerpts: bool = False
) -> Assessment:
    """Assess the code under ``settings.paths``.

    Args:
        settings: what to read and for which target.
        progress: told how far the run is.
        excerpts: whether findings carry their source lines.

    Raises:
        AssessError: a wrong path, release or architecture; nothing to assess (exit code 3).
    """
    rocm = parse_release(settings.rocm)
    archs = tuple(parse_arch(arch).gfx for arch in settings.archs)
    coefficients = load_coefficients()
    rules = _rules(settings)
    inventory = _discover(settings)
    ecosystem = _read_ecosystem(inventory)
    facts = read_sources(inventory, settings, progress, ecosystem)
    inventory = _with_unread(inventory, facts, ecosystem)
    if not inventory.sources:
        raise _nothing_to_assess(settings, inventory)
    third_party = _third_party(inventory, settings)
    joined = drop_own_names(facts, third_party)
    semantics = read_semantics(joined, ecosystem, inventory, settings, progress)
    units = semantics.units
    program = join_program(units)
    merged = _merge(joined, units, third_party)
    images = image_files(inventory.sources, third_party)
    files = settle_states(with_signals((*merged.files, *images), ecosystem), third_party)
    cuda, cuda_source = _cuda_version(settings, ecosystem)
    target = Target(rocm, archs, cuda)
    classified = classify_files(files, Resolver(load_tables(), target), third_party)
    project = replace(
        join_project(ecosystem, inventory.sources, files),
        wrappers=find_layers(files, units, program, third_party),
        unpriced=count_unpriced(ecosystem, inventory.sources, files),
    )
    kernels = kernel_rows(files, units, program.kernels, third_party)
    run = judge_code(classified, project, target, program, kernels, rules=rules)
    assembly = Assembly(
        settings,
        inventory,
        target,
        raise_verdicts(classified, run),
        project,
        coefficients,
        program,
        kernels,
        run,
    )
    semantic = replace(semantics.run, agreement=merged.agreement)
    assessment = assembly.build(cuda_source, ecosystem, semantic)
    if not excerpts:
        return assessment
    shown = ranked_findings(assessment)[:_MOST_EXCERPTS]
    return replace(assessment, excerpts=read_excerpts(inventory.root, shown))


def read_graph(settings: Settings, *, progress: Progress = no_progress) -> CodeGraph:
    """Build the graph of the code under ``settings.paths``.

    Raises:
        AssessError: a wrong path; nothing to read (exit code 3).
    """
    from migrate.facts.graph import build_graph, graph_rows  # noqa: PLC0415 - networkx is slow

    inventory = _discover(settings)
    facts = read_sources(inventory, settings, progress)
    third_party = _third_party(inventory, settings)
    joined = drop_own_names(facts, third_party)
    ecosystem = _read_ecosystem(inventory)
    units = read_semantics(joined, ecosystem, inventory, settings, progress).units
    files = settle_states(_merge(joined, units, third_party).files, third_party)
    return graph_rows(build_graph(files, units))


def judge_code(
    files: Sequence[ClassifiedFile],
    project: Project,
    target: Target,
    program: Program,
    kernels: Sequence[KernelRow],
    *,
    rules: Sequence[Rule] = RULES,
) -> RuleRun:
    """Run rules over the files, with what the tables and the compiler say of them."""
    answers = {file.facts.path: file.answers for file in files}
    base = CodeBase(
        target,
        tuple(file.facts for file in files),
        lambda path, row: answers[path][row].verdict,
        program,
        kernels,
    )
    built = {file.facts.path for file in files if compiles_for_hip(file, project)}
    return run_rules(base, rules, built=built)


def _rules(settings: Settings) -> tuple[Rule, ...]:
    """The rules to ask: ours and the user's own, without the ignored."""
    root = settings.paths[0] if settings.tree_rules else None
    return chosen_rules(settings.ignore, load_own_rules(settings.rules, settings.tree_rules, root))


def _merge(
    files: Sequence[FileFacts], units: Sequence[UnitFacts], third_party: frozenset[str]
) -> Merged:
    mapped = find_mapped_names(files, IncludeGraph(files), third_party) if units else {}
    return merge_answers(files, units, load_tables(), mapped)


def _third_party(inventory: Inventory, settings: Settings) -> frozenset[str]:
    if settings.include_vendored:
        return frozenset()
    return frozenset(file.path for file in inventory.sources if file.vendored)


def _read_ecosystem(inventory: Inventory) -> tuple[EcosystemFacts, ...]:
    files = read_ecosystem_files(
        inventory.root, [file for file in inventory.sources if not file.language.c_family]
    )
    return with_branches_around(files)


def _discover(settings: Settings) -> Inventory:
    inventory = discover_sources(
        settings.paths,
        include=settings.include,
        exclude=settings.exclude,
        max_file_bytes=settings.max_file_bytes,
    )
    if not inventory.sources:
        raise _nothing_to_assess(settings, inventory)
    return inventory


def _nothing_to_assess(settings: Settings, inventory: Inventory) -> AssessError:
    where = ", ".join(str(path) for path in settings.paths)
    reasons = skip_reasons(inventory.skipped)[:_REASONS_NAMED]
    read = "; ".join(f"{reason} ({count})" for reason, count in reasons)
    return AssessError(
        f"no readable source of a known kind under {where}",
        slug="nothing-to-assess",
        hint=f"Left out: {read}." if read else "Is this the folder that holds the code?",
        code=ExitCode.NOTHING_TO_ASSESS,
    )


def _with_unread(
    inventory: Inventory, facts: Sequence[FileFacts], ecosystem: Sequence[EcosystemFacts]
) -> Inventory:
    """Move files whose reading failed from the sources to the skipped, with the reason."""
    errors = {file.path: file.error for file in facts if file.error}
    errors |= {file.path: file.error for file in ecosystem if file.error}
    if not errors:
        return inventory
    failed = tuple(
        Skipped(file.path, errors[file.path], candidate=True, size=file.size)
        for file in inventory.sources
        if file.path in errors
    )
    return replace(
        inventory,
        sources=tuple(file for file in inventory.sources if file.path not in errors),
        skipped=tuple(
            sorted((*inventory.skipped, *failed), key=lambda row: (row.path, row.reason))
        ),
    )


def _cuda_version(
    settings: Settings, ecosystem: Sequence[EcosystemFacts]
) -> tuple[CudaVersion | None, str]:
    if settings.cuda is not None:
        return CudaVersion.parse(settings.cuda), "option"
    _, starts = root_and_starts(settings.paths)
    found = cuda_version_from(ecosystem, starts)
    return found if found is not None else (None, "default")
