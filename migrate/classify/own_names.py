"""What the tree calls its own: its project names, libraries, modules and headers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from migrate.classify.uses import ClassifiedFile
from migrate.knowledge.components import component_named, known_components
from migrate.model.signals import EcosystemFacts, Kind, Signal

_TREE_IS = ("submodule", "find", "requirement", "import", "link", "tool")
"""The kinds of name, in this order, by which a project's own name tells a component."""
_NEAR_THE_ROOT = 1
"""How deep a file may lie that says what the project is: ``cpp/CMakeLists.txt``."""
_DEEPEST_HEADER = 8
_BUILT_HERE = frozenset({Kind.LINK})
_CONFIG_TEMPLATE = re.compile(
    r"(?P<name>[\w+-]{1,60}?)-?config\.cmake\.?in(?:\.cmake)?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class OwnNames:
    """Names that speak of the tree itself, and so of no component."""

    components: frozenset[str] = frozenset()
    """The keys of the components that the tree is."""
    targets: frozenset[str] = frozenset()
    """The libraries that its build files build, in lower case."""
    packages: frozenset[str] = frozenset()
    """Python packages whose folder lies in the tree."""
    modules: frozenset[str] = frozenset()
    """Python files beside which a script may import them: folder and name."""
    headers: frozenset[str] = frozenset()
    """Its own headers that are spelled as a component's, as they may be included."""

    @classmethod
    def of(
        cls,
        files: Sequence[ClassifiedFile],
        ecosystem: Sequence[EcosystemFacts],
        vendored: Collection[str],
    ) -> OwnNames:
        """Gather the names from what is not third-party."""
        own = [facts for facts in ecosystem if facts.path not in vendored]
        python = [facts.path for facts in own if facts.path.endswith(".py")]
        return cls(
            components=frozenset(_tree_is(own)),
            targets=frozenset(
                signal.value.lower()
                for facts in own
                for signal in facts.signals
                if signal.kind is Kind.TARGET
            ),
            packages=frozenset(_packages(python)),
            modules=frozenset(_modules(python)),
            headers=frozenset(
                _headers(file.facts.path for file in files if file.facts.path not in vendored)
            ),
        )

    def is_own(self, signal: Signal, path: str) -> bool:
        """Whether a signal of this file names what the tree builds or holds itself."""
        if signal.kind in _BUILT_HERE:
            return signal.value.lower() in self.targets
        if signal.kind is Kind.IMPORT:
            first = signal.value.partition(".")[0]
            beside = PurePosixPath(path).with_name(first)
            return first in self.packages or str(beside) in self.modules
        return False

    def holds_header(self, name: str) -> bool:
        """Whether an included header is one of the tree's own."""
        return name in self.headers


def _tree_is(ecosystem: Iterable[EcosystemFacts]) -> Iterable[str]:
    """The components by whose name the files near the root call the project.

    So does what the project installs for others to find it by: ``HYPREConfig.cmake.in``.
    """
    for facts in ecosystem:
        if installed := _CONFIG_TEMPLATE.fullmatch(facts.path.rpartition("/")[2]):
            yield component_named("find", installed["name"])
        if facts.path.count("/") > _NEAR_THE_ROOT:
            continue
        for signal in facts.signals:
            if signal.kind is Kind.PROJECT:
                keys = (component_named(kind, signal.value) for kind in _TREE_IS)
                yield from (key for key in keys if key)


def _packages(python: Sequence[str]) -> Iterable[str]:
    """The outermost Python packages: folders with an ``__init__`` and none above."""
    folders = {path.rpartition("/")[0] for path in python if path.endswith("/__init__.py")}
    for folder in folders:
        parent, _, name = folder.rpartition("/")
        if parent not in folders:
            yield name


def _modules(python: Sequence[str]) -> Iterable[str]:
    """Python files that a neighbour imports by name; in a package an import looks elsewhere."""
    folders = {path.rpartition("/")[0] for path in python if path.endswith("/__init__.py")}
    for path in python:
        if path.rpartition("/")[0] not in folders:
            yield path.removesuffix(".py")


def _headers(paths: Iterable[str]) -> Iterable[str]:
    """The ends of the paths that spell a component's header; CUDA's own headers are not asked."""
    for path in paths:
        parts = path.split("/")
        for start in range(max(len(parts) - _DEEPEST_HEADER, 0), len(parts)):
            name = "/".join(parts[start:])
            key = component_named("include", name)
            if key and known_components()[key].kind not in {"feature", "runtime"}:
                yield name
