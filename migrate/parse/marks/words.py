"""Words and pragmas of nvcc's C++ that clang refuses or passes over."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.parse.marks.finder import Finder, FoundMark, MarkText

_REGISTER = re.compile(rb"register(?=\s+[A-Za-z_])")
_PRAGMA = re.compile(
    rb"\s*+(nv_(?:diag_\w+|diagnostic|exec_check_disable|abi|weak\w*)|diag_\w+|hd_warning_disable"
    rb"|nv_hdrstop)\b"
)
_OFFLOAD = re.compile(
    rb"\s*+(acc(?:[ \t]+(?!end\b)[a-z]+){1,3}"
    rb"|omp[ \t]+(?:declare[ \t]+)?target(?:[ \t]+[a-z]+){0,3})"
)


def _find_register(text: MarkText) -> Iterator[FoundMark]:
    for match in text.matches(_REGISTER, b"register"):
        line = text.file.code.directives.at(match.start())
        if line is None or line.word == "define":
            yield FoundMark(MarkKind.REGISTER, *match.span(), "register")


def _find_pragmas(text: MarkText) -> Iterator[FoundMark]:
    for line in text.file.code.directives.of("pragma"):
        match = _PRAGMA.match(text.masked, line.text, line.end)
        if match is not None:
            name = match[1].decode("ascii")
            yield FoundMark(MarkKind.PRAGMA, match.start(1), match.end(1), name)


def _find_offload(text: MarkText) -> Iterator[FoundMark]:
    for line in text.file.code.directives.of("pragma"):
        match = _OFFLOAD.match(text.masked, line.text, line.end)
        if match is not None:
            words = " ".join(match[1].decode("ascii").split())
            yield FoundMark(MarkKind.OFFLOAD_PRAGMA, match.start(1), match.end(1), words)


REGISTER = Finder(_find_register, signs=(b"register",))
PRAGMAS = Finder(_find_pragmas, signs=(b"diag_", b"nv_", b"hd_warning_disable"))
OFFLOAD = Finder(_find_offload, signs=(b"acc", b"target"), gpu_code=False)
FINDERS = (REGISTER, PRAGMAS, OFFLOAD)
