"""The summary for a terminal: one screen that is read in half a minute."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from textwrap import wrap

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from migrate.model.age import age_of
from migrate.model.assessment import Assessment
from migrate.model.effort import Effort, Range
from migrate.model.verdict import State, Tier, Verdict
from migrate.report.caveats import caveats, unpriced_caveats
from migrate.report.compiler import compiler_line
from migrate.report.numbers import count, percent, person_weeks, plural, share, significant
from migrate.report.ranking import (
    Shelf,
    cuda_only_apis,
    hot_files,
    libraries_in_use,
    on_shelf,
    problems_by_rule,
    skip_reasons,
    unread,
)
from migrate.report.safe import printable, shorten
from migrate.report.surroundings import found_around, project_line
from migrate.report.words import FILE_HOURS, IN_SHORT, TEAM_WORDS, shown_name
from migrate.report.wrappers import wrapper_line

_STYLES = {
    Verdict.SAME: "green",
    Verdict.RENAMED: "green",
    Verdict.CHANGED: "yellow",
    Verdict.REPLACED: "yellow",
    Verdict.LATER: "magenta",
    Verdict.MISSING: "red",
    Verdict.UNKNOWN: "bright_black",
}
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_FILES = 4
_PROBLEMS = 4
_NAMES = 3
_REASONS = 2
_WRAPPER_LINES = 2
_NARROWEST = 60
_UNLIMITED = 10_000
_BESIDE_TITLES = 40
"""What stands beside the title of a problem."""
_BESIDE_PLACES = 22
"""What stands beside names and their first places: verdicts, counts and the space between."""


def render_text(
    assessment: Assessment, *, width: int | None, colour: bool, next_step: bool = True
) -> str:
    """Write the summary of an assessment for a terminal of ``width`` columns.

    It keeps to 50 lines of 80 columns; without ``width`` (a file, a pipe) nothing is cut.
    ``colour`` puts ANSI colours in; ``next_step`` says how to get the report with the places, for a
    run that wrote none.
    """
    width = _UNLIMITED if width is None else max(width, _NARROWEST)
    console = Console(
        file=StringIO(),
        width=width,
        force_terminal=colour,
        color_system="standard" if colour else None,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
        _environ={},
    )
    with console.capture() as capture:
        for block in (
            _head(assessment),
            _size(assessment),
            _verdicts(assessment, width),
            _effort(assessment),
            _files(assessment, width),
            _problems(assessment, width),
            _names(assessment, width),
            _rest(assessment, width, next_step=next_step),
        ):
            if block:
                console.print(block, no_wrap=True, overflow="ellipsis", crop=True)
    lines = (line.rstrip() for line in capture.get().split("\n"))
    return "\n".join(lines).rstrip("\n") + "\n"


def _head(assessment: Assessment) -> Text:
    target = assessment.target
    text = Text()
    text.append(f"ROCm {target.rocm} on {', '.join(target.archs)}", "bold cyan")
    text.append(": ")
    text.append(printable(assessment.root_name), "bold")
    facts = []
    if target.cuda:
        facts.append(f"written for CUDA {target.cuda} ({printable(assessment.cuda_source)})")
    elif assessment.cuda_source.startswith("mixed"):
        facts.append(f"CUDA versions {printable(assessment.cuda_source)}")
    if assessment.commit:
        changed = " with local changes" if assessment.dirty else ""
        facts.append(f"commit {printable(assessment.commit)[:12]}{changed}")
    if facts:
        text.append(f"\n{', '.join(facts)}")
    text.append(f"\nhipassess {assessment.version}, tables of {assessment.tables_as_of}", "dim")
    if not assessment.complete:
        reason = printable(assessment.incomplete_reason) or "not everything was read"
        text.append("\nINCOMPLETE ", "bold red")
        text.append(f"{reason}; what follows is too low", "red")
    text.append("\n")
    return text


def _size(assessment: Assessment) -> Table:
    summary = assessment.summary
    shares = summary.shares
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column(no_wrap=True, overflow="ellipsis")
    touching = f", {count(summary.cuda_lines)} in files that use CUDA" if summary.cuda_lines else ""
    size = f"{plural(summary.files, 'file')}, {plural(summary.lines, 'line')}{touching}"
    grid.add_row("Size", f"{size}; {plural(summary.kernels, 'kernel')}")
    active = summary.states.get(State.ACTIVE, 0)
    others = (State.PORTED, State.HIP, State.VENDORED)
    beside = ", ".join(
        f"{count(summary.states[state])} {state}" for state in others if summary.states.get(state)
    )
    names = plural(summary.distinct_names, "name")
    grid.add_row(
        "Uses", f"{count(active)} active, {names}{f'; beside them {beside}' if beside else ''}"
    )
    grid.add_row(
        "CUDA-only",
        Text.assemble(
            (percent(shares.by_use), "bold"),
            f" of uses, {percent(shares.by_name)} of names, {percent(shares.by_line)} of lines",
        ),
    )
    grid.add_row("Tables", str(age_of(assessment)))
    grid.add_row("Compiler", printable(compiler_line(assessment.semantic)))
    grid.add_row("", "")
    return grid


def _verdicts(assessment: Assessment, width: int) -> Table | str:
    verdicts = assessment.summary.verdicts
    total = sum(verdicts.values())
    if not total:
        if unpriced_caveats(assessment.project.unpriced):
            return "No CUDA in C or C++ is still to be ported. See Mind for the rest.\n"
        return "Nothing here is still to be ported.\n"
    longest = max((*verdicts.values(), 1))
    room = max(8, min(24, width - 60))
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("What becomes of a use", no_wrap=True)
    table.add_column("uses", justify="right", no_wrap=True)
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("", no_wrap=True, style="dim", overflow="ellipsis")
    for verdict in Verdict:
        number = verdicts.get(verdict, 0)
        bar = _bar(number / longest, room)
        style = _STYLES[verdict] if number else "dim"
        table.add_row(
            Text(f"  {verdict.value}", style),
            count(number),
            percent(share(number, total)),
            Text(bar.ljust(room), style),
            IN_SHORT[verdict],
        )
    table.add_row("")
    return table


def _bar(fraction: float, room: int) -> str:
    if not fraction:
        return ""
    whole, rest = divmod(max(1, round(fraction * room * 8)), 8)
    return _EIGHTHS[8] * whole + (_EIGHTHS[rest] if rest else "")


def _effort(assessment: Assessment) -> Table | str:
    effort = assessment.summary.effort
    if not effort.total.p90:
        return ""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("Person-weeks", no_wrap=True)
    for head in ("P10", "P50", "P90"):
        table.add_column(head, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True, style="dim")
    for name, weeks, words in _effort_rows(effort):
        style = "bold" if name == "total" else ""
        table.add_row(
            Text(f"  {name}", style),
            person_weeks(weeks.p10),
            Text(person_weeks(weeks.p50), style),
            person_weeks(weeks.p90),
            words,
        )
    table.add_row("")
    return table


def _effort_rows(effort: Effort) -> tuple[tuple[str, Range, str], ...]:
    return (
        ("interface", effort.interface, "API names, types, launches, headers"),
        ("kernel", effort.kernel, "warp code, PTX, matrix cores, tuning"),
        ("ecosystem", effort.ecosystem, "libraries, build, tests, CI"),
        ("total", effort.total, f"{effort.scope}, {effort.strategy}, {TEAM_WORDS[effort.team]}"),
        ("first run", effort.first_run, "it builds and one case runs; part of the total"),
    )


def _files(assessment: Assessment, width: int) -> Group | str:
    # What is said of wrapper headers costs as many files: the summary is to fit a screen.
    hot = hot_files(assessment, _FILES - len(_wrappers(assessment, width)))
    if not hot:
        return ""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("Most work in", no_wrap=True)
    for head in ("hours", "uses", "CUDA-only"):
        table.add_column(head, justify="right", no_wrap=True)
    for row in hot:
        path = shorten(printable(row.path), width - 34)
        table.add_row(f"  {path}", significant(row.hours), count(row.uses), count(row.cuda_only))
    return Group(table, Text(f"  {FILE_HOURS}", "dim"), "")


def _problems(assessment: Assessment, width: int) -> Table | str:
    rows = [row for row in problems_by_rule(assessment) if row.tier is not Tier.ECOSYSTEM]
    if not rows:
        return ""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column(_some_of("Problems in the code", len(rows), _PROBLEMS), no_wrap=True)
    for head in ("functions", "sites", "hours"):
        table.add_column(head, justify="right", no_wrap=True)
    table.add_column("rule", no_wrap=True)
    shown = rows[:_PROBLEMS]
    rules = [
        row.rule + (f", priced with {row.priced_with}" if row.priced_with else "") for row in shown
    ]
    room = (
        width
        - _BESIDE_TITLES
        - max(len(words) - len(row.rule) for row, words in zip(shown, rules, strict=True))
    )
    for row, rule in zip(shown, rules, strict=True):
        table.add_row(
            f"  {_cut(printable(row.title), room)}",
            count(row.functions),
            count(row.sites),
            significant(row.hours),
            Text(rule, "dim"),
        )
    table.add_row("")
    return table


def _some_of(head: str, number: int, shown: int) -> str:
    """A table's heading, with how many rows there are where not all are shown."""
    return f"{head} ({shown} of {count(number)})" if number > shown else head


def _names(assessment: Assessment, width: int) -> Table | str:
    rows = cuda_only_apis(assessment)
    if not rows:
        return ""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column(_some_of("Not on this target", len(rows), _NAMES), no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("uses", justify="right", no_wrap=True)
    table.add_column("first at", no_wrap=True, overflow="ellipsis")
    names = [shorten(printable(shown_name(row.name)), width // 2 - 6) for row in rows[:_NAMES]]
    room = width - max(map(len, names)) - _BESIDE_PLACES
    for name, row in zip(names, rows, strict=False):
        path, line = row.places[0] if row.places else ("", 0)
        table.add_row(
            f"  {name}",
            Text(row.verdict.value, _STYLES[row.verdict]),
            count(row.uses),
            shorten(f"{printable(path)}:{line}", room) if path else "",
        )
    table.add_row("")
    return table


def _rest(assessment: Assessment, width: int, *, next_step: bool) -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column(no_wrap=True, overflow="ellipsis")
    if project := project_line(assessment.project):
        grid.add_row("Project", _cut(project, width - 13))
    libraries = libraries_in_use(assessment)
    if libraries:
        targets = [printable(f"{row.name} -> {row.rocm or 'nothing'}") for row in libraries]
        grid.add_row("Libraries", _listed(targets, width - 13))
    if around := found_around(assessment):
        grid.add_row("Around it", _listed(around, width - 13))
    for line, head in zip(_wrappers(assessment, width), ("Wrapper", ""), strict=False):
        grid.add_row(head, line)
    if beside := _beside(assessment):
        grid.add_row("Beside", _cut(beside, width - 13))
    grid.add_row(*_left_out(assessment, width))
    head = "Mind"
    for caveat in caveats(assessment):
        for line in wrap(caveat, width - 13):
            grid.add_row(head, line)
            head = ""
    findings = plural(len(assessment.findings), "finding")
    if next_step:
        grid.add_row("Next", f"{findings} with places and code: add -o report.html")
    return grid


def _left_out(assessment: Assessment, width: int) -> tuple[str, str]:
    """What was not read and why, with its heading."""
    missed = unread(assessment)
    reasons = skip_reasons(missed or assessment.skipped)
    words = "; ".join(f"{reason} ({count(number)})" for reason, number in reasons[:_REASONS])
    if missed:
        others = f"; {plural(len(reasons) - _REASONS, 'more reason')}"
        more = others if len(reasons) > _REASONS else ""
        files = plural(len(missed), "file")
        return "Not read", _cut(f"{files}: {printable(words)}{more}", width - 13)
    if words:
        return "Left out", _cut(printable(words), width - 13)
    return "Not read", "nothing was left out"


def _beside(assessment: Assessment) -> str:
    """What was found and is not counted: possible problems, and what the target offers."""
    said = []
    if possible := on_shelf(assessment, Shelf.POSSIBLE):
        said.append(f"{plural(len(possible), 'possible problem')}, not counted")
    if offers := on_shelf(assessment, Shelf.OPPORTUNITY):
        known = {rule.id: rule.title for rule in assessment.rules}
        titles = dict.fromkeys(known.get(row.rule, row.rule) for row in offers)
        said.append(
            f"{plural(len(offers), 'note')} without effort: {'; '.join(map(printable, titles))}"
        )
    return "; ".join(said)


def _wrappers(assessment: Assessment, width: int) -> list[str]:
    """The header that wraps most of CUDA's names, in two lines at most."""
    layers = assessment.project.wrappers
    if not layers:
        return []
    sentence = wrapper_line(layers[0])
    if len(layers) > 1:
        sentence += f" ({plural(len(layers) - 1, 'more such header')})"
    return wrap(printable(sentence), width - 13, max_lines=_WRAPPER_LINES, placeholder="...")


def _listed(words: Sequence[str], width: int) -> str:
    """Join as many words as fit, and say how many do not."""
    for shown in range(len(words), 0, -1):
        left = f", and {len(words) - shown} more" if shown < len(words) else ""
        text = ", ".join(words[:shown]) + left
        if len(text) <= width:
            return text
    return _cut(", ".join(words), width)


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 3]}..."
