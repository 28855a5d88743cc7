"""Reads the files around the code and gives each to the reader of its kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from migrate.model.signals import EcosystemFacts, Signal
from migrate.model.source import Language, SourceFile
from migrate.model.vendor import is_for_rocm
from migrate.model.verdict import State
from migrate.parse.ecosystem.bindings import read_binding_code, read_binding_manifest
from migrate.parse.ecosystem.ci import ci_system, read_shell, read_yaml
from migrate.parse.ecosystem.cmake import read_cmake
from migrate.parse.ecosystem.docker import read_docker
from migrate.parse.ecosystem.fortran import read_fortran
from migrate.parse.ecosystem.make import read_make, read_other_build
from migrate.parse.ecosystem.offload import offload_signals
from migrate.parse.ecosystem.python import UnreadableError, read_notebook, read_python
from migrate.parse.ecosystem.recipes import recipe_signals
from migrate.parse.ecosystem.requirements import read_requirements, read_toml
from migrate.parse.ecosystem.settings import setting_signals
from migrate.parse.lines import hash_of_line
from migrate.treefile import decode_text, read_regular_file

_TEMPLATE = re.compile(r"\.(?:in|template|templ|tmpl|tpl|jinja2?|j2|mako)$")
_GOES_ON = re.compile(r"\\\s*$|^\s*#")
_LONGEST_COMMAND = 200
_LARGEST = 2_000_000
_LARGE_KINDS = frozenset({Language.PYTHON, Language.NOTEBOOK, Language.FORTRAN})
_FOR_A_VENDOR = frozenset({Language.DOCKER, Language.SHELL, Language.YAML})
_BUILT_BY_LINE = frozenset(
    (
        *(Language.CMAKE, Language.MAKE, Language.SHELL, Language.DOCKER, Language.YAML),
        Language.OTHER_BUILD,
    )
)
_Reader = Callable[[str, str], Iterable[Signal]]


def _any_build(path: str, text: str) -> Iterable[Signal]:
    return read_yaml(path, text) if ci_system(path) else read_other_build(path, text)


_READERS: dict[Language, _Reader] = {
    Language.CMAKE: read_cmake,
    Language.MAKE: lambda _path, text: read_make(text),
    Language.PYTHON: read_python,
    Language.NOTEBOOK: read_notebook,
    Language.DOCKER: lambda _path, text: read_docker(text),
    Language.SHELL: read_shell,
    Language.REQUIREMENTS: read_requirements,
    Language.TOML: read_toml,
    Language.YAML: read_yaml,
    Language.OTHER_BUILD: _any_build,
    Language.FORTRAN: read_fortran,
    Language.OTHER_CODE: read_binding_code,
}


def _signals(path: str, language: Language, text: str) -> Iterator[Signal]:
    """What the reader of a file's kind takes from it, and what any file of such kinds may say."""
    yield from _READERS[language](path, text)
    if language in _BUILT_BY_LINE:
        yield from offload_signals(text)
    if language in _BUILT_BY_LINE or language is Language.PYTHON:
        yield from recipe_signals(path, text)
    if language in {Language.TOML, Language.OTHER_BUILD}:
        yield from read_binding_manifest(path, text)


def read_ecosystem_files(root: str, files: Sequence[SourceFile]) -> tuple[EcosystemFacts, ...]:
    """Read files of every kind but the C family's, in the order given.

    A file that cannot be read, or is not what its name says, comes back with ``error`` set.
    """
    return tuple(_read_file(root, file) for file in files if file.language in _READERS)


def read_ecosystem(path: str, language: Language, text: str) -> EcosystemFacts:
    """Return what one file says; ``error`` is set where it is not what its name says."""
    if language not in _READERS:
        return EcosystemFacts(path=path, language=language)
    if len(text) > _LARGEST and language not in _LARGE_KINDS:
        return EcosystemFacts(
            path=path, language=language, error="too large for a file of its kind"
        )
    try:
        signals = placed(_said(path, language, text), text)
    except UnreadableError as error:
        if _TEMPLATE.search(path):
            return EcosystemFacts(path=path, language=language)
        return EcosystemFacts(path=path, language=language, error=str(error))
    except RecursionError:
        return EcosystemFacts(path=path, language=language, error="nested too deeply")
    lines = len(text.splitlines()) if language is Language.FORTRAN else 0
    return EcosystemFacts(path=path, language=language, signals=signals, lines=lines)


def _said(path: str, language: Language, text: str) -> set[Signal]:
    """What a file says; one for ROCm by its name says it in its branch for HIP."""
    signals = {*_signals(path, language, text), *setting_signals(text)}
    if language not in _FOR_A_VENDOR or not is_for_rocm(path):
        return signals
    return {replace(one, state=State.HIP) if one.state is State.ACTIVE else one for one in signals}


def placed(signals: Iterable[Signal], text: str) -> tuple[Signal, ...]:
    """Give signals their columns and their lines' hashes.

    What is said on a line that goes on over backslashes stands where its value is.
    """
    lines = text.splitlines()
    continued = _Continued(lines)
    in_order = sorted(signals, key=lambda signal: signal.line)
    return tuple(sorted(_placed(signal, lines, continued) for signal in in_order))


def _placed(signal: Signal, lines: Sequence[str], continued: _Continued) -> Signal:
    if signal.line > len(lines):
        return signal
    number = continued.line_with(signal.value, signal.line)
    line = lines[number - 1]
    at = line.find(signal.value)
    column = at if at >= 0 else len(line) - len(line.lstrip())
    if signal.column > 1:
        number, line, column = signal.line, lines[signal.line - 1], signal.column - 1
    return replace(
        signal,
        line=number,
        column=column + 1,
        line_hash=hash_of_line(line.encode(errors="replace")),
    )


class _Continued:
    """The lines of a file, and on which of those that one goes on over a word stands.

    Asked in the order of lines, so that none is searched twice for a word.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._searched: dict[str, int] = {}

    def line_with(self, word: str, first: int) -> int:
        """The line of a word among those that ``first`` goes on over, itself if on none."""
        lines = self._lines
        if word in lines[first - 1] or not lines[first - 1].rstrip().endswith("\\"):
            return first
        last = min(self._last[first - 1], first + _LONGEST_COMMAND)
        number = max(first, self._searched.get(word, 0))
        while number < last and word not in lines[number - 1]:
            number += 1
        self._searched[word] = number
        return number if word in lines[number - 1] else first

    @cached_property
    def _last(self) -> list[int]:
        """The last line that each goes on over."""
        last = list(range(1, len(self._lines) + 1))
        for number in range(len(last) - 1, 0, -1):
            if _GOES_ON.search(self._lines[number - 1]):
                last[number - 1] = last[number]
        return last


def _read_file(root: str, file: SourceFile) -> EcosystemFacts:
    try:
        data = read_regular_file(root, file.path)
    except OSError as error:
        reason = error.strerror or str(error)
        facts = EcosystemFacts(path=file.path, language=file.language, error=reason)
    else:
        facts = read_ecosystem(file.path, file.language, decode_text(data))
    return replace(facts, vendored=file.vendored, test=file.test)
