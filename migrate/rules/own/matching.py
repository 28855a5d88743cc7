"""Finds what a YAML rule asks for: uses of CUDA names, calls by their arguments, includes."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from migrate.model.facts import CallSite
from migrate.model.rule import Hit
from migrate.model.verdict import SeenBy
from migrate.rules.code import Code

_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Match:
    """What a rule looks for; patterns match the whole of a name, an argument or an include.

    With ``arguments`` (patterns by number from 1) only calls are looked at, and all that are named
    have to match. An include is found beside them.
    """

    names: tuple[str, ...] = ()
    arguments: Mapping[int, tuple[str, ...]] | None = None
    includes: tuple[str, ...] = ()

    def __call__(self, code: Code) -> Iterator[Hit]:
        """The places in a file, as a rule's ``check``."""
        named = [name for name in code.symbols if matches(self.names, name)]
        if self.arguments:
            yield from (code.hit(call) for call in code.calls(*named) if self._takes(call))
        else:
            yield from (code.hit(use) for use in code.uses(*named))
        for include in code.facts.includes if self.includes else ():
            if matches(self.includes, include.name):
                yield code.hit_place(include.line, 1, include.name, "", seen_by=SeenBy.TEXT)

    def _takes(self, call: CallSite) -> bool:
        return all(
            number <= len(call.arguments)
            and matches(wanted, " ".join(call.arguments[number - 1].split()))
            for number, wanted in (self.arguments or {}).items()
        )


def matches(patterns: Sequence[str], text: str) -> bool:
    """Whether one of the patterns matches a whole text; a text too long to be meant matches none.

    Python makes the parts between stars atomic, so that no pattern takes more than linear time.
    """
    return len(text) <= _LONGEST and any(_compiled(one).match(text) for one in patterns)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(fnmatch.translate(pattern))
