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
        "vendor/kit/include/cuda/atomic", "vendor/kit/lib/libkit.so", "hip/chip.pxd",
        "hip/__init__.pxd", "amdsmi/amdsmi_wrapper.py", "kit/setup.py",
    )  # fmt: skip
    out = tmp_path / "out"
    unpack(package, out)
    written = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    assert written == {
        "kit.h", "kit/detail/a.hpp", "cuda/atomic", "chip.pxd", "amdsmi_wrapper.py",
    }  # fmt: skip


@pytest.mark.parametrize("members", [("a/k.pxd", "b/k.pxd"), ("vendor/include",)])
def test_what_would_overwrite_or_replace_something_is_refused(
    members: tuple[str, ...], tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match="twice, or nothing behind include"):
        unpack(wheel(tmp_path, *members), tmp_path / "out")


def test_a_path_that_leads_outside_is_refused(tmp_path: Path) -> None:
    package = wheel(tmp_path, "vendor/include/../../../outside.h")
    with pytest.raises(ValueError, match="leads outside"):
        unpack(package, tmp_path / "out")
    assert not (tmp_path / "outside.h").exists()
