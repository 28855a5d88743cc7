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
_FILLER = re.compile(r"_*(?:reserved|pad|padding|_?unused|asBytes|dummy)\w*$", re.IGNORECASE)
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
    declared = {release: struct_fields(found) for release, found in hip.items()}
    for version, found in cuda.items():
        structs = struct_fields(found)
        named = _rows_by_shape(structs, tables)
        for release, theirs in declared.items():
            target = Target(RocmRelease.parse(release), ("gfx942",), CudaVersion.parse(version))
            for struct in structs.keys() & tables.names:
                answer = tables.resolve(struct, target)
                if answer.verdict in _AS_IT_IS and answer.hip in theirs:
                    twins, others = theirs[answer.hip], named[structs[struct]]
                    for field in structs[struct]:
                        name = f"{struct}::{field}"
                        row = name if name in tables.names else others.get(field)
                        if problem := _problem(field, row, twins, tables, target):
                            wrong[f"{name} {problem} {answer.hip}"].append(release)
    return [
        f"{problem} of ROCm {' '.join(dict.fromkeys(releases))}"
        for problem, releases in sorted(wrong.items())
    ]


def _rows_by_shape(
    structs: Mapping[str, frozenset[str]], tables: ApiTables
) -> dict[frozenset[str], dict[str, str]]:
    """The fields with a row, by the whole of a struct's fields: tags and typedefs share theirs."""
    rows: dict[frozenset[str], dict[str, str]] = defaultdict(dict)
    for struct, fields in structs.items():
        for field in fields:
            if f"{struct}::{field}" in tables.names:
                rows[fields][field] = f"{struct}::{field}"
    return rows


def _problem(
    field: str, row: str | None, twins: frozenset[str], tables: ApiTables, target: Target
) -> str:
    if row is None:
        return "" if field in twins or _FILLER.match(field) else "has no row, nor a twin in"
    answer = tables.resolve(row, target)
    claimed = answer.hip.rpartition("::")[2]
    if answer.verdict not in _AS_IT_IS or "::" not in answer.hip or claimed in twins:
        return ""
    return f"is {claimed} by its row, which is not in"


def struct_fields(declarations: Iterable[Declared]) -> dict[str, frozenset[str]]:
    """The names of every struct's fields, under each of its names."""
    fields: dict[str, dict[str, str]] = defaultdict(dict)
    aliases: dict[str, str] = {}
    for one in declarations:
        if one.kind == "member":
            struct, _, field = one.name.rpartition("::")
            fields[struct][field] = one.value
        elif one.kind == "type" and one.value:
            aliases[one.name] = one.value.removeprefix("struct ").removeprefix("union ")
    whole = {struct: frozenset(_with_nameless(struct, fields)) for struct in fields}
    for alias, name in aliases.items():
        if name in whole:
            whole.setdefault(alias, whole[name])
    return whole


def _with_nameless(struct: str, fields: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """The struct's own fields and those of the structs in it that no field has as its type."""
    yield from fields[struct]
    for inner in fields:
        rest = inner.removeprefix(struct)
        nested = rest != inner and _NAMELESS.fullmatch(rest)
        if nested and inner not in fields[struct].values():
            yield from _with_nameless(inner, fields)
