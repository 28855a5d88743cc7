"""How old the tables are, in the words of every output."""

from __future__ import annotations

from dataclasses import dataclass

from migrate.model.assessment import Assessment


@dataclass(frozen=True, slots=True, kw_only=True)
class TablesAge:
    """The months of all claims (``as_of``), and how many of a scan's ``names`` are in doubt by it.

    ``older`` of them are known from before the target's release alone, ``unconfirmed`` are flagged.
    """

    as_of: str
    rocm: str
    names: int
    older: int
    unconfirmed: int

    def __str__(self) -> str:
        older = f"{self.older:,}" if self.older else "none"
        known = f"{older} of {self.names:,} names last checked before ROCm {self.rocm} came"
        doubt = f" ({self.unconfirmed:,} unconfirmed)" if self.unconfirmed else ""
        return f"{known}{doubt}"


def age_of(assessment: Assessment) -> TablesAge:
    """What an assessment rests on."""
    summary = assessment.summary
    return TablesAge(
        as_of=assessment.tables_as_of,
        rocm=str(assessment.target.rocm),
        names=summary.distinct_names,
        older=summary.older_names,
        unconfirmed=summary.unconfirmed_names,
    )
