"""The compiler's answers put over what text and tree say: places, states, functions, counts."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.facts.semantic import Merged, merge_answers
from migrate.facts.spans import Spans
from migrate.knowledge.apis import load_tables
from migrate.model.facts import FileFacts, Use, UseKind, iterate_uses
from migrate.model.semantic import (
    Agreement,
    Answer,
    AnswerTable,
    FileAnswers,
    FunctionPlace,
    MacroUse,
    Outcome,
    UnitFacts,
)
from migrate.model.verdict import SeenBy, Side, State
from tests.parse.reading import read


class Said(NamedTuple):
    """What a unit says of a place; ``symbol`` "" for a name of the project's own."""

    line: int
    column: int
    symbol: str = ""
    kind: UseKind = UseKind.CALL
    arguments: int = -1
    pasted: bool = False
    function: FunctionPlace | None = None
    alias: str = ""


def unit(*said: Said, path: str = "src/a.cu", macros: tuple[MacroUse, ...] = ()) -> UnitFacts:
    """A unit with answers for one file."""
    functions = tuple(dict.fromkeys(one.function for one in said if one.function))
    table = AnswerTable(
        symbols=tuple(one.symbol for one in said),
        functions=functions,
        symbol=array("I", range(len(said))),
        line=array("I", [one.line for one in said]),
        column=array("I", [one.column for one in said]),
        answer=array("B", [Answer.API if one.symbol else Answer.OWN for one in said]),
        kind=array("B", [one.kind for one in said]),
        arguments=array("I", [one.arguments + 1 for one in said]),
        function=array(
            "I", [functions.index(one.function) + 1 if one.function else 0 for one in said]
        ),
        pasted=array("B", [one.pasted for one in said]),
        line_hash=array("I", [0] * len(said)),
        aliases=("", *(one.alias for one in said)),
        alias=array("I", [number if one.alias else 0 for number, one in enumerate(said, 1)]),
    )
    answers = (FileAnswers(path=path, table=table, macros=macros),)
    return UnitFacts(path="src/unit.cu", outcome=Outcome.PARSED, answers=answers)


def merge(text: str | FileFacts, *units: UnitFacts) -> Merged:
    file = read(text) if isinstance(text, str) else text
    return merge_answers([file], units, load_tables())


def uses(merged: Merged) -> list[Use]:
    (file,) = merged.files
    return list(iterate_uses(file))


def names(merged: Merged) -> list[tuple[int, str, SeenBy]]:
    return [(use.line, use.symbol, use.seen_by) for use in uses(merged)]


FREE = "void f(int* p) { cudaFree(p); }\n"


def test_use_that_the_compiler_confirms_is_seen_by_it() -> None:
    merged = merge(FREE, unit(Said(1, 18, "cudaFree", arguments=1)))
    assert names(merged) == [(1, "cudaFree", SeenBy.CLANG)]
    assert merged.agreement == Agreement(agreed=1)


def test_name_that_is_the_project_s_own_is_no_use_and_no_call() -> None:
    merged = merge(FREE, unit(Said(1, 18)))
    assert (names(merged), merged.files[0].calls) == ([], ())
    assert merged.agreement == Agreement(own=1)


def test_place_of_which_no_unit_speaks_keeps_what_the_tree_says() -> None:
    merged = merge(FREE, unit(Said(7, 1, "cudaMalloc")))
    assert (1, "cudaFree", SeenBy.TREE) in names(merged)
    assert merged.agreement == Agreement(unseen=1, found=1)


def test_name_that_means_another_of_cuda_s_takes_that_name() -> None:
    merged = merge(FREE, unit(Said(1, 18, "cudaFreeAsync", arguments=2)))
    (use,) = uses(merged)
    assert (use.symbol, use.arguments, use.seen_by) == ("cudaFreeAsync", 2, SeenBy.CLANG)
    assert merged.agreement == Agreement(other_name=1)


def test_name_in_cuda_s_namespace_stays_as_written_whatever_library_it_comes_from() -> None:
    text = "#include <thrust/pair.h>\nvoid f() { thrust::pair<int, int> p; }\n"
    merged = merge(text, unit(Said(2, 12, "cuda::std::pair", UseKind.NAME, alias="thrust")))
    assert names(merged) == [(2, "thrust::pair", SeenBy.CLANG)]
    assert merged.agreement == Agreement(agreed=1)


def test_number_of_arguments_is_the_compiler_s() -> None:
    merged = merge(FREE, unit(Said(1, 18, "cudaFree", arguments=3)))
    assert [use.arguments for use in uses(merged)] == [3]
    assert merged.agreement == Agreement(arguments=1)


def test_answer_of_a_header_is_that_of_the_first_unit_and_cuda_s_where_any_says_so() -> None:
    says_own, says_cuda = unit(Said(1, 18)), unit(Said(1, 18, "cudaFree", arguments=1))
    for units in ((says_own, says_cuda), (says_cuda, says_own), (says_cuda, says_cuda)):
        merged = merge(FREE, *units)
        assert names(merged) == [(1, "cudaFree", SeenBy.CLANG)]
        assert merged.agreement == Agreement(agreed=1)


BRANCHES = """void f(int* p) {
#if defined(USE_ROCM)
  GPU(Free)(p);
#else
  GPU(Free)(p);
#endif
#if 0
  GPU(Free)(p);
#endif
#ifdef DEEP
#ifdef USE_ROCM
#ifdef DEEPER
  GPU(Free)(p);
#endif
#endif
  GPU(Free)(p);
#endif
  GPU(Free)(p);
}
"""


@pytest.mark.parametrize(
    ("line", "state"),
    [
        (3, None),
        (5, State.PORTED),
        (8, None),
        (13, None),
        (16, State.ACTIVE),
        (18, State.ACTIVE),
    ],
)
def test_use_that_only_the_compiler_sees_has_the_state_of_its_branch(
    line: int, state: State | None
) -> None:
    file = read(f"{BRANCHES}void g(int* p) {{ cudaFree(p); }}\n")
    said = (Said(line, 3, "cudaFree", pasted=True), Said(20, 18, "cudaFree", arguments=1))
    merged = merge(file, unit(*said))
    assert [use.state for use in uses(merged)[:-1]] == ([state] if state else [])
    assert merged.agreement == Agreement(agreed=1, found=state is not None)


def test_branches_hold_in_a_file_in_which_nothing_of_cuda_is_written() -> None:
    said = (Said(line, 3, "cudaDeviceProp::clockRate", UseKind.MEMBER) for line in (5, 8, 16))
    assert [(use.line, use.state) for use in uses(merge(BRANCHES, unit(*said)))] == [
        (5, State.PORTED),
        (16, State.ACTIVE),
    ]


NESTED = """struct S {
  void m() {
    cudaGetLastError();
    GPU(Free)(p);
  }
};
void f() {
  cudaGetLastError();
  auto inner = [] {
    GPU(Free)(p);
  };
}
GPU(Free)(p);
"""


def test_use_that_only_the_compiler_sees_is_in_the_function_that_the_tree_has_around() -> None:
    said = [Said(line, 1, "cudaFree", pasted=True) for line in (4, 10, 13)]
    found = [one for one in uses(merge(NESTED, unit(*said))) if one.symbol == "cudaFree"]
    assert [use.function for use in found] == ["S::m", "f", ""]


def test_function_that_only_the_compiler_sees_is_added_once() -> None:
    place = FunctionPlace(name="made", line=2, end_line=3, side=Side.DEVICE, kernel=True)
    said = [Said(line, 1, "__syncthreads", function=place) for line in (2, 3)]
    merged = merge("\n\n\n", unit(*said))
    assert [(use.function, use.side) for use in uses(merged)] == [("made", Side.DEVICE)] * 2
    assert [one.name for one in merged.files[0].functions] == ["made"]


def test_file_that_is_hip_code_or_unread_is_left_alone() -> None:
    for file in (replace(read(FREE), hip=True), replace(read(FREE), error="too large")):
        merged = merge(file, unit(Said(1, 18)))
        assert merged == Merged((file,), Agreement())


def test_answers_for_files_that_are_none_of_the_tree_s_change_nothing() -> None:
    file = read(FREE)
    assert merge(file, unit(Said(1, 18), path="gone.cu")) == Merged((file,), Agreement())


def test_expansions_in_a_file_of_two_units_count_once() -> None:
    use = MacroUse(name="CHECK", defined_in="src/a.cu", line=1, expansions=3)
    file = read("#define CHECK(x) if (x != cudaSuccess) abort()\n")
    merged = merge(file, unit(path="b.cu", macros=(use,)), unit(path="b.cu", macros=(use,)))
    assert [macro.expansions for macro in merged.files[0].macros] == [3]


@given(st.lists(st.tuples(st.integers(1, 12), st.integers(0, 6)), max_size=8))
def test_innermost_span_is_the_last_that_began_around_a_line(
    drawn: Sequence[tuple[int, int]],
) -> None:
    spans = [(first, first + length, number) for number, (first, length) in enumerate(drawn)]
    found = Spans(spans)
    for line in range(20):
        around = [span for span in spans if span[0] <= line <= span[1]]
        inner = max(around, key=lambda span: (span[0], -span[1], span[2]), default=None)
        assert found.around(line) == (inner[2] if inner else None)
