"""The table of linked libraries: its names are those that readers give, and its sources known."""

from __future__ import annotations

from migrate.knowledge.components import library_named
from migrate.knowledge.linked_libraries import linked_libraries
from migrate.knowledge.sources import known_sources


def test_every_name_is_one_that_a_link_option_is_read_as() -> None:
    assert [name for name in linked_libraries() if library_named(name) != name] == []


def test_every_row_names_a_known_source() -> None:
    assert {row.source for row in linked_libraries().values()} <= set(known_sources())


def test_what_needs_no_library_on_rocm_has_none() -> None:
    left_out = {name for name, row in linked_libraries().items() if not row.hip}
    assert left_out == {"cudadevrt", "culibos", "nvrtc-builtins"}
