"""Headers that wrap CUDA's names: which are one, how many names and uses hang on them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from migrate.facts.layers import find_layers
from migrate.model.assessment import CompatibilityLayer
from migrate.model.facts import FileFacts
from migrate.model.semantic import (
    CallEdge,
    EdgeKind,
    FunctionNode,
    Outcome,
    Program,
    UnitFacts,
)
from migrate.model.verdict import Side
from tests.parse.reading import read

FIVE = "".join(
    f"#define gpu{name} cuda{name}\n"
    for name in ("Malloc", "Free", "Memcpy", "Memset", "SetDevice")
)


def layers(text: str, *vendored: str, path: str = "shim.h") -> tuple[CompatibilityLayer, ...]:
    return find_layers([read(text, path=path)], (), Program(), vendored)


def names(text: str) -> list[tuple[str, str]]:
    """The names of a text that stand for CUDA's, and for which."""
    file = read(text)
    return [(one.name, one.alias) for one in file.macros if one.alias] + [
        (one.name, one.symbol) for one in file.aliases
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#define gpuFree cudaFree\n", [("gpuFree", "cudaFree")]),
        ("#define gpuFree \\\n  (::cudaFree)\n", [("gpuFree", "cudaFree")]),
        ("#define gpuFree(p) cudaFree(p)\n", [("gpuFree", "cudaFree")]),
        ("#define gpuMemset(p, v, n) (cudaMemset( p,v ,n ))\n", [("gpuMemset", "cudaMemset")]),
        ("#define gpuMalloc(...) cudaMalloc(__VA_ARGS__)\n", [("gpuMalloc", "cudaMalloc")]),
        ("void f() { cudaFree(0); }\n#define GPU(x) cuda##x\n", [("GPU", "cuda##")]),
        ("typedef cudaStream_t gpuStream_t;\n", [("gpuStream_t", "cudaStream_t")]),
        ("namespace n {\nusing stream = ::cudaStream_t;\n}\n", [("stream", "cudaStream_t")]),
        ("static const auto gpuOk = cudaSuccess;\n", [("gpuOk", "cudaSuccess")]),
        ("int gpuFree(void* p) { return cudaFree(p); }\n", [("gpuFree", "cudaFree")]),
        ("template <class T>\nvoid gpu_free(T* p) noexcept\n{\n  ::cudaFree(p);\n}\n",
         [("gpu_free", "cudaFree")]),
        ("void gpuMemcpy2DAsync(int n) { cudaMemcpy2DAsync(n); }\n",
         [("gpuMemcpy2DAsync", "cudaMemcpy2DAsync")]),
    ],
)  # fmt: skip
def test_a_name_that_stands_for_one_of_cudas_is_known(
    text: str, expected: list[tuple[str, str]]
) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "#define cudaFree hipFree\n",
        "#define cudaMallocHost cudaHostAlloc\n",
        "#define CHECK(x) if ((x) != cudaSuccess) abort()\n",
        "#define gpuMemset(p, n) cudaMemset(p, 0, n)\n",
        "#define gpuSwap(a, b) cudaMemcpy(b, a)\n",
        "#define gpuBoth cudaFree + cudaMalloc\n",
        "#define SLOT(x) custom##x cudaSuccess\n",
        "#define gpuFree hipFree\n",
        "void f() { typedef cudaStream_t S; const auto e = cudaSuccess; }\n",
        "void gpuFree(void* p) { log(p); cudaFree(p); }\n",
        "void gpuFree(void* p) { if (p) { cudaFree(p); } }\n",
        "void gpuFree(void* p) { cudaFree(p); log(p); }\n",
        "void gpuRelease(void* p) { cudaFree(p); }\n",
        "void cublas_axpy(cublasHandle_t h) { cublasSaxpy(h); }\n",
        "struct S { S() { cudaFree(0); } };\n",
        "// #define gpuFree cudaFree\n#if 0\n#define gpuMalloc cudaMalloc\n#endif\n",
        "#define gpuFree(\nvoid f() { cudaFree(0); }\n",
    ],
)
def test_a_name_that_does_more_or_less_is_no_alias(text: str) -> None:
    assert names(text) == []


def test_a_file_with_five_names_of_its_own_is_a_layer() -> None:
    assert layers(FIVE) == (CompatibilityLayer(path="shim.h", names=5),)


def test_a_file_with_four_is_none() -> None:
    assert layers("\n".join(FIVE.splitlines()[:4]) + "\n") == ()


def test_a_name_defined_in_two_branches_counts_once() -> None:
    again = "#ifdef X\n#define gpuFree cudaFree\n#else\n#define gpuFree(p) cudaFree(p)\n#endif\n"
    assert layers(FIVE + again)[0].names == 5


def test_a_copy_of_a_third_partys_header_is_none() -> None:
    assert layers(FIVE, "shim.h") == ()


def test_names_with_a_hip_branch_beside_are_mapped_already() -> None:
    hip = FIVE.replace(" cuda", " hip")
    both = f"#ifdef __HIP_PLATFORM_AMD__\n{hip}#else\n{FIVE}#endif\n"
    assert layers(both) == (CompatibilityLayer(path="shim.h", names=5, ported=5),)
    more = both + "#define gpuEventRecord cudaEventRecord\n"
    assert layers(more) == (CompatibilityLayer(path="shim.h", names=6, ported=5),)


def test_code_that_is_written_with_hips_names_is_mapped_already() -> None:
    assert layers(FIVE.replace("gpu", "hip"))[0].ported == 5


def test_a_header_that_maps_cudas_names_to_hips_is_no_layer() -> None:
    assert layers(FIVE.replace("cuda", "hip").replace("gpu", "cuda")) == ()


def test_layers_stand_in_order_of_their_names() -> None:
    files = [read(FIVE, path="a.h"), read(FIVE + "#define gpuX cudaSuccess\n", path="b.h")]
    found = find_layers(files, (), Program(), ())
    assert [(one.path, one.names) for one in found] == [("b.h", 6), ("a.h", 5)]


def counted(file: FileFacts, *expansions: int) -> FileFacts:
    macros = [
        replace(macro, expansions=count)
        for macro, count in zip(file.macros, expansions, strict=True)
    ]
    return replace(file, macros=tuple(macros))


def test_uses_are_the_macros_expansions_and_the_calls_of_functions() -> None:
    text = FIVE + "inline void gpuEventCreate(cudaEvent_t* e) { cudaEventCreate(e); }\n"
    file = counted(read(text, path="shim.h"), 1, 2, 3, 4, 5)
    node = FunctionNode(
        key="F", name="gpuEventCreate", path="shim.h", line=6, side=Side.HOST, kernel=False,
        defined=True,
    )  # fmt: skip
    edges = [
        CallEdge(caller="m", callee=key, kind=EdgeKind.CALL, path="a.cu", line=line, column=1)
        for key, line in (("F", 1), ("F", 2), ("G", 3))
    ]
    program = Program(functions=(node,), calls=tuple(edges))
    unit = UnitFacts(path="a.cu", outcome=Outcome.PARSED, includes=("a.cu", "shim.h"))
    (layer,) = find_layers([file], [unit], program, ())
    assert (layer.names, layer.expansions) == (6, 17)


def test_uses_of_a_header_that_no_unit_has_read_are_not_known() -> None:
    unit = UnitFacts(path="a.cu", outcome=Outcome.PARSED, includes=("a.cu",))
    (layer,) = find_layers([read(FIVE, path="shim.h")], [unit], Program(), ())
    assert layer.expansions is None
