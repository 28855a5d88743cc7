"""Small trees on disk for the tests of discovery."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from migrate.discover import discover_sources
from migrate.model.source import Inventory

KERNEL = "__global__ void f(float *x) { x[0] = 1; }\n"


def grow(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write the files under ``root`` and return it."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def scan(
    root: Path, *more: Path, include: tuple[str, ...] = (), exclude: tuple[str, ...] = ()
) -> Inventory:
    return discover_sources((root, *more), include=include, exclude=exclude)


def found(inventory: Inventory) -> list[str]:
    return [source.path for source in inventory.sources]


def reasons(inventory: Inventory) -> dict[str, str]:
    return {skipped.path: skipped.reason for skipped in inventory.skipped}
