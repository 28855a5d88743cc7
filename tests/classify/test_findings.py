"""A finding is one name in one function of one file, worded for the reader who has to act."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from migrate.classify.findings import Fingerprints, mechanical_rows, name_findings
from migrate.classify.uses import ClassifiedFile
from migrate.knowledge.limits import limit_on
from migrate.model.finding import Finding
from migrate.model.resolution import Resolution
from migrate.model.target import RocmRelease, Target
from migrate.model.verdict import Confidence, Flag, SeenBy, Severity, Side, State, Tier, Verdict
from tests.classify.samples import TARGET, At, answer, classified, facts_of, function

TWO_FUNCTIONS = (function("first", 1, 20), function("second", 30, 40, kernel=True))
GONE = answer("cudaGone", Verdict.MISSING)


def findings_of(
    files: Sequence[ClassifiedFile], target: Target = TARGET, driver: str = "missing_api"
) -> tuple[Finding, ...]:
    def driver_of(_answer: Resolution, side: Side) -> str:
        return driver if side is not Side.DEVICE else "hazard_kind"

    def tier_of(_answer: Resolution, found: str) -> Tier:
        return Tier.KERNEL if found == "hazard_kind" else Tier.INTERFACE

    return name_findings(files, target, driver_of, tier_of)


def one(given: Resolution, target: Target = TARGET) -> Finding:
    facts = facts_of("a.cu", [At(symbol=given.name, line=3)])
    (finding,) = findings_of([classified(facts, {given.name: given})], target)
    return finding


def test_sites_of_a_name_in_a_function_are_one_finding() -> None:
    uses = [
        At(symbol="cudaGone", line=3, function=1),
        At(symbol="cudaGone", line=9, function=1),
        At(symbol="cudaGone", line=33, function=2),
        At(symbol="cudaGone", line=50),
    ]
    files = [classified(facts_of("a.cu", uses, TWO_FUNCTIONS), {"cudaGone": GONE})]
    found = findings_of(files)
    assert [(row.function, [site.line for site in row.sites]) for row in found] == [
        ("first", [3, 9]),
        ("second", [33]),
        ("", [50]),
    ]
    assert [row.driver for row in found] == ["missing_api", "hazard_kind", "missing_api"]
    assert [row.tier for row in found] == [Tier.INTERFACE, Tier.KERNEL, Tier.INTERFACE]
    assert len({row.id for row in found}) == 3


@pytest.mark.parametrize("apart", ["file", "state", "name"])
def test_what_differs_in_file_state_or_name_is_a_finding_of_its_own(apart: str) -> None:
    first = At(symbol="cudaGone", line=3)
    second = At(
        symbol="cudaLost" if apart == "name" else "cudaGone",
        line=4,
        state=State.PORTED if apart == "state" else State.ACTIVE,
    )
    answers = {"cudaGone": GONE, "cudaLost": answer("cudaLost", Verdict.MISSING)}
    if apart == "file":
        files = [
            classified(facts_of("a.cu", [first]), answers),
            classified(facts_of("b.cu", [second]), answers),
        ]
    else:
        files = [classified(facts_of("a.cu", [first, second]), answers)]
    assert [len(row.sites) for row in findings_of(files)] == [1, 1]


def test_the_weakest_reader_of_its_sites_speaks_for_a_finding() -> None:
    uses = [
        At(symbol="cudaGone", line=3, seen_by=SeenBy.TREE),
        At(symbol="cudaGone", line=4, seen_by=SeenBy.TEXT),
    ]
    (finding,) = findings_of([classified(facts_of("a.cu", uses), {"cudaGone": GONE})])
    assert finding.seen_by is SeenBy.TEXT


def test_mechanical_names_are_rows_and_no_findings() -> None:
    uses = [At(symbol="cudaFree", line=3, function=1), At(symbol="cudaGone", line=4)]
    renamed = answer("cudaFree", Verdict.RENAMED, hip="hipFree")
    files = [
        classified(facts_of("a.cu", uses, TWO_FUNCTIONS), {"cudaGone": GONE, "cudaFree": renamed})
    ]
    assert [row.symbol for row in findings_of(files)] == ["cudaGone"]
    (row,) = mechanical_rows(
        files,
        lambda *_: "direct_reference",
        lambda *_: Tier.INTERFACE,
        lambda *_: (0.1, 0.2, 0.3),
    )
    assert (row.symbol, row.hip, row.function, row.line) == ("cudaFree", "hipFree", "first", 3)
    assert (row.driver, row.hours) == ("direct_reference", (0.1, 0.2, 0.3))


@pytest.mark.parametrize(
    ("given", "severity"),
    [
        (answer("x", Verdict.CHANGED, hip="y"), Severity.MINOR),
        (answer("x", Verdict.UNKNOWN), Severity.MINOR),
        (answer("x", Verdict.MISSING, confidence=Confidence.POSSIBLE), Severity.MINOR),
        (answer("x", Verdict.MISSING), Severity.MAJOR),
        (answer("x", Verdict.REPLACED), Severity.MAJOR),
        (answer("x", Verdict.LATER, since=RocmRelease(10, 0)), Severity.MAJOR),
    ],
)
def test_severity_follows_the_verdict_and_how_sure_it_is(
    given: Resolution, severity: Severity
) -> None:
    assert one(given).severity is severity


@pytest.mark.parametrize(
    ("given", "message", "fix"),
    [
        (
            answer("cudaA", Verdict.CHANGED, hip="hipA", note="Look."),
            "cudaA maps to hipA, with a difference on ROCm 7.2. Look.",
            "Use hipA and check the difference at each site.",
        ),
        (
            answer("warpSize", Verdict.CHANGED, hip="warpSize"),
            "warpSize keeps its name and means something else on ROCm 7.2.",
            "Keep the name and check the difference at each site.",
        ),
        (answer("__CUDA_ARCH__", Verdict.CHANGED), "__CUDA_ARCH__ means something else on", ""),
        (
            answer("cudnnA", Verdict.REPLACED, hip="miopenA"),
            "cudnnA has no HIP twin; miopenA does the job.",
            "Rewrite with miopenA.",
        ),
        (
            answer("cudnnA", Verdict.REPLACED),
            "cudnnA has no HIP twin; another ROCm library does the job.",
            "",
        ),
        (
            answer("cudaA", Verdict.LATER, since=RocmRelease(7, 12), better=RocmRelease(10, 0)),
            "cudaA comes with ROCm 10.0, after ROCm 7.2.",
            "Target ROCm 10.0, or work around it until then.",
        ),
        (
            answer("cudaA", Verdict.LATER, since=RocmRelease(10, 1)),
            "cudaA comes with ROCm 10.1, after ROCm 7.2.",
            "Target ROCm 10.1, or work around it until then.",
        ),
        (
            answer("cudaA", Verdict.MISSING),
            "cudaA has no equivalent on ROCm 7.2.",
            "Leave the feature out on AMD GPUs, or write it with other means.",
        ),
        (answer("cudaA", Verdict.MISSING, note="Delete the call."), "Delete the call.", ""),
        (
            answer("cudaA", Verdict.MISSING, flags=(Flag.UNCONFIRMED,)),
            "no equivalent on ROCm 7.2. The sources for this are older than ROCm 7.2: check before",
            "Leave the feature out on AMD GPUs, or write it with other means.",
        ),
        (
            answer("cudaMaloc", Verdict.UNKNOWN, near=("cudaMalloc", "cudaMallocs")),
            "cudaMaloc looks like a CUDA name, and no table knows it.",
            "Close known names: cudaMalloc, cudaMallocs.",
        ),
        (answer("cudaMine", Verdict.UNKNOWN), "cudaMine looks like a CUDA name", ""),
        (
            answer("asm:ld.global.nc", Verdict.MISSING, kind="asm", library="device"),
            "Inline PTX: ld.global.nc.",
            "Write it as C++, a HIP intrinsic or a builtin of the compiler.",
        ),
        (
            answer("<<<>>>", Verdict.MISSING, kind="launch", library="device"),
            "A kernel is launched from device code (dynamic parallelism).",
            "Launch the inner kernel from the host, or do its work in the outer one.",
        ),
    ],
    ids=lambda value: f"{value.name} {value.verdict}" if isinstance(value, Resolution) else "",
)
def test_the_message_says_what_is_wrong_and_the_fix_what_to_do(
    given: Resolution, message: str, fix: str
) -> None:
    finding = one(given)
    assert message in finding.message
    assert finding.fix == fix


def test_the_rule_tells_ptx_and_launches_from_names() -> None:
    assert one(GONE).rule == "HA-API"
    assert one(answer("asm:bar.sync", Verdict.MISSING, kind="asm")).rule == "HA-ASM"
    assert one(answer("<<<>>>", Verdict.MISSING, kind="launch")).rule == "HA-LAUNCH"


def test_archs_are_those_whose_lack_made_the_verdict() -> None:
    both = Target(RocmRelease(7, 2), ("gfx942", "gfx1100"))
    limit = limit_on("tex2D", both.archs)
    assert limit is not None
    limited = answer("tex2D", Verdict.MISSING, note=limit.note)
    assert one(limited, both).archs == ("gfx942",)
    everywhere = answer("tex2D", Verdict.MISSING, note="No release has it.")
    assert one(everywhere, both).archs == both.archs
    assert one(GONE, both).archs == both.archs


def test_fingerprints_number_equal_sites_and_only_those() -> None:
    fingerprints = Fingerprints()
    first = fingerprints.of("HA-API", "cudaGone", "f", 7)
    second = fingerprints.of("HA-API", "cudaGone", "f", 7)
    assert first != second
    again = Fingerprints()
    assert again.of("HA-API", "cudaGone", "g", 7) not in {first, second}
    assert again.of("HA-API", "cudaGone", "f", 7) == first
