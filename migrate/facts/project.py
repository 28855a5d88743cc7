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
_MOST_PLACES = 20
_MOST_NAMED = 4
_ASIDE = frozenset(
    """
    example examples sample samples demo demos tutorial tutorials doc docs documentation
    test tests testing benchmark benchmarks bench
    """.split()  # noqa: SIM905 - a long list reads better as words
)
"""Folders whose build files build something beside the project."""
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
    support, where = _hip_support(own, code)
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


def cuda_version_from(
    ecosystem: Iterable[EcosystemFacts], starts: Sequence[str] = ("",)
) -> tuple[CudaVersion | None, str] | None:
    """Return the CUDA version that the tree builds with, and where it says so; None: nowhere.

    A container image's word counts before CI's, that before a requirement's, a script's, and the
    oldest version that CMake takes. Of several at one rank the newest holds. Where Dockerfiles,
    the parts of an assessment (``starts``, their paths relative to the root), or two major
    versions at one rank disagree, the code is for all of them: no version, and the words
    ``mixed: 8.0 (a/Dockerfile:1), 12.0 (b/Dockerfile:1)``. A major version alone
    (``cupy-cuda12x``) stands for its newest minor version.
    """
    files = sorted((file for file in ecosystem if not file.vendored), key=lambda file: file.path)
    said: list[tuple[CudaVersion, str]] = []
    for start in starts:
        within = f"{start}/" if start else ""
        said.extend(
            _versions_of(
                [file for file in files if file.path == start or file.path.startswith(within)]
            )
        )
    if len({version for version, _ in said}) > 1:
        return None, f"mixed: {_named(said)}"
    return (said[0][0], f"tree: {said[0][1]}") if said else None


def _versions_of(files: Iterable[EcosystemFacts]) -> list[tuple[CudaVersion, str]]:
    """Return the version of one part with its place; several where its files disagree."""
    ranks: dict[int, dict[str, tuple[CudaVersion, str]]] = defaultdict(dict)
    for file in files:
        for signal in file.signals:
            rank = _trust(file.language, signal.kind)
            version = _version(signal.value) if rank is not None else None
            if rank is None or version is None:
                continue
            if signal.kind == "cuda_at_least" and version < _OLDEST_MINIMUM:
                continue
            newest = ranks[rank].get(file.path)
            if newest is None or version > newest[0]:
                ranks[rank][file.path] = (version, f"{file.path}:{signal.line}")
    if not ranks:
        return []
    best = min(ranks)
    found = list(ranks[best].values())
    if _trusted_alone(best, found):
        return [max(found, key=lambda one: one[0])]
    return found


def _trusted_alone(rank: int, found: Sequence[tuple[CudaVersion, str]]) -> bool:
    """Whether the newest of these versions holds for all of them."""
    if rank == 0:
        return len({version for version, _ in found}) == 1
    return len({version.major for version, _ in found}) == 1


def _named(said: Iterable[tuple[CudaVersion, str]]) -> str:
    """Return each version once, with the first place that says it, oldest first."""
    places: dict[CudaVersion, str] = {}
    for version, place in said:
        places.setdefault(version, place)
    words = [f"{version} ({places[version]})" for version in sorted(places)]
    more = f", and {len(words) - _MOST_NAMED} more" if len(words) > _MOST_NAMED else ""
    return ", ".join(words[:_MOST_NAMED]) + more


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
    """Return the systems that build CUDA; where none plainly does, those nearest to the root.

    What only examples, documentation or tests are built with counts where nothing else builds CUDA.
    """
    found = [(file, signal.value) for file, signal in _of_kind(files, "build_cuda")]
    cuda = {build for file, build in found if not _is_aside(file)} or {build for _, build in found}
    if cuda:
        return tuple(sorted(cuda))
    depths = [(file.path.count("/"), signal.value) for file, signal in _of_kind(files, "build")]
    nearest = min((depth for depth, _ in depths), default=0)
    return tuple(sorted({build for depth, build in depths if depth == nearest}))


def _is_aside(file: EcosystemFacts) -> bool:
    return file.test or not _ASIDE.isdisjoint(file.path.lower().split("/")[:-1])


def _hip_support(
    ecosystem: Sequence[EcosystemFacts], code: Sequence[FileFacts]
) -> tuple[str, tuple[str, ...]]:
    """Return how far the project knows HIP, and where: build files, then sources, then CI."""
    ported = [place for file in code if (place := _hip_place(file))]
    ci = _first_places(ecosystem, "ci_rocm")
    signs = [file for file, _ in _of_kind(ecosystem, "hip")]
    checked = bool(ci) or any(file.language is Language.DOCKER for file in signs)
    builds = any(_is_build_file(file) for file in signs)
    where = _spread((_first_places(ecosystem, "hip"), sorted(ported), ci))
    if builds and ported and checked:
        return "full", where
    return ("partial" if signs or ported or checked else "none"), where


def _is_build_file(file: EcosystemFacts) -> bool:
    """Whether a file that shows HIP builds something; a container, CI or plain module does not."""
    if file.language is Language.PYTHON:
        return any(signal.kind in {"build", "build_cuda"} for signal in file.signals)
    return file.language not in {Language.DOCKER, Language.YAML}


def _spread(groups: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Return up to :data:`_MOST_PLACES` places, in order of the groups and some of each."""
    left = [list(group) for group in groups]
    shown = [0] * len(left)
    while sum(shown) < _MOST_PLACES and any(
        len(group) > count for group, count in zip(left, shown, strict=True)
    ):
        for number, group in enumerate(left):
            if shown[number] < len(group) and sum(shown) < _MOST_PLACES:
                shown[number] += 1
    places = (place for group, count in zip(left, shown, strict=True) for place in group[:count])
    return tuple(dict.fromkeys(places))


def _hip_place(file: FileFacts) -> str:
    """Return where a source shows that HIP builds it, its first such line; "" where it does not."""
    branches = [one.line for one in file.conditionals if one.state is State.HIP]
    includes = [one.line for one in file.includes if one.name.startswith("hip/")]
    uses = [
        line
        for line, state in zip(file.uses.line, file.uses.state, strict=True)
        if state in _HIP_STATES
    ]
    if file.hip or file.language is Language.HIP:
        return f"{file.path}:1"
    if not includes and not uses and not branches:
        return ""
    return f"{file.path}:{min(branches or includes or uses)}"


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
