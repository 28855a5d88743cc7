"""Which C symbols each ROCm library declares in which release, and what that says of a name."""

from __future__ import annotations

import re
from functools import cache

from migrate.knowledge.tables import split_line, table_lines
from migrate.model.target import RocmRelease

_HEADER = "library,symbol,releases"
_COVERAGE = "*"
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
    "hiptensor": "tensor",
    "hipdnn": "dnn",
    "hipfile": "file",
    "nccl": "rccl",
    "roctx": "roctx",
    "amdsmi": "smi",
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
_GENERATION = re.compile(r"v\d+$")


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


class SymbolTable:
    """The symbols of every covered (library, release), read once."""

    __slots__ = ("_coverage", "_folded", "_releases")

    def __init__(self) -> None:
        self._releases: dict[tuple[str, str], frozenset[str]] = {}
        self._folded: dict[tuple[str, str], frozenset[str]] = {}
        self._coverage: dict[str, frozenset[str]] = {}
        shared: dict[str, frozenset[str]] = {}
        for line in table_lines(_HEADER, "hip_symbols.csv"):
            library, symbol, cell = split_line(line)
            releases = shared.setdefault(cell, frozenset(cell.split()))
            if symbol == _COVERAGE:
                self._coverage[library] = releases
                continue
            self._releases[library, symbol] = releases
            key = library, symbol.lower().replace("_", "")
            self._folded[key] = self._folded.get(key, frozenset()) | releases

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
        return str(release) in self._releases.get((library, name), ())

    def releases_of(self, name: str) -> frozenset[str]:
        """The covered releases, as text, that declare a HIP name."""
        return self._releases.get((symbol_library(name), name), frozenset())

    def lacks_counterpart(self, cuda: str, release: RocmRelease) -> bool:
        """Whether the release is covered and has no symbol that looks like ``cuda`` in HIP."""
        expected = expected_hip_name(cuda)
        plain = _GENERATION.sub("", expected)
        library = symbol_library(expected)
        if not self.covers(library, release):
            return False
        text = str(release)
        return not any(text in self._folded.get((library, name), ()) for name in {expected, plain})


@cache
def load_symbols() -> SymbolTable:
    """The symbol table, read at the first call."""
    return SymbolTable()
