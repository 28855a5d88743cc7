"""Rebuilds mappings/hip_symbols.csv from public packages and says what that changes.

A release that was read replaces what the table has of the libraries read in it, and nothing else:
what comes from no package any more, as the release tags of 6.2, stands as it is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from migrate.knowledge.apis import ApiTables
from migrate.knowledge.symbols import HEADER, SymbolTable, symbol_library
from migrate.model.target import RocmRelease
from tests.upkeep.bindings import read_bindings
from tests.upkeep.claims import contradicted, overlooked
from tests.upkeep.declared import HIP, Declared, read_headers

Symbols = Mapping[str, AbstractSet[str]]
"""The symbols of one release, by library."""

_COVERAGE = "*"
_SMI = "amd_smi/amdsmi.h"
# Made by ctypeslib from AMD SMI's header, in the releases that have no Cython bindings of it.
_WRAPPER = "amdsmi_wrapper.py"
# The interfaces that the bindings of some releases lack; each header with what it leaves to others.
_HEADERS = {
    "blaslt": ("hipblaslt/hipblaslt.h", "hipblaslt/hipblaslt-types.h", "hipblaslt-version.h"),
    "miopen": ("miopen/miopen.h",),
    "smi": (_SMI,),
    "sparselt": ("hipsparselt/hipsparselt.h",),
}
# Parts of the interfaces that a user has to ask for.
_ASKED_FOR = ("-DMIOPEN_BETA_API=1", "-DENABLE_ESMI_LIB")
_CONSTANT = re.compile(r"[(\- ]*[\d\"]")


def symbols_of_bindings(folder: Path) -> dict[str, set[str]]:
    """What the Python bindings below a folder declare: Cython's, or AMD SMI's own wrapper."""
    found = symbols_of(read_bindings(folder))
    for path in folder.rglob(_WRAPPER):
        names = _exported(path.read_text(encoding="utf-8"))
        join(found, symbols_of(Declared(name, "function", _SMI) for name in names))
    return found


def _exported(text: str) -> list[str]:
    """The names in the ``__all__`` of a module."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            names: list[str] = ast.literal_eval(node.value)
            return names
    raise ValueError("no __all__")


def symbols_of_headers(include: Path) -> dict[str, set[str]]:
    """What those C headers below a folder declare that bindings lack, constants among it.

    Raises:
        ValueError: the folder has no such header.
    """
    found: dict[str, set[str]] = {}
    for headers in _HEADERS.values():
        if all((include / header).is_file() for header in headers):
            declared = read_headers(headers, [include], HIP, *_ASKED_FOR)
            join(
                found,
                symbols_of(
                    one for one in declared if one.kind != "macro" or _CONSTANT.match(one.value)
                ),
            )
    if not found:
        raise ValueError(
            f"{include} has none of the headers {' '.join(sum(_HEADERS.values(), ()))}"
        )
    return found


def join(found: dict[str, set[str]], more: Symbols) -> None:
    """Add the symbols of ``more`` to those found, library by library."""
    for library, names in more.items():
        found.setdefault(library, set()).update(names)


def symbols_of(declarations: Iterable[Declared]) -> dict[str, set[str]]:
    """The declared names under the libraries that their first letters tell.

    A library is one whose header was read: bindings repeat what they need of another's.
    """
    found: dict[str, set[str]] = {}
    names = []
    for one in declarations:
        if library := symbol_library(PurePosixPath(one.header).stem):
            found.setdefault(library, set())
        if one.kind != "member" and "::" not in one.name:
            names.append(one.name)
    for name in names:
        if (library := symbol_library(name)) in found:
            found[library].add(name)
    return found


def rebuild(current: str, found: Mapping[str, Symbols]) -> str:
    """The text of the table, with what was found of each release (``7.2``) in place of the old."""
    table = _parse(current)
    for release, libraries in found.items():
        for library, symbols in libraries.items():
            kept = table.setdefault(library, {})
            for releases in kept.values():
                releases.discard(release)
            for symbol in (_COVERAGE, *symbols):
                kept.setdefault(symbol, set()).add(release)
    return _written(table)


def _parse(text: str) -> dict[str, dict[str, set[str]]]:
    table: dict[str, dict[str, set[str]]] = {}
    for line in text.splitlines()[1:]:
        library, symbol, releases = line.split(",")
        table.setdefault(library, {})[symbol] = set(releases.split())
    return table


def _written(table: Mapping[str, Mapping[str, AbstractSet[str]]]) -> str:
    lines = [
        f"{library},{symbol},{' '.join(sorted(releases, key=_place))}"
        for library, symbols in sorted(table.items())
        for symbol, releases in sorted(symbols.items())
        if releases
    ]
    return "\n".join((HEADER, *lines, ""))


def _place(release: str) -> tuple[int, int]:
    parsed = RocmRelease.parse(release)
    return parsed.major, parsed.minor


def table_of(text: str) -> SymbolTable:
    """The table as the program reads it."""
    return SymbolTable(text.splitlines()[1:])


@dataclass(frozen=True, slots=True)
class Change:
    """What a rebuilt table says otherwise of one library in one release."""

    library: str
    release: str
    begun: bool
    added: tuple[str, ...]
    removed: tuple[str, ...]

    def __str__(self) -> str:
        title = f"{self.library} {self.release}{': read for the first time' * self.begun}"
        signs = [f"  + {name}" for name in self.added], [f"  - {name}" for name in self.removed]
        return "\n".join((title, *signs[0], *signs[1]))


def difference(old: str, new: str) -> list[Change]:
    """What changed between two texts of the table, by library and release."""
    before, after = _by_release(old), _by_release(new)
    changed = []
    for library, release in sorted(
        before.keys() | after.keys(), key=lambda key: (key[0], _place(key[1]))
    ):
        was = before.get((library, release), set())
        now = after.get((library, release), set())
        if was != now:
            added, removed = tuple(sorted(now - was)), tuple(sorted(was - now))
            begun = _COVERAGE in added
            changed.append(Change(library, release, begun, added[begun:], removed))
    return changed


def check_symbols(
    found: Mapping[str, Symbols], path: Path, tables: ApiTables, *, write: bool = False
) -> int:
    """Print what was found of each release otherwise than the table at ``path`` has it.

    Then the claims that the new table contradicts, and the names said to be missing whose twins it
    has. ``write`` puts it in the old one's place, for a review of the diff.

    Returns:
        the number of changes and of claims to be looked at.
    """
    old = path.read_text(encoding="utf-8")
    new = rebuild(old, found)
    changes, symbols = difference(old, new), table_of(new)
    wrong = [*contradicted(tables, symbols), *overlooked(tables, symbols)]
    for words, lines in (
        ("changes by library and release", changes),
        ("claims that the symbols contradict", wrong),
    ):
        print(f"\n{path.name}: {len(lines)} {words}")
        print(*lines, sep="\n", end="\n" if lines else "")
    if write:
        path.write_text(new, encoding="utf-8", newline="\n")
    return len(changes) + len(wrong)


def _by_release(text: str) -> dict[tuple[str, str], set[str]]:
    found: dict[tuple[str, str], set[str]] = {}
    for library, symbols in _parse(text).items():
        for symbol, releases in symbols.items():
            for release in releases:
                found.setdefault((library, release), set()).add(symbol)
    return found
