"""What ``explain`` and ``catalogue`` answer, and what they say to a word that nobody knows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from migrate.rules.registry import RULES
from tests.end_to_end.command import Call


def test_a_rule_is_explained_by_id_or_slug(call: Call) -> None:
    by_id = call("explain", "HA-K030")
    assert by_id.code == 0
    assert by_id.out.startswith("HA-K030  lane-mask-32\n32-bit lane mask")
    assert call("explain", "lane-mask-32") == call("explain", "ha-k030") == by_id
    assert json.loads(call("explain", "HA-K030", "--format", "json").out)["slug"] == "lane-mask-32"


def test_a_cuda_name_is_explained_in_words_for_a_target(call: Call) -> None:
    out = " ".join(call("explain", "cudaMemAdvise").out.split())
    assert "On ROCm 7.2 and gfx942, cudaMemAdvise becomes hipMemAdvise" in out
    later = " ".join(call("explain", "cudaMemcpyBatchAsync", "--rocm", "7.0").out.split())
    assert "On ROCm 7.0" in later
    assert "comes with ROCm 7.1" in later
    assert "counts in the CUDA-only share" in later
    row = json.loads(call("explain", "cudaMemAdvise", "-f", "json").out)
    assert (row["kind"], row["verdict"], row["hip"]) == ("name", "renamed", "hipMemAdvise")
    assert row["text"].startswith("On ROCm 7.2 and gfx942")


@pytest.mark.parametrize(
    ("word", "near"),
    [("HA-K03", "HA-K030"), ("lane-mask", "lane-mask-32"), ("cudaMaloc", "cudaMalloc")],
)
def test_an_unknown_word_is_exit_2_with_what_is_near(call: Call, word: str, near: str) -> None:
    done = call("explain", word)
    assert (done.code, done.out) == (2, "")
    assert "[unknown-name]" in done.err
    assert near in done.err


def test_the_catalogue_lists_every_rule(call: Call, tmp_path: Path) -> None:
    listed = [row["id"] for row in json.loads(call("catalogue", "--format", "json").out)]
    assert listed == [rule.id for rule in RULES]
    assert all(rule.id in call("catalogue").out for rule in RULES)
    assert call("catalogue", "-f", "markdown").out.startswith("| rule | what it finds |")
    assert call("catalogue", "-o", "pages").code == 0
    assert len(list((tmp_path / "pages").iterdir())) == len(RULES) + 1


@pytest.mark.parametrize(
    "arguments", [("explain", "HA-K030", "-f", "xml"), ("catalogue", "-f", "x")]
)
def test_an_unknown_format_is_exit_2(call: Call, arguments: tuple[str, ...]) -> None:
    done = call(*arguments)
    assert done.code == 2
    assert "[unknown-format]" in done.err
