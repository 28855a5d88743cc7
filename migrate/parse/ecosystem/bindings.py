"""Packages of other languages that bind CUDA: Rust, Julia, Go, Java, C# and MATLAB."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import PurePosixPath

from migrate.model.signals import Kind, Signal
from migrate.model.verdict import State
from migrate.parse.ecosystem.words import linked_in

_CARGO_TABLES = ("dependencies", "dev-dependencies", "build-dependencies")
_JULIA_TABLES = ("deps", "weakdeps", "extras")
_JULIA_FOR_AMD = "AMDGPU"
_TOML_NAME = re.compile(
    r"^[ \t]*[\"']?([\w-]+)[\"']?[ \t]*(?:=|\.[\w-]+[ \t]*=)|^\[[\w.'\" -]*?([\w-]+)\]"
    r"|\bpackage[ \t]*=[ \t]*\"([\w-]+)\""
)
_GO_MODULE = re.compile(
    r"^\s*(?:require\s+)?([\w.-]+\.[a-z]+/[\w./-]+)\s+v\d[^/\n]*(//\s*indirect)?"
)
_MAVEN = re.compile(r"<groupId>\s*([\w.-]+)\s*</groupId>\s*<artifactId>\s*([\w.-]+)")
_GRADLE = re.compile(r"[\"']([\w.-]+:[\w.-]+):[\w.$+{}-]+[\"']")
_NUGET = re.compile(
    r"<PackageReference\b[^>\n]{0,200}?\bInclude\s*=\s*\"([\w.-]+)\"|<package\b[^>\n]{0,200}?\bid=\"([\w.-]+)\""
)
_JULIA = r"^\s*(?:using|import)\s+(?:[\w.]+\s*,\s*){0,20}(CUDA|CUDAnative|CuArrays)\b"
_JAVA = re.compile(r"^\s*import\s+(?:static\s+)?(jcuda)\.")
_CODE: dict[str, tuple[re.Pattern[str], str]] = {
    ".jl": (re.compile(_JULIA), "julia"),
    ".java": (_JAVA, "java"),
    ".kt": (_JAVA, "java"),
    ".scala": (_JAVA, "java"),
    ".cs": (re.compile(r"^\s*using\s+(ManagedCuda)\b"), "dotnet"),
    ".m": (
        re.compile(r"(?<![\w.])(mexcuda|gpuArray|parallel\.gpu\.CUDAKernel)\s*\("),
        "matlab",
    ),
}
_RUST_LINK = re.compile(r"#\[link\(\s*name\s*=\s*\"(cuda|cudart|nvrtc|cublas|cudnn|nvidia-ml)\"")


def read_binding_manifest(path: str, text: str) -> Iterator[Signal]:
    """Yield the packages that a Cargo.toml, Project.toml, go.mod, pom.xml or project file names."""
    name = PurePosixPath(path).name.lower()
    if name in {"cargo.toml", "project.toml"}:
        yield from _toml(name, text)
    elif name == "go.mod":
        yield from _lines(_GO_MODULE, "go", text, "//")
    elif name == "pom.xml":
        yield from _whole(_MAVEN, "maven", text)
    elif name in {"build.gradle", "build.gradle.kts"}:
        yield from _lines(_GRADLE, "maven", text, "//")
    else:
        yield from _whole(_NUGET, "nuget", text)


def read_binding_code(path: str, text: str) -> Iterator[Signal]:
    """Yield what code of another language takes from CUDA: its imports, and what it links."""
    suffix = PurePosixPath(path).suffix.lower()
    comment = {".m": "%", ".jl": "#"}.get(suffix, "//")
    for number, line in enumerate(text.splitlines(), start=1):
        if suffix == ".go":
            if "#cgo" in line and "LDFLAGS" in line:
                yield from (Signal(Kind.LINK, library, number) for library in linked_in(line))
            continue
        code = line.split(comment, 1)[0]
        if suffix == ".rs":
            # Which crates are used is Cargo.toml's word.
            if link := _RUST_LINK.search(code):
                yield Signal(Kind.LINK, link[1].replace("nvidia-ml", "nvml"), number)
            continue
        form, language = _CODE[suffix]
        if found := form.search(code):
            yield Signal(Kind.BINDING, f"{language}:{found[1]}", number)


def _toml(name: str, text: str) -> Iterator[Signal]:
    try:
        document: object = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return
    if not isinstance(document, dict):
        return
    julia = name == "project.toml"
    registry = "julia" if julia else "cargo"
    tables = _JULIA_TABLES if julia else _CARGO_TABLES
    names = list(dict.fromkeys(_dependencies(document, tables)))
    state = State.PORTED if julia and _JULIA_FOR_AMD in names else State.ACTIVE
    lines = _lines_of_keys(text)
    for one in names:
        yield Signal(Kind.BINDING, f"{registry}:{one}", lines.get(one, 1), state)


def _dependencies(document: dict[str, object], tables: tuple[str, ...]) -> Iterator[str]:
    """Yield the names in tables of dependencies: the package's, its workspace's, its targets'."""
    targets = document.get("target")
    places = [document, document.get("workspace")]
    places += targets.values() if isinstance(targets, dict) else []
    for place in places:
        for table in tables:
            found = place.get(table) if isinstance(place, dict) else None
            if isinstance(found, dict):
                yield from (_crate(key, value) for key, value in found.items())


def _crate(key: str, value: object) -> str:
    """A dependency's name in its registry, which ``package`` gives where it is renamed."""
    renamed = value.get("package") if isinstance(value, dict) else None
    return renamed if isinstance(renamed, str) else key


def _lines_of_keys(text: str) -> dict[str, int]:
    """The first line at which each key, table or package of a TOML file stands."""
    found: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        for match in _TOML_NAME.finditer(line):
            found.setdefault(match[1] or match[2] or match[3], number)
    return found


def _lines(form: re.Pattern[str], registry: str, text: str, comment: str) -> Iterator[Signal]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.lstrip().startswith(comment):
            continue
        for found in form.finditer(line[:500]):
            if found.lastindex == 1:  # what other modules brought along is not asked for here
                yield Signal(Kind.BINDING, f"{registry}:{found[1]}", number)


def _whole(form: re.Pattern[str], registry: str, text: str) -> Iterator[Signal]:
    for found in form.finditer(text):
        name = ":".join(group for group in found.groups() if group)
        yield Signal(Kind.BINDING, f"{registry}:{name}", text.count("\n", 0, found.end()) + 1)
