"""Which driver a name belongs to, and how often each driver is counted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.estimate.coefficients import load_coefficients
from migrate.estimate.drivers import (
    HAZARD_KINDS,
    SITE_DRIVERS,
    DriverEvidence,
    count_drivers,
    driver_for,
    library_drivers,
    site_driver_of_name,
)
from migrate.model.verdict import Side, Verdict

HOST, DEVICE = Side.HOST, Side.DEVICE


@pytest.mark.parametrize(
    ("symbol", "driver"),
    [
        ("__shfl_down_sync", "warp_site"),
        ("__shfl", "warp_site"),
        ("__ballot_sync", "warp_site"),
        ("__any", "warp_site"),
        ("__match_any_sync", "warp_site"),
        ("__reduce_add_sync", "warp_site"),
        ("__activemask", "warp_site"),
        ("__syncwarp", "warp_site"),
        ("warpSize", "warp_site"),
        ("tex2D", "texture_site"),
        ("tex1Dfetch", "texture_site"),
        ("texCubemapLod", "texture_site"),
        ("surf2Dwrite", "texture_site"),
        ("cudaBindTexture2D", "texture_site"),
        ("texture", "texture_site"),
        ("cudaCreateTextureObject", "texture_site"),
        ("cooperative_groups::tiled_partition", "cooperative_groups_site"),
        ("cg::this_grid", "cooperative_groups_site"),
        ("nvcuda::wmma::mma_sync", "matrix_kernel"),
        ("nvcuda::wmma::*", "matrix_kernel"),
        ("wgmma.mma_async", "matrix_kernel"),
        ("ldmatrix.sync", "matrix_kernel"),
        ("asm", "ptx_block"),
        ("__asm__", "ptx_block"),
    ],
)
def test_name_drives_kernel_work_where_it_needs_a_person(symbol: str, driver: str) -> None:
    assert site_driver_of_name(symbol) == driver
    for verdict in Verdict:
        expected = "" if verdict.mechanical else driver
        assert driver_for("device", symbol, verdict, "builtin", DEVICE) == expected


@pytest.mark.parametrize(
    "symbol",
    ["cudaMalloc", "__syncthreads", "__anything", "texture_cache", "atomicAdd", "asmjit", "__popc"],
)
def test_other_names_drive_no_kernel_work(symbol: str) -> None:
    assert site_driver_of_name(symbol) is None


@pytest.mark.parametrize(
    ("library", "symbol", "verdict", "kind", "side", "driver"),
    [
        ("runtime", "cudaMalloc", Verdict.RENAMED, "function", HOST, "direct_reference"),
        ("runtime", "cudaError_t", Verdict.RENAMED, "data", HOST, "direct_reference"),
        ("nccl", "ncclAllReduce", Verdict.SAME, "function", HOST, "direct_reference"),
        ("device", "__syncthreads", Verdict.SAME, "builtin", DEVICE, ""),
        ("runtime", "<<<>>>", Verdict.SAME, "launch", HOST, ""),
        ("runtime", "cudaMemAdvise", Verdict.CHANGED, "function", HOST, "semantic_site"),
        ("device", "__CUDA_ARCH__", Verdict.CHANGED, "data", DEVICE, "semantic_site"),
        ("macros", "CUDART_VERSION", Verdict.CHANGED, "data", HOST, "semantic_site"),
        ("runtime", "cudaGraphConditionalHandleCreate", Verdict.MISSING, "function", HOST,
         "missing_api"),
        ("runtime", "cudaMemcpyBatchAsync", Verdict.LATER, "function", HOST, "missing_api"),
        ("", "cudaFrobnicate", Verdict.UNKNOWN, "", HOST, "missing_api"),
        ("runtime", "cudaDevAttrClusterLaunch", Verdict.MISSING, "data", HOST, "semantic_site"),
        ("dnn", "cudnnConvolutionForward", Verdict.REPLACED, "function", HOST, "partial_library"),
        ("dnn", "cudnnBackendExecute", Verdict.MISSING, "function", HOST, "missing_api"),
        ("nvml", "nvmlInit", Verdict.REPLACED, "family", HOST, "partial_library"),
        ("cupti", "cuptiActivityEnable", Verdict.REPLACED, "family", HOST, "profiler"),
        ("npp", "nppiResize_8u_C1R", Verdict.MISSING, "family", HOST, "no_counterpart"),
        ("runtime", "cudaSomething", Verdict.REPLACED, "function", HOST, "missing_api"),
        ("device", "__nanosleep", Verdict.MISSING, "builtin", DEVICE, "hazard_kind"),
        ("device", "__nv_fp8_e4m3", Verdict.CHANGED, "data", DEVICE, "hazard_kind"),
        ("rand", "curandStateXORWOW", Verdict.CHANGED, "data", DEVICE, "hazard_kind"),
        ("libcudacxx", "cuda::barrier", Verdict.MISSING, "data", DEVICE, "hazard_kind"),
        ("libcudacxx", "CCCL_VERSION", Verdict.CHANGED, "data", Side.UNKNOWN, "semantic_site"),
        ("libcudacxx", "cuda::std::*", Verdict.SAME, "family", DEVICE, "direct_reference"),
        ("device", "bar.sync", Verdict.MISSING, "asm", DEVICE, "ptx_block"),
    ],
)  # fmt: skip
def test_use_belongs_to_the_driver_that_prices_it(
    library: str, symbol: str, verdict: Verdict, kind: str, side: Side, *, driver: str
) -> None:
    assert driver_for(library, symbol, verdict, kind, side) == driver


def test_every_use_that_is_not_mechanical_has_a_priced_driver() -> None:
    priced = load_coefficients().drivers
    for verdict in Verdict:
        for kind in ("function", "data", "builtin", "member", "namespace", "family", "asm", ""):
            for side in Side:
                for library in ("runtime", "device", "dnn", "nccl", "npp", "cutlass", "?"):
                    driver = driver_for(library, "x", verdict, kind, side)
                    assert driver in priced or (verdict.mechanical and not driver)


def test_library_has_the_drivers_of_its_row() -> None:
    assert library_drivers("nccl") == ("drop_in_library", "communication")
    assert library_drivers("dnn") == ("partial_library",)
    assert library_drivers("runtime") == ()
    assert library_drivers("no such library") == ()


def test_code_without_active_use_drives_nothing() -> None:
    assert count_drivers(DriverEvidence(cuda_lines=9_000, kernels=12, test_files=40)) == {}


def test_every_project_carries_the_fixed_costs_once() -> None:
    assert count_drivers(DriverEvidence(active_uses=1)) == {
        "interface_fixed": 1,
        "kernel_fixed": 1,
        "ecosystem_fixed": 1,
        "test_triage": 1,
    }


def test_counts_follow_the_model() -> None:
    counts = count_drivers(
        DriverEvidence(
            active_uses=900,
            direct_references=650,
            sites={"semantic_site": 12, "warp_site": 20, "texture_site": 0},
            missing_apis=("cudaA", "cudaB", "cudaA"),
            cuda_lines=8_000,
            other_lines=4_000,
            cuda_units=60,
            other_units=20,
            kernels=80,
            hazard_kinds=("other",),
            matrix_kernels=("a", "b", "a"),
            matrix_families=("cutlass",),
            libraries=("blas", "rand", "dnn", "nccl", "cupti", "npp", "runtime", "blas"),
            build_systems=("cmake", "make"),
            test_files=60,
            packages=1,
        )
    )
    assert counts == {
        "interface_fixed": 1,
        "kernel_fixed": 1,
        "ecosystem_fixed": 1,
        "test_triage": 1,
        "direct_reference": 650,
        "semantic_site": 12,
        "warp_site": 20,
        "missing_api": 2,
        "gpu_kloc": 9.0,
        "translation_unit": 70,
        "hazard_kind": 3,
        "matrix_kernel": 2,
        "matrix_family": 1,
        "kernel_validated": 80,
        "hot_kernel": 8,
        "drop_in_library": 3,
        "partial_library": 1,
        "no_counterpart": 1,
        "profiler": 1,
        "communication": 1,
        "build_system": 2,
        "test_file": 60,
        "package": 1,
    }


@pytest.mark.parametrize(("kernels", "hot"), [(1, 1), (10, 1), (45, 4.5), (120, 12), (900, 12)])
def test_a_tenth_of_the_kernels_is_hot(kernels: int, hot: float) -> None:
    counts = count_drivers(DriverEvidence(active_uses=1, kernels=kernels))
    assert counts["hot_kernel"] == pytest.approx(hot)


def test_mpi_with_device_buffers_is_communication() -> None:
    counts = count_drivers(DriverEvidence(active_uses=1, gpu_aware_mpi=True))
    assert counts["communication"] == 1


def test_matrix_family_alone_is_a_hazard_kind() -> None:
    counts = count_drivers(DriverEvidence(active_uses=1, matrix_families=("cutlass",)))
    assert counts["hazard_kind"] == 1


def test_words_without_meaning_are_refused() -> None:
    with pytest.raises(ValueError, match="missing_api"):
        count_drivers(DriverEvidence(active_uses=1, sites={"missing_api": 1}))
    with pytest.raises(ValueError, match="gremlins"):
        count_drivers(DriverEvidence(active_uses=1, hazard_kinds=("gremlins",)))


@pytest.mark.property
@given(
    sites=st.dictionaries(st.sampled_from(SITE_DRIVERS), st.integers(0, 99)),
    kinds=st.lists(st.sampled_from(HAZARD_KINDS)),
    kernels=st.integers(0, 300),
)
def test_every_count_is_priced_and_above_zero(
    sites: dict[str, int], kinds: list[str], kernels: int
) -> None:
    evidence = DriverEvidence(
        active_uses=1, sites=sites, hazard_kinds=tuple(kinds), kernels=kernels
    )
    counts = count_drivers(evidence)
    assert set(counts) <= set(load_coefficients().drivers)
    assert all(n > 0 for n in counts.values())
    assert counts.get("hazard_kind", 0) <= len(HAZARD_KINDS)


@pytest.mark.parametrize(
    "name", ["cudaCreateTextureObject", "cudaDestroySurfaceObject", "cudaUnbindTexture"]
)
def test_a_texture_is_one_kind_of_work_from_its_making_to_its_end(name: str) -> None:
    assert site_driver_of_name(name) == "texture_site"
