"""What ROCm's Python bindings declare: their `.pxd` files hold the C interface of each library."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.upkeep.declared import Declared

_EXTERN = re.compile(r'cdef extern from "([^"]+)"')
_TAKEN = re.compile(r"from \S+ cimport (\w+) as (\w+)$")
_BLOCK = re.compile(r'(?:cdef|ctypedef) (struct|union|enum)(?: (\w+))?(?: "\w+")?\s*:$')
_POINTER = re.compile(r"(?P<result>.*?)\(\s*\*\s*(?P<name>\w+)\s*\)\s*\((?P<parameters>.*)\)$")
_FUNCTION = re.compile(r"cdef (?P<result>[\w *]*?[\w*]\s*)\b(?P<name>\w+)\((?P<rest>.*)$")
_NAMED = re.compile(r"(?P<type>.*[\s*&])(?P<name>[A-Za-z_]\w*)(?P<arrays>(?:\[\w*\])*)$")
_INSIDE = re.compile(r"(?P<type>.*)\((?P<stars>\*+)(?P<name>\w*)\)(?P<arrays>(?:\[\w*\])*)$")
_TYPE_WORDS = frozenset({"const", "unsigned", "signed", "char", "short", "int", "long", "void"})
# What the lines outside a declaration may be.
_OTHER = ("from ", "cimport ", "import ", "pass", "cdef extern ")


@dataclass(frozen=True, slots=True)
class _Block:
    """The struct, union or enum that the lines below, further in, belong to."""

    kind: str
    name: str
    indent: int


def read_bindings(folder: Path) -> Iterator[Declared]:
    """All declarations of the C interfaces under a folder, which is one release's package.

    Beside each `.pxd` with an interface stands one with Cython classes on it, which is passed over.
    """
    for path in sorted(folder.rglob("*.pxd")):
        text = path.read_text(encoding="utf-8")
        if "cdef extern from" in text and "cdef class" not in text:
            yield from read_pxd(text, path.name)


def read_pxd(text: str, file: str) -> Iterator[Declared]:
    """The declarations of one `.pxd` file.

    Types stay as they are written. Enumerators have a value only where the file gives one.

    Raises:
        ValueError: a line is no declaration of a known shape.
    """
    header, block = "", None
    for number, written in enumerate(text.splitlines(), 1):
        line = written.partition("#")[0].rstrip()
        if not line:
            continue
        indent, line = len(line) - len(line.lstrip()), line.lstrip()
        if block and indent > block.indent:
            yield from _member(block, line, header)
            continue
        block = None
        if extern := _EXTERN.match(line):
            header = extern[1]
        elif opening := _BLOCK.match(line):
            block = _Block(opening[1], opening[2] or "", indent)
            if block.name:
                yield Declared(block.name, "type", header)
        elif taken := _TAKEN.match(line):
            yield Declared(taken[2], "type", header, (), taken[1])
        elif one := _declaration(line, header):
            yield one
        elif not line.startswith(_OTHER):
            raise ValueError(f"{file}:{number}: {line}")


def _member(block: _Block, line: str, header: str) -> Iterator[Declared]:
    if line == "pass":
        return
    if block.kind == "enum":
        name, _, value = line.partition("=")
        yield Declared(name.strip(), "enumerator", header, (), value.strip())
    elif block.name:
        kind, name = split_parameter(line)
        if not name:
            raise ValueError(f"{block.name} has a member of an unknown shape: {line}")
        yield Declared(f"{block.name}::{name}", "member", header, (), kind)


def _declaration(line: str, header: str) -> Declared | None:
    if line.startswith("ctypedef "):
        alias = line.removeprefix("ctypedef ")
        if pointer := _POINTER.match(alias):
            value = f"{pointer['result'].strip()} (*)({pointer['parameters']})"
            return Declared(pointer["name"], "type", header, (), value)
        kind, name = split_parameter(alias)
        return Declared(name, "type", header, (), kind) if name else None
    if function := _FUNCTION.match(line):
        written = split_commas(_until_closed(function["rest"]))
        parameters = [split_parameter(one) for one in written]
        return Declared(
            function["name"], "function", header,
            tuple(kind for kind, _ in parameters), function["result"].strip(),
            names=tuple(name for _, name in parameters),
        )  # fmt: skip
    if line.startswith("cdef ") and (constant := _NAMED.match(line.removeprefix("cdef "))):
        return Declared(constant["name"], "macro", header)
    return None


def split_parameter(written: str) -> tuple[str, str]:
    """The type and the name of a parameter or member; the name is "" where it has none."""
    written = written.strip()
    if inside := _INSIDE.match(written):
        kind = f"{inside['type'].strip()} ({inside['stars']}){inside['arrays']}"
        return kind, inside["name"]
    named = _NAMED.match(written)
    if not named or named["name"] in _TYPE_WORDS:
        return written, ""
    return named["type"].strip() + named["arrays"], named["name"]


def split_commas(written: str) -> list[str]:
    """The parts between the commas that stand in no bracket."""
    parts, depth = [""], 0
    for letter in written:
        depth += (letter in "([<") - (letter in ")]>")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def _until_closed(written: str) -> str:
    """What stands before the bracket that closes one opened before ``written``."""
    depth = 1
    for place, letter in enumerate(written):
        depth += (letter == "(") - (letter == ")")
        if not depth:
            return written[:place]
    raise ValueError(f"no closing bracket: {written}")
