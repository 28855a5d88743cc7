"""Claims that hold for any code base: more CUDA is never less work, looser never stricter."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from migrate.gate.figures import figures_of
from migrate.gate.policy import GatePolicy, check_gate
from migrate.model.assessment import Assessment
from migrate.pipeline import assess
from migrate.settings import load_settings
from tests.end_to_end.command import make_tree

pytestmark = pytest.mark.property
FEWER = settings(max_examples=settings().max_examples // 2)
"""An example here is a whole run."""

STATEMENTS = (
    "cudaMalloc(&p, 4);",
    "cudaMemcpy(p, p, 4, cudaMemcpyDeviceToDevice);",
    "cudaDeviceReset();",
    "cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1);",
    "cudnnCreate(&h);",
    "cublasCreate(&h);",
    "nvmlInit();",
    "cuptiSubscribe(0, 0, 0);",
    "ncclGroupStart();",
    "v += __shfl_down_sync(~0u, v, 1);",
    "__stcs(p, 1);",
    'asm volatile("bar.sync 0;");',
    "cudaNoSuchName(1);",
    "k<<<1, 2>>>(p);",
    "v = tex2D<float>(t, 0, 0);",
    "__syncthreads();",
    "float plain = 1;",
)
FUNCTIONS = st.lists(
    st.tuples(
        st.sampled_from(("void", "__global__ void")),
        st.lists(st.sampled_from(STATEMENTS), min_size=1, max_size=5),
    ),
    min_size=1,
    max_size=4,
)
CODE = st.dictionaries(st.sampled_from(("a.cu", "b.cpp", "c.cuh")), FUNCTIONS, min_size=1)
Functions = list[tuple[str, list[str]]]


def source(functions: Functions) -> str:
    return "".join(
        f"{kind} f{number}(float* p) {{\n" + "".join(f"    {line}\n" for line in body) + "}\n"
        for number, (kind, body) in enumerate(functions)
    )


def assessed(code: dict[str, Functions]) -> Assessment:
    with tempfile.TemporaryDirectory() as folder:
        make_tree(Path(folder), {path: source(functions) for path, functions in code.items()})
        return assess(load_settings([Path(folder)], {"jobs": 1, "semantic": "off"}))


@FEWER
@given(code=CODE, more=st.sampled_from(STATEMENTS), place=st.integers(0, 99))
def test_one_more_use_never_lowers_the_effort(
    code: dict[str, Functions], more: str, place: int
) -> None:
    before = assessed(code).summary
    path = sorted(code)[place % len(code)]
    code[path][place % len(code[path])][1].append(more)
    after = assessed(code).summary
    assert after.uses >= before.uses
    for key in ("interface", "kernel", "ecosystem", "total", "first_run"):
        less, greater = getattr(before.effort, key), getattr(after.effort, key)
        for point in ("p10", "p50", "p90"):
            assert getattr(greater, point) >= getattr(less, point) * (1 - 1e-9), (key, point)


@FEWER
@given(
    code=CODE,
    limits=st.lists(st.floats(0, 1), min_size=2, max_size=2),
    weeks=st.lists(st.floats(0, 9), min_size=2, max_size=2),
)
def test_a_looser_gate_never_turns_pass_to_fail(
    code: dict[str, Functions], limits: list[float], weeks: list[float]
) -> None:
    figures = figures_of(assessed(code))
    strict = check_gate(figures, GatePolicy(min(limits), min(weeks)))
    loose = check_gate(figures, GatePolicy(max(limits), max(weeks)))
    assert loose.passed >= strict.passed
    assert loose.code <= strict.code


@FEWER
@given(code=CODE)
def test_names_in_comments_and_strings_never_count(code: dict[str, Functions]) -> None:
    said = "// " + " ".join(STATEMENTS) + '\nconst char* said = "cudaMalloc cudnnCreate";\n'
    with tempfile.TemporaryDirectory() as folder:
        make_tree(Path(folder), {path: said + source(text) for path, text in code.items()})
        with_words = assess(load_settings([Path(folder)], {"jobs": 1, "semantic": "off"})).summary
    without = assessed(code).summary
    assert with_words.verdicts == without.verdicts
    assert with_words.distinct_names == without.distinct_names
    assert with_words.shares == without.shares
