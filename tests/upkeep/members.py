"""Fields of CUDA's structs: each has a twin of its name in HIP's, or a row that says more."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from migrate.knowledge.apis import ApiTables
from migrate.model.target import CudaVersion, RocmRelease, Target
from migrate.model.verdict import Verdict
from tests.upkeep.declared import Declared

_AS_IT_IS = (Verdict.SAME, Verdict.RENAMED)
# Parts of a struct that no user's code touches.
_FILLER = re.compile(r"_*(?:reserved|pad|padding|unused|dummy)_?\d*|asBytes|nvReserved\d*")
# What ROCm's bindings call a struct or union without a name, behind the name of the outer one.
_NAMELESS = re.compile(r"_(?:union|struct)_\d+$")


def check_members(
    cuda: Mapping[str, Sequence[Declared]], hip: Mapping[str, Sequence[Declared]], tables: ApiTables
) -> list[str]:
    """What is wrong, one line a field: no twin and no row, or a row whose field HIP has not.

    ``cuda`` holds declarations by CUDA version, ``hip`` by ROCm release. A struct that does not
    map on a release, or is changed, answers for its fields itself.
    """
    wrong: dict[str, list[str]] = defaultdict(list)
    theirs = {release: struct_fields(found) for release, found in hip.items()}
    for version, found in cuda.items():
        ours, roots = struct_fields(found), type_roots(found)
        rows = _rows_by_root(ours, roots, tables)
        for release, structs in theirs.items():
            target = Target(RocmRelease.parse(release), ("gfx942",), CudaVersion.parse(version))
            for struct in ours.keys() & tables.names:
                shared = rows[roots.get(struct, struct)]
                fields = {field: shared.get(field, "") for field in ours[struct]}
                fields |= {
                    field: f"{struct}::{field}"
                    for field in fields
                    if f"{struct}::{field}" in tables.names
                }
                for problem in _problems(struct, fields, structs, tables, target):
                    wrong[problem].append(release)
    return [
        f"{problem} of ROCm {' '.join(dict.fromkeys(releases))}"
        for problem, releases in sorted(wrong.items())
    ]


def _problems(
    struct: str,
    fields: Mapping[str, str],
    structs: Mapping[str, frozenset[str]],
    tables: ApiTables,
    target: Target,
) -> Iterator[str]:
    """What is wrong with the fields of a struct, which are given with their row's name or ""."""
    answer = tables.resolve(struct, target)
    if answer.verdict not in _AS_IT_IS or answer.hip not in structs:
        return
    twins = structs[answer.hip]
    for field, row in fields.items():
        if not row:
            if field not in twins and not _FILLER.fullmatch(field):
                yield f"{struct}::{field} has no row, nor a twin in {answer.hip}"
        elif (claimed := _claimed_field(row, tables, target)) and claimed not in twins:
            yield f"{struct}::{field} is {claimed} by its row, which is not in {answer.hip}"


def _claimed_field(row: str, tables: ApiTables, target: Target) -> str:
    """The field of HIP's struct that a row names as the twin; "" where it names none."""
    answer = tables.resolve(row, target)
    _, separator, field = answer.hip.rpartition("::")
    return field if separator and answer.verdict in _AS_IT_IS else ""


def _rows_by_root(
    structs: Mapping[str, frozenset[str]], roots: Mapping[str, str], tables: ApiTables
) -> dict[str, dict[str, str]]:
    """The rows of fields by the struct that they are of, whichever of its names the row has."""
    rows: dict[str, dict[str, str]] = defaultdict(dict)
    for struct, fields in structs.items():
        for field in fields:
            if f"{struct}::{field}" in tables.names:
                rows[roots.get(struct, struct)][field] = f"{struct}::{field}"
    return rows


def type_roots(declarations: Iterable[Declared]) -> dict[str, str]:
    """For every typedef, the tag or type that it is another name of in the end."""
    aliases = {
        one.name: one.value.removeprefix("struct ").removeprefix("union ")
        for one in declarations
        if one.kind == "type" and one.value
    }
    return {name: _root(name, aliases) for name in aliases}


def _root(name: str, aliases: Mapping[str, str]) -> str:
    seen = set()
    while name in aliases and name not in seen:
        seen.add(name)
        name = aliases[name]
    return name


def struct_fields(declarations: Sequence[Declared]) -> dict[str, frozenset[str]]:
    """The names of every struct's fields, under each of its names."""
    fields: dict[str, dict[str, str]] = defaultdict(dict)
    for one in declarations:
        if one.kind == "member":
            struct, _, field = one.name.rpartition("::")
            fields[struct][field] = one.value
    whole = {struct: frozenset(_with_nameless(struct, fields)) for struct in fields}
    for alias, root in type_roots(declarations).items():
        if root in whole:
            whole.setdefault(alias, whole[root])
    return whole


def _with_nameless(struct: str, fields: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """The struct's own fields and those of the structs in it that no field has as its type."""
    yield from fields[struct]
    for inner in fields:
        rest = inner.removeprefix(struct)
        nested = rest != inner and _NAMELESS.fullmatch(rest)
        if nested and inner not in fields[struct].values():
            yield from _with_nameless(inner, fields)
