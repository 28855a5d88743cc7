"""ROCm releases, their order, and the target an assessment speaks of."""

from __future__ import annotations

import re
from dataclasses import dataclass

_PREVIEW_MAJOR = 7
_FIRST_PREVIEW_MINOR = 9
_LAST_BEFORE_BRANCH = (7, 1)
_JOINED = (10, 0)
_FORM = re.compile(r"(\d+)\.(\d+)(?:\.\d+)*")


@dataclass(frozen=True, slots=True, order=False)
class RocmRelease:
    """A ROCm release, ``major.minor``.

    Releases are not one line: the previews 7.9 to 7.14 branch off after 7.1 and join the
    production line at 10.0, so they compare by :meth:`has`, never by number.
    """

    major: int
    minor: int

    @classmethod
    def parse(cls, text: str) -> RocmRelease:
        """Read ``7.2``, ``7.2.4`` or ``10.0``; the patch level does not count.

        Raises:
            ValueError: the text is no release number.
        """
        match = _FORM.fullmatch(text.strip())
        if match is None:
            raise ValueError(f"not a ROCm release: {text!r}")
        return cls(int(match[1]), int(match[2]))

    @property
    def preview(self) -> bool:
        """Whether this is one of the previews that ran beside 7.2."""
        return self.major == _PREVIEW_MAJOR and self.minor >= _FIRST_PREVIEW_MINOR

    def has(self, since: RocmRelease) -> bool:
        """Whether a thing that first came in ``since`` is there in this release."""
        here, there = (self.major, self.minor), (since.major, since.minor)
        if since.preview:
            return here >= _JOINED or (self.preview and here >= there)
        if self.preview:
            return there <= _LAST_BEFORE_BRANCH
        return here >= there

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


@dataclass(frozen=True, slots=True, order=True)
class CudaVersion:
    """A CUDA toolkit version, ``major.minor``."""

    major: int
    minor: int = 0

    @classmethod
    def parse(cls, text: str) -> CudaVersion:
        """Read ``12``, ``12.8`` or ``12.8.1``.

        Raises:
            ValueError: the text is no version number.
        """
        match = re.fullmatch(r"(\d+)(?:\.(\d+))?(?:\.\d+)*", text.strip())
        if match is None:
            raise ValueError(f"not a CUDA version: {text!r}")
        return cls(int(match[1]), int(match[2] or 0))

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


NEWEST_CUDA_12 = CudaVersion(12, 9)
"""What a source is taken to be written for when nothing says so (contract, "Targets")."""


@dataclass(frozen=True, slots=True)
class Target:
    """What the code shall run on: one ROCm release, one or more gfx architectures.

    ``cuda`` is the CUDA version that the source is written for; ``None`` where it is not known.
    """

    rocm: RocmRelease
    archs: tuple[str, ...]
    cuda: CudaVersion | None = None

    def __str__(self) -> str:
        cuda = f", source written for CUDA {self.cuda}" if self.cuda else ""
        return f"ROCm {self.rocm} on {', '.join(self.archs)}{cuda}"
