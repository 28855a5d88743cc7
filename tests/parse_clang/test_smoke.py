"""A few lines of CUDA are tried in another process; whatever happens there is told."""

from __future__ import annotations

import os
import time
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from migrate.discover.toolkit import PACKAGE, find_toolkit
from migrate.model.unit import CompileArguments, Toolkit
from migrate.parse.clang import library
from migrate.parse.clang.library import (
    BUNDLED,
    StandardLibrary,
    find_standard_library,
    standard_library_arguments,
)
from migrate.parse.clang.native import load_libclang
from migrate.parse.clang.smoke import Smoke, _in_own_process, _why, check_parse, parse_here
from migrate.parse.clang.unit import ParsedUnit, clang_arguments, parse_unit

INSTALLED = find_toolkit(None)
needs_headers = pytest.mark.skipif(
    INSTALLED.origin != PACKAGE or bool(INSTALLED.lacking),
    reason="the extra cuda-headers is not installed",
)


def _crash(_: Connection, __: Toolkit) -> None:
    os.abort()


def _leave(_: Connection, __: Toolkit) -> None:
    os._exit(3)


def _hang(_: Connection, __: Toolkit) -> None:
    time.sleep(600)


def _write_nonsense(sender: Connection, _: Toolkit) -> None:
    sender.send("nothing")


def test_library_that_the_machine_has_needs_no_arguments() -> None:
    found = find_standard_library()
    assert found.works
    assert (found.name == BUNDLED) == bool(found.arguments)
    assert standard_library_arguments() == found.arguments


def test_libclangs_own_library_is_taken_where_the_machine_has_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(library, "_lacking", lambda _: {"no C++"})
    found = find_standard_library.__wrapped__()
    assert (found.name, found.works) == (BUNDLED, True)
    assert "-nostdinc++" in found.arguments


def test_no_library_works_without_that_of_c(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "_lacking", lambda _: {"no C", "no C++"})
    found = find_standard_library.__wrapped__()
    assert not found.works
    assert "C library" in _why(found, 700)


def parsed_with_libclangs_own(folder: Path, language: str, toolkit: Toolkit) -> ParsedUnit:
    libclang = load_libclang()
    text = "#include <vector>\n#include <string>\nstd::string f(std::vector<int> &v);\n"
    (folder / "a").write_text(text, encoding="utf-8")
    arguments = CompileArguments(language=language)
    bundled = library._bundled(libclang)
    return parse_unit("a", str(folder), clang_arguments(arguments, toolkit, libclang, bundled))


def test_cpp_file_parses_with_libclangs_own_library(tmp_path: Path) -> None:
    unit = parsed_with_libclangs_own(tmp_path, "c++", Toolkit())
    assert (unit.errors, unit.missing_headers) == (0, ())
    assert str(load_libclang().libcxx / "vector") in unit.included


@needs_headers
def test_cuda_file_parses_with_libclangs_own_library(tmp_path: Path) -> None:
    unit = parsed_with_libclangs_own(tmp_path, "cuda", INSTALLED)
    assert (unit.errors, unit.missing_headers) == (0, ())


def test_header_of_curand_that_is_not_there_is_missed_by_who_includes_it(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("#include <curand_mtgp32_kernel.h>\n", encoding="utf-8")
    given = clang_arguments(CompileArguments(), Toolkit(), load_libclang())
    without_wrapper = given[: given.index("-include")]
    unit = parse_unit("a.cu", str(tmp_path), without_wrapper)
    assert unit.missing_headers == ("curand_mtgp32_kernel.h",)


def test_headers_that_lack_parts_give_the_first_three_errors() -> None:
    result = parse_here(Toolkit())
    assert not result.ok
    assert result.reason
    assert len(result.errors) == 3
    assert "'cuda.h' file not found" in result.errors[0]


@pytest.mark.parametrize(
    ("work", "reason"),
    [
        (_crash, "libclang crashed"),
        (_leave, "libclang crashed (exit code 3)"),
        (_write_nonsense, "it gave no result"),
    ],
)
def test_process_that_ends_badly_is_told(work: object, reason: str) -> None:
    result = _in_own_process(work, Toolkit(), 60)  # type: ignore[arg-type]
    assert not result.ok
    assert result.reason.startswith(reason)


def test_process_that_does_not_end_is_ended() -> None:
    result = _in_own_process(_hang, Toolkit(), 0.5)
    assert result == Smoke(ok=False, reason="it took more than 0.5 seconds")


@needs_headers
def test_small_file_parses_with_the_packages_headers() -> None:
    result = check_parse(INSTALLED)
    assert result.ok, result
    assert isinstance(result.library, StandardLibrary)
