"""What the walk takes, and what it leaves with a reason."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import pytest

from migrate.discover import discover_sources, system_path
from migrate.discover.inventory import title_of
from migrate.errors import AssessError, ExitCode
from tests.discover.trees import KERNEL, found, grow, reasons, scan

posix = pytest.mark.skipif(sys.platform == "win32", reason="a matter of POSIX systems")


def test_paths_are_sorted_relative_and_with_slashes(tmp_path: Path) -> None:
    grow(tmp_path, dict.fromkeys(("b/z.cu", "b.cu", "a/y.h"), KERNEL))
    inventory = scan(tmp_path)
    assert found(inventory) == ["a/y.h", "b.cu", "b/z.cu"]
    assert inventory.root == os.path.realpath(tmp_path)


def test_a_missing_path_is_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(AssessError, match="no such path") as caught:
        scan(tmp_path, tmp_path / "gone")
    assert (caught.value.slug, caught.value.code) == ("no-such-path", ExitCode.USAGE)


def test_an_empty_folder_has_nothing_and_says_nothing(tmp_path: Path) -> None:
    inventory = scan(tmp_path)
    assert (inventory.sources, inventory.skipped, inventory.commit) == ((), (), "")


def test_several_paths_make_one_inventory_without_repeats(tmp_path: Path) -> None:
    grow(tmp_path, dict.fromkeys(("app/a.cu", "app/sub/b.cu", "lib/c.cu", "other/d.cu"), KERNEL))
    inventory = scan(tmp_path / "app", tmp_path / "lib", tmp_path / "app/sub", tmp_path / "app")
    assert found(inventory) == ["app/a.cu", "app/sub/b.cu", "lib/c.cu"]
    assert inventory.root == os.path.realpath(tmp_path)


def test_a_single_file_has_its_folder_as_root_and_is_taken_though_ignored(tmp_path: Path) -> None:
    grow(tmp_path, {"x/a.cu": KERNEL, "x/b.cu": KERNEL, "x/.gitignore": "*"})
    inventory = scan(tmp_path / "x" / "a.cu")
    assert found(inventory) == ["a.cu"]
    assert inventory.root == os.path.realpath(tmp_path / "x")


def test_an_empty_source_is_noted_and_does_not_count_as_unread(tmp_path: Path) -> None:
    inventory = scan(grow(tmp_path, {"a.cu": "", "pkg/__init__.py": ""}))
    assert [(one.path, one.reason, one.candidate) for one in inventory.skipped] == [
        ("a.cu", "empty file", False)
    ]


def test_a_huge_file_is_noted_with_its_size_and_a_long_line_is_read(tmp_path: Path) -> None:
    grow(tmp_path, {"big.cu": "x" * 3000, "line.cu": "int t[] = {" + "1," * 900 + "};"})
    inventory = discover_sources([tmp_path], include=(), exclude=(), max_file_bytes=2048)
    assert found(inventory) == ["line.cu"]
    assert [(one.path, one.candidate, one.size) for one in inventory.skipped] == [
        ("big.cu", True, 3000)
    ]


@posix
def test_links_are_never_followed_and_say_where_they_lead(tmp_path: Path) -> None:
    tree = grow(tmp_path / "tree", {"a.cu": KERNEL, "sub/b.cu": KERNEL})
    grow(tmp_path, {"outside/secret.cu": KERNEL})
    (tree / "again.cu").symlink_to("a.cu")
    (tree / "gone.cu").symlink_to("nowhere.cu")
    (tree / "loop.cu").symlink_to("loop.cu")
    (tree / "out.cu").symlink_to(tmp_path / "outside/secret.cu")
    (tree / "outdir").symlink_to(tmp_path / "outside")
    (tree / "sub/up").symlink_to("..")
    (tree / "notes.txt").symlink_to("a.cu")
    inventory = scan(tree)
    assert found(inventory) == ["a.cu", "sub/b.cu"]
    assert reasons(inventory) == {
        "again.cu": "symbolic link",
        "gone.cu": "symbolic link that leads nowhere",
        "loop.cu": "symbolic link loop",
        "out.cu": "symbolic link out of the tree",
        "outdir": "symbolic link out of the tree",
        "sub/up": "symbolic link",
    }
    assert [one.path for one in inventory.skipped if one.candidate] == ["out.cu"]


@posix
def test_pipes_and_sockets_are_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe.cu")
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket.cu")
        special = "special file (pipe, socket or device)"
        assert reasons(scan(tmp_path)) == {"pipe.cu": special, "socket.cu": special}


@posix
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root reads everything")
def test_what_cannot_be_read_is_noted_and_the_rest_is_read(tmp_path: Path) -> None:
    grow(tmp_path, dict.fromkeys(("a.cu", "b.cu", "closed/c.cu"), KERNEL))
    (tmp_path / "a.cu").chmod(0)
    (tmp_path / "closed").chmod(0)
    try:
        inventory = scan(tmp_path)
    finally:
        (tmp_path / "closed").chmod(0o700)
    assert found(inventory) == ["b.cu"]
    refused = "not readable: permission denied"
    assert reasons(inventory) == {"a.cu": refused, "closed": refused}
    assert all(one.candidate for one in inventory.skipped)


def test_a_folder_that_the_system_refuses_is_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grow(tmp_path, dict.fromkeys(("a.cu", "closed/c.cu"), KERNEL))
    real = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("closed/"):
            raise PermissionError(13, "denied", path)
        return real(path)

    monkeypatch.setattr(os, "scandir", refuse)
    inventory = scan(tmp_path)
    assert found(inventory) == ["a.cu"]
    assert reasons(inventory) == {"closed": "not readable: permission denied"}


@posix
@pytest.mark.parametrize(
    ("name", "printed"),
    [
        (b"with space.cu", "with space.cu"),
        (b"new\nline.cu", r"new\x0aline.cu"),
        (b"latin\xe9.cu", r"latin\udce9.cu"),
        (b"back\\slash.cu", r"back\x5cslash.cu"),
        (b"back\\x41.cu", r"back\x5cx41.cu"),
        ("grün\u202e.cu".encode(), r"grün\u202e.cu"),
        (b"\x1b[31m.cu", r"\x1b[31m.cu"),
    ],
)
def test_an_odd_name_is_printable_and_leads_back_to_the_file(
    tmp_path: Path, name: bytes, printed: str
) -> None:
    try:
        (tmp_path / os.fsdecode(name)).write_text(KERNEL)
    except OSError:
        pytest.skip("this file system refuses such a name")
    inventory = scan(tmp_path)
    assert found(inventory) == [printed]
    printed.encode()
    assert (tmp_path / system_path(printed)).read_text() == KERNEL


@pytest.mark.parametrize("mark", ["pyvenv.cfg", "CACHEDIR.TAG", "CMakeCache.txt"])
def test_environments_caches_and_build_folders_are_left_out(tmp_path: Path, mark: str) -> None:
    grow(tmp_path, {f"made/{mark}": "x", "made/deep/a.cu": KERNEL, "b.cu": KERNEL})
    inventory = scan(tmp_path)
    assert found(inventory) == ["b.cu"]
    assert list(reasons(inventory)) == ["made"]
    assert found(scan(tmp_path / "made")) == ["deep/a.cu"]


def test_a_build_in_the_source_folder_hides_nothing(tmp_path: Path) -> None:
    grow(
        tmp_path, {"app/CMakeCache.txt": "", "app/CMakeLists.txt": "project(x)", "app/a.cu": KERNEL}
    )
    assert "app/a.cu" in found(scan(tmp_path))


def test_version_control_is_never_read(tmp_path: Path) -> None:
    grow(tmp_path, {".git/hooks/a.sh": "echo\n", ".hg/b.cu": KERNEL, "c.cu": KERNEL})
    inventory = scan(tmp_path)
    assert (found(inventory), inventory.skipped) == (["c.cu"], ())


def test_a_very_deep_tree_is_walked(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*("d" for _ in range(400)))
    deep.mkdir(parents=True)
    (deep / "a.cu").write_text(KERNEL)
    assert found(scan(tmp_path)) == ["d/" * 400 + "a.cu"]


@pytest.mark.slow
def test_ten_thousand_files_are_listed(tmp_path: Path) -> None:
    for number in range(100):
        names = [f"m{number}/f{index}.cu" for index in range(100)]
        grow(tmp_path, dict.fromkeys(names, KERNEL))
    grow(tmp_path, {".gitignore": "\n".join(f"*.o{number}" for number in range(50))})
    assert len(scan(tmp_path).sources) == 10_000


def test_several_paths_are_called_by_their_names_together(tmp_path: Path) -> None:
    grow(tmp_path, {"caffe/a.cu": KERNEL, "amgx/b.cu": KERNEL, "old/caffe/c.cu": KERNEL})
    caffe, amgx, old = (tmp_path / name for name in ("caffe", "amgx", "old/caffe"))
    assert title_of([caffe]) == "caffe"
    assert title_of([caffe, amgx, caffe / "a.cu"]) == "caffe + amgx"
    assert title_of([amgx, caffe]) == "amgx + caffe"
    assert title_of([old, caffe]) == "old/caffe + caffe"


def test_a_pipe_that_the_user_names_is_said_to_be_one(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.cu")
    inventory = discover_sources([tmp_path / "a.cu"])
    assert not inventory.sources
    assert [one.reason for one in inventory.skipped] == ["special file (pipe, socket or device)"]
