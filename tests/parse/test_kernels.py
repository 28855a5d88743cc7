"""Launches, asm, kernels, shared memory, and which function and side a place belongs to."""

from __future__ import annotations

import pytest

from migrate.model.facts import LaunchSite, UseKind
from migrate.model.source import Language
from migrate.model.verdict import Side
from tests.parse.reading import read, symbols, uses


def launch(source: str) -> LaunchSite:
    """The one launch in a host function's body."""
    (site,) = read(f"void host() {{\n{source}\n}}\n").launches
    return site


@pytest.mark.parametrize(
    ("source", "kernel", "configuration"),
    [
        ("k<<<1, 32>>>(p);", "k", ("1", "32", "", "")),
        ("k <<< g , b >>> (p);", "k", ("g", "b", "", "")),
        ("k<<<dim3(1, 2), std::min(3, 4), 0, s>>>(a, b);", "k",
         ("dim3(1, 2)", "std::min(3, 4)", "0", "s")),
        ("k<T, 3><<<(n + 31) / 32, 32>>>(p);", "k", ("(n + 31) / 32", "32", "", "")),
        ("mine::k<Pair<int, int>><<<n >> 5, 32>>>(p);", "mine::k", ("n >> 5", "32", "", "")),
        ("k<(A > 1)><<<1, 32>>>(p);", "k", ("1", "32", "", "")),
        ("k<<<dim3{1, 2}, b[i], f({1, 2})>>>(p);", "k", ("dim3{1, 2}", "b[i]", "f({1, 2})", "")),
        ("k<<<f<A, B>(n), 32>>>(p);", "k", ("f<A, B>(n)", "32", "", "")),
        ("k<<<\n  grid, // blocks\n  block\n>>>(p);", "k", ("grid", "block", "", "")),
        ("this->template k<int><<<1, 1>>>(p);", "k", ("1", "1", "", "")),
        ("(*table[i])<<<1, 1>>>(p);", "(expression)", ("1", "1", "", "")),
    ],
)  # fmt: skip
def test_a_launch_with_its_configuration(
    source: str, kernel: str, configuration: tuple[str, str, str, str]
) -> None:
    site = launch(source)
    assert site.kernel == kernel
    assert (site.grid, site.block, site.shared, site.stream) == configuration
    assert (site.function, site.side) == ("host", Side.HOST)


@pytest.mark.parametrize(
    "source",
    [
        "<<<<<<< HEAD\nint a;\n=======\nint b;\n>>>>>>> other\n",
        "x = a << b; y = c >> d;",
        "// k<<<1, 2>>>();",
        'puts("k<<<1, 2>>>()");',
        "k<<<1, 2; >>>",
        "k<<<>>>();",
        "= <<<1, 2>>>();",
    ],
)
def test_what_is_no_launch(source: str) -> None:
    assert len(read(f"void f() {{\n{source}\n}}\n").launches) == 0


def test_a_launch_from_a_kernel_is_a_device_side_launch() -> None:
    source = """
    __global__ void child(int* p);
    __global__ void parent(int* p) { child<<<1, 32>>>(p); }
    void host(int* p) { parent<<<1, 32>>>(p); }
    """
    assert [(use.symbol, use.kind, use.function) for use in uses(source)] == [
        ("<<<>>>", UseKind.DEVICE_LAUNCH, "parent"),
        ("<<<>>>", UseKind.LAUNCH, "host"),
    ]


ASM = [
    ('asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));', "mov", True),
    ('asm("bar.sync 0;");', "bar.sync", True),
    ('__asm__ __volatile__ ("membar.gl;" ::: "memory");', "membar.gl", True),
    ('asm volatile("{\\n\\t.reg .pred p;\\n\\t@p bra DONE;\\nDONE:\\n}\\n");', "bra", True),
    ('asm volatile("ld.global.u32 %0, [%1];"\n  "add.u32 %0, %0, 1;" : "=r"(x) : "l"(p));',
     "ld.global", True),
    ('asm volatile(R"(cp.async.ca.shared.global [%0], [%1], 16;)" :: "r"(a), "l"(b));',
     "cp.async", True),
    ('asm volatile("mma.sync.aligned.m16n8k16.row.col\\n" "{%0}, {%1}, {%1}, {%0};" : "+f"(a));',
     "mma.sync", True),
    ('asm("{mov.b32 t, %1; fma.rn.f32.bf16 %0, t, t, %0;}" : "+f"(a) : "r"(x));',
     "fma.rn", True),
    ('asm goto("@%0 bra %l1;" :: "r"(p) :: out); out:;', "bra", True),
    ('asm volatile(LOAD ".u64 %0, [%1];" : "=l"(x) : "l"(p));', "?", False),
    ('asm volatile("mov.u32 %0, 1;" /* "not this;" */ : "=r"(x));', "mov", True),
]  # fmt: skip


@pytest.mark.parametrize(("source", "instruction", "complete"), ASM)
def test_an_asm_statement_is_one_use_by_its_worst_instruction(
    source: str, instruction: str, complete: bool
) -> None:
    facts = read(f"__device__ void f() {{\n{source}\n}}\n")
    assert facts.uses.symbols == (f"asm:{instruction}",)
    (block,) = facts.asm_blocks
    assert (block.line, block.complete, block.function) == (2, complete, "f")
    assert block.end_line == 2 + source.count("\n")


def test_an_instruction_in_a_macro_of_the_same_file_is_read() -> None:
    source = """
    #define LOAD "ld.volatile.global"
    #define INTO ".u64 " \\
                 "%0, [%1];"
    __device__ void f() { asm volatile(LOAD INTO : "=l"(x) : "l"(p)); }
    """
    (block,) = read(source).asm_blocks
    assert block.text == "ld.volatile.global.u64 %0, [%1];"
    assert (block.mnemonics, block.complete) == (("ld.volatile.global.u64",), True)


def test_each_instruction_keeps_its_operands() -> None:
    source = """__device__ void f() {
      asm volatile("{\\n .reg .pred p;\\n WAIT_%=:\\n bar.sync 0; @p mov.b32 {%0, %1}, %2;\\n"
                   " DONE_%=:\\n}");
    }"""
    (block,) = read(source).asm_blocks
    assert block.mnemonics == ("bar.sync", "mov.b32")
    assert block.operands == ("0", "{%0, %1}, %2")


@pytest.mark.parametrize(
    "source",
    [
        'asm volatile("" ::: "memory");',
        '__asm__("" : "+r"(x));',
        'asm volatile("// only a note" ::);',
        "asm_helper(1); x.asm(2);",
    ],
)
def test_an_empty_asm_statement_is_a_barrier_and_no_use(source: str) -> None:
    assert symbols(f"__device__ void f() {{ {source} }}") == []


@pytest.mark.parametrize(
    ("instruction", "short"),
    [
        ("cp.async.cg.shared.global [%0], [%1], 16", "cp.async"),
        ("cp.async.wait_group 0", "cp.async"),
        ("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3]",
         "cp.async.bulk"),
        ("cp.async.bulk.tensor.2d.shared::cluster.global.tile [%0], [%1, {%2, %3}], [%4]",
         "cp.async.bulk.tensor"),
        ("cp.async.bulk.commit_group", "cp.async.bulk.commit_group"),
        ("cp.async.bulk.prefetch.tensor.3d.L2.global [%0, {%1}]", "cp.async.bulk.prefetch.tensor"),
        ("cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile [%0, {%1}], [%2]",
         "cp.reduce.async.bulk.tensor"),
        ("prefetch.tensormap [%0]", "prefetch.tensormap"),
        ("tcgen05.fence::before_thread_sync", "tcgen05.fence"),
        ("tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p", "tcgen05.mma"),
        ("tcgen05.mma.ws.cta_group::1.kind::f16 [%0], %1, %2, %3, p", "tcgen05.mma.ws"),
        ("tcgen05.ld.sync.aligned.32x32b.x8.b32 {%0}, [%1]", "tcgen05.ld"),
        ("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1", "tcgen05.alloc"),
        ("mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1", "mbarrier.try_wait"),
        ("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1", "mbarrier.arrive.expect_tx"),
        ("mbarrier.init.shared::cta.b64 [%0], %1", "mbarrier.init"),
        ("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0}, %1, %2, p, 1, 1",
         "wgmma.mma_async"),
        ("wgmma.fence.sync.aligned", "wgmma.fence"),
        ("fence.proxy.async.shared::cta", "fence.proxy.async"),
        ("fence.acq_rel.gpu", "fence.acq_rel"),
        ("ld.shared::cluster.u32 %0, [%1]", "ld.shared::cluster"),
        ("ld.shared::cta.u32 %0, [%1]", "ld.shared"),
        ("barrier.cluster.arrive.aligned", "barrier.cluster.arrive"),
        ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0}, {%1}, {%2}, {%3}", "mma.sync"),
        ("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col {%0}", "mma.sp"),
    ],
)  # fmt: skip
def test_an_instructions_short_name_keeps_what_hardware_it_needs(
    instruction: str, short: str
) -> None:
    source = f'#define WAIT asm volatile("{instruction};" ::: "memory")\n'
    assert symbols(source, language=Language.CPP) == [f"asm:{short}"]


@pytest.mark.parametrize(
    "text", ["cpuid", "rdtsc", "lock; cmpxchg %1, %2", "pause", "b.ne 1f", "fence.i", "dmb ish"]
)
def test_a_host_processors_assembly_is_none_of_ours(text: str) -> None:
    source = f'static inline void f() {{ asm volatile("{text}" ::: "memory"); }}\n'
    assert symbols(source, language=Language.CPP) == []
    assert symbols(source) == []


def test_ptx_in_a_macro_of_a_header_is_a_use() -> None:
    source = '#define WAIT() \\\n  asm volatile("cp.async.wait_all;" ::: "memory")\n'
    (found,) = uses(source, language=Language.CPP)
    assert (found.symbol, found.line, found.function) == ("asm:cp.async", 2, "")


def test_kernels_carry_their_attributes() -> None:
    source = """
    __global__ void __launch_bounds__(256, 2) first(int* p) { }
    template <int N> static __global__ __launch_bounds__(N) void second(int* p) { }
    extern "C" __global__ void third() { }
    __device__ int helper() { return 1; }
    __global__ void declared();
    """
    assert [(f.name, f.kernel, f.attributes) for f in read(source).functions] == [
        ("first", True, ("__launch_bounds__(256,2)",)),
        ("second", True, ("__launch_bounds__(N)",)),
        ("third", True, ()),
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("__shared__ float tile[32][33];", [("tile", "float", "[32][33]", False)]),
        ("extern __shared__ char raw[];", [("raw", "char", "[]", True)]),
        ('extern "C" __shared__ float raw[];', [("raw", "float", "[]", True)]),
        ("extern __shared__ __align__(16) unsigned char raw[];",
         [("raw", "unsigned char", "[]", True)]),
        ("__shared__ int a[4], b, c[N > 2 ? 1 : 2];",
         [("a", "int", "[4]", False), ("b", "int", "", False),
          ("c", "int", "[N > 2 ? 1 : 2]", False)]),
        ("__shared__ std::array<int, 4> x;", [("x", "std::array<int, 4>", "", False)]),
        ("__shared__ typename cub::BlockReduce<T, 128>::TempStorage t;",
         [("t", "typename cub::BlockReduce<T, 128>::TempStorage", "", False)]),
        ("__shared__ alignas(128) half2 s[2];", [("s", "half2", "[2]", False)]),
        ("static __shared__ volatile int flag;", [("flag", "volatile int", "", False)]),
        ("__shared__ union { float f[2]; int i[2]; } both;",
         [("both", "union { float f[2]; int i[2]; }", "", False)]),
        ("__shared__;", []),
    ],
)  # fmt: skip
def test_shared_memory(source: str, expected: list[tuple[str, str, str, bool]]) -> None:
    facts = read(f"__global__ void k() {{\n  {source}\n}}\n")
    assert [(s.name, s.type, s.extent, s.dynamic) for s in facts.shared] == expected
    assert all(s.function == "k" and s.line == 2 for s in facts.shared)


def test_shared_memory_in_a_macro_ends_with_the_macro() -> None:
    assert read("#define SHARED __shared__\nint a[4];\n").shared == ()


@pytest.mark.parametrize(
    ("source", "name", "side"),
    [
        ("void f() { @ }", "f", Side.HOST),
        ("static inline int* f(int a) noexcept { @ }", "f", Side.HOST),
        ("template <class T, int N = g(3)> void f(T t) { @ }", "f", Side.HOST),
        ("namespace a { namespace b { void f() { @ } } }", "f", Side.HOST),
        ("struct S { void f() const { @ } };", "S::f", Side.HOST),
        ("void S::f() { @ }", "S::f", Side.HOST),
        ("struct S { S() : a(1), b{2} { @ } };", "S::S", Side.HOST),
        ("struct S { ~S() { @ } };", "S::~S", Side.HOST),
        (
            "struct S { __device__ void operator()(int i) const { @ } };",
            "S::operator()",
            Side.DEVICE,
        ),
        ("class A : public B<int> { struct C final { void f() { @ } }; };", "A::C::f", Side.HOST),
        ("template <> struct A<int, 3> { void f() { @ } };", "A<int,3>::f", Side.HOST),
        ("template <class T> class __align__(16) A { void f() { @ } };", "A::f", Side.HOST),
        ("struct { void f() { @ } } x;", "f", Side.HOST),
        (
            "struct A { operator unsigned int() const { @ } };",
            "A::operator unsigned int",
            Side.HOST,
        ),
        (
            "template <class T> A<T>& A<T>::operator=(const A<T>& o) { @ }",
            "A<T>::operator=",
            Side.HOST,
        ),
        ("void f(struct tensor* t, enum kind k) { @ }", "f", Side.HOST),
        ("auto f(int a) -> decltype(a) { @ }", "f", Side.HOST),
        ("__global__ void f(int* p) { @ }", "f", Side.DEVICE),
        ("__device__ __forceinline__ void f() { @ }", "f", Side.DEVICE),
        ("__host__ __device__ void f() { @ }", "f", Side.BOTH),
        ("__hostdev__ void f() { @ }", "f", Side.BOTH),
        ("CUTLASS_DEVICE\nvoid f() { @ }", "f", Side.DEVICE),
        ("template <class T>\nRAFT_KERNEL smem(T* a) { @ }", "smem", Side.DEVICE),
        ("MY_KERNEL void k(int* a) { @ }", "k", Side.DEVICE),
        ("CUTLASS_HOST_DEVICE void f() { @ }", "f", Side.BOTH),
        ("C10_HOST_DEVICE inline void f() { @ }", "f", Side.BOTH),
        ("HOST_DEVICE void f() { @ }", "f", Side.BOTH),
        ("DEVICE_INLINE void f() { @ }", "f", Side.DEVICE),
        ("AMREX_GPU_DEVICE void f() { @ }", "f", Side.DEVICE),
        ("AMREX_GPU_HOST_DEVICE void f() { @ }", "f", Side.BOTH),
        ("static int f(int MAX_DEVICES, device_t DEVICE) { @ }", "f", Side.HOST),
        ("DEVICE_LIST f() { @ }", "f", Side.HOST),
        ("struct A { GPU_DEVICE\n Result pack(T const& t) { @ } };", "A::pack", Side.DEVICE),
        ("GPU_DEVICE Result one_leader() { @ }", "one_leader", Side.DEVICE),
        ("struct A { HOST_DEVICE Array<float, 2> top_2(float b) { @ } };", "A::top_2", Side.BOTH),
        ("struct A { HOST_DEVICE\n operator Half() const { @ } };", "A::operator Half", Side.BOTH),
        ("Status MY_API g_status(int a) { @ }", "g_status", Side.HOST),
        ("class MY_API A { void f() { @ } };", "A::f", Side.HOST),
        ('extern "C" { __global__ __cluster_dims__(4, 1, 1) void k() { @ } }', "k", Side.DEVICE),
        ("__global__ void __cluster_dims__(2) k() { @ }", "k", Side.DEVICE),
        ("__global__ __launch_bounds__(1024) void\nk(float* __restrict__ q)\n{ @ }", "k",
         Side.DEVICE),
        ("__global__ void k(const __grid_constant__ Map map) { @ }", "k", Side.DEVICE),
        ("void f() { if (x) { for (;;) { @ } } }", "f", Side.HOST),
        ("void f() {\n  MY_UNROLL\n  for (;;) { @ }\n}", "f", Side.HOST),
        ('void f() { auto s = R"(a\nb " c)"; @ }', "f", Side.HOST),
        ("void f() { auto g = [&](int i) { @ }; g(1); }", "f", Side.HOST),
        ("TEST_F(Suite, Name) { @ }", "Suite.Name", Side.HOST),
        ("TYPED_TEST(Suite,\n  Name) { @ }", "Suite.Name", Side.HOST),
        ("TEST(Suite, Name)\n{ @ }", "Suite.Name", Side.HOST),
        ('TEST_CASE("adds two", "[sum]") { @ }', "adds two", Side.HOST),
        ("@", "", Side.UNKNOWN),
        ("void f() { }\n@", "", Side.UNKNOWN),
        ("int x[] = { @ };", "", Side.UNKNOWN),
    ],
)  # fmt: skip
@pytest.mark.parametrize("broken", ["", "BROKEN ) } ( {\n}\n", "void bad( { ) }\n"])
def test_the_function_around_a_use(source: str, name: str, side: Side, broken: str) -> None:
    (found,) = uses(broken + source.replace("@", "cudaFuncGetName(p, q);"))
    assert (found.function, found.side) == (name, side)


@pytest.mark.parametrize(
    "head",
    [
        "[=] __device__ (int i)",
        "[=]__device__(int i) mutable",
        "[&, n] __device__ (int i) -> float",
        "[=] AMREX_GPU_DEVICE (int i) noexcept",
        "[] GPU_LAMBDA (int i)",
    ],
)
def test_a_device_lambda_in_a_host_function_is_device_code(head: str) -> None:
    source = f"void f() {{ cudaSetDevice(0);\n run({head} {{ __syncwarp(); }}); cudaFree(p); }}\n"
    assert [(use.symbol, use.function, use.side) for use in uses(source)] == [
        ("cudaSetDevice", "f", Side.HOST),
        ("__syncwarp", "f", Side.DEVICE),
        ("cudaFree", "f", Side.HOST),
    ]


def test_a_lambda_for_both_sides_is_on_both() -> None:
    (found,) = uses("void f() { run([=] __host__ __device__ (int i) { __ldg(p); }); }")
    assert (found.function, found.side) == ("f", Side.BOTH)


def test_overloads_on_two_sides_keep_their_sides() -> None:
    source = "void f(int a) { cudaFree(p); }\n__device__ void f(float a) { __ldg(p); }\n"
    assert [use.side for use in uses(source)] == [Side.HOST, Side.DEVICE]


def test_a_function_knows_its_lines() -> None:
    facts = read("int a;\n\ntemplate <class T>\nvoid f()\n{\n  cudaFree(p);\n}\n")
    (function,) = facts.functions
    assert function.line in {3, 4}
    assert function.end_line == 7


def test_unbalanced_branches_do_not_move_later_functions() -> None:
    source = """
    #ifdef A
    void f(int a) {
    #else
    void f() {
    #endif
      cudaFree(p);
    }
    __global__ void k() { __syncthreads(); }
    void g() { cudaSetDevice(0); }
    """
    found = {use.symbol: (use.function, use.side) for use in uses(source)}
    assert found["__syncthreads"] == ("k", Side.DEVICE)
    assert found["cudaSetDevice"] == ("g", Side.HOST)


ARMS = {
    "both arms open a block": """
        void f(int n) {
        #ifdef FAST
          if (n > 1 && fast(n)) {
        #else
          if (n > 2) {
        #endif
            @
          }
          @
        }
        @g
    """,
    "one arm opens and another conditional closes": """
        void f(int n) {
        #ifdef FAST
          if (fast(n)) {
        #endif
            @
        #ifdef FAST
          } else { slow(n); }
        #endif
          @
        }
        @g
    """,
    "each arm ends the function": """
        void f(int n) {
        #if FAST > 1
          @ }
        #elif FAST
          @ }
        #else
          if (n) { @ }
          @
        }
        #endif
        @g
    """,
    "each arm has its own head and half a body": """
        #ifdef FAST
        void f(int n) {
          @
        #else
        void f(long n) {
          for (;;) { @ }
        #endif
          @
        }
        @g
    """,
    "an arm that nobody compiles": """
        void f(int n) {
        #if 0
          if (n) {
        #else
          @
        #endif
          @
        }
        @g
    """,
}


@pytest.mark.parametrize("arms", ARMS)
def test_arms_with_unequal_braces_keep_their_function(arms: str) -> None:
    source = ARMS[arms].replace("@g", "__global__ void g() { __syncthreads(); }")
    found = uses(source.replace("@", "cudaFree(p);"))
    assert [use.function for use in found] == ["f"] * (len(found) - 1) + ["g"]


def test_an_arm_that_ends_one_function_and_begins_another_keeps_both() -> None:
    source = """
    __device__ void f() {
      __syncwarp();
    #if __CUDA_ARCH__ == 1030
    #else
    }
    __device__ void g() {
      __ldg(p);
    #endif
    }
    __device__ int h() { return __activemask(); }
    """
    found = {use.symbol: use.function for use in uses(source) if use.kind is UseKind.CALL}
    assert found == {"__syncwarp": "f", "__ldg": "g", "__activemask": "h"}


def test_an_arm_that_is_left_does_not_hide_what_follows() -> None:
    source = """
    #ifdef A
    __global__ void f() { __syncwarp(); }
    #else
    struct S { int a; };
    __global__ void g() { __syncthreads(); }
    #endif
    __global__ void h(struct S s) { __ldg(p); }
    BROKEN ) } (
    """
    assert {use.symbol: use.function for use in uses(source)} == {
        "__syncwarp": "f",
        "__syncthreads": "g",
        "__ldg": "h",
    }


def test_a_kernel_ends_a_function_whose_brace_a_macro_closes() -> None:
    source = """
    void f(int n) { SWITCH(n) { case 1: cudaFree(p); END_SWITCH
    template <class T> __device__ void d(T x) { __ldg(p); }
    void g() { BEGIN { cudaSetDevice(0); }
    static __global__ void k() { if (a) { __syncthreads(); } }
    """
    assert [(use.symbol, use.function) for use in uses(source)] == [
        ("cudaFree", "f"),
        ("__ldg", "d"),
        ("cudaSetDevice", "g"),
        ("__syncthreads", "k"),
    ]


def test_an_attribute_before_and_behind_global_makes_a_kernel() -> None:
    source = """
    extern "C" { __global__ __cluster_dims__(4, 1, 1) __launch_bounds__(sizeof(T) * 8) void a() {} }
    __global__ void __cluster_dims__(2) b() { asm volatile("bar.sync 0;"); }
    __global__ __launch_bounds__(256, N) __cluster_dims__(1,2,1) void
    c(const __grid_constant__ CUtensorMap m) { }
    template <int N> __launch_bounds__(32) __global__ void d() { }
    """
    facts = read(source)
    assert [(f.name, f.kernel, f.attributes) for f in facts.functions] == [
        ("a", True, ("__cluster_dims__(4,1,1)", "__launch_bounds__(sizeof(T)*8)")),
        ("b", True, ("__cluster_dims__(2)",)),
        ("c", True, ("__launch_bounds__(256,N)", "__cluster_dims__(1,2,1)")),
        ("d", True, ("__launch_bounds__(32)",)),
    ]
    assert [block.function for block in facts.asm_blocks] == ["b"]


@pytest.mark.parametrize(
    "head",
    [
        "template <int N> __global__ MY_BOUNDS(N) void k(float* p, int d)",
        "__global__ void\n#if __CUDA_ARCH__ >= 1000\n__launch_bounds__(512, 4)\n#endif\nk(int n)",
        "template <class T>\n__global__ MY_BOUNDS(f(N), 2)\n#ifdef A\n#endif\nvoid k(T* p)",
    ],
)
def test_a_macro_or_a_condition_in_a_kernels_head_leaves_it_a_kernel(head: str) -> None:
    source = f"void f(int a) {{ }}\n{head} {{ __syncthreads(); }}\n"
    assert [(f.name, f.kernel, f.side) for f in read(source).functions] == [
        ("k", True, Side.DEVICE)
    ]


def test_specialisations_with_the_same_method_are_different_functions() -> None:
    source = """
    template <class A> struct Op { void run() { __ldg(p); } };
    template <> struct Op<unsigned  char> { void run() { __ldg(p); } };
    template <> struct Op<float> { void run() { __ldg(p); } };
    """
    assert [f.name for f in read(source).functions] == [
        "Op::run",
        "Op<unsigned char>::run",
        "Op<float>::run",
    ]


def test_a_condition_inside_of_a_body_is_in_its_function() -> None:
    source = """
    #if CUDART_VERSION > 9000
    #endif
    void f() {
    #if CUDART_VERSION >= 9000
    #define VERSION CUDART_VERSION
    #elif CUDART_VERSION > 8000
    #endif
    }
    """
    assert [(use.kind, use.function) for use in uses(source)] == [
        (UseKind.DIRECTIVE, ""),
        (UseKind.DIRECTIVE, "f"),
        (UseKind.MACRO_BODY, ""),
        (UseKind.DIRECTIVE, "f"),
    ]


def test_a_macro_before_a_statement_makes_it_no_function() -> None:
    source = (
        "void f() {\n  k<<<1, 2>>>(p);\n  CHECK_KERNEL\n\n  if (x) {\n    cudaFree(p);\n  }\n}\n"
    )
    assert {use.function for use in uses(source)} == {"f"}
