"""What the ``#define``s of a tree say of its own words: read before its files are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from migrate.model.source import SourceFile
from migrate.parse.brackets import split_arguments
from migrate.parse.constructs import find_launches
from migrate.parse.mask import mask_comments_and_literals
from migrate.parse.own_words import HeadMacro, LaunchMacro, OwnWords, with_arguments
from migrate.treefile import read_regular_file

_DEFINE = re.compile(
    rb"#[^\S\n]*+define[^\S\n]++([A-Za-z_]\w*+)(?:\(([^()]*+)\))?"
    rb"([^\n\\]*+(?:\\(?:[^\S\n]*+\n|[\s\S]|\Z)[^\n\\]*+)*+)"
)
_JOINED = re.compile(rb"\\[^\S\n]*+\n")
_WORD = re.compile(rb"[A-Za-z_]\w*+")
_WORDS_ALONE = re.compile(
    rb'(?:[\s"]|[A-Za-z_]\w*+|\[\[[^\[\]]*+\]\]|\((?:[^()]|\([^()]*+\))*+\))*+'
)
_SIDES = frozenset({b"__global__", b"__device__", b"__host__"})
_NOT_LEARNT = _SIDES | {
    *(b"__shared__", b"__constant__", b"__managed__", b"__forceinline__", b"__noinline__"),
    *(b"__launch_bounds__", b"__restrict__", b"__inline__", b"inline", b"static", b"extern"),
    *(b"const", b"constexpr", b"void", b"template", b"typename", b"auto", b"restrict"),
}
"""Words of CUDA's or the language's own, whatever a header makes of them."""
_VARIABLES = frozenset({b"__shared__", b"__constant__", b"__managed__"})
_BETWEEN = rb"\bvoid\b(?:[^(){};]|\([^()]*+\))*?\b"
_NAME_AT_END = re.compile(
    _BETWEEN + rb"(?:([A-Za-z_]\w*+)|(?!__)[A-Za-z_]\w*+\s*+\(\s*+([A-Za-z_]\w*+)\s*+\))\s*+$"
)
_LIST_AT_END = re.compile(_BETWEEN + rb"([A-Za-z_]\w*+)\s*+\([^(){};]*+\)\s*+$")
_IN_BRACKETS = re.compile(rb"\((?:[^()]|\([^()]*+\))*+\)")
_PASTED = re.compile(rb"(\w++)\s*+##\s*+(\w++)")
_LAUNCH_CALL = re.compile(rb"\b(cudaLaunch(?:Cooperative)?Kernel)\s*(?:<[^<>;(){}]{1,200}>\s*)?\(")
_CAST = re.compile(rb"\(\s*(?:const\s+)?void\s*(?:const\s*)?\*\s*\)|[&()\s]")
_LAUNCHES = (b"<<<", b"LaunchKernel", b"LaunchCooperativeKernel")
_MOST_WORDS = 12
_LONGEST = 8000
_LONGEST_HEAD = 600
_LONGEST_NESTED = 2000
_MOST_NESTED = 20_000
_MOST_CALLS = 8
_ROUNDS = 6
"""So deep macros may stand for macros."""


class _Macro(NamedTuple):
    """A ``#define`` without comments on one line; ``parameters`` is None for a plain one."""

    name: bytes
    parameters: tuple[bytes, ...] | None
    body: bytes
    path: str


def learn_words(root: str, files: Sequence[SourceFile]) -> OwnWords:
    """Read the definitions of a tree's files; a file that cannot be read defines nothing.

    Two definitions of one name say together what it may stand for: the host compiler's ``HD`` is
    empty. A name that is defined as an expression too is not learnt.
    """
    plain: dict[bytes, set[bytes]] = {}
    spoilt: set[bytes] = set()
    calls: list[_Macro] = []
    nested = 0
    for file in files:
        for macro in _definitions(root, file):
            if macro.parameters is None:
                words = _plain_words(macro.body)
                if words is None:
                    spoilt.add(macro.name)
                else:
                    plain.setdefault(macro.name, set()).update(words)
                continue
            told = any(sign in macro.body for sign in (b"__global__", b"__device__", *_LAUNCHES))
            nested += not told
            if told or (nested <= _MOST_NESTED and len(macro.body) <= _LONGEST_NESTED):
                calls.append(macro)
    sides = _sides({name: words for name, words in plain.items() if name not in spoilt})
    return _joined(sides, calls)


def _definitions(root: str, file: SourceFile) -> Iterator[_Macro]:
    try:
        data = read_regular_file(root, file.path)
    except OSError:
        return
    for match in _DEFINE.finditer(data):
        name, parameters, body = match.groups()
        if len(body) > _LONGEST or name in _NOT_LEARNT or not body.strip():
            continue
        if parameters is None and len(body) > _LONGEST_NESTED:
            continue
        text = b" ".join(_JOINED.sub(b" ", mask_comments_and_literals(body)).split())
        taken = None
        if parameters is not None:
            taken = tuple(one.strip() for one in _JOINED.sub(b" ", parameters).split(b","))
        yield _Macro(name, taken, text, file.path)


def _plain_words(body: bytes) -> set[bytes] | None:
    """The words of a body that is nothing but words and attributes; None for another."""
    if not _WORDS_ALONE.fullmatch(body):
        return None
    words = _WORD.findall(body)
    return set(words) if len(words) <= _MOST_WORDS and _VARIABLES.isdisjoint(words) else None


def _sides(plain: dict[bytes, set[bytes]]) -> dict[bytes, set[bytes]]:
    """The qualifiers that each name stands for, through others too; names without are left out."""
    sides: dict[bytes, set[bytes]] = {side: {side} for side in _SIDES}
    for _ in range(_ROUNDS):
        found = {
            name: set[bytes]().union(*(sides[word] for word in words & sides.keys()))
            for name, words in plain.items()
            if not words.isdisjoint(sides)
        }
        found |= {side: {side} for side in _SIDES}
        if found == sides:
            break
        sides = found
    return sides


def _joined(sides: dict[bytes, set[bytes]], calls: Sequence[_Macro]) -> OwnWords:
    heads: set[HeadMacro] = set()
    headed: dict[bytes, set[bytes]] = {}
    bracketed: dict[bytes, set[bytes]] = {}
    for macro in calls:
        head, said = _head(macro), _said(macro.body, sides)
        if head is not None and said:
            heads.add(head)
            headed.setdefault(macro.name, set()).update(said)
        elif said and _is_bracketed(macro):
            bracketed.setdefault(macro.name, set()).update(said)
    for name in headed.keys() & bracketed.keys():
        del bracketed[name]
    known = {name: said for name, said in sides.items() if name not in _SIDES}
    known |= bracketed | headed
    return OwnWords(
        kernel=_with(known, b"__global__"),
        device=_with(known, b"__device__"),
        host=_with(known, b"__host__"),
        bracketed=frozenset(bracketed),
        heads=tuple(sorted(heads)),
        launches=tuple(sorted(set(_launches(calls)))),
    )


def _with(known: dict[bytes, set[bytes]], side: bytes) -> frozenset[bytes]:
    return frozenset(name for name, said in known.items() if side in said)


def _said(body: bytes, sides: dict[bytes, set[bytes]]) -> set[bytes]:
    """The qualifiers that the words of a body stand for; a variable's are none of a function's."""
    words = set(_WORD.findall(body))
    if not _VARIABLES.isdisjoint(words) or b"{" in body or len(body) > _LONGEST_HEAD:
        return set()
    return set[bytes]().union(*(sides[word] for word in words & sides.keys()))


def _head(macro: _Macro) -> HeadMacro | None:
    """The macro as a function's head; a kernel returns ``void``, so its name stands behind that."""
    if macro.parameters is None or len(macro.body) > _LONGEST_HEAD:
        return None
    text = _PASTED.sub(partial(_parameter_of, macro.parameters), macro.body)
    for pattern, whole in ((_LIST_AT_END, True), (_NAME_AT_END, False)):
        match = pattern.search(text)
        name = match[match.lastindex or 1] if match else b""
        if name in macro.parameters:
            return HeadMacro(macro.name, macro.parameters.index(name), whole)
    return None


def _parameter_of(parameters: tuple[bytes, ...], pasted: re.Match[bytes]) -> bytes:
    """That part of a name which is pasted together that the macro is given."""
    return pasted[2] if pasted[2] in parameters else pasted[1]


def _is_bracketed(macro: _Macro) -> bool:
    """Whether a macro's arguments stand in its attributes alone, as ``__launch_bounds__(n)``."""
    if macro.parameters is None or not _WORDS_ALONE.fullmatch(macro.body):
        return False
    return set(_WORD.findall(_IN_BRACKETS.sub(b" ", macro.body))).isdisjoint(macro.parameters)


def _launches(calls: Sequence[_Macro]) -> Iterator[LaunchMacro]:
    """The macros that launch a parameter, and those that hand one on to such a macro."""
    found: dict[bytes, LaunchMacro] = {}
    for macro in calls:
        launch = _launch(macro)
        if launch is not None:
            found.setdefault(macro.name, launch)
            yield launch
    for _ in range(_ROUNDS):
        through = [
            launch
            for macro in calls
            if macro.name not in found and (launch := _launch_through(macro, found)) is not None
        ]
        yield from through
        found |= {launch.name: launch for launch in through}
        if not through:
            return


def _launch(macro: _Macro) -> LaunchMacro | None:
    if macro.parameters is None or not any(sign in macro.body for sign in _LAUNCHES):
        return None
    for kernel, parts in (*_chevrons(macro.body), *_launch_calls(macro.body)):
        if kernel in macro.parameters:
            return LaunchMacro(macro.name, macro.path, macro.parameters, kernel, parts)
    return None


def _chevrons(body: bytes) -> Iterator[tuple[bytes, tuple[bytes, ...]]]:
    for launch in find_launches(body):
        name = launch.kernel.encode()
        if name == b"(expression)":
            name = body[body.rfind(b"(", 0, launch.start) :][: launch.start].partition(b")")[0]
            name = name.strip(b"( ")
        yield name, tuple(part.encode() for part in launch.parts)


def _launch_calls(body: bytes) -> Iterator[tuple[bytes, tuple[bytes, ...]]]:
    for match in _LAUNCH_CALL.finditer(body):
        split = split_arguments(body[match.end() - 1 :])
        if split is None or len(split[0]) < len(("kernel", "grid", "block", "arguments")):
            continue
        texts = [body[match.end() - 1 :][start:end].strip() for start, end in split[0]]
        yield _CAST.sub(b"", texts[0]), (*texts[1:3], *texts[4:6])


def _launch_through(macro: _Macro, known: dict[bytes, LaunchMacro]) -> LaunchMacro | None:
    if macro.parameters is None:
        return None
    named = (match for match in _WORD.finditer(macro.body) if match[0] in known)
    for match in islice(named, _MOST_CALLS):
        inner = known[match[0]]
        rest = macro.body[match.end() :].lstrip()
        split = split_arguments(rest) if rest.startswith(b"(") else None
        if split is None:
            continue
        given = dict(zip(inner.parameters, (rest[a:b].strip() for a, b in split[0]), strict=False))
        kernel = given.get(inner.kernel, b"")
        if kernel in macro.parameters:
            parts = tuple(with_arguments(part, given) for part in inner.parts)
            return LaunchMacro(macro.name, macro.path, macro.parameters, kernel, parts)
    return None
