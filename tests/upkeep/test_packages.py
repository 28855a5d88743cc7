"""Which packages are evidence, and what is taken out of one."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.upkeep.packages import read_packages, unpack


def wheel(tmp_path: Path, *members: str) -> Path:
    path = tmp_path / "kit-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for member in members:
            archive.writestr(member, member)
    return path


def test_every_package_is_pinned_and_named_once() -> None:
    sets = read_packages()
    assert {one.vendor for one in sets} == {"cuda", "rocm"}
    for one in sets:
        assert all(requirement.count("==") == 1 for requirement in one.requirements)
        assert len(set(one.requirements)) == len(one.requirements)
    assert len({(one.vendor, one.version) for one in sets}) == len(sets)


def test_headers_and_bindings_are_taken_and_nothing_else(tmp_path: Path) -> None:
    package = wheel(
        tmp_path, "vendor/kit/include/kit.h", "vendor/cu13/include/kit/detail/a.hpp",
        "vendor/kit/lib/libkit.so", "hip/chip.pxd", "kit/setup.py",
    )  # fmt: skip
    unpack(package, tmp_path / "out")
    written = {p.relative_to(tmp_path / "out").as_posix() for p in (tmp_path / "out").rglob("*.*")}
    assert written == {"kit.h", "kit/detail/a.hpp", "chip.pxd"}


def test_a_path_that_leads_outside_is_refused(tmp_path: Path) -> None:
    package = wheel(tmp_path, "vendor/include/../../../outside.h")
    with pytest.raises(ValueError, match="leads outside"):
        unpack(package, tmp_path / "out")
    assert not (tmp_path / "outside.h").exists()
