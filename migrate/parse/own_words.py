"""A project's own words for CUDA's qualifiers, kernel heads and launches, as its macros define."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

_WORD = re.compile(rb"[A-Za-z_]\w*+")


class HeadMacro(NamedTuple):
    """A macro that heads a function, often a kernel: ``KERNEL(k)(int n)``, ``KERNEL(k, int n)``.

    ``named`` is the place of the function's name among the arguments. With ``whole`` those behind
    it are its parameters, else its parameter list follows.
    """

    name: bytes
    named: int
    whole: bool


class LaunchMacro(NamedTuple):
    """A macro that launches one of its parameters, with the launch's parts as its body has them."""

    name: bytes
    path: str
    parameters: tuple[bytes, ...]
    kernel: bytes
    parts: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class OwnWords:
    """The macros of a tree, or those of them that one file has among its words.

    ``kernel``, ``device`` and ``host`` stand for CUDA's qualifiers, a word may for several;
    ``bracketed`` are those of them that take arguments.
    """

    kernel: frozenset[bytes] = frozenset()
    device: frozenset[bytes] = frozenset()
    host: frozenset[bytes] = frozenset()
    bracketed: frozenset[bytes] = frozenset()
    heads: tuple[HeadMacro, ...] = ()
    launches: tuple[LaunchMacro, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.kernel or self.device or self.launches)

    @property
    def qualifiers(self) -> frozenset[bytes]:
        """The words that say where a function runs, those that head a kernel among them."""
        return self.kernel | self.device

    def within(self, words: set[bytes], path: str) -> OwnWords:
        """Those that a file has; of macros with one name that whose definition is nearest."""
        if not self or words.isdisjoint(self._names()):
            return NO_WORDS
        nearest: dict[bytes, LaunchMacro] = {}
        for macro in sorted(self.launches, key=lambda one: (-_shared(one.path, path), one)):
            if macro.name in words:
                nearest.setdefault(macro.name, macro)
        return replace(
            self,
            kernel=self.kernel & words,
            device=self.device & words,
            host=self.host & words,
            bracketed=self.bracketed & words,
            heads=tuple(macro for macro in self.heads if macro.name in words),
            launches=tuple(nearest.values()),
        )

    def _names(self) -> Iterable[bytes]:
        return {*self.kernel, *self.device, *(macro.name for macro in self.launches)}

    def of(self, head: bytes) -> frozenset[bytes]:
        """Those of the words for qualifiers that a function's head has."""
        if not self:
            return frozenset()
        return self.qualifiers.intersection(_WORD.findall(head))


NO_WORDS = OwnWords()


def _shared(one: str, other: str) -> int:
    """How many folders two paths share from the root on."""
    count = 0
    for mine, theirs in zip(one.split("/")[:-1], other.split("/")[:-1], strict=False):
        if mine != theirs:
            break
        count += 1
    return count


def with_arguments(text: bytes, given: dict[bytes, bytes]) -> bytes:
    """A piece of a macro's body with the arguments of a call in place of its parameters."""
    bare = text.strip()
    while bare.startswith(b"(") and bare.endswith(b")") and bare[1:-1].strip() in given:
        bare = bare[1:-1].strip()
    return _WORD.sub(lambda word: given.get(word[0], word[0]), bare)
