"""Where a component is met, how it is used there, and how strongly all in all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from migrate.model.resolution import Resolution
from migrate.model.verdict import State

USE_ORDER = ("called", "header", "linked", "named")
_PLACES = 20


@dataclass(slots=True)
class ComponentPlaces:
    """What was found of one component so far."""

    uses: int = 0
    how: set[str] = field(default_factory=set)
    """The ways it is used in the project's own code that is still to be ported, tests left out."""
    how_anywhere: set[str] = field(default_factory=set)
    states: set[State] = field(default_factory=set)
    tested_only: bool = True
    names: set[str] = field(default_factory=set)
    cuda_only: set[str] = field(default_factory=set)
    where: dict[str, list[tuple[str, int]]] = field(default_factory=dict)

    def add(self, how: str, state: State, path: str, line: int, *, test: bool) -> None:
        """Take one place in."""
        self.how_anywhere.add(how)
        self.states.add(state)
        self.tested_only &= test
        if state is State.ACTIVE and not test:
            self.how.add(how)
        places = self.where.setdefault(how, [])
        if len(places) < _PLACES and (not places or places[-1] != (path, line)):
            places.append((path, line))

    def count(self, answer: Resolution) -> None:
        """Count one active use of a name."""
        self.uses += 1
        self.names.add(answer.name)
        if answer.verdict.cuda_only:
            self.cuda_only.add(answer.name)

    @property
    def use(self) -> str:
        """The strongest way it is used; ``test_only`` where nothing but tests uses it."""
        if self.tested_only:
            return "test_only"
        return _strongest(self.how_anywhere)

    @property
    def needed(self) -> str:
        """The strongest way in which code that is still to be ported uses it; "" for none."""
        return _strongest(self.how)

    @property
    def state(self) -> State:
        """The state that asks for most."""
        return next(state for state in State if state in self.states)

    def listed(self) -> tuple[tuple[str, int], ...]:
        """The first places, those of the strongest use before the others."""
        places = (place for how in USE_ORDER for place in self.where.get(how, ()))
        return tuple(dict.fromkeys(places))[:_PLACES]


def _strongest(found: Iterable[str]) -> str:
    ways = frozenset(found)
    return next((how for how in USE_ORDER if how in ways), "")
