"""What a parse may use of a command's flags, gathered one by one; all else is refused by name."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from migrate.discover.command_line import split_command
from migrate.discover.compilers import Compiler, language_of_suffix
from migrate.discover.flag_names import (
    JOINED,
    LANGUAGES,
    MEANINGS,
    NVCC_MACROS,
    Meaning,
    from_cl,
    is_plain,
    name_of,
)
from migrate.discover.places import Places
from migrate.model.unit import CompileArguments

_MACRO = re.compile(r"[A-Za-z_$][\w$]*(?:\([\w$,. ]*\))?(?:=[^\n\r\0]*)?")
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*")
_STANDARD = re.compile(
    r"(?:c|gnu)(?:\+\+(?:98|03|0x|1[147yz]|2[036abc])|89|9[09x]|1[178x]|2[3xy])|iso9899:\d{4}"
)
_LATEST = {"c++latest": "c++23", "clatest": "c23"}
_ARCH = re.compile(r"(?:sm|compute|lto)_([1-9]\d{1,2})([af]?)(?!\w)")
_HIP_ARCH = re.compile(r"\bgfx[0-9a-f]+")
_COMMA = re.compile(r"(?<!\\),")


@dataclass(frozen=True, slots=True)
class ReadCommand:
    """What a command says; ``language`` is also ``hip``, and "" for none that is known."""

    arguments: CompileArguments
    language: str


class GatheredFlags:
    """What is gathered from one command, flag by flag."""

    def __init__(self, places: Places, directory: str, compiler: Compiler) -> None:
        self.refused: set[str] = set()
        self._places = places
        self._directory = directory
        self._compiler = compiler
        self._folders: dict[Meaning, dict[str, None]] = {kind: {} for kind in _FOLDERS}
        self._macros: list[str] = []
        self._forced: list[str] = []
        self._standard = ""
        self._language = ""
        self._codes: set[tuple[int, str]] = set()
        self._archs: set[tuple[int, str]] = set()
        self._hip = compiler.hip
        self._toolkit = ""
        self._inputs: list[str] = []
        self._host: list[str] = []

    def take(self, words: Iterable[str], *, windows: bool) -> None:
        """Take the command's own flags, then those that it hands to the host's compiler."""
        self._take(words, cl=self._compiler.cl)
        standard, host, self._host = self._standard, self._host, []
        self._take(host, cl=windows and any(word.startswith("/") for word in host))
        self._standard = standard or self._standard
        if self._host:
            self.refused.add("-Xcompiler")

    def _take(self, words: Iterable[str], *, cl: bool) -> None:
        stream = iter(words)
        for given in stream:
            word = from_cl(given) if cl and given[:1] in {"-", "/"} else given
            if word.startswith("-") and word != "-":
                meaning, name, value = _meaning_of(word)
                self._apply(meaning, name, next(stream, "") if value is None else value)
            elif cl and word.startswith("/"):
                self.refused.add(name_of(word))
            elif word.startswith("@"):
                self.refused.add("@")
            elif word:
                self._inputs.append(word)

    def _apply(self, meaning: Meaning, name: str, value: str) -> None:
        if meaning in _FOLDERS:
            self._add_folder(meaning, name, value)
        elif meaning is Meaning.NOTHING:
            if self._compiler.nvcc and value != "false":
                self._macros += filter(None, (NVCC_MACROS.get(name.lstrip("-")),))
        elif meaning is Meaning.REFUSED:
            self.refused.add(name)
        else:
            _HANDLERS[meaning](self, name, value)

    def _add_folder(self, kind: Meaning, name: str, value: str) -> None:
        folder = self._places.folder(value, self._directory) if value else ""
        if folder is None:
            self.refused.add(name)
        elif folder:
            self._folders[kind][folder] = None

    def define(self, name: str, text: str) -> None:
        """Take a macro in."""
        self._add_macro(name, "-D", text, _MACRO)

    def undefine(self, name: str, text: str) -> None:
        """Take in that a macro is not defined."""
        self._add_macro(name, "-U", text, _IDENTIFIER)

    def _add_macro(self, name: str, flag: str, text: str, form: re.Pattern[str]) -> None:
        if _is_macro(text, form):
            self._macros.append(flag + text)
        else:
            self.refused.add(name)

    def force(self, _: str, value: str) -> None:
        """Note a header to include up front."""
        self._forced.append(value)

    def set_standard(self, name: str, value: str) -> None:
        """Take the language's standard; the last one counts."""
        value = _LATEST.get(value, value)
        if _STANDARD.fullmatch(value):
            self._standard = value
        else:
            self.refused.add(name)

    def set_language(self, _: str, value: str) -> None:
        """Take the language of the files that follow."""
        self._language = LANGUAGES.get(value, "another")

    def add_archs(self, _: str, value: str) -> None:
        """Note architectures, of which ``-code`` may choose."""
        self._archs |= _archs_in(value)
        self._hip = self._hip or bool(_HIP_ARCH.search(value))

    def add_codes(self, _: str, value: str) -> None:
        """Note architectures that code is made for."""
        codes = _archs_in(value.partition("code=")[2])
        self._codes |= codes or _archs_in(value)

    def add_host(self, _: str, value: str) -> None:
        """Note flags for the host's compiler, separated by commas."""
        for part in _COMMA.split(value):
            try:
                self._host += split_command(part)
            except ValueError:
                self._host += part.split()

    def set_toolkit(self, _: str, value: str) -> None:
        """Take the toolkit that clang is told."""
        self._toolkit = self._places.toolkit(value, self._directory)

    def result(self, file: str) -> ReadCommand:
        """Return what was gathered for a command that compiles ``file``."""
        language = self._judged_language(file)
        include, quote, system, after = (tuple(self._folders[kind]) for kind in _FOLDERS)
        toolkit = self._toolkit or self._toolkit_of_compiler()
        own = (f"{toolkit}/include",) if toolkit else ()
        forced = self._found((*quote, *include, *system, *after, *own))
        known = language if language in {"cuda", "c"} else "c++"
        fits = ("++" in self._standard) == (known != "c")
        arguments = CompileArguments(
            include=include,
            quote=quote,
            system=tuple(dict.fromkeys((*system, *after))),
            macros=tuple(self._macros),
            forced=tuple(forced),
            standard=self._standard if fits else "",
            language=known,
            cuda_archs=tuple(
                f"sm_{number}{kind}" for number, kind in sorted(self._codes or self._archs)
            ),
            cuda_path=toolkit,
            refused=tuple(sorted(self.refused)),
        )
        return ReadCommand(arguments, language)

    def _judged_language(self, file: str) -> str:
        """Return the language that the command compiles a file as."""
        if self._hip or self._language == "hip":
            return "hip"
        if self._language:
            return "" if self._language == "another" else self._language
        inputs = (file,) if file else reversed(self._inputs)
        told = (language_of_suffix(name, self._compiler) for name in inputs)
        return next(filter(None, told), "")

    def _found(self, folders: tuple[str, ...]) -> dict[str, None]:
        found: dict[str, None] = {}
        for name in dict.fromkeys(self._forced):
            path = self._places.forced(name, self._directory, folders)
            if path:
                found[path] = None
            else:
                self.refused.add("-include")
        return found

    def _toolkit_of_compiler(self) -> str:
        path = self._compiler.nvcc_path
        return self._places.toolkit(posixpath.dirname(posixpath.dirname(path)), "") if path else ""


_FOLDERS = (Meaning.INCLUDE, Meaning.QUOTE, Meaning.SYSTEM, Meaning.AFTER)
_HANDLERS = {
    Meaning.DEFINE: GatheredFlags.define,
    Meaning.UNDEFINE: GatheredFlags.undefine,
    Meaning.FORCED: GatheredFlags.force,
    Meaning.STANDARD: GatheredFlags.set_standard,
    Meaning.LANGUAGE: GatheredFlags.set_language,
    Meaning.ARCH: GatheredFlags.add_archs,
    Meaning.CODE: GatheredFlags.add_codes,
    Meaning.GENERATE: GatheredFlags.add_codes,
    Meaning.HOST: GatheredFlags.add_host,
    Meaning.TOOLKIT: GatheredFlags.set_toolkit,
}


@lru_cache(maxsize=4096)
def _meaning_of(word: str) -> tuple[Meaning, str, str | None]:
    """Return what a flag means, its name and its value; None where the next word is the value."""
    if word in MEANINGS:
        return MEANINGS[word], word, None
    name, equals, value = word.partition("=")
    if equals and name in MEANINGS:
        return MEANINGS[name], name, value
    if word.startswith("-x") and word[2:] in LANGUAGES:
        return Meaning.LANGUAGE, "-x", word[2:]
    if is_plain(word):
        return Meaning.NOTHING, name, value
    for flag in JOINED:
        if word.startswith(flag):
            return MEANINGS[flag], flag, word[len(flag) :]
    follows = None if word.startswith("-X") and not equals else ""
    return Meaning.REFUSED, name_of(word), follows


def _archs_in(value: str) -> set[tuple[int, str]]:
    return {(int(number), kind) for number, kind in _ARCH.findall(value)}


@lru_cache(maxsize=4096)
def _is_macro(text: str, form: re.Pattern[str]) -> bool:
    if not form.fullmatch(text):
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
