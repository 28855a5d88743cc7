"""A tree whose build files would leave a trace if anything ran them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.end_to_end.command import make_tree, result_of

pytestmark = pytest.mark.end_to_end


def _tree(tmp_path: Path, marker: Path) -> Path:
    python = f"open({str(marker)!r}, 'w').close()\n"
    return make_tree(
        tmp_path / "tree",
        {
            "CMakeLists.txt": f'project(x CUDA)\nfile(WRITE "{marker}" x)\n'
            f"execute_process(COMMAND touch {marker})\n",
            "setup.py": f"{python}from torch.utils.cpp_extension import CUDAExtension\n"
            "CUDAExtension('x', ['x.cu'], extra_compile_args={'nvcc': ['--use_fast_math']})\n",
            "conftest.py": python,
            "SConstruct": python,
            "Makefile": f"NVCC := $(shell touch {marker})\nall:\n\ttouch {marker}\n",
            "configure.ac": f"AC_INIT([x], [1])\nm4_syscmd([touch {marker}])\nAX_CHECK_CUDA\n",
            "build.rs": f'fn main() {{ std::fs::File::create("{marker}"); }}\n',
            "meson.build": f"project('x', 'cuda')\nrun_command('touch', '{marker}')\n",
            "build.sh": f"touch {marker}\nnvcc -c x.cu -o x.o\n",
            "x.cu": "__global__ void x() {}\n",
        },
    )


def test_a_scan_runs_nothing_that_the_tree_holds(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    result = result_of(_tree(tmp_path, marker))
    assert not marker.exists()
    found = {(site["path"]) for one in result["findings"] for site in one["sites"]}
    assert {"CMakeLists.txt", "setup.py", "configure.ac", "meson.build", "build.sh"} <= found
