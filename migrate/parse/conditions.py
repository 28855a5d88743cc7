"""What a preprocessor condition is worth in a CUDA build and in a HIP build: true, false or open."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache


class World(Enum):
    """The build in which a condition is read."""

    CUDA = "cuda"
    HIP = "hip"


class MacroKind(Enum):
    """What a macro's name tells of the builds that define it."""

    HIP_PLATFORM = "defined and true in every HIP build, in no CUDA build"
    HIP = "defined in some HIP builds, in no CUDA build"
    CUDA = "defined in some CUDA builds, in no HIP build"
    CUDA_OPTION = "a project's CUDA switch: off in a HIP build only where HIP has its own branch"
    OTHER_PLATFORM = "a third platform: defined in neither build"
    NEUTRAL = "nothing is known"


_HIP_WORDS = frozenset({"HIP", "HIPCC", "ROCM", "ROC", "AMD", "AMDGPU", "AMDGCN", "HCC", "MFMA"})
_HIP_ARCH = re.compile(r"(?:gfx\w+|GFX\d\w*|GCN\d*|CDNA\d*|RDNA\d*)")
_CUDA_BUILTIN = re.compile(
    r"__CUDACC\w*|__CUDA_ARCH\w*|__CUDA__|__NVCC__|CUDART_VERSION|CUDA_VERSION|CUDA_ARCH"
    r"|CUDNN_(?:VERSION|MAJOR|MINOR)|__HIP_PLATFORM_NV\w+|__NVCOMPILER\w*|__CUDAARCH\w*"
)
_OTHER_WORDS = frozenset(
    {"MUSA", "SYCL", "ONEAPI", "CANN", "ASCEND", "MACA", "OPENCL", "METAL", "XPU", "NPU", "MPS"}
)
_SWITCH_WORDS = frozenset(
    {"USE", "USES", "USING", "WITH", "ENABLE", "ENABLED", "HAVE", "HAS", "BUILD", "FOR", "TARGET",
     "PLATFORM", "BACKEND"}
)  # fmt: skip
_CUDA_WORDS = frozenset({"CUDA", "NVIDIA", "NVCC", "NV"})


@dataclass(frozen=True, slots=True)
class ProjectMacros:
    """The project's own macros named in settings: defined only in HIP, or only in CUDA builds."""

    hip: frozenset[str] = field(default_factory=frozenset)
    cuda: frozenset[str] = field(default_factory=frozenset)


def macro_kind(name: str, project: ProjectMacros) -> MacroKind:
    """Judge a macro by its name: the compilers' own, then the words that projects build switches from.

    The compilers' macros are listed in the HIP porting guide (ROCm/rocm-systems,
    projects/hip/docs/how-to/hip_porting_guide.rst); ``USE_ROCM``, ``WITH_HIP``, ``GGML_USE_HIP`` and
    their kind follow one pattern: a switch word and, last, a word for the platform.
    """
    if name in project.hip:
        return MacroKind.HIP_PLATFORM
    if name in project.cuda:
        return MacroKind.CUDA
    if _CUDA_BUILTIN.fullmatch(name):
        return MacroKind.CUDA
    words = [word for word in name.split("_") if word]
    if not words:
        return MacroKind.NEUTRAL
    upper = [word.upper() for word in words]
    switch = _SWITCH_WORDS.intersection(upper)
    if name.startswith(("__HIP_PLATFORM_", "HIP_PLATFORM_")):
        return MacroKind.HIP_PLATFORM
    if any(word in _HIP_WORDS or _HIP_ARCH.fullmatch(word) for word in words):
        platform = upper[-1] in _HIP_WORDS and switch
        return MacroKind.HIP_PLATFORM if platform else MacroKind.HIP
    if switch and upper[-1] in _CUDA_WORDS:
        return MacroKind.CUDA_OPTION
    if _OTHER_WORDS.intersection(upper) and (switch or name.startswith("__")):
        return MacroKind.OTHER_PLATFORM
    return MacroKind.NEUTRAL


_TOKEN = re.compile(
    r"\s*(?:(?P<number>0[xX][\da-fA-F']+|\d[\d']*)[uUlL]*|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<op>&&|\|\||==|!=|<=|>=|<<|>>|[-+*/%<>!~&|^?:(),])|(?P<other>\S))"
)
_BINARY = {
    "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7,
    "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}  # fmt: skip


@lru_cache(maxsize=65536)
def evaluate(
    condition: str, world: World, project: ProjectMacros, *, cuda_options_off: bool
) -> bool | None:
    """Evaluate a condition in one build; ``None`` where it depends on what is not known.

    ``cuda_options_off`` says that a HIP build does not set the project's CUDA switches.
    """
    parser = _Parser(condition, world, project, cuda_options_off=cuda_options_off)
    try:
        value = parser.expression(0)
    except (_UnreadableError, RecursionError):
        return None
    return None if value is None else bool(value)


@lru_cache(maxsize=65536)
def hip_macros(condition: str, project: ProjectMacros) -> frozenset[str]:
    """The macros in a condition that only HIP builds know."""
    names = re.findall(r"[A-Za-z_]\w*", condition)
    kinds = {MacroKind.HIP_PLATFORM, MacroKind.HIP}
    return frozenset(name for name in names if macro_kind(name, project) in kinds)


class _UnreadableError(Exception):
    """The condition is no expression this reader knows."""


class _Parser:
    """Precedence climbing over the tokens of one condition."""

    def __init__(
        self, text: str, world: World, project: ProjectMacros, *, cuda_options_off: bool
    ) -> None:
        self._tokens = [
            (match.lastgroup or "", match[match.lastgroup or 0]) for match in _TOKEN.finditer(text)
        ]
        self._at = 0
        self._world = world
        self._project = project
        self._options_off = cuda_options_off

    def _next(self) -> tuple[str, str]:
        if self._at >= len(self._tokens):
            raise _UnreadableError
        self._at += 1
        return self._tokens[self._at - 1]

    def _peek(self) -> str:
        return self._tokens[self._at][1] if self._at < len(self._tokens) else ""

    def expression(self, lowest: int) -> int | None:
        left = self._unary()
        while (level := _BINARY.get(self._peek(), 0)) > lowest:
            operator = self._next()[1]
            left = _apply(operator, left, self.expression(level))
        if lowest == 0 and self._peek() == "?":
            left = self._ternary(left)
        return left

    def _ternary(self, condition: int | None) -> int | None:
        self._next()
        then = self.expression(0)
        if self._next()[1] != ":":
            raise _UnreadableError
        otherwise = self.expression(0)
        if condition is None:
            return then if then == otherwise else None
        return then if condition else otherwise

    def _unary(self) -> int | None:
        kind, text = self._next()
        if kind == "number":
            return (
                int(text.replace("'", ""), 0) if text[:1] != "0" or len(text) == 1 else _zero(text)
            )
        if kind == "name":
            return self._defined() if text == "defined" else self._macro(text)
        if text == "(":
            value = self.expression(0)
            if self._next()[1] != ")":
                raise _UnreadableError
            return value
        if text in {"!", "-", "+", "~"}:
            return _negate(text, self._unary())
        raise _UnreadableError

    def _defined(self) -> int | None:
        kind, text = self._next()
        if text == "(":
            kind, text = self._next()
            if self._next()[1] != ")":
                raise _UnreadableError
        if kind != "name":
            raise _UnreadableError
        return self._known(text)

    def _macro(self, name: str) -> int | None:
        if self._peek() == "(":
            self._skip_arguments()
            return 0 if self._known(name) == 0 else None
        known = self._known(name)
        if known == 1 and macro_kind(name, self._project) is not MacroKind.HIP_PLATFORM:
            return None
        return {"true": 1, "false": 0}.get(name, known)

    def _skip_arguments(self) -> None:
        depth = 0
        while True:
            text = self._next()[1]
            depth += (text == "(") - (text == ")")
            if depth == 0:
                return

    def _known(self, name: str) -> int | None:
        """1 or 0 where the build settles whether ``name`` is defined, else None."""
        kind = macro_kind(name, self._project)
        if kind is MacroKind.OTHER_PLATFORM:
            return 0
        if self._world is World.CUDA:
            return 0 if kind in {MacroKind.HIP_PLATFORM, MacroKind.HIP} else None
        if kind is MacroKind.CUDA or (kind is MacroKind.CUDA_OPTION and self._options_off):
            return 0
        return 1 if kind is MacroKind.HIP_PLATFORM else None


def _zero(text: str) -> int:
    digits = text.replace("'", "")
    return int(digits, 16) if digits[1:2] in {"x", "X"} else int(digits, 8)


def _negate(operator: str, value: int | None) -> int | None:
    if value is None:
        return None
    return {"!": int(not value), "-": -value, "+": value, "~": ~value}[operator]


def _apply(operator: str, left: int | None, right: int | None) -> int | None:  # noqa: PLR0911 - one line an operator
    if operator == "&&":
        if left == 0 or right == 0:
            return 0
        return None if left is None or right is None else 1
    if operator == "||":
        if left or right:
            return 1
        return None if left is None or right is None else 0
    if left is None or right is None:
        return None
    if operator in {"/", "%"}:
        if right == 0:
            raise _UnreadableError
        return left // right if operator == "/" else left % right
    if operator in {"<<", ">>"} and not 0 <= right < 64:  # noqa: PLR2004 - width of intmax_t
        raise _UnreadableError
    return int(_PLAIN[operator](left, right))


_PLAIN = {
    "|": int.__or__, "^": int.__xor__, "&": int.__and__, "==": int.__eq__, "!=": int.__ne__,
    "<": int.__lt__, ">": int.__gt__, "<=": int.__le__, ">=": int.__ge__, "<<": int.__lshift__,
    ">>": int.__rshift__, "+": int.__add__, "-": int.__sub__, "*": int.__mul__,
}  # fmt: skip
