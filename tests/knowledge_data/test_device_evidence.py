"""Device functions have no symbol list: what the headers of HIP 6.2 to 10.x showed, by kind."""

from __future__ import annotations

import pytest

from migrate.knowledge.apis import load_tables
from migrate.model.resolution import Resolution
from migrate.model.target import RocmRelease, Target
from migrate.model.verdict import Confidence, Verdict


def resolve(name: str, rocm: str) -> Resolution:
    return load_tables().resolve(name, Target(RocmRelease.parse(rocm), ("gfx1201",)))


@pytest.mark.parametrize("kind", ["int", "uint", "short", "ushort", "ll", "ull"])
def test_conversions_of_half_that_ignore_the_rounding_mode_are_changed(kind: str) -> None:
    for name in (f"__half2{kind}_rn", f"__half2{kind}_rd", f"__{kind}2half_rz"):
        assert resolve(name, "7.2").verdict is Verdict.CHANGED, name
    for name in (f"__half2{kind}_rz", f"__{kind}2half_rn"):
        assert resolve(name, "7.2").verdict is Verdict.SAME, name


@pytest.mark.parametrize(
    ("name", "hip"),
    [
        ("__float2bfloat16_rn", "__float2bfloat16"),
        ("make_bfloat162", "__halves2bfloat162"),
        ("nv_bfloat16", "__hip_bfloat16"),
        ("nv_bfloat162", "__hip_bfloat162"),
        ("nv_half2", "__half2"),
        ("CUDART_INF_BF16", "HIPRT_INF_BF16"),
    ],
)
def test_bfloat16_and_half_names_that_hip_spells_otherwise(name: str, hip: str) -> None:
    for rocm in ("6.2", "7.2", "10.2"):
        answer = resolve(name, rocm)
        assert (answer.verdict, answer.hip) == (Verdict.RENAMED, hip), (name, rocm)


def test_an_integer_of_a_bfloat16_goes_by_way_of_float() -> None:
    answer = resolve("__bfloat162ll_rd", "6.4")
    assert (answer.verdict, answer.hip) == (Verdict.REPLACED, "__float2ll_rd")


def test_e8m0_came_after_7_2_and_only_for_single_values() -> None:
    for name in ("__nv_fp8_e8m0", "__nv_cvt_float_to_e8m0", "__nv_cvt_e8m0_to_bf16raw"):
        assert resolve(name, "7.2").verdict is Verdict.LATER, name
        assert resolve(name, "10.0").verdict is Verdict.RENAMED, name
    assert resolve("__nv_fp8x2_e8m0", "10.2").verdict is Verdict.MISSING


@pytest.mark.parametrize("name", ["__hne", "__hne2", "__hbne2"])
def test_ordered_not_equal_is_right_with_a_nan_from_10_0(name: str) -> None:
    assert resolve(name, "7.2").verdict is Verdict.CHANGED
    assert resolve(name, "10.0").verdict is Verdict.SAME


@pytest.mark.parametrize(
    "name",
    [
        "__hmax2",
        "__hadd_sat",
        "__hgtu2",
        "__hmin_nan",
        "sincospi",
        "__ffsll",
        "__ldcs",
        "surf2Dread",
    ],
)
def test_a_form_that_hip_lacks_is_a_change(name: str) -> None:
    answer = resolve(name, "7.2")
    assert answer.verdict is Verdict.CHANGED
    assert answer.note


@pytest.mark.parametrize("name", ["__dp4a", "__vmaxs4", "__vcmpne4", "__nanosleep", "__trap"])
def test_what_the_headers_of_autumn_2026_lack_is_missing_for_certain(name: str) -> None:
    for rocm in ("6.2", "7.2", "10.0", "10.2"):
        answer = resolve(name, rocm)
        assert (answer.verdict, answer.confidence) == (Verdict.MISSING, Confidence.CERTAIN), rocm


def test_the_occupancy_calculator_is_answered_by_the_runtime() -> None:
    answer = resolve("cudaOccMaxActiveBlocksPerMultiprocessor", "7.2")
    assert (answer.verdict, answer.hip) == (
        Verdict.REPLACED,
        "hipOccupancyMaxActiveBlocksPerMultiprocessor",
    )


def test_names_of_cluster_launches_and_of_atomic_builtins_are_known() -> None:
    for name in ("__cluster_barrier_arrive", "__clusterIdx", "__nv_atomic_fetch_add", "__fadd2_rn"):
        assert resolve(name, "7.2").verdict is Verdict.MISSING, name


@pytest.mark.parametrize(
    "name", ["__fmul_rn", "__dadd_rn", "__fsqrt_rn", "__saturatef", "__hisinf"]
)
def test_another_meaning_under_the_same_name_is_a_change(name: str) -> None:
    for rocm in ("6.2", "7.2"):
        answer = resolve(name, rocm)
        assert (answer.verdict, answer.hip) == (Verdict.CHANGED, name)
        assert answer.note
