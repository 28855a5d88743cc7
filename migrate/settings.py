"""The command line and the settings file, joined into one frozen Settings, checked once."""

from __future__ import annotations

import difflib
import math
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from migrate.errors import AssessError
from migrate.model.effort import Scope, Strategy, Team
from migrate.model.semantic import SemanticMode
from migrate.model.target import CudaVersion

SETTINGS_FILE = "hipassess.toml"
_PYPROJECT = "pyproject.toml"
_TABLE = "hipassess"
_SLUG = "settings"
_SIZE_LIMIT = 1 << 20
_MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that a run is told.

    ``jobs`` 0 stands for every CPU that may be used; ``max_unread`` and ``max_cuda_only`` are
    fractions, ``max_weeks`` is person-weeks of 40 hours. ``hip_macros`` are the project's own
    macros that are defined in a HIP build, ``cuda_macros`` those that only a CUDA build defines.
    ``semantic_budget`` is the most translation units that the compiler parses. ``ignore`` are ids
    of rules that are not asked, or what their ids start with. ``rules`` are files and folders of
    the user's own rules, ``tree_rules`` those that the scanned tree itself names: data only.
    """

    paths: tuple[Path, ...]
    rocm: str = "7.2"
    archs: tuple[str, ...] = ("gfx942",)
    cuda: str | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    rules: tuple[Path, ...] = ()
    tree_rules: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    output: Path | None = None
    all_uses: bool = False
    scope: str = Scope.PRODUCTION.value
    strategy: str = Strategy.HIPIFY.value
    team: str = Team.GPU.value
    config: Path | None = None
    jobs: int = 0
    include_vendored: bool = False
    quiet: bool = False
    semantic: str = SemanticMode.AUTO.value
    semantic_budget: int = 100
    compile_commands: Path | None = None
    cuda_path: Path | None = None
    no_cache: bool = False
    hip_macros: tuple[str, ...] = ()
    cuda_macros: tuple[str, ...] = ()
    max_unread: float = 0.05
    max_file_bytes: int = 20 * _MEBIBYTE
    max_cuda_only: float | None = None
    max_weeks: float | None = None


def load_settings(
    paths: Sequence[Path],
    options: Mapping[str, object],
    defaults: Mapping[str, object] = MappingProxyType({}),
) -> Settings:
    """Join the settings file with the command line's options; an option wins over the file.

    ``options`` has the names of :class:`Settings`; None or an empty list stands for "not given".
    ``defaults`` are a command's own, for what neither says. The file is ``options["config"]``, else
    ``hipassess.toml`` at the first path, else ``[tool.hipassess]`` in the ``pyproject.toml`` there.
    A file of the scanned tree can neither name a place to write to nor set what belongs to the
    machine (``output``, ``jobs``, ``cuda_path``).

    Raises:
        AssessError: a file that cannot be read, or any unknown key or wrong value, all of one
            source together.
    """
    config = options.get("config")
    if config is not None and not isinstance(config, Path):
        config = Path(str(config))
    values = dict(defaults)
    if config is not None:
        values.update(_beside(config, _read_file(config)))
    else:
        values.update(_as_data(_read_tree(paths)))
    given = _read_options({key: value for key, value in options.items() if key != "config"})
    if "rules" in given:
        values.pop("tree_rules", None)
    values.update(given)
    return Settings(paths=tuple(paths), config=config, **values)  # type: ignore[arg-type]


def _beside(config: Path, values: dict[str, object]) -> dict[str, object]:
    """The values of a file that the user named: the rules that it names lie relative to it."""
    named = values.get("rules", ())
    if isinstance(named, tuple) and named:
        values["rules"] = tuple(config.parent / path for path in named)
    return values


def _as_data(values: dict[str, object]) -> dict[str, object]:
    """The values of a file that the scanned tree carries: its rules are data of the tree."""
    named = values.pop("rules", ())
    if isinstance(named, tuple) and named:
        values["tree_rules"] = tuple(path.as_posix() for path in named)
    return values


def settings_for_result(settings: Settings) -> dict[str, str | int | float | bool | list[str]]:
    """Return what the result shows of the settings: all that shapes it, nothing of the machine."""
    shown: dict[str, str | int | float | bool | list[str]] = {}
    for field in fields(settings):
        value = getattr(settings, field.name)
        if field.name in _NOT_SHOWN or value is None:
            continue
        if field.name == "rules":
            value = sorted({*(path.name for path in settings.rules), *settings.tree_rules})
        shown[field.name] = list(value) if isinstance(value, tuple) else value
    return shown


def parse_share(text: str) -> float:
    """Read ``30%``, ``30 %`` or ``0.3`` as a fraction.

    Raises:
        AssessError: it is no number, or not between 0 and 1 (0 % and 100 %).
    """
    try:
        return _share(text)
    except _WrongValueError as error:
        raise AssessError(f"A share of {text!r}: {error}.", slug="share") from None


class _WrongValueError(ValueError):
    """A value that a setting cannot take; its text says what it takes."""


def _share(value: object) -> float:
    number, percent = value, False
    if isinstance(value, str):
        text = value.strip()
        percent = text.endswith("%")
        number = _number_in(text.removesuffix("%").rstrip())
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise _WrongValueError('takes a share such as "30%" or 0.3')
    share = float(f"{number!r}e-2") if percent else float(number)
    if share > 1 and not percent:
        raise _WrongValueError(f'{number:g} is over 1: write "{number:g}%" or a fraction')
    if not 0 <= share <= 1:
        raise _WrongValueError("takes a share from 0% to 100%")
    return share


def _number_in(text: str) -> float | None:
    return float(text) if re.fullmatch(r"[+-]?(?:\d+\.?\d*|\.\d+)", text, re.ASCII) else None


def _text(value: object) -> str:
    if isinstance(value, str) and value.strip():
        return value.strip()
    if isinstance(value, int | float) and not isinstance(value, bool):
        raise _WrongValueError(f'takes a text: write it in quotes, "{value}"')
    raise _WrongValueError("takes a text")


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, list | tuple):
        return tuple(dict.fromkeys(_text(item) for item in value))
    try:
        return (_text(value),)
    except _WrongValueError:
        raise _WrongValueError('takes a list of texts, ["...", "..."]') from None


def _flag(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise _WrongValueError("takes true or false")


def _count(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise _WrongValueError("takes a whole number from 0 on")


def _bytes(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    raise _WrongValueError("takes a number of bytes, at least 1")


def _weeks(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        weeks = float(value)
        if math.isfinite(weeks) and weeks >= 0:
            return weeks
    raise _WrongValueError("takes a number of person-weeks from 0 on")


def _cuda(value: object) -> str:
    text = _text(value)
    try:
        CudaVersion.parse(text)
    except ValueError:
        raise _WrongValueError('takes a CUDA version such as "12.8"') from None
    return text


def _macros(value: object) -> tuple[str, ...]:
    names = _texts(value)
    for name in names:
        if not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII):
            raise _WrongValueError(f"takes macro names; {name!r} is none")
    return names


def _path(value: object) -> Path:
    return value if isinstance(value, Path) else Path(_text(value))


def _paths(value: object) -> tuple[Path, ...]:
    values = value if isinstance(value, list | tuple) else [value]
    return tuple(dict.fromkeys(map(_path, values)))


def _one_of(words: type[StrEnum]) -> Callable[[object], str]:
    def read(value: object) -> str:
        known = [word.value for word in words]
        if isinstance(value, str) and value in known:
            return str(value)
        raise _WrongValueError(f"takes one of {', '.join(known)}")

    return read


_FILE_KEYS: dict[str, Callable[[object], object]] = {
    "rocm": _text,
    "archs": _texts,
    "cuda": _cuda,
    "include": _texts,
    "exclude": _texts,
    "ignore": _texts,
    "rules": _paths,
    "formats": _texts,
    "all_uses": _flag,
    "scope": _one_of(Scope),
    "strategy": _one_of(Strategy),
    "team": _one_of(Team),
    "include_vendored": _flag,
    "semantic": _one_of(SemanticMode),
    "semantic_budget": _count,
    "hip_macros": _macros,
    "cuda_macros": _macros,
    "max_unread": _share,
    "max_file_bytes": _bytes,
    "max_cuda_only": _share,
    "max_weeks": _weeks,
}
_OPTION_KEYS: dict[str, Callable[[object], object]] = {
    **_FILE_KEYS,
    "output": _path,
    "jobs": _count,
    "quiet": _flag,
    "compile_commands": _path,
    "cuda_path": _path,
    "no_cache": _flag,
}
_OPTION_NAMES = {"archs": "arch", "formats": "format"}
_SINGULAR = {singular: plural for plural, singular in _OPTION_NAMES.items()}
_OF_THE_MACHINE = frozenset({"jobs", "quiet", "compile_commands", "cuda_path", "no_cache"})
_ONLY_OPTIONS = _OF_THE_MACHINE | {"output", "config", "paths"}
_NOT_SHOWN = _OF_THE_MACHINE | {"paths", "config", "output", "formats", "tree_rules"}


def _read_options(options: Mapping[str, object]) -> dict[str, object]:
    values: dict[str, object] = {}
    problems: list[str] = []
    for key, value in options.items():
        if value is None or value in ([], ()):
            continue
        try:
            values[key] = _OPTION_KEYS[key](value)
        except _WrongValueError as error:
            name = _OPTION_NAMES.get(key, key).replace("_", "-")
            problems.append(f"--{name} {error}")
    if problems:
        raise AssessError("; ".join(problems) + ".", slug=_SLUG)
    return values


def _read_tree(paths: Sequence[Path]) -> dict[str, object]:
    """Read the settings that the first scanned folder carries; {} where there are none."""
    if not paths or not paths[0].is_dir():
        return {}
    own, shared = paths[0] / SETTINGS_FILE, paths[0] / _PYPROJECT
    for path in (own, shared):
        if path.is_symlink() and path == own:
            raise AssessError(
                f"{path.name} in the scanned folder is a symbolic link: not followed.",
                slug=_SLUG,
                hint=f"Name the file itself with --config, or put {SETTINGS_FILE} there.",
            )
        if path.is_file() and not path.is_symlink():
            if path == own:
                return _read_file(path)
            return _read_file(path) if _mentions_us(path) else {}
    return {}


def _mentions_us(pyproject: Path) -> bool:
    """Whether a pyproject.toml speaks of us at all: one that does not is none of our business."""
    return _TABLE in _content(pyproject)


def _content(path: Path) -> str:
    try:
        if path.stat().st_size > _SIZE_LIMIT:
            raise AssessError(f"{path.name} is larger than 1 MiB.", slug=_SLUG)
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise AssessError(
            f"{path.name} is not UTF-8 (byte {error.start + 1}).",
            slug=_SLUG,
            hint="TOML files are UTF-8: save it in that encoding.",
        ) from None
    except OSError as error:
        raise AssessError(
            f"The settings file {path} cannot be read: {error.strerror or error}.", slug=_SLUG
        ) from None


def _read_file(path: Path) -> dict[str, object]:
    """Read and check one settings file; all its problems come in one message."""
    text = _content(path)
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        what = "nested too deeply" if isinstance(error, RecursionError) else _lower_first(error)
        raise AssessError(f"{path.name} is not valid TOML: {what}.", slug=_SLUG) from None
    table: object = document
    if path.name == _PYPROJECT:
        tools = document.get("tool", {})
        table = tools.get(_TABLE, {}) if isinstance(tools, dict) else {}
    if not isinstance(table, dict):
        raise AssessError(f"{path.name}: tool.{_TABLE} takes a table.", slug=_SLUG)
    values: dict[str, object] = {}
    problems: list[str] = []
    for key, value in table.items():
        problem = _take(key, value, values)
        if problem:
            problems.append(f"{path.name}{_line_of(key, text)}: {key!r} {problem}")
    if problems:
        raise AssessError(
            "\n  ".join(problems),
            slug=_SLUG,
            hint="Known keys: " + ", ".join(key.replace("_", "-") for key in _FILE_KEYS),
        )
    return values


def _take(key: str, value: object, values: dict[str, object]) -> str:
    """Put one entry of a file into ``values``; return what is wrong with it, or ""."""
    name = key.replace("-", "_")
    name = _SINGULAR.get(name, name)
    if name in _ONLY_OPTIONS:
        return "is an option of the command line, not a setting of a file"
    if name not in _FILE_KEYS:
        close = difflib.get_close_matches(name, _FILE_KEYS, n=2)
        near = " or ".join(word.replace("_", "-") for word in close)
        return f"is not known; did you mean {near}?" if near else "is not known"
    if name in values:
        return "is there twice, in two spellings"
    try:
        values[name] = _FILE_KEYS[name](value)
    except _WrongValueError as error:
        return str(error)
    return ""


def _line_of(key: str, text: str) -> str:
    """Return ``:12`` for the line that seems to set ``key``; "" where none does."""
    found = re.search(rf"^[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*=", text, re.MULTILINE)
    return f":{text.count(chr(10), 0, found.start()) + 1}" if found else ""


def _lower_first(error: Exception) -> str:
    text = str(error)
    return text[:1].lower() + text[1:]
