"""The conditionals that come out otherwise on HIP, sorted by what they ask for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace

from migrate.model.facts import UseKind
from migrate.model.rule import Hit
from migrate.model.verdict import Confidence, Severity
from migrate.rules.code import Code, CodeUse
from migrate.rules.switches import ARCH, VERSION, BranchText, Choice

_NAME = re.compile(r"[A-Za-z_]\w*")
_ORDER = re.compile(r"griddepcontrol\b")
_ORDERING = ("cudaGridDependencySynchronize", "cudaTriggerProgrammaticLaunchCompletion")
_MOST_LINES = 3


def direct_hits(code: Code, asked: re.Pattern[str], but: re.Pattern[str] | None) -> Iterator[Hit]:
    """A hit at each conditional that names one of NVIDIA's macros, and none of ``but``."""
    if not code.choices:
        return
    uses = _directive_uses(code)
    for choice in code.choices:
        names = [name for name in choice.names if asked.fullmatch(name)]
        if names and not (but and any(map(but.fullmatch, choice.names))):
            hit = _hit(code, choice, frozenset(names), uses, _taken(choice))
            needless = _only_orders_launches(code, choice)
            yield replace(hit, confidence=Confidence.POSSIBLE) if needless else hit


def derived_hits(code: Code, asked: re.Pattern[str], but: re.Pattern[str] | None) -> Iterator[Hit]:
    """A hit at each conditional on a macro of the tree that one of NVIDIA's decides over."""
    for choice in code.choices:
        if any(ARCH.fullmatch(name) or VERSION.fullmatch(name) for name in choice.names):
            continue
        derived = {
            name: causes
            for name in choice.names
            if (causes := code.base.switches.derived.get(name)) is not None
        }
        causes = frozenset[str]().union(*derived.values())
        if any(map(asked.fullmatch, causes)) and not (but and any(map(but.fullmatch, causes))):
            detail = " ".join([*map(_depends, sorted(derived.items())), _taken(choice)])
            hit = _hit(code, choice, frozenset(derived), {}, detail)
            # A macro for "built by CUDA" asks for no version: its definition is the place to look.
            sure = any(map(code.base.switches.compared, derived))
            yield hit if sure else replace(hit, confidence=Confidence.POSSIBLE)


def _only_orders_launches(code: Code, choice: Choice) -> bool:
    """Whether a HIP build goes without the words of dependent launches and nothing else.

    It launches kernels one behind the other, so that it needs none of them.
    """
    first, last = choice.branches[0].last + 1, choice.mark.end_line - 1
    if choice.taken is not None or len(choice.branches) > 1 or last - first >= _MOST_LINES:
        return False
    return any(
        first <= block.line <= last and any(map(_ORDER.match, block.mnemonics))
        for block in code.facts.asm_blocks
    ) or any(first <= use.line <= last for use in code.uses(*_ORDERING))


def _depends(derived: tuple[str, frozenset[str]]) -> str:
    name, causes = derived
    return f"{name} depends on {', '.join(sorted(causes))}."


def _taken(choice: Choice) -> str:
    first = choice.branches[0].first
    if choice.by_gpu:
        return f"Line {first}: a HIP build takes what is for none of the GPUs that are named."
    if choice.taken is None:
        return f"Line {first}: a HIP build takes none of the branches."
    return f"Line {first}: a HIP build takes the branch of line {choice.taken.first}."


def _hit(
    code: Code,
    choice: Choice,
    names: frozenset[str],
    uses: Mapping[int, tuple[CodeUse, ...]],
    detail: str,
) -> Hit:
    """A hit at the first branch that asks; it explains the uses in the conditional's directives."""
    branch = next(
        one for one in choice.branches if names.intersection(_NAME.findall(one.condition))
    )
    symbol = next(name for name in _NAME.findall(branch.condition) if name in names)
    severity = Severity.MINOR if choice.by_gpu else None
    explained = [use for one in choice.branches for use in _uses_of(one, uses)]
    at = next((use for use in explained if use.symbol == symbol), None)
    if at is not None:
        rest = tuple(use.row for use in explained if use.row != at.row)
        return replace(code.hit(at, detail=detail, severity=severity), also=rest)
    mark = replace(choice.mark, line=branch.first, end_line=branch.last)
    return code.hit(mark, symbol=symbol, detail=detail, severity=severity)


def _uses_of(branch: BranchText, uses: Mapping[int, tuple[CodeUse, ...]]) -> Iterator[CodeUse]:
    for line in range(branch.first, branch.last + 1):
        yield from uses.get(line, ())


def _directive_uses(code: Code) -> Mapping[int, tuple[CodeUse, ...]]:
    """The uses of NVIDIA's macros in conditions, by line."""
    found: dict[int, list[CodeUse]] = defaultdict(list)
    for symbol in code.symbols:
        if ARCH.fullmatch(symbol) or VERSION.fullmatch(symbol):
            for use in code.uses(symbol):
                if use.kind is UseKind.DIRECTIVE:
                    found[use.line].append(use)
    return {line: tuple(rows) for line, rows in found.items()}
