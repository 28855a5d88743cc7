"""``hipassess graph``: where it writes, what it shows, what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.end_to_end.command import FIXTURES, Call, make_tree

TREE = {
    "k.cuh": "__global__ void k(int n) {}\n",
    "a.cu": '#include "k.cuh"\nvoid f() { k<<<1, 2>>>(3); }\n',
}


@pytest.fixture
def app(tmp_path: Path) -> Path:
    return make_tree(tmp_path / "app", TREE)


def test_dot_goes_to_standard_output(app: Path, call: Call) -> None:
    done = call("graph", app)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("digraph hipassess {\n")
    assert '"function:f@a.cu" -> "function:k@k.cuh" [style=bold, label="launch"];' in done.out


@pytest.mark.parametrize(
    ("option", "kinds"),
    [
        (("--files",), {"include"}),
        (("--functions",), {"launch"}),
        ((), {"include", "contains", "launch"}),
        (("--files", "--functions"), {"include", "contains", "launch"}),
    ],
)
def test_a_part_is_shown_when_asked_for(
    app: Path, call: Call, option: tuple[str, ...], kinds: set[str]
) -> None:
    document = json.loads(call("graph", app, "--format", "json", *option).out)
    assert {edge["kind"] for edge in document["edges"]} == kinds


def test_a_file_is_written_whole_and_nothing_is_printed(
    app: Path, call: Call, tmp_path: Path
) -> None:
    done = call("graph", app, "-f", "graphml", "-o", "graph.graphml")
    assert (done.code, done.out) == (0, "")
    text = (tmp_path / "graph.graphml").read_text(encoding="utf-8")
    assert text.endswith("</graphml>\n")


@pytest.mark.parametrize(
    ("arguments", "slug"),
    [
        (("--format", "svg"), "svg"),
        (("-o", "no/such/folder/graph.dot"), "folder does not exist"),
        (("nowhere",), "nowhere"),
    ],
)
def test_what_cannot_be_done_is_said_with_exit_2(
    app: Path, call: Call, arguments: tuple[str, ...], slug: str
) -> None:
    done = call("graph", *(() if arguments == ("nowhere",) else (app,)), *arguments)
    assert (done.code, done.out) == (2, "")
    assert slug in done.err
    assert not done.traceback


def test_a_tree_without_a_source_is_exit_3(call: Call, tmp_path: Path) -> None:
    make_tree(tmp_path / "empty", {"notes.txt": "none"})
    assert call("graph", "empty").code == 3


def test_the_same_tree_gives_the_same_bytes_with_any_number_of_workers(call: Call) -> None:
    one = call("graph", FIXTURES / "stencil", "-f", "json", "--jobs", "1").out
    assert one == call("graph", FIXTURES / "stencil", "-f", "json", "--jobs", "2").out
