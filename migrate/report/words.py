"""The contract's words as a reader meets them: one home for the text that every report shows."""

from __future__ import annotations

from types import MappingProxyType

from migrate.model.effort import Scope, Strategy, Team
from migrate.model.verdict import Confidence, Flag, Severity, State, Tier, Verdict

RULE_TITLES = MappingProxyType(
    {
        "HA-API": "A name that does not map mechanically",
        "HA-ASM": "Inline assembly for NVIDIA GPUs",
        "HA-LAUNCH": "A kernel launch that HIP does not have",
        "HA-USE": "A mechanical use, listed with --all-uses",
    }
)
"""What the findings about names have in common, by their rule."""

IN_SHORT = MappingProxyType(
    {
        Verdict.SAME: "keeps its name",
        Verdict.RENAMED: "a tool renames it",
        Verdict.CHANGED: "someone must look",
        Verdict.REPLACED: "rewrite on a ROCm API",
        Verdict.LATER: "a later ROCm has it",
        Verdict.MISSING: "no equivalent",
        Verdict.UNKNOWN: "no table knows it",
    }
)
"""A verdict in four words, for tables."""

MEANING = MappingProxyType(
    {
        Verdict.SAME: "HIP or ROCm has the same name with the same meaning. Nothing to do.",
        Verdict.RENAMED: "A mechanical rename with the same meaning. A tool does the edit.",
        Verdict.CHANGED: "It maps, but meaning, limits or signature differ on this target. "
        "Someone has to look at each place.",
        Verdict.REPLACED: "Another API of ROCm does the job. The call sites are rewritten.",
        Verdict.LATER: "HIP has it only from a later ROCm release than the target. CUDA-only.",
        Verdict.MISSING: "There is no equivalent on the target. CUDA-only.",
        Verdict.UNKNOWN: "It looks like a CUDA name, and no table knows it. CUDA-only until shown "
        "otherwise.",
    }
)
"""What a verdict says, for the legend."""

STATE_WORDS = MappingProxyType(
    {
        State.ACTIVE: "active",
        State.PORTED: "already ported",
        State.HIP: "in HIP code",
        State.VENDORED: "in third-party code",
    }
)
"""A state in the words of a count."""

STATE_MEANING = MappingProxyType(
    {
        State.ACTIVE: "Still to be ported. Shares and effort count these only.",
        State.PORTED: "In a branch that only CUDA builds, beside a branch for HIP. Done already.",
        State.HIP: "In a branch that only HIP builds. What is wrong there on the target is still "
        "listed.",
        State.VENDORED: "In third-party code kept in the tree. Often solved by the third party's "
        "own port.",
    }
)
"""What a state says, for the legend."""

TIER_MEANING = MappingProxyType(
    {
        Tier.INTERFACE: "API calls, types, error codes, launches, headers",
        Tier.KERNEL: "warps and wavefronts, shared memory, PTX, matrix cores, tuning",
        Tier.ECOSYSTEM: "libraries, communication, profilers, build, containers, tests, CI",
    }
)
"""What falls into a tier."""

SCOPE_WORDS = MappingProxyType(
    {
        Scope.FIRST_RUN: "until it builds and one case runs",
        Scope.TESTS_PASS: "until the project's tests pass",
        Scope.PRODUCTION: "until it runs in production, tuned",
    }
)
"""How far an estimate goes."""

STRATEGY_WORDS = MappingProxyType(
    {
        Strategy.SHIM: "a shim header maps the names",
        Strategy.HIPIFY: "the source is turned into HIP in place",
        Strategy.COPY: "a second, copied backend",
        Strategy.LAYER: "a portability layer over both",
    }
)
"""How the port is made."""

TEAM_WORDS = MappingProxyType(
    {
        Team.NEW: "team new to ROCm",
        Team.GPU: "experienced GPU developers",
        Team.ROCM: "ROCm experts",
        Team.AGENT: "an expert with a coding agent",
    }
)
"""Who does the work."""

_SHOWN_NAMES = MappingProxyType({"<<<>>>": "kernel launch <<<>>>"})


def shown_name(name: str) -> str:
    """Write a CUDA name as a reader meets it: what has no name of its own gets words."""
    return _SHOWN_NAMES.get(name, name)


FILE_HOURS = "fixed costs, libraries, tests and tuning belong to no file"
"""What a table of files does not hold."""

FLAG_WORDS = MappingProxyType(
    {
        Flag.DEPRECATED: "deprecated in HIP",
        Flag.EXPERIMENTAL: "experimental in HIP",
        Flag.REMOVED_IN_CUDA: "removed from newer CUDA",
        Flag.UNCONFIRMED: "not confirmed for this release",
    }
)
"""What else is known of a mapping."""

SEVERITY_MEANING = MappingProxyType(
    {
        Severity.BLOCKER: "Nothing runs here until it is solved.",
        Severity.MAJOR: "Wrong results, a crash or a rewrite.",
        Severity.MINOR: "A small edit, or a look.",
        Severity.INFO: "Good to know; no effort.",
    }
)
"""How much a finding matters."""

CONFIDENCE_MEANING = MappingProxyType(
    {
        Confidence.CERTAIN: "The tables and the code leave no doubt.",
        Confidence.LIKELY: "Very probably so; the code could still avoid it.",
        Confidence.POSSIBLE: "Worth a look; the tables or the code do not settle it.",
    }
)
"""How sure a finding is."""
