"""Settings that do nothing or fail on ROCm, and what CUDA's variables become."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from migrate.knowledge.tables import table_rows
from migrate.model.verdict import Verdict

_SETTINGS = "name,kind,match,fate,instead,as_of,source,note"
_VARIABLES = "name,topic,rocm,verdict,as_of,source,note"
_SET = r"(?<![\w$-])(?<!\$\{{)({name})(?=[\"'}}\])]*\s*(?:[=:,]|\s[\w\"'$]))"


@dataclass(frozen=True, slots=True)
class FolkSetting:
    """A variable, command or compiler option that has no effect, or a wrong one.

    ``fate`` says what is wrong with it, ``instead`` what does the job ("" for nothing).
    """

    name: str
    kind: str
    pattern: re.Pattern[str]
    needle: str
    """A text without which the pattern does not match."""
    fate: str
    instead: str
    source: str
    note: str


@dataclass(frozen=True, slots=True)
class VariableRow:
    """What becomes of an environment variable of CUDA's world; ``NAME_*`` stands for a family."""

    name: str
    topic: str
    rocm: str
    verdict: Verdict
    source: str
    note: str


@cache
def folk_settings() -> dict[str, FolkSetting]:
    """Every such setting by its name."""
    return {row[0]: _setting(row) for row in table_rows(_SETTINGS, "settings.csv")}


def _setting(row: list[str]) -> FolkSetting:
    name, kind, match, fate, instead, _, source, note = row
    pattern = re.compile(match or _SET.format(name=re.escape(name)))
    needle = name.rpartition(" ")[2] if kind == "command" else name
    return FolkSetting(name, kind, pattern, needle, fate, instead, source, note)


@cache
def known_variables() -> dict[str, VariableRow]:
    """Every row by its name."""
    return {
        row[0]: VariableRow(row[0], row[1], row[2], Verdict(row[3]), row[5], row[6])
        for row in table_rows(_VARIABLES, "variables.csv")
    }


@cache
def variable_row(name: str) -> VariableRow | None:
    """The row of a variable, its own or its family's; None for one that no row speaks of."""
    rows = known_variables()
    families = (row for key, row in rows.items() if key.endswith("*") and name.startswith(key[:-1]))
    return rows.get(name) or next(families, None)
