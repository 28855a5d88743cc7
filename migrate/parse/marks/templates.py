"""Templates that clang wants said in full: specialisations, dependent calls; own min and max."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.verdict import Side
from migrate.parse.brackets import skip_template_arguments
from migrate.parse.heads import HeadName, describe_head, function_head, is_macro
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_TEMPLATE = re.compile(rb"template\s*(?=<)")
_EMPTY = re.compile(rb"<\s*>")
_HEAD_END = re.compile(rb"[{;]")
_LONGEST_HEAD = 1500
_TEMPLATE_AT_END = re.compile(rb"\btemplate\s*$")
_NAME_AT_END = re.compile(rb"[A-Za-z_]\w*\s*$")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_HEADS = 2000
"""So many template heads of a file are looked at."""

_MEMBER = re.compile(
    rb"(::|\.|->)\s*+(?!template\b)([A-Za-z_]\w*+)\s*+(?=<(?![<=])[^;{}]{1,200}?>\s*+\()"
)
_QUALIFIER = re.compile(rb"([A-Za-z_]\w{0,100}|>)\s{0,20}$")
_CALLED = re.compile(rb"\s*\(")
_LONGEST_TYPE = 1000
_OWN = re.compile(
    rb"template\s*<\s*(?:typename|class)\s+(\w+)\s*>\s*"
    rb"((?:[A-Za-z_]\w*\s+){1,8})(min|max)\s*"
    rb"\(\s*(?:const\s+)?(\w+)(?:\s+const)?\s+\w+\s*,"
    rb"\s*(?:const\s+)?(\w+)(?:\s+const)?\s+\w+\s*\)\s*\{"
)


def _heads(text: MarkText) -> Iterator[tuple[int, bool, bytes]]:
    """Where each template's head begins, whether it is a specialisation, and its function head."""
    masked = text.masked
    for number, match in enumerate(text.matches(_TEMPLATE, b"template")):
        if number >= _HEADS:
            return
        behind = skip_template_arguments(masked, match.end())
        end = _HEAD_END.search(masked, behind, behind + _LONGEST_HEAD) if behind >= 0 else None
        if end is not None:
            special = _EMPTY.match(masked, match.end()) is not None
            yield match.start(), special, masked[behind : end.start()]


def _find_specialisations(text: MarkText) -> Iterator[FoundMark]:
    if b"template<>" not in text.masked and b"template <>" not in text.masked:
        return
    heads = [one for one in _heads(text) if b"(" in one[2]]
    bare: list[tuple[int, str]] = []
    for start, special, head in heads:
        named = function_head(head) if special else None
        if named and not _on_device(text, named) and not _has_macro(named.qualifiers):
            bare.append((start, _plain_name(named)))
    # What a head declares stands in it: few heads need be read to know those of a few names.
    asked = {re.split(rb"\W", name.encode())[0] for _, name in bare}
    device = {
        _plain_name(named)
        for _, special, head in heads
        if not special
        and any(word in head for word in asked)
        and (named := function_head(head)) is not None
        and _on_device(text, named)
    }
    for start, name in bare:
        if name in device:
            yield FoundMark(MarkKind.BARE_SPECIALISATION, start, start + 8, name)


def _plain_name(named: HeadName) -> str:
    return named.name.partition("<")[0]


def _on_device(text: MarkText, named: HeadName) -> bool:
    side, kernel, _ = describe_head(named.qualifiers, text.file.own)
    return kernel or side is not Side.HOST


def _has_macro(qualifiers: bytes) -> bool:
    """Whether a word may be a macro that stands for the missing qualifier."""
    return any(is_macro(word.decode("ascii")) for word in _WORD.findall(qualifiers))


def _find_dependent_calls(text: MarkText) -> Iterator[FoundMark]:
    masked = text.masked
    for match in _members_in_templates(text):
        behind = skip_template_arguments(masked, match.end())
        if behind < 0 or _CALLED.match(masked, behind) is None:
            continue
        if b"&&" in masked[match.end() : behind] or not text.scopes.in_body(match.start()):
            continue
        start = _dependent_from(text, match)
        if start >= 0:
            symbol = " ".join(masked[start : match.end()].decode("latin-1").split())
            member = match[2].decode("ascii")
            yield FoundMark(MarkKind.DEPENDENT_CALL, start, match.end(), symbol, (member,))


def _members_in_templates(text: MarkText) -> Iterator[re.Match[bytes]]:
    """The members with template arguments in the bodies of function templates."""
    reach = 0
    for scope in text.scopes.scopes:
        if scope.start < reach:
            continue
        if template_parameters(text.masked, scope.start):
            reach = scope.end
            yield from _MEMBER.finditer(text.masked, scope.body, scope.end)


def _dependent_from(text: MarkText, match: re.Match[bytes]) -> int:
    """Where a qualifier begins that a template parameter decides; -1 for another."""
    masked, at = text.masked, match.start()
    word = _QUALIFIER.search(masked, max(0, at - 130), at)
    scope = text.function_at(at)
    if scope is None or word is None:
        return -1
    parameters = template_parameters(masked, scope.start)
    if not parameters:
        return -1
    if word[1] == b">":
        return _dependent_class(masked, word.start(), parameters) if match[1] == b"::" else -1
    if match[1] == b"::":
        return word.start() if word[1] in parameters else -1
    head = masked[scope.start : min(scope.body, scope.start + _LONGEST_HEAD)]
    declared = _declared_in(head, word[1])
    return word.start() if set(_WORD.findall(declared)) & parameters else -1


def _dependent_class(masked: bytes, closing: int, parameters: set[bytes]) -> int:
    """Where the ``X<T>`` that a ``>`` closes begins; -1 where it names no parameter."""
    opening = _opening_angle(masked, closing)
    if opening < 0:
        return -1
    word = _NAME_AT_END.search(masked, max(0, opening - 100), opening)
    inside = set(_WORD.findall(masked[opening:closing]))
    return word.start() if word is not None and inside & parameters else -1


def template_parameters(masked: bytes, start: int) -> set[bytes]:
    """The names of the parameters in the ``template <...>`` before a function's head."""
    names: set[bytes] = set()
    while True:
        before = masked[max(0, start - _LONGEST_HEAD) : start].rstrip()
        closing = start - min(start, _LONGEST_HEAD) + len(before) - 1
        opening = _opening_angle(masked, closing) if before.endswith(b">") else -1
        word = _TEMPLATE_AT_END.search(masked, max(0, opening - 100), max(0, opening))
        if word is None:
            return names
        for part in masked[opening + 1 : closing].split(b","):
            words = _WORD.findall(part.partition(b"=")[0])
            if len(words) > 1:
                names.add(words[-1])
        start = word.start()


def _declared_in(head: bytes, name: bytes) -> bytes:
    """The text of the type that a function's parameter has; b"" where it is none of them."""
    match = re.search(rb"[(,]([^(),]{1,200}?)\b" + name + rb"\s*(?=[,)]|$)", head)
    return match[1] if match and b"*" not in match[1] else b""


def _opening_angle(masked: bytes, closing: int) -> int:
    """The offset of the ``<`` that a ``>`` closes; -1 for none near enough."""
    depth = 0
    for at in range(closing, max(-1, closing - _LONGEST_TYPE), -1):
        character = masked[at : at + 1]
        if character == b">":
            depth += 1
        elif character == b"<":
            depth -= 1
            if depth == 0:
                return at
        elif character in b";{}":
            return -1
    return -1


def _find_min_max(text: MarkText) -> Iterator[FoundMark]:
    masked = text.masked
    for match in text.matches(_OWN, b"template"):
        parameter, words, name, left, right = match.groups()
        side, _, _ = describe_head(words, text.file.own)
        if left != parameter or right != parameter or side is Side.HOST:
            continue
        before = masked[: match.start()]
        if before.count(b"{") == before.count(b"}"):
            symbol = name.decode("ascii")
            yield FoundMark(MarkKind.OWN_MIN_MAX, match.start(3), match.end(3), symbol)


SPECIALISATIONS = Finder(_find_specialisations, signs=(b"template",))
DEPENDENT_CALLS = Finder(_find_dependent_calls, signs=(b"template",))
MIN_MAX = Finder(_find_min_max, signs=(b" min ", b" max "))
FINDERS = (SPECIALISATIONS, DEPENDENT_CALLS, MIN_MAX)
