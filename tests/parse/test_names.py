"""Which names are uses: CUDA's own by whole words, and not what a project calls so itself."""

from __future__ import annotations

import pytest

from migrate.model.facts import UseKind
from migrate.model.source import Language
from tests.parse.reading import read, symbols, uses


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("int mycudaMalloc, cudaMallocCount;", []),
        ("enum cudaMemcpyKind kind = cudaMemcpyHostToDevice;",
         ["cudaMemcpyKind", "cudaMemcpyHostToDevice"]),
        ("struct cudaDeviceProp p;", ["cudaDeviceProp"]),
        ("struct CUstream_st;", []),
        ("void f() { ::cudaFree(p); }", ["cudaFree"]),
        ("void f() { (cudaFree)(p); }", ["cudaFree"]),
        ("void f() { if (cudaFree(p) != cudaSuccess) return; }", ["cudaFree", "cudaSuccess"]),
        ("auto release = &cudaFree;", ["cudaFree"]),
        ("std::unique_ptr<float, decltype(&cudaFree)> p;", ["cudaFree"]),
        ("void f() { pool.cudaMalloc(4); pool->cudaFree(p); }", []),
        ("void f() { mine::cudaFree(p); Pool<T>::cudaFree(p); }", []),
        ("void f(cudaStream_t s, const cudaEvent_t& e);", ["cudaStream_t", "cudaEvent_t"]),
        ("template <typename... T> void f(T... t) { g(t...); cudaFree(p); }", ["cudaFree"]),
        ("void f() { x = __ldg(p) + __expf(y); }", ["__ldg", "__expf"]),
        ("int a = threadIdx.x + blockDim.x; dim3 g; float4 v; double d = exp(1.0);", []),
        ("__global__ void k() { __syncthreads(); atomicAdd(p, 1); }",
         ["__syncthreads", "atomicAdd"]),
        ("void f() { fatal(cudaGetErrorString(e)); }", ["cudaGetErrorString"]),
        ("void f() { ncclAllReduce(a, b, n, ncclFloat, ncclSum, c, s); }",
         ["ncclAllReduce", "ncclFloat", "ncclSum"]),
        ("#undef cudaFree\n", []),
    ],
)  # fmt: skip
def test_whole_names_of_cuda_are_uses(source: str, expected: list[str]) -> None:
    assert symbols(source) == expected


@pytest.mark.parametrize(
    "definition",
    [
        "void cudaCheck(int e) { }",
        "static inline bool cudaCheck(int e) { return e; }",
        "template <class T> T* cudaCheck(T e) { return e; }",
        "struct Guard { void cudaCheck(int e) const; };",
        "struct Guard { int cudaCheck; };",
        "#define cudaCheck(e) check(e)",
        "#define cudaCheck check",
        "enum class cudaCheck { on };",
        "class cudaCheck;",
    ],
)
def test_a_cuda_looking_name_that_the_file_defines_is_told(definition: str) -> None:
    facts = read(f"{definition}\n")
    assert "cudaCheck" in facts.defined
    assert len(facts.uses) == 0


def test_a_cuda_looking_name_counts_where_it_is_called() -> None:
    source = "void f() { cudaFrobnicate(1); int cuMatrix = 0; cuMatrix += 1; CUBLAS_FROBNICATE; }"
    assert symbols(source) == ["cudaFrobnicate", "CUBLAS_FROBNICATE"]
    assert list(read(source).uses.known) == [0, 0]


@pytest.mark.parametrize(
    "definition",
    [
        "typedef void* cudaStream_t;",
        "using cudaStream_t = mine::stream*;",
        "struct cudaStream_t { int id; };",
        "enum cudaStream_t : int { a };",
    ],
)
def test_a_definition_of_a_cuda_type_is_no_use(definition: str) -> None:
    assert symbols(f"{definition}\n") == []


def test_an_overload_of_a_cuda_function_is_a_definition_and_its_calls_are_uses() -> None:
    source = """
    __device__ double atomicAdd(double* at, double x) { return atomicCAS(at, x); }
    __global__ void k(double* s) { atomicAdd(s, 1.0); }
    """
    assert symbols(source) == ["atomicCAS", "atomicAdd"]


def test_an_overload_in_a_file_that_does_not_parse_is_a_definition_too() -> None:
    source = """
    BROKEN( ( void ) } ;;
    static __device__ double atomicAdd(double* at, double x) { return *at; }
    extern cudaError_t cudaFree(void* p);
    void f() { BROKEN) cudaSetDevice(0); }
    """
    assert symbols(source) == ["cudaError_t", "cudaSetDevice"]


def test_a_prototype_alone_makes_no_name_the_projects_own() -> None:
    source = """
    extern "C" { __device__ uint32_t __nvvm_get_smem_pointer(void*); }
    __device__ uint32_t f(void* p) { return __nvvm_get_smem_pointer(p); }
    """
    facts = read(source)
    assert facts.uses.symbols == ("__nvvm_get_smem_pointer",)
    assert list(facts.uses.line) == [3]
    assert facts.defined == set()


@pytest.mark.parametrize(
    "statement",
    [
        "tile.dm[i] = x * make_half2(1, 2);",
        "y = p->dm * make_half2(1, 2);",
        "return x & make_half2(1, 2);",
    ],
)
def test_a_product_in_code_that_does_not_parse_is_no_prototype(statement: str) -> None:
    assert "make_half2" in symbols(f"BROKEN ) }} (\n{statement}\n}} }}\n")


def test_a_return_type_behind_a_macro_is_a_use() -> None:
    source = """
    struct A {
      MY_DEVICE
      __nv_bfloat16 to_bfloat16() const { return __float2bfloat16(x); }
      MY_HOST_DEVICE
      cuFloatComplex operator()(cuFloatComplex const& z) const { return z; }
    };
    """
    assert symbols(source) == [
        *("__nv_bfloat16", "__float2bfloat16", "cuFloatComplex", "cuFloatComplex")
    ]


def test_a_name_brought_in_and_one_that_the_file_defines_are_told_apart() -> None:
    source = """
    #if !defined(QNX)
    using ::cuda::std::swap;
    #else
    template <class T> MY_HOST_DEVICE void swap(T& a, T& b) { T c = a; a = b; b = c; }
    #endif
    """
    assert [(use.symbol, use.line) for use in uses(source)] == [("cuda::std::swap", 3)]


def test_a_variable_with_a_types_name_is_no_use() -> None:
    source = """
    #define TRY(call) { auto cudaError = call; if (cudaError != 0) return cudaError; }
    void f() { auto cudaError = g(); if (cudaError) h(cudaError); }
    void k(cudaError e) { }
    """
    assert symbols(source) == ["cudaError"]


def test_a_namespace_that_the_file_writes_is_its_own() -> None:
    source = """
    namespace mine { namespace thrust { void sort(int* a, int* b) { } } }
    void f() { mine::thrust::sort(a, b); }
    """
    assert symbols(source) == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("__device__ float f(float x) { return rsqrtf(x); }", ["rsqrtf"]),
        ("__host__ __device__ float f(float x) { return rsqrt(x); }", ["rsqrt"]),
        ("#define INV(x) rsqrtf(x)\n", ["rsqrtf"]),
        ("void f() { double rnorm = 0; use(rnorm); }", []),
        ("void f() { auto y = rsqrt(x); }", []),
        ("__global__ void k(half2* p) { half2 v = *p; }", ["half2", "half2"]),
        ("__global__ void k(float* p) { float half2 = 0; p[0] = half2; }", []),
        ("#include <cuda_fp16.h>\nint n = sizeof(half2);", ["half2"]),
        ("__global__ void k() { LAUNCH(half, half2); }", ["half", "half2"]),
        ("__global__ void k(int n) { int half = n / 2; g(half); }", []),
    ],
)
def test_everyday_names_count_in_device_code_and_as_types(source: str, expected: list[str]) -> None:
    assert symbols(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("template <class T> struct A { half2 h[4]; };", ["half2"]),
        ("MY_DEVICE T f(T x) { return ::hexp(x) * hrsqrt(y); }", ["hexp", "hrsqrt"]),
        ("MY_DEVICE T f(T x) { return rsqrt(x); }", []),
        ("struct half2 { short a, b; };\nhalf2 g(half2 x);", []),
    ],
)
def test_names_that_only_cuda_has_need_no_other_sign_of_cuda(
    source: str, expected: list[str]
) -> None:
    assert symbols(f"{source}\n", language=Language.CPP) == expected


def test_an_everyday_function_that_the_file_defines_is_its_own() -> None:
    source = """
    template <typename U> __device__ U rsqrt(U v) { return U(1) / sqrt(v); }
    template <> __device__ float rsqrt(float v) { return rsqrtf(v); }
    __device__ float f(float x) { return rsqrt(x); }
    """
    assert symbols(source) == ["rsqrtf"]


def test_everyday_names_in_a_host_file_are_the_projects() -> None:
    source = "half g(double x);\ntemplate <class T> T f(T x) { return sinpi(x) + normcdf(x); }\n"
    assert symbols(source, language=Language.CPP) == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("cub::DeviceReduce::Sum(t, n, i, o, c);", ["cub::DeviceReduce::Sum"]),
        ("::cub::BlockReduce<int, 128> r;", ["cub::BlockReduce"]),
        ("typename cub::BlockReduce<int, 128>::TempStorage s;", ["cub::BlockReduce"]),
        ("namespace cg = cooperative_groups;\nauto b = cg::this_thread_block();",
         ["cooperative_groups::this_thread_block"]),
        ("auto b = ::cooperative_groups :: this_grid();", ["cooperative_groups::this_grid"]),
        ("namespace wmma = nvcuda::wmma;\nwmma::mma_sync(c, a, b, c);", ["nvcuda::wmma::mma_sync"]),
        ("using namespace nvcuda;\nwmma::mma_sync(c, a, b, c);", ["nvcuda::wmma::mma_sync"]),
        ("using namespace cub;\nBlockReduce<int, 128> r;", ["cub::BlockReduce"]),
        ("using namespace cuda;\nstd::atomic<int> a; std::vector<int> v;", []),
        ("using cub::BlockReduce;\nBlockReduce<int, 128> r;",
         ["cub::BlockReduce", "cub::BlockReduce"]),
        ("using Sum = cub::BlockReduce<int, 128>;\nSum r;", ["cub::BlockReduce"]),
        ("using namespace cooperative_groups;\nauto b = this_thread_block();",
         ["cooperative_groups::this_thread_block"]),
        ("using namespace cub;\nDeviceRadixSort::SortKeys(t, n);",
         ["cub::DeviceRadixSort::SortKeys"]),
        ("auto b = cg::this_thread_block(); cg::mine(b);",
         ["cooperative_groups::this_thread_block"]),
        ("wmma::mma_sync(c, a, b, c);", ["nvcuda::wmma::mma_sync"]),
        ("namespace cg = mine;\nauto b = cg::this_thread_block();", []),
        ("namespace wmma = rocwmma;\nwmma::mma_sync(c, a, b, c);", []),
        ("thrust::sort(v.begin(), v.end());", ["thrust::sort"]),
        ("at::cuda::getCurrentCUDAStream(); c10::cuda::CUDAGuard g(d);", []),
        ("mine::cub::BlockReduce<int, 128> r;", ["cub::BlockReduce"]),
        ("::amgx::thrust::sort(v.begin(), v.end());", ["thrust::sort"]),
        ("mine::inner::thrust::sort(a, b); at::cuda::cub::BlockReduce<int> r;", []),
        ("std::thrust::sort(a, b); mine::cuda::std::min(a, b);", []),
        ("std::min(a, b); std::atomic<int> x;", []),
        ("// cub::BlockReduce\nint cub;", []),
    ],
)  # fmt: skip
def test_qualified_names(source: str, expected: list[str]) -> None:
    assert symbols(f"void f() {{\n{source}\n}}\n") == expected


@pytest.mark.parametrize(
    "declaration",
    [
        "cudaDeviceProp p;",
        "struct cudaDeviceProp p;",
        "cudaDeviceProp a, p;",
        "cudaDeviceProp p = {};",
        "cudaDeviceProp p{};",
        "const cudaDeviceProp& p = props();",
    ],
)
def test_members_through_variables_and_references(declaration: str) -> None:
    source = f"void f() {{ {declaration} use(p.warpSize, p.name); }}"
    assert symbols(source)[-2:] == ["cudaDeviceProp::warpSize", "cudaDeviceProp::name"]


@pytest.mark.parametrize(
    ("declaration", "access"),
    [
        ("cudaDeviceProp* p = props();", "p->warpSize"),
        ("cudaDeviceProp *p;", "p -> warpSize"),
        ("cudaDeviceProp p[8];", "p[i].warpSize"),
        ("cudaDeviceProp p[8];", "p[i + 1][0].warpSize"),
        ("std::vector<cudaDeviceProp> p(n);", "p[0].warpSize"),
    ],
)
def test_members_through_pointers_arrays_and_vectors(declaration: str, access: str) -> None:
    found = uses(f"void f() {{ {declaration} int w = {access}; }}")[-1]
    assert (found.symbol, found.kind) == ("cudaDeviceProp::warpSize", UseKind.MEMBER)


def test_members_through_parameters_and_fields() -> None:
    source = """
    struct Device { cudaDeviceProp prop; int warp() const { return prop.warpSize; } };
    int f(const cudaDeviceProp& q, const Device& d) { return q.warpSize + d.prop.warpSize; }
    """
    assert symbols(source).count("cudaDeviceProp::warpSize") == 3


def test_the_same_variable_name_in_another_function_is_another_thing() -> None:
    source = """
    void f() { cudaDeviceProp p; use(p.name); }
    void g(Particle p) { use(p.name, p.warpSize); }
    """
    assert symbols(source) == ["cudaDeviceProp", "cudaDeviceProp::name"]


def test_an_unknown_member_or_a_method_is_no_use() -> None:
    assert symbols("void f() { cudaDeviceProp p; p.mine; p.warpSize(); }") == ["cudaDeviceProp"]


@pytest.mark.parametrize(
    ("call", "count"),
    [
        ("cudaDeviceSynchronize()", 0),
        ("cudaDeviceSynchronize( /* none */ )", 0),
        ("cudaFree(p)", 1),
        ("cudaFree(f(a, b))", 1),
        ("cudaMemcpy(a, b, n * sizeof(T), cudaMemcpyDefault)", 4),
        ("cudaFree(std::array<int, 2>{1, 2})", 1),
        ("cudaFree([&](int a, int b) { g(a, b); h(); return p; }(1, 2))", 1),
        ('cudaFree(g(", ( "))', 1),
        ("cudaFuncSetAttribute(k<T, 3>, a, (b, c))", 3),
        ("cudaFuncSetAttribute(mine::k<T, N + 1, P<int, 2>>, a, b)", 3),
        ("cudaFuncSetAttribute(f<A, B>(x), a < b, c > d)", 3),
        ("cudaFuncSetAttribute((a < b), c, d > (e))", 3),
        ("cudaFuncSetAttribute(k<(A > B), C>, a, i << 2)", 3),
        ("cudaFree\n (\n p\n )", 1),
        ("cudaMalloc<float>(&p, n)", 2),
        ("cudaFree", -1),
        ("cudaFree(p; q)", -1),
    ],
)
def test_arguments_are_counted(call: str, count: int) -> None:
    (found,) = [use for use in uses(f"void f() {{ x = {call}; }}") if use.symbol[4:6] != "Me" or
                use.kind is UseKind.CALL]  # fmt: skip
    assert found.arguments == count


def test_a_calls_arguments_are_told_as_written() -> None:
    (call,) = read('void f() { cudaGetSymbolAddress( &p,\n   "na  me" /* x */ ); }').calls
    assert call.symbol == "cudaGetSymbolAddress"
    assert call.arguments[0] == "&p"
    assert call.arguments[1].startswith('"na me"')
    assert (call.line, call.column, call.function) == (1, 12, "f")


@pytest.mark.parametrize(
    ("source", "expected", "macros"),
    [
        ("#define CHECK(x) if ((x) != cudaSuccess) abort()\n", ["cudaSuccess"], ["CHECK"]),
        ("#define gpuFree cudaFree\n", ["cudaFree"], ["gpuFree"]),
        ("#define GPU(name) cuda##name\n", [], ["GPU"]),
        ("#define GPU(name) cudaMemcpy##name\n", [], ["GPU"]),
        ("#define GPU(name) name ## cudaMemcpy\n", [], []),
        ("#define LAUNCH(k, ...) k<<<1, 32>>>(__VA_ARGS__)\n", ["<<<>>>"], ["LAUNCH"]),
        ("#define FREE(p) \\\n  cudaFree(p)\n", ["cudaFree"], ["FREE"]),
        ("#define BOTH(f) cuda(f) hip(f)\n", [], []),
    ],
)
def test_names_in_macro_bodies(source: str, expected: list[str], macros: list[str]) -> None:
    facts = read(source)
    assert symbols(source) == expected
    assert [macro.name for macro in facts.macros] == macros


def test_a_use_in_a_macro_body_is_in_no_function() -> None:
    found = uses("void f() {\n#define FREE(p) cudaFree(p)\nFREE(q);\n}\n")
    assert [(use.symbol, use.kind, use.function) for use in found] == [
        ("cudaFree", UseKind.MACRO_BODY, "")
    ]


def test_a_macro_that_gives_a_cuda_name_another_meaning_is_told() -> None:
    facts = read("#define cudaFree hipFree\n#define cudaMalloc(p, n) mine(p, n)\n")
    assert [(m.name, m.target) for m in facts.macros] == [("cudaFree", "hipFree")]
    assert facts.defined == {"cudaFree", "cudaMalloc"}


def test_includes_are_facts_and_no_uses() -> None:
    facts = read('#include <cuda_runtime.h>\n# include "util/cuda.h" // x\n#include MACRO\n')
    assert [(i.name, i.line, i.quoted) for i in facts.includes] == [
        ("cuda_runtime.h", 1, False),
        ("util/cuda.h", 2, True),
    ]
    assert len(facts.uses) == 0


def test_a_type_of_cudas_name_that_the_file_defines_itself_is_its_own() -> None:
    own = "struct __nv_fp8_e4m3 { unsigned char raw; };\n__nv_fp8_e4m3 f(__nv_fp8_e4m3 x);\n"
    assert symbols(own) == []
    assert symbols("__nv_fp8_e4m3 f(__nv_fp8_e4m3 x);\n") == ["__nv_fp8_e4m3"] * 2


def test_a_class_in_a_librarys_style_is_defined_and_its_forward_declaration_is_not() -> None:
    assert "nvtxRange" in read("class nvtxRange\n{\n};\n").defined
    assert "nvtxRange" not in read("class nvtxRange;\n").defined


def test_a_standard_librarys_variables_are_no_builtins() -> None:
    library = "template<class I> void f(I __half, bool __all) { g(__half, __all ? 1 : 2); }\n"
    assert symbols(library, language=Language.CPP) == []
    assert symbols("__global__ void k(__half* x, int* p) { p[0] = __all(p[1]); }") == [
        "__half",
        "__all",
    ]


def test_a_prototype_makes_a_name_that_no_table_knows_the_projects_own() -> None:
    wrapper = (
        "void cudaD_trace(int n);\ntemplate<class T> int curandNormalWrap(T* p);\n"
        "template<> int curandNormalWrap<float>(float* p) { return 0; }\n"
        "inline void cuda_trace(int n) { cudaD_trace(n); }\n"
    )
    assert read(wrapper).defined >= {"cudaD_trace", "curandNormalWrap"}


def test_variables_in_cudas_style_are_the_projects_own() -> None:
    source = (
        "int main(int n) {\n  NppStreamContext nppStreamCtx;\n  nppStreamCtx.hStream = 0;\n"
        "  dim3 cudaBlock(16, 16);\n  k<<<n, cudaBlock>>>(nppStreamCtx);\n"
        "  return cudaMystery(n);\n}\n"
    )
    facts = read(source)
    assert facts.defined == {"nppStreamCtx", "cudaBlock"}
    assert "cudaMystery" in facts.uses.symbols


def test_a_pointer_to_a_librarys_function_makes_its_name_no_own() -> None:
    assert read("CUptiResult (*cuptiActivityEnable)(int);\n").defined == set()


def test_a_projects_switch_in_a_librarys_style_is_no_use() -> None:
    source = "#ifdef NVTX_ENABLED\n#endif\n#if CUDART_VERSION >= 11000\n#endif\n"
    assert symbols(source) == ["CUDART_VERSION"]


def test_a_name_behind_a_macro_for_the_calling_convention_is_declared() -> None:
    source = """
    template <typename T>
    cusolverStatus_t CUSOLVERAPI cusolverDnmystery(int n, T* a);
    template <>
    inline cusolverStatus_t CUSOLVERAPI cusolverDnmystery(int n, float* a) {
      return cusolverDnSmystery(n, a);
    }
    """
    assert "cusolverDnmystery" in read(source).defined
    assert symbols(source) == ["cusolverStatus_t", "cusolverStatus_t", "cusolverDnSmystery"]
