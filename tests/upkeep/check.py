"""Holds the tables against the headers and bindings of public packages: ``nox -s tables``.

Exit status 0: every public name of CUDA has an answer, and nothing contradicts the tables; else 1.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from migrate.errors import AssessError
from migrate.knowledge.apis import load_tables
from migrate.knowledge.files import data_path
from migrate.knowledge.releases import parse_release
from migrate.model.target import CudaVersion, Target
from migrate.model.verdict import Verdict
from tests.upkeep.bindings import read_bindings
from tests.upkeep.changes import changes
from tests.upkeep.coverage import (
    count_verdicts,
    public,
    read_not_public,
    unneeded,
    without_row,
)
from tests.upkeep.declared import CUDA, Declared, read_headers
from tests.upkeep.members import check_members
from tests.upkeep.packages import PackageSet, fetch, read_packages, unpinned, version_of
from tests.upkeep.signatures import check_signatures, read_exceptions, report
from tests.upkeep.symbols import (
    check_symbols,
    join,
    symbols_of_bindings,
    symbols_of_headers,
)

# C++ libraries have their own namespaces and no list of names: their tables are made by hand.
_NOT_READ = "nvidia-cuda-cccl"
Declarations = Mapping[str, Sequence[Declared]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Fetch the packages, run every check and print what each finds.

    Returns:
        the exit status.
    """
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.newest and options.write:
        parser.error("--newest only looks: pin the packages first, then --write")
    sets = read_packages()
    if options.newest:
        return print_newest(sets, options.cache)
    cuda: dict[str, list[Declared]] = {}
    hip: dict[str, list[Declared]] = {}
    symbols: dict[str, dict[str, set[str]]] = {}
    for packages in sets:
        folders = fetch(packages, options.cache)
        by_version = cuda if packages.vendor == "cuda" else hip
        by_version[packages.version] = declarations_of(packages, folders)
        if packages.vendor == "rocm":
            for folder in folders:
                join(symbols.setdefault(packages.version, {}), symbols_of_bindings(folder))
    for release, include in options.headers:
        join(symbols.setdefault(release, {}), symbols_of_headers(include))
    wrong = (
        check_coverage(cuda, options.rocm),
        _check_members(cuda, hip),
        report(check_signatures(cuda, hip), read_exceptions()),
        check_symbols(
            symbols, data_path("mappings", "hip_symbols.csv"), load_tables(), write=options.write
        ),
    )
    return 1 if any(wrong) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, required=True, help="where packages are unpacked")
    parser.add_argument(
        "--rocm", type=_release, default="7.2", help="the release that the counts speak of"
    )
    parser.add_argument(
        "--headers", type=_release_and_folder, action="append", default=[],
        metavar="RELEASE=FOLDER",
        help="also an include folder of a ROCm release, for what the bindings lack",
    )  # fmt: skip
    parser.add_argument("--write", action="store_true", help="rewrite mappings/hip_symbols.csv")
    parser.add_argument(
        "--newest", action="store_true", help="only say what the newest packages changed"
    )
    return parser


def _release(text: str) -> str:
    try:
        return str(parse_release(text))
    except AssessError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _release_and_folder(text: str) -> tuple[str, Path]:
    release, separator, folder = text.partition("=")
    if not separator or not Path(folder).is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is no RELEASE=FOLDER with a folder")
    return _release(release), Path(folder)


def declarations_of(packages: PackageSet, folders: Sequence[Path]) -> list[Declared]:
    """What the headers of a CUDA toolkit, or the bindings of a ROCm release, declare."""
    if packages.vendor == "rocm":
        return [one for folder in folders for one in read_bindings(folder)]
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


def print_newest(sets: Sequence[PackageSet], cache: Path) -> int:
    """Print what the newest CUDA and ROCm packages declare otherwise than the newest pinned set.

    Returns:
        the exit status: 1 where something changed.
    """
    changed = 0
    for vendor in ("cuda", "rocm"):
        pinned = [one for one in sets if one.vendor == vendor][-1]
        newest = unpinned(pinned)
        old, new = fetch(pinned, cache), fetch(newest, cache / "newest")
        versions = [f"{folder.name}=={version_of(folder)}" for folder in new]
        print(f"\n{vendor}: {' '.join(versions)}")
        lines = changes(declarations_of(pinned, old), declarations_of(newest, new))
        print(f"{len(lines)} declarations differ from those of {vendor} {pinned.version}")
        print(*lines, sep="\n", end="\n" if lines else "")
        changed += len(lines)
    return 1 if changed else 0


def check_coverage(cuda: Declarations, rocm: str) -> int:
    """Print the names by library and verdict, then those without a row; returns their number."""
    tables, excluded = load_tables(), read_not_public()
    missing: dict[str, Declared] = {}
    for version, declarations in cuda.items():
        names = list(public(declarations, excluded))
        target = Target(parse_release(rocm), ("gfx942",), CudaVersion.parse(version))
        counts = count_verdicts(names, tables, target)
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


def _check_members(cuda: Declarations, hip: Declarations) -> int:
    excluded = read_not_public()
    spoken = {
        version: [one for one in found if not any(rule.covers(one) for rule in excluded)]
        for version, found in cuda.items()
    }
    wrong = check_members(spoken, hip, load_tables())
    print(f"\n{len(wrong)} fields of structs without a twin or a row")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return len(wrong)


if __name__ == "__main__":
    sys.exit(main())
