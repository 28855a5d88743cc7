"""Which vendor's GPUs a file is for, by its path: ``Dockerfile.rocm``, ``docker/cuda/run.sh``."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ROCM = re.compile(r"rocm\d*|amd|amdgpu|hip|radeon|mi\d{3}[ax]?", re.IGNORECASE)
_CUDA = re.compile(r"cuda\d*|nvidia|gpu", re.IGNORECASE)
_BETWEEN = re.compile(r"[_.-]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
"""Where words end: ``SetupHIPToolkit.cmake`` has four."""


def is_for_rocm(path: str) -> bool:
    """Whether a path names AMD's GPUs and not NVIDIA's."""
    words = [word for part in path.split("/") for word in _words(part)]
    return any(map(_ROCM.fullmatch, words)) and not any(map(_CUDA.fullmatch, words))


def is_for_cuda(path: str) -> bool:
    """Whether a path names NVIDIA's GPUs."""
    return any(_CUDA.fullmatch(word) for part in path.split("/") for word in _words(part))


def without_vendor(path: str) -> str:
    """A path without the words for a vendor, so that the two files of a pair are one."""
    parts = (
        ".".join(
            word.lower()
            for word in _words(part)
            if not (_ROCM.fullmatch(word) or _CUDA.fullmatch(word))
        )
        for part in path.split("/")
    )
    return "/".join(filter(None, parts))


def _words(part: str) -> Iterator[str]:
    return (word for word in _BETWEEN.split(part) if word)
