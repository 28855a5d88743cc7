"""The fixture application in Python and notebooks against what was worked out by hand."""

from __future__ import annotations

import csv
from collections import Counter

import pytest

from tests.end_to_end.command import CHECKOUT, FIXTURES, result_of

pytestmark = pytest.mark.end_to_end

Place = tuple[str, int, str, str]


def expected() -> Counter[Place]:
    place = CHECKOUT / "tests" / "fixtures_expected" / "denoise.csv"
    with place.open(encoding="utf-8", newline="") as stream:
        return Counter(
            (row["path"], int(row["line"]), row["rule"], row["symbol"])
            for row in csv.DictReader(stream)
        )


def test_uses_and_rules_stand_where_they_were_worked_out_and_nowhere_else() -> None:
    found = Counter(
        (site["path"], site["line"], finding["rule"], finding["symbol"])
        for finding in result_of(FIXTURES / "denoise", all_uses=True)["findings"]
        for site in finding["sites"]
    )
    assert (expected() - found, found - expected()) == (Counter(), Counter())


def test_kernels_in_strings_and_cells_count_in_the_summary() -> None:
    result = result_of(FIXTURES / "denoise")
    rows = {
        row["path"]: (row["uses"], row["kernels"], row["code_lines"]) for row in result["files"]
    }
    assert rows["denoise/kernels.py"] == (3, 1, 17)
    assert rows["notebooks/01_first_look.ipynb"] == (6, 1, 15)
    assert rows["notebooks/02_compare.ipynb"] == (1, 1, 10)
    assert result["summary"]["uses"] == 10
    assert result["run"]["complete"]


def test_components_are_those_that_a_reader_names() -> None:
    components = {
        row["name"]: row["verdict"] for row in result_of(FIXTURES / "denoise")["components"]
    }
    assert components == {
        "CUDA from conda": "replaced",
        "CUDA runtime API": "renamed",
        "CuPy": "changed",
        "LibTorch (C++)": "same",
        "NVML in Python (pynvml)": "replaced",
        "Numba CUDA": "changed",
        "PyTorch": "same",
        "PyTorch C++ and CUDA extension": "same",
    }
