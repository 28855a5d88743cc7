"""A reserved address range that is unmapped at once."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.facts import CallSite
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Tier
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    mapped = {_address(call) for call in code.calls("cuMemMap")}
    pieces = {address for address in mapped if _is_inside(address)}
    for call in code.calls("cuMemUnmap"):
        address = _address(call)
        if mapped and not _is_inside(address) and (pieces or _starts_apart(address, mapped)):
            yield code.hit(call)


def _address(call: CallSite) -> str:
    return call.arguments[0].strip() if call.arguments else ""


def _is_inside(address: str) -> bool:
    """Whether an address is written as a place in a range: ``base + i * chunk``."""
    return any(sign in address for sign in "+[.") or "->" in address


def _starts_apart(address: str, mapped: set[str]) -> bool:
    return any("start" in other.lower() and other != address for other in mapped)


RULE = Rule(
    id="HA-I062",
    slug="vmm-unmap-range",
    title="Several mappings unmapped with one call",
    family=Family.FEATURES,
    tier=Tier.INTERFACE,
    why="HIP unmaps the one mapping that begins at the address, and not all that lie in the range: "
    "the others stay in use, and freeing the reserved addresses fails later.",
    fix="Keep the address and the size of each mapping and unmap them one by one.",
    evidence=(
        RuleEvidence(
            "Address regions are not freed when several mappings are unmapped with one call",
            "https://github.com/ROCm/ROCR-Runtime/issues/285",
            RocmRelease(6, 3),
        ),
        RuleEvidence(
            "A port that unmaps each mapping of its pool",
            "ggml-org/ggml:src/ggml-cuda/ggml-cuda.cu",
            RocmRelease(6, 3),
        ),
    ),
    example=Example(
        cuda="void f(CUdeviceptr p, size_t n, CUmemGenericAllocationHandle* h) {\n"
        "for (int i = 0; i < 4; i++) cuMemMap(p + i * n, n, 0, h[i], 0);\n"
        "cuMemUnmap(p, 4 * n); }",
        hip="void f(CUdeviceptr p, size_t n, CUmemGenericAllocationHandle* h) {\n"
        "for (int i = 0; i < 4; i++) cuMemMap(p + i * n, n, 0, h[i], 0);\n"
        "for (int i = 0; i < 4; i++) cuMemUnmap(p + i * n, n); }",
    ),
    driver=Driver.SEMANTIC_SITE,
    check=_check,
)
