"""What a preprocessor condition is worth in a CUDA build and in a HIP build: true, false, open."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from migrate.model.condition import evaluate_condition
from migrate.parse.macros import HIP_KINDS, NO_HIP_KINDS, MacroKind, ProjectMacros, macro_kind

__all__ = [
    "ProjectMacros",
    "World",
    "evaluate",
    "explained_by_tree",
    "hip_by_name",
    "hip_macros",
    "is_platform_switch",
]

_NAME = re.compile(r"[A-Za-z_]\w*")
_PLATFORM_KINDS = HIP_KINDS | {MacroKind.CUDA_OPTION, MacroKind.OTHER_PLATFORM}


class World(Enum):
    """The build in which a condition is read."""

    CUDA = "cuda"
    HIP = "hip"


@lru_cache(maxsize=16384)
def evaluate(
    condition: str, world: World, project: ProjectMacros, *, cuda_options_off: bool
) -> bool | None:
    """Evaluate a condition in one build; ``None`` where it depends on what is not known.

    ``cuda_options_off`` says that a HIP build does not set the project's CUDA switches.
    """
    build = _Build(world, project, options_off=cuda_options_off)
    return evaluate_condition(condition, build)


@lru_cache(maxsize=16384)
def hip_macros(condition: str, project: ProjectMacros) -> frozenset[str]:
    """The macros in a condition by which the project tells HIP builds from others."""
    kinds = {*HIP_KINDS, MacroKind.CUDA_GUARD, MacroKind.ALWAYS_HIP}
    names = _NAME.findall(condition)
    return frozenset(name for name in names if macro_kind(name, project) in kinds)


@lru_cache(maxsize=16384)
def explained_by_tree(condition: str, project: ProjectMacros) -> frozenset[str]:
    """The macros in a condition that the rest of the tree may explain."""
    kinds = {MacroKind.NEUTRAL, MacroKind.CUDA}
    names = frozenset(_NAME.findall(condition)) - {"defined"}
    return frozenset(name for name in names if macro_kind(name, project) in kinds)


@lru_cache(maxsize=16384)
def hip_by_name(condition: str, project: ProjectMacros) -> frozenset[str]:
    """The macros in a condition that some HIP builds and no CUDA build define, by their name."""
    names = _NAME.findall(condition)
    return frozenset(name for name in names if macro_kind(name, project) is MacroKind.HIP)


@lru_cache(maxsize=16384)
def is_platform_switch(condition: str, project: ProjectMacros) -> bool:
    """Whether a condition asks which platform is built for: CUDA, HIP or a third."""
    names = _NAME.findall(condition)
    return any(macro_kind(name, project) in _PLATFORM_KINDS for name in names)


_VALUE_NOT_KNOWN = frozenset({MacroKind.HIP_VERSION, MacroKind.ALWAYS_HIP})
_ON_IN_HIP = frozenset({MacroKind.HIP_PLATFORM, MacroKind.HIP_VERSION, MacroKind.ALWAYS_HIP})


@dataclass(frozen=True, slots=True)
class _Build:
    """What a build of the world knows of macros, by their names."""

    world: World
    project: ProjectMacros
    options_off: bool

    def defined(self, name: str) -> bool | None:
        """Whether the build settles that ``name`` is defined or is not, else None."""
        kind = macro_kind(name, self.project)
        if kind is MacroKind.OTHER_PLATFORM:
            return False
        if self.world is World.CUDA:
            return False if kind in HIP_KINDS else None
        if kind in NO_HIP_KINDS or (kind is MacroKind.CUDA_OPTION and self.options_off):
            return False
        return True if kind in _ON_IN_HIP else None

    def value(self, name: str) -> int | None:
        """What ``name`` is worth: 1 where it is defined and nothing tells its value."""
        known = self.defined(name)
        if known and macro_kind(name, self.project) in _VALUE_NOT_KNOWN:
            return None
        if name in {"true", "false"}:
            return int(name == "true")
        return None if known is None else int(known)

    def called(self, name: str) -> int | None:
        """0 for a macro that is not defined, whatever its arguments."""
        return 0 if self.defined(name) is False else None
