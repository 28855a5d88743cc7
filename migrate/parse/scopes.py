"""Function definitions and device lambdas found by their brackets, and which one a place is in."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from migrate.model.verdict import Side
from migrate.parse.brackets import Brackets
from migrate.parse.directives import Directives

_BRACE = re.compile(rb"[{};]")
_LONGEST_HEAD = 8000
_NOT_FUNCTION = re.compile(
    rb"\b(?:if|for|while|switch|catch|do|else|namespace|struct|class|enum|union|try|return|new"
    rb"|requires)\b|[=,(\[]\s*$|^\s*extern\s*(?:\"[^\"]*\")?\s*$"
)
_STATEMENTS = frozenset(
    {"if", "for", "while", "switch", "catch", "do", "else", "return", "defined"}
)
_NOISE = re.compile(
    rb"\b(?:__launch_bounds__|__cluster_dims__|__block_size__|__maxnreg__|__attribute__|alignas"
    rb"|__align__|decltype|noexcept|__declspec|explicit|requires)\s*"
    rb"\((?:[^()]|\((?:[^()]|\([^()]*+\))*+\))*+\)"
)
_GROUP = re.compile(
    rb"(?<!\w)((?:[A-Za-z_]\w*\s*::\s*)*operator\s*"
    rb"(?:\(\s*\)|\[\s*\]|[^\s\w(]{1,3}|[\w\s:*&]{1,60}?)"
    rb"|(?:~\s*)?[A-Za-z_]\w*+(?:\s*+(?:<[^;{}()]{0,200}>\s*)?::\s*+~?[A-Za-z_]\w*+)*+"
    rb"(?:\s*+<[^;{}()]{0,200}>)?)\s*+(\()"
)
_MACRO_NAME = re.compile(rb"[A-Z][A-Z0-9_]*")
_INITIALISERS = re.compile(rb"\)[^()]*?(?<!:):(?!:)")
_MEMBER_INITIALISER = re.compile(
    rb"\)(?:\s*(?:const|noexcept|try)\b)*\s*:(?!:)(?:(?:[^;{},]++|,|\{[^{}]*+\})*,)?"
    rb"\s*[A-Za-z_][\w:]*+(?:<[^;{}()]{0,200}>)?\s*$"
)
_LONGEST_INITIALISERS = 2000
_ATTRIBUTE = re.compile(rb"__(?:launch_bounds|cluster_dims|block_size|maxnreg)__\s*\([^()]*\)")
_TEMPLATE_HEAD = re.compile(rb"\s*template\s*<")
_ANGLE = re.compile(rb"[<>]")
_TEMPLATE_ARGUMENTS = re.compile(rb"\s*<[^<>]*(?:<[^<>]*>[^<>]*)*>")
_CODE = re.compile(rb"\S")
_GLOBAL = re.compile(rb"\b__global__\b|\b[A-Z][A-Z0-9_]*_GLOBAL(?:_FUNC\w*|_INLINE)?\b")
_INLINE = rb"(?:_(?:FORCE_?INLINE|INLINE|FUNC|FUNCTION|CODE|ONLY|CALLABLE|FN|HOST|LAMBDA))*\b"
_DEVICE = re.compile(
    rb"\b__device__\b|\b__hostdev__\b|\b\w+_device_inline\b|\b(?:\w*_)?(?:HOST_?)?DEVICE"
    + _INLINE
    + rb"|\b(?:KOKKOS|GPU|\w+_GPU)_(?:FORCE)?(?:INLINE_)?(?:FUNCTION|LAMBDA|DEVICE)\b"
)
_HOST = re.compile(
    rb"\b__host__\b|\b__hostdev__\b|\b(?:\w*_)?HOST_?DEVICE"
    + _INLINE
    + rb"|\b[A-Z0-9_]*(?:HD|HOST)\b|\bKOKKOS_\w+\b|\b\w+_HOST_\w+\b|\b\w*DEVICE_HOST\w*\b"
)
_NOT_QUALIFIER = re.compile(rb"[^\w\s]")
_LONGEST_QUALIFIERS = 120
_LAMBDA = re.compile(rb"\]\s*+((?:[A-Za-z_]\w*+\s*+){1,4}+)(?=\()")
_LAMBDA_BODY = re.compile(rb"\s*+(?:mutable\b\s*+|noexcept\b\s*+)*+(?:->[^;{}()]{0,200}+)?\{")


@dataclass(frozen=True, slots=True)
class Scope:
    """A function definition by offsets: from the start of its head to behind its closing brace.

    ``is_lambda``: a lambda, which has the name of the function it stands in. ``sound`` is false
    where a syntax tree has errors inside.
    """

    start: int
    body: int
    end: int
    name: str
    side: Side
    kernel: bool = False
    attributes: tuple[str, ...] = ()
    is_lambda: bool = False
    sound: bool = True


def describe_head(head: bytes) -> tuple[Side, bool, tuple[str, ...]]:
    """Read a function head's qualifiers: where it runs, whether it is a kernel, its attributes.

    A project's own spelling counts where it says so itself: ``CUTLASS_DEVICE``, ``HOST_DEVICE``.
    """
    if _GLOBAL.search(head):
        attributes = tuple(
            re.sub(r"\s+", "", match[0].decode("latin-1")) for match in _ATTRIBUTE.finditer(head)
        )
        return Side.DEVICE, True, attributes
    device = _DEVICE.search(head) is not None
    if device and _HOST.search(head):
        return Side.BOTH, False, ()
    return (Side.DEVICE if device else Side.HOST), False, ()


@dataclass(frozen=True, slots=True)
class HeadName:
    """The declared name in a function head, and what stands before it."""

    name: str
    qualifiers: bytes


def head_name(head: bytes) -> HeadName | None:
    """Find the declared name in a function head.

    It stands before a parameter list. Brackets of macros may stand before and behind it: of several
    candidates it is the last that is not spelt as a macro, else the first. The initialisers of a
    constructor are left out.
    """
    cleaned = _NOISE.sub(lambda match: b" " * len(match[0]), head)
    initialisers = _INITIALISERS.search(cleaned)
    if initialisers:
        cleaned = cleaned[: initialisers.end()]
    brackets = Brackets(cleaned)
    found: re.Match[bytes] | None = None
    behind = 0
    for match in _GROUP.finditer(cleaned):
        if match.start() < behind:
            continue
        closed = brackets.arguments(match.start(2))
        if closed is None:
            break
        behind = closed[1]
        if found is None or not _MACRO_NAME.fullmatch(match[1]):
            found = match
    if found is None:
        return None
    return HeadName(_plain_name(found[1]), head[: found.start()])


def _plain_name(text: bytes) -> str:
    """A name without white space and, but for an operator's, without template arguments."""
    if b"operator" not in text:
        text = _TEMPLATE_ARGUMENTS.sub(b"", text)
    return "".join(text.decode("latin-1").split())


def find_scopes(masked: bytes, directives: Directives, known: Sequence[Scope]) -> list[Scope]:
    """Find function definitions by matching braces; outermost functions only, in order of place.

    Preprocessor lines are passed over. Where branches of an ``#if`` leave braces unbalanced, a
    closing brace too many is ignored, and what follows counts at file level.

    Args:
        masked: the file's code.
        directives: its preprocessor lines.
        known: functions that need not be found again, in order of place.
    """
    code = _without_directives(masked, directives)
    ends = {scope.body: scope.end for scope in known}
    scopes: list[Scope] = []
    stack: list[tuple[int, HeadName | None, int]] = []
    inside = last = passed = 0
    for match in _BRACE.finditer(code):
        character, at = match[0], match.start()
        if at < passed:
            continue
        last, start = match.end(), last
        if character == b"{" and not inside and at in ends:
            last = passed = ends[at]
        elif character == b"{":
            initialiser = not inside and _is_member_initialiser(code, start, at)
            head = None if inside or initialiser else _function_head(code, start, at)
            stack.append((start, head, -1 if initialiser else at))
            inside += head is not None
        elif character == b"}" and stack:
            start, head, body = stack.pop()
            if head is not None:
                inside -= 1
                scopes.append(_scope(head, _first_code(code, start), body, match.end()))
            elif body < 0:
                last = start
    return scopes


def _is_member_initialiser(code: bytes, start: int, end: int) -> bool:
    """Whether a brace belongs to the ``b{2}`` of ``S() : a(1), b{2} {``."""
    start = max(start, end - _LONGEST_INITIALISERS)
    colon = code.find(b":", start, end)
    return colon >= 0 and _MEMBER_INITIALISER.search(code, start, end) is not None


def _without_directives(masked: bytes, directives: Directives) -> bytes:
    parts: list[bytes] = []
    behind = 0
    for line in directives.lines:
        parts += (masked[behind : line.start], b" " * (line.end - line.start))
        behind = line.end
    return b"".join([*parts, masked[behind:]])


def _scope(head: HeadName, start: int, body: int, end: int) -> Scope:
    side, kernel, attributes = describe_head(head.qualifiers)
    return Scope(start, body, end, head.name, side, kernel, attributes)


def _first_code(code: bytes, start: int) -> int:
    match = _CODE.search(code, start)
    return match.start() if match else start


def _function_head(code: bytes, start: int, end: int) -> HeadName | None:
    if end - start > _LONGEST_HEAD or code.find(b"(", start, end) < 0:
        return None
    text = _without_template(code[start:end])
    if b"(" not in text or _NOT_FUNCTION.search(text):
        return None
    return head_name(text)


def _without_template(text: bytes) -> bytes:
    """Drop ``template <class T>`` so that its ``class`` does not read as a class definition."""
    while (opening := _TEMPLATE_HEAD.match(text)) is not None:
        depth = 0
        for match in _ANGLE.finditer(text, opening.end() - 1):
            depth += 1 if match[0] == b"<" else -1
            if depth == 0:
                text = text[match.end() :]
                break
        else:
            return text
    return text


def with_qualifiers_before(masked: bytes, directives: Directives, scope: Scope) -> Scope:
    """Take in the macros that stand before a head and that a tree with errors left out of it."""
    floor = max(scope.start - _LONGEST_QUALIFIERS, directives.floor(scope.start))
    before = _NOT_QUALIFIER.split(masked[floor : scope.start])[-1]
    if not before.strip():
        return scope
    side, kernel, attributes = describe_head(before)
    if side is Side.HOST or scope.kernel:
        return scope
    if scope.side is not Side.HOST and side is not scope.side:
        side = Side.BOTH if not kernel else side
    return replace(scope, side=side, kernel=kernel, attributes=(*attributes, *scope.attributes))


def find_device_lambdas(masked: bytes, brackets: Brackets) -> Iterator[Scope]:
    """Find ``[=] __device__ (int i) {...}``: device code in the midst of a host function."""
    for match in _LAMBDA.finditer(masked):
        side, _, _ = describe_head(match[1])
        if side is Side.HOST:
            continue
        parameters = brackets.arguments(match.end())
        body = _LAMBDA_BODY.match(masked, parameters[1]) if parameters else None
        closed = brackets.arguments(body.end() - 1) if body else None
        if body and closed:
            yield Scope(match.start(), body.end() - 1, closed[1], "", side, is_lambda=True)


class ScopeIndex:
    """Which function an offset is in, the innermost of those that hold it.

    A syntax tree with errors takes ``MACRO if (x) {`` for a function named ``if``: it is none.
    """

    def __init__(self, scopes: Iterable[Scope]) -> None:
        self.scopes = sorted(
            (scope for scope in scopes if scope.name not in _STATEMENTS),
            key=lambda scope: (scope.start, -scope.end),
        )
        self._starts: list[int] = [0]
        self._inner: list[int] = [-1]
        self._parents: list[int] = []
        stack: list[int] = []
        for number, scope in enumerate(self.scopes):
            self._close(stack, scope.start)
            self._parents.append(stack[-1] if stack else -1)
            stack.append(number)
            self._mark(scope.start, number)
        self._close(stack, None)

    def _close(self, stack: list[int], until: int | None) -> None:
        while stack and (until is None or self.scopes[stack[-1]].end <= until):
            end = self.scopes[stack.pop()].end
            while stack and self.scopes[stack[-1]].end <= end:
                stack.pop()
            self._mark(end, stack[-1] if stack else -1)

    def _mark(self, offset: int, number: int) -> None:
        if offset >= self._starts[-1]:
            self._starts.append(offset)
            self._inner.append(number)

    def at(self, offset: int) -> int:
        """The number of the innermost function around an offset, -1 at file scope."""
        return self._inner[bisect_right(self._starts, offset) - 1]

    def in_body(self, offset: int) -> bool:
        """Whether an offset is inside of a function's braces."""
        number = self.at(offset)
        return number >= 0 and offset > self.scopes[number].body

    def name(self, number: int) -> str:
        """A function's name, a lambda's being that of the function around it; "" for -1."""
        while number >= 0 and self.scopes[number].is_lambda:
            number = self._parents[number]
        return self.scopes[number].name if number >= 0 else ""

    def side(self, number: int) -> Side:
        """Where a function runs; unknown at file scope."""
        return self.scopes[number].side if number >= 0 else Side.UNKNOWN

    def holds(self, number: int, offset: int) -> bool:
        """Whether an offset is in a function; file scope (-1) holds everything."""
        return number < 0 or self.scopes[number].start <= offset < self.scopes[number].end
