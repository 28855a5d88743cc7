"""An ``#if`` on the CUDA version of which a HIP build takes another branch."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Tier
from migrate.rules.code import Code
from migrate.rules.guards.choices import direct_hits
from migrate.rules.switches import ARCH, VERSION


def _check(code: Code) -> Iterator[Hit]:
    yield from direct_hits(code, VERSION, ARCH)


RULE = Rule(
    id="HA-I003",
    slug="version-guard",
    title="Branch chosen by the CUDA version",
    family=Family.GUARDS,
    tier=Tier.INTERFACE,
    why="HIP defines none of CUDA_VERSION, CUDART_VERSION and __CUDACC_VER_MAJOR__: a comparison "
    "counts 0 and builds the code for the oldest CUDA, or leaves the code out. Renamed to "
    "HIP_VERSION, which counts major*10000000 + minor*100000 + patch, every lower bound of CUDA's "
    "holds.",
    fix="Give the conditional a branch for HIP that takes what the oldest ROCm release has that "
    "you support; compare HIP_VERSION only with HIP's own numbers.",
    evidence=(
        RuleEvidence(
            "HIP porting guide: compiler defines, HIP_VERSION",
            "ROCm/rocm-systems:projects/hip/docs/how-to/hip_porting_guide.rst",
            RocmRelease(7, 2),
        ),
    ),
    example=Example(
        cuda="#if CUDART_VERSION >= 11020\n#define STREAM_ORDERED 1\n#endif\n",
        hip="#if defined(__HIPCC__) || CUDART_VERSION >= 11020\n#define STREAM_ORDERED 1\n#endif\n",
    ),
    driver=Driver.SEMANTIC_SITE,
    check=_check,
)
