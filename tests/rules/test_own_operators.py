"""The header of NVIDIA's samples that is made of operators on vector types."""

from __future__ import annotations

from tests.rules.scanned import judge_all

TREE = {
    "src/k.cu": '#include "helper_math.h"\n__global__ void k(float3* a) { a[0] += a[1]; }\n',
    "common/helper_math.h": (
        "inline __host__ __device__ void operator+=(float3 &a, float3 b) { a.x += b.x; }\n"
    ),
}


def active(vendored: tuple[str, ...]) -> list[tuple[str, str]]:
    hits = judge_all(TREE, vendored=vendored).hits()
    return [(one.rule.id, one.path) for one in hits if one.hit.state.value == "active"]


def test_a_third_partys_copy_is_told_where_it_is_included() -> None:
    assert active(("common/helper_math.h",)) == [("HA-K160", "src/k.cu")]


def test_a_header_of_the_projects_own_is_told_once() -> None:
    assert active(()) == [("HA-K160", "common/helper_math.h")]
