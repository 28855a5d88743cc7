"""Launch attributes that HIP refuses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Holds, Rule
from migrate.model.target import RocmRelease
from migrate.model.verdict import Tier
from migrate.rules.code import Code
from migrate.rules.features.names import uses_like
from migrate.rules.features.sources import HIP_LAUNCHES

_REFUSED = re.compile(
    r"cudaLaunchAttribute(?!Cooperative$|Ignore$|ID$|Value$|Cluster)[A-Z]\w+"
    r"|CU_LAUNCH_ATTRIBUTE_(?!COOPERATIVE$|IGNORE$|CLUSTER)\w+"
)
_LAUNCHES = (
    "cudaLaunchKernelEx",
    "cudaLaunchKernelExC",
    "cuLaunchKernelEx",
)


def _check(code: Code) -> Iterator[Hit]:
    set_here = {use.function for use in uses_like(code, _REFUSED)}
    launched = list(code.uses(*_LAUNCHES))
    in_functions = {use.function for use in launched}
    for use in launched:
        if use.function in set_here or (set_here and not set_here & in_functions):
            yield code.hit(use)


RULE = Rule(
    id="HA-I061",
    slug="launch-attribute",
    title="Kernel launch with an attribute that HIP refuses",
    family=Family.FEATURES,
    tier=Tier.INTERFACE,
    why="HIP's extended launch takes the cooperative attribute (and cluster dimensions from 7.13, "
    "where the GPU has clusters). With any other alone it returns an invalid configuration "
    "and the kernel does not run.",
    fix="Launch without attributes on AMD: numAttrs = 0, or the plain launch; priorities belong to "
    "the stream.",
    evidence=(HIP_LAUNCHES,),
    example=Example(
        cuda="void f(cudaLaunchConfig_t c, void (*k)(int)) { cudaLaunchAttribute a[1];\n"
        "a[0].id = cudaLaunchAttributePriority; c.attrs = a; c.numAttrs = 1;\n"
        "cudaLaunchKernelEx(&c, k, 0); }",
        hip="void f(cudaLaunchConfig_t c, void (*k)(int)) { c.numAttrs = 0;\n"
        "cudaLaunchKernelEx(&c, k, 0); }",
    ),
    driver=Driver.SEMANTIC_SITE,
    holds=Holds(since=RocmRelease(7, 0)),
    check=_check,
)
