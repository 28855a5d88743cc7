"""Under which conditions code is compiled, as findings tell it."""

from __future__ import annotations

import pytest

from migrate.model.facts import condition_at
from tests.parse.reading import read


def condition_of(source: str) -> str:
    """The condition of the line that calls ``cudaFree``."""
    facts = read(source)
    (row,) = (row for row, line in enumerate(facts.uses.line) if line)
    return condition_at(facts, facts.uses.line[row])


@pytest.mark.parametrize(
    ("source", "condition"),
    [
        ("cudaFree(p);\n#ifdef A\n#endif\n", ""),
        ("#ifdef A\ncudaFree(p);\n#endif\n", "defined(A)"),
        ("#ifdef A\n#else\ncudaFree(p);\n#endif\n", "!defined(A)"),
        ("#ifndef A\n#else\ncudaFree(p);\n#endif\n", "defined(A)"),
        ("#if A > 1\n#else\ncudaFree(p);\n#endif\n", "!(A > 1)"),
        ("#if A\n#elif B\ncudaFree(p);\n#endif\n", "B"),
        ("#if A\n#elif B\n#else\ncudaFree(p);\n#endif\n", "!A && !B"),
        ("#if A\n#ifdef B\ncudaFree(p);\n#endif\n#endif\n", "A && defined(B)"),
        ("#if A\n#ifdef B\n#endif\ncudaFree(p);\n#endif\n", "A"),
        ("#ifndef A_H\n#define A_H\ncudaFree(p);\n#endif\n", ""),
        ("#ifndef A_H\n#define A_H\n#ifdef B\ncudaFree(p);\n#endif\n#endif\n", "defined(B)"),
        ("#if 1\ncudaFree(p);\n#endif\n", ""),
        ("#if 0\n#else\ncudaFree(p);\n#endif\n", ""),
    ],
)
def test_condition_of_a_line(source: str, condition: str) -> None:
    assert condition_of(source) == condition


def test_a_deep_condition_is_cut_and_a_deep_nesting_read() -> None:
    deep = "".join(f"#if LONG_NAME_{number}\n" for number in range(5000))
    told = condition_of(f"{deep}cudaFree(p);\n")
    assert told.endswith("…")
    assert len(told) < 200
