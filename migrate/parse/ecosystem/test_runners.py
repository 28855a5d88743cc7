"""tox and nox: the packages that they install and the commands that they run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from migrate.model.signals import Signal
from migrate.parse.ecosystem.command_lines import nvcc_signals, setting_of_nvcc
from migrate.parse.ecosystem.packages import requirement_signals
from migrate.parse.ecosystem.shell import shell_signals, variable_signals

_SECTION = re.compile(r"\[")
_KEY = re.compile(r"([a-z_]+)\s*=\s*(.*)")
_FACTOR = re.compile(r"[\w.,{}!-]+\s*:\s+")
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)\s*=\s*(.*)")
_COMMANDS = frozenset({"commands", "commands_pre", "commands_post", "install_command"})
_SETTINGS = frozenset({"setenv", "set_env"})
_STARTERS = frozenset({"run", "run_always", "run_install"})
_INSTALLERS = {"install": "pip install", "conda_install": "conda install"}


def read_tox(text: str) -> Iterator[Signal]:
    """Yield what tox.ini installs, sets and runs; each value may go on over indented lines."""
    key = ""
    for line, raw in enumerate(text.splitlines(), start=1):
        content = re.sub(r"(?:^|\s)#.*$", "", raw)
        if _SECTION.match(content):
            key = ""
        elif named := _KEY.match(content):
            key, content = named[1], named[2]
        value = _FACTOR.sub("", content.strip(), count=1) if content.strip() else ""
        if value:
            yield from _tox_line(key, value, line)


def _tox_line(key: str, value: str, line: int) -> Iterator[Signal]:
    if key == "deps" and not value.startswith("-"):
        yield from requirement_signals(value, line)
    elif key in _COMMANDS:
        yield from _command(value, line)
    elif key in _SETTINGS and (assigned := _ASSIGNMENT.match(value)):
        yield from variable_signals(assigned[1], assigned[2], line)
        yield from setting_of_nvcc(assigned[1], assigned[2], line)


def session_signals(tree: ast.Module) -> Iterator[Signal]:
    """Yield what the sessions of a noxfile install and run, as far as it stands in texts."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name = node.func.attr
            if name in _STARTERS or name in _INSTALLERS:
                command, line = _words(node)
                yield from _command(f"{_INSTALLERS.get(name, '')} {command}".strip(), line)


def _words(call: ast.Call) -> tuple[str, int]:
    """The texts that a call is given, each on its line, and the first one's line."""
    texts = [
        (one.value, one.lineno)
        for one in call.args
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and "\n" not in one.value
    ]
    if not texts:
        return "", call.lineno
    words, line = "", texts[0][1]
    for text, at in texts:
        words += "\n" * max(at - line, 0) + f" {text}"
        line = max(line, at)
    return words, texts[0][1]


def _command(text: str, line: int) -> Iterator[Signal]:
    yield from shell_signals(text.replace("\n", " "), line)
    yield from nvcc_signals(line, text)
