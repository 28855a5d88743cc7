"""The files around the code as files that rules can ask: build files, containers, scripts."""

from __future__ import annotations

from collections.abc import Iterable

from migrate.model.facts import FileFacts
from migrate.model.signals import EcosystemFacts


def project_files(ecosystem: Iterable[EcosystemFacts]) -> tuple[FileFacts, ...]:
    """The facts of every file that says something, in order of path."""
    said = sorted((file for file in ecosystem if file.signals), key=lambda file: file.path)
    return tuple(
        FileFacts(path=file.path, language=file.language, lines=file.lines, signals=file.signals)
        for file in said
    )
