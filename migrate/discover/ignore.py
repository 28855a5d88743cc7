"""Patterns in the form of .gitignore, with git's meaning, for a walk that prunes folders.

pathspec 1.1 is not used here: it answers for a path together with its parents, so that pruning by
its answer loses trees that are opened again (``*`` then ``!*/``), and its expressions can be made
to backtrack without end by a hostile pattern. These do not: each ``*`` matches once, leftmost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": r"\x21-\x7e",
    "lower": "a-z",
    "print": r"\x20-\x7e",
    "punct": r"!-\/:-@\[-`{-~",
    "space": r" \t\n\r\f\v",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_STAR = "*"
_NEVER = "(?!)"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rule:
    """One line: what it matches, and what becomes of the match."""

    expression: re.Pattern[str]
    negated: bool
    folders_only: bool
    by_name: bool


class PatternList:
    """The patterns of one file or option; the last one that matches decides."""

    __slots__ = ("_any_name", "_any_path", "_rules")

    def __init__(self, lines: Iterable[str]) -> None:
        rules = [rule for rule in map(_read_line, lines) if rule is not None]
        self._rules = tuple(reversed(rules))
        self._any_name = _union(rule for rule in rules if rule.by_name)
        self._any_path = _union(rule for rule in rules if not rule.by_name)

    def __bool__(self) -> bool:
        return bool(self._rules)

    def verdict(self, path: str, name: str, *, folder: bool) -> bool | None:
        """Return whether the patterns take ``path`` in, leave it out, or say nothing (None).

        ``path`` is relative to the folder of the patterns, ``name`` its last part. Only the path
        itself is asked for: a caller that prunes has asked for the parents before.
        """
        named = self._any_name is not None and self._any_name.fullmatch(name)
        pathed = self._any_path is not None and self._any_path.fullmatch(path)
        if not named and not pathed:
            return None
        for rule in self._rules:
            if rule.folders_only and not folder:
                continue
            if rule.expression.fullmatch(name if rule.by_name else path):
                return not rule.negated
        return None

    def takes(self, path: str) -> bool:
        """Return whether the patterns take in the file ``path`` or a folder that holds it."""
        parts = path.split("/")
        taken = False
        for depth, name in enumerate(parts, start=1):
            answer = self.verdict("/".join(parts[:depth]), name, folder=depth < len(parts))
            taken = taken if answer is None else answer
        return taken


def _union(rules: Iterable[_Rule]) -> re.Pattern[str] | None:
    expressions = list(dict.fromkeys(rule.expression.pattern for rule in rules))
    if not expressions:
        return None
    return re.compile("|".join(f"(?:{text})" for text in expressions), re.DOTALL)


def _read_line(line: str) -> _Rule | None:
    """Read one line as git does: comments, ``!``, trailing spaces and slash, anchoring."""
    text = _trim(line.removesuffix("\n").removesuffix("\r"))
    if not text or text.startswith("#"):
        return None
    negated = text.startswith("!")
    text = _ESCAPED.sub(lambda match: "/" if match[1] == "/" else match[0], text[negated:])
    folders_only = text.endswith("/")
    text = text[: len(text) - folders_only]
    if not text:
        return None
    by_name = "/" not in text
    expression = _segment(text) if by_name else _path(text.removeprefix("/"))
    return _Rule(
        expression=re.compile(expression, re.DOTALL),
        negated=negated,
        folders_only=folders_only,
        by_name=by_name,
    )


def _trim(text: str) -> str:
    """Drop trailing spaces that no backslash keeps."""
    bare = text.rstrip(" ")
    backslashes = len(bare) - len(bare.rstrip("\\"))
    return bare + " " if backslashes % 2 and len(bare) < len(text) else bare


def _path(text: str) -> str:
    """Translate a pattern with slashes; ``**`` as a whole part stands for any folders."""
    groups: list[list[str]] = [[]]
    for part in text.split("/"):
        if part == "**":
            groups.append([])
        else:
            groups[-1].append(_segment(part))
    first, *rest = groups
    if not rest:
        return "/".join(first)
    result = "".join(f"{part}/" for part in first)
    for group in rest[:-1]:
        if group:
            result += f"(?>(?:[^/]+/)*?{'/'.join(group)}/)"
    if rest[-1]:
        return f"{result}(?:[^/]+/)*{'/'.join(rest[-1])}"
    return f"{result}.+"


def _segment(text: str) -> str:
    """Translate a pattern without slashes.

    All parts but the last are matched leftmost and kept (atomic groups): that finds a match where
    there is one, and never backtracks over more than one star.
    """
    tokens = _tokens(text)
    if tokens is None:
        return _NEVER
    pieces: list[str] = [""]
    for token in tokens:
        if token != _STAR:
            pieces[-1] += token
        elif pieces[-1] or len(pieces) == 1:
            pieces.append("")
    first, *rest = pieces
    middle = "".join(f"(?>[^/]*?{piece})" for piece in rest[:-1])
    last = f"[^/]*{rest[-1]}" if rest else ""
    return first + middle + last


def _tokens(text: str) -> list[str] | None:
    """Split a pattern into single-character expressions and stars; None: it can never match."""
    tokens: list[str] = []
    at = 0
    while at < len(text):
        char = text[at]
        at += 1
        if char == "*":
            tokens.append(_STAR)
        elif char == "?":
            tokens.append("[^/]")
        elif char == "[":
            bracket = _bracket(text, at)
            if bracket is None:
                return None
            token, at = bracket
            tokens.append(token)
        elif char == "\\":
            if at == len(text):
                return None
            tokens.append(re.escape(text[at]))
            at += 1
        else:
            tokens.append(re.escape(char))
    return tokens


def _bracket(text: str, at: int) -> tuple[str, int] | None:
    """Translate ``[...]`` whose content starts at ``at``; None where it is not closed."""
    negated = text[at : at + 1] in {"!", "^"}
    at += negated
    members: list[str] = []
    first = True
    while at < len(text):
        char = text[at]
        if char == "]" and not first:
            return _character_set(members, negated=negated), at + 1
        first = False
        if text.startswith("[:", at):
            end = text.find(":]", at + 2)
            name = text[at + 2 : end] if end >= 0 else ""
            if end >= 0 and name in _CLASSES:
                members.append(_CLASSES[name])
                at = end + 2
                continue
            if end >= 0:
                return None
        member = _member(text, at)
        if member is None:
            return None
        low, at = member
        if text[at : at + 1] == "-" and text[at + 1 : at + 2] not in {"", "]"}:
            upper = _member(text, at + 1)
            if upper is None:
                return None
            high, at = upper
            if low <= high:
                members.append(f"{re.escape(low)}-{re.escape(high)}")
        else:
            members.append(re.escape(low))
    return None


def _member(text: str, at: int) -> tuple[str, int] | None:
    """Return the character at ``at``, a backslash taken off, and the place after it."""
    if text[at] == "\\":
        at += 1
        if at == len(text):
            return None
    return text[at], at + 1


def _character_set(members: list[str], *, negated: bool) -> str:
    if not members:
        return "[^/]" if negated else _NEVER
    inside = "".join(members)
    return f"[^/{inside}]" if negated else f"(?!/)[{inside}]"
