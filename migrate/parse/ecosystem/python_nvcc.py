"""nvcc in Python set-up code: extensions for CUDA, calls of nvcc, the options that it is given."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from migrate.model.signals import Kind, Signal
from migrate.model.verdict import State
from migrate.parse.ecosystem.build_branches import side_of
from migrate.parse.ecosystem.nvcc_options import Word, names_nvcc, options_in, words_of

_CALLS = frozenset(
    """
    check_output check_call run call Popen system spawn spawnv set_executable set_executables
    """.split()  # noqa: SIM905 - a long list reads better as words
)
"""Calls that start a program or say which one a compiler is."""
_MOST_LOOKED_AT = 40
_FOR_NVCC = frozenset({"extra_cuda_cflags", "nvcc_args", "nvcc_flags", "cuda_flags"})


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a node stands: for nvcc's options or not, and in which state.

    ``lists`` are the variables of the file that hold nvcc's options.
    """

    nvcc: bool = False
    state: State = State.ACTIVE
    lists: frozenset[str] = frozenset()

    def names_flags(self, node: ast.expr) -> bool:
        """Whether a name, an attribute or a subscript is a list of nvcc's options."""
        if isinstance(node, ast.Subscript):
            key = node.slice
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                return key.value == "nvcc"
            return self.names_flags(node.value)
        name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
        return isinstance(name, str) and (names_nvcc(name) or name in self.lists)


def nvcc_build_signals(tree: ast.Module) -> Iterator[Signal]:
    """Yield what a set-up script says of nvcc."""
    yield from _walk(tree, _Place(lists=_lists_for_nvcc(tree)))


def _lists_for_nvcc(tree: ast.Module) -> frozenset[str]:
    """The names of variables that are handed on as nvcc's options."""
    values = [
        value
        for node in ast.walk(tree)
        if isinstance(node, ast.Dict)
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant) and key.value == "nvcc"
    ]
    values += [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.keyword) and node.arg in _FOR_NVCC
    ]
    parts = [part for value in values for part in (value, *ast.iter_child_nodes(value))]
    return frozenset(part.id for part in parts if isinstance(part, ast.Name))


def _walk(tree: ast.Module, start: _Place) -> Iterator[Signal]:
    """Visit every node once, with its place; no recursion, however deep the code."""
    todo: list[tuple[ast.AST, _Place]] = [(tree, start)]
    while todo:
        node, place = todo.pop()
        for signal in _signals(node, place):
            yield signal if place.state is State.ACTIVE else replace(signal, state=place.state)
        todo.extend(_children(node, place))


def _children(node: ast.AST, place: _Place) -> Iterator[tuple[ast.AST, _Place]]:
    if _only_speaks(node):
        return
    if isinstance(node, ast.If | ast.IfExp):
        yield from _branches(node, place)
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            own = isinstance(key, ast.Constant) and isinstance(key.value, str)
            yield value, replace(place, nvcc=key.value == "nvcc") if own else place  # type: ignore[union-attr]
    elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
        named = any(map(place.names_flags, _targets(node)))
        yield from _each(node, replace(place, nvcc=place.nvcc or named))
    elif isinstance(node, ast.keyword):
        yield from _each(node, replace(place, nvcc=place.nvcc or node.arg in _FOR_NVCC))
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        grown = node.func.attr in {"append", "extend", "insert"}
        named = grown and place.names_flags(node.func.value)
        yield from _each(node, replace(place, nvcc=place.nvcc or named))
    elif isinstance(node, ast.List | ast.Tuple):
        yield from ((one, place) for one in node.elts if not isinstance(one, ast.Constant))
    else:
        yield from _each(node, place)


def _only_speaks(node: ast.AST) -> bool:
    """Whether a node's texts are no options: a docstring, a comparison, a look at a start."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    return isinstance(node, ast.Compare) or (
        isinstance(node, ast.Call) and _called(node) in {"startswith", "endswith", "print"}
    )


def _each(node: ast.AST, place: _Place) -> Iterator[tuple[ast.AST, _Place]]:
    return ((child, place) for child in ast.iter_child_nodes(node))


def _branches(node: ast.If | ast.IfExp, place: _Place) -> Iterator[tuple[ast.AST, _Place]]:
    """Yield test and branches, each with the state that the test gives it."""
    test = side_of(_condition(node.test))
    then, other = _STATES.get(test, (None, None))
    body = node.body if isinstance(node.body, list) else [node.body]
    orelse = node.orelse if isinstance(node.orelse, list) else [node.orelse]
    yield node.test, place
    for part, state in ((body, then), (orelse, other)):
        for child in part:
            yield child, replace(place, state=state or place.state)


def _condition(test: ast.expr, depth: int = 0) -> str:
    """Return the names that a test asks for, ``NOT`` before those that it asks to be absent."""
    if depth == _DEEPEST_TEST:
        return ""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return f"NOT {_condition(test.operand, depth + 1)}"
    if isinstance(test, ast.BoolOp):
        word = " OR " if isinstance(test.op, ast.Or) else " AND "
        return word.join(_condition(value, depth + 1) for value in test.values[:_DEEPEST_TEST])
    if isinstance(test, ast.Compare):
        asked = [_condition(one, depth + 1) for one in (test.left, test.comparators[0])]
        nothing = getattr(test.comparators[0], "value", True) in {None, False}
        absent = isinstance(test.ops[0], ast.IsNot | ast.NotEq) != nothing
        return f"NOT {' '.join(asked)}" if absent and (nothing or any(asked)) else " ".join(asked)
    return _name_of(test.func if isinstance(test, ast.Call) else test)


def _name_of(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


_DEEPEST_TEST = 8
_STATES = {"hip": (State.HIP, State.PORTED), "not hip": (State.PORTED, State.HIP)}
"""The states of both branches of a test that asks for HIP."""


def _targets(node: ast.Assign | ast.AnnAssign | ast.AugAssign) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def _signals(node: ast.AST, place: _Place) -> Iterator[Signal]:
    if isinstance(node, ast.Name | ast.Attribute):
        name = node.id if isinstance(node, ast.Name) else node.attr
        if name in {"CUDAExtension", "customize_compiler_for_nvcc"}:
            kind = Kind.CUDA_RULE if name == "CUDAExtension" else Kind.NVCC
            yield Signal(kind, name, node.lineno)
    elif isinstance(node, ast.List | ast.Tuple):
        yield from options_in(_words(node.elts), nvcc=place.nvcc)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from options_in(words_of(node.value, node.lineno), nvcc=place.nvcc)
    elif isinstance(node, ast.Call) and _called(node) in _CALLS:
        yield from _nvcc_started(node)


def _words(elements: list[ast.expr]) -> Iterator[Word]:
    """Yield the words of the texts in a list, in order."""
    for one in elements:
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield from words_of(one.value, one.lineno)


def _called(node: ast.Call) -> str:
    function = node.func
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def _nvcc_started(node: ast.Call) -> Iterator[Signal]:
    """Yield the call where one of its arguments is the path of nvcc, or a list that holds it."""
    todo: list[ast.AST] = list(reversed(node.args))
    for _ in range(_MOST_LOOKED_AT):
        if not todo:
            return
        part = todo.pop()
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            program = part.value.split(" ", 1)[0]
            if program.rpartition("/")[2] in {"nvcc", "nvcc.exe"}:
                yield Signal(Kind.NVCC, "nvcc", part.lineno)
                return
        todo.extend(ast.iter_child_nodes(part))
