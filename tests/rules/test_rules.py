"""Every rule against its fixture and its own example; every fixture against every rule."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from migrate.estimate.coefficients import load_coefficients
from migrate.knowledge.archs import known_archs
from migrate.knowledge.traits import archs_with
from migrate.model.rule import Rule
from migrate.model.target import RocmRelease, Target
from migrate.model.verdict import Severity, Tier, Verdict
from migrate.rules.registry import RULES
from tests.rules.scanned import DEFAULT, expected, judge, path_of, target_of

HERE = Path(__file__).parent
FIXTURES = HERE.parent.parent / "fixtures" / "rules"
MODULES = HERE.parent.parent / "migrate" / "rules"
FILES = sorted(path for path in FIXTURES.iterdir() if path.name != "README.md")
RELEASES = [RocmRelease(*r) for r in ((6, 2), (6, 3), (6, 4), (7, 0), (7, 1), (7, 2), (10, 0))]


def target_for(rule: Rule) -> Target:
    """A target on which a rule holds, the default one where it does."""
    archs = archs_with(rule.holds.traits)
    assert archs, "no known GPU has the trait"
    arch = DEFAULT.archs[0] if DEFAULT.archs[0] in archs else archs[0]
    releases = [DEFAULT.rocm, *RELEASES]
    rocm = next(release for release in releases if rule.holds.in_release(release))
    return Target(rocm, (arch,))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_fixture_holds_what_it_marks_and_nothing_else(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    marks = expected(text.splitlines())
    assert marks or "expect-none" in text, "a fixture without a marker says // expect-none"
    judged = judge(text, target_of(text), name=path_of(text, path.name))
    assert judged.places() == marks


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_rule_has_a_fixture_of_its_own_that_it_is_found_in(rule: Rule) -> None:
    names = [path for path in FILES if path.name.startswith(f"{rule.id}_")]
    assert names, f"no fixture fixtures/rules/{rule.id}_*"
    marked = {found for path in names for _, found in expected(path.read_text().splitlines())}
    assert rule.id in marked


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_example_is_found_before_and_not_after(rule: Rule) -> None:
    target = target_for(rule)
    before = {
        one.rule.id for one in judge(rule.example.cuda, target, name=rule.example.name).hits()
    }
    assert rule.id in before
    if rule.example.hip:
        after = judge(rule.example.hip, target, name=_name_after(rule))
        assert rule.id not in {one.rule.id for one in after.hits()}


def _name_after(rule: Rule) -> str:
    if rule.tier is Tier.ECOSYSTEM:
        return rule.example.name
    return "code.hip" if rule.in_hip_code else "code.cu"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_rule_is_quiet_on_targets_where_it_does_not_hold(rule: Rule) -> None:
    held = target_for(rule)
    others = [gfx for gfx in known_archs() if gfx not in archs_with(rule.holds.traits)]
    outside = [replace(held, archs=(gfx,)) for gfx in others[:1]]
    outside += [
        replace(held, rocm=release) for release in RELEASES if not rule.holds.in_release(release)
    ][:1]
    for target in outside:
        hits = judge(rule.example.cuda, target, name=rule.example.name).hits()
        assert rule.id not in {one.rule.id for one in hits}


def test_registry_holds_every_rule_module_in_order_of_id() -> None:
    named = [rule.id for rule in RULES]
    assert named == sorted(set(named))
    assert len({rule.slug for rule in RULES}) == len(RULES)
    modules = sorted(
        str(path.relative_to(MODULES).with_suffix("")).replace("/", ".")
        for path in MODULES.glob("*/*.py")
        if "RULE = Rule(" in path.read_text(encoding="utf-8")
    )
    listed = sorted(rule.check.__module__.removeprefix("migrate.rules.") for rule in RULES)
    assert sorted(set(listed)) == modules


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_rule_says_all_that_a_reader_needs(rule: Rule) -> None:
    assert rule.title
    assert not rule.title.endswith(".")
    assert rule.why.endswith(".")
    assert rule.fix.endswith(".")
    assert rule.evidence
    for one in rule.evidence:
        assert one.title
        assert one.url.startswith("https://") or ":" in one.url
    if rule.driver.value not in {"", "of-name"}:
        cost = load_coefficients().drivers[rule.driver.value]
        assert cost.tier is rule.tier
    if rule.severity is Severity.INFO:
        assert rule.driver.value == ""
        assert rule.verdict is Verdict.SAME
