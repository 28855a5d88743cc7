"""The tables themselves: readable, without contradiction, every claim with its source."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from migrate.errors import AssessError, ExitCode
from migrate.knowledge import files
from migrate.knowledge.apis import ApiTables, load_tables, table_keys
from migrate.knowledge.files import data_path
from migrate.knowledge.releases import known_releases
from migrate.knowledge.rows import HEADER, ApiRow
from migrate.knowledge.sources import known_sources
from migrate.model.target import CudaVersion, RocmRelease, Target
from migrate.model.verdict import Flag, Verdict

CUDA_VERSIONS = tuple(
    map(
        CudaVersion.parse,
        ("8.0", "10.2", "11.0", "11.8", "12.0", "12.9", "13.0", "13.2", "13.5"),
    )
)


PLACES = (
    *("github.com", "rocm.docs.amd.com", "instinct.docs.amd.com", "gpuopen.com"),
    *("docs.pytorch.org", "docs.scale-lang.com", "slurm.schedmd.com", "www.mathworks.com"),
)
"""Sites that a source may lie on."""


def forms(row: ApiRow) -> frozenset[int]:
    """The numbers of arguments that the row speaks of; -1 stands for "any other"."""
    return row.arguments or frozenset({-1})


def contradict(one: ApiRow, other: ApiRow) -> bool:
    return (
        bool(forms(one) & forms(other))
        and any(one.speaks_of(cuda) and other.speaks_of(cuda) for cuda in CUDA_VERSIONS)
        and any(one.holds(release) and other.holds(release) for release in known_releases())
    )


def test_no_two_rows_claim_the_same_name_for_the_same_case() -> None:
    claims: dict[str, list[ApiRow]] = defaultdict(list)
    for row in load_tables().all_rows():
        claims[row.name].append(row)
    double = [
        f"{name}: {one.library} {one.hip!r} and {other.library} {other.hip!r}"
        for name, rows in claims.items()
        for one, other in combinations(rows, 2)
        if contradict(one, other)
    ]
    assert not double, "\n".join(double)


def test_every_source_of_a_row_exists_and_every_source_is_used() -> None:
    used: set[str] = set()
    for path in sorted(data_path("mappings").glob("**/*.csv")):
        with path.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                used |= set(filter(None, (row.get("source") or "").split(";")))
    assert used - set(known_sources()) == set()
    assert set(known_sources()) - used == set()


def test_every_source_has_a_title_a_place_and_a_month() -> None:
    for source in known_sources().values():
        assert source.title
        assert source.url
        assert re.fullmatch(r"20\d\d-\d\d", source.as_of), source.key


def test_a_source_is_a_page_a_package_or_a_path_in_a_repository() -> None:
    forms = (
        rf"https://(?:{'|'.join(map(re.escape, PLACES))})/\S+",
        r"pkg:(?:pypi|deb/\w+)/[\w.-]+(?:@[\w.-]+)?",
        r"[\w.-]+/[\w.-]+(?::[\w./@-]+)?",
    )
    for source in known_sources().values():
        assert re.fullmatch("|".join(forms), source.url), source.key
        assert source.url.startswith("pkg:") == bool(
            re.search(r"(?:PyPI|Debian|Ubuntu) package ", source.title)
        )


def test_every_line_of_every_table_is_a_row() -> None:
    lines = 0
    for table in table_keys():
        text = data_path("mappings", "apis", f"{table}.csv").read_text(encoding="utf-8")
        lines += len(text.splitlines()) - 1
    assert sum(1 for _ in load_tables().all_rows()) == lines


def test_every_row_speaks_of_a_month() -> None:
    assert not [
        row.name for row in load_tables().all_rows() if not re.match(r"20\d\d-\d\d$", row.as_of)
    ]


def test_no_claim_is_newer_than_its_sources() -> None:
    months = {key: source.as_of for key, source in known_sources().items()}
    ahead = [
        f"{row.library} {row.name}: {row.as_of}"
        for row in load_tables().all_rows()
        if row.as_of > max(months[key] for key in row.source.split(";"))
    ]
    assert not ahead, "\n".join(ahead)


def test_the_state_of_the_tables_is_that_of_their_oldest_and_newest_row() -> None:
    months = sorted({row.as_of for row in load_tables().all_rows()})
    assert load_tables().as_of == f"{months[0]} to {months[-1]}"


def test_tables_are_sorted_and_written_plainly() -> None:
    for key in table_keys():
        text = data_path("mappings", "apis", f"{key}.csv").read_bytes().decode()
        assert "\r" not in text, key
        assert text.endswith("\n"), key
        names = [line.partition(",")[0] for line in text.splitlines()[1:]]
        assert names == sorted(names), key
        assert not [name for name in names if not name or '"' in name or " " in name], key


def test_a_row_whose_hip_name_equals_its_own_is_no_rename() -> None:
    for row in load_tables().all_rows():
        assert row.verdict is not Verdict.RENAMED or row.hip != row.name, row.name
        if row.verdict is Verdict.SAME and row.kind == "member":
            assert row.hip.rpartition("::")[2] == row.name.rpartition("::")[2], row.name
        elif row.verdict is Verdict.SAME:
            assert row.hip == row.name, row.name


def test_a_struct_is_no_namespace() -> None:
    tables = load_tables()
    assert "cudaDeviceProp" not in tables.namespaces
    assert {"cub", "thrust", "cooperative_groups"} <= tables.namespaces
    assert "warpSize" in tables.members_of("cudaDeviceProp")
    assert "tiled_partition" in tables.members_of("cooperative_groups")


def test_a_mapping_names_what_it_maps_to() -> None:
    for row in load_tables().all_rows():
        assert row.hip or row.verdict not in {Verdict.SAME, Verdict.RENAMED}, row.name
        assert row.hip or row.note or row.verdict is not Verdict.CHANGED, row.name


def test_a_name_that_is_no_use_is_in_the_tables_and_has_a_reason() -> None:
    tables = load_tables()
    for name in ("max", "sin", "powf", "abs", "isnan", "clock", "make_uchar4", "CUTLASS_DEVICE"):
        assert name in tables.not_uses
        assert not tables.knows(name)
    for name in ("rsqrt", "__fadd_rn", "atomicAdd", "clock64", "tex2D", "erfinv", "half", "half2"):
        assert tables.knows(name), name
    assert not [name for name in tables.not_uses if not tables.rows_of(name)]


def test_nothing_is_missing_on_the_default_target_for_want_of_a_look() -> None:
    tables, target = load_tables(), Target(RocmRelease(7, 2), ("gfx942",))
    answers = (tables.resolve(name, target) for name in sorted(tables.names))
    old = [
        answer.name
        for answer in answers
        if answer.verdict is Verdict.MISSING and Flag.UNCONFIRMED in answer.flags
    ]
    assert not old


def test_all_claims_of_hipify_came_over() -> None:
    expected = {
        "blas": 969, "blaslt": 1006, "complex": 26, "device": 972, "dnn": 1297, "driver": 2296,
        "fft": 291, "file": 176, "rand": 151, "rtc": 47, "runtime": 1734, "solver": 752,
        "solvermg": 26, "sparse": 872, "sparselt": 36, "tensor": 220, "tensormg": 38,
    }  # fmt: skip
    names: dict[str, set[str]] = defaultdict(set)
    for row in load_tables().all_rows():
        names[row.library].add(row.name)
    for library, least in expected.items():
        assert len(names[library]) >= least, library


@pytest.fixture
def own_mappings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of mappings of the test's own."""
    folder = tmp_path / "mappings"
    (folder / "apis").mkdir(parents=True)
    monkeypatch.setattr(files, "_PACKAGE", tmp_path / "migrate")
    data_path.cache_clear()
    yield folder
    data_path.cache_clear()


def test_bad_rows_are_shown_together(own_mappings: Path) -> None:
    width = HEADER.count(",")
    (own_mappings / "apis" / "runtime.csv").write_text(
        f"{HEADER}\n"
        f"cudaOne,{'function,hipOne,,7.x' + ',' * (width - 4)}\n"
        f"cudaThree,oddity{',' * (width - 1)}\n"
        f"cudaTwo,function{',' * (width - 1)}\n"
    )
    with pytest.raises(AssessError) as caught:
        ApiTables().rows_of("cudaOne")
    assert caught.value.slug == "bad-mapping"
    assert caught.value.code is ExitCode.USAGE
    for name in ("cudaOne", "cudaTwo", "cudaThree"):
        assert name in str(caught.value)


def test_a_table_with_another_header_is_refused(own_mappings: Path) -> None:
    (own_mappings / "apis" / "runtime.csv").write_text("name,hip\ncudaMalloc,hipMalloc\n")
    with pytest.raises(AssessError, match=r"apis/runtime\.csv:1"):
        ApiTables()


def test_data_is_found_in_a_wheel_before_the_checkout(own_mappings: Path) -> None:
    packed = own_mappings.parent / "migrate" / "_data" / "mappings"
    assert data_path("mappings") == own_mappings
    packed.mkdir(parents=True)
    data_path.cache_clear()
    assert data_path("mappings") == packed
