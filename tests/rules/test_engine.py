"""What becomes of hits: verdicts raised, doubts, one problem a function."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from migrate.classify.findings import name_findings
from migrate.classify.hazards import rule_findings
from migrate.evidence import driver_of
from migrate.model.assessment import Project
from migrate.model.finding import Finding
from migrate.model.rule import Driver, Family, Hit, Rule
from migrate.model.verdict import Confidence, Severity, State, Tier, Verdict
from migrate.rules.code import Code
from migrate.rules.features import indirect_call
from migrate.rules.lanes import mask_32, mask_results, partial_mask
from tests.rules.scanned import DEFAULT, Judged, judge_all

REDUCE = """
__device__ float reduce(float v) {
  v += __shfl_down_sync(0xffffffff, v, 16, 32);
  v += __shfl_down_sync(0xffffffff, v, 8, 32);
  return v;
}
"""


def _every_malloc(code: Code) -> Iterator[Hit]:
    for use in code.uses("cudaMalloc", "cudaFree"):
        yield code.hit(use)


MALLOC: Rule = replace(
    mask_32.RULE,
    id="HA-T001",
    slug="every-malloc",
    family=Family.MEMORY,
    tier=Tier.INTERFACE,
    driver=Driver.SEMANTIC_SITE,
    confidence=Confidence.LIKELY,
    check=_every_malloc,
)
ALLOCATE = "void f(int** p) { cudaMalloc(p, 4); cudaFree(*p); }"


def findings(judged: Judged) -> list[Finding]:
    of_names = name_findings(judged.files, DEFAULT, driver_of, lambda *_: Tier.INTERFACE)
    return [*of_names, *rule_findings(judged.files, judged.run, DEFAULT, driver_of)]


def judge(text: str, rule: Rule, *, project: Project | None = None) -> Judged:
    return judge_all({"code.cu": text}, project=project, rules=(rule,))


def verdicts(judged: Judged) -> list[Verdict]:
    return [answer.verdict for file in judged.files for answer in file.answers]


def test_a_rule_raises_the_verdict_of_the_use_that_it_explains() -> None:
    assert verdicts(judge(ALLOCATE, MALLOC)) == [Verdict.CHANGED, Verdict.CHANGED]


def test_a_rule_never_lowers_a_verdict() -> None:
    judged = judge("void f() { cudnnCreate(0); }", replace(MALLOC, check=_cudnn))
    assert verdicts(judged) == [Verdict.REPLACED]
    (finding,) = findings(judged)
    assert (finding.rule, finding.verdict) == ("HA-T001", Verdict.REPLACED)


def _cudnn(code: Code) -> Iterator[Hit]:
    yield from (code.hit(use) for use in code.uses("cudnnCreate"))


def test_places_of_one_function_are_one_problem() -> None:
    (finding,) = findings(judge(REDUCE, mask_32.RULE))
    assert (finding.rule, finding.function, len(finding.sites)) == ("HA-K030", "reduce", 2)
    assert len({site.fingerprint for site in finding.sites}) == 2


def test_symbols_are_problems_of_their_own_where_a_rule_says_so() -> None:
    found = findings(judge(ALLOCATE, replace(MALLOC, by_symbol=True)))
    assert sorted(finding.symbol for finding in found) == ["cudaFree", "cudaMalloc"]
    assert len({finding.id for finding in found}) == 2


def test_an_opportunity_is_no_work_and_changes_no_verdict() -> None:
    rule = replace(MALLOC, severity=Severity.INFO, verdict=Verdict.SAME, driver=Driver.NONE)
    judged = judge(ALLOCATE, rule)
    assert verdicts(judged) == [Verdict.RENAMED, Verdict.RENAMED]
    (finding,) = findings(judged)
    assert (finding.verdict, finding.severity, finding.driver) == (
        Verdict.SAME,
        Severity.INFO,
        "",
    )


def test_what_is_only_possible_raises_no_verdict() -> None:
    judged = judge(ALLOCATE, replace(MALLOC, confidence=Confidence.POSSIBLE))
    assert verdicts(judged) == [Verdict.RENAMED, Verdict.RENAMED]
    assert [finding.confidence for finding in findings(judged)] == [Confidence.POSSIBLE]


def test_a_rule_that_raises_is_told_and_costs_its_places_alone() -> None:
    def broken(_code: Code) -> Iterator[Hit]:
        raise KeyError("lane")

    rules = (replace(MALLOC, id="HA-T002", check=broken), MALLOC)
    run = judge_all({"code.cu": ALLOCATE}, rules=rules).run
    assert [(one.rule, one.path) for one in run.failed] == [("HA-T002", "code.cu")]
    assert "KeyError" in run.failed[0].error
    assert {one.rule.id for one in run.hits} == {"HA-T001"}


def test_what_a_hip_build_compiles_is_only_possible() -> None:
    judged = judge(REDUCE, mask_32.RULE, project=Project(hip_support="full"))
    assert {one.hit.confidence for one in judged.hits()} == {Confidence.POSSIBLE}


def test_a_virtual_function_of_both_sides_is_only_possible() -> None:
    for head, sure in (("__device__", True), ("__host__ __device__", False)):
        text = f"struct S {{ {head} virtual int f() = 0; {head}\nvirtual int g() = 0; }};"
        found = judge(text, indirect_call.RULE).hits()
        assert [one.hit.confidence is Confidence.LIKELY for one in found] == [sure, sure]


@pytest.mark.parametrize(
    "rule", [mask_32.RULE, mask_results.RULE, partial_mask.RULE], ids=["K030", "K031", "K033"]
)
def test_a_mask_that_no_hip_build_compiles_is_only_possible(rule: Rule) -> None:
    body = "__device__ int f(int p) { int m = __ballot_sync(0xff, p); return m; }"
    text = f"#if __CUDA_ARCH__ < 700\nint old;\n#else\n{body}\n#endif\n"
    assert {one.hit.confidence for one in judge(text, rule).hits()} == {Confidence.POSSIBLE}
    assert Confidence.POSSIBLE not in {one.hit.confidence for one in judge(body, rule).hits()}


def test_a_file_with_what_hip_lacks_is_in_no_hip_build() -> None:
    text = REDUCE + "__device__ void wait() { __nanosleep(100); }"
    judged = judge(text, mask_32.RULE, project=Project(hip_support="full"))
    assert {one.hit.confidence for one in judged.hits()} == {Confidence.CERTAIN}


def test_a_place_in_a_cuda_branch_with_a_hip_branch_is_ported() -> None:
    text = f"#ifdef __HIP_PLATFORM_AMD__\nint ported;\n#else\n{REDUCE}\n#endif\n"
    (finding,) = findings(judge(text, mask_32.RULE))
    assert finding.state is State.PORTED
