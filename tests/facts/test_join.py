"""Facts of all files put together: the project's own names, third-party copies, HIP twins."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.facts.join import join_facts
from migrate.model.facts import FileFacts, iterate_uses
from migrate.model.source import Language
from migrate.model.verdict import State
from tests.parse.reading import read

Tree = dict[str, str]


def join(tree: Tree, *vendored: str, include_vendored: bool = False) -> tuple[FileFacts, ...]:
    """The joined facts of a tree given as path and text."""
    facts = [
        read(text, path=path, language=Language.HIP if path.endswith(".hip") else Language.CUDA)
        for path, text in tree.items()
    ]
    return join_facts(facts, vendored, include_vendored=include_vendored)


def found(files: tuple[FileFacts, ...]) -> list[tuple[str, str, State]]:
    """Path, symbol and state of every use."""
    return [(use.path, use.symbol, use.state) for file in files for use in iterate_uses(file)]


def test_files_come_back_in_order_of_path() -> None:
    assert [file.path for file in join({"b.cu": "", "a.cu": "", "a/z.cu": ""})] == [
        "a.cu", "a/z.cu", "b.cu",
    ]  # fmt: skip


def test_a_cuda_looking_name_that_another_file_defines_is_the_projects_own() -> None:
    tree = {
        "src/a.cu": "void f() { cudaCheck(1); cudaMystery(2); cudaFree(p); }",
        "src/check.h": "inline void cudaCheck(int e) { }\n",
    }
    assert [symbol for _, symbol, _ in found(join(tree))] == ["cudaMystery", "cudaFree"]


def test_a_known_name_that_a_shim_defines_is_still_used() -> None:
    tree = {"a.cu": "void f() { cudaFree(p); }", "shim.h": "#define cudaFree hipFree\n"}
    assert found(join(tree)) == [("a.cu", "cudaFree", State.ACTIVE)]


def test_a_macro_in_the_style_of_a_library_that_the_tree_defines_is_its_own() -> None:
    tree = {
        "a.cu": "void f() { CUPTI_CALL(x); CUPTI_API_VERSION; }",
        "check.h": "#define CUPTI_CALL(x) x\n",
    }
    assert [symbol for _, symbol, _ in found(join(tree))] == ["CUPTI_API_VERSION"]


B40C = """
#ifndef B40C_H
#define B40C_H
#define CUB_LOG_WARP_THREADS(arch) (5)
#define CUB_WARP_THREADS(arch) (1 << CUB_LOG_WARP_THREADS(arch))
#if defined(_WIN64)
  #define _CUB_ASM_PTR_ "l"
#else
  #define _CUB_ASM_PTR_ "r"
#endif
#endif
"""


def test_a_macro_of_a_librarys_name_that_the_project_defines_is_its_own() -> None:
    tree = {
        "a.cu": '#include "own.h"\nint a = CUB_WARP_THREADS(200) + CUB_LOG_WARP_THREADS(200);\n'
        "char* p = _CUB_ASM_PTR_;",
        "b.cu": "#include <cub/cub.cuh>\nint b = CUB_LOG_WARP_THREADS(200);\n",
        "own.h": B40C,
    }
    assert [(path, symbol) for path, symbol, _ in found(join(tree))] == [
        ("b.cu", "CUB_LOG_WARP_THREADS")
    ]
    # A copy of the library defines it too: there the project's code uses the library's.
    assert ("a.cu", "CUB_LOG_WARP_THREADS", State.ACTIVE) in found(join(tree, "own.h"))


@pytest.mark.parametrize(
    "header",
    [
        "#ifndef CUDART_PI_F\n#define CUDART_PI_F 3.14f\n#endif",
        "#if CUDA_VERSION < 9000\n#define CUDART_PI_F 3.14f\n#endif",
        "#ifdef USE_HIP\n#define CUDART_PI_F 3.14f\n#endif",
        "#define CUDART_PI_F",
        "#define CUDART_PI_F HIP_PI_F",
        "#define CUDART_PI_F CUDART_PI",
        "#define CUDART_PI_F 3.14f\n#ifdef USE_HIP\n#define CUDART_PI_F HIP_PI_F\n#endif",
    ],
)
def test_a_macro_that_stands_in_for_cudas_is_cudas(header: str) -> None:
    tree = {"a.cu": '#include "pi.h"\nfloat f = CUDART_PI_F;\n', "pi.h": f"{header}\n"}
    assert ("a.cu", "CUDART_PI_F") in [(path, symbol) for path, symbol, _ in found(join(tree))]


def test_a_function_of_cudas_that_a_macro_wraps_is_still_used() -> None:
    tree = {
        "a.cu": '#include "wrap.h"\nvoid f() { cudaFree(p); }\n',
        "wrap.h": "#define cudaFree(p) traced(p, __LINE__)\n",
    }
    assert [symbol for _, symbol, _ in found(join(tree))] == ["cudaFree"]


def test_the_enumerators_of_a_project_are_its_own() -> None:
    tree = {
        "a.h": "enum kind {\n  CUBLAS_HANDLE = 0,\n  CUSPARSE_HANDLE,\n  STREAM };\n"
        "int handles[] = {CUSOLVER_MYSTERY, 1};\n",
        "b.cu": "void f() { get(CUSPARSE_HANDLE); }\n",
    }
    assert [symbol for _, symbol, _ in found(join(tree))] == ["CUSOLVER_MYSTERY"]


def test_a_vendored_librarys_macros_are_used_by_the_project() -> None:
    tree = {
        "a.cu": "void f() { CUTLASS_MARK(x); cutlass::gemm::run(); }",
        "third_party/cutlass/cutlass.h": "#define CUTLASS_MARK(x)\n",
    }
    got = found(join(tree, "third_party/cutlass/cutlass.h"))
    assert [(path, symbol) for path, symbol, _ in got] == [
        ("a.cu", "CUTLASS_MARK"),
        ("a.cu", "cutlass::gemm::run"),
    ]


def test_a_tree_that_is_the_library_does_not_use_it() -> None:
    tree = {
        "include/cub/cub.cuh": "",
        "include/cub/block.cuh": "void f() { cub::BlockReduce<int> r; cudaFree(p); }",
    }
    assert found(join(tree)) == [("include/cub/block.cuh", "cudaFree", State.ACTIVE)]


def test_third_party_code_is_counted_apart() -> None:
    tree = {"ext/a.cu": "void f() { cudaFree(p); }", "src/b.cu": "void f() { cudaFree(p); }"}
    assert found(join(tree, "ext/a.cu")) == [
        ("ext/a.cu", "cudaFree", State.VENDORED),
        ("src/b.cu", "cudaFree", State.ACTIVE),
    ]
    assert {state for _, _, state in found(join(tree, "ext/a.cu", include_vendored=True))} == {
        State.ACTIVE
    }


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("src/cuda/spmv.cu", "src/hip/spmv.hip"),
        ("ops.cu", "ops_hip.hip"),
        ("ops.cu", "hip/ops.hip"),
        ("csrc/cuda_kernels.cu", "csrc/hip_kernels.hip"),
        ("ops.cu", "ops.hip"),
    ],
)
def test_a_cuda_file_with_a_hip_twin_is_ported(cuda: str, hip: str) -> None:
    tree = {cuda: "void f() { cudaFree(p); }", hip: "void f() { hipFree(p); }"}
    assert found(join(tree)) == [(cuda, "cudaFree", State.PORTED)]


def test_a_file_for_rccl_by_its_path_is_hip_and_the_twin_of_the_one_for_nccl() -> None:
    text = '#include "tl.h"\nvoid f() { ncclGroupStart(); }'
    tree = {"tl/nccl/tl_nccl_coll.c": text, "tl/rccl/tl_rccl_coll.c": text, "tl/nccl/more.c": text}
    assert found(join(tree)) == [
        ("tl/nccl/more.c", "ncclGroupStart", State.ACTIVE),
        ("tl/nccl/tl_nccl_coll.c", "ncclGroupStart", State.PORTED),
    ]


def test_a_file_that_names_rccl_and_includes_nccl_is_cudas() -> None:
    tree = {"src/rccl_or_nccl.c": "#include <nccl.h>\nvoid f() { ncclGroupStart(); }"}
    assert [state for _, _, state in found(join(tree))] == [State.ACTIVE]


def test_a_hip_file_of_another_name_is_no_twin() -> None:
    tree = {"src/cuda/spmv.cu": "void f() { cudaFree(p); }", "src/hip/gemm.hip": "void f() { }"}
    assert [state for _, _, state in found(join(tree))] == [State.ACTIVE]


def test_beside_a_folder_of_hip_code_the_same_path_is_a_twin_without_a_hip_name_in_it() -> None:
    tree = {
        "src/cuda/spmv.cu": "void f() { cudaFree(p); }",
        "src/hip/spmv.hip": "void f() { hipFree(p); }",
        "src/cuda/reduce.h": "void g() { cudaFree(p); }",
        "src/hip/reduce.h": '#include "../generic/reduce.h"',
        "src/cuda/matrix.h": "void h() { cudaFree(p); }",
        "src/hip/matrix.h": "// to do",
    }
    assert found(join(tree)) == [
        ("src/cuda/matrix.h", "cudaFree", State.ACTIVE),
        ("src/cuda/reduce.h", "cudaFree", State.PORTED),
        ("src/cuda/spmv.cu", "cudaFree", State.PORTED),
    ]


SOURCES = {
    "a.cu": "void f() { cudaFree(p); cudaOwn(1); }",
    "b.h": "void cudaOwn(int);",
    "ext/c.cu": "void f() { cub::BlockReduce<int> r; }",
    "hip/a.hip": "void f() { hipFree(p); }",
}


@pytest.mark.property
@given(st.permutations(sorted(SOURCES)))
def test_the_order_of_files_does_not_matter(order: list[str]) -> None:
    tree = {path: SOURCES[path] for path in order}
    assert join(tree, "ext/c.cu") == join(SOURCES, "ext/c.cu")


def test_in_a_librarys_own_tree_its_names_are_no_uses() -> None:
    use = "void f() { CUTLASS_ASSERT(x); cute::copy(a, b); cudaFree(p); }"
    own = {"include/cutlass/cutlass.h": "", "include/cutlass/a.h": use}
    assert found(join(own)) == [("include/cutlass/a.h", "cudaFree", State.ACTIVE)]
    copy = "third_party/cutlass/include/cutlass/cutlass.h"
    symbols = [symbol for _, symbol, _ in found(join({copy: "", "a.cu": use}, copy))]
    assert symbols == ["CUTLASS_ASSERT", "cute::copy", "cudaFree"]


def built(*mapped: str) -> bool:
    """Whether a file that calls cudaFree is built for HIP, by a header that maps some names."""
    defines = "\n".join(f"#define {name} {name.replace('cuda', 'hip')}" for name in mapped)
    tree = {
        "compat.h": f"#ifdef __HIP_PLATFORM_AMD__\n{defines}\n#endif\n",
        "k.cu": '#include "compat.h"\nvoid f() { cudaFree(0); }',
    }
    return next(file.hip_built for file in join(tree) if file.path == "k.cu")


def test_a_file_with_a_name_that_a_header_maps_for_hip_is_built_for_hip() -> None:
    assert built("cudaFree")


def test_a_header_that_maps_a_name_of_other_files_says_nothing_of_a_file() -> None:
    assert not built("cudaMalloc")


def test_a_header_that_maps_many_names_serves_every_file_that_includes_it() -> None:
    assert built("cudaMalloc", "cudaMemcpy", "cudaMemset", "cudaStream_t", "cudaEvent_t")
