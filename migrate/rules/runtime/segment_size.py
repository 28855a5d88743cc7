"""CUB's reduction of segments of one size."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.facts import CallSite
from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Tier, Verdict
from migrate.rules.code import Code

_PREFIX = "cub::DeviceSegmentedReduce::"
_NAMED = ("Sum", "Min", "Max", "ArgMin", "ArgMax")
_STREAM = ("stream", "0", "nullptr")


def _check(code: Code) -> Iterator[Hit]:
    for call in code.calls(*(_PREFIX + name for name in _NAMED)):
        if _has_segment_size(call, without_stream=6):
            yield code.hit(call)
    for call in code.calls(f"{_PREFIX}Reduce"):
        if _has_segment_size(call, without_stream=8):
            yield code.hit(call)


def _has_segment_size(call: CallSite, *, without_stream: int) -> bool:
    """Whether a call has one argument less than the form with two rows of offsets.

    With a stream that form has as many arguments as the other has without: the last tells.
    """
    count = len(call.arguments)
    if count != without_stream + 1:
        return count == without_stream
    last = call.arguments[-1].lower()
    return last in _STREAM or "stream" in last or last == "s"


RULE = Rule(
    id="HA-I030",
    slug="segment-size",
    title="Segmented reduction given a segment size",
    family=Family.RUNTIME,
    tier=Tier.INTERFACE,
    why="hipCUB's DeviceSegmentedReduce takes rows of offsets alone before ROCm 10.1: the form "
    "with one size for all segments does not compile.",
    fix="Give it two iterators that count the offsets (rocprim::counting_iterator behind a "
    "transform_iterator that multiplies by the size).",
    holds=Holds(until=RocmRelease(10, 1)),
    evidence=(
        RuleEvidence(
            "hipCUB change log: fixed-size-segments variant, added for ROCm 10.1.0",
            "ROCm/rocm-libraries:projects/hipcub/CHANGELOG.md",
            RocmRelease(10, 1),
        ),
        RuleEvidence(
            "hipCUB header: the forms that there are",
            "ROCm/rocm-libraries:projects/hipcub/hipcub/include/hipcub/backend/rocprim/device/"
            "device_segmented_reduce.hpp",
            RocmRelease(7, 2),
        ),
    ),
    example=Example(
        cuda="#include <cub/cub.cuh>\nvoid f(void* t, size_t& n, float* in, float* out) {\n"
        "  cub::DeviceSegmentedReduce::Sum(t, n, in, out, 16, 1024);\n}\n",
        hip="#include <cub/cub.cuh>\n"
        "void f(void* t, size_t& n, float* in, float* out, int* from) {\n"
        "  cub::DeviceSegmentedReduce::Sum(t, n, in, out, 16, from, from + 1);\n}\n",
    ),
    driver=Driver.SEMANTIC_SITE,
    verdict=Verdict.LATER,
    confidence=Confidence.LIKELY,
    check=_check,
)
