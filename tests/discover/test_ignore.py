"""Ignore patterns mean what git says they mean."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.discover.ignore import PatternList
from tests.discover.trees import KERNEL, found, grow, reasons, scan

GIT = shutil.which("git")
_NAMES = ("a", "b", "ab", "abc", "build", "x.cu", "a.cu", "ab.cu", "keep.cu", "]", "a b", "*")
_PARTS = st.sampled_from(
    [
        *("a", "b", "ab", "*", "**", "?", "[ab]", "[!a]", "[a-c]", "\\a", "a*", "*b", "a*b*"),
        *("x.cu", "*.cu", "[[:alpha:]]", "[]a]", "[^]]", "a\\", "[", "\\*", "build"),
        *("keep.cu", "*?*", "a ", "\\ "),
    ]
)  # fmt: skip


@st.composite
def _lines(draw: st.DrawFn) -> str:
    parts = draw(st.lists(_PARTS, min_size=1, max_size=3))
    first = draw(st.sampled_from(["", "", "/", "!", "!/"]))
    return first + "/".join(parts) + draw(st.sampled_from(["", "", "/"]))


def _git(folder: Path, *arguments: str) -> str:
    assert GIT is not None
    quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(folder)}
    done = subprocess.run(
        [GIT, "-c", "core.quotePath=false", *arguments],
        cwd=folder,
        capture_output=True,
        check=True,
        env={**os.environ, **quiet},
    )
    return done.stdout.decode()


@pytest.mark.property
@pytest.mark.skipif(GIT is None, reason="git is the judge here")
@given(
    files=st.lists(
        st.lists(st.sampled_from(_NAMES), min_size=1, max_size=3), min_size=4, max_size=14
    ),
    top=st.lists(_lines(), min_size=1, max_size=4),
    inner=st.lists(_lines(), max_size=2),
)
def test_the_walk_takes_the_files_that_git_would(
    files: list[list[str]], top: list[str], inner: list[str]
) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder)
        for parts in files:
            path = root.joinpath(*(f"{part}_" for part in parts[:-1]), parts[-1])
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.is_dir():
                path.write_text(KERNEL)
        (root / ".gitignore").write_text("\n".join(top) + "\n")
        if (root / "a_").is_dir():
            (root / "a_" / ".gitignore").write_text("\n".join(inner) + "\n")
        _git(root, "init", "-q")
        listed = _git(root, "ls-files", "--others", "--exclude-standard", "-z").split("\0")
        expected = sorted(path for path in listed if path and not path.endswith(".gitignore"))
        assert found(scan(root)) == expected


def test_a_tree_that_is_closed_and_opened_again_is_read(tmp_path: Path) -> None:
    grow(tmp_path, {".gitignore": "*\n!*/\n!*.cu\n", "a/b/k.cu": KERNEL, "a/b/k.h": "int x;\n"})
    assert found(scan(tmp_path)) == ["a/b/k.cu"]


def test_a_deeper_ignore_file_wins(tmp_path: Path) -> None:
    grow(
        tmp_path,
        {".gitignore": "*.cu\n", "a.cu": KERNEL, "keep/.gitignore": "!*.cu\n", "keep/b.cu": KERNEL},
    )
    inventory = scan(tmp_path)
    assert found(inventory) == ["keep/b.cu"]
    assert reasons(inventory) == {".": "1 file ignored by .gitignore"}


def test_ignored_folders_are_one_entry_each(tmp_path: Path) -> None:
    files = {f"build/x{number}.cu": KERNEL for number in range(5)}
    grow(tmp_path, {**files, "node_modules/a/b.h": "int x;\n", ".gitignore": "build/\n"})
    assert reasons(scan(tmp_path)) == {
        "build": "ignored by .gitignore",
        "node_modules": "JavaScript packages",
    }


def test_info_exclude_and_our_own_ignore_file_count(tmp_path: Path) -> None:
    grow(
        tmp_path,
        {
            ".git/info/exclude": "a.cu\n",
            ".hipassessignore": "b.cu\n",
            **dict.fromkeys(("a.cu", "b.cu", "c.cu"), KERNEL),
        },
    )
    assert found(scan(tmp_path)) == ["c.cu"]


def test_patterns_do_not_reach_into_another_repository(tmp_path: Path) -> None:
    grow(
        tmp_path,
        {
            ".gitignore": "*.cuh\n",
            "sub/.git": "gitdir: ../x\n",
            "sub/a.cuh": KERNEL,
            "b.cuh": KERNEL,
        },
    )
    assert found(scan(tmp_path)) == ["sub/a.cuh"]


def test_ignore_files_above_the_path_do_not_count(tmp_path: Path) -> None:
    grow(tmp_path, {".gitignore": "build\n", "build/a.cu": KERNEL})
    assert found(scan(tmp_path / "build")) == ["a.cu"]


def test_an_ignore_file_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    grow(tmp_path, {"patterns": "*.cu\n", "tree/a.cu": KERNEL})
    (tmp_path / "tree" / ".gitignore").symlink_to("../patterns")
    assert found(scan(tmp_path / "tree")) == ["a.cu"]


def test_include_and_exclude_take_files_folders_and_patterns(tmp_path: Path) -> None:
    names = ("src/a.cu", "src/b.cuh", "src/gen/c.cu", "other/d.cu")
    grow(tmp_path, dict.fromkeys(names, KERNEL))
    assert found(scan(tmp_path, include=("src",))) == ["src/a.cu", "src/b.cuh", "src/gen/c.cu"]
    assert found(scan(tmp_path, include=("*.cu",), exclude=("gen/",))) == ["other/d.cu", "src/a.cu"]
    assert found(scan(tmp_path, include=("src/**/*.cu",))) == ["src/a.cu", "src/gen/c.cu"]
    assert reasons(scan(tmp_path, exclude=("src/*",)))["src"] == "2 files excluded by the settings"


def test_a_hostile_pattern_cannot_hold_the_walk_up() -> None:
    patterns = PatternList(["*a*a*a*a*a*a*a*a*a*b", "/**/a/**/a/**/a/**/a/**/a/**/b"])
    name, path = "a" * 250, "/".join("a" * 500)
    start = time.process_time()
    assert patterns.verdict(name, name, folder=False) is None
    assert patterns.verdict(path, "a", folder=False) is None
    # No measure of speed: it takes milliseconds, and with backtracking longer than anyone waits.
    assert time.process_time() - start < 30


@pytest.mark.skipif(GIT is None, reason="git makes the index")
@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_a_tracked_file_is_read_though_a_pattern_ignores_it(tmp_path: Path, version: str) -> None:
    names = ("a.cu", "out/deep/b.cu", "out/deep/c.cu", "out/other/d.cu", "e.cu")
    grow(tmp_path, {".gitignore": "out/\ne.cu\n", **dict.fromkeys(names, KERNEL)})
    _git(tmp_path, "init", "-q")
    _git(tmp_path, "-c", f"index.version={version}", "add", "-f", "a.cu", "out/deep/b.cu")
    _git(tmp_path, "update-index", "--index-version", version)
    inventory = scan(tmp_path)
    assert found(inventory) == ["a.cu", "out/deep/b.cu"]
    assert reasons(inventory) == {
        ".": "1 file ignored by .gitignore",
        "out/deep": "1 file ignored by .gitignore",
        "out/other": "ignored by .gitignore",
    }


@pytest.mark.skipif(GIT is None, reason="git makes the index")
def test_our_own_ignore_file_holds_for_tracked_files_too(tmp_path: Path) -> None:
    grow(tmp_path, {".hipassessignore": "a.cu\nout\n", "a.cu": KERNEL, "out/b.cu": KERNEL})
    _git(tmp_path, "init", "-q")
    _git(tmp_path, "add", "-f", ".")
    assert found(scan(tmp_path)) == []


@pytest.mark.parametrize("index", [b"", b"DIRC", b"DIRC\0\0\0\2\xff\xff\xff\xff", b"x" * 200])
def test_a_broken_index_tracks_nothing(tmp_path: Path, index: bytes) -> None:
    grow(tmp_path, {".git/index": index, ".gitignore": "*.cu", "a.cu": KERNEL, "b.cuh": KERNEL})
    assert found(scan(tmp_path)) == ["b.cuh"]
