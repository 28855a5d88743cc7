"""The command line: options in, exit code out; what a command needs is imported inside it."""

from __future__ import annotations

import codecs
import os
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from migrate import __version__
from migrate.errors import AssessError, ExitCode

app = typer.Typer(
    name="hipassess",
    help="What moving a CUDA code base to AMD GPUs takes: what, where, how hard, in numbers.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Paths = Annotated[
    list[Path] | None,
    typer.Argument(help="Folders or files; several are one assessment. (default: .)"),
]
Rocm = Annotated[str | None, typer.Option("--rocm", help="Target ROCm release. (default: 7.2)")]
Arch = Annotated[
    list[str] | None,
    typer.Option("--arch", help="Target gfx architecture; repeatable. (default: gfx942)"),
]
Cuda = Annotated[
    str | None, typer.Option("--cuda", help="CUDA version that the source is written for.")
]
Include = Annotated[
    list[str] | None, typer.Option("--include", help="Read only what matches; repeatable.")
]
Exclude = Annotated[
    list[str] | None, typer.Option("--exclude", help="Leave out what matches; repeatable.")
]
Ignore = Annotated[
    list[str] | None,
    typer.Option("--ignore", help="Rules not to ask: HA-K001, or HA-O for all such; repeatable."),
]
Rules = Annotated[
    list[Path] | None,
    typer.Option(
        "--rules", metavar="PATH", help="Own rules: a folder, a .yaml or a .py file; repeatable."
    ),
]
Scope = Annotated[
    str | None,
    typer.Option("--scope", help="first-run, tests-pass or production. (default: production)"),
]
Strategy = Annotated[
    str | None, typer.Option("--strategy", help="shim, hipify, copy or layer. (default: hipify)")
]
Team = Annotated[
    str | None, typer.Option("--team", help="new, gpu, rocm or expert-agent. (default: gpu)")
]
Config = Annotated[Path | None, typer.Option("--config", help="Settings file to read.")]
Jobs = Annotated[
    int | None, typer.Option("--jobs", "-j", help="Worker processes; 0: one a processor.")
]
Vendored = Annotated[
    bool, typer.Option("--include-vendored", help="Count third-party copies as the project's own.")
]
Semantic = Annotated[
    str | None,
    typer.Option("--semantic", help="Ask the compiler: auto, off or require. (default: auto)"),
]
SemanticBudget = Annotated[
    int | None,
    typer.Option("--semantic-budget", help="Most units that are compiled. (default: 100)"),
]
CompileCommands = Annotated[
    Path | None, typer.Option("--compile-commands", help="The build's compile_commands.json.")
]
CudaPath = Annotated[
    Path | None, typer.Option("--cuda-path", help="CUDA toolkit whose headers are used.")
]
NoCache = Annotated[
    bool, typer.Option("--no-cache", help="Neither take nor keep the compiler's results.")
]
Quiet = Annotated[
    bool,
    typer.Option("--quiet", "-q", help="No progress, and no summary beside a written file."),
]

_FIRST_BLOCK, _LAST_BLOCK = "\u2588", "\u258f"
_ELLIPSIS = "\u2026"


def _version(value: bool) -> None:
    if value:
        typer.echo(f"hipassess {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Options of the program itself."""


@app.command()
def scan(
    paths: Paths = None,
    rocm: Rocm = None,
    arch: Arch = None,
    cuda: Cuda = None,
    include: Include = None,
    exclude: Exclude = None,
    report_format: Annotated[
        list[str] | None,
        typer.Option("--format", "-f", help="text, json or html; repeatable. (default: text)"),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="File (its suffix picks the format) or folder."),
    ] = None,
    all_uses: Annotated[
        bool, typer.Option("--all-uses", help="List mechanical uses as findings too.")
    ] = False,
    ignore: Ignore = None,
    rules: Rules = None,
    scope: Scope = None,
    strategy: Strategy = None,
    team: Team = None,
    config: Config = None,
    jobs: Jobs = None,
    include_vendored: Vendored = False,
    semantic: Semantic = None,
    semantic_budget: SemanticBudget = None,
    compile_commands: CompileCommands = None,
    cuda_path: CudaPath = None,
    no_cache: NoCache = False,
    quiet: Quiet = False,
) -> None:
    """Assess a code base: what must change, where, how hard."""
    from migrate.progress import shown_progress
    from migrate.report.writers import FORMATS, check_outputs, write_outputs
    from migrate.settings import load_settings

    settings = load_settings(
        paths or [Path()],
        {
            "rocm": rocm, "archs": arch, "cuda": cuda, "include": include, "exclude": exclude,
            "ignore": ignore, "rules": rules, "formats": report_format, "output": output,
            "all_uses": all_uses or None,
            "scope": scope, "strategy": strategy, "team": team, "config": config, "jobs": jobs,
            "include_vendored": include_vendored or None, "quiet": quiet or None,
            "semantic": semantic, "semantic_budget": semantic_budget,
            "compile_commands": compile_commands, "cuda_path": cuda_path,
            "no_cache": no_cache or None,
        },
    )  # fmt: skip
    formats = check_outputs(settings.formats, settings.output)
    with shown_progress(quiet=settings.quiet) as progress:
        from migrate.pipeline import assess

        assessment = assess(
            settings,
            progress=progress,
            excerpts=any(FORMATS[name].shows_code for name in formats),
        )
    with _reader_may_leave():
        if settings.output is None and formats == ("text",):
            _print_summary(assessment)
        else:
            written = write_outputs(assessment, formats, settings.output)
            if not settings.quiet and settings.output is not None:
                _print_summary(assessment, next_step=False)
                for path in written:
                    typer.echo(f"Wrote {path}", err=True)
    if not assessment.complete:
        typer.echo(f"Incomplete: {assessment.incomplete_reason}", err=True)
        raise typer.Exit(ExitCode.INCOMPLETE)


def _print_summary(assessment: Any, *, next_step: bool = True) -> None:  # noqa: ANN401 - its type is only loaded in commands
    import shutil

    from migrate.report.text import render_text

    terminal = sys.stdout.isatty()
    width = max(60, min(shutil.get_terminal_size((100, 40)).columns, 140)) if terminal else None
    colour = terminal and not os.environ.get("NO_COLOR")
    typer.echo(render_text(assessment, width=width, colour=colour, next_step=next_step), nl=False)


@app.command()
def gate(
    path: Annotated[
        Path, typer.Argument(help="A folder to scan, or a saved JSON result.")
    ] = Path(),
    max_cuda_only: Annotated[
        str | None,
        typer.Option("--max-cuda-only", help="Most CUDA-only share by use: 30% or 0.3."),
    ] = None,
    max_weeks: Annotated[
        float | None, typer.Option("--max-weeks", help="Most person-weeks (total P50).")
    ] = None,
    rocm: Rocm = None,
    arch: Arch = None,
    cuda: Cuda = None,
    include: Include = None,
    exclude: Exclude = None,
    ignore: Ignore = None,
    rules: Rules = None,
    scope: Scope = None,
    strategy: Strategy = None,
    team: Team = None,
    config: Config = None,
    jobs: Jobs = None,
    include_vendored: Vendored = False,
    semantic: Annotated[
        str | None,
        typer.Option("--semantic", help="Ask the compiler: auto, off or require. (default: off)"),
    ] = None,
    semantic_budget: SemanticBudget = None,
    compile_commands: CompileCommands = None,
    cuda_path: CudaPath = None,
    no_cache: NoCache = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print nothing: the exit code tells.")
    ] = False,
) -> None:
    """Pass or fail by the CUDA-only share or the person-weeks; for CI."""
    from migrate.gate.figures import figures_from_json, figures_of
    from migrate.gate.policy import GatePolicy, check_gate
    from migrate.progress import shown_progress
    from migrate.report.safe import printable
    from migrate.settings import load_settings

    options = {
        "rocm": rocm, "archs": arch, "cuda": cuda, "include": include, "exclude": exclude,
        "ignore": ignore, "rules": rules,
        "scope": scope, "strategy": strategy, "team": team, "config": config, "jobs": jobs,
        "include_vendored": include_vendored or None, "quiet": quiet or None,
        "max_cuda_only": max_cuda_only, "max_weeks": max_weeks,
        "semantic": semantic, "semantic_budget": semantic_budget,
        "compile_commands": compile_commands, "cuda_path": cuda_path,
        "no_cache": no_cache or None,
    }  # fmt: skip
    settings = load_settings([path], options, {"semantic": "off"})
    policy = GatePolicy(settings.max_cuda_only, settings.max_weeks)
    if path.is_file() and path.suffix.lower() == ".json":
        _refuse_scan_options(options)
        figures = figures_from_json(_read_result(path))
    else:
        from migrate.pipeline import assess

        with shown_progress(quiet=settings.quiet) as progress:
            figures = figures_of(assess(settings, progress=progress))
    result = check_gate(figures, policy)
    with _reader_may_leave():
        for line in () if settings.quiet else result.lines:
            typer.echo(printable(line))
    raise typer.Exit(result.code)


_NOT_OF_THE_SCAN = frozenset({"max_cuda_only", "max_weeks", "quiet", "config", "jobs", "no_cache"})


def _refuse_scan_options(options: Mapping[str, object]) -> None:
    given = sorted(key for key, value in options.items() if value and key not in _NOT_OF_THE_SCAN)
    if given:
        names = ", ".join(
            "--arch" if key == "archs" else f"--{key.replace('_', '-')}" for key in given
        )
        raise AssessError(
            f"{names} cannot change a saved result",
            slug="saved-result",
            hint="Scan the folder again with these options, or leave them out.",
        )


def _read_result(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise AssessError(f"{path} cannot be read: {reason}", slug="no-such-path") from error


@app.command(name="map")
def map_names(
    names: Annotated[list[str], typer.Argument(metavar="CUDA_NAME...", help="CUDA names.")],
    rocm: Annotated[
        list[str] | None,
        typer.Option("--rocm", help="ROCm release; repeatable. (default: every release)"),
    ] = None,
    cuda: Cuda = None,
    arch: Annotated[str | None, typer.Option("--arch", help="gfx architecture.")] = None,
    all_releases: Annotated[
        bool, typer.Option("--all", help="Every release, previews too.")
    ] = False,
    output_format: Annotated[str, typer.Option("--format", "-f", help="text or json.")] = "text",
) -> None:
    """Show what becomes of CUDA names on each ROCm release."""
    from migrate.report.name_map import answers_for, render_map_json, render_map_text

    _check_format(output_format, ("text", "json"))
    render = render_map_text if output_format == "text" else render_map_json
    answers = answers_for(names, rocm or [], cuda=cuda, arch=arch, previews=all_releases)
    with _reader_may_leave():
        typer.echo(render(answers), nl=False)


@app.command()
def explain(
    word: Annotated[str, typer.Argument(metavar="RULE|CUDA_NAME", help="What to explain.")],
    rocm: Rocm = None,
    arch: Annotated[
        str | None, typer.Option("--arch", help="gfx architecture. (default: gfx942)")
    ] = None,
    cuda: Cuda = None,
    rules: Rules = None,
    output_format: Annotated[str, typer.Option("--format", "-f", help="text or json.")] = "text",
) -> None:
    """Tell all that is known of a rule, or what becomes of a CUDA name."""
    from migrate.catalogue import card_called, rule_cards
    from migrate.model.verdict import Verdict
    from migrate.own_rules import load_own_rules
    from migrate.report.name_map import answers_for
    from migrate.report.rules import explain as told

    _check_format(output_format, ("text", "json"))
    as_json = output_format == "json"
    cards = rule_cards(load_own_rules(rules or ()))
    card = card_called(word, cards)
    if card is not None:
        text = told.explain_rule_json(card) if as_json else told.explain_rule_text(card)
    else:
        everywhere = answers_for([word], [], cuda=cuda, arch=arch, previews=False)
        (chosen,) = answers_for([word], [rocm or "7.2"], cuda=cuda, arch=arch, previews=False)
        if chosen.resolution.verdict is Verdict.UNKNOWN:
            raise told.nothing_called(word, chosen.resolution.near, cards)
        render = told.explain_name_json if as_json else told.explain_name_text
        text = render(everywhere, chosen)
    with _reader_may_leave():
        typer.echo(text, nl=False)


@app.command()
def catalogue(
    output_format: Annotated[
        str | None,
        typer.Option("--format", "-f", help="text, json or markdown. (default: text)"),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder for Markdown: a page a rule, and an index."),
    ] = None,
    rules: Rules = None,
) -> None:
    """List every rule: what it finds, where it holds, how much it matters."""
    from migrate.catalogue import rule_cards
    from migrate.own_rules import load_own_rules
    from migrate.report.rules import listing
    from migrate.report.rules.pages import write_pages

    chosen = output_format or ("text" if output is None else "markdown")
    renders = {
        "text": listing.catalogue_text,
        "json": listing.catalogue_json,
        "markdown": listing.catalogue_markdown,
    }
    _check_format(chosen, tuple(renders))
    cards = rule_cards(load_own_rules(rules or ()))
    if output is None:
        with _reader_may_leave():
            typer.echo(renders[chosen](cards), nl=False)
        return
    _check_format(chosen, ("markdown",))
    for path in write_pages(output, cards):
        typer.echo(f"{'Wrote' if path.exists() else 'Removed'} {path}", err=True)


def _check_format(name: str, known: tuple[str, ...]) -> None:
    if name not in known:
        raise AssessError(
            f"Unknown format {name!r}",
            slug="unknown-format",
            hint=f"Use {' or '.join(known)}.",
        )


@app.command()
def graph(
    paths: Paths = None,
    output_format: Annotated[
        str, typer.Option("--format", "-f", help="dot, json or graphml.")
    ] = "dot",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write. (default: stdout)")
    ] = None,
    files: Annotated[bool, typer.Option("--files", help="Only files and includes.")] = False,
    functions: Annotated[
        bool, typer.Option("--functions", help="Only functions, calls and launches.")
    ] = False,
    include: Include = None,
    exclude: Exclude = None,
    config: Config = None,
    jobs: Jobs = None,
    include_vendored: Vendored = False,
    semantic: Semantic = None,
    semantic_budget: SemanticBudget = None,
    compile_commands: CompileCommands = None,
    cuda_path: CudaPath = None,
    no_cache: NoCache = False,
    quiet: Quiet = False,
) -> None:
    """Write the graph of files, functions and kernels: includes, calls and launches."""
    from migrate.model.graph import NodeKind
    from migrate.progress import shown_progress
    from migrate.report.graph import graph_writer, only
    from migrate.report.writers import check_outputs, write_whole
    from migrate.settings import load_settings

    settings = load_settings(
        paths or [Path()],
        {
            "include": include, "exclude": exclude, "config": config, "jobs": jobs,
            "include_vendored": include_vendored or None, "quiet": quiet or None,
            "semantic": semantic, "semantic_budget": semantic_budget,
            "compile_commands": compile_commands, "cuda_path": cuda_path,
            "no_cache": no_cache or None,
        },
    )  # fmt: skip
    render = graph_writer(output_format)
    if output is not None:
        check_outputs(("json",), output)
    with shown_progress(quiet=settings.quiet) as progress:
        from migrate.pipeline import read_graph

        shown = read_graph(settings, progress=progress)
    if files != functions:
        other = (NodeKind.FUNCTION, NodeKind.UNKNOWN)
        shown = only(shown, (NodeKind.FILE,) if files else other)
    text = render(shown)
    if output is not None:
        write_whole(output, text.encode())
        return
    with _reader_may_leave():
        typer.echo(text, nl=False)


@app.command()
def doctor(
    path: Annotated[
        Path, typer.Argument(help="The tree: its settings and compile commands may name a toolkit.")
    ] = Path(),
    cuda_path: Annotated[
        Path | None, typer.Option("--cuda-path", help="Folder of a CUDA toolkit.")
    ] = None,
    config: Config = None,
) -> None:
    """Show what the compiler's pass finds on this machine, and what it lacks."""
    from migrate.doctor import examine
    from migrate.report.doctor import render_doctor
    from migrate.settings import load_settings

    settings = load_settings([path], {"cuda_path": cuda_path, "config": config})
    setup = examine(path, settings.cuda_path, settings.compile_commands)
    with _reader_may_leave():
        typer.echo(render_doctor(setup), nl=False)


def main() -> None:
    """Run the command line; every way out has the exit code of the contract."""
    _make_output_safe()
    try:
        app()
    except AssessError as error:
        _say(f"hipassess: {error}")
        sys.exit(error.code)
    except KeyboardInterrupt:
        _say("hipassess: interrupted")
        sys.exit(130)
    except Exception:  # noqa: BLE001 - anything else is our bug, and must not read as a failed gate
        traceback.print_exc()
        _say(
            f"hipassess {__version__}: this is a bug of ours. "
            "Please report it with the lines above and the command you gave."
        )
        sys.exit(ExitCode.INTERNAL)


@contextmanager
def _reader_may_leave() -> Iterator[None]:
    """Let whoever reads the output stop early (``| head``): it changes no exit code."""
    try:
        yield
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(text: str) -> None:
    print(text, file=sys.stderr)  # noqa: T201 - the one place that prints errors


def _make_output_safe() -> None:
    """Let no character of a scanned tree stop the output, whatever the terminal's encoding."""
    codecs.register_error("hipassess", _without)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="hipassess")


def _without(error: UnicodeError) -> tuple[str | bytes, int]:
    """Stand in for what an encoding lacks: ``#`` for the blocks of a bar, dots, else an escape."""
    if isinstance(error, UnicodeEncodeError):
        lacking = error.object[error.start : error.end]
        if set(lacking) == {_ELLIPSIS}:
            return "..." * len(lacking), error.end
        if all(_FIRST_BLOCK <= character <= _LAST_BLOCK for character in lacking):
            return "#" * len(lacking), error.end
    return codecs.backslashreplace_errors(error)
