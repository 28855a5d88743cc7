"""Functions of the C library used in a file that relies on nvcc for their header."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.knowledge.headers import library_of_header
from migrate.model.facts import FileFacts
from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule
from migrate.model.source import Language
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Severity, Tier
from migrate.rules.code import Code
from migrate.rules.compiler.sources import HIP_CHANGES

_BRING = frozenset({"cstring", "string.h", "memory.h", "strings.h", "omp.h"})
_BARE = frozenset({"runtime", "driver", "device", "complex", "cooperative_groups"})
"""CUDA headers whose HIP counterparts are known to bring no <cstring>."""
_STANDARD = re.compile(
    r"[a-z_]+|(?:assert|ctype|errno|float|inttypes|limits|math|std(?:arg|bool|def|int|io|lib)|time"
    r"|sys/stat|sys/time|sys/types|unistd)\.h"
)
"""Headers of C++ and C: none of GCC's brings another one's names of <cstring>."""
_MOST_FILES = 100


def _check(code: Code) -> Iterator[Hit]:
    if not _is_unit(code):
        return
    marks = list(code.marks(MarkKind.LIBRARY_CALL))
    if marks and _lacks_header(code):
        for mark in marks:
            yield code.hit(mark)


def _is_unit(code: Code) -> bool:
    """Whether nvcc compiles the file, not another one that includes it."""
    name = code.path.rpartition("/")[2]
    return (
        code.facts.language is Language.CUDA
        and not name.endswith(".cuh")
        and name not in code.base.included_names
    )


def _lacks_header(code: Code) -> bool:
    """Whether all that a file includes is known, and none of it brings the header."""
    seen = {code.path}
    open_files: list[FileFacts] = [code.facts]
    while open_files:
        file = open_files.pop()
        for include in file.includes:
            inside = code.base.included(include.name, file.path)
            if not inside and not _is_bare(include.name):
                return False
            open_files += [one for one in inside if one.path not in seen]
            seen.update(one.path for one in inside)
            if len(seen) > _MOST_FILES:
                return False
    return True


def _is_bare(name: str) -> bool:
    if name in _BRING:
        return False
    return _STANDARD.fullmatch(name) is not None or library_of_header(name) in _BARE


RULE = Rule(
    id="HA-K166",
    slug="header-from-nvcc",
    title="Function of the C library whose header only nvcc brings",
    family=Family.COMPILER,
    tier=Tier.KERNEL,
    why="nvcc includes cuda_runtime.h, and with it string.h, in every .cu file. From ROCm 7.0 the "
    "HIP headers include neither string.h nor assert.h, and clang nothing of its own: the "
    "function is unknown.",
    fix="Include <cstring> in the file that uses it.",
    holds=Holds(since=RocmRelease(7, 0)),
    evidence=(HIP_CHANGES,),
    example=Example(
        cuda="#include <cuda_runtime.h>\n__global__ void f(int* a) { a[0] = 1; }\n"
        "void clear(char* a) { memset(a, 0, 4); }",
        hip="#include <cstring>\n#include <cuda_runtime.h>\n"
        "__global__ void f(int* a) { a[0] = 1; }\nvoid clear(char* a) { memset(a, 0, 4); }",
    ),
    driver=Driver.HAZARD_KIND,
    severity=Severity.MINOR,
    confidence=Confidence.LIKELY,
    per_file=True,
    check=_check,
)
