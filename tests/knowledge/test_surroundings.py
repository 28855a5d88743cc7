"""The tables on images, variables, settings and systems."""

from __future__ import annotations

import pytest

from migrate.knowledge.images import image_row
from migrate.knowledge.settings import folk_settings, known_variables, variable_row
from migrate.knowledge.systems import supported_versions
from migrate.model.target import RocmRelease
from migrate.model.verdict import Verdict


@pytest.mark.parametrize(
    ("image", "rocm"),
    [
        ("nvidia/cuda:12.4.1-devel-ubuntu22.04", "rocm/dev-ubuntu-24.04"),
        ("docker.io/nvidia/cuda", "rocm/dev-ubuntu-24.04"),
        ("nvcr.io/nvidia/pytorch:24.07-py3", "rocm/pytorch"),
        ("pytorch/pytorch:2.4.0-cuda12.4-cudnn9-devel", "rocm/pytorch"),
        ("vllm/vllm-openai:v0.6.4.post1", "rocm/vllm"),
        ("nvcr.io/nvidia/tritonserver:24.05-py3", ""),
    ],
)
def test_an_image_of_nvidia_has_its_row(image: str, rocm: str) -> None:
    row = image_row(image)
    assert row is not None
    assert row.rocm == rocm
    assert (row.verdict is Verdict.MISSING) == (rocm == "")


@pytest.mark.parametrize(
    "image",
    [
        "ubuntu:22.04",
        "rocm/pytorch:latest",
        "example/nvidia-cuda:1",
        "vllm/vllm-openai-rocm:v0.11",
        "ghcr.io/huggingface/text-generation-inference:3.3.5-rocm",
        "tensorflow/tensorflow:2.16.1",
    ],
)
def test_another_image_has_none(image: str) -> None:
    assert image_row(image) is None


def test_a_family_of_variables_speaks_for_its_members_only() -> None:
    row = variable_row("NVSHMEM_DEBUG")
    assert row is not None
    assert row.name == "NVSHMEM_*"
    assert variable_row("NCCL_DEBUG") is None


def test_a_variable_without_a_name_on_rocm_is_missing_and_one_with_its_own_is_not_renamed() -> None:
    for row in known_variables().values():
        assert (row.verdict is Verdict.MISSING) == (row.rocm == ""), row.name
        assert (row.verdict is Verdict.RENAMED) <= (row.rocm != row.name), row.name


def test_every_setting_is_found_in_a_line_that_sets_it() -> None:
    lines = {
        "variable": "export {0}=1",
        "command": "{0}",
        "option": "hipcc {0}=1 a.cpp",
    }
    for setting in folk_settings().values():
        line = lines[setting.kind].format(setting.name)
        assert setting.needle in line
        assert setting.pattern.search(line), line


@pytest.mark.parametrize(
    ("release", "system", "versions"),
    [
        ((6, 2), "ubuntu", ("22.04", "24.04")),
        ((7, 2), "debian", ("12", "13")),
        ((10, 1), "ubuntu", ("22.04", "24.04", "26.04")),
        ((7, 2), "alpine", ()),
        ((7, 0), "ubuntu", None),
    ],
)
def test_a_release_without_a_matrix_says_nothing(
    release: tuple[int, int], system: str, versions: tuple[str, ...] | None
) -> None:
    assert supported_versions(system, RocmRelease(*release)) == versions
