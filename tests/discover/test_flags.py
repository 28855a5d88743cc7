"""What of a compile command a parse may use, flag by flag, and what is refused by name."""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from migrate.discover.flags import read_flags
from migrate.model.unit import CompileArguments
from tests.discover.trees import grow

posix = pytest.mark.skipif(sys.platform == "win32", reason="a matter of POSIX systems")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A project with a build folder, and beside it a toolkit and a folder of strangers."""
    grow(
        tmp_path,
        {
            "app/src/k.cu": "",
            "app/inc/own.h": "",
            "app/inc2/x.h": "",
            "app/my inc/x.h": "",
            "app/build/config.h": "",
            "toolkit/bin/nvcc": "",
            "toolkit/include/cuda_runtime.h": "",
            "toolkit/include/cuda_fp16.h": "",
            "strange/evil.h": "",
            "strange/evil.rsp": "-DEVIL -I.",
        },
    )
    return Path(os.path.realpath(tmp_path / "app"))


def read(tree: Path, command: str, *, folder: str = "build") -> CompileArguments:
    """Read a command line given as in a shell; ``%`` stands for the folder around the project."""
    words = shlex.split(command.replace("%", tree.parent.as_posix()))
    return read_flags(words, f"{tree.as_posix()}/{folder}", str(tree))


def inside(tree: Path, folders: tuple[str, ...]) -> list[str]:
    return [Path(folder).relative_to(tree.parent).as_posix() for folder in folders]


@pytest.mark.parametrize(
    ("flags", "include", "quote", "system"),
    [
        ("-I../inc", ["app/inc"], [], []),
        ("-I ../inc", ["app/inc"], [], []),
        ("-I=../inc", ["app/inc"], [], []),
        ("-I.", ["app/build"], [], []),
        ("-I%/app/inc/", ["app/inc"], [], []),
        ("-I '../my inc'", ["app/my inc"], [], []),
        ("--include-path=../inc", ["app/inc"], [], []),
        ("--include-path ../inc", ["app/inc"], [], []),
        ("--include-directory=../inc", ["app/inc"], [], []),
        ("-I../inc2 -I../inc -I../inc2", ["app/inc2", "app/inc"], [], []),
        ("-iquote ../inc", [], ["app/inc"], []),
        ("-iquote../inc", [], ["app/inc"], []),
        ("-isystem ../inc", [], [], ["app/inc"]),
        ("-isystem../inc", [], [], ["app/inc"]),
        ("-isystem=../inc", [], [], ["app/inc"]),
        ("--system-include=../inc", [], [], ["app/inc"]),
        ("-cxx-isystem ../inc", [], [], ["app/inc"]),
        ("-idirafter ../inc -isystem ../inc2", [], [], ["app/inc2", "app/inc"]),
        ("-Xcompiler -I../inc", ["app/inc"], [], []),
        ("-Xcompiler=-isystem,../inc,-DX", [], [], ["app/inc"]),
        ("-Xcompiler -isystem -Xcompiler ../inc", [], [], ["app/inc"]),
        ("--compiler-options '-I../inc -Wall'", ["app/inc"], [], []),
        ("-I%/strange", ["strange"], [], []),
        ("-I../gone -I '' -I../src/k.cu", [], [], []),
    ],
)
def test_include_folders_are_absolute_and_normalised(
    tree: Path, flags: str, include: list[str], quote: list[str], system: list[str]
) -> None:
    found = read(tree, f"nvcc {flags} -c ../src/k.cu")
    assert inside(tree, found.include) == include
    assert inside(tree, found.quote) == quote
    assert inside(tree, found.system) == system
    assert found.refused == ()


@posix
@pytest.mark.parametrize("folder", ["/", "/proc", "/proc/self", "/sys/kernel", "/dev", "/net/x"])
def test_the_systems_own_folders_are_refused(tree: Path, folder: str) -> None:
    up = "../" * 40
    (tree / "link").symlink_to(folder)
    for flag in (f"-I{folder}", f"-I{up}{folder[1:]}", f"-isystem {folder}", "-I../link"):
        found = read(tree, f"nvcc {flag}")
        assert (found.include, found.system) == ((), ())
        assert found.refused == (("-isystem",) if "isystem" in flag else ("-I",))


@posix
def test_a_link_of_the_tree_is_no_way_out_and_within_it_leads_to_the_real_folder(
    tree: Path,
) -> None:
    (tree / "out").symlink_to(tree.parent / "strange")
    (tree / "in").symlink_to(tree / "inc")
    found = read(tree, "g++ -I../out -I../in -I../inc")
    assert inside(tree, found.include) == ["app/inc"]
    assert found.refused == ("-I",)


@posix
def test_a_project_reached_through_a_link_has_its_real_folders(tree: Path) -> None:
    (tree.parent / "home").symlink_to(tree)
    found = read(tree, "g++ -I%/home/inc")
    assert inside(tree, found.include) == ["app/inc"]


@pytest.mark.parametrize(
    ("flags", "macros"),
    [
        ("-DA", ["-DA"]),
        ("-D A=1", ["-DA=1"]),
        ("-D=A=1", ["-DA=1"]),
        ("--define-macro=A=1", ["-DA=1"]),
        ("--define-macro A=1", ["-DA=1"]),
        ("-DA -UA -DA=2", ["-DA", "-UA", "-DA=2"]),
        ("-U A", ["-UA"]),
        ("--undefine-macro=A", ["-UA"]),
        ("-Xcompiler=-DA,-DB=2 -DC", ["-DC", "-DA", "-DB=2"]),
        (r"-Xcompiler=-DA=\\\"x\\\"", ['-DA="x"']),
        (r"-Xcompiler -DA=1\\,2", ["-DA=1,2"]),
        ("'-DNAME=\"a b\"'", ['-DNAME="a b"']),
        ("'-DF(x,y)=x+y'", ["-DF(x,y)=x+y"]),
        ("--extended-lambda", ["-D__CUDACC_EXTENDED_LAMBDA__"]),
        ("--expt-extended-lambda", ["-D__CUDACC_EXTENDED_LAMBDA__"]),
        ("-expt-relaxed-constexpr", ["-D__CUDACC_RELAXED_CONSTEXPR__"]),
        ("-DPATH=/etc/passwd", ["-DPATH=/etc/passwd"]),
    ],
)
def test_macros_keep_their_order(tree: Path, flags: str, macros: list[str]) -> None:
    found = read(tree, f"nvcc {flags} k.cu")
    assert list(found.macros) == macros
    assert found.refused == ()


@pytest.mark.parametrize(
    "text", ["A=1\nB", "A=\0", "A\r", "", "1", "-x", "A=\ud800", "A B=1", "=1"]
)
def test_a_macro_that_is_none_is_refused(tree: Path, text: str) -> None:
    found = read_flags(["nvcc", "-D", text, "-U", text], str(tree), str(tree))
    assert found.macros == ()
    assert found.refused == ("-D", "-U")


@pytest.mark.parametrize(
    ("command", "standard"),
    [
        ("nvcc -std=c++17 k.cu", "c++17"),
        ("nvcc -std c++14 k.cu", "c++14"),
        ("nvcc --std=c++20 k.cu", "c++20"),
        ("nvcc --std c++20 k.cu", "c++20"),
        ("g++ -std=gnu++2a k.cc", "gnu++2a"),
        ("g++ -std=c++98 -std=gnu++17 k.cc", "gnu++17"),
        ("gcc -std=c11 k.c", "c11"),
        ("gcc -std=gnu99 k.c", "gnu99"),
        ("nvcc -Xcompiler=-std=c++14 k.cu", "c++14"),
        ("nvcc -std=c++17 -Xcompiler -std=c++14 k.cu", "c++17"),
        ("cl.exe /std:c++20 /c k.cpp", "c++20"),
        ("cl.exe /std:c++latest /c k.cpp", "c++23"),
        ("nvcc -std=c11 k.cu", ""),
        ("gcc -std=c++17 k.c", ""),
        ("nvcc k.cu", ""),
    ],
)
def test_the_standard_is_the_last_that_fits_the_language(
    tree: Path, command: str, standard: str
) -> None:
    assert read(tree, command).standard == standard


@pytest.mark.parametrize(
    ("command", "language"),
    [
        ("nvcc k.cu", "cuda"),
        ("nvcc k.cpp", "c++"),
        ("nvcc -x cu k.cpp", "cuda"),
        ("nvcc --x=cu k.cpp", "cuda"),
        ("clang++ -x cuda k.cc", "cuda"),
        ("clang++ -xcuda k.cc", "cuda"),
        ("clang++ --language=cuda k.cc", "cuda"),
        ("clang++ k.cu", "cuda"),
        ("clang++ -x c++ k.cu", "c++"),
        ("g++ k.C", "c++"),
        ("gcc k.c", "c"),
        ("g++-12 k.c", "c++"),
        ("/usr/bin/x86_64-linux-gnu-g++ k.c", "c++"),
        ("mpicxx k.c", "c++"),
        ("gcc -x c++ k.c", "c++"),
        ("nvcc_wrapper k.cpp", "cuda"),
        ("icpx -xHost k.cpp", "c++"),
        ("cl /TP k.c", "c++"),
        ("ccache nvcc k.cu", "cuda"),
        ("-DX k.cu", "cuda"),
        ("nvcc -o k.c k.cu", "cuda"),
    ],
)
def test_the_language_is_said_or_the_suffixs(tree: Path, command: str, language: str) -> None:
    assert read(tree, command).language == language


@pytest.mark.parametrize(
    ("flags", "archs"),
    [
        ("-arch=sm_80", ["sm_80"]),
        ("-arch sm_80", ["sm_80"]),
        ("--gpu-architecture=compute_75", ["sm_75"]),
        ("-arch=compute_70 -code=sm_70,sm_75", ["sm_70", "sm_75"]),
        ("--gpu-architecture compute_70 --gpu-code sm_72", ["sm_72"]),
        ("-gencode arch=compute_80,code=sm_86", ["sm_86"]),
        ("-gencode=arch=compute_80,code=sm_80", ["sm_80"]),
        ("'--generate-code=arch=compute_80,code=[compute_80,sm_80]'", ["sm_80"]),
        (r"-gencode arch=compute_80,code=\"sm_80,compute_80\"", ["sm_80"]),
        ("--generate-code arch=compute_90a,code=sm_90a", ["sm_90a"]),
        (
            "-gencode arch=compute_120,code=sm_120 -gencode arch=compute_75,code=sm_75",
            ["sm_75", "sm_120"],
        ),
        ("-gencode arch=compute_60", ["sm_60"]),
        ("--cuda-gpu-arch=sm_80", ["sm_80"]),
        ("--offload-arch=sm_80,sm_90", ["sm_80", "sm_90"]),
        ("-arch=native", []),
        ("-arch arm64", []),
    ],
)
def test_architectures_are_those_that_code_is_made_for(
    tree: Path, flags: str, archs: list[str]
) -> None:
    found = read(tree, f"nvcc {flags} k.cu")
    assert list(found.cuda_archs) == archs
    assert found.refused == ()


PLAIN = [
    "-O2",
    "-O3",
    "-Ofast",
    "-g",
    "-g3",
    "-ggdb",
    "-G",
    "-lineinfo",
    "-Wall",
    "-Wextra",
    "-Wno-unused-parameter",
    "-Werror=return-type",
    "-fPIC",
    "-fopenmp",
    "-fvisibility=hidden",
    "-ffp-contract=off",
    "-ftemplate-depth=1024",
    "-fno-exceptions",
    "-march=native",
    "-m64",
    "-mtune=generic",
    "-mavx2",
    "-pthread",
    "-pedantic",
    "-ansi",
    "-pipe",
    "-c",
    "-w",
    "-dc",
    "-v",
    "--expt-relaxed-constexpr",
    "--use_fast_math",
    "-use_fast_math",
    "-ftz=true",
    "-prec-div=false",
    "--fmad=false",
    "-rdc=true",
    "--relocatable-device-code=true",
    "--maxrregcount=64",
    "-maxrregcount",
    "-Xptxas=-v,-O3",
    "-Xcudafe=--display_error_number",
    "--default-stream=per-thread",
    "-default-stream",
    "-cudart=static",
    "--threads=4",
    "-t=0",
    "-forward-unknown-to-host-compiler",
    "--diag-suppress=177,20012",
    "-diag-suppress=20012",
    "--ptxas-options=-v",
    "-Xfatbin=-compress-all",
    "-stdlib=libc++",
    "-nostdinc++",
    "--cuda-host-only",
]


@pytest.mark.parametrize("flag", PLAIN)
def test_a_plain_flag_is_dropped_without_a_word(tree: Path, flag: str) -> None:
    assert read(tree, f"clang++ {flag} k.cu") == CompileArguments(language="cuda")


@pytest.mark.parametrize("flag", ["-Xptxas", "-Xcudafe", "-Xfatbin", "-Xnvlink", "--ptxas-options"])
def test_what_goes_to_another_tool_is_no_flag_of_ours(tree: Path, flag: str) -> None:
    assert read(tree, f"nvcc {flag} -DNOT_OURS k.cu") == CompileArguments(language="cuda")


REFUSED = [
    ("-fplugin=./evil.so", "-fplugin"),
    ("-fplugin-arg-evil-x=1", "-fplugin-arg-evil-x"),
    ("-fpass-plugin=./evil.so", "-fpass-plugin"),
    ("-load ./evil.so", "-load"),
    ("-Xclang -load", "-Xclang"),
    ("-Xclang -DFROM_XCLANG", "-Xclang"),
    ("-mllvm -load=evil.so", "-mllvm"),
    ("-Xarch_device -DX", "-Xarch_device"),
    ("-Xarch_sm_80 -DX", "-Xarch_sm_80"),
    ("-Xpreprocessor -DX", "-Xpreprocessor"),
    ("-Xlinker -plugin=evil.so", "-Xlinker"),
    ("-Wl,-plugin,evil.so", "-Wl"),
    ("-Wp,-MD,file", "-Wp"),
    ("-Wa,-o,file", "-Wa"),
    ("-o k.o", "-o"),
    ("-ok.o", "-o"),
    ("--output-file=k.o", "--output-file"),
    ("-MD", "-MD"),
    ("-MMD", "-MMD"),
    ("-MF k.d", "-MF"),
    ("-MFk.d", "-MF"),
    ("-MT k.o", "-MT"),
    ("-MJ k.json", "-MJ"),
    ("-imacros ../inc/own.h", "-imacros"),
    ("-include-pch evil.pch", "-include-pch"),
    ("-ivfsoverlay evil.yaml", "-ivfsoverlay"),
    ("-ivfsoverlayevil.yaml", "-ivfsoverlay"),
    ("-specs=evil.specs", "-specs"),
    ("--specs=evil.specs", "--specs"),
    ("-wrapper evil,arg", "-wrapper"),
    ("-B.", "-B"),
    ("-B .", "-B"),
    ("-ccbin=./evil", "-ccbin"),
    ("--compiler-bindir ./evil", "--compiler-bindir"),
    ("--sysroot=/x", "--sysroot"),
    ("--sysroot /x", "--sysroot"),
    ("-isysroot /x", "-isysroot"),
    ("-working-directory /x", "-working-directory"),
    ("-working-directory=/x", "-working-directory"),
    ("-fmodules", "-fmodules"),
    ("-fmodule-map-file=x", "-fmodule-map-file"),
    ("-fprofile-use=/x", "-fprofile-use"),
    ("-fprofile-use", "-fprofile-use"),
    ("-fsanitize-ignorelist=/x", "-fsanitize-ignorelist"),
    ("-fdump-tree-all", "-fdump-tree-all"),
    ("-ftime-trace", "-ftime-trace"),
    ("-fuse-ld=evil", "-fuse-ld"),
    ("-ffile-prefix-map=/a=/b", "-ffile-prefix-map"),
    ("-T evil.ld", "-T"),
    ("-save-temps", "-save-temps"),
    ("--save-temps=obj", "--save-temps"),
    ("-keep", "-keep"),
    ("--keep-dir x", "--keep-dir"),
    ("--config evil.cfg", "--config"),
    ("--config=evil.cfg", "--config"),
    ("-resource-dir evil", "-resource-dir"),
    ("-L/x", "-L"),
    ("-lm", "-l"),
    ("-include ../gone.h", "-include"),
    ("-std=evil", "-std"),
    ("--some-new-flag=./evil.so", "--some-new-flag"),
    ("-Xcompiler=-fplugin=./evil.so", "-fplugin"),
    ("-Xcompiler -Xcompiler,-fplugin=./evil.so", "-Xcompiler"),
    ("-Xcompiler=@evil.rsp", "@"),
    ("@../gone.rsp", "@"),
    ("--options-file ../gone.rsp", "--options-file"),
    ("-optf=../gone.rsp", "-optf"),
]


@pytest.mark.parametrize(("flags", "name"), REFUSED, ids=[flags for flags, _ in REFUSED])
def test_what_could_do_harm_is_refused_by_name_and_without_its_value(
    tree: Path, flags: str, name: str
) -> None:
    assert read(tree, f"nvcc {flags} -x cu") == CompileArguments(language="cuda", refused=(name,))


def test_refused_names_are_sorted_and_distinct(tree: Path) -> None:
    found = read(tree, "nvcc -o a -MD -o b -fplugin=x -fplugin=y k.cu")
    assert found.refused == ("-MD", "-fplugin", "-o")


class TestForcedIncludes:
    def test_a_header_of_the_tree_is_found_from_the_commands_folder(self, tree: Path) -> None:
        for flags in ("-include config.h", "-includeconfig.h", "--pre-include=../build/config.h"):
            found = read(tree, f"nvcc {flags} k.cu")
            assert inside(tree, found.forced) == ["app/build/config.h"]

    def test_a_header_is_found_in_an_include_folder_of_the_tree(self, tree: Path) -> None:
        found = read(tree, "nvcc -include own.h -include own.h -I../inc k.cu")
        assert inside(tree, found.forced) == ["app/inc/own.h"]

    @pytest.mark.parametrize(
        "command",
        [
            "nvcc -I%/toolkit/include -include cuda_fp16.h",
            "clang++ -isystem %/toolkit/include -include cuda_fp16.h",
            "%/toolkit/bin/nvcc -include cuda_fp16.h",
            "clang++ --cuda-path=%/toolkit -include cuda_fp16.h",
        ],
    )
    def test_a_toolkits_header_is_taken(self, tree: Path, command: str) -> None:
        assert inside(tree, read(tree, command).forced) == ["toolkit/include/cuda_fp16.h"]

    def test_a_header_of_a_toolkit_known_otherwise_is_taken(self, tree: Path) -> None:
        known = (str(tree.parent / "toolkit/include"),)
        found = read_flags(["g++", "-include", "cuda_fp16.h"], "", str(tree), toolkits=known)
        assert inside(tree, found.forced) == ["toolkit/include/cuda_fp16.h"]

    @pytest.mark.parametrize(
        "flags",
        [
            "-include %/strange/evil.h",
            "-include ../../strange/evil.h",
            "-I%/strange -include evil.h",
            "-I%/toolkit/include -include ../../strange/evil.h",
            "-I%/toolkit/include -include %/toolkit/include/cuda_fp16.h/../../bin/nvcc",
            "-include ../inc",
            "-include ''",
            "-include /dev/zero",
        ],
    )
    def test_another_file_is_refused(self, tree: Path, flags: str) -> None:
        found = read(tree, f"nvcc {flags} k.cu")
        assert (found.forced, found.refused) == ((), ("-include",))

    @posix
    def test_a_link_and_a_pipe_are_refused(self, tree: Path) -> None:
        (tree / "build/link.h").symlink_to(tree.parent / "strange/evil.h")
        os.mkfifo(tree / "build/pipe.h")
        (tree / "out").symlink_to(tree.parent / "strange")
        for name in ("link.h", "pipe.h", "../out/evil.h"):
            found = read(tree, f"nvcc -include {name} k.cu")
            assert (found.forced, found.refused) == ((), ("-include",))


class TestResponseFiles:
    def test_words_stand_in_the_place_of_the_file(self, tree: Path) -> None:
        grow(tree, {"build/a.rsp": '-DB "-I../my inc"\n-DC @b.rsp', "build/b.rsp": "-DD"})
        for flags in ("@a.rsp", "--options-file a.rsp", "--options-file=a.rsp", "-optf a.rsp"):
            found = read(tree, f"nvcc -DA {flags} -DE k.cu")
            assert found.macros == ("-DA", "-DB", "-DC", "-DD", "-DE")
            assert inside(tree, found.include) == ["app/my inc"]
            assert found.refused == ()

    def test_several_files_may_be_named_at_once(self, tree: Path) -> None:
        grow(tree, {"build/a.rsp": "-DA", "build/b.rsp": "-DB", "build/none.rsp": ""})
        found = read(tree, "nvcc --options-file a.rsp,b.rsp,none.rsp k.cu")
        assert (found.macros, found.refused) == (("-DA", "-DB"), ())

    def test_files_that_name_each_other_end(self, tree: Path) -> None:
        grow(tree, {"build/a.rsp": "-DA @b.rsp @a.rsp", "build/b.rsp": "-DB @a.rsp @b.rsp"})
        assert read(tree, "nvcc @a.rsp @a.rsp k.cu").macros == ("-DA", "-DB")

    @pytest.mark.parametrize(
        "file", ["../../strange/evil.rsp", "%/strange/evil.rsp", "/proc/self/environ", "/dev/stdin"]
    )
    def test_a_file_outside_the_tree_is_not_read(self, tree: Path, file: str) -> None:
        for flag, name in ((f"@{file}", "@"), (f"-optf {file}", "-optf")):
            found = read(tree, f"nvcc {flag} k.cu")
            assert found == CompileArguments(language="cuda", refused=(name,))

    @posix
    def test_a_link_out_of_the_tree_is_not_read(self, tree: Path) -> None:
        (tree / "build/a.rsp").symlink_to(tree.parent / "strange/evil.rsp")
        (tree / "build/out").symlink_to(tree.parent / "strange")
        found = read(tree, "nvcc @a.rsp @out/evil.rsp k.cu")
        assert (found.macros, found.refused) == ((), ("@",))

    def test_a_file_of_the_build_folder_outside_the_tree_is_not_read(self, tree: Path) -> None:
        found = read(tree, "nvcc @evil.rsp k.cu", folder="../strange")
        assert (found.macros, found.refused) == ((), ("@",))

    def test_a_large_or_broken_file_is_refused(self, tree: Path) -> None:
        grow(tree, {"build/large.rsp": "-DA " * (1 << 18) + "-DB", "build/broken.rsp": "-DA '"})
        for name in ("large", "broken"):
            found = read(tree, f"nvcc @{name}.rsp k.cu")
            assert (found.macros, found.refused) == ((), ("@",))

    def test_more_arguments_than_any_build_has_give_nothing(self, tree: Path) -> None:
        grow(tree, {f"build/{number}.rsp": "-DA " * 10_000 for number in range(3)})
        found = read(tree, "nvcc @0.rsp @1.rsp @2.rsp k.cu")
        assert (found.macros, found.refused) == ((), ("@",))
        assert read(tree, "nvcc @0.rsp k.cu").macros == ("-DA",) * 10_000


class TestToolkit:
    @pytest.mark.parametrize(
        "command",
        [
            "%/toolkit/bin/nvcc",
            "ccache %/toolkit/bin/nvcc",
            "/usr/bin/sccache %/toolkit/bin/nvcc",
            "env CUDA=1 %/toolkit/bin/nvcc",
            "cmake -E __run_co_compile --launcher=ccache --source=k.cu -- %/toolkit/bin/nvcc",
            "clang++ --cuda-path=%/toolkit",
            "clang++ --cuda-path ../../toolkit",
        ],
    )
    def test_it_is_that_of_the_compiler(self, tree: Path, command: str) -> None:
        found = read(tree, f"{command} -DA k.cu")
        assert found.cuda_path == f"{tree.parent.as_posix()}/toolkit"
        assert found.macros == ("-DA",)

    @pytest.mark.parametrize(
        "command",
        [
            "nvcc",
            "../../toolkit/bin/nvcc",
            "%/strange/bin/nvcc",
            "%/toolkit/bin/g++",
            "/bin/nvcc",
            "clang++ --cuda-path=%/strange",
            "clang++ --cuda-path=",
        ],
    )
    def test_there_is_none_where_its_headers_are_not(self, tree: Path, command: str) -> None:
        assert read(tree, f"{command} k.cu").cuda_path == ""


class TestMicrosoftsCompiler:
    def test_its_flags_are_understood(self, tree: Path) -> None:
        found = read(
            tree,
            "cl.exe /nologo /TP /DA /D B=1 -DC /UD /I../inc /I ../inc2 /external:I../src"
            " /FIconfig.h /MD /EHsc /W4 /wd4819 /O2 /GR /Zc:__cplusplus /std:c++17 /bigobj -c k.c",
        )
        assert found.macros == ("-DA", "-DB=1", "-DC", "-UD")
        assert inside(tree, found.include) == ["app/inc", "app/inc2"]
        assert inside(tree, found.system) == ["app/src"]
        assert inside(tree, found.forced) == ["app/build/config.h"]
        assert (found.standard, found.language, found.refused) == ("c++17", "c++", ())

    @pytest.mark.parametrize(
        ("flag", "name"),
        [
            ("/FoCMakeFiles/k.obj", "/Fo"),
            ("/Fdk.pdb", "/Fd"),
            ("/Yuevil.h", "/Yu"),
            ("/Fpevil.pch", "/Fp"),
            ("/clang:-fplugin=evil.so", "/clang"),
            ("/analyze:plugin", "/analyze"),
            ("-Xclang -load", "-Xclang"),
            ("-fplugin=evil.so", "-fplugin"),
        ],
    )
    def test_what_could_do_harm_is_refused(self, tree: Path, flag: str, name: str) -> None:
        assert read(tree, f"clang-cl {flag} k.cpp").refused == (name,)


WORDS = st.one_of(
    st.sampled_from([flags for flags, _ in REFUSED] + PLAIN),
    st.sampled_from(
        [
            "nvcc",
            "cl.exe",
            "-I",
            "-D",
            "-U",
            "-isystem",
            "-include",
            "-std",
            "-x",
            "cu",
            "-Xcompiler",
        ]
    ),
    st.sampled_from(
        ["-arch", "-optf", "--cuda-path", "/I", "/D", "/FI", "@a.rsp", "..", ".", "/", "/proc", "-"]
    ),
    st.sampled_from(
        ["ccache", "hip", "-iquote", "-gencode", "../inc", "config.h", "k.cu", "--", "@"]
    ),
    st.builds(
        "".join,
        st.tuples(
            st.sampled_from(
                ("-I", "-D", "-std=", "-Xcompiler=", "-include", "@", "-x", "-arch=", "/I", "-", "")
            ),
            st.text(st.characters(codec=None), max_size=12),
        ),
    ),
)
STANDARD = re.compile(r"(?:(?:c|gnu)(?:\+\+)?\w{2}|iso9899:\d{4})?")
MACRO = re.compile(r"-D[A-Za-z_$][\w$]*(?:\([^)\n\r\0]*\))?(?:=[^\n\r\0]*)?|-U[A-Za-z_$][\w$]*")
REFUSED_NAME = re.compile(r"@|[-/]{1,2}(?:[A-Za-z][\w+-]{0,31})?", re.ASCII)


@pytest.mark.property
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(WORDS, max_size=12), st.sampled_from(("build", "gone", "..", "\0", "\ud800")))
def test_nothing_but_what_is_allowed_comes_out_whatever_goes_in(
    tree: Path, words: list[str], folder: str
) -> None:
    grow(tree, {"build/a.rsp": "-DX -fplugin=y @a.rsp"})
    found = read_flags(words, f"{tree}/{folder}", str(tree))
    for path in (*found.include, *found.quote, *found.system):
        assert Path(path).is_absolute()
        assert Path(path).is_dir()
        assert os.path.normpath(path) == path
        assert not re.match(r"/(?:proc|sys|dev|net|afs)(?:/|$)|/$", path)
    for path in found.forced:
        assert Path(path).is_file()
        assert Path(os.path.realpath(path)).is_relative_to(tree)
    assert all(MACRO.fullmatch(macro) for macro in found.macros)
    assert STANDARD.fullmatch(found.standard)
    assert found.language in {"cuda", "c++", "c"}
    assert all(re.fullmatch(r"sm_\d{2,3}[af]?", arch) for arch in found.cuda_archs)
    assert list(found.refused) == sorted(set(found.refused))
    assert all(REFUSED_NAME.fullmatch(name) for name in found.refused)
