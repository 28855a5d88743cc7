"""The HTML of a real scan: one file that asks nothing of the network and agrees with the JSON."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from migrate.report.numbers import count, percent
from tests.end_to_end.command import APPS, FIXTURES, Call, make_tree

_LOADS = {
    ("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src"), ("source", "src"),
    ("object", "data"), ("embed", "src"), ("video", "src"), ("audio", "src"), ("use", "href"),
    ("form", "action"), ("base", "href"), ("image", "href"),
}  # fmt: skip


class Page(HTMLParser):
    """What a page would load, where it links to, its anchors and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.words: list[str] = []
        self._silent = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in {"script", "style"}
        for name, value in attrs:
            if (tag, name) in _LOADS or name in {"srcset", "poster", "background"}:
                self.loads.append(value or "")
            elif name == "href":
                self.links.append(value or "")
            elif name == "id":
                self.ids.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in {"script", "style"}

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


@pytest.mark.parametrize("app", APPS)
def test_a_report_stands_alone_and_agrees_with_the_json(
    tmp_path: Path, call: Call, app: str
) -> None:
    done = call("scan", FIXTURES / app, "-q", "-f", "html", "-f", "json", "-o", "out")
    assert done.code == 0
    source = (tmp_path / "out/hipassess.html").read_text(encoding="utf-8")
    result = json.loads((tmp_path / "out/hipassess.json").read_text(encoding="utf-8"))
    page = Page(source)
    assert [load for load in page.loads if not load.startswith(("data:", "#"))] == []
    assert not re.search(r"@import|url\((?![\"']?(?:data:|#))", source)
    evidence = {url for row in result["apis"] for url in row["evidence"]}
    for link in page.links:
        assert link.startswith(("#", "https://")), link
    assert evidence & set(page.links)
    inner = {link[1:] for link in page.links if link.startswith("#")}
    assert inner <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))

    summary = result["summary"]
    assert "ROCm 7.2" in page.text
    assert percent(summary["cuda_only_share"]["by_use"]) in page.text
    for number in (summary["uses"], summary["distinct_names"], summary["lines"]):
        assert count(number) in page.text
    for verdict, number in summary["verdicts"].items():
        if number:
            assert verdict in page.text.lower()
    for finding in result["findings"]:
        assert finding["symbol"].removeprefix("asm:") in page.text
        assert finding["path"] in page.text
    assert str(tmp_path) not in source
    assert str(FIXTURES) not in source


def test_the_code_around_a_finding_is_shown(tmp_path: Path, call: Call) -> None:
    code = "int before_it;\n__global__ void k(int* p) { __stcs(p, 4711); }\n"
    make_tree(tmp_path / "app", {"a.cu": code})
    call("scan", "app", "-q", "-o", "r.html")
    page = Page((tmp_path / "r.html").read_text(encoding="utf-8"))
    assert "4711" in page.text
    assert "before_it" in page.text


def test_hostile_names_stay_text(tmp_path: Path, call: Call) -> None:
    evil = "<img src=x onerror=alert(1)>"
    code = f"void f() {{ cudaNoSuchName(1); }} // {evil}</script><script>alert(2)</script>\n"
    make_tree(tmp_path / "app", {f"{evil}.cu": code})
    assert call("scan", "app", "-q", "-o", "r.html").code == 0
    source = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "<img src=x" not in source
    assert "<script>alert" not in source
    assert evil in Page(source).text
