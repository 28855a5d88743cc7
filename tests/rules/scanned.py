"""A source text judged by every rule, as a scan would judge it without the compiler's pass."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from migrate.classify.raised import raise_verdicts
from migrate.classify.resolver import Resolver
from migrate.classify.uses import ClassifiedFile, classify_files
from migrate.discover.language import BINDING_SUFFIXES, FORTRAN_SUFFIXES, language_of
from migrate.discover.vendored import is_test
from migrate.facts.images import image_files
from migrate.facts.join import join_facts
from migrate.knowledge.apis import load_tables
from migrate.knowledge.releases import parse_release
from migrate.model.assessment import Project
from migrate.model.facts import FileFacts
from migrate.model.rule import Rule, RuleHit, RuleRun
from migrate.model.semantic import Program
from migrate.model.signals import Kind
from migrate.model.source import Language, SourceFile
from migrate.model.target import CudaVersion, Target
from migrate.parse.ecosystem.reader import read_ecosystem
from migrate.parse.macros import ProjectMacros
from migrate.parse.python.embedded import read_embedded
from migrate.parse.reader import read_source
from migrate.parse.vocabulary import load_vocabulary
from migrate.pipeline import judge_code
from migrate.rules.registry import RULES

_END = r"\s*(?:\\n)?(?:\"[},]*)?$"
"""A line's end, in a notebook that of a string."""
_TARGET = re.compile(
    r"(?://|#|!)\s*target:\s*([\w: +-]+?)\s+rocm=([\d.]+)(?:\s+cuda=([\d.]+))?" + _END
)
_MARK = re.compile(r"(?://|#|!|%|--)\s*expect(?:@([+-]\d+))?:\s*([\w, -]+?)" + _END)
_FILE = re.compile(r"(?://|#|--|!|;|%)\s*file:\s*(\S+)\s*$")
_BY_SUFFIX = {
    **dict.fromkeys(FORTRAN_SUFFIXES, Language.FORTRAN),
    **dict.fromkeys(BINDING_SUFFIXES, Language.OTHER_CODE),
}
_IMAGES = {".ptx": Language.PTX, ".cubin": Language.GPU_IMAGE}

DEFAULT = Target(parse_release("7.2"), ("gfx942",))


@dataclass(frozen=True)
class Judged:
    """What the rules and tables say of a text."""

    files: tuple[ClassifiedFile, ...]
    run: RuleRun

    def hits(self) -> list[RuleHit]:
        assert not self.run.failed, self.run.failed
        return list(self.run.hits)

    def places(self) -> list[tuple[int, str]]:
        """Line and rule of every hit, in order."""
        return sorted((one.hit.line, one.rule.id) for one in self.hits())


def judge(text: str, target: Target = DEFAULT, *, name: str = "code.cu") -> Judged:
    """Judge one file's text."""
    return judge_all({name: text}, target)


def judge_all(
    texts: dict[str, str],
    target: Target = DEFAULT,
    *,
    project: Project | None = None,
    vendored: Sequence[str] = (),
    rules: Sequence[Rule] = RULES,
) -> Judged:
    """Judge files that belong together, by path."""
    facts = [_read(text, path) for path, text in texts.items()]
    files = join_facts(facts, vendored, include_vendored=False)
    classified = classify_files(files, Resolver(load_tables(), target))
    run = judge_code(classified, project or Project(), target, Program(), (), rules=rules)
    return Judged(raise_verdicts(classified, run), run)


def _read(text: str, path: str) -> FileFacts:
    suffix = Path(path).suffix
    if suffix in _IMAGES:
        (image,) = image_files([SourceFile(path=path, size=1, language=_IMAGES[suffix])], ())
        return image
    language = language_of(path) or _BY_SUFFIX.get(suffix.lower())
    assert language is not None, path
    if language.c_family:
        return read_source(text.encode(), path, language, load_vocabulary(), ProjectMacros())
    said = read_ecosystem(path, language, text)
    assert not said.error, said.error
    if any(signal.kind is Kind.CUDA_TEXT for signal in said.signals):
        code = read_embedded(text, path, language, load_vocabulary(), ProjectMacros())
        return replace(code, signals=said.signals)
    return FileFacts(path=path, language=language, signals=said.signals, test=is_test(path))


def path_of(text: str, name: str) -> str:
    """The path under which a fixture is read: its own, or what a line of it says."""
    found = next(filter(None, map(_FILE.search, text.splitlines())), None)
    return found[1] if found else name


def target_of(text: str) -> Target:
    """The target that a fixture names in a line of its own."""
    found = next(filter(None, map(_TARGET.search, text.splitlines())), None)
    if found is None:
        return DEFAULT
    cuda = CudaVersion.parse(found[3]) if found[3] else None
    return Target(parse_release(found[2]), tuple(found[1].split()), cuda)


def expected(lines: Iterable[str]) -> list[tuple[int, str]]:
    """Line and rule of every ``expect`` marker, in order."""
    found = []
    for number, line in enumerate(lines, 1):
        match = _MARK.search(line)
        if match is not None:
            at = number + int(match[1] or 0)
            found += [(at, rule.strip()) for rule in match[2].split(",")]
    return sorted(found)
