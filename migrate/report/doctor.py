"""The text of ``hipassess doctor``: what was found, and what to do about what was not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from migrate.model.setup import Setup
from migrate.report.numbers import plural
from migrate.report.safe import printable

_LABEL = 16
_EXTRA = "pip install 'hipassess[cuda-headers]'"
_ORIGINS = {"package": "Python packages"}
_C_HEADERS = {
    "linux": (
        "apt-get install libc6-dev (Debian, Ubuntu), dnf install glibc-devel (Fedora, RHEL), "
        "apk add musl-dev (Alpine)"
    ),
    "darwin": "xcode-select --install",
    "win32": "install the Build Tools for Visual Studio with the C++ workload",
}


def render_doctor(setup: Setup) -> str:
    """Return what was found, a line a part, then what is to be done; ends in a line break.

    The user's folders stand as ``~``, so that the text can be shown to others.
    """
    lines = [f"hipassess {setup.tool}, Python {setup.python}, {setup.system}", ""]
    lines += [f"{label:<{_LABEL}}{text}".rstrip() for label, text in _rows(setup)]
    lines += ["", *_verdict(setup)]
    return "".join(f"{printable(line)}\n" for line in lines)


def _rows(setup: Setup) -> Iterator[tuple[str, str]]:
    yield "libclang", _libclang(setup)
    yield from _cuda_headers(setup)
    yield "C++ library", _library(setup)
    yield "test parse", _parse(setup)
    if _tried(setup) and setup.standard and setup.standard.has_c:
        yield from (("", error) for error in setup.errors)
    if setup.commands:
        yield "commands", f"{setup.commands}, {plural(setup.commanded, 'file')}"
    yield "tables", f"claims of {setup.tables_as_of}"
    yield "cache", _shown(setup.cache) or "none: there is no home folder"


def _libclang(setup: Setup) -> str:
    if setup.libclang_problem:
        return "none that can be used"
    return f"{setup.libclang}, {_shown(setup.folder)}"


def _cuda_headers(setup: Setup) -> Iterator[tuple[str, str]]:
    toolkit = setup.toolkit
    if not toolkit.include:
        yield "CUDA headers", "none found"
        return
    version = toolkit.version or "of an unknown release"
    origin = _ORIGINS.get(toolkit.origin, toolkit.origin)
    folders = "one folder" if len(toolkit.include) == 1 else f"{len(toolkit.include)} folders"
    yield "CUDA headers", f"{version}, from {origin}, {folders}"
    yield from (("", _shown(folder)) for folder in toolkit.include)
    if toolkit.lacking:
        yield "  lacking", ", ".join(toolkit.lacking)
    yield "  libraries", ", ".join(setup.headers) or "none"
    if setup.absent:
        yield "  not there", ", ".join(setup.absent)


def _library(setup: Setup) -> str:
    if setup.standard is None:
        return "not looked for"
    if not setup.standard.has_c:
        return "none: the headers of the C library are not there"
    names = {"system": "the machine's", "libc++": "libc++, which came with libclang"}
    return names.get(setup.standard.name, "none")


def _tried(setup: Setup) -> bool:
    return bool(setup.libclang and setup.toolkit.include)


def _parse(setup: Setup) -> str:
    if not _tried(setup):
        return "not tried"
    return "no errors" if setup.parsed else f"failed: {setup.parse_problem}"


def _verdict(setup: Setup) -> Iterator[str]:
    if setup.ready:
        yield "The compiler's pass can run."
        if setup.absent:
            yield "Files that include a library whose headers are not there are understood in part."
        return
    yield "The compiler's pass lacks something; until then, scans rest on text and syntax trees:"
    yield from (f"  - {remedy}" for remedy in _remedies(setup))


def _remedies(setup: Setup) -> Iterator[str]:
    """What to do, most needed first."""
    if setup.libclang_problem:
        yield setup.libclang_problem
    toolkit = setup.toolkit
    if not toolkit.include or toolkit.lacking:
        yield _cuda_remedy(setup)
    standard = setup.standard
    if standard and not (standard.has_c and standard.name):
        yield f"C library: {_C_HEADERS.get(setup.system, 'install its headers')}"
    elif setup.libclang and toolkit.include and not toolkit.lacking and not setup.parsed:
        yield (
            f"the CUDA headers do not parse ({setup.parse_problem}): another toolkit may "
            f"(--cuda-path DIR, or {_EXTRA})"
        )


def _cuda_remedy(setup: Setup) -> str:
    what = f"CUDA headers lack {', '.join(setup.toolkit.lacking)}"
    if not setup.toolkit.include:
        what = "no CUDA headers"
    if setup.system == "darwin":
        return f"{what}: copy a toolkit's headers here and name them with --cuda-path DIR"
    if setup.toolkit.include and setup.toolkit.origin != "package":
        return f"{what}: complete {setup.toolkit.origin}, or leave it out and {_EXTRA}"
    return f"{what}: {_EXTRA}, or name a toolkit with --cuda-path DIR"


def _shown(path: str) -> str:
    try:
        home = str(Path.home())
    except RuntimeError:
        return path
    inside = len(home) > 1 and f"{path}/".startswith((f"{home}/", f"{home}\\"))
    return f"~{path[len(home) :]}" if inside else path
