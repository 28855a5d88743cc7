"""An application in CUDA Fortran: what is found in it, and what the figures do not hold."""

from __future__ import annotations

import csv
from collections import Counter
from functools import cache
from typing import Any

from tests.end_to_end.command import CHECKOUT, FIXTURES, result_of

_OURS = "HA-E18"


@cache
def document() -> dict[str, Any]:
    return result_of(FIXTURES / "advection")


def test_the_places_of_fortran_are_those_worked_out_by_hand() -> None:
    place = CHECKOUT / "tests" / "fixtures_expected" / "advection.csv"
    with place.open(encoding="utf-8", newline="") as stream:
        want = Counter(
            (row["path"], int(row["line"]), row["rule"]) for row in csv.DictReader(stream)
        )
    got = Counter(
        (site["path"], site["line"], finding["rule"])
        for finding in document()["findings"]
        if finding["rule"].startswith(_OURS)
        for site in finding["sites"]
    )
    assert (want - got, got - want) == (Counter(), Counter())


def test_its_kernels_are_counted_and_said_to_be_in_no_figure() -> None:
    result = document()
    assert result["project"]["unpriced"] == {
        "cuda_fortran_files": 3,
        "cuda_fortran_kernels": 4,
        "openacc_files": 0,
        "binding_files": 0,
    }
    assert not result["run"]["complete"]
    assert "CUDA Fortran" in result["run"]["incomplete_reason"]
    assert result["summary"]["effort"]["total"]["p50"] == 0


def test_each_file_says_what_its_kernels_are() -> None:
    said = {
        row["path"]: row["message"] for row in document()["findings"] if row["rule"] == "HA-E180"
    }
    assert "In this file: 2 kernels, 1 procedure for the device." in said["src/kernels.cuf"]
    assert "In this file: 2 loops under !$cuf, 2 launches." in said["src/step.F90"]


def test_its_components_are_those_that_it_takes() -> None:
    names = {row["name"] for row in document()["components"]}
    assert {"CUDA Fortran", "cuFFT", "cuBLAS"} <= names
