"""Which declarations need a row, and what is counted of those that have one."""

from __future__ import annotations

from migrate.knowledge.apis import load_tables
from migrate.model.target import RocmRelease, Target
from tests.upkeep.coverage import (
    NOT_A_USE,
    NotPublic,
    count_verdicts,
    public,
    read_not_public,
    unneeded,
    without_row,
)
from tests.upkeep.declared import Declared


def function(name: str, header: str = "own.h") -> Declared:
    return Declared(name, "function", header, (), "int")


def test_a_name_without_row_or_family_is_reported_once_and_by_header() -> None:
    found = without_row(
        [
            function("cudaMalloc"), function("nvmlNobodyWroteThis"), function("cudaNoSuch", "b.h"),
            function("cudaNoSuch", "c.h"), function("cudaNoneEither", "a.h"),
            function("make_char1"),
        ],
        load_tables(),
    )  # fmt: skip
    assert [(one.header, one.name) for one in found] == [
        ("a.h", "cudaNoneEither"),
        ("b.h", "cudaNoSuch"),
    ]


def test_guards_operators_members_and_reserved_names_are_not_public() -> None:
    declarations = [
        Declared("OWN_H", "macro", "own.h"),
        Declared("_OWN_TEXT", "macro", "own.h", (), "1"),
        Declared("OWN_TEXT", "macro", "own.h", (), "1"),
        Declared("cudaDeviceProp::name", "member", "own.h"),
        function("operator+"),
        function("_hidden"),
        function("__half2float"),
    ]
    assert [one.name for one in public(declarations, ())] == ["OWN_TEXT", "__half2float"]


def test_a_reviewed_pattern_takes_header_and_name_together() -> None:
    rule = NotPublic("kit/*", "*_impl", "implementation")
    kept = public([function("run_impl", "kit/a.h"), function("run_impl", "b.h")], [rule])
    assert [one.header for one in kept] == ["b.h"]


def test_a_pattern_that_covers_nothing_is_reported() -> None:
    needed, stale = NotPublic("*", "*_impl", "reason"), NotPublic("gone.h", "*", "reason")
    assert unneeded([function("run_impl")], [needed, stale]) == [stale]


def test_every_pattern_of_the_reviewed_list_has_a_reason() -> None:
    rules = read_not_public()
    assert rules
    assert all(rule.header and rule.name and rule.reason for rule in rules)


def test_verdicts_are_counted_by_the_library_that_answers() -> None:
    target = Target(RocmRelease(7, 2), ("gfx942",))
    counts = count_verdicts(
        [
            function("cudaMalloc"),
            function("cudaMalloc"),
            function("cublasSgemm"),
            function("make_char1"),
        ],
        load_tables(),
        target,
    )
    assert counts["runtime"] == {"renamed": 1, "unconfirmed": 0}
    assert counts["blas"]["renamed"] == 1
    assert counts[NOT_A_USE][NOT_A_USE] == 1
