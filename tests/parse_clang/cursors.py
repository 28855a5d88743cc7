"""A reader of units that tells every cursor of the main file with what it refers to."""

from __future__ import annotations

from dataclasses import replace

from migrate.parse.clang.cursors import CONTINUE, RECURSE, Cursor, file_place, referenced, visit
from migrate.parse.clang.task import UnitResult, UnitTask
from migrate.parse.clang.unit import parse_unit
from tests.parse_clang.readers import read_plainly


def read_cursors(task: UnitTask) -> UnitResult:
    result = read_plainly(task)
    unit = parse_unit(task.unit.path, task.root, task.arguments)
    rows: list[str] = []

    def see(cursor: Cursor, _: Cursor) -> int:
        file, line, column, _ = file_place(cursor)
        if file is None or str(file.name) != unit.handle.spelling:
            return CONTINUE
        to = referenced(cursor)
        what = (to.get_usr(), str(file_place(to)[:2])) if to is not None else ()
        rows.append(
            f"{line}:{column} {cursor.kind} {cursor.spelling} {cursor.type.spelling} {what}"
        )
        return RECURSE

    visit(unit.handle.cursor, see)
    return UnitResult(replace(result.facts, reason="\n".join(rows)), result.opened)
