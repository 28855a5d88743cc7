"""Each use gets its verdict: from the tables, or for what has no name in them from the resolver."""

from __future__ import annotations

from migrate.classify.resolver import Resolver
from migrate.classify.uses import classify_files
from migrate.knowledge.apis import load_tables
from migrate.model.facts import UseKind
from migrate.model.verdict import Confidence, State, Verdict
from tests.classify.samples import TARGET, At, facts_of, function

RESOLVER = Resolver(load_tables(), TARGET)


def test_a_name_is_asked_of_the_tables_with_its_number_of_arguments() -> None:
    assert RESOLVER.resolve("cudaFree", UseKind.CALL, 1).hip == "hipFree"
    old = RESOLVER.resolve("cudaMemAdvise", UseKind.CALL, -1)
    assert (old.verdict, old.hip) == (Verdict.RENAMED, "hipMemAdvise")


def test_an_answer_is_remembered() -> None:
    assert RESOLVER.resolve("cudaFree", UseKind.CALL, 1) is RESOLVER.resolve(
        "cudaFree", UseKind.NAME, 1
    )


def test_inline_ptx_is_missing_and_less_certain_where_a_macro_hides_it() -> None:
    plain = RESOLVER.resolve("asm:bar.sync", UseKind.ASM, -1)
    hidden = RESOLVER.resolve("asm:?", UseKind.ASM, -1)
    assert plain.verdict is hidden.verdict is Verdict.MISSING
    assert (plain.confidence, hidden.confidence) == (Confidence.CERTAIN, Confidence.LIKELY)
    assert "macro" in hidden.note
    assert plain.evidence


def test_a_launch_is_the_same_from_the_host_and_missing_from_the_device() -> None:
    host = RESOLVER.resolve("<<<>>>", UseKind.LAUNCH, -1)
    device = RESOLVER.resolve("<<<>>>", UseKind.DEVICE_LAUNCH, -1)
    assert (host.verdict, host.hip) == (Verdict.SAME, "<<<>>>")
    assert device.verdict is Verdict.MISSING
    assert "dynamic parallelism" in device.note


def test_every_use_of_a_file_has_an_answer_a_state_and_a_function() -> None:
    uses = [
        At(symbol="cudaFree", line=3, function=1, arguments=1),
        At(symbol="<<<>>>", line=4, function=1, kind=UseKind.DEVICE_LAUNCH, state=State.PORTED),
        At(symbol="cudaNoSuchName", line=50),
    ]
    (file,) = classify_files([facts_of("a.cu", uses, [function("f", 1, 9)])], RESOLVER)
    assert [row.verdict for row in file.answers] == [
        Verdict.RENAMED,
        Verdict.MISSING,
        Verdict.UNKNOWN,
    ]
    assert [file.state(row) for row in range(3)] == [State.ACTIVE, State.PORTED, State.ACTIVE]
    assert [file.function(row).name for row in range(3)] == ["f", "f", ""]
    assert list(file.active_rows()) == [0, 2]
