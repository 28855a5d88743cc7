"""Trees made to do harm through the compiler: they cost a unit, and nothing of the machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from migrate.parse import workers
from migrate.parse.clang import stage
from migrate.parse.clang.workers.limits import Limits
from tests.end_to_end.command import Call, Tree, environment, make_tree
from tests.end_to_end.compiler import TOOLKIT, Place, answers, places

POSIX = pytest.mark.skipif(os.name != "posix", reason="pipes, links and signals are POSIX's")
USES = "void use(int* p) { cudaFree(p); auto keep = &cudaMemset; (void)keep; }\n"
HEAD = "#include <cuda_runtime.h>\n"


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """What hangs is ended soon; nothing else comes near."""
    monkeypatch.setattr(stage, "LIMITS", Limits(seconds=30))


def scan(root: Path, files: Tree) -> dict[str, Any]:
    """Scan a tree with these files and a good one beside them, which is understood in any case."""
    make_tree(root, {**files, "good.cu": HEAD + USES})
    result = answers(root, jobs=2)
    good = [one.seen_by for one in places(result) if one.path == "good.cu"]
    assert good == ["clang", "clang"]
    return result


def failed(result: dict[str, Any]) -> dict[str, str]:
    return {one["path"]: one["reason"] for one in result["run"]["semantic"]["failed"]}


# Code that the compiler or our own reading could choke on


def nested(before: str, inner: str, after: str, depth: int) -> str:
    return before * depth + inner + after * depth


DEEP = {
    "else_ifs": "void f(int a) {\n" + "if (a) cudaFree(0); else\n" * 1000 + ";}\n",
    "ifs": "void f(int a) { " + nested("if (a) {", "cudaFree(0);", "}", 250) + " }\n",
    "sum": "int f(int a) { return " + "a + " * 20_000 + "a; }\n",
    "choices": "int f(int a) { return " + "a ? 1 : " * 4000 + "a; }\n",
    "calls": "struct S { S& m(); }; void f(S s) { s" + ".m()" * 2000 + "; }\n",
    "lambdas": "void f() { " + nested("auto l = []{ ", "cudaFree(0);", "};", 150) + " }\n",
    "pointers": "int " + "*" * 20_000 + "p;\n",
    "literals": "const char* s = " + '"cudaFree"\n' * 10_000 + ";\n",
}
"""Deep, and within clang's limits."""

BROKEN = {
    "brackets": "int x = " + nested("(", "1", ")", 100_000) + ";\n",
    "braces": "void f() " + nested("{", "", "}", 100_000) + "\n",
    "squares": "int x = a" + nested("[", "", "]", 100_000) + ";\n",
    "ifs": "void f(int a) {\n" + nested("if (a) {\n", "cudaFree(0);", "}\n", 5000) + "}\n",
    "namespaces": nested("namespace a {", " int x; ", "}", 5000) + "\n",
    "itself": '#include "itself.cu"\n',
    "templates": "template <int N> struct R { static const int v = R<N + 1>::v; };\n"
    "int x = R<0>::v;\n",
    "types": "template <class T> struct P { using type = typename P<P<T>>::type; };\n"
    "P<int>::type x;\n",
    "memory": "constexpr int f() { int x[1 << 28] = {}; return x[5]; }\nconstexpr int v = f();\n",
}
"""What clang gives up on, with an error."""


def test_deeply_nested_code_within_the_compiler_s_limits_is_understood(tmp_path: Path) -> None:
    result = scan(tmp_path, {f"{name}.cu": HEAD + code + USES for name, code in DEEP.items()})
    said = result["run"]["semantic"]
    assert (said["failed"], said["with_errors"], said["parsed"]) == ([], 0, len(DEEP) + 1)
    assert {one.seen_by for one in places(result)} == {"clang"}


def test_code_that_the_compiler_gives_up_on_keeps_its_uses(tmp_path: Path) -> None:
    result = scan(tmp_path, {f"{name}.cu": HEAD + USES + code for name, code in BROKEN.items()})
    said = result["run"]["semantic"]
    assert (said["failed"], said["with_errors"]) == ([], len(BROKEN))
    assert result["run"]["complete"]
    found = set(places(result))
    for name in BROKEN:
        assert Place(f"{name}.cu", 2, "cudaFree", "active", "clang") in found, name


@POSIX
def test_code_that_crashes_the_compiler_costs_its_unit_alone(tmp_path: Path) -> None:
    """Without end of time or memory, so that another machine would come to the same."""
    crashes = {
        "minus.cu": "int x = " + "- " * 300_000 + "1;\n",
        "abort.cu": "#pragma clang __debug llvm_fatal_error\n",
    }
    result = scan(tmp_path, {path: HEAD + code + USES for path, code in crashes.items()})
    reasons = failed(result)
    assert reasons.keys() == crashes.keys()
    assert all(reason.startswith("libclang crashed on it (") for reason in reasons.values())
    assert result["run"]["complete"]
    assert {one.seen_by for one in places(result) if one.path != "good.cu"} == {"tree-sitter"}


@POSIX
def test_code_that_hangs_the_compiler_is_ended_and_makes_the_run_incomplete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stage, "LIMITS", Limits(seconds=12))
    os.mkfifo(tmp_path / "pipe")
    result = scan(tmp_path, {"pipe.cu": HEAD + '#include "pipe"\n' + USES})
    assert failed(result) == {"pipe.cu": "it took longer than 12 s"}
    assert not result["run"]["complete"]
    assert "limit of time or memory" in result["run"]["incomplete_reason"]


# Files that are none of the tree's


@POSIX
@pytest.mark.parametrize("how", ["a link", "a path", "a long way round"])
def test_nothing_of_a_file_outside_of_the_tree_gets_into_a_result(how: str, tmp_path: Path) -> None:
    outside = tmp_path / "elsewhere" / "secret.h"
    make_tree(tmp_path, {"elsewhere/secret.h": "#define USE cudaFree(0)\nint secret_word;\n"})
    root = tmp_path / "app"
    root.mkdir()
    (root / "link.h").symlink_to("../elsewhere/secret.h")
    names = {"a link": "link.h", "a path": str(outside), "a long way round": "../app/link.h"}
    code = f'{HEAD}#include "{names[how]}"\nvoid f() {{ USE; cudaMemset; }}\n'
    result = scan(root, {"bad.cu": code})
    (reason,) = failed(result).values()
    assert "which lies outside of the tree and of every include folder" in reason
    assert "secret_word" not in json.dumps(result)
    assert [one for one in places(result) if one.path != "good.cu"] == [
        Place("bad.cu", 3, "cudaMemset", "active", "tree-sitter")
    ]


@pytest.mark.end_to_end
@pytest.mark.parametrize(
    "words",
    [
        ("scan", ".", "-j", "2", "--semantic", "off"),
        ("scan", ".", "-j", "2", "--semantic", "auto", "--no-cache", "--cuda-path", str(TOOLKIT)),
        ("doctor", ".", "--cuda-path", str(TOOLKIT)),
    ],
    ids=["off", "auto", "doctor"],
)
def test_modules_of_a_tree_in_which_the_command_is_started_are_not_run(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    spell = f"open({str(tmp_path / 'ran')!r}, 'w').close()\n"
    modules = ("multiprocessing", "clang", "signal", "json", "tree_sitter", "nvidia/__init__")
    filler = "//" + "-" * 97 + "\n"
    code = HEAD + USES + filler * (workers._BATCH_BYTES // len(filler) + 1)
    tree = {f"{name}.py": spell for name in modules} | {f"{n}.cu": code for n in range(2)}
    root = make_tree(tmp_path / "app", tree)
    # As the installed command: a script that lies elsewhere.
    script = tmp_path / "hipassess.py"
    script.write_text("from migrate.cli import main\nif __name__ == '__main__':\n    main()\n")
    done = subprocess.run(
        [sys.executable, script, *words],
        cwd=root,
        env=environment({"PYTHONSAFEPATH": ""}),
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert not (tmp_path / "ran").exists()


# Compile commands


def state(folder: Path) -> dict[str, bytes | None]:
    """Every path below a folder, with the content of its plain files."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


FLAGS = {
    "-fplugin=./evil.so": "-fplugin",
    "-load ./evil.so": "-load",
    "-Xclang -load -Xclang ./evil.so": "-Xclang",
    "-fpass-plugin=./evil.so": "-fpass-plugin",
    "-include ../outside/pipe.h": "-include",
    "-imacros ../outside/pipe.h": "-imacros",
    "-ivfsoverlay ../outside/pipe.h": "-ivfsoverlay",
    "--config=../outside/pipe.h": "--config",
    "-B../outside": "-B",
    "-mllvm -print-after-all": "-mllvm",
    "-wrapper ./evil.so": "-wrapper",
    "@../outside/pipe.rsp": "@",
}
"""Flags, and how a result names those that were refused."""
WRITING = "-o out.o -MD -MF out.d -save-temps -ftime-trace --serialize-diagnostics out.dia -g"


@pytest.fixture
def commanded(tmp_path: Path) -> Path:
    """A tree with a compile command of its own for each flag, pipes where nothing may look."""
    (tmp_path / "outside").mkdir()
    root = make_tree(
        tmp_path / "app",
        {f"u{n}.cu": HEAD + USES for n in range(len(FLAGS))} | {"w.cu": HEAD + USES},
    )
    for pipe in ("outside/pipe.h", "outside/pipe.rsp", "app/evil.so"):
        os.mkfifo(tmp_path / pipe)
    entries = [
        {"directory": str(root), "file": f"u{n}.cu", "command": f"nvcc {flag} -c u{n}.cu"}
        for n, flag in enumerate(FLAGS)
    ]
    entries.append(
        {"directory": str(root), "file": "w.cu", "command": f"clang++ {WRITING} -c w.cu"}
    )
    (root / "compile_commands.json").write_text(json.dumps(entries), "utf-8")
    return root


@POSIX
def test_flags_that_load_read_or_write_do_nothing_and_are_named(commanded: Path) -> None:
    before = state(commanded.parent)
    result = answers(commanded, jobs=2)
    said = result["run"]["semantic"]
    assert (said["failed"], said["with_errors"]) == ([], 0)
    assert said["known_arguments"] == said["parsed"] == len(FLAGS) + 1
    assert set(FLAGS.values()) | {"-o", "-MD", "-MF"} <= set(said["refused_flags"])
    assert {one.seen_by for one in places(result)} == {"clang"}
    assert state(commanded.parent) == before


def test_summary_names_refused_flags_but_not_those_of_every_command(
    commanded: Path, call: Call
) -> None:
    done = call("scan", commanded, "--semantic", "auto", "--cuda-path", TOOLKIT, "--no-cache")
    (line,) = [one for one in done.out.splitlines() if "were refused" in one]
    assert "-fplugin" in line
    assert "-o" not in line.replace(",", " ").split()


@POSIX
def test_toolkit_of_a_tree_s_own_with_a_pipe_in_it_is_not_waited_for(
    tmp_path: Path, call: Call
) -> None:
    compiler = tmp_path / "cuda/bin/nvcc"
    entry = {"directory": str(tmp_path), "file": "a.cu", "command": f"{compiler} -c a.cu"}
    files = {
        "a.cu": USES,
        "cuda/bin/nvcc": "",
        "cuda/include/cuda_runtime.h": "",
        "compile_commands.json": json.dumps([entry]),
    }
    make_tree(tmp_path, files)
    compiler.chmod(0o755)
    os.mkfifo(tmp_path / "cuda/include/cuda.h")
    done = call("scan", tmp_path, "--semantic", "auto", "--no-cache")
    assert done.code == 0
    assert "the CUDA headers found lack" in done.out


def test_ten_thousand_compile_commands_are_read_and_those_of_the_tree_used(tmp_path: Path) -> None:
    entries = [
        {
            "directory": str(tmp_path),
            "file": f"gone/{number % 5000}/x{number}.cu",
            "arguments": ["nvcc", f"-I{number}", "-fplugin=./evil.so", "-c", f"x{number}.cu"],
        }
        for number in range(10_000)
    ]
    entries[5000] |= {"file": "one.cu", "arguments": ["nvcc", "-DONE", "-c", "one.cu"]}
    files = {
        "compile_commands.json": json.dumps(entries),
        "one.cu": f"{HEAD}#ifdef ONE\n{USES}#endif\n",
    }
    result = scan(tmp_path, files)
    said = result["run"]["semantic"]
    assert (said["units"], said["known_arguments"]) == (2, 1)
    assert said["left_out_commands"] == {"the file is not there": 9999}
    assert Place("one.cu", 3, "cudaFree", "active", "clang") in set(places(result))
