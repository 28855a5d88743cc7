"""The report opened from disk in a browser: quiet, self-contained, and it does what it offers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from migrate.report.html.render import render_html
from tests.report.chromium import Browser, find_chromium
from tests.report.sample import (
    make_assessment,
    make_assessment_with_a_replaced_library,
    make_assessment_with_rules,
)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        find_chromium() is None, reason="no Chromium on the PATH that a debugging pipe can reach"
    ),
]

_SHOWN = "[...document.querySelectorAll('#findings-table tbody')].filter(r => !r.hidden).length"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(render_html(make_assessment()), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def grouped(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("grouped") / "report.html"
    path.write_text(render_html(make_assessment_with_a_replaced_library()), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    program = find_chromium()
    assert program
    with Browser(program, tmp_path / "profile") as browser:
        yield browser


def test_no_request_leaves_the_page_and_the_console_stays_empty(
    browser: Browser, report: str
) -> None:
    browser.open(report)
    assert set(browser.requests) == {report}
    assert browser.complaints == []


def test_hostile_names_make_no_elements(browser: Browser, report: str) -> None:
    browser.open(report)
    assert browser.ask("document.querySelectorAll('img').length") == 0
    assert browser.ask("document.querySelectorAll('script').length") == 1


def test_a_link_to_a_finding_opens_it(browser: Browser, report: str) -> None:
    browser.open(f"{report}#finding-0000000000000000")
    assert browser.ask("document.querySelector('#finding-0000000000000000 details').open")
    assert browser.ask("document.querySelectorAll('details[open]').length") == 1


def test_filters_narrow_the_findings_and_say_so(browser: Browser, report: str) -> None:
    browser.open(report)
    assert browser.ask(_SHOWN) == 9
    browser.ask(
        "(() => { const s = document.querySelector('[data-for=findings-table] [data-key=s]');"
        "s.value = 'blocker'; s.dispatchEvent(new Event('change')); })()"
    )
    assert browser.ask(_SHOWN) == 2
    output = "document.querySelector('[data-for=findings-table] output').value"
    assert browser.ask(output) == "2 of 9 rows"
    browser.ask("document.querySelector('[data-for=findings-table] [data-clear]').click()")
    assert browser.ask(_SHOWN) == 9


def test_a_files_count_shows_its_findings(browser: Browser, report: str) -> None:
    browser.open(report)
    browser.ask("document.querySelector('#files-table a[data-find=\"src/graph.cu\"]').click()")
    assert browser.ask(_SHOWN) == 2


def test_a_link_to_a_finding_in_a_group_opens_both(browser: Browser, grouped: str) -> None:
    browser.open(f"{grouped}#finding-cudnn00000000020")
    opened = "[...document.querySelectorAll('#findings-table details[open]')].length"
    assert browser.ask(opened) == 2
    assert browser.ask("document.getElementById('finding-cudnn00000000020').open")


@pytest.fixture(scope="module")
def by_rule(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("rules") / "report.html"
    path.write_text(render_html(make_assessment_with_rules()), encoding="utf-8")
    return path.as_uri()


@pytest.mark.parametrize("number", [60, 62])
def test_a_link_to_a_finding_of_a_rule_opens_the_rule_and_the_finding(
    browser: Browser, by_rule: str, number: int
) -> None:
    anchor = f"finding-mask{number:012}"
    browser.open(f"{by_rule}#{anchor}")
    assert browser.ask(f"document.getElementById('{anchor}').open")
    assert browser.ask("document.querySelectorAll('.findings details[open]').length") == 2


def test_a_rules_count_shows_its_findings_and_leaves_what_is_not_counted_alone(
    browser: Browser, by_rule: str
) -> None:
    browser.open(by_rule)
    browser.ask("document.querySelector('#work a[data-find=\"HA-K012\"]').click()")
    assert browser.ask(_SHOWN) == 1
    assert (
        browser.ask("document.querySelectorAll('#possible-table tbody:not([hidden])').length") == 1
    )


@pytest.mark.parametrize("table", ["findings-table", "names-table"])
def test_a_drivers_link_filters_the_rows_behind_it(
    browser: Browser, report: str, table: str
) -> None:
    browser.open(report)
    browser.ask(f"document.querySelector('a[data-filter={table}][data-value=warp_site]').click()")
    shown = browser.ask(
        f"[...document.querySelectorAll('#{table} [data-d]')].filter(r => !r.hidden)"
        ".map(r => r.dataset.d)"
    )
    assert shown
    assert set(shown) == {"warp_site"}


@pytest.mark.parametrize(
    ("column", "first", "direction"),
    [(5, "cudnnConvolutionForward", "descending"), (2, "__shfl_down_sync", "ascending")],
)
def test_a_heading_sorts_by_number_or_by_word(
    browser: Browser, report: str, column: int, first: str, direction: str
) -> None:
    browser.open(report)
    head = f"document.querySelector('#findings-table').tHead.rows[0].cells[{column}]"
    browser.ask(f"{head}.querySelector('button').click()")
    assert browser.ask(f"{head}.getAttribute('aria-sort')") == direction
    name = browser.ask("document.querySelector('#findings-table tbody th code').textContent")
    assert name == first


def test_severity_sorts_worst_first_not_by_letter(browser: Browser, report: str) -> None:
    browser.open(report)
    browser.ask("document.querySelector('#findings-table thead button').click()")
    order = browser.ask(
        "[...document.querySelectorAll('#findings-table tbody')].map(r => r.dataset.s)"
    )
    assert order == ["blocker"] * 2 + ["major"] * 3 + ["minor"] * 4


def test_the_slash_key_goes_to_the_search(browser: Browser, report: str) -> None:
    browser.open(report)
    browser.send("Input.dispatchKeyEvent", type="keyDown", key="/", text="/")
    assert browser.ask("document.activeElement.matches('input[data-slash]')")
    assert browser.ask("document.activeElement.value") == ""


@pytest.mark.parametrize("width", [360, 800, 1400])
def test_the_page_never_scrolls_sideways(browser: Browser, report: str, width: int) -> None:
    browser.send(
        "Emulation.setDeviceMetricsOverride",
        width=width, height=900, deviceScaleFactor=1, mobile=False,
    )  # fmt: skip
    browser.open(report)
    assert browser.ask("document.documentElement.scrollWidth") <= width


def test_it_reads_with_scripts_off(browser: Browser, report: str) -> None:
    browser.send("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(report)
    text = browser.ask("document.querySelector('main').innerText")
    for said in ("2.3 %", "cudaGraphConditionalHandleCreate", "src/nn/conv.cpp", "RCCL"):
        assert said in text
    assert browser.ask("[...document.querySelectorAll('.controls')].every(c => c.hidden)")
