"""Data flows one way: what each part of the package may import, read from the source itself."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "migrate"
MODULES = sorted(PACKAGE.rglob("*.py"))

STAGES = ("facts", "classify", "rules", "estimate", "decide", "trial", "report", "gate")
ALL = ("migrate",)
COMMON = ("migrate.model", "migrate.knowledge", "migrate.errors")
READING = (*COMMON, "migrate.treefile")
# What a module, or the modules of a folder, may import of ours beside its own folder.
ALLOWED: dict[str, tuple[str, ...]] = {
    "migrate.errors": (),
    "migrate.model": (),
    "migrate.treefile": ("migrate.model", "migrate.errors"),
    "migrate.knowledge": ("migrate.model", "migrate.errors"),
    "migrate.settings": COMMON,
    "migrate.progress": (),
    "migrate.excerpts": ("migrate.model", "migrate.treefile", "migrate.errors"),
    # The pipeline and its last step know every stage, and nothing but the command line knows them.
    "migrate.assembly": ALL,
    "migrate.evidence": ALL,
    "migrate.reading": ALL,
    "migrate.semantic": ALL,
    "migrate.pipeline": ALL,
    "migrate.doctor": ALL,
    "migrate.catalogue": ALL,
    "migrate.own_rules": ("migrate.model", "migrate.errors", "migrate.treefile", "migrate.rules"),
    "migrate.cli": ALL,
    "migrate.__main__": ("migrate.cli",),
    "migrate.discover": READING,
    "migrate.parse": READING,
} | {f"migrate.{stage}": COMMON for stage in STAGES}

# Third-party packages that only one part of ours may know.
HOMES: dict[str, tuple[str, ...]] = {
    "clang": ("migrate.parse.clang",),
    "tree_sitter": ("migrate.parse",),
    "tree_sitter_cuda": ("migrate.parse",),
    "tree_sitter_python": ("migrate.parse.python",),
    "jinja2": ("migrate.report",),
    "rich": ("migrate.report", "migrate.progress"),
    "typer": ("migrate.cli",),
    "networkx": ("migrate.facts",),
    "yaml": ("migrate.rules.own", "migrate.parse.ecosystem.yaml_tree"),
}
HEAVY = (
    *("networkx", "tree_sitter", "tree_sitter_cuda", "tree_sitter_python"),
    *("jinja2", "clang", "yaml"),
)


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def imports(path: Path) -> Iterator[str]:
    """Every module that the file imports, anywhere in it; ``from a import b`` gives ``a.b``."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: our imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def within(name: str, parents: tuple[str, ...]) -> bool:
    return any(name == parent or name.startswith(f"{parent}.") for parent in parents)


def part_of(name: str) -> str:
    return ".".join(name.split(".")[:2])


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_module_imports_only_what_its_part_may(path: Path) -> None:
    name = module_name(path)
    if name == "migrate":
        assert not [found for found in imports(path) if within(found, ALL)]
        return
    part = part_of(name)
    assert part in ALLOWED, f"{part} is new: say in {Path(__file__).name} what it may import"
    may = (part, *ALLOWED[part])
    ours = [found for found in imports(path) if within(found, ALL)]
    assert [found for found in ours if not within(found, may)] == []


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_only_the_command_line_and_the_pipeline_know_the_pipeline(path: Path) -> None:
    if part_of(module_name(path)) not in {
        "migrate.cli",
        "migrate.pipeline",
        "migrate.assembly",
        "migrate.evidence",
        "migrate.reading",
        "migrate.semantic",
    }:
        pipeline = (
            *("migrate.pipeline", "migrate.assembly", "migrate.evidence", "migrate.reading"),
            "migrate.semantic",
        )
        assert [found for found in imports(path) if within(found, pipeline)] == []


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_third_party_package_stays_in_its_home(path: Path) -> None:
    name = module_name(path)
    strays = [
        found
        for found in imports(path)
        if (home := HOMES.get(found.partition(".")[0])) and not within(name, home)
    ]
    assert strays == []


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_module_says_in_a_docstring_what_it_knows(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def test_help_loads_nothing_heavy() -> None:
    probe = (
        "import sys, migrate.cli\n"
        "sys.argv = ['hipassess', '--help']\n"
        "try:\n    migrate.cli.main()\n"
        "except SystemExit:\n    pass\n"
        f"print('LOADED', *[name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe],
        capture_output=True,
        encoding="utf-8",
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert done.stdout.splitlines()[-1] == "LOADED"
