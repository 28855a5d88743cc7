"""Handmade assessments: a realistic one with hostile names, an empty one, and a big one."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

from migrate.model.assessment import (
    ApiRow,
    Assessment,
    CompatibilityLayer,
    Component,
    Excerpt,
    FileRow,
    GroupRow,
    Project,
    Shares,
    Summary,
    UseRow,
)
from migrate.model.effort import DriverCount, Effort, Range, Scope, Strategy, Team
from migrate.model.finding import Finding, Site
from migrate.model.kernel import KernelRow, KernelSize, KernelTraits, LaunchPlace
from migrate.model.source import Language, Skipped
from migrate.model.target import CudaVersion, RocmRelease, Target
from migrate.model.verdict import (
    Confidence,
    Flag,
    SeenBy,
    Severity,
    State,
    Tier,
    Verdict,
)
from tests.report.sample_rules import BATCH, MASK, RULES

HOSTILE_PATH = 'src/<script>alert(1)</script>"\x1b[31m\u202e.cu'
HOSTILE_SYMBOL = 'cudaEvil"><img src=x onerror=alert(2)>'

_GUIDE = "https://rocm.docs.amd.com/projects/HIP/en/latest/how-to/hip_cpp_language_extensions.html"
_ARCHS = ("gfx942",)

_FINDINGS: tuple[tuple[str, Tier, Verdict, Severity, str, str, str, str, int, float], ...] = (
    (
        "HA-K012",
        Tier.KERNEL,
        Verdict.CHANGED,
        Severity.MAJOR,
        "__shfl_down_sync",
        "__shfl_down_sync",
        "block_reduce",
        "src/reduce.cuh",
        41,
        0.5,
    ),
    (
        "HA-API",
        Tier.INTERFACE,
        Verdict.MISSING,
        Severity.BLOCKER,
        "cudaGraphConditionalHandleCreate",
        "",
        "build_graph",
        "src/graph.cu",
        210,
        6.0,
    ),
    (
        "HA-API",
        Tier.INTERFACE,
        Verdict.LATER,
        Severity.MAJOR,
        "cudaMemcpyBatchAsync",
        "hipMemcpyBatchAsync",
        "stage_inputs",
        "src/graph.cu",
        88,
        1.0,
    ),
    (
        "HA-API",
        Tier.INTERFACE,
        Verdict.CHANGED,
        Severity.MINOR,
        "cudaFuncSetAttribute",
        "hipFuncSetAttribute",
        "configure",
        "src/solver.cu",
        77,
        1.0,
    ),
    (
        "HA-API",
        Tier.ECOSYSTEM,
        Verdict.REPLACED,
        Severity.MAJOR,
        "cudnnConvolutionForward",
        "miopenConvolutionForward",
        "Conv2d::forward",
        "src/nn/conv.cpp",
        133,
        12.0,
    ),
    (
        "HA-API",
        Tier.ECOSYSTEM,
        Verdict.REPLACED,
        Severity.MINOR,
        "nvmlDeviceGetUtilizationRates",
        "amdsmi_get_gpu_activity",
        "",
        "tools/monitor.cpp",
        19,
        3.0,
    ),
    (
        "HA-API",
        Tier.INTERFACE,
        Verdict.UNKNOWN,
        Severity.MINOR,
        HOSTILE_SYMBOL,
        "",
        "main",
        HOSTILE_PATH,
        3,
        2.0,
    ),
    (
        "HA-K003",
        Tier.KERNEL,
        Verdict.MISSING,
        Severity.BLOCKER,
        "asm",
        "",
        "load_global_nc",
        "src/reduce.cuh",
        12,
        2.0,
    ),
    (
        "HA-K020",
        Tier.KERNEL,
        Verdict.CHANGED,
        Severity.MINOR,
        "warpSize",
        "warpSize",
        "scan",
        "src/hip/scan.hip",
        5,
        0.3,
    ),
)

_CODE = (
    "template <typename T>",
    "__device__ T block_reduce(T value) {",
    "  for (int offset = 16; offset > 0; offset /= 2) {",
    "    value += __shfl_down_sync(0xffffffff, value, offset);",
    "  }",
    "  return value;  // </code></pre><script>alert(3)</script>",
    "}",
)


def make_assessment(*, all_uses: bool = False) -> Assessment:
    """An assessment of a mid-size code with every verdict, every state and hostile names."""
    findings = tuple(
        sorted(
            (_finding(number, *row) for number, row in enumerate(_FINDINGS)),
            key=lambda row: (row.path, row.line),
        )
    )
    verdicts = {
        Verdict.SAME: 412,
        Verdict.RENAMED: 1204,
        Verdict.CHANGED: 61,
        Verdict.REPLACED: 48,
        Verdict.LATER: 7,
        Verdict.MISSING: 31,
        Verdict.UNKNOWN: 2,
    }
    active = sum(verdicts.values())
    states = {State.ACTIVE: active, State.PORTED: 133, State.HIP: 9, State.VENDORED: 870}
    files = _files(verdicts)
    summary = Summary(
        files=214,
        lines=93_412,
        cuda_lines=15_208,
        uses=sum(states.values()),
        distinct_names=187,
        kernels=82,
        launches=131,
        states=states,
        verdicts=verdicts,
        shares=Shares(by_use=40 / active, by_name=14 / 187, by_line=0.0613),
        effort=_effort(),
        older_names=9,
        unconfirmed_names=2,
    )
    return Assessment(
        version="0.1.0",
        tables_as_of="2026-11",
        root_name="lattice-trainer",
        target=Target(RocmRelease(7, 2), _ARCHS, CudaVersion(12, 8)),
        cuda_source="tree: docker/Dockerfile:1",
        complete=True,
        incomplete_reason="",
        commit="4f1c2e9b7a6d5c4b3a2918f7e6d5c4b3a2918f7e",
        dirty=True,
        settings={"scope": "production", "exclude": ["docs/**"], "jobs": 4, "verify": False},
        skipped=(
            Skipped("data/tables.inc", "larger than 16 MiB", candidate=True, size=20_000_000),
            Skipped(
                "src/old/legacy.cu", "not readable: permission denied", candidate=True, size=812
            ),
            Skipped("third_party/link", "symbolic link out of the tree", candidate=False, size=0),
        ),
        summary=summary,
        apis=_apis(),
        findings=findings,
        files=files,
        directories=_directories(files),
        libraries=_libraries(verdicts),
        components=_components(),
        project=Project(
            build=("cmake", "setup.py"),
            cuda_optional=True,
            cuda_archs=("sm_80", "sm_90"),
            hip_support="partial",
            hip_where=("CMakeLists.txt:40",),
            test_frameworks=("gtest", "pytest"),
            test_files=60,
            ci_systems=("github",),
            ci_gpu=True,
            ci_rocm=False,
            packages=1,
            wrappers=(
                CompatibilityLayer(path="src/gpu_shim.h", names=14, expansions=212),
                CompatibilityLayer(path=HOSTILE_PATH, names=9, ported=4),
            ),
        ),
        kernels=_kernels(),
        rules=RULES,
        uses=_uses() if all_uses else (),
        excerpts={
            (row.path, row.line): Excerpt(path=row.path, first_line=row.line - 3, lines=_CODE)
            for row in findings
            if row.line > 3
        },
    )


def _kernels() -> tuple[KernelRow, ...]:
    """Kernels by the compiler and by trees, small, over a limit, and of a size nobody knows."""
    return (
        KernelRow(
            name=HOSTILE_SYMBOL,
            path=HOSTILE_PATH,
            line=8,
            traits=KernelTraits(dynamic_shared=True, launch_bounds=(256, None)),
        ),
        KernelRow(
            name="lattice::reduce_all",
            path="src/reduce.cuh",
            line=30,
            traits=KernelTraits(
                sizes=(KernelSize("double", 98304), KernelSize("float", 49152)),
                launch_bounds=(1024,),
                attributes=("__cluster_dims__",),
            ),
            launched_from=(
                LaunchPlace("lattice::step", "src/solver.cu", 91),
                LaunchPlace("", "src/solver.cu", 140),
            ),
            seen_by=SeenBy.CLANG,
        ),
        KernelRow(
            name="zero",
            path="src/solver.cu",
            line=12,
            traits=KernelTraits(sizes=(KernelSize("", 0),)),
            launched_from=(LaunchPlace("init", "src/solver.cu", 20),),
            seen_by=SeenBy.CLANG,
        ),
    )


def make_empty_assessment() -> Assessment:
    """A tree without a single use of CUDA."""
    nothing = Range(0.0, 0.0, 0.0)
    effort = replace(
        _effort(),
        interface=nothing,
        kernel=nothing,
        ecosystem=nothing,
        total=nothing,
        first_run=nothing,
        drivers=(),
    )
    summary = Summary(
        files=3,
        lines=120,
        cuda_lines=0,
        uses=0,
        distinct_names=0,
        kernels=0,
        launches=0,
        states={},
        verdicts={},
        shares=Shares(0.0, 0.0, 0.0),
        effort=effort,
    )
    return replace(
        make_assessment(),
        root_name="plain",
        summary=summary,
        apis=(),
        findings=(),
        rules=(),
        files=(),
        directories=(),
        libraries=(),
        components=(),
        project=Project(),
        kernels=(),
        skipped=(),
        excerpts={},
        commit="",
        dirty=None,
        target=Target(RocmRelease(7, 2), _ARCHS),
        cuda_source="default",
    )


def make_incomplete_assessment() -> Assessment:
    """A scan that could not read enough of the candidates."""
    return replace(
        make_assessment(),
        complete=False,
        incomplete_reason="12 % of the candidate lines could not be read",
    )


def make_big_assessment(*, findings: int, files: int) -> Assessment:
    """An assessment of the size of a large library, from a fixed seed."""
    rng = random.Random(7)
    base = make_assessment()
    verdicts = (Verdict.CHANGED, Verdict.REPLACED, Verdict.LATER, Verdict.MISSING, Verdict.UNKNOWN)
    paths = [f"src/module_{n % 90:02}/component_{n:05}_kernels.cu" for n in range(files)]
    rows = []
    for number in range(findings):
        line = rng.randrange(4, 2000)
        row = _finding(
            number,
            "HA-API",
            rng.choice(list(Tier)),
            rng.choice(verdicts),
            rng.choice(list(Severity)),
            f"cudaSomethingWithALongName{number % 900}",
            f"hipSomethingWithALongName{number % 900}",
            f"some_namespace::function_{number}",
            rng.choice(paths),
            line,
            rng.random() * 4,
        )
        rows.append(row)
    found = Counter(row.path for row in rows)
    return replace(
        base,
        findings=tuple(sorted(rows, key=lambda row: (row.path, row.line, row.id))),
        files=tuple(
            FileRow(
                path=path,
                language=Language.CUDA,
                lines=900,
                code_lines=700,
                uses=12,
                verdicts={Verdict.RENAMED: 9, Verdict.MISSING: 3},
                states={State.ACTIVE: 12},
                kernels=2,
                findings=found[path],
                hours=rng.random() * 9,
            )
            for path in paths
        ),
        apis=tuple(
            replace(base.apis[0], name=f"cudaSomethingWithALongName{n}", uses=n) for n in range(900)
        ),
        excerpts={
            (row.path, row.line): Excerpt(path=row.path, first_line=row.line - 3, lines=_CODE)
            for row in rows
        },
    )


def _finding(  # noqa: PLR0917 - the rows above are its arguments, in order
    number: int,
    rule: str,
    tier: Tier,
    verdict: Verdict,
    severity: Severity,
    symbol: str,
    hip: str,
    function: str,
    path: str,
    line: int,
    hours: float,
) -> Finding:
    sites = 3 if rule == "HA-K012" else 1
    return Finding(
        id=f"{number:016x}",
        rule=rule,
        tier=tier,
        verdict=verdict,
        severity=severity,
        confidence=Confidence.POSSIBLE if verdict is Verdict.UNKNOWN else Confidence.CERTAIN,
        state=State.HIP if path.endswith(".hip") else State.ACTIVE,
        archs=_ARCHS,
        symbol=symbol,
        hip=hip,
        function=function,
        message=_message(rule, symbol),
        fix="Pass a 64-bit mask, ~0ULL for all lanes.",
        driver="warp_site",
        hours=(hours / 3, hours, hours * 4),
        seen_by=SeenBy.TREE,
        sites=tuple(
            Site(
                path=path,
                line=line + n,
                end_line=line + n,
                column=14,
                fingerprint=f"{number:x}.{n}",
            )
            for n in range(sites)
        ),
    )


def _message(rule: str, symbol: str) -> str:
    for known in RULES:
        if known.id == rule:
            return f"{known.title}. {known.why} The mask here is 0xffffffff."
    return f"{symbol} needs a person here: the lane mask of HIP has 64 bits on every GPU."


def _effort() -> Effort:
    return Effort(
        scope=Scope.PRODUCTION,
        strategy=Strategy.HIPIFY,
        team=Team.GPU,
        interface=Range(0.96, 1.88, 3.67),
        kernel=Range(1.53, 3.34, 7.28),
        ecosystem=Range(3.14, 6.41, 13.07),
        total=Range(6.3, 12.0, 23.2),
        first_run=Range(1.6, 3.04, 5.5),
        drivers=(
            DriverCount(
                id="interface_fixed",
                title="Tool run and first compile",
                tier=Tier.INTERFACE,
                n=1,
                n_effective=1.0,
                hours=(4.0, 12.0, 32.0),
            ),
            DriverCount(
                id="direct_reference",
                title="Direct references",
                tier=Tier.INTERFACE,
                n=1616,
                n_effective=1616.0,
                hours=(4.848, 16.16, 64.64),
            ),
            DriverCount(
                id="warp_site",
                title="Warp-width sites",
                tier=Tier.KERNEL,
                n=32,
                n_effective=23.6,
                hours=(3.54, 11.8, 47.2),
            ),
            DriverCount(
                id="library_partial",
                title="Partial libraries",
                tier=Tier.ECOSYSTEM,
                n=1,
                n_effective=1.0,
                hours=(12.0, 40.0, 120.0),
            ),
            DriverCount(
                id="review_kloc",
                title="Thousand lines of GPU code to review",
                tier=Tier.INTERFACE,
                n=9.254,
                n_effective=9.254,
                hours=(2.7762, 7.4032, 18.508),
            ),
        ),
    )


def _api(
    name: str,
    library: str,
    verdict: Verdict,
    hip: str,
    uses: int,
    *,
    state: State = State.ACTIVE,
    flags: tuple[Flag, ...] = (),
    since: str = "",
    better: str = "",
    note: str = "",
    places: tuple[tuple[str, int], ...] = (("src/solver.cu", 12), ("src/graph.cu", 30)),
) -> ApiRow:
    return ApiRow(
        name=name,
        library=library,
        verdict=verdict,
        hip=hip,
        state=state,
        uses=uses,
        files=len(places),
        flags=flags,
        since=since,
        better=better,
        note=note,
        evidence=(_GUIDE,),
        places=places,
    )


def _apis() -> tuple[ApiRow, ...]:
    return (
        _api("__shfl_down_sync", "builtin", Verdict.CHANGED, "__shfl_down_sync", 32, since="7.0"),
        _api("cub::DeviceReduce::Sum", "cub", Verdict.RENAMED, "hipcub::DeviceReduce::Sum", 4),
        _api(
            "cudaFuncSetAttribute",
            "runtime",
            Verdict.CHANGED,
            "hipFuncSetAttribute",
            6,
            note="Limits of dynamic shared memory differ.",
        ),
        _api(
            "cudaGraphConditionalHandleCreate",
            "runtime",
            Verdict.MISSING,
            "",
            3,
            flags=(Flag.UNCONFIRMED,),
            note="Conditional graph nodes have no counterpart.",
            places=(("src/graph.cu", 210), ("src/graph.cu", 215)),
        ),
        _api("cudaMalloc", "runtime", Verdict.RENAMED, "hipMalloc", 210, since="1.6.0"),
        _api("cudaMalloc", "runtime", Verdict.RENAMED, "hipMalloc", 44, state=State.VENDORED),
        _api(
            "cudaMemcpyBatchAsync",
            "runtime",
            Verdict.LATER,
            "hipMemcpyBatchAsync",
            7,
            better="10.0",
            places=(("src/graph.cu", 88),),
        ),
        _api(
            "cudnnConvolutionForward",
            "cudnn",
            Verdict.REPLACED,
            "miopenConvolutionForward",
            12,
            places=(("src/nn/conv.cpp", 133),),
        ),
        _api("ncclAllReduce", "nccl", Verdict.SAME, "ncclAllReduce", 9),
        _api(HOSTILE_SYMBOL, "", Verdict.UNKNOWN, "", 2, places=((HOSTILE_PATH, 3),)),
    )


def _files(verdicts: dict[Verdict, int]) -> tuple[FileRow, ...]:
    shares = {
        "src/graph.cu": (0.2, 9.4),
        "src/nn/conv.cpp": (0.15, 14.2),
        "src/reduce.cuh": (0.25, 6.1),
        "src/solver.cu": (0.3, 3.3),
        "tools/monitor.cpp": (0.05, 3.1),
        HOSTILE_PATH: (0.0, 2.0),
    }
    left = dict(verdicts)
    rows = []
    for path, (part, hours) in shares.items():
        last = path == HOSTILE_PATH
        mine = {
            verdict: left[verdict] if last else int(number * part)
            for verdict, number in verdicts.items()
        }
        left = {verdict: left[verdict] - mine[verdict] for verdict in left}
        active = sum(mine.values())
        ported = 133 if path == "src/solver.cu" else 0
        rows.append(
            FileRow(
                path=path,
                language=Language.CUDA if path.endswith("u") else Language.CPP,
                lines=1200,
                code_lines=900,
                uses=active + ported,
                verdicts=mine,
                states={State.ACTIVE: active, State.PORTED: ported},
                kernels=9,
                findings=sum(row[7] == path for row in _FINDINGS),
                hours=hours,
                error_nodes=2,
            )
        )
    rows += [
        FileRow(
            path="src/hip/scan.hip",
            language=Language.HIP,
            lines=80,
            code_lines=60,
            uses=9,
            verdicts={},
            states={State.HIP: 9},
            findings=1,
        ),
        FileRow(
            path="src/plain.cpp",
            language=Language.CPP,
            lines=300,
            code_lines=210,
            uses=0,
            verdicts={},
            states={},
        ),
        FileRow(
            path="third_party/cub/block.cuh",
            language=Language.CUDA,
            lines=4000,
            code_lines=3000,
            uses=870,
            verdicts={},
            states={State.VENDORED: 870},
            vendored=True,
        ),
    ]
    return tuple(sorted(rows, key=lambda row: row.path))


def _directories(files: tuple[FileRow, ...]) -> tuple[GroupRow, ...]:
    names = sorted({row.path.rpartition("/")[0] for row in files})
    rows = []
    for name in names:
        mine = [row for row in files if row.path.rpartition("/")[0] == name]
        verdicts: Counter[Verdict] = Counter()
        for row in mine:
            verdicts.update(row.verdicts)
        rows.append(
            GroupRow(
                name=name,
                title=name,
                files=len(mine),
                uses=sum(verdicts.values()),
                verdicts=dict(verdicts),
                hours=sum(row.hours for row in mine),
                lines=sum(row.lines for row in mine),
            )
        )
    return tuple(rows)


def _libraries(verdicts: dict[Verdict, int]) -> tuple[GroupRow, ...]:
    cudnn = {Verdict.REPLACED: 48}
    nccl = {Verdict.SAME: 90}
    runtime = {
        verdict: number - cudnn.get(verdict, 0) - nccl.get(verdict, 0)
        for verdict, number in verdicts.items()
    }
    return (
        GroupRow(name="cudnn", title="cuDNN", files=3, uses=48, verdicts=cudnn, hours=40.0),
        GroupRow(name="nccl", title="NCCL", files=2, uses=90, verdicts=nccl, hours=8.0),
        GroupRow(
            name="runtime",
            title="CUDA Runtime API",
            files=9,
            uses=sum(runtime.values()),
            verdicts=runtime,
            hours=30.0,
        ),
    )


def _components() -> tuple[Component, ...]:
    return (
        Component(
            key="nccl",
            name="NCCL",
            kind="library",
            verdict=Verdict.SAME,
            rocm="RCCL",
            use="called",
            state=State.ACTIVE,
            uses=90,
            where=(("src/comm.cpp", 9),),
        ),
        Component(
            key="npp",
            name="NPP",
            kind="library",
            verdict=Verdict.MISSING,
            rocm="",
            use="linked",
            state=State.ACTIVE,
            uses=1,
            where=(("CMakeLists.txt", 51),),
        ),
        Component(
            key="cudnn",
            name="cuDNN",
            kind="library",
            verdict=Verdict.REPLACED,
            rocm="MIOpen",
            use="called",
            state=State.ACTIVE,
            uses=48,
            where=(("src/nn/conv.cpp", 133), ("CMakeLists.txt", 44)),
        ),
        Component(
            key="nvidia/cuda",
            name="nvidia/cuda",
            kind="image",
            verdict=Verdict.REPLACED,
            rocm="rocm/dev-ubuntu-24.04",
            use="named",
            state=State.ACTIVE,
            uses=1,
            where=(("docker/Dockerfile", 1),),
        ),
    )


def _uses() -> tuple[UseRow, ...]:
    rows = [
        UseRow(
            path="src/solver.cu",
            line=line,
            end_line=line,
            column=3,
            symbol="cudaMalloc",
            function="setup",
            verdict=Verdict.RENAMED,
            hip="hipMalloc",
            library="runtime",
            tier=Tier.INTERFACE,
            driver="direct_reference",
            hours=(0.003, 0.01, 0.04),
            state=State.ACTIVE,
            seen_by=SeenBy.TREE,
            fingerprint=f"u{line}",
        )
        for line in (12, 13, 19)
    ]
    rows.append(
        replace(
            rows[0],
            symbol="ncclAllReduce",
            hip="ncclAllReduce",
            library="nccl",
            line=30,
            end_line=30,
            verdict=Verdict.SAME,
            fingerprint="u30",
        )
    )
    return tuple(rows)


def make_assessment_with_rules() -> Assessment:
    """The realistic one with a rule in three functions, two possible places and an opportunity."""
    base = make_assessment()
    one = next(row for row in base.findings if row.rule == MASK.id)

    def at(number: int, path: str, **changes: object) -> Finding:
        site = replace(one.sites[0], path=path, line=number, end_line=number)
        changed: dict[str, Any] = {
            "id": f"mask{number:012}", "function": f"warp_scan_{number}", "sites": (site,),
            **changes,
        }  # fmt: skip
        return replace(one, **changed)

    possible = {"confidence": Confidence.POSSIBLE, "hours": (0.0, 0.0, 0.0)}
    offer = {
        "rule": BATCH.id, "severity": Severity.INFO, "verdict": Verdict.SAME, "driver": "",
        "tier": Tier.INTERFACE, "hours": (0.0, 0.0, 0.0), "symbol": "cudaMemcpyAsync",
        "message": f"{BATCH.title}. {BATCH.why}", "fix": BATCH.fix,
    }  # fmt: skip
    more = (
        at(60, "src/reduce.cuh"),
        at(61, "src/solver.cu", fix="Use the form without a mask here."),
        at(62, "src/solver.cu", **possible),
        at(63, "src/graph.cu", **possible),
        at(64, "src/graph.cu", **offer),
    )
    findings = sorted((*base.findings, *more), key=lambda row: (row.path, row.line))
    return replace(base, findings=tuple(findings), rules=(*RULES, BATCH))


def make_assessment_with_a_replaced_library() -> Assessment:
    """The realistic one with cuDNN all over two files: three findings in one, one in another."""
    base = make_assessment()
    one = next(row for row in base.findings if row.symbol == "cudnnConvolutionForward")
    api = next(row for row in base.apis if row.name == "cudnnConvolutionForward")
    api = replace(api, library="dnn")
    rest = tuple(row for row in base.apis if row.name != api.name)
    more = [
        replace(
            one,
            id=f"cudnn{number:011}",
            symbol=f"cudnnName{number}",
            hip=f"miopenName{number}",
            sites=(replace(one.sites[0], path=path, line=number, end_line=number),),
        )
        for number, path in ((10, one.path), (20, one.path), (30, "src/nn/pool.cpp"))
    ]
    return replace(
        base,
        findings=tuple(sorted((*base.findings, *more), key=lambda row: (row.path, row.line))),
        apis=(*rest, api, *(replace(api, name=row.symbol, hip=row.hip) for row in more)),
    )
