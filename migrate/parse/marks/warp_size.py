"""Where the code asks how wide a warp is: as a constant expression, and to refuse other widths."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.parse.constructs import tidy
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_NAME = re.compile(
    rb"(?<![\w.])(?<!->)(?<!::)\w*(?:warp_?[Ss]ize|WARP_?SIZE|Warp_?Size)\w*\b(?!\s*\()"
)
_OWN = re.compile(
    rb"\b(?:int|unsigned|size_t|auto|u?int(?:32|64|8|16)_t|uint|long|short|typename|class|template)"
    rb"\s+(?:const\s+|volatile\s+)*&?\s*warpSize\b"
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
_TEST = re.compile(
    rb"((?:[A-Za-z_]\w*(?:\[\w+\])?\s*(?:\.|->)\s*)?\w*(?:warpSize|warp_size|WarpSize|WARP_SIZE)\w*)"
    rb"\s*(!=|==|<|>|<=|>=)\s*(32)\b(?!\s*[-+*/%.])"
)
_REFUSES = re.compile(
    rb"\b(?:return|throw|exit|abort|goto|std\s*::\s*terminate|\w*(?:error|Error|ERROR|fatal|Fatal"
    rb"|unsupported|FAIL|fail|die)\w*)\b"
)
_DEMANDS = re.compile(
    rb"\b(?:assert|\w*(?:ASSERT|CHECK|REQUIRE|EXPECT|ENSURE|Assert|Check)\w*)\s*\([^;{}]*$"
)
_MACRO = re.compile(rb"\b__AMDGCN_WAVEFRONT_SIZE(?:__)?\b")
_BACK = 240
_AFTER = 200
_MOST = 200


def _find(text: MarkText) -> Iterator[FoundMark]:
    yield from _constants(text)
    yield from _tests(text)
    for match in _MACRO.finditer(text.masked):
        yield FoundMark(MarkKind.WAVEFRONT_MACRO, *match.span(), match[0].decode("ascii"))


def _constants(text: MarkText) -> Iterator[FoundMark]:
    own = _OWN.search(text.masked) is not None
    for number, match in enumerate(_NAME.finditer(text.masked)):
        if number >= _MOST:
            return
        if (own and match[0] == b"warpSize") or text.file.code.directives.at(match.start()):
            continue
        context = _context(text.masked, match.start(), match.end())
        if context:
            symbol = match[0].decode("ascii")
            yield FoundMark(MarkKind.WARP_SIZE_CONSTANT, *match.span(), symbol, (context,))


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


def _tests(text: MarkText) -> Iterator[FoundMark]:
    """Comparisons with 32 after which the program gives up."""
    masked = text.masked
    for match in _TEST.finditer(masked):
        if text.file.code.directives.at(match.start()):
            continue
        before = re.split(rb"[;{}]", masked[max(0, match.start() - _BACK) : match.start()])[-1]
        equal = match[2] == b"=="
        if equal and not _DEMANDS.search(before):
            continue
        if not equal and not _gives_up(masked, match.end()):
            continue
        if not equal and not re.search(rb"\bif\s*\([^;{}]*$", before):
            continue
        yield FoundMark(
            MarkKind.WARP_SIZE_TEST, *match.span(), tidy(match[0]), (tidy(match[1]), tidy(match[2]))
        )


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
