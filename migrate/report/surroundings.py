"""What stands around the code, in a line each: build, tests and CI, and what was found there."""

from __future__ import annotations

from migrate.model.assessment import Assessment, Project
from migrate.model.verdict import Tier
from migrate.report.numbers import count, plural
from migrate.report.ranking import problems_by_rule
from migrate.report.safe import printable


def project_line(project: Project) -> str:
    """How the code is built and tested, as far as the tree says."""
    said = []
    if project.build:
        said.append(f"built with {', '.join(project.build)}")
    if project.test_files:
        by = f" ({', '.join(project.test_frameworks)})" if project.test_frameworks else ""
        said.append(f"{plural(project.test_files, 'test file')}{by}")
    if project.ci_systems:
        gpu = "with a GPU" if project.ci_gpu else "without GPU"
        rocm = "builds for ROCm" if project.ci_rocm else "knows no ROCm"
        said.append(f"CI {', '.join(project.ci_systems)} {gpu}, {rocm}")
    if project.hip_support != "none":
        said.append(f"HIP support {project.hip_support}")
    return printable("; ".join(said))


def found_around(assessment: Assessment) -> list[str]:
    """What was found in build files, containers and scripts, most places first."""
    rows = [row for row in problems_by_rule(assessment) if row.tier is Tier.ECOSYSTEM]
    rows.sort(key=lambda row: (-row.severity_rank, -row.sites, row.rule))
    return [f"{printable(row.title)} ({count(row.sites)})" for row in rows]
