"""Options of nvcc by what they are about, told together for each file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from migrate.knowledge.options import NvccOption, option_of
from migrate.model.rule import Hit
from migrate.model.signals import Kind, Signal
from migrate.rules.code import Code

_MOST_TOLD = 6
_ONLY_WITH = {
    "-ftz": "true",
    "-prec-div": "false",
    "-prec-sqrt": "false",
    "-fmad": "false",
    "-rdc": "true",
    "--default-stream": "per-thread",
}
"""The value for which an option has a twin; its other values are clang's defaults."""
_DEFAULTS = ("true", "false", "legacy")


def of_groups(code: Code, *groups: str) -> Iterator[Hit]:
    """A hit for each option of some groups in a file; each says what becomes of all of them."""
    found = [(one, row) for one, row in _rows(code) if row.group in groups]
    detail = _told(found)
    for signal, _ in found:
        yield code.hit(signal, detail=detail)


def _rows(code: Code) -> Iterator[tuple[Signal, NvccOption]]:
    for signal in code.signals(Kind.OPTION):
        row = option_of(signal.value)
        if row is not None:
            yield signal, row


def _told(found: Sequence[tuple[Signal, NvccOption]]) -> str:
    """What becomes of the options, each once."""
    said = list(dict.fromkeys(_becomes(signal.value, row) for signal, row in found))
    more = f" and {len(said) - _MOST_TOLD} more" if len(said) > _MOST_TOLD else ""
    return f"{', '.join(said[:_MOST_TOLD])}{more}."


def _becomes(text: str, row: NvccOption) -> str:
    needed = _ONLY_WITH.get(row.option)
    if not row.hip or (needed is not None and text.endswith(_DEFAULTS) and needed not in text):
        return f"{row.option} is left out"
    return f"{row.option} -> {row.hip}"
