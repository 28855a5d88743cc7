"""The words of a command with those of its response files in their place, within limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from migrate.discover.command_line import split_command
from migrate.discover.flag_names import OPTIONS_FILE
from migrate.discover.places import Places

_MOST_ARGUMENTS = 1 << 14
_MOST_IN_ALL = 3_000_000
_MOST_RESPONSE_FILES = 64
_KNOWN_RESPONSES = 64
_TEXT_PER_ARGUMENT = 16
_PREFIXES = ("@", *OPTIONS_FILE)


class TooManyArgumentsError(ValueError):
    """A command has more arguments than any build writes, or all that were read have."""


class CommandWords:
    """Expands the commands of one tree; what is read for all of them is limited too.

    Response files are the tree's own, and each is read once a command, so that cycles end.
    """

    def __init__(self, places: Places) -> None:
        self._places = places
        self._left = _MOST_IN_ALL
        self._responses: dict[tuple[str, bool], tuple[str, ...] | None] = {}

    def expanded(
        self, words: Sequence[str], directory: str, *, windows: bool
    ) -> tuple[Sequence[str], set[str]]:
        """Return the words, and the flags whose response files are refused.

        Raises:
            TooManyArgumentsError: there are more than 16,384, or 3 million in all.
        """
        refused: set[str] = set()
        if len(words) <= _MOST_ARGUMENTS and not any(map(_may_name_files, words)):
            self._spend(len(words) + 1)
            return words, refused
        taken: list[str] = []
        met: dict[str, bool] = {}
        waiting: list[Iterator[str]] = [iter(words[: _MOST_ARGUMENTS + 1])]
        while waiting:
            for word in waiting[-1]:
                name, files = _response_files(word, waiting[-1])
                if files:
                    inner = self._responded(files, met, directory, windows=windows)
                    if inner is None:
                        refused.add(name)
                    else:
                        waiting.append(iter(inner))
                        break
                else:
                    taken.append(word)
            else:
                waiting.pop()
            if len(taken) > _MOST_ARGUMENTS:
                self._spend(_MOST_ARGUMENTS)
                raise TooManyArgumentsError
        self._spend(len(taken) + 1)
        return taken, refused

    def _spend(self, arguments: int) -> None:
        self._left -= arguments
        if self._left < 0:
            raise TooManyArgumentsError

    def _responded(
        self, files: Sequence[str], met: dict[str, bool], directory: str, *, windows: bool
    ) -> list[str] | None:
        words: list[str] = []
        for file in files:
            path = self._places.absolute(file, directory)
            if path not in met:
                inner = None
                if len(met) < _MOST_RESPONSE_FILES:
                    inner = self._response(path, windows=windows)
                met[path] = inner is not None
                words += inner or ()
            if not met[path]:
                return None
        return words

    def _response(self, path: str, *, windows: bool) -> tuple[str, ...] | None:
        known = path, windows
        if known not in self._responses:
            if len(self._responses) >= _KNOWN_RESPONSES:
                self._responses.clear()
            text = self._places.response(path)
            self._spend(len(text or "") // _TEXT_PER_ARGUMENT)
            self._responses[known] = None if text is None else _split(text, windows=windows)
        return self._responses[known]


def _split(text: str, *, windows: bool) -> tuple[str, ...] | None:
    try:
        return tuple(split_command(text, windows=windows)[: _MOST_ARGUMENTS + 1])
    except ValueError:
        return None


def _may_name_files(word: str) -> bool:
    return word.startswith(_PREFIXES)


def _response_files(word: str, following: Iterator[str]) -> tuple[str, list[str]]:
    """Return the flag that asks for response files and the files; none for another word."""
    if word.startswith("@") and len(word) > 1:
        return "@", [word[1:]]
    name, equals, value = word.partition("=")
    if name in OPTIONS_FILE:
        return name, (value if equals else next(following, "")).split(",")
    return "", []
