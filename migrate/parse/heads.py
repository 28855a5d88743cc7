"""The heads of functions and classes as text: names, where they run, what kernels carry."""

from __future__ import annotations

import re
from dataclasses import dataclass

from migrate.model.verdict import Side
from migrate.parse.brackets import Brackets
from migrate.parse.own_words import NO_WORDS, OwnWords

_LONGEST_HEAD = 8000
_NOT_FUNCTION = re.compile(
    rb"\b(?:if|for|while|switch|catch|do|else|namespace|struct|class|enum|union|try|return|new"
    rb"|requires)\b|[=,(\[]\s*$|^\s*extern\s*(?:\"[^\"]*\")?\s*$"
)
_NOISE = re.compile(
    rb"\b(?:__launch_bounds__|__cluster_dims__|__block_size__|__maxnreg__|__attribute__|alignas"
    rb"|__align__|decltype|noexcept|__declspec|explicit|requires)\s*"
    rb"\((?:[^()]|\((?:[^()]|\([^()]*+\))*+\))*+\)"
)
_ARGUMENTS = rb"<(?:[^<>;{}()]++|<(?:[^<>;{}()]++|<[^<>;{}()]*+>)*+>)*+>"
_GROUP = re.compile(
    rb"(?<!\w)((?:[A-Za-z_]\w*+\s*+(?:" + _ARGUMENTS + rb"\s*)?::\s*)*operator\b\s*"
    rb"(?:\(\s*\)|\[\s*\]|[^\s\w(]{1,3}|[\w\s:*&]{1,60}?)"
    rb"|(?:~\s*)?[A-Za-z_]\w*+(?:\s*+(?:" + _ARGUMENTS + rb"\s*)?::\s*+~?[A-Za-z_]\w*+)*+"
    rb"(?:\s*+" + _ARGUMENTS + rb")?)\s*+(\()"
)
_MACRO_NAME = re.compile(rb"[A-Z][A-Z0-9_]*")
_INITIALISERS = re.compile(rb"\)[^()]*?(?<!:):(?!:)")
_MEMBER_INITIALISER = re.compile(
    rb"\)(?:\s*(?:const|noexcept|try)\b)*\s*:(?!:)(?:(?:[^;{},]++|,|\{[^{}]*+\})*,)?"
    rb"\s*[A-Za-z_][\w:]*+(?:<[^;{}()]{0,200}>)?\s*$"
)
_LONGEST_INITIALISERS = 2000
_BRACKETED = re.compile(rb"\((?:[^()]|\((?:[^()]|\([^()]*+\))*+\))*+\)")
TEST_MACROS = frozenset(
    {
        *("TEST", "TEST_F", "TEST_P", "TYPED_TEST", "TYPED_TEST_P"),
        *("TEST_CASE", "SCENARIO", "TEMPLATE_TEST_CASE"),
    }
)
"""The macros by which GoogleTest, Catch and doctest define a test's function."""
_TEST = re.compile(
    rb"\b(?:(?:TYPED_)?TEST(?:_F|_P)?\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)"
    rb"|(?:(?:TEMPLATE_)?TEST_CASE|SCENARIO)\s*\(\s*\"([^\"\n]{1,200})\")"
)
_LOOSE = re.compile(r"(?<!\w) | (?!\w)")
_CLASS = re.compile(
    rb"(?<!enum )\b(?:class|struct|union)\s(?:[^;{}()=<>:]*\s)?"
    rb"((?!final\b)[A-Za-z_]\w*+(?:\s*+::\s*+[A-Za-z_]\w*+)*+(?:\s*+<[^;{}()=]{0,2000}?>)?)"
    rb"(?:\s*+final\b)?\s*+(?:(?<!:):(?!:)[^;{}=]*+)?$"
)
_ATTRIBUTE = re.compile(
    rb"__(?:launch_bounds|cluster_dims|block_size|maxnreg)__\s*\((?:[^()]|\([^()]*\))*\)"
)
_TEMPLATE_HEAD = re.compile(rb"\s*template\s*<")
_ANGLE = re.compile(rb"[<>]")
_GLOBAL = re.compile(
    rb"\b__global__\b|\b[A-Z][A-Z0-9_]*_GLOBAL(?:_FUNC\w*|_INLINE)?\b"
    rb"|\b[A-Z][A-Z0-9_]*_KERNEL\b(?!\s*\()"
)
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
_KNOWN_QUALIFIERS = frozenset({b"__global__", b"__device__", b"__host__"})


def is_qualifier_macro(word: bytes) -> bool:
    """Whether a word is a project's own spelling of ``__device__`` or ``__global__``."""
    return word not in _KNOWN_QUALIFIERS and bool(
        _DEVICE.fullmatch(word) or _GLOBAL.fullmatch(word)
    )


def describe_head(head: bytes, own: OwnWords = NO_WORDS) -> tuple[Side, bool, tuple[str, ...]]:
    """Read a function head's qualifiers: where it runs, whether it is a kernel, its attributes.

    A project's own spelling counts where it says so itself: ``CUTLASS_DEVICE``, ``HOST_DEVICE``,
    and where the tree defines it (``own``).
    """
    words = own.of(head)
    if _GLOBAL.search(head) or words & own.kernel:
        attributes = tuple(
            re.sub(r"\s+", "", match[0].decode("latin-1")) for match in _ATTRIBUTE.finditer(head)
        )
        return Side.DEVICE, True, attributes
    device = _DEVICE.search(head) is not None or bool(words)
    if device and (_HOST.search(head) or words & own.host):
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
    return HeadName(tight(found[1]), head[: found.start()])


def function_head(text: bytes) -> HeadName | None:
    """The head that a text before a brace is; None where the brace opens no function."""
    if len(text) > _LONGEST_HEAD or b"(" not in text:
        return None
    text = _without_template(text)
    if b"(" not in text or _NOT_FUNCTION.search(_BRACKETED.sub(b"()", text)):
        return None
    return head_name(text)


def name_of_test(head: bytes) -> str:
    """What a test framework's macro calls the function that it heads; "" for another head.

    GoogleTest's ``TEST_F(Suite, Name)`` is ``Suite.Name``, Catch's test case its title.
    """
    match = _TEST.search(head)
    if match is None:
        return ""
    if match[3] is not None:
        return " ".join(match[3].decode("utf-8", "replace").split())
    return f"{match[1].decode()}.{match[2].decode()}"


def is_macro(name: str) -> bool:
    """Whether a name is spelt as macros are."""
    return len(name) > 1 and name.isupper()


def class_head(text: bytes) -> str:
    """The name of the class that a text before a brace declares; "" where it declares none."""
    if len(text) > _LONGEST_HEAD:
        return ""
    text = _BRACKETED.sub(b" ", _without_template(text))
    match = _CLASS.search(text)
    return tight(match[1]) if match else ""


def is_member_initialiser(code: bytes, start: int, end: int) -> bool:
    """Whether a brace belongs to the ``b{2}`` of ``S() : a(1), b{2} {``."""
    start = max(start, end - _LONGEST_INITIALISERS)
    colon = code.find(b":", start, end)
    return colon >= 0 and _MEMBER_INITIALISER.search(code, start, end) is not None


def tight(text: bytes) -> str:
    """A name without white space, but for that between two words."""
    return _LOOSE.sub("", " ".join(text.decode("latin-1").split()))


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
