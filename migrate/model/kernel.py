"""What is known of a kernel: its shared memory, launch bounds, and where it is launched from."""

from __future__ import annotations

from dataclasses import dataclass, field

from migrate.model.verdict import SeenBy


@dataclass(frozen=True, slots=True)
class KernelSize:
    """The static shared memory of one instantiation in bytes, None where it is not known.

    ``arguments`` are the template arguments as clang spells them, "" for a plain kernel.
    """

    arguments: str
    static_shared: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelTraits:
    """What a kernel asks for when it is launched.

    ``sizes`` holds each instantiation that the compiler saw, none where it saw no body.
    ``launch_bounds`` are the values in the order written (threads, blocks, clusters), of
    instantiations that differ the largest; None for one that is not known.
    """

    sizes: tuple[KernelSize, ...] = ()
    dynamic_shared: bool = False
    launch_bounds: tuple[int | None, ...] = ()
    attributes: tuple[str, ...] = ()

    @property
    def static_shared(self) -> int | None:
        """The largest static shared memory of an instantiation in bytes."""
        return max(
            (one.static_shared for one in self.sizes if one.static_shared is not None), default=None
        )


@dataclass(frozen=True, slots=True)
class LaunchPlace:
    """Where a kernel is launched; ``function`` is the one around it, "" where that is not told."""

    function: str
    path: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelRow:
    """A kernel of the project that is still to be ported; ``launched_from`` in order of place."""

    name: str
    path: str
    line: int
    traits: KernelTraits = field(default_factory=KernelTraits)
    launched_from: tuple[LaunchPlace, ...] = ()
    seen_by: SeenBy = SeenBy.TREE
