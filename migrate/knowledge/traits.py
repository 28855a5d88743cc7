"""What a GPU is like, in the words that rules say where they hold."""

from __future__ import annotations

from collections.abc import Callable

from migrate.knowledge.archs import Arch, known_archs
from migrate.model.rule import Trait

_64_KIB = 64
_HOPPER_KIB = 227
_NO_FP64_ATOMICS = ("gfx906", "gfx908", "gfx10", "gfx11", "gfx12")
"""ROCm's table of atomics: emulated by a compare-and-swap loop on these."""
_UNSAFE_FLOAT_ATOMICS = ("gfx908", "gfx90a", "gfx10", "gfx11")
"""ROCm's table of atomics: float operations on fine-grained memory do nothing on these."""
_HAS: dict[Trait, Callable[[Arch], bool]] = {
    Trait.WAVE64: lambda arch: arch.wavefront_size == 64,  # noqa: PLR2004 - the trait's name
    Trait.WAVE32: lambda arch: arch.wavefront_size == 32,  # noqa: PLR2004 - the trait's name
    Trait.LDS_64_KIB: lambda arch: arch.lds_kib <= _64_KIB,
    Trait.IMAGES: lambda arch: arch.images is True,
    Trait.NO_IMAGES: lambda arch: arch.images is False,
    Trait.NO_MATRIX_CORES: lambda arch: arch.matrix_core == "none",
    Trait.MFMA: lambda arch: arch.matrix_core == "MFMA",
    Trait.WMMA: lambda arch: arch.matrix_core == "WMMA",
    Trait.FP8_FNUZ: lambda arch: arch.fp8_format == "fnuz",
    Trait.NO_OCP_FP8: lambda arch: arch.fp8_format != "OCP",
    Trait.RDNA3: lambda arch: arch.gfx.startswith("gfx11"),
    Trait.FLUSHES_HALF_PRODUCTS: lambda arch: arch.gfx == "gfx90a",
    Trait.NO_NATIVE_FP64_ATOMICS: lambda arch: (
        arch.gfx.startswith(_NO_FP64_ATOMICS) and arch.family != "CDNA5"
    ),
    Trait.LDS_BELOW_HOPPER: lambda arch: arch.lds_kib < _HOPPER_KIB,
    Trait.NO_CLUSTERS: lambda arch: arch.family != "CDNA5",
    Trait.UNSAFE_FLOAT_ATOMICS: lambda arch: arch.gfx.startswith(_UNSAFE_FLOAT_ATOMICS),
}


def has_trait(gfx: str, traits: tuple[Trait, ...]) -> bool:
    """Whether a GPU is of one of the kinds; ``gfx`` may carry target features."""
    if not traits:
        return True
    arch = known_archs()[gfx.partition(":")[0]]
    return any(_HAS[trait](arch) for trait in traits)


def archs_with(traits: tuple[Trait, ...]) -> tuple[str, ...]:
    """The known GPUs of one of the kinds, in the table's order."""
    return tuple(gfx for gfx in known_archs() if has_trait(gfx, traits))
