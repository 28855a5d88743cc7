"""What the project says of itself: README, CI, packaging and docs agree with each other."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from typing import is_typeddict
from urllib.parse import unquote

import pytest

from migrate.catalogue import rule_cards
from migrate.errors import ExitCode
from migrate.model.verdict import Flag, State, Verdict
from migrate.report import json_types
from migrate.report.rules.pages import stale_pages
from migrate.settings import _FILE_KEYS, load_settings

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
RULES = ROOT / "docs" / "rules"
DOCS = sorted([README, ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.+?)\s*$", re.MULTILINE)
SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def prose(path: Path) -> str:
    """The text of a page without its code blocks."""
    return FENCE.sub("", read(path))


def anchor(heading: str) -> str:
    """The anchor that a forge gives a heading."""
    kept = re.sub(r"[^\w\- ]", "", heading.lower())
    return kept.replace(" ", "-")


def anchors(path: Path) -> set[str]:
    return {anchor(heading) for heading in HEADING.findall(prose(path))}


def set_up_commands() -> list[str]:
    return [
        line
        for language, block in FENCE.findall(read(README))
        if language == "sh"
        for line in block.splitlines()
        if line.startswith("python3 -m venv")
    ]


def module_strings(tree: ast.Module) -> dict[str, str]:
    """The string constants of a module, by name."""
    found = {}
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if isinstance(node, ast.AnnAssign):
            target = node.target
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if isinstance(target, ast.Name) and isinstance(value, ast.Constant):
            found[target.id] = str(value.value)
    return found


def raised_slugs() -> dict[str, str]:
    """Each slug that the package gives an AssessError, with a module that does; "?" if unclear."""
    trees = {path: ast.parse(read(path)) for path in sorted((ROOT / "migrate").rglob("*.py"))}
    shared = {name: text for tree in trees.values() for name, text in module_strings(tree).items()}
    slugs = {}
    for path, tree in trees.items():
        constants = shared | module_strings(tree)
        calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
        for value in (
            keyword.value
            for call in calls
            if ast.unparse(call.func).endswith("Error")
            for keyword in call.keywords
            if keyword.arg == "slug"
        ):
            if isinstance(value, ast.Constant):
                slug = str(value.value)
            else:
                slug = constants.get(value.id, "?") if isinstance(value, ast.Name) else "?"
            slugs[slug] = path.relative_to(ROOT).as_posix()
    return slugs


def test_readme_sets_up_everything_with_two_commands() -> None:
    first, second = set_up_commands()
    assert "hipassess scan fixtures/" in first
    assert first.endswith("-o report.html")
    assert second.endswith("pytest -n auto")


def test_ci_runs_the_readmes_commands_as_they_stand() -> None:
    lines = read(ROOT / ".ci" / "run").splitlines()
    assert [line for line in lines if line.startswith("python3 -m venv .venv")] == set_up_commands()


def test_ci_closes_with_the_tests() -> None:
    assert read(ROOT / ".ci" / "run").splitlines()[-1] == set_up_commands()[1]


@pytest.mark.parametrize("page", DOCS, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_within_the_project_land(page: Path) -> None:
    broken = []
    for link in LINK.findall(prose(page)):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, fragment = unquote(link).partition("#")
        landed = (page.parent / target).resolve() if target else page
        if not landed.exists() or (fragment and fragment not in anchors(landed)):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("page", DOCS, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_page_is_reachable_from_the_readme_or_the_index(page: Path) -> None:
    if page in {README, ROOT / "CHANGELOG.md"}:
        return
    linked = {
        (start.parent / unquote(link).partition("#")[0]).resolve()
        for start in (README, ROOT / "docs" / "index.md", RULES / "README.md")
        for link in LINK.findall(prose(start))
    }
    assert page.resolve() in linked


def test_every_error_has_a_section() -> None:
    raised = raised_slugs()
    assert raised
    explained = anchors(ROOT / "docs" / "errors.md")
    assert {slug: module for slug, module in raised.items() if slug not in explained} == {}


def test_no_section_explains_an_error_that_is_never_raised() -> None:
    titles = re.findall(r"^## +(.+?)\s*$", read(ROOT / "docs" / "errors.md"), re.MULTILINE)
    assert set(titles) - set(raised_slugs()) == set()


def test_slugs_are_lower_case_words_joined_by_hyphens() -> None:
    assert [slug for slug in raised_slugs() if not SLUG.fullmatch(slug)] == []


def test_every_exit_code_is_documented() -> None:
    rows = re.findall(r"^\| (\d+) \|", read(ROOT / "docs" / "exit-codes.md"), re.MULTILINE)
    assert [int(row) for row in rows] == [code.value for code in ExitCode]


def test_extras_and_dependency_groups_ask_for_the_same() -> None:
    project = tomllib.loads(read(ROOT / "pyproject.toml"))
    extras, groups = project["project"]["optional-dependencies"], project["dependency-groups"]

    def asked(group: str) -> set[str]:
        names = groups[group]
        included = (asked(name["include-group"]) for name in names if isinstance(name, dict))
        return {name for name in names if isinstance(name, str)}.union(*included)

    def offered(extra: str) -> set[str]:
        own = {f"hipassess[{name}]": name for name in extras}
        included = (offered(own[name]) for name in extras[extra] if name in own)
        return (set(extras[extra]) - own.keys()).union(*included)

    for name in extras:
        assert offered(name) == asked(name)


def test_changelog_has_the_version_or_is_unreleased() -> None:
    version = re.search(r'__version__ = "(.+?)"', read(ROOT / "migrate" / "__init__.py"))
    assert version
    titles = re.findall(r"^## (.+)$", read(ROOT / "CHANGELOG.md"), re.MULTILINE)
    assert titles[0] in {"Unreleased", version[1]} or titles[0].startswith(f"{version[1]} ")


def test_page_of_verdicts_explains_each_word_of_the_model() -> None:
    page = read(ROOT / "docs" / "verdicts.md")
    words = [*Verdict, *State, *Flag]
    assert [word.value for word in words if f"| `{word.value}` |" not in page] == []


def test_the_rules_pages_are_those_of_the_rules() -> None:
    stale = stale_pages(RULES, rule_cards())
    assert stale == [], (
        "run: python -m migrate catalogue --format markdown -o docs/rules  (docs/development.md)"
    )


def test_every_settings_key_is_documented() -> None:
    page = read(ROOT / "docs" / "settings.md")
    documented = {
        key.replace("-", "_")
        for cell in re.findall(r"^\| (`.+?`) \|", page, re.MULTILINE)
        for key in re.findall(r"`(.+?)`", cell)
    }
    assert documented == set(_FILE_KEYS)


def test_settings_example_is_accepted(tmp_path: Path) -> None:
    examples = [text for kind, text in FENCE.findall(read(ROOT / "docs" / "settings.md")) if kind]
    (tmp_path / "hipassess.toml").write_text(examples[0], encoding="utf-8")
    assert load_settings([tmp_path], {}).hip_macros == ("MYAPP_USE_HIP",)


def test_every_key_of_the_json_is_documented() -> None:
    page = read(ROOT / "docs" / "formats.md")
    titles = re.findall(r"^### (.+)$", page, re.MULTILINE)
    explained = {word for text in titles for word in text.split(", ")}
    explained |= {word for cell in re.findall(r"`([\w.]+)`", page) for word in cell.split(".")}
    shapes = [shape for shape in vars(json_types).values() if is_typeddict(shape)]
    keys = {key for shape in shapes for key in shape.__annotations__}
    assert "schema_version" in keys
    assert keys - explained == set()
