"""Which libclang is taken, and what is said where it is another one or none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from migrate.parse.clang.native import load_libclang
from tests.end_to_end.command import CHECKOUT, make_tree

PROBE = """
from migrate.parse.clang.native import LibclangError, load_libclang
try:
    print("loaded", load_libclang().version)
except LibclangError as error:
    print(error)
"""
OTHER = """
class _Conf:
    lib = None
    def get_filename(self):
        return "libclang.so"
conf = _Conf()
"""


def said(*path: Path, **variables: str) -> str:
    """What loading says in a process of its own that finds modules in ``path`` first."""
    search = os.pathsep.join(map(str, (*path, CHECKOUT)))
    done = subprocess.run(
        [sys.executable, "-c", PROBE],
        env={**os.environ, "PYTHONPATH": search, **variables},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout.strip()


def metadata(name: str, version: str) -> dict[str, str]:
    text = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    return {f"{name}-{version}.dist-info/METADATA": text}


def test_own_libclang_is_loaded_with_its_headers() -> None:
    libclang = load_libclang()
    assert libclang.version.startswith("22.")
    assert (libclang.resources / "include" / "__clang_cuda_runtime_wrapper.h").is_file()
    assert (libclang.libcxx / "vector").is_file()


def test_another_packages_module_is_named_with_the_remedy(tmp_path: Path) -> None:
    make_tree(tmp_path, {"clang/__init__.py": "", "clang/cindex.py": OTHER})
    make_tree(tmp_path, metadata("clang", "14.0"))
    text = said(tmp_path)
    assert "is hidden by that of clang 14.0" in text
    assert "pip uninstall clang, then pip install --force-reinstall libclang-ng" in text
    assert "pipx" in text


def test_module_of_an_unknown_package_is_told_too(tmp_path: Path) -> None:
    make_tree(tmp_path, {"clang/__init__.py": "", "clang/cindex.py": OTHER})
    assert "is hidden by that of another one" in said(tmp_path)


def test_files_that_another_packages_removal_took_are_missed(tmp_path: Path) -> None:
    make_tree(tmp_path, {"clang/__init__.py": ""})
    text = said(tmp_path)
    assert "files of libclang-ng are not there" in text
    assert "pip install --force-reinstall libclang-ng" in text


def test_variable_that_names_another_libclang_is_told() -> None:
    assert "LIBCLANG_LIBRARY_PATH names another libclang" in said(LIBCLANG_LIBRARY_PATH="/none")


def test_failure_is_no_traceback(tmp_path: Path) -> None:
    broken = OTHER + "raise ImportError('no')\n"
    make_tree(tmp_path, {"clang/__init__.py": "", "clang/cindex.py": broken})
    text = said(tmp_path)
    assert text.count("\n") == 0
    assert "libclang-ng" in text


@pytest.mark.parametrize("folder", ["/usr/include", "/usr/include/"])
def test_folder_of_the_c_library_is_left_to_its_own_place(folder: str) -> None:
    from migrate.model.unit import CompileArguments, Toolkit  # noqa: PLC0415
    from migrate.parse.clang.unit import clang_arguments  # noqa: PLC0415

    given = clang_arguments(CompileArguments(), Toolkit(include=(folder,)), load_libclang())
    assert folder not in given
