"""The table of nvcc's options against what clang's driver says of each in HIP mode."""

from __future__ import annotations

import pytest

from migrate.knowledge.options import NvccOption, nvcc_options, option_of
from migrate.parse.clang.native import load_libclang

ROWS = sorted(set(nvcc_options().values()), key=lambda row: row.option)
HIP = ("-x", "hip", "--offload-arch=gfx942", "-nogpulib", "-nogpuinc")
ERROR = 3


@pytest.fixture(scope="module", autouse=True)
def _libclang() -> None:
    load_libclang()


def answers(*options: str) -> list[tuple[int, str]]:
    """Severity and text of what clang says when it is given options; an error where it fails."""
    from clang import cindex  # noqa: PLC0415 - only where libclang was found

    arguments = [*HIP, *options] if options[0] != "-x" else [*HIP[2:], *options]
    try:
        unit = cindex.Index.create().parse(
            "a.hip", args=arguments, unsaved_files=[("a.hip", "int x;\n")]
        )
    except cindex.TranslationUnitLoadError:
        return [(ERROR, "no unit")]
    return [(one.severity, one.spelling) for one in unit.diagnostics]


def refused(*options: str) -> bool:
    return any(severity >= ERROR for severity, _ in answers(*options))


def spelled(row: NvccOption) -> list[str]:
    """The option as a command line has it, with a value where it takes one."""
    if row.option == "-x":
        return ["-x", "cu"]
    if row.value == "next":
        return [row.option, "c++17"]
    if row.option == "-Xcompiler":
        return ["-Xcompiler", "-fPIC"]
    value = {"-arch": "sm_80", "--cuda-gpu-arch": "sm_80"}.get(row.option, "true")
    return [f"{row.option}={value}" if row.value == "one" else row.option]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.option)
def test_clang_says_of_an_option_what_the_table_says(row: NvccOption) -> None:
    assert refused(*spelled(row)) == (row.clang == "refuses")
    if row.clang == "library":
        assert any("'linker' input" in text for _, text in answers(*spelled(row)))


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row.hip and row.option != "-x"], ids=lambda row: row.option
)
def test_clang_takes_the_spelling_for_hip(row: NvccOption) -> None:
    words = row.hip.replace("<gfx>", "gfx942").split()
    if words[0] not in {"-x", "-std="}:
        assert not refused(*words)


def test_an_option_is_found_by_every_spelling_and_with_its_value() -> None:
    for row in ROWS:
        for spelling in row.spellings:
            assert option_of(spelling) is row
            assert option_of(f"{spelling}=y") is row
            assert option_of(f"{spelling} y") is row
    assert option_of("-std=c++17") is option_of("-std")
    assert option_of("-O3") is None
