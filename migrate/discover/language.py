"""What a file is, by its name, and by its first bytes where the name does not say."""

from __future__ import annotations

import re
from functools import lru_cache

from migrate.model.source import Language

HEAD_BYTES = 4096
"""How much of a file is read to tell what it is."""

_SUFFIXES: dict[Language, str] = {
    Language.CUDA: ".cu .cuh",
    Language.HIP: ".hip",
    Language.C: ".c",
    Language.CPP: (
        ".cc .cpp .cxx .c++ .cp .h .hh .hpp .hxx .h++ .inl .ipp .tpp .txx .tcc .icc .ixx .cppm"
        " .impl .inc"
    ),
    Language.PTX: ".ptx",
    Language.GPU_IMAGE: ".cubin .fatbin",
    Language.CMAKE: ".cmake",
    Language.MAKE: ".mk .mak",
    Language.PYTHON: ".py",
    Language.NOTEBOOK: ".ipynb",
    Language.DOCKER: ".dockerfile .containerfile",
    Language.SHELL: ".sh .bash .sbatch .slurm .pbs .lsf .profile",
    Language.YAML: ".yml .yaml",
    Language.OTHER_BUILD: ".bzl .bazel .vcxproj .props .nix .eb .csproj .fsproj .m4",
}
_NAMES: dict[Language, str] = {
    Language.CMAKE: "cmakelists.txt",
    Language.MAKE: "makefile gnumakefile bsdmakefile make.inc makefile.inc make.sys make.def",
    Language.DOCKER: "dockerfile containerfile",
    Language.TOML: "pyproject.toml cargo.toml pixi.toml pipfile project.toml",
    Language.REQUIREMENTS: "setup.cfg environment.yml environment.yaml",
    Language.OTHER_BUILD: (
        "meson.build meson_options.txt meson.options build workspace .bazelrc configure.ac"
        " configure.in makefile.am sconstruct sconscript wscript xmake.lua conanfile.txt"
        " vcpkg.json build.rs tox.ini jenkinsfile .gitmodules go.mod pom.xml build.gradle"
        " build.gradle.kts packages.config control"
    ),
}
_FORMS = (
    (re.compile(r"(?:.*[-_.])?(?:requirements?|constraints?)(?:[-_.].*)?\.(?:txt|in)"),
     Language.REQUIREMENTS),
    (re.compile(r"(?:.+[-_])?(?:conda[-_])?env(?:ironment)?(?:[-_.].+)?\.ya?ml"),
     Language.REQUIREMENTS),
    (re.compile(r"(?:docker|container)file[-_.].+|.+[-_.](?:docker|container)file"),
     Language.DOCKER),
    (re.compile(r"(?:singularity|apptainer)(?:[-_.].+)?|.+[-_.](?:singularity|apptainer)"),
     Language.DOCKER),
    (re.compile(r"(?:gnu)?makefile[-_.].+|make\.(?:inc|sys|def)[-_.].+"), Language.MAKE),
    (re.compile(r".+(?:\.hip\.|_hip\.)(?:c|cc|cpp|cxx|h|hh|hpp|hxx|cuh|inl)"), Language.HIP),
    (re.compile(r".+\.cu\.(?:cc|cpp|cxx|c|h|hpp|hxx|hh|inc|inl)"), Language.CUDA),
)  # fmt: skip
_REQUIREMENTS = frozenset(("requirements", "requirement", "constraints"))
"""Folders whose text files list packages, whatever these are called: ``requirements/test.txt``."""
_TEMPLATE = re.compile(r"\.(?:in|template|templ|tmpl|tpl|jinja2?|j2|mako|example)$")
_BY_SUFFIX = {suffix: language for language, line in _SUFFIXES.items() for suffix in line.split()}
_BY_NAME = {name: language for language, line in _NAMES.items() for name in line.split()}

FORTRAN_SUFFIXES = frozenset(
    (
        ".f",
        ".for",
        ".ftn",
        ".f90",
        ".f95",
        ".f03",
        ".f08",
        ".f18",
        ".cuf",
        ".fpp",
        ".h90",
        ".f77",
        ".fypp",
    )
)
_PROSE_AND_DATA = frozenset(
    """
    .md .rst .txt .adoc .tex .html .htm .css .scss .js .mjs .ts .tsx .jsx .vue .map .json .jsonl
    .csv .tsv .xml .xsd .svg .lock .toml .cfg .ini .conf .log .patch .diff .orig .rej .bak .po
    .png .jpg .jpeg .gif .bmp .ico .webp .pdf .eps .ps .tif .tiff .mp4 .mp3 .wav .ttf .woff .woff2
    .o .a .so .obj .lib .dll .exe .dylib .pyc .pyo .pyd .class .jar .whl .egg .hsaco
    .zip .tar .gz .bz2 .xz .zst .7z .rar .npy .npz .pt .pth .onnx .pb .safetensors .gguf .h5 .hdf5
    .bin .dat .raw .pkl .parquet .db .sqlite .rb .php .pl .pm .lua .swift .r
    .vb .hs .ml .mm .s .asm .ll .mlir .td .cl .glsl .hlsl .metal .wgsl .comp .frag
    .vert .sql .proto .fbs .thrift .sln .bat .cmd .ps1 .psm1 .natvis .gitignore .gitattributes
    .typed .pyi .pyx .pxd .vtk .obj .mtx .in .spec .rc .def .el .vim .tcl .awk .fish .zsh
    """.split()  # noqa: SIM905 - a long list reads better as words
)

_CUDA_TEXT = re.compile(
    rb"\b__global__\s+(?:void|static|inline|__\w+__)\b|[\w>]\s*<<<[^<>\n;]+,[^<>\n;]+>>>\s*\("
    rb"|^[ \t]*#[ \t]*include[ \t]*[<\"]cuda",
    re.MULTILINE,
)
_C_TEXT = re.compile(
    rb"^[ \t]*(?:#[ \t]*(?:include|define|undef|if|ifdef|ifndef|pragma|error)\b|//|/\*)"
    rb"|[;{}][ \t]*(?:\\)?\r?$",
    re.MULTILINE,
)
_FORTRAN_GPU_TEXT = re.compile(
    rb"^[ \t]*(?:!@cuf[ \t]*)?use\b[^!\n]{0,40}?\b(?:cudafor|cudadevice|cublas|cufft|cusparse"
    rb"|curand|cusolver|cutensor|nccl|nvshmem|openacc|hipfort)"
    rb"|\battributes[ \t]*\([ \t]*(?:global|device|host|managed|pinned|constant|grid_global)\b"
    rb"|^[ \t]*call\b[^!\n]{0,80}<<<|^[ \t]*[!c*][$](?:acc|cuf)\b|^[ \t]*[!c*]@cuf\b"
    rb"|^[ \t]*[!c*][$]omp[ \t]+(?:[a-z]+[ \t]+){0,3}target\b"
    rb"|\bbind[ \t]*\([ \t]*c[ \t]*,[ \t]*name[ \t]*=[ \t]*['\"](?:cu|nccl|nvtx|nvml)\w*['\"]"
    rb"|,[ \t]*(?:device|managed)[ \t]*(?:,|::)"
    rb"|\b(?:cuda|cublas|cufft|cusparse|curand|cusolver)[a-z]\w*[ \t]*\(",
    re.MULTILINE,
)
BINDING_SUFFIXES = frozenset((".go", ".jl", ".java", ".kt", ".scala", ".cs", ".rs", ".m"))
_BINDING_TEXT = re.compile(
    rb"^[ \t]*(?:using|import)[ \t][^#\n]{0,200}\b(?:CUDA|CUDAnative|CuArrays)\b"
    rb"|^[ \t]*import[ \t]+(?:static[ \t]+)?jcuda\.|^[ \t]*using[ \t]+ManagedCuda\b"
    rb"|^[^\n]{0,20}#cgo[^\n]{0,200}-l(?:cu|nv)"
    rb"|\b(?:mexcuda|gpuArray|CUDAKernel)[ \t]*\(|#\[link\([ \t]*name[ \t]*=[ \t]*\"(?:cu|nv)",
    re.MULTILINE,
)
_FORTRAN_GPU_SIGNS = (
    *(b"cu", b"$acc", b"$omp", b"openacc", b"attributes", b"device", b"nccl", b"hipfort"),
    *(b"<<<", b"managed"),
)
_HIPIFIED = b"automatically generated by hipify"
_UNICODE_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0", b"\0\0\xfe\xff")
_LFS_POINTER = b"version https://git-lfs.github.com/spec/"


@lru_cache(maxsize=4096)
def language_by_suffix(suffix: str) -> Language | None:
    """Return the language of a suffix with its dot; ``.C`` and ``.H`` are C++, others fold case."""
    if suffix in {".C", ".H"}:
        return Language.CPP
    return _BY_SUFFIX.get(suffix.lower())


def language_by_name(name: str) -> Language | None:
    """Return what a file of this name is; None where the name does not tell."""
    lower = name.lower()
    known = _BY_NAME.get(lower)
    if known is not None:
        return known
    for form, language in _FORMS:
        if form.fullmatch(lower):
            return language
    template = _TEMPLATE.search(lower)
    if template is not None:
        return language_by_name(name[: template.start()])
    return language_by_suffix(suffix_of(name))


def language_of(path: str) -> Language | None:
    """Return what the file at a path is by its name, or by its folder where that tells."""
    *folders, name = path.split("/")
    if name == "METADATA" and folders and folders[-1].lower().endswith(".dist-info"):
        return Language.REQUIREMENTS
    if name.endswith((".txt", ".in")) and folders and folders[-1].lower() in _REQUIREMENTS:
        return Language.REQUIREMENTS
    return language_by_name(name)


def suffix_of(name: str) -> str:
    """Return the last suffix with its dot, "" where there is none; ``.bashrc`` has none."""
    dot = name.rfind(".")
    return name[dot:] if dot > 0 else ""


def worth_a_look(name: str) -> bool:
    """Whether a file of unknown kind may be CUDA by its content."""
    return not name.startswith(".") and suffix_of(name).lower() not in _PROSE_AND_DATA


def looks_binary(head: bytes) -> bool:
    """Whether the first bytes hold NULs and no mark of UTF-16 or UTF-32."""
    return b"\0" in head and not head.startswith(_UNICODE_MARKS)


def looks_like_cuda(head: bytes) -> bool:
    """Whether the first bytes are clearly CUDA C++: a kernel, a launch or a CUDA header."""
    return not looks_binary(head) and _CUDA_TEXT.search(head) is not None


def looks_like_c(head: bytes) -> bool:
    """Whether the first bytes read as C or C++ (``.inc`` is also assembler, PHP and make)."""
    return not head.lstrip().startswith(b"<?") and _C_TEXT.search(head) is not None


def looks_like_gpu_fortran(data: bytes) -> bool:
    """Whether Fortran has something for GPUs: CUDA Fortran, directives, CUDA's interfaces."""
    lower = data.lower()
    if not any(sign in lower for sign in _FORTRAN_GPU_SIGNS):
        return False
    return not looks_binary(data[:HEAD_BYTES]) and _FORTRAN_GPU_TEXT.search(lower) is not None


def looks_like_binding(head: bytes) -> bool:
    """Whether code of another language takes CUDA from a binding, as its first bytes tell."""
    return not looks_binary(head) and _BINDING_TEXT.search(head) is not None


def is_hipified(head: bytes) -> bool:
    """Whether hipify says in the first bytes that it wrote the file."""
    return _HIPIFIED in head


def is_lfs_pointer(head: bytes) -> bool:
    """Whether the file is a Git LFS pointer and its content is elsewhere."""
    return head.startswith(_LFS_POINTER)
