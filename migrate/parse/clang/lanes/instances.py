"""Instantiations of the tree's own templates: their bodies, in which every constant is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from migrate.parse.clang.cursors import (
    FUNCTION_KINDS,
    RECURSE,
    Cursor,
    Kind,
    file_place,
    identity,
    referenced,
    template_of,
    visit,
)
from migrate.parse.clang.walk import FunctionAt, TreeFiles, function_at

Look = Callable[[Cursor, FunctionAt | None], None]
_FUNCTIONS = frozenset(kind.value for kind in FUNCTION_KINDS)
_NAMES = (Kind.DECL_REF_EXPR.value, Kind.MEMBER_REF_EXPR.value)
_PER_TEMPLATE = 16
"""How many instantiations of one template are looked at, in the order in which they are met.

A template with hundreds of them would cost more than all other code of its unit; beyond the first
few they repeat each other's constants.
"""


class Instances:
    """The instantiations that a unit's own code leads to, each walked once.

    Several observers may share one: each adds its looks, and shows it the cursors that it is shown
    in the walk; the first that asks starts the walk of the bodies.
    """

    def __init__(self, files: TreeFiles) -> None:
        self._files = files
        self._met: dict[int, Cursor] = {}
        self._asked: set[int] = set()
        self._of_template: Counter[int] = Counter()
        self._looks: list[Mapping[int, Look]] = []
        self._walked = False

    @property
    def looks(self) -> dict[int, Look]:
        """What finds the instantiations in the code that is walked."""
        return dict.fromkeys(_NAMES, self._meet)

    def add(self, looks: Mapping[int, Look]) -> None:
        """Have the cursors of the bodies shown too."""
        self._looks.append(looks)

    def walk(self) -> None:
        """Walk the bodies, and those of the instantiations that they lead to; once only."""
        if self._walked:
            return
        self._walked = True
        waiting = list(self._met.values())
        while waiting:
            self._met = {}
            for instance in waiting:
                self._walk_body(instance)
            waiting = list(self._met.values())

    def _meet(self, name: Cursor, _: FunctionAt | None) -> None:
        function = referenced(name)
        if function is None or function._kind_id not in _FUNCTIONS:  # noqa: SLF001
            return
        number = identity(function)
        if number in self._asked:
            return
        self._asked.add(number)
        template = template_of(function)
        if template is None or not self._files.path(file_place(function)[0]):
            return
        if not function.is_definition():
            function = function.get_definition()
            if function is None or template_of(function) is None:
                return
        self._of_template[identity(template)] += 1
        if self._of_template[identity(template)] <= _PER_TEMPLATE:
            self._met[number] = function

    def _walk_body(self, instance: Cursor) -> None:
        around = function_at(instance, self._files)
        looks = self._merged()

        def see(cursor: Cursor, _: Cursor) -> int:
            for look in looks.get(cursor._kind_id, ()):  # noqa: SLF001
                look(cursor, around)
            return RECURSE

        visit(instance, see)

    def _merged(self) -> dict[int, list[Look]]:
        found: dict[int, list[Look]] = {}
        for looks in (self.looks, *self._looks):
            for kind, look in looks.items():
                found.setdefault(kind, []).append(look)
        return found
