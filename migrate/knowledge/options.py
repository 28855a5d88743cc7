"""The options of nvcc, and what the compilers of ROCm make of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from migrate.knowledge.tables import bad_mapping, table_rows

_HEADER = "option,also,value,anywhere,group,clang,hip,since,as_of,source,note"
_VALUES = frozenset({"none", "one", "next"})
_TO_PTXAS = ("-Xptxas", "--ptxas-options")
_ANSWERS = frozenset({"refuses", "ignores", "library"})
"""What clang does: it stops, warns, or looks for a library of that name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NvccOption:
    """A row of mappings/compiler_options.csv.

    ``value`` is ``none``, ``one`` (behind an equals sign or the next word) or ``next`` (the next
    word only); ``anywhere`` says that no other program has an option of this name. ``hip`` is the
    spelling of clang and hipcc, "" where it is left out.
    """

    option: str
    also: str
    value: str
    anywhere: bool
    group: str
    clang: str
    hip: str
    since: str
    as_of: str
    source: str
    note: str

    @property
    def spellings(self) -> tuple[str, ...]:
        """Every way in which the option is written."""
        return (self.option, *self.also.split())


@cache
def nvcc_options() -> MappingProxyType[str, NvccOption]:
    """Every option by each of its spellings.

    Raises:
        AssessError: rows that say something that no column may.
    """
    found: dict[str, NvccOption] = {}
    problems: list[str] = []
    for number, row in enumerate(table_rows(_HEADER, "compiler_options.csv"), 2):
        option, also, value, anywhere, group, clang, hip, since, as_of, source, note = row
        if value not in _VALUES or clang not in _ANSWERS or anywhere not in {"yes", "no"}:
            problems.append(f"compiler_options.csv:{number}: a cell has an unknown word")
        said = NvccOption(
            option=option, also=also, value=value, anywhere=anywhere == "yes", group=group,
            clang=clang, hip=hip, since=since, as_of=as_of, source=source, note=note,
        )  # fmt: skip
        for spelling in said.spellings:
            if spelling in found:
                problems.append(f"compiler_options.csv:{number}: {spelling} is listed twice")
            found[spelling] = said
    if problems:
        raise bad_mapping(problems)
    return MappingProxyType(found)


def option_of(text: str) -> NvccOption | None:
    """The row of an option as it was found, with its value or without.

    A limit of registers that is passed on to ptxas is one all the same.
    """
    rows = nvcc_options()
    if text.startswith(_TO_PTXAS) and "maxrregcount" in text:
        return rows["--maxrregcount"]
    return rows.get(text) or rows.get(text.split("=", 1)[0].split(" ", 1)[0])
