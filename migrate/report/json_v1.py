"""The JSON document, schema_version 1: a contract of its own, never a dump of the model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from migrate.model.assessment import Assessment, Component, FileRow, GroupRow, Project, Summary
from migrate.model.effort import HOURS_PER_WEEK, Effort, Range
from migrate.model.finding import Finding
from migrate.model.kernel import KernelRow
from migrate.model.semantic import SemanticRun
from migrate.model.verdict import State, Verdict
from migrate.report.json_types import (
    ApiJson,
    ComponentJson,
    DriverJson,
    EffortJson,
    FileJson,
    FindingJson,
    GroupJson,
    KernelJson,
    ProjectJson,
    RangeJson,
    ResultJson,
    RunJson,
    SemanticJson,
    SummaryJson,
)
from migrate.report.mechanical import mechanical_findings
from migrate.report.numbers import json_number, json_share
from migrate.report.rules.data import rule_json
from migrate.report.safe import encodable_json

SCHEMA_VERSION = 1
"""Rises when a key changes its meaning or goes; a new key keeps it (contract)."""


def render_json(assessment: Assessment) -> str:
    """Write an assessment as JSON, the same bytes for the same assessment.

    A row stands on a line of its own, so that two results can be compared by a line diff.
    """
    document = _result(assessment)
    members = (f"  {json.dumps(key)}: {_member(value)}" for key, value in document.items())
    return encodable_json("{\n" + ",\n".join(members) + "\n}\n")


def _member(value: object) -> str:
    if not isinstance(value, list):
        return json.dumps(value, indent=2, ensure_ascii=False).replace("\n", "\n  ")
    if not value:
        return "[]"
    rows = ",\n    ".join(json.dumps(row, ensure_ascii=False) for row in value)
    return f"[\n    {rows}\n  ]"


def _result(assessment: Assessment) -> ResultJson:
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": {
            "name": "hipassess",
            "version": assessment.version,
            "libclang": assessment.semantic.libclang or None,
        },
        "run": _run(assessment),
        "summary": _summary(assessment.summary),
        "drivers": list(_drivers(assessment.summary.effort)),
        "apis": list(_apis(assessment)),
        "findings": list(_findings(assessment)),
        "components": [_component(row) for row in assessment.components],
        "project": _project(assessment.project),
        "files": [_file(row) for row in sorted(assessment.files, key=lambda row: row.path)],
        "libraries": _groups(assessment.libraries),
        "directories": _groups(assessment.directories),
        "kernels": [_kernel(row) for row in sorted(assessment.kernels, key=_kernel_order)],
        "rules": [rule_json(rule) for rule in sorted(assessment.rules, key=lambda row: row.id)],
    }


def _run(assessment: Assessment) -> RunJson:
    target = assessment.target
    return {
        "root": ".",
        "target": {
            "rocm": str(target.rocm),
            "archs": list(target.archs),
            "cuda": str(target.cuda) if target.cuda else None,
        },
        "complete": assessment.complete,
        "source": {"commit": assessment.commit or None, "dirty": assessment.dirty},
        "settings": dict(sorted(assessment.settings.items())),
        "semantic": _semantic(assessment.semantic),
        "skipped": [
            {
                "path": skipped.path,
                "reason": skipped.reason,
                "candidate": skipped.candidate,
                "size": skipped.size,
            }
            for skipped in sorted(assessment.skipped, key=lambda row: (row.path, row.reason))
        ],
        "incomplete_reason": assessment.incomplete_reason or None,
        "cuda_source": assessment.cuda_source,
        "tables_as_of": assessment.tables_as_of,
    }


def _semantic(run: SemanticRun) -> SemanticJson:
    agreement = run.agreement
    return {
        "mode": run.mode.value,
        "units": run.units,
        "parsed": run.parsed,
        "with_errors": run.with_errors,
        "idle": run.idle or None,
        "toolkit": run.toolkit or None,
        "known_arguments": run.known,
        "beyond_budget": run.beyond_budget,
        "uncovered_files": run.uncovered,
        "failed": [{"path": path, "reason": reason} for path, reason in run.failed],
        "missing_headers": dict(run.missing_headers),
        "refused_flags": list(run.refused),
        "left_out_commands": dict(run.left_out),
        "agreement": {
            "agreed": agreement.agreed,
            "own": agreement.own,
            "found": agreement.found,
            "other_name": agreement.other_name,
            "arguments": agreement.arguments,
            "unseen": agreement.unseen,
        },
    }


def _summary(summary: Summary) -> SummaryJson:
    shares = summary.shares
    return {
        "files": summary.files,
        "lines": summary.lines,
        "uses": summary.uses,
        "distinct_names": summary.distinct_names,
        "states": _states(summary.states),
        "verdicts": _verdicts(summary.verdicts),
        "cuda_only_share": {
            "by_use": json_share(shares.by_use),
            "by_name": json_share(shares.by_name),
            "by_line": json_share(shares.by_line),
        },
        "effort": _effort(summary.effort),
        "cuda_lines": summary.cuda_lines,
        "kernels": summary.kernels,
        "launches": summary.launches,
        "older_names": summary.older_names,
        "unconfirmed_names": summary.unconfirmed_names,
    }


def _effort(effort: Effort) -> EffortJson:
    return {
        "unit": "person-weeks",
        "scope": effort.scope.value,
        "strategy": effort.strategy.value,
        "team": effort.team.value,
        "interface": _range(effort.interface),
        "kernel": _range(effort.kernel),
        "ecosystem": _range(effort.ecosystem),
        "total": _range(effort.total),
        "first_run": _range(effort.first_run),
    }


def _range(weeks: Range) -> RangeJson:
    return {
        "p10": json_number(weeks.p10),
        "p50": json_number(weeks.p50),
        "p90": json_number(weeks.p90),
    }


def _drivers(effort: Effort) -> Iterator[DriverJson]:
    for driver in effort.drivers:
        yield {
            "id": driver.id,
            "tier": driver.tier.value,
            "n": int(driver.n) if float(driver.n).is_integer() else json_number(driver.n),
            "n_effective": json_number(driver.n_effective),
            "hours": _hours(driver.hours),
            "title": driver.title,
        }


def _apis(assessment: Assessment) -> Iterator[ApiJson]:
    order = {state: place for place, state in enumerate(State)}
    for row in sorted(
        assessment.apis, key=lambda row: (row.name, row.verdict.rank, order[row.state], row.hip)
    ):
        yield {
            "name": row.name,
            "library": row.library,
            "verdict": row.verdict.value,
            "hip": row.hip or None,
            "uses": row.uses,
            "files": row.files,
            "state": row.state.value,
            "flags": [flag.value for flag in row.flags],
            "since": row.since or None,
            "better": row.better or None,
            "note": row.note,
            "evidence": list(row.evidence),
        }


def _findings(assessment: Assessment) -> Iterator[FindingJson]:
    everything = (*assessment.findings, *mechanical_findings(assessment))
    for finding in sorted(everything, key=_finding_order):
        first = finding.sites[0]
        yield {
            "id": finding.id,
            "rule": finding.rule,
            "tier": finding.tier.value,
            "verdict": finding.verdict.value,
            "severity": finding.severity.value,
            "confidence": finding.confidence.value,
            "state": finding.state.value,
            "archs": list(finding.archs),
            "path": first.path,
            "line": first.line,
            "end_line": first.end_line,
            "column": first.column,
            "sites": [
                {
                    "path": site.path,
                    "line": site.line,
                    "end_line": site.end_line,
                    "column": site.column,
                    "fingerprint": site.fingerprint,
                    "condition": site.condition or None,
                }
                for site in finding.sites
            ],
            "symbol": finding.symbol,
            "function": finding.function,
            "message": finding.message,
            "fix": finding.fix,
            "driver": finding.driver or None,
            "effort": {"hours": _hours(finding.hours)},
            "seen_by": finding.seen_by.value,
            "hip": finding.hip or None,
        }


def _finding_order(finding: Finding) -> tuple[str, int, int, str, str, str, str]:
    first = finding.sites[0]
    where = (first.path, first.line, first.column)
    return (*where, finding.rule, finding.symbol, finding.state.value, finding.id)


def _component(row: Component) -> ComponentJson:
    return {
        "key": row.key,
        "name": row.name,
        "kind": row.kind,
        "verdict": row.verdict.value,
        "rocm": row.rocm or None,
        "since": row.since or None,
        "use": row.use,
        "state": row.state.value,
        "uses": row.uses,
        "names": row.names,
        "cuda_only": row.cuda_only,
        "note": row.note,
        "evidence": list(row.evidence),
        "where": [{"path": path, "line": line} for path, line in row.where],
    }


def _project(project: Project) -> ProjectJson:
    return {
        "build": list(project.build),
        "cuda_optional": project.cuda_optional,
        "cuda_archs": list(project.cuda_archs),
        "hip_support": project.hip_support,
        "hip_where": list(project.hip_where),
        "hip_files": project.hip_files,
        "tests": {"frameworks": list(project.test_frameworks), "files": project.test_files},
        "ci": {
            "systems": list(project.ci_systems),
            "gpu": project.ci_gpu,
            "rocm": project.ci_rocm,
        },
        "packages": project.packages,
        "wrappers": [
            {
                "path": layer.path,
                "names": layer.names,
                "ported": layer.ported,
                "expansions": layer.expansions,
            }
            for layer in sorted(project.wrappers, key=lambda layer: layer.path)
        ],
        "unpriced": {
            "cuda_fortran_files": project.unpriced.fortran_files,
            "cuda_fortran_kernels": project.unpriced.fortran_kernels,
            "openacc_files": project.unpriced.openacc_files,
            "binding_files": project.unpriced.binding_files,
        },
    }


def _kernel_order(row: KernelRow) -> tuple[str, int, str]:
    return row.path, row.line, row.name


def _kernel(row: KernelRow) -> KernelJson:
    traits = row.traits
    return {
        "name": row.name,
        "path": row.path,
        "line": row.line,
        "attributes": list(traits.attributes),
        "launch_bounds": list(traits.launch_bounds),
        "dynamic_shared": traits.dynamic_shared,
        "instances": [
            {"arguments": one.arguments, "static_shared_bytes": one.static_shared}
            for one in traits.sizes
        ],
        "launched_from": [
            {"function": one.function, "path": one.path, "line": one.line}
            for one in row.launched_from
        ],
        "seen_by": row.seen_by.value,
    }


def _file(row: FileRow) -> FileJson:
    return {
        "path": row.path,
        "language": row.language.value,
        "lines": row.lines,
        "uses": row.uses,
        "effort": {
            "p50": json_number(row.hours / HOURS_PER_WEEK),
            "hours": json_number(row.hours),
        },
        "code_lines": row.code_lines,
        "verdicts": _verdicts(row.verdicts),
        "states": _states(row.states),
        "kernels": row.kernels,
        "findings": row.findings,
        "vendored": row.vendored,
        "error_nodes": row.error_nodes if row.error_nodes >= 0 else None,
        "utf8": row.utf8,
    }


def _groups(rows: tuple[GroupRow, ...]) -> list[GroupJson]:
    return [
        {
            "name": row.name,
            "title": row.title,
            "files": row.files,
            "lines": row.lines,
            "uses": row.uses,
            "verdicts": _verdicts(row.verdicts),
            "hours": json_number(row.hours),
        }
        for row in sorted(rows, key=lambda row: row.name)
    ]


def _verdicts(counts: Mapping[Verdict, int]) -> dict[str, int]:
    return {verdict.value: counts.get(verdict, 0) for verdict in Verdict}


def _states(counts: Mapping[State, int]) -> dict[str, int]:
    return {state.value: counts.get(state, 0) for state in State}


def _hours(hours: tuple[float, float, float]) -> list[float]:
    return [json_number(value) for value in hours]
