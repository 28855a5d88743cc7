"""Uses in the bodies of macros: they count there, and what uses the macros says what they are."""

from __future__ import annotations

from pathlib import Path

from migrate.facts.semantic import Merged, merge_answers
from migrate.knowledge.apis import load_tables
from migrate.model.facts import UseKind, iterate_uses
from migrate.model.source import Language
from migrate.model.unit import CompileArguments, Unit
from migrate.model.verdict import SeenBy, Side
from migrate.parse.clang.native import load_libclang
from migrate.parse.clang.reader import read_unit
from migrate.parse.clang.task import UnitTask
from migrate.parse.clang.unit import clang_arguments
from migrate.parse.macros import ProjectMacros
from migrate.parse.reader import read_source
from migrate.parse.vocabulary import load_vocabulary
from tests.parse_clang.parsing import TOOLKIT

CHECK = """\
#include <cuda_runtime.h>
#define CHECK(call) do { if ((call) != cudaSuccess) cudaGetLastError(); } while (0)
#define UNUSED(pointer) cudaFreeHost(pointer)
"""
LAUNCHES = """\
#include <cuda_runtime.h>
template <int N> __global__ void fill(float *out) { out[threadIdx.x] = N; }
#define BY_SIZE(size, kernel, out)       \\
  do {                                   \\
    if (size > 64) kernel<64><<<1, 64>>>(out); \\
    else kernel<32><<<1, 32>>>(out);     \\
  } while (0)
void run(int size, float *out) {
  BY_SIZE(size, fill, out);
}
"""


def merged(tmp_path: Path, **texts: str) -> Merged:
    """The files, named by their stems, read by tree and compiler; ``unit`` is the unit."""
    names = {stem: f"{stem}.cu" if stem == "unit" else f"{stem}.h" for stem in texts}
    files = []
    for stem, text in texts.items():
        (tmp_path / names[stem]).write_text(text, encoding="utf-8")
        language = Language.CUDA if stem == "unit" else Language.CPP
        files.append(
            read_source(text.encode(), names[stem], language, load_vocabulary(), ProjectMacros())
        )
    unit = Unit(path="unit.cu", arguments=CompileArguments(), asks=tuple(names.values()))
    arguments = tuple(clang_arguments(unit.arguments, TOOLKIT, load_libclang()))
    task = UnitTask(unit=unit, root=str(tmp_path), toolkit=TOOLKIT, arguments=arguments)
    return merge_answers(files, [read_unit(task).facts], load_tables())


def uses(result: Merged, name: str) -> list[tuple[int, str, UseKind, SeenBy]]:
    return [
        (use.line, use.symbol, use.kind, use.seen_by)
        for file in result.files
        if file.path == name
        for use in iterate_uses(file)
    ]


def test_body_of_a_used_macro_is_seen_by_the_compiler_once(tmp_path: Path) -> None:
    unit = (
        '#include "check.h"\nvoid run(void *p) {\n  CHECK(cudaFree(p));\n  CHECK(cudaFree(p));\n}\n'
    )
    result = merged(tmp_path, check=CHECK, unit=unit)
    assert uses(result, "check.h") == [
        (2, "cudaSuccess", UseKind.MACRO_BODY, SeenBy.CLANG),
        (2, "cudaGetLastError", UseKind.MACRO_BODY, SeenBy.CLANG),
        (3, "cudaFreeHost", UseKind.MACRO_BODY, SeenBy.TREE),
    ]
    assert [row[:2] for row in uses(result, "unit.cu")] == [(3, "cudaFree"), (4, "cudaFree")]
    assert (result.agreement.agreed, result.agreement.disagreed) == (4, 0)


def test_macro_that_hands_its_words_to_another_keeps_them(tmp_path: Path) -> None:
    outer = CHECK + "#define RELEASE(pointer) CHECK(cudaFree(pointer))\n"
    unit = '#include "outer.h"\nvoid run(void *p) {\n  RELEASE(p);\n}\n'
    result = merged(tmp_path, outer=outer, unit=unit)
    assert uses(result, "outer.h")[-1] == (4, "cudaFree", UseKind.MACRO_BODY, SeenBy.CLANG)
    assert uses(result, "unit.cu") == []


def test_launches_in_a_macro_count_there_and_are_seen_by_the_compiler(tmp_path: Path) -> None:
    result = merged(tmp_path, unit=LAUNCHES)
    assert uses(result, "unit.cu") == [
        (5, "<<<>>>", UseKind.LAUNCH, SeenBy.CLANG),
        (6, "<<<>>>", UseKind.LAUNCH, SeenBy.CLANG),
    ]
    assert result.agreement.unseen == 0


def test_what_a_macro_calls_differs_by_place_and_is_cudas_where_any_says_so(tmp_path: Path) -> None:
    unit = """\
#include <cuda_runtime.h>
namespace own { int cudaFree(int slot); }
#define RELEASE(thing) cudaFree(thing)
int first(int slot) { using own::cudaFree; return RELEASE(slot); }
int second(void *pointer) { return RELEASE(pointer); }
"""
    result = merged(tmp_path, unit=unit)
    assert uses(result, "unit.cu") == [(3, "cudaFree", UseKind.MACRO_BODY, SeenBy.CLANG)]


def test_function_whose_head_a_macro_makes_has_the_compilers_name(tmp_path: Path) -> None:
    unit = """\
#include <cuda_runtime.h>
#define KERNEL(name) __global__ void name##_kernel
#define ENTRY(name) extern "C" void api_##name()
#define CASE_AT(line) static void case_##line()
KERNEL(first)(int *out) {
  atomicAdd(out, 1);
}
ENTRY(release) {
  cudaFree(nullptr);
}
CASE_AT(10) {
  cudaDeviceSynchronize();
}
struct Timer {
  Timer() { cudaEventCreate(&event); } ~Timer() { cudaEventDestroy(event); }
  cudaEvent_t event;
};
"""
    (file,) = merged(tmp_path, unit=unit).files
    found = [(use.symbol, use.function, use.side) for use in iterate_uses(file)]
    assert found == [
        ("atomicAdd", "first_kernel", Side.DEVICE),
        ("cudaFree", "api_release", Side.HOST),
        ("cudaDeviceSynchronize", "CASE_AT", Side.HOST),
        ("cudaEventCreate", "Timer::Timer", Side.HOST),
        ("cudaEventDestroy", "Timer::~Timer", Side.HOST),
        ("cudaEvent_t", "", Side.UNKNOWN),
    ]
    assert [function.name for function in file.functions if function.kernel] == ["first_kernel"]
