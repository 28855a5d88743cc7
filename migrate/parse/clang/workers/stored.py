"""Our plain data as JSON and back: nothing that is read from a file can run code."""

from __future__ import annotations

from array import array
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")
_PLAIN = (str, int, bool, float, NoneType)


def to_plain(value: object) -> Any:  # noqa: ANN401 - whatever JSON takes
    """Lists, texts and numbers for a dataclass of ours: its fields in order, without their names.

    Raises:
        TypeError: something in it is of a type that is not stored.
    """
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, tuple):
        return [to_plain(one) for one in value]
    if isinstance(value, array):
        return f"{value.typecode}{b64encode(value.tobytes()).decode('ascii')}"
    if isinstance(value, frozenset):
        return sorted(to_plain(one) for one in value)
    if is_dataclass(value):
        return [to_plain(getattr(value, name)) for name in _names(cast("Any", type(value)))]
    raise TypeError(f"{type(value).__name__} is not stored")


def from_plain(kind: type[T], value: object) -> T:
    """The dataclass that :func:`to_plain` made lists of.

    Raises:
        ValueError, TypeError: the data is not of that shape.
    """
    return cast("T", _maker(cast("Any", kind))(value))


@cache
def _names(kind: Any) -> tuple[str, ...]:  # noqa: ANN401 - as below
    return tuple(field.name for field in fields(kind))


@cache
def _maker(hint: Any) -> Callable[[Any], Any]:  # noqa: ANN401 - a type hint has no type
    """What makes a value of a type hint of plain data."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in _CONTAINERS:
        return _CONTAINERS[origin](arguments)
    if is_dataclass(hint):
        return _dataclass(cast("type", hint))
    if issubclass(hint, Enum):
        return cast("Callable[[Any], Any]", hint)
    return _plain(hint)


def _plain(kind: type) -> Callable[[Any], Any]:
    def make(value: object) -> object:
        if type(value) is not kind:
            raise TypeError(f"{kind.__name__} expected")
        return value

    return make


def _optional(arguments: tuple[Any, ...]) -> Callable[[Any], Any]:
    (kind,) = (one for one in arguments if one is not NoneType)
    make = _maker(kind)
    return lambda value: None if value is None else make(value)


def _tuple(arguments: tuple[Any, ...]) -> Callable[[Any], Any]:
    if arguments[-1] is Ellipsis:
        each = _maker(arguments[0])
        return lambda value: tuple(map(each, _list(value)))
    makers = tuple(map(_maker, arguments))
    return lambda value: tuple(make(one) for make, one in zip(makers, _list(value), strict=True))


def _frozenset(arguments: tuple[Any, ...]) -> Callable[[Any], Any]:
    each = _maker(arguments[0])
    return lambda value: frozenset(map(each, _list(value)))


def _array(value: object) -> array[int]:
    if not isinstance(value, str):
        raise TypeError("the text of an array expected")
    made: array[int] = array(value[:1])
    made.frombytes(b64decode(value[1:], validate=True))
    return made


def _dataclass(kind: type) -> Callable[[Any], Any]:
    names = _names(kind)
    # Python 3.11 cannot evaluate array[int]; no field of ours is a list.
    hints = get_type_hints(kind, localns={"array": list})
    makers = tuple(_maker(hints[name]) for name in names)

    def make(value: object) -> object:
        row = _list(value)
        if len(row) != len(names):
            raise ValueError(f"{kind.__name__} has other fields")
        return kind(**{name: make(one) for name, make, one in zip(names, makers, row, strict=True)})

    return make


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("a list expected")
    return value


_CONTAINERS: dict[Any, Callable[[tuple[Any, ...]], Callable[[Any], Any]]] = {
    UnionType: _optional,
    tuple: _tuple,
    frozenset: _frozenset,
    list: lambda _: _array,
}
