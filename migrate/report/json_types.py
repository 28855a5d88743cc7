"""The shape of the JSON document, key by key in the order it is written (contract, "JSON")."""

from __future__ import annotations

from typing import TypedDict

Setting = str | int | float | bool | list[str]
"""A value of ``run.settings``."""


class ToolJson(TypedDict):
    """What made the document."""

    name: str
    version: str
    libclang: str | None


class TargetJson(TypedDict):
    """What the code shall run on."""

    rocm: str
    archs: list[str]
    cuda: str | None


class SourceJson(TypedDict):
    """Which state of the code was read; null where the tree is no git checkout."""

    commit: str | None
    dirty: bool | None


class FailedUnitJson(TypedDict):
    """A translation unit that gave no answers."""

    path: str
    reason: str


class AgreementJson(TypedDict):
    """How the compiler's answers agree with what text and trees say, in places."""

    agreed: int
    own: int
    found: int
    other_name: int
    arguments: int
    unseen: int


class SemanticJson(TypedDict):
    """How far a compiler's view was used."""

    mode: str
    units: int
    parsed: int
    with_errors: int
    idle: str | None
    toolkit: str | None
    known_arguments: int
    beyond_budget: int
    uncovered_files: int
    failed: list[FailedUnitJson]
    missing_headers: dict[str, int]
    refused_flags: list[str]
    left_out_commands: dict[str, int]
    agreement: AgreementJson


class SkippedJson(TypedDict):
    """What was not read; ``candidate`` where it could have held CUDA."""

    path: str
    reason: str
    candidate: bool
    size: int


class RunJson(TypedDict):
    """The circumstances of the result."""

    root: str
    target: TargetJson
    complete: bool
    source: SourceJson
    settings: dict[str, Setting]
    semantic: SemanticJson
    skipped: list[SkippedJson]
    incomplete_reason: str | None
    cuda_source: str
    tables_as_of: str


class RangeJson(TypedDict):
    """Person-weeks."""

    p10: float
    p50: float
    p90: float


class EffortJson(TypedDict):
    """The estimate of one scope, strategy and team."""

    unit: str
    scope: str
    strategy: str
    team: str
    interface: RangeJson
    kernel: RangeJson
    ecosystem: RangeJson
    total: RangeJson
    first_run: RangeJson


class SharesJson(TypedDict):
    """CUDA-only shares as fractions."""

    by_use: float
    by_name: float
    by_line: float


class SummaryJson(TypedDict):
    """The totals."""

    files: int
    lines: int
    uses: int
    distinct_names: int
    states: dict[str, int]
    verdicts: dict[str, int]
    cuda_only_share: SharesJson
    effort: EffortJson
    cuda_lines: int
    kernels: int
    launches: int
    older_names: int
    unconfirmed_names: int


class DriverJson(TypedDict):
    """A driver of effort; hours before the factors of scope, strategy and team."""

    id: str
    tier: str
    n: float
    n_effective: float
    hours: list[float]
    title: str


class ApiJson(TypedDict):
    """A CUDA name with one verdict and state."""

    name: str
    library: str
    verdict: str
    hip: str | None
    uses: int
    files: int
    state: str
    flags: list[str]
    since: str | None
    better: str | None
    note: str
    evidence: list[str]


class PlaceJson(TypedDict):
    """A path and a line."""

    path: str
    line: int


class SiteJson(TypedDict):
    """One place of a finding; ``condition`` is the preprocessor's around it, if there is one."""

    path: str
    line: int
    end_line: int
    column: int
    fingerprint: str
    condition: str | None


class HoursJson(TypedDict):
    """Optimistic, most likely and pessimistic hours."""

    hours: list[float]


class FindingJson(TypedDict):
    """A problem that needs a person, or with ``--all-uses`` a mechanical name in one function."""

    id: str
    rule: str
    tier: str
    verdict: str
    severity: str
    confidence: str
    state: str
    archs: list[str]
    path: str
    line: int
    end_line: int
    column: int
    sites: list[SiteJson]
    symbol: str
    function: str
    message: str
    fix: str
    driver: str | None
    effort: HoursJson
    seen_by: str
    hip: str | None


class ComponentJson(TypedDict):
    """A library or tool of the CUDA world."""

    key: str
    name: str
    kind: str
    verdict: str
    rocm: str | None
    since: str | None
    use: str
    state: str
    uses: int
    names: int
    cuda_only: int
    note: str
    evidence: list[str]
    where: list[PlaceJson]


class TestsJson(TypedDict):
    """The project's own tests."""

    frameworks: list[str]
    files: int


class CiJson(TypedDict):
    """The project's continuous integration."""

    systems: list[str]
    gpu: bool
    rocm: bool


class WrapperJson(TypedDict):
    """A file that gives CUDA's names names of its own; ``expansions`` null where nobody counted."""

    path: str
    names: int
    ported: int
    expansions: int | None


class UnpricedJson(TypedDict):
    """GPU code that is read and in no figure."""

    cuda_fortran_files: int
    cuda_fortran_kernels: int
    openacc_files: int
    binding_files: int


class ProjectJson(TypedDict):
    """What the tree says of its build, tests and CI."""

    build: list[str]
    cuda_optional: bool
    cuda_archs: list[str]
    hip_support: str
    hip_where: list[str]
    hip_files: int
    tests: TestsJson
    ci: CiJson
    packages: int
    wrappers: list[WrapperJson]
    unpriced: UnpricedJson


class FileEffortJson(TypedDict):
    """A file's own work: person-weeks and the same in hours."""

    p50: float
    hours: float


class FileJson(TypedDict):
    """A source file; ``error_nodes`` is null where no syntax tree was needed.

    ``utf8`` is false where its bytes are no UTF-8 text; each is read as a character then.
    """

    path: str
    language: str
    lines: int
    uses: int
    effort: FileEffortJson
    code_lines: int
    verdicts: dict[str, int]
    states: dict[str, int]
    kernels: int
    findings: int
    vendored: bool
    error_nodes: int | None
    utf8: bool


class GroupJson(TypedDict):
    """A library's or a directory's sums over active uses."""

    name: str
    title: str
    files: int
    lines: int
    uses: int
    verdicts: dict[str, int]
    hours: float


class KernelSizeJson(TypedDict):
    """An instantiation of a kernel; its static shared memory is null where it is not known."""

    arguments: str
    static_shared_bytes: int | None


class LaunchedFromJson(TypedDict):
    """A place where a kernel is launched."""

    function: str
    path: str
    line: int


class KernelJson(TypedDict):
    """A kernel that is still to be ported."""

    name: str
    path: str
    line: int
    attributes: list[str]
    launch_bounds: list[int | None]
    dynamic_shared: bool
    instances: list[KernelSizeJson]
    launched_from: list[LaunchedFromJson]
    seen_by: str


class RuleEvidenceJson(TypedDict):
    """Where a rule's facts stand; ``rocm`` is the release that the source speaks of."""

    title: str
    url: str
    rocm: str | None


class HoldsJson(TypedDict):
    """Where a rule holds: from one release and before another, on GPUs with one of the traits."""

    since: str | None
    until: str | None
    traits: list[str]
    archs: list[str]


class RuleJson(TypedDict):
    """A rule that has findings in the result."""

    id: str
    slug: str
    title: str
    family: str
    tier: str
    why: str
    fix: str
    severity: str
    evidence: list[RuleEvidenceJson]
    holds: HoldsJson


class ResultJson(TypedDict):
    """The whole document."""

    schema_version: int
    tool: ToolJson
    run: RunJson
    summary: SummaryJson
    drivers: list[DriverJson]
    apis: list[ApiJson]
    findings: list[FindingJson]
    components: list[ComponentJson]
    project: ProjectJson
    files: list[FileJson]
    libraries: list[GroupJson]
    directories: list[GroupJson]
    kernels: list[KernelJson]
    rules: list[RuleJson]
