"""The files around the code as files that rules can ask: build files, containers, scripts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from migrate.model.facts import FileFacts
from migrate.model.signals import EcosystemFacts, Signal
from migrate.model.source import Language
from migrate.model.vendor import is_for_rocm, without_vendor
from migrate.model.verdict import State

_OF_A_VENDOR = frozenset({Language.DOCKER, Language.SHELL, Language.YAML})


def project_files(ecosystem: Iterable[EcosystemFacts]) -> tuple[FileFacts, ...]:
    """The facts of every file that says something, in order of path.

    What a container or script says for CUDA is ``ported`` where one of the same name for ROCm
    stands beside it.
    """
    files = sorted(ecosystem, key=lambda file: file.path)
    ported = {
        without_vendor(file.path)
        for file in files
        if file.language in _OF_A_VENDOR and is_for_rocm(file.path)
    }
    return tuple(
        FileFacts(
            path=file.path, language=file.language, lines=file.lines, signals=_signals(file, ported)
        )
        for file in files
        if file.signals
    )


def _signals(file: EcosystemFacts, ported: set[str]) -> tuple[Signal, ...]:
    if file.language not in _OF_A_VENDOR or without_vendor(file.path) not in ported:
        return file.signals
    return tuple(
        replace(one, state=State.PORTED) if one.state is State.ACTIVE else one
        for one in file.signals
    )
