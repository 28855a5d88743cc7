"""What code does with the compute capability of a GPU: ``prop.major >= 8``, ``10 * major``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.verdict import Side
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_GIVERS = (b"getCurrentDeviceProperties", b"getDeviceProperties", b"get_device_properties")
_DECLARED = re.compile(
    rb"\b(?:cudaDeviceProp|CUdevprop)\b[\s&*]{0,20}(?:const\b)?[\s&*]{0,20}([A-Za-z_]\w*)"
    rb"|\b([A-Za-z_]\w*)\s{0,20}=\s{0,20}[\w:*&]{0,40}?(?:" + rb"|".join(_GIVERS) + rb")\s*\("
)
_MEMBER = re.compile(rb"(?:\.|->)\s{0,20}(major|minor)\b(?!\s{0,20}\()")
_OBJECT = re.compile(
    rb"(?:\b([A-Za-z_]\w{0,80})(?:\[[^\]\n]{0,80}\])?|\b(?:" + rb"|".join(_GIVERS) + rb")\s{0,20}"
    rb"\([^()\n]{0,80}(?:\([^()\n]{0,40}\))?[^()\n]{0,40}\))\s{0,20}\Z"
)
_COPY = re.compile(
    rb"\b((?:cc|gpu_cc|dev_cc)(?:_?(?:maj|major|min|minor))?|sm_?(?:version|arch|major|num)"
    rb"|compute_?cap(?:ability)?(?:_?(?:major|minor))?|device_major|arch_major)"
    rb"\s{0,20}([<>=!]=|<(?!<)|>(?!>))\s{0,20}([1-9]\d{0,3}\b|[A-Z_]{0,40}(?:CC|SM|ARCH)_\w+)"
)
_OTHER_VENDOR = re.compile(rb"AMD|[RC]DNA|GCN|VEGA|GFX|HIP|MTHREADS|QY\d|PH\d")
_IF_VENDOR = re.compile(
    rb"(?i:nvidia|mthreads|amd)\w{0,20}(?:\([^()\n]{0,40}\))?\s{0,5}&&[^;|{}\n]*\Z"
)
_OPERATOR_BEHIND = re.compile(rb"\s{0,40}([<>=!]=|<(?![<=])|>(?![>=])|[-+*/%](?![=+>-]))")
_OPERATOR_BEFORE = re.compile(rb"([<>=!]=|(?<!<)<|(?<![->])>|[-+*/%])\s{0,40}\Z")
_TELLS = re.compile(
    rb"(?i)\w*(?:print|log|warn|write|format|report|stream|str|cout|cerr|append)\w*"
)
_REACH = 600
_WINDOW = 250
"""So far before a member its object is looked for."""


def _find(text: MarkText) -> Iterator[FoundMark]:
    if any(sign in text.masked for sign in _OF_CUDA):
        yield from _members(text)
    if any(sign in text.masked for sign in _OF_COPIES):
        yield from _copies(text)


_OF_CUDA = (*_GIVERS, b"cudaDeviceProp", b"CUdevprop")
_OF_COPIES = (
    *(b"cc >", b"cc <", b"cc =", b"cc>", b"cc<", b"cc=", b"cc_m", b"sm_version", b"sm_arch"),
    *(b"smVersion", b"compute_cap", b"computeCap", b"device_major", b"arch_major", b"sm_major"),
)


def _names_a_vendor(masked: bytes, match: re.Match[bytes]) -> bool:
    """Whether the number is of another vendor's GPUs, or asked for behind the vendor."""
    before = masked[max(0, match.start() - 80) : match.start()]
    return _OTHER_VENDOR.search(match[3]) is not None or _IF_VENDOR.search(before) is not None


def _members(text: MarkText) -> Iterator[FoundMark]:
    masked = text.masked
    names = {match[1] or match[2] for match in _DECLARED.finditer(masked)}
    for match in _MEMBER.finditer(masked):
        base = max(0, match.start() - _WINDOW)
        owner = _OBJECT.search(masked[base : match.start()])
        if owner is not None and (owner[1] is None or owner[1] in names):
            start = base + owner.start()
            yield FoundMark(
                MarkKind.CAPABILITY,
                match.start(1),
                match.end(1),
                " ".join(masked[start : match.end()].decode("latin-1").split()),
                (_role(masked, start, match.end()),),
            )


def _role(masked: bytes, start: int, end: int) -> str:
    """What is done with a value: it is ``compared``, ``counted`` with, ``kept`` or ``told``."""
    before = masked[max(0, start - 60) : start]
    # What stands before a call of a getter is its namespace.
    before = re.sub(rb"(?:\w{1,40}\s{0,5}::\s{0,5}){1,4}\Z", b"", before)
    signs = _OPERATOR_BEHIND.match(masked, end), _OPERATOR_BEFORE.search(before)
    operators = {sign[1] for sign in signs if sign is not None}
    if operators:
        return "counted" if operators <= {b"+", b"-", b"*", b"/", b"%"} else "compared"
    if before.rstrip().endswith(b"<<"):
        return "told"
    callee = _callee(masked, start)
    return "told" if callee and _TELLS.fullmatch(callee) else "kept"


def _callee(masked: bytes, start: int) -> bytes:
    """The word before the innermost open bracket in front of a place, within the statement."""
    depth = 0
    for at in range(start - 1, max(-1, start - _REACH), -1):
        sign = masked[at : at + 1]
        if sign in b";{}":
            return b""
        if sign == b")":
            depth += 1
        elif sign == b"(" and depth:
            depth -= 1
        elif sign == b"(":
            word = re.search(rb"(\w{1,60})\s{0,10}\Z", masked[max(0, at - 70) : at])
            return word[1] if word else b""
    return b""


def _copies(text: MarkText) -> Iterator[FoundMark]:
    for match in _COPY.finditer(text.masked):
        if _names_a_vendor(text.masked, match):
            continue
        scope = text.function_at(match.start(1))
        if scope is None or scope.side is not Side.DEVICE:
            symbol = " ".join(match[0].decode("latin-1").split())
            yield FoundMark(MarkKind.CAPABILITY, *match.span(1), symbol, ("copy",))


FINDER = Finder(_find, signs=(*_OF_CUDA, *_OF_COPIES))
