"""Which differences of two signatures a caller feels, and what the tables' rows say of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from migrate.knowledge.apis import load_tables
from migrate.knowledge.rows import ApiRow
from migrate.model.verdict import Verdict
from tests.upkeep.calls import compare, renames
from tests.upkeep.ctype import CType, Types, parse_type
from tests.upkeep.declared import Declared
from tests.upkeep.functions import CudaFunctions
from tests.upkeep.signatures import check_signatures, read_exceptions, report

CUDA_TYPES = (
    Declared("cuStream_t", "type", "c.h", (), "struct CUstream_st *"),
    Declared("cuKind", "type", "c.h"),
    Declared("cuBox", "type", "c.h"),
    Declared("cuBox::n", "member", "c.h", (), "int"),
    Declared("cuTexture_t", "type", "c.h", (), "unsigned long long"),
)
HIP_TYPES = (
    Declared("hipStream_t", "type", "h/h.h", (), "ihipStream_t *"),
    Declared("hipKind", "type", "h/h.h"),
    Declared("hipOther", "type", "h/h.h"),
    Declared("hipBox", "type", "h/h.h"),
    Declared("hipBox::n", "member", "h/h.h", (), "int"),
    Declared("hipTexture_t", "type", "h/h.h", (), "texture *"),
    Declared("hipSeen", "function", "h/h.h", ("const hipBox *", "const char *"), "int"),
)
PAIRS = (
    ("cuStream_t", "hipStream_t"),
    ("cuKind", "hipKind"),
    ("cuBox", "hipBox"),
    ("cuTexture_t", "hipTexture_t"),
)


def words(
    cuda: Sequence[str],
    hip: Sequence[str],
    names: tuple[str, ...] = (),
    *,
    results: tuple[str, str] = ("cuKind", "hipKind"),
    hip_types: tuple[Declared, ...] = HIP_TYPES,
) -> list[str]:
    ours = Declared("cuF", "function", "c.h", tuple(cuda), results[0], names=names)
    theirs = Declared("hipF", "function", "h/h.h", tuple(hip), results[1])
    rename = renames(PAIRS, {one for one, _ in PAIRS}, Types(CUDA_TYPES), Types(hip_types))
    return compare(ours, theirs, rename)


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("unsigned long", "size_t"),
        ("CUstream_st *", "hipStream_t"),
        ("CUstream_st **", "ihipStream_t **"),
        ("cuKind", "hipKind"),
        ("const cuBox *", "const struct hipBox *"),
        ("const float *const[]", "const float * const *"),
        ("float2 *", "HIP_vector_type<float, 2> *"),
        ("void (*)(int)", "void (*)(long)"),
    ],
)
def test_two_spellings_of_a_type_are_no_difference(cuda: str, hip: str) -> None:
    assert words([cuda], [hip]) == []


@pytest.mark.parametrize(
    ("cuda", "hip"),
    [
        ("int", "long"),
        ("int", "unsigned int"),
        ("float", "double"),
        ("cuKind", "int"),
        ("float *", "void *"),
        ("float *", "const float *"),
        ("float **", "const float *const *"),
        ("unsigned long long", "hipTexture_t"),
        ("unsigned long long *", "hipTexture_t *"),
    ],
)
def test_what_c_plus_plus_converts_without_loss_is_no_difference(cuda: str, hip: str) -> None:
    assert words([cuda], [hip]) == []


@pytest.mark.parametrize(
    ("cuda", "hip", "said"),
    [
        ("long", "int", "`x` is int, CUDA's is long"),
        ("int *", "long *", "`x` is long *, CUDA's is int *"),
        ("unsigned long long *", "uint64_t *", "`x` is unsigned long *, CUDA's is unsigned long"),
        ("int", "hipKind", "`x` is hipKind, CUDA's is int"),
        ("cuKind", "hipOther", "`x` is hipOther, CUDA's is cuKind"),
        ("cuBox", "hipBox *", "`x` is hipBox *, CUDA's is cuBox"),
        ("cuBox", "int", "`x` is int, CUDA's is cuBox"),
        ("void *", "float *", "`x` is float *, CUDA's is void *"),
        ("const char *", "char *", "`x` is char *, CUDA's is const"),
        ("float **", "const float **", "`x` is const float **, CUDA's is float **"),
        ("const cuBox *", "hipBox *", "`x` is hipBox *, CUDA's is const"),
        ("cuNew *", "hipNovel *", "`x` is hipNovel *, and no row says what cuNew * becomes"),
    ],
)
def test_what_a_caller_feels_is_said_in_words(cuda: str, hip: str, said: str) -> None:
    (one,) = words([cuda], [hip], ("x",))
    assert one.startswith(said)


def test_a_handle_that_hip_takes_as_any_address_is_a_difference() -> None:
    assert words(["CUstream_st *"], ["const void *"], ("f",)) == [
        "`f` is const void *, CUDA's is CUstream_st *"
    ]


def test_a_binding_that_never_tells_const_is_not_believed_where_it_tells_none() -> None:
    silent = tuple(one for one in HIP_TYPES if one.kind != "function")
    assert words(["const cuBox *"], ["hipBox *"], hip_types=silent) == []


def test_a_type_of_the_same_name_needs_no_row() -> None:
    assert words(["ncclThing *"], ["ncclThing *"]) == []
    assert words(["const ncclThing *"], ["ncclThing *"], ("x",)) == [
        "`x` is ncclThing *, CUDA's is const"
    ]


def test_a_type_without_a_row_that_is_spelt_alike_is_no_difference() -> None:
    assert words(["const CUfancy_st *"], ["const hipFancy_t *"]) == []


def test_a_parameter_that_hip_lacks_is_named() -> None:
    assert words(["int", "float *", "unsigned int"], ["int", "float *"], ("n", "x", "flags")) == [
        "HIP takes no `flags` (unsigned int) (2 parameters, CUDA 3)"
    ]


def test_a_parameter_in_the_middle_that_cuda_has_not_is_named() -> None:
    said = words(["void *", "long"], ["void *", "hipKind", "long"], names=("p", "n"))
    assert said == ["HIP also takes hipKind in place 2 (3 parameters, CUDA 2)"]


def test_another_parameter_in_the_same_place_is_no_parameter_less_and_one_more() -> None:
    said = words(["int", "cuBox"], ["int", "float *"], names=("n", "box"))
    assert said == ["`box` is float *, CUDA's is cuBox"]


def test_a_result_of_another_kind_is_a_difference_and_one_more_than_none_is_not() -> None:
    assert words([], [], results=("cuKind", "hipOther")) == ["HIP returns hipOther, CUDA cuKind"]
    assert words([], [], results=("cuKind", "void")) == ["HIP returns void, CUDA cuKind"]
    assert words([], [], results=("void", "hipKind")) == []


def test_a_type_is_written_as_a_reader_knows_it() -> None:
    written = ("const float *const *", "unsigned int (**)[32]", "char", "void **")
    assert [str(parse_type(one)) for one in written] == [
        "const float *const *", "unsigned int[32] **", "char", "void **",
    ]  # fmt: skip


def test_an_alias_of_a_pointer_to_const_keeps_the_const_below_the_pointers_around_it() -> None:
    types = Types([Declared("View_t", "type", "h.h", (), "const struct View *")])
    assert types.resolve("View_t *") == CType("View", (True, False))
    assert types.resolve("const View_t *") == CType("View", (True, True))


def function(name: str, *parameters: str, header: str = "cuda.h", result: str = "int") -> Declared:
    return Declared(name, "function", header, parameters, result)


def test_a_plain_name_means_the_version_that_a_macro_gives_it() -> None:
    ours = CudaFunctions(
        [
            function("cuGrab", "int"),
            function("cuGrab_v2", "long"),
            Declared("cuGrab", "macro", "cuda.h", (), "__CUDA_API_PTDS ( cuGrab_v2 )"),
        ]
    )
    assert [one.parameters for one in ours.named("cuGrab")] == [("long",)]
    assert ours.names() == ["cuGrab", "cuGrab_v2"]


def test_c_plus_plus_forms_are_counted_and_not_compared() -> None:
    cpp = function("cudaGrab", "type-parameter-0-0 *", header="cuda_runtime.h")
    ours = CudaFunctions([function("cudaGrab", "void *"), cpp])
    assert [one.parameters for one in ours.named("cudaGrab")] == [("void *",)]
    assert ours.overloaded == {"cudaGrab"}


RENAMED = next(
    row
    for row in load_tables().rows_of("cudaMemset")
    if row.verdict is Verdict.RENAMED and not row.arguments
)


def judged(monkeypatch: pytest.MonkeyPatch, row: ApiRow, hip: Sequence[str]) -> list[str]:
    """The kind of disagreement where the row speaks of a function of one int."""
    monkeypatch.setattr(type(load_tables()), "rows_of", lambda _, name: (row,) * (name == "cudaF"))
    cuda = {"12.9": [function("cudaF", "int")]}
    return [
        one.kind
        for one in check_signatures(cuda, {"7.2": [function("hipF", *hip, header="h/h.h")]})
    ]


def test_a_rename_whose_signature_differs_is_a_disagreement(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = replace(RENAMED, name="cudaF", hip="hipF")
    assert judged(monkeypatch, row, ["int"]) == []
    assert judged(monkeypatch, row, ["int *"]) == ["differs"]


def test_a_change_that_speaks_of_arguments_needs_a_difference(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = replace(RENAMED, name="cudaF", hip="hipF", verdict=Verdict.CHANGED, note="HIP takes two.")
    assert judged(monkeypatch, row, ["int", "int"]) == []
    assert judged(monkeypatch, row, ["int"]) == ["equal"]
    assert judged(monkeypatch, replace(row, note="Slower."), ["int"]) == []


def test_a_function_that_is_there_under_its_own_name_is_not_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = replace(RENAMED, name="cudaF", hip="", verdict=Verdict.MISSING, since=())
    assert judged(monkeypatch, row, ["int"]) == ["there"]
    assert judged(monkeypatch, row, ["int *"]) == []


def test_a_form_is_compared_by_its_number_of_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    row = replace(RENAMED, name="cudaF", hip="hipF", arguments=frozenset({2}))
    assert judged(monkeypatch, row, ["int *"]) == []


def test_an_exception_explains_and_one_without_use_counts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    row = replace(RENAMED, name="cudaF", hip="hipF")
    monkeypatch.setattr(type(load_tables()), "rows_of", lambda _, name: (row,) * (name == "cudaF"))
    cuda = {"12.9": [function("cudaF", "int")]}
    found = check_signatures(cuda, {"7.2": [function("hipF", "int *", header="h/h.h")]})
    assert report(found, []) == 1
    assert "parameter 1 is int *, CUDA's is int [CUDA 12.9, ROCm 7.2]" in capsys.readouterr().out
    assert report(found, [("runtime", "cudaF*")]) == 0
    assert report(found, [("runtime", "cudaF"), ("blas", "cudaF")]) == 1


def test_every_exception_names_a_row_of_its_table_and_they_are_sorted() -> None:
    rules = read_exceptions()
    assert list(rules) == sorted(set(rules))
    names = {(row.library, row.name) for row in load_tables().all_rows()}
    for library, name in rules:
        stem = name.removesuffix("*")
        assert any(key == library and known.startswith(stem) for key, known in names), name
