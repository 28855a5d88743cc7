"""Which components are priced though no call of theirs is seen."""

from __future__ import annotations

import pytest

from migrate.evidence import gather_evidence
from migrate.model.assessment import Component, Project
from migrate.model.verdict import State, Verdict


def component(key: str, needed: str, verdict: Verdict = Verdict.REPLACED) -> Component:
    return Component(
        key=key,
        name=key,
        kind="library",
        verdict=verdict,
        rocm="",
        use=needed or "test_only",
        state=State.ACTIVE,
        uses=0,
        where=(),
        needed=needed,
    )


def priced(*components: Component, hip: str = "none") -> tuple[str, ...]:
    project = Project(hip_support=hip)
    return gather_evidence((), (), project, components).libraries


@pytest.mark.parametrize(
    ("needed", "verdict", "counts"),
    [
        ("called", Verdict.SAME, True),
        ("linked", Verdict.RENAMED, True),
        ("named", Verdict.MISSING, False),
        ("", Verdict.MISSING, False),
    ],
)
def test_what_is_used_counts_and_not_what_is_only_named(
    needed: str, verdict: Verdict, *, counts: bool
) -> None:
    assert priced(component("dnn", needed, verdict)) == (("dnn",) if counts else ())


def test_a_header_of_a_library_whose_calls_are_known_is_no_work_without_a_call() -> None:
    assert priced(component("thrust", "header")) == ()
    assert priced(component("rand_device", "header")) == ()
    assert priced(component("arrayfire", "header")) == ("arrayfire",)


def test_a_part_is_priced_with_its_whole() -> None:
    assert priced(component("solver_sp", "linked"), component("solver", "linked")) == ("solver",)


def test_a_project_with_a_hip_build_has_seen_to_its_components() -> None:
    assert priced(component("dnn", "linked"), hip="full") == ()
    assert priced(component("dnn", "linked"), hip="partial") == ("dnn",)
