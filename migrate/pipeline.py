"""The one module that knows the order of the stages: from paths to an assessment."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace

from migrate.assembly import Assembly
from migrate.classify.resolver import Resolver
from migrate.classify.uses import classify_files
from migrate.discover.inventory import discover_sources, root_and_starts
from migrate.errors import AssessError, ExitCode
from migrate.estimate.coefficients import load_coefficients
from migrate.excerpts import read_excerpts
from migrate.facts.includes import IncludeGraph
from migrate.facts.inference import NOTHING_INFERRED, InferredMacros, infer_macros
from migrate.facts.join import join_facts
from migrate.facts.ownership import own_libraries
from migrate.facts.project import cuda_version_from, join_project
from migrate.facts.shims import find_mapped_names
from migrate.knowledge.apis import load_tables
from migrate.knowledge.archs import parse_arch
from migrate.knowledge.releases import parse_release
from migrate.model.assessment import Assessment
from migrate.model.facts import FileFacts
from migrate.model.signals import EcosystemFacts
from migrate.model.source import Inventory, Skipped, SourceFile
from migrate.model.target import CudaVersion, Target
from migrate.parse.ecosystem.reader import read_ecosystem_files
from migrate.parse.macros import ProjectMacros
from migrate.parse.workers import parse_files
from migrate.report.ranking import ranked_findings, skip_reasons
from migrate.settings import Settings

_MOST_EXCERPTS = 1000
_REASONS_NAMED = 3
_MACRO_ROUNDS = 3
"""A macro may be defined under another that had to be inferred first; deeper chains are rare."""

Progress = Callable[[str, int, int], None]
"""Called with a stage's name, how much of it is done, and how much there is."""


def no_progress(_stage: str, _done: int, _total: int) -> None:
    """Report progress to nobody."""


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
    inventory = discover_sources(
        settings.paths,
        include=settings.include,
        exclude=settings.exclude,
        max_file_bytes=settings.max_file_bytes,
    )
    if not inventory.sources:
        raise _nothing_to_assess(settings, inventory)
    facts = _read_sources(inventory, settings, progress)
    ecosystem = read_ecosystem_files(
        inventory.root, [file for file in inventory.sources if not file.language.c_family]
    )
    inventory = _with_unread(inventory, facts, ecosystem)
    if not inventory.sources:
        raise _nothing_to_assess(settings, inventory)
    vendored = frozenset(file.path for file in inventory.sources if file.vendored)
    files = join_facts(facts, vendored, include_vendored=settings.include_vendored)
    cuda, cuda_source = _cuda_version(settings, ecosystem)
    target = Target(rocm, archs, cuda)
    third_party = frozenset() if settings.include_vendored else vendored
    classified = classify_files(files, Resolver(load_tables(), target), third_party)
    project = join_project(ecosystem, inventory.sources, files)
    assembly = Assembly(settings, inventory, target, classified, project, coefficients)
    assessment = assembly.build(cuda_source, ecosystem)
    if not excerpts:
        return assessment
    shown = ranked_findings(assessment)[:_MOST_EXCERPTS]
    return replace(assessment, excerpts=read_excerpts(inventory.root, shown))


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


def _read_sources(inventory: Inventory, settings: Settings, progress: Progress) -> list[FileFacts]:
    """Read the C-family files; those again that ask for a macro which only the tree explains."""
    sources = [file for file in inventory.sources if file.language.c_family]
    macros = ProjectMacros(frozenset(settings.hip_macros), frozenset(settings.cuda_macros))
    own = own_libraries(
        source.path for source in sources if settings.include_vendored or not source.vendored
    )
    done = 0

    def advance(count: int) -> None:
        nonlocal done
        done += count
        progress("reading", min(done, len(sources)), len(sources))

    def read(files: Sequence[SourceFile], macros: ProjectMacros) -> list[FileFacts]:
        return list(
            parse_files(
                inventory.root, files, macros, jobs=settings.jobs, own=own, progress=advance
            )
        )

    progress("reading", 0, len(sources))
    facts = read(sources, macros)
    third_party = frozenset(source.path for source in sources if source.vendored)
    known: dict[str, InferredMacros] = {}
    for _ in range(_MACRO_ROUNDS):
        graph = IncludeGraph(facts)
        mapped = find_mapped_names(facts, graph, third_party)
        found = infer_macros(facts, graph, mapped)
        groups: dict[InferredMacros, list[int]] = defaultdict(list)
        for number, file in enumerate(facts):
            new = known.get(file.path, NOTHING_INFERRED) | found.get(file.path, NOTHING_INFERRED)
            if new != known.get(file.path, NOTHING_INFERRED):
                known[file.path] = new
                groups[new].append(number)
        for inferred, numbers in groups.items():
            again = read([sources[number] for number in numbers], _with_inferred(macros, inferred))
            for number, file in zip(numbers, again, strict=True):
                facts[number] = file
        if not groups:
            break
    return facts


def _with_inferred(macros: ProjectMacros, inferred: InferredMacros) -> ProjectMacros:
    return replace(
        macros,
        inferred_hip=inferred.hip,
        inferred_cuda=inferred.cuda,
        always_hip=inferred.always_hip,
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
