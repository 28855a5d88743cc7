"""What the bodies of functions hold: calls, functions named, shared memory; instantiations too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum

from clang.cindex import StorageClass, TypeKind, conf

from migrate.model.verdict import Side
from migrate.parse.clang.cursors import (
    CONTINUE,
    RECURSE,
    Cursor,
    Kind,
    children,
    is_type_of_pointer_to_function,
    referenced,
    visit_kinds,
)
from migrate.parse.clang.kernels.functions import FUNCTIONS, Functions, Known
from migrate.parse.clang.kernels.repeats import BLOCK, offset_of, statements_that_repeat
from migrate.parse.clang.templates import pattern_of
from migrate.parse.clang.unit import ParsedUnit
from migrate.parse.clang.walk import FunctionAt

LAUNCHERS: Mapping[str, int | None] = {
    "cudaLaunchKernel": 0,
    "cudaLaunchKernel_ptsz": 0,
    "cudaLaunchCooperativeKernel": 0,
    "cudaLaunchCooperativeKernel_ptsz": 0,
    "cudaLaunchKernelEx": 1,
    "cudaLaunchKernelExC": 1,
    "cudaLaunchKernelExC_ptsz": 1,
    "cuLaunchKernel": None,
    "cuLaunchKernel_ptsz": None,
    "cuLaunchKernelEx": None,
    "cuLaunchKernelEx_ptsz": None,
    "cuLaunchCooperativeKernel": None,
    "cuLaunchCooperativeKernel_ptsz": None,
}
"""The functions that launch a kernel, and which argument is it; None: it is no C++ function."""

_CONFIGURES = frozenset({"__cudaPushCallConfiguration", "cudaConfigureCall"})
_CALL, _REFERENCE, _VARIABLE, _SHARED = (
    kind.value for kind in (Kind.CALL_EXPR, Kind.DECL_REF_EXPR, Kind.VAR_DECL, Kind.CUDASHARED_ATTR)
)
_EXTERN = StorageClass.EXTERN.value
_METHOD, _UNEXPOSED = Kind.CXX_METHOD.value, Kind.UNEXPOSED_EXPR.value
_SEEN_THROUGH = frozenset(
    {_REFERENCE, _UNEXPOSED, Kind.PAREN_EXPR.value, Kind.UNARY_OPERATOR.value}
)
"""A reference without a target stands for a template's parameter and holds its argument."""
_PARAMETER = Kind.TEMPLATE_NON_TYPE_PARAMETER.value
_NAMED_BY_NO_REFERENCE = frozenset(
    kind.value for kind in (Kind.CONSTRUCTOR, Kind.DESTRUCTOR, Kind.CONVERSION_FUNCTION)
)


_FEW = 2
_DEEPEST = 8


class How(Enum):
    """How a call finds what it calls."""

    DIRECT = "direct"
    """By its name; a kernel called by its name is launched."""
    API = "api"
    """A function of CUDA's gets a kernel to launch."""
    LAUNCH = "launch"
    """``p<<<...>>>()`` where p is no function but points to one."""
    POINTER = "pointer"
    """``p()`` in device code."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call; ``target`` is None where it is no function of the tree."""

    cursor: Cursor
    how: How
    target: Known | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """A function named where it is not called."""

    cursor: Cursor
    target: Known


@dataclass(slots=True, eq=False)
class Body:
    """What one function, or one instantiation of a template, holds.

    ``function`` is None for what stands at file scope. ``answers`` says whether the unit is to
    tell of it: it stands in a file that the unit answers for, or is an instantiation.
    """

    function: Known | None
    cursor: Cursor
    answers: bool = True
    calls: list[Call] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    shared: dict[Cursor, None] = field(default_factory=dict)
    dynamic_shared: bool = False
    awaited: Counter[Known] = field(default_factory=Counter)
    variable: Cursor | None = None
    assigned: dict[Cursor, list[Cursor]] | None = None
    """What is assigned to variables, once somebody asked."""
    device: bool = field(init=False)
    """Whether it runs on a GPU (also)."""

    def __post_init__(self) -> None:
        side = self.function.node.side if self.function is not None else Side.HOST
        self.device = side in {Side.DEVICE, Side.BOTH}


class Bodies:
    """Gathers bodies while a unit is walked, and the body of any other function when asked."""

    def __init__(self, unit: ParsedUnit) -> None:
        self.functions = Functions(unit)
        self._unit = unit.handle.cursor
        self._bodies: dict[str, Body] = {}
        self._instances: Counter[str] = Counter()
        self._repeating: dict[str, dict[int, Body]] = {}
        self._around: FunctionAt | None = None
        self._current = self._file_scope = Body(None, self._unit)
        self._handlers: dict[int, Callable[[Cursor, Body], None]] = {
            _CALL: self._call,
            _REFERENCE: self._reference,
            _VARIABLE: _variable,
            _SHARED: _shared,
        }

    @property
    def looks(self) -> Mapping[int, Callable[[Cursor, FunctionAt | None], None]]:
        """What the walk is to show, as an observer says it."""
        looks = {kind: self._seen_by(handle) for kind, handle in self._handlers.items()}
        return looks | dict.fromkeys(FUNCTIONS, self._define)

    def see_instance(self, function: Cursor) -> None:
        """Gather an instantiation's body, where its template is of the tree."""
        known = self.functions.of(function)
        if known is not None and known.instance not in self._bodies:
            self._read(known, function, answers=True)

    def all(self) -> list[Body]:
        """The bodies so far that the unit answers for, file scope first."""
        return [self._file_scope, *(body for body in self._bodies.values() if body.answers)]

    def body_of(self, function: Known) -> Body | None:
        """The body of a function, None where the unit does not see one."""
        body = self._bodies.get(function.instance)
        if body is not None:
            return body
        definition = function.cursor.get_definition()
        if definition is None:
            return None
        return self._read(function, definition, answers=False)

    def _read(self, known: Known, definition: Cursor, *, answers: bool) -> Body:
        body = self._bodies[known.instance] = Body(known, definition, answers)
        self._visit(definition, body, self._repeats(known))
        return body

    def _visit(self, cursor: Cursor, body: Body, repeats: Mapping[int, Body]) -> None:
        """Take in what lies below a cursor; of what repeats, what is known of it."""
        handlers = self._handlers

        def see(cursor: Cursor, parent: Cursor) -> int:
            if repeats and parent._kind_id == BLOCK:  # noqa: SLF001
                known = repeats.get(offset_of(cursor))
                if known is not None:
                    body.calls += known.calls
                    body.mentions += known.mentions
                    return CONTINUE
            handle = handlers.get(cursor._kind_id)  # noqa: SLF001
            if handle is not None:
                handle(cursor, body)
            return RECURSE

        visit_kinds(cursor, see, handlers.keys(), BLOCK if repeats else -1)

    def _repeats(self, known: Known) -> Mapping[int, Body]:
        """What need not be read again; found out when a template is instantiated a third time."""
        key = known.node.key
        self._instances[key] += 1
        if known.instance == key or self._instances[key] <= _FEW:
            return {}
        if key not in self._repeating:
            template = pattern_of(known.cursor)
            self._repeating[key] = {
                offset: self._statement(known, statement)
                for offset, statement in statements_that_repeat(
                    template.get_definition() or template, self.functions
                ).items()
            }
        return self._repeating[key]

    def _statement(self, known: Known, statement: Cursor) -> Body:
        body = Body(known, statement)
        handle = self._handlers.get(statement._kind_id)  # noqa: SLF001
        if handle is not None:
            handle(statement, body)
        self._visit(statement, body, {})
        return body

    def _seen_by(
        self, handle: Callable[[Cursor, Body], None]
    ) -> Callable[[Cursor, FunctionAt | None], None]:
        def look(cursor: Cursor, around: FunctionAt | None) -> None:
            if around is not self._around:
                self._around, self._current = around, self._body_around(around)
            handle(cursor, self._current)

        return look

    def _define(self, function: Cursor, _: FunctionAt | None) -> None:
        """A function without a call has a body too."""
        if function.is_definition():
            self._body_at(function)

    def _body_around(self, around: FunctionAt | None) -> Body:
        return self._file_scope if around is None else self._body_at(around.cursor)

    def _body_at(self, definition: Cursor) -> Body:
        known = self.functions.of(definition)
        if known is None:
            return self._file_scope
        body = self._bodies.get(known.instance)
        if body is None:
            body = self._bodies[known.instance] = Body(known, definition)
        return body

    def _call(self, cursor: Cursor, body: Body) -> None:
        target = referenced(cursor)
        if target is None or target._kind_id not in FUNCTIONS:  # noqa: SLF001
            self._call_of_value(cursor, body)
            return
        known = self.functions.of(target)
        if known is not None and known.gives_pointer and self._call_of_result(cursor, body):
            return
        if known is not None:
            body.calls.append(Call(cursor, How.DIRECT, known))
            if _is_named(target):
                body.awaited[known] += 1
        elif target.spelling in LAUNCHERS:
            body.calls.append(Call(cursor, How.API))

    def _call_of_result(self, cursor: Cursor, body: Body) -> bool:
        """Whether it is ``pick()<<<...>>>()`` or ``pick()()``, of which libclang says ``pick``."""
        called = children(cursor)[:1]
        while called and called[0]._kind_id == _UNEXPOSED:  # noqa: SLF001
            called = children(called[0])[:1]
        if not called or called[0]._kind_id != _CALL:  # noqa: SLF001
            return False
        self._call_of_value(cursor, body)
        return True

    def _call_of_value(self, cursor: Cursor, body: Body) -> None:
        """A call through a pointer, or of what only an instantiation settles."""
        parts = children(cursor)
        if not parts:
            return
        known = self.functions.of_overloads(parts[0])
        if known is not None:
            body.calls.append(Call(cursor, How.DIRECT, known))
            body.awaited[known] += 1
        elif len(parts) > 1 and _configures(parts[1]):
            body.calls.append(Call(cursor, How.LAUNCH))
        elif body.device and is_type_of_pointer_to_function(parts[0].type):
            target = _named(parts[0])
            if target is not None and target._kind_id in FUNCTIONS:  # noqa: SLF001
                known = self.functions.of(target)
                if known is not None:
                    body.calls.append(Call(cursor, How.DIRECT, known))
                    body.awaited[known] += 1
            elif target is None or not _is_constant(target):
                body.calls.append(Call(cursor, How.POINTER))

    def _reference(self, cursor: Cursor, body: Body) -> None:
        target = referenced(cursor)
        if target is None:
            return
        kind = target._kind_id  # noqa: SLF001
        if kind in FUNCTIONS:
            known = self.functions.of(target)
        elif kind == _VARIABLE:
            if body.device and _is_unsized_shared(target):
                body.dynamic_shared = True
            return
        else:
            known = self.functions.of_overloads(cursor)
        if known is None:
            return
        if body.awaited[known]:
            body.awaited[known] -= 1
        else:
            body.mentions.append(Mention(cursor, known))


def _variable(cursor: Cursor, body: Body) -> None:
    body.variable = cursor


def _shared(_: Cursor, body: Body) -> None:
    """The attribute of the variable that was seen last."""
    if body.variable is None:
        return
    if body.variable.storage_class == StorageClass.EXTERN:
        body.dynamic_shared = True
    else:
        body.shared[body.variable] = None


def _is_unsized_shared(variable: Cursor) -> bool:
    """Whether it is an ``extern __shared__ T x[]``, which may stand at file scope.

    The storage class is asked first and without the module's wrapper: this is asked of every
    variable that device code names.
    """
    if conf.lib.clang_Cursor_getStorageClass(variable) != _EXTERN:
        return False
    return variable.type.kind == TypeKind.INCOMPLETEARRAY and any(
        child._kind_id == _SHARED  # noqa: SLF001
        for child in children(variable)
    )


def _is_named(function: Cursor) -> bool:
    """Whether a call of it holds a reference that names it: a method's member access is none."""
    kind = function._kind_id  # noqa: SLF001
    if kind in _NAMED_BY_NO_REFERENCE:
        return False
    if kind != _METHOD:
        return True
    return bool(function.is_static_method()) or str(function.spelling).startswith("operator")


def _named(expression: Cursor) -> Cursor | None:
    """What an expression names, through brackets, casts and what a template's argument gave."""
    for _ in range(_DEEPEST):
        kind = expression._kind_id  # noqa: SLF001
        target = referenced(expression) if kind == _REFERENCE else None
        inside = children(expression) if target is None and kind in _SEEN_THROUGH else []
        if len(inside) != 1:
            return target
        expression = inside[0]
    return None


def _is_constant(target: Cursor) -> bool:
    """Whether a pointer is known when compiling: a template's parameter, a constant variable."""
    if target._kind_id == _PARAMETER:  # noqa: SLF001
        return True
    return bool(target._kind_id == _VARIABLE and target.type.is_const_qualified())  # noqa: SLF001


def _configures(expression: Cursor) -> bool:
    """Whether it is the ``<<<...>>>`` of a launch, which clang has as a call."""
    if expression._kind_id != _CALL:  # noqa: SLF001
        return False
    called = referenced(expression)
    return called is not None and called.spelling in _CONFIGURES
