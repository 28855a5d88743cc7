"""Reading values of a TOML tree with checks: what is wrong is gathered, so one run tells it all."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

_THREE = 3


class Reader:
    """Takes values out of tables; notes a wrong one in ``problems`` and gives a harmless one."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def table(self, rows: Mapping[str, object], key: str, path: str = "") -> Mapping[str, object]:
        """A table of its own, empty where there is none."""
        value = rows.get(key)
        if isinstance(value, Mapping):
            return value
        self.problems.append(f"{path}{key}: a table is needed")
        return {}

    def number(
        self,
        row: Mapping[str, object],
        key: str,
        path: str,
        *,
        default: float | None = None,
        most: float = math.inf,
        positive: bool = False,
    ) -> float:
        """A finite number from 0 (or above it) to ``most``; ``default`` for a missing key."""
        if default is not None and key not in row:
            return default
        value = row.get(key)
        number = _finite(value)
        if number is None or number < 0 or number > most or (positive and number == 0):
            span = (
                "above 0" if positive else "of 0 or more" if math.isinf(most) else f"0 to {most:g}"
            )
            self.problems.append(f"{path}{key}: a number {span} is needed, not {value!r}")
            return 1.0
        return number

    def hours(self, row: Mapping[str, object], key: str, path: str) -> tuple[float, float, float]:
        """Optimistic, most likely and pessimistic hours in rising order."""
        value = row.get(key)
        numbers = [_finite(item) for item in value] if isinstance(value, list | tuple) else []
        known = [number for number in numbers if number is not None and number >= 0]
        if len(known) == len(numbers) == _THREE and known == sorted(known):
            return (known[0], known[1], known[2])
        self.problems.append(
            f"{path}{key}: three hours in rising order are needed (optimistic, most likely, "
            f"pessimistic), not {value!r}"
        )
        return (0.0, 0.0, 0.0)

    def text(self, row: Mapping[str, object], key: str, path: str) -> str:
        """A text that says something."""
        value = row.get(key)
        if isinstance(value, str) and value.strip():
            return value
        self.problems.append(f"{path}{key}: a text is needed, not {value!r}")
        return ""

    def flag(self, row: Mapping[str, object], key: str, path: str) -> bool:
        """True or false; false where the key is missing."""
        value = row.get(key, False)
        if not isinstance(value, bool):
            self.problems.append(f"{path}{key}: true or false is needed, not {value!r}")
        return value is True

    def one_of(self, row: Mapping[str, object], key: str, path: str, known: Collection[str]) -> str:
        """One of the known words."""
        value = row.get(key)
        if isinstance(value, str) and value in known:
            return value
        self.problems.append(
            f"{path}{key}: one of {', '.join(sorted(known))} is needed, not {value!r}"
        )
        return min(known)

    def words(
        self, row: Mapping[str, object], key: str, path: str, known: Collection[str]
    ) -> tuple[str, ...]:
        """A list of known words; all of them where the key is missing."""
        value = row.get(key, list(known))
        if isinstance(value, list | tuple) and value and all(word in known for word in value):
            return tuple(value)
        self.problems.append(
            f"{path}{key}: a list out of {', '.join(known)} is needed, not {value!r}"
        )
        return tuple(known)


def _finite(value: object) -> float | None:
    """The number, if it is one: neither true nor false, no infinity, no NaN."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
