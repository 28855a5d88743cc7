"""An option of NVRTC that names an NVIDIA GPU."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import MarkKind
from migrate.model.rule import Driver, Example, Family, Hit, Rule, RuleEvidence
from migrate.model.target import RocmRelease
from migrate.model.verdict import Tier
from migrate.rules.code import Code


def _check(code: Code) -> Iterator[Hit]:
    for mark in code.marks(MarkKind.RTC_OPTION):
        yield code.hit(mark)


RULE = Rule(
    id="HA-I034",
    slug="rtc-gpu-option",
    title="GPU of a program for NVRTC chosen by an option",
    family=Family.RUNTIME,
    tier=Tier.INTERFACE,
    why="HIPRTC takes clang's options, and a gfx target where NVRTC takes compute_ or sm_ "
    "numbers: with such a number the program does not compile while the application runs.",
    fix="Under HIP give --offload-arch= with the device's gcnArchName, or no such option: HIPRTC "
    "then compiles for the current device.",
    evidence=(
        RuleEvidence(
            "HIP documentation: programming for the HIP runtime compiler",
            "https://rocm.docs.amd.com/projects/HIP/en/latest/how-to/hip_rtc.html",
            RocmRelease(7, 2),
        ),
    ),
    example=Example(
        cuda="#include <nvrtc.h>\nvoid f(nvrtcProgram p) {\n  const char* options[] = "
        '{"--gpu-architecture=compute_80"};\n  nvrtcCompileProgram(p, 1, options);\n}\n',
        hip="#include <nvrtc.h>\nvoid f(nvrtcProgram p) { nvrtcCompileProgram(p, 0, nullptr); }\n",
    ),
    driver=Driver.SEMANTIC_SITE,
    check=_check,
)
