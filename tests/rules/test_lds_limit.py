"""What the compiler counted of a kernel's shared memory is held against each GPU's limit."""

from __future__ import annotations

from migrate.knowledge.releases import parse_release
from migrate.model.facts import FileFacts, Function
from migrate.model.kernel import KernelRow, KernelSize, KernelTraits
from migrate.model.rule import Hit
from migrate.model.source import Language
from migrate.model.target import Target
from migrate.model.verdict import Confidence, Side, Verdict
from migrate.rules.base import CodeBase
from migrate.rules.engine import run_rules
from migrate.rules.shared.lds_limit import RULE


def hits_of(kib: int, *archs: str) -> list[Hit]:
    kernel = Function(name="k", line=3, end_line=9, side=Side.DEVICE, kernel=True)
    facts = FileFacts(path="a.cu", language=Language.CUDA, functions=(kernel,))
    traits = KernelTraits(sizes=(KernelSize("128", kib * 1024), KernelSize("64", 1024)))
    row = KernelRow(name="k", path="a.cu", line=3, traits=traits)
    target = Target(parse_release("7.2"), archs)
    base = CodeBase(target, [facts], lambda _path, _row: Verdict.SAME, kernels=[row])
    return [one.hit for one in run_rules(base, [RULE]).hits]


def test_largest_instantiation_over_the_limit_is_certain_on_the_gpus_that_have_less() -> None:
    (hit,) = hits_of(80, "gfx942", "gfx950")
    assert (hit.line, hit.archs, hit.confidence) == (3, ("gfx942",), Confidence.CERTAIN)
    assert "80 KiB are asked for; gfx942 has 64 KiB" in hit.detail


def test_what_fits_everywhere_is_quiet() -> None:
    assert hits_of(64, "gfx942", "gfx950") == []
