"""Dockerfiles and Apptainer definitions: images by stage, packages, variables and tools."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from migrate.model.signals import Kind, Signal
from migrate.model.verdict import State
from migrate.parse.ecosystem.command_lines import nvcc_signals, setting_of_nvcc
from migrate.parse.ecosystem.packages import image_signals, is_rocm_image
from migrate.parse.ecosystem.shell import (
    logical_lines,
    script_lines,
    shell_signals,
    variable_signals,
)
from migrate.parse.ecosystem.words import rocm_word_in

_INSTRUCTION = re.compile(r"\s*(?:ONBUILD\s+)?([A-Za-z]+)\s+(.*)", re.DOTALL | re.IGNORECASE)
_FROM = re.compile(r"(?:--platform=\S+\s+)?(\S+)(?:\s+[aA][sS]\s+(\S+))?")
_COPY_FROM = re.compile(r"--from=(\S+)")
_REFERENCE = re.compile(r"\$\{(\w+):-([^{}]*)\}|\$\{(\w+)\}|\$(\w+)")
_ASSIGNMENT = re.compile(r"(?<!\S)([A-Za-z_][A-Za-z0-9_]*)(?:=|\s+)(\"[^\"]*\"|'[^']*'|\S*)")
_HERE_DOCUMENT = re.compile(r"<<-?[\"']?([A-Za-z_]\w*)")
_DEFINITION = re.compile(r"\s*bootstrap\s*:", re.IGNORECASE)
_HEADER = re.compile(r"\s*from\s*:\s*(\S+)", re.IGNORECASE)
_SECTION = re.compile(r"\s*%(\w+)")
_COMMANDS = frozenset(("post", "environment", "runscript", "startscript", "test", "setup"))
_CUDA_KINDS = frozenset((Kind.CUDA_VERSION, Kind.SYSTEM_PACKAGE, Kind.CUDA_ARCH, Kind.LINK))
_LONGEST_VALUE = 300


def read_docker(text: str) -> Iterator[Signal]:
    """Yield what a Dockerfile says; it counts as a published image where it brings CUDA in.

    A stage that is built on an image of ROCm is ``hip``.
    """
    found = list(_definition(text) if _is_definition(text) else _Dockerfile().read(text))
    yield from found
    cuda = next((one.line for one in found if _is_cuda(one)), 0)
    if cuda:
        yield Signal(Kind.PACKAGE, "image", cuda)


@dataclass(slots=True)
class _Dockerfile:
    """The instructions read so far: values of arguments, stages and what they are built on."""

    arguments: dict[str, str] = field(default_factory=dict)
    stages: dict[str, State] = field(default_factory=dict)
    state: State = State.ACTIVE

    def read(self, text: str) -> Iterator[Signal]:
        """Yield what every instruction says."""
        here, word = "", ""
        for line, content in logical_lines(text):
            if here:
                if content.strip() == here:
                    here = ""
                elif word == "RUN":
                    yield from self._in_stage(_commands(content, line))
                continue
            match = _INSTRUCTION.match(content)
            if match is None or content.lstrip().startswith("#"):
                continue
            word, rest = match[1].upper(), match[2].strip()
            opened = _HERE_DOCUMENT.search(rest) if word in {"RUN", "COPY", "ADD"} else None
            here = opened[1] if opened else ""
            yield from self._instruction(word, rest, line)

    def _instruction(self, word: str, rest: str, line: int) -> Iterator[Signal]:
        if word == "FROM":
            yield from self._base(rest, line)
        elif word in {"ARG", "ENV"}:
            yield from self._in_stage(self._assigned(word, rest, line))
        elif word in {"RUN", "CMD", "ENTRYPOINT"}:
            yield from self._in_stage(_commands(rest, line))
        elif word in {"COPY", "ADD"} and (source := _COPY_FROM.search(rest)):
            yield from self._in_stage(self._copied(source[1], line))

    def _in_stage(self, signals: Iterator[Signal]) -> Iterator[Signal]:
        for signal in signals:
            yield replace(signal, state=self.state)

    def _assigned(self, word: str, rest: str, line: int) -> Iterator[Signal]:
        for assigned in _ASSIGNMENT.finditer(rest):
            name, value = assigned[1], self._expanded(assigned[2].strip("\"'"))
            if word == "ARG" and value:
                self.arguments[name] = value[:_LONGEST_VALUE]
            yield from variable_signals(name, value, line)
            yield from setting_of_nvcc(name, value, line)

    def _base(self, rest: str, line: int) -> Iterator[Signal]:
        match = _FROM.match(rest)
        if match is None:
            return
        image = self._expanded(match[1])
        known = self.stages.get(image.lower())
        self.state = known or (State.HIP if is_rocm_image(image) else State.ACTIVE)
        if match[2]:
            self.stages[match[2].lower()] = self.state
        if known is not None or image == "scratch":
            return
        yield from self._in_stage(image_signals(image, line))
        if is_rocm_image(image):
            yield Signal(Kind.HIP, image, line)

    def _copied(self, source: str, line: int) -> Iterator[Signal]:
        """Yield an image that files are copied from; a stage's name or number is none."""
        image = self._expanded(source)
        if image.lower() not in self.stages and ("/" in image or ":" in image):
            yield from image_signals(image, line)

    def _expanded(self, text: str) -> str:
        return _REFERENCE.sub(
            lambda one: self.arguments.get(one[1] or one[3] or one[4], one[2] or one[0]), text
        )


def _commands(text: str, line: int) -> Iterator[Signal]:
    yield from shell_signals(text, line)
    yield from nvcc_signals(line, text)
    if rocm := rocm_word_in(text):
        yield Signal(Kind.HIP, rocm, line)


def _is_definition(text: str) -> bool:
    """Whether a text is an Apptainer definition, by its first header."""
    lines = (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
    return _DEFINITION.match(next(lines, "")) is not None


def _definition(text: str) -> Iterator[Signal]:
    """Yield what an Apptainer definition says."""
    section = ""
    for line, content in script_lines(text):
        named, header = _SECTION.match(content), _HEADER.match(content)
        if named is not None:
            section = named[1].lower()
        elif header is not None and not section:
            yield from image_signals(header[1], line)
            if is_rocm_image(header[1]):
                yield Signal(Kind.HIP, header[1], line)
        elif section in _COMMANDS:
            yield from _commands(content, line)


def _is_cuda(signal: Signal) -> bool:
    if signal.kind is Kind.IMAGE:
        return re.search(r"nvidia|cuda|nvcr\.io", signal.value) is not None
    return signal.kind in _CUDA_KINDS
