"""Compile arguments guessed from a tree: folders that its includes need, CMake's plain words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from posixpath import dirname

from migrate.facts.nearest import NearestFiles, is_hip
from migrate.facts.reach import Numbers, Reach
from migrate.model.facts import FileFacts
from migrate.model.signals import EcosystemFacts, Kind
from migrate.model.source import Language
from migrate.model.unit import CompileArguments

MOST_FOLDERS = 64
"""How many include folders a guess names; a parse gets slower with each."""
_OLDEST_STANDARD = 17
"""CUDA's own headers want C++17; older code parses with it, but for rare exceptions."""


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder that an include needs ("" for the root)."""

    path: str
    quoted: bool


@dataclass(frozen=True, slots=True)
class _Switch:
    """A macro that by its name switches CUDA on, and that a condition asks for."""

    name: str


class Guess:
    """Guesses arguments for the files of one tree.

    A folder is searched where an include of the unit, or of what it reaches, leads there; it is
    given for quoted includes alone (``-iquote``) where no other include asks for it, so that a
    project's ``math.h`` stands in nobody's way. Macros and standards are those that the
    ``CMakeLists.txt`` of the folders around the file name, and the project's CUDA switches are on.
    ``includes`` are the tree's files that each file includes in a CUDA build, ``for_hip`` those
    that are included for HIP only.
    """

    def __init__(
        self,
        files: Sequence[FileFacts],
        ecosystem: Sequence[EcosystemFacts],
        third_party: Collection[str],
        root: str,
    ) -> None:
        self._root = root
        self._cmake = _CMakeWords(ecosystem)
        self._tags: Numbers[_Folder | _Switch] = Numbers()
        self._tagged_files: dict[_Folder | _Switch, list[str]] = defaultdict(list)
        nearest = NearestFiles(files, third_party)
        settled = _settled_macros(files)
        self.includes: dict[str, tuple[str, ...]] = {}
        self.for_hip: set[str] = set()
        tags: dict[str, int] = {}
        for file in files:
            if is_hip(file):
                continue
            everywhere = tuple(nearest.includes(file))
            self.for_hip.update(one.path for one in everywhere if one.hip)
            found = [one for one in everywhere if not one.hip]
            self.includes[file.path] = tuple(dict.fromkeys(one.path for one in found))
            wanted: dict[_Folder | _Switch, None] = {}
            for one in found:
                if one.folder is not None and "\\" not in one.folder:
                    wanted[_Folder(one.folder, one.quoted)] = None
            for name in sorted(file.platform.cuda_options):
                if name not in settled:
                    wanted[_Switch(name)] = None
            for tag in wanted:
                self._tagged_files[tag].append(file.path)
            tags[file.path] = self._tags.bits(wanted)
        self.for_hip.difference_update(*self.includes.values())
        self.reach = Reach(self.includes, tags)
        self._masks: dict[_Folder | _Switch, int] = {}

    def arguments(self, path: str, language: str) -> CompileArguments:
        """The arguments for a file of the tree that is parsed as ``cuda``, ``c++`` or ``c``."""
        tags = list(self._tags.members(self.reach.tags(path)))
        quote, include = self._folders(path, [one for one in tags if isinstance(one, _Folder)])
        macros = {one.name: f"{one.name}=1" for one in tags if isinstance(one, _Switch)}
        macros = dict(sorted(macros.items())) | self._cmake.macros(path)
        return CompileArguments(
            include=include,
            quote=quote,
            macros=tuple(f"-D{macro}" for macro in macros.values()),
            standard="" if language == "c" else self._cmake.standard(path, language),
            language=language,
        )

    def borrowed(self, path: str, near: CompileArguments) -> CompileArguments:
        """The arguments of a file nearby made those of a header, parsed as CUDA."""
        own = self.arguments(path, "cuda")
        known = {*near.include, *near.quote, *near.system}
        return replace(
            near,
            language="cuda",
            standard=near.standard if near.language != "c" else own.standard,
            include=(*near.include, *(one for one in own.include if one not in known)),
            quote=(*near.quote, *(one for one in own.quote if one not in known)),
        )

    def _folders(
        self, path: str, folders: Iterable[_Folder]
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The folders for quoted and for all includes; first those that most files ask for."""
        reached = self.reach.mask(path)
        askers: dict[str, int] = defaultdict(int)
        angled: set[str] = set()
        for folder in folders:
            askers[folder.path] |= reached & self._askers(folder)
            if not folder.quoted:
                angled.add(folder.path)
        order = sorted(askers, key=lambda one: (-askers[one].bit_count(), one))[:MOST_FOLDERS]
        return (
            tuple(self._absolute(one) for one in order if one not in angled),
            tuple(self._absolute(one) for one in order if one in angled),
        )

    def _askers(self, folder: _Folder) -> int:
        """The bits of the files of which an include needs a folder."""
        mask = self._masks.get(folder)
        if mask is None:
            mask = self._masks[folder] = self.reach.files.bits(self._tagged_files[folder])
        return mask

    def _absolute(self, folder: str) -> str:
        return f"{self._root}/{folder}" if folder else self._root


def _settled_macros(files: Iterable[FileFacts]) -> frozenset[str]:
    """The macros that the tree's code itself defines somewhere: not for us to define."""
    found: set[str] = set()
    for file in files:
        platform = file.platform
        found |= platform.elsewhere | platform.cuda_only | platform.by_value | platform.always_hip
    return frozenset(found)


@dataclass(slots=True)
class _Words:
    """What the CMakeLists.txt of one folder says; a macro that has two values there has none."""

    macros: dict[str, str | None] = field(default_factory=dict)
    standards: dict[Kind, int] = field(default_factory=dict)


class _CMakeWords:
    """What CMake's files say for the folders below them, the nearest folder's word before all."""

    def __init__(self, ecosystem: Iterable[EcosystemFacts]) -> None:
        self._words: dict[str, _Words] = {}
        self._macros: dict[str, Mapping[str, str | None]] = {}
        for file in ecosystem:
            folder, _, name = file.path.rpartition("/")
            if file.language is Language.CMAKE and name.lower() == "cmakelists.txt":
                words = self._words.setdefault(folder, _Words())
                for signal in file.signals:
                    _add(words, signal.kind, signal.value)

    def macros(self, path: str) -> dict[str, str]:
        """The macros for a file, by name, as ``NAME`` or ``NAME=VALUE``."""
        folder = dirname(path)
        known = self._macros.get(folder)
        if known is None:
            merged: dict[str, str | None] = {}
            for words in reversed(list(self._around(folder))):
                merged |= words.macros
            known = self._macros[folder] = merged
        return {name: macro for name, macro in known.items() if macro is not None}

    def standard(self, path: str, language: str) -> str:
        """The C++ standard for a file: CUDA's own for CUDA code where there is one."""
        kinds = (Kind.CUDA_STANDARD,) if language == "cuda" else ()
        for kind in (*kinds, Kind.CXX_STANDARD):
            for words in self._around(dirname(path)):
                if kind in words.standards:
                    return f"c++{max(words.standards[kind], _OLDEST_STANDARD)}"
        return f"c++{_OLDEST_STANDARD}"

    def _around(self, folder: str) -> Iterator[_Words]:
        """What is said for a folder, innermost first."""
        while True:
            if folder in self._words:
                yield self._words[folder]
            if not folder:
                return
            folder = dirname(folder)


def _add(words: _Words, kind: Kind, value: str) -> None:
    if kind is Kind.DEFINITION:
        name = value.partition("=")[0]
        words.macros[name] = value if words.macros.get(name, value) == value else None
    elif kind in {Kind.CUDA_STANDARD, Kind.CXX_STANDARD}:
        number = int(value.removeprefix("c++"))
        words.standards[kind] = max(number, words.standards.get(kind, 0))
