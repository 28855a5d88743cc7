"""Which C symbols each ROCm library declares in which release, and what that says of a name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from migrate.knowledge.tables import split_line, table_lines
from migrate.model.target import RocmRelease

HEADER = "library,symbol,releases"
_COVERAGE = ",*,"
# Longest prefix first where one begins another; "" for headers without C symbols.
_LIBRARY_OF = {
    "hipcub": "",
    "hipblaslt": "blaslt",
    "hipblas": "blas",
    "hipsparselt": "sparselt",
    "hipsparse": "sparse",
    "hipsolver": "solver",
    "hipfft": "fft",
    "hiprand": "rand",
    "hiprtc": "rtc",
    "hiptensormap": "runtime",  # the driver's tensor maps, no part of cuTENSOR
    "hiptensor": "tensor",
    "hipdnn": "dnn",
    "hipfile": "file",
    "nccl": "rccl",
    "rccl": "rccl",
    "roctx": "roctx",
    "amdsmi": "smi",
    "miopen": "miopen",
    "hip": "runtime",
}
_HIP_PREFIX = (
    ("cudnn", "hipdnn"),
    ("cutensor", "hiptensor"),
    ("nvrtc", "hiprtc"),
    ("cublas", "hipblas"),
    ("cusparse", "hipsparse"),
    ("cusolver", "hipsolver"),
    ("cufft", "hipfft"),
    ("curand", "hiprand"),
    ("cufile", "hipfile"),
    ("nccl", "nccl"),
    ("cuda", "hip"),
    ("cu", "hip"),
)
# A later generation of a call, also before the "_64" of wide integers.
_GENERATION = re.compile(r"v\d(?=(?:64)?$)")
# What the runtime has under its own name, HIP calls hipDrv* where it is the driver's function.
_DRIVER = re.compile(r"cu(?!da)")
# The previews stand between these two: what neither declares, no preview does.
_AROUND_PREVIEWS = (RocmRelease(7, 1), RocmRelease(10, 0))


def symbol_library(name: str) -> str:
    """The key in hip_symbols.csv of the library that would declare a HIP name; "" for none."""
    folded = name.lower()
    for prefix, library in _LIBRARY_OF.items():
        if folded.startswith(prefix):
            return library
    return ""


def expected_hip_name(cuda: str) -> str:
    """What a CUDA name would be called in HIP, folded to small letters and no underscores."""
    folded = cuda.lower().replace("_", "")
    for prefix, hip in _HIP_PREFIX:
        if folded.startswith(prefix):
            return hip + folded[len(prefix) :]
    return ""


def _spellings(cuda: str, expected: str) -> frozenset[str]:
    """The folded names under which HIP may have a CUDA name: without a ``_v2``, as hipDrv*."""
    names = {expected, _GENERATION.sub("", expected)}
    if _DRIVER.match(cuda) and symbol_library(expected) == "runtime":
        names |= {f"hipdrv{name.removeprefix('hip')}" for name in names}
    return frozenset(names)


class SymbolTable:
    """The symbols of every covered (library, release); a library is parsed when asked for.

    ``lines`` are those of hip_symbols.csv below its header.
    """

    __slots__ = ("_coverage", "_folded", "_lines", "_releases")

    def __init__(self, lines: Iterable[str]) -> None:
        self._coverage: dict[str, frozenset[str]] = {}
        self._lines: dict[str, list[str]] = {}
        self._releases: dict[str, dict[str, frozenset[str]]] = {}
        self._folded: dict[str, dict[str, tuple[str, ...]]] = {}
        for line in lines:
            library = line[: line.find(",")]
            if line.startswith(_COVERAGE, len(library)):
                self._coverage[library] = frozenset(split_line(line)[2].split())
            else:
                self._lines.setdefault(library, []).append(line)

    def covers(self, library: str, release: RocmRelease) -> bool:
        """Whether the symbols of the library are known for the release."""
        return str(release) in self._coverage.get(library, ())

    def covered(self, library: str) -> frozenset[str]:
        """The releases, as text, for which the library's symbols are known."""
        return self._coverage.get(library, frozenset())

    def has(self, name: str, release: RocmRelease) -> bool | None:
        """Whether a HIP name is declared in the release; ``None`` where that is not known."""
        library = symbol_library(name)
        if not self.covers(library, release):
            return None
        return str(release) in self._symbols(library).get(name, ())

    def lacks_counterpart(self, cuda: str, release: RocmRelease) -> bool:
        """Whether the release is covered and has no symbol that looks like ``cuda`` in HIP.

        The symbols of no preview are known; one lacks what the releases around it both lack.
        """
        library = symbol_library(expected_hip_name(cuda))
        looked = _AROUND_PREVIEWS if release.preview else (release,)
        return all(self.covers(library, one) and not self.counterparts(cuda, one) for one in looked)

    def counterparts(self, cuda: str, release: RocmRelease) -> tuple[str, ...]:
        """The symbols of the release that look like ``cuda`` in HIP."""
        expected = expected_hip_name(cuda)
        library = symbol_library(expected)
        if not self.covers(library, release):
            return ()
        folded, symbols = self._folded_symbols(library), self._symbols(library)
        return tuple(
            symbol
            for name in sorted(_spellings(cuda, expected))
            for symbol in folded.get(name, ())
            if str(release) in symbols[symbol]
        )

    def _symbols(self, library: str) -> dict[str, frozenset[str]]:
        if library not in self._releases:
            shared: dict[str, frozenset[str]] = {}
            symbols = self._releases[library] = {}
            for line in self._lines[library]:
                _, symbol, cell = split_line(line)
                symbols[symbol] = shared.setdefault(cell, frozenset(cell.split()))
        return self._releases[library]

    def _folded_symbols(self, library: str) -> dict[str, tuple[str, ...]]:
        if library not in self._folded:
            folded: dict[str, tuple[str, ...]] = {}
            for symbol in self._symbols(library):
                key = symbol.lower().replace("_", "")
                folded[key] = (*folded.get(key, ()), symbol)
            self._folded[library] = folded
        return self._folded[library]


@cache
def load_symbols() -> SymbolTable:
    """The symbol table, read at the first call."""
    return SymbolTable(table_lines(HEADER, "hip_symbols.csv"))
