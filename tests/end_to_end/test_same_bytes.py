"""The same code gives the same bytes, whatever surrounds the run."""

from __future__ import annotations

import json
import os
import platform
import shutil
from pathlib import Path

import pytest

from migrate.parse import workers
from tests.end_to_end.command import FIXTURES, json_of, make_tree, run

CODE = "__global__ void k{n}(int* p) {{ __stcs(p, {n}); cudaMalloc(0, {n}); }}\n"
FILLER = "//" + "-" * 97 + "\n"


@pytest.mark.end_to_end
def test_any_number_of_workers_gives_the_same_bytes(tmp_path: Path) -> None:
    batch = workers._BATCH_BYTES // len(FILLER) + 1
    make_tree(
        tmp_path / "app",
        {f"f{n}.cu": CODE.format(n=n % 3) + FILLER * batch + CODE.format(n=0) for n in range(3)},
    )
    for jobs in ("1", "3"):
        done = run("scan", "app", "-q", "-j", jobs, "-o", f"{jobs}.json", cwd=tmp_path)
        assert (done.code, done.err) == (0, "")
    assert (tmp_path / "1.json").read_bytes() == (tmp_path / "3.json").read_bytes()
    sites = [
        site["fingerprint"]
        for finding in json.loads((tmp_path / "1.json").read_bytes())["findings"]
        for site in finding["sites"]
    ]
    assert len(sites) == len(set(sites)) == 12, "each store with a hint, each call in a kernel"


@pytest.mark.end_to_end
def test_place_name_clock_and_locale_change_no_byte(tmp_path: Path) -> None:
    copy = tmp_path / "ein anderer Ort" / "копия"
    shutil.copytree(FIXTURES / "torch_ext", copy)
    settings = {
        "LC_ALL": "C",
        "TZ": "Pacific/Kiritimati",
        "PYTHONHASHSEED": "4711",
        "COLUMNS": "40",
        "HOME": str(tmp_path),
    }
    there = run("scan", ".", "-f", "json", "--all-uses", cwd=copy, env=settings)
    assert (there.code, there.err) == (0, "")
    assert there.out == json_of(FIXTURES / "torch_ext", all_uses=True)


def test_a_result_names_neither_the_machine_nor_the_place(tmp_path: Path) -> None:
    root = tmp_path / "secret_place"
    shutil.copytree(FIXTURES / "trainer", root)
    (root / "dangling.cu").symlink_to(root / "nowhere")
    (root / "hipassess.toml").write_text('max-unread = "50%"\n')
    text = json_of(root, all_uses=True)
    for word in ("secret_place", str(tmp_path), str(FIXTURES), f'"{platform.node()}"'):
        assert word not in text
    assert '"root": "."' in text


def test_the_order_in_which_a_system_lists_files_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["b.cu", "a.cu", "B.cu", "z/a.cu", "a/z.cu"]
    root = make_tree(tmp_path / "app", {name: CODE.format(n=1) for name in names})
    before = json_of(root)
    real = os.scandir

    class Backwards:
        def __init__(self, path: str) -> None:
            with real(path) as listing:
                self.entries = sorted(listing, key=lambda entry: entry.name, reverse=True)

        def __enter__(self) -> list[os.DirEntry[str]]:
            return self.entries

        def __exit__(self, *_error: object) -> None:
            return

    monkeypatch.setattr(os, "scandir", Backwards)
    assert json_of(root) == before
