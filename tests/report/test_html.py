"""The page as a parsed tree: links land, totals agree with the JSON, nothing from the tree acts."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser

import pytest

from migrate.model.assessment import Assessment
from migrate.model.kernel import KernelSize
from migrate.report.html.evidence import evidence_links
from migrate.report.html.places import Limits
from migrate.report.html.render import render_html
from migrate.report.json_v1 import render_json
from tests.report.sample import (
    HOSTILE_SYMBOL,
    make_assessment,
    make_assessment_with_a_replaced_library,
    make_assessment_with_rules,
    make_big_assessment,
    make_empty_assessment,
    make_incomplete_assessment,
)

_VOID = frozenset({"meta", "input", "rect", "line", "path", "br", "hr", "img", "link"})
_SAMPLES = {
    "realistic": make_assessment(),
    "empty": make_empty_assessment(),
    "incomplete": make_incomplete_assessment(),
    "big": make_big_assessment(findings=300, files=50),
    "replaced library": make_assessment_with_a_replaced_library(),
    "rules": make_assessment_with_rules(),
}


@dataclass
class _Element:
    tag: str
    attributes: dict[str, str | None]
    children: list[_Element] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return " ".join("".join(self.pieces).split())


class _Tree(HTMLParser):
    """Every element in order, with all the text under it; fails on tags that do not nest."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.all: list[_Element] = []
        self._open: list[_Element] = []
        self.feed(text)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(attrs) == len(dict(attrs)), f"an attribute twice on {tag}"
        element = _Element(tag, dict(attrs))
        if self._open:
            self._open[-1].children.append(element)
        self.all.append(element)
        if tag not in _VOID:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        if tag in _VOID:
            if self._open[-1].tag == tag:
                self._open.pop()
            return
        assert self._open[-1].tag == tag, f"{tag} closes {self._open[-1].tag}"
        self._open.pop()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = _Element(tag, dict(attrs))
        self._open[-1].children.append(element)
        self.all.append(element)

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.pieces.append(data)

    def having(self, attribute: str) -> list[_Element]:
        return [element for element in self.all if attribute in element.attributes]

    def by_id(self, name: str) -> _Element:
        (found,) = (row for row in self.having("id") if row.attributes["id"] == name)
        return found


def _tree(assessment: Assessment, limits: Limits | None = None) -> _Tree:
    tree = _Tree(render_html(assessment, limits=limits))
    assert tree.all
    return tree


@pytest.mark.parametrize("name", _SAMPLES)
def test_every_link_lands_and_no_anchor_stands_twice(name: str) -> None:
    tree = _tree(_SAMPLES[name])
    ids = [element.attributes["id"] for element in tree.having("id")]
    assert len(ids) == len(set(ids))
    for element in tree.having("href"):
        href = element.attributes["href"] or ""
        if href.startswith("#"):
            assert href[1:] in ids, href


@pytest.mark.parametrize("name", _SAMPLES)
def test_the_page_loads_nothing_and_its_outside_links_give_nothing_away(name: str) -> None:
    tree = _tree(_SAMPLES[name])
    for attribute in ("src", "srcset", "action", "data", "poster", "style", "onclick", "onerror"):
        assert tree.having(attribute) == []
    assert not {element.tag for element in tree.all} & {"link", "iframe", "object", "img", "base"}
    for element in tree.having("href"):
        href = element.attributes["href"] or ""
        if not href.startswith("#"):
            assert element.tag == "a"
            assert href.startswith("https://")
            assert element.attributes["rel"] == "noopener noreferrer"
    style = next(element for element in tree.all if element.tag == "style").text
    assert "url(" not in style
    assert "@import" not in style


def test_the_policy_allows_this_style_and_this_script_only() -> None:
    tree = _tree(make_assessment())
    policy = next(
        element.attributes["content"]
        for element in tree.all
        if element.attributes.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy is not None
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert [element.tag for element in tree.all].count("script") == 1
    assert [element.tag for element in tree.all].count("style") == 1


def test_names_from_a_hostile_tree_stay_text() -> None:
    html = render_html(make_assessment())
    assert "<script>alert" not in html
    assert "<img" not in html
    assert "\x1b" not in html
    assert "\u202e" not in html
    tree = _Tree(html)
    findings = tree.by_id("findings").text
    assert HOSTILE_SYMBOL in findings
    assert r'src/<script>alert(1)</script>"\x1b[31m\u202e.cu:3' in findings


@pytest.mark.parametrize("all_uses", [False, True])
def test_the_totals_are_those_of_the_json(all_uses: bool) -> None:
    assessment = make_assessment(all_uses=all_uses)
    document = json.loads(render_json(assessment))
    tree = _tree(assessment)
    legend = re.findall(r"(\w+) ([\d,]+) [<> \d.]+ %", tree.by_id("verdicts").text)
    shown = {word: int(number.replace(",", "")) for word, number in legend[:7]}
    assert shown == document["summary"]["verdicts"]
    summary = tree.by_id("summary").text
    assert f"{document['summary']['states']['active']:,}" in summary
    assert f"Findings {len(document['findings'])}" in tree.by_id("findings").text
    rows = [element for element in tree.all if element.attributes.get("class") == "f"]
    assert len(rows) == len(document["findings"])
    for finding in document["findings"]:
        row = tree.by_id(f"finding-{finding['id']}")
        assert row.attributes["data-s"] == finding["severity"]
        assert row.attributes["data-w"] == finding["verdict"]
        assert finding["fix"] in row.text
    named = tree.by_id("names-table").text
    assert all(row["name"] in named for row in document["apis"])


def test_files_show_their_active_uses_and_sum_to_the_total() -> None:
    assessment = make_assessment()
    tree = _tree(assessment)
    rows = tree.by_id("files-table").children[2].children
    uses = [int(row.children[3].attributes["data-v"] or "") for row in rows]
    assert sum(uses) == sum(assessment.summary.verdicts.values())


def test_the_target_and_the_tables_date_stand_in_the_head() -> None:
    html = render_html(make_assessment())
    head = html[html.index("<header") : html.index("</header>")]
    for said in ("ROCm 7.2, gfx942", "CUDA 12.8 (tree: docker/Dockerfile:1)", "2026-11"):
        assert said in head
    assert "9 of 187 names last checked before ROCm 7.2 came (2 unconfirmed)" in head
    assert "2 not read" in head


def test_an_incomplete_run_raises_an_alarm_before_the_numbers() -> None:
    html = render_html(make_incomplete_assessment())
    alarm = html.index('role="alert"')
    assert "12 % of the candidate lines could not be read" in html[alarm:]
    assert alarm < html.index('id="summary"')
    assert 'role="alert"' not in render_html(make_assessment())


def test_an_empty_result_says_so_in_every_section() -> None:
    tree = _tree(make_empty_assessment())
    said = {
        "summary": "No use of CUDA was found that is still to be ported.",
        "findings": "Nothing needs a person.",
        "names": "No CUDA name was found.",
        "files": "No file uses CUDA.",
        "run": "Everything found was read.",
    }
    for section, words in said.items():
        assert words in tree.by_id(section).text


def test_what_is_left_out_is_said_beside_the_total() -> None:
    limits = Limits(findings=20, excerpts=5, apis=30, files=10)
    tree = _tree(make_big_assessment(findings=300, files=50), limits)
    assert "Findings showing 20 of 300; the rest is in the JSON" in tree.by_id("findings").text
    assert "Code is shown at 5 of 20." in tree.by_id("findings").text
    assert "showing 30 of 900; the rest is in the JSON" in tree.by_id("names").text
    assert "showing 10 of 50; the rest is in the JSON" in tree.by_id("files").text
    assert [element.tag for element in tree.by_id("findings-table").children].count("tbody") == 20
    assert sum(element.attributes.get("class") == "code" for element in tree.all) == 5


def test_with_capped_tables_every_link_still_lands() -> None:
    tree = _tree(make_big_assessment(findings=300, files=50), Limits(findings=9, apis=3, files=2))
    ids = {element.attributes["id"] for element in tree.having("id")}
    hrefs = {element.attributes["href"] or "" for element in tree.having("href")}
    assert {href[1:] for href in hrefs if href.startswith("#")} <= ids


def test_the_code_shows_line_numbers_and_marks_the_places() -> None:
    tree = _tree(make_assessment())
    finding = tree.by_id("finding-0000000000000000")
    codes = [element for element in tree.all if element.attributes.get("class") == "code"]
    code = next(element for element in codes if element.text in finding.text and element.text)
    assert code.attributes["start"] == "38" or code.attributes["start"]
    started = next(element for element in codes if element.attributes["start"] == "38")
    hits = [n for n, line in enumerate(started.children, 38) if "class" in line.attributes]
    assert hits == [41, 42, 43]


def test_tables_have_captions_and_scoped_headings() -> None:
    tree = _tree(make_assessment())
    tables = [element for element in tree.all if element.tag == "table"]
    assert tables
    assert all(table.children[0].tag == "caption" for table in tables)
    headings = [element for element in tree.all if element.tag == "th"]
    assert all(heading.attributes.get("scope") in {"col", "row"} for heading in headings)
    assert tree.all[0].attributes == {"lang": "en"}


def test_the_same_assessment_gives_the_same_page() -> None:
    assert render_html(make_assessment()) == render_html(make_assessment())


def test_findings_that_share_an_id_get_anchors_of_their_own() -> None:
    assessment = make_assessment()
    first = assessment.findings[0]
    twice = replace(assessment, findings=(first, *assessment.findings))
    ids = [element.attributes["id"] for element in _tree(twice).having("id")]
    assert f"finding-{first.id}" in ids
    assert f"finding-{first.id}.2" in ids


def test_a_large_result_stays_a_file_that_a_mail_takes() -> None:
    html = render_html(make_big_assessment(findings=20_000, files=7_000))
    assert len(html.encode()) < 10_000_000
    assert "showing 2,500 of 20,000; the rest is in the JSON" in html


@pytest.mark.parametrize(
    ("evidence", "title", "url"),
    [
        (
            "https://example.org/a/guide.html",
            "example.org: guide.html",
            "https://example.org/a/guide.html",
        ),
        ("Guide: https://example.org/x", "Guide", "https://example.org/x"),
        ("a printed manual", "a printed manual", ""),
        ("javascript:alert(1)", "javascript:alert(1)", ""),
    ],
)
def test_evidence_links_only_where_it_is_a_web_address(evidence: str, title: str, url: str) -> None:
    (link,) = evidence_links((evidence,))
    assert (link.title, link.url) == (title, url)


def test_a_source_stands_once_however_often_it_is_given() -> None:
    twice = ("cuda-headers-12.9", "https://a.example/x", "see https://a.example/x", "a book")
    titles = [link.title for link in evidence_links((*twice, *twice))]
    assert len(titles) == len(set(titles)) == 3


def test_every_finding_of_a_group_has_its_own_anchor_and_what_to_do() -> None:
    assessment = make_assessment_with_a_replaced_library()
    tree = _tree(assessment)
    for finding in assessment.findings:
        assert finding.fix in tree.by_id(f"finding-{finding.id}").text
    groups = [element for element in tree.all if element.attributes.get("class") == "f group"]
    assert len(groups) == 1
    assert groups[0].attributes["data-w"] == "replaced"


def test_a_kernel_launch_is_shown_with_words() -> None:
    assessment = make_assessment()
    row = replace(assessment.apis[0], name="<<<>>>")
    assert "kernel launch <<<>>>" in _tree(replace(assessment, apis=(row,))).by_id("names").text


def _kernel_rows(assessment: Assessment, limits: Limits | None = None) -> list[list[str]]:
    tree = _tree(assessment, limits)
    table = tree.by_id("kernels-table")
    (body,) = (part for part in table.children if part.tag == "tbody")
    return [[cell.text for cell in row.children] for row in body.children]


def test_kernels_stand_with_most_static_shared_memory_first_and_a_limit_in_words() -> None:
    reduce, zero, unknown = _kernel_rows(make_assessment())
    assert reduce[0] == "lattice::reduce_all __cluster_dims__; 2 instances"
    assert reduce[1:5] == ["src/reduce.cuh:30", "98,304 over the 64 KiB of gfx942", "no", "1,024"]
    assert reduce[5].startswith("2 places")
    assert zero[2] == "0"
    assert unknown[2:] == ["not known", "yes", "256, ?", "no place found"]


def test_a_gpu_with_room_enough_marks_no_kernel() -> None:
    base = make_assessment()
    roomy = replace(base, target=replace(base.target, archs=("gfx950",)))
    assert _kernel_rows(roomy)[0][2] == "98,304"
    both = replace(base, target=replace(base.target, archs=("gfx90a", "gfx942", "gfx950")))
    assert _kernel_rows(both)[0][2] == "98,304 over the 64 KiB of gfx90a, gfx942"


def test_a_kernel_of_just_the_limit_is_not_over_it() -> None:
    base = make_assessment()
    row = base.kernels[1]
    for size, words in ((65536, "65,536"), (65540, "65,540 over the 64 KiB of gfx942")):
        traits = replace(row.traits, sizes=(KernelSize("", size),))
        only = replace(base, kernels=(replace(row, traits=traits),))
        assert _kernel_rows(only)[0][2] == words


def test_of_many_kernels_some_are_shown_and_all_are_counted() -> None:
    assessment = make_assessment()
    assert len(_kernel_rows(assessment, Limits(kernels=2))) == 2
    assert "showing 2 of 3" in _tree(assessment, Limits(kernels=2)).by_id("kernels").text


def test_a_wrapper_header_is_named_with_what_to_do_there() -> None:
    text = _tree(make_assessment()).by_id("project").text
    assert (
        "src/gpu_shim.h wraps 14 CUDA names (at least 212 uses through it): map these there, "
        "and the callers follow"
    ) in text
    assert "wraps 9 CUDA names, 4 of them mapped to HIP already: map the other 5 there" in text


def test_a_rule_is_explained_where_its_findings_are_and_each_has_its_anchor() -> None:
    assessment = make_assessment_with_rules()
    tree = _tree(assessment)
    for finding in assessment.findings:
        assert finding.function in tree.by_id(f"finding-{finding.id}").text
    shown = tree.by_id("findings-table").children
    (group,) = (row for row in shown if row.attributes.get("class") == "f group")
    for said in (
        "HIP takes the lane mask as 64 bits", "To do: Pass a 64-bit mask", "0xffffffff, v, 16",
        "</code><script>alert(4)</script>", "HIP C++ language extensions (ROCm 7.2)",
        "On ROCm from 7.0, on every GPU.",
    ):  # fmt: skip
        assert said in group.text
    for rule in assessment.rules:
        assert rule.title in tree.by_id(rule.id).text


def test_a_finding_without_hours_says_which_rule_has_them() -> None:
    base = make_assessment_with_rules()
    first = next(row for row in base.findings if row.rule == "HA-K012" and row.hours[1])
    free = replace(first, hours=(0.0, 0.0, 0.0), priced_with="HA-K003")
    one = replace(
        base, findings=tuple(free if row.id == first.id else row for row in base.findings)
    )
    assert "priced with HA-K003" in _tree(one).by_id("findings-table").text
    alone = replace(base, findings=(free,))
    assert "priced with HA-K003" in _tree(alone).by_id("findings-table").text
    assert "priced with" not in _tree(base).by_id("findings-table").text


def test_possible_findings_and_opportunities_have_tables_of_their_own() -> None:
    tree = _tree(make_assessment_with_rules())
    assert "warp_scan_62" in tree.by_id("possible-table").text
    assert "Many small copies in a loop" in tree.by_id("opportunities-table").text
    counted = tree.by_id("findings-table").text
    assert "warp_scan_62" not in counted
    assert "Many small copies" not in counted
    ids = {element.attributes["id"] for element in _tree(make_assessment()).having("id")}
    assert not ids & {"possible", "opportunities"}
