"""The table of CMake's targets: whole, and its words known."""

from __future__ import annotations

from migrate.knowledge.cmake_targets import cmake_targets


def test_a_renamed_target_names_its_twin_and_the_package() -> None:
    for row in cmake_targets().values():
        assert bool(row.hip) == bool(row.package), row.cuda
        if row.becomes == "renamed":
            assert row.hip, row.cuda
        elif row.becomes in {"replaced", "missing"}:
            assert row.note, row.cuda


def test_targets_are_found_whatever_their_case() -> None:
    assert cmake_targets()["cublaslt"].hip == "roc::hipblaslt"
