"""MIOpen's graph interface ended with 7.13: no answer may name it from there on."""

from __future__ import annotations

import re

import pytest

from migrate.knowledge.apis import load_tables
from migrate.knowledge.releases import known_releases
from migrate.model.resolution import Resolution
from migrate.model.target import CudaVersion, RocmRelease, Target
from migrate.model.verdict import Confidence, Verdict

GONE = RocmRelease(7, 13)
# The names that miopen.h of 7.2.4 declares in its graph section alone.
GRAPH = re.compile(
    r"miopen(?:Backend\w+|(?:BnFinalizeStats|GenStats|Pointwise|Resample|Signal)Mode_t"
    r"|Fraction_t|RngDistribution_t)"
    r"|MIOPEN_(?:ATTR|HEUR|POINTWISE|RNG_DISTRIBUTION|TYPE)_\w+|MIOPEN_BACKEND_\w+_DESCRIPTOR"
)


def resolve(name: str, rocm: str, cuda: str | None = None) -> Resolution:
    target = Target(RocmRelease.parse(rocm), ("gfx942",), CudaVersion.parse(cuda) if cuda else None)
    return load_tables().resolve(name, target)


def answers(name: str) -> dict[str, tuple[Verdict, str]]:
    found = {rocm: resolve(name, rocm) for rocm in ("7.2", "7.12", "7.13", "7.14", "10.0", "10.2")}
    return {rocm: (answer.verdict, answer.hip) for rocm, answer in found.items()}


def test_no_answer_names_the_graph_where_it_is_gone() -> None:
    tables = load_tables()
    ways = {row.name for row in tables.all_rows() if GRAPH.fullmatch(row.roc)}
    assert len(ways) > 280
    for name in sorted(ways):
        for release in known_releases():
            for cuda in (None, "11.8", "13.0"):
                answer = resolve(name, str(release), cuda)
                if GRAPH.fullmatch(answer.hip):
                    assert not release.has(GONE), (name, str(release))
                    assert "MIOPEN_BETA_API" in answer.note, name


def test_no_row_claims_the_graph_without_its_end() -> None:
    for row in load_tables().all_rows():
        assert not GRAPH.fullmatch(row.hip), row.name
        if GRAPH.fullmatch(row.roc):
            assert row.until, row.name
            assert GONE.has(row.until[0]), row.name


@pytest.mark.parametrize(
    ("name", "miopen", "hipdnn"),
    [
        ("cudnnBackendCreateDescriptor", "miopenBackendCreateDescriptor",
         "hipdnnBackendCreateDescriptor"),
        ("CUDNN_ATTR_POINTWISE_MODE", "MIOPEN_ATTR_POINTWISE_MODE", "HIPDNN_ATTR_POINTWISE_MODE"),
        ("CUDNN_POINTWISE_LOG", "MIOPEN_POINTWISE_LOG", "HIPDNN_POINTWISE_LOG"),
    ],
)  # fmt: skip
def test_hipdnn_follows_the_graph_after_a_gap(name: str, miopen: str, hipdnn: str) -> None:
    graph, later, own = (
        (Verdict.REPLACED, miopen), (Verdict.LATER, hipdnn), (Verdict.CHANGED, hipdnn)
    )  # fmt: skip
    assert answers(name) == {
        "7.2": graph, "7.12": graph, "7.13": later, "7.14": later, "10.0": own, "10.2": own,
    }  # fmt: skip
    assert "MIOpen" in resolve(name, "7.13").note


@pytest.mark.parametrize(
    "name", ["cudnnRngDistribution_t", "CUDNN_POINTWISE_COS", "CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS"]
)
def test_what_hipdnn_lacks_is_missing_once_the_graph_is_gone(name: str) -> None:
    assert resolve(name, "7.2").verdict is Verdict.REPLACED
    for rocm in ("7.13", "7.14", "10.0", "10.1"):
        answer = resolve(name, rocm)
        assert (answer.verdict, answer.confidence) == (Verdict.MISSING, Confidence.CERTAIN)
        assert "gone from 7.13" in answer.note


def test_a_descriptor_of_its_own_becomes_the_operation_in_hipdnn() -> None:
    operation = "HIPDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR"
    for name in ("CUDNN_BACKEND_MATMUL_DESCRIPTOR", "CUDNN_ATTR_OPERATION_MATMUL_DESC"):
        assert resolve(name, "7.13").verdict is Verdict.LATER
        assert answers(name)["10.0"] == (Verdict.REPLACED, operation)


def test_the_builders_of_the_frontend_become_hipdnns_graph() -> None:
    graph = (Verdict.REPLACED, "hipdnn_frontend::graph::Graph")
    before = (Verdict.REPLACED, "miopenBackendCreateDescriptor")
    assert answers("cudnn_frontend::ConvDesc") == {
        "7.2": before, "7.12": graph, "7.13": graph, "7.14": graph, "10.0": graph, "10.2": graph,
    }  # fmt: skip


def test_the_gradient_of_the_bias_is_a_sum_where_miopens_call_only_fails() -> None:
    for rocm, way in (("7.2", "miopenConvolutionBackwardBias"), ("7.13", "miopenReduceTensor")):
        assert resolve("cudnnConvolutionBackwardBias", rocm).hip == way
    assert resolve("cudnnConvolutionBackwardBias", "10.0").hip == "miopenReduceTensor"
