"""What conditions come to in a CUDA build and in a HIP build, with the macros of the tree."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from migrate.model.condition import (
    DEVICE_PASS,
    NOT_KEPT,
    asks_for_device,
    condition_value,
    evaluate_condition,
)
from migrate.model.mark import Mark, MarkKind
from migrate.model.verdict import State

ARCH = re.compile(r"__CUDA_ARCH\w*|__CUDA_MINIMUM_ARCH__")
VERSION = re.compile(r"CUDA_VERSION|CUDART_VERSION|__CUDART_API_VERSION|__CUDACC_VER\w*")
_NVIDIA = re.compile(rf"(?:{ARCH.pattern}|{VERSION.pattern}|__NVCC__|__NVCOMPILER\w*)")
"""Macros of NVIDIA's compilers and headers that HIP has none for."""
_HIP = re.compile(
    r"(?:\w+_)?(?:HIP|HIPCC|ROCM|AMD|AMDGPU|HCC|GFX\w+|CDNA\d*|RDNA\d*)(?:_\w+)?", re.IGNORECASE
)
_BOTH = {DEVICE_PASS: 1, "__CUDACC__": 1, "__cplusplus": 201703}
_ARCHS = (800, 900)
_VERSIONS = (12080, 13000)
_NAME = re.compile(r"[A-Za-z_]\w*")
_COMPARED = re.compile(
    rf"\b(?:{ARCH.pattern}|{VERSION.pattern})\s*[-+*/%<>=!]"
    rf"|[-+*/%<>=]\s*(?:{ARCH.pattern}|{VERSION.pattern})\b"
)
_SM_NUMBER = re.compile(r"\b__CUDA_ARCH__\s*[<>=!]=?")


@dataclass(frozen=True, slots=True)
class Definition:
    """One ``#define``: the condition under which it is read, "" for always; its body."""

    condition: str
    body: str


@dataclass(frozen=True)
class Build:
    """What one build knows of macros; ``builtin`` are those of its compiler.

    What neither it nor the tree defines is defined, as 1, if ``others`` says so: two builds are
    compared with the same switches.
    """

    builtin: Mapping[str, int]
    hip: bool
    others: bool
    definitions: Mapping[str, tuple[Definition, ...]]
    _known: dict[str, int | None] = field(default_factory=dict)

    def state(self, name: str) -> int | None:
        """A macro's value, None where it is not defined; 1 stands for an empty body."""
        if name not in self._known:
            self._known[name] = None  # a macro that asks for itself is not defined yet
            self._known[name] = self._find(name)
        return self._known[name]

    def _find(self, name: str) -> int | None:
        if name in self.builtin:
            return self.builtin[name]
        if name in self.definitions:
            return self._defined(name)
        if _NVIDIA.fullmatch(name):
            return None
        if _HIP.fullmatch(name):
            return int(self.hip) or None
        return 1 if self.others else None

    def _defined(self, name: str) -> int | None:
        for definition in self.definitions[name]:
            holds = self.holds(definition.condition)
            if holds or (holds is None and self.others):
                value = condition_value(definition.body, self) if definition.body else 1
                return 1 if value is None else value
        return None

    def holds(self, condition: str) -> bool | None:
        """Whether a condition holds; "" always does."""
        return evaluate_condition(condition, self) if condition else True

    def defined(self, name: str) -> bool:
        """Whether a macro is defined."""
        return self.state(name) is not None

    def value(self, name: str) -> int:
        """What a name is worth in a condition."""
        return int(name == "true") if name in {"true", "false"} else self.state(name) or 0

    def called(self, name: str) -> int:
        """What a macro with arguments is worth."""
        return int(self.others and (not self.hip or _NVIDIA.fullmatch(name) is None))


@dataclass(frozen=True, slots=True)
class BranchText:
    """A branch of a conditional: the lines of its directive, its condition."""

    first: int
    last: int
    condition: str


@dataclass(frozen=True, slots=True)
class Choice:
    """A conditional of which a HIP build takes another branch than a CUDA build.

    ``taken`` is the branch that HIP takes, None for none of them; ``names`` are the words of its
    conditions. ``by_gpu``: a branch for each of several GPUs, of which HIP takes the one for all
    others, as the newer GPUs of NVIDIA do.
    """

    mark: Mark
    branches: tuple[BranchText, ...]
    taken: BranchText | None
    names: frozenset[str]
    by_gpu: bool = False


class Switches:
    """The macros of a tree that its conditions ask for."""

    def __init__(self, marks: Iterable[Mark]) -> None:
        self._definitions = _definitions(marks)
        self._pairs = [
            (self._build(hip=True, others=others), self._cuda(others=others))
            for others in (False, True)
        ]
        self._let_in = [
            self._build(hip=True, others=others, arch=arch, version=version)
            for others in (False, True)
            for arch, version in zip(_ARCHS, _VERSIONS, strict=True)
        ]
        """HIP builds that would have NVIDIA's macros: what they do not reach is left out of HIP."""

    def _build(self, *, hip: bool, others: bool, arch: int = 0, version: int = 0) -> Build:
        own = {
            "__CUDA_ARCH__": arch,
            "__NVCC__": 1,
            "__CUDACC_VER_MAJOR__": version // 1000,
            "__CUDACC_VER_MINOR__": version % 1000 // 10,
        }
        own |= dict.fromkeys(("CUDA_VERSION", "CUDART_VERSION", "__CUDART_API_VERSION"), version)
        return Build(_BOTH | own if arch else _BOTH, hip, others, self._definitions)

    def _cuda(self, *, others: bool) -> list[Build]:
        return [
            self._build(hip=False, others=others, arch=arch, version=version)
            for arch, version in zip(_ARCHS, _VERSIONS, strict=True)
        ]

    @cached_property
    def derived(self) -> Mapping[str, frozenset[str]]:
        """The macros that HIP builds have otherwise than CUDA builds, because of NVIDIA's.

        Each with those of NVIDIA's macros on which its definitions depend.
        """
        return {
            name: causes
            for name, causes in self._causes().items()
            if any(
                build.state(name) != hip.state(name)
                for hip, builds in self._pairs
                for build in builds
            )
        }

    def _causes(self) -> dict[str, frozenset[str]]:
        """NVIDIA's macros that the definitions of each macro depend on, directly or not."""
        asked = {
            name: frozenset(_words(f"{one.condition} {one.body}" for one in definitions))
            for name, definitions in self._definitions.items()
        }
        causes = {
            name: frozenset(filter(_NVIDIA.fullmatch, words)) for name, words in asked.items()
        }
        causes = {name: found for name, found in causes.items() if found}
        for _ in range(_DEEPEST):
            more = {
                name: causes.get(name, frozenset()).union(*(causes[word] for word in words))
                for name, words_all in asked.items()
                if (words := words_all & causes.keys() - {name})
            }
            if all(causes.get(name) == found for name, found in more.items()):
                break
            causes |= more
        return causes

    def compared(self, name: str) -> bool:
        """Whether a number of NVIDIA's decides over a macro, not only that it is defined."""
        names, todo = {name}, [name]
        while todo:
            for one in self._definitions.get(todo.pop(), ()):
                text = f"{one.condition} {one.body}"
                if _COMPARED.search(text):
                    return True
                new = set(_NAME.findall(text)) - names
                names |= new
                todo.extend(new)
        return False

    def leaves_out(self, condition: str) -> bool:
        """Whether the tree itself leaves out of HIP builds what stands under a condition."""
        asked = asks_for_device(condition)
        return bool(condition) and all(hip.holds(asked) is False for hip in self._let_in)

    def choice(self, mark: Mark) -> Choice | None:
        """What becomes of a conditional, if NVIDIA's macros make it come out otherwise on HIP."""
        if mark.values[0] == NOT_KEPT:
            return None
        branches = tuple(map(_branch, mark.values[1:]))
        names = frozenset(_words(branch.condition for branch in branches))
        if not any(name in self.derived or _NVIDIA.fullmatch(name) for name in names):
            return None
        if not any(build.holds(mark.values[0]) is not False for build in self._let_in):
            return None
        for hip, builds in self._pairs:
            taken = _taken(branches, hip)
            others = {
                _taken(branches, one) for one in builds if one.holds(mark.values[0]) is not False
            }
            by_gpu = _is_by_gpu(branches)
            if taken != _UNKNOWN and (by_gpu or others - {taken, _UNKNOWN}):
                branch = branches[taken] if taken >= 0 else None
                return Choice(mark, branches, branch, names, by_gpu and others == {taken})
        return None


_DEEPEST = 8
_UNKNOWN = -2


def _taken(branches: tuple[BranchText, ...], build: Build) -> int:
    """The number of the branch that a build takes, -1 for none of them."""
    for number, branch in enumerate(branches):
        holds = build.holds(asks_for_device(branch.condition))
        if holds is None:
            return _UNKNOWN
        if holds:
            return number
    return -1


def _is_by_gpu(branches: tuple[BranchText, ...]) -> bool:
    """Whether several branches compare the SM number."""
    return sum(_SM_NUMBER.search(branch.condition) is not None for branch in branches) > 1


def _branch(text: str) -> BranchText:
    lines, _, condition = text.partition(" ")
    first, _, last = lines.partition("-")
    return BranchText(int(first), int(last), condition)


def _words(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from _NAME.findall(text)


def _definitions(marks: Iterable[Mark]) -> Mapping[str, tuple[Definition, ...]]:
    found: dict[str, list[Definition]] = defaultdict(list)
    for mark in marks:
        if mark.kind is MarkKind.SWITCH_MACRO:
            condition, body = mark.values
            if mark.state is State.HIP:
                condition = f"({condition or 1}) && __HIP__"
            found[mark.symbol].append(Definition(condition, body))
    return {name: tuple(definitions) for name, definitions in found.items()}
