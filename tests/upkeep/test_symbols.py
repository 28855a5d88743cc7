"""How the symbol table is rebuilt, and what a rebuilt one says of the tables' claims."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.knowledge.apis import load_tables
from migrate.knowledge.files import data_path
from migrate.knowledge.symbols import HEADER
from tests.upkeep.claims import contradicted, overlooked
from tests.upkeep.declared import Declared
from tests.upkeep.symbols import (
    check_symbols,
    difference,
    rebuild,
    symbols_of,
    symbols_of_bindings,
    table_of,
)

TABLE = f"{HEADER}\nblas,*,6.4 7.2\nblas,hipblasCreate,6.4 7.2\nblas,hipblasOld,6.4\n"


def committed() -> str:
    return data_path("mappings", "hip_symbols.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "header", "library"),
    [
        ("hipblasCreate", "hipblas/hipblas.h", "blas"),
        ("HIPBLAS_OP_N", "hipblas/hipblas.h", "blas"),
        ("ncclSend", "rccl/rccl.h", "rccl"),
        ("miopenCreate", "miopen/miopen.h", "miopen"),
        ("hipTensorMapEncodeTiled", "hip/hip_runtime.h", "runtime"),
    ],
)
def test_a_name_goes_to_the_library_that_its_first_letters_tell(
    name: str, header: str, library: str
) -> None:
    assert symbols_of([Declared(name, "function", header)]) == {library: {name}}


def test_members_and_what_is_repeated_of_a_library_that_was_not_read_are_left_out() -> None:
    found = symbols_of(
        [
            Declared("hipsolverCreate", "function", "hipsolver/hipsolver.h"),
            Declared("hipblasOperation_t", "type", "hipsolver/hipsolver.h"),
            Declared("hipsolverInfo::value", "member", "hipsolver/hipsolver.h"),
        ]
    )
    assert found == {"solver": {"hipsolverCreate"}}


def test_bindings_are_read_by_folder_with_the_names_that_they_take_from_each_other(
    tmp_path: Path,
) -> None:
    (tmp_path / "chip.pxd").write_text(
        'cdef extern from "hip/hip_runtime.h":\n    cdef enum hipJitOption:\n        hipJitLto\n'
    )
    (tmp_path / "chiprtc.pxd").write_text(
        "from hip.chip cimport hipJitOption as hiprtcJIT_option\n"
        'cdef extern from "hip/hiprtc.h":\n    ctypedef void * hiprtcProgram\n'
    )
    assert symbols_of_bindings(tmp_path) == {
        "runtime": {"hipJitOption", "hipJitLto"},
        "rtc": {"hiprtcProgram", "hiprtcJIT_option"},
    }


def test_amd_smis_own_wrapper_tells_what_its_header_declares(tmp_path: Path) -> None:
    (tmp_path / "amdsmi_wrapper.py").write_text(
        "size_t = 8\n__all__ = \\\n    ['AMDSMI_INIT_AMD_GPUS', 'amdsmi_init', 'size_t',\n"
        "    'struct_amdsmi_bdf_t']\n"
    )
    assert symbols_of_bindings(tmp_path) == {"smi": {"AMDSMI_INIT_AMD_GPUS", "amdsmi_init"}}


def test_a_rebuilt_release_replaces_its_old_symbols_and_nothing_else() -> None:
    rebuilt = rebuild(TABLE, {"7.2": {"blas": {"hipblasCreate", "hipblasNew"}}})
    assert rebuilt.splitlines()[1:] == [
        "blas,*,6.4 7.2",
        "blas,hipblasCreate,6.4 7.2",
        "blas,hipblasNew,7.2",
        "blas,hipblasOld,6.4",
    ]


def test_a_symbol_that_no_release_has_any_more_goes() -> None:
    rebuilt = rebuild(TABLE, {"6.4": {"blas": {"hipblasCreate"}}})
    assert "hipblasOld" not in rebuilt


def test_releases_stand_in_their_order() -> None:
    rebuilt = rebuild(TABLE, {"10.0": {"blas": {"hipblasCreate"}, "rand": {"hiprandCreate"}}})
    assert "blas,*,6.4 7.2 10.0" in rebuilt
    assert rebuilt.endswith("rand,*,10.0\nrand,hiprandCreate,10.0\n")


def test_the_committed_table_has_the_form_of_a_rebuilt_one() -> None:
    assert rebuild(committed(), {}) == committed()


def test_a_difference_names_what_came_and_went_by_library_and_release() -> None:
    new = rebuild(TABLE, {"7.2": {"blas": {"hipblasNew"}}, "10.0": {"blas": {"hipblasNew"}}})
    assert [str(change) for change in difference(TABLE, new)] == [
        "blas 7.2\n  + hipblasNew\n  - hipblasCreate",
        "blas 10.0: read for the first time\n  + hipblasNew",
    ]
    assert not difference(TABLE, TABLE)


def test_a_claim_on_a_name_that_went_is_contradicted() -> None:
    left = _symbols("7.2", "fft") - {"hipfftPlan1d"}
    new = rebuild(committed(), {"7.2": {"fft": left}})
    assert contradicted(load_tables(), table_of(new)) == [
        "fft: cufftPlan1d -> hipfftPlan1d is not in 7.2"
    ]


def test_a_missing_name_whose_twin_came_is_overlooked() -> None:
    name = next(
        row.name
        for row in load_tables().all_rows()
        if row.library == "fft" and row.kind == "function" and not (row.hip or row.roc or row.note)
    )
    twin = name.replace("cufft", "hipfft", 1)
    new = rebuild(committed(), {"10.0": {"fft": {*_symbols("10.0", "fft"), twin}}})
    assert overlooked(load_tables(), table_of(new)) == [
        f"fft: {name} is missing, and there is {twin}"
    ]


def test_a_check_prints_the_changes_and_writes_only_when_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "hip_symbols.csv"
    table.write_text(committed(), encoding="utf-8", newline="\n")
    found = {"7.2": {"fft": {*_symbols("7.2", "fft"), "hipfftNew"} - {"hipfftPlan1d"}}}
    assert check_symbols(found, table, load_tables()) == 2
    assert capsys.readouterr().out == (
        "\nhip_symbols.csv: 1 changes by library and release\n"
        "fft 7.2\n  + hipfftNew\n  - hipfftPlan1d\n"
        "\nhip_symbols.csv: 1 claims that the symbols contradict\n"
        "fft: cufftPlan1d -> hipfftPlan1d is not in 7.2\n"
    )
    assert table.read_text(encoding="utf-8") == committed()
    check_symbols(found, table, load_tables(), write=True)
    assert "fft,hipfftNew,7.2\n" in table.read_text(encoding="utf-8")


def _symbols(release: str, library: str) -> set[str]:
    rows = (line.split(",") for line in committed().splitlines()[1:])
    return {
        symbol
        for key, symbol, releases in rows
        if key == library and symbol != "*" and release in releases.split()
    }
