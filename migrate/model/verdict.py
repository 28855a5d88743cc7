"""The words of the contract: verdicts, states, flags, severity, confidence, tiers."""

from __future__ import annotations

from enum import Enum, StrEnum


class Verdict(StrEnum):
    """What becomes of a use on a target, best first; the order is the contract's "worst"."""

    SAME = "same"
    RENAMED = "renamed"
    CHANGED = "changed"
    REPLACED = "replaced"
    LATER = "later"
    MISSING = "missing"
    UNKNOWN = "unknown"

    @property
    def rank(self) -> int:
        """Place in the order from best (0) to worst."""
        return _RANK[self]

    @property
    def cuda_only(self) -> bool:
        """Whether a use with this verdict counts in the CUDA-only share."""
        return self.rank >= _RANK[Verdict.LATER]

    @property
    def mechanical(self) -> bool:
        """Whether a tool does the edit and nobody has to look."""
        return self.rank <= _RANK[Verdict.RENAMED]


_RANK = {verdict: rank for rank, verdict in enumerate(Verdict)}


class State(StrEnum):
    """Whether a use is still to be ported (contract, "State of a use")."""

    ACTIVE = "active"
    PORTED = "ported"
    HIP = "hip"
    VENDORED = "vendored"


class Flag(StrEnum):
    """What else is known of a mapping."""

    DEPRECATED = "deprecated"
    EXPERIMENTAL = "experimental"
    REMOVED_IN_CUDA = "removed_in_cuda"
    UNCONFIRMED = "unconfirmed"


class Severity(StrEnum):
    """How much a finding matters, least first."""

    INFO = "info"
    MINOR = "minor"
    MAJOR = "major"
    BLOCKER = "blocker"


class Confidence(StrEnum):
    """How sure a finding is, surest first."""

    CERTAIN = "certain"
    LIKELY = "likely"
    POSSIBLE = "possible"


class Tier(StrEnum):
    """Where work falls (contract, "Tiers")."""

    INTERFACE = "interface"
    KERNEL = "kernel"
    ECOSYSTEM = "ecosystem"


class SeenBy(StrEnum):
    """Which reader established a use's place, strongest first."""

    CLANG = "clang"
    TREE = "tree-sitter"
    TEXT = "text"


class Side(Enum):
    """Where code runs; ``BOTH`` is ``__host__ __device__``."""

    UNKNOWN = 0
    HOST = 1
    DEVICE = 2
    BOTH = 3
