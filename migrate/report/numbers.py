"""How numbers are written: the one home of rounding, percent and units for every format."""

from __future__ import annotations

import math

_JSON_DIGITS = 6
_ALMOST_ALL = 1 - 10**-_JSON_DIGITS
_SMALLEST_SHOWN = 0.001
_ONE_DECIMAL_BELOW = 0.0995
_ONE_DECIMAL_ABOVE = 0.99
_TWO_DIGITS_BELOW = 9.95
_LEAST_WEEKS = 0.1


def json_number(value: float) -> float:
    """Round to the six significant digits that the JSON carries; shortest form, never ``-0.0``."""
    return float(f"{value:.{_JSON_DIGITS}g}") + 0.0


def json_share(fraction: float) -> float:
    """Round a fraction for the JSON; 1.0 only where nothing is left (style, "Names")."""
    rounded = json_number(fraction)
    return _ALMOST_ALL if rounded >= 1.0 > fraction else rounded


def share(part: float, whole: float) -> float:
    """``part / whole``, 0.0 where there is no whole."""
    return part / whole if whole else 0.0


def percent(fraction: float) -> str:
    """Write a fraction as a percentage of two to three digits.

    ``100 %`` stands only where nothing is left and ``0 %`` only where there is nothing, whatever
    the rounding.
    """
    if fraction <= 0:
        return "0 %"
    if fraction >= 1:
        return "100 %"
    if fraction < _SMALLEST_SHOWN:
        return "< 0.1 %"
    if fraction > 1 - _SMALLEST_SHOWN:
        return "> 99.9 %"
    if fraction < _ONE_DECIMAL_BELOW or fraction > _ONE_DECIMAL_ABOVE:
        return f"{fraction * 100:.1f} %"
    return f"{fraction * 100:.0f} %"


def significant(value: float) -> str:
    """Write an estimate with the two significant digits that it deserves: 0.96, 1.9, 12, 1,200."""
    if value == 0:
        return "0"
    if abs(value) < _TWO_DIGITS_BELOW:
        digits = max(0, 1 - math.floor(math.log10(abs(value))))
        text = f"{value:.{min(digits, 3)}f}"
        if float(text) == 0:
            return "< 0.001"
        return text.rstrip("0").rstrip(".") if digits > 1 else text
    return f"{float(f'{value:.2g}'):,.0f}"


def person_weeks(value: float) -> str:
    """Write person-weeks: ``< 0.1`` where there is less than that, but something."""
    return f"< {_LEAST_WEEKS}" if 0 < value < _LEAST_WEEKS else significant(value)


def count(value: float) -> str:
    """Write a count with thousands separators; a fraction keeps one decimal."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"


def plural(value: int, word: str) -> str:
    """Write a count with its noun: ``1 file``, ``12 files``."""
    return f"{count(value)} {word}" if value == 1 else f"{count(value)} {word}s"
