"""Macros with a name of CUDA's that a file defines as code of the project's own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.verdict import State
from migrate.parse.conditionals import Region, Regions
from migrate.parse.conditions import ProjectMacros
from migrate.parse.macros import MacroKind, macro_kind
from migrate.parse.uses import CodeText
from migrate.parse.vocabulary import Vocabulary

_WORD = re.compile(rb"[A-Za-z_]\w*+")
_NAME = re.compile(r"[A-Za-z_]\w*")
_MAPPED = re.compile(rb"(?:\([^()]*+\))?[\s\\(]*+(?:hip|HIP|roc[a-z]++_|miopen|__hip)\w*")
_SWITCH = frozenset({b"", b"0", b"1", b"(0)", b"(1)"})
"""What tells CUDA's own headers something, as ``CUDA_API_PER_THREAD_DEFAULT_STREAM`` does."""


def own_defines(
    code: CodeText, regions: Regions, vocabulary: Vocabulary, project: ProjectMacros
) -> frozenset[str]:
    """The names of macros of CUDA's that the file gives a meaning itself, in every build.

    What only fills in for a CUDA that lacks it, switches something on in CUDA's headers, or stands
    for another name of CUDA's or HIP's, is CUDA's name still; so is a function's, which a project
    wraps. Where a header of CUDA's had the macro too, the two would clash.
    """
    bodies: dict[bytes, set[bytes]] = {}
    spoilt: set[bytes] = set()
    for line, macro in code.macros:
        name = macro.name.encode()
        if name not in vocabulary.names or not _is_macros(macro.name):
            continue
        body = code.masked[macro.body : line.end].strip()
        mapped = body in _SWITCH or _MAPPED.match(body)
        if mapped or _fills_in(macro.name, regions.at(line.start), project):
            spoilt.add(name)
        else:
            known = vocabulary.names.intersection(_WORD.findall(body))
            bodies.setdefault(name, set()).update(known)
    return frozenset(name.decode() for name in _closed(bodies, spoilt))


def _is_macros(name: str) -> bool:
    return name.isupper() and not name.startswith("__")


def _fills_in(name: str, region: Region, project: ProjectMacros) -> bool:
    """Whether a definition holds for some versions of CUDA or for some builds alone."""
    if region.state is not State.ACTIVE:
        return True
    words = _NAME.findall(region.condition)
    return name in words or any(macro_kind(word, project) is MacroKind.CUDA for word in words)


def _closed(bodies: dict[bytes, set[bytes]], spoilt: set[bytes]) -> Iterator[bytes]:
    """The names whose bodies hold no name of CUDA's but the project's own ones of this file."""
    own = bodies.keys() - spoilt
    while left := {name for name in own if not bodies[name] <= own}:
        own -= left
    yield from own
