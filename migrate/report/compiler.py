"""How far the compiler was asked, in a line for a person."""

from __future__ import annotations

from migrate.model.semantic import SemanticMode, SemanticRun
from migrate.report.numbers import count, plural

_MOST = 3
_OUTPUTS = frozenset({"-o", "-M", "-MM", "-MD", "-MMD", "-MF", "-MT", "-MQ", "-MP", "-MJ"})
"""Flags that write what a compiler makes: refused too, and in every command."""


def compiler_line(run: SemanticRun) -> str:
    """What was parsed and what it changed, or why nothing was."""
    if run.mode is SemanticMode.OFF:
        return "not asked (--semantic off)"
    if run.idle:
        return f"not asked: {run.idle}"
    errors = f", {count(run.with_errors)} with errors" if run.with_errors else ""
    beyond = f", {count(run.beyond_budget)} more beyond the budget" if run.beyond_budget else ""
    corrected = plural(run.agreement.disagreed, "place")
    return (
        f"{count(run.parsed)} of {plural(run.units, 'unit')} parsed{errors}{beyond}; "
        f"{corrected} put right, {count(run.agreement.agreed)} confirmed"
    )


def compiler_caveats(run: SemanticRun) -> tuple[str, ...]:
    """What a reader should know of a pass that could not see everything."""
    found = []
    if run.failed:
        names = ", ".join(path for path, _ in run.failed[:_MOST])
        more = f" and {len(run.failed) - _MOST} more" if len(run.failed) > _MOST else ""
        found.append(f"the compiler could not read {names}{more}: text and tree answer for them")
    if run.missing_headers:
        names = ", ".join(name for name, _ in run.missing_headers[:_MOST])
        more = " and others" if len(run.missing_headers) > _MOST else ""
        found.append(f"the compiler lacked headers: {names}{more}")
    refused = [flag for flag in run.refused if flag not in _OUTPUTS]
    if refused:
        found.append(f"flags of the compile commands were refused: {', '.join(refused)}")
    return tuple(found)
