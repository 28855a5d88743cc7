"""The API tables: which names are known, and what becomes of one on a target."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from migrate.knowledge.files import data_path
from migrate.knowledge.resolve import resolve_rows, unknown_name
from migrate.knowledge.rows import HEADER, ApiRow, parse_row
from migrate.knowledge.tables import bad_mapping, split_line, table_lines, table_rows
from migrate.model.resolution import Resolution
from migrate.model.target import RocmRelease, Target

# The only cell of a row that holds a month; parsing all rows would take 20 times as long.
_MONTH = re.compile(r",20\d\d-\d\d,")
# Behind a function's name: the variant for the stream of a thread, and the version of the call.
_VERSION = re.compile(r"(?:_pt[ds][sz])?(?:_v\d+)?(?:_pt[ds][sz])?$")
_PATCHED = 2
_NEAR_PREFIX = 3
_NEAR_LENGTH = 4
_NEAR_CUTOFF = 0.75


class ApiTables:
    """All rows of mappings/apis/, read once; a row is parsed when a name is asked for."""

    __slots__ = (
        "_by_namespace",
        "_endings",
        "_family_lines",
        "_family_sizes",
        "_lines",
        "_rows",
        "families",
        "names",
        "namespaces",
        "not_uses",
        "suffixed",
    )

    def __init__(self) -> None:
        self._lines: dict[str, list[tuple[str, str]]] = {}
        self._family_lines: dict[str, list[tuple[str, str]]] = {}
        self._rows: dict[str, tuple[ApiRow, ...]] = {}
        for library in table_keys():
            for line in table_lines(HEADER, "apis", f"{library}.csv"):
                name = line[: line.find(",")]
                known = self._family_lines if "*" in name else self._lines
                claims = known.get(name)
                if claims is None:
                    known[name] = [(library, line)]
                else:
                    claims.append((library, line))
        self.not_uses = frozenset(row[0] for row in table_rows("name,reason", "not_uses.csv"))
        self.names = frozenset(self._lines) - self.not_uses
        patterns = sorted(self._family_lines, key=lambda name: (-len(name), name))
        self.families = tuple(name for name in patterns if name.endswith("*"))
        self.suffixed = tuple(name for name in patterns if not name.endswith("*"))
        self._endings = tuple(name.partition("*")[2] for name in self.suffixed)
        self._family_sizes = tuple(sorted({len(name) - 1 for name in self.families}, reverse=True))
        self._by_namespace = self._find_members()
        self.namespaces = frozenset(
            namespace
            for namespace, members in self._by_namespace.items()
            if "::" not in namespace and not self._is_struct(namespace, members)
        )

    def knows(self, name: str) -> bool:
        """Whether the tables answer for the name, by itself or by its family, as a use."""
        return name not in self.not_uses and (name in self.names or self._family(name) != "")

    def standing(self, name: str) -> int:
        """How the tables know a name: 2 by its own row, 1 by a family's, 0 not at all."""
        if name in self.names:
            return 2
        return int(self.knows(name))

    def library_of(self, name: str) -> str:
        """The key of the library whose table has a row for the name or its family; "" for none."""
        claims = self._lines.get(name) or self._family_lines.get(self._family(name))
        return claims[0][0] if claims else ""

    def members_of(self, namespace: str) -> frozenset[str]:
        """The unqualified names known directly in a namespace, as ``cub`` or ``nvcuda::wmma``."""
        return self._by_namespace.get(namespace, frozenset())

    def resolve(self, name: str, target: Target, *, arguments: int | None = None) -> Resolution:
        """What becomes of a CUDA name on a target.

        ``arguments`` is the number of arguments of the call, where it is one; it tells the form of
        a name whose signature changed when the CUDA version of the source is not known.
        """
        rows = self.rows_of(name)
        if not rows:
            return unknown_name(name, self.near(name))
        return resolve_rows(name, rows, target, arguments)

    def rows_of(self, name: str) -> tuple[ApiRow, ...]:
        """The claims that answer for a name: its own, else those of its longest family.

        Raises:
            AssessError: one of them cannot be read; every bad row of all tables is shown.
        """
        own = name in self._lines or name in self._family_lines
        key = name if own else self._family(name)
        if not key:
            return ()
        if key not in self._rows:
            claims = self._lines.get(key) or self._family_lines[key]
            try:
                self._rows[key] = tuple(
                    parse_row(table, split_line(line)) for table, line in claims
                )
            except ValueError:
                raise bad_mapping(self._problems()) from None
        return self._rows[key]

    def first_release(self, name: str, since: RocmRelease) -> str:
        """``since`` in three parts: with the patch level that the tables give, else that of ``.0``.

        A ``RocmRelease`` knows no patch level; some names came with one (``1.8.2``).
        """
        for row in self.rows_of(name):
            for text in row.since_texts:
                if RocmRelease.parse(text) == since and text.count(".") == _PATCHED:
                    return text
        return f"{since}.0"

    def all_rows(self) -> Iterator[ApiRow]:
        """Every row of every table, in the order of the files.

        Raises:
            AssessError: rows that cannot be read, all of them named.
        """
        problems = tuple(self._problems())
        if problems:
            raise bad_mapping(problems)
        for name in (*self._lines, *self._family_lines):
            yield from self.rows_of(name)

    def near(self, name: str, n: int = 3) -> tuple[str, ...]:
        """Up to ``n`` known names that a misspelt one may mean, closest first."""
        import difflib  # noqa: PLC0415 - 10 ms that only an unknown name costs

        start = name[:_NEAR_PREFIX].lower()
        candidates = [
            known
            for known in self.names
            if known[:_NEAR_PREFIX].lower() == start and abs(len(known) - len(name)) <= _NEAR_LENGTH
        ]
        close = difflib.get_close_matches(name, sorted(candidates), n, _NEAR_CUTOFF)
        return tuple(close)

    @property
    def as_of(self) -> str:
        """The months that the claims speak of: the oldest and the newest."""
        claims = (*self._lines.values(), *self._family_lines.values())
        months = {
            month[0] for lines in claims for _, line in lines if (month := _MONTH.search(line))
        }
        return f"{min(months)[1:-1]} to {max(months)[1:-1]}"

    def _family(self, name: str) -> str:
        """The longest pattern that the name matches; "" for none.

        A stem is whole words: where it ends in a small letter, no small letter may follow it, so
        that ``optix*`` does not answer for ``optixing``. What stands before the ending of
        ``cu*_params`` is a name with a row, and maybe its version: ``cuMemAlloc_v2_params``.
        """
        if name.endswith(self._endings):
            for pattern in self.suffixed:
                stem, _, ending = pattern.partition("*")
                whole = _VERSION.sub("", name.removesuffix(ending))
                if name.endswith(ending) and whole.startswith(stem) and whole in self._lines:
                    return pattern
        for size in self._family_sizes:
            stem, following = name[:size], name[size : size + 1]
            pattern = f"{stem}*"
            if pattern in self._family_lines and not (stem[-1:].islower() and following.islower()):
                return pattern
        return ""

    def _find_members(self) -> dict[str, frozenset[str]]:
        members: dict[str, set[str]] = {}
        for name in (*self._lines, *self._family_lines):
            if "::" not in name:
                continue
            namespace, separator, member = name.rpartition("::")
            while separator:
                if member != "*":
                    members.setdefault(namespace, set()).add(member)
                else:
                    members.setdefault(namespace, set())
                namespace, separator, member = namespace.rpartition("::")
        return {namespace: frozenset(names) for namespace, names in members.items()}

    def _is_struct(self, name: str, members: frozenset[str]) -> bool:
        """Whether a name before ``::`` is a struct, known by its first field, and no namespace."""
        if not members:
            return False
        _, line = self._lines.get(f"{name}::{min(members)}", [("", "")])[0]
        return split_line(line)[1:2] == ["member"]

    def _problems(self) -> Iterator[str]:
        for name, claims in (*self._lines.items(), *self._family_lines.items()):
            for library, line in claims:
                try:
                    parse_row(library, split_line(line))
                except ValueError as error:
                    yield f"apis/{library}.csv: {name}: {error}"


def table_keys() -> tuple[str, ...]:
    """The keys of the API tables, which are the names of their files."""
    folder = data_path("mappings", "apis")
    return tuple(sorted(path.stem for path in folder.glob("*.csv")))


@cache
def load_tables() -> ApiTables:
    """The tables, read at the first call."""
    return ApiTables()
