"""Calls of warp functions: the values of their operands, and what receives their results."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.model.semantic import TileSize, WarpCall
from migrate.model.unit import CompileArguments
from migrate.parse.clang.lanes.instances import Instances
from migrate.parse.clang.lanes.warps import WarpObserver
from migrate.parse.clang.walk import walk_unit
from tests.parse_clang.parsing import parse_text

KERNEL = "__global__ void kernel(int* out, unsigned n) {{\n{body}\n}}\n"
GROUPS = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
FULL, WIDE = 0xFFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF


def warps_of(
    tmp_path: Path, text: str, arguments: CompileArguments | None = None
) -> tuple[tuple[WarpCall, ...], tuple[TileSize, ...]]:
    unit, files = parse_text(tmp_path, text, arguments=arguments)
    instances = Instances(files)
    observer = WarpObserver(unit, files, instances)
    walk_unit(unit, files, [instances, observer])
    return observer.finish()


def call_in(tmp_path: Path, body: str) -> WarpCall:
    (call,) = warps_of(tmp_path, KERNEL.format(body=body))[0]
    return call


MASKS = {
    "__syncwarp(0xffffffff);": (FULL, 32),
    "__syncwarp();": (None, 0),
    "__syncwarp(-1);": (FULL, 32),
    "__syncwarp(0xffffffffffffffff);": (WIDE, 64),
    "__syncwarp(~0ULL);": (WIDE, 64),
    "__syncwarp((unsigned)~0ULL);": (FULL, 32),
    "__syncwarp((0xff));": (0xFF, 32),
    "__syncwarp(n);": (None, 32),
    "__syncwarp(__activemask());": (None, 32),
    "unsigned long long m = n; __syncwarp(m);": (None, 64),
    "constexpr unsigned m = (1u << 16) - 1; __syncwarp(m);": (0xFFFF, 32),
    "const unsigned long long m = 0xffffffff; __syncwarp(m);": (FULL, 64),
    "enum : unsigned { M = 0xffffffffu }; __syncwarp(M);": (FULL, 32),
    "unsigned m = 0xff; m = n; __syncwarp(m);": (None, 32),
}


@pytest.mark.parametrize(("body", "mask"), MASKS.items())
def test_mask_has_its_value_and_the_size_it_is_written_in(
    tmp_path: Path, body: str, mask: tuple[int | None, int]
) -> None:
    calls, _ = warps_of(tmp_path, KERNEL.format(body=body))
    (call,) = [one for one in calls if one.symbol == "__syncwarp"]
    assert (call.mask, call.mask_bits) == mask


WIDTHS = {
    "out[0] = __shfl_sync(~0u, 1, 0);": None,
    "out[0] = __shfl_sync(~0u, 1, 0, 16);": 16,
    "out[0] = __shfl_xor_sync(~0u, 1, 8, 64 / 4);": 16,
    "constexpr int W = 32; out[0] = __shfl_down_sync(~0u, 1, 8, W);": 32,
    "out[0] = __shfl_up_sync(~0u, 1, 8, n);": None,
    "out[0] = __shfl_up_sync(~0u, 1, 8, warpSize);": None,
    "const int w = warpSize; out[0] = __shfl_up_sync(~0u, 1, 8, w / 2);": None,
}


@pytest.mark.parametrize(("body", "width"), WIDTHS.items())
def test_width_is_that_which_is_written(tmp_path: Path, body: str, width: int | None) -> None:
    assert call_in(tmp_path, body).width == width


RECEIVERS = {
    "unsigned m = __ballot_sync(~0u, n);": 32,
    "unsigned long long m = __ballot_sync(~0u, n);": 64,
    "unsigned short m = __ballot_sync(~0u, n);": 16,
    "auto m = __ballot_sync(~0u, n);": 0,
    "float m = __ballot_sync(~0u, n);": 0,
    "bool any = __ballot_sync(~0u, n);": 0,
    "if (__ballot_sync(~0u, n)) out[0] = 1;": 0,
    "if (__ballot_sync(~0u, n) == 0xffffffff) out[0] = 1;": 0,
    "__ballot_sync(~0u, n);": 0,
    "out[0] = __ballot_sync(~0u, n);": 32,
    "unsigned long m; m = __ballot_sync(~0u, n);": 64,
    "unsigned long m; m = (__ballot_sync(~0u, n));": 64,
    "unsigned long m = (unsigned long)__ballot_sync(~0u, n);": 64,
    "unsigned long m = (int)__ballot_sync(~0u, n);": 32,
    "unsigned m = static_cast<unsigned long>(__ballot_sync(~0u, n));": 32,
    "if ((int)__ballot_sync(~0u, n) < 0) out[0] = 1;": 32,
    "unsigned m = __ballot_sync(~0u, n) & 0xff;": 32,
    "unsigned long m = ~__ballot_sync(~0u, n) >> 1;": 64,
    "unsigned m = 1 << __ballot_sync(~0u, n);": 0,
    "unsigned m = n; m |= __ballot_sync(~0u, n);": 32,
    "unsigned m = n ? __ballot_sync(~0u, n) : 0;": 32,
    "int c = __popc(__ballot_sync(~0u, n));": 32,
    "int c = __popcll(__ballot_sync(~0u, n));": 64,
    "int c = __ffs(__ballot_sync(~0u, n));": 32,
    "struct { unsigned long m; } s; s.m = __ballot_sync(~0u, n);": 64,
    "unsigned m = __activemask();": 32,
    "unsigned long m = __match_any_sync(~0u, n);": 64,
    "unsigned long sum = __reduce_add_sync(~0u, n);": 0,
    "int any = __any_sync(~0u, n);": 0,
    "auto f = [=] { return __ballot_sync(~0u, n); };": 0,
}


@pytest.mark.parametrize(("body", "bits"), RECEIVERS.items())
def test_result_has_the_size_of_what_receives_a_lane_mask(
    tmp_path: Path, body: str, bits: int
) -> None:
    assert call_in(tmp_path, body).result_bits == bits


@pytest.mark.parametrize(
    ("text", "bits"),
    [
        ("__device__ unsigned long f(int p) { return __ballot_sync(~0u, p); }", 64),
        ("__device__ unsigned f(int p) { return __ballot_sync(~0u, p); }", 32),
        ("__device__ bool f(int p) { return __ballot_sync(~0u, p); }", 0),
        ("__device__ auto f(int p) { return __ballot_sync(~0u, p); }", 0),
        (
            (
                "__device__ void take(int, unsigned long m);\n"
                "__device__ void f(int p) { take(p, __ballot_sync(~0u, p)); }"
            ),
            64,
        ),
        (
            (
                "template <typename T> __device__ void take(T mask) {}\n"
                "__device__ void f(int p) { take(__ballot_sync(~0u, p)); }"
            ),
            0,
        ),
        (
            (
                "template <typename T> __device__ void f(int p) { T m = __ballot_sync(~0u, p); }\n"
                "__global__ void k() { f<unsigned long>(1); }"
            ),
            64,
        ),
    ],
)
def test_functions_receive_as_their_types_say(tmp_path: Path, text: str, bits: int) -> None:
    ((call,), _) = warps_of(tmp_path, text)
    assert call.result_bits == bits


def test_templates_arguments_are_those_of_its_instantiations(tmp_path: Path) -> None:
    text = (
        "template <typename T, int W, unsigned M> __device__ T sum(T v) {\n"
        "  return v + __shfl_xor_sync(M, v, 1, W);\n"
        "}\n"
        "__global__ void k(float* f, int* i) {\n"
        "  f[0] = sum<float, 16, 0xffffu>(f[0]) + sum<double, 16, 0xffffu>(f[1]);\n"
        "  i[0] = sum<int, 32, 0xffffffffu>(i[0]);\n"
        "}\n"
    )
    calls, _ = warps_of(tmp_path, text)
    assert [(one.line, one.mask, one.width) for one in calls] == [(2, 0xFFFF, 16), (2, FULL, 32)]
    assert {one.function for one in calls} == {"sum"}


def test_template_that_nothing_instantiates_tells_what_it_can(tmp_path: Path) -> None:
    text = "template <int W> __device__ void f() { __shfl_sync(0xffu, 1, 0, W); }"
    ((call,), _) = warps_of(tmp_path, text)
    assert (call.symbol, call.mask, call.mask_bits, call.width) == ("__shfl_sync", 0xFF, 32, None)


def test_value_of_an_unknown_type_is_shuffled_by_a_function_of_that_name(tmp_path: Path) -> None:
    text = (
        "template <typename T> __device__ T f(T v) { return __shfl_down_sync(0xffffffffu, v, 1); }"
    )
    ((call,), _) = warps_of(tmp_path, text)
    assert (call.symbol, call.mask) == ("__shfl_down_sync", FULL)


def test_call_in_a_macro_counts_at_every_use(tmp_path: Path) -> None:
    text = (
        "#define STEP(v, by) v += __shfl_xor_sync(0xffffffff, v, by, 32)\n"
        "#define TWO(v) STEP(v, 2); STEP(v, 1)\n"
        + KERNEL.format(body="int v = n; STEP(v, 4);\nTWO(v);")
    )
    calls, _ = warps_of(tmp_path, text)
    assert [(one.line, one.width) for one in calls] == [(4, 32), (5, 32), (5, 32)]


def test_functions_of_the_project_with_such_names_are_left_out(tmp_path: Path) -> None:
    text = (
        "struct Pair { int a, b; };\n"
        "__device__ Pair __shfl_sync(unsigned m, Pair v, int lane) { return v; }\n"
        "__device__ int __all_equal(int v) { return v; }\n"
        "namespace own { __device__ int __any(int v) { return v; } }\n"
        "__device__ int f(Pair p) {\n"
        "  return __shfl_sync(~0u, p, 0).a + __all_equal(1) + own::__any(2);\n"
        "}\n"
    )
    assert warps_of(tmp_path, text) == ((), ())


def test_functions_of_old_have_their_width_one_earlier(tmp_path: Path) -> None:
    folder = tmp_path / "toolkit"
    folder.mkdir()
    (folder / "old.h").write_text(
        "__device__ int __shfl_xor(int value, int lanes, int width = 32);\n"
        "__device__ unsigned __ballot(int predicate);\n",
        encoding="utf-8",
    )
    text = "#include <old.h>\n" + KERNEL.format(
        body="out[0] = __shfl_xor(1, 2, 16);\nunsigned m = __ballot(n);"
    )
    calls, _ = warps_of(tmp_path, text, arguments=CompileArguments(system=(str(folder),)))
    assert [(one.symbol, one.mask, one.width, one.result_bits) for one in calls] == [
        ("__shfl_xor", None, 16, 0),
        ("__ballot", None, None, 32),
    ]


TILES = {
    "auto t = cg::tiled_partition<32>(cg::this_thread_block());": [32],
    "auto t = cg::tiled_partition<8 * 2>(cg::this_thread_block());": [16],
    "constexpr int W = 8; auto t = cg::tiled_partition<W>(cg::this_thread_block());": [8],
    "auto t = cg::tiled_partition(cg::this_thread_block(), 4);": [4],
    "auto t = cg::tiled_partition(cg::this_thread_block(), n);": [],
    "using namespace cooperative_groups; auto t = tiled_partition<32>(this_thread_block());": [32],
    "using cg::tiled_partition; auto t = tiled_partition<32>(cg::this_thread_block());": [32],
    "cg::thread_block_tile<32, cg::thread_block> t ="
    " cg::tiled_partition<32>(cg::this_thread_block());": [32],
    "cg::thread_block_tile<16> t;": [16],
    "using Tile = cg::thread_block_tile<8>; Tile t;": [8],
    "cg::thread_block_tile<16> t; auto u = t; auto& v = t;": [16],
    "auto t = cg::coalesced_threads();": [],
}


@pytest.mark.parametrize(("body", "sizes"), TILES.items())
def test_tiles_have_the_size_that_they_are_given(
    tmp_path: Path, body: str, sizes: list[int]
) -> None:
    _, tiles = warps_of(tmp_path, GROUPS + KERNEL.format(body=body))
    assert [one.size for one in tiles] == sizes


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("__device__ void f(cg::thread_block_tile<32> tile) {}", [32]),
        ("__device__ void f(const cg::thread_block_tile<16>& tile) {}", [16]),
        ("struct S { cg::thread_block_tile<8> tile; };", [8]),
        (
            (
                "template <int N> __device__ void f() {\n"
                "  auto t = cg::tiled_partition<N>(cg::this_thread_block());\n}\n"
                "__global__ void k() { f<32>(); f<16>(); }"
            ),
            [16, 32],
        ),
        (
            (
                "template <unsigned N> __device__ void f(const cg::thread_block_tile<N>& tile) {}\n"
                "__global__ void k(cg::thread_block_tile<4>* t) { f(*t); }"
            ),
            [4, 4],
        ),
        (
            (
                "template <typename G> __device__ void f(const G& g) {\n"
                "  auto t = cg::tiled_partition<32>(g);\n}"
            ),
            [32],
        ),
        ("template <typename G> __device__ void f(G g) {}", []),
        (
            (
                "namespace own {\n"
                "template <int N> __device__ int tiled_partition(int n) { return n; }\n"
                "__device__ int f() { return tiled_partition<32>(1); } }"
            ),
            [],
        ),
        (
            (
                "namespace own { template <int N> struct thread_block_tile {}; }\n"
                "__device__ void f(own::thread_block_tile<32> t) {}"
            ),
            [],
        ),
    ],
)
def test_tiles_of_functions_and_classes(tmp_path: Path, text: str, sizes: list[int]) -> None:
    _, tiles = warps_of(tmp_path, GROUPS + text)
    assert [one.size for one in tiles] == sizes


def test_instantiations_beyond_the_first_few_are_not_read(tmp_path: Path) -> None:
    uses = "".join(f"f<{number}>();" for number in range(1, 40))
    text = (
        "template <int N> __device__ void f() { __syncwarp(N); }\n"
        f"__global__ void k() {{ {uses} }}\n"
    )
    calls, _ = warps_of(tmp_path, text)
    assert [one.mask for one in calls] == list(range(1, 17))


def test_recursive_templates_end(tmp_path: Path) -> None:
    text = (
        "template <int N> __device__ int f() {\n"
        "  __syncwarp(N);\n"
        "  if constexpr (N > 1) return f<N / 2>();\n"
        "  return 0;\n}\n"
        "__global__ void k(int* o) { o[0] = f<8>(); }\n"
    )
    calls, _ = warps_of(tmp_path, text)
    assert [one.mask for one in calls] == [1, 2, 4, 8]


def test_places_are_those_of_the_text(tmp_path: Path) -> None:
    text = GROUPS + (
        "namespace own { struct S { __device__ void f() {\n"
        "  auto t = cg::tiled_partition<32>(cg::this_thread_block());\n"
        "  __syncwarp();\n"
        "} }; }\n"
    )
    ((call,), (tile,)) = warps_of(tmp_path, text)
    assert (tile.path, tile.line, tile.column, tile.function) == ("unit.cu", 4, 12, "own::S::f")
    assert (call.path, call.line, call.column, call.function) == ("unit.cu", 5, 3, "own::S::f")
