"""A compile command's arguments, of which a parse gets only what can do no harm.

It is an allow list: include folders, macros, the standard, and headers included up front where they
are the tree's or a CUDA toolkit's. Nothing else of a command reaches libclang.
"""

from __future__ import annotations

from collections.abc import Sequence

from migrate.discover.command_words import CommandWords, TooManyArgumentsError
from migrate.discover.compilers import find_compiler
from migrate.discover.gathered_flags import GatheredFlags, ReadCommand
from migrate.discover.places import Places
from migrate.model.unit import CompileArguments


def read_flags(
    arguments: Sequence[str], directory: str, root: str, *, toolkits: Sequence[str] = ()
) -> CompileArguments:
    """Return what a parse may use of a command's arguments, the compiler in front or not.

    ``directory`` is the folder in which the command runs, ``root`` the scanned one, ``toolkits``
    are include folders of CUDA toolkits known otherwise. The file system is asked whether folders
    and files are there, and response files in the tree are read. A command with more than 16,384
    arguments gives nothing. The language is C++ where neither ``-x`` nor a file's suffix tells.
    """
    try:
        command = CommandReader(Places(root, toolkits=toolkits)).read(arguments, directory)
    except TooManyArgumentsError:
        return CompileArguments(language="c++", refused=("@",))
    return command.arguments


class CommandReader:
    """Reads the commands of one tree; how many arguments it reads in all is limited."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._words = CommandWords(places)

    def read(
        self, words: Sequence[str], directory: str, *, file: str = "", windows: bool = False
    ) -> ReadCommand:
        """Read one command; ``file`` is what it compiles, "" to take it from the arguments.

        Raises:
            TooManyArgumentsError: it has too many arguments, or all commands read have.
        """
        compiler, flags = find_compiler(words)
        taken, refused = self._words.expanded(flags, directory, windows=windows)
        gathered = GatheredFlags(self._places, directory, compiler)
        gathered.refused |= refused
        gathered.take(taken, windows=windows)
        return gathered.result(file)
