"""The three fixture applications against the verdicts that were worked out by hand."""

from __future__ import annotations

import csv
import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from migrate.discover.toolkit import PACKAGE, find_toolkit
from migrate.model.identity import NAME_RULES
from tests.end_to_end.command import APPS, CHECKOUT, FIXTURES, result_of, run

VERDICTS = ("same", "renamed", "changed", "replaced", "later", "missing", "unknown")
CUDA_ONLY = VERDICTS[VERDICTS.index("later") :]


class Row(NamedTuple):
    """One use, as the expected files spell it."""

    path: str
    line: int
    symbol: str
    state: str
    verdict: str


OPTIONS = ("--all-uses", "--ignore", "HA-")
AROUND = ("serving", "wave")
"""Applications for what surrounds the code: an inference server on Kubernetes, MPI under Slurm."""
INSTALLED = find_toolkit(None)
needs_headers = pytest.mark.skipif(
    INSTALLED.origin != PACKAGE or bool(INSTALLED.lacking),
    reason="the extra cuda-headers is not installed",
)


@cache
def expected(app: str, *, compiler: bool = False) -> tuple[Row, ...]:
    """The uses of an app, with those that only the compiler finds or without."""
    place = CHECKOUT / "tests" / "fixtures_expected" / f"{app}.csv"
    with place.open(encoding="utf-8", newline="") as stream:
        return tuple(
            Row(row["path"], int(row["line"]), row["symbol"], row["state"], row["verdict"])
            for row in csv.DictReader(stream)
            if compiler or not row["reader"]
        )


@cache
def document(app: str) -> dict[str, Any]:
    """What the tables alone say of an app: rules may raise a verdict at a place (``OPTIONS``)."""
    return result_of(FIXTURES / app, all_uses=True, ignore=["HA-"])


def judged(app: str) -> Counter[tuple[str, int, str]]:
    """The places of rules in an app that were held against its source."""
    place = CHECKOUT / "tests" / "fixtures_expected" / "rules.csv"
    with place.open(encoding="utf-8", newline="") as stream:
        return Counter(
            (row["path"], int(row["line"]), row["rule"])
            for row in csv.DictReader(stream)
            if row["app"] == app
        )


def ruled(result: dict[str, Any]) -> Counter[tuple[str, int, str]]:
    """The places of rules in a result."""
    return Counter(
        (site["path"], site["line"], finding["rule"])
        for finding in result["findings"]
        if finding["rule"] not in NAME_RULES
        for site in finding["sites"]
    )


def found(result: dict[str, Any]) -> list[Row]:
    return [
        Row(
            site["path"],
            site["line"],
            "asm" if finding["symbol"].startswith("asm:") else finding["symbol"],
            finding["state"],
            finding["verdict"],
        )
        for finding in result["findings"]
        for site in finding["sites"]
    ]


@pytest.mark.parametrize("app", APPS)
def test_every_use_of_a_fixture_is_found_where_and_as_it_was_worked_out(app: str) -> None:
    want, got = Counter(expected(app)), Counter(found(document(app)))
    assert (want - got, got - want) == (Counter(), Counter())


@needs_headers
@pytest.mark.slow
@pytest.mark.parametrize("app", APPS)
def test_with_the_compiler_come_the_uses_that_only_it_finds_and_no_other_changes(app: str) -> None:
    result = result_of(
        FIXTURES / app, all_uses=True, semantic="require", no_cache=True, ignore=["HA-"]
    )
    want, got = Counter(expected(app, compiler=True)), Counter(found(result))
    assert (want - got, got - want) == (Counter(), Counter())
    said = result["run"]["semantic"]
    assert said["agreement"]["found"] == len(expected(app, compiler=True)) - len(expected(app))
    assert said["agreement"]["own"] == said["agreement"]["other_name"] == 0


@pytest.mark.parametrize("app", [*APPS, *AROUND])
def test_the_rules_find_the_places_that_were_judged_and_no_other(app: str) -> None:
    want, got = judged(app), ruled(result_of(FIXTURES / app))
    assert (want - got, got - want) == (Counter(), Counter())
    assert want


@needs_headers
@pytest.mark.slow
@pytest.mark.parametrize("app", APPS)
def test_with_the_compiler_the_rules_find_the_same_places(app: str) -> None:
    want = judged(app)
    got = ruled(result_of(FIXTURES / app, semantic="require", no_cache=True))
    assert (want - got, got - want) == (Counter(), Counter())


@pytest.mark.parametrize("app", APPS)
def test_the_summary_adds_up_from_the_expected_rows(app: str) -> None:
    rows, summary = expected(app), document(app)["summary"]
    active = [row for row in rows if row.state == "active"]
    bad = [row for row in active if row.verdict in CUDA_ONLY]
    names = {row.symbol for row in active}
    assert summary["states"] == {
        state: sum(row.state == state for row in rows)
        for state in ("active", "ported", "hip", "vendored")
    }
    assert summary["uses"] == len(active)
    assert summary["distinct_names"] == len(names)
    assert summary["verdicts"] == {
        verdict: sum(row.verdict == verdict for row in active) for verdict in VERDICTS
    }
    share = summary["cuda_only_share"]
    assert share["by_use"] == pytest.approx(len(bad) / len(active), rel=1e-5)
    assert share["by_name"] == pytest.approx(
        len({row.symbol for row in bad}) / len(names), rel=1e-5
    )
    assert 0 < share["by_line"] < 1


@pytest.mark.parametrize("app", APPS)
def test_the_tables_of_a_result_add_up_to_its_summary(app: str) -> None:
    result = document(app)
    summary, states = result["summary"], Counter[str]()
    for row in result["apis"]:
        states[row["state"]] += row["uses"]
    assert states == Counter({key: n for key, n in summary["states"].items() if n})
    for table in ("files", "libraries", "directories"):
        verdicts = Counter[str]()
        for row in result[table]:
            verdicts.update(row["verdicts"])
        assert verdicts == Counter(summary["verdicts"]), table
    assert sum(row["uses"] for row in result["files"]) == sum(summary["states"].values())
    assert sum(row["lines"] for row in result["files"]) == summary["lines"]
    assert sum(row["findings"] for row in result["files"]) == sum(
        finding["rule"] != "HA-USE" for finding in result["findings"]
    )
    files = sum(row["effort"]["hours"] for row in result["files"])
    assert files == pytest.approx(sum(row["hours"] for row in result["directories"]), rel=1e-3)


@pytest.mark.parametrize("app", APPS)
def test_no_finding_holds_more_hours_than_its_driver(app: str) -> None:
    result = document(app)
    drivers = {row["id"]: row["hours"] for row in result["drivers"]}
    carried: dict[str, float] = {}
    for finding in result["findings"]:
        if finding["driver"] and finding["state"] == "active":
            hours = finding["effort"]["hours"][1]
            carried[finding["driver"]] = carried.get(finding["driver"], 0.0) + hours
    assert carried
    for driver, hours in carried.items():
        assert hours <= drivers[driver][1] * 1.0001, driver


def _component(row: dict[str, Any]) -> tuple[str, str, str]:
    return row["name"], row["verdict"], row["use"]


@pytest.mark.parametrize("app", [*APPS, *AROUND])
def test_the_components_are_those_that_were_worked_out_by_hand(app: str) -> None:
    place = CHECKOUT / "tests" / "fixtures_expected" / "components.csv"
    with place.open(encoding="utf-8", newline="") as stream:
        want = {_component(row) for row in csv.DictReader(stream) if row["app"] == app}
    assert {_component(row) for row in result_of(FIXTURES / app)["components"]} == want


def test_what_is_said_for_rocm_in_a_script_is_not_the_ports_work() -> None:
    states = {
        site["line"]: finding["state"]
        for finding in result_of(FIXTURES / "serving")["findings"]
        for site in finding["sites"]
        if site["path"] == "scripts/gpu_nodes.sh"
    }
    assert states == {8: "ported", 9: "ported", 13: "active", 14: "active"}


def test_profilers_in_scripts_and_gpu_aware_mpi_are_priced_once() -> None:
    drivers = {row["id"]: row["n"] for row in result_of(FIXTURES / "wave")["drivers"]}
    assert (drivers["profiler"], drivers["communication"]) == (2, 1)
    assert "communication" not in {row["id"] for row in result_of(FIXTURES / "serving")["drivers"]}


def test_the_project_block_says_tests_and_ci() -> None:
    serving, wave = (result_of(FIXTURES / app)["project"] for app in AROUND)
    assert serving["tests"] == {"frameworks": ["pytest"], "files": 1}
    assert serving["ci"] == {"systems": ["gitlab"], "gpu": True, "rocm": False}
    assert wave["ci"] == {"systems": ["github"], "gpu": False, "rocm": False}
    assert (serving["hip_support"], wave["hip_support"]) == ("none", "none")


def test_the_fixtures_say_which_cuda_they_are_written_for() -> None:
    trainer = document("trainer")["run"]
    assert trainer["target"] == {"rocm": "7.2", "archs": ["gfx942"], "cuda": "12.4"}
    assert trainer["cuda_source"] == "tree: Dockerfile:1"


def test_the_trainers_libraries_are_its_components() -> None:
    rows = {row["name"]: row for row in document("trainer")["components"]}
    assert {"cuBLAS", "cuDNN", "NCCL", "cuRAND", "NVTX"} <= set(rows)
    dnn = rows["cuDNN"]
    assert (dnn["verdict"], dnn["rocm"], dnn["use"]) == ("replaced", "MIOpen", "called")
    assert dnn["uses"] == sum(row.symbol.lower().startswith("cudnn") for row in expected("trainer"))


@pytest.mark.end_to_end
def test_the_command_gives_what_the_library_gives(tmp_path: Path) -> None:
    done = run("scan", FIXTURES / "stencil", *OPTIONS, "--format", "json", cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out) == document("stencil")
