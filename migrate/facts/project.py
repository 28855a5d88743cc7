"""What the files around the code say together: build, architectures, HIP support, tests, CI."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from migrate.model.assessment import Project
from migrate.model.facts import STATES, FileFacts
from migrate.model.signals import EcosystemFacts, Signal
from migrate.model.source import Language, SourceFile
from migrate.model.target import NEWEST_CUDA_12, CudaVersion
from migrate.model.verdict import State

_TEST_HEADERS = {
    "gtest/": "gtest",
    "gmock/": "gtest",
    "catch.hpp": "catch2",
    "catch2/": "catch2",
    "doctest": "doctest",
    "boost/test/": "boost-test",
}
_NO_TESTS = ("__init__.py", "conftest.py")
_HEADERS = (
    *(".h", ".hh", ".hpp", ".hxx", ".h++", ".cuh", ".inl", ".inc", ".ipp", ".tpp", ".txx", ".tcc"),
    ".impl",
)
_DATA_FOLDERS = frozenset(("data", "test_data", "testdata", "fixtures", "resources"))
_HIP_STATES = frozenset(STATES.index(state) for state in (State.HIP, State.PORTED))
_NEWEST_MINOR = {10: CudaVersion(10, 2), 11: CudaVersion(11, 8), 12: NEWEST_CUDA_12}
_OLDEST_MINIMUM = CudaVersion(11)
_KNOWN_MAJORS = range(7, 20)
_TRUSTED = (
    frozenset({Language.DOCKER}),
    frozenset({Language.YAML}),
    frozenset({Language.REQUIREMENTS, Language.TOML}),
)
"""Kinds of files whose word on the CUDA version counts before others', best first."""


def join_project(
    ecosystem: Iterable[EcosystemFacts], sources: Iterable[SourceFile], files: Sequence[FileFacts]
) -> Project:
    """Return what the tree says of its build, tests and CI; third-party copies do not count.

    ``hip_support`` is ``full`` where build files, sources and CI or an image all know HIP,
    ``partial`` where any of them does.
    """
    own = sorted((file for file in ecosystem if not file.vendored), key=lambda file: file.path)
    sources = tuple(sources)
    vendored = {source.path for source in sources if source.vendored}
    code = [file for file in files if file.path not in vendored]
    places = _first_places(own, "hip")
    support, where = _hip_support(own, code, places)
    return Project(
        build=_build_systems(own),
        cuda_optional=any(True for _ in _of_kind(own, "cuda_optional")),
        cuda_archs=tuple(
            sorted({signal.value for _, signal in _of_kind(own, "cuda_arch")}, key=_arch_order)
        ),
        hip_support=support,
        hip_where=where,
        test_frameworks=tuple(sorted(_test_frameworks(own, code))),
        test_files=sum(_is_test_file(source) for source in sources),
        ci_systems=tuple(sorted({signal.value for _, signal in _of_kind(own, "ci")})),
        ci_gpu=any(True for _ in _of_kind(own, "ci_gpu")),
        ci_rocm=any(True for _ in _of_kind(own, "ci_rocm")),
        packages=_packages(own),
    )


def cuda_version_from(ecosystem: Iterable[EcosystemFacts]) -> tuple[CudaVersion, str] | None:
    """Return the CUDA version that the tree builds with, and where it says so; None: nowhere.

    A container image's word counts before CI's, that before a requirement's, a script's, and the
    oldest version that CMake takes. Of several at one rank the newest holds; where they differ in
    their major version, the code is for all of them and none is returned. A major version alone
    (``cupy-cuda12x``) stands for its newest minor version.
    """
    ranks: dict[int, list[tuple[CudaVersion, str]]] = defaultdict(list)
    for file in sorted(ecosystem, key=lambda file: file.path):
        for signal in () if file.vendored else file.signals:
            rank = _trust(file.language, signal.kind)
            version = _version(signal.value) if rank is not None else None
            if rank is None or version is None:
                continue
            if signal.kind == "cuda_at_least" and version < _OLDEST_MINIMUM:
                continue
            ranks[rank].append((version, f"tree: {file.path}:{signal.line}"))
    found = ranks[min(ranks)] if ranks else []
    if len({version.major for version, _ in found}) != 1:
        return None
    return max(found, key=lambda one: one[0])


def _trust(language: Language, kind: str) -> int | None:
    if kind == "cuda_at_least":
        return len(_TRUSTED) + 1
    if kind != "cuda_version":
        return None
    return next((rank for rank, kinds in enumerate(_TRUSTED) if language in kinds), len(_TRUSTED))


def _version(text: str) -> CudaVersion | None:
    try:
        version = CudaVersion.parse(text)
    except ValueError:
        return None
    if version.major not in _KNOWN_MAJORS:
        return None
    return version if "." in text else _NEWEST_MINOR.get(version.major, version)


def _of_kind(files: Iterable[EcosystemFacts], kind: str) -> Iterator[tuple[EcosystemFacts, Signal]]:
    return ((file, signal) for file in files for signal in file.signals if signal.kind == kind)


def _first_places(files: Iterable[EcosystemFacts], kind: str) -> tuple[str, ...]:
    """Return one ``path:line`` a file: its first signal of this kind."""
    first: dict[str, int] = {}
    for file, signal in _of_kind(files, kind):
        first[file.path] = min(signal.line, first.get(file.path, signal.line))
    return tuple(f"{path}:{line}" for path, line in sorted(first.items()))


def _build_systems(files: Sequence[EcosystemFacts]) -> tuple[str, ...]:
    """Return the systems that build CUDA; where none plainly does, those nearest to the root."""
    cuda = {signal.value for _, signal in _of_kind(files, "build_cuda")}
    if cuda:
        return tuple(sorted(cuda))
    depths = [(file.path.count("/"), signal.value) for file, signal in _of_kind(files, "build")]
    nearest = min((depth for depth, _ in depths), default=0)
    return tuple(sorted({build for depth, build in depths if depth == nearest}))


def _hip_support(
    ecosystem: Sequence[EcosystemFacts], code: Sequence[FileFacts], places: tuple[str, ...]
) -> tuple[str, tuple[str, ...]]:
    ported = [file.path for file in code if _knows_hip(file)]
    checked = any(True for _ in _of_kind(ecosystem, "ci_rocm")) or any(
        file.language is Language.DOCKER for file, _ in _of_kind(ecosystem, "hip")
    )
    builds = any(file.language is not Language.DOCKER for file, _ in _of_kind(ecosystem, "hip"))
    where = places or tuple(f"{path}:1" for path in sorted(ported)[:1])
    if builds and ported and checked:
        return "full", where
    return ("partial" if builds or ported or checked else "none"), where


def _knows_hip(file: FileFacts) -> bool:
    if file.hip or file.language is Language.HIP or not _HIP_STATES.isdisjoint(file.uses.state):
        return True
    return any(include.name.startswith("hip/") for include in file.includes)


def _test_frameworks(
    ecosystem: Sequence[EcosystemFacts], code: Sequence[FileFacts]
) -> Iterator[str]:
    found = {signal.value for _, signal in _of_kind(ecosystem, "test_framework")}
    for file in code:
        for include in file.includes:
            found.update(
                name for start, name in _TEST_HEADERS.items() if include.name.startswith(start)
            )
    yield from found


def _is_test_file(source: SourceFile) -> bool:
    """Whether a file holds tests: no header, no helper, no script that makes test data."""
    path = source.path.lower()
    if not source.test or source.vendored or path.endswith((*_NO_TESTS, *_HEADERS)):
        return False
    if source.language is Language.PYTHON:
        return _DATA_FOLDERS.isdisjoint(path.split("/"))
    return source.language.c_family


def _packages(files: Sequence[EcosystemFacts]) -> int:
    """Count what is published: kinds of package by folder, so that variants count once."""
    return len(
        {
            (file.path.rpartition("/")[0], signal.value)
            for file, signal in _of_kind(files, "package")
        }
    )


def _arch_order(arch: str) -> tuple[int, str]:
    digits = "".join(filter(str.isdigit, arch))
    return int(digits or 0), arch
