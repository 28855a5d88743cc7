"""Uses asked for by what their names look like."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.rules.code import Code, CodeUse


def uses_like(code: Code, form: re.Pattern[str]) -> Iterator[CodeUse]:
    """The uses whose whole name has a form, by name."""
    for symbol in code.symbols:
        if form.fullmatch(symbol):
            yield from code.uses(symbol)
