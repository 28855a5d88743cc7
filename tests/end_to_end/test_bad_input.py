"""What goes wrong is said once and clearly, with the contract's exit code; the rest is not lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end.command import Call, Done, environment, make_tree, result_of, run

pytestmark = pytest.mark.end_to_end

MALLOC = "void f(float** p) { cudaMalloc(p, 4); }\n"
HIP = '#include "hip/hip_runtime.h"\nvoid f(float** p) { hipMalloc(p, 4); }\n'
GONE = "void g() { __stcs((int*)0, 1); }\n"


def refused(done: Done, code: int, slug: str) -> str:
    """The message of a run that did not happen: on standard error, tagged, without a traceback."""
    assert done.code == code, done.err
    assert done.out == ""
    assert done.err.startswith("hipassess: ")
    assert f"[{slug}]" in done.err
    assert not done.traceback
    return done.err


@pytest.mark.parametrize("command", [("scan",), ("gate", "--max-weeks", "1")])
def test_a_missing_path_is_exit_2_and_named(call: Call, command: tuple[str, ...]) -> None:
    said = refused(call(*command, "no/such"), 2, "no-such-path")
    assert "no/such" in said


def test_a_missing_path_beside_a_good_one_is_not_passed_over(tmp_path: Path, call: Call) -> None:
    make_tree(tmp_path, {"a/a.cu": MALLOC})
    refused(call("scan", "a", "b"), 2, "no-such-path")


@pytest.mark.parametrize(
    "files",
    [{}, {"README.md": "cudaMalloc\n"}, {"a.cu": b""}, {"a.cu": b"\0\1\2cudaMalloc" * 9}],
    ids=["an empty folder", "only a readme", "an empty file", "binary content"],
)
def test_a_folder_without_readable_source_is_exit_3(
    tmp_path: Path, call: Call, files: dict[str, str | bytes]
) -> None:
    (tmp_path / "app").mkdir()
    make_tree(tmp_path / "app", files)
    refused(call("scan", "app"), 3, "nothing-to-assess")


def test_code_without_cuda_is_assessed_and_has_share_0(tmp_path: Path, call: Call) -> None:
    make_tree(tmp_path / "app", {"main.cpp": "int main() { return 0; }\n"})
    done = call("scan", "app", "--format", "json")
    assert done.code == 0
    result = json.loads(done.out)
    assert result["summary"]["uses"] == 0
    assert set(result["summary"]["cuda_only_share"].values()) == {0.0}
    assert set(result["summary"]["effort"]["total"].values()) == {0.0}
    assert result["drivers"] == result["findings"] == []


@pytest.mark.parametrize("name", ["a.hip", "a.cpp"])
def test_a_tree_with_only_hip_code_passes_the_strictest_gate(
    tmp_path: Path, call: Call, name: str
) -> None:
    make_tree(tmp_path / "app", {name: HIP})
    done = call("gate", "app", "--max-cuda-only", "0%", "--max-weeks", "0")
    assert done.code == 0, done.out + done.err
    assert "(0 active uses)" in done.out


@pytest.mark.parametrize(
    ("options", "slug", "said"),
    [
        (("--rocm", "9.9"), "unknown-release", ("9.9", "6.2", "7.2", "10.2", "7.14")),
        (("--rocm", "newest"), "unknown-release", ("newest", "7.2")),
        (("--arch", "gfx000"), "unknown-arch", ("gfx000", "gfx942", "gfx90a")),
        (("--cuda", "twelve"), "settings", ("--cuda", "12.8")),
        (("--scope", "all"), "settings", ("--scope", "first-run, tests-pass, production")),
        (("--strategy", "pray"), "settings", ("--strategy", "shim, hipify, copy, layer")),
        (("--team", "robots"), "settings", ("--team", "new, gpu, rocm, expert-agent")),
        (("--jobs", "-1"), "settings", ("--jobs", "from 0")),
        (("--format", "docx"), "unknown-format", ("docx", "text, json, html")),
        (("--output", "report.docx"), "unknown-format", (".docx", ".json", ".html")),
        (("--output", "no/r.json"), "output-not-writable", ("no/r.json", "folder")),
        (("--format", "json", "--format", "html"), "output-missing", ("--output FOLDER",)),
        (("--config", "none.toml"), "settings", ("none.toml",)),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else value,
)
def test_a_wrong_option_is_exit_2_and_the_known_ones_are_listed(
    tmp_path: Path, call: Call, options: tuple[str, ...], slug: str, said: tuple[str, ...]
) -> None:
    make_tree(tmp_path / "app", {"a.cu": MALLOC})
    message = refused(call("scan", "app", *options), 2, slug)
    for words in said:
        assert words in message
    assert sorted(path.name for path in tmp_path.iterdir()) == ["app"]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ('rocm = "7.2', ("hipassess.toml", "not valid TOML")),
        (
            'rocm = "7.2"\nmax-cuda-onyl = 0.3\nscope = "all"\n',
            ("hipassess.toml:2", "max-cuda-only", "hipassess.toml:3", "first-run"),
        ),
        ("rocm = 7.2\n", ("hipassess.toml:1", '"7.2"')),
        ('output = "x.json"\n', ("command line",)),
        (b"rocm = '\xff'\n", ("UTF-8",)),
    ],
    ids=["broken", "two unknown words", "a number", "not for a file", "no UTF-8"],
)
def test_a_wrong_settings_file_is_exit_2_with_all_its_mistakes(
    tmp_path: Path, call: Call, settings: str | bytes, said: tuple[str, ...]
) -> None:
    make_tree(tmp_path / "app", {"a.cu": MALLOC, "hipassess.toml": settings})
    message = refused(call("scan", "app"), 2, "settings")
    for words in said:
        assert words in message


@pytest.mark.parametrize("command", [("analyse",), ("scan", "--no-such"), ("map",)])
def test_a_command_line_that_makes_no_sense_is_exit_2(call: Call, command: tuple[str, ...]) -> None:
    done = call(*command)
    assert done.code == 2
    assert done.out == ""
    assert "Usage" in done.err
    assert not done.traceback


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_what_cannot_be_read_is_listed_with_its_reason_and_the_rest_is_assessed(
    tmp_path: Path,
    call: Call,
) -> None:
    app = make_tree(
        tmp_path / "app",
        {
            "good.cu": MALLOC,
            "big.cu": "// cudaFree\n" * 40,
            "empty.cu": "",
            "binary.cu": b"\0" * 20,
            "folder.cu/inside.cu": MALLOC,
            "latin.cu": b"// K\xf6rper\nvoid f(float** p) { cudaMalloc(p, 4); }\n",
            "hipassess.toml": 'max-file-bytes = 200\nmax-unread = "100%"\n',
        },
    )
    (app / "dangling.cu").symlink_to("nowhere.cu")
    (app / "loop.cu").symlink_to("loop.cu")
    (tmp_path / "other.cu").write_text(MALLOC)
    (app / "out.cu").symlink_to("../other.cu")
    os.mkfifo(app / "pipe.cu")
    done = call("scan", "app", "--format", "json")
    assert done.code == 0, done.err
    result = json.loads(done.out)
    reasons = {row["path"]: row["reason"] for row in result["run"]["skipped"]}
    assert reasons.pop("big.cu").startswith("larger than")
    assert reasons == {
        "binary.cu": "binary content",
        "dangling.cu": "symbolic link that leads nowhere",
        "empty.cu": "empty file",
        "loop.cu": "symbolic link loop",
        "out.cu": "symbolic link out of the tree",
        "pipe.cu": "special file (pipe, socket or device)",
    }
    assert [row["path"] for row in result["files"]] == [
        "folder.cu/inside.cu",
        "good.cu",
        "latin.cu",
    ]
    assert result["summary"]["uses"] == 3


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads anything")
def test_a_file_without_permission_is_listed(tmp_path: Path) -> None:
    app = make_tree(tmp_path / "app", {"a.cu": MALLOC, "b.cu": MALLOC})
    (app / "b.cu").chmod(0)
    assert result_of(app)["run"]["skipped"][0]["reason"] == "not readable: permission denied"


def test_too_much_unread_is_exit_4_with_the_result_still_written(
    tmp_path: Path, call: Call
) -> None:
    make_tree(
        tmp_path / "app",
        {"a.cu": MALLOC, "big.cu": "// x\n" * 99, "hipassess.toml": "max-file-bytes = 200\n"},
    )
    done = call("scan", "app", "--format", "json")
    assert done.code == 4
    run_facts = json.loads(done.out)["run"]
    assert run_facts["complete"] is False
    assert run_facts["incomplete_reason"] in done.err
    assert "1 candidate file with 93 % of the bytes" in done.err


def test_too_much_unread_wins_over_a_failed_gate(tmp_path: Path) -> None:
    make_tree(
        tmp_path / "app",
        {"a.cu": GONE, "big.cu": "// x\n" * 99, "hipassess.toml": "max-file-bytes = 200\n"},
    )
    done = run("gate", "app", "--max-cuda-only", "0%", cwd=tmp_path)
    assert done.code == 4
    assert "FAIL" in done.out
    assert "incomplete" in done.out


def test_a_bug_of_ours_is_exit_70_with_a_traceback_and_never_a_failed_gate(tmp_path: Path) -> None:
    make_tree(tmp_path / "app", {"a.cu": MALLOC})
    broken = (
        "import sys, migrate.pipeline\n"
        "def broken(*_args, **_options): raise ZeroDivisionError('a stage broke')\n"
        "migrate.pipeline.assess = broken\n"
        "sys.argv = ['hipassess', 'gate', 'app', '--max-weeks', '1']\n"
        "from migrate.cli import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", broken],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 70
    assert done.stdout == ""
    assert "ZeroDivisionError: a stage broke" in done.stderr
    assert "bug of ours" in done.stderr
    assert "report it" in done.stderr
