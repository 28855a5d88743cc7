"""A compile database: where it is found, which entries count, that a hostile one does no harm."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from migrate.discover import command_words
from migrate.discover.compile_db import find_compile_database, read_compile_database
from migrate.errors import AssessError, ExitCode
from migrate.model.unit import CompileArguments, CompileDatabase
from tests.discover.trees import grow

posix = pytest.mark.skipif(sys.platform == "win32", reason="a matter of POSIX systems")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    grow(
        tmp_path / "app",
        {"src/k.cu": "", "src/main.cpp": "", "src/old.c": "", "src/amd.hip": "", "inc/x.h": ""},
    )
    grow(tmp_path, {"other/k.cu": ""})
    return Path(os.path.realpath(tmp_path / "app"))


def entry(file: str, command: str | Sequence[str], directory: str) -> dict[str, object]:
    key = "command" if isinstance(command, str) else "arguments"
    return {"directory": directory, "file": file, key: command}


def read(root: Path, content: object, *, named: bool = False) -> CompileDatabase:
    text = content if isinstance(content, str | bytes) else json.dumps(content)
    grow(root, {"build/compile_commands.json": text})
    return read_compile_database(root / "build/compile_commands.json", str(root), named=named)


def read_entries(root: Path, *entries: tuple[str, str | Sequence[str]]) -> CompileDatabase:
    return read(root, [entry(file, command, f"{root}/build") for file, command in entries])


def paths(database: CompileDatabase) -> list[str]:
    return [command.path for command in database.commands]


class TestFinding:
    def test_the_root_is_looked_at_first_then_build_folders_in_order(self, tmp_path: Path) -> None:
        order = [".", "build", "build-debug", "builddir", "out", "out2", "cmake-build-debug"]
        grow(tmp_path, {f"{folder}/compile_commands.json": "[]" for folder in order})
        grow(
            tmp_path, {"another/compile_commands.json": "", "build/deep/compile_commands.json": ""}
        )
        found = []
        while (path := find_compile_database(str(tmp_path))) is not None:
            found.append(path.parent.relative_to(tmp_path).as_posix())
            path.unlink()
        assert found == order

    @posix
    def test_no_link_is_followed(self, tmp_path: Path) -> None:
        grow(tmp_path, {"else/compile_commands.json": "[]", "app/k.cu": ""})
        (tmp_path / "app/build").symlink_to(tmp_path / "else")
        (tmp_path / "app/compile_commands.json").symlink_to(tmp_path / "else/compile_commands.json")
        assert find_compile_database(str(tmp_path / "app")) is None

    def test_a_folder_of_that_name_is_none_and_a_root_that_is_gone_has_none(
        self, tmp_path: Path
    ) -> None:
        (tmp_path / "compile_commands.json").mkdir()
        assert find_compile_database(str(tmp_path)) is None
        assert find_compile_database(str(tmp_path / "gone")) is None


class TestEntries:
    def test_both_forms_and_both_kinds_of_path_are_read(self, root: Path) -> None:
        database = read_entries(
            root,
            ("../src/main.cpp", 'g++ "-DNAME=\\"a b\\"" -I../inc -c ../src/main.cpp'),
            (f"{root}/src/k.cu", ["nvcc", "-DNAME=a b", "-I../inc", "-c", "../src/k.cu"]),
        )
        assert database == CompileDatabase(
            path="build/compile_commands.json", commands=database.commands, left_out={}
        )
        kernel, main = database.commands
        assert (kernel.path, main.path) == ("src/k.cu", "src/main.cpp")
        assert kernel.arguments == CompileArguments(
            include=(f"{root.as_posix()}/inc",), macros=("-DNAME=a b",), language="cuda"
        )
        assert main.arguments == CompileArguments(
            include=(f"{root.as_posix()}/inc",), macros=('-DNAME="a b"',), language="c++"
        )

    def test_the_first_usable_command_of_a_file_wins(self, root: Path) -> None:
        database = read_entries(
            root,
            ("../src/k.cu", "hipcc -DHIP ../src/k.cu"),
            ("../src/k.cu", "nvcc '-DUNCLOSED"),
            ("../src/k.cu", "nvcc -DFIRST ../src/k.cu"),
            ("../src/../src/k.cu", "nvcc -DSECOND ../src/k.cu"),
        )
        assert [command.arguments.macros for command in database.commands] == [("-DFIRST",)]
        assert database.left_out == {
            "a quotation is not closed": 1,
            "another command of a file": 1,
            "compiled as HIP": 1,
        }

    def test_a_step_that_nvcc_starts_itself_is_not_the_command(self, root: Path) -> None:
        step = "gcc -D__NVCC__ -D__CUDACC__ -D__CUDACC_VER_BUILD__=93 -E -x c++ ../src/k.cu"
        database = read_entries(
            root, ("../src/k.cu", step), ("../src/k.cu", "nvcc -arch=sm_86 -c ../src/k.cu")
        )
        (command,) = database.commands
        assert (command.arguments.language, command.arguments.macros) == ("cuda", ())
        assert database.left_out == {"a step that nvcc starts itself": 1}

    def test_what_is_not_the_trees_or_no_source_of_ours_is_left_out_by_reason(
        self, root: Path
    ) -> None:
        grow(root, {"src/f.f90": "", "src/s.S": ""})
        database = read_entries(
            root,
            ("../src/k.cu", "nvcc ../src/k.cu"),
            ("../../other/k.cu", "nvcc ../../other/k.cu"),
            ("/usr/src/k.cu", "nvcc /usr/src/k.cu"),
            ("../src/gone.cu", "nvcc ../src/gone.cu"),
            ("../src", "nvcc ../src"),
            ("../src/amd.hip", "clang++ -c ../src/amd.hip"),
            ("../src/main.cpp", "clang++ -x hip ../src/main.cpp"),
            ("../src/main.cpp", "clang++ --offload-arch=gfx90a ../src/main.cpp"),
            ("../src/f.f90", "gfortran ../src/f.f90"),
            ("../src/s.S", "gcc ../src/s.S"),
        )
        assert paths(database) == ["src/k.cu"]
        assert database.left_out == {
            "compiled as HIP": 3,
            "neither C, C++ nor CUDA": 2,
            "outside the scanned folder": 2,
            "the file is not there": 2,
        }

    @posix
    def test_real_paths_decide_what_is_inside(self, root: Path) -> None:
        (root.parent / "home").symlink_to(root)
        (root / "out").symlink_to(root.parent / "other")
        (root / "src/link.cu").symlink_to(root / "src/k.cu")
        home = root.parent / "home"
        database = read_entries(
            root,
            (f"{home}/src/k.cu", f"nvcc -I{home}/inc {home}/src/k.cu"),
            (f"{root}/out/k.cu", "nvcc k.cu"),
            (f"{root}/src/link.cu", "nvcc k.cu"),
        )
        assert paths(database) == ["src/k.cu"]
        assert database.commands[0].arguments.include == (f"{root}/inc",)
        assert database.left_out == {
            "outside the scanned folder": 1,
            "the file is not there": 1,
        }

    def test_wrong_types_are_counted_and_the_rest_is_read(self, root: Path) -> None:
        good = entry("../src/k.cu", "nvcc ../src/k.cu", f"{root}/build")
        bad: list[object] = [
            None, 1, "x", [], {}, {"file": "../src/k.cu"}, {**good, "file": 1},
            {**good, "directory": None}, {**good, "command": ["nvcc"]} | {"arguments": "nvcc"},
            {**good, "command": {"a": 1}}, {**good, "arguments": ["nvcc", 1]},
            {**good, "command": ""},
        ]  # fmt: skip
        database = read(root, [*bad[:8], *bad[9:], good])
        assert paths(database) == ["src/k.cu"]
        assert database.left_out == {"no file or no command in it": 11}

    def test_a_folder_that_is_relative_or_not_told_is_the_databases(self, root: Path) -> None:
        one, two = (
            entry("../src/k.cu", "nvcc -I../inc x", "."),
            {
                "file": "../src/main.cpp",
                "command": "g++ -I../inc x",
            },
        )
        database = read(root, [one, two])
        assert paths(database) == ["src/k.cu", "src/main.cpp"]
        assert {command.arguments.include for command in database.commands} == {
            (f"{root.as_posix()}/inc",)
        }

    def test_odd_characters_do_no_harm(self, root: Path) -> None:
        odd = ["\ud800", "\0", "\n", "x" * 5000, "/" * 5000, "a/" * 3000, "é", ""]
        entries = [entry(text, f"nvcc {text}", text) for text in odd]
        entries += [entry(f"../src/{text}.cu", "nvcc", f"{root}/build") for text in odd]
        good = entry("../src/k.cu", ["nvcc", *odd, "-DA"], f"{root}/build")
        assert paths(read(root, [*entries, good])) == ["src/k.cu"]

    def test_the_order_of_entries_does_not_show(self, root: Path) -> None:
        entries = [("../src/k.cu", "nvcc x"), ("../src/main.cpp", "g++ x"), ("a", "cc '")]
        assert read_entries(root, *entries) == read_entries(root, *reversed(entries))


class TestMovedBuild:
    def commands(self, old: str) -> list[dict[str, object]]:
        return [
            entry(f"{old}/src/k.cu", f"nvcc -I{old}/inc -I/gone/inc k.cu", f"{old}/build"),
            entry("../src/main.cpp", "g++ -I../inc -iquote . main.cpp", f"{old}/build"),
            entry("/usr/share/third/party.cpp", "g++ party.cpp", f"{old}/build"),
        ]

    @pytest.mark.parametrize("old", ["/workspace/app", "/workspace", "", "/a/src/src/src"])
    def test_paths_of_another_machine_are_those_of_the_tree(self, root: Path, old: str) -> None:
        database = read(root, self.commands(old))
        assert paths(database) == ["src/k.cu", "src/main.cpp"]
        for command in database.commands:
            assert command.arguments.include == (f"{root.as_posix()}/inc",)
        assert database.commands[1].arguments.quote == (f"{root.as_posix()}/build",)
        assert database.left_out == {"outside the scanned folder": 1}

    def test_paths_of_windows_are_understood_elsewhere(self, root: Path) -> None:
        command = r'"C:\CUDA\bin\nvcc.exe" -I"C:\work\app\inc" -DA=\"b\" -c ..\src\k.cu'
        database = read(root, [entry(r"C:\work\app\src\k.cu", command, r"C:\work\app\build")])
        (found,) = database.commands
        assert found.path == "src/k.cu"
        assert found.arguments.include == (f"{root.as_posix()}/inc",)
        assert found.arguments.macros == ('-DA="b"',)

    def test_a_project_that_lies_deeper_is_found_by_its_build_folder(self, root: Path) -> None:
        grow(root, {"part/src/p.cu": ""})
        content = [entry("/old/src/p.cu", "nvcc -I../src p.cu", "/old/build")]
        grow(root, {"part/build/compile_commands.json": json.dumps(content)})
        database = read_compile_database(root / "part/build/compile_commands.json", str(root))
        assert paths(database) == ["part/src/p.cu"]
        assert database.commands[0].arguments.include == (f"{root.as_posix()}/part/src",)

    def test_nothing_is_moved_where_one_file_is_in_the_tree(self, root: Path) -> None:
        database = read(
            root,
            [
                entry("../src/k.cu", "nvcc k.cu", f"{root}/build"),
                entry("/elsewhere/src/main.cpp", "g++ main.cpp", f"{root}/build"),
            ],
        )
        assert paths(database) == ["src/k.cu"]
        assert database.left_out == {"outside the scanned folder": 1}

    def test_a_chance_likeness_of_few_files_moves_nothing(self, root: Path) -> None:
        names = ("main.cpp", "a.cpp", "b.cpp", "c.cpp")
        entries = [entry(f"/elsewhere/src/{name}", "g++ x", "/elsewhere") for name in names]
        assert read(root, entries).left_out == {"outside the scanned folder": 4}


class TestUnreadable:
    @pytest.mark.parametrize(
        ("content", "reason"),
        [
            ("", "no valid JSON"),
            ("[{]", "no valid JSON"),
            ("[" * 200_000, "nested too deeply"),
            ("[" * 200_000 + "]" * 200_000, "nested too deeply"),
            ("[" + "1" * 5000 + "]", "no valid JSON"),
            ("{}", "not a list of commands"),
            ('"text"', "not a list of commands"),
            ("[" + "[]," * (1 << 20) + "[]]", "too many lists and objects in it"),
            (b"\xff\xfe\x00", "no valid JSON"),
        ],
        ids=range(9),
    )
    def test_a_found_file_says_why_and_a_named_one_is_the_users_mistake(
        self, root: Path, content: str | bytes, reason: str
    ) -> None:
        assert read(root, content) == CompileDatabase(
            path="build/compile_commands.json", left_out={reason: 1}
        )
        with pytest.raises(AssessError, match=reason) as caught:
            read(root, content, named=True)
        assert (caught.value.slug, caught.value.code) == ("compile-commands", ExitCode.USAGE)

    def test_a_file_over_64_mb_is_not_read(self, root: Path) -> None:
        file = root / "compile_commands.json"
        with file.open("wb") as stream:
            stream.truncate((64 << 20) + 1)
        assert read_compile_database(file, str(root)).left_out == {"larger than 64 MB": 1}
        with pytest.raises(AssessError, match="larger than 64 MB"):
            read_compile_database(file, str(root), named=True)

    def test_a_file_that_is_gone_or_a_folder_cannot_be_read(self, root: Path) -> None:
        gone, folder = root / "gone.json", root / "src"
        assert read_compile_database(gone, str(root)).left_out == {"it cannot be read": 1}
        assert read_compile_database(folder, str(root)).left_out == {"not a regular file": 1}
        with pytest.raises(AssessError, match=r"gone\.json: it cannot be read"):
            read_compile_database(gone, str(root), named=True)

    @posix
    def test_a_link_is_followed_only_where_the_user_named_it(self, root: Path) -> None:
        grow(
            root, {"build/compile_commands.json": json.dumps([entry("../src/k.cu", "nvcc x", "")])}
        )
        link = root / "compile_commands.json"
        link.symlink_to("build/compile_commands.json")
        assert read_compile_database(link, str(root)).left_out == {"not a regular file": 1}
        named = read_compile_database(link, str(root), named=True)
        assert named.path == "compile_commands.json"

    def test_the_path_is_told_relative_to_the_root_wherever_the_file_is(self, root: Path) -> None:
        grow(root.parent, {"else/db.json": "[]"})
        database = read_compile_database(root.parent / "else/db.json", str(root), named=True)
        assert database == CompileDatabase(path="../else/db.json")


class TestHostileDatabase:
    """What a stranger's database asks for is neither done nor read nor passed on."""

    FLAGS = (
        "-fplugin=./evil.so",
        "-fpass-plugin=./evil.so",
        "-load",
        "./evil.so",
        "-Xclang",
        "-load",
        "-Xclang",
        "./evil.so",
        "-Xcompiler=-fplugin=./evil.so",
        "-mllvm",
        "-load=./evil.so",
        "@../../outside.rsp",
        "--options-file",
        "../../outside.rsp",
        "-include",
        "../../outside.h",
        "-include",
        "/etc/passwd",
        "-imacros",
        "../../outside.h",
        "-I/proc/self",
        "-I/",
        "-o",
        "../src/k.cu",
        "-MF",
        "../src/k.cu",
        "-DA=1\n#include </etc/passwd>",
        "-ccbin=./evil",
        "--config=../../outside.rsp",
    )

    @pytest.fixture
    def hostile(self, root: Path) -> Path:
        grow(root.parent, {"outside.rsp": "-DOUTSIDE", "outside.h": "outside"})
        return grow(root, {"build/evil.so": "no library"})

    def test_only_what_is_allowed_is_left(self, hostile: Path) -> None:
        words = ["nvcc", *self.FLAGS, "-DGOOD", "-I../inc", "../src/k.cu"]
        (command,) = read_entries(hostile, ("../src/k.cu", words)).commands
        assert command.arguments == CompileArguments(
            include=(f"{hostile.as_posix()}/inc",),
            macros=("-DGOOD",),
            language="cuda",
            refused=(
                "--config", "--options-file", "-D", "-I", "-MF", "-Xclang", "-ccbin",
                "-fpass-plugin", "-fplugin", "-imacros", "-include", "-load", "-mllvm", "-o", "@",
            ),
        )  # fmt: skip

    def test_nothing_is_started_or_written(
        self, hostile: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def forbidden(*_: object, **__: object) -> None:
            raise AssertionError("a program was started")

        for name in ("system", "posix_spawn", "fork", "execv"):
            monkeypatch.setattr(os, name, forbidden, raising=False)
        words = ["./evil", *self.FLAGS, "../src/k.cu"]
        read_entries(hostile, ("../src/k.cu", words))
        before = sorted((path, path.stat().st_mtime_ns) for path in hostile.rglob("*"))
        assert paths(
            read_compile_database(hostile / "build/compile_commands.json", str(hostile))
        ) == ["src/k.cu"]
        assert sorted((path, path.stat().st_mtime_ns) for path in hostile.rglob("*")) == before

    @pytest.mark.slow
    def test_ten_thousand_entries_are_read(self, hostile: Path) -> None:
        names = [f"src/{number:05}.cu" for number in range(10_000)]
        grow(hostile, dict.fromkeys(names, ""))
        flags = " ".join(f"'{flag}'" for flag in self.FLAGS)
        database = read_entries(
            hostile, *((f"../{name}", f"nvcc {flags} -I../inc ../{name}") for name in names)
        )
        assert paths(database) == names
        assert len({command.arguments for command in database.commands}) == 1

    def test_ten_thousand_entries_with_long_paths_outside_are_left_out(self, hostile: Path) -> None:
        far = "/x" * 1000
        database = read_entries(
            hostile, *((f"{far}{number}/k.cu", "nvcc") for number in range(10_000))
        )
        assert database.left_out == {"outside the scanned folder": 10_000}

    def test_a_megabyte_of_arguments_is_left_out(self, hostile: Path) -> None:
        many = "-DA " * (1 << 18)
        database = read_entries(
            hostile,
            ("../src/k.cu", f"nvcc {many}"),
            ("../src/main.cpp", ["g++", *many.split()]),
            ("../src/old.c", ["gcc", "-DLONG=" + "x" * (1 << 20)]),
        )
        assert paths(database) == ["src/old.c"]
        assert database.left_out == {"too many arguments": 2}

    def test_response_files_of_many_commands_are_read_within_a_limit(
        self, hostile: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(command_words, "_MOST_IN_ALL", 20_000)
        grow(hostile, {"build/a.rsp": "-fplugin=x " * 1000})
        grow(hostile, dict.fromkeys((f"src/{number}.cu" for number in range(40)), ""))
        database = read_entries(
            hostile, *((f"../src/{number}.cu", "nvcc @a.rsp") for number in range(40))
        )
        assert len(database.commands) == 19
        assert database.left_out == {"too many arguments": 21}

    def test_entries_beyond_a_hundred_thousand_are_counted(self, hostile: Path) -> None:
        database = read(hostile, "[" + "1," * 100_002 + "1]")
        assert database.left_out == {
            "beyond the first 100,000 entries": 3,
            "no file or no command in it": 100_000,
        }


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec=None), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(("file", "directory", "command", "arguments", "output"))


@pytest.mark.property
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.dictionaries(KEYS, JSON) | JSON, max_size=6))
def test_every_entry_becomes_a_command_or_is_counted(root: Path, entries: list[object]) -> None:
    good = entry("../src/k.cu", "nvcc k.cu", f"{root}/build")
    database = read(root, [*entries, good])
    assert paths(database) == ["src/k.cu"]
    assert sum(database.left_out.values()) == len(entries)
