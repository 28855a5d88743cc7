"""CUDA bindings of other languages: Rust, Julia, Go, Java, C#, MATLAB."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.knowledge.components import component_named
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.signals import Kind
from migrate.model.source import Language
from migrate.model.target import RocmRelease
from migrate.model.verdict import Confidence, Severity, State, Tier, Verdict
from migrate.rules.code import Code

_WAYS = {
    "julia": "AMDGPU.jl has the same array and kernel interface for ROCm (ROCArray, @roc). Write "
    "kernels with KernelAbstractions.jl to keep one source, and make both packages extensions.",
    "cargo": "Bind HIP's headers with bindgen, or take cubecl-hip-sys, which has done so for each "
    "release; kernels in PTX become HIP code objects that hiprtc or the build makes.",
    "go": "Link HIP's libraries in cgo; AMD SMI has a Go interface in the place of NVML's.",
    "maven": "No binding of HIP for the JVM is maintained by AMD: call a small C library of HIP "
    "through JNI or the foreign function interface.",
    "nuget": "No binding of HIP for .NET is maintained by AMD: call a small C library of HIP with "
    "P/Invoke.",
    "matlab": "MATLAB's GPU functions take NVIDIA GPUs only: write the GPU part as a MEX function "
    "in HIP C++ that moves host arrays itself, or do without.",
}
_SAME = {"java": "maven", "dotnet": "nuget"}
_BOTH = "Another package of the tree takes the one for AMD GPUs too."
_LINKED = "This links CUDA's library from another language: link the one of ROCm."


def _check(code: Code) -> Iterator[Hit]:
    for signal in code.signals(Kind.BINDING):
        key = component_named(Kind.BINDING.value, signal.value)
        if not key or (_is_code(code) and key in code.base.bindings):
            # Where a manifest of the tree says it, each import of it is no more news.
            continue
        registry, _, name = signal.value.partition(":")
        way = _SAME.get(registry, registry)
        both = signal.state is State.ACTIVE and State.PORTED in code.base.bindings.get(key, ())
        yield code.hit(
            signal,
            symbol=name,
            fix=_WAYS[way],
            detail=_BOTH if both else "",
            verdict=Verdict.MISSING if way == "matlab" else None,
            confidence=Confidence.POSSIBLE if both else None,
        )
    if _is_code(code):
        for signal in code.signals(Kind.LINK):
            yield code.hit(signal, detail=_LINKED)


def _is_code(code: Code) -> bool:
    return code.facts.language is Language.OTHER_CODE


RULE = Rule(
    id="HA-E185",
    slug="language-binding",
    title="CUDA binding of another language",
    family=Family.LANGUAGES,
    tier=Tier.ECOSYSTEM,
    why="The package binds CUDA's libraries or compiles kernels for NVIDIA GPUs, and has no back "
    "end for ROCm. Calls through it are not read: no use, share or hour counts them one by one.",
    fix="Take the language's package for ROCm where there is one, else bind HIP's C interface.",
    evidence=(
        RuleEvidence(
            "AMDGPU.jl: arrays and kernels on ROCm in Julia",
            "JuliaGPU/AMDGPU.jl:README.md",
        ),
        RuleEvidence(
            "cubecl-hip-sys: bindings of HIP for Rust, one version a release of ROCm",
            "https://docs.rs/crate/cubecl-hip-sys/7.2.5321100/source/",
            RocmRelease(7, 2),
        ),
        RuleEvidence(
            "AMD SMI's Go interface",
            "https://rocm.docs.amd.com/projects/amdsmi/en/docs-6.4.1/how-to/amdsmi-go-lib.html",
            RocmRelease(6, 4),
        ),
        RuleEvidence(
            "MATLAB: GPU computing requirements",
            "https://mathworks.com/help/parallel-computing/gpu-computing-requirements.html",
        ),
    ),
    example=Example(
        cuda='name = "Waves"\n\n[deps]\nCUDA = "052768ef-5323-5732-b1bb-66c8b64840ba"\n',
        hip='name = "Waves"\n\n[weakdeps]\nAMDGPU = "21141c5a-9bdb-4563-92ae-f87d6854732e"\n',
        name="Project.toml",
    ),
    driver=Driver.NONE,
    verdict=Verdict.REPLACED,
    severity=Severity.MAJOR,
    check=_check,
    per_file=True,
)
