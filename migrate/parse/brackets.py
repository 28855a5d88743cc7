"""Matching brackets and splitting arguments in masked text."""

from __future__ import annotations

import re

_BRACKET = re.compile(rb"[()\[\]{},;]")
_PARENTHESIS = re.compile(rb"[()]")
_ANGLE = re.compile(rb"->|[<>();{}]")
_NAME_BEFORE = re.compile(rb"\w\s?$")
_AFTER_TEMPLATE = re.compile(rb"\s*(?:[,()>{}\]]|::|$)")
LONGEST_LIST = 60_000
"""So many bytes a bracketed list may have; one that does not close in them is none."""
_LONGEST_TEMPLATE = 600

Arguments = tuple[list[tuple[int, int]], int]
"""The spans between a list's commas (none for an empty list), and the offset behind its bracket."""


class Brackets:
    """The bracketed lists of one masked text; each stretch of it is scanned once."""

    def __init__(self, masked: bytes) -> None:
        self._masked = masked
        self._known: dict[int, tuple[list[int], int] | None] = {}
        """By opening bracket: its offset and those of the commas, and that of the closing one."""

    def arguments(self, opening: int) -> Arguments | None:
        """Split the list whose bracket opens at ``opening`` at its own commas.

        None where the bracket does not close in a sensible distance, or where it is a parenthesis
        with statements directly in it.
        """
        if opening not in self._known:
            self._scan(opening)
        found = self._known[opening]
        return self._split(*found) if found else None

    def _scan(self, opening: int) -> None:
        stack: list[tuple[int, list[int], bool]] = []
        for match in _BRACKET.finditer(self._masked, opening, opening + LONGEST_LIST):
            character, at = match[0], match.start()
            if character in b"([{":
                stack.append((at, [at], character == b"("))
            elif character == b",":
                stack[-1][1].append(at)
            elif character == b";":
                if stack[-1][2]:
                    self._known[stack[-1][0]] = None
            else:
                start, commas, _ = stack.pop()
                self._known.setdefault(start, (commas, at))
                if not stack:
                    return
        # What opened in the first half had room enough to close; the rest may be asked for again.
        for start, _, _ in stack:
            if start == opening or start < opening + LONGEST_LIST // 2:
                self._known[start] = None

    def _split(self, commas: list[int], close: int) -> Arguments:
        if len(commas) > 1 and self._masked.find(b"<", commas[0], commas[-1]) >= 0:
            commas = self._own_commas(commas)
        starts = [comma + 1 for comma in commas]
        spans = list(zip(starts, [*commas[1:], close], strict=True))
        if len(spans) == 1 and not self._masked[spans[0][0] : close].strip():
            spans = []
        return spans, close + 1

    def _own_commas(self, commas: list[int]) -> list[int]:
        """Leave out those of ``f<a, b>``: from ``<`` behind a name to a ``>`` without operand."""
        kept: list[int] = []
        behind = commas[0]
        for comma, following in zip(commas, [*commas[1:], commas[-1]], strict=True):
            if comma >= behind:
                kept.append(comma)
            at = self._masked.find(b"<", max(behind, comma), following)
            while at >= 0:
                end = self._template_end(at)
                behind = max(behind, end)
                at = self._masked.find(b"<", max(at + 1, end), following)
        return kept

    def _template_end(self, at: int) -> int:
        if _NAME_BEFORE.search(self._masked, max(0, at - 2), at) is None:
            return -1
        end = skip_template_arguments(self._masked, at)
        return end if end >= 0 and _AFTER_TEMPLATE.match(self._masked, end) else -1


def split_arguments(text: bytes) -> Arguments | None:
    """Split a text that is one bracketed list, as :meth:`Brackets.arguments` does."""
    return Brackets(text).arguments(0)


def closing_parenthesis(masked: bytes, opening: int) -> int:
    """The offset of the ``)`` that closes the ``(`` at ``opening``; -1 for none near enough."""
    depth = 0
    for match in _PARENTHESIS.finditer(masked, opening, opening + LONGEST_LIST):
        depth += 1 if match[0] == b"(" else -1
        if depth == 0:
            return match.start()
    return -1


def skip_template_arguments(masked: bytes, opening: int) -> int:
    """The offset behind the ``>`` that closes the ``<`` at ``opening``; -1 for none nearby."""
    depth = inner = 0
    for match in _ANGLE.finditer(masked, opening, opening + _LONGEST_TEMPLATE):
        character = match[0]
        if character in b"()":
            inner += 1 if character == b"(" else -1
            if inner < 0:
                return -1
        elif character == b"<" and not inner:
            depth += 1
        elif character == b">" and not inner:
            depth -= 1
            if depth == 0:
                return match.end()
        elif character in b";{}":
            return -1
    return -1
