"""The user's own rules: which files the settings name, read whole before a scan begins.

A Python file is run, so it may only be named by the user: on the command line, or in a settings
file given there. What the scanned tree's own settings name is data, lies in the tree, and is no
link.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from migrate.errors import AssessError
from migrate.model.rule import Rule
from migrate.treefile import read_regular_file

_YAML = (".yaml", ".yml")
_KINDS = (".py", *_YAML)
_LARGEST = 1 << 20
_Read = tuple[list[Rule], list[str]]


def load_own_rules(
    named: Sequence[Path], in_tree: Sequence[str] = (), root: Path | None = None
) -> tuple[Rule, ...]:
    """The rules of all files, in order of id.

    Args:
        named: files and folders that the user named; a folder stands for its Python and YAML files.
        in_tree: YAML files that the scanned tree names, relative to its ``root``.
        root: the scanned tree.

    Raises:
        AssessError: ``own-rules``, with all that is wrong in all files.
    """
    if not named and not in_tree:
        return ()
    # What reads and checks them loads PyYAML, which a run without own rules does not need.
    from migrate.rules.own.checks import wrong_rules  # noqa: PLC0415

    rules: list[Rule] = []
    problems: list[str] = []
    for found, wrong in (*_named(named), *(_read_of_tree(name, root) for name in in_tree)):
        rules += found
        problems += wrong
    problems += wrong_rules(rules)
    if problems:
        raise AssessError(
            "own rules that cannot be used:\n" + "\n".join(f"  - {one}" for one in problems),
            slug="own-rules",
            hint="docs/own-rules.md has the form with an example.",
        )
    return tuple(sorted(rules, key=lambda rule: rule.id))


def _named(named: Sequence[Path]) -> Iterator[_Read]:
    for path in named:
        files = _files_of(path) if path.is_dir() else [path]
        yield from map(_read_named, files)
        if not files:
            yield [], [f"{path}: holds no {', '.join(_KINDS)} file"]


def _files_of(folder: Path) -> list[Path]:
    return sorted(
        path
        for path in folder.iterdir()
        if path.suffix in _KINDS and not path.name.startswith((".", "_")) and path.is_file()
    )


def _read_named(path: Path) -> _Read:
    from migrate.rules.own.form import read_form  # noqa: PLC0415 - loads PyYAML
    from migrate.rules.own.python import run_rules_file  # noqa: PLC0415 - as the form

    try:
        if path.suffix == ".py" and path.is_file():
            return run_rules_file(path)
        if path.suffix in _YAML:
            with path.open("rb") as stream:
                return _read_text(stream.read(_LARGEST + 1), path.name, read_form)
    except OSError as error:
        return [], [f"{path}: {error.strerror or error}"]
    return [], [f"{path}: is no folder and no {', '.join(_KINDS)} file"]


def _read_of_tree(name: str, root: Path | None) -> _Read:
    from migrate.rules.own.form import read_form  # noqa: PLC0415 - loads PyYAML

    refused = _refused(name, root)
    if refused or root is None:
        return [], [f"{name}: {refused}"]
    try:
        return _read_text(read_regular_file(str(root), name), name, read_form)
    except OSError as error:
        return [], [f"{name}: {error.strerror or error}"]


def _refused(name: str, root: Path | None) -> str:
    """Why a file that a scanned tree names is not read; "" where nothing is against it."""
    parts = PurePosixPath(name).parts
    if Path(name).suffix == ".py":
        return "Python rules are run: give them with --rules, a scanned tree cannot name them"
    if Path(name).suffix not in _YAML:
        return f"is no {' or '.join(_YAML)} file; folders can only be given with --rules"
    if root is None or Path(name).is_absolute() or ".." in parts or "\\" in name:
        return "lies outside the scanned tree: give it with --rules"
    if any(root.joinpath(*parts[: n + 1]).is_symlink() for n in range(len(parts))):
        return "is a symbolic link, or lies behind one: not followed"
    return ""


def _read_text(data: bytes, name: str, read: Callable[[str, str], _Read]) -> _Read:
    if len(data) > _LARGEST:
        return [], [f"{name}: larger than 1 MiB"]
    try:
        return read(data.decode("utf-8-sig"), name)
    except UnicodeDecodeError as error:
        return [], [f"{name}: no UTF-8 (byte {error.start + 1})"]
