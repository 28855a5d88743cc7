"""Visual Studio projects and property files that build with CUDA."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.rule import Driver, Example, Family, Hit, Rule
from migrate.model.signals import Kind
from migrate.model.verdict import Confidence, Severity, Tier, Verdict
from migrate.rules.build.named import builds_with, hits
from migrate.rules.build.sources import HIP_SDK
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    if builds_with(code, "msbuild"):
        yield from hits(code, code.signals(Kind.CUDA_RULE), named=True)


RULE = Rule(
    id="HA-E019",
    slug="visual-studio-cuda",
    title="CUDA built by Visual Studio",
    family=Family.BUILD,
    tier=Tier.ECOSYSTEM,
    why="The build customisation and the CudaCompile items are NVIDIA's. On Windows the "
    "HIP SDK brings its own, with less than ROCm has on Linux.",
    fix="Use the project templates and properties of the HIP SDK for Windows, or build "
    "by CMake; check first that each library is part of the HIP SDK and that it "
    "knows the GPU.",
    evidence=(HIP_SDK,),
    example=Example(
        cuda="<Project>\n"
        "  <ItemGroup>\n"
        '    <CudaCompile Include="heat.cu" />\n'
        "  </ItemGroup>\n"
        "</Project>\n",
        hip="<Project>\n"
        "  <ItemGroup>\n"
        '    <ClCompile Include="heat.hip" />\n'
        "  </ItemGroup>\n"
        "</Project>\n",
        name="heat.vcxproj",
    ),
    driver=Driver.BUILD_SYSTEM,
    verdict=Verdict.REPLACED,
    severity=Severity.MAJOR,
    confidence=Confidence.CERTAIN,
    check=_check,
    per_file=True,
)
