"""Rules of the user's own: the documented form works, mistakes come together, trees run nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from migrate.errors import AssessError
from migrate.estimate.coefficients import load_coefficients
from migrate.model.rule import Driver, Rule
from migrate.model.verdict import Severity, Verdict
from migrate.own_rules import load_own_rules
from migrate.rules.own.checks import DRIVERS
from migrate.rules.own.matching import matches
from migrate.settings import load_settings, settings_for_result
from tests.end_to_end.command import CHECKOUT, Call, make_tree, result_of

PAGE = (CHECKOUT / "docs" / "own-rules.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
YAML, YAML_CODE, PYTHON, PYTHON_CODE = (text for _, text in BLOCKS)
PLAIN = "rules:\n- {id: ACME-1, title: T, why: W, fix: F, tier: interface, names: cudaMalloc}\n"
MALLOC = "void f(float** p) { cudaMalloc(p, 4); }\n"
EVIL = "from pathlib import Path\nPath({!r}).write_text('run')\nRULES = ()\n"


def marked(code: str) -> list[tuple[int, str]]:
    return [
        (number, found[1])
        for number, line in enumerate(code.splitlines(), 1)
        if (found := re.search(r"// (ACME-\d+)", line))
    ]


def found_in(result: dict[str, object]) -> list[tuple[int, str]]:
    findings = result["findings"]
    assert isinstance(findings, list)
    return sorted(
        (site["line"], row["rule"])
        for row in findings
        if row["rule"].startswith("ACME-")
        for site in row["sites"]
    )


def mistakes(*named: Path, in_tree: tuple[str, ...] = (), root: Path | None = None) -> str:
    with pytest.raises(AssessError) as caught:
        load_own_rules(named, in_tree, root)
    assert caught.value.slug == "own-rules"
    assert caught.value.code == 2
    return caught.value.what


def own(tmp_path: Path, text: str, name: str = "own.yaml") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def only_rule(tmp_path: Path, more: str) -> Rule:
    text = f"rules:\n- {{id: ACME-1, title: The title, why: W, fix: F, {more}}}\n"
    (rule,) = load_own_rules([own(tmp_path, text)])
    return rule


@pytest.mark.parametrize(
    ("name", "rules", "code"),
    [("own.yaml", YAML, YAML_CODE), ("own.py", PYTHON, PYTHON_CODE)],
    ids=["YAML", "Python"],
)
def test_the_example_of_the_page_finds_what_it_says(
    tmp_path: Path, name: str, rules: str, code: str
) -> None:
    make_tree(tmp_path, {f"rules/{name}": rules, "app/a.cu": code})
    result = result_of(tmp_path / "app", rules=[tmp_path / "rules"])
    assert found_in(result) == marked(code)
    assert marked(code)


def test_a_rule_of_ones_own_stands_in_every_output(tmp_path: Path, call: Call) -> None:
    make_tree(tmp_path, {"own.yaml": YAML, "app/a.cu": YAML_CODE})
    formats = ("-f", "json", "-f", "html", "-f", "text", "-o", "out")
    assert call("scan", "app", "--rules", "own.yaml", *formats).code == 0
    result = json.loads((tmp_path / "out/hipassess.json").read_text())
    assert {row["id"]: row["family"] for row in result["rules"]}["ACME-003"] == "Own rules"
    assert result["run"]["settings"]["rules"] == ["own.yaml"]
    (copies,) = (row for row in result["findings"] if row["rule"] == "ACME-002")
    assert (len(copies["sites"]), copies["severity"]) == (2, "minor")
    assert copies["driver"] == "semantic_site"
    (header,) = (row for row in result["findings"] if row["rule"] == "ACME-003")
    assert (header["verdict"], header["severity"]) == ("missing", "blocker")
    for name in ("hipassess.html", "hipassess.txt"):
        assert "Memory past the pool" in (tmp_path / "out" / name).read_text(encoding="utf-8")
    told = call("explain", "memory-past-the-pool", "--rules", "own.yaml").out
    assert told.startswith("ACME-001  memory-past-the-pool\n")
    assert "ACME-003" in call("catalogue", "--rules", "own.yaml").out
    assert "ACME" not in call("catalogue").out


def test_own_rules_can_be_ignored_like_ours(tmp_path: Path) -> None:
    make_tree(tmp_path, {"own.yaml": YAML, "app/a.cu": YAML_CODE})
    result = result_of(tmp_path / "app", rules=[tmp_path / "own.yaml"], ignore=["ACME-00"])
    assert found_in(result) == []


def test_what_is_not_given_has_the_documented_default(tmp_path: Path) -> None:
    rule = only_rule(tmp_path, "tier: interface, names: cudaMalloc")
    assert (rule.slug, rule.verdict, rule.severity) == (
        "the-title",
        Verdict.CHANGED,
        Severity.MAJOR,
    )
    assert rule.driver is Driver.SEMANTIC_SITE
    assert only_rule(tmp_path, "tier: kernel, names: x").driver is Driver.HAZARD_KIND
    assert only_rule(tmp_path, "tier: ecosystem, includes: x").driver is Driver.NONE
    offer = only_rule(tmp_path, "tier: kernel, names: x, severity: info")
    assert (offer.driver, offer.verdict) == (Driver.NONE, Verdict.SAME)


def test_the_drivers_of_a_tier_are_those_of_the_effort_model() -> None:
    for tier, drivers in DRIVERS.items():
        assert {load_coefficients().drivers[driver.value].tier for driver in drivers} <= {tier}
        assert all(driver.value in PAGE for driver in drivers)
    assert set().union(*DRIVERS.values()) == set(Driver) - {Driver.OF_NAME, Driver.NONE}


def test_all_mistakes_of_all_files_come_in_one_message(tmp_path: Path) -> None:
    bad = own(
        tmp_path,
        """rules:
- {id: HA-K001, title: T, why: W, fix: F, tier: kernel, names: x}
- {id: ACME-1, title: T, why: W, tier: everything, names: x, colour: red, severty: minor}
- {id: ACME-2, title: T, why: W, fix: F, tier: interface}
- {id: ACME-3, title: T, why: W, fix: F, tier: interface, driver: warp_site, names: x}
- {id: ACME-4, title: T, why: W, fix: F, tier: kernel, names: x, arguments: {0: a}}
- {id: ACME-5, title: T, why: W, fix: F, tier: kernel, names: x, holds: {since: 7.0}}
- {id: ACME-6, title: T, why: W, fix: F, tier: kernel, names: x, severity: info, verdict: missing}
- nonsense
""",
        "bad.yaml",
    )
    other = own(tmp_path, "rules: 3\n", "other.yml")
    script = own(tmp_path, "RULE = 4\n", "script.py")
    said = mistakes(bad, other, script, own(tmp_path, PLAIN), own(tmp_path, PLAIN, "b.yaml"))
    for one in (
        "bad.yaml: HA-K001: id may not start with HA-",
        "bad.yaml: ACME-1: fix is missing",
        "bad.yaml: ACME-1: tier takes one of interface, kernel, ecosystem",
        "bad.yaml: ACME-1: 'colour' is not known",
        "bad.yaml: ACME-1: 'severty' is not known; did you mean severity?",
        "bad.yaml: ACME-2: names or includes are missing",
        "ACME-3: driver of the tier interface takes one of semantic_site, of-name, none",
        "bad.yaml: ACME-4: arguments counts arguments from 1",
        'bad.yaml: ACME-5: holds since takes a release in quotes, as "7.0"',
        "ACME-6: severity info has no verdict",
        "bad.yaml: rule 8: takes fields and their values",
        "other.yml: takes one key, rules",
        "script.py: int is no Rule",
        "ACME-1: is the id of 2 rules",
    ):
        assert one in said, one


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rules: [", "own.yaml:1: no valid YAML"),
        ("a: &x [1]\nb: *x\n", "own.yaml:2: no valid YAML: anchors are not read"),
        ("rules: []\nrules: []\n", "own.yaml:2: no valid YAML: 'rules' is there twice"),
        ("rules: !!python/object/apply:os.system [ls]\n", "no valid YAML"),
        ("[" * 5000, "nested too deep"),
        ("rules:\n- {id: A-1\0}", "no valid YAML"),
        ("", "takes one key, rules"),
    ],
)
def test_what_is_no_plain_yaml_is_a_mistake_and_no_crash(
    tmp_path: Path, text: str, said: str
) -> None:
    assert said in mistakes(own(tmp_path, text))


def test_a_file_that_is_missing_or_of_no_known_kind_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    said = mistakes(tmp_path / "none.yaml", own(tmp_path, "", "rules.txt"), tmp_path / "empty")
    assert "none.yaml: No such file" in said
    assert "rules.txt: is no folder" in said
    assert "empty: holds no .py, .yaml, .yml file" in said


def test_a_python_file_that_fails_is_a_mistake_and_leaves_nothing(tmp_path: Path) -> None:
    assert "a.py: ZeroDivisionError" in mistakes(own(tmp_path, "1 / 0\n", "a.py"))
    assert "b.py: SystemExit" in mistakes(own(tmp_path, "raise SystemExit(0)\n", "b.py"))
    assert "c.py: defines neither RULE nor RULES" in mistakes(own(tmp_path, "x = 1\n", "c.py"))
    assert not (tmp_path / "__pycache__").exists()


def test_an_own_rule_that_fails_on_a_file_makes_the_run_incomplete(
    tmp_path: Path, call: Call
) -> None:
    broken = PYTHON.replace("for launch in", "raise KeyError('x')\n    for launch in")
    make_tree(tmp_path, {"own.py": broken, "app/a.cu": PYTHON_CODE})
    done = call("scan", "app", "--rules", "own.py", "-q")
    assert done.code == 4
    assert "1 check failed; the first: ACME-101 on a.cu: KeyError" in done.err


def test_a_scanned_trees_settings_cannot_run_python(tmp_path: Path, call: Call) -> None:
    trace = tmp_path / "trace"
    evil = EVIL.format(str(trace))
    tree = make_tree(
        tmp_path / "app", {"a.cu": MALLOC, "rules.py": evil, "rules/a.py": evil, "x.yaml/y": ""}
    )
    for name in ("rules.py", "rules/a.py", "x.yaml/../rules.py"):
        (tree / "hipassess.toml").write_text(f'rules = ["{name}"]\n')
        done = call("scan", tree)
        assert done.code == 2
        assert "[own-rules]" in done.err
        assert not trace.exists()
    (tree / "hipassess.toml").write_text('rules = ["rules"]\n')
    assert "folders can only be given with --rules" in call("scan", tree).err
    (tree / "hipassess.toml").unlink()
    (tree / "pyproject.toml").write_text('[tool.hipassess]\nrules = ["rules.py"]\n')
    assert "a scanned tree cannot name them" in call("gate", tree, "--max-weeks", "1").err
    assert not trace.exists()
    assert call("scan", tree, "--rules", tree / "rules.py").code == 2
    assert trace.exists(), "what the user names is run"


@pytest.mark.parametrize("name", ["../own.yaml", "/etc/own.yaml", "link.yaml", "linked/own.yaml"])
def test_a_scanned_tree_names_only_files_inside_it_and_no_links(tmp_path: Path, name: str) -> None:
    own(tmp_path, PLAIN)
    tree = make_tree(tmp_path / "app", {"a.cu": MALLOC, "hipassess.toml": f'rules = ["{name}"]\n'})
    (tree / "link.yaml").symlink_to(tmp_path / "own.yaml")
    (tree / "linked").symlink_to(tmp_path)
    with pytest.raises(AssessError) as caught:
        result_of(tree)
    assert caught.value.slug == "own-rules"
    assert re.search("outside the scanned tree|not followed", caught.value.what)


def test_a_scanned_tree_may_name_yaml_inside_it(tmp_path: Path) -> None:
    tree = make_tree(
        tmp_path / "app",
        {"a.cu": MALLOC, "hipassess.toml": 'rules = ["ci/own.yaml"]\n', "ci/own.yaml": PLAIN},
    )
    result = result_of(tree)
    assert found_in(result) == [(1, "ACME-1")]
    assert result["run"]["settings"]["rules"] == ["ci/own.yaml"]
    assert found_in(result_of(tree, rules=[own(tmp_path, YAML)])) == [(1, "ACME-001")]


def test_a_settings_file_that_the_user_names_may_hold_python_relative_to_it(tmp_path: Path) -> None:
    make_tree(
        tmp_path,
        {"app/a.cu": PYTHON_CODE, "ci/h.toml": 'rules = ["own.py"]\n', "ci/own.py": PYTHON},
    )
    result = result_of(tmp_path / "app", config=tmp_path / "ci/h.toml")
    assert found_in(result) == marked(PYTHON_CODE)


def test_the_result_shows_names_of_files_and_nothing_of_the_machine(tmp_path: Path) -> None:
    settings = load_settings([tmp_path], {"rules": [tmp_path / "b.yaml", tmp_path / "a.py"]})
    shown = settings_for_result(settings)
    assert shown["rules"] == ["a.py", "b.yaml"]
    assert str(tmp_path) not in repr(shown)


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        ("cudaMemcpy*", "cudaMemcpyAsync", True),
        ("cudaMemcpy*", "CUDAMEMCPY", False),
        ("cuda?alloc", "cudaMalloc", True),
        ("cudaMemcpy", "cudaMemcpyAsync", False),
        ("*", "x" * 2001, False),
        ("*a" * 99 + "b", "a" * 2000, False),
    ],
)
def test_a_pattern_matches_a_whole_text_in_linear_time(pattern: str, text: str, fits: bool) -> None:
    assert matches([pattern], text) is fits
