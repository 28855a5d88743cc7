"""What this machine has for the compiler's pass, found out by looking and by one small parse."""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import replace
from pathlib import Path

from migrate import __version__
from migrate.discover.compile_db import find_compile_database, read_compile_database
from migrate.discover.toolkit import LIBRARIES, find_toolkit, libraries_in, named_toolkits
from migrate.errors import AssessError
from migrate.knowledge.apis import load_tables
from migrate.model.setup import LibraryHeaders, Setup
from migrate.model.unit import CompileDatabase, Toolkit
from migrate.parse.clang.native import LibclangError, load_libclang
from migrate.parse.clang.workers.folder import cache_folder


def examine(root: Path, cuda_path: Path | None, compile_commands: Path | None) -> Setup:
    """Look at what there is; a parse is tried where there is a libclang.

    Args:
        root: the tree, whose compile commands may name a toolkit.
        cuda_path: the toolkit that the user named.
        compile_commands: the compile database that the user named.

    Raises:
        AssessError: ``root`` is not there, the toolkit that the user named holds no headers, or
            the database cannot be read.
    """
    database = _database(root, compile_commands)
    toolkit = find_toolkit(cuda_path, named_toolkits(database))
    known = libraries_in(toolkit)
    base = Setup(
        tool=__version__,
        python=platform.python_version(),
        system=sys.platform,
        toolkit=toolkit,
        headers=known,
        absent=tuple(name for name in LIBRARIES if name not in known),
        tables_as_of=load_tables().as_of,
        cache=str(cache_folder() or ""),
        commands=database.path,
        commanded=len(database.commands),
    )
    return _with_parse(base, toolkit)


def _database(root: Path, named: Path | None) -> CompileDatabase:
    if not root.exists():
        raise AssessError(
            f"There is no such path: {root}", slug="no-such-path", hint="Give a folder to look at."
        )
    real = os.path.realpath(root)
    folder = real if Path(real).is_dir() else str(Path(real).parent)
    file = named or find_compile_database(folder)
    if file is None:
        return CompileDatabase()
    return read_compile_database(file, folder, named=named is not None)


def _with_parse(base: Setup, toolkit: Toolkit) -> Setup:
    try:
        libclang = load_libclang()
    except LibclangError as error:
        return replace(base, libclang_problem=str(error))
    from migrate.parse.clang.smoke import check_parse  # noqa: PLC0415 - needs libclang's module

    smoke = check_parse(toolkit)
    library = smoke.library
    standard = LibraryHeaders(name=library.name, has_c=library.has_c) if library else None
    return replace(
        base,
        libclang=libclang.version,
        folder=str(libclang.resources.parent),
        standard=standard,
        parsed=smoke.ok,
        parse_problem=smoke.reason,
        errors=smoke.errors,
    )
