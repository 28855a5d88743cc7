"""Units where text or tree is wrong: each is right with the compiler, and differs without it.

Every unit under fixtures/semantic marks its lines: ``// use:`` names what is used there, in order
of place, ``// tree:`` what the tree alone takes for used where that is something else (``-``:
nothing). A line without a mark uses nothing. ``name/2`` says how many arguments the call has,
``/-1`` that they are not told.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest

from migrate.facts.join import drop_own_names
from migrate.facts.semantic import merge_answers
from migrate.knowledge.apis import load_tables
from migrate.model.facts import FileFacts, Use, iterate_uses
from migrate.model.semantic import UnitFacts
from migrate.model.source import Language
from migrate.model.unit import CompileArguments, Unit
from migrate.parse.clang.native import load_libclang
from migrate.parse.clang.reader import read_unit
from migrate.parse.clang.task import UnitTask
from migrate.parse.clang.unit import clang_arguments
from migrate.parse.macros import ProjectMacros
from migrate.parse.reader import read_source
from migrate.parse.vocabulary import load_vocabulary
from tests.parse_clang.parsing import TOOLKIT

FIXTURES = Path(__file__).parent.parent.parent / "fixtures" / "semantic"
UNITS = sorted(FIXTURES.glob("*.cu"))
HEADERS = sorted(FIXTURES.glob("include/*.h"))
USE = re.compile(r"use: (.*?)(?=\s+tree: |$)")
TREE = re.compile(r"tree: (.*)$")

Lines = dict[int, list[str]]


def marked(path: Path) -> tuple[Lines, Lines]:
    """What a file's marks say is used on each line: with the compiler, and without."""
    right, tree = {}, {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        code, _, comment = line.partition("// ")
        if not code.strip():
            continue
        use, other = USE.search(comment), TREE.search(comment)
        names = use[1].split(", ") if use else []
        without = names if other is None else [] if other[1] == "-" else other[1].split(", ")
        if names:
            right[number] = names
        if without:
            tree[number] = without
    return right, tree


def shown(use: Use, marks: Iterable[str]) -> str:
    """A use as a mark has it, with its arguments where the marks of its line give them."""
    counted = any(mark.startswith(f"{use.symbol}/") for mark in marks)
    return f"{use.symbol}/{use.arguments}" if counted else use.symbol


def found(file: FileFacts, marks: Lines) -> Lines:
    lines: Lines = defaultdict(list)
    for use in iterate_uses(file):
        lines[use.line].append(shown(use, marks.get(use.line, ())))
    return dict(lines)


def by_tree(path: Path) -> FileFacts:
    name = path.relative_to(FIXTURES).as_posix()
    language = Language.CUDA if path.suffix == ".cu" else Language.CPP
    data = path.read_bytes()
    return read_source(data, name, language, load_vocabulary(), ProjectMacros())


def by_compiler(name: str) -> UnitFacts:
    asks = (name, *(header.relative_to(FIXTURES).as_posix() for header in HEADERS))
    unit = Unit(path=name, arguments=CompileArguments(), asks=asks)
    arguments = tuple(clang_arguments(unit.arguments, TOOLKIT, load_libclang()))
    macros = (("gpuMalloc", "include/shim.h", 4), ("gpuFree", "include/shim.h", 5))
    return read_unit(
        UnitTask(unit=unit, root=str(FIXTURES), toolkit=TOOLKIT, arguments=arguments, macros=macros)
    ).facts


def read(path: Path) -> list[FileFacts]:
    """The unit and every header by the tree, the project's own names dropped."""
    return list(drop_own_names([by_tree(path), *map(by_tree, HEADERS)], ()))


def one(files: Iterable[FileFacts], name: str) -> FileFacts:
    return next(file for file in files if file.path == name)


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.stem)
def test_unit_is_right_with_the_compiler_and_differs_without(path: Path) -> None:
    right, tree = marked(path)
    files = read(path)
    assert found(one(files, path.name), tree) == tree
    unit = by_compiler(path.name)
    assert unit.errors == 0
    merged = merge_answers(files, [unit], load_tables())
    assert found(one(merged.files, path.name), right) == right
    assert merged.agreement.disagreed > 0
