"""Data that goes from one GPU to another through the host."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.facts import CallSite
from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.opportunities.sources import HIP_CHANGELOG_7_1

_COPIES = ("cudaMemcpy", "cudaMemcpyAsync")
_TO_HOST, _TO_DEVICE = "DeviceToHost", "HostToDevice"
_KIND = 3


def _check(code: Code) -> Iterator[Hit]:
    copies = sorted(code.calls(*_COPIES), key=lambda call: (call.line, call.column))
    switches = [(use.line, use.function) for use in code.uses("cudaSetDevice")]
    if not switches:
        return
    read: dict[tuple[str, str], CallSite] = {}
    for call in copies:
        if len(call.arguments) <= _KIND:
            continue
        if _TO_HOST in call.arguments[_KIND]:
            read[call.function, call.arguments[0]] = call
        elif _TO_DEVICE in call.arguments[_KIND]:
            before = read.get((call.function, call.arguments[1]))
            if before is not None and any(
                before.line <= line <= call.line and function == call.function
                for line, function in switches
            ):
                yield code.hit(call)


RULE = Rule(
    id="HA-O006",
    slug="staged-peer-copy",
    title="Copy from GPU to GPU through the host",
    family=Family.OPPORTUNITIES,
    tier=Tier.INTERFACE,
    why="The same host buffer is filled from one GPU and written to another, although GPUs of a "
    "node reach each other over xGMI or PCIe.",
    fix="Copy directly with hipMemcpyPeerAsync; pitched and 3D memory from ROCm 7.1 on with "
    "hipMemcpy3DPeerAsync. Ask hipDeviceCanAccessPeer and keep the way through the host.",
    evidence=(HIP_CHANGELOG_7_1,),
    example=Example(
        cuda="void f(float* a, float* b, float* h, size_t n) {\n"
        "cudaMemcpy(h, a, n, cudaMemcpyDeviceToHost);\ncudaSetDevice(1);\n"
        "cudaMemcpy(b, h, n, cudaMemcpyHostToDevice); }",
        hip="void f(float* a, float* b, size_t n) { cudaMemcpyPeer(b, 1, a, 0, n); }",
    ),
    driver=Driver.NONE,
    verdict=Verdict.SAME,
    severity=Severity.INFO,
    check=_check,
)
