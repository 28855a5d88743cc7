"""The formats, which function writes each, and how a report reaches the disk whole."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from migrate.errors import AssessError
from migrate.model.assessment import Assessment

BASENAME = "hipassess"
"""A report's name in a folder, before the suffix."""


@dataclass(frozen=True, slots=True)
class Writer:
    """One format: its name, its file suffix, and the function that writes it."""

    name: str
    suffix: str
    render: Callable[[Assessment], str]
    shows_code: bool = False
    """Whether it wants ``Assessment.excerpts``."""


def _text(assessment: Assessment) -> str:
    from migrate.report.text import render_text  # noqa: PLC0415 - rich loads only for text

    return render_text(assessment, width=None, colour=False)


def _json(assessment: Assessment) -> str:
    from migrate.report.json_v1 import render_json  # noqa: PLC0415 - only what is asked for loads

    return render_json(assessment)


def _html(assessment: Assessment) -> str:
    from migrate.report.html.render import render_html  # noqa: PLC0415 - jinja2 loads only for html

    return render_html(assessment)


FORMATS: Mapping[str, Writer] = MappingProxyType(
    {
        writer.name: writer
        for writer in (
            Writer("text", ".txt", _text),
            Writer("json", ".json", _json),
            Writer("html", ".html", _html, shows_code=True),
        )
    }
)
"""Every format by its name on the command line."""


def format_for_path(path: Path | str) -> str:
    """Name the format that a file's suffix asks for.

    Raises:
        AssessError: ``unknown-format``, no format has that suffix.
    """
    suffix = Path(path).suffix.lower()
    for writer in FORMATS.values():
        if writer.suffix == suffix:
            return writer.name
    known = ", ".join(writer.suffix for writer in FORMATS.values())
    said = f"the suffix {suffix!r}" if suffix else "a name without a suffix"
    raise AssessError(
        f"No report format goes with {said} ({path})",
        slug="unknown-format",
        hint=f"Known suffixes: {known}; or name a format with --format.",
    )


def check_outputs(formats: Iterable[str], output: Path | None) -> tuple[str, ...]:
    """Settle which formats are written, and say before a long scan what could not be written.

    Without ``formats`` the suffix of ``output`` decides; without both it is ``text``.

    Raises:
        AssessError: ``unknown-format``, ``output-missing``, ``output-not-writable``.
    """
    names = tuple(dict.fromkeys(formats))
    if not names:
        names = ("text",) if output is None else (format_for_path(output),)
    for name in names:
        _writer(name)
    if output is None:
        if len(names) > 1:
            raise AssessError(
                "Several formats need a folder to go to",
                slug="output-missing",
                hint="Add --output FOLDER.",
            )
    elif len(names) > 1:
        _check_folder(output)
    elif not output.is_dir():
        _check_file(output)
    return names


def write_outputs(
    assessment: Assessment, formats: Iterable[str], output: Path | None
) -> list[Path]:
    """Write an assessment in the formats asked for and return the files written, in that order.

    Without ``output`` the one format goes to standard output. One format goes to the file
    ``output``; several, or an ``output`` that is a folder, go into that folder, named
    ``hipassess.json`` and so on. Everything is rendered before the first file is touched, and a
    file appears only when it is whole.

    Raises:
        AssessError: as :func:`check_outputs`, which settles the formats.
    """
    writers = [FORMATS[name] for name in check_outputs(formats, output)]
    if output is None:
        _to_stdout(writers[0].render(assessment))
        return []
    folder = len(writers) > 1 or output.is_dir()
    paths = [output / f"{BASENAME}{writer.suffix}" if folder else output for writer in writers]
    texts = [writer.render(assessment).encode() for writer in writers]
    if folder:
        _make_folder(output)
    for path, text in zip(paths, texts, strict=True):
        write_whole(path, text)
    return paths


def write_whole(path: Path, content: bytes) -> None:
    """Put ``content`` at ``path`` whole or not at all: written beside it, then renamed.

    A symbolic link is refused: the scanned tree may hold one that points anywhere. A device or a
    pipe takes the bytes as they are.

    Raises:
        AssessError: ``output-not-writable``.
    """
    _check_file(path)
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)
        else:
            _replace(path, content)
    except OSError as error:
        raise _not_writable(path, error.strerror or str(error), "Name another --output.") from error


def _replace(path: Path, content: bytes) -> None:
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with beside.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _writer(name: str) -> Writer:
    try:
        return FORMATS[name]
    except KeyError:
        raise AssessError(
            f"Unknown format {name!r}",
            slug="unknown-format",
            hint=f"Known formats: {', '.join(FORMATS)}.",
        ) from None


def _to_stdout(text: str) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()


def _check_file(path: Path) -> None:
    if not path.parent.is_dir():
        raise _not_writable(path, "its folder does not exist", "Make the folder first.")
    if path.is_symlink() and (path.is_file() or not path.exists()):
        hint = "Name the file it points to, or remove the link."
        raise _not_writable(path, "it is a symbolic link", hint)


def _check_folder(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise _not_writable(folder, "several formats need a folder, and this is a file", "")
    if not folder.parent.is_dir():
        raise _not_writable(folder, "its parent folder does not exist", "Make the folder first.")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise _not_writable(folder, error.strerror or str(error), "") from error


def _not_writable(path: Path, why: str, hint: str) -> AssessError:
    return AssessError(f"Cannot write {path}: {why}", slug="output-not-writable", hint=hint)
