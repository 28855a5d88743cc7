"""The libraries of a tree: each once, by its strongest use, and apart what only tests use."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import pytest

from migrate.classify.components import find_components
from migrate.classify.uses import ClassifiedFile
from migrate.model.assessment import Component
from migrate.model.facts import Include
from migrate.model.mark import Mark, MarkKind
from migrate.model.signals import EcosystemFacts, Kind, Signal
from migrate.model.source import Language
from migrate.model.verdict import Side, State, Verdict
from tests.classify.samples import TARGET, At, answer, classified, facts_of

ANSWERS = {
    "cudnnRun": answer("cudnnRun", Verdict.REPLACED, library="dnn"),
    "__stcs": answer("__stcs", Verdict.MISSING, library="device"),
    "cudaMine": answer("cudaMine", Verdict.UNKNOWN, library=""),
    "fooRun": answer("fooRun", Verdict.MISSING, library="no_such_library"),
}


def calls(
    path: str, symbol: str = "cudnnRun", *, n: int = 1, state: State = State.ACTIVE
) -> ClassifiedFile:
    uses = [At(symbol=symbol, line=line, state=state) for line in range(1, n + 1)]
    return classified(facts_of(path, uses), ANSWERS)


def includes(path: str, name: str, state: State = State.ACTIVE) -> ClassifiedFile:
    include = Include(name=name, line=2, quoted=False, state=state)
    return classified(facts_of(path, includes=[include]), {})


def says(path: str, kind: Kind, value: str) -> EcosystemFacts:
    return EcosystemFacts(path=path, language=Language.CMAKE, signals=(Signal(kind, value, 7),))


def components(
    files: Sequence[ClassifiedFile] = (),
    ecosystem: Sequence[EcosystemFacts] = (),
    *,
    vendored: Collection[str] = (),
    tests: Collection[str] = (),
) -> dict[str, Component]:
    rows = find_components(files, ecosystem, vendored, TARGET, tests)
    assert len({row.name for row in rows}) == len(rows)
    return {row.name: row for row in rows}


@pytest.mark.parametrize(
    ("files", "ecosystem", "use"),
    [
        ([calls("a.cu")], [], "called"),
        ([includes("a.cu", "cudnn.h")], [], "header"),
        ([], [says("CMakeLists.txt", Kind.LINK, "cudnn")], "linked"),
        ([], [says("CMakeLists.txt", Kind.FIND, "CUDNN")], "linked"),
        ([includes("a.cu", "cudnn.h")], [says("Makefile", Kind.LINK, "cudnn")], "header"),
        (
            [includes("a.cu", "cudnn.h"), calls("b.cu")],
            [says("Makefile", Kind.LINK, "cudnn")],
            "called",
        ),
    ],
)
def test_the_strongest_use_of_a_library_stands(
    files: list[ClassifiedFile], ecosystem: list[EcosystemFacts], use: str
) -> None:
    found = components(files, ecosystem)["cuDNN"]
    assert (found.use, found.verdict, found.rocm) == (use, Verdict.REPLACED, "MIOpen")
    assert found.state is State.ACTIVE
    assert len(found.where) == len(files) + len(ecosystem)


def test_a_submodule_only_names_its_library() -> None:
    found = components((), [says(".gitmodules", Kind.SUBMODULE, "cutlass")])["CUTLASS and CuTe"]
    assert (found.use, found.uses) == ("named", 0)
    assert found.where == ((".gitmodules", 7),)


@pytest.mark.parametrize(
    ("kind", "value", "name"),
    [
        (Kind.REQUIREMENT, "nvidia-cudnn-cu12", "cuDNN"),
        (Kind.REQUIREMENT, "nvidia-dali-cuda120", "DALI"),
        (Kind.REQUIREMENT, "pynvml", "NVML in Python (pynvml)"),
        (Kind.SYSTEM_PACKAGE, "libcudnn8-dev", "cuDNN"),
        (Kind.SYSTEM_PACKAGE, "libcudnn9-dev-cuda-12", "cuDNN"),
        (Kind.SYSTEM_PACKAGE, "libcublas-dev-12-4", "cuBLAS"),
        (Kind.SYSTEM_PACKAGE, "libnccl2", "NCCL"),
        (Kind.SUBMODULE, "cudnn-frontend", "cuDNN frontend"),
        (Kind.IMAGE, "nvidia/cuda:12.4.1-devel-ubuntu22.04", "nvidia/cuda images"),
        (Kind.IMAGE, "nvcr.io/nvidia/tritonserver:24.05-py3", "Triton Inference Server"),
        (Kind.TOOL, "nsys", "Nsight Systems"),
        (Kind.ENVIRONMENT, "NCCL_DEBUG", "NCCL"),
        (Kind.CLUSTER_GPU, "nvidia.com/gpu", "Kubernetes nvidia.com/gpu"),
        (Kind.GPU_REQUEST, "--gpus all", "NVIDIA container toolkit"),
        (Kind.JOB_GPU, "--gres=gpu:4", "Slurm GPU request"),
    ],
)
def test_packages_and_images_name_a_library(kind: Kind, value: str, name: str) -> None:
    found = components(ecosystem=[says("requirements.txt", kind, value)])
    assert {key: row.use for key, row in found.items()} == {name: "named"}


def test_other_signals_name_no_library() -> None:
    assert components((), [says("Dockerfile", Kind.CI, "cudnn")]) == {}
    assert components((), [says("Makefile", Kind.LINK, "pthread")]) == {}


def test_device_code_unknown_names_and_unknown_components_are_no_components() -> None:
    files = [calls("a.cu", "__stcs"), calls("b.cu", "cudaMine"), calls("c.cu", "fooRun")]
    assert components(files) == {}


def test_a_library_that_only_tests_use_is_test_only() -> None:
    files = [calls("tests/a.cu", n=3)]
    assert components(files, tests={"tests/a.cu"})["cuDNN"].use == "test_only"
    files.append(includes("src/b.cu", "cudnn.h"))
    assert components(files, tests={"tests/a.cu"})["cuDNN"].use == "called"


def test_many_uses_in_tests_do_not_hide_one_in_the_program() -> None:
    files = [calls("a_tests/a.cu", n=50), calls("src/b.cu")]
    found = components(files, tests={"a_tests/a.cu"})["cuDNN"]
    assert found.use == "called"
    assert found.uses == 51
    assert len(found.where) == 20


def test_uses_count_active_ones_and_the_state_is_the_most_urgent() -> None:
    files = [calls("a.cu", state=State.VENDORED), calls("b.cu", state=State.PORTED)]
    found = components(files)["cuDNN"]
    assert (found.uses, found.state) == (0, State.PORTED)
    assert components([*files, calls("c.cu", n=2)])["cuDNN"].uses == 2


def test_third_party_headers_and_build_files_make_a_vendored_component() -> None:
    found = components(
        [includes("third_party/a.cu", "cudnn.h")],
        [says("third_party/CMakeLists.txt", Kind.LINK, "cudnn")],
        vendored={"third_party/a.cu", "third_party/CMakeLists.txt"},
    )["cuDNN"]
    assert found.state is State.VENDORED


def test_headers_of_hip_branches_and_of_nobody_count_for_nothing() -> None:
    assert components([includes("a.cu", "cudnn.h", State.HIP), includes("b.cu", "mine.h")]) == {}


def test_a_place_that_speaks_twice_is_listed_once() -> None:
    uses = [At(symbol="cudnnRun", line=4), At(symbol="cudnnRun", line=4)]
    found = components([classified(facts_of("a.cu", uses), ANSWERS)])["cuDNN"]
    assert (found.uses, found.where) == (2, (("a.cu", 4),))


def test_a_library_that_comes_after_the_target_is_later() -> None:
    libcudacxx = [includes("a.cu", "cuda/std/atomic")]
    assert components(libcudacxx)["libcu++"].verdict is Verdict.LATER


def test_a_part_of_a_library_is_told_apart_and_a_feature_beside_its_library() -> None:
    files = [
        classified(
            facts_of(
                "a.cu",
                [At(symbol="cusolverSpCreate", line=1), At(symbol="cudaGraphLaunch", line=2)],
            ),
            {
                "cusolverSpCreate": answer("cusolverSpCreate", Verdict.RENAMED, library="solver"),
                "cudaGraphLaunch": answer("cudaGraphLaunch", Verdict.RENAMED, library="runtime"),
            },
        )
    ]
    found = components(files)
    assert set(found) == {"cuSOLVER sparse (Sp)", "CUDA graphs", "CUDA runtime API"}
    assert {row.uses for row in found.values()} == {1}


def test_distinct_names_are_counted_and_those_the_target_lacks() -> None:
    uses = [
        At(symbol="cudnnRun", line=1),
        At(symbol="cudnnRun", line=2),
        At(symbol="cudnnNone", line=3),
    ]
    known = {**ANSWERS, "cudnnNone": answer("cudnnNone", Verdict.MISSING, library="dnn")}
    found = components([classified(facts_of("a.cu", uses), known)])["cuDNN"]
    assert (found.uses, found.names, found.cuda_only) == (3, 2, 1)


def test_an_import_is_a_use_and_one_of_the_trees_own_modules_is_none() -> None:
    found = components(
        ecosystem=[
            says("run.py", Kind.IMPORT, "cupy"),
            says("run.py", Kind.IMPORT, "apex"),
            says("apex/__init__.py", Kind.IMPORT, "torch"),
            says("tools/triton.py", Kind.IMPORT, "torch"),
            says("tools/run.py", Kind.IMPORT, "triton"),
        ]
    )
    assert {name: (row.use, row.uses) for name, row in found.items()} == {
        "CuPy": ("called", 1),
        "PyTorch": ("called", 2),
    }


def test_a_library_that_the_tree_builds_is_not_linked_from_elsewhere() -> None:
    build = says("CMakeLists.txt", Kind.TARGET, "faiss")
    assert components(ecosystem=[build, says("a/CMakeLists.txt", Kind.LINK, "faiss")]) == {}


def test_a_project_is_none_of_its_own_components() -> None:
    named = says("CMakeLists.txt", Kind.PROJECT, "Kokkos")
    found = components([includes("core/a.cpp", "Kokkos_Core.hpp")], [named])
    assert found == {}
    other = says("deep/third/CMakeLists.txt", Kind.PROJECT, "Kokkos")
    assert set(components([includes("a.cpp", "Kokkos_Core.hpp")], [other])) == {"Kokkos"}


def test_a_header_that_the_tree_holds_is_no_component() -> None:
    own = classified(facts_of("cpp/include/raft/core/detail/nvtx.hpp"), {})
    assert components([own, includes("a.cu", "raft/core/detail/nvtx.hpp")]) == {}


def test_what_a_component_has_on_rocm_comes_with_its_evidence() -> None:
    found = components(ecosystem=[says("Makefile", Kind.TOOL, "nvidia-smi")])["nvidia-smi"]
    assert (found.rocm, found.since) == ("amd-smi", "6.0")
    assert found.note
    assert found.evidence


def test_a_signal_of_a_hip_branch_is_no_use_and_a_ported_one_is_told() -> None:
    for state, states in ((State.HIP, []), (State.PORTED, [State.PORTED])):
        signal = Signal(Kind.LINK, "cudnn", 7, state)
        facts = EcosystemFacts(path="Makefile", language=Language.MAKE, signals=(signal,))
        found = components(ecosystem=[facts])
        assert [(row.state) for row in found.values()] == states
        assert not any(row.needed for row in found.values())


@pytest.mark.parametrize(
    ("files", "ecosystem", "tests", "needed"),
    [
        ([includes("a.cpp", "cudnn.h")], [], (), "header"),
        ([], [says("CMakeLists.txt", Kind.LINK, "cudnn")], (), "linked"),
        ([], [says("tests/CMakeLists.txt", Kind.LINK, "cudnn")], ("tests/CMakeLists.txt",), ""),
        ([calls("a.cu", state=State.VENDORED)], [], (), ""),
        (
            [calls("tests/a.cu")],
            [says("r.txt", Kind.REQUIREMENT, "nvidia-cudnn-cu12")],
            ("tests/a.cu",),
            "named",
        ),
    ],
)
def test_what_own_code_needs_leaves_tests_and_third_parties_out(
    files: list[ClassifiedFile],
    ecosystem: list[EcosystemFacts],
    tests: tuple[str, ...],
    needed: str,
) -> None:
    assert components(files, ecosystem, tests=tests)["cuDNN"].needed == needed


def test_fortran_calls_are_uses_and_its_kernels_show_the_language() -> None:
    signals = (
        Signal(Kind.FORTRAN_CALL, "cufftExecZ2Z", 3),
        Signal(Kind.FORTRAN_KERNEL, "push", 9),
        Signal(Kind.IMPORT, "cufft", 1),
    )
    facts = EcosystemFacts(path="a.F90", language=Language.FORTRAN, signals=signals)
    found = components(ecosystem=[facts])
    assert {name: (row.use, row.uses) for name, row in found.items()} == {
        "cuFFT": ("called", 2),
        "CUDA Fortran": ("called", 0),
    }


def test_an_option_of_the_hpc_compilers_shows_them_and_what_it_links() -> None:
    found = components(ecosystem=[says("Makefile", Kind.HPC_OPTION, "-cudalib=cufft,nccl")])
    assert set(found) == {"NVIDIA HPC compilers", "cuFFT", "NCCL"}
    assert set(components(ecosystem=[says("Makefile", Kind.HPC_OPTION, "-acc=gpu")])) == {
        "NVIDIA HPC compilers",
        "OpenACC",
    }


def test_in_a_package_an_import_is_not_of_the_neighbouring_file() -> None:
    found = components(
        ecosystem=[
            says("pkg/__init__.py", Kind.IMPORT, "torch"),
            says("pkg/triton.py", Kind.IMPORT, "triton"),
            says("tools/cupy.py", Kind.IMPORT, "torch"),
            says("tools/run.py", Kind.IMPORT, "cupy"),
        ]
    )
    assert set(found) == {"PyTorch", "Triton language"}


def test_the_package_that_a_project_installs_is_none_of_its_components() -> None:
    installs = says("src/config/KokkosConfig.cmake.in", Kind.FIND, "MPI")
    assert set(components([includes("a.cpp", "Kokkos_Core.hpp")], [installs])) == {"MPI"}
    other = says("cmake/CabanaConfig.cmakein", Kind.FIND, "Kokkos")
    assert set(components(ecosystem=[other])) == {"Kokkos"}


def test_gpus_asked_of_docker_in_ci_show_the_container_toolkit() -> None:
    found = components(ecosystem=[says(".github/workflows/a.yml", Kind.CI_GPU, "--gpus=all")])
    assert set(found) == {"NVIDIA container toolkit"}
    assert components(ecosystem=[says(".github/workflows/a.yml", Kind.CI_GPU, "a100")]) == {}


def condition(symbol: str, state: State = State.ACTIVE) -> Mark:
    return Mark(
        kind=MarkKind.CONDITIONAL,
        symbol=symbol,
        line=37,
        end_line=37,
        column=1,
        function="",
        side=Side.UNKNOWN,
        state=state,
        line_hash=0,
    )


def test_code_compiled_for_an_mpi_that_takes_gpu_memory_names_it() -> None:
    def named(*marks: Mark) -> set[tuple[str, str]]:
        file = classified(replace(facts_of("comm.c"), marks=marks), {})
        return {(name, row.use) for name, row in components([file]).items()}

    aware = "defined(HYPRE_USING_GPU_AWARE_MPI)"
    assert named(condition(aware)) == {("GPU-aware MPI", "named")}
    assert named(condition("defined(USE_CACHE_AWARE)"), condition(aware, State.HIP)) == set()
