"""The libraries, frameworks and tools around CUDA code: how they are named, what ROCm has."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import translate
from functools import cache, lru_cache
from types import MappingProxyType

from migrate.knowledge.tables import table_rows

_HEADER = "key,title,kind,part_of,rocm,compatibility,driver,since,as_of,source,note"
_NAMES_HEADER = "kind,name,component"
_BY_CASE = frozenset({"include", "symbol", "suffix", "flag"})
"""Kinds of name in which capital letters tell names apart."""
_NAMES_KEPT = 1 << 16
_VERSIONS = re.compile(r"(?<=[a-z])\d+(?=-|$)|-cu(?:da)?[\d-]+x?(?=-|$)|-\d[\d-]*(?=-|$)")
"""What packages put their CUDA and own versions in: ``libcudnn8-dev``, ``nvidia-nccl-cu12``."""
_VARIANT = re.compile(r"(?:_static(?:_nocallback)?|_alt|\d+)$")
"""What static and versioned libraries have behind their name: ``cufft_static_nocallback``."""
_PACKAGES = frozenset({"requirement", "system_package"})


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownComponent:
    """A row of mappings/components.csv; ``key`` is also the name of its API table, if it has one.

    ``part_of`` is the component whose driver covers this one: cuSOLVER's sparse functions are
    told apart, and counted with cuSOLVER.
    """

    key: str
    title: str
    kind: str
    part_of: str
    rocm: str
    compatibility: str
    driver: str
    since: str
    as_of: str
    source: str
    note: str


@dataclass(slots=True)
class _Names:
    """The names of one kind: whole ones, and forms with a star, the longest first."""

    whole: dict[str, tuple[str, str]] = field(default_factory=dict)
    forms: list[tuple[re.Pattern[str], str, str]] = field(default_factory=list)

    def find(self, name: str) -> tuple[str, str] | None:
        """The spelling and the component of a name."""
        if name in self.whole:
            return self.whole[name]
        return next(((text, key) for form, text, key in self.forms if form.match(name)), None)


@cache
def known_components() -> MappingProxyType[str, KnownComponent]:
    """Every component by its key."""
    names = _HEADER.split(",")
    return MappingProxyType(
        {
            row[0]: KnownComponent(**dict(zip(names, row, strict=True)))
            for row in table_rows(_HEADER, "components.csv")
        }
    )


@lru_cache(maxsize=_NAMES_KEPT)
def component_named(kind: str, name: str) -> str:
    """The key of the component that a name of this kind stands for, "" for none.

    ``kind`` is that of a signal, or ``include``, ``symbol`` or ``suffix``. A package's name is
    also looked up without the CUDA version in it.
    """
    found = _find(kind, name)
    if found is None and kind in _PACKAGES:
        found = _find(kind, _VERSIONS.sub("", name.lower()))
    return found[1] if found else ""


@lru_cache(maxsize=_NAMES_KEPT)
def library_named(word: str) -> str:
    """A library as linked, as the table spells it; "" where the word names none."""
    bare = word.removeprefix("lib").removesuffix(".so").removesuffix(".a").removesuffix(".lib")
    found = _find("link", bare) or _find("link", _VARIANT.sub("", bare))
    return found[0] if found else ""


@lru_cache(maxsize=_NAMES_KEPT)
def module_named(dotted: str) -> str:
    """The part of a Python module's name that names a component; "" where none does."""
    parts = dotted.split(".")
    names = (".".join(parts[:size]) for size in range(len(parts), 0, -1))
    return next((name for name in names if component_named("import", name)), "")


def names_of_kind(kind: str) -> Iterator[str]:
    """The names of one kind as they stand in the table, forms with a star too."""
    return (
        name for one, name, _ in table_rows(_NAMES_HEADER, "component_names.csv") if one == kind
    )


def _find(kind: str, name: str) -> tuple[str, str] | None:
    names = _names().get(kind)
    return names.find(name if kind in _BY_CASE else name.lower()) if names else None


@cache
def _names() -> dict[str, _Names]:
    found: dict[str, _Names] = defaultdict(_Names)
    for kind, name, component in table_rows(_NAMES_HEADER, "component_names.csv"):
        written = name if kind in _BY_CASE else name.lower()
        if "*" in name:
            found[kind].forms.append((re.compile(translate(written)), name, component))
        else:
            found[kind].whole[written] = (name, component)
    for names in found.values():
        names.forms.sort(key=lambda form: -len(form[1]))
    return found
