"""Names that do not map mechanically, gathered to one finding a name and function."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from migrate.classify.uses import ClassifiedFile
from migrate.knowledge.limits import limit_on
from migrate.model.assessment import UseRow
from migrate.model.facts import SEEN_BY, condition_at
from migrate.model.finding import Finding, Site
from migrate.model.identity import (
    RULE_API,
    RULE_ASM,
    RULE_LAUNCH,
    RULE_USE,
    finding_id,
    site_fingerprint,
)
from migrate.model.resolution import Resolution
from migrate.model.target import Target
from migrate.model.verdict import Confidence, Flag, SeenBy, Severity, Side, State, Tier, Verdict

_LEAVE_OUT = "Leave the feature out on AMD GPUs, or write it with other means."
_WITHOUT_EQUIVALENT = {
    "asm": "Write it as C++, a HIP intrinsic or a builtin of the compiler.",
    "launch": "Launch the inner kernel from the host, or do its work in the outer one.",
}
"""What can be done about a missing thing of which no note says more, by its kind."""

DriverOf = Callable[[Resolution, Side], str]
"""The effort driver of a use's answer, "" for none."""
TierOf = Callable[[Resolution, str], Tier]
"""The tier of an answer with a given driver."""


@dataclass(frozen=True, slots=True)
class _Key:
    path: str
    rule: str
    symbol: str
    function: str
    state: str
    verdict: Verdict
    hip: str


class Fingerprints:
    """Numbers equal sites as they come, so that every site of an assessment has its own name."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str, str, int], int] = defaultdict(int)

    def of(self, rule: str, symbol: str, function: str, line_hash: int) -> str:
        """The next fingerprint for a line."""
        key = (rule, symbol, function, line_hash)
        ordinal = self._seen[key]
        self._seen[key] = ordinal + 1
        return site_fingerprint(rule, symbol, function, line_hash, ordinal)


def name_findings(
    files: Sequence[ClassifiedFile], target: Target, driver_of: DriverOf, tier_of: TierOf
) -> tuple[Finding, ...]:
    """One finding for each name that needs a person, in one function of one file."""
    groups: dict[_Key, list[int]] = {}
    owners: dict[_Key, ClassifiedFile] = {}
    for file in files:
        for row, answer in enumerate(file.answers):
            if not answer.verdict.mechanical and row not in file.explained:
                key = _key(file, row, answer)
                groups.setdefault(key, []).append(row)
                owners[key] = file
    maker = _Maker(target, Fingerprints(), driver_of, tier_of)
    return tuple(maker.finding(owners[key], rows) for key, rows in groups.items())


def _key(file: ClassifiedFile, row: int, answer: Resolution) -> _Key:
    return _Key(
        path=file.facts.path,
        rule=_rule(answer),
        symbol=answer.name,
        function=file.function(row).name,
        state=file.state(row).value,
        verdict=answer.verdict,
        hip=answer.hip,
    )


def _rule(answer: Resolution) -> str:
    return {"asm": RULE_ASM, "launch": RULE_LAUNCH}.get(answer.kind, RULE_API)


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes findings for one target; numbers their sites as they come."""

    target: Target
    fingerprints: Fingerprints
    driver_of: DriverOf
    tier_of: TierOf

    def finding(self, file: ClassifiedFile, rows: list[int]) -> Finding:
        """The finding of rows that share a name, function, state and answer."""
        answer, function = file.answers[rows[0]], file.function(rows[0])
        driver = self.driver_of(answer, function.side)
        rule = _rule(answer)
        return Finding(
            id=finding_id(rule, answer.name, function.name),
            rule=rule,
            tier=self.tier_of(answer, driver),
            verdict=answer.verdict,
            severity=_severity(answer),
            confidence=answer.confidence,
            state=file.state(rows[0]),
            archs=_archs(answer, self.target),
            symbol=answer.name,
            hip=answer.hip,
            function=function.name,
            message=_message(answer, self.target),
            fix=_fix(answer),
            driver=driver,
            hours=(0.0, 0.0, 0.0),
            seen_by=weakest_reader(SEEN_BY[file.facts.uses.seen_by[row]] for row in rows),
            sites=tuple(self._site(file, row, rule) for row in rows),
        )

    def _site(self, file: ClassifiedFile, row: int, rule: str) -> Site:
        table, name, function = file.facts.uses, file.answers[row].name, file.function(row).name
        return Site(
            path=file.facts.path,
            line=table.line[row],
            end_line=table.end_line[row],
            column=table.column[row],
            fingerprint=self.fingerprints.of(rule, name, function, table.line_hash[row]),
            condition=condition_at(file.facts, table.line[row]),
        )


def _archs(answer: Resolution, target: Target) -> tuple[str, ...]:
    """Where the verdict holds: on the GPUs whose lack it comes from, else on all of the target."""
    limit = limit_on(answer.name, target.archs)
    if limit is None or limit.note != answer.note:
        return target.archs
    return tuple(arch for arch in target.archs if limit.holds(arch))


def weakest_reader(seen: Iterable[SeenBy]) -> SeenBy:
    """The reader that a finding rests on: of several the one that sees least."""
    return max(seen, key=SEEN_BY.index)


def _severity(answer: Resolution) -> Severity:
    if answer.verdict is Verdict.CHANGED:
        return Severity.MINOR
    if answer.verdict is Verdict.UNKNOWN or answer.confidence is Confidence.POSSIBLE:
        return Severity.MINOR
    return Severity.MAJOR


def _message(answer: Resolution, target: Target) -> str:
    name, hip, rocm = answer.name, answer.hip, f"ROCm {target.rocm}"
    changed = f"{name} maps to {hip}, with a difference on {rocm}."
    if hip == name:
        changed = f"{name} keeps its name and means something else on {rocm}."
    elif not hip:
        changed = f"{name} means something else on {rocm}."
    said = {
        Verdict.CHANGED: changed,
        Verdict.REPLACED: f"{name} has no HIP twin; {hip} does the job."
        if hip
        else f"{name} has no HIP twin; another ROCm library does the job.",
        Verdict.LATER: f"{name} comes with ROCm {answer.better or answer.since}, after {rocm}.",
        Verdict.MISSING: f"{name} has no equivalent on {rocm}.",
        Verdict.UNKNOWN: f"{name} looks like a CUDA name, and no table knows it.",
    }.get(answer.verdict, name)
    if answer.kind == "asm":
        said = f"Inline PTX: {answer.name.removeprefix('asm:')}."
    if answer.name == "<<<>>>":
        said = "A kernel is launched from device code (dynamic parallelism)."
    if Flag.UNCONFIRMED in answer.flags:
        said += f" The sources for this are older than {rocm}: check before you rely on it."
    return f"{said} {answer.note}".strip()


def _fix(answer: Resolution) -> str:
    hip, note, later = answer.hip, answer.note, answer.better or answer.since
    return {
        Verdict.CHANGED: _fix_of_changed(answer),
        Verdict.REPLACED: f"Rewrite with {hip}." if hip else "",
        Verdict.LATER: f"Target ROCm {later}, or work around it until then.",
        Verdict.MISSING: "" if note else _WITHOUT_EQUIVALENT.get(answer.kind, _LEAVE_OUT),
        Verdict.UNKNOWN: f"Close known names: {', '.join(answer.near)}." if answer.near else "",
    }.get(answer.verdict, "")


def _fix_of_changed(answer: Resolution) -> str:
    if answer.hip == answer.name:
        return "Keep the name and check the difference at each site."
    return f"Use {answer.hip} and check the difference at each site." if answer.hip else ""


def mechanical_rows(
    files: Sequence[ClassifiedFile],
    driver_of: DriverOf,
    tier_of: TierOf,
    hours_of: Callable[[ClassifiedFile, str], tuple[float, float, float]],
) -> tuple[UseRow, ...]:
    """Every use that a tool renames or leaves, for ``--all-uses``.

    ``hours_of`` prices one active use of a driver in a file.
    """
    fingerprints = Fingerprints()
    rows = []
    for file in files:
        table = file.facts.uses
        for row, answer in enumerate(file.answers):
            if not answer.verdict.mechanical:
                continue
            function = file.function(row).name
            state = file.state(row)
            driver = driver_of(answer, file.function(row).side)
            rows.append(
                UseRow(
                    path=file.facts.path,
                    line=table.line[row],
                    end_line=table.end_line[row],
                    column=table.column[row],
                    symbol=answer.name,
                    function=function,
                    verdict=answer.verdict,
                    hip=answer.hip,
                    library=answer.library,
                    tier=tier_of(answer, driver),
                    driver=driver,
                    hours=hours_of(file, driver) if state is State.ACTIVE else (0.0, 0.0, 0.0),
                    state=state,
                    seen_by=SEEN_BY[table.seen_by[row]],
                    fingerprint=fingerprints.of(
                        RULE_USE, answer.name, function, table.line_hash[row]
                    ),
                    condition=condition_at(file.facts, table.line[row]),
                )
            )
    return tuple(rows)
