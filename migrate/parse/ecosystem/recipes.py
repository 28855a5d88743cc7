"""Package recipes: Spack, EasyBuild, Conan, vcpkg, Nix, conda-build."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from migrate.model.signals import Kind, Signal
from migrate.model.verdict import State

_COMMENT = re.compile(r"(?:^|\s)#[^\n]*")
_FORMS: dict[str, tuple[re.Pattern[str], re.Pattern[str]]] = {
    # What speaks of CUDA, and what shows that the recipe knows ROCm too.
    "spack": (
        re.compile(
            r"\bCudaPackage\b|\bdepends_on\(\s*[\"']cuda\b|\bvariant\(\s*[\"']cuda\b"
            r"|(?<![\w+~])\+cuda\b|\bcuda_arch=[\w,]+|\^cuda@"
        ),
        re.compile(r"\bROCmPackage\b|\+rocm\b|\bamdgpu_target\b|variant\(\s*[\"'](?:rocm|hip)\b"),
    ),
    "easybuild": (
        re.compile(r"\(\s*[\"']CUDA[\"']\s*,|-CUDA-%\(cudaver\)s|\bcuda_compute_capabilities\b"),
        re.compile(r"\(\s*[\"'](?:ROCm|HIP|hip)[\"']\s*,|\bamdgcn_capabilities\b"),
    ),
    "conan": (
        re.compile(r"\b\w*cuda\w*\b(?=[\"']?\s*[:=])|\brequires\(\s*[\"']cuda\b", re.IGNORECASE),
        re.compile(r"\b\w*(?:rocm|with_hip)\w*\b(?=[\"']?\s*[:=])", re.IGNORECASE),
    ),
    "vcpkg": (re.compile(r"\"cuda\"|\"cudnn\"|\"nccl\""), re.compile(r"\"(?:hip|rocm)\"")),
    "nix": (
        re.compile(r"\bcudaPackages(?:_[\d_]+)?\b|\bcudaSupport\b|\bcudatoolkit\b"),
        re.compile(r"\brocmPackages(?:_\d+)?\b|\brocmSupport\b"),
    ),
    "conda": (
        re.compile(r"compiler\(\s*[\"']cuda[\"']\s*\)|\bcuda_compiler_version\b|-\s+cudatoolkit\b"),
        re.compile(r"compiler\(\s*[\"']hip[\"']|\brocm[\w-]*|\bhip-devel\b"),
    ),
}  # fmt: skip
_NAMES = {
    "package.py": "spack",
    "spack.yaml": "spack",
    "environments.yaml": "spack",
    "packages.yaml": "spack",
    "conanfile.py": "conan",
    "conanfile.txt": "conan",
    "vcpkg.json": "vcpkg",
    "meta.yaml": "conda",
    "recipe.yaml": "conda",
    "conda_build_config.yaml": "conda",
}
_SUFFIXES = {".nix": "nix", ".eb": "easybuild"}
_SPACK_COMMAND = re.compile(r"\bspack\s+(?:install|add|spec|load|concretize)\b")
_SPACK_FILE = re.compile(
    r"\bfrom spack|\bimport spack|spack_repo|\bspack:|^\s*-?\s*specs:", re.MULTILINE
)


def recipe_signals(path: str, text: str) -> Iterator[Signal]:
    """Yield what a recipe, or a command of Spack, says of CUDA: ``nix:cudaPackages``."""
    place = PurePosixPath(path.lower())
    system = _NAMES.get(place.name) or _SUFFIXES.get(place.suffix, "")
    if system == "spack" and not _SPACK_FILE.search(text):
        return
    if not system and "spack" not in text:
        return
    cuda, rocm = _FORMS[system or "spack"]
    if not cuda.search(text):
        return
    state = State.PORTED if rocm.search(text) else State.ACTIVE
    for number, line in enumerate(text.splitlines(), start=1):
        code = line if system == "vcpkg" else _COMMENT.sub("", line)
        if not system and not _SPACK_COMMAND.search(code):
            continue
        for match in cuda.finditer(code):
            word = match[0].strip("\"'( ,")
            yield Signal(Kind.RECIPE, f"{system or 'spack'}:{word}", number, state)
