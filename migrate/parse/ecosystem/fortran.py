"""Fortran: CUDA Fortran, directives for GPUs, and interfaces to CUDA's C functions, by line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from migrate.model.signals import Kind, Signal
from migrate.model.verdict import State
from migrate.parse.ecosystem.branches import states_by_line

_FIXED = frozenset((".f", ".for", ".ftn", ".f77", ".fpp"))
_CUF_LINE = re.compile(r"[ \t]*[!c*]@cuf\b", re.IGNORECASE)
_DIRECTIVE = re.compile(
    r"[ \t]*[!c*]\$(?:(acc)\b[ \t]*(?!&)([^!\n]*)|(cuf)[ \t]+([^!\n]*)"
    r"|omp[ \t]+((?:[a-z]+[ \t]+){0,3}?target\b[^!\n]*))",
    re.IGNORECASE,
)
_TEXT_OR_COMMENT = re.compile(r"'[^'\n]*'?|\"[^\"\n]*\"?|!.*")
_USE = re.compile(
    r"[ \t]*use\b[ \t]*(?:,[ \t]*(?:non_)?intrinsic[ \t]*)?(?:::)?[ \t]*(\w+)", re.IGNORECASE
)
_MODULES = re.compile(
    r"cudafor\w*|cudadevice|cublas\w*|cufft\w*|cusparse\w*|curand\w*|cusolver\w*|cutensor\w*"
    r"|nccl|nvshmem|nvtx|openacc\w*",
)
_MPI_MODULES = frozenset(("mpi", "mpi_f08"))
_MPI_HEADER = re.compile(r"[ \t]*include[ \t]*['\"](mpif\.h)['\"]", re.IGNORECASE)
_ROCM_MODULES = re.compile(r"hipfort\w*|rocfft\w*|roctx\w*")
_PROCEDURE = re.compile(
    r"[ \t]*(?:[\w*()=, \t]{0,80}?[ \t)])?attributes[ \t]*\(([\w \t,]{1,60})\)"
    r"[\w*()=, \t]{0,80}?\b(?:subroutine|function)[ \t]+(\w+)",
    re.IGNORECASE,
)
_ATTRIBUTES = re.compile(
    r"[ \t]*attributes[ \t]*\([ \t]*(\w+)[ \t]*\)[ \t]*(?:::)?[ \t]*\w", re.IGNORECASE
)
_DEVICE_DATA = re.compile(
    r",[ \t]*(device|managed|pinned|constant|shared|texture|unified)[ \t]*(?=,|::)", re.IGNORECASE
)
_LAUNCH = re.compile(r"\bcall[ \t]+([\w%]+)[ \t]*<<<", re.IGNORECASE)
_CALL = re.compile(
    r"(?<![\w%])(cuda[A-Z]\w*|cublas[A-Z]\w*|cufft[A-Z]\w*|cusparse[A-Z]\w*|curand[A-Z]\w*"
    r"|cusolver[A-Z]\w*|nccl[A-Z]\w*)[ \t]*\("
)
_BIND = re.compile(
    r"\bbind[ \t]*\([ \t]*c[ \t]*,[ \t]*name[ \t]*=[ \t]*['\"](\w+)['\"]", re.IGNORECASE
)
_CUDA_NAME = re.compile(r"(?:cuda|cu|cublas|cufft|cusparse|curand|cusolver|nccl|nvtx|nvml)[A-Z]\w*")
_DATA_WORDS = frozenset(("device", "managed", "pinned", "constant", "shared", "texture", "unified"))
_WORDS = re.compile(r"[a-z_]++(?:[ \t]++(?:do\b|[a-z_]++(?!\()))?(?:[ \t]++[a-z_]++(?!\())?")
_DEFINES = ("function", "subroutine", "interface", "entry")
_LONGEST = 2_000
"""Fortran's lines have at most 10,000 characters, and those that say something are short."""


def read_fortran(path: str, text: str) -> Iterator[Signal]:
    """Yield what a Fortran file says of GPUs."""
    fixed = PurePosixPath(path).suffix.lower() in _FIXED
    lines = text.splitlines()
    states = states_by_line(lines)
    defining = False
    for number, line in enumerate(lines, start=1):
        for signal in _line_signals(line[:_LONGEST], number, fixed=fixed):
            # What follows a line that ends in ``function`` is defined there, not called.
            if not (defining and signal.kind is Kind.FORTRAN_CALL):
                yield replace(signal, state=states.get(number, State.ACTIVE))
        defining = line.rstrip("& \t").lower().endswith(_DEFINES)


def _line_signals(line: str, number: int, *, fixed: bool) -> Iterable[Signal]:
    stripped = line.lstrip()
    if not stripped or stripped[0] == "#":
        return ()
    directive = _DIRECTIVE.match(line)
    if directive is not None:
        return _directive(directive, number)
    if _CUF_LINE.match(line):
        # The sentinel is a comment to other compilers and code to NVIDIA's.
        line = line[line.lower().index("@cuf") + len("@cuf") :]
    elif fixed and line[0] in "cC*dD!":
        return ()
    return _code(line, number)


def _directive(found: re.Match[str], line: int) -> Iterator[Signal]:
    if found[1]:
        words = found[2].strip().lower()
        if words and not words.startswith("end"):
            yield Signal(Kind.OPENACC, _first_words(words), line)
    elif found[3]:
        yield Signal(Kind.CUF_LOOP, _first_words(found[4]), line)
    elif not found[5].lower().startswith("end"):
        yield Signal(Kind.OPENMP_TARGET, _first_words(found[5]), line)


def _first_words(text: str) -> str:
    """A directive without its clauses: ``parallel loop``."""
    found = _WORDS.match(text.strip().lower())
    return " ".join(found[0].split()) if found else ""


def _code(line: str, number: int) -> Iterator[Signal]:
    lower = line.lower()
    if "bind" in lower or "mpif" in lower:
        yield from _named_in_quotes(line, number)
    code = _TEXT_OR_COMMENT.sub(_blank, line)
    if "use" in lower and (module := _USE.match(code)):
        yield from _module(module[1].lower(), number)
    if "attributes" in lower:
        yield from _procedure(code, number)
    if "::" in code:
        for match in _DEVICE_DATA.finditer(code.partition("::")[0] + "::"):
            yield Signal(Kind.FORTRAN_DEVICE_DATA, match[1].lower(), number)
    if "<<<" in code and (launch := _LAUNCH.search(code)):
        yield Signal(Kind.FORTRAN_LAUNCH, launch[1], number)
    if "cu" in lower or "nccl" in lower:
        for match in _CALL.finditer(code):
            if not code[: match.start()].rstrip().lower().endswith(_DEFINES):
                yield Signal(Kind.FORTRAN_CALL, match[1], number)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _named_in_quotes(line: str, number: int) -> Iterator[Signal]:
    """Yield the C functions that an interface binds to, and MPI's header."""
    if header := _MPI_HEADER.match(line):
        yield Signal(Kind.IMPORT, header[1].lower(), number)
    for match in _BIND.finditer(line):
        if _CUDA_NAME.fullmatch(match[1]) and "!" not in line[: match.start()]:
            yield Signal(Kind.C_INTERFACE, match[1], number)


def _module(name: str, number: int) -> Iterator[Signal]:
    if name in _MPI_MODULES:
        yield Signal(Kind.IMPORT, "mpi_f08", number)
    elif _MODULES.fullmatch(name):
        yield Signal(Kind.IMPORT, name, number)
    elif _ROCM_MODULES.fullmatch(name):
        yield Signal(Kind.HIP, name, number)


def _procedure(code: str, number: int) -> Iterator[Signal]:
    found = _PROCEDURE.match(code)
    if found is not None:
        where = {word.strip().lower() for word in found[1].split(",")}
        if where & {"global", "grid_global"}:
            yield Signal(Kind.FORTRAN_KERNEL, found[2], number)
        elif "device" in where:
            yield Signal(Kind.FORTRAN_DEVICE_CODE, found[2], number)
        return
    data = _ATTRIBUTES.match(code)
    if data is not None and data[1].lower() in _DATA_WORDS:
        yield Signal(Kind.FORTRAN_DEVICE_DATA, data[1].lower(), number)
