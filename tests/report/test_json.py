"""The JSON document holds to its schema and to the contract's words."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

from migrate.model.assessment import Assessment
from migrate.model.identity import RULE_USE
from migrate.model.verdict import State, Verdict
from migrate.report.json_v1 import render_json
from tests.report.sample import (
    HOSTILE_PATH,
    make_assessment,
    make_assessment_with_rules,
    make_big_assessment,
    make_empty_assessment,
    make_incomplete_assessment,
)

_SAMPLES = {
    "realistic": make_assessment(),
    "all uses": make_assessment(all_uses=True),
    "empty": make_empty_assessment(),
    "incomplete": make_incomplete_assessment(),
    "rules": make_assessment_with_rules(),
    "big": make_big_assessment(findings=200, files=40),
}


def _schema() -> dict[str, Any]:
    path = files("migrate.report") / "schema" / "result-v1.schema.json"
    schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return schema


def _document(assessment: Assessment) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(render_json(assessment))
    return document


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(_schema())


@pytest.mark.parametrize("name", _SAMPLES)
def test_every_document_holds_to_the_schema(name: str) -> None:
    jsonschema.Draft202012Validator(_schema()).validate(_document(_SAMPLES[name]))


@pytest.mark.parametrize(
    ("path", "key"),
    [((), "extra"), (("summary", "verdicts"), "fine"), (("findings", 0), "score")],
)
def test_the_schema_refuses_a_key_it_does_not_know(path: tuple[str | int, ...], key: str) -> None:
    document = _document(make_assessment())
    place: Any = document
    for step in path:
        place = place[step]
    place[key] = 1
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(_schema()).validate(document)


def test_the_keys_stand_in_the_contracts_order() -> None:
    document = _document(make_assessment())
    contract = [
        "schema_version", "tool", "run", "summary", "drivers", "apis", "findings", "components",
        "project", "files",
    ]  # fmt: skip
    assert list(document)[: len(contract)] == contract
    finding = [
        "id", "rule", "tier", "verdict", "severity", "confidence", "state", "archs", "path", "line",
        "end_line", "column", "sites", "symbol", "function", "message", "fix", "driver", "effort",
        "seen_by",
    ]  # fmt: skip
    assert list(document["findings"][0])[: len(finding)] == finding
    api = ["name", "library", "verdict", "hip", "uses", "files", "state"]
    assert list(document["apis"][0])[: len(api)] == api


def test_all_verdicts_and_states_stand_there_even_at_zero() -> None:
    summary = _document(make_empty_assessment())["summary"]
    assert summary["verdicts"] == {verdict.value: 0 for verdict in Verdict}
    assert summary["states"] == {state.value: 0 for state in State}
    assert summary["cuda_only_share"] == {"by_use": 0.0, "by_name": 0.0, "by_line": 0.0}


def test_the_same_assessment_in_another_order_gives_the_same_bytes() -> None:
    assessment = make_assessment(all_uses=True)
    turned = replace(
        assessment,
        findings=assessment.findings[::-1],
        apis=assessment.apis[::-1],
        files=assessment.files[::-1],
        uses=assessment.uses[::-1],
        skipped=assessment.skipped[::-1],
        libraries=assessment.libraries[::-1],
        directories=assessment.directories[::-1],
        kernels=assessment.kernels[::-1],
        rules=assessment.rules[::-1],
        project=replace(assessment.project, wrappers=assessment.project.wrappers[::-1]),
        settings=dict(reversed(assessment.settings.items())),
    )
    assert render_json(turned) == render_json(assessment)


def test_mechanical_uses_are_findings_only_when_asked_for() -> None:
    def mechanical(document: dict[str, Any]) -> list[dict[str, Any]]:
        return [row for row in document["findings"] if row["rule"] == RULE_USE]

    assert mechanical(_document(make_assessment())) == []
    malloc, reduce = mechanical(_document(make_assessment(all_uses=True)))
    assert (malloc["symbol"], malloc["hip"], malloc["verdict"]) == (
        "cudaMalloc",
        "hipMalloc",
        "renamed",
    )
    assert [site["line"] for site in malloc["sites"]] == [12, 13, 19]
    assert malloc["driver"] == "direct_reference"
    assert malloc["effort"]["hours"] == pytest.approx([0.009, 0.03, 0.12])
    assert reduce["verdict"] == "same"


def test_a_finding_stands_at_its_first_site() -> None:
    for finding in _document(make_assessment())["findings"]:
        first = finding["sites"][0]
        for key in ("path", "line", "end_line", "column"):
            assert finding[key] == first[key]


def test_a_file_name_that_is_no_utf8_still_gives_valid_json() -> None:
    base = make_assessment()
    odd = replace(base, files=(replace(base.files[0], path="src/\udcff.cu"),))
    text = render_json(odd)
    assert json.loads(text.encode())["files"][0]["path"] == r"src/\xff.cu"


def test_a_hostile_path_is_carried_as_it_is() -> None:
    paths = [row["path"] for row in _document(make_assessment())["files"]]
    assert HOSTILE_PATH in paths


def test_a_row_is_a_line_and_the_document_ends_in_one() -> None:
    text = render_json(make_assessment())
    assert text.endswith("}\n")
    assert sum(line.startswith('    {"name": "cudaMalloc"') for line in text.splitlines()) == 2


def test_a_kernel_has_its_instances_and_the_places_that_launch_it() -> None:
    kernels = {row["name"]: row for row in _document(make_assessment())["kernels"]}
    assert kernels["lattice::reduce_all"] == {
        "name": "lattice::reduce_all",
        "path": "src/reduce.cuh",
        "line": 30,
        "attributes": ["__cluster_dims__"],
        "launch_bounds": [1024],
        "dynamic_shared": False,
        "instances": [
            {"arguments": "double", "static_shared_bytes": 98304},
            {"arguments": "float", "static_shared_bytes": 49152},
        ],
        "launched_from": [
            {"function": "lattice::step", "path": "src/solver.cu", "line": 91},
            {"function": "", "path": "src/solver.cu", "line": 140},
        ],
        "seen_by": "clang",
    }


def test_wrapper_headers_have_null_uses_where_nobody_counted() -> None:
    wrappers = _document(make_assessment())["project"]["wrappers"]
    assert [(row["names"], row["ported"], row["expansions"]) for row in wrappers] == [
        (9, 4, None),
        (14, 0, 212),
    ]


def test_the_rules_with_findings_are_told() -> None:
    rules = {row["id"]: row for row in _document(make_assessment_with_rules())["rules"]}
    assert list(rules) == ["HA-K003", "HA-K012", "HA-K020", "HA-O001"]
    rule = rules["HA-K012"]
    assert list(rule) == [
        "id", "slug", "title", "family", "tier", "why", "fix", "severity", "evidence", "holds",
    ]  # fmt: skip
    assert (rule["family"], rule["tier"]) == ("Lane masks and warp builtins", "kernel")
    assert rule["evidence"][0]["rocm"] == "7.2"
    assert rule["evidence"][1] == {
        "title": "HIP headers",
        "url": "https://github.com/ROCm/clr/blob/HEAD/hipamd/include/hip/amd_warp.h",
        "rocm": None,
    }
    assert rule["holds"]["since"] == "7.0"
    assert rule["holds"]["until"] is None
    assert _document(make_empty_assessment())["rules"] == []
