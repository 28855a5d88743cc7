"""Python files: CUDA in their strings at its places, names in full, what ROCm has a way for."""

from __future__ import annotations

import json
import time

import pytest

from migrate.model.facts import FileFacts
from migrate.model.signals import Kind
from migrate.model.source import Language
from migrate.parse.ecosystem.reader import read_ecosystem
from migrate.parse.macros import ProjectMacros
from migrate.parse.python.embedded import cuda_of_strings, read_embedded
from migrate.parse.vocabulary import load_vocabulary


def signals(text: str, *kinds: Kind, path: str = "a.py") -> list[tuple[str, int]]:
    said = read_ecosystem(path, Language.PYTHON, text).signals
    return [(one.value, one.line) for one in said if one.kind in kinds]


def code(text: str, language: Language = Language.PYTHON) -> FileFacts:
    return read_embedded(text, "a.py", language, load_vocabulary(), ProjectMacros())


def uses(facts: FileFacts) -> list[tuple[str, int, int]]:
    table = facts.uses
    return [
        (table.symbols[table.symbol[row]], table.line[row], table.column[row])
        for row in range(len(table))
    ]


IMPORT = "from torch.utils import cpp_extension"
KERNEL = "__global__ void k(float* a) { __syncthreads(); }"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (f"import cupy\nK = cupy.RawKernel('{KERNEL}', 'k')\n", (2, 51)),
        (f'S = r"""\n{KERNEL}\n"""\n', (2, 31)),
        (f'"é"; S = """\n{KERNEL}"""\n', (2, 31)),
        (f'x = ["é", """{KERNEL}"""]\n', (1, 44)),
        ('S = f"__global__ void k() {{ __syncthreads(); }}"\n', (1, 30)),
        ('S = "__global__ void k() {{ __syncthreads(); }}".format()\n', (1, 29)),
        ('print "old"\nS = "__global__ void k() { __syncthreads(); }"\n', (2, 28)),
        ('S = ("__global__ void k() { // a\\n"\n     "__syncthreads(); }")\n', (2, 7)),
        ('S = "__global__ void k() { // a\\n__syncthreads(); }"\n', (1, 34)),
    ],
)
def test_cuda_in_a_string_stands_where_the_python_file_has_it(
    text: str, place: tuple[int, int]
) -> None:
    assert ("__syncthreads", *place) in uses(code(text))


@pytest.mark.parametrize(
    "text",
    [
        f'"""Doc: {KERNEL}"""\n',
        f'def f():\n    """{KERNEL}"""\n',
        f"# {KERNEL}\n",
        'assert "__global__ void" in text\n',
        f'if torch.version.hip:\n    S = "{KERNEL}"\n',
        'print("call cudaMalloc first { }")\n',
    ],
)
def test_docstrings_comments_messages_and_code_for_rocm_are_no_cuda(text: str) -> None:
    assert not uses(code(text))
    assert not code(text).functions


def test_only_the_lines_of_the_cuda_part_count() -> None:
    facts = code(f'import cupy\n\n\nS = r"""\n{KERNEL}\n\n"""\nx = 1\n')
    assert (facts.lines, facts.code_lines) == (1, 1)
    assert [(one.name, one.line, one.kernel) for one in facts.functions] == [("k", 5, True)]
    assert facts.language is Language.PYTHON


def test_a_text_keeps_its_length_whatever_python_makes_of_it() -> None:
    text = 'S = f"""__global__ void k() {{ \\"é\\" \\n \\\\n {x!r:>{w}} %(a)s }}"""\r\n'
    bare = cuda_of_strings(text)
    assert len(bare) == len(text)
    assert bare.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (f'import cupy as c\nS = "{KERNEL}"\nc.RawKernel(S, "k")\n', Kind.RUNTIME_SOURCE),
        ("import cupy as c\n\nc.RawKernel(open(p).read(), 'k')\n", Kind.UNREAD_SOURCE),
        ("from cupy import RawModule\n\nRawModule(code=given)\n", Kind.UNREAD_SOURCE),
        (
            f"{IMPORT}\n\ncpp_extension.load_inline('n', '', 'void g() {{ }}')\n",
            Kind.RUNTIME_SOURCE,
        ),
    ],
)
def test_what_compiles_at_run_time_says_whether_its_text_was_read(text: str, kind: Kind) -> None:
    assert [line for _, line in signals(text, kind)] == [3]


@pytest.mark.parametrize(
    "before",
    [
        "if is_hip():\n    pass\nelse:\n    ",
        "if not is_rocm:\n    ",
        "if current_platform.is_cuda():\n    ",
        "x = None if torch.version.hip else ",
        "x = not IS_HIP and ",
        "def f():\n    if torch.version.hip is not None:\n        return 1\n    return ",
        "def f_rocm():\n    return ",
    ],
)
def test_what_has_its_way_on_rocm_is_quiet(before: str) -> None:
    text = f"import torch\n{before}torch.version.cuda.split()\n"
    assert signals(text, Kind.PYTHON_NAME) == []
    other = "\n".join(line for line in text.splitlines() if "cuda.split" in line)
    assert (
        signals(f"import torch\n{other.strip()}\n", Kind.PYTHON_NAME)
        or "def" in before
        or ("x =" in before)
    )


@pytest.mark.parametrize(
    ("text", "library"),
    [
        ('import ctypes\nctypes.CDLL("libcudart.so.12")', "cudart"),
        ('from ctypes import *\nimport ctypes\nctypes.CDLL("libcuda.so")', "cuda"),
        ('import ctypes\nctypes.WinDLL("nvcuda.dll")', "cuda"),
        ('import ctypes\nfor n in ("libnccl.so.2",):\n    ctypes.CDLL(n)', "nccl"),
        ('from cffi import FFI\nffi = FFI()\nffi.dlopen("libcublas.so")', "cublas"),
    ],
)
def test_a_library_that_is_opened_is_named(text: str, library: str) -> None:
    assert [value for value, _ in signals(text, Kind.OPENED)] == [library]


def cell(*lines: str, kind: str = "code") -> dict[str, object]:
    return {"cell_type": kind, "metadata": {}, "source": [f"{line}\n" for line in lines]}


def notebook(*cells: dict[str, object]) -> str:
    return json.dumps({"cells": cells, "nbformat": 4}, indent=1)


def test_cells_for_nvcc_are_cuda_at_their_lines_in_the_file() -> None:
    text = notebook(cell("x = 1"), cell("%%cu", KERNEL, '// "quoted"'))
    line = next(n for n, row in enumerate(text.splitlines(), 1) if "__global__" in row)
    assert [(name, at) for name, at, _ in uses(code(text, Language.NOTEBOOK))] == [
        ("__syncthreads", line)
    ]


def test_strings_in_cells_are_read_and_magics_are_commands() -> None:
    text = notebook(
        cell("import torch", "%matplotlib inline", "!pip install cupy-cuda12x"),
        cell('S = """', KERNEL, '"""', "print(torch.version.cuda.split())"),
        cell("nothing", kind="markdown"),
    )
    said = read_ecosystem("a.ipynb", Language.NOTEBOOK, text)
    kinds = {(one.kind, one.value) for one in said.signals}
    assert {
        (Kind.IMPORT, "torch"),
        (Kind.CUDA_PACKAGE, "cupy-cuda12x"),
        (Kind.CUDA_TEXT, "string"),
        (Kind.PYTHON_NAME, "torch.version.cuda"),
    } <= kinds
    assert len(uses(code(text, Language.NOTEBOOK))) == 1


def test_a_notebook_of_one_line_still_tells_its_imports() -> None:
    cells = [{"cell_type": "code", "source": "import os\nimport cupy"}]
    said = read_ecosystem("a.ipynb", Language.NOTEBOOK, json.dumps({"cells": cells}))
    assert [one.value for one in said.signals if one.kind is Kind.IMPORT] == ["cupy"]


@pytest.mark.parametrize(
    "text",
    [
        "(" * 20_000 + "torch.version.cuda.split()" + ")" * 20_000,
        "x = torch.version.cuda.split()\n" * 20_000,
        "if a:\n" + "".join(" " * n + "if b:\n" for n in range(1, 1500)) + "torch.version.cuda",
        'S = "__global__ { ' * 5000,
        "cupy.RawKernel(S)\n" * 3000 + "S = S\n" * 3000,
        "import torch\n" * 20_000 + "torch.version.cuda.split()",
        'x = f"{' * 3000 + "__global__",
        "a" + ".b" * 50_000 + ".version.cuda",
        "import ctypes\n" + "ctypes.CDLL(name)\n" * 20_000,
        "import ctypes\n" + "".join(f"ctypes.CDLL(a{n})\n" for n in range(20_000)),
    ],
    ids=range(10),
)
def test_no_file_takes_long(text: str) -> None:
    start = time.process_time()
    read_ecosystem("a.py", Language.PYTHON, text)
    cuda_of_strings(text)
    assert time.process_time() - start < 6


def test_nothing_of_a_scanned_file_is_run(tmp_path: object) -> None:
    marker = f"{tmp_path}/ran"
    text = (
        f"open({marker!r}, 'w')\n"
        f"__import__('os').system('touch {marker}')\n"
        "import cupy\ncupy.RawKernel(open('x').read(), 'k')\n"
        f'S = f"""__global__ void k() {{{{ }}}} {{open({marker!r}, "w")}}"""\n'
    )
    read_ecosystem("setup.py", Language.PYTHON, text)
    code(text)
    with pytest.raises(FileNotFoundError):
        open(marker)  # noqa: PTH123, SIM115 - it must not be there


def cells_say(*sources: object) -> list[tuple[str, str]]:
    cells = [{"cell_type": "code", "source": source} for source in sources]
    text = json.dumps({"cells": cells}, indent=1)
    said = read_ecosystem("a.ipynb", Language.NOTEBOOK, text).signals
    return [(str(one.kind), one.value) for one in said]


def test_a_notebook_that_has_pytorch_compile_an_extension_builds_cuda() -> None:
    lines = [
        "from torch.utils.cpp_extension import load_inline as build\n",
        "for name in ['a']:\n",
        "    build(name, cpp_sources='', cuda_sources='')\n",
    ]
    for source in (lines, "".join(lines)):
        assert ("build", "torch-jit") in cells_say(source)
        assert ("build_cuda", "torch-jit") in cells_say(source)
    assert ("build", "torch-jit") not in cells_say([lines[0], "%time 1\n", "1 +\n"])


def test_a_cell_whose_source_is_one_string_is_read_as_lines_are() -> None:
    assert cells_say("%%cu\n__global__ void k() {}\n") == [("cuda_text", "cell")]
    said = cells_say("!nvcc -arch=sm_80 \\\n  a.cu -o a\nimport cupy\n# !nsys profile a\n")
    assert ("option", "-arch=sm_80") in said
    assert ("import", "cupy") in said
    assert ("tool", "nsys") not in said
    assert ("option", "-arch=sm_80") not in cells_say("%%html\nnvcc -arch=sm_80 a.cu -o a\n")


def test_kernels_that_pyproject_asks_for_are_a_requirement() -> None:
    text = '[tool.kernels.dependencies]\n"kernels-community/activation" = ">=0.1.0"\n'
    said = read_ecosystem("pyproject.toml", Language.TOML, text).signals
    assert [(one.value, one.line) for one in said if one.kind is Kind.REQUIREMENT] == [
        ("kernels", 1)
    ]
