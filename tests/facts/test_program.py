"""The program of all units: one entry a place, the one that knows most, in whatever order."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.facts.program import join_program
from migrate.model.semantic import (
    CallEdge,
    EdgeKind,
    FunctionNode,
    KernelInstance,
    LaneArithmetic,
    Outcome,
    Program,
    TileSize,
    UnitFacts,
    WarpCall,
)
from migrate.model.verdict import Side

PLACE = {"path": "h.cuh", "line": 3, "column": 5}


def unit(path: str = "a.cu", **tables: object) -> UnitFacts:
    return UnitFacts(path=path, outcome=Outcome.PARSED, **tables)  # type: ignore[arg-type]


def warp_call(**values: int | None) -> WarpCall:
    return WarpCall(symbol="__shfl_sync", function="f", **PLACE, **values)  # type: ignore[arg-type]


def edge(callee: str, arguments: str = "", caller: str = "F") -> CallEdge:
    return CallEdge(
        caller=caller, callee=callee, kind=EdgeKind.LAUNCH, arguments=arguments, **PLACE,  # type: ignore[arg-type]
    )  # fmt: skip


def kernel(arguments: str = "", static_shared: int = 0, **other: object) -> KernelInstance:
    values: dict[str, object] = {"key": "K", "name": "k", "dynamic_shared": False, **PLACE}
    return KernelInstance(
        arguments=arguments, static_shared=static_shared, **(values | other)  # type: ignore[arg-type]
    )  # fmt: skip


def function(path: str = "h.cuh", **other: object) -> FunctionNode:
    values: dict[str, object] = {
        "key": "F", "name": "f", "line": 1, "side": Side.HOST, "kernel": False, "defined": True,
    }  # fmt: skip
    return FunctionNode(path=path, **(values | other))  # type: ignore[arg-type]


def calls(*found: WarpCall) -> tuple[WarpCall, ...]:
    """What is left of one call that each of several units sees once."""
    return join_program([unit(warp_calls=(one,)) for one in found]).warp_calls


def kernels(*found: KernelInstance) -> tuple[KernelInstance, ...]:
    return join_program([unit(kernels=(one,)) for one in found]).kernels


def test_no_units_make_an_empty_program() -> None:
    assert join_program([]) == Program()


def test_a_header_that_two_units_see_counts_once() -> None:
    said = unit(
        functions=(function(),),
        calls=(edge("K"),),
        kernels=(kernel(),),
        warp_calls=(warp_call(mask=1),),
        tile_sizes=(TileSize(function="f", size=32, **PLACE),),  # type: ignore[arg-type]
        lane_arithmetic=(
            LaneArithmetic(function="f", operator="&", constant=31, origin="laneid", **PLACE),  # type: ignore[arg-type]
        ),
    )  # fmt: skip
    program = join_program([said, replace(said, path="b.cu")])
    assert program == Program(
        functions=said.functions,
        calls=said.calls,
        kernels=said.kernels,
        warp_calls=said.warp_calls,
        tile_sizes=said.tile_sizes,
        lane_arithmetic=said.lane_arithmetic,
    )


def test_an_evaluated_mask_is_preferred_over_none() -> None:
    evaluated = warp_call(mask=0xFFFFFFFF, mask_bits=32)
    assert calls(warp_call(mask_bits=32), evaluated, warp_call()) == (evaluated,)


def test_values_of_several_instantiations_are_all_kept() -> None:
    found = (warp_call(width=8), warp_call(width=16))
    assert calls(*found, warp_call()) == found


def test_entries_of_which_neither_knows_all_are_both_kept() -> None:
    assert len(calls(warp_call(mask=1), warp_call(width=16), warp_call(mask=1, width=8))) == 2


def test_tile_sizes_of_several_instantiations_are_all_kept() -> None:
    sizes = [TileSize(function="f", size=size, **PLACE) for size in (32, 16)]  # type: ignore[arg-type]
    program = join_program([unit(tile_sizes=(one,)) for one in sizes])
    assert [one.size for one in program.tile_sizes] == [16, 32]


def test_a_template_that_some_unit_instantiates_is_not_there_beside_its_instances() -> None:
    instances = (kernel("<float>", 4), kernel("<int>", 8))
    assert kernels(kernel(static_shared=-1), *instances) == instances


def test_a_template_that_no_unit_instantiates_stays() -> None:
    elsewhere = kernel("<int>", 8, path="other.cuh")
    assert kernels(kernel(static_shared=-1), elsewhere) == (kernel(static_shared=-1), elsewhere)


def test_a_kernels_size_and_bounds_are_taken_from_whom_knows_them() -> None:
    known = kernel("", 64, launch_bounds=(256, 2), dynamic_shared=True)
    assert kernels(
        kernel("", -1, launch_bounds=(256, None)), kernel("", 64, launch_bounds=(None, None)), known
    ) == (known,)


def test_what_a_unit_launches_is_preferred_over_what_another_cannot_tell() -> None:
    program = join_program([unit(calls=(edge(""), edge("K"))), unit(calls=(edge("K", "<int>"),))])
    assert program.calls == (edge("K", "<int>"),)


def test_calls_of_one_place_with_other_callers_are_both_kept() -> None:
    assert len(join_program([unit(calls=(edge("K"), edge("K", caller="G")))]).calls) == 2


def test_a_declaration_gives_way_to_the_definition_of_another_unit() -> None:
    declared, defined = function("api.h", defined=False), function("f.cu")
    assert join_program([unit(functions=(declared,)), unit(functions=(defined,))]).functions == (
        defined,
    )


def test_what_nobody_defines_keeps_its_declaration() -> None:
    declared = function("api.h", defined=False)
    assert join_program([unit(functions=(declared,))]).functions == (declared,)


def test_functions_of_one_key_in_two_programs_are_both_kept() -> None:
    found = (function("one/main.cu"), function("two/main.cu"))
    assert join_program([unit(functions=(one,)) for one in found]).functions == found


def test_a_unit_that_sees_device_code_says_where_a_function_runs() -> None:
    found = [function(side=Side.HOST), function(side=Side.BOTH)]
    (one,) = join_program([unit(functions=(node,)) for node in found]).functions
    assert one.side is Side.BOTH


_SMALL = st.sampled_from([None, 1, 2])
_LINES = st.integers(1, 2)
_CALLS = st.builds(
    lambda line, mask, width, bits: replace(
        warp_call(mask=mask, width=width, result_bits=bits), line=line
    ),
    _LINES, _SMALL, _SMALL, st.sampled_from([0, 32, 64]),
)  # fmt: skip
_KERNELS = st.builds(
    lambda arguments, size, bound, attributes: kernel(
        arguments, size, launch_bounds=(bound,), attributes=attributes
    ),
    st.sampled_from(["", "<int>"]), st.integers(-1, 1), _SMALL, st.sampled_from([(), ("a",)]),
)  # fmt: skip
_EDGES = st.builds(edge, st.sampled_from(["", "K", "L"]), st.sampled_from(["", "<int>"]))
_FUNCTIONS = st.builds(
    lambda path, side, defined: function(path, side=side, defined=defined),
    st.sampled_from(["a", "b"]), st.sampled_from(list(Side)), st.booleans(),
)  # fmt: skip
_UNITS = st.builds(
    lambda functions, edges, found, warps: unit(
        functions=tuple(functions), calls=tuple(edges), kernels=tuple(found),
        warp_calls=tuple(warps),
    ),
    st.lists(_FUNCTIONS, max_size=3), st.lists(_EDGES, max_size=3),
    st.lists(_KERNELS, max_size=3), st.lists(_CALLS, max_size=4),
)  # fmt: skip


@pytest.mark.property
@given(st.lists(_UNITS, max_size=5), st.integers(0, 100))
def test_neither_the_order_of_units_nor_a_unit_twice_changes_anything(
    units: list[UnitFacts], seed: int
) -> None:
    turned = random.Random(seed).sample([*units, *units[:1]], len(units) + len(units[:1]))
    assert join_program(turned) == join_program(units)


@pytest.mark.property
@given(st.lists(_UNITS, max_size=5))
def test_what_is_joined_is_what_units_said_and_joins_to_itself(units: list[UnitFacts]) -> None:
    program = join_program(units)
    assert set(program.warp_calls) <= {one for each in units for one in each.warp_calls}
    again = unit(
        functions=program.functions, calls=program.calls, kernels=program.kernels,
        warp_calls=program.warp_calls,
    )  # fmt: skip
    assert join_program([again]) == program
