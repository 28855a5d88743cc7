"""The C-family files of a tree read; twice where only the tree explains a macro they ask for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from migrate.facts.includes import IncludeGraph
from migrate.facts.inference import NOTHING_INFERRED, InferredMacros, infer_macros
from migrate.facts.ownership import own_libraries
from migrate.facts.shims import find_mapped_names
from migrate.model.facts import FileFacts
from migrate.model.signals import EcosystemFacts, Kind
from migrate.model.source import Inventory, SourceFile
from migrate.parse.definitions import learn_words
from migrate.parse.macros import ProjectMacros
from migrate.parse.workers import parse_files
from migrate.progress import Progress
from migrate.settings import Settings

_ROUNDS = 3
"""A macro may be defined under another that had to be inferred first; deeper chains are rare."""


def read_sources(
    inventory: Inventory,
    settings: Settings,
    progress: Progress,
    ecosystem: Sequence[EcosystemFacts] = (),
) -> list[FileFacts]:
    """Read every C-family file of an inventory, and the CUDA that others hold, in its order.

    A file is read again where the tree tells on which platform a macro of its conditions is
    defined (``migrate.facts.inference``).
    """
    reader = _Reader(inventory, settings, progress, ecosystem)
    facts = reader.read(reader.sources, NOTHING_INFERRED)
    known: dict[str, InferredMacros] = {}
    for _ in range(_ROUNDS):
        groups = _newly_explained(facts, known, reader.third_party)
        for inferred, numbers in groups.items():
            again = reader.read([reader.sources[number] for number in numbers], inferred)
            for number, file in zip(numbers, again, strict=True):
                facts[number] = file
        if not groups:
            break
    return facts


class _Reader:
    """Reads files of one tree with the project's macros; reports progress over all of them."""

    def __init__(
        self,
        inventory: Inventory,
        settings: Settings,
        progress: Progress,
        ecosystem: Sequence[EcosystemFacts],
    ) -> None:
        self._root = inventory.root
        self._jobs = settings.jobs
        self._progress = progress
        self._done = 0
        holders = _holders(ecosystem)
        self.sources = [
            file for file in inventory.sources if file.language.c_family or file.path in holders
        ]
        self._macros = ProjectMacros(
            frozenset(settings.hip_macros),
            frozenset(settings.cuda_macros),
            words=learn_words(
                inventory.root, [file for file in self.sources if file.language.c_family]
            ),
        )
        self.third_party = frozenset(file.path for file in self.sources if file.vendored)
        self._own = own_libraries(
            file.path for file in self.sources if settings.include_vendored or not file.vendored
        )
        progress("reading", 0, len(self.sources))

    def read(self, files: Sequence[SourceFile], inferred: InferredMacros) -> list[FileFacts]:
        """The facts of files, in their order."""
        macros = replace(
            self._macros,
            inferred_platform=inferred.platform,
            inferred_hip=inferred.hip,
            inferred_cuda=inferred.cuda,
            always_hip=inferred.always_hip,
        )
        return list(
            parse_files(
                self._root,
                files,
                macros,
                jobs=self._jobs,
                own=self._own,
                progress=self._advance,
            )
        )

    def _advance(self, count: int) -> None:
        self._done += count
        self._progress("reading", min(self._done, len(self.sources)), len(self.sources))


def _holders(ecosystem: Sequence[EcosystemFacts]) -> frozenset[str]:
    """The files of another language that hold CUDA."""
    return frozenset(
        file.path
        for file in ecosystem
        if any(signal.kind is Kind.CUDA_TEXT for signal in file.signals)
    )


def _newly_explained(
    facts: Sequence[FileFacts], known: dict[str, InferredMacros], third_party: frozenset[str]
) -> dict[InferredMacros, list[int]]:
    """The files of which more is known than before, by what is known; ``known`` is brought up."""
    graph = IncludeGraph(facts)
    found = infer_macros(facts, graph, find_mapped_names(facts, graph, third_party))
    groups: dict[InferredMacros, list[int]] = defaultdict(list)
    for number, file in enumerate(facts):
        before = known.get(file.path, NOTHING_INFERRED)
        now = before | found.get(file.path, NOTHING_INFERRED)
        if now != before:
            known[file.path] = now
            groups[now].append(number)
    return groups
