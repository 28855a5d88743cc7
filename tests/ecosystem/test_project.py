"""What the files around the code say together."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from migrate.discover.language import language_by_name
from migrate.facts.project import cuda_version_from, join_project
from migrate.model.assessment import Project
from migrate.model.facts import Conditional, FileFacts, Include
from migrate.model.signals import EcosystemFacts
from migrate.model.source import Language, SourceFile
from migrate.model.verdict import State
from migrate.parse.ecosystem.reader import read_ecosystem


def read(files: Mapping[str, str], vendored: str = "") -> list[EcosystemFacts]:
    facts = []
    for path, text in files.items():
        language = language_by_name(path.rpartition("/")[2])
        assert language is not None
        one = read_ecosystem(path, language, text)
        facts.append(
            EcosystemFacts(
                path=path,
                language=language,
                signals=one.signals,
                vendored=bool(vendored) and path.startswith(vendored),
            )
        )
    return facts


def join(files: Mapping[str, str], *code: FileFacts, vendored: str = "") -> Project:
    return join_project(read(files, vendored), (), code)


def code(path: str, *includes: str, language: Language = Language.CUDA) -> FileFacts:
    lines = enumerate(includes, start=1)
    return FileFacts(
        path=path,
        language=language,
        includes=tuple(
            Include(name=name, line=line, quoted=False, state=State.ACTIVE) for line, name in lines
        ),
    )


def test_an_empty_tree_says_nothing() -> None:
    assert join({}) == Project()
    assert cuda_version_from([]) is None


def test_only_build_systems_that_build_cuda_count() -> None:
    files = {"CMakeLists.txt": "project(x CUDA)\n", "docs/Makefile": "html:\n\tsphinx\n"}
    assert join(files).build == ("cmake",)


@pytest.mark.parametrize("folder", ["examples/a", "docs", "tests", "Samples"])
def test_what_only_examples_are_built_with_is_not_the_projects_build(folder: str) -> None:
    example = {f"{folder}/Makefile": "a.o: a.cu\n\tnvcc a.cu\n"}
    assert join({"CMakeLists.txt": "project(x CUDA)\n", **example}).build == ("cmake",)
    assert join({"CMakeLists.txt": "project(x)\n", **example}).build == ("make",)


def test_the_only_build_system_counts_though_its_cuda_is_not_seen() -> None:
    assert join({"docs/Makefile": "x:\n", "CMakeLists.txt": "project(x)\n"}).build == ("cmake",)


def test_third_party_files_say_nothing_of_the_project() -> None:
    files = {"third_party/x/CMakeLists.txt": "project(x CUDA)\nenable_language(HIP)\n"}
    assert join(files, vendored="third_party/") == Project()


def test_architectures_are_in_order_and_once() -> None:
    files = {
        "CMakeLists.txt": "set(CMAKE_CUDA_ARCHITECTURES 100 70 80)\n",
        "Makefile": "F = -gencode arch=compute_80,code=sm_80\n",
    }
    assert join(files).cuda_archs == ("sm_70", "sm_80", "sm_100")


@pytest.mark.parametrize(
    ("files", "ported", "support"),
    [
        ({"CMakeLists.txt": "project(x CUDA)"}, False, "none"),
        ({"CMakeLists.txt": "\nenable_language(HIP)"}, False, "partial"),
        ({"CMakeLists.txt": "project(x CUDA)"}, True, "partial"),
        ({"Dockerfile": "FROM rocm/dev-ubuntu-22.04"}, False, "partial"),
        (
            {"CMakeLists.txt": "\nenable_language(HIP)", ".gitlab-ci.yml": "image: rocm/x:1\n"},
            True,
            "full",
        ),
    ],
)
def test_hip_support_is_full_only_where_build_sources_and_checks_know_it(
    files: dict[str, str], ported: bool, support: str
) -> None:
    sources = (code("a.hip", language=Language.HIP),) if ported else ()
    assert join(files, *sources).hip_support == support


def test_hip_places_are_one_a_file() -> None:
    files = {"CMakeLists.txt": "\nenable_language(HIP)\nif(USE_HIP)\nendif()\n"}
    assert join(files).hip_where == ("CMakeLists.txt:2",)
    assert join({}, code("src/a.cu", "hip/hip_runtime.h")).hip_where == ("src/a.cu:1",)


def branch(path: str, *lines: int) -> FileFacts:
    return FileFacts(
        path=path,
        language=Language.CUDA,
        conditionals=tuple(
            Conditional(line=line, end_line=line + 2, condition="USE_HIP", state=State.HIP)
            for line in lines
        ),
    )


def test_hip_places_are_builds_then_sources_with_branches_then_ci_and_not_too_many() -> None:
    files = {
        "CMakeLists.txt": "\nenable_language(HIP)\n",
        "ci/run.sh": "\n\ncmake -DUSE_HIP=ON\n",
    }
    project = join(files, branch("src/a.cu", 9, 40), branch("src/b.cu", 4))
    assert project.hip_support == "full"
    assert project.hip_where == ("CMakeLists.txt:2", "src/a.cu:9", "src/b.cu:4", "ci/run.sh:3")
    many = join(files, *(branch(f"src/{number:02}.cu", 7) for number in range(40))).hip_where
    assert (len(many), many[0], many[-1]) == (20, "CMakeLists.txt:2", "ci/run.sh:3")


def test_a_python_file_that_asks_for_hip_is_a_build_only_where_it_builds() -> None:
    asks = "import torch\nif torch.version.hip:\n    pass\n"
    builds = "from torch.utils.cpp_extension import load\nload('x', ['a.cu'])\n"
    rest: dict[str, str] = {"ci/run.sh": "hipcc a.cu\n"}
    support = [
        join({"pkg/a.py": text, **rest}, branch("a.cu", 1)).hip_support
        for text in (asks, builds + asks)
    ]
    assert support == ["partial", "full"]


def test_tests_are_counted_without_third_party_headers_and_data_scripts() -> None:
    sources = [
        SourceFile(path="tests/a.cu", size=1, language=Language.CUDA, test=True),
        SourceFile(path="tests/test_b.py", size=1, language=Language.PYTHON, test=True),
        SourceFile(path="tests/conftest.py", size=1, language=Language.PYTHON, test=True),
        SourceFile(path="tests/util.cuh", size=1, language=Language.CUDA, test=True),
        SourceFile(path="tests/data/make.py", size=1, language=Language.PYTHON, test=True),
        SourceFile(path="tests/CMakeLists.txt", size=1, language=Language.CMAKE, test=True),
        SourceFile(path="ext/tests/c.cu", size=1, language=Language.CUDA, test=True, vendored=True),
        SourceFile(path="src/d.cu", size=1, language=Language.CUDA),
    ]
    project = join_project([], sources, [code("tests/a.cu", "gtest/gtest.h")])
    assert (project.test_files, project.test_frameworks) == (2, ("gtest",))


def test_ci_is_told_with_its_gpus() -> None:
    files = {
        ".github/workflows/a.yml": "jobs:\n  a:\n    runs-on: [self-hosted, gpu]\n",
        ".gitlab-ci.yml": "x:\n  script: make\n",
    }
    project = join(files)
    assert (project.ci_systems, project.ci_gpu, project.ci_rocm) == (
        ("github", "gitlab"),
        True,
        False,
    )


def test_variants_of_an_image_are_one_package() -> None:
    files = {
        "docker/Dockerfile.a": "FROM nvidia/cuda:12.4.1-devel\n",
        "docker/Dockerfile.b": "FROM nvidia/cuda:11.8.0-devel\n",
        "setup.py": "from torch.utils.cpp_extension import CUDAExtension\nsetup(x=CUDAExtension)\n",
    }
    assert join(files).packages == 2


@pytest.mark.parametrize(
    ("files", "version", "place"),
    [
        (
            {
                "CMakeLists.txt": "find_package(CUDAToolkit 11.4)",
                "requirements.txt": "cupy-cuda12x",
                "Dockerfile": "\nFROM nvidia/cuda:12.4.1-devel",
            },
            "12.4",
            "Dockerfile:2",
        ),
        (
            {"Dockerfile": "FROM nvidia/cuda:12.0.0\nFROM nvidia/cuda:12.1.0"},
            "12.1",
            "Dockerfile:2",
        ),
        (
            {"requirements.txt": "cupy-cuda112", "dev-requirements.txt": "cupy-cuda114"},
            "11.4",
            "dev-requirements.txt:1",
        ),
        ({"requirements.txt": "cupy-cuda12x\n"}, "12.9", "requirements.txt:1"),
        ({"requirements.txt": "cupy-cuda112\n"}, "11.2", "requirements.txt:1"),
        ({"CMakeLists.txt": "find_package(CUDAToolkit 12.2)"}, "12.2", "CMakeLists.txt:1"),
    ],
)
def test_the_cuda_version_comes_from_the_most_telling_file(
    files: dict[str, str], version: str, place: str
) -> None:
    found = cuda_version_from(read(files))
    assert found is not None
    assert (str(found[0]), found[1]) == (version, f"tree: {place}")


@pytest.mark.parametrize(
    "files",
    [
        {"CMakeLists.txt": "find_package(CUDA 7.5)"},
        {"Dockerfile": "FROM nvidia/cuda:99.9-devel"},
        {"Dockerfile": "FROM nvidia/cuda:latest"},
        {"requirements.txt": "torch\n"},
    ],
)
def test_an_old_minimum_or_an_absurd_version_tells_nothing(
    files: dict[str, str],
) -> None:
    assert cuda_version_from(read(files)) is None


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            {"Dockerfile.a": "FROM nvidia/cuda:12.8.0", "Dockerfile.b": "FROM nvidia/cuda:12.4.0"},
            "12.4 (Dockerfile.b:1), 12.8 (Dockerfile.a:1)",
        ),
        (
            {"requirements.txt": "cupy-cuda11x", "dev-requirements.txt": "cupy-cuda12x"},
            "11.8 (requirements.txt:1), 12.9 (dev-requirements.txt:1)",
        ),
    ],
)
def test_files_that_disagree_are_named_and_none_is_taken(files: dict[str, str], said: str) -> None:
    assert cuda_version_from(read(files)) == (None, f"mixed: {said}")


def test_paths_that_disagree_are_named_and_each_is_asked_by_itself() -> None:
    files = {
        "a/Dockerfile": "FROM nvidia/cuda:8.0-devel",
        "b/CMakeLists.txt": "\nfind_package(CUDAToolkit 12.0)",
        "c/Dockerfile": "FROM nvidia/cuda:8.0-devel",
    }
    mixed = (None, "mixed: 8.0 (a/Dockerfile:1), 12.0 (b/CMakeLists.txt:2)")
    assert cuda_version_from(read(files), ("a", "b", "c")) == mixed
    agreed = cuda_version_from(read(files), ("a", "c"))
    assert agreed is not None
    assert (str(agreed[0]), agreed[1]) == ("8.0", "tree: a/Dockerfile:1")


def test_many_versions_are_not_all_named() -> None:
    files = {f"{minor}/Dockerfile": f"FROM nvidia/cuda:12.{minor}.0" for minor in range(7)}
    found = cuda_version_from(read(files))
    assert found is not None
    assert found[1].endswith("12.3 (3/Dockerfile:1), and 3 more")
