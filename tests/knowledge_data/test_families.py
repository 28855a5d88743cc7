"""What the tables answer for the libraries that HIPIFY's tables leave out."""

from __future__ import annotations

import csv

import pytest

from migrate.knowledge.apis import load_tables, table_keys
from migrate.knowledge.components import known_components
from migrate.knowledge.files import data_path
from migrate.knowledge.headers import resolve_header
from migrate.knowledge.releases import known_releases
from migrate.model.resolution import Resolution
from migrate.model.target import RocmRelease, Target
from migrate.model.verdict import Flag, Verdict

PRODUCTION = "6.2 6.3 6.4 7.0 7.1 7.2 10.0 10.1 10.2"


def target(rocm: str) -> Target:
    return Target(RocmRelease.parse(rocm), ("gfx942",))


def resolve(name: str, rocm: str = "7.2") -> Resolution:
    return load_tables().resolve(name, target(rocm))


def verdicts(name: str) -> dict[str, str]:
    """The verdict on every production release."""
    return {rocm: resolve(name, rocm).verdict.value for rocm in PRODUCTION.split()}


def line(**parts: str) -> dict[str, str]:
    """``later="6.2 6.3"`` turned about: release to verdict."""
    return {rocm: verdict for verdict, releases in parts.items() for rocm in releases.split()}


# ---------------------------------------------------------------- NCCL


@pytest.mark.parametrize(
    "name", ["ncclAllReduce", "ncclCommInitRank", "ncclComm_t", "ncclSum", "NCCL_VERSION_CODE"]
)
def test_nccl_keeps_its_names_on_every_release(name: str) -> None:
    for release in known_releases():
        answer = resolve(name, str(release))
        assert (answer.verdict, answer.hip) == (Verdict.SAME, name)


def test_newer_nccl_entry_points_need_the_release_that_declares_them() -> None:
    assert verdicts("ncclCommWindowRegister") == line(
        later="6.2 6.3 6.4 7.0", same="7.1 7.2 10.0 10.1 10.2"
    )
    assert verdicts("ncclCommGrow") == line(later="6.2 6.3 6.4 7.0 7.1 7.2", same="10.0 10.1 10.2")
    assert resolve("ncclCommGrow").better == RocmRelease(10, 0)


def test_rccl_had_its_own_spelling_before_it_followed_nccl() -> None:
    assert resolve("ncclAlltoAll", "7.2").hip == "ncclAllToAll"
    assert resolve("ncclAlltoAll", "10.0").verdict is Verdict.SAME
    assert resolve("ncclFloat8e4m3", "6.4").hip == "ncclFp8E4M3"
    assert resolve("ncclFloat8e4m3", "7.0").verdict is Verdict.SAME


def test_fields_of_a_communicators_configuration_come_by_release() -> None:
    assert resolve("ncclConfig_t::blocking", "6.2").verdict is Verdict.SAME
    assert verdicts("ncclConfig_t::CTAPolicy")["7.0"] == "later"
    assert verdicts("ncclConfig_t::maxP2pPeers")["7.2"] == "later"
    assert resolve("ncclConfig_t::nvlsHostMode", "10.0").verdict is Verdict.MISSING


def test_what_follows_the_newest_rccl_is_missing_and_not_sure_on_the_newest_release() -> None:
    for name in ("ncclAllReduceConfig", "ncclCollConfig_t"):
        assert (resolve(name, "10.1").verdict, resolve(name, "10.1").flags) == (
            Verdict.MISSING,
            (),
        )
        assert resolve(name, "10.2").flags == (Flag.UNCONFIRMED,)
    assert resolve("ncclCftBarrierSession", "10.2").verdict is Verdict.MISSING


def test_a_plugin_of_nccl_keeps_its_names_and_follows_the_version() -> None:
    for name in ("NCCL_LOG_WARN", "NCCL_PTR_CUDA", "ncclNet_t", "ncclDebugLogger_t"):
        assert verdicts(name) == line(same=PRODUCTION), name
    assert resolve("NCCL_PLUGIN_SYMBOL").hip == "NCCL_NET_PLUGIN_SYMBOL"
    assert resolve("ncclNetProperties_v4_t").verdict is Verdict.MISSING
    assert resolve("ncclNetProperties_v8_t").hip == "ncclNetProperties_v8_t"


def test_nvlink_multicast_has_no_counterpart() -> None:
    assert resolve("ncclGetLsaMultimemPointer", "10.2").verdict is Verdict.MISSING


# ---------------------------------------------------------------- Thrust, CUB, libcu++


@pytest.mark.parametrize("name", ["thrust::sort", "thrust::device_vector", "thrust::transform"])
def test_thrust_keeps_its_names(name: str) -> None:
    assert verdicts(name) == line(same=PRODUCTION)
    assert resolve(name).hip == name


@pytest.mark.parametrize(
    ("name", "hip"),
    [
        ("thrust::cuda::par", "thrust::hip::par"),
        ("thrust::cuda::par_nosync", "thrust::hip::par_nosync"),
        ("thrust::system::cuda::vector", "thrust::system::hip::vector"),
    ],
)
def test_cuda_policies_of_thrust_are_renamed(name: str, hip: str) -> None:
    answer = resolve(name)
    assert (answer.verdict, answer.hip) == (Verdict.RENAMED, hip)


@pytest.mark.parametrize(
    "name", ["cub::DeviceReduce::Sum", "cub::BlockScan", "cub::WarpReduce", "cub::KeyValuePair"]
)
def test_cub_is_a_namespace_rule(name: str) -> None:
    assert verdicts(name) == line(renamed=PRODUCTION)
    assert resolve(name).hip == name.replace("cub::", "hipcub::")


def test_an_algorithm_of_cub_comes_with_its_release() -> None:
    assert verdicts("cub::DeviceFor::Bulk") == line(
        later="6.2 6.3", renamed="6.4 7.0 7.1 7.2 10.0 10.1 10.2"
    )
    assert resolve("cub::DeviceTransform::Transform", "7.0").better == RocmRelease(7, 1)
    assert resolve("cub::DeviceTopK", "10.2").verdict is Verdict.MISSING
    assert resolve("cub::DispatchReduce").verdict is Verdict.MISSING


def test_only_device_wide_algorithms_are_the_hosts_alone() -> None:
    assert "host only" in resolve("cub::DeviceReduce::Max").note
    for name in ("cub::BlockReduce", "cub::WarpReduce", "cub::BlockScan"):
        assert "host" not in resolve(name).note, name


def test_what_hipcub_dropped_in_10_0_is_no_rename_there() -> None:
    counting = verdicts("cub::CountingInputIterator")
    assert counting == line(renamed="6.2 6.3 6.4 7.0 7.1 7.2", replaced="10.0 10.1 10.2")
    assert Flag.DEPRECATED in resolve("cub::CountingInputIterator", "7.2").flags
    assert resolve("cub::DeviceSpmv", "10.0").hip == "hipsparseSpMV"


def test_the_width_of_a_warp_in_cub_is_not_the_wavefront() -> None:
    for rocm, name in (("6.4", "HIPCUB_WARP_THREADS"), ("7.2", "HIPCUB_DEVICE_WARP_THREADS")):
        answer = resolve("CUB_PTX_WARP_THREADS", rocm)
        assert (answer.verdict, answer.hip) == (Verdict.CHANGED, name)


def test_libcu_comes_with_10_0_and_without_barriers() -> None:
    for name in ("cuda::std::optional", "cuda::atomic", "cuda::thread_scope_device"):
        assert verdicts(name) == line(later="6.2 6.3 6.4 7.0 7.1 7.2", same="10.0 10.1 10.2"), name
    for name in ("cuda::barrier", "cuda::pipeline", "cuda::memcpy_async", "cuda::ptx::mbarrier"):
        assert verdicts(name) == line(missing=PRODUCTION), name


@pytest.mark.parametrize("name", ["cuda::Tensor", "cuda::stream_guard", "cuda::device::Handle"])
def test_a_projects_own_cuda_namespace_is_not_libcu(name: str) -> None:
    assert not load_tables().knows(name)


# ---------------------------------------------------------------- cooperative groups, WMMA


@pytest.mark.parametrize(
    "name", ["tiled_partition", "this_thread_block", "thread_block_tile", "coalesced_threads"]
)
def test_basic_cooperative_groups_are_the_same_everywhere(name: str) -> None:
    assert verdicts(f"cooperative_groups::{name}") == line(same=PRODUCTION)


def test_later_parts_of_cooperative_groups_come_by_release() -> None:
    assert verdicts("cooperative_groups::binary_partition") == line(
        later="6.2", changed="6.3 6.4", same="7.0 7.1 7.2 10.0 10.1 10.2"
    )
    after_7_2 = line(later="6.2 6.3 6.4 7.0 7.1 7.2", same="10.0 10.1 10.2")
    for name in ("grid_group::barrier_arrive", "reduce", "plus", "inclusive_scan"):
        assert verdicts(f"cooperative_groups::{name}") == after_7_2, name
    for name in ("labeled_partition", "memcpy_async", "wait", "this_cluster"):
        assert verdicts(f"cooperative_groups::{name}") == line(missing=PRODUCTION), name


def test_a_preview_has_reduce_before_it_is_right_for_every_block() -> None:
    assert resolve("cooperative_groups::reduce", "7.12").verdict is Verdict.LATER
    assert resolve("cooperative_groups::reduce", "7.13").verdict is Verdict.CHANGED
    assert resolve("cooperative_groups::inclusive_scan", "7.14").verdict is Verdict.LATER


def test_multi_grid_is_deprecated_and_gone_from_cuda() -> None:
    answer = resolve("cooperative_groups::this_multi_grid")
    assert answer.verdict is Verdict.SAME
    assert Flag.DEPRECATED in answer.flags
    assert answer.cuda_removed == "13.0"


def test_tensor_core_fragments_change_and_sub_byte_ones_are_missing() -> None:
    answer = resolve("nvcuda::wmma::mma_sync")
    assert (answer.verdict, answer.hip) == (Verdict.CHANGED, "rocwmma::mma_sync")
    assert resolve("nvcuda::wmma::experimental::precision::s4").verdict is Verdict.MISSING


# ---------------------------------------------------------------- tools and other libraries


def test_marks_and_ranges_are_renamed_and_domains_are_not() -> None:
    for name, hip in (
        ("nvtxRangePushA", "roctxRangePushA"),
        ("nvtxRangePush", "roctxRangePush"),
        ("nvtxRangeEnd", "roctxRangeStop"),
    ):
        answer = resolve(name, "6.2")
        assert (answer.verdict, answer.hip) == (Verdict.RENAMED, hip)
    assert resolve("nvtxDomainRangePushEx").verdict is Verdict.REPLACED
    assert resolve("nvtxDomainCreateA").verdict is Verdict.MISSING
    assert resolve("nvtx3::scoped_range").verdict is Verdict.REPLACED


def test_what_a_runtime_compiler_gives_is_what_can_be_loaded() -> None:
    for name, hip in (
        ("nvrtcGetCUBIN", "hiprtcGetCode"),
        ("nvrtcGetPTX", "hiprtcGetCode"),
        ("nvrtcGetLTOIR", "hiprtcGetBitcode"),
    ):
        answer = resolve(name, "6.2")
        assert (answer.verdict, answer.hip) == (Verdict.CHANGED, hip)
    assert resolve("nvJitLinkGetLinkedCubinSize").hip == "hiprtcLinkComplete"
    for name in ("nvJitLinkGetLinkedPtx", "NVJITLINK_INPUT_PTX", "nvrtcGetSupportedArchs"):
        assert verdicts(name) == line(missing=PRODUCTION), name


def test_rocshmem_takes_contexts_groups_and_c_types() -> None:
    for name, release, hip in (
        ("nvshmem_float_put", "6.4", "rocshmem_float_put"),
        ("nvshmem_uint64_wait_until", "6.4", "rocshmem_ulong_wait_until"),
        ("nvshmem_uint64_atomic_add", "6.4", "rocshmem_uint64_atomic_add"),
        ("nvshmem_put32", "6.4", "rocshmem_putmem"),
        ("nvshmem_barrier", "7.0", "rocshmem_ctx_barrier"),
        ("nvshmemx_float_sum_reduce_block", "6.4", "rocshmem_ctx_float_sum_wg_reduce"),
        ("nvshmemx_float_sum_reduce_block", "7.0", "rocshmem_ctx_float_sum_reduce_wg"),
        ("nvshmemx_float_sum_reduce_warp", "10.0", "rocshmem_ctx_float_sum_reduce_wave"),
    ):
        answer = resolve(name, release)
        assert (answer.verdict, answer.hip) == (Verdict.CHANGED, hip), name
    assert resolve("nvshmem_align", "7.2").verdict is Verdict.LATER
    for name in ("nvshmem_float_iput", "nvshmem_uint_max_reduce", "nvshmem_half_sum_reduce"):
        assert verdicts(name) == line(missing=PRODUCTION), name


def test_a_group_call_of_the_same_form_is_a_rename_and_unsigned_sums_go_as_signed() -> None:
    for name, release, verdict, hip in (
        ("nvshmemx_int64_put_block", "6.4", Verdict.RENAMED, "rocshmem_long_put_wg"),
        ("nvshmem_uint_sum_reduce", "6.4", Verdict.REPLACED, "rocshmem_ctx_int_sum_reduce"),
        (
            "nvshmemx_size_or_reduce_block",
            "6.4",
            Verdict.REPLACED,
            "rocshmem_ctx_long_or_wg_reduce",
        ),
    ):
        answer = resolve(name, release)
        assert (answer.verdict, answer.hip) == (verdict, hip), name


def test_a_payload_is_lost_and_a_domain_has_no_twin() -> None:
    assert resolve("nvtxRangePushPayload").hip == "roctxRangePushA"
    for name in ("nvtxDomainRegisterStringA", "nvtxNameCategoryA", "NVTX_MEM_PERMISSIONS_HANDLE"):
        assert verdicts(name) == line(missing=PRODUCTION), name


@pytest.mark.parametrize(
    ("name", "roc"),
    [
        ("nvmlInit_v2", "amdsmi_init"),
        ("nvmlDeviceGetUtilizationRates", "amdsmi_get_gpu_activity"),
        ("nvmlPcieUtilCounter_t", "AMD SMI"),
        ("cuptiActivityEnable", "rocprofiler_configure_buffer_tracing_service"),
        ("CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL", "ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH"),
        ("CUpti_ActivityKernel4", "rocprofiler_buffer_tracing_kernel_dispatch_record_t"),
        ("CUpti_ModuleResourceData", "ROCprofiler-SDK"),
        ("cuptiPmSamplingDecodeData", "ROCprofiler-SDK"),
        ("cuptiEventGroupCreate", "rocprofiler_create_counter_config"),
        ("cuvidCreateDecoder", "rocDecCreateDecoder"),
        ("nvjpegDecode", "rocJpegDecode"),
        ("cutlass::gemm::device::Gemm", "Composable Kernel"),
    ],
)
def test_another_api_of_rocm_does_the_job(name: str, roc: str) -> None:
    answer = resolve(name)
    assert (answer.verdict, answer.hip) == (Verdict.REPLACED, roc)


@pytest.mark.parametrize(
    "name",
    [
        "nppiFilterBox_8u_C1R", "optixLaunch", "nvinfer1::IBuilder", "cudssCreate",
        "custatevecCreate", "NvEncOpenEncodeSessionEx", "nvjpegEncodeImage",
        "cute::SM90_TMA_LOAD", "cublasdx::BLAS", "nvshmemx_collective_launch",
        "cuptiSassMetricsEnable", "cuptiEnableKernelReplayMode", "CUpti_ActivityNvLink4",
        "CUPTI_ACTIVITY_KIND_NVLINK", "CUPTI_ACTIVITY_KIND_OPENACC_DATA",
        "nvmlDeviceGetVgpuMetadata", "nvmlVgpuTypeGetName", "NVML_VGPU_NAME_BUFFER_SIZE",
        "nvmlDeviceSetPersistenceMode", "nvmlUnitGetCount", "nvmlDeviceGetRemappedRows",
        "nvmlDeviceGetGpuInstanceProfileInfo", "nvmlSystemGetConfComputeState",
    ],
)  # fmt: skip
def test_nothing_in_rocm_answers(name: str) -> None:
    assert verdicts(name) == line(missing=PRODUCTION)


def test_what_amd_smi_tells_comes_by_release() -> None:
    assert verdicts("nvmlDeviceGetNvLinkState") == line(
        later="6.2 6.3", replaced="6.4 7.0 7.1 7.2 10.0 10.1 10.2"
    )
    assert verdicts("nvmlDeviceGetGpuFabricInfo")["7.2"] == "later"
    for name, before, after, release in (
        ("nvmlDeviceSetGpuLockedClocks", "amdsmi_set_gpu_clk_range",
         "amdsmi_set_gpu_clk_limit", "6.3"),
        ("nvmlDeviceGetP2PStatus", "amdsmi_is_P2P_accessible",
         "amdsmi_topo_get_p2p_status", "6.3"),
        ("nvmlDeviceGetCpuAffinity", "amdsmi_topo_get_numa_node_number",
         "amdsmi_get_cpu_affinity_with_scope", "7.0"),
    ):  # fmt: skip
        assert resolve(name, "6.2").hip == before
        assert resolve(name, release).hip == after
        assert resolve(name, "10.2").hip == after


def test_the_frontend_of_cudnn_is_miopens_matter_before_hipdnn() -> None:
    name = "cudnn_frontend::graph::Graph"
    assert resolve(name, "7.2").verdict is Verdict.REPLACED
    answer = resolve(name, "10.0")
    assert (answer.verdict, answer.hip) == (Verdict.CHANGED, "hipdnn_frontend::graph::Graph")
    assert Flag.EXPERIMENTAL in answer.flags


def test_a_version_macro_never_counts_as_the_same() -> None:
    for name in ("__CUDACC_VER__", "CUDNN_MAJOR", "CUBLAS_VERSION", "NV_TENSORRT_MAJOR"):
        answer = resolve(name)
        assert answer.verdict is Verdict.CHANGED, name
        assert answer.note, name


# ---------------------------------------------------------------- cuDNN, cuBLASLt, cuFile


@pytest.mark.parametrize(
    ("name", "roc"),
    [
        ("CUDNN_STATUS_EXECUTION_FAILED", "miopenStatus_t"),
        ("CUDNN_STATUS_BAD_PARAM_NULL_POINTER", "miopenStatusBadParm"),
        ("CUDNN_RESAMPLE_MAXPOOL", "miopenPoolingMax"),
        ("cudnnGetLastErrorString", "miopenGetErrorString"),
    ],
)
def test_miopen_answers_for_the_classic_interface_before_hipdnn(name: str, roc: str) -> None:
    for rocm in ("6.2", "7.2"):
        answer = resolve(name, rocm)
        assert (answer.verdict, answer.hip) == (Verdict.REPLACED, roc)
        assert "hipDNN" not in answer.note
    assert resolve(name, "10.0").verdict is Verdict.CHANGED


def test_what_miopen_does_not_compute_comes_with_hipdnn_or_not_at_all() -> None:
    for name in ("CUDNN_DATA_BOOLEAN", "CUDNN_DATA_UINT8", "CUDNN_ATTR_KNOB_INFO_TYPE"):
        assert resolve(name, "7.2").verdict is Verdict.LATER
        assert resolve(name, "10.0").verdict is Verdict.CHANGED
    for name in ("CUDNN_DATA_INT8x32", "CUDNN_ATTR_OPERATION_SIGNAL_MODE", "cudnnIm2Col"):
        for rocm in ("7.2", "10.0"):
            answer = resolve(name, rocm)
            assert answer.verdict is Verdict.MISSING
            assert Flag.UNCONFIRMED not in answer.flags


def test_a_note_on_hipdnn_says_from_when_it_holds() -> None:
    for row in load_tables().all_rows():
        if row.library == "dnn" and "hipDNN" in row.note:
            assert "From ROCm 10.0" in row.note, row.name


def test_the_convolution_that_miopen_has_is_the_cross_correlation() -> None:
    flipped, kept = resolve("CUDNN_CONVOLUTION"), resolve("CUDNN_CROSS_CORRELATION")
    assert flipped.hip == kept.hip == "miopenConvolution"
    assert "flip the filter" in flipped.note
    assert "stays as it is" in kept.note


def test_names_that_headers_of_old_releases_have_are_not_later() -> None:
    for name in ("cublasLtMatrixLayout_t", "cublasLtCreate", "cusparseLtInit"):
        assert verdicts(name) == line(renamed=PRODUCTION), name
    assert verdicts("CUBLASLT_EPILOGUE_DRELU")["7.2"] == "later"


def test_asynchronous_file_access_comes_after_the_library() -> None:
    assert verdicts("cuFileRead") == line(later="6.2 6.3 6.4 7.0 7.1 7.2", renamed="10.0 10.1 10.2")
    assert verdicts("cuFileReadAsync") == line(
        later="6.2 6.3 6.4 7.0 7.1 7.2 10.0", renamed="10.1 10.2"
    )


def test_what_hipfile_declares_and_does_not_do_is_missing() -> None:
    for name in ("cuFileDriverGetProperties", "cuFileSetParameterBool"):
        assert verdicts(name) == line(missing=PRODUCTION), name
        assert "not implemented" in resolve(name, "10.0").note
    assert resolve("cuFileGetVersion", "10.0").verdict is Verdict.CHANGED
    assert resolve("CU_FILE_BEEGFS_SUPPORTED", "10.0").hip == "hipFileBeeGFSSupported"
    assert verdicts("cuFileGetStatsL1")["10.0"] == "later"
    assert verdicts("cuFileReadv") == line(missing=PRODUCTION)


def test_what_hipsparselt_declares_and_does_not_do_is_missing() -> None:
    for name in ("CUSPARSELT_MATMUL_SPLIT_K", "CUSPARSELT_MATMUL_BETA_VECTOR_SCALING"):
        assert verdicts(name) == line(missing=PRODUCTION), name
        assert "not implemented" in resolve(name).note
    assert resolve("CUSPARSE_COMPUTE_16F").verdict is Verdict.CHANGED
    assert resolve("CUSPARSE_COMPUTE_32F").hip == "HIPSPARSELT_COMPUTE_32F"
    assert verdicts("CUSPARSELT_MATMUL_ALPHA_VECTOR_SCALING") == line(
        changed="6.2 6.3", renamed="6.4 7.0 7.1 7.2 10.0 10.1 10.2"
    )
    assert resolve("cusparseLtGetErrorString").hip == "hipsparseGetErrorString"


def test_the_handle_of_hiptensor_follows_cutensor_2_from_7_0() -> None:
    for name in ("cutensorCreate", "cutensorDestroy"):
        assert verdicts(name) == line(
            changed="6.2 6.3 6.4", renamed="7.0 7.1 7.2 10.0 10.1 10.2"
        ), name
    assert verdicts("cutensorContractionGetWorkspace") == line(
        renamed="6.2 6.3 6.4", replaced="7.0 7.1 7.2 10.0 10.1 10.2"
    )
    assert resolve("cutensorLoggerSetLevel").verdict is Verdict.CHANGED
    assert resolve("cutensorMpContract").library == "tensormp"
    assert verdicts("cutensorMpContract") == line(missing=PRODUCTION)


def test_a_library_is_there_when_the_first_of_its_names_is() -> None:
    usable = {Verdict.SAME, Verdict.RENAMED, Verdict.CHANGED, Verdict.REPLACED}
    named: dict[str, set[str]] = {}
    for row in load_tables().all_rows():
        if not load_tables().not_uses & {row.name}:
            named.setdefault(row.library, set()).add(row.name)
    for key, library in known_components().items():
        since = library.since and RocmRelease.parse(library.since)
        for release in known_releases():
            if since and not release.has(since):
                early = [
                    n for n in named.get(key, ()) if resolve(n, str(release)).verdict in usable
                ]
                assert not early, (key, str(release))


# ---------------------------------------------------------------- headers


@pytest.mark.parametrize(
    ("include", "verdict", "hip"),
    [
        ("cuda_runtime.h", Verdict.RENAMED, "hip/hip_runtime.h"),
        ("cublas_v2.h", Verdict.RENAMED, "hipblas/hipblas.h"),
        ("nccl.h", Verdict.RENAMED, "rccl/rccl.h"),
        ("cub/block/block_reduce.cuh", Verdict.RENAMED, "hipcub/block/block_reduce.hpp"),
        ("cub/cub.cuh", Verdict.RENAMED, "hipcub/hipcub.hpp"),
        ("thrust/sort.h", Verdict.SAME, "thrust/sort.h"),
        ("thrust/system/cuda/execution_policy.h", Verdict.RENAMED,
         "thrust/system/hip/execution_policy.h"),
        ("cudnn.h", Verdict.REPLACED, "miopen/miopen.h"),
        ("mma.h", Verdict.CHANGED, "rocwmma/rocwmma.hpp"),
        ("cuda_pipeline.h", Verdict.MISSING, ""),
    ],
)  # fmt: skip
def test_an_include_has_a_header_of_rocm(include: str, verdict: Verdict, hip: str) -> None:
    answer = resolve_header(include, target("7.2"))
    assert answer is not None
    assert (answer.verdict, answer.hip) == (verdict, hip)


def test_the_header_of_group_reductions_comes_later() -> None:
    answer = resolve_header("cooperative_groups/reduce.h", target("7.2"))
    assert answer is not None
    assert answer.verdict is Verdict.LATER
    assert answer.better == RocmRelease(10, 0)


@pytest.mark.parametrize("include", ["vector", "cuda/kernels.h", "cuda_utils.h", "mma_helper.h"])
def test_a_projects_own_header_is_not_cudas(include: str) -> None:
    assert resolve_header(include, target("7.2")) is None


# ---------------------------------------------------------------- libraries


def test_every_api_table_has_its_library() -> None:
    assert set(table_keys()) <= set(known_components())


def test_every_header_belongs_to_a_library() -> None:
    with data_path("mappings", "headers.csv").open(encoding="utf-8", newline="") as lines:
        libraries = {row["library"] for row in csv.DictReader(lines)}
    assert libraries <= set(known_components())


def test_every_prefix_belongs_to_a_library() -> None:
    path = data_path("mappings", "library_prefixes.csv")
    with path.open(encoding="utf-8", newline="") as lines:
        rows = [(row["prefix"], row["library"]) for row in csv.DictReader(lines)]
    assert {library for _, library in rows} <= set(known_components())
    assert [prefix for prefix, _ in rows] == sorted({prefix for prefix, _ in rows})
