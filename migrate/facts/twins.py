"""CUDA files that have a HIP twin in the tree: a port made by copying, which counts once."""

from __future__ import annotations

import re
from collections.abc import Sequence

from migrate.model.facts import FileFacts

_SUFFIX = re.compile(r"(?:\.cu|\.cuh|\.hip|\.cpp|\.cc|\.cxx|\.h|\.hpp|\.hh|\.hxx|\.inl|\.c)+$")
_HIP_WORD = re.compile(r"(?:^|(?<=[._/-]))(?:hip|rocm|amd|rccl)(?=[._/-]|$)", re.IGNORECASE)
_CUDA_FOLDER = re.compile(r"/cuda/")
_CUDA_WORD = re.compile(r"(?:^|(?<=[._/-]))(?:cuda|cu|nvidia|nv|nccl)(?=[._/-]|$)", re.IGNORECASE)


def find_ported_twins(files: Sequence[FileFacts]) -> frozenset[str]:
    """The paths of CUDA files for which the tree holds a HIP file of the same name.

    A twin is a HIP file whose path is the same but for the words that name the platform:
    ``cuda/spmv.cu`` and ``hip/spmv.hip.cpp``, ``ops.cu`` and ``ops_hip.hip``, ``src/k.cu`` and
    ``hip/src/k.hip``. The HIP file must hold HIP code, an empty placeholder is none; what lies
    in the same place of the folders ``cuda`` and ``hip`` of a tree needs no HIP name to be one.
    """
    twins = {_neutral(file.path) for file in files if file.hip and file.code_lines}
    if not twins:
        return frozenset()
    beside = _beside(files)
    return frozenset(
        file.path
        for file in files
        if not file.hip
        and (len(file.uses) or file.marks)
        and (_neutral(file.path) in twins or _CUDA_FOLDER.sub("/hip/", f"/{file.path}") in beside)
    )


def _beside(files: Sequence[FileFacts]) -> frozenset[str]:
    """The files with code in folders ``hip`` that hold HIP code somewhere, with ``/`` before."""
    known = {f"/{file.path}".partition("/hip/")[0] for file in files if file.hip}
    paths = (f"/{file.path}" for file in files if file.code_lines)
    return frozenset(
        path for path in paths if "/hip/" in path and path.partition("/hip/")[0] in known
    )


def _neutral(path: str) -> str:
    """A path without suffixes and platform words."""
    folders, _, name = path.rpartition("/")
    stem = _SUFFIX.sub("", name)
    words = [*folders.split("/"), stem]
    cleaned = [
        re.sub(r"[._-]+", "_", _CUDA_WORD.sub("", _HIP_WORD.sub("", word))).strip("_")
        for word in words
    ]
    return "/".join(word for word in cleaned if word)
