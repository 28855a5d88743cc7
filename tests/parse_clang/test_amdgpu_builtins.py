"""The builtins that the tables name are clang's, on the GPUs that the tables say."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

import clang.cindex as ci
import pytest

from migrate.knowledge.archs import known_archs
from migrate.knowledge.matrix import matrix_instructions
from migrate.knowledge.ptx import ptx_rows

BUILTIN = re.compile(r"__builtin_\w+")
AFTER_LLVM_22 = frozenset({"__builtin_amdgcn_wmma_f64_16x16x4_f64"})


def claims() -> dict[str, set[str]]:
    """The builtins that each GPU shall have."""
    wanted: dict[str, set[str]] = defaultdict(set)
    for row in ptx_rows():
        for text, archs in ((row.hip, row.archs), (row.elsewhere, set(known_archs()) - row.archs)):
            for gfx in archs:
                wanted[gfx] |= set(BUILTIN.findall(text))
    for product in matrix_instructions():
        for gfx in product.archs:
            wanted[gfx] |= {product.builtin} - AFTER_LLVM_22
    return wanted


def _parse(gfx: str, source: str) -> list[str]:
    """What clang says of a source text for a GPU."""
    arguments = ["-x", "hip", "--offload-device-only", "-nogpuinc", "-nogpulib"]
    unit = ci.Index.create().parse(
        "a.hip", [*arguments, f"--offload-arch={gfx}"], unsaved_files=[("a.hip", source)]
    )
    return [found.spelling for found in unit.diagnostics]


def lacking(gfx: str, names: Iterable[str]) -> list[str]:
    """The builtins that clang does not have for a GPU."""
    source = "\n".join(
        f"#if !__has_builtin({name})\n#error {name}\n#endif" for name in sorted(names)
    )
    return _parse(gfx, source)


@pytest.mark.parametrize("gfx", sorted(known_archs()))
def test_every_builtin_that_the_tables_name_is_there_on_its_gpu(gfx: str) -> None:
    assert not lacking(gfx, claims()[gfx])


def test_a_builtin_that_a_gpu_lacks_is_seen() -> None:
    assert lacking("gfx942", ["__builtin_amdgcn_tanhf"]) == ["__builtin_amdgcn_tanhf"]


@pytest.mark.parametrize("gfx", sorted(known_archs()))
def test_no_access_of_16_bytes_is_one_on_any_gpu(gfx: str) -> None:
    for size, free in ((8, "true"), (16, "false")):
        source = f'static_assert(__atomic_always_lock_free({size}, 0) == {free}, "");'
        assert not _parse(gfx, source)
