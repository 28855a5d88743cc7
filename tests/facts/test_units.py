"""Which files are parsed, in which order, and which files each of them answers for."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.facts.units import plan_units
from migrate.model.facts import FileFacts
from migrate.model.source import Language
from migrate.model.unit import CompileArguments, CompileCommand, CompileDatabase, Unit, UnitPlan
from tests.parse.reading import read

Tree = dict[str, str]
KERNEL = "__global__ void k() { }\n"
_LANGUAGES = {".c": Language.C, ".cu": Language.CUDA, ".cuh": Language.CUDA, ".hip": Language.HIP}


def uses(count: int) -> str:
    """Code with this many uses."""
    return "inline void f() { " + "cudaFree(0); " * count + "}\n"


def facts(tree: Tree) -> list[FileFacts]:
    return [
        read(text, path=path, language=_LANGUAGES.get(path[path.rindex(".") :], Language.CPP))
        for path, text in tree.items()
    ]


def commands(*paths: str, language: str = "cuda", macro: str = "-DKNOWN") -> CompileDatabase:
    arguments = CompileArguments(macros=(macro,), language=language)
    return CompileDatabase(
        path="compile_commands.json",
        commands=tuple(CompileCommand(path=path, arguments=arguments) for path in sorted(paths)),
    )


def plan(
    tree: Tree,
    *third_party: str,
    database: CompileDatabase | None = None,
    budget: int = 100,
) -> UnitPlan:
    return plan_units(
        facts(tree),
        (),
        database or CompileDatabase(),
        root="/tree",
        third_party=frozenset(third_party),
        budget=budget,
    )


def asks(result: UnitPlan) -> dict[str, tuple[str, ...]]:
    return {unit.path: unit.asks for unit in result.units}


def only(result: UnitPlan) -> Unit:
    (unit,) = result.units
    return unit


@pytest.mark.parametrize(
    ("path", "text", "language"),
    [
        ("a.cu", KERNEL, "cuda"),
        ("a.cu", uses(1), "cuda"),
        ("a.cpp", uses(1), "c++"),
        ("a.cc", "#include <cuda_runtime.h>\n" + uses(1), "c++"),
        ("a.cpp", KERNEL, "cuda"),
        ("a.cxx", "void f() { k<<<1, 2>>>(); }\n", "cuda"),
        ("a.c", uses(1), "c"),
        ("a.c", KERNEL, "cuda"),
        ("a.cuh", KERNEL, "cuda"),
        ("a.h", uses(1), "cuda"),
    ],
)
def test_language_comes_from_the_name_and_from_what_is_in_the_file(
    path: str, text: str, language: str
) -> None:
    unit = only(plan({path: text}))
    assert (unit.path, unit.arguments.language, unit.asks) == (path, language, (path,))


@pytest.mark.parametrize(
    "tree",
    [
        {},
        {"a.cu": "int x;\n"},
        {"a.cpp": "int x;\n"},
        {"a.hip": KERNEL},
        {"a.cpp": "#include <hip/hip_runtime.h>\nvoid f() { hipFree(0); }\n"},
        {"a.cu.in": "int x;\n"},
    ],
)
def test_files_without_cuda_code_are_no_units(tree: Tree) -> None:
    assert plan(tree) == UnitPlan()


def test_third_party_files_are_neither_units_nor_asked() -> None:
    tree = {"a.cu": '#include "ext/x.h"\n' + KERNEL, "ext/x.h": uses(5), "ext/y.cu": KERNEL}
    assert asks(plan(tree, "ext/x.h", "ext/y.cu")) == {"a.cu": ("a.cu",)}


def test_a_unit_is_asked_of_its_headers_with_cuda_code_however_it_reaches_them() -> None:
    tree = {
        "src/a.cu": '#include "plain.h"\n' + KERNEL,
        "src/plain.h": "#include <lib/b.h>\n",
        "include/lib/b.h": uses(1),
        "include/lib/c.h": uses(1),
    }
    assert asks(plan(tree))["src/a.cu"] == ("src/a.cu", "include/lib/b.h")


def test_a_cpp_file_without_cuda_counts_by_the_headers_that_it_includes() -> None:
    tree = {"a.cpp": '#include "a.h"\n', "a.h": uses(2), "b.cpp": '#include "b.h"\n', "b.h": ""}
    assert asks(plan(tree)) == {"a.cpp": ("a.cpp", "a.h")}


def test_a_cpp_file_that_adds_nothing_is_left_out() -> None:
    tree = {"a.cu": '#include "a.h"\n' + KERNEL, "b.cpp": '#include "a.h"\n', "a.h": uses(2)}
    result = plan(tree)
    assert asks(result) == {"a.cu": ("a.cu", "a.h")}
    assert result.beyond_budget == 0


def test_a_cu_file_that_another_file_includes_is_asked_of_that_one() -> None:
    tree = {"a.cu": '#include "b.cu"\n' + KERNEL, "b.cu": KERNEL}
    assert asks(plan(tree)) == {"a.cu": ("a.cu", "b.cu")}


def test_an_included_cu_file_with_a_compile_command_is_a_unit_of_its_own() -> None:
    tree = {"a.cu": '#include "b.cu"\n' + KERNEL, "b.cu": KERNEL}
    assert asks(plan(tree, database=commands("b.cu"))) == {"a.cu": ("a.cu",), "b.cu": ("b.cu",)}


def test_cu_files_that_include_each_other_are_parsed_all_the_same() -> None:
    tree = {"a.cu": '#include "b.cu"\n' + KERNEL, "b.cu": '#include "a.cu"\n' + KERNEL}
    assert asks(plan(tree)) == {"a.cu": ("a.cu", "b.cu")}


def test_a_header_is_asked_of_the_first_two_units_that_reach_it() -> None:
    tree = {f"{name}.cu": '#include "x.h"\n' + KERNEL for name in "abc"} | {"x.h": uses(1)}
    assert asks(plan(tree)) == {
        "a.cu": ("a.cu", "x.h"), "b.cu": ("b.cu", "x.h"), "c.cu": ("c.cu",),
    }  # fmt: skip


def test_of_two_units_asked_of_a_header_one_sees_device_code_where_any_does() -> None:
    tree = {f"{name}.cpp": '#include "x.h"\n' + uses(9) for name in "ab"}
    tree |= {"c.cu": '#include "x.h"\n' + KERNEL, "x.h": uses(1)}
    assert [path for path, asked in asks(plan(tree)).items() if "x.h" in asked] == [
        "a.cpp", "c.cu",
    ]  # fmt: skip


def test_units_come_in_order_of_what_they_add() -> None:
    tree = {
        "a.cu": uses(1),
        "b.cu": uses(3),
        "c.cu": '#include "x.h"\n' + uses(1),
        "d.cu": '#include "x.h"\n' + uses(2),
        "x.h": uses(7),
    }
    assert list(asks(plan(tree))) == ["d.cu", "b.cu", "a.cu", "c.cu"]


def test_files_with_a_command_come_first_among_equals() -> None:
    tree = {"a.cu": KERNEL, "b.cu": KERNEL}
    assert list(asks(plan(tree, database=commands("b.cu")))) == ["b.cu", "a.cu"]


def test_headers_that_no_unit_reaches_come_last_and_answer_for_what_they_include() -> None:
    tree = {
        "a.cu": KERNEL,
        "inner.cuh": uses(5),
        "lib.cuh": '#include "inner.cuh"\n' + uses(1),
        "other.h": uses(2),
    }
    assert asks(plan(tree)) == {
        "a.cu": ("a.cu",),
        "lib.cuh": ("lib.cuh", "inner.cuh"),
        "other.h": ("other.h",),
    }


def test_templates_of_files_are_not_parsed_but_named() -> None:
    result = plan({"a.cu": KERNEL, "b.cu.in": KERNEL, "c.cuh.jinja": KERNEL})
    assert list(asks(result)) == ["a.cu"]
    assert result.uncovered == ("b.cu.in", "c.cuh.jinja")


def test_a_header_for_hip_builds_is_no_unit() -> None:
    tree = {"a.cu": '#ifdef __HIP__\n#include "hip.h"\n#endif\n' + KERNEL, "hip.h": uses(1)}
    result = plan(tree)
    assert asks(result) == {"a.cu": ("a.cu",)}
    assert result.uncovered == ("hip.h",)


def test_a_command_gives_arguments_and_language() -> None:
    unit = only(plan({"a.cu": KERNEL}, database=commands("a.cu", language="c++")))
    assert unit.known
    assert unit.arguments == CompileArguments(macros=("-DKNOWN",), language="c++")


def test_a_file_without_a_command_is_guessed_beside_those_that_have_one() -> None:
    result = plan({"a.cu": KERNEL, "b.cu": uses(1)}, database=commands("a.cu"))
    assert {unit.path: unit.arguments.macros for unit in result.units if not unit.known} == {
        "b.cu": ()
    }


def test_a_lone_header_takes_the_arguments_of_the_nearest_command() -> None:
    tree = {"a/x/one.cu": KERNEL, "b/two.cu": KERNEL, "a/y/lib.h": uses(1)}
    near, far = commands("a/x/one.cu", macro="-DNEAR"), commands("b/two.cu", macro="-DFAR")
    database = CompileDatabase(commands=(*near.commands, *far.commands))
    header = plan(tree, database=database).units[-1]
    assert (header.path, header.arguments.macros, header.known) == ("a/y/lib.h", ("-DNEAR",), False)


def test_near_identical_instances_of_a_template_come_late() -> None:
    instance = '#include "kernel.cuh"\nvoid f() { cudaFree(0); }\n'
    tree = {f"a_{number}.cu": instance for number in range(20)}
    tree |= {"kernel.cuh": KERNEL + uses(9), "z.cu": uses(4)}
    result = plan(tree, budget=2)
    assert list(asks(result)) == ["a_0.cu", "z.cu"]
    assert result.beyond_budget == 19


@pytest.mark.parametrize(("budget", "parsed"), [(-1, 0), (0, 0), (1, 1), (2, 2), (9, 3)])
def test_the_budget_counts_units(budget: int, parsed: int) -> None:
    tree = {"a.cu": uses(3), "b.cu": uses(2), "c.cu": uses(1)}
    result = plan(tree, budget=budget)
    assert (len(result.units), result.beyond_budget) == (parsed, 3 - parsed)
    assert result.uncovered == ("a.cu", "b.cu", "c.cu")[parsed:]


_PATHS = ("a/m.cu", "a/n.cpp", "b/o.cu", "a/x.h", "b/x.h", "a/y.cuh", "b/z.inl")
_INCLUDES = st.sampled_from(["x.h", "y.cuh", "z.inl", "b/x.h", "o.cu", "../a/x.h"])
_TREES = st.dictionaries(
    st.sampled_from(_PATHS),
    st.builds(
        lambda includes, count: "".join(f'#include "{one}"\n' for one in includes) + uses(count),
        st.lists(_INCLUDES, max_size=3),
        st.integers(0, 3),
    ),
)


@pytest.mark.property
@given(_TREES, st.randoms(use_true_random=False), st.integers(0, 4))
def test_the_order_of_the_files_does_not_matter(tree: Tree, random: object, budget: int) -> None:
    shuffled = sorted(tree)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    again = plan({path: tree[path] for path in shuffled}, budget=budget)
    assert again == plan(tree, budget=budget)


@pytest.mark.property
@given(_TREES)
def test_everything_is_answered_for_and_by_two_units_at_most(tree: Tree) -> None:
    result = plan(tree)
    asked = Counter(path for unit in result.units for path in unit.asks)
    with_uses = {path for path, text in tree.items() if "cudaFree" in text}
    assert result.uncovered == ()
    assert with_uses <= set(asked) <= set(tree)
    assert max(asked.values(), default=0) <= 2
    assert all(unit.asks[0] == unit.path for unit in result.units)
