"""Conditionals on NVIDIA's macros: what a HIP build takes, whatever stands around them."""

from __future__ import annotations

from tests.rules.scanned import judge, judge_all


def found(text: str) -> list[tuple[int, str]]:
    return judge(text).places()


def test_a_macro_of_another_file_decides_here() -> None:
    texts = {
        "arch.cuh": "#if __CUDA_ARCH__ >= 800\n#define HAS_MMA\n#endif\n",
        "kernel.cu": "#ifdef HAS_MMA\n__global__ void k();\n#endif\n",
    }
    hits = judge_all(texts).hits()
    assert [(one.path, one.rule.id) for one in hits] == [
        ("arch.cuh", "HA-I001"),
        ("kernel.cu", "HA-I002"),
    ]
    assert "HAS_MMA depends on __CUDA_ARCH__" in hits[1].hit.detail


def test_a_macro_that_some_file_defines_for_all_builds_decides_nothing() -> None:
    texts = {
        "a.cuh": "#if __CUDA_ARCH__ >= 800\n#define HAS_MMA\n#endif\n",
        "b.cuh": "#define HAS_MMA\n__global__ void k();\n",
        "kernel.cu": "#ifdef HAS_MMA\n__global__ void k();\n#endif\n",
    }
    assert {one.path for one in judge_all(texts).hits()} == {"a.cuh"}


def test_the_message_names_the_branch_that_hip_takes() -> None:
    text = "#if CUDART_VERSION >= 12000\nint a;\n#else\nint b;\n#endif\n"
    (one,) = judge(text).hits()
    assert one.hit.detail == "Line 1: a HIP build takes the branch of line 3."


def test_a_use_in_a_later_condition_is_explained_with_the_first() -> None:
    text = "#if CUDART_VERSION >= 12000 && CUDART_VERSION < 13000\nint a;\n#endif\n"
    judged = judge(text)
    (one,) = judged.hits()
    (file,) = judged.files
    assert file.explained == {one.hit.row, *one.hit.also}
    assert len(file.explained) == 2


def test_macros_that_define_each_other_end() -> None:
    text = (
        "#if defined(B) && __CUDA_ARCH__ >= 800\n#define A\n#endif\n"
        "#if defined(A) && __CUDA_ARCH__ >= 800\n#define B\n#endif\n"
        "#ifdef A\n__global__ void k();\n#endif\n"
    )
    assert found(text) == []


def test_conditionals_in_any_depth_and_number_are_read_in_time() -> None:
    deep = "#if __CUDA_ARCH__ >= 800\n" * 3000 + "#endif\n" * 3000
    assert {rule for _, rule in found(deep)} == {"HA-I001"}
    wide = "#if __CUDA_ARCH__ == 1\n" + "#elif __CUDA_ARCH__ == 2\n" * 3000 + "#endif\n"
    assert found(wide) == [(1, "HA-I001")]
    brackets = f"#if {'(' * 5000}__CUDA_ARCH__{')' * 5000}\n#endif\n"
    assert found(brackets) == []


def test_a_macro_for_built_by_cuda_is_possible_where_it_is_asked_for() -> None:
    text = "#ifdef CUDA_VERSION\n#define ON_CUDA\n#endif\n#ifdef ON_CUDA\nint a;\n#endif\n"
    first, second = judge(text).hits()
    assert (first.rule.id, second.rule.id) == ("HA-I003", "HA-I004")
    assert (first.hit.confidence, second.hit.confidence) == ("likely", "possible")
