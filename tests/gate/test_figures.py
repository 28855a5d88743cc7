"""A saved result as the gate's input: read exactly, or refused with the place of the mistake."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.errors import AssessError
from migrate.estimate.coefficients import load_coefficients
from migrate.estimate.effort import estimate_effort
from migrate.gate.figures import GateFigures, figures_from_json, figures_of
from migrate.gate.offenders import Offender, Offenders
from migrate.model.assessment import Assessment, Project, Shares, Summary
from migrate.model.effort import Scope, Strategy, Team
from migrate.model.target import CudaVersion, RocmRelease, Target
from migrate.model.verdict import State

RESULT: dict[str, Any] = {
    "schema_version": 1,
    "run": {
        "target": {"rocm": "7.2", "archs": ["gfx942"], "cuda": "12.8"},
        "complete": True,
    },
    "summary": {
        "uses": 12,
        "states": {"active": 10, "ported": 2},
        "cuda_only_share": {"by_use": 0.3, "by_name": 0.5, "by_line": 0.1},
        "effort": {
            "scope": "production",
            "strategy": "hipify",
            "team": "gpu",
            "total": {"p10": 6.3, "p50": 12, "p90": 23.2},
        },
    },
}


def with_value(path: str, value: object) -> str:
    """The result with one value replaced, or taken away where ``value`` is ``...``."""
    result = copy.deepcopy(RESULT)
    *parents, last = path.split(".")
    part = result
    for key in parents:
        part = part[key]
    if value is ...:
        del part[last]
    else:
        part[last] = value
    return json.dumps(result)


def refused(text: str) -> str:
    with pytest.raises(AssessError) as caught:
        figures_from_json(text)
    assert caught.value.slug == "saved-result"
    return str(caught.value)


def test_saved_result_gives_its_figures() -> None:
    assert figures_from_json(json.dumps(RESULT)) == GateFigures(
        target="ROCm 7.2 on gfx942, source written for CUDA 12.8",
        share=0.3,
        uses=10,
        weeks=12.0,
        effort_for="scope production, strategy hipify, team gpu",
        complete=True,
    )


def test_byte_order_mark_and_missing_cuda_version_are_no_mistake() -> None:
    text = "\N{BYTE ORDER MARK}" + with_value("run.target.cuda", None)
    assert figures_from_json(text).target == "ROCm 7.2 on gfx942"


@pytest.mark.parametrize("text", ["", "{", "not json", '{"a": 1,}', "[1] 2"])
def test_text_that_is_no_json_is_refused_with_its_line(text: str) -> None:
    assert "line 1 is no JSON" in refused(text)


@pytest.mark.parametrize("text", ["[]", "1", "null", '"result"', "true"])
def test_json_that_is_no_object_is_refused(text: str) -> None:
    assert "outermost value is no object" in refused(text)


@pytest.mark.parametrize("text", ["[" * 200_000, '{"a":' * 200_000])
def test_deep_nesting_is_refused(text: str) -> None:
    assert "nested too deep" in refused(text)


def test_number_of_thousands_of_digits_is_refused() -> None:
    refused('{"schema_version": ' + "1" * 10_000 + "}")


@pytest.mark.parametrize("version", [2, 0, "1", 1.0, True, None, [1]])
def test_other_schema_version_is_refused(version: object) -> None:
    assert "schema_version is" in refused(with_value("schema_version", version))


@pytest.mark.parametrize(
    "path",
    [
        "schema_version",
        "run",
        "run.complete",
        "run.target",
        "run.target.rocm",
        "run.target.archs",
        "run.target.cuda",
        "summary",
        "summary.states",
        "summary.states.active",
        "summary.cuda_only_share",
        "summary.cuda_only_share.by_use",
        "summary.effort",
        "summary.effort.scope",
        "summary.effort.total",
        "summary.effort.total.p50",
    ],
)
def test_missing_key_is_named(path: str) -> None:
    assert f"{path} is missing" in refused(with_value(path, ...))


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ("run", [], "run: an object is needed, not a list of 0"),
        ("run.complete", 1, "run.complete: true or false is needed, not 1"),
        ("run.target.rocm", "seven", "run.target.rocm: not a version: 'seven'"),
        ("run.target.rocm", 7.2, "run.target.rocm: a text is needed"),
        ("run.target.archs", [], "run.target.archs: a list of architectures"),
        ("run.target.archs", [1], "run.target.archs: a list of architectures"),
        ("run.target.archs", ["\x1b[31m"], "run.target.archs: a list of architectures"),
        ("run.target.archs", "gfx942", "run.target.archs: a list of architectures"),
        ("run.target.cuda", "x" * 999, "run.target.cuda: not a version"),
        ("summary.cuda_only_share.by_use", True, "by_use: a number is needed, not True"),
        ("summary.cuda_only_share.by_use", "0.3", "by_use: a number is needed"),
        ("summary.cuda_only_share.by_use", -0.1, "by_use: 0 to 1 is possible, not -0.1"),
        ("summary.cuda_only_share.by_use", 30, "by_use: 0 to 1 is possible, not 30"),
        ("summary.cuda_only_share.by_use", float("nan"), "NaN is no number"),
        ("summary.effort.total.p50", float("inf"), "Infinity is no number"),
        ("summary.effort.total.p50", -1, "p50: 0 or more is possible, not -1"),
        ("summary.effort.total.p50", 10**400, "p50: 0 or more is possible"),
        ("summary.effort.total.p50", {}, "p50: a number is needed, not an object"),
        ("summary.effort.team", "x" * 999, "is none of new, gpu, rocm, expert-agent"),
        ("summary.states.active", 1.5, "summary.states.active: a count is needed, not 1.5"),
    ],
)
def test_wrong_value_is_told_with_its_path(path: str, value: object, told: str) -> None:
    message = refused(with_value(path, value))
    assert told in message
    assert len(message) < 400


def test_number_beyond_floating_point_is_refused() -> None:
    text = json.dumps(RESULT).replace('"p50": 12', '"p50": 1e999')
    assert "p50: 0 or more is possible, not inf" in refused(text)


def test_assessment_gives_unrounded_figures() -> None:
    effort = estimate_effort(
        {"warp_site": 7},
        kloc=1.0,
        scope=Scope.TESTS_PASS,
        strategy=Strategy.SHIM,
        team=Team.ROCM,
        coefficients=load_coefficients(),
    )
    summary = Summary(
        files=1,
        lines=9,
        cuda_lines=9,
        uses=4,
        distinct_names=3,
        kernels=0,
        launches=0,
        states={State.ACTIVE: 3, State.PORTED: 1},
        verdicts={},
        shares=Shares(1 / 3, 0.5, 0.0),
        effort=effort,
        older_names=2,
        unconfirmed_names=1,
    )
    target = Target(RocmRelease(7, 2), ("gfx942",), CudaVersion(12, 8))
    assessment = Assessment(
        version="0",
        tables_as_of="2026",
        root_name="x",
        target=target,
        cuda_source="option",
        complete=False,
        incomplete_reason="half of it unread",
        commit="",
        dirty=None,
        settings={},
        skipped=(),
        summary=summary,
        apis=(),
        findings=(),
        files=(),
        directories=(),
        libraries=(),
        components=(),
        project=Project(),
    )
    assert figures_of(assessment) == GateFigures(
        target=str(target),
        share=1 / 3,
        uses=3,
        weeks=effort.total.p50,
        effort_for="scope tests-pass, strategy shim, team rocm",
        complete=False,
        tables="2026; 2 of 3 names last checked before ROCm 7.2 came (1 unconfirmed)",
    )


@pytest.mark.parametrize("key", ["older_names", "unconfirmed_names"])
def test_how_old_the_tables_are_is_read_again(key: str) -> None:
    result = copy.deepcopy(RESULT)
    result["run"]["tables_as_of"] = "2026"
    assert figures_from_json(json.dumps(result)).tables == "2026"
    result["summary"] |= {"distinct_names": 3, "older_names": 0, "unconfirmed_names": 0}
    told = figures_from_json(json.dumps(result)).tables
    assert told == "2026; none of 3 names last checked before ROCm 7.2 came"
    result["summary"][key] = "many"
    assert f"summary.{key}: a number is needed" in refused(json.dumps(result))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.property
@given(
    path=st.sampled_from(
        ["schema_version", "run", "run.target", "run.target.archs", "run.complete", "summary",
         "summary.states", "summary.cuda_only_share.by_use", "summary.effort.total.p50"]
    ),
    value=json_values,
)  # fmt: skip
def test_any_value_is_read_or_refused(path: str, value: object) -> None:
    try:
        figures = figures_from_json(with_value(path, value))
    except AssessError:
        return
    assert 0 <= figures.share <= 1
    assert figures.weeks >= 0


def test_heaviest_names_are_read_from_a_saved_result_with_their_first_places() -> None:
    def api(name: str, verdict: str, uses: int, state: str = "active") -> dict[str, Any]:
        return {"name": name, "verdict": verdict, "uses": uses, "state": state}

    def finding(name: str, hours: float, path: str, line: int) -> dict[str, Any]:
        return {
            "symbol": name,
            "verdict": "missing",
            "state": "active",
            "path": path,
            "line": line,
            "effort": {"hours": [0, hours, 9]},
        }

    names = [api(f"cuda{number}", "missing", number) for number in range(1, 8)]
    names += [api("cudaMalloc", "renamed", 99), api("cudaOld", "missing", 99, "ported")]
    places = [finding("cuda7", 1.5, "b.cu", 4), finding("cuda7", 1, "a.cu", 9)]
    result = {**RESULT, "apis": names, "findings": [*places, finding("cuda6", 0.01, "a.cu", 1)]}
    found = figures_from_json(json.dumps(result)).offenders
    assert [one.name for one in found.by_uses] == ["cuda7", "cuda6", "cuda5", "cuda4", "cuda3"]
    assert found.by_uses[0] == Offender("cuda7", "missing, 7 uses", "a.cu:9")
    assert [(one.words, one.place) for one in found.by_hours] == [
        ("missing, 2.5 hours", "a.cu:9"),
        ("missing, under 0.1 hours", "a.cu:1"),
    ]


def test_what_a_rule_found_weighs_for_the_rule_and_a_name_says_which_raised_it() -> None:
    rule = {"id": "HA-K050", "title": "Inline PTX"}
    found = [
        {
            "symbol": name, "rule": "HA-K050", "verdict": "missing", "state": "active",
            "path": "a.cu", "line": line, "effort": {"hours": [0, 2.0, 9]},
        }
        for name, line in (("__stcs", 9), ("asm", 4))
    ]  # fmt: skip
    names = [{"name": "__stcs", "verdict": "missing", "uses": 3, "state": "active"}]
    result = {**RESULT, "apis": names, "findings": found, "rules": [rule]}
    offenders = figures_from_json(json.dumps(result)).offenders
    assert offenders.by_uses == (Offender("__stcs", "missing, 3 uses, HA-K050", "a.cu:9"),)
    (costly,) = offenders.by_hours
    assert costly == Offender("HA-K050 (Inline PTX)", "missing, 4.0 hours", "a.cu:4")


@pytest.mark.parametrize("rows", [None, 1, {}, [1], [{}], [{"state": "active"}]])
def test_rows_of_another_form_name_nothing(rows: object) -> None:
    text = json.dumps({**RESULT, "apis": rows, "findings": rows, "rules": rows})
    assert figures_from_json(text).offenders == Offenders()
