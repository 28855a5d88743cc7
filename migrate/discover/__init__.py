"""Which files there are to read, in which language, and which were left out and why."""

from __future__ import annotations

from migrate.discover.inventory import discover_sources
from migrate.treefile import printable_path, system_path

__all__ = ["discover_sources", "printable_path", "system_path"]
