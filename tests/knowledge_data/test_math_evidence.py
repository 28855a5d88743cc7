"""What headers, symbols and change logs say of the math libraries, release by release."""

from __future__ import annotations

import pytest

from migrate.knowledge.apis import load_tables
from migrate.model.resolution import Resolution
from migrate.model.target import RocmRelease, Target
from migrate.model.verdict import Confidence, Flag, Verdict

PRODUCTION = "6.2 6.3 6.4 7.0 7.1 7.2 10.0 10.1 10.2"


def resolve(name: str, rocm: str = "7.2") -> Resolution:
    return load_tables().resolve(name, Target(RocmRelease.parse(rocm), ("gfx942",)))


def verdicts(name: str) -> dict[str, str]:
    """The verdict on every production release."""
    return {rocm: resolve(name, rocm).verdict.value for rocm in PRODUCTION.split()}


def line(**parts: str) -> dict[str, str]:
    """``later="6.2 6.3"`` turned about: release to verdict."""
    return {rocm: verdict for verdict, releases in parts.items() for rocm in releases.split()}


@pytest.mark.parametrize(
    "name",
    ["cublasGemmGroupedBatchedEx", "cublasSgemmGroupedBatched_64", "cufftXtSetWorkArea"],
)
def test_what_came_with_10_1_is_later_before(name: str) -> None:
    assert verdicts(name) == line(later="6.2 6.3 6.4 7.0 7.1 7.2 10.0", renamed="10.1 10.2")


def test_sparse_addition_had_rocsparse_before_hipsparse() -> None:
    assert verdicts("cusparseSpGEAM") == line(
        later="6.2 6.3 6.4", replaced="7.0 7.1 7.2 10.0", renamed="10.1 10.2"
    )
    assert resolve("cusparseSpGEAM", "7.2").hip == "rocsparse_spgeam"


def test_the_buffer_of_spsm_solve_goes_with_the_new_function() -> None:
    assert verdicts("cusparseSpSM_solve") == line(
        changed="6.2 6.3 6.4 7.0 7.1 7.2", renamed="10.0 10.1 10.2"
    )
    assert resolve("cusparseSpSM_solve", "10.0").hip == "hipsparseSpSM_solve_ex"


def test_previews_have_what_their_change_logs_name() -> None:
    assert resolve("cusolverDnXgeev", "7.12").verdict is Verdict.LATER
    assert resolve("cusolverDnXgeev", "7.13").verdict is Verdict.RENAMED
    assert resolve("cublasGetVersion", "7.13").verdict is Verdict.LATER
    assert resolve("cublasGetVersion", "7.14").verdict is Verdict.RENAMED


@pytest.mark.parametrize(
    ("name", "hip"),
    [
        ("cusparseSgtsv", "hipsparseSgtsv2"),
        ("cusparseDcsrsv_solve", "hipsparseDcsrsv2_solve"),
        ("cublasShutdown", "hipblasDestroy"),
        ("cublasSmatinvBatched", "hipblasSgetrfBatched"),
        ("cusolverDnXsygvd", "hipsolverDnSsygvd"),
        ("cusolverDnPotrf", "hipsolverDnXpotrf"),
    ],
)
def test_old_routines_have_successors(name: str, hip: str) -> None:
    answer = resolve(name, "7.2")
    assert (answer.verdict, answer.hip) == (Verdict.REPLACED, hip)


def test_a_solve_in_mixed_precision_becomes_one_in_full() -> None:
    answer = resolve("cusolverDnDHgesv")
    assert (answer.verdict, answer.hip) == (Verdict.CHANGED, "hipsolverDnDDgesv")


@pytest.mark.parametrize(
    "name",
    [
        "cublasLtGetVersion",
        "cublasGemmBatchedEx",
        "cublasSgetriBatched",
        "cufftGetProperty",
        "curandGetScrambleConstants32",
        "cusparseScsr2gebsr_bufferSize",
    ],
)
def test_other_parameters_are_no_rename(name: str) -> None:
    assert resolve(name).verdict is Verdict.CHANGED
    assert resolve(name).note


@pytest.mark.parametrize(
    "name",
    [
        "cusparseSpSV_updateMatrix",
        "cufftXtQueryPlan",
        "cusolverMgGetrf",
        "cublasLtMatmulTile_t",
        "CUBLASLT_MATMUL_TILE_128x1",
        "cufftDescriptionDestroy",
    ],
)
def test_what_nobody_has_is_certain_up_to_10_2(name: str) -> None:
    for rocm in ("7.2", "10.0", "10.2"):
        answer = resolve(name, rocm)
        assert answer.verdict is Verdict.MISSING
        assert answer.confidence is Confidence.CERTAIN
        assert Flag.UNCONFIRMED not in answer.flags


def test_statuses_that_share_a_number_are_no_rename() -> None:
    answer = resolve("CUSOLVER_STATUS_IRS_NOT_SUPPORTED")
    assert (answer.verdict, answer.hip) == (Verdict.CHANGED, "HIPSOLVER_STATUS_NOT_SUPPORTED")
