"""The names that links land on: the same for the same finding, file or name in every report."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable

from migrate.model.finding import Finding

_ODD = re.compile(r"[^A-Za-z0-9_.-]+")


def file_anchor(path: str) -> str:
    """The anchor of a file's row."""
    return f"file-{_digest(path)}"


def api_anchor(name: str) -> str:
    """The anchor of a name's row."""
    return f"api-{_digest(name)}"


def rule_anchor(rule: str) -> str:
    """The anchor of a rule, its id."""
    return _ODD.sub("-", rule)


def driver_anchor(driver: str) -> str:
    """The anchor of a driver's row."""
    return f"driver-{_ODD.sub('-', driver)}"


def group_anchor(library: str, path: str, state: str) -> str:
    """The anchor of the row that holds a library's findings in a file."""
    return f"group-{_digest(f'{library} {state} {path}')}"


def finding_anchors(findings: Iterable[Finding]) -> list[str]:
    """One anchor a finding, its id; findings that share one (a name in two files) count up."""
    seen: Counter[str] = Counter()
    anchors = []
    for finding in findings:
        base = f"finding-{_ODD.sub('-', finding.id)}"
        seen[base] += 1
        anchors.append(base if seen[base] == 1 else f"{base}.{seen[base]}")
    return anchors


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="backslashreplace")).hexdigest()[:12]
