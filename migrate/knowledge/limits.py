"""Names whose verdict is worse on some GPUs, since hardware or a library is not there for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from migrate.knowledge.archs import Arch, known_archs
from migrate.knowledge.tables import bad_mapping, table_rows
from migrate.model.verdict import Verdict

_HEADER = "name,needs,verdict,as_of,source,note"
_HAS: dict[str, Callable[[Arch], bool]] = {
    "hipBLASLt": lambda arch: "hipBLASLt" not in arch.lacks,
    "hipSPARSELt": lambda arch: "hipSPARSELt" not in arch.lacks,
    "images": lambda arch: arch.images is not False,
    "matrix_core": lambda arch: arch.matrix_core != "none",
    "ocp_fp8": lambda arch: arch.fp8_format == "OCP",
    "steady_clock": lambda arch: not arch.gfx.startswith("gfx11"),
}


@dataclass(frozen=True, slots=True)
class ArchLimit:
    """On a GPU that has not what ``needs`` says, a name's verdict is ``verdict`` or worse."""

    name: str
    needs: str
    verdict: Verdict
    as_of: str
    source: str
    note: str

    def holds(self, gfx: str) -> bool:
        """Whether the limit bites on an architecture; ``gfx`` may carry target features."""
        arch = known_archs().get(gfx.partition(":")[0])
        return arch is not None and not _HAS[self.needs](arch)


def limit_on(name: str, archs: tuple[str, ...]) -> ArchLimit | None:
    """The limit that bites for a name on one of the architectures; ``None`` if none does.

    Raises:
        AssessError: rows that cannot be read.
    """
    exact, families = _limits()
    limit = exact.get(name)
    if limit is None:
        limit = next((family for family in families if name.startswith(family.name[:-1])), None)
    if limit is None or not any(limit.holds(gfx) for gfx in archs):
        return None
    return limit


@cache
def _limits() -> tuple[dict[str, ArchLimit], tuple[ArchLimit, ...]]:
    limits, problems = [], []
    for name, needs, verdict, *rest in table_rows(_HEADER, "arch_limits.csv"):
        if needs not in _HAS or verdict not in set(Verdict):
            problems.append(f"arch_limits.csv: {name}: {needs} or {verdict} is not known")
            continue
        limits.append(ArchLimit(name, needs, Verdict(verdict), *rest))
    if problems:
        raise bad_mapping(problems)
    families = tuple(limit for limit in limits if limit.name.endswith("*"))
    return {limit.name: limit for limit in limits if limit not in families}, families
