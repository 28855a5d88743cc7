"""nvcc on command lines: where it is called or named, and the options that it is given."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.signals import Kind, Signal
from migrate.parse.ecosystem.nvcc_options import Word, names_nvcc, options_in, words_of

_ASSIGNMENT = re.compile(r"\s*(?:export\s+|override\s+|set\s+|local\s+)?([A-Za-z_]\w*)\s*[:+?]*=")
_FLAGS = re.compile(r"FLAGS?|OPTS?|OPTIONS|GENCODE|ARCH|SMS?$|NVCC", re.IGNORECASE)
_CALL = re.compile(
    r"\$[({]\w*NVCC(?:_(?:EXECUTABLE|COMPILER|BIN|CMD|PATH))?[)}]|\$NVCC\b"
    r"|[@-]*+(?:\$[({]\w+[)}])*+(?:[\w./~-]*/)?nvcc(?:\.exe)?"
)
_IS_NVCC = re.compile(
    r"[^=]*=\s*(?:\$\(shell\s+(?:which|command\s+-v)\s+|[\"'])?(?:[^\s\"']*/)?nvcc(?![\w.-])"
)
_PATTERN_RULE = re.compile(r"(?!\t)[^=:]*:(?!=)[^=]*%\.cu\b|\.cu\.\w+\s*:|\.SUFFIXES:[^=]*\.cu\b")
_TALK = frozenset({"echo", "printf", "which", "command", "type", "module"})
"""Commands that only speak of nvcc."""
_TALK_OF_MAKE = ("$(error", "$(warning", "$(info")
_ENDS = frozenset({"&&", "||", ";", "|"})
_DEFINED = re.compile(r"-D((?:CMAKE_)?CUDA_[A-Z_]+|CMAKE_CUDA_\w+|CUDAToolkit_ROOT)(?::\w+)?=")
_LONGEST_LINE = 20_000


def setting_of_nvcc(name: str, value: str, line: int) -> Iterator[Signal]:
    """Yield what a variable says of nvcc that is set in the way of its own of a kind of file."""
    yield from nvcc_signals(line, f'{name}="{value}"')


def logical_lines(text: str, comment: str) -> Iterator[tuple[int, str]]:
    """Yield lines with those that a backslash continues, their line breaks kept; no comments."""
    started, parts = 0, list[str]()
    length = 0
    for number, line in enumerate(text.splitlines(), start=1):
        content = (
            re.split(rf"(?:^|\s){re.escape(comment)}", line, maxsplit=1)[0] if comment else line
        )
        started = started or number
        continued = content.endswith("\\") and length < _LONGEST_LINE
        parts.append(content[:-1] if continued else content)
        length += len(content)
        if not continued:
            yield started, "\n".join(parts)
            started, parts, length = 0, [], 0
    if parts:
        yield started, "\n".join(parts)


def nvcc_signals(line: int, content: str) -> Iterator[Signal]:
    """Yield what one logical line says of nvcc and gives it."""
    if "-" not in content and "nvcc" not in content.lower() and ".cu" not in content:
        return
    words = list(words_of(content, line))
    assigned = _ASSIGNMENT.match(content)
    variable = assigned[1] if assigned else ""
    if variable and _IS_NVCC.match(content):
        yield Signal(Kind.NVCC, variable, line)
        yield from options_in(words, nvcc=True)
        return
    if variable and names_nvcc(variable) and _FLAGS.search(variable):
        yield from options_in(words, nvcc=True)
        return
    yield from _commands(words)
    if _PATTERN_RULE.match(content):
        yield Signal(Kind.NVCC, ".cu", line)
    for word, at in words:
        defined = _DEFINED.match(word)
        if defined:
            yield Signal(Kind.CUDA_VARIABLE, defined[1], at)


def _commands(words: list[Word]) -> Iterator[Signal]:
    """Yield options, those behind a call of nvcc up to the command's end as nvcc's."""
    command: list[Word] = []
    for word, line in words:
        if word in _ENDS:
            yield from _command(command)
            command = []
        else:
            command.append((word, line))
    yield from _command(command)


def _command(words: list[Word]) -> Iterator[Signal]:
    if not words or words[0][0].lstrip("@-") in _TALK:
        return
    if any(word.endswith(_TALK_OF_MAKE) for word, _ in words):
        return
    call = next((at for at, (word, _) in enumerate(words) if _CALL.fullmatch(word)), len(words))
    yield from options_in(words[:call], nvcc=False)
    if any(_is_input(word) for word, _ in words[call + 1 :]):
        yield Signal(Kind.NVCC, *words[call])
        yield from options_in(words[call + 1 :], nvcc=True)


def _is_input(word: str) -> bool:
    return (
        word in {"-c", "-o", "-dc", "-dlink", "-ptx", "-cubin", "-fatbin"}
        or word.endswith((".cu", ".o", ".cpp", ".cc", "$<", "$^", "$@"))
        or word.startswith(("$(", "${"))
    )
