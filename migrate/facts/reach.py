"""What a file reaches by its includes, for many files at once: sets of files as bits of numbers."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

Thing = TypeVar("Thing", bound=Hashable)


class Numbers(Generic[Thing]):
    """Things numbered in the order met, so that sets of them are numbers with these bits."""

    def __init__(self) -> None:
        self.things: list[Thing] = []
        self._numbers: dict[Thing, int] = {}

    def bit(self, thing: Thing) -> int:
        """The bit that stands for a thing."""
        number = self._numbers.get(thing)
        if number is None:
            number = self._numbers[thing] = len(self.things)
            self.things.append(thing)
        return 1 << number

    def bits(self, things: Iterable[Thing]) -> int:
        """The bits of several things together."""
        mask = 0
        for thing in things:
            mask |= self.bit(thing)
        return mask

    def members(self, mask: int) -> Iterator[Thing]:
        """The things whose bits are set, in the order they were met."""
        while mask:
            lowest = mask & -mask
            yield self.things[lowest.bit_length() - 1]
            mask ^= lowest


class Reach:
    """The files that each file reaches by includes, itself among them, and their tags.

    Files that include each other reach the same: they are found as the strongly connected parts
    of the graph (Tarjan), each of which is what it holds and what the parts after it reach. Files
    are looked at when first asked for.
    """

    def __init__(self, includes: Mapping[str, Sequence[str]], tags: Mapping[str, int]) -> None:
        self.files: Numbers[str] = Numbers()
        self._includes = includes
        self._tags = tags
        self._done: dict[str, tuple[int, int]] = {}
        self._low: dict[str, int] = {}
        self._open: list[str] = []

    def mask(self, path: str) -> int:
        """The bits (of :attr:`files`) of what a file reaches."""
        return self._reached(path)[0]

    def tags(self, path: str) -> int:
        """The bits of the tags of what a file reaches."""
        return self._reached(path)[1]

    def _reached(self, path: str) -> tuple[int, int]:
        if path not in self._done:
            self._search(path)
        return self._done[path]

    def _search(self, start: str) -> None:
        entered: dict[str, int] = {}
        stack = [(start, self._enter(start, entered))]
        while stack:
            path, left = stack[-1]
            after = next(left, None)
            if after is None:
                stack.pop()
                if stack:
                    parent = stack[-1][0]
                    self._low[parent] = min(self._low[parent], self._low[path])
                if self._low[path] == entered[path]:
                    self._close(path)
            elif after in self._done:
                continue
            elif after in entered:
                self._low[path] = min(self._low[path], entered[after])
            else:
                stack.append((after, self._enter(after, entered)))

    def _enter(self, path: str, entered: dict[str, int]) -> Iterator[str]:
        entered[path] = self._low[path] = len(entered)
        self._open.append(path)
        return iter(self._includes.get(path, ()))

    def _close(self, first: str) -> None:
        """Settle a part, all of whose files are known: those opened since its first one."""
        place = len(self._open) - 1
        while self._open[place] != first:
            place -= 1
        part = self._open[place:]
        del self._open[place:]
        mask, tags = self.files.bits(part), 0
        outside = {one for path in part for one in self._includes.get(path, ())}
        for path in part:
            tags |= self._tags.get(path, 0)
        for after in outside:
            if after in self._done:
                mask |= self._done[after][0]
                tags |= self._done[after][1]
        for path in part:
            self._done[path] = (mask, tags)
