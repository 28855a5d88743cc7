"""What ``resolve`` answers, name by name and release by release."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.knowledge.apis import load_tables
from migrate.knowledge.limits import limit_on
from migrate.knowledge.releases import known_releases, later_releases
from migrate.knowledge.resolve import resolve_rows
from migrate.knowledge.rows import ApiRow, parse_row
from migrate.model.resolution import Resolution
from migrate.model.target import CudaVersion, RocmRelease, Target
from migrate.model.verdict import Confidence, Flag, Verdict
from migrate.parse.vocabulary import load_vocabulary

PRODUCTION = "6.2 6.3 6.4 7.0 7.1 7.2 10.0 10.1 10.2"
PREVIEWS = "7.9 7.10 7.11 7.12 7.13 7.14"
EVERYWHERE = f"{PRODUCTION} {PREVIEWS}"


def resolve(
    name: str, rocm: str, cuda: str | None = None, arguments: int | None = None
) -> Resolution:
    target = Target(RocmRelease.parse(rocm), ("gfx942",), CudaVersion.parse(cuda) if cuda else None)
    return load_tables().resolve(name, target, arguments=arguments)


def answers(name: str, cuda: str | None = None) -> dict[str, tuple[str, str]]:
    """Verdict and HIP name on every known release."""
    found = {str(release): resolve(name, str(release), cuda) for release in known_releases()}
    return {rocm: (answer.verdict.value, answer.hip) for rocm, answer in found.items()}


def line(**parts: str) -> dict[str, str]:
    """``renamed="6.2 6.3"`` turned about: release to verdict."""
    return {rocm: verdict for verdict, releases in parts.items() for rocm in releases.split()}


def verdicts(name: str, cuda: str | None = None) -> dict[str, str]:
    return {rocm: verdict for rocm, (verdict, _) in answers(name, cuda).items()}


BEFORE_71 = "6.2 6.3 6.4 7.0"
FROM_71 = f"7.1 7.2 10.0 10.1 10.2 {PREVIEWS}"


def test_managed_memory_is_renamed_everywhere_with_a_note_on_page_migration() -> None:
    assert verdicts("cudaMallocManaged") == line(renamed=EVERYWHERE)
    for release in known_releases():
        answer = resolve("cudaMallocManaged", str(release))
        assert answer.hip == "hipMallocManaged"
        assert "XNACK" in answer.note


@pytest.mark.parametrize("name", ["cudaMemAdvise", "cuMemAdvise"])
def test_memory_advice_changes_its_meaning_in_10_2(name: str) -> None:
    before = f"{BEFORE_71} 7.1 7.2 10.0 10.1 {PREVIEWS}"
    for cuda in (None, "12", "12.9", "11.8"):
        assert verdicts(name, cuda) == line(renamed=before, changed="10.2")
        assert {hip for _, hip in answers(name, cuda).values()} == {"hipMemAdvise"}
    from_71 = f"7.1 7.2 10.0 10.1 {PREVIEWS}"
    assert verdicts(name, "13.0") == line(later=BEFORE_71, changed=from_71, renamed="10.2")
    thirteen = {rocm: hip for rocm, (_, hip) in answers(name, "13.2").items()}
    assert thirteen.pop("10.2") == "hipMemAdvise"
    assert set(thirteen.values()) == {"hipMemAdvise_v2"}
    assert resolve(name, "6.4", "13.0").better == RocmRelease(7, 1)


def test_masked_shuffle_sits_behind_a_macro_before_7_0() -> None:
    same = f"7.0 {FROM_71}"
    assert verdicts("__shfl_sync") == line(changed="6.2 6.3 6.4", same=same)
    assert "HIP_ENABLE_WARP_SYNC_BUILTINS" in resolve("__shfl_sync", "6.4").note
    assert resolve("__shfl_sync", "6.3").better == RocmRelease(7, 0)
    assert resolve("__shfl_sync", "7.0").better is None


@pytest.mark.parametrize(
    "name",
    [
        "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync", "__ballot_sync", "__any_sync",
        "__all_sync", "__match_any_sync", "__match_all_sync", "__activemask",
    ],
)  # fmt: skip
def test_the_other_warp_builtins_go_with_the_shuffle(name: str) -> None:
    assert verdicts(name) == verdicts("__shfl_sync")


@pytest.mark.parametrize("name", ["__reduce_add_sync", "__reduce_xor_sync", "__syncwarp"])
def test_warp_reductions_and_syncwarp_come_in_7_0(name: str) -> None:
    assert verdicts(name) == line(later="6.2 6.3 6.4", same=f"7.0 {FROM_71}")


def test_batched_copies_come_in_7_1_in_their_cuda_12_form() -> None:
    for cuda in (None, "12.8"):
        assert verdicts("cudaMemcpyBatchAsync", cuda) == line(later=BEFORE_71, renamed=FROM_71)
    assert verdicts("cudaMemcpyBatchAsync", "13.0") == line(later=BEFORE_71, changed=FROM_71)


def test_cudnn_is_replaced_by_miopen() -> None:
    assert answers("cudnnConvolutionForward") == dict.fromkeys(
        EVERYWHERE.split(), ("replaced", "miopenConvolutionForward")
    )


@pytest.mark.parametrize(
    "name",
    [
        "cudnnSetTensor4dDescriptor", "cudnnCreateFilterDescriptor", "cudnnPoolingForward",
        "cudnnConvolutionBackwardFilter", "cudnnGetConvolutionForwardAlgorithm_v7",
        "CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM", "CUDNN_TENSOR_OP_MATH",
    ],
)  # fmt: skip
def test_the_classic_interface_of_cudnn_is_replaced_whole(name: str) -> None:
    assert verdicts(name) == line(replaced=EVERYWHERE)


def test_the_dead_hipdnn_wrapper_is_never_named() -> None:
    for row in load_tables().all_rows():
        if row.library == "dnn" and row.hip:
            assert row.hip.lower().startswith("hipdnn")
            assert row.since == (RocmRelease(10, 0),)
            assert row.verdict is Verdict.CHANGED


def test_beta_interfaces_are_flagged_and_released_ones_are_not() -> None:
    assert Flag.EXPERIMENTAL in resolve("cudnnBackendCreateDescriptor", "10.0").flags
    assert Flag.EXPERIMENTAL not in resolve("cudnnBackendCreateDescriptor", "7.2").flags
    assert resolve("cudaMemPrefetchBatchAsync", "10.0").flags == ()


def test_names_that_rocm_keeps_are_the_same() -> None:
    assert verdicts("ncclAllReduce") == line(same=EVERYWHERE)
    assert verdicts("__syncthreads") == line(same=EVERYWHERE)
    assert verdicts("cooperative_groups::tiled_partition") == line(same=EVERYWHERE)
    assert verdicts("cub::DeviceReduce::Sum") == line(renamed=EVERYWHERE)
    assert resolve("cub::DeviceReduce::Sum", "7.2").hip == "hipcub::DeviceReduce::Sum"


@pytest.mark.parametrize(
    ("name", "arguments", "verdict", "hip"),
    [
        ("cudaMemPrefetchAsync", None, "renamed", "hipMemPrefetchAsync"),
        ("cudaMemPrefetchAsync", 3, "renamed", "hipMemPrefetchAsync"),
        ("cudaMemPrefetchAsync", 5, "changed", "hipMemPrefetchAsync_v2"),
        ("cuMemPrefetchAsync", 5, "changed", "hipMemPrefetchAsync_v2"),
        ("cudaMemcpyBatchAsync", 9, "renamed", "hipMemcpyBatchAsync"),
        ("cudaMemcpyBatchAsync", 8, "changed", "hipMemcpyBatchAsync"),
        ("cudaMemcpy3DBatchAsync", 4, "changed", "hipMemcpy3DBatchAsync"),
        ("cudaGraphAddDependencies", 4, "renamed", "hipGraphAddDependencies"),
        ("cudaGraphAddDependencies", 5, "changed", "hipGraphAddDependencies"),
        ("cuGraphGetEdges", 5, "changed", "hipGraphGetEdges"),
        ("cuCtxCreate", 3, "renamed", "hipCtxCreate"),
        ("cuCtxCreate", 4, "changed", "hipCtxCreate"),
        ("cudaStreamGetCaptureInfo", 3, "renamed", "hipStreamGetCaptureInfo"),
        ("cudaStreamGetCaptureInfo", 6, "renamed", "hipStreamGetCaptureInfo_v2"),
        ("cudaStreamGetCaptureInfo", 7, "changed", "hipStreamGetCaptureInfo_v2"),
        ("cuStreamGetCaptureInfo", 6, "changed", "hipStreamGetCaptureInfo_v2"),
        ("cuGetProcAddress", 4, "changed", "hipGetProcAddress"),
        ("cuGetProcAddress", 5, "renamed", "hipGetProcAddress"),
        ("cudaGraphCreate", 2, "renamed", "hipGraphCreate"),
        ("cudaGraphInstantiate", None, "renamed", "hipGraphInstantiateWithFlags"),
        ("cudaGraphInstantiate", 2, "changed", "hipGraphInstantiateWithFlags"),
        ("cudaGraphInstantiate", 3, "renamed", "hipGraphInstantiateWithFlags"),
        ("cudaGraphInstantiate", 5, "renamed", "hipGraphInstantiate"),
        ("cudaGraphExecUpdate", 3, "changed", "hipGraphExecUpdate"),
        ("cudaGraphExecUpdate", 4, "renamed", "hipGraphExecUpdate"),
        ("cudaEventCreate", 1, "renamed", "hipEventCreate"),
        ("cudaEventCreate", 2, "renamed", "hipEventCreateWithFlags"),
        ("cudaLaunchCooperativeKernel", 4, "changed", "hipLaunchCooperativeKernel"),
        ("cudaLaunchCooperativeKernel", 6, "renamed", "hipLaunchCooperativeKernel"),
        ("cuOccupancyMaxPotentialBlockSize", 6, "changed", None),
        ("cudaMalloc", 7, "renamed", "hipMalloc"),
    ],
)
def test_the_number_of_arguments_tells_the_form(
    name: str, arguments: int | None, verdict: str, hip: str | None
) -> None:
    answer = resolve(name, "7.2", arguments=arguments)
    assert answer.verdict.value == verdict
    assert hip is None or answer.hip == hip


def test_a_stated_cuda_version_wins_over_the_number_of_arguments() -> None:
    assert resolve("cudaMemPrefetchAsync", "7.2", "13.0", 4).hip == "hipMemPrefetchAsync_v2"
    assert resolve("cudaMemcpyBatchAsync", "7.2", "12.8", 8).verdict is Verdict.RENAMED
    assert resolve("cudaStreamGetCaptureInfo", "7.2", "13.0").verdict is Verdict.CHANGED
    assert resolve("cudaStreamGetCaptureInfo", "7.2", "13.0", 3).verdict is Verdict.RENAMED


def test_the_signatures_of_cuda_11_are_told_from_those_of_cuda_12() -> None:
    assert resolve("cudaGraphInstantiate", "7.2", "11.8").hip == "hipGraphInstantiate"
    assert resolve("cudaGraphExecUpdate", "7.2", "11.8").verdict is Verdict.RENAMED
    assert resolve("cudaGraphExecUpdate", "7.2", "12.0").verdict is Verdict.CHANGED
    assert resolve("cuGetProcAddress", "7.2", "11.8").verdict is Verdict.CHANGED


def test_struct_members_are_compared_field_by_field() -> None:
    assert resolve("cudaDeviceProp::multiProcessorCount", "7.2").verdict is Verdict.SAME
    renamed = resolve("cudaDeviceProp::deferredMappingCudaArraySupported", "7.2")
    assert renamed.verdict is Verdict.RENAMED
    assert renamed.hip.endswith("::deferredMappingHipArraySupported")
    assert resolve("cudaDeviceProp::unifiedAddressing", "7.2").verdict is Verdict.CHANGED
    gone = [
        name
        for name in load_tables().members_of("cudaDeviceProp")
        if Flag.REMOVED_IN_CUDA in resolve(f"cudaDeviceProp::{name}", "7.2", "13.0").flags
    ]
    assert len(gone) == 8
    assert "clockRate" in gone


def test_swapped_arguments_of_cuda_13_are_a_change() -> None:
    name = "cudaGraphKernelNodeCopyAttributes"
    assert resolve(name, "7.2", "12.9").verdict is Verdict.RENAMED
    assert resolve(name, "7.2", "13.0").verdict is Verdict.CHANGED
    assert resolve("cuGraphKernelNodeCopyAttributes", "7.2", "12.9").verdict is Verdict.CHANGED


def test_a_name_gone_from_cuda_is_flagged_for_the_versions_that_lack_it() -> None:
    name = "cudaLaunchCooperativeKernelMultiDevice"
    stale = resolve(name, "7.2", "13.0")
    assert stale.verdict is Verdict.RENAMED
    assert Flag.REMOVED_IN_CUDA in stale.flags
    fresh = resolve(name, "7.2", "12.4")
    assert fresh.flags == (Flag.DEPRECATED,)


def test_library_versions_are_not_taken_for_cuda_versions() -> None:
    for row in load_tables().all_rows():
        if row.library in {"dnn", "tensor", "sparselt", "file"} and row.cuda_removed:
            answer = resolve(row.name, "7.2", "12.9")
            assert Flag.REMOVED_IN_CUDA not in answer.flags, row.name


@pytest.mark.parametrize(
    "name",
    [
        "__nanosleep", "__dp4a", "__vadd4", "__vcmpgtu2", "__fadd_rd", "__dsqrt_ru", "__trap",
        "atomicAdd_block", "atomicCAS_block", "cudaGraphConditionalHandleCreate", "__stcs",
    ],
)  # fmt: skip
def test_what_the_headers_of_7_2_lack_is_missing_for_certain(name: str) -> None:
    for rocm in ("6.2", "7.1", "7.2"):
        answer = resolve(name, rocm)
        assert answer.verdict is Verdict.MISSING
        assert answer.confidence is Confidence.CERTAIN
        assert answer.better is None


def test_missing_on_a_release_newer_than_the_knowledge_is_unconfirmed() -> None:
    cells = ["__dp4a", "builtin", *[""] * 16, "2026-01", "hip-headers-7.2.4", ""]
    row = parse_row("device", cells)
    answer = resolve_rows("__dp4a", (row,), Target(RocmRelease(10, 2), ("gfx942",)), None)
    assert answer.verdict is Verdict.MISSING
    assert answer.flags == (Flag.UNCONFIRMED,)
    assert answer.confidence is Confidence.POSSIBLE


def test_a_claim_from_before_the_release_is_older_unless_the_symbols_settle_it() -> None:
    def row(library: str, name: str, hip: str, since: str) -> ApiRow:
        cells = [name, "function", hip, "", since, *[""] * 13, "2024-10", "hipify-2024-10", ""]
        return parse_row(library, cells)

    def older(row: ApiRow, rocm: str) -> bool:
        answer = resolve_rows(row.name, (row,), Target(RocmRelease.parse(rocm), ("gfx942",)), None)
        assert answer.as_of == "2024-10"
        return answer.older

    declared = row("runtime", "cudaMalloc", "hipMalloc", "1.5")
    absent = row("driver", "cuMulticastCreate", "", "")
    to_come = row("driver", "cuGreenCtxCreate", "hipGreenCtxCreate", "10.0")
    unlisted = row("device", "__shfl", "__shfl", "1.6")
    assert [older(one, "7.2") for one in (declared, absent, to_come)] == [False] * 3
    assert [older(one, "10.2") for one in (declared, absent)] == [True] * 2
    assert (older(unlisted, "6.3"), older(unlisted, "7.2")) == (False, True)


def test_rocms_own_way_ends_where_its_row_ends() -> None:
    def row(until: str, roc: str, since: str) -> ApiRow:
        cells = ["cudnnX", "function", "", "", "", until, "", "", "", roc, since, *[""] * 7]
        return parse_row("dnn", [*cells, "2026-10", "rocm-changelog", ""])

    def on(rocm: str, *rows: ApiRow) -> tuple[str, str]:
        answer = resolve_rows("cudnnX", rows, Target(RocmRelease.parse(rocm), ("gfx942",)), None)
        return answer.verdict.value, answer.hip

    graph, follower = row("7.13", "miopenX", "6.2"), row("", "hipdnnX", "10.0")
    for rocm in ("6.2", "7.2", "7.9", "7.12"):
        assert on(rocm, graph) == on(rocm, graph, follower) == ("replaced", "miopenX")
    for rocm in ("7.13", "7.14"):
        assert on(rocm, graph) == ("missing", "")
        assert on(rocm, graph, follower) == ("later", "hipdnnX")
    for rocm in ("10.0", "10.2"):
        assert on(rocm, graph) == ("missing", "")
        assert on(rocm, graph, follower) == ("replaced", "hipdnnX")


def test_a_change_without_a_name_is_no_unconfirmed_name() -> None:
    for name in ("__CUDA_NO_HALF2_OPERATORS__", "CUBLAS_VERSION", "CURAND_H_", "NVTX_DISABLE"):
        answer = resolve(name, "7.2")
        assert (answer.verdict, answer.flags) == (Verdict.CHANGED, ()), name
        assert answer.note


def test_a_replacement_is_likely_where_only_its_name_was_not_seen() -> None:
    answer = resolve("nvvmCompileProgram", "7.2")
    assert (answer.verdict, answer.hip) == (Verdict.REPLACED, "amd_comgr_do_action")
    assert (answer.confidence, answer.flags) == (Confidence.LIKELY, ())
    assert resolve("nvmlInit_v2", "10.0").confidence is Confidence.CERTAIN
    twin = resolve("nvcompBatchedLZ4CompressAsync", "7.2")
    assert (twin.verdict, twin.flags) == (Verdict.CHANGED, (Flag.UNCONFIRMED,))


def test_jit_options_are_taken_and_ignored() -> None:
    for name in ("CU_JIT_MAX_REGISTERS", "cudaJitMaxRegisters", "CU_PREFER_PTX"):
        answer = resolve(name, "7.2")
        assert answer.verdict is Verdict.CHANGED, name
        assert "ignores" in answer.note
    assert resolve("CU_JIT_OPTIMIZATION_LEVEL", "7.2").verdict is Verdict.RENAMED
    assert resolve("CU_JIT_INPUT_PTX", "7.2").verdict is Verdict.CHANGED
    assert resolve("CUjit_fallback", "7.2").hip == "hipJitFallback"


def test_what_the_headers_of_hipblaslt_lack_is_missing_for_certain() -> None:
    answer = resolve("cublasLtMatmulAlgoConfigGetAttribute", "7.2")
    assert (answer.verdict, answer.flags) == (Verdict.MISSING, ())


def test_missing_is_certain_where_the_symbols_of_the_release_lack_it() -> None:
    assert resolve("cudaDeviceFlushGPUDirectRDMAWrites", "10.0").flags == ()
    assert resolve("cudaDeviceFlushGPUDirectRDMAWrites", "10.1").flags == (Flag.UNCONFIRMED,)


def test_missing_is_certain_where_the_change_log_names_no_such_thing() -> None:
    assert resolve("cudaGraphConditionalHandleCreate", "10.2").flags == ()
    assert "conditional" in resolve("cudaGraphConditionalHandleCreate", "10.2").note


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("cudaLaunchKernelExC", "7.0"),
        ("cudaStreamGetId", "7.1"),
        ("cudaMemcpy3DPeerAsync", "7.1"),
        ("cudaStreamGetAttribute", "7.1"),
        ("cudaMemAdvise_v2", "7.1"),
        ("cudaMemPrefetchAsync_v2", "7.1"),
        ("cudaEventRecordWithFlags", "6.4"),
        ("cudaInitDevice", "10.1"),
        ("cudaGreenCtxCreate", "7.14"),
        ("cuKernelGetParamInfo", "7.11"),
        ("cuLibraryLoadData", "7.1"),
    ],
)
def test_names_that_came_late_are_later_before_and_renamed_after(name: str, first: str) -> None:
    since = RocmRelease.parse(first)
    expected = {str(r): "renamed" if r.has(since) else "later" for r in known_releases()}
    assert verdicts(name) == expected


def test_a_call_that_a_release_declares_wrongly_is_changed_there() -> None:
    name = "cudaDeviceGetTexture1DLinearMaxWidth"
    renamed = f"7.0 {FROM_71}"
    assert verdicts(name) == line(later="6.2 6.3", changed="6.4", renamed=renamed)


@pytest.mark.parametrize("name", ["cuLinkCreate", "cuLinkComplete", "cuLinkDestroy"])
def test_linking_returns_the_runtimes_errors_from_6_4(name: str) -> None:
    assert resolve(name, "6.3").verdict is Verdict.CHANGED
    assert resolve(name, "6.4").hip == name.replace("cu", "hip", 1)


@pytest.mark.parametrize(
    ("name", "hip"),
    [
        ("CUgreenCtx", "hipExecutionCtx_t"),
        ("cuGreenCtxStreamCreate", "hipExecutionCtxStreamCreate"),
        ("CUevent_flags", "unsigned int"),
        ("CU_EVENT_WAIT_EXTERNAL", "hipEventWaitExternal"),
        ("CUDA_ARRAY3D_2DARRAY", "hipArrayLayered"),
        ("CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION", "hipLaunchAttributeClusterDimension"),
    ],
)
def test_driver_names_have_counterparts_under_other_names(name: str, hip: str) -> None:
    assert resolve(name, "10.0").hip == hip


def test_an_attribute_that_is_declared_and_not_answered_is_changed() -> None:
    answer = resolve("cudaDevAttrMaxTexture2DLayeredWidth", "7.2")
    assert answer.verdict is Verdict.CHANGED
    assert "hipErrorInvalidValue" in answer.note


def test_what_came_in_a_preview_is_there_for_production_from_10_0() -> None:
    answer = resolve("cudaGreenCtxCreate", "7.2")
    assert answer.verdict is Verdict.LATER
    assert answer.better == RocmRelease(10, 0)
    assert resolve("cudaGreenCtxCreate", "7.13").better == RocmRelease(7, 14)


def test_bfloat16_types_become_the_header_type_with_two_underscores() -> None:
    assert resolve("nv_bfloat16", "7.2").hip == "__hip_bfloat16"
    assert resolve("nv_bfloat162", "7.2").hip == "__hip_bfloat162"
    assert resolve("__nv_bfloat16", "7.2").hip == "__hip_bfloat16"


def test_fp8_type_is_renamed_where_the_gpu_computes_as_nvidia_does() -> None:
    assert resolve("__nv_fp8_e4m3", "6.2").hip == "__hip_fp8_e4m3_fnuz"
    for gfx, verdict in (("gfx950", "renamed"), ("gfx1201", "renamed"), ("gfx942", "changed")):
        answer = load_tables().resolve("__nv_fp8_e4m3", Target(RocmRelease(7, 2), (gfx,)))
        assert (answer.verdict.value, answer.hip) == (verdict, "__hip_fp8_e4m3")


@pytest.mark.parametrize("name", ["tex2D", "tex1Dfetch", "surf2Dwrite", "texCubemap"])
def test_image_functions_are_missing_on_gpus_without_image_instructions(name: str) -> None:
    with_images = Target(RocmRelease(7, 2), ("gfx1100",))
    without = Target(RocmRelease(7, 2), ("gfx942:xnack+",))
    both = Target(RocmRelease(7, 2), ("gfx1100", "gfx942"))
    usual = Verdict.CHANGED if name.startswith("surf") else Verdict.SAME
    assert load_tables().resolve(name, with_images).verdict is usual
    for target in (without, both):
        answer = load_tables().resolve(name, target)
        assert answer.verdict is Verdict.MISSING
        assert answer.better is None
        assert answer.hip == ""
        assert len(answer.evidence) >= 2


@pytest.mark.parametrize(
    ("name", "without", "with_it"),
    [
        ("nvcuda::wmma::mma_sync", "gfx906 gfx1030", "gfx908 gfx942 gfx1100 gfx1201 gfx1250"),
        ("cutensorContract", "gfx906 gfx1030", "gfx90a gfx942 gfx1100"),
        ("cublasLtMatmul", "gfx906 gfx1030 gfx1102", "gfx90a gfx942 gfx1100 gfx1201"),
        ("cusparseLtMatmul", "gfx906 gfx90a gfx1100 gfx1201", "gfx942 gfx950"),
    ],
)
def test_a_library_that_is_not_built_for_the_gpu_is_missing_there(
    name: str, without: str, with_it: str
) -> None:
    for gfx in without.split():
        answer = load_tables().resolve(name, Target(RocmRelease(7, 2), (gfx,)))
        assert (answer.verdict, answer.hip) == (Verdict.MISSING, ""), gfx
        assert answer.note
    for gfx in with_it.split():
        answer = load_tables().resolve(name, Target(RocmRelease(7, 2), (gfx,)))
        assert answer.verdict in {Verdict.RENAMED, Verdict.CHANGED}, gfx


@pytest.mark.parametrize("name", ["half", "half2", "__half", "__half2"])
def test_half_is_a_type_of_both(name: str) -> None:
    assert load_tables().knows(name)
    assert verdicts(name) == line(same=EVERYWHERE)


def test_the_clock_is_unsteady_on_gfx11_only() -> None:
    for gfx, verdict in (("gfx1100", Verdict.CHANGED), ("gfx942", Verdict.SAME)):
        target = Target(RocmRelease(7, 2), (gfx,))
        assert load_tables().resolve("clock64", target).verdict is verdict


def test_cache_hint_loads_exist_for_half_types_only() -> None:
    assert resolve("__ldcs", "7.2").verdict is Verdict.CHANGED
    assert resolve("__ldg", "7.2").verdict is Verdict.SAME


def test_driver_copy_without_a_kind_is_a_change() -> None:
    answer = resolve("cuMemcpyAsync", "7.2")
    assert answer.verdict is Verdict.CHANGED
    assert "kind" in answer.note


def test_every_text_may_be_asked_for() -> None:
    tables = load_tables()
    for pattern in tables.families:
        stem = pattern[:-1]
        assert tables.rows_of(stem)
        for name in (stem[:-1], stem[:1], f"{stem}*", f"{stem}\u00e9", ""):
            assert isinstance(tables.knows(name), bool)


def test_own_rows_win_over_families_and_longer_families_over_shorter() -> None:
    tables = load_tables()
    for pattern in tables.families:
        member = f"{pattern[:-1]}_zz"
        longest = max(
            (family for family in tables.families if member.startswith(family[:-1])), key=len
        )
        assert {row.name for row in tables.rows_of(member)} == {longest}
    assert {row.name for row in tables.rows_of("cub::DeviceReduce::TransformReduce")} != {"cub::*"}
    assert tables.rows_of("zz") == ()


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("nvtxNewThing", "nvtx*"), ("nvmlNewThing_v9", "nvml*"), ("nvml_t", "nvml*"),
        ("nvjpegEncoderState_t", "nvjpegEncoder*"), ("nvjpegNewThing", "nvjpeg*"),
        ("nvcompBatchedNew", "nvcomp*"), ("cuvidNewThing", "cuvid*"), ("Npp8u", "Npp*"),
        ("NvEncodeAPICreateInstance", "NvEncodeAPI*"), ("optix7", "optix*"),
        ("cublasXtSgemm", "cublasXt*"), ("ncclNet_v8_t", "ncclNet_v*"),
        ("cub::DispatchReduce", "cub::Dispatch*"), ("CUTLASS_ASSERT", "CUTLASS_*"),
    ],
)  # fmt: skip
def test_a_family_answers_for_names_that_no_row_has(name: str, family: str) -> None:
    assert {row.name for row in load_tables().rows_of(name)} == {family}
    assert load_tables().knows(name)


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("cuMemAlloc_v2_params", "cu*_params"),
        ("cuInit_params", "cu*_params"),
        ("cudaMalloc_v3020_params", "cuda*_params"),
        ("cudaMemcpyAsync_ptsz_v7000_params", "cuda*_params"),
    ],
)
def test_a_family_may_be_known_by_its_ending(name: str, family: str) -> None:
    assert {row.name for row in load_tables().rows_of(name)} == {family}
    assert load_tables().knows(name)
    assert load_vocabulary().formed({name.encode()}) == ({name.encode()}, set())


@pytest.mark.parametrize(
    "name",
    [
        "cuda_params",
        "cu_params",
        "_params",
        "curve_params",
        "cudaD_set_bias_params",
        "cuMine_params",
    ],
)
def test_the_ending_of_a_project_s_own_name_makes_no_family(name: str) -> None:
    assert not load_tables().knows(name)
    assert load_vocabulary().formed({name.encode()})[0] == set()


@pytest.mark.parametrize(
    "name",
    [
        "nvtxs", "nvtxspeed", "cuptiles", "optixels", "nppicture", "dcgmx", "nvvmem", "nvmlx",
        "cuvideo", "cuOptions", "daliance", "nvcompare", "ncclEpoch", "Nppx", "nvEncoder",
    ],
)  # fmt: skip
def test_a_family_ends_at_the_end_of_its_word(name: str) -> None:
    assert not load_tables().knows(name)
    assert resolve(name, "7.2").verdict is Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("name", "library"),
    [
        ("cublasSgemm", "blas"), ("cublasLtMatmul", "blaslt"), ("CUBLASLT_ORDER_COL", "blaslt"),
        ("cublasXtSgemm", "blasxt"), ("CUDA_R_16F", "runtime"), ("cudaDataType_t", "runtime"),
        ("cusolverDnSgetrf", "solver"), ("cusolverMgGetrf", "solvermg"),
        ("CUDALIBMG_GRID_MAPPING_COL_MAJOR", "solvermg"), ("cusolverMpCreate", "solvermp"),
        ("cutensorContract", "tensor"), ("cutensorMgCreate", "tensormg"),
        ("cusparseLtMatmul", "sparselt"), ("cusparseSpMV", "sparse"),
        ("__CUDACC__", "macros"), ("CUDART_VERSION", "macros"), ("__CUDA_ARCH__", "macros"),
    ],
)  # fmt: skip
def test_a_part_of_a_library_with_its_own_file_is_a_library_of_its_own(
    name: str, library: str
) -> None:
    assert resolve(name, "7.2").library == library


@pytest.mark.parametrize(
    "name",
    ["cudaFuncSetAttribute", "cudaFuncGetAttributes", "cudaFuncSetCacheConfig",
     "cudaFuncSetSharedMemConfig"],
)  # fmt: skip
def test_a_kernel_that_hip_wants_cast_is_no_mere_rename(name: str) -> None:
    answer = resolve(name, "7.2")
    assert answer.verdict is Verdict.CHANGED
    assert "cast the kernel" in answer.note


@pytest.mark.parametrize(
    "name",
    ["cudaMemcpyToSymbol", "cudaGetSymbolAddress", "cudaLaunchCooperativeKernel",
     "cudaOccupancyMaxActiveBlocksPerMultiprocessor", "cudaOccupancyMaxPotentialBlockSize"],
)  # fmt: skip
def test_a_call_for_which_hip_has_a_template_is_a_rename(name: str) -> None:
    assert resolve(name, "7.2").verdict is Verdict.RENAMED


@pytest.mark.parametrize(
    "name",
    ["cudaGridDependencySynchronize", "cudaTriggerProgrammaticLaunchCompletion",
     "cudaLaunchAttributeProgrammaticStreamSerialization",
     "CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION"],
)  # fmt: skip
def test_programmatic_dependent_launch_is_missing_and_the_reason_is_given(name: str) -> None:
    answer = resolve(name, "7.2")
    assert (answer.verdict, answer.confidence) == (Verdict.MISSING, Confidence.CERTAIN)
    assert "programmatic dependent launch" in answer.note
    # The headers of the host side were read up to 10.2, those of the device side up to 10.0.
    on_the_device = not name.startswith(("cudaLaunch", "CU_LAUNCH"))
    assert (Flag.UNCONFIRMED in resolve(name, "10.1").flags) is on_the_device


def test_builtins_of_the_nvptx_compiler_are_missing() -> None:
    assert resolve("__nvvm_get_smem_pointer", "7.2").verdict is Verdict.MISSING


def test_the_width_of_a_wavefront_keeps_its_meaning_and_is_no_constant_from_7_0() -> None:
    for rocm in ("6.4", "7.0", "7.2", "10.2"):
        assert resolve("warpSize", rocm).verdict is Verdict.SAME
    assert "constant" not in resolve("warpSize", "6.4").note
    assert "no constant expression" in resolve("warpSize", "7.0").note


def test_names_of_tensor_maps_are_all_as_certain_on_every_release() -> None:
    names = [
        name
        for name in load_tables().names
        if name.startswith(("CU_TENSOR_MAP_", "CUtensorMap", "cuTensorMap"))
    ]
    assert len(names) > 50
    for release in known_releases():
        for name in names:
            answer = resolve(name, str(release))
            assert (answer.verdict, answer.flags) == (Verdict.MISSING, ()), name


@pytest.mark.parametrize(
    "name",
    ["cudaCreateTextureObject", "cudaDestroyTextureObject", "cudaBindTexture2D",
     "cudaCreateSurfaceObject", "cudaMallocArray", "cuTexObjectCreate", "cuArrayCreate_v2"],
)  # fmt: skip
def test_texture_and_array_calls_fail_where_images_are_missing(name: str) -> None:
    release = RocmRelease(7, 2)
    for arch, verdict in (("gfx942", Verdict.MISSING), ("gfx90a", Verdict.RENAMED)):
        answer = load_tables().resolve(name, Target(release, (arch,)))
        assert answer.verdict is verdict
    assert resolve("cudaTextureObject_t", "7.2").verdict is Verdict.RENAMED


@pytest.mark.parametrize(
    ("name", "verdict", "hip"),
    [
        ("cudaLaunchAttribute::id", Verdict.SAME, "hipLaunchAttribute::id"),
        ("cudaLaunchAttribute::val", Verdict.SAME, "hipLaunchAttribute::val"),
        ("cudaPitchedPtr::xsize", Verdict.SAME, "hipPitchedPtr::xsize"),
        ("CUDA_MEMCPY2D::WidthInBytes", Verdict.SAME, "hip_Memcpy2D::WidthInBytes"),
        ("CUmemAllocationProp::requestedHandleTypes", Verdict.RENAMED,
         "hipMemAllocationProp::requestedHandleType"),
        ("CUDA_KERNEL_NODE_PARAMS::gridDimX", Verdict.CHANGED, "hipKernelNodeParams::gridDim"),
        ("cudaLaunchAttributeValue::programmaticStreamSerializationAllowed", Verdict.MISSING, ""),
    ],
)  # fmt: skip
def test_a_member_is_judged_where_its_struct_maps(name: str, verdict: Verdict, hip: str) -> None:
    answer = resolve(name, "7.2")
    assert (answer.verdict, answer.hip) == (verdict, hip)


def test_unknown_names_get_close_ones() -> None:
    answer = resolve("cudaMaloc", "7.2")
    assert answer.verdict is Verdict.UNKNOWN
    assert answer.near[0] == "cudaMalloc"
    assert resolve("zzzz", "7.2").near == ()


def test_every_answer_has_evidence() -> None:
    for name in ("cudaMalloc", "cublasSgemm", "cufftExecC2C", "cusparseSpMV", "curand_init"):
        answer = resolve(name, "7.2")
        assert answer.evidence
        assert all(source.title and source.as_of for source in answer.evidence)


NAMES = sorted(load_tables().names)
targets = st.builds(
    Target,
    st.sampled_from(known_releases()),
    st.just(("gfx942",)),
    st.one_of(
        st.none(), st.sampled_from([CudaVersion(11, 8), CudaVersion(12, 9), CudaVersion(13)])
    ),
)


@pytest.mark.property
@given(st.sampled_from(NAMES), targets)
def test_better_is_the_first_later_release_with_a_better_verdict(name: str, target: Target) -> None:
    answer = load_tables().resolve(name, target)
    if limit_on(name, target.archs):
        return
    for later in later_releases(target.rocm):
        there = load_tables().resolve(name, Target(later, target.archs, target.cuda))
        if there.verdict.rank < answer.verdict.rank and not answer.verdict.mechanical:
            assert answer.better == later
            return
    assert answer.better is None


@pytest.mark.property
@given(st.sampled_from(NAMES), targets)
def test_later_means_that_a_later_release_has_it(name: str, target: Target) -> None:
    answer = load_tables().resolve(name, target)
    if answer.verdict is Verdict.LATER:
        assert answer.better is not None
        assert answer.hip
        assert answer.since is not None
        assert not target.rocm.has(answer.since)


@pytest.mark.property
@given(st.sampled_from(NAMES), targets, st.integers(0, 12))
def test_a_known_name_is_never_unknown_and_uncertainty_shows(
    name: str, target: Target, arguments: int
) -> None:
    answer = load_tables().resolve(name, target, arguments=arguments)
    assert answer.verdict is not Verdict.UNKNOWN
    assert (Flag.UNCONFIRMED in answer.flags) == (answer.confidence is Confidence.POSSIBLE)
    assert bool(answer.hip) == (answer.verdict is not Verdict.MISSING) or not answer.hip
