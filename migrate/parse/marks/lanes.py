"""Arithmetic that takes a thread's index apart into a lane and a warp of 32."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.verdict import Side
from migrate.parse.marks.finder import Finder, FoundMark, MarkText
from migrate.parse.marks.integer_types import constant_text

_INDEX = rb"threadIdx\s*\.\s*[xyz]|\b(?:block|cta|tb|thread_block)\s*\.\s*thread_rank\s*\(\s*\)"
_THREAD = re.compile(_INDEX)
_IN_THREAD = (b"threadIdx", b"block", b"cta", b"tb", b"thread_block")
_NAMED = re.compile(rb"\b([A-Za-z_]\w*)\s*(?:=|\()\s*([^=;{}]*)$")
_LINEAR = re.compile(
    rb"(?:" + _INDEX + rb"|blockDim\s*\.\s*[xyz]|[\d\s()+*]|[uUlL]\b"
    rb"|\b(?:unsigned|int|size_t|u?int(?:32|64)_t|static_cast\s*<[\w\s:]{1,30}>)\b"
    rb"|\b(?:[A-Z][A-Z0-9_]*|block_?[sS]ize|static_cast|k[A-Z]\w*)\b|<|>)+"
)
_GRID = re.compile(rb"\bblockIdx\s*\.\s*[xyz]|\bgridDim\s*\.\s*[xyz]")
_RIGHT = (
    rb"(?:(0x1[fF]|31|32|5|[A-Za-z_]\w*)\b[uUlL]*(?!\s*[.(\[]|\w|->|::|\s*<(?!<))"
    rb"|\(\s*(32|[A-Za-z_]\w*)\s*-\s*1[uU]?\s*\))"
)
_OPERATION = re.compile(rb"(?<![&>/])(&|%|/|>>)(?![&=>/])\s*" + _RIGHT)
_LEFT = re.compile(rb"(" + _INDEX + rb"|\b[A-Za-z_]\w*|\))\s*$")
_LONGEST_LEFT = 60
_USUAL_NAMES = frozenset(
    {b"tid", b"tidx", b"thread_id", b"threadId", b"thread_idx", b"threadID", b"linear_tid",
     b"thread_rank", b"linear_thread_id"}
)  # fmt: skip
_SAYS_WARP = re.compile(rb"(?i:warp|lane|wave|mask)")
_BACK = 200
_LONGEST = 160


def _find(text: MarkText) -> Iterator[FoundMark]:
    known = _ThreadVariables(text)
    for match in _operations(text):
        scope = text.function_at(match.start())
        if scope is None or scope.side not in {Side.DEVICE, Side.BOTH}:
            continue
        begin = max(scope.start, match.start() - _LONGEST_LEFT)
        operand = _LEFT.search(text.masked, begin, match.start())
        if operand is None:
            continue
        left, origin = known.origin(operand)
        if not origin:
            continue
        right = known.constant(match[2] or match[3], scope.start, match.start())
        if not right:
            continue
        right = right if match[2] else f"{right} - 1"
        operator = match[1].decode("ascii")
        symbol = f"{left} {operator} {right}"
        start = operand.start() if operand[1] != b")" else match.start()
        yield FoundMark(
            MarkKind.LANE_ARITHMETIC, start, match.end(), symbol, (left, operator, right, origin)
        )


def _operations(text: MarkText) -> Iterator[re.Match[bytes]]:
    """The operations in those outermost functions that have a thread's number in them."""
    places = [start for start, _ in text.places((b"threadIdx", b"thread_rank", *_USUAL_NAMES))]
    reach = 0
    for scope in text.scopes.scopes if places else ():
        if scope.start < reach:
            continue
        reach = scope.end
        first = bisect_left(places, scope.start)
        if first < len(places) and places[first] < scope.end:
            yield from _OPERATION.finditer(text.masked, scope.start, scope.end)


class _ThreadVariables:
    """The variables of a file's functions that hold a thread's number."""

    def __init__(self, text: MarkText) -> None:
        self._text = text
        self._known: dict[bytes, list[tuple[int, int, str]]] = defaultdict(list)
        self._constants: dict[tuple[int, bytes], str] = {}
        signs = _IN_THREAD if b"thread_rank" in text.words else _IN_THREAD[:1]
        for match in text.matches(_THREAD, *signs):
            self._see(match.start())

    def _see(self, at: int) -> None:
        scope = self._text.function_at(at)
        masked = self._text.masked
        if scope is None:
            return
        begin = max(scope.start, at - _BACK)
        named = _NAMED.search(masked[begin:at].rpartition(b";")[2])
        end = masked.find(b";", at, at + _LONGEST)
        if named is None or end < 0:
            return
        origin = _origin(named[2] + masked[at:end].partition(b",")[0])
        if origin:
            self._known[named[1]].append((scope.start, scope.end, origin))

    def constant(self, name: bytes, scope: int, at: int) -> str:
        """What a constant is worth here: a number, a name, "" for what is computed."""
        if (scope, name) not in self._constants:
            told = constant_text(self._text, name, at)
            if told[:1].isdigit() and told != name and _SAYS_WARP.search(name) is None:
                told = b""  # a number that the function has another name for
            self._constants[scope, name] = told.decode("ascii")
        return self._constants[scope, name]

    def origin(self, match: re.Match[bytes]) -> tuple[str, str]:
        """The left side of an operation as told, and where its value comes from."""
        left = match[1]
        if left == b")":
            return self._of_brackets(match.start(1))
        told = b"".join(left.split()).decode("ascii")
        if _THREAD.fullmatch(left):
            return told, "thread" if told[-1] != "y" and told[-1] != "z" else ""
        for start, end, origin in self._known.get(left, ()):
            if start <= match.start() < end:
                return told, origin
        return told, "name" if left in _USUAL_NAMES else ""

    def _of_brackets(self, close: int) -> tuple[str, str]:
        masked, depth = self._text.masked, 0
        for at in range(close, max(0, close - _LONGEST), -1):
            character = masked[at]
            depth += (character == ord(")")) - (character == ord("("))
            if depth == 0:
                inner = masked[at + 1 : close]
                if _THREAD.search(inner) is None:
                    return "", ""
                return " ".join(inner.decode("latin-1").split()), _origin(inner)
        return "", ""


def _origin(expression: bytes) -> str:
    """``thread`` for a thread's number in its block, ``grid`` in the grid, "" for another value."""
    rest = _GRID.sub(b" ", expression)
    if not _LINEAR.fullmatch(rest.strip() or b"?"):
        return ""
    return "grid" if len(rest) != len(expression) or _GRID.search(expression) else "thread"


FINDER = Finder(_find, signs=(b"threadIdx", b"thread_rank", b"tid"))
