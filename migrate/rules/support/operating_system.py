"""An operating system of a GPU image that the target's release does not support."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.knowledge.systems import supported_versions
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.signals import Kind, Signal
from migrate.model.target import RocmRelease
from migrate.model.verdict import Severity, Tier
from migrate.rules.code import Code

_GPU_IMAGE = re.compile(r"(?:^|/)(?:nvidia|pytorch|tensorflow|rapidsai)/")
_PLAIN = re.compile(
    r"(?:^|/)(?P<system>ubuntu|debian|centos|rockylinux|almalinux|oraclelinux|ubi(?=\d)|rhel(?=\d))"
    r"[:/]?(?P<version>[\w.]+)?"
)
_TAGGED = re.compile(
    r"[:-](?P<system>ubuntu|debian|centos|rockylinux|oraclelinux|ubi|rhel|el)[-.]?(?P<version>\d+(?:\.\d+)?)"
)
_NAMES = {
    "xenial": "16.04",
    "bionic": "18.04",
    "focal": "20.04",
    "jammy": "22.04",
    "noble": "24.04",
    "stretch": "9",
    "buster": "10",
    "bullseye": "11",
    "bookworm": "12",
    "trixie": "13",
}
_CLONES = dict.fromkeys(("centos", "rockylinux", "almalinux", "ubi", "el"), "rhel")
_CUDA = (Kind.SYSTEM_PACKAGE, Kind.INSTALLER, Kind.TOOLKIT_PATH)
_COMPACT = re.compile(r"(\d{2})(\d{2})")


def _check(code: Code) -> Iterator[Hit]:
    gpu = any(True for _ in code.signals(*_CUDA))
    for signal in code.signals(Kind.IMAGE):
        found = _system(signal, gpu=gpu)
        if found is None:
            continue
        system, version = found
        supported = supported_versions(system, code.target.rocm)
        if supported and version not in supported:
            yield code.hit(signal, detail=_said(code, system, version, supported))


def _system(signal: Signal, *, gpu: bool) -> tuple[str, str] | None:
    """The system and version of an image for GPUs; None where it does not tell, or is another's."""
    match = _TAGGED.search(signal.value) if _GPU_IMAGE.search(signal.value) else None
    if match is None and gpu:
        match = _PLAIN.match(signal.value.removeprefix("docker.io/").removeprefix("library/"))
    if match is None or not match["version"]:
        return None
    system = _CLONES.get(match["system"], match["system"])
    word = match["version"].split("-")[0]
    version = _NAMES.get(word.lower(), word)
    compact = _COMPACT.fullmatch(version)
    if compact and system == "ubuntu":
        version = f"{compact[1]}.{compact[2]}"
    if not version[:1].isdigit():
        return None
    return system, version if system == "ubuntu" else version.split(".")[0]


def _said(code: Code, system: str, version: str, supported: tuple[str, ...]) -> str:
    names = {"rhel": "Enterprise Linux", "ubuntu": "Ubuntu", "debian": "Debian"}
    name = names.get(system, system)
    return f"ROCm {code.target.rocm} supports {name} {', '.join(supported)}, not {version}."


RULE = Rule(
    id="HA-E150",
    slug="unsupported-system",
    title="Operating system that the target's ROCm does not support",
    family=Family.SUPPORT,
    tier=Tier.ECOSYSTEM,
    why="ROCm's packages and images exist for the systems of its compatibility matrix; on an older "
    "one the C library and the kernel's interfaces are too old for its binaries.",
    fix="Move the image to a system that the release supports before the port, as a change of its "
    "own. The host's kernel has to fit the driver too.",
    evidence=(
        RuleEvidence(
            "Compatibility matrix, 6.0 to 6.4",
            "ROCm/legacy-rocm-build:docs/compatibility/compatibility-matrix-historical-6.0.csv",
            RocmRelease(6, 4),
        ),
        RuleEvidence(
            "Compatibility matrix of 7.1 and 7.2",
            "ROCm/legacy-rocm-build:docs/compatibility/compatibility-matrix.rst",
            RocmRelease(7, 2),
        ),
        RuleEvidence(
            "Systems from 7.14 on",
            "ROCm/legacy-rocm-build:docs/compatibility/include/system-instinct.rst",
            RocmRelease(7, 14),
        ),
    ),
    example=Example(
        cuda="FROM nvidia/cuda:11.8.0-devel-ubuntu20.04\n",
        hip="FROM rocm/dev-ubuntu-22.04:7.2-complete\n",
        name="Dockerfile",
    ),
    driver=Driver.ECOSYSTEM_FIXED,
    severity=Severity.MINOR,
    check=_check,
    per_file=True,
)
