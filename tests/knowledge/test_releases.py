"""The order of the releases, and how a release or an architecture is read from text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.errors import AssessError
from migrate.knowledge.archs import known_archs, parse_arch
from migrate.knowledge.releases import (
    described_by,
    known_releases,
    later_releases,
    parse_release,
    release_rows,
)
from migrate.model.target import RocmRelease

releases = st.sampled_from(known_releases())


def test_the_releases_are_those_of_the_contract_in_its_order() -> None:
    assert " ".join(map(str, known_releases())) == (
        "6.2 6.3 6.4 7.0 7.1 7.2 10.0 10.1 10.2 7.9 7.10 7.11 7.12 7.13 7.14"
    )


def test_production_users_meet_no_preview() -> None:
    assert later_releases(RocmRelease(7, 1)) == tuple(
        map(RocmRelease.parse, ("7.2", "10.0", "10.1", "10.2"))
    )


def test_preview_users_go_on_to_10_0() -> None:
    assert later_releases(RocmRelease(7, 12)) == tuple(
        map(RocmRelease.parse, ("7.13", "7.14", "10.0", "10.1", "10.2"))
    )


@pytest.mark.property
@given(releases, releases, releases)
def test_what_a_release_has_its_successors_have(
    first: RocmRelease, then: RocmRelease, last: RocmRelease
) -> None:
    if then.has(first) and last.has(then):
        assert last.has(first)


@pytest.mark.property
@given(releases, releases)
def test_two_releases_have_each_other_only_if_they_are_one(
    one: RocmRelease, other: RocmRelease
) -> None:
    if one.has(other) and other.has(one):
        assert one == other


@pytest.mark.property
@given(releases)
def test_a_later_release_has_all_of_an_earlier_one(release: RocmRelease) -> None:
    assert all(later.has(release) for later in later_releases(release))


def test_each_line_becomes_known_in_its_own_order() -> None:
    for line in ("production", "preview"):
        months = [row.known for row in release_rows() if row.line == line]
        assert months == sorted(months)


def test_a_document_speaks_of_the_releases_of_its_time() -> None:
    assert described_by("2024-10", RocmRelease(6, 3))
    assert not described_by("2024-10", RocmRelease(6, 4))
    assert described_by("2026-07", RocmRelease(7, 14))
    assert not described_by("2026-07", RocmRelease(10, 0))


@pytest.mark.parametrize("text", ["7.2", "7.2.4", " 7.2 "])
def test_a_patch_level_does_not_count(text: str) -> None:
    assert parse_release(text) == RocmRelease(7, 2)


@pytest.mark.parametrize("text", ["7.3", "5.7", "x", "", "7", "99.0"])
def test_an_unknown_release_lists_the_known_ones(text: str) -> None:
    with pytest.raises(AssessError) as caught:
        parse_release(text)
    assert caught.value.slug == "unknown-release"
    assert "7.2" in str(caught.value)


def test_an_arch_is_read_with_its_target_features() -> None:
    assert parse_arch("gfx90a:xnack+").gfx == "gfx90a"
    assert parse_arch("gfx942:sramecc+:xnack-").gfx == "gfx942"


@pytest.mark.parametrize("text", ["gfx999", "sm_80", "gfx942:turbo+", "", "gfx942 "])
def test_an_unknown_arch_lists_the_known_ones(text: str) -> None:
    if text.strip() == "gfx942":
        assert parse_arch(text).gfx == "gfx942"
        return
    with pytest.raises(AssessError) as caught:
        parse_arch(text)
    assert caught.value.slug == "unknown-arch"
    assert "gfx942" in str(caught.value)


def test_figures_that_rules_turn_on() -> None:
    archs = known_archs()
    assert {gfx for gfx, arch in archs.items() if arch.wavefront_size == 64} == {
        "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950",
    }  # fmt: skip
    assert (archs["gfx942"].lds_kib, archs["gfx950"].lds_kib) == (64, 160)
    assert archs["gfx942"].fp8_format == "fnuz"
    assert archs["gfx950"].fp8_format == archs["gfx1201"].fp8_format == "OCP"
    assert archs["gfx942"].images is False
    assert archs["gfx1100"].images is True
    assert archs["gfx1250"].wavefront_size == 32
    assert archs["gfx1250"].family.startswith("CDNA")
    assert all(arch.evidence for arch in archs.values())
