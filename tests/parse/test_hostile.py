"""Whatever a file holds, reading it ends soon and raises nothing."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from migrate.parse.mask import mask_comments_and_literals
from tests.parse.reading import read, symbols

TOKENS = [
    *("cudaFree", "cudaFree(p)", "cudaDeviceProp p;", "p.warpSize", "cub::", "cub::BlockReduce<"),
    *("rsqrtf", "atomicAdd(", "k<<<", ">>>", "1, 2", "asm(", "asm volatile(", "__shared__ float a[",
      "__global__ void k()", "__device__", "operator()", "template <", "void f(int a)", "namespace",
      "using namespace cub;", "struct S : T", "S() : a(1), b{", "cudaCheck(", "return"),
    *("{", "}", "(", ")", "[", "]", "<", ">", ";", ",", ":", "::", "->", ".", "=", "*", "&", "##"),
    *('"', "'", "\\", "\\\n", "\n", "\r\n", "/*", "*/", "//", 'R"(', ')"', 'R"x(', "1'0", "'a'"),
    *("\n#if 0\n", "\n#ifdef USE_ROCM\n", "\n#else\n", "\n#endif\n", "\n#elif defined(USE_HIP) &&",
      "\n#define cudaX ", "\n#define F(x) \\\n", "\n#include <", "\n#if (08 << -1) ? 1 :", "#",
      "\n#if 9999999999999999999999 * 9 / 0 || 0x'", "\n#undef"),
    *(" ", "\t", "é", "\x00", "\ufeff", "\U0001f600", "return", "a", "0"),
]  # fmt: skip


@pytest.mark.property
@given(st.lists(st.sampled_from(TOKENS), max_size=60).map("".join))
@example('"\\')
@example("'\\")
@example('R"(')
def test_no_mix_of_tokens_stops_the_reader(source: str) -> None:
    facts = read(source)
    last = source.count("\n") + 1
    assert all(1 <= line <= last for line in facts.uses.line)
    assert all(
        first <= end <= last
        for first, end in zip(facts.uses.line, facts.uses.end_line, strict=True)
    )


@pytest.mark.property
@given(st.binary(max_size=400))
@example(b"\xff\xfec\x00u\x00")
@example(b"\xfe\xff\xd8")
def test_no_bytes_stop_the_reader(data: bytes) -> None:
    assert read(data).path == "src/a.cu"
    assert read(b"cudaFree(p);\n" + data).lines >= 1


@pytest.mark.property
@given(st.lists(st.sampled_from(TOKENS), max_size=60).map("".join))
def test_masking_keeps_length_and_line_breaks(source: str) -> None:
    data = source.encode()
    masked = mask_comments_and_literals(data)
    assert len(masked) == len(data)
    assert [i for i, c in enumerate(masked) if c == 10] == [
        i for i, c in enumerate(data) if c == 10
    ]
    assert mask_comments_and_literals(masked) == masked or b"'" in data or b'"' in data


@pytest.mark.property
@given(
    st.text(st.characters(codec="utf-8", exclude_characters='"\\\n\r*/()'), max_size=30),
    st.sampled_from(["// {}\n", "/* {} */", '"{}"', 'R"({})"', 'u8R"x({})x"', "/* {}\n */"]),
)
def test_a_name_in_a_comment_or_string_never_counts(text: str, form: str) -> None:
    hidden = form.format(f"{text} cudaMalloc(&p, 4) {text}")
    assert symbols(f"void f() {{ g({hidden}\n); cudaFree(p); }}\n") == ["cudaFree"]


N = 30_000
LARGE = {
    "open brackets": b"void f() {" + b"cudaFree(" * N,
    "nested brackets": b"void f() {" + b"cudaFree(" * N + b")" * N + b"; }",
    "braces": b"void f()" + b"{" * N + b"cudaFree(p);" + b"}" * N,
    "conditionals": b"#ifdef USE_ROCM\n" * N + b"#else\n cudaFree(p);\n" + b"#endif\n" * N,
    "branches": b"#if A\n" + b"#elif defined(USE_ROCM)\n cudaFree(p);\n" * N + b"#endif\n",
    "brackets in a condition": b"#if " + b"(" * N + b"1" + b")" * N + b"\ncudaFree(p);\n#endif\n",
    "signs in a condition": b"#if " + b"!" * N + b"1\ncudaFree(p);\n#endif\n",
    "a product in a condition": b"#if 9" + b"*9" * N + b"\ncudaFree(p);\n#endif\n",
    "a number in a condition": b"#if " + b"9" * N + b"\ncudaFree(p);\n#endif\n",
    "open angles": b"cudaFree<" * N,
    "open launches": b"k<<<(" * N,
    "quotes": b"cudaFree(p);" + b'"' * 10 * N,
    "escaped quotes": b'cudaFree(p);"' + b'\\"' * 10 * N + b"\\",
    "open raw strings": b'cudaFree(p); R"(' * N,
    "open comments": b"cudaFree(p);" + b"/*" * 10 * N,
    "continued comments": b"cudaFree(p); " + b"//\\\n" * 10 * N,
    "continued lines": b"#define A cudaFree(p)" + b"\\\n" * 10 * N,
    "one macro": b"#define A " + b"cudaFree(p); " * N,
    "one line": b"void f() {" + b"cudaFree(p);" * N + b"}",
    "one line of wide characters": b"void f() {" + 'cudaFree("é");'.encode() * N + b"}",
    "a table": b"int x[] = {" + b"0x00," * 20 * N + b"}; cudaFree(p);",
    "kernel texts": b'cudaFree(p); "' + b"__global__ void " * N + b'"',
    "quoted kernel texts": b"cudaFree(p);" + b'"__global__ void" ' * N,
    "fragments apart": b"cudaFree(p); " + (b"fragment" + b" " * 1000 + b"<a") * (N // 100),
    "a long matrix name": b"void f() { cudaFree(p); " + b"mma" * N + b" x; }",
    "matrix calls": b"void f() { cudaFree(p); " + b"mma<a, " * N + b"}",
    "labels in asm": b'__device__ void f() { asm("' + b"a:" * N + b'"); }',
    "registers in asm": b'__device__ void f() { asm("' + b"mov.u32 %%r, %%smid;" * N + b'"); }',
    "open asm": b'asm("mov.u32 x;" ' * N,
    "comments in asm": b'__device__ void f() { asm("' + b"/*" * 20_000 + b'"); }',
    "shared words": b"__shared__ float " * N,
    "shared variables": b"__shared__ float a[1]" + b",b[2]" * N + b";",
    "many names": b"void f() {" + b"".join(b"cudaName%d();" % i for i in range(N)) + b"}",
    "many structs": b"".join(b"cudaDeviceProp p%d; p%d.warpSize;" % (i, i) for i in range(N // 3)),
    "open indices": b"cudaDeviceProp p; " + b"p[" * N,
    "nested lambdas": b"void f() {" + b"[=] __device__ (int i) {" * (N // 3),
    "long names": b"cub" + b"::cub" * N + b";",
    "open templates": b"template <" * N + b"> void f() { cudaFree(p); }",
    "open attributes": b"__attribute__((" * N + b" void f() { cudaFree(p); }",
    "initialisers": b"S()" + b"):a(1)," * N + b"b{2} { cudaFree(p); }",
    "errors": b"} ) ] cudaFree(p) ; ( " * N,
    "own atomics": b"namespace a {} __device__ int atomicMax(float* a, float v) {}\n" * (N // 10),
    "atomics": b"__global__ void k(half* a) {" + b"atomicAdd(a, b); half* c;" * (N // 3) + b"}",
    "waiting loops": b"__global__ void k(int* a) {" + b"do { while (a[0] != 1); " * (N // 3),
    "launch bounds": b"__launch_bounds__(1024, " * N,
    "sizes": b"cudaFree(p); " + b"const int smem = 1024 * 1024 * 16; " * N,
    "white space": b"cudaFree" + b" " * 10 * N + b"(p)",
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", LARGE)
def test_time_grows_with_size_and_not_with_its_square(kind: str) -> None:
    data = LARGE[kind]
    start = time.process_time()
    facts = read(data)
    seconds = time.process_time() - start
    assert facts.lines >= 1
    # About 20 times what is measured; a quadratic pass over any of these takes minutes.
    assert seconds < 30


@pytest.mark.slow
def test_ten_megabytes_on_a_line_are_read() -> None:
    start = time.process_time()
    facts = read(b"unsigned char x[] = {" + b"0x00," * 2_000_000 + b"}; cudaStream_t s;\n")
    assert facts.uses.symbols == ("cudaStream_t",)
    assert time.process_time() - start < 60
