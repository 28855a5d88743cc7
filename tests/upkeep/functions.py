"""The functions of a CUDA version and of a ROCm release by the names that a caller writes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from migrate.knowledge.rows import ApiRow
from migrate.knowledge.symbols import expected_hip_name
from tests.upkeep.ctype import Types
from tests.upkeep.declared import Declared

# The C interface is compared; what these add to it for C++ no binding tells.
_CPP_HEADERS = frozenset({"cuda_runtime.h", "cuda_device_runtime_api.h"})
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_SIZES = "_64"


class CudaFunctions:
    """The C functions of a CUDA version; ``overloaded`` are those that have C++ forms beside."""

    __slots__ = ("_functions", "_versioned", "overloaded", "types")

    def __init__(self, declared: Sequence[Declared]) -> None:
        self.types = Types(declared)
        self.overloaded: set[str] = set()
        self._functions: dict[str, list[Declared]] = defaultdict(list)
        self._versioned: dict[str, str] = {}
        for one in declared:
            if one.kind == "function" and one.header in _CPP_HEADERS:
                self.overloaded.add(one.name)
            elif one.kind == "function" and not any("type-parameter" in p for p in one.parameters):
                self._functions[one.name].append(one)
        for one in declared:
            if one.kind == "macro" and (target := self._target(one)):
                self._versioned[one.name] = target

    def _target(self, macro: Declared) -> str:
        """The function that a macro names, as ``__CUDA_API_PTDS(cuMemcpyHtoD_v2)`` does."""
        named = _IDENTIFIER.findall(macro.value)[::-1]
        found = (name for name in named if name != macro.name and name in self._functions)
        return next(found, "")

    def names(self) -> list[str]:
        """Every name under which there is a function, sorted."""
        return sorted(self._functions.keys() | self._versioned.keys())

    def named(self, name: str) -> list[Declared]:
        """What a call by this name means: where a macro gives it a version, that one."""
        return self._functions.get(self._versioned.get(name, name), [])


class HipFunctions:
    """The functions of a ROCm release."""

    __slots__ = ("_folded", "_functions", "types")

    def __init__(self, declared: Sequence[Declared]) -> None:
        self.types = Types(declared)
        self._functions: dict[str, list[Declared]] = defaultdict(list)
        self._folded: dict[str, list[Declared]] = defaultdict(list)
        for one in declared:
            if one.kind == "function":
                self._functions[one.name].append(one)
                self._folded[one.name.lower().replace("_", "")].append(one)

    def counterpart(self, row: ApiRow, name: str) -> list[Declared]:
        """What the row says that a name becomes; of one that becomes nothing, its twin by name.

        hipBLAS 2 has two forms of some: HIPBLAS_V2, which our tables ask for, takes the second.
        """
        if not row.hip:
            return self._folded.get(expected_hip_name(name), [])
        hip = row.hip.replace("*", name[len(row.name) - 1 :])
        if row.library == "blas":
            second = f"{hip.removesuffix(_SIZES)}_v2{_SIZES * hip.endswith(_SIZES)}"
            hip = second if second in self._functions else hip
        return self._functions.get(hip, [])
