"""Where CUDA's headers are taken from, and what is said of those that are not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.discover import toolkit
from migrate.discover.toolkit import find_toolkit, header_folders, libraries_in
from migrate.errors import AssessError, ExitCode
from tests.end_to_end.command import make_tree

RUNTIME = ("cuda_runtime.h", "cuda.h")
COMPLETE = (*RUNTIME, "crt/host_defines.h", "nv/target")


@pytest.fixture(autouse=True)
def _bare_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """No toolkit of the machine that runs the tests is seen."""
    for variable in ("CUDA_PATH", "CUDA_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(toolkit, "_USUAL", ())
    monkeypatch.setattr("sys.path", [])
    monkeypatch.delitem(__import__("sys").modules, "nvidia", raising=False)


def headers(folder: Path, *names: str, version: int = 12090) -> Path:
    texts = dict.fromkeys(names, "")
    if "cuda.h" in texts:
        texts["cuda.h"] = f"/* CUDA_VERSION */\n#define CUDA_VERSION {version}\n"
    return make_tree(folder, texts)


def packages(site: Path, *names: str) -> Path:
    """Headers as the packages for CUDA 12 install them, one folder a package."""
    parts = {
        "cuda_runtime": RUNTIME,
        "cuda_nvcc": ("crt/host_defines.h",),
        "cuda_cccl": ("nv/target", "thrust/version.h", "cub/cub.cuh"),
        "cublas": ("cublas_v2.h",),
    }
    for name in names:
        headers(site / "nvidia" / name / "include", *parts[name])
    return site


def test_nothing_found_lacks_what_a_parse_needs() -> None:
    found = find_toolkit(None)
    assert not found.include
    assert "cuda_runtime.h" in found.lacking


@pytest.mark.parametrize("place", ["include", "targets/x86_64-linux/include", "."])
def test_toolkit_is_known_by_each_layout(tmp_path: Path, place: str) -> None:
    headers(tmp_path / place, *COMPLETE)
    found = find_toolkit(tmp_path)
    assert found.include == (str(tmp_path / place),)
    assert (found.origin, found.version, found.lacking) == ("--cuda-path", "12.9", ())


def test_machines_own_target_comes_before_another(tmp_path: Path) -> None:
    for target in ("aarch64-linux", "x86_64-linux"):
        headers(tmp_path / "targets" / target / "include", *COMPLETE)
    assert header_folders(tmp_path) == (str(tmp_path / "targets/x86_64-linux/include"),)


def test_cccl_folder_of_cuda_13_is_searched_too(tmp_path: Path) -> None:
    headers(tmp_path / "include", *RUNTIME, "crt/host_defines.h", "cccl/nv/target", version=13050)
    found = find_toolkit(tmp_path)
    assert found.include == (str(tmp_path / "include"), str(tmp_path / "include/cccl"))
    assert (found.version, found.lacking) == ("13.5", ())


def test_folder_without_headers_is_refused_when_the_user_names_it(tmp_path: Path) -> None:
    with pytest.raises(AssessError, match="holds no CUDA headers") as raised:
        find_toolkit(tmp_path)
    assert (raised.value.slug, raised.value.code) == ("cuda-path", ExitCode.USAGE)


def test_user_comes_before_environment_and_that_before_compile_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = {name: headers(tmp_path / name, *COMPLETE) for name in ("user", "path", "home", "db")}
    database = (str(tmp_path / "none"), str(places["db"]))
    assert find_toolkit(None, database).origin == "compile_commands.json"
    monkeypatch.setenv("CUDA_HOME", str(places["home"]))
    assert find_toolkit(None, database).origin == "CUDA_HOME"
    monkeypatch.setenv("CUDA_PATH", str(places["path"]))
    assert find_toolkit(None, database).origin == "CUDA_PATH"
    assert find_toolkit(places["user"], database).include == (str(places["user"]),)


def test_variable_that_leads_nowhere_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDA_PATH", str(tmp_path / "gone"))
    monkeypatch.setenv("CUDA_HOME", str(headers(tmp_path / "home", *COMPLETE)))
    assert find_toolkit(None).origin == "CUDA_HOME"


def test_installed_packages_make_one_toolkit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = packages(tmp_path, "cublas", "cuda_cccl", "cuda_nvcc", "cuda_runtime")
    monkeypatch.setattr("sys.path", [str(site)])
    found = find_toolkit(None)
    names = [Path(folder).parent.name for folder in found.include]
    assert names == ["cuda_runtime", "cuda_nvcc", "cuda_cccl", "cublas"]
    assert (found.origin, found.lacking) == (toolkit.PACKAGE, ())
    assert libraries_in(found) == ("Thrust", "CUB", "cuBLAS")


def test_packages_are_found_without_being_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = packages(tmp_path, "cuda_runtime")
    (site / "nvidia" / "__init__.py").write_text("raise SystemExit('imported')", encoding="utf-8")
    monkeypatch.setattr("sys.path", [str(site)])
    assert find_toolkit(None).origin == toolkit.PACKAGE


def test_folder_of_the_tree_in_which_the_command_runs_is_no_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages(tmp_path, "cuda_runtime", "cuda_nvcc", "cuda_cccl")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["", str(tmp_path)])
    assert not find_toolkit(None).include


def test_packages_of_two_cuda_releases_are_not_mixed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages(tmp_path, "cuda_runtime", "cublas")
    headers(tmp_path / "nvidia/cu13/include", *COMPLETE, version=13000)
    headers(tmp_path / "nvidia/cudnn/include", "cudnn.h")
    monkeypatch.setattr("sys.path", [str(tmp_path)])
    found = find_toolkit(None)
    names = [Path(folder).parent.name for folder in found.include]
    assert names == ["cu13", "cudnn"]
    assert found.version == "13.0"


def test_what_the_first_toolkit_lacks_is_not_taken_from_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDA_PATH", str(headers(tmp_path / "first", *RUNTIME)))
    site = packages(tmp_path / "site", "cuda_runtime", "cuda_nvcc", "cuda_cccl")
    monkeypatch.setattr("sys.path", [str(site)])
    found = find_toolkit(None)
    assert found.include == (str(tmp_path / "first"),)
    assert found.lacking == ("crt/host_defines.h", "nv/target")


def test_cuda_11_needs_no_cccl(tmp_path: Path) -> None:
    headers(tmp_path, *RUNTIME, "crt/host_defines.h", version=11080)
    found = find_toolkit(tmp_path)
    assert (found.version, found.lacking) == ("11.8", ())


def test_header_that_tells_no_version_leaves_it_open(tmp_path: Path) -> None:
    make_tree(tmp_path, {"cuda.h": "#define CUDA_VERSION (12 * 1000)\n", "cuda_runtime.h": ""})
    assert find_toolkit(tmp_path).version == ""


def test_usual_place_comes_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = headers(tmp_path / "usual", *COMPLETE)
    monkeypatch.setattr(toolkit, "_USUAL", (str(tmp_path / "none"), str(usual)))
    assert find_toolkit(None).origin == str(usual)
    monkeypatch.setattr("sys.path", [str(packages(tmp_path / "site", "cuda_runtime"))])
    assert find_toolkit(None).origin == toolkit.PACKAGE
