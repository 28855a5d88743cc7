"""What Fortran says of GPUs, and what it must not be taken to say."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.facts.unpriced import count_unpriced
from migrate.model.assessment import Unpriced
from migrate.model.signals import EcosystemFacts, Kind
from migrate.model.source import Language, SourceFile
from migrate.model.verdict import State
from migrate.parse.ecosystem.branches import states_by_line
from migrate.parse.ecosystem.reader import read_ecosystem


def fortran(text: str, path: str = "code.F90") -> EcosystemFacts:
    return read_ecosystem(path, Language.FORTRAN, text)


def said(facts: EcosystemFacts) -> list[tuple[Kind, str, int]]:
    return [(one.kind, one.value, one.line) for one in facts.signals]


@pytest.mark.parametrize(
    ("line", "kind", "value"),
    [
        ("attributes(global) subroutine axpy(n, a, x)", Kind.FORTRAN_KERNEL, "axpy"),
        ("  ATTRIBUTES ( GLOBAL ) SUBROUTINE Axpy(n)", Kind.FORTRAN_KERNEL, "Axpy"),
        ("attributes(grid_global) subroutine k(n)", Kind.FORTRAN_KERNEL, "k"),
        ("recursive attributes(global) subroutine k()", Kind.FORTRAN_KERNEL, "k"),
        ("attributes(device) function f(x)", Kind.FORTRAN_DEVICE_CODE, "f"),
        ("attributes(host, device) real(8) function f(x)", Kind.FORTRAN_DEVICE_CODE, "f"),
        ("real(8) attributes(device) function f(x)", Kind.FORTRAN_DEVICE_CODE, "f"),
        ("!$cuf kernel do(2) <<< *, * >>>", Kind.CUF_LOOP, "kernel do"),
        ("call axpy<<<grid, block, 0, stream>>>(n)", Kind.FORTRAN_LAUNCH, "axpy"),
        ("  call obj%step <<<g, b>>> (n)", Kind.FORTRAN_LAUNCH, "obj%step"),
        ("real(8), device, allocatable :: x(:)", Kind.FORTRAN_DEVICE_DATA, "device"),
        ("real(8), allocatable, managed :: x(:)", Kind.FORTRAN_DEVICE_DATA, "managed"),
        ("attributes(pinned) :: x, y", Kind.FORTRAN_DEVICE_DATA, "pinned"),
        ("attributes(device) x", Kind.FORTRAN_DEVICE_DATA, "device"),
        ("use cudafor", Kind.IMPORT, "cudafor"),
        ("use mpi", Kind.IMPORT, "mpi_f08"),
        ("      INCLUDE 'mpif.h'", Kind.IMPORT, "mpif.h"),
        ("use, intrinsic :: openacc", Kind.IMPORT, "openacc"),
        ("USE CUBLAS_V2, only: cublasDgemm", Kind.IMPORT, "cublas_v2"),
        ("!@cuf use cusolverDn", Kind.IMPORT, "cusolverdn"),
        ("istat = cudaMemcpyAsync(a, b, n, s)", Kind.FORTRAN_CALL, "cudaMemcpyAsync"),
        ("  !@cuf istat = cudaDeviceSynchronize()", Kind.FORTRAN_CALL, "cudaDeviceSynchronize"),
        ("subroutine f(p) bind(C, name = 'cudaFree')", Kind.C_INTERFACE, "cudaFree"),
        ("!$acc parallel loop gang vector", Kind.OPENACC, "parallel loop gang"),
        ("!$acc data copy(a)", Kind.OPENACC, "data"),
        (
            "!$omp target teams distribute parallel do",
            Kind.OPENMP_TARGET,
            "target teams distribute",
        ),
        ("!$omp declare target (f)", Kind.OPENMP_TARGET, "declare target"),
        ("use hipfort_hipblas", Kind.HIP, "hipfort_hipblas"),
    ],
)
def test_fortran_says(line: str, kind: Kind, value: str) -> None:
    assert said(fortran(f"! first line\n{line}\n")) == [(kind, value, 2)]


@pytest.mark.parametrize(
    "line",
    [
        "! attributes(global) subroutine axpy(n)",
        "!$acc end parallel loop",
        "!$acc& copyin(x)",
        "!$omp parallel do",
        "!$omp end target",
        "attributes(host) subroutine f()",
        "print *, 'attributes(device) :: x'",
        'write(*, *) "cudaMalloc(n) failed"',
        "x = 1 ! istat = cudaFree(x)",
        "integer function cudaMalloc_wrapper(n)",
        "use cuda_helpers",
        "use hdf5",
        "real :: device",
        "integer, parameter :: constant = 3",
        "call focus(a)",
        "if (a < b .and. c > d) call f(x)",
        'subroutine f() bind(c, name="curve_length")',
        "subroutine f() bind(c)",
    ],
)
def test_fortran_says_nothing(line: str) -> None:
    assert said(fortran(f"{line}\n")) == []


def test_comments_of_fixed_form_are_no_code() -> None:
    text = "c     use cudafor\n*     call k<<<1, 2>>>(x)\n      use cudafor\nc$acc kernels\n"
    assert said(fortran(text, "old.f")) == [
        (Kind.IMPORT, "cudafor", 3),
        (Kind.OPENACC, "kernels", 4),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "integer(c_int) function &\n  cudaFree(p) &\n  bind(c)\n",
        "      integer function\n     1           cudaFree(p)\n",
    ],
)
def test_name_on_the_line_behind_function_is_defined_not_called(text: str) -> None:
    assert said(fortran(text, "a.f")) == []


def test_branch_beside_one_for_hip_is_ported() -> None:
    text = (
        "#if defined(__CUDA)\n  use cudafor\n#elif defined(__HIP)\n  use hipfort\n#endif\n"
        "#ifdef __CUDA\n  use cublas\n#endif\n"
    )
    states = {one.value: one.state for one in fortran(text).signals}
    assert states == {
        "cudafor": State.PORTED,
        "hipfort": State.HIP,
        "cublas": State.ACTIVE,
    }


@pytest.mark.parametrize("condition", ["#ifndef USE_HIP", "#if !defined(USE_HIP)"])
def test_else_of_not_hip_is_for_hip(condition: str) -> None:
    lines = [condition, "cuda", "#else", "hip", "#endif", "both"]
    assert states_by_line(lines) == {2: State.PORTED, 4: State.HIP}


def test_conditional_within_a_branch_has_its_own_states() -> None:
    lines = ["#ifdef HAVE_HIP", "hip", "#else", "#if A", "cuda", "#endif", "cuda", "#endif"]
    states = states_by_line(lines)
    assert states[2] is State.HIP
    assert {states[5], states[7]} == {State.PORTED}
    assert states_by_line(["#ifdef SHIP", "a", "#else", "b", "#endif", "#endif", "#else"]) == {}


def test_kernels_without_a_price_are_counted_once_and_where_they_are_active() -> None:
    files = {
        "a.F90": "attributes(global) subroutine k()\n!$cuf kernel do <<<*,*>>>\n",
        "b.F90": "!$acc loop\n",
        "c.F90": "use nvtx\n",
        "d.F90": "#ifdef _HIP\n#else\n!$cuf kernel do\n#endif\n",
        "vendor.F90": "!$cuf kernel do\n",
    }
    sources = [
        SourceFile(path=path, size=10, language=Language.FORTRAN, vendored=path == "vendor.F90")
        for path in files
    ]
    facts = [fortran(text, path) for path, text in files.items()]
    assert count_unpriced(facts, sources, ()) == Unpriced(
        fortran_files=1, fortran_kernels=2, fortran_bytes=10, openacc_files=1
    )


def test_host_side_beside_hipfort_may_be_ported_and_is_not_counted() -> None:
    files = {
        "a.F90": "!@cuf use cudafor\n",
        "b.F90": "#ifdef _HIP\nuse hipfort\n#endif\n",
        "c.F90": "!$cuf kernel do\n",
    }
    sources = [SourceFile(path=path, size=10, language=Language.FORTRAN) for path in files]
    facts = [fortran(text, path) for path, text in files.items()]
    counted = count_unpriced(facts, sources, ())
    assert (counted.fortran_files, counted.fortran_kernels) == (1, 1)


def test_import_of_a_binding_counts_where_no_manifest_speaks_of_it() -> None:
    manifest = read_ecosystem("Project.toml", Language.TOML, '[deps]\nCUDA = "0527"\n')
    code = read_ecosystem("a.jl", Language.OTHER_CODE, "using CUDA\n")
    sources = [SourceFile(path=one.path, size=1, language=one.language) for one in (manifest, code)]
    assert count_unpriced([manifest, code], sources, ()).binding_files == 1
    assert count_unpriced([code], sources, ()).binding_files == 1
    assert count_unpriced([manifest], [], ()).binding_files == 0
    both = read_ecosystem("Project.toml", Language.TOML, '[deps]\nCUDA = "0"\nAMDGPU = "2"\n')
    assert count_unpriced([both, code], sources, ()).binding_files == 0


@given(st.text(alphabet="!$@cuf attributes(global)device::<>,'\"\n#ifelsHIP&", max_size=300))
def test_any_text_is_read(text: str) -> None:
    facts = fortran(text)
    assert not facts.error
    assert all(1 <= one.line <= len(text.splitlines()) for one in facts.signals)


@pytest.mark.parametrize(
    "text",
    [
        "attributes(" * 60_000,
        "real" + ", device" * 60_000,
        "call a" + "<<<" * 60_000,
        "#if A\n" * 60_000,
        "#ifdef HIP\n" * 20_000 + "#endif\n" * 20_000,
        "'" * 300_000,
        "!$omp target " * 30_000,
    ],
    ids=range(7),
)
def test_hostile_text_takes_linear_time(text: str) -> None:
    start = time.process_time()
    fortran(text)
    assert time.process_time() - start < 5


def test_code_of_another_language_that_links_cuda_itself_is_in_no_figure() -> None:
    text = 'package cu\n\n// #cgo LDFLAGS: -lcuda\nimport "C"\n'
    code = read_ecosystem("cu/link.go", Language.OTHER_CODE, text)
    sources = [SourceFile(path=code.path, size=len(text), language=code.language)]
    assert count_unpriced([code], sources, ()).binding_files == 1
