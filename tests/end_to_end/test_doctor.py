"""``hipassess doctor`` says what is there, what is not and what to do, and fails for no lack."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from migrate import doctor
from migrate.discover import toolkit
from migrate.model.setup import LibraryHeaders, Setup
from migrate.model.unit import Toolkit
from migrate.parse.clang.native import LibclangError
from migrate.report.doctor import render_doctor
from tests.end_to_end.command import Call, make_tree, run

COMPLETE = Setup(
    tool="1.0",
    python="3.12.1",
    system="linux",
    libclang="22.1.4",
    folder="/opt/clang/native",
    toolkit=Toolkit(include=("/opt/cuda/include",), origin="CUDA_PATH", version="12.9"),
    headers=("Thrust",),
    absent=("cuBLAS", "NCCL"),
    standard=LibraryHeaders(name="system", has_c=True),
    parsed=True,
    tables_as_of="2024-01 to 2026-01",
)
EXTRA = "pip install 'hipassess[cuda-headers]'"


@pytest.mark.end_to_end
def test_user_without_cuda_is_told_how_to_get_its_headers(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("CUDA_PATH", "CUDA_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(toolkit, "_USUAL", ())
    monkeypatch.setattr(toolkit, "_namespaces", list)
    done = call("doctor")
    assert done.code == 0
    assert "CUDA headers    none found\n" in done.out
    assert "test parse      not tried\n" in done.out
    assert EXTRA in done.out


@pytest.mark.end_to_end
def test_incomplete_toolkit_of_the_user_is_tried_and_told(tmp_path: Path) -> None:
    make_tree(
        tmp_path, {"cuda_runtime.h": "", "cuda.h": "#define CUDA_VERSION 12090\n", "nv/target": ""}
    )
    done = run("doctor", "--cuda-path", tmp_path, cwd=tmp_path, env={"HOME": os.fspath(tmp_path)})
    assert done.code == 0, done.err
    assert "12.9, from --cuda-path, one folder\n" in done.out
    assert "lacking       crt/host_defines.h\n" in done.out
    assert "test parse      failed: " in done.out
    assert "host_defines.h' file not found" in done.out
    assert str(tmp_path) not in done.out


@pytest.mark.end_to_end
def test_folder_without_cuda_headers_is_a_wrong_option(call: Call, tmp_path: Path) -> None:
    done = call("doctor", "--cuda-path", tmp_path)
    assert done.code == 2
    assert "[cuda-path]" in done.err


@pytest.mark.end_to_end
def test_missing_libclang_stops_nothing(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise LibclangError("it is hidden")

    monkeypatch.setattr(doctor, "load_libclang", fail)
    done = call("doctor")
    assert done.code == 0
    assert "libclang        none that can be used\n" in done.out
    assert "  - it is hidden\n" in done.out


def test_complete_setup_asks_for_nothing() -> None:
    text = render_doctor(COMPLETE)
    assert "\nThe compiler's pass can run.\n" in text
    assert "pip install" not in text
    assert "cuBLAS, NCCL" in text


def test_missing_c_library_names_the_packages_and_not_its_many_errors() -> None:
    setup = replace(
        COMPLETE,
        standard=LibraryHeaders(name="libc++", has_c=False),
        parsed=False,
        parse_problem="the headers of the C library are not there",
        errors=("math.h:393: use of undeclared identifier",),
    )
    text = render_doctor(setup)
    assert "apt-get install libc6-dev" in text
    assert "math.h" not in text
    assert "xcode-select" in render_doctor(replace(setup, system="darwin"))


def test_headers_that_are_complete_and_do_not_parse_are_told_with_their_errors() -> None:
    setup = replace(COMPLETE, parsed=False, parse_problem="2 errors", errors=("cuda.h:1: bad",))
    text = render_doctor(setup)
    assert "cuda.h:1: bad\n" in text
    assert "do not parse (2 errors)" in text


@pytest.mark.parametrize(
    ("origin", "system", "remedy"),
    [
        ("package", "linux", f"{EXTRA}, or name a toolkit"),
        ("CUDA_HOME", "linux", f"complete CUDA_HOME, or leave it out and {EXTRA}"),
        ("package", "darwin", "copy a toolkit's headers here"),
    ],
)
def test_remedy_for_lacking_headers_fits_where_they_come_from(
    origin: str, system: str, remedy: str
) -> None:
    lacking = replace(COMPLETE.toolkit, origin=origin, lacking=("nv/target",))
    text = render_doctor(replace(COMPLETE, toolkit=lacking, system=system))
    assert "  lacking       nv/target\n" in text
    assert remedy in text


def test_name_of_a_folder_cannot_drive_the_terminal() -> None:
    hostile = replace(COMPLETE.toolkit, include=("/opt/\x1b[2J",))
    assert "\x1b" not in render_doctor(replace(COMPLETE, toolkit=hostile))


def test_users_folder_is_not_shown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    text = render_doctor(replace(COMPLETE, cache=str(tmp_path / "cache")))
    assert str(tmp_path) not in text
    assert "~" in text


@pytest.mark.end_to_end
def test_toolkit_that_compile_commands_name_is_used(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("CUDA_PATH", "CUDA_HOME"):
        monkeypatch.delenv(variable, raising=False)
    cuda = make_tree(
        tmp_path / "cuda",
        {"include/cuda_runtime.h": "", "include/cuda.h": "#define CUDA_VERSION 12040\n"},
    )
    command = {
        "directory": str(tmp_path / "app"),
        "file": "a.cu",
        "arguments": [str(cuda / "bin" / "nvcc"), "-c", "a.cu"],
    }
    database = json.dumps([command])
    make_tree(tmp_path / "app", {"a.cu": "", "build/compile_commands.json": database})
    done = call("doctor", "app")
    assert done.code == 0, done.err
    assert "12.4, from compile_commands.json, one folder\n" in done.out
    assert "commands        build/compile_commands.json, 1 file\n" in done.out


@pytest.mark.end_to_end
def test_path_that_is_not_there_is_a_wrong_path(call: Call) -> None:
    done = call("doctor", "gone")
    assert done.code == 2
    assert "[no-such-path]" in done.err
