"""What a scan prints and writes: formats, folders, quiet runs, odd terminals."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from migrate import __version__
from tests.end_to_end.command import FIXTURES, Call, environment, make_tree, run

CODE = "void f(float** p) { cudaMalloc(p, 4); }\n__global__ void k(int* p) { __stcs(p, 1); }\n"


@pytest.fixture
def app(tmp_path: Path) -> Path:
    return make_tree(tmp_path / "app", {"a.cu": CODE})


def test_the_version_and_the_help_are_exit_0(call: Call) -> None:
    assert call("--version").out == f"hipassess {__version__}\n"
    for arguments in (("--help",), ("-h",), ("scan", "--help"), ("gate", "-h"), ("map", "-h")):
        done = call(*arguments)
        assert (done.code, done.err) == (0, "")
        assert "Usage" in done.out
    commands = call("--help").out
    assert all(word in commands for word in ("scan", "gate", "map"))


def test_the_summary_names_its_target_first_and_fits_a_screen(call: Call) -> None:
    done = call("scan", FIXTURES / "trainer")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0].startswith("ROCm 7.2 on gfx942")
    assert len(lines) <= 60
    assert "\x1b" not in done.out
    assert "cudnn" in done.out.lower()


def test_a_target_that_was_asked_for_is_the_one_that_is_named(call: Call) -> None:
    done = call(
        "scan", FIXTURES / "stencil", "--rocm", "10.0", "--arch", "gfx90a", "--arch", "gfx950",
        "--cuda", "13.0",
    )  # fmt: skip
    assert done.out.startswith("ROCm 10.0 on gfx90a, gfx950")
    assert "13.0" in done.out.splitlines()[1]


def test_the_suffix_of_the_output_picks_the_format(app: Path, tmp_path: Path, call: Call) -> None:
    done = call("scan", app, "-o", "r.json")
    assert done.code == 0
    assert done.out.startswith("ROCm 7.2")
    assert done.err == "Wrote r.json\n"
    assert json.loads((tmp_path / "r.json").read_text())["schema_version"] == 1


def test_a_quiet_run_prints_nothing_and_writes(app: Path, tmp_path: Path, call: Call) -> None:
    done = call("scan", app, "--quiet", "-o", "r.html")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert (tmp_path / "r.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_quiet_run_without_an_output_still_prints_its_result(app: Path, call: Call) -> None:
    assert call("scan", app, "-q") == call("scan", app)
    assert call("scan", app, "-q").out.startswith("ROCm 7.2")
    assert call("scan", app, "-q", "--format", "text").out.startswith("ROCm 7.2")
    assert json.loads(call("scan", app, "-q", "-f", "json").out)["schema_version"] == 1


def test_several_formats_share_one_assessment_in_a_folder(
    app: Path, tmp_path: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    import migrate.pipeline  # noqa: PLC0415 - the name is counted where the command finds it

    runs: list[object] = []
    real = migrate.pipeline.assess

    def counted(*arguments: object, **options: object) -> object:
        runs.append(arguments)
        return real(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(migrate.pipeline, "assess", counted)
    done = call("scan", app, "-f", "json", "-f", "html", "-f", "text", "-o", "out")
    assert done.code == 0
    assert len(runs) == 1
    names = ["hipassess.html", "hipassess.json", "hipassess.txt"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == names
    assert [line.removeprefix("Wrote ") for line in done.err.splitlines()] == [
        str(Path("out") / name) for name in ("hipassess.json", "hipassess.html", "hipassess.txt")
    ]
    call("scan", app, "-q", "-o", "alone.json")
    assert (tmp_path / "alone.json").read_bytes() == (tmp_path / "out/hipassess.json").read_bytes()


def test_several_paths_are_one_assessment(tmp_path: Path, call: Call) -> None:
    make_tree(tmp_path, {"app/a.cu": CODE, "lib/b.cu": CODE, "other/c.cu": CODE})
    result = json.loads(call("scan", "app", "lib", "-f", "json").out)
    assert [row["path"] for row in result["files"]] == ["app/a.cu", "lib/b.cu"]
    assert result["summary"]["distinct_names"] == 2


def test_several_paths_are_called_by_their_names_and_versions_that_differ_are_said(
    tmp_path: Path, call: Call
) -> None:
    make_tree(
        tmp_path,
        {
            "app/a.cu": CODE,
            "app/Dockerfile": "FROM nvidia/cuda:11.8.0-devel\n",
            "lib/b.cu": CODE,
            "lib/Dockerfile": "FROM nvidia/cuda:12.4.1-devel\n",
        },
    )
    lines = call("scan", "lib", "app").out.splitlines()
    assert lines[0] == "ROCm 7.2 on gfx942: lib + app"
    mixed = "mixed: 11.8 (app/Dockerfile:1), 12.4 (lib/Dockerfile:1)"
    assert lines[1] == f"CUDA versions {mixed}"
    run = json.loads(call("scan", "lib", "app", "-f", "json").out)["run"]
    assert (run["target"]["cuda"], run["cuda_source"]) == (None, mixed)


def test_without_a_path_the_current_folder_is_scanned(app: Path) -> None:
    result = json.loads(run("scan", "-f", "json", cwd=app).out)
    assert [row["path"] for row in result["files"]] == ["a.cu"]


def test_nothing_is_cut_where_no_terminal_reads(tmp_path: Path, call: Call) -> None:
    path = f"{'long_folder_name/' * 8}kernel_of_a_layer.cu"
    make_tree(tmp_path / "app", {path: "__global__ void k(int* p) { __stcs(p, 1); }\n"})
    assert f"{path}:1" in call("scan", "app").out
    call("scan", "app", "-q", "-o", "r.txt")
    assert f"{path}:1" in (tmp_path / "r.txt").read_text()


def test_a_single_file_can_be_scanned(app: Path, call: Call) -> None:
    result = json.loads(call("scan", app / "a.cu", "-f", "json").out)
    assert [row["path"] for row in result["files"]] == ["a.cu"]


def test_include_and_exclude_choose_the_files(tmp_path: Path, call: Call) -> None:
    make_tree(tmp_path / "app", {"a.cu": CODE, "b/b.cu": CODE, "c/c.cu": CODE})

    def paths(*options: str) -> list[str]:
        result = json.loads(call("scan", "app", "-f", "json", *options).out)
        return [row["path"] for row in result["files"]]

    assert paths("--exclude", "b/") == ["a.cu", "c/c.cu"]
    assert paths("--include", "b/*.cu", "--include", "c/*.cu") == ["b/b.cu", "c/c.cu"]


@pytest.mark.end_to_end
@pytest.mark.skipif(sys.platform == "win32", reason="a closed pipe is another error there")
def test_a_reader_that_leaves_early_changes_no_exit_code(app: Path, tmp_path: Path) -> None:
    assert leaves_early("scan", app, cwd=tmp_path) == (0, "")
    assert leaves_early("scan", FIXTURES / "trainer", "-f", "json", cwd=tmp_path) == (0, "")
    assert leaves_early("gate", app, "--max-cuda-only", "0%", cwd=tmp_path) == (1, "")
    assert leaves_early("map", "cudaMalloc", cwd=tmp_path) == (0, "")


def leaves_early(*arguments: str | Path, cwd: Path) -> tuple[int, str]:
    """Exit code and standard error of a run whose output nobody reads."""
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "migrate", *map(str, arguments)],
            cwd=cwd,
            env=environment(),
            stdout=write,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
    finally:
        os.close(write)
    return done.returncode, done.stderr


@pytest.mark.end_to_end
def test_a_terminal_that_lacks_characters_gets_stand_ins_and_no_traceback(tmp_path: Path) -> None:
    make_tree(tmp_path / "app", {"größe_\u4e2d.cu": CODE})
    done = run("scan", "app", cwd=tmp_path, env={"PYTHONIOENCODING": "cp1252"})
    assert (done.code, done.err) == (0, "")
    assert "#####" in done.out
    assert "gr\udcf6\udcdfe_\\u4e2d.cu" in done.out


@pytest.mark.end_to_end
def test_a_terminal_of_ascii_alone_gets_no_traceback(tmp_path: Path) -> None:
    make_tree(tmp_path / "app", {"größe.cu": CODE})
    plain = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    done = run("scan", "app", cwd=tmp_path, env=plain)
    assert (done.code, done.err) == (0, "")
    missing = run("scan", "Straße", cwd=tmp_path, env=plain)
    assert (missing.code, missing.out, missing.traceback) == (2, "", False)
    assert "no-such-path" in missing.err


@pytest.mark.end_to_end
@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_a_terminal_gets_colour_unless_no_color_is_set(app: Path, tmp_path: Path) -> None:
    # A run of more than a second shows a bar, and what that does to the cursor is no colour.
    colour = re.compile(r"\x1b\[[0-9;]*m")
    assert colour.search(on_terminal(app, tmp_path, {"TERM": "xterm-256color"}))
    assert not colour.search(
        on_terminal(app, tmp_path, {"TERM": "xterm-256color", "NO_COLOR": "1"})
    )


def on_terminal(app: Path, cwd: Path, env: dict[str, str]) -> str:
    """What a scan shows on a pseudo-terminal."""
    import pty  # noqa: PLC0415 - does not exist on Windows

    ours, theirs = pty.openpty()
    plain = {key: value for key, value in environment(env).items() if key != "NO_COLOR"}
    started = subprocess.Popen(
        [sys.executable, "-m", "migrate", "scan", str(app)],
        cwd=cwd,
        env=plain | env,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 65536):
            shown += part
    except OSError:  # Linux says so when the other side is closed
        pass
    finally:
        os.close(ours)
    assert started.wait() == 0
    return shown.decode()


def test_the_help_says_what_an_option_is_unless_given(call: Call) -> None:
    said = " ".join(call("scan", "--help").out.split())
    for default in ("(default: 7.2)", "(default: gfx942)", "(default: production)"):
        assert default in said
