"""What the flags of nvcc, clang, gcc and cl mean to a parse; a flag that is not here is refused."""

from __future__ import annotations

import re
from enum import Enum, auto


class Meaning(Enum):
    """What becomes of a flag's value."""

    INCLUDE = auto()
    QUOTE = auto()
    SYSTEM = auto()
    AFTER = auto()
    """A system folder that is searched last."""
    DEFINE = auto()
    UNDEFINE = auto()
    FORCED = auto()
    STANDARD = auto()
    LANGUAGE = auto()
    ARCH = auto()
    CODE = auto()
    GENERATE = auto()
    HOST = auto()
    """Flags for the host's compiler, separated by commas."""
    TOOLKIT = auto()
    NOTHING = auto()
    """Passed on to a tool that a parse never starts, and harmless."""
    REFUSED = auto()


_NAMES = {
    Meaning.INCLUDE: "-I --include-path --include-directory",
    Meaning.QUOTE: "-iquote",
    Meaning.SYSTEM: "-isystem --system-include -cxx-isystem -imsvc",
    Meaning.AFTER: "-idirafter -isystem-after --include-directory-after",
    Meaning.DEFINE: "-D --define-macro",
    Meaning.UNDEFINE: "-U --undefine-macro",
    Meaning.FORCED: "-include --include --pre-include -pre-include",
    Meaning.STANDARD: "-std --std",
    Meaning.LANGUAGE: "-x --x --language",
    Meaning.ARCH: "-arch --gpu-architecture -gpu-architecture --cuda-gpu-arch --offload-arch",
    Meaning.CODE: "-code --gpu-code -gpu-code",
    Meaning.GENERATE: "-gencode --generate-code -generate-code",
    Meaning.HOST: "-Xcompiler --compiler-options -compiler-options",
    Meaning.TOOLKIT: "--cuda-path",
    Meaning.NOTHING: (
        "-Xptxas --ptxas-options -Xfatbin --fatbin-options -Xcudafe --cudafe-options -Xnvlink"
        " --nvlink-options -Xarchive --archive-options -Xcuda-ptxas -Xcuda-fatbinary"
    ),
    Meaning.REFUSED: (
        "-o --output-file --output -odir --output-directory -MF -MT -MQ -MJ --dependency-output"
        " -Xclang -Xpreprocessor -Xassembler -Xlinker --linker-options -Xanalyzer -Xopenmp-target"
        " -Xarch_host -Xarch_device -mllvm -load -plugin -imacros -include-pch -ivfsoverlay"
        " -vfsoverlay -iprefix -iwithprefix -iwithprefixbefore -iwithsysroot -iframework"
        " -iframeworkwithsysroot -isysroot --sysroot -working-directory --config"
        " --config-system-dir -specs --specs -wrapper -B -T -L --library-path -l --library"
        " -ccbin --compiler-bindir -keep-dir --keep-dir -dependency-file -serialize-diagnostics"
        " --serialize-diagnostics -index-store-path -resource-dir -gcc-toolchain --gcc-toolchain"
        " -arbin --archiver-binary -ldir --libdevice-directory -qpp-config --qpp-config -aux-info"
        " -dumpbase -dumpdir -time --time -fdevice-time-trace --fdevice-time-trace -run-args"
        " --run-args"
    ),
}
MEANINGS = {name: meaning for meaning, names in _NAMES.items() for name in names.split()}
"""Flags that take a value, as the next word or after ``=``."""

JOINED = (
    "-cxx-isystem", "-isystem", "-iquote", "-idirafter", "-imsvc", "-include",
    "-imacros", "-ivfsoverlay", "-iprefix", "-iwithprefix", "-isysroot",
    "-MF", "-MT", "-MQ", "-MJ", "-I", "-D", "-U", "-B", "-T", "-L", "-l", "-o",
)  # fmt: skip
"""Flags whose value may follow without anything between; the first that fits is meant."""

OPTIONS_FILE = frozenset(("--options-file", "-options-file", "-optf"))
LANGUAGES = {
    "cu": "cuda",
    "cuda": "cuda",
    "c++": "c++",
    "c++-header": "c++",
    "c": "c",
    "c-header": "c",
    "hip": "hip",
    "none": "",
}
NVCC_MACROS = {
    "extended-lambda": "-D__CUDACC_EXTENDED_LAMBDA__",
    "expt-extended-lambda": "-D__CUDACC_EXTENDED_LAMBDA__",
    "expt-relaxed-constexpr": "-D__CUDACC_RELAXED_CONSTEXPR__",
}
"""What nvcc defines for a flag of its own, by the flag's name without dashes."""

_PLAIN_WORDS = frozenset(
    """
    c S E w v s C P pthread pedantic pedantic-errors ansi pipe shared static rdynamic pie no-pie
    undef trigraphs traditional-cpp nostdinc nostdinc++ nostdlib nostdlib++ nodefaultlibs
    nocudainc nocudalib nogpuinc nogpulib nohipwrapperinc stdlib target no-canonical-prefixes
    integrated-as no-integrated-as cuda-host-only cuda-device-only cuda-compile-host-device
    no-cuda-version-check no-cuda-gpu-arch no-offload-arch offload-host-only offload-device-only
    driver-mode param optimize verbose debug no-line-commands
    dc dw dlink lib run-only ptx cubin fatbin optix-ir ltoir cuda compile device-c device-w
    device-debug G lineinfo generate-line-info use_fast_math use-fast-math ftz prec-div prec-sqrt
    fmad maxrregcount rdc relocatable-device-code ewp extensible-whole-program dlto
    dlink-time-opt gen-opt-lto threads t split-compile default-stream cudart cudadevrt
    restrict res-usage resource-usage source-in-ptx src-in-ptx extra-device-vectorization
    forward-unknown-to-host-compiler forward-unknown-to-host-linker forward-unknown-opts
    forward-slash-prefix-opts allow-unsupported-compiler no-compress compress-mode compress-all
    display-error-number no-display-error-number disable-warnings diag-error diag-suppress
    diag-warn no-host-device-initializer-list nohdinitlist no-host-device-move-forward
    nohdmoveforward machine entries e opt-info dopt jtd jump-table-density profile pg p std-par
    static-global-template-stub device-entity-has-hidden-visibility no-align-double
    no-device-link nodlink link no-exceptions noeh keep-device-functions dryrun list-gpu-arch
    list-gpu-code frandom-seed brief-diagnostics no-cubin-linking suppress-arch-warn
    suppress-stack-size-warning ptxas-warnings extended-lambda expt-extended-lambda
    expt-relaxed-constexpr
    """.split()  # noqa: SIM905 - a long list reads better as words
)
# Families that never take a file in this form: warnings, debug information, code generation.
_PLAIN = re.compile(r"-{1,2}(?:[OWgm]|f(?=[A-Za-z])|x(?=[A-Z]))[\w+-]*(?:=[\w+-]*(?:,[\w+-]*)*)?")
_UNLIKE_THEM = re.compile(
    r"-{1,2}(?:fplugin|fpass-plugin|fmodule|fprebuilt|fimplicit-module|fbuild|fcache|fprofile"
    r"|fcs-|fauto-profile|fcoverage|ftest-coverage|fsanitize-|fno-sanitize-|fdump|fopt-info"
    r"|ftime-trace|ftime-report=|fuse-ld|fcallgraph|fstack-usage|fsave-|frecord|fcrash|fproc-stat"
    r"|fworking-directory=|fembed|foffload|fthinlto|fxray|ferror-file|flto-|fmemory-profile"
    r"|fpch|finclude|fdepfile|fthin-link|fexperimental|fdiagnostics-(?:add|set|format=.)"
    r"|gsplit|mllvm|mlink)"
)
_NAME = re.compile(r"[-/]{1,2}[A-Za-z][\w+-]{0,31}", re.ASCII)

_CL_FORMS = (
    ("external:I", "-isystem"), ("imsvc", "-isystem"), ("FI", "-include"), ("std:", "-std="),
    ("I", "-I"), ("D", "-D"), ("U", "-U"), ("TP", "-xc++"), ("TC", "-xc"),
)  # fmt: skip
_CL_PLAIN = re.compile(
    r"(?:c|nologo|[Ww][\w-]*|O\w*|EH\w+-?|M[DT]d?|LDd?|G[\w+-]*|Z[\w+-]*(?::[\w+-]+)?|R\w+|bigobj"
    r"|(?:fp|favor|arch|source-charset|execution-charset|volatile|openmp|diagnostics):\w+"
    r"|permissive-?|utf-8|openmp|Q\w+|FS|JMC-?|sdl-?|showIncludes|validate-charset-?|MP\d*)"
)


def is_plain(flag: str) -> bool:
    """Whether a flag can be left out without a word: it takes no file and a parse needs it not."""
    name = flag.partition("=")[0].lstrip("-")
    if name in _PLAIN_WORDS:
        return "/" not in flag and "\\" not in flag
    return bool(_PLAIN.fullmatch(flag)) and not _UNLIKE_THEM.match(flag)


def name_of(flag: str) -> str:
    """Return the name under which a flag is refused: nothing of its value."""
    if flag.startswith(("-W", "/W")):
        return flag[:3] if flag[2:3] in {"a", "l", "p"} and flag[3:4] == "," else flag[:2]
    if flag.startswith(("/F", "/Y", "-F", "-Y")):
        return _letters(flag[:3])
    match = _NAME.match(flag)
    return match[0] if match else "-"


def _letters(name: str) -> str:
    return name if name[1:].isalpha() and name.isascii() else name[:2]


def from_cl(flag: str) -> str:
    """Return gcc's form of one of cl's flags, "" for a plain one, and else the flag as it is."""
    body = flag[1:]
    if _CL_PLAIN.fullmatch(body):
        return ""
    for form, name in _CL_FORMS:
        if body.startswith(form):
            return name + body[len(form) :]
    return flag
