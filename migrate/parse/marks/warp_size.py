"""Where the code asks how wide a warp is: as a constant expression, and to refuse other widths."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.parse.constructs import tidy
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_NAMES = (
    *(b"warpSize", b"warp_size", b"warpsize", b"warp_Size", b"WarpSize", b"Warp_Size"),
    *(b"WARP_SIZE", b"WARPSIZE"),
)
"""The parts that the names of a warp's size have."""
_CALLED = re.compile(rb"\s*\(")
_COMPARED = re.compile(rb"\s*(!=|==|<|>|<=|>=)\s*32\b(?!\s*[-+*/%.])")
_OBJECT = re.compile(rb"[A-Za-z_]\w*(?:\[\w+\])?\s*(?:\.|->)\s*$")
_OWN = re.compile(
    rb"\b(?:int|unsigned|size_t|auto|u?int(?:32|64|8|16)_t|uint|long|short|typename|class|template)"
    rb"\s+(?:const\s+|volatile\s+)*&?\s*\Z"
)
_TYPED = (
    rb"(?:^|[;{}\n])\s*(?!return\b|else\b|case\b|delete\b|goto\b|throw\b|new\b)"
    rb"(?:__shared__\s+|static\s+|const\s+|volatile\s+|extern\s+|alignas\s*\([^()]*\)\s*)*"
    rb"[A-Za-z_][\w:]*(?:\s*<[^<>;]{0,60}>)?(?:\s+[A-Za-z_]\w*){0,3}[\s*&]+[A-Za-z_]\w*\s*"
)
_ARRAY = re.compile(_TYPED + rb"(?:\[[^\[\]]{0,60}\]\s*){0,3}\[[^\[\];={}]*$")
_ARRAY_END = re.compile(rb"[^\[\];={}]*\]\s*(?:\[[^\[\]]{0,60}\]\s*){0,3}[;=,{]")
_ARGUMENT = re.compile(rb"[\w>]\s*<[\w\s,:*/+-]*$")
_ARGUMENT_END = re.compile(rb"[\w\s,:*/+-]*>\s*(?:\(|::|\{|<<<|[A-Za-z_]\w*\s*[;({=,)])")
_CONTEXTS = (
    ("static_assert", re.compile(rb"\bstatic_assert\s*\([^;{}]*$")),
    ("if constexpr", re.compile(rb"\bif\s+constexpr\s*\([^;{}]*$")),
    ("constexpr", re.compile(rb"\bconstexpr\b(?!\s*\()[^;{}()=]*(?:=|\{)[^;{}]*$")),
    ("case", re.compile(rb"\bcase\b[^:;{}]*$")),
    ("launch bounds", re.compile(rb"\b__launch_bounds__\s*\([^;{}]*$")),
)
_REFUSES = re.compile(
    rb"\b(?:return|throw|exit|abort|goto|std\s*::\s*terminate|\w*(?:error|Error|ERROR|fatal|Fatal"
    rb"|unsupported|FAIL|fail|die)\w*)\b"
)
_DEMANDS = re.compile(
    rb"\b(?:assert|\w*(?:ASSERT|CHECK|REQUIRE|EXPECT|ENSURE|Assert|Check)\w*)\s*\([^;{}]*$"
)
_MACROS = (b"__AMDGCN_WAVEFRONT_SIZE", b"__AMDGCN_WAVEFRONT_SIZE__")
_IF = re.compile(rb"\bif\s*\([^;{}]*$")
_LONGEST_NAME = 80
_BACK = 240
_AFTER = 200
_MOST = 200


def _find(text: MarkText) -> Iterator[FoundMark]:
    own = any(
        _OWN.search(text.masked, max(0, start - _LONGEST_NAME), start)
        for start, _ in text.places((b"warpSize",))
    )
    for start, name in text.places(text.with_part(*_NAMES))[:_MOST]:
        if not text.file.code.directives.at(start):
            yield from _asked(text, start, start + len(name), own=own)
    for start, name in text.places(_MACROS):
        end = start + len(name)
        yield FoundMark(MarkKind.WAVEFRONT_MACRO, start, end, name.decode("ascii"))


def _asked(text: MarkText, start: int, end: int, *, own: bool) -> Iterator[FoundMark]:
    """What is made of a name for the warp's size: a constant, or a test that refuses widths."""
    masked = text.masked
    compared = _COMPARED.match(masked, end)
    if compared is not None:
        yield from _test(masked, start, compared)
    free = masked[start - 1 : start] != b"." and masked[start - 2 : start] not in {b"->", b"::"}
    if not free or _CALLED.match(masked, end) or (own and masked[start:end] == b"warpSize"):
        return
    context = _context(masked, start, end)
    if context:
        symbol = masked[start:end].decode("ascii")
        yield FoundMark(MarkKind.WARP_SIZE_CONSTANT, start, end, symbol, (context,))


def _context(masked: bytes, start: int, end: int) -> str:
    """What wants a constant at a place: an array's size, a template's argument and so on."""
    before = re.split(rb"[;}]", masked[max(0, start - _BACK) : start])[-1]
    for context, form in _CONTEXTS:
        if form.search(before):
            return context
    after = masked[end : end + _AFTER]
    if _ARGUMENT.search(before) and _ARGUMENT_END.match(after):
        return "template argument"
    inner = b";" + re.split(rb"[{;}]", before)[-1]
    return "array size" if _ARRAY.search(inner) and _ARRAY_END.match(after) else ""


def _test(masked: bytes, start: int, compared: re.Match[bytes]) -> Iterator[FoundMark]:
    """A comparison with 32 after which the program gives up."""
    holder = _OBJECT.search(masked, max(0, start - _LONGEST_NAME), start)
    first, end = holder.start() if holder else start, compared.end()
    before = re.split(rb"[;{}]", masked[max(0, first - _BACK) : first])[-1]
    if compared[1] == b"==":
        refuses = _DEMANDS.search(before) is not None
    else:
        refuses = _IF.search(before) is not None and _gives_up(masked, end)
    if refuses:
        what = tidy(masked[first : compared.start()])
        symbol = tidy(masked[first:end])
        yield FoundMark(MarkKind.WARP_SIZE_TEST, first, end, symbol, (what, compared[1].decode()))


def _gives_up(masked: bytes, end: int) -> bool:
    """Whether the branch behind a comparison leaves the program or the function."""
    after = masked[end : end + _AFTER]
    brace, semicolon = after.find(b"{"), after.find(b";")
    block = 0 <= brace < semicolon
    branch = after[brace:].partition(b"}")[0] if block else after[: semicolon + 1]
    return _REFUSES.search(branch) is not None


FINDER = Finder(
    _find,
    signs=(b"warpSize", b"warp_size", b"WarpSize", b"WARP_SIZE", b"__AMDGCN_W"),
    gpu_code=False,
)
