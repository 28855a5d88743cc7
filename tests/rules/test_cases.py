"""Public porting problems with the right answer, on each target that the answer differs on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.rules.stated import targets_of, unmet

CASES = Path(__file__).parent.parent.parent / "fixtures" / "cases"
FILES = sorted(CASES.glob("*.c*"))
ASKED = [
    pytest.param(path, name, id=f"{path.name}:{name}" if name else path.name)
    for path in FILES
    for name in targets_of(path.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize(("path", "name"), ASKED)
def test_case_has_its_answer_and_no_other(path: Path, name: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert unmet(text, name, targets_of(text)[name], path=path.name) == []


def test_each_case_says_where_its_problem_is_public() -> None:
    for path in FILES:
        assert f"// case: {path.name[:3]} " in path.read_text(encoding="utf-8"), path.name


def test_each_case_has_a_fixture_or_the_test_that_answers_it() -> None:
    listed = (CASES / "README.md").read_text(encoding="utf-8")
    named = {path.name[:3] for path in CASES.iterdir() if path.name != "README.md"}
    named |= {row[2:5] for row in listed.splitlines() if re.match(r"\| [A-F]\d\d ", row)}
    assert len(named) == 56
