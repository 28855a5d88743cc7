"""The files around the code as files that rules can ask: build files, containers, scripts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from migrate.model.facts import FileFacts
from migrate.model.signals import EcosystemFacts, Signal
from migrate.model.source import Language
from migrate.model.vendor import is_for_cuda, is_for_rocm, without_vendor
from migrate.model.verdict import State

_BUILD_FILES = frozenset({Language.CMAKE, Language.MAKE, Language.OTHER_BUILD})
_OF_A_VENDOR = _BUILD_FILES | frozenset(
    {
        *(Language.DOCKER, Language.SHELL, Language.YAML),
        *(Language.REQUIREMENTS, Language.TOML, Language.PYTHON),
    }
)


def with_signals(
    code: Sequence[FileFacts], ecosystem: Iterable[EcosystemFacts]
) -> tuple[FileFacts, ...]:
    """The code's files and after them, in order of path, every other file that says something.

    A file that holds code among other text, as a Python file with kernels, is one file. What a
    file says for CUDA is ``ported`` where one of the same name for ROCm stands beside it; a build
    file has to name CUDA for that.
    """
    files = sorted(ecosystem, key=lambda file: file.path)
    ported = {
        (file.language, without_vendor(file.path))
        for file in files
        if file.language in _OF_A_VENDOR and is_for_rocm(file.path)
    }
    said = {file.path: file for file in files if file.signals}
    both = tuple(
        _joined(file, said.pop(file.path), ported) if file.path in said else file for file in code
    )
    others = (
        _joined(FileFacts(path=file.path, language=file.language, lines=file.lines), file, ported)
        for file in said.values()
    )
    return (*both, *others)


def _joined(code: FileFacts, file: EcosystemFacts, ported: set[tuple[Language, str]]) -> FileFacts:
    return replace(code, signals=_signals(file, ported), test=file.test)


def _signals(file: EcosystemFacts, ported: set[tuple[Language, str]]) -> tuple[Signal, ...]:
    if (file.language, without_vendor(file.path)) not in ported:
        return file.signals
    if file.language in _BUILD_FILES and not is_for_cuda(file.path):
        return file.signals
    return tuple(
        replace(one, state=State.PORTED) if one.state is State.ACTIVE else one
        for one in file.signals
    )
