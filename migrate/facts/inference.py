"""A project's own platform macros, inferred from where the tree defines them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from migrate.model.facts import FileFacts


@dataclass(frozen=True, slots=True)
class InferredMacros:
    """Macros that the tree defines in HIP-only code alone, or only where HIP is left out."""

    hip: frozenset[str]
    cuda: frozenset[str]

    def __bool__(self) -> bool:
        return bool(self.hip or self.cuda)


def infer_macros(files: Iterable[FileFacts]) -> InferredMacros:
    """Find macros whose definitions all stand on one side of the tree's HIP conditionals.

    ``#if !defined(USE_HIP) && __CUDA_ARCH__ >= 800`` around ``#define HAS_ASYNC_COPY`` makes
    ``HAS_ASYNC_COPY`` a macro of CUDA builds. Only macros that some condition asks for count.
    """
    hip: set[str] = set()
    cuda: set[str] = set()
    elsewhere: set[str] = set()
    asked: set[str] = set()
    for file in files:
        hip |= file.platform.hip_only
        cuda |= file.platform.cuda_only
        elsewhere |= file.platform.elsewhere
        asked |= file.platform.asked
    return InferredMacros(
        hip=frozenset((hip - cuda - elsewhere) & asked),
        cuda=frozenset((cuda - hip - elsewhere) & asked),
    )
