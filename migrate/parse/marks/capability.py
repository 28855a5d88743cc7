"""What code does with the compute capability of a GPU: ``prop.major >= 8``, ``10 * major``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.verdict import Side
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_GIVERS = (b"getCurrentDeviceProperties", b"getDeviceProperties", b"get_device_properties")
_TYPES = (b"cudaDeviceProp", b"CUdevprop")
_DECLARED = re.compile(
    rb"(?:cudaDeviceProp|CUdevprop)\b[\s&*]{0,20}(?:const\b)?[\s&*]{0,20}([A-Za-z_]\w*)"
)
_GIVEN = re.compile(
    rb"\b([A-Za-z_]\w*)\s{0,20}=\s{0,20}[\w:*&]{0,40}?(?:" + rb"|".join(_GIVERS) + rb")\s*\("
)
_ACCESS = re.compile(rb"(?:\.|->)\s{0,20}\Z")
_CALLED = re.compile(rb"\s{0,20}\(")
_OBJECT = re.compile(
    rb"(?:\b([A-Za-z_]\w{0,80})(?:\[[^\]\n]{0,80}\])?|\b(?:" + rb"|".join(_GIVERS) + rb")\s{0,20}"
    rb"\([^()\n]{0,80}(?:\([^()\n]{0,40}\))?[^()\n]{0,40}\))\s{0,20}\Z"
)
_COPY = re.compile(
    rb"(?:cc|gpu_cc|dev_cc)(?:_?(?:maj|major|min|minor))?|sm_?(?:version|arch|major|num)"
    rb"|compute_?cap(?:ability)?(?:_?(?:major|minor))?|device_major|arch_major"
)
_COMPARED = re.compile(
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
_LONGEST_ACCESS = 22
_WINDOW = 250
"""So far before a member its object is looked for."""


def _find(text: MarkText) -> Iterator[FoundMark]:
    if text.has(*_TYPES, *_GIVERS):
        yield from _members(text)
    yield from _copies(text)


_OF_COPIES = (
    *(b"cc", b"sm_version", b"sm_arch", b"sm_major", b"sm_num", b"smversion", b"smarch"),
    *(b"smmajor", b"smnum", b"compute_cap", b"computecap", b"device_major", b"arch_major"),
)


def _names_a_vendor(masked: bytes, start: int, number: bytes) -> bool:
    """Whether a number is of another vendor's GPUs, or asked for behind the vendor."""
    before = masked[max(0, start - 80) : start]
    return _OTHER_VENDOR.search(number) is not None or _IF_VENDOR.search(before) is not None


def _members(text: MarkText) -> Iterator[FoundMark]:
    masked = text.masked
    names = {match[1] for match in text.matches(_DECLARED, *_TYPES)}
    if text.has(*_GIVERS):
        names |= {match[1] for match in _GIVEN.finditer(masked)}
    for place, member in text.places((b"major", b"minor")):
        end = place + len(member)
        access = _ACCESS.search(masked, max(0, place - _LONGEST_ACCESS), place)
        if access is None or _CALLED.match(masked, end):
            continue
        base = max(0, access.start() - _WINDOW)
        owner = _OBJECT.search(masked[base : access.start()])
        if owner is not None and (owner[1] is None or owner[1] in names):
            start = base + owner.start()
            symbol = " ".join(masked[start:end].decode("latin-1").split())
            role = _role(masked, start, end)
            yield FoundMark(MarkKind.CAPABILITY, place, end, symbol, (role,))


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
    for start, name in text.places(text.like(_COPY, *_OF_COPIES)):
        end = start + len(name)
        compared = _COMPARED.match(text.masked, end)
        if compared is None or _names_a_vendor(text.masked, start, compared[2]):
            continue
        scope = text.function_at(start)
        if scope is None or scope.side is not Side.DEVICE:
            symbol = " ".join(text.masked[start : compared.end()].decode("latin-1").split())
            yield FoundMark(MarkKind.CAPABILITY, start, end, symbol, ("copy",))


FINDER = Finder(_find, signs=(*_TYPES, *_GIVERS, *_OF_COPIES))
