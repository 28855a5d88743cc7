"""Where CUDA's headers lie on this machine: one toolkit, found without running any of it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from migrate.errors import AssessError
from migrate.model.unit import CompileDatabase, Toolkit

PACKAGE = "package"
"""The origin of headers that were installed as Python packages, as by the extra cuda-headers."""
_VARIABLES = ("CUDA_PATH", "CUDA_HOME")
_USUAL = ("/usr/local/cuda", "/opt/cuda", "/usr")
"""Where NVIDIA's installer, Arch's and Debian's packages put a toolkit."""
_VERSION = re.compile(rb"^#define\s+CUDA_VERSION\s+(\d+)", re.MULTILINE)
_HEAD = 1 << 20  # cuda.h of CUDA 13 has 1.1 MB, and its version in the first tenth
_ENTRY = ("cuda_runtime.h", "cuda.h")
"""A folder with one of these holds CUDA's headers, be they all there or not."""
_NEEDED = ("cuda_runtime.h", "cuda.h", "crt/host_defines.h")
_NEEDED_SINCE_12 = "nv/target"
"""Part of CCCL; cooperative_groups.h and cuda_fp16.h of CUDA 12 include it."""
_MODERN = 12

LIBRARIES: dict[str, str] = {
    "Thrust": "thrust/version.h",
    "CUB": "cub/cub.cuh",
    "cuBLAS": "cublas_v2.h",
    "cuFFT": "cufft.h",
    "cuRAND": "curand.h",
    "cuSOLVER": "cusolverDn.h",
    "cuSPARSE": "cusparse.h",
    "cuDNN": "cudnn.h",
    "NCCL": "nccl.h",
    "NVRTC": "nvrtc.h",
    "CUPTI": "cupti.h",
    "NVTX": "nvtx3/nvToolsExt.h",
}
"""A header of each library: what includes one that is not there is understood in part."""

# The folders of the packages for CUDA 12 lie beside each other, the toolkit's own first; those for
# CUDA 13 share one, beside the libraries that have releases of their own.
_CORE = ("cuda_runtime", "cuda_nvcc", "cuda_cccl")
_RELEASED_ALONE = ("cudnn", "nccl", "cusparselt", "nvshmem", "cudss")
_SHARED = re.compile(r"cu\d+")


def find_toolkit(cuda_path: Path | None, database_paths: Sequence[str] = ()) -> Toolkit:
    """Return the first toolkit found; one without folders where there is none.

    The order: ``cuda_path``, the variables ``CUDA_PATH`` and ``CUDA_HOME``, the toolkits named by
    compile commands, packages installed beside this one, the usual places (``/usr/local/cuda``).
    What the first one lacks is told and never taken from another: headers of two releases
    contradict each other.

    Args:
        cuda_path: the folder that the user named.
        database_paths: folders of the toolkits that compile commands name, in order.

    Raises:
        AssessError: the folder that the user named holds no CUDA headers.
    """
    if cuda_path is not None:
        return _given(cuda_path)
    places = [(os.environ.get(name, ""), name) for name in _VARIABLES]
    places += [(path, "compile_commands.json") for path in database_paths]
    for path, origin in places:
        if path and (include := header_folders(Path(path))):
            return _toolkit(include, origin)
    if include := _choose(_package_layouts(_namespaces())):
        return _toolkit(include, PACKAGE)
    for path in _USUAL:
        if include := header_folders(Path(path)):
            return _toolkit(include, path)
    return Toolkit(lacking=_NEEDED)


def _given(cuda_path: Path) -> Toolkit:
    include = header_folders(cuda_path)
    if not include:
        raise AssessError(
            f"{cuda_path} holds no CUDA headers (no include/cuda_runtime.h)",
            slug="cuda-path",
            hint="Name the folder of a CUDA toolkit, or leave --cuda-path out.",
        )
    return _toolkit(include, "--cuda-path")


def header_folders(path: Path) -> tuple[str, ...]:
    """Return the folders of headers of a toolkit in the order to search them, () for no toolkit.

    A toolkit has ``include/``, as NVIDIA's, or ``targets/*/include``, as conda's and cross
    compilers'; or it is a folder of headers itself, or one with the folders of packages.
    """
    try:
        targets = sorted(path.glob("targets/*/include"), key=_foreign)
    except OSError:
        targets = []
    for folder in (path / "include", *targets, path):
        if any(_is_file(folder / name) for name in _ENTRY):
            return tuple(str(one.absolute()) for one in _with_cccl(folder))
    return _choose(_package_layouts((path, path / "nvidia")))


def named_toolkits(database: CompileDatabase) -> tuple[str, ...]:
    """Return the folders of the toolkits that compile commands name, each once, in order."""
    named = (command.arguments.cuda_path for command in database.commands)
    return tuple(dict.fromkeys(path for path in named if path))


def libraries_in(toolkit: Toolkit) -> tuple[str, ...]:
    """Return the names in :data:`LIBRARIES` whose headers a toolkit has, in that order."""
    return tuple(name for name, header in LIBRARIES.items() if _has(toolkit.include, header))


def _foreign(target: Path) -> tuple[bool, str]:
    return target.parent.name != "x86_64-linux", target.parent.name


def _with_cccl(folder: Path) -> Iterator[Path]:
    yield folder
    if _is_folder(folder / "cccl"):  # since CUDA 13
        yield folder / "cccl"


def _toolkit(include: tuple[str, ...], origin: str) -> Toolkit:
    version = _version(include)
    return Toolkit(
        include=include, origin=origin, version=version, lacking=_lacking(include, version)
    )


def _version(include: Sequence[str]) -> str:
    """The release that cuda.h tells of: 12090 is 12.9."""
    for folder in include:
        header = Path(folder) / "cuda.h"
        if not _is_file(header):  # a pipe would be waited for: a tree may have its own toolkit
            continue
        try:
            with header.open("rb") as stream:
                found = _VERSION.search(stream.read(_HEAD))
        except OSError:
            continue
        if found:
            number = int(found[1])
            return f"{number // 1000}.{number % 1000 // 10}"
    return ""


def _lacking(include: Sequence[str], version: str) -> tuple[str, ...]:
    old = version and int(version.partition(".")[0]) < _MODERN
    needed = _NEEDED if old else (*_NEEDED, _NEEDED_SINCE_12)
    return tuple(header for header in needed if not _has(include, header))


def _choose(layouts: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The first that lacks nothing, else the first."""
    complete = (one for one in layouts if not _lacking(one, _version(one)))
    return next(complete, layouts[0] if layouts else ())


def _package_layouts(namespaces: Sequence[Path]) -> list[tuple[str, ...]]:
    """The toolkits that packages make up in the folders of the namespace ``nvidia``."""
    found: dict[str, Path] = {}
    for namespace in namespaces:
        for folder in _listed(namespace):
            if _is_folder(folder / "include"):
                found.setdefault(folder.name, folder / "include")
    shared = sorted(name for name in found if _SHARED.fullmatch(name))
    others = sorted(found.keys() - {*_CORE, *shared})
    alone = [name for name in _RELEASED_ALONE if name in found]
    names = [[name for name in _CORE if name in found] + others]
    names += [[name, *alone] for name in reversed(shared)]
    layouts = [[one for name in group for one in _with_cccl(found[name])] for group in names]
    return [
        tuple(str(folder.absolute()) for folder in layout)
        for layout in layouts
        if any(_has([str(one) for one in layout], name) for name in _ENTRY)
    ]


def _namespaces() -> list[Path]:
    """The folders of the namespace ``nvidia`` where packages are installed; nothing is imported.

    The working folder may be on the search path, and may be a tree that is assessed: its folder of
    that name is no package.
    """
    try:
        spec = find_spec("nvidia")
    except (ImportError, ValueError):
        return []
    places = (spec.submodule_search_locations if spec else None) or ()
    here = _real(Path())
    return [Path(place) for place in places if _real(Path(place).parent) != here]


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _has(include: Iterable[str], header: str) -> bool:
    return any(_is_file(Path(folder) / header) for folder in include)


def _is_file(path: Path) -> bool:
    return _answers(path.is_file)


def _is_folder(path: Path) -> bool:
    return _answers(path.is_dir)


def _answers(question: Callable[[], bool]) -> bool:
    try:
        return question()
    except (OSError, ValueError):  # not allowed to look, or no path at all
        return False
