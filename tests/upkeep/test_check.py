"""What the command takes, says and answers, on small sets of declarations."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.upkeep import packages as packages_module
from tests.upkeep.check import check_coverage, main, print_newest
from tests.upkeep.declared import Declared
from tests.upkeep.packages import PackageSet, fetch, unpack, unpinned, version_of

PXD = 'cdef extern from "hip/hip_runtime.h":\n    pass\n\n\ncdef int hipKit({}) nogil\n'


def function(name: str) -> Declared:
    return Declared(name, "function", "kit.h", (), "int")


class Index:
    """Answers in pip's place with wheels of one binding; ``asked`` are the requirements."""

    def __init__(self, folder: Path, parameters: dict[str, str]) -> None:
        self.asked: list[str] = []
        self._folder = folder
        self._parameters = parameters

    def download(self, requirement: str, folder: Path) -> None:
        self.asked.append(requirement)
        version = requirement.partition("==")[2] or max(self._parameters)
        wheel = self._folder / f"kit-{version}-py3-none-any.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr("kit/cykit.pxd", PXD.format(self._parameters[version]))
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "cykit.pxd").unlink(missing_ok=True)
        unpack(wheel, folder)
        (folder / "VERSION").write_text(version)


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Index:
    made = Index(tmp_path, {"1.0": "int a", "2.0": "int a,void * b"})
    monkeypatch.setattr(packages_module, "_download", made.download)
    return made


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--rocm", "99"], "ROCm release '99' is not known"),
        (["--headers", "7.2"], "no RELEASE=FOLDER"),
        (["--headers", "7.2=/no/such/folder"], "no RELEASE=FOLDER"),
        (["--headers", "99=."], "ROCm release '99' is not known"),
        (["--newest", "--write"], "pin the packages first"),
    ],
)
def test_wrong_options_are_told_before_anything_is_fetched(
    options: list[str], said: str, tmp_path: Path, index: Index, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--cache", str(tmp_path), *options])
    assert stopped.value.code == 2
    assert said in capsys.readouterr().err
    assert index.asked == []


def test_names_without_a_row_are_counted_and_shown_under_their_header(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = {"12.9": [function("cudaMalloc"), function("cudaNoSuchCall")]}
    wrong = check_coverage(found, "7.2")
    told = capsys.readouterr().out
    assert "1 public names without a row\n\nkit.h\n  function   cudaNoSuchCall\n" in told
    assert "CUDA 12.9: names by verdict on ROCm 7.2" in told
    stale = told.count("\n", told.index("patterns of not_public.csv")) - 1
    assert wrong == 1 + stale


def test_a_package_is_fetched_once_and_one_without_version_each_time(
    index: Index, tmp_path: Path
) -> None:
    pinned = PackageSet("rocm", "7.2", ("kit==1.0",))
    (folder,) = fetch(pinned, tmp_path / "cache")
    assert version_of(folder) == "1.0"
    fetch(pinned, tmp_path / "cache")
    assert index.asked == ["kit==1.0"]
    for _ in range(2):
        fetch(unpinned(pinned), tmp_path / "newest")
    assert index.asked == ["kit==1.0", "kit", "kit"]


def test_a_new_pin_replaces_what_was_fetched(index: Index, tmp_path: Path) -> None:
    fetch(PackageSet("rocm", "7.2", ("kit==1.0",)), tmp_path)
    (folder,) = fetch(PackageSet("rocm", "7.2", ("kit==2.0",)), tmp_path)
    assert version_of(folder) == "2.0"
    assert index.asked == ["kit==1.0", "kit==2.0"]


def test_the_newest_packages_are_held_against_the_newest_pinned_set(
    index: Index, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sets = [
        PackageSet("rocm", "7.1", ("old==1.0",)), PackageSet("rocm", "7.2", ("kit==1.0",)),
        PackageSet("cuda", "13.5", ()),
    ]  # fmt: skip
    assert print_newest(sets, tmp_path / "cache") == 1
    told = capsys.readouterr().out
    assert "rocm: kit==2.0\n1 declarations differ from those of rocm 7.2" in told
    assert "~ function hipKit int(int) -> int(int, void *)" in told
    assert "0 declarations differ from those of cuda 13.5" in told
    assert "old==1.0" not in index.asked
