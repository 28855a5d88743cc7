"""The commit of a tree is read from files; nothing of the tree is run or followed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.discover.trees import KERNEL, grow, scan

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    "files",
    [
        {"HEAD": f"{COMMIT}\n"},
        {"HEAD": "ref: refs/heads/main\n", "refs/heads/main": f"{COMMIT}\n"},
        {
            "HEAD": "ref: refs/heads/fix/a-1\n",
            "packed-refs": f"# pack-refs with: peeled\n{COMMIT} refs/heads/fix/a-1\n^{'0' * 40}\n",
        },
    ],
)
def test_the_commit_is_read_from_head_refs_and_packed_refs(
    tmp_path: Path, files: dict[str, str]
) -> None:
    grow(tmp_path, {"a.cu": KERNEL, **{f".git/{name}": text for name, text in files.items()}})
    inventory = scan(tmp_path)
    assert (inventory.commit, inventory.dirty) == (COMMIT, None)


@pytest.mark.parametrize(
    "files",
    [
        {".git/HEAD": "ref: refs/../../secret\n"},
        {".git/HEAD": "ref: refs/heads/none\n"},
        {".git/HEAD": "not a reference\n"},
        {".git/HEAD": b"\xff\xfe"},
        {".git": "gitdir: ../elsewhere\n"},
    ],
)
def test_what_does_not_tell_a_commit_gives_none(
    tmp_path: Path, files: dict[str, str | bytes]
) -> None:
    grow(tmp_path, {"tree/a.cu": KERNEL, "secret": COMMIT, "elsewhere/HEAD": COMMIT})
    grow(tmp_path / "tree", files)
    assert scan(tmp_path / "tree").commit == ""


@pytest.mark.parametrize("link", [".git", ".git/HEAD", ".git/refs"])
def test_links_in_git_are_not_followed(tmp_path: Path, link: str) -> None:
    grow(tmp_path, {"real/HEAD": COMMIT, "real/heads/x": COMMIT, "tree/a.cu": KERNEL})
    if link != ".git":
        grow(tmp_path, {"tree/.git/config": ""})
    if link == ".git/refs":
        grow(tmp_path, {"tree/.git/HEAD": "ref: refs/heads/x"})
    target = tmp_path / "real" / ("HEAD" if link == ".git/HEAD" else "")
    (tmp_path / "tree" / link).symlink_to(target)
    assert scan(tmp_path / "tree").commit == ""
