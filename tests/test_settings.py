"""Settings: one frozen answer from file and options, and mistakes said once and clearly."""

from __future__ import annotations

import pickle
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.errors import AssessError, ExitCode
from migrate.settings import Settings, load_settings, parse_share, settings_for_result


def _mistake(paths: list[Path], **options: object) -> AssessError:
    with pytest.raises(AssessError) as caught:
        load_settings(paths, options)
    assert caught.value.code is ExitCode.USAGE
    return caught.value


def test_without_anything_the_defaults_of_the_contract_hold(tmp_path: Path) -> None:
    settings = load_settings([tmp_path], {})
    assert settings == Settings(paths=(tmp_path,))
    assert (settings.rocm, settings.archs, settings.cuda) == ("7.2", ("gfx942",), None)
    assert (settings.scope, settings.strategy, settings.team) == ("production", "hipify", "gpu")
    assert pickle.loads(pickle.dumps(settings)) == settings  # noqa: S301 - our own bytes


def test_the_own_file_is_read_with_dashes_or_underscores(tmp_path: Path) -> None:
    (tmp_path / "hipassess.toml").write_text(
        'rocm = "6.4"\narch = "gfx90a"\nmax-cuda-only = "30%"\nmax_weeks = 8\nexclude = ["gen/"]\n'
        'hip-macros = ["USE_AMD"]\nall-uses = true\n'
    )
    settings = load_settings([tmp_path], {})
    assert (settings.rocm, settings.archs, settings.exclude) == ("6.4", ("gfx90a",), ("gen/",))
    assert (settings.max_cuda_only, settings.max_weeks, settings.all_uses) == (0.3, 8.0, True)
    assert settings.hip_macros == ("USE_AMD",)


def test_an_option_wins_and_what_is_not_given_does_not(tmp_path: Path) -> None:
    (tmp_path / "hipassess.toml").write_text('rocm = "6.4"\narchs = ["gfx90a"]\nteam = "new"\n')
    options: dict[str, object] = {
        "rocm": "7.1",
        "archs": [],
        "team": None,
        "jobs": 2,
        "output": "out.html",
    }
    settings = load_settings([tmp_path], options)
    assert (settings.rocm, settings.archs, settings.team) == ("7.1", ("gfx90a",), "new")
    assert (settings.jobs, settings.output) == (2, Path("out.html"))


def test_the_own_file_wins_over_pyproject(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.hipassess]\nrocm = "6.3"\n')
    assert load_settings([tmp_path], {}).rocm == "6.3"
    (tmp_path / "hipassess.toml").write_text('rocm = "6.4"\n')
    assert load_settings([tmp_path], {}).rocm == "6.4"


def test_a_file_that_is_named_replaces_the_trees(tmp_path: Path) -> None:
    (tmp_path / "hipassess.toml").write_text('rocm = "6.4"\nteam = "new"\n')
    (tmp_path / "ci.toml").write_text('rocm = "7.0"\n')
    settings = load_settings([tmp_path], {"config": tmp_path / "ci.toml"})
    assert (settings.rocm, settings.team) == ("7.0", "gpu")


@pytest.mark.parametrize("text", ["[broken\n", "[project]\nname = 'x'\n", '[tool]\nother = "x"\n'])
def test_a_pyproject_that_does_not_speak_of_us_never_stops_a_run(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    assert load_settings([tmp_path], {}) == Settings(paths=(tmp_path,))


def test_all_problems_of_a_file_come_in_one_message_with_lines_and_known_keys(
    tmp_path: Path,
) -> None:
    (tmp_path / "hipassess.toml").write_text(
        'rokm = "7.2"\nrocm = 7.2\n\nscope = "everything"\noutput = "/etc/passwd"\n'
        "max_cuda_only = 30\nall_uses = 1\nhip_macros = ['a b']\n"
    )
    error = _mistake([tmp_path])
    assert error.slug == "settings"
    for said in (
        "hipassess.toml:1: 'rokm' is not known; did you mean rocm?",
        "hipassess.toml:2: 'rocm' takes a text: write it in quotes, \"7.2\"",
        "hipassess.toml:4: 'scope' takes one of first-run, tests-pass, production",
        "hipassess.toml:5: 'output' is an option of the command line, not a setting of a file",
        "hipassess.toml:6: 'max_cuda_only' 30 is over 1",
        "hipassess.toml:7: 'all_uses' takes true or false",
        "hipassess.toml:8: 'hip_macros' takes macro names",
    ):
        assert said in error.what
    assert "max-cuda-only" in error.hint


def test_broken_toml_says_where(tmp_path: Path) -> None:
    (tmp_path / "hipassess.toml").write_text('rocm = "7.2"\narchs = [\n')
    assert "hipassess.toml is not valid TOML" in str(_mistake([tmp_path]))
    (tmp_path / "hipassess.toml").write_text('rocm = "7.2"\narchs : 3\n')
    assert "line 2, column 7" in str(_mistake([tmp_path]))


@pytest.mark.parametrize("content", [b"rocm = '\xff'", b"a = " + b"[" * 5000])
def test_a_file_that_is_no_text_or_absurd_is_a_mistake_not_a_crash(
    tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "hipassess.toml").write_bytes(content)
    assert _mistake([tmp_path]).slug == "settings"


def test_a_missing_file_that_was_named_is_a_mistake(tmp_path: Path) -> None:
    assert "cannot be read" in str(_mistake([tmp_path], config=tmp_path / "none.toml"))


def test_a_link_in_the_tree_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text('rocm = "6.2"\n')
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "hipassess.toml").symlink_to(tmp_path / "secret")
    assert "symbolic link" in str(_mistake([tmp_path / "tree"]))


def test_two_spellings_of_one_key_are_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "hipassess.toml").write_text("max-weeks = 1\nmax_weeks = 2\n")
    assert "twice" in str(_mistake([tmp_path]))


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("scope", "all", "--scope takes one of"),
        ("max_cuda_only", "30", "--max-cuda-only 30 is over 1"),
        ("max_weeks", -1.0, "--max-weeks takes"),
        ("max_weeks", float("nan"), "--max-weeks takes"),
        ("jobs", -2, "--jobs takes"),
        ("cuda", "twelve", "--cuda takes a CUDA version"),
        ("archs", ("",), "--arch takes"),
        ("max_file_bytes", 0, "--max-file-bytes takes"),
    ],
)
def test_a_wrong_option_names_itself(option: str, value: object, said: str) -> None:
    assert said in str(_mistake([], **{option: value}))


@pytest.mark.parametrize(
    ("text", "share"),
    [("30%", 0.3), ("30 %", 0.3), ("0.3", 0.3), (".3", 0.3), ("0", 0), ("1", 1), ("100%", 1)],
)
def test_a_share_is_read_in_each_form(text: str, share: float) -> None:
    assert parse_share(text) == pytest.approx(share)


@pytest.mark.parametrize(
    "text", ["30", "1.01", "101%", "-1%", "-0.1", "nan", "inf", "", "%", "0,3"]
)
def test_what_is_no_share_is_refused(text: str) -> None:
    with pytest.raises(AssessError) as caught:
        parse_share(text)
    assert (caught.value.slug, caught.value.code) == ("share", ExitCode.USAGE)


@pytest.mark.property
@given(st.text(max_size=12))
def test_any_text_gives_a_share_or_a_mistake(text: str) -> None:
    with suppress(AssessError):
        assert 0 <= parse_share(text) <= 1


@pytest.mark.property
@given(st.dictionaries(st.text("abrocm_-", max_size=6), st.booleans() | st.integers(), max_size=4))
def test_any_keys_give_settings_or_a_mistake(
    tmp_path_factory: pytest.TempPathFactory, table: dict[str, object]
) -> None:
    folder = tmp_path_factory.mktemp("tree")
    lines = [f'"{key}" = {str(value).lower()}' for key, value in table.items()]
    (folder / "hipassess.toml").write_text("\n".join(lines))
    with suppress(AssessError):
        assert load_settings([folder], {}).paths == (folder,)


def test_the_result_shows_what_shaped_it_and_nothing_of_the_machine(tmp_path: Path) -> None:
    options = {"jobs": 3, "quiet": True, "output": tmp_path / "o", "exclude": ("gen",)}
    shown = settings_for_result(load_settings([tmp_path], options))
    assert shown["exclude"] == ["gen"]
    assert shown["scope"] == "production"
    assert str(tmp_path) not in repr(shown)
    assert not {"jobs", "quiet", "output", "paths", "config", "cuda", "max_weeks"} & set(shown)
