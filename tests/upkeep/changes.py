"""What a newer package declares otherwise than an older one, as lines for a review."""

from __future__ import annotations

from collections.abc import Iterable

from tests.upkeep.declared import Declared


def changes(old: Iterable[Declared], new: Iterable[Declared]) -> list[str]:
    """The names that came (``+``), went (``-``) and changed (``~``, with both shapes), sorted.

    A name that is declared several times, as overloads are, changed where the set of its shapes
    did.
    """
    before, after = _shapes(old), _shapes(new)
    lines = []
    for key in sorted(before.keys() | after.keys()):
        was, now = before.get(key, frozenset()), after.get(key, frozenset())
        if was == now:
            continue
        kind, name = key
        if not was or not now:
            mark, shape = ("+", now) if now else ("-", was)
            lines.append(f"{mark} {kind} {name} {_written(shape)}".rstrip())
        else:
            lines.append(f"~ {kind} {name} {_written(was)} -> {_written(now)}")
    return lines


def _shapes(declarations: Iterable[Declared]) -> dict[tuple[str, str], frozenset[str]]:
    shapes: dict[tuple[str, str], set[str]] = {}
    for one in declarations:
        if one.kind != "macro" or one.value:
            shapes.setdefault((one.kind, one.name), set()).add(_shape(one))
    return {key: frozenset(found) for key, found in shapes.items()}


def _shape(one: Declared) -> str:
    if one.kind == "function":
        return f"{one.value}({', '.join(one.parameters)})"
    return one.value


def _written(shapes: Iterable[str]) -> str:
    return " | ".join(sorted(filter(None, shapes)))
