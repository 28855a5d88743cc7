"""Arithmetic with a warp's constants: counted on a thread's number, and on nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.model.semantic import LaneArithmetic
from migrate.model.unit import CompileArguments
from migrate.parse.clang.lanes.instances import Instances
from migrate.parse.clang.lanes.lanes import LaneObserver
from migrate.parse.clang.walk import walk_unit
from tests.parse_clang.parsing import parse_text

KERNEL = "__global__ void kernel(int* out, const int* in, int n) {{\n{body}\n}}\n"
GROUPS = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"


def lanes_of(
    tmp_path: Path, text: str, arguments: CompileArguments | None = None
) -> tuple[LaneArithmetic, ...]:
    unit, files = parse_text(tmp_path, text, arguments=arguments)
    instances = Instances(files)
    observer = LaneObserver(unit, files, instances)
    walk_unit(unit, files, [instances, observer])
    return observer.finish()


def told(found: tuple[LaneArithmetic, ...]) -> list[str]:
    return [f"{one.origin} {one.operator} {one.constant}" for one in found]


IN_A_KERNEL: dict[str, list[str]] = {
    "out[0] = threadIdx.x & 31;": ["threadIdx.x & 31"],
    "out[0] = threadIdx.x % 32;": ["threadIdx.x % 32"],
    "out[0] = threadIdx.y / 32;": ["threadIdx.y / 32"],
    "out[0] = threadIdx.z >> 5;": ["threadIdx.z >> 5"],
    "out[0] = threadIdx.x & 63;": ["threadIdx.x & 63"],
    "out[0] = threadIdx.x >> 6;": ["threadIdx.x >> 6"],
    "out[0] = 31 & threadIdx.x;": ["threadIdx.x & 31"],
    "out[0] = (int)(threadIdx.x) % (unsigned)32u;": ["threadIdx.x % 32"],
    "int lane = static_cast<int>(threadIdx.x); lane &= 0x1f;": ["threadIdx.x &= 31"],
    "unsigned warp = threadIdx.x; warp >>= 5;": ["threadIdx.x >>= 5"],
    "unsigned warp = threadIdx.x; warp /= 32;": ["threadIdx.x /= 32"],
    "unsigned lane = threadIdx.x; lane %= 32;": ["threadIdx.x %= 32"],
    "const int W = 32; out[0] = threadIdx.x & (W - 1);": ["threadIdx.x & 31"],
    "constexpr int bits = 5; out[0] = threadIdx.x & ((1 << bits) - 1);": ["threadIdx.x & 31"],
    "enum { kWarp = 32 }; out[0] = threadIdx.x / kWarp;": ["threadIdx.x / 32"],
    "int tid = threadIdx.x; int t = tid; out[0] = t % 32;": ["threadIdx.x % 32"],
    "int tid; tid = threadIdx.x; out[0] = tid % 32;": ["threadIdx.x % 32"],
    "int tid = 0; if (n) tid = threadIdx.x; out[0] = tid % 32;": ["threadIdx.x % 32"],
    "const int& tid = threadIdx.x; out[0] = tid % 32;": ["threadIdx.x % 32"],
    "int i = blockIdx.x * blockDim.x + threadIdx.x; out[0] = i / 32;": ["threadIdx.x / 32"],
    "int i = blockIdx.x * 256 + threadIdx.x; out[0] = i / 32;": ["threadIdx.x / 32"],
    "int t = threadIdx.y * blockDim.x + threadIdx.x; out[0] = t & 31;": ["threadIdx.x & 31"],
    "int t = threadIdx.y * 16 + threadIdx.x; out[0] = t & 31;": ["threadIdx.x & 31"],
    "int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;"
    "out[0] = t >> 5;": ["threadIdx.x >> 5"],
    "out[0] = threadIdx.x % 128 / 32;": ["threadIdx.x / 32"],
    "out[0] = (threadIdx.x - 64) / 32;": ["threadIdx.x / 32"],
    "out[0] = (threadIdx.x ^ 16) & 31;": ["threadIdx.x & 31"],
    "int tid = n ? threadIdx.x : 0; out[0] = tid & 31;": ["threadIdx.x & 31"],
    "int a, b; a = (b = threadIdx.x) & 31;": ["threadIdx.x & 31"],
    "uint3 t = threadIdx; out[0] = t.x % 32;": ["threadIdx.x % 32"],
    "dim3 t(threadIdx); out[0] = t.y % 32;": ["threadIdx.y % 32"],
    'unsigned l; asm("mov.u32 %0, %%laneid;" : "=r"(l)); out[0] = l & 31;': ["laneid & 31"],
    'unsigned t; asm volatile("mov.u32 %0, %%tid.x;" : "=r"(t)); out[0] = t / 32;': [
        "threadIdx.x / 32"
    ],
    "struct P { int lane, warp; } p; p.lane = threadIdx.x; out[0] = p.lane % 32;": [
        "threadIdx.x % 32"
    ],
    "struct P { int warp, t; } p = {n, (int)threadIdx.x}; out[0] = p.t / 32;": ["threadIdx.x / 32"],
    "auto f = [&] { return threadIdx.x & 31; }; out[0] = f();": ["threadIdx.x & 31"],
    "int warps = blockDim.x / 32; out[0] = warps;": ["blockDim.x / 32"],
    "out[0] = (blockDim.x * blockDim.y + 31) / 32;": ["blockDim.x / 32"],
    "out[0] = (threadIdx.x & 31) + (threadIdx.x >> 5);": ["threadIdx.x & 31", "threadIdx.x >> 5"],
}
NOT_IN_A_KERNEL = (
    "out[0] = n / 32;",
    "out[0] = in[0] & 31;",
    "out[0] = in[threadIdx.x] & 31;",
    "out[0] = in[threadIdx.x] >> 5;",
    "out[0] = blockIdx.x / 32;",
    "out[0] = blockIdx.x * blockDim.x / 32;",
    "out[0] = gridDim.x / 32;",
    "out[0] = threadIdx.x / 16 + threadIdx.x % 8 + (threadIdx.x & 15) + (threadIdx.x >> 4);",
    "out[0] = threadIdx.x & 32;",
    "out[0] = threadIdx.x % 31 + threadIdx.x / 5 + (threadIdx.x & 5) + (threadIdx.x >> 31);",
    "out[0] = threadIdx.x / warpSize + threadIdx.x % warpSize;",
    "out[0] = threadIdx.x & (warpSize - 1);",
    "const int w = warpSize; const int mask = w - 1; out[0] = threadIdx.x & mask;",
    "out[0] = threadIdx.x / n;",
    "for (int i = threadIdx.x; i < n; i += blockDim.x) out[i / 32] = i % 32;",
    "for (int i = threadIdx.x; i < n; ++i) out[i] = i & 31;",
    "int e = threadIdx.x * 4; out[0] = e / 32 + e % 32;",
    "int e = threadIdx.x << 2; out[0] = e & 31;",
    "int row = threadIdx.x / 4; out[0] = row % 32;",
    "int c = threadIdx.x % 16; out[0] = c / 32;",
    "int i = n * 8 + threadIdx.x; out[0] = i / 32;",
    "int i = in[0] + threadIdx.x; out[0] = i % 32;",
    "int t = threadIdx.x; t = n; out[0] = t % 32;",
    "int t = threadIdx.x; int* p = &t; *p = n; out[0] = t % 32;",
    "constexpr int tile = 128; out[0] = threadIdx.x / (tile / 4);",
    "constexpr int pick = sizeof(int) == 4 ? 32 : 64; out[0] = threadIdx.x % pick;",
    "unsigned h = n; h ^= h >> 5; h &= 31; out[0] = h;",
    "unsigned mask = __ballot_sync(~0u, n); out[0] = mask & 31;",
    'unsigned c; asm("mov.u32 %0, %%clock;" : "=r"(c)); out[0] = c & 31;',
    (
        'unsigned a, b; asm("mov.u32 %0, %%laneid; mov.u32 %1, %2;" : "=r"(a), "=r"(b) : "r"(n));'
        "out[0] = b & 31;"
    ),
    "struct P { int lane, size; } p; p.lane = threadIdx.x; p.size = n; out[0] = p.size / 32;",
    "struct { int x; } threads = {n}; out[0] = threads.x & 31;",
    "int lane = threadIdx.x < 32 ? n : 0; out[0] = lane & 31;",
)


@pytest.mark.parametrize(("body", "found"), IN_A_KERNEL.items())
def test_a_threads_number_is_told(tmp_path: Path, body: str, found: list[str]) -> None:
    assert told(lanes_of(tmp_path, KERNEL.format(body=body))) == found


@pytest.mark.parametrize("body", NOT_IN_A_KERNEL)
def test_what_is_no_threads_number_is_left_out(tmp_path: Path, body: str) -> None:
    assert told(lanes_of(tmp_path, KERNEL.format(body=body))) == []


WHOLE = {
    "a macro's constant": (
        (
            "#define WARP_SIZE 32\n#define LANE (threadIdx.x & (WARP_SIZE - 1))\n"
            "__device__ int f() { return LANE; }"
        ),
        ["threadIdx.x & 31"],
    ),
    "a constant of a class": (
        (
            "struct Traits { static constexpr int kWarp = 32; };\n"
            "__device__ int f() { return threadIdx.x / Traits::kWarp; }"
        ),
        ["threadIdx.x / 32"],
    ),
    "what all calls pass": (
        (
            "__device__ int f(int t) { return t & 31; }\n"
            "__global__ void k(int* o) { o[0] = f(threadIdx.x) + f(int(threadIdx.y)); }"
        ),
        ["threadIdx.x & 31"],
    ),
    "what one call does not pass": (
        (
            "__device__ int f(int t) { return t & 31; }\n"
            "__global__ void k(int* o, int n) { o[0] = f(threadIdx.x) + f(n); }"
        ),
        [],
    ),
    "a parameter that nothing passes": ("__device__ int f(int lane) { return lane & 31; }", []),
    "what a kernel is launched with": (
        (
            "__global__ void k(int* o, int n) { o[0] = n / 32; }\n"
            "void h(int* o) { k<<<1, 32>>>(o, 64); }"
        ),
        [],
    ),
    "what a method is passed": (
        (
            "struct S { __device__ int f(int n, int t) { return t >> 5; } };\n"
            "__global__ void k(int* o) { o[0] = S().f(1, threadIdx.x); }"
        ),
        ["threadIdx.x >> 5"],
    ),
    "what a function returns": (
        (
            "__device__ int get_tid() { return threadIdx.x; }\n"
            "__device__ int f() { return get_tid() % 32; }"
        ),
        ["threadIdx.x % 32"],
    ),
    "a lane that a function asks for": (
        (
            "__device__ unsigned lane_id() {\n"
            '  unsigned ret; asm volatile("mov.u32 %0, %%laneid;" : "=r"(ret)); return ret; }\n'
            "__device__ int f() { const unsigned lane = lane_id(); return lane % 32; }"
        ),
        ["laneid % 32"],
    ),
    "a size that a function returns": (
        "__device__ int size(int n) { return n; }\n__device__ int f() { return size(7) % 32; }",
        [],
    ),
    "a function that returns one of two": (
        (
            "__device__ int which(int n) { if (n) return n; return threadIdx.x; }\n"
            "__device__ int f() { return which(7) % 32; }"
        ),
        [],
    ),
    "a constant that a function chooses": (
        (
            "constexpr int width() { return 32; }\n"
            "__device__ int f() { constexpr int w = width(); return threadIdx.x / w; }"
        ),
        [],
    ),
    "a template's own constant": (
        "template <typename T> __device__ T f(T v) { return v + (threadIdx.x & 31); }",
        ["threadIdx.x & 31"],
    ),
    "a template's argument": (
        (
            "template <int N> __global__ void k(int* o) { o[0] = threadIdx.x % N; }\n"
            "void h(int* o) { k<32><<<1, 1>>>(o); k<64><<<1, 1>>>(o); k<16><<<1, 1>>>(o); }"
        ),
        ["threadIdx.x % 32", "threadIdx.x % 64"],
    ),
    "a template's argument, one less": (
        (
            "template <int N> __device__ int f() { return threadIdx.x & (N - 1); }\n"
            "template <int N> __device__ int g() { return f<N>(); }\n"
            "__device__ int h() { return g<32>(); }"
        ),
        ["threadIdx.x & 31"],
    ),
    "a class template's argument": (
        (
            "template <int W> struct S { __device__ int f() { return threadIdx.x / W; } };\n"
            "__device__ int h() { S<32> s; return s.f(); }"
        ),
        ["threadIdx.x / 32"],
    ),
    "a template that nothing instantiates": (
        "template <int N> __device__ int f() { return threadIdx.x & (N - 1); }",
        [],
    ),
    "a kernel that is only pointed to": (
        (
            "template <int N> __global__ void k(int* o) { o[0] = threadIdx.x % N; }\n"
            "void* h() { return (void*)&k<32>; }"
        ),
        ["threadIdx.x % 32"],
    ),
    "the rank in a group": (
        f"{GROUPS}__device__ int f() {{ return cg::this_thread_block().thread_rank() % 32; }}",
        ["thread_rank % 32"],
    ),
    "the rank in a group of any type": (
        (
            f"{GROUPS}"
            "template <typename G> __device__ int f(G g) { return g.thread_rank() / 32; }\n"
            "__device__ int h() { return f(cg::this_thread_block()); }"
        ),
        ["thread_rank / 32"],
    ),
    "the index in a group": (
        f"{GROUPS}__device__ int f() {{ return cg::this_thread_block().thread_index().x >> 5; }}",
        ["threadIdx.x >> 5"],
    ),
    "the block's index in a group": (
        f"{GROUPS}__device__ int f() {{ return cg::this_thread_block().group_index().x >> 5; }}",
        [],
    ),
    "a method of the project's of that name": (
        (
            "struct Pool { int n; __device__ int thread_rank() { return n; } };\n"
            "__device__ int f(Pool p) { return p.thread_rank() % 32; }"
        ),
        [],
    ),
    "a variable of the project's of that name": (
        (
            "struct I { int x; };\nnamespace own { __device__ int f(I threadIdx) "
            "{ return threadIdx.x % 32; } }"
        ),
        [],
    ),
    "a member of this": (
        "struct S { int t; __device__ int f() { t = threadIdx.x; return t & 31; } };",
        ["threadIdx.x & 31"],
    ),
    "a member of this that is set elsewhere": (
        "struct S { int t; __device__ int f() { return t & 31; } };",
        [],
    ),
    "host code": ("int blocks(int n) { return (n + 31) / 32; }", []),
    "a constant at file scope": ("constexpr int k = 1024 / 32;", []),
}


@pytest.mark.parametrize("case", WHOLE)
def test_it_is_followed_through_functions_and_templates(tmp_path: Path, case: str) -> None:
    text, found = WHOLE[case]
    assert told(lanes_of(tmp_path, text)) == found


@pytest.mark.parametrize(
    ("body", "of_grid"),
    [
        ("out[0] = threadIdx.x / 32;", False),
        ("out[0] = (threadIdx.y * blockDim.x + threadIdx.x) / 32;", False),
        ("out[0] = (blockIdx.x * blockDim.x + threadIdx.x) / 32;", True),
        ("int b = blockIdx.x; int i = 128 * b + threadIdx.x; out[0] = i % 32;", True),
        ("out[0] = cg::this_thread_block().thread_rank() / 32;", False),
        ("out[0] = cg::this_grid().thread_rank() / 32;", True),
        (
            (
                "auto block = cg::this_thread_block();\n"
                "out[0] = (block.group_index().x * 64 + block.thread_rank()) / 32;"
            ),
            True,
        ),
    ],
)
def test_number_in_the_grid_is_told_from_that_in_a_block(
    tmp_path: Path, body: str, *, of_grid: bool
) -> None:
    (found,) = lanes_of(tmp_path, GROUPS + KERNEL.format(body=body))
    assert found.of_grid == of_grid


@pytest.mark.parametrize(
    "body",
    [
        "int i = threadIdx.x & ; out[0] = i & 31;",
        "out[0] = (threadIdx.x + nowhere) / 32; missing = threadIdx.x % 32;",
        "Lost t = threadIdx; t.x += 1; out[0] = ++ ; out[0] = t.x / 32;",
    ],
)
def test_code_that_is_not_understood_is_passed_over(tmp_path: Path, body: str) -> None:
    unit, files = parse_text(tmp_path, KERNEL.format(body=body), errors=True)
    instances = Instances(files)
    observer = LaneObserver(unit, files, instances)
    walk_unit(unit, files, [instances, observer])
    assert all(one.origin == "threadIdx.x" for one in observer.finish())


def test_old_multiplications_are_products(tmp_path: Path) -> None:
    folder = tmp_path / "toolkit"
    folder.mkdir()
    (folder / "old.h").write_text("__device__ int __mul24(int a, int b);\n", encoding="utf-8")
    text = "#include <old.h>\n" + KERNEL.format(
        body="int i = __mul24(blockIdx.x, blockDim.x) + threadIdx.x;\n"
        "out[0] = i / 32 + __mul24(threadIdx.x, 4) % 32;"
    )
    given = CompileArguments(system=(str(folder),))
    assert told(lanes_of(tmp_path, text, arguments=given)) == ["threadIdx.x / 32"]


def test_place_function_and_order_are_those_of_the_text(tmp_path: Path) -> None:
    text = (
        "namespace own {\n"
        "__device__ int warp() { return threadIdx.x / 32; }\n"
        "#define LANE threadIdx.x & 31\n"
        "struct S { __device__ int f() { return warp() + (LANE); } };\n"
        "}\n"
    )
    first, second = lanes_of(tmp_path, text)
    assert (first.path, first.line, first.column, first.function) == ("unit.cu", 2, 32, "own::warp")
    assert (second.line, second.column, second.function) == (4, 50, "own::S::f")


def test_header_is_answered_for_as_its_unit_is(tmp_path: Path) -> None:
    unit, files = parse_text(
        tmp_path,
        '#include "lanes.h"\n__device__ int f() { return lane(); }\n',
        lanes="__device__ inline int lane() { return threadIdx.x & 31; }\n",
    )
    instances = Instances(files)
    observer = LaneObserver(unit, files, instances)
    walk_unit(unit, files, [instances, observer])
    assert [(one.path, one.line) for one in observer.finish()] == [("lanes.h", 1)]


def test_expression_of_a_thousand_terms_is_read(tmp_path: Path) -> None:
    terms = " + ".join(["threadIdx.x"] * 1000)
    assert lanes_of(tmp_path, KERNEL.format(body=f"out[0] = ({terms}) / 32;")) == ()


def test_variables_that_give_each_other_values_end(tmp_path: Path) -> None:
    body = "int a = threadIdx.x, b; b = a; a = b; out[0] = b & 31;"
    assert told(lanes_of(tmp_path, KERNEL.format(body=body))) == ["threadIdx.x & 31"]
