"""The public packages behind the tables: which they are, and their headers on this machine."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

_PACKAGES = Path(__file__).with_name("packages.toml")
_HEADERS = (".h", ".hpp", ".cuh", "")
# Cython's interfaces, and the names of AMD SMI in the releases that have no such interface.
_BINDINGS = ("*.pxd", "amdsmi_wrapper.py")
_STAMP = "VERSION"
# The wheels' interpreter tag does not matter, what is taken from them is text.
_ANY_WHEEL = ("--no-deps", "--only-binary=:all:", "--python-version", "3.11")


@dataclass(frozen=True, slots=True)
class PackageSet:
    """The packages of one CUDA toolkit (``vendor`` "cuda") or ROCm release ("rocm")."""

    vendor: str
    version: str
    requirements: tuple[str, ...]


def read_packages(path: Path = _PACKAGES) -> tuple[PackageSet, ...]:
    """The sets of packages.toml, in its order."""
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return tuple(
        PackageSet(vendor, one[key], tuple(one["packages"]))
        for vendor, key in (("cuda", "version"), ("rocm", "release"))
        for one in tables[vendor]
    )


def unpinned(packages: PackageSet) -> PackageSet:
    """The same packages in whatever version is the newest."""
    names = tuple(one.partition("==")[0] for one in packages.requirements)
    return PackageSet(packages.vendor, packages.version, names)


def fetch(packages: PackageSet, into: Path) -> list[Path]:
    """The folder of each package's headers or bindings, downloaded where it is not there yet.

    A package without a version is downloaded every time.

    Raises:
        subprocess.CalledProcessError: pip found no such wheel; its message went to stderr.
    """
    folders = []
    for requirement in packages.requirements:
        name, _, version = requirement.partition("==")
        folder = into / packages.vendor / packages.version / name
        if not version or version_of(folder) != version:
            _download(requirement, folder)
        folders.append(folder)
    return folders


def version_of(folder: Path) -> str:
    """The version of the package that was unpacked into a folder; "" where none was."""
    stamp = folder / _STAMP
    return stamp.read_text(encoding="utf-8") if stamp.is_file() else ""


def _download(requirement: str, folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory() as place:
        pip = (sys.executable, "-m", "pip", "download", "--quiet", *_ANY_WHEEL)
        subprocess.run([*pip, "--dest", place, requirement], check=True)
        wheel = next(Path(place).glob("*.whl"))
        unpack(wheel, folder)
        folder.joinpath(_STAMP).write_text(wheel.name.split("-")[1], encoding="utf-8")


def unpack(wheel: Path, folder: Path) -> None:
    """Write the headers below the wheel's ``include`` folders, and bindings, into ``folder``."""
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.namelist():
            path = PurePosixPath(member)
            if path.name != "__init__.pxd" and any(map(path.match, _BINDINGS)):
                relative = PurePosixPath(path.name)
            elif "include" in path.parts and path.suffix in _HEADERS and not member.endswith("/"):
                relative = PurePosixPath(*path.parts[path.parts.index("include") + 1 :])
            else:
                continue
            target = folder / relative
            if target == folder or target.is_file():
                raise ValueError(f"{wheel.name} has {relative} twice, or nothing behind include")
            if not target.resolve().is_relative_to(folder.resolve()):
                raise ValueError(f"{wheel.name} has a path that leads outside: {member}")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(archive.read(member))
