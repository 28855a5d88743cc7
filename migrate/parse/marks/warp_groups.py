"""Groups of 32 threads: blocks, cooperative groups, CUB's warp collectives, words of 32 lanes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.parse.constructs import tidy
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_TILE = re.compile(rb"(tiled_partition|thread_block_tile)\s*<\s*([\w:]{1,60})\s*[,>]")
_COLLECTIVE = re.compile(
    rb"\b(?:cub|CUB_NS\w*)\s*::\s*(Warp(?:Reduce|Scan|Exchange|Load|Store|MergeSort))\s*<"
    rb"([^;{}()]{1,200}?)>\s*(?:[;({]|::|[A-Za-z_])"
)
_TEMPLATE = re.compile(
    rb"template\s*<([^<>;{}]{1,300})>\s*(?:static\s+|inline\s+|__global__\s+)*void\s+"
    rb"(?:__launch_bounds__\s*\([^()]*\)\s*)?([A-Za-z_]\w*)\s*\("
)
_THREADS = re.compile(
    rb"\b(?:kN|kNum|k|n|num_?|N)?_?(?:[Tt]hreads|THREADS|[Bb]lock_?[Ss]ize|BLOCK_?SIZE|[Bb]lock_?[Dd]im)"
    rb"(?:_?[Pp]er_?[Bb]lock|_PER_BLOCK)?\s*$"
)
_INSTANCE = re.compile(rb"<([^<>;{}]{0,200})>\s*(?:\(|<<<)")
_DIM3 = re.compile(
    rb"dim3\s+([A-Za-z_]\w*)\s*(?:\(|\{|=\s*(?:dim3\s*)?[({])\s*(32|[A-Za-z_]\w*)\s*"
    rb"((?:,\s*1[uU]?\s*){0,2})[)}]"
)
_WORD = re.compile(
    rb"(?:using\s+(\w*[Bb]it_?[Mm]ask\w*)\s*=\s*|typedef\s+)"
    rb"(?:unsigned\s+int|unsigned|u?int32_t|int)(?:\s+(\w*[Bb]it_?[Mm]ask\w*))?\s*;"
)
_ROUNDED = re.compile(rb"\+\s*31[uU]?\s*\)\s*&\s*~\s*(?:31|0x1[fF])\b")


def _find(text: MarkText) -> Iterator[FoundMark]:
    yield from _tiles(text)
    if b"cub::Warp" in text.masked or text.has(b"CUB_NS"):
        yield from _collectives(text)
    yield from _blocks(text)
    yield from _words(text)


def _tiles(text: MarkText) -> Iterator[FoundMark]:
    for match in text.matches(_TILE, b"tiled_partition", b"thread_block_tile"):
        values = (match[2].decode("ascii"),)
        yield FoundMark(MarkKind.TILE, *match.span(), tidy(match[0]).rstrip(",> ") + ">", values)


def _collectives(text: MarkText) -> Iterator[FoundMark]:
    for match in _COLLECTIVE.finditer(text.masked):
        symbol = f"cub::{match[1].decode('ascii')}"
        yield FoundMark(MarkKind.CUB_WARP, *match.span(1), symbol, tuple(_arguments(match[2])))


def _arguments(written: bytes) -> list[str]:
    """Template arguments, those of an inner template kept together."""
    found, depth, first = [], 0, 0
    for at, letter in enumerate(written):
        depth += (letter == ord("<")) - (letter == ord(">"))
        if letter == ord(",") and depth == 0:
            found.append(tidy(written[first:at]))
            first = at + 1
    return [*found, tidy(written[first:])]


def _blocks(text: MarkText) -> Iterator[FoundMark]:
    for match in text.matches(_DIM3, b"dim3"):
        if text.function_at(match.start()) is not None:
            name, size = match[1].decode("ascii"), match[2].decode("ascii")
            yield FoundMark(MarkKind.BLOCK_SIZE, *match.span(1), name, (size, "dim3"))
    masked = text.masked
    with_sizes = b"32" in text.words and any(form in masked for form in (b"<32", b" 32,", b" 32>"))
    places = dict(_parameters(text)) if with_sizes else {}
    for start, name in text.places(places):
        end = start + len(name)
        instance = _INSTANCE.match(masked, end)
        arguments = _arguments(instance[1]) if instance else []
        if places[name] < len(arguments) and text.function_at(start):
            values = (arguments[places[name]], "template")
            symbol = f"{name.decode('ascii')}<{values[0]}>"
            yield FoundMark(MarkKind.BLOCK_SIZE, start, end, symbol, values)


def _parameters(text: MarkText) -> Iterator[tuple[bytes, int]]:
    """Function templates with the place of the parameter that is the number of threads."""
    for match in text.matches(_TEMPLATE, b"template"):
        for place, parameter in enumerate(match[1].split(b",")):
            if _THREADS.search(parameter.partition(b"=")[0].strip()):
                yield match[2], place
                break


def _words(text: MarkText) -> Iterator[FoundMark]:
    named = text.has(b"itmask", b"itMask", b"it_mask", b"it_Mask")
    for match in text.matches(_WORD, b"using", b"typedef") if named else ():
        name = match[1] or match[2]
        if name:
            start = match.start(1) if match[1] else match.start(2)
            symbol = name.decode("ascii")
            yield FoundMark(MarkKind.LANE_WORD, start, start + len(name), symbol, ("type",))
    for match in _ROUNDED.finditer(text.masked) if text.has(b" 31 ", b" 31u ", b" 31U ") else ():
        yield FoundMark(MarkKind.LANE_WORD, *match.span(), "+ 31) & ~31", ("rounded",))


FINDER = Finder(
    _find,
    signs=(b"tiled_partition", b"thread_block_tile", b"cub", b"dim3", b"hreads", b"THREADS",
           b"BLOCK", b"lock_size", b"lockSize", b"itmask", b"itMask", b"it_mask", b" 31"),
)  # fmt: skip
