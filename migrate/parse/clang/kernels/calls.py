"""Which function calls, launches or points to which, through templates and pointers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from clang.cindex import TypeKind, conf

from migrate.model.semantic import CallEdge, EdgeKind, FunctionNode
from migrate.model.verdict import Side
from migrate.parse.clang.cursors import (
    Cursor,
    Kind,
    children,
    descendants,
    referenced,
)
from migrate.parse.clang.kernels.bodies import LAUNCHERS, Bodies, Body, Call, How
from migrate.parse.clang.kernels.functions import FUNCTIONS, Known
from migrate.parse.clang.unit import ParsedUnit
from migrate.parse.clang.walk import FunctionAt, TreeFiles

_REFERENCE, _VARIABLE, _PARAMETER, _ASSIGNS = (
    kind.value for kind in (Kind.DECL_REF_EXPR, Kind.VAR_DECL, Kind.PARM_DECL, Kind.BINARY_OPERATOR)
)
_HOLDERS = frozenset({_VARIABLE, _PARAMETER})
_CONSTRUCTOR = Kind.CONSTRUCTOR.value
_CALLEE = 1
"""A call's children are what is called and the arguments."""


class CallObserver:
    """Gathers the functions of the tree and how one leads to another."""

    def __init__(self, unit: ParsedUnit, files: TreeFiles, bodies: Bodies | None = None) -> None:
        self.bodies = bodies or Bodies(unit)
        self._files = files

    @property
    def looks(self) -> Mapping[int, Callable[[Cursor, FunctionAt | None], None]]:
        """What the walk is to show."""
        return self.bodies.looks

    def see_instance(self, function: Cursor) -> None:
        """See an instantiation."""
        self.bodies.see_instance(function)

    def finish(self) -> tuple[tuple[FunctionNode, ...], tuple[CallEdge, ...]]:
        """The functions and edges, each in order of place."""
        edges = _Edges(self.bodies).found()
        return self.bodies.functions.nodes(), edges


class _Targets:
    """What an expression may point to: functions, and parameters of the function around it."""

    def __init__(self, bodies: Bodies, body: Body) -> None:
        self._bodies = bodies
        self._body = body
        self._seen: set[Cursor] = set()
        self.functions: dict[Known, None] = {}
        self.parameters: list[Cursor] = []
        self.named: list[Cursor] = []
        """The references in the expression that was followed, what variables hold left out."""

    def follow(self, expression: Cursor) -> None:
        """Take in what an expression names, and what the variables in it hold."""
        self.named = _references(expression)
        waiting = list(self.named)
        while waiting:
            for value in self._values_of(waiting.pop()):
                waiting += _references(value)

    def follow_argument(self, call: Cursor, index: int) -> None:
        """Follow the argument of a call, if it has that many."""
        parts = children(call)
        target = referenced(call)
        made = target is not None and target._kind_id == _CONSTRUCTOR  # noqa: SLF001
        at = index + (0 if made else _CALLEE)
        if at < len(parts):
            self.follow(parts[at])

    def _values_of(self, reference: Cursor) -> Iterator[Cursor]:
        """Take in the function that a reference means, or give what its variable may hold."""
        target = referenced(reference)
        if target is None or target in self._seen:
            return
        self._seen.add(target)
        kind = target._kind_id  # noqa: SLF001
        if kind in _HOLDERS:
            if kind == _PARAMETER:
                self.parameters.append(target)
            else:
                yield target.get_definition() or target
            yield from _assigned(self._body).get(target, ())
            return
        functions = self._bodies.functions
        known = functions.of(target) if kind in FUNCTIONS else functions.of_overloads(reference)
        if known is not None:
            self._take(known)

    def _take(self, known: Known) -> None:
        """A function that hands out a pointer stands for the kernels that it names."""
        waiting = [known]
        while waiting:
            one = waiting.pop()
            if one in self.functions:
                continue
            self.functions[one] = None
            body = self._bodies.body_of(one) if one.gives_pointer else None
            if body is not None:
                waiting += [mention.target for mention in body.mentions]
                waiting += [call.target for call in body.calls if call.target is not None]


def _references(expression: Cursor) -> list[Cursor]:
    return [
        cursor
        for cursor in (expression, *descendants(expression))
        if cursor._kind_id == _REFERENCE  # noqa: SLF001
    ]


def _assigned(body: Body) -> dict[Cursor, list[Cursor]]:
    """The right sides of a function's assignments to variables."""
    if body.assigned is None:
        body.assigned = defaultdict(list)
        for cursor in descendants(body.cursor):
            if cursor._kind_id != _ASSIGNS or cursor.spelling != "=":  # noqa: SLF001
                continue
            sides = children(cursor)
            variable = referenced(sides[0]) if sides else None
            if variable is not None and variable._kind_id in _HOLDERS:  # noqa: SLF001
                body.assigned[variable] += sides[1:]
    return body.assigned


class _Edges:
    def __init__(self, bodies: Bodies) -> None:
        self._bodies = bodies
        self._edges: set[CallEdge] = set()
        self._launched: set[tuple[str, int, int]] = set()
        self._wrappers: dict[tuple[str, int], set[CallEdge]] = defaultdict(set)
        self._calls_of: dict[str, list[tuple[Call, Body]]] = defaultdict(list)

    def found(self) -> tuple[CallEdge, ...]:
        bodies = self._bodies.all()
        for body in bodies:
            for call in body.calls:
                self._add_call(call, body)
        for body in bodies:
            for mention in body.mentions:
                if self._bodies.functions.place(mention.cursor) not in self._launched:
                    self._add_mention(mention.cursor, mention.target, body)
        self._launch_through_wrappers()
        return tuple(sorted(_settled(self._edges), key=_order))

    def _add_call(self, call: Call, body: Body) -> None:
        if call.target is None:
            if call.how is How.POINTER:
                self._add(call.cursor, body, EdgeKind.POINTER)
            else:
                self._add_launch(call, body)
            return
        if call.target.node.kernel:
            self._add(call.cursor, body, EdgeKind.LAUNCH, call.target)
            return
        virtual = _is_dynamic(call.cursor)
        self._add(call.cursor, body, EdgeKind.VIRTUAL if virtual else EdgeKind.CALL, call.target)
        self._calls_of[call.target.node.key].append((call, body))

    def _add_launch(self, call: Call, body: Body) -> None:
        """A launch of what a pointer points to."""
        parts = children(call.cursor)
        argument: int | None = 0
        if call.how is How.API:
            name = referenced(call.cursor)
            argument = LAUNCHERS[name.spelling] if name is not None else None
            argument = None if argument is None else argument + _CALLEE
        targets = _Targets(self._bodies, body)
        if argument is not None and argument < len(parts):
            targets.follow(parts[argument])
        kernels = [known for known in targets.functions if known.node.kernel]
        if call.how is How.API and argument is not None:
            self._launched.update(map(self._bodies.functions.place, targets.named))
        for known in kernels:
            self._add(call.cursor, body, EdgeKind.LAUNCH, known)
        if kernels:
            return
        edge = self._add(call.cursor, body, EdgeKind.LAUNCH)
        if edge is not None:
            for parameter in targets.parameters:
                self._note_wrapper(parameter, body, edge)

    def _add_mention(self, cursor: Cursor, target: Known, body: Body) -> None:
        if target.node.kernel or target.node.side in {Side.DEVICE, Side.BOTH}:
            self._add(cursor, body, EdgeKind.ADDRESS, target)

    def _add(
        self, cursor: Cursor, body: Body, kind: EdgeKind, target: Known | None = None
    ) -> CallEdge | None:
        path, line, column = self._bodies.functions.place(cursor)
        if not path:
            return None
        edge = CallEdge(
            caller=body.function.node.key if body.function else "",
            callee=target.node.key if target else "",
            kind=kind,
            path=path,
            line=line,
            column=column,
            arguments=target.arguments if target and target.node.kernel else "",
        )
        self._edges.add(edge)
        return edge

    def _note_wrapper(self, parameter: Cursor, body: Body, edge: CallEdge) -> None:
        """Remember that a function launches one of its parameters."""
        index = _index_of(parameter, body)
        if body.function is not None and index is not None:
            self._wrappers[body.function.node.key, index].add(edge)

    def _launch_through_wrappers(self) -> None:
        """Follow what callers give for parameters that are launched, through other wrappers too."""
        waiting = [(*wrapper, edge) for wrapper, edges in self._wrappers.items() for edge in edges]
        done = set(waiting)
        while waiting:
            key, index, edge = waiting.pop()
            for call, body in self._calls_of[key]:
                targets = _Targets(self._bodies, body)
                targets.follow_argument(call.cursor, index)
                for known in targets.functions:
                    if known.node.kernel:
                        arguments = known.arguments
                        self._edges.add(replace(edge, callee=known.node.key, arguments=arguments))
                for parameter in targets.parameters:
                    outer = _index_of(parameter, body)
                    if body.function is None or outer is None:
                        continue
                    wrapper = (body.function.node.key, outer, edge)
                    if wrapper not in done:
                        done.add(wrapper)
                        waiting.append(wrapper)


def _index_of(parameter: Cursor, body: Body) -> int | None:
    parameters = [one for one in children(body.cursor) if one._kind_id == _PARAMETER]  # noqa: SLF001
    return parameters.index(parameter) if parameter in parameters else None


def _settled(edges: set[CallEdge]) -> Iterator[CallEdge]:
    """Leave out what another edge of the same place says with its target or its arguments."""
    told = {replace(edge, arguments="") for edge in edges if edge.arguments}
    placed = {replace(edge, callee="", arguments="") for edge in edges if edge.callee}
    for edge in edges:
        known = told if edge.callee else placed
        if edge.arguments or edge not in known:
            yield edge


def _order(edge: CallEdge) -> tuple[str, int, int, str, str, str, str]:
    return (
        edge.path,
        edge.line,
        edge.column,
        edge.kind.value,
        edge.caller,
        edge.callee,
        edge.arguments,
    )


def _is_dynamic(call: Cursor) -> bool:
    """Whether a call looks up its function when it runs; of an object at hand none does."""
    if not conf.lib.clang_Cursor_isDynamicCall(call):
        return False
    member = next(iter(children(call)), None)
    base = next(iter(children(member)), None) if member is not None else None
    if base is None or base._kind_id != _REFERENCE:  # noqa: SLF001
        return True
    variable = referenced(base)
    return variable is None or variable.type.get_canonical().kind != TypeKind.RECORD
