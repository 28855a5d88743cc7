"""What C and C++ headers declare: functions with their parameters, types, members, macros."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clang import cindex, native

_K = cindex.CursorKind
_FUNCTIONS = {_K.FUNCTION_DECL, _K.FUNCTION_TEMPLATE}
_RECORDS = {_K.STRUCT_DECL, _K.UNION_DECL, _K.CLASS_DECL, _K.CLASS_TEMPLATE}
_ALIASES = {_K.TYPEDEF_DECL, _K.TYPE_ALIAS_DECL}
_SCOPES = {_K.NAMESPACE, _K.LINKAGE_SPEC, _K.UNEXPOSED_DECL}
# Inline namespaces that number the interface: nobody writes them.
_VERSION = re.compile(r"_*v\d+")
_PLACE = re.compile(r" at [^()]*:\d+:\d+(?=\))")
_RESOURCES = Path(native.__file__).parent / "resource"
# Without it, libclang says nothing of what follows a header that is not there.
_KEEP_GOING = 0x200
_OPTIONS = (
    cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
    | cindex.TranslationUnit.PARSE_SKIP_FUNCTION_BODIES
    | _KEEP_GOING
)
CUDA = (
    "-x", "cuda", "--cuda-host-only", "--cuda-gpu-arch=sm_90", "-nocudainc", "-nocudalib",
    "-std=c++20", "-include", "__clang_cuda_runtime_wrapper.h",
)  # fmt: skip
HIP = (
    "-x", "hip", "--cuda-host-only", "--offload-arch=gfx942", "-nogpuinc", "-nogpulib",
    "-std=c++17", "-D__HIP_PLATFORM_AMD__", "-include", "__clang_hip_runtime_wrapper.h",
    "-include", "hip/hip_runtime.h",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Declared:
    """One declaration.

    ``name`` is the C++ name in full, without the namespaces that only number an interface; a
    member's or a scoped enumerator's stands behind its type and ``::``. ``parameters`` are the
    canonical types of a function's, ``names`` their names; the last ``defaults`` of them may be
    left out. ``value`` is a function's result, an enumerator's number, a member's or an alias's
    type, a macro's text.
    """

    name: str
    kind: str  # function, type, enumerator, macro, member
    header: str
    parameters: tuple[str, ...] = ()
    value: str = ""
    defaults: int = 0
    names: tuple[str, ...] = ()


def read_headers(
    headers: Sequence[str], folders: Sequence[Path], language: Sequence[str], *options: str
) -> list[Declared]:
    """What each of ``headers`` (paths below one of ``folders``) declares itself, in one unit.

    What a header includes is not its own. Clang takes a type that it cannot find for ``int``:
    where that happened, and which headers declared nothing, is said on stderr.

    Raises:
        FileNotFoundError: no folder has one of the headers.
    """
    places = {}
    for header in headers:
        home = next((folder for folder in folders if (folder / header).is_file()), None)
        if home is None:
            raise FileNotFoundError(header)
        places[_plain(home / header)] = header
    arguments = [
        *language, "-w", "-ferror-limit=0", "-resource-dir", str(_RESOURCES),
        "-isystem", str(_RESOURCES / "include" / "cuda_wrappers"), *options,
        *(f"-isystem{folder}" for folder in folders),
    ]  # fmt: skip
    # A header of the top folder comes before those that it is made of.
    ordered = sorted(headers, key=lambda header: (header.count("/"), header))
    text = "".join(f"#include <{header}>\n" for header in ordered)
    unit = cindex.Index.create().parse("unit.cu", arguments, [("unit.cu", text)], _OPTIONS)
    found = list(dict.fromkeys(_in_scope(unit.cursor, places, "")))
    _say_what_is_doubtful(unit, places, found)
    return found


def _plain(path: Path | str) -> str:
    """The path without the ``..`` of a relative include."""
    return os.path.normpath(path)


def _say_what_is_doubtful(unit: Any, places: dict[str, str], found: list[Declared]) -> None:  # noqa: ANN401
    wrong = [
        one
        for one in unit.diagnostics
        if one.severity >= cindex.Diagnostic.Error
        and one.location.file
        and _plain(one.location.file.name) in places
    ]
    if wrong:
        print(f"  {len(wrong)} errors, the first: {wrong[0]}", file=sys.stderr)
    silent = sorted(set(places.values()) - {one.header for one in found})
    if silent:
        print(f"  nothing declared in {' '.join(silent)}", file=sys.stderr)


def _in_scope(scope: Any, places: dict[str, str], namespace: str) -> Iterator[Declared]:  # noqa: ANN401
    for cursor in scope.get_children():
        if cursor.kind in _SCOPES:
            named = cursor.kind == _K.NAMESPACE and not _VERSION.fullmatch(cursor.spelling)
            inner = f"{namespace}{cursor.spelling}::" if named and cursor.spelling else namespace
            yield from _in_scope(cursor, places, inner)
        elif header := places.get(_plain(where.name) if (where := cursor.location.file) else ""):
            yield from _declared(cursor, header, namespace)


def _declared(cursor: Any, header: str, namespace: str) -> Iterator[Declared]:  # noqa: ANN401
    name = f"{namespace}{cursor.spelling}"
    if cursor.kind in _FUNCTIONS:
        yield _function(cursor, name, header)
    elif cursor.kind in _ALIASES:
        shape = cursor.underlying_typedef_type.get_declaration()
        if shape.spelling != cursor.spelling:
            yield Declared(name, "type", header, (), cursor.underlying_typedef_type.spelling)
            if shape.kind in _RECORDS and shape.is_definition():
                yield from _members(shape, name, header)
    elif cursor.kind in _RECORDS and _is_named(cursor):
        yield Declared(name, "type", header)
        yield from _members(cursor, name, header)
    elif cursor.kind == _K.ENUM_DECL:
        if _is_named(cursor):
            yield Declared(name, "type", header)
        yield from _enumerators(
            cursor, f"{name}::" if cursor.is_scoped_enum() else namespace, header
        )
    elif cursor.kind == _K.MACRO_DEFINITION:
        text = [token.spelling for token in cursor.get_tokens()][1:]
        yield Declared(name, "macro", header, (), " ".join(text))


def _is_named(cursor: Any) -> bool:  # noqa: ANN401
    return bool(cursor.spelling) and "(" not in cursor.spelling


def _function(cursor: Any, name: str, header: str) -> Declared:  # noqa: ANN401
    parameters = [child for child in cursor.get_children() if child.kind == _K.PARM_DECL]
    return Declared(
        name, "function", header,
        tuple(_spelt(one.type) for one in parameters),
        _spelt(cursor.result_type),
        sum(any(token.spelling == "=" for token in one.get_tokens()) for one in parameters),
        tuple(one.spelling for one in parameters),
    )  # fmt: skip


def _spelt(type_: Any) -> str:  # noqa: ANN401
    """The canonical type, without the place in a file by which clang tells nameless ones apart."""
    return _PLACE.sub("", type_.get_canonical().spelling)


def _enumerators(cursor: Any, scope: str, header: str) -> Iterator[Declared]:  # noqa: ANN401
    for one in cursor.get_children():
        if one.kind == _K.ENUM_CONSTANT_DECL:
            yield Declared(f"{scope}{one.spelling}", "enumerator", header, (), str(one.enum_value))


def _members(record: Any, name: str, header: str) -> Iterator[Declared]:  # noqa: ANN401
    """The fields, with those of structs and unions that have neither a name nor a field."""
    cursors = list(record.get_children())
    fields = [one for one in cursors if one.kind == _K.FIELD_DECL and one.spelling]
    held = [one.type.get_declaration() for one in fields]
    for cursor in cursors:
        if cursor in fields:
            kind = _spelt(cursor.type)
            yield Declared(f"{name}::{cursor.spelling}", "member", header, (), kind)
        elif cursor.kind in _RECORDS and cursor.is_anonymous() and cursor not in held:
            yield from _members(cursor, name, header)
