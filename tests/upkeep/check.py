"""Holds the tables against the headers and bindings of public packages: ``nox -s tables``.

Exit status 0: every public name of CUDA has an answer, and nothing contradicts the tables; else 1.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from migrate.knowledge.apis import load_tables
from migrate.knowledge.releases import parse_release
from migrate.model.target import CudaVersion, Target
from migrate.model.verdict import Verdict
from tests.upkeep.coverage import (
    count_states,
    public,
    read_not_public,
    unneeded,
    without_row,
)
from tests.upkeep.declared import CUDA, Declared, read_headers
from tests.upkeep.packages import PackageSet, fetch, read_packages

# C++ libraries have their own namespaces and no list of names: their tables are made by hand.
_NOT_READ = "nvidia-cuda-cccl"


def main(arguments: Sequence[str] | None = None) -> int:
    """Fetch the packages, run every check and print what each finds.

    Returns:
        the exit status.
    """
    options = _parser().parse_args(arguments)
    cuda: dict[str, list[Declared]] = {}
    for packages in read_packages():
        folders = fetch(packages, options.cache, newest=options.newest)
        if packages.vendor == "cuda":
            cuda[packages.version] = cuda_declarations(packages, folders)
    return 1 if check_coverage(cuda, options.rocm) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, required=True, help="where headers are unpacked")
    parser.add_argument("--newest", action="store_true", help="newest packages, not the pinned")
    parser.add_argument("--rocm", default="7.2", help="the release that the counts speak of")
    return parser


def cuda_declarations(packages: PackageSet, folders: Sequence[Path]) -> list[Declared]:
    """What the headers of one toolkit declare, package by package."""
    include = [*folders, *(folder / "cccl" for folder in folders if (folder / "cccl").is_dir())]
    found: list[Declared] = []
    for folder in folders:
        if not folder.name.startswith(_NOT_READ):
            print(f"CUDA {packages.version}: {folder.name}", file=sys.stderr, flush=True)
            found += read_headers(_headers(folder), [folder, *include], CUDA)
    return found


def _headers(folder: Path) -> list[str]:
    paths = (path for path in folder.rglob("*") if path.suffix in {".h", ".hpp"})
    return sorted(path.relative_to(folder).as_posix() for path in paths)


def check_coverage(cuda: Mapping[str, Sequence[Declared]], rocm: str) -> int:
    """Print the names by library and state, then those without a row; returns their number."""
    tables, excluded = load_tables(), read_not_public()
    missing: dict[str, Declared] = {}
    for version, declarations in cuda.items():
        names = list(public(declarations, excluded))
        target = Target(parse_release(rocm), ("gfx942",), CudaVersion.parse(version))
        counts = count_states(names, tables, target)
        _print_counts(f"CUDA {version}: names by verdict on ROCm {rocm}", counts)
        missing |= {one.name: one for one in without_row(names, tables)}
    print(f"\n{len(missing)} public names without a row")
    _print_names(missing.values())
    stale = unneeded([one for found in cuda.values() for one in found], excluded)
    print(f"\n{len(stale)} patterns of not_public.csv that nothing needs")
    for rule in stale:
        print(f"  {rule.header} {rule.name}")
    return len(missing) + len(stale)


def _print_counts(title: str, counts: Mapping[str, Counter[str]]) -> None:
    columns = [*(verdict.value for verdict in Verdict), "unconfirmed"]
    lines = [["library", "names", *columns]]
    for library, counted in sorted(counts.items()):
        names = counted.total() - counted["unconfirmed"]
        lines.append([library, *map(str, (names, *(counted[column] for column in columns)))])
    print(f"\n{title}")
    for first, *cells in lines:
        print(f"{first:<20}" + "".join(f"{cell:>12}" for cell in cells))


def _print_names(missing: Iterable[Declared]) -> None:
    header = ""
    for one in sorted(missing, key=lambda one: (one.header, one.kind, one.name)):
        if one.header != header:
            header = one.header
            print(f"\n{header}")
        print(f"  {one.kind:<11}{one.name}")


if __name__ == "__main__":
    sys.exit(main())
