"""The files of the scanned tree: what is read, how, and what was not read and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Language(StrEnum):
    """What a file is, by name and where needed by content."""

    CUDA = "cuda"
    CPP = "c++"
    C = "c"
    HIP = "hip"
    PTX = "ptx"
    GPU_IMAGE = "gpu-image"
    """Machine code of NVIDIA GPUs: never read, only named."""
    PYTHON = "python"
    CMAKE = "cmake"
    MAKE = "make"
    SHELL = "shell"
    DOCKER = "docker"
    YAML = "yaml"
    REQUIREMENTS = "requirements"
    TOML = "toml"
    NOTEBOOK = "notebook"
    OTHER_BUILD = "other-build"
    FORTRAN = "fortran"
    OTHER_CODE = "other-code"
    """Rust, Julia, Go, Java, C# or MATLAB that takes CUDA from a binding."""

    @property
    def c_family(self) -> bool:
        """Whether the C and C++ readers apply."""
        return self in _C_FAMILY


_C_FAMILY = frozenset({Language.CUDA, Language.CPP, Language.C, Language.HIP})


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """One file that will be read.

    ``path`` is relative to the scanned root with ``/`` and printable (``migrate.treefile``);
    ``size`` is in bytes. ``vendored`` is third-party code kept in the tree, ``test`` test code.
    """

    path: str
    size: int
    language: Language
    vendored: bool = False
    test: bool = False


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file or folder that was not read, with the reason as a person would say it.

    ``candidate`` is true where it should have been read: it makes the run less complete. ``size``
    is in bytes.
    """

    path: str
    reason: str
    candidate: bool = False
    size: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Inventory:
    """Everything found under the scanned paths, sorted by path.

    ``root`` is the absolute folder that paths are relative to; ``commit`` the checked-out git
    commit ("" where there is none); ``dirty`` is None where that is not known.
    """

    root: str
    sources: tuple[SourceFile, ...]
    skipped: tuple[Skipped, ...]
    commit: str = ""
    dirty: bool | None = None
