"""Groups of CUDA's arithmetic functions that HIP lacks, by the form of their names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.rules.code import Code, CodeUse


def missing_uses(code: Code, form: re.Pattern[str]) -> Iterator[CodeUse]:
    """The uses of names of a form that the tables do not map name for name."""
    for symbol in code.symbols:
        if form.fullmatch(symbol) is None:
            continue
        for use in code.uses(symbol):
            if code.verdict(use).cuda_only:
                yield use
