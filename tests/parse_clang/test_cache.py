"""Results kept between runs: found again where nothing changed, and only there."""

from __future__ import annotations

import os
import stat
import time
from array import array
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from migrate.model.facts import UseKind
from migrate.model.semantic import (
    Answer,
    AnswerTable,
    CallEdge,
    EdgeKind,
    FileAnswers,
    FunctionPlace,
    KernelInstance,
    LaneArithmetic,
    MacroUse,
    Outcome,
    TileSize,
    UnitFacts,
    WarpCall,
)
from migrate.model.unit import CompileArguments, Toolkit, Unit
from migrate.model.verdict import Side
from migrate.parse.clang.task import UnitResult, UnitTask
from migrate.parse.clang.workers import cache as cache_module
from migrate.parse.clang.workers.cache import UnitCache, own_fingerprint
from migrate.parse.clang.workers.folder import FolderError, cache_folder, open_folder
from migrate.parse.clang.workers.pool import run_units
from migrate.parse.clang.workers.stored import from_plain, to_plain
from tests.parse_clang.readers import read_by_name, read_plainly

FACTS = UnitFacts(
    path="src/a.cu",
    outcome=Outcome.PARTIAL,
    errors=2,
    missing_headers=("nccl.h",),
    includes=("src/a.cu", "include/a.h"),
    answers=(
        FileAnswers(
            path="src/a.cu",
            table=AnswerTable(
                symbols=("cudaMalloc",),
                functions=(
                    FunctionPlace(name="f", line=1, end_line=9, side=Side.BOTH, kernel=True),
                ),
                symbol=array("I", [0, 0]),
                line=array("I", [3, 70_000]),
                answer=array("B", [Answer.API, Answer.OWN]),
                kind=array("B", [UseKind.CALL, UseKind.CALL]),
            ),
            macros=(MacroUse(name="M", defined_in="", line=0, expansions=3),),
        ),
    ),
    calls=(CallEdge(caller="", callee="f", kind=EdgeKind.LAUNCH, path="p", line=1, column=2),),
    kernels=(
        KernelInstance(
            key="k", name="k", arguments="<32>", path="p", line=1, column=1,
            static_shared=-1, dynamic_shared=True, launch_bounds=(256, None), attributes=("x",),
        ),
    ),
    warp_calls=(
        WarpCall(symbol="__shfl_sync", path="p", line=1, column=1, function="f", mask=2**64 - 1),
        WarpCall(symbol="__ballot_sync", path="p", line=2, column=1, function="f", mask=None),
    ),
    tile_sizes=(TileSize(path="p", line=1, column=1, function="f\udc80", size=32),),
    lane_arithmetic=(
        LaneArithmetic(
            path="p", line=1, column=1, function="f", operator="&", constant=31, origin="laneid"
        ),
    ),
)  # fmt: skip


def test_facts_stored_and_read_again_are_the_same() -> None:
    assert from_plain(UnitFacts, to_plain(FACTS)) == FACTS


@pytest.mark.parametrize(
    "spoil",
    [
        lambda row: row[:-1],
        lambda row: [1, *row[1:]],
        lambda row: [row[0], "brilliant", *row[2:]],
        lambda row: {"path": row[0]},
    ],
)
def test_data_of_another_shape_is_refused(spoil: Callable[[list[object]], object]) -> None:
    with pytest.raises((TypeError, ValueError)):
        from_plain(UnitFacts, spoil(to_plain(FACTS)))


class Tree:
    """A small tree with a toolkit beside it, and a cache folder; all its files are old."""

    def __init__(self, base: Path) -> None:
        self.base = base
        for path, text in (
            ("tree/src/a.cu", '#include "a.h"\n#include <tool.h>\n#include "gone.h"\n'),
            ("tree/include/a.h", "#pragma once\n"),
            ("toolkit/tool.h", '#include "crt/inner.h"\n'),
            ("toolkit/crt/inner.h", '#if __has_include("more.h")\n#endif\n'),
        ):
            (base / path).parent.mkdir(parents=True, exist_ok=True)
            (base / path).write_text(text, "ascii")
        (base / "tree/early").mkdir()
        self.root = str(base / "tree")
        self.opened = tuple(
            str(base / path)
            for path in (
                "tree/src/a.cu",
                "tree/include/a.h",
                "toolkit/tool.h",
                "toolkit/crt/inner.h",
            )
        )
        self.task = UnitTask(
            unit=Unit(path="src/a.cu", arguments=CompileArguments(), asks=("src/a.cu",)),
            root=self.root,
            toolkit=Toolkit(include=(str(base / "toolkit"),)),
            arguments=(
                f"-I{self.root}/early", f"-I{self.root}/include", "-isystem", f"{base}/toolkit"
            ),
            own=frozenset({"b", "a"}),
            macros=(("M", "include/a.h", 3),),
        )  # fmt: skip

    def cache(self, version: str = "22.1.4") -> UnitCache:
        time.sleep(0.05)  # what changed as the run began is not kept
        return UnitCache(open_folder(self.base / "cache", "units"), version)

    def keep(self) -> None:
        self.cache().store(self.task, UnitResult(FACTS, self.opened))


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


def test_result_is_found_by_the_next_run(tree: Tree) -> None:
    assert tree.cache().find(tree.task) is None
    tree.keep()
    assert tree.cache().find(tree.task) == FACTS


@pytest.mark.parametrize("path", ["tree/src/a.cu", "tree/include/a.h"])
def test_tree_file_with_other_content_is_read_anew(path: str, tree: Tree) -> None:
    tree.keep()
    file = tree.base / path
    before = file.stat()
    text = file.read_text("ascii")
    file.write_text(text.swapcase(), "ascii")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert tree.cache().find(tree.task) is None
    file.write_text(text, "ascii")
    assert tree.cache().find(tree.task) == FACTS


@pytest.mark.parametrize("path", ["toolkit/tool.h", "toolkit/crt/inner.h"])
def test_file_outside_that_was_touched_or_removed_is_no_hit(path: str, tree: Tree) -> None:
    tree.keep()
    os.utime(tree.base / path, (1, 1))
    assert tree.cache().find(tree.task) is None
    (tree.base / path).unlink()
    assert tree.cache().find(tree.task) is None


@pytest.mark.parametrize(
    "path",
    [
        "tree/src/gone.h",  # was missing
        "tree/include/gone.h",
        "toolkit/gone.h",
        "tree/src/a.h",  # would now be found first
        "tree/early/a.h",
        "toolkit/more.h",
        "tree/early/more.h",
        "tree/early/tool.h",
        "tree/early/nccl.h",  # was missing, asked for by a header outside
        "tree/include/crt/inner.h",  # asked for by a header of the toolkit
        "tree/src/Tool.h" if os.path.normcase("A") == "a" else "tree/src/tool.h",
    ],
)
def test_header_that_appears_where_one_is_searched_is_no_hit(path: str, tree: Tree) -> None:
    tree.keep()
    (tree.base / path).parent.mkdir(exist_ok=True)
    (tree.base / path).write_text("", "ascii")
    assert tree.cache().find(tree.task) is None


@pytest.mark.parametrize(
    "path", ["tree/src/b.cu", "tree/include/other.h", "tree/a.h", "elsewhere.h"]
)
def test_file_that_nothing_asks_for_changes_nothing(path: str, tree: Tree) -> None:
    tree.keep()
    (tree.base / path).write_text("", "ascii")
    assert tree.cache().find(tree.task) == FACTS


def test_another_task_libclang_or_code_of_ours_is_no_hit(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree.keep()
    cache = tree.cache()
    assert cache.find(replace(tree.task, arguments=(*tree.task.arguments, "-DX"))) is None
    assert cache.find(replace(tree.task, own=frozenset({"a"}))) is None
    assert cache.find(replace(tree.task, macros=())) is None
    asks = replace(tree.task.unit, asks=("src/a.cu", "include/a.h"))
    assert cache.find(replace(tree.task, unit=asks)) is None
    assert tree.cache("22.1.5").find(tree.task) is None
    monkeypatch.setattr(cache_module, "own_fingerprint", lambda: "another")
    assert tree.cache().find(tree.task) is None


def test_fingerprint_is_of_content_and_stays() -> None:
    first = own_fingerprint()
    own_fingerprint.cache_clear()
    assert own_fingerprint() == first
    assert len(first) == 64


def test_file_that_changes_during_the_run_is_not_kept(tree: Tree) -> None:
    cache = tree.cache()
    (tree.base / "tree/include/a.h").write_text("int changed;", "ascii")
    cache.store(tree.task, UnitResult(FACTS, tree.opened))
    assert tree.cache().find(tree.task) is None


def test_failed_unit_is_not_kept(tree: Tree) -> None:
    failed = replace(FACTS, outcome=Outcome.FAILED)
    tree.cache().store(tree.task, UnitResult(failed, tree.opened))
    assert tree.cache().find(tree.task) is None


def test_unit_that_read_something_else_than_files_is_not_kept(tree: Tree) -> None:
    tree.cache().store(tree.task, UnitResult(FACTS, (*tree.opened, os.devnull)))
    assert tree.cache().find(tree.task) is None


@pytest.mark.parametrize("spoil", [lambda data: data[:-9], lambda _: b"nonsense", lambda _: b"\0"])
def test_spoilt_entry_is_no_hit_and_goes(spoil: Callable[[bytes], bytes], tree: Tree) -> None:
    tree.keep()
    (entry,) = (tree.base / "cache/units").iterdir()
    entry.write_bytes(spoil(entry.read_bytes()))
    assert tree.cache().find(tree.task) is None
    assert not entry.exists()


def test_second_run_starts_no_process(tree: Tree) -> None:
    task = replace(tree.task, arguments=("-x", "c++", f"-I{tree.root}/include"))

    def run(read: Callable[[UnitTask], UnitResult]) -> list[UnitFacts]:
        return list(run_units([task], jobs=1, cache=tree.cache(), read=read))

    first = run(read_plainly)
    assert first[0].missing_headers == ("tool.h", "gone.h")
    # A reader that no worker could import.
    assert run(lambda _: pytest.fail("read again")) == first


def test_unit_read_with_fewer_flags_is_read_again(tree: Tree) -> None:
    (tree.base / "tree/segv_once.cu").write_text("", "ascii")
    unit = replace(tree.task.unit, path="segv_once.cu")
    task = replace(tree.task, unit=unit)
    list(run_units([task], jobs=1, cache=tree.cache(), read=read_by_name))
    assert tree.cache().find(task) is None


def test_folder_keeps_what_was_used_last(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "cache", "units", most=250)
    for number, name in enumerate("abcd"):
        folder.write(name, bytes(100))
        os.utime(folder.path / name, (number, number))
    folder.touch("a")
    folder.trim()
    assert sorted(path.name for path in folder.path.iterdir()) == ["a", "d"]


def test_leftovers_of_runs_that_were_killed_go(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "cache", "units")
    old, new = folder.new_name(), folder.new_name()
    old.touch()
    os.utime(old, (1, 1))
    new.touch()
    folder.write("a", b"1")
    folder.trim()
    assert not old.exists()
    assert new.exists()


@pytest.mark.skipif(os.name != "posix", reason="rights are POSIX's")
def test_folder_is_this_users_alone(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir(mode=0o777)
    folder = open_folder(tmp_path / "cache", "units")
    for path in (tmp_path / "cache", folder.path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700


@pytest.mark.skipif(os.name != "posix", reason="owners are POSIX's")
def test_folder_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.raises(FolderError, match="belongs to another user"):
        open_folder(tmp_path / "cache", "units")


def test_link_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "cache").symlink_to(tmp_path / "real")
    with pytest.raises(FolderError, match="no folder of its own"):
        open_folder(tmp_path / "cache", "units")


def test_folder_that_cannot_be_made_says_why(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FolderError, match="file"):
        open_folder(tmp_path / "file" / "cache", "units")
    with pytest.raises(FolderError, match="no home"):
        open_folder(None, "units")


def test_cache_folder_is_where_the_system_wants_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "hipassess"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert cache_folder() == tmp_path / ".cache" / "hipassess"
    monkeypatch.setattr("sys.platform", "darwin")
    assert cache_folder() == tmp_path / "Library" / "Caches" / "hipassess"
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert cache_folder() == tmp_path / "hipassess" / "Cache"
