"""Translation units: what libclang is asked to parse, how, and for which files it answers."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class CompileArguments:
    """What of a compile command a parse may use; everything else is left out.

    Folders and files are absolute paths of this machine. ``macros`` are ``-DNAME``,
    ``-DNAME=VALUE`` and ``-UNAME`` in their order, ``standard`` is ``c++17`` or "" where nothing
    says it, ``language`` ``cuda``, ``c++`` or ``c``. ``cuda_path`` is the toolkit that the
    command's compiler belongs to ("" where that is not told). ``refused`` names the flags that
    would load, run, write or read what a scanned tree has no say in.
    """

    include: tuple[str, ...] = ()
    quote: tuple[str, ...] = ()
    system: tuple[str, ...] = ()
    macros: tuple[str, ...] = ()
    forced: tuple[str, ...] = ()
    standard: str = ""
    language: str = "cuda"
    cuda_archs: tuple[str, ...] = ()
    cuda_path: str = ""
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CompileCommand:
    """How one file of the tree is compiled; ``path`` is relative to the scanned root."""

    path: str
    arguments: CompileArguments


@dataclass(frozen=True, slots=True, kw_only=True)
class CompileDatabase:
    """What a ``compile_commands.json`` says of the tree's files.

    ``commands`` holds the first usable command of each file, in order of path; ``left_out`` counts
    the entries that were not taken, by reason.
    """

    path: str = ""
    commands: tuple[CompileCommand, ...] = ()
    left_out: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolkit:
    """Where CUDA's headers lie.

    ``include`` are the folders in the order in which they are searched; ``origin`` says how they
    were found (``--cuda-path``, ``CUDA_PATH``, ``compile_commands.json``, ``package``), ``version``
    is as ``12.9``, "" where no header tells. ``lacking`` are the parts that a parse needs and that
    are not there, as a person would look for them (``crt/host_config.h``).
    """

    include: tuple[str, ...] = ()
    origin: str = ""
    version: str = ""
    lacking: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A translation unit to be parsed.

    ``path`` is its main file, ``asks`` the files of the tree that it is to answer for (its main
    file and headers; each header is asked of few units). ``known`` says whether the arguments come
    from a compile command; else they are guessed from the tree.
    """

    path: str
    arguments: CompileArguments
    asks: tuple[str, ...]
    known: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitPlan:
    """The units to be parsed, in order of what each is expected to tell.

    ``beyond_budget`` counts the units that were left out for being too many, ``uncovered`` names
    the project's files with CUDA code that none of the units answers for, in order of path.
    """

    units: tuple[Unit, ...] = ()
    beyond_budget: int = 0
    uncovered: tuple[str, ...] = ()
