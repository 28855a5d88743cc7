"""Which findings share a row: those of a rule, those of a library replaced whole in one file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from migrate.knowledge.components import known_components
from migrate.model.finding import Finding
from migrate.model.rule import Rule
from migrate.model.verdict import Severity, State, Verdict

_RANK = {severity: number for number, severity in enumerate(Severity)}


@dataclass(frozen=True, slots=True)
class Group:
    """Findings that share a row: those of a ``rule``, of a ``library`` in one file, or one."""

    all: Sequence[Finding]
    shown: Sequence[Finding]
    rule: Rule | None = None
    library: str = ""

    @property
    def sites(self) -> int:
        """The places of all its findings."""
        return sum(len(finding.sites) for finding in self.all)

    @property
    def hours(self) -> tuple[float, float, float]:
        """The hours of all its findings."""
        low, likely, high = (sum(row.hours[part] for row in self.all) for part in range(3))
        return low, likely, high

    @property
    def severity(self) -> Severity:
        """The worst of its findings."""
        return max((finding.severity for finding in self.all), key=_RANK.__getitem__)

    @property
    def verdict(self) -> Verdict:
        """The worst of its findings."""
        return max((finding.verdict for finding in self.all), key=lambda verdict: verdict.rank)


@dataclass(frozen=True, slots=True)
class Grouping:
    """Gathers ranked findings to rows."""

    rules: Mapping[str, Rule]
    library_of: Callable[[str], str]
    """The library of a CUDA name, "" for none."""

    def groups(self, ranked: Sequence[Finding]) -> list[Group]:
        """Gather findings, worst first by the severity and hours of the whole row."""
        gathered: dict[tuple[str, ...], list[Finding]] = {}
        for number, finding in enumerate(ranked):
            gathered.setdefault(self._key(finding, number), []).append(finding)
        place = {id(finding): number for number, finding in enumerate(ranked)}
        return sorted(
            map(self._group, gathered.values()),
            key=lambda group: (*_weight(group), place[id(group.all[0])]),
        )

    def _key(self, finding: Finding, number: int) -> tuple[str, ...]:
        if finding.rule in self.rules:
            return finding.rule, finding.state.value
        library = self.library_of(finding.symbol)
        if finding.verdict is Verdict.REPLACED and _replaced_whole(library):
            return library, finding.path, finding.state.value
        return (str(number),)

    def _group(self, rows: Sequence[Finding]) -> Group:
        first = rows[0]
        return Group(rows, rows, self.rules.get(first.rule), self.library_of(first.symbol))


def capped(groups: Sequence[Group], findings: int, members: int, of_rule: int) -> list[Group]:
    """Keep the groups that ``findings`` have room for, and so many members of each."""
    kept = []
    for group in groups:
        if findings <= 0:
            break
        shown = group.all[: min(of_rule if group.rule else members, findings)]
        kept.append(replace(group, shown=shown))
        findings -= len(shown)
    return kept


def _replaced_whole(library: str) -> bool:
    known = known_components().get(library)
    return known is not None and known.compatibility == Verdict.REPLACED.value


def _weight(group: Group) -> tuple[bool, int, float]:
    first = group.all[0]
    return first.state is not State.ACTIVE, -_RANK[group.severity], -group.hours[1]
