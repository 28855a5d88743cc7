"""The conditionals of a file, and the macros that it defines in and for them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from migrate.model.condition import NOT_KEPT, asks_for_device
from migrate.model.mark import MarkKind
from migrate.parse.conditionals import Branch, Chain, is_include_guard
from migrate.parse.directives import DefinedMacro, Directive
from migrate.parse.marks.constants import read_integer
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_INTEGER = re.compile(rb"[\s(]*(0[xX][0-9a-fA-F']+|\d[\d']*)[uUlLzZ]*[\s)]*")
_ASKS_NVIDIA = re.compile(rb"__CUDA_ARCH|CUDA_VERSION|CUDART_VERSION|__CUDACC_VER")
_DEFINES = re.compile(rb"\s*#[^\S\n]*define[^\S\n]+([A-Za-z_]\w*)")
_EXPRESSION = re.compile(rb"[\w\s()<>=!&|+*/\\-]{1,200}")
_GUARD_NAME = re.compile(r"\w+_(?:H|HH|HPP|HXX|CUH|INL|INCLUDED?)_*|\w+_H_\w+")
_LONGEST = 1500
_MOST = 2000


def _find(text: MarkText) -> Iterator[FoundMark]:
    walk = _Walk(text)
    walk.chains(text.file.regions.chains)
    yield from walk.found[:_MOST]
    yield from _macros(text, walk)


class _Walk:
    """Goes through nested conditionals, however deep; ``starts`` parts the file by condition."""

    def __init__(self, text: MarkText) -> None:
        self._text = text
        self.found: list[FoundMark] = []
        self.starts: list[tuple[int, str]] = [(0, "")]

    def chains(self, outermost: list[Chain]) -> None:
        """Take all conditionals in, and bring the stretches in order."""
        todo = [(chain, "", False) for chain in outermost]
        while todo:
            chain, outer, nested = todo.pop()
            guard = not nested and self._is_include_guard(chain)
            if not guard:
                self.found.append(self._mark(chain, outer))
            before = outer
            for branch in chain.branches:
                own = asks_for_device(branch.condition)
                inside = outer if guard else _both(before, "" if own == "1" else f"({own})")
                before = _both(before, f"!({own})")
                self.starts.append((branch.body, inside))
                todo.extend((inner, inside, not guard) for inner in branch.chains)
            self.starts.append((chain.end, outer))
        self.starts.sort()
        self.found.sort(key=lambda mark: mark.start)

    def condition_at(self, offset: int) -> str:
        """The condition under which a place is compiled, "" for always."""
        return self.starts[bisect_right(self.starts, (offset, "\uffff")) - 1][1]

    def _is_include_guard(self, chain: Chain) -> bool:
        """Whether an outermost conditional begins with the definition of what it asks for."""
        defines = _DEFINES.match(self._text.masked, chain.branches[0].body)
        asked = chain.branches[0].condition
        return (
            is_include_guard(chain)
            and defines is not None
            and asked == f"!defined({defines[1].decode('ascii')})"
        )

    def _mark(self, chain: Chain, outer: str) -> FoundMark:
        first = chain.branches[0]
        start = self._text.masked.find(b"#", first.start)
        branches = (self._described(branch) for branch in chain.branches)
        return FoundMark(
            MarkKind.CONDITIONAL, start, chain.end, _short(first.condition), (outer, *branches)
        )

    def _described(self, branch: Branch) -> str:
        index = self._text.file.index
        first, last = index.line(branch.start), index.line(max(branch.start, branch.body - 1))
        return f"{first}-{last} {_short(branch.condition)}"


def _short(condition: str) -> str:
    return condition if len(condition) <= _LONGEST else NOT_KEPT


def _both(one: str, other: str) -> str:
    """A condition that holds where both do; what is not known stays so."""
    if NOT_KEPT in {one, other}:
        return NOT_KEPT
    return _short(f"{one} && {other}" if one and other else one or other)


def _macros(text: MarkText, walk: _Walk) -> Iterator[FoundMark]:
    found = 0
    for line, macro in text.file.code.macros:
        for mark in () if macro.function_like else _macro(text, walk, line, macro):
            found += 1
            yield mark
        if found == _MOST:
            return


def _macro(
    text: MarkText, walk: _Walk, line: Directive, macro: DefinedMacro
) -> Iterator[FoundMark]:
    """The mark of a macro without arguments that is empty, a number, or asks for CUDA's."""
    body = text.masked[macro.body : line.end].strip()
    condition = walk.condition_at(line.start)
    if not condition and _GUARD_NAME.fullmatch(macro.name):
        return
    number = _INTEGER.fullmatch(body)
    asks = _ASKS_NVIDIA.search(body) is not None and _EXPRESSION.fullmatch(body) is not None
    if body and number is None and not asks:
        return
    value = str(read_integer(number[1])) if number else " ".join(body.decode("latin-1").split())
    end = macro.start + len(macro.name)
    yield FoundMark(MarkKind.SWITCH_MACRO, macro.start, end, macro.name, (condition, value))


FINDER = Finder(_find, signs=(b"",))
