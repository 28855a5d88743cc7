"""A command line is split as the shell or Windows would."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from migrate.discover.command_line import is_windows_command, split_command

SHELL_TEXT = st.text("ab \t\n\"'\\=-/é", max_size=40)


@pytest.mark.parametrize(
    "text",
    [
        "nvcc -c k.cu",
        "  nvcc\t-c \n k.cu ",
        "",
        "'' \"\"",
        r"nvcc -DNAME=\"v\" -D'A=b c' \"-I/a b\" x\ y",
        '"--generate-code=arch=compute_80,code=[compute_80,sm_80]"',
        r'"a\"b\\c\d" a"b"c',
        "\"it's\" 'a\\b'",
    ],
)
def test_posix_words_are_those_of_shlex(text: str) -> None:
    assert split_command(text) == shlex.split(text)


@pytest.mark.parametrize("text", ['a "b', "a 'b", "a\\", '"\\"'])
def test_what_is_not_closed_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="not closed"):
        split_command(text)


@pytest.mark.property
@given(SHELL_TEXT)
def test_any_text_is_split_as_shlex_does(text: str) -> None:
    try:
        expected: list[str] | None = shlex.split(text)
    except ValueError:
        expected = None
    try:
        found: list[str] | None = split_command(text)
    except ValueError:
        found = None
    assert found == expected


@pytest.mark.property
@given(st.text())
def test_windows_words_never_fail(text: str) -> None:
    assert all(isinstance(word, str) for word in split_command(text, windows=True))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (r"C:\cuda\bin\nvcc.exe -IC:\a\b k.cu", [r"C:\cuda\bin\nvcc.exe", r"-IC:\a\b", "k.cu"]),
        (r'"C:\Program Files\nvcc.exe" "-IC:\a b"', [r"C:\Program Files\nvcc.exe", r"-IC:\a b"]),
        (r'cl.exe /DNAME=\"v\" "/DX=a \"b\""', ["cl.exe", '/DNAME="v"', '/DX=a "b"']),
        (r'cl.exe "/IC:\a\\" /c', ["cl.exe", "/IC:\\a\\", "/c"]),
        (r'cl.exe /Da="x y"z', ["cl.exe", "/Da=x yz"]),
        ('cl.exe "not closed', ["cl.exe", "not closed"]),
    ],
)
def test_windows_backslashes_are_plain_but_before_a_quote(text: str, words: list[str]) -> None:
    assert split_command(text, windows=True) == words


@pytest.mark.parametrize(
    ("text", "windows"),
    [
        (r"C:\cuda\bin\nvcc.exe -c", True),
        ("C:/cuda/bin/nvcc -c", True),
        (r'"C:\Program Files\cl.exe" /c', True),
        (r"\\server\share\cl", True),
        ("cl.exe /c k.cpp", True),
        ("/usr/bin/nvcc -c a.exe", False),
        ("nvcc -c k.cu", False),
    ],
)
def test_a_windows_command_is_known_by_its_drive_or_program(text: str, windows: bool) -> None:
    assert is_windows_command(text) is windows


def test_a_long_row_of_quotes_or_backslashes_is_split_at_once() -> None:
    size = 1 << 18
    assert split_command('"' * size) == [""]
    assert split_command("\\" * size) == ["\\" * (size // 2)]
    assert split_command("\\" * size, windows=True) == ["\\" * size]
    with pytest.raises(ValueError, match="not closed"):
        split_command("'\"" * size + "a")
