"""What this machine has for the compiler's pass, found out by looking and by one small parse."""

from __future__ import annotations

import platform
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from migrate import __version__
from migrate.discover.toolkit import LIBRARIES, find_toolkit, libraries_in
from migrate.knowledge.apis import load_tables
from migrate.model.setup import LibraryHeaders, Setup
from migrate.model.unit import Toolkit
from migrate.parse.clang.folder import cache_folder
from migrate.parse.clang.native import LibclangError, load_libclang


def examine(cuda_path: Path | None, database_paths: Sequence[str] = ()) -> Setup:
    """Look at what there is; a parse is tried where libclang and some CUDA headers are there.

    Args:
        cuda_path: the toolkit that the user named.
        database_paths: the toolkits that compile commands name.

    Raises:
        AssessError: the toolkit that the user named holds no headers.
    """
    toolkit = find_toolkit(cuda_path, database_paths)
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
    )
    return _with_parse(base, toolkit)


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
