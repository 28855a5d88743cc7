"""The text of CMake files: commands, their arguments, what stands in generator expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"(?P<bracket>\#?\[=*\[)"
    r"|\#[^\n]*"
    r'|"(?P<quoted>(?:[^"\\]|\\.)*+)"'
    r"|(?P<parenthesis>[()])"
    r'|(?P<word>(?:[^\s()"#\\]|\\.)++)',
    re.DOTALL,
)
_CONTINUED = re.compile(r"\\\n")
_GENERATOR = re.compile(r"\$<|>|[^$>]+|\$")
_LANGUAGE = re.compile(
    r"(?:COMPILE_LANGUAGE|COMPILE_LANG_AND_ID|LINK_LANGUAGE|LINK_LANG_AND_ID):(.*)", re.DOTALL
)
_LOGIC = re.compile(r"(?:AND|OR|IF|BOOL|\d|\$)")
_DEEPEST = 40


@dataclass(frozen=True, slots=True)
class Command:
    """A command, its name in small letters; ``lines`` are those of its arguments.

    Parentheses within the arguments are left out.
    """

    name: str
    arguments: tuple[str, ...]
    line: int
    lines: tuple[int, ...] = ()


def commands_of(text: str) -> Iterator[Command]:
    """Yield the commands with their arguments; one that is not closed ends with the file."""
    name, line, depth = "", 1, 0
    arguments: list[str] = []
    lines: list[int] = []
    for kind, token, place in _tokens(text):
        if kind == "(":
            depth += 1
        elif kind == ")":
            depth = max(depth - 1, 0)
            if depth == 0 and name:
                yield Command(name, tuple(arguments), line, tuple(lines))
                name = ""
        elif depth:
            arguments.append(token)
            lines.append(place)
        else:
            name, arguments, lines, line = token.lower(), [], [], place
    if depth and name:
        yield Command(name, tuple(arguments), line, tuple(lines))


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield parentheses and arguments with their lines; comments are passed over."""
    at, line, counted = 0, 1, 0
    unclosed: set[str] = set()
    while (found := _TOKEN.search(text, at)) is not None:
        start, at = found.span()
        line += text.count("\n", counted, start)
        counted = start
        bracket = found["bracket"]
        if bracket is not None:
            comment, closing = bracket.startswith("#"), f"]{bracket.strip('#[')}]"
            end = -1 if closing in unclosed else text.find(closing, at)
            if end >= 0:
                if not comment:
                    yield "argument", text[at:end], line
                at = end + len(closing)
                continue
            unclosed.add(closing)
            newline = text.find("\n", at) if comment else at
            at = newline if newline >= 0 else len(text)
        elif found["parenthesis"] is not None:
            yield found["parenthesis"], "", line
        elif found["quoted"] is not None:
            yield "argument", _CONTINUED.sub(" \n", found["quoted"]), line
        elif found["word"] is not None:
            yield "argument", found["word"], line


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a command's arguments; ``language`` is that of the expression around it.

    It is ``CUDA`` or ``HIP`` for what only these are given, ``other`` for another language's, and
    "" where no language is asked for.
    """

    text: str
    line: int
    language: str


@dataclass(slots=True)
class _Frame:
    language: str = ""
    text: str = ""
    condition: str = ""


def pieces_of(command: Command) -> Iterator[Piece]:
    """Yield the arguments, cut where a generator expression begins or ends."""
    frames: list[_Frame] = []
    for argument, line in zip(command.arguments, command.lines, strict=True):
        if not frames and "$<" not in argument:
            yield Piece(argument, line, "")
            continue
        at = line
        for match in _GENERATOR.finditer(argument):
            token = match[0]
            if token == "$<":
                if len(frames) < _DEEPEST:
                    frames.append(_Frame(language=frames[-1].condition if frames else ""))
            elif token == ">" and frames:
                _close(frames)
            else:
                yield from _text(frames, token, at)
                at += token.count("\n")


def _text(frames: list[_Frame], token: str, line: int) -> Iterator[Piece]:
    if not frames:
        yield Piece(token, line, "")
        return
    frame = frames[-1]
    if not frame.text and (
        _LANGUAGE.match(token) or _LOGIC.match(token) or token.startswith("NOT:")
    ):
        frame.text = token
        return
    frame.text = frame.text or token
    language = frame.condition or frame.language
    yield Piece(token.removeprefix(":"), line, language)


def _close(frames: list[_Frame]) -> None:
    """End an expression; one that asks for a language tells the one around it."""
    frame = frames.pop()
    asked = _LANGUAGE.match(frame.text)
    language = _language(asked[1]) if asked else frame.condition
    if frame.text.startswith("NOT:") and language:
        language = "other" if language == "CUDA" else ""
    if frames and language and (asked or _LOGIC.match(frame.text) or frame.text.startswith("NOT:")):
        frames[-1].condition = frames[-1].condition or language


def _language(named: str) -> str:
    languages = set(named.split(","))
    if {"CUDA", "HIP"} <= languages:
        return ""
    return next((one for one in ("CUDA", "HIP") if one in languages), "other")
