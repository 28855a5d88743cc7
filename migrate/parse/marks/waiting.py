"""Loops in kernels that wait for a value which another block, GPU or the host writes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.verdict import Side
from migrate.parse.constructs import tidy
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_WHILE = re.compile(rb"while\s*(\()")
_DO = re.compile(rb"do\s*(\{)")
_DO_TAIL = re.compile(rb"\s*while\s*(\()")
_PAUSE = rb"(?:__nanosleep|__threadfence\w*|__syncwarp)\s*\([^()]{0,80}\)\s*;\s*"
_EMPTY = re.compile(rb"\s*(?:;|" + _PAUSE + rb"|\{\s*(?:" + _PAUSE + rb"){0,3}\})")
_EXCHANGE = re.compile(rb"\batomic(?:CAS|Exch)\w*\s*\(")
_MEMORY = re.compile(
    rb"\[|\*\s*[A-Za-z_(]|->|\bvolatile\b"
    rb"|\b\w*(?:ld_|load|read|acquire|volatile|signal|flag|atomic|__ldc)\w*\s*\("
)
_READ = re.compile(
    rb"\b(?:ld_\w+|\w*(?:acquire|volatile)\w*|load_\w+|__ldc[gv])\s*\("
    rb"|\batomic(?:Add|Or)\w*\s*\([^;,]{1,80},\s*0\w*\s*\)|\bvolatile\b|\basm\b"
)
_NO_FLAG = re.compile(
    rb"^\s*(?:true|1)\s*$|\b(?:clock(?:64)?|wall_clock64|globaltimer\w*)\b|\[[^\]]*(?:\+\+|--)"
    rb"|(?:\+\+|--)[^\[\]]{0,40}\]"
)
"""A loop without end, until some time has passed, or that walks along an array."""
_DEVICE_CALL = re.compile(rb"\b(?:ld_\w+|__ldc[gv]|atomic(?:Add|Or|CAS|Exch)\w*)\s*\(")
_AWAITED = re.compile(rb"!=\s*([A-Za-z_]\w*)\s*$")
_WRITE = re.compile(rb"([A-Za-z_]\w*(?:\[[^\[\];]{1,60}\]){1,3})\s*=\s*([A-Za-z_]\w*)\s*;")
_LONGEST_BODY = 300
_LONGEST_CONDITION = 300
_ELECTED = re.compile(
    rb"\bif\s*\([^;{}]{0,80}(?:threadIdx|tid|lane|thread_rank|elect)\w*[^;{}]{0,40}"
    rb"(?:==\s*0|<\s*1)\b"
)
_BEFORE = 400


def _find(text: MarkText) -> Iterator[FoundMark]:
    for match in text.matches(_WHILE, b"while"):
        yield from _while_loop(text, match)
    for match in text.matches(_DO, b"do"):
        yield from _do_loop(text, match)


def _in_kernel(text: MarkText, start: int, end: int) -> bool:
    """Whether a loop is device code, by its function or, where a macro says that, by its calls."""
    scope = text.function_at(start)
    if scope is None:
        return False
    return scope.side is Side.DEVICE or _DEVICE_CALL.search(text.masked, start, end) is not None


def _while_loop(text: MarkText, match: re.Match[bytes]) -> Iterator[FoundMark]:
    """``while (flag[i] != 1);``, which no ``do`` stands before."""
    if text.masked[max(0, match.start() - 40) : match.start()].rstrip().endswith(b"}"):
        return
    condition = _condition(text, match.start(1))
    if condition is None or not _EMPTY.match(text.masked, condition[1]):
        return
    written = text.masked[condition[0] : condition[1] - 1]
    if not _MEMORY.search(written) or _NO_FLAG.search(written):
        return
    if _in_kernel(text, match.start(), condition[1]):
        yield from _flag_write(text, match.start(), written)
        yield _mark(text, match.start(), condition[1], written)


def _flag_write(text: MarkText, start: int, condition: bytes) -> Iterator[FoundMark]:
    """The ``flags[i] = n;`` before a loop that waits until another flag is ``n``."""
    awaited = _AWAITED.search(condition)
    if awaited is None:
        return
    for write in _WRITE.finditer(text.masked, max(0, start - _BEFORE), start):
        if write[2] == awaited[1] and text.scopes.at(write.start()) == text.scopes.at(start):
            symbol = tidy(write[0].rstrip(b"; "))
            yield FoundMark(MarkKind.WAITING_LOOP, write.start(), write.end(), symbol, ("flag", ""))


def _do_loop(text: MarkText, match: re.Match[bytes]) -> Iterator[FoundMark]:
    """``do { flag = ld_acquire(p); } while (flag != 1);``."""
    split = text.file.code.brackets.arguments(match.start(1))
    if split is None or split[1] - match.start() > _LONGEST_BODY:
        return
    body = text.masked[match.end() : split[1] - 1]
    tail = _DO_TAIL.match(text.masked, split[1])
    condition = _condition(text, tail.start(1)) if tail else None
    if condition is None or not _READ.search(body) or _EXCHANGE.search(body):
        return
    written = text.masked[condition[0] : condition[1] - 1]
    if not _NO_FLAG.search(written) and _in_kernel(text, match.start(), condition[1]):
        yield _mark(text, match.start(), condition[1], written)


def _condition(text: MarkText, opening: int) -> tuple[int, int] | None:
    """A condition's span, from behind its bracket to behind the closing one."""
    split = text.file.code.brackets.arguments(opening)
    if split is None or split[1] - opening > _LONGEST_CONDITION:
        return None
    return opening + 1, split[1]


def _mark(text: MarkText, start: int, end: int, condition: bytes) -> FoundMark:
    kind = "lock" if _EXCHANGE.search(condition) else "flag"
    before = text.masked[max(0, start - _BEFORE) : start]
    elected = "one" if _ELECTED.search(before) else ""
    return FoundMark(MarkKind.WAITING_LOOP, start, end, tidy(condition), (kind, elected))


FINDER = Finder(_find, signs=(b"while",))
