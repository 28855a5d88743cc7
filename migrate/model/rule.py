"""A hazard rule as plain data, and the places at which one holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, SeenBy, Severity, State, Tier, Verdict


class Family(StrEnum):
    """What a rule is about; the chapters of the rules' documentation."""

    WAVEFRONT = "Wavefront width"
    LANES = "Lane masks and warp builtins"
    PTX = "Inline PTX"
    MATRIX = "Matrix cores"
    MEMORY = "Memory model and asynchronous copies"
    ATOMICS = "Atomics"
    SHARED = "Shared memory and launches"
    TYPES = "Types and arithmetic"
    GUARDS = "Guards and capability checks"
    RUNTIME = "The runtime's meaning"
    COMPILER = "Compiler and headers"
    FEATURES = "Features"
    BUILD = "Build systems"
    OPTIONS = "Compiler options"
    PYTHON = "Python"
    CONTAINERS = "Containers and clusters of them"
    CLUSTER = "Jobs, scripts and CI"
    COMMUNICATION = "Communication"
    SETTINGS = "Settings without effect"
    SUPPORT = "Supported systems"
    COMPONENTS = "Libraries, frameworks and tools"
    LANGUAGES = "Other languages"
    OPPORTUNITIES = "Opportunities"
    OWN = "Own rules"
    """Those that a user wrote."""


class Driver(StrEnum):
    """The driver in mappings/effort.toml that prices a rule's sites."""

    SEMANTIC_SITE = "semantic_site"
    WARP_SITE = "warp_site"
    PTX_BLOCK = "ptx_block"
    TEXTURE_SITE = "texture_site"
    COOPERATIVE_GROUPS_SITE = "cooperative_groups_site"
    MATRIX_KERNEL = "matrix_kernel"
    HAZARD_KIND = "hazard_kind"
    BUILD_SYSTEM = "build_system"
    """Its hours are shared by all findings on one build system."""
    DROP_IN_LIBRARY = "drop_in_library"
    PARTIAL_LIBRARY = "partial_library"
    NO_COUNTERPART = "no_counterpart"
    PROFILER = "profiler"
    COMMUNICATION = "communication"
    ECOSYSTEM_FIXED = "ecosystem_fixed"
    """Machine, container, CI: within the fixed price, so that a finding has no hours of its own."""
    OF_NAME = "of-name"
    """That of the CUDA name at the place, as without the rule."""
    NONE = ""
    """No effort of its own: an information."""


class HazardKind(StrEnum):
    """What a team has to learn once to deal with a rule's sites (``Driver.HAZARD_KIND``)."""

    WARP_WIDTH = "warp-width"
    PTX = "ptx"
    TEXTURE = "texture"
    COOPERATIVE_GROUPS = "cooperative-groups"
    MATRIX_CORES = "matrix-cores"
    LAUNCH_BOUNDS_OR_LDS = "launch-bounds-or-lds"
    OTHER = "other"


class Trait(StrEnum):
    """What a GPU has to be like for a rule to hold on it (knowledge/traits.py)."""

    WAVE64 = "64 lanes a wavefront"
    WAVE32 = "32 lanes a wavefront"
    LDS_64_KIB = "64 KiB of LDS a workgroup"
    IMAGES = "image instructions"
    NO_IMAGES = "no image instructions"
    NO_MATRIX_CORES = "no matrix cores"
    MFMA = "MFMA matrix cores"
    WMMA = "WMMA matrix cores"
    FP8_FNUZ = "FP8 in the fnuz format"
    NO_OCP_FP8 = "no OCP FP8"
    RDNA3 = "an RDNA 3 GPU"
    FLUSHES_HALF_PRODUCTS = "matrix cores that flush half subnormals"
    NO_NATIVE_FP64_ATOMICS = "no hardware atomics on double"
    LDS_BELOW_HOPPER = "less LDS a workgroup than the 227 KiB of an H100"
    NO_CLUSTERS = "no thread block clusters"
    UNSAFE_FLOAT_ATOMICS = "float atomics that fine-grained memory loses"


@dataclass(frozen=True, slots=True, kw_only=True)
class Holds:
    """The targets on which a rule's hazard exists.

    ``since`` is the first release that has it, ``until`` the first that has it no more; None for no
    limit. It holds on a GPU with any of the ``traits``, on every GPU where there are none.
    """

    since: RocmRelease | None = None
    until: RocmRelease | None = None
    traits: tuple[Trait, ...] = ()

    def in_release(self, rocm: RocmRelease) -> bool:
        """Whether the hazard exists in a release."""
        if self.since is not None and not rocm.has(self.since):
            return False
        return self.until is None or not rocm.has(self.until)


@dataclass(frozen=True, slots=True)
class RuleEvidence:
    """Where a rule's facts stand, and the release that the source speaks of."""

    title: str
    url: str
    """A URL, or ``owner/repository:path`` on GitHub."""
    rocm: RocmRelease | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """Code before and after: a rule finds something in ``cuda`` and nothing in ``hip``.

    Both are whole for a reader of C++: statements stand in a function. ``hip`` is "" where the way
    out is no code (leaving a feature out, another build). ``name`` is the file's, where its kind
    matters.
    """

    cuda: str
    hip: str
    name: str = "code.cu"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A place at which a rule holds.

    ``row`` is the row of the file's use table that it explains, -1 for none; ``also`` are more rows
    that the same place explains. What is None is the rule's own. ``detail`` is a sentence on this
    very place, or "".
    """

    line: int
    end_line: int
    column: int
    symbol: str
    function: str
    state: State
    line_hash: int
    seen_by: SeenBy
    row: int = -1
    also: tuple[int, ...] = ()
    detail: str = ""
    fix: str = ""
    verdict: Verdict | None = None
    severity: Severity | None = None
    confidence: Confidence | None = None
    archs: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One hazard: how to find it, why it is one, what to do, and what it costs.

    Everything that is said of a rule anywhere comes from here: ``hipassess explain``, its page in
    the documentation, the report's text, the effort, the tests.
    """

    id: str
    """Never used again once given: ``HA-K012``."""
    slug: str
    """Names the pattern found, not its cure."""
    title: str
    """Names the pattern in a few words, without a full stop."""
    family: Family
    tier: Tier
    why: str
    """What goes wrong on the target, in whole sentences."""
    fix: str
    """What to do about it, in whole sentences."""
    evidence: tuple[RuleEvidence, ...]
    example: Example
    driver: Driver
    check: Callable[[Any], Iterable[Hit]]
    """Takes a ``migrate.rules.code.Code`` and yields the places in that file."""
    kind: HazardKind = HazardKind.OTHER
    holds: Holds = Holds()
    verdict: Verdict = Verdict.CHANGED
    """The least verdict of a place; the table's is kept where it is worse."""
    severity: Severity = Severity.MAJOR
    confidence: Confidence = Confidence.LIKELY
    by_symbol: bool = False
    """Whether each symbol in a function is a problem of its own, not all together one."""
    in_hip_code: bool = False
    """Whether it also holds in code that only HIP builds compile."""
    of_includes: bool = False
    """Whether it may have hits in a file that has nothing but includes for rules to ask."""
    per_file: bool = False
    """Whether all its places in a file are one problem, whatever their functions."""
    per_tree: bool = False
    """Whether all its places in the tree are one problem: a variable that fifty scripts set. For
    rules that ask signals."""

    @property
    def is_opportunity(self) -> bool:
        """Whether it only tells what the target offers: no work, and no worse verdict."""
        return self.severity is Severity.INFO


@dataclass(frozen=True, slots=True)
class RuleHit:
    """A hit with its rule and its file."""

    rule: Rule
    path: str
    hit: Hit


@dataclass(frozen=True, slots=True)
class FailedRule:
    """A rule that raised an exception on a file: the run is incomplete."""

    rule: str
    path: str
    error: str


@dataclass(frozen=True, slots=True)
class RuleRun:
    """What the rules found in all files, in order of path and place, and which of them failed."""

    hits: tuple[RuleHit, ...] = ()
    failed: tuple[FailedRule, ...] = ()
