"""What the target has for the matrix products of a place, in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from migrate.knowledge.matrix import (
    MatrixAnswer,
    MatrixProduct,
    MatrixType,
    matrix_answer,
    matrix_type_of,
    matrix_types,
    read_product,
)
from migrate.model.mark import Mark
from migrate.model.target import Target
from migrate.rules.code import Code
from migrate.rules.literals import integer_of
from migrate.rules.ptx.blocks import Block, BlockKind, blocks_of

_MOST_NAMED = 2


def matrix_blocks(code: Code, *heads: str) -> Iterator[Block]:
    """The asm statements of matrix instructions that start with one of the words."""
    for block in blocks_of(code, BlockKind.MATRIX):
        if _head_of(block) in heads:
            yield block


def products_of(block: Block) -> tuple[MatrixProduct, ...]:
    """The products that an asm statement multiplies, each once."""
    found = (read_product(one.mnemonic) for one in block.instructions)
    return tuple(dict.fromkeys(product for product in found if product))


def product_of(mark: Mark) -> MatrixProduct | None:
    """The product that a fragment of nvcuda::wmma goes into; None where its type is not known."""
    use, *sizes, element = mark.values
    kind = fragment_type(element)
    if use == "accumulator" or kind is None:
        return None
    numbers = [integer_of(size) for size in sizes]
    rows, columns, depth = (number or 0 for number in numbers)
    shape = (rows, columns, depth) if rows and columns and depth else None
    return MatrixProduct(kind.name, "", shape)


def fragment_type(element: str) -> MatrixType | None:
    """The type of a fragment's elements by its spelling, whatever its namespace."""
    parts = element.split("::")
    names = ("::".join(parts[start:]) for start in range(len(parts)))
    return next(filter(None, map(matrix_type_of, names)), None)


def lacking(product: MatrixProduct, target: Target) -> tuple[str, ...]:
    """The GPUs of the target that multiply no such type."""
    answers = (matrix_answer(product, gfx, target.rocm) for gfx in target.archs)
    return tuple(
        gfx for gfx, answer in zip(target.archs, answers, strict=True) if answer.builtin is None
    )


def nearest(products: Iterable[MatrixProduct], target: Target) -> str:
    """A sentence for each product: which tile each GPU multiplies instead."""
    return " ".join(
        f"{_named(product)}: "
        + "; ".join(
            f"{gfx} {_offer(product, matrix_answer(product, gfx, target.rocm))}"
            for gfx in target.archs
        )
        + "."
        for product in list(products)[:_MOST_NAMED]
    )


def tiles(products: Iterable[MatrixProduct], target: Target) -> str:
    """A sentence for each product: which tile of rocWMMA it becomes on each GPU."""
    return " ".join(
        f"{_named(product)}: "
        + "; ".join(f"{gfx} {_tile(product, gfx, target)}" for gfx in target.archs)
        + "."
        for product in list(products)[:_MOST_NAMED]
    )


def _head_of(block: Block) -> str:
    """The first word that decides: a whole product before what loads and stores for it."""
    heads = [one.mnemonic.partition(".")[0] for one in block.instructions]
    return next((head for head in ("tcgen05", "wgmma") if head in heads), "mma")


def _named(product: MatrixProduct) -> str:
    """A product as ``m16n8k16 f16``."""
    shape = "m{}n{}k{} ".format(*product.shape) if product.shape else ""
    sparse = "sparse " if product.sparse else ""
    return f"{shape}{sparse}{product.input}"


def _offer(product: MatrixProduct, answer: MatrixAnswer) -> str:
    if answer.builtin is not None:
        row = answer.builtin
        return f"has {'x'.join(map(str, row.shape))} ({row.family})"
    kind = matrix_types()[product.input]
    if answer.instead is not None:
        row = answer.instead
        shape = "x".join(map(str, row.shape))
        return f"lacks the type; the nearest is {row.input}, {shape} ({row.family})"
    return f"lacks the type: {kind.elsewhere}"


def _tile(product: MatrixProduct, gfx: str, target: Target) -> str:
    tile = matrix_answer(product, gfx, target.rocm).fragment
    if tile is None:
        return "has none in rocWMMA"
    rows, columns, depth = tile.shape
    return f"has {rows}x{columns} with a depth of {depth} or more in rocWMMA"
