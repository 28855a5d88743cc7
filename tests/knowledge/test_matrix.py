"""Which matrix products a GPU has: shapes and types of builtins and of rocWMMA."""

from __future__ import annotations

import pytest

from migrate.knowledge.archs import known_archs
from migrate.knowledge.matrix import (
    MatrixProduct,
    matrix_answer,
    matrix_fragments,
    matrix_instructions,
    matrix_type_of,
    matrix_types,
    read_product,
)
from migrate.model.target import RocmRelease

ROCM_7_2 = RocmRelease(7, 2)
MATRIX_GPUS = {gfx for gfx, arch in known_archs().items() if arch.matrix_core != "none"}


@pytest.mark.parametrize(
    ("mnemonic", "product"),
    [
        ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
         MatrixProduct("f16", "f32", (16, 8, 16))),
        ("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
         MatrixProduct("tf32", "f32", (16, 8, 8))),
        ("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32",
         MatrixProduct("i8", "i32", (16, 8, 32))),
        ("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc",
         MatrixProduct("b1", "i32", (16, 8, 256))),
        ("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
         MatrixProduct("f16", "f32", (16, 8, 32), sparse=True)),
        ("mma.sync.aligned.kind::mxf8f6f4.block_scale.m16n8k32.row.col.f32.e4m3.e2m1.f32.ue8m0",
         MatrixProduct("fp8", "f32", (16, 8, 32))),
        ("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16",
         MatrixProduct("f16", "f32", (16, 16, 16))),
        ("wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64",
         MatrixProduct("f64", "f64", (8, 8, 4))),
        ("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16",
         MatrixProduct("bf16", "f32", (64, 128, 16))),
        ("wgmma.mma_async.sp.sync.aligned.m64n8k64.f32.e5m2.e5m2",
         MatrixProduct("fp8", "f32", (64, 8, 64), sparse=True)),
        ("tcgen05.mma.cta_group::1.kind::i8", MatrixProduct("i8", "i32")),
        ("tcgen05.mma.sp.cta_group::2.kind::mxf4nvf4.block_scale",
         MatrixProduct("fp4", "f32", sparse=True)),
    ],
)  # fmt: skip
def test_an_instruction_tells_types_and_tile(mnemonic: str, product: MatrixProduct) -> None:
    assert read_product(mnemonic) == product


@pytest.mark.parametrize(
    "mnemonic",
    [
        *("ldmatrix.sync.aligned.m8n8.x4.shared.b16", "wgmma.fence.sync.aligned", "mma.sync"),
        *("tcgen05.ld.sync.aligned.32x32b.x8.b32", "tcgen05.mma.cta_group::1", "add.f32"),
        *("wmma.load.a.sync.aligned.row.m16n16k16.f16", ""),
    ],
)  # fmt: skip
def test_other_instructions_multiply_nothing(mnemonic: str) -> None:
    assert read_product(mnemonic) is None


@pytest.mark.parametrize(
    ("gfx", "family", "shape"),
    [
        *(("gfx908", "MFMA", (16, 16, 16)), ("gfx942", "MFMA", (16, 16, 16))),
        *(("gfx1100", "WMMA", (16, 16, 16)), ("gfx1250", "WMMA", (16, 16, 32))),
    ],
)
def test_half_products_are_on_every_gpu_with_matrix_cores(
    gfx: str, family: str, shape: tuple[int, int, int]
) -> None:
    answer = matrix_answer(MatrixProduct("f16", "f32", (16, 8, 16)), gfx, ROCM_7_2)
    assert answer.builtin
    assert (answer.builtin.family, answer.builtin.shape) == (family, shape)
    assert not answer.exact


def test_the_same_shape_is_exact() -> None:
    assert matrix_answer(MatrixProduct("f16", "f32", (16, 16, 16)), "gfx90a", ROCM_7_2).exact


def test_a_gpu_without_matrix_cores_has_nothing() -> None:
    for gfx, arch in known_archs().items():
        if arch.matrix_core == "none":
            answer = matrix_answer(MatrixProduct("f16", "f32", (16, 16, 16)), gfx, ROCM_7_2)
            assert (answer.builtin, answer.fragment, answer.instead) == (None, None, None), gfx


@pytest.mark.parametrize(
    ("kind", "archs"),
    [
        ("b1", ""),
        ("bf16", " ".join(sorted(MATRIX_GPUS))),
        ("f32", "gfx908 gfx90a gfx942 gfx950 gfx1250 gfx1251"),
        ("f64", "gfx90a gfx942 gfx950 gfx1251"),
        ("fp4", "gfx950 gfx1250 gfx1251"),
        ("fp6", "gfx950 gfx1250 gfx1251"),
        ("fp8", "gfx942 gfx950 gfx1200 gfx1201 gfx1250 gfx1251"),
        ("i4", "gfx1100 gfx1101 gfx1102 gfx1151 gfx1200 gfx1201"),
        ("tf32", "gfx942"),
    ],
)  # fmt: skip
def test_which_gpus_multiply_a_type(kind: str, archs: str) -> None:
    there = {
        gfx
        for gfx in known_archs()
        if matrix_answer(MatrixProduct(kind), gfx, ROCM_7_2).builtin is not None
    }
    assert there == set(archs.split())


def test_a_missing_type_names_the_nearest_that_is_there() -> None:
    tf32 = MatrixProduct("tf32", "f32", (16, 8, 8))
    assert [
        answer.instead and answer.instead.input
        for answer in (
            matrix_answer(tf32, gfx, ROCM_7_2) for gfx in ("gfx90a", "gfx942", "gfx1100")
        )
    ] == ["f32", None, "bf16"]
    fp4 = MatrixProduct("fp4", "f32", (16, 8, 64))
    assert [
        answer.instead and answer.instead.input
        for answer in (matrix_answer(fp4, gfx, ROCM_7_2) for gfx in ("gfx90a", "gfx942", "gfx950"))
    ] == ["f16", "fp8", None]


def test_sparse_products_are_dense_where_the_gpu_has_none() -> None:
    sparse = MatrixProduct("f16", "f32", (16, 8, 32), sparse=True)
    families = []
    for gfx in ("gfx90a", "gfx942", "gfx1100", "gfx1201"):
        builtin = matrix_answer(sparse, gfx, ROCM_7_2).builtin
        families.append(builtin.family if builtin else "")
    assert families == ["MFMA", "SMFMAC", "WMMA", "SWMMAC"]


@pytest.mark.parametrize(
    ("gfx", "release", "there"),
    [
        *(("gfx950", "6.4", False), ("gfx950:sramecc+", "7.0", True), ("gfx1201", "6.2", False)),
        *(("gfx1201", "6.3", True), ("gfx1100", "6.2", True), ("gfx906", "7.2", False)),
    ],
)
def test_rocwmma_serves_a_gpu_from_a_release(gfx: str, release: str, *, there: bool) -> None:
    product = MatrixProduct("f16", "f32", (16, 16, 16))
    answer = matrix_answer(product, gfx, RocmRelease.parse(release))
    assert (answer.fragment is not None) is there


def test_types_are_known_by_their_ptx_and_their_cpp_spelling() -> None:
    names = {"e5m2": "fp8", "precision::tf32": "tf32", "__half": "f16", "u4": "i4"}
    for word, name in names.items():
        kind = matrix_type_of(word)
        assert kind
        assert kind.name == name
    assert matrix_type_of("complex") is None


def test_no_spelling_stands_for_two_types() -> None:
    spellings = [word for kind in matrix_types().values() for word in (*kind.ptx, *kind.cpp)]
    assert len(spellings) == len(set(spellings))
    nearest = {word for kind in matrix_types().values() for word in kind.nearest}
    assert nearest <= set(matrix_types())


def test_products_are_of_known_types_and_on_gpus_with_that_unit() -> None:
    for row in matrix_instructions():
        assert row.input in matrix_types(), row.builtin
        assert row.evidence, row.builtin
        unit = "MFMA" if "MF" in row.family else "WMMA"
        assert {known_archs()[gfx].matrix_core for gfx in row.archs} == {unit}, row.builtin
    for fragment in matrix_fragments():
        assert fragment.input in matrix_types()
        assert fragment.evidence


def test_a_tile_of_rocwmma_is_one_that_the_gpu_multiplies() -> None:
    for fragment in matrix_fragments():
        product = MatrixProduct(fragment.input, fragment.accumulator, fragment.shape)
        for gfx in fragment.since:
            assert matrix_answer(product, gfx, ROCM_7_2).builtin, (fragment, gfx)
