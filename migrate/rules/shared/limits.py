"""How much shared memory a place asks for, and on which GPUs of the target that is too much."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from migrate.model.facts import CallSite, LaunchSite, SharedDeclaration
from migrate.rules.code import Code

FUNCTION_ATTRIBUTE = ("cudaFuncSetAttribute", "cuFuncSetAttribute")
DYNAMIC_SIZE = frozenset(
    {
        "cudaFuncAttributeMaxDynamicSharedMemorySize",
        "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES",
    }
)
_ARGUMENTS = 3
_KIB = 1024
_DIMENSION = re.compile(r"\[([^\[\]]*)\]")
_BYTES = {
    "char": 1, "bool": 1, "int8_t": 1, "uint8_t": 1, "short": 2, "int16_t": 2, "uint16_t": 2,
    "half": 2, "__half": 2, "__nv_bfloat16": 2, "nv_bfloat16": 2, "int": 4, "unsigned": 4,
    "float": 4, "int32_t": 4, "uint32_t": 4, "half2": 4, "__half2": 4, "double": 8, "float2": 8,
    "int64_t": 8, "uint64_t": 8, "size_t": 8, "int2": 8, "uint2": 8, "float3": 12, "float4": 16,
    "int4": 16, "uint4": 16, "double2": 16, "double4": 32,
}  # fmt: skip
_QUALIFIERS = re.compile(r"\b(?:volatile|const|static|signed|unsigned(?=\s+\w))\s+")


@dataclass(frozen=True, slots=True)
class Asked:
    """A place with the bytes of shared memory that a block there asks for."""

    place: CallSite | LaunchSite
    size: int


def dynamic_requests(code: Code) -> Iterator[Asked]:
    """The places that give a constant size of dynamic shared memory."""
    for call in opt_in_calls(code):
        if size := max(code.values_of(call.arguments[2]), default=0):
            yield Asked(call, size)
    for launch in code.facts.launches:
        if size := max(code.values_of(launch.shared), default=0):
            yield Asked(launch, size)


def opt_in_calls(code: Code) -> Iterator[CallSite]:
    """The calls that ask for a size of dynamic shared memory."""
    for call in code.calls(*FUNCTION_ATTRIBUTE):
        if len(call.arguments) == _ARGUMENTS and call.arguments[1] in DYNAMIC_SIZE:
            yield call


def archs_below(code: Code, size: int) -> tuple[str, ...]:
    """The target's GPUs on which a block may not have so many bytes of LDS."""
    return tuple(
        gfx
        for gfx, arch in zip(code.target.archs, code.base.archs, strict=True)
        if arch.lds_kib * _KIB < size
    )


def static_sizes(code: Code) -> dict[str, tuple[int, SharedDeclaration]]:
    """The bytes of static shared memory by function, as far as told, at the largest variable."""
    found: dict[str, tuple[int, int, SharedDeclaration]] = {}
    for variable in code.facts.shared:
        size = _size_of(code, variable)
        total, largest, where = found.get(variable.function, (0, -1, variable))
        if size > largest:
            largest, where = size, variable
        found[variable.function] = (total + size, largest, where)
    return {name: (total, where) for name, (total, _, where) in found.items()}


def _size_of(code: Code, variable: SharedDeclaration) -> int:
    """The bytes of a variable; 0 where its type or extent is not plain."""
    spelt = _QUALIFIERS.sub("", variable.type + " ").strip()
    size = 0 if variable.dynamic else _BYTES.get(spelt, 8 if "long" in spelt.split() else 0)
    for dimension in _DIMENSION.findall(variable.extent):
        size *= max(code.values_of(dimension), default=0)
    return size
