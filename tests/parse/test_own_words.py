"""A project's own macros for qualifiers, kernel heads and launches, learnt from its definitions."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.model.facts import FileFacts, UseKind, iterate_uses
from migrate.model.source import Language, SourceFile
from migrate.model.verdict import Side
from migrate.parse.definitions import learn_words
from migrate.parse.macros import ProjectMacros
from migrate.parse.own_words import OwnWords
from tests.parse.reading import read


def learn(folder: Path, *headers: str) -> OwnWords:
    """The words that headers define: ``h0/own.h``, ``h1/own.h`` and so on."""
    files = []
    for number, text in enumerate(headers):
        path = f"h{number}/own.h"
        (folder / path).parent.mkdir()
        (folder / path).write_text(text)
        files.append(SourceFile(path=path, language=Language.CPP, size=len(text)))
    return learn_words(str(folder), files)


def read_with(folder: Path, header: str, source: str, *, path: str = "src/a.cu") -> FileFacts:
    """The facts of a source text in a tree with a header."""
    return read(source, path=path, macros=ProjectMacros(words=learn(folder, header)))


def kernels(facts: FileFacts) -> list[tuple[str, int]]:
    """The kernels that a file defines, by name and line."""
    return [(one.name, one.line) for one in facts.functions if one.kernel]


BONSAI = """
#ifndef SEPARATE
#define KERNEL_NAME(funcname)    funcname
#define KERNEL_DECLARE(funcname) extern "C" __global__ void KERNEL_NAME(funcname)
#else
#define KERNEL_NAME(funcname)    gpu_ ## funcname
#define KERNEL_DECLARE(funcname) __global__ void KERNEL_NAME(funcname)
#endif
"""


def test_a_macro_that_declares_a_kernel_by_its_name_heads_one(tmp_path: Path) -> None:
    source = "\nKERNEL_DECLARE(build)(int n, float *a)\n{\n  a[n] = __ldg(a);\n}\n"
    facts = read_with(tmp_path, BONSAI, source)
    assert kernels(facts) == [("build", 2)]
    (use,) = iterate_uses(facts)
    assert (use.symbol, use.function, use.side) == ("__ldg", "build", Side.DEVICE)


@pytest.mark.parametrize(
    ("header", "source"),
    [
        ("#define KERNEL(k) __global__ void k", "KERNEL(k)(int n) { }"),
        ("#define KERNEL(k) __global__ void k\r\n", "KERNEL ( k )\r\n(int n)\r\n{ }"),
        ("#define KERNEL(k) \\\n  __global__ \\\n  void k", "KERNEL(k)(int n) { }"),
        ("#define G __global__\n#define KERNEL(k) G void k", "KERNEL(k)(int n) { }"),
        ("#define KERNEL(b, k) __global__ void __launch_bounds__(b) k", "KERNEL(64, k)(int n) { }"),
        ("#define KERNEL(k, ...) __global__ void k(__VA_ARGS__)", "KERNEL(k, int n, int m) { }"),
        (
            "#define KERNEL(T, k, ...) __global__ void k(T a, __VA_ARGS__)",
            "KERNEL(A, k, int n) { }",
        ),
        ("#define KERNEL(k) __global__ void k##_gpu", "KERNEL(k)(int n) { }"),
        ("#define gpu_main __global__ void", "gpu_main k(int n) { }"),
        ("#define KERN static __global__", "KERN void k(int n) { }"),
        ("#define K __global__", "template <class T> K void k(T n) { }"),
        ("#define BOUNDED(n) __global__ __launch_bounds__(n)", "BOUNDED(256) void k(int n) { }"),
        ("#define BOUNDED(n) __global__ void __launch_bounds__(n)", "BOUNDED(N) k(int n) { }"),
        ("#define bounded(n) __global__ __launch_bounds__(n)", "bounded(256) void k(int n) { }"),
    ],
)
def test_a_kernel_behind_a_macro(tmp_path: Path, header: str, source: str) -> None:
    assert kernels(read_with(tmp_path, header, source)) == [("k", 1)]


@pytest.mark.parametrize(
    ("header", "source"),
    [
        ("#define KERNEL(k) k##_kernel", "KERNEL(k)(int n) { }"),
        ("#define KERNEL(k) __device__ void k", "KERNEL(k)(int n) { }"),
        ("#define KERNEL(k) __global__ void k", "void f() { KERNEL(1)(2); }"),
        ("#define KERNEL(k) __global__ void k", "KERNEL(k)(int n);"),
        ("#define KERN __global__\n#define KERN 3", "KERN void k(int n) { }"),
        ("#define TABLE __device__ __constant__", "TABLE void k(int n) { }"),
        ("#define __global__ __attribute__((global))", "void k(int n) { }"),
        ("#define A B\n#define B A", "A void k(int n) { }"),
    ],
)
def test_what_is_no_kernel(tmp_path: Path, header: str, source: str) -> None:
    assert kernels(read_with(tmp_path, header, source)) == []


@pytest.mark.parametrize(
    ("header", "head", "side"),
    [
        ("#define IHD inline __host__ __device__", "IHD float f(float* a)", Side.BOTH),
        ("#define IHD inline __host__ __device__", "template <class T> IHD T f(T* a)", Side.BOTH),
        ("#define DI inline __device__", "static DI float f(float* a)", Side.DEVICE),
        ("#define DI inline __device__", "DI float f(float* a)", Side.DEVICE),
        ("#define HD __host__ __device__\n#define MINE HD inline", "MINE int f()", Side.BOTH),
        ("#define HD\n#define HD __host__ __device__", "HD int f()", Side.BOTH),
        ("#define FUNC(f) __device__ void f", "FUNC(f)(int* a)", Side.DEVICE),
        ("#define FUNC(type) __device__ type", "FUNC(int) f(int* a)", Side.HOST),
        ("#define ON_HOST __host__", "ON_HOST int f()", Side.HOST),
        ("#define HD __host__ __device__", "int HD_f, f()", Side.HOST),
    ],
)
def test_a_short_word_for_qualifiers_tells_the_side(
    tmp_path: Path, header: str, head: str, side: Side
) -> None:
    facts = read_with(tmp_path, header, f"int x;\n{head}\n{{\n  return __ldg(a);\n}}\n")
    assert [(one.name, one.side) for one in facts.functions] == [("f", side)]


def test_a_lambda_behind_a_word_of_the_project_runs_on_the_device(tmp_path: Path) -> None:
    source = "void f() { each([=] HD (int i) { return __ldg(a + i); }); }"
    (use,) = iterate_uses(read_with(tmp_path, "#define HD __host__ __device__", source))
    assert use.side is Side.BOTH


DGL = """
#define CUDA_KERNEL_CALL(kernel, nblks, nthrs, shmem, stream, ...) \\
  {                                                               \\
    if (!is_zero((nblks))) {                                      \\
      (kernel)<<<(nblks), (nthrs), (shmem), (stream)>>>(__VA_ARGS__); \\
    }                                                             \\
  }
"""


def launched(facts: FileFacts) -> list[tuple[str, ...]]:
    """The launches of a file: kernel, configuration, function."""
    return [
        (one.kernel, one.grid, one.block, one.shared, one.stream, one.function)
        for one in facts.launches
    ]


def test_a_macro_that_launches_its_parameter_is_a_launch_where_it_stands(tmp_path: Path) -> None:
    source = (
        "void f() {\n  CUDA_KERNEL_CALL((mine::k<int, 2>), n / 32, dim3(32, 1), 0, s, a, b);\n}"
    )
    facts = read_with(tmp_path, DGL, source)
    assert launched(facts) == [("mine::k", "n / 32", "dim3(32, 1)", "0", "s", "f")]
    # The use, what is to be ported, stands in the macro's body alone.
    assert len(facts.uses) == 0


def test_the_macro_itself_is_the_use(tmp_path: Path) -> None:
    facts = read_with(tmp_path, DGL, DGL)
    assert [use.symbol for use in iterate_uses(facts)] == ["<<<>>>"]
    assert [UseKind(kind) for kind in facts.uses.kind] == [UseKind.LAUNCH]
    assert len(facts.launches) == 1


@pytest.mark.parametrize(
    ("header", "call", "expected"),
    [
        (
            "#define RUN(k, g, b) cudaLaunchKernel((const void*)&k, g, dim3(b), args, 0, st)",
            "RUN(k, n, 64);",
            ("k", "n", "dim3(64)", "0", "st", "f"),
        ),
        (
            "#define IN(k, g, ...) k<<<g, 128>>>(__VA_ARGS__)\n#define RUN(n, k) IN(k, n * 2, n)",
            "RUN(4, k);",
            ("k", "4 * 2", "128", "", "", "f"),
        ),
        (
            "#define RUN(ngpus, name) name<T, ngpus><<<blocks, threads, 0, stream>>>(p)",
            "RUN(8, k);",
            ("k", "blocks", "threads", "0", "stream", "f"),
        ),
        ("#define RUN(k) k<<<1, 32>>>(p)", "RUN(&k<int>);", ("k", "1", "32", "", "", "f")),
    ],
)
def test_a_launch_by_a_macro(
    tmp_path: Path, header: str, call: str, expected: tuple[str, ...]
) -> None:
    facts = read_with(tmp_path, header, f"void f() {{ {call} }}")
    assert launched(facts) == [expected]


@pytest.mark.parametrize(
    ("header", "call"),
    [
        ("#define RUN(n) k<<<1, n>>>(p)", "RUN(32);"),
        ("#define RUN(k) k<<<1, 32>>>(p)", "RUN;"),
        ("#define RUN(k) k<<<1, 32>>>(p)", "// RUN(k);"),
        ("#define RUN(k) k(1 << 3)", "RUN(k);"),
    ],
)
def test_what_is_no_launch_by_a_macro(tmp_path: Path, header: str, call: str) -> None:
    assert launched(read_with(tmp_path, header, f"void f() {{ {call} }}")) == []


def test_of_two_macros_with_one_name_the_nearest_counts(tmp_path: Path) -> None:
    headers = (
        "#define RUN(k, g, s) k<<<g, 32, 0, s>>>(p)",
        "#define RUN(k, g) k<<<g, 64>>>(p)",
    )
    words = ProjectMacros(words=learn(tmp_path, *headers))
    source = "void f() { RUN(k, n, o); }"
    blocks = [read(source, path=f"h{n}/a.cu", macros=words).launches[0].block for n in (0, 1)]
    assert blocks == ["32", "64"]


def test_a_file_without_its_header_is_read_as_before(tmp_path: Path) -> None:
    (words, none) = (learn(tmp_path, "int KERNEL;\n"), OwnWords())
    assert words == none
    missing = SourceFile(path="gone.h", language=Language.CPP, size=1)
    assert learn_words(str(tmp_path), [missing]) == none


def test_endless_definitions_take_linear_time(tmp_path: Path) -> None:
    hostile = (
        "#define A(" + "(" * 50_000 + "\n#define B \\\n" * 20_000 + "#define C " + "x(" * 3_000
    )
    assert learn(tmp_path, hostile) == OwnWords()
