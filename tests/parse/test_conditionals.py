"""Which builds compile a place: disabled code, HIP's branches, and CUDA's beside them."""

from __future__ import annotations

import pytest

from migrate.model.verdict import State
from migrate.parse.conditions import ProjectMacros
from tests.parse.reading import read, states, symbols

HIP_MACROS = [
    "USE_ROCM",
    "__HIP_PLATFORM_AMD__",
    "__HIP_PLATFORM_HCC__",
    "__HIPCC__",
    "__HIP__",
    "GGML_USE_HIP",
    "WITH_HIP",
    "AMREX_USE_HIP",
    "HIP_ENABLED",
    "HAVE_ROCM",
    "TORCH_HIP_VERSION",
]


@pytest.mark.parametrize("macro", HIP_MACROS)
@pytest.mark.parametrize("condition", ["#ifdef {}", "#if defined({})", "#if defined {} // note"])
def test_the_branch_beside_hip_is_ported(macro: str, condition: str) -> None:
    source = (
        f"{condition.format(macro)}\n hipFree(p); cudaSetDevice(0);\n#else\n cudaFree(p);\n#endif\n"
    )
    assert states(source) == {"cudaFree": State.PORTED}


@pytest.mark.parametrize("macro", HIP_MACROS)
def test_the_branch_without_hip_is_ported_where_else_is_hips(macro: str) -> None:
    source = f"#ifndef {macro}\n cudaFree(p);\n#else\n hipFree(p);\n#endif\n"
    assert states(source) == {"cudaFree": State.PORTED}


@pytest.mark.parametrize("macro", HIP_MACROS)
def test_code_left_out_of_hip_with_nothing_in_its_place_is_active(macro: str) -> None:
    assert states(f"#ifndef {macro}\n cudaFree(p);\n#endif\n") == {"cudaFree": State.ACTIVE}


@pytest.mark.parametrize(
    ("condition", "first", "second"),
    [
        ("#if 0", None, State.ACTIVE),
        ("#if 1", State.ACTIVE, None),
        ("#if false", None, State.ACTIVE),
        ("#if 0 && FOO", None, State.ACTIVE),
        ("#if (1 - 1) || !1", None, State.ACTIVE),
        ("#if 0x10 >> 5", None, State.ACTIVE),
        ("#if 017 == 15", State.ACTIVE, None),
        ("#if 0b11 == 3 ? 1 : 0", State.ACTIVE, None),
        ("#if FOO > 3", State.ACTIVE, State.ACTIVE),
        ("#ifdef DEBUG", State.ACTIVE, State.ACTIVE),
        ("#if CUDART_VERSION >= 12000", State.ACTIVE, State.ACTIVE),
        ("#ifdef __CUDA_ARCH__", State.ACTIVE, State.ACTIVE),
        ("#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800", State.ACTIVE, State.ACTIVE),
        ("#ifdef __CUDACC__", State.ACTIVE, State.ACTIVE),
        ("#ifdef USE_CUDA", State.ACTIVE, State.ACTIVE),
        ("#if defined(USE_CUDA) || defined(USE_ROCM)", State.ACTIVE, State.PORTED),
        ("#if defined(__CUDACC__) || defined(__HIPCC__)", State.ACTIVE, State.PORTED),
        ("#if !defined(USE_ROCM) && __CUDA_ARCH__ >= 800", State.PORTED, State.ACTIVE),
        ("#if defined(USE_ROCM) || __CUDA_ARCH__ < 800", State.ACTIVE, State.PORTED),
        ("#if !(defined(USE_ROCM))", State.PORTED, None),
        ("#if USE_ROCM", None, State.PORTED),
        ("#if !USE_ROCM", State.PORTED, None),
        ("#if defined(USE_ROCM) && ROCM_VERSION >= 60000", None, State.ACTIVE),
        ("#ifdef __HIP_DEVICE_COMPILE__", None, State.ACTIVE),
        ("#if defined(__gfx90a__)", None, State.ACTIVE),
        ("#ifdef GGML_USE_MUSA", None, State.ACTIVE),
        ("#ifdef __HIP_PLATFORM_NVIDIA__", State.ACTIVE, State.ACTIVE),
        ("#if THIS IS ( NO CONDITION", State.ACTIVE, State.ACTIVE),
        ("#if 08", State.ACTIVE, State.ACTIVE),
        ("#if 1 / 0", State.ACTIVE, State.ACTIVE),
        ("#if __has_include(<cub/cub.cuh>)", State.ACTIVE, State.ACTIVE),
        ("#if FOO(1, (2)) && 0", None, State.ACTIVE),
    ],
)
def test_states_of_both_branches(condition: str, first: State | None, second: State | None) -> None:
    got = states(f"{condition}\n cudaFree(p);\n#else\n cudaSetDevice(0);\n#endif\n")
    got = {name: state for name, state in got.items() if name.startswith(("cudaF", "cudaS"))}
    expected = {"cudaFree": first, "cudaSetDevice": second}
    assert got == {name: state for name, state in expected.items() if state}


def test_hip_device_code_has_its_place_in_an_elif_chain() -> None:
    source = """
    #if defined(__HIP_DEVICE_COMPILE__)
      __builtin_amdgcn_s_sleep(1); cudaFree(p);
    #elif defined(__CUDA_ARCH__)
      __nanosleep(100);
    #else
      cudaSetDevice(0);
    #endif
    """
    assert states(source) == {"__nanosleep": State.PORTED, "cudaSetDevice": State.ACTIVE,
                              "__CUDA_ARCH__": State.PORTED}  # fmt: skip


def test_a_cuda_switch_beside_a_hip_switch_is_ported() -> None:
    source = """
    #if defined(USE_CUDA)
      cudaFree(p);
    #elif defined(USE_HIP)
      hipFree(p);
    #else
      cudaSetDevice(0);
    #endif
    """
    assert states(source) == {"cudaFree": State.PORTED, "cudaSetDevice": State.PORTED}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("#ifdef USE_ROCM", "#ifndef USE_ROCM"),
        ("#ifdef USE_HIP", "#ifdef USE_CUDA"),
        ("#ifdef USE_HIP", "#if defined(USE_CUDA)"),
    ],
)
def test_conditionals_in_a_row_that_ask_for_the_platform_are_read_as_one(
    first: str, second: str
) -> None:
    hip, cuda = f"{first}\n hipFree(p);\n#endif\n", f"{second}\n cudaFree(p);\n#endif // done\n"
    assert states(hip + "\n// note\n" + cuda) == {"cudaFree": State.PORTED}
    assert states(cuda + hip) == {"cudaFree": State.PORTED}
    assert states(hip + "int x;\n" + cuda) == {"cudaFree": State.ACTIVE}


def test_three_platforms_in_a_row_are_read_as_one() -> None:
    source = """
    #ifdef USE_CUDA
      cudaFree(p);
    #endif
    #ifdef USE_SYCL
      sycl_free(p); cudaSetDevice(0);
    #endif
    #ifdef USE_HIP
      hipFree(p);
    #endif
    """
    assert states(source) == {"cudaFree": State.PORTED}


def test_the_projects_own_macros_come_from_settings() -> None:
    source = "#ifdef ON_MI\n hipFree(p);\n#else\n cudaFree(p);\n#endif\n"
    assert states(source) == {"cudaFree": State.ACTIVE}
    own = ProjectMacros(hip=frozenset({"ON_MI"}))
    assert states(source, macros=own) == {"cudaFree": State.PORTED}


def test_a_macro_that_only_cuda_builds_have_can_be_set() -> None:
    source = "#if defined(ON_NV)\n cudaFree(p);\n#elif defined(USE_HIP)\n hipFree(p);\n#endif\n"
    own = ProjectMacros(cuda=frozenset({"ON_NV"}))
    assert states(source) == {"cudaFree": State.ACTIVE}
    assert states(source, macros=own) == {"cudaFree": State.PORTED}


def test_inner_branches_keep_the_outer_state() -> None:
    source = """
    #ifdef USE_ROCM
      #ifdef DEBUG
        cudaFree(p);
      #endif
    #else
      #if 0
        cudaFree(p);
      #else
        cudaSetDevice(0);
      #endif
    #endif
    cudaDeviceReset();
    """
    assert states(source) == {"cudaSetDevice": State.PORTED, "cudaDeviceReset": State.ACTIVE}


def test_a_conditional_may_go_on_over_lines_and_in_comments() -> None:
    source = (
        "#if defined(USE_ROCM) /* and */ \\\n  && 1\n hipFree(p);\n#else\n cudaFree(p);\n#endif\n"
    )
    assert states(source) == {"cudaFree": State.PORTED}
    crlf = (
        "#if defined(USE_ROCM) \\\r\n  && 1\r\n hipFree(p);\r\n#else\r\n cudaFree(p);\r\n#endif\r\n"
    )
    assert states(crlf) == {"cudaFree": State.PORTED}


def test_directives_that_do_not_pair_do_not_hide_the_rest() -> None:
    assert symbols("#endif\n#else\ncudaFree(p);\n#if 0\ncudaSetDevice(0);\n") == ["cudaFree"]


def test_apostrophes_in_disabled_text_end_with_their_line() -> None:
    assert symbols("#if 0\nyou can't\n#endif\nvoid f() { cudaFree(p); }\n") == ["cudaFree"]


def test_the_condition_is_told_as_written() -> None:
    facts = read("#ifdef USE_ROCM\nint a;\n#else\ncudaStream_t s;\n#endif\n#if 0\nint b;\n#endif\n")
    told = {(c.line, c.end_line, c.condition, c.state) for c in facts.conditionals}
    assert (2, 2, "defined(USE_ROCM)", State.HIP) not in told
    assert {(c.condition, c.state) for c in facts.conditionals} >= {
        ("defined(USE_ROCM)", State.HIP),
        ("1", State.PORTED),
        ("0", None),
    }


def test_names_in_a_condition_are_uses_of_their_own() -> None:
    source = "#if CUDART_VERSION >= 12000 && !defined(__CUDACC__)\n#endif\n"
    assert symbols(source) == ["CUDART_VERSION", "__CUDACC__"]


def test_a_file_that_includes_hip_in_every_build_is_hip_code() -> None:
    facts = read(
        '#include "hip/hip_runtime.h"\n#define cudaFree hipFree\nvoid f() { cudaFree(p); }\n'
    )
    assert facts.hip
    assert len(facts.uses) == 0
    assert [(macro.name, macro.target, macro.state) for macro in facts.macros] == [
        ("cudaFree", "hipFree", State.HIP)
    ]


def test_a_file_that_includes_both_platforms_headers_is_not_hip_code() -> None:
    facts = read("#ifdef USE_HIP\n#include <hip/hip_runtime.h>\n#else\n#include <cuda.h>\n#endif\n")
    assert not facts.hip
    assert [(i.name, i.state) for i in facts.includes] == [
        ("hip/hip_runtime.h", State.HIP),
        ("cuda.h", State.PORTED),
    ]


@pytest.mark.parametrize("header", ["<sycl/sycl.hpp>", "<musa_runtime.h>", '"acl/acl.h"'])
def test_a_file_of_a_third_platform_has_no_cuda_uses(header: str) -> None:
    assert symbols(f"#include {header}\nvoid f() {{ cudaFree(p); }}\n") == []
    both = f"#include <cuda_runtime.h>\n#include {header}\nvoid f() {{ cudaFree(p); }}\n"
    assert symbols(both) == ["cudaFree"]


def test_the_header_that_makes_a_file_another_platforms_is_told() -> None:
    facts = read('#include <sycl/sycl.hpp>\n#include "mine.h"\n')
    assert [one.name for one in facts.includes] == ["sycl/sycl.hpp"]
