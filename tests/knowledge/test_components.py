"""The component catalogue: what its names stand for, and that it contradicts itself nowhere."""

from __future__ import annotations

import re

import pytest

from migrate.estimate.drivers import LIBRARY_DRIVERS
from migrate.knowledge.apis import table_keys
from migrate.knowledge.components import (
    component_named,
    known_components,
    library_named,
    module_named,
)
from migrate.knowledge.files import data_path
from migrate.knowledge.headers import library_of_header
from migrate.knowledge.releases import known_releases
from migrate.knowledge.tables import table_rows
from migrate.model.signals import Kind
from migrate.model.verdict import Verdict

NAMES = [tuple(row) for row in table_rows("kind,name,component", "component_names.csv")]
COMPONENTS = known_components()


def test_every_name_is_of_a_known_kind_and_stands_for_a_component() -> None:
    kinds = {kind.value for kind in Kind} | {"include", "symbol", "suffix"}
    assert {kind for kind, _, _ in NAMES} <= kinds
    assert {key for _, _, key in NAMES} <= set(COMPONENTS)


def test_the_tables_are_sorted_and_no_name_stands_twice() -> None:
    assert sorted(NAMES) == NAMES
    assert len({(kind, name) for kind, name, _ in NAMES}) == len(NAMES)
    assert sorted(COMPONENTS) == list(COMPONENTS)


def test_every_component_can_be_found() -> None:
    headers = table_rows("name,hip,verdict,since,until,library,as_of,source,note", "headers.csv")
    found = {key for _, _, key in NAMES} | set(table_keys()) | {row[5] for row in headers}
    assert set(COMPONENTS) - found == set()


def test_a_part_belongs_to_a_whole_that_has_the_price() -> None:
    for one in COMPONENTS.values():
        if one.part_of:
            assert not one.driver, one.key
            assert not COMPONENTS[one.part_of].part_of, one.key
        assert set(filter(None, one.driver.split(";"))) <= set(LIBRARY_DRIVERS), one.key


def test_every_row_says_what_becomes_of_it_since_when_and_how_that_is_known() -> None:
    releases = {str(release) for release in known_releases()}
    for one in COMPONENTS.values():
        assert Verdict(one.compatibility) not in {Verdict.LATER, Verdict.UNKNOWN}, one.key
        assert bool(one.rocm) == (one.compatibility != "missing") or one.key == "samples", one.key
        assert one.source, one.key
        assert re.fullmatch(r"20\d\d-\d\d", one.as_of), one.key
        old = re.fullmatch(r"[1-5]\.\d+|6\.[01]", one.since)
        assert not one.since or old or one.since in releases, one.key


def test_what_works_unchanged_or_makes_a_port_free_costs_nothing() -> None:
    free = ("torch", "vllm", "deepspeed", "jax", "kokkos", "raja", "alpaka", "amrex", "sycl")
    assert {COMPONENTS[key].driver for key in (*free, "opencl", "mpi")} == {""}
    assert {COMPONENTS[key].compatibility for key in free} == {"same"}


@pytest.mark.parametrize(
    ("kind", "name", "component"),
    [
        ("requirement", "nvidia-cudnn-cu12", "dnn"),
        ("requirement", "cupy-cuda112", "cupy"),
        ("requirement", "cudf-cu12", "cudf"),
        ("requirement", "nvidia-dali-cuda120", "dali"),
        ("requirement", "numpy", ""),
        ("system_package", "libnccl-dev", "nccl"),
        ("system_package", "cuda-toolkit-12-4", "cuda_packages"),
        ("image", "nvidia/cuda:12.4.1-devel", "cuda_image"),
        ("image", "nvcr.io/nvidia/pytorch:24.05-py3", "ngc_image"),
        ("image", "ubuntu:22.04", ""),
        ("find", "CUDNN", "dnn"),
        ("find", "CuDNN", "dnn"),
        ("include", "Kokkos_Core.hpp", "kokkos"),
        ("include", "opencv2/cudaarithm.hpp", "opencv_cuda"),
        ("include", "opencv2/core.hpp", ""),
        ("symbol", "cusolverSpCreate", "solver_sp"),
        ("symbol", "cudaGraphLaunch", "graphs"),
        ("symbol", "cudaGraphicsMapResources", "gl_interop"),
        ("symbol", "cudaMalloc", ""),
        ("suffix", ".cuf", "cuda_fortran"),
        ("environment", "MY_NCCL_DEBUG", ""),
    ],
)
def test_a_name_stands_for_its_component(kind: str, name: str, component: str) -> None:
    assert component_named(kind, name) == component


@pytest.mark.parametrize(
    ("word", "library"),
    [
        ("cublas_static", "cublas"),
        ("libcudnn8.so", "cudnn"),
        ("CUBLASLT", "cublasLt"),
        ("opencv_cudaarithm", "opencv_cuda*"),
        ("af", ""),
        ("pthread", ""),
    ],
)
def test_a_linked_word_is_a_library_as_the_table_spells_it(word: str, library: str) -> None:
    assert library_named(word) == library


@pytest.mark.parametrize(
    ("dotted", "module"),
    [
        ("numba.cuda.random", "numba.cuda"),
        ("numba.typed", ""),
        ("cuda.tile", "cuda.tile"),
        ("cutlass.cute.nvgpu", "cutlass.cute"),
        ("nemo", ""),
        ("cv2", ""),
    ],
)
def test_the_longest_part_of_a_module_that_is_known_tells_it(dotted: str, module: str) -> None:
    assert module_named(dotted) == module


def test_headers_and_names_do_not_contradict_each_other() -> None:
    for kind, name, key in NAMES:
        if kind != "include" or COMPONENTS[key].kind == "feature":
            continue
        library = library_of_header(name.rstrip("*"))
        whole = COMPONENTS[key].part_of or key
        assert library in {"", whole, "runtime", "driver"} or COMPONENTS[key].driver, name


FAMILIES = {
    *("build", "options", "python", "containers", "cluster", "communication", "settings"),
    *("support", "components", "languages"),
}


def test_every_topic_of_the_ecosystem_has_its_place() -> None:
    topics = list(table_rows("topic,where,target,note", "topics.csv"))
    assert sorted(topic for topic, *_ in topics) == [topic for topic, *_ in topics]
    assert len(topics) >= 266
    for topic, where, target, note in topics:
        for one in filter(None, target.split(";")):
            known = {
                "component": one in COMPONENTS,
                "rule": one in FAMILIES,
                "table": data_path("mappings", *one.split("/")).exists(),
            }
            assert known[where], topic
        assert bool(target) != (where == "left_out"), topic
        assert note or where in {"component", "rule"}, topic


def test_a_component_without_a_topic_is_one_of_cudas_own_tables() -> None:
    told = {
        key
        for _, where, target, _ in table_rows("topic,where,target,note", "topics.csv")
        if where == "component"
        for key in target.split(";")
    }
    assert set(COMPONENTS) - told <= {*table_keys(), "samples"}
