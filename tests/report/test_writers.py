"""A report reaches the disk whole, where it was asked for, and nowhere else."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from migrate.errors import AssessError, ExitCode
from migrate.report.writers import FORMATS, check_outputs, format_for_path, write_outputs
from tests.report.sample import make_assessment


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize(
    ("path", "name"), [("a/report.html", "html"), ("x.JSON", "json"), ("summary.txt", "text")]
)
def test_the_suffix_picks_the_format(path: str, name: str) -> None:
    assert format_for_path(Path(path)) == name


@pytest.mark.parametrize("path", ["report.docx", "report", ".html"])
def test_an_unknown_suffix_is_a_users_mistake_with_the_known_ones_listed(path: str) -> None:
    with pytest.raises(AssessError) as caught:
        format_for_path(Path(path))
    assert caught.value.slug == "unknown-format"
    assert caught.value.code is ExitCode.USAGE
    assert ".html" in caught.value.hint


def test_one_file_gets_the_format_of_its_suffix(tmp_path: Path) -> None:
    target = tmp_path / "result.json"
    assert write_outputs(make_assessment(), (), target) == [target]
    assert json.loads(target.read_bytes())["schema_version"] == 1
    assert _names(tmp_path) == ["result.json"]


def test_a_named_format_wins_over_the_suffix(tmp_path: Path) -> None:
    target = tmp_path / "result.out"
    write_outputs(make_assessment(), ("json",), target)
    assert target.read_bytes().startswith(b"{")


def test_several_formats_share_a_folder_that_is_made(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    written = write_outputs(make_assessment(), ("json", "html", "text", "json"), folder)
    assert [path.name for path in written] == ["hipassess.json", "hipassess.html", "hipassess.txt"]
    assert _names(folder) == ["hipassess.html", "hipassess.json", "hipassess.txt"]


def test_one_format_to_a_folder_goes_into_it(tmp_path: Path) -> None:
    assert write_outputs(make_assessment(), ("json",), tmp_path) == [tmp_path / "hipassess.json"]


def test_an_old_report_is_replaced(tmp_path: Path) -> None:
    target = tmp_path / "result.json"
    target.write_text("old")
    write_outputs(make_assessment(), (), target)
    assert target.read_bytes().startswith(b"{")


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(AssessError, match="folder does not exist") as caught:
        write_outputs(make_assessment(), (), tmp_path / "no" / "result.json")
    assert caught.value.slug == "output-not-writable"
    with pytest.raises(AssessError, match="parent folder does not exist"):
        write_outputs(make_assessment(), ("json", "text"), tmp_path / "no" / "out")


def test_several_formats_to_a_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(AssessError, match="this is a file"):
        write_outputs(make_assessment(), ("json", "text"), tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"


def test_an_unknown_format_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(AssessError) as caught:
        write_outputs(make_assessment(), ("json", "docx"), tmp_path / "out")
    assert caught.value.slug == "unknown-format"
    assert _names(tmp_path) == []


@pytest.mark.parametrize("exists", [True, False])
def test_a_symbolic_link_is_not_written_through(tmp_path: Path, exists: bool) -> None:
    precious = tmp_path / "precious"
    if exists:
        precious.write_text("mine")
    link = tmp_path / "report.json"
    try:
        link.symlink_to(precious)
    except OSError:
        pytest.skip("no symbolic links for this user")
    with pytest.raises(AssessError, match="symbolic link"):
        write_outputs(make_assessment(), (), link)
    assert link.is_symlink()
    assert precious.exists() is exists
    assert not exists or precious.read_text() == "mine"


def test_a_failing_write_leaves_the_old_report_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "result.json"
    target.write_text("old")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(AssessError, match="No space left"):
        write_outputs(make_assessment(), (), target)
    assert target.read_text() == "old"
    assert _names(tmp_path) == ["result.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no permission bits of this kind")
def test_a_report_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.touch()
    write_outputs(make_assessment(), (), tmp_path / "r.json")
    assert stat.S_IMODE((tmp_path / "r.json").stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no /dev/null")
def test_a_device_takes_the_bytes_and_stays_a_device() -> None:
    write_outputs(make_assessment(), ("json",), Path("/dev/null"))
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_what_cannot_be_written_is_said_before_the_scan(tmp_path: Path) -> None:
    assert check_outputs((), None) == ("text",)
    assert check_outputs((), tmp_path / "r.html") == ("html",)
    assert check_outputs(("json", "html", "json"), tmp_path / "out") == ("json", "html")
    for formats, output in (
        ((), tmp_path / "r.docx"),
        (("docx",), None),
        (("json", "html"), None),
        ((), tmp_path / "no" / "r.json"),
        (("json", "html"), tmp_path / "no" / "out"),
    ):
        with pytest.raises(AssessError):
            check_outputs(formats, output)
    assert _names(tmp_path) == []


def test_without_an_output_one_format_goes_to_stdout(
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    assert write_outputs(make_assessment(), ("json",), None) == []
    assert json.loads(capfdbinary.readouterr().out)["schema_version"] == 1


def test_several_formats_without_an_output_are_refused() -> None:
    with pytest.raises(AssessError) as caught:
        write_outputs(make_assessment(), ("json", "html"), None)
    assert caught.value.slug == "output-missing"


def test_a_format_loads_only_what_it_needs() -> None:
    code = (
        "import sys; from migrate.report import writers; "
        "sys.exit(any(name in sys.modules for name in ('rich', 'jinja2')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_formats_differ_in_name_and_suffix() -> None:
    assert len({writer.suffix for writer in FORMATS.values()}) == len(FORMATS)
    assert all(name == writer.name for name, writer in FORMATS.items())
