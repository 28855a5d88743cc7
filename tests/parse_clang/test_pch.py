"""The precompiled prelude: used where it changes nothing but the time, made where that pays."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from migrate.model.semantic import Outcome, UnitFacts
from migrate.model.unit import CompileArguments, Toolkit, Unit
from migrate.parse.clang.native import load_libclang
from migrate.parse.clang.task import UnitResult, UnitTask
from migrate.parse.clang.workers.cache import UnitCache
from migrate.parse.clang.workers.folder import open_folder
from migrate.parse.clang.workers.pch import WRAPPER, Preludes, prelude_arguments
from migrate.parse.clang.workers.pool import run_units
from tests.parse_clang.readers import read_by_name, read_plainly

VERSION = "22.1.4"


class Tree:
    """A tree with a toolkit beside it whose wrapper header is our own."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.root = str(base / "tree")
        (base / "tree/include").mkdir(parents=True)
        (base / "toolkit").mkdir()
        self.toolkit = base / "toolkit"
        (self.toolkit / WRAPPER).write_text('#include "part.h"\n#define MARK 1\n', "ascii")
        (self.toolkit / "part.h").write_text("int part(int);\n", "ascii")
        (base / "tree/good.cpp").write_text("int x = part(MARK);\n", "ascii")
        (base / "tree/bad.cpp").write_text('#include "gone.h"\nint x = part(y);\n', "ascii")
        # What changed as the run began is not precompiled.
        time.sleep(0.05)

    def task(self, path: str, *more: str) -> UnitTask:
        return UnitTask(
            unit=Unit(path=path, arguments=CompileArguments(), asks=(path,)),
            root=self.root,
            toolkit=Toolkit(include=(str(self.toolkit),)),
            arguments=(
                "-x", "c++", "-std=c++17", "-resource-dir", str(load_libclang().resources),
                f"-I{self.root}/include", "-isystem", str(self.toolkit), *more, "-include", WRAPPER,
            ),
        )  # fmt: skip

    def kept(self) -> Preludes:
        time.sleep(0.05)
        return Preludes(open_folder(self.base / "cache", "pch"), VERSION)

    def made(self) -> list[str]:
        return sorted(path.name for path in (self.base / "cache/pch").glob("*.pch"))


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


def run(
    tasks: list[UnitTask],
    preludes: Preludes | None,
    read: Callable[[UnitTask], UnitResult] = read_by_name,
    cache: UnitCache | None = None,
) -> list[UnitFacts]:
    return list(run_units(tasks, jobs=1, preludes=preludes, cache=cache, read=read))


def how(found: list[UnitFacts]) -> list[str]:
    return [facts.reason for facts in found]


def test_unit_is_read_as_it_is_without(tree: Tree) -> None:
    tasks = [tree.task("good.cpp"), tree.task("bad.cpp")]
    plain = run(tasks, None, read_plainly)
    assert [facts.outcome for facts in plain] == [Outcome.PARSED, Outcome.PARTIAL]
    assert run(tasks, tree.kept(), read_plainly) == plain
    assert len(tree.made()) == 1


def test_it_is_made_once_and_used_by_the_next_run_even_for_one_unit(tree: Tree) -> None:
    tasks = [tree.task("tell_1.cu"), tree.task("tell_2.cu")]
    assert how(run(tasks, tree.kept())) == ["precompiled"] * 2
    made = tree.made()
    assert how(run(tasks[:1], tree.kept())) == ["precompiled"]
    assert tree.made() == made


def test_for_one_unit_none_is_made(tree: Tree) -> None:
    assert how(run([tree.task("tell.cu")], tree.kept())) == ["as text"]
    assert tree.made() == []


def test_without_a_folder_it_is_made_for_four_and_gone_afterwards(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tree.base / "tmp"))
    (tree.base / "tmp").mkdir()
    tasks = [tree.task(f"tell_{number}.cu") for number in range(4)]
    assert how(run(tasks[:3], Preludes(None, VERSION))) == ["as text"] * 3
    time.sleep(0.05)
    assert how(run(tasks, Preludes(None, VERSION))) == ["precompiled"] * 4
    assert list((tree.base / "tmp").iterdir()) == []


def test_units_with_other_macros_share_none(tree: Tree) -> None:
    tasks = [
        tree.task("tell_1.cu"),
        tree.task("tell_2.cu"),
        tree.task("tell_3.cu", "-DNDEBUG"),
    ]
    assert how(run(tasks, tree.kept())) == ["precompiled", "precompiled", "as text"]


def test_units_with_other_folders_share_one(tree: Tree) -> None:
    more = ("-I", f"{tree.root}/a", f"-iquote{tree.root}", "-isystem", "/b", "-include", "c.h")
    plain, other = tree.task("a.cu"), tree.task("b.cu")
    other = replace(other, arguments=(*other.arguments, *more))
    assert prelude_arguments(plain) == prelude_arguments(other) != ()


def test_unit_without_the_wrapper_or_with_something_before_it_has_none(tree: Tree) -> None:
    task = tree.task("a.cu")
    assert prelude_arguments(replace(task, arguments=task.arguments[:-2])) == ()
    assert prelude_arguments(tree.task("a.cu", "-include", "first.h")) == ()


def test_header_of_the_tree_that_the_prelude_would_find_forbids_it(tree: Tree) -> None:
    tasks = [tree.task("tell_1.cu"), tree.task("tell_2.cu")]
    (tree.base / "tree/include/part.h").write_text("int own;\n", "ascii")
    assert how(run(tasks, tree.kept())) == ["as text"] * 2


@pytest.mark.parametrize("path", ["tree/include/extra.h", "toolkit/extra.h"])
def test_header_that_the_prelude_would_have_liked_forbids_it_or_has_it_made_anew(
    path: str, tree: Tree
) -> None:
    (tree.toolkit / "part.h").write_text(
        '#if __has_include("extra.h")\n#include "extra.h"\n#endif\n', "ascii"
    )
    tasks = [tree.task("tell_1.cu"), tree.task("tell_2.cu")]
    assert how(run(tasks, tree.kept())) == ["precompiled"] * 2
    (tree.base / path).write_text("", "ascii")
    again = how(run(tasks, tree.kept()))
    assert again == ["as text" if "tree" in path else "precompiled"] * 2
    assert len(tree.made()) == (1 if "tree" in path else 2)


def test_toolkit_that_changed_is_precompiled_anew(tree: Tree) -> None:
    tasks = [tree.task("tell_1.cu"), tree.task("tell_2.cu")]
    run(tasks, tree.kept())
    (tree.toolkit / "part.h").write_text("long part(int);\n", "ascii")
    assert how(run(tasks, tree.kept())) == ["precompiled"] * 2
    assert len(tree.made()) == 2


def test_spoilt_one_is_made_anew(tree: Tree) -> None:
    tasks = [tree.task("good.cpp"), tree.task("bad.cpp")]
    first = run(tasks, tree.kept(), read_plainly)
    (made,) = (tree.base / "cache/pch").glob("*.pch")
    whole = made.read_bytes()
    made.write_bytes(whole[:-100] + bytes(100))
    assert run(tasks, tree.kept(), read_plainly) == first
    assert made.read_bytes() != whole[:-100] + bytes(100)


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")
def test_unit_that_crashes_with_it_is_read_without_and_that_is_whole(tree: Tree) -> None:
    (facts, _) = run([tree.task("refuse.cu"), tree.task("tell.cu")], tree.kept())
    assert (facts.outcome, facts.reason) == (Outcome.PARSED, "as text")


def test_prelude_with_errors_is_not_used(tree: Tree) -> None:
    (tree.toolkit / "part.h").write_text("int part(int)", "ascii")
    tasks = [tree.task("tell_1.cu"), tree.task("tell_2.cu")]
    assert how(run(tasks, tree.kept())) == ["as text"] * 2
    assert tree.made() == []


def test_kept_result_rests_on_the_headers_in_it_and_not_on_the_file(tree: Tree) -> None:
    tasks = [tree.task("good.cpp"), tree.task("bad.cpp")]

    def cache() -> UnitCache:
        time.sleep(0.05)
        return UnitCache(open_folder(tree.base / "cache", "units"), VERSION)

    first = run(tasks, tree.kept(), read_plainly, cache())
    for made in (tree.base / "cache/pch").iterdir():
        made.unlink()
    again = cache()
    assert [again.find(task) for task in tasks] == first
    assert run(tasks, tree.kept(), read_plainly, cache()) == first
    assert tree.made() == []
    (tree.toolkit / "part.h").write_text("long part(int);\n", "ascii")
    again = cache()
    assert [again.find(task) for task in tasks] == [None, None]


def _cuda_headers() -> Toolkit | None:
    spec = find_spec("nvidia")
    for place in spec.submodule_search_locations or () if spec else ():
        parts = ("cuda_runtime", "cuda_nvcc", "cuda_cccl")
        folders = [Path(place, part, "include") for part in parts]
        if all(folder.is_dir() for folder in folders):
            return Toolkit(include=tuple(map(str, folders)))
    return None


@pytest.mark.slow
@pytest.mark.skipif(_cuda_headers() is None, reason="needs the extra cuda-headers")
def test_cuda_unit_has_the_same_cursors_as_without(tmp_path: Path) -> None:
    from migrate.parse.clang.unit import clang_arguments  # noqa: PLC0415 - needs libclang
    from tests.parse_clang.cursors import read_cursors  # noqa: PLC0415

    # What the wrapper wants of cuRAND is for kernels that draw random numbers.
    (tmp_path / "stub").mkdir()
    (tmp_path / "stub/curand_mtgp32_kernel.h").write_text("", "ascii")
    toolkit = _cuda_headers() or Toolkit()
    toolkit = replace(toolkit, include=(*toolkit.include, str(tmp_path / "stub")))
    text = (
        "#include <cassert>\n#include <cooperative_groups.h>\n"
        "__global__ void k(int *p) { assert(p); p[threadIdx.x] = __ballot_sync(~0u, 1); }\n"
        "int main() { cudaDeviceProp q; cudaGetDeviceProperties(&q, 0); k<<<1, 32>>>(0); }\n"
    )
    libclang = load_libclang()
    arguments = tuple(clang_arguments(CompileArguments(), toolkit, libclang))
    tasks = []
    for name in ("a.cu", "b.cu"):
        (tmp_path / name).write_text(text, "ascii")
        unit = Unit(path=name, arguments=CompileArguments(), asks=(name,))
        tasks.append(UnitTask(unit=unit, root=str(tmp_path), toolkit=toolkit, arguments=arguments))
    plain = run(tasks, None, read_cursors)
    assert "__ballot_sync" in plain[0].reason
    folder = open_folder(tmp_path / "cache", "pch")
    assert run(tasks, Preludes(folder, libclang.version), read_cursors) == plain
    assert list((tmp_path / "cache/pch").glob("*.pch"))
