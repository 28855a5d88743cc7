"""The whole result of a scan: what every report and gate reads."""

from __future__ import annotations

from dataclasses import dataclass, field

from migrate.model.effort import Effort
from migrate.model.finding import Finding
from migrate.model.kernel import KernelRow
from migrate.model.rule import Rule
from migrate.model.semantic import Program, SemanticRun
from migrate.model.source import Language, Skipped
from migrate.model.target import Target
from migrate.model.verdict import Flag, SeenBy, State, Tier, Verdict


@dataclass(frozen=True, slots=True)
class Shares:
    """CUDA-only shares of the active uses as fractions; 0.0 where there is no use."""

    by_use: float
    by_name: float
    by_line: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiRow:
    """A CUDA name with one verdict and state: how often, where."""

    name: str
    library: str
    verdict: Verdict
    hip: str
    state: State
    uses: int
    files: int
    flags: tuple[Flag, ...] = ()
    since: str = ""
    better: str = ""
    note: str = ""
    evidence: tuple[str, ...] = ()
    places: tuple[tuple[str, int], ...] = ()
    """The first places as (path, line), for the report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRow:
    """One source file: its size, its uses by verdict (active ones) and by state, its effort."""

    path: str
    language: Language
    lines: int
    code_lines: int
    uses: int
    verdicts: dict[Verdict, int]
    states: dict[State, int]
    kernels: int = 0
    findings: int = 0
    hours: float = 0.0
    """Most likely hours of this file's own findings and mechanical uses, after damping."""
    error_nodes: int = -1
    utf8: bool = True
    vendored: bool = False

    @property
    def cuda_only(self) -> int:
        """Active uses without an equivalent on the target."""
        return sum(count for verdict, count in self.verdicts.items() if verdict.cuda_only)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRow:
    """A directory or a library: the sums of its files or names (active uses)."""

    name: str
    title: str
    files: int
    uses: int
    verdicts: dict[Verdict, int]
    hours: float = 0.0
    lines: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class UseRow:
    """One mechanical use, listed only with ``--all-uses``."""

    path: str
    line: int
    end_line: int
    column: int
    symbol: str
    function: str
    verdict: Verdict
    hip: str
    library: str
    tier: Tier
    driver: str
    """The effort driver that counts it, "" for none."""
    hours: tuple[float, float, float]
    """Its share of that driver: optimistic, most likely, pessimistic."""
    state: State
    seen_by: SeenBy
    fingerprint: str
    condition: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """A library or tool of the CUDA world that the code base uses (contract, "components").

    ``names`` counts the distinct names in its active uses, ``cuda_only`` those of them that the
    target lacks. ``needed`` is the strongest use in code that is still to be ported, tests left
    out, "" for none. ``since`` is the first ROCm release with the counterpart, where known.
    """

    key: str
    name: str
    kind: str
    verdict: Verdict
    rocm: str
    use: str
    state: State
    uses: int
    where: tuple[tuple[str, int], ...]
    names: int = 0
    cuda_only: int = 0
    since: str = ""
    note: str = ""
    evidence: tuple[str, ...] = ()
    needed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompatibilityLayer:
    """A file of the project that gives CUDA's names names of its own.

    ``ported`` of its ``names`` are mapped for HIP already. ``expansions`` counts the places that
    use its macros and functions, None where the compiler has not read the file.
    """

    path: str
    names: int
    ported: int = 0
    expansions: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpriced:
    """GPU code that no figure holds: what is read, named by findings, and has no price."""

    fortran_files: int = 0
    """Files of CUDA Fortran, and of Fortran that calls CUDA."""
    fortran_kernels: int = 0
    """Their kernels, loops under ``!$cuf`` included."""
    fortran_bytes: int = 0
    openacc_files: int = 0
    binding_files: int = 0
    """Manifests and code of other languages that take CUDA from a binding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """What the tree says of its build, tests and CI (contract, "project")."""

    build: tuple[str, ...] = ()
    cuda_optional: bool = False
    cuda_archs: tuple[str, ...] = ()
    hip_support: str = "none"
    hip_where: tuple[str, ...] = ()
    hip_files: int = 0
    """Files with CUDA uses that the project's HIP build compiles already."""
    test_frameworks: tuple[str, ...] = ()
    test_files: int = 0
    ci_systems: tuple[str, ...] = ()
    ci_gpu: bool = False
    ci_rocm: bool = False
    packages: int = 0
    """Files that publish a package or an image."""
    wrappers: tuple[CompatibilityLayer, ...] = ()
    unpriced: Unpriced = Unpriced()


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """Source lines around a place for the report: the number of the first line, and the lines."""

    path: str
    first_line: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The totals; ``verdicts`` counts active uses, ``states`` all uses."""

    files: int
    lines: int
    cuda_lines: int
    """Lines of the files with at least one use or kernel."""
    uses: int
    distinct_names: int
    kernels: int
    launches: int
    states: dict[State, int]
    verdicts: dict[Verdict, int]
    shares: Shares
    effort: Effort
    older_names: int = 0
    """Of ``distinct_names``: known from before the target's release alone, by no symbol of it."""
    unconfirmed_names: int = 0
    """Of ``distinct_names``: those flagged ``unconfirmed``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """One scan on one target; every table is sorted, every path relative to the root."""

    version: str
    tables_as_of: str
    root_name: str
    """The scanned folder's own name, for titles only."""
    target: Target
    cuda_source: str
    """How the CUDA version was settled: "option", "tree: Dockerfile:1", "default"."""
    complete: bool
    incomplete_reason: str
    commit: str
    dirty: bool | None
    settings: dict[str, str | int | float | bool | list[str]]
    skipped: tuple[Skipped, ...]
    summary: Summary
    apis: tuple[ApiRow, ...]
    findings: tuple[Finding, ...]
    files: tuple[FileRow, ...]
    directories: tuple[GroupRow, ...]
    libraries: tuple[GroupRow, ...]
    components: tuple[Component, ...]
    project: Project
    semantic: SemanticRun = field(default_factory=SemanticRun)
    program: Program = field(default_factory=Program)
    kernels: tuple[KernelRow, ...] = ()
    rules: tuple[Rule, ...] = ()
    """The rules that have findings here, in order of id."""
    uses: tuple[UseRow, ...] = ()
    excerpts: dict[tuple[str, int], Excerpt] = field(default_factory=dict)
    """By (path, line) of a finding's first site; filled only for formats that show code."""
