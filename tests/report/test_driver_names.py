"""The links from drivers to names follow what the estimate counts."""

from __future__ import annotations

from dataclasses import replace

from migrate.estimate.drivers import driver_for
from migrate.knowledge.apis import load_tables
from migrate.model.rule import HazardKind
from migrate.model.target import RocmRelease, Target
from migrate.model.verdict import Confidence, Side, State
from migrate.report.html.driver_names import driver_of_name, hazard_kinds
from tests.report.sample import make_assessment

_NAMES = """
    cudaMalloc cudaFree cudaBindTexture cudaCreateTextureObject tex1Dfetch tex2D surf2Dread
    __shfl __shfl_sync __shfl_down_sync __ballot_sync __any_sync __activemask __syncwarp warpSize
    __match_any_sync __reduce_add_sync __syncthreads atomicAdd __ldg cublasSgemm ncclAllReduce
    cooperative_groups::tiled_partition cooperative_groups::this_grid cub::DeviceReduce::Sum
    thrust::sort nvcuda::wmma::mma_sync cudaTextureObject_t curandGenerateUniform
    """.split()  # noqa: SIM905 - a long list reads better as words


def test_a_name_leads_to_the_driver_that_the_estimate_counts_it_for() -> None:
    tables, target = load_tables(), Target(RocmRelease(7, 2), ("gfx942",))
    row = make_assessment().apis[0]
    for name in _NAMES:
        answer = tables.resolve(name, target)
        shown = replace(row, name=name, library=answer.library, verdict=answer.verdict)
        counted = driver_for(answer.library, name, answer.verdict, answer.kind, Side.HOST)
        told = driver_of_name(shown)
        if answer.verdict.mechanical or told:
            assert told == counted, name


def test_the_kinds_of_hazard_are_named() -> None:
    sample = make_assessment()
    (driver, *_) = sample.summary.effort.drivers
    met = tuple(
        replace(driver, id=name) for name in ("warp_site", "matrix_kernel", "matrix_family")
    )
    assert hazard_kinds(met, ()) == ("warp width", "matrix cores")


def test_the_kinds_that_rules_name_are_in_words_and_what_is_not_counted_is_no_kind() -> None:
    sample = make_assessment()
    one = next(row for row in sample.findings if row.rule == "HA-K003")
    bounds = replace(one, driver="hazard_kind", kind="launch-bounds-or-lds")
    assert hazard_kinds((), (bounds,)) == ("launch bounds and shared memory",)
    possible = replace(bounds, confidence=Confidence.POSSIBLE)
    ported = replace(bounds, state=State.PORTED)
    assert hazard_kinds((), (possible, ported)) == ()
    for kind in ("other", ""):
        (words,) = hazard_kinds((), (replace(bounds, kind=kind),))
        assert words.startswith("other kernel hazards")


def test_every_kind_of_the_model_has_its_words() -> None:
    one = replace(
        make_assessment().findings[0], driver="hazard_kind", rule="HA-API", state=State.ACTIVE
    )
    told = {hazard_kinds((), (replace(one, kind=kind.value),)) for kind in HazardKind}
    assert len(told) == len(HazardKind)
