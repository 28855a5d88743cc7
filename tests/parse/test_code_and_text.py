"""What is code: not comments, not literals; lines and columns as an editor counts them."""

from __future__ import annotations

import pytest

from tests.parse.reading import read, symbols, uses


@pytest.mark.parametrize(
    "source",
    [
        "// cudaMalloc(&p, 4);\n",
        "/* cudaMalloc(&p, 4);\n cudaFree(p); */\n",
        "// goes on \\\ncudaMalloc(&p, 4);\n",
        "// goes on \\\r\ncudaMalloc(&p, 4);\r\n",
        'const char* s = "cudaMalloc(&p, 4)";\n',
        'const char* s = "a \\" cudaMalloc(&p, 4)";\n',
        'const char* s = "a \\\n cudaMalloc(&p, 4)";\n',
        'const char* s = "a \\\r\n cudaMalloc(&p, 4)";\r\n',
        'const char* s = R"(cudaMalloc(&p, 4) ")";\n',
        'const char* s = R"cu(a )" cudaMalloc(&p, 4)\n)cu";\n',
        'auto s = u8R"(" cudaMalloc(&p, 4))";\n',
        "/* never closed cudaMalloc(&p, 4);\n",
        'const char* s = R"(never closed cudaMalloc(&p, 4);\n',
        "#error Don't call cudaMalloc(&p, 4) here\n",
        '#pragma message("cudaMalloc")\n',
        "#include <cudaMalloc>\n",
        "int n = 'cudaMalloc';\n",
    ],
)
def test_names_outside_of_code_are_no_uses(source: str) -> None:
    assert symbols(source) == []


@pytest.mark.parametrize(
    "before",
    [
        "/* a */ ",
        "/**/",
        "/***/ ",
        "char c = '\"'; ",
        "char c = '\\''; ",
        "char c = u8'\"'; ",
        "switch (c) { case'\"': break; } ",
        "int n = 1'000'000; ",
        "int n = 0xff'ff, m = 1'0; ",
        "auto n = 0b1'0; ",
        'const char* s = "//"; ',
        'const char* s = "/*"; ',
        'const char* s = "\\\\"; ',
        'auto s = R"(\\)"; ',
        'auto s = R"x()")x"; ',
        'auto s = NO_RAW_R"(" ; ',
        'const char* open = "never closed\n',
        "int open = 'never closed\n",
    ],
)
def test_code_behind_a_literal_or_comment_is_read(before: str) -> None:
    assert symbols(f"void f() {{ {before}cudaFree(p); }}\n") == ["cudaFree"]


def test_places_are_those_an_editor_shows() -> None:
    source = "void f() {\n  /* two\n lines */ cudaFree(p);\n\tcudaSetDevice(0); }\n"
    assert [(use.symbol, use.line, use.column) for use in uses(source)] == [
        ("cudaFree", 3, 11),
        ("cudaSetDevice", 4, 2),
    ]


def test_columns_count_characters_not_bytes() -> None:
    (use,) = uses('void f() { puts("é→π"); cudaFree(p); }\n')
    assert (use.line, use.column) == (1, 25)


def test_columns_far_into_a_line_count_characters() -> None:
    filler = '"é", ' * 5000
    (use,) = uses(f"auto x = {{{filler}}}; auto y = cudaFree(p);\n")
    assert use.column == len(f"auto x = {{{filler}}}; auto y = ") + 1


def test_latin_1_counts_one_character_a_byte() -> None:
    (use,) = uses("void f() { /* caf\u00e9 */ cudaFree(p); }\n".encode("latin-1"))
    assert (use.line, use.column) == (1, 23)


def test_crlf_lines_are_counted_once() -> None:
    facts = read("int a;\r\n\r\nvoid f() {\r\n  cudaFree(p);\r\n}\r\n")
    assert list(facts.uses.line) == [4]
    assert (facts.lines, facts.code_lines) == (5, 4)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_a_byte_order_mark_shifts_nothing(encoding: str) -> None:
    (use,) = uses("cudaStream_t s;\n".encode(encoding))
    assert (use.symbol, use.line, use.column) == ("cudaStream_t", 1, 1)


def test_lines_of_comments_and_white_space_are_no_code_lines() -> None:
    facts = read("// a\n\n/* b\n c */\nint d;\n  \\\nint e; // f")
    assert (facts.lines, facts.code_lines) == (7, 2)


def test_an_empty_file_has_no_lines() -> None:
    facts = read("")
    assert (facts.lines, facts.code_lines, len(facts.uses)) == (0, 0, 0)


def test_white_space_does_not_change_a_lines_hash() -> None:
    facts = read("void f() {\n  cudaFree( p );\n\tcudaFree(p);\n cudaFree(q);\n}\n")
    first, second, third = facts.uses.line_hash
    assert first == second != third


def test_a_continued_line_is_one_macro_with_both_endings() -> None:
    for ending in ("\n", "\r\n"):
        facts = read(
            f"#define FREE(p) do {{ \\{ending}  cudaFree(p); \\{ending}}} while (0){ending}"
        )
        assert [(macro.name, macro.line, macro.symbols) for macro in facts.macros] == [
            ("FREE", 1, ("cudaFree",))
        ]
        assert list(facts.uses.line) == [2]
