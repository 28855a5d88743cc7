"""Which files are third-party copies or tests, from their paths and what a copy's name is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_FOLDERS = frozenset(
    """
    third_party thirdparty third-party 3rdparty 3rd_party 3rd-party 3rd vendor vendored
    extern external externals deps _deps dependencies submodules subprojects node_modules
    """.split()  # noqa: SIM905 - a long list reads better as words
)
"""``vendors`` is not among them: in GPU code that folder holds a header for each GPU's vendor."""
_SAMPLE_HELPERS = frozenset(
    f"helper_{word}.h"
    for word in ("cuda", "cuda_drvapi", "cusolver", "functions", "gl", "image", "math", "string")
)
_SINGLE_FILES = {
    "googletest": """
        gtest.h gtest-spi.h gtest_prod.h gtest-all.cc gtest-all.cpp
        gmock.h gmock-all.cc gmock-all.cpp gmock-gtest-all.cc
        """,
    "catch": "catch.hpp catch_amalgamated.hpp catch_amalgamated.cpp",
    "doctest": "doctest.h",
    "json": "json.hpp",
    "stb": """
        stb_image.h stb_image_write.h stb_image_resize.h stb_image_resize2.h stb_truetype.h
        stb_rect_pack.h stb_vorbis.c stb_perlin.h stb_ds.h stb_sprintf.h stb_dxt.h
        """,
    "cxxopts": "cxxopts.hpp",
    "cli11": "cli11.hpp",
    "tinyobjloader": "tiny_obj_loader.h",
    "tinyexr": "tinyexr.h",
    "tinygltf": "tiny_gltf.h",
    "tinyxml2": "tinyxml2.h tinyxml2.cpp",
    "lodepng": "lodepng.h lodepng.c lodepng.cpp",
    "miniz": "miniz.h miniz.c",
    "nanoflann": "nanoflann.hpp",
    "pugixml": "pugixml.hpp pugixml.cpp",
    "picojson": "picojson.h",
    "cjson": "cjson.h cjson.c",
    "cpp-httplib": "httplib.h",
    "miniaudio": "miniaudio.h",
    "xxhash": "xxhash.h xxhash.c",
    "sqlite": "sqlite3.h sqlite3.c",
    "cnpy": "cnpy.h cnpy.cpp",
    "glad": "glad.h glad.c khrplatform.h",
    "imgui": "imgui.h imgui.cpp imgui_draw.cpp imgui_widgets.cpp imgui_internal.h",
    "renderdoc": "renderdoc_app.h",
}
"""Libraries that are copied as a file or two, by the names that only their files bear."""
_LIBRARY_OF_FILE = {
    name: library for library, names in _SINGLE_FILES.items() for name in names.split()
}
_SAYS_SO = {"json.hpp": re.compile(rb"nlohmann|JSON for Modern C\+\+", re.IGNORECASE)}
"""What the first bytes of a file hold whose name others bear too."""
_SINGLE_FILE_REPOSITORIES = {
    "googletest": ("googletest", "gtest", "gmock"),
    "catch": ("catch", "catch2"),
    "json": ("json", "nlohmann_json"),
    "cpp-httplib": ("cpp-httplib", "httplib"),
    "sqlite": ("sqlite", "sqlite3"),
}
_TEST_FOLDERS = frozenset(
    ("test", "tests", "testing", "unittest", "unittests", "unit_tests", "gtest")
)
_TEST_NAME = re.compile(r"(?:tests?|unittest)(?:[-_].*)?|.*[-_](?:tests?|unittest)|.*Tests?")


@dataclass(frozen=True, slots=True)
class _Mark:
    """A file that only this library has.

    ``siblings`` are folders that belong to it beside the file's own; ``elsewhere`` is a folder that
    only the library's whole repository has, counted from above ``include/``.
    """

    file: str
    library: str
    siblings: tuple[str, ...] = ()
    elsewhere: str = ""


_MARKS = (
    _Mark("cutlass/version.h", "cutlass", ("cute",), "tools/util/include/cutlass/"),
    _Mark("cutlass/cutlass.h", "cutlass", ("cute",), "tools/util/include/cutlass/"),
    _Mark("cub/version.cuh", "cub"),
    _Mark("cub/util_namespace.cuh", "cub"),
    _Mark("thrust/version.h", "thrust"),
    _Mark("cuda/std/version", "libcudacxx", ("nv",)),
    _Mark("cuda/std/detail/__config", "libcudacxx", ("nv",)),
    _Mark("cuda/std/atomic", "libcudacxx", ("nv",)),
    _Mark("moderngpu/context.hxx", "moderngpu"),
    _Mark("moderngpu/kernel_mergesort.hxx", "moderngpu"),
    _Mark("src/nccl.h.in", "nccl"),
)
_REPOSITORY_NAMES = {
    "cutlass": ("cutlass",),
    "cub": ("cub", "cccl"),
    "thrust": ("thrust", "cccl"),
    "libcudacxx": ("libcudacxx", "cccl"),
    "moderngpu": ("moderngpu",),
    "nccl": ("nccl",),
}
_VERSION_SUFFIX = re.compile(r"[-_.]?v?\d[\w.]*$")
_PROJECT = re.compile(rb"^\s*project\s*\(\s*\"?([\w.+-]+)", re.IGNORECASE | re.MULTILINE)
_OWN_NAMES = re.compile(
    rb"^\s*project\s*\(\s*\"?(cutlass|cccl|cub|thrust|libcudacxx|moderngpu|nccl)\b",
    re.IGNORECASE | re.MULTILINE,
)


def in_vendored_folder(path: str) -> bool:
    """Whether a folder of ``path`` (relative to what is scanned) bears a name for others' code."""
    return not _FOLDERS.isdisjoint(path.lower().split("/")[:-1])


def is_sample_helper(name: str) -> bool:
    """Whether a file is one of the helper headers of NVIDIA's CUDA samples."""
    return name in _SAMPLE_HELPERS


def single_file_library(name: str, head: bytes) -> str:
    """Return the library that a file is a copy of, by its name and first bytes; "" for none."""
    lower = name.lower()
    library = _LIBRARY_OF_FILE.get(lower, "")
    proof = _SAYS_SO.get(lower)
    return library if proof is None or proof.search(head) else ""


def is_single_file_project(library: str, folder: str, root_cmake: bytes) -> bool:
    """Whether a tree is the library itself: its folder or its top CMakeLists.txt says so."""
    names = _SINGLE_FILE_REPOSITORIES.get(library, (library,))
    if _VERSION_SUFFIX.sub("", folder.lower()) in names or folder.lower() in names:
        return True
    declared = (match[1].decode().lower() for match in _PROJECT.finditer(root_cmake))
    return any(name == own or name.startswith(f"{own}-") for name in declared for own in names)


def is_test(path: str) -> bool:
    """Whether a file is a test, by its folder or its name."""
    *folders, name = path.split("/")
    if not _TEST_FOLDERS.isdisjoint(folder.lower() for folder in folders):
        return True
    stem = name.split(".", 1)[0]
    return _TEST_NAME.fullmatch(stem) is not None


def names_itself(root_cmake: bytes) -> bool:
    """Whether the top CMakeLists.txt is that of one of the libraries known here."""
    return _OWN_NAMES.search(root_cmake) is not None


def library_copies(paths: Sequence[str]) -> tuple[str, ...]:
    """Return the folders that hold copies of known libraries, each with a closing slash.

    The root itself is "".
    """
    found: set[str] = set()
    for path in paths:
        for mark in _MARKS:
            if path == mark.file or path.endswith(f"/{mark.file}"):
                found.update(_folders_of_copy(path.removesuffix(mark.file), mark, paths))
    return tuple(sorted(found))


def _folders_of_copy(above: str, mark: _Mark, paths: Sequence[str]) -> Sequence[str]:
    """Return what the copy takes in, from the folder ``above`` the marking file.

    ``x/cutlass/include/cutlass/version.h`` is a whole repository under ``x/cutlass/``; of a project
    that copied the headers into its own ``include/`` only those folders are a copy.
    """
    repository = above.removesuffix("include/")
    if mark.elsewhere and any(path.startswith(repository + mark.elsewhere) for path in paths):
        return (repository,)
    parts = above.split("/")[:-1]
    for depth in range(len(parts), 0, -1):
        if _VERSION_SUFFIX.sub("", parts[depth - 1].lower()) in _REPOSITORY_NAMES[mark.library]:
            return ("/".join(parts[:depth]) + "/",)
    inner = mark.file.split("/", 1)[0]
    if inner == "src":
        return (above,)
    return tuple(f"{above}{folder}/" for folder in (inner, *mark.siblings))


def is_project_itself(
    sizes: Iterable[tuple[str, int]], copies: Sequence[str], *, named: bool
) -> bool:
    """Whether the copies are what is being scanned, not something that it took in.

    ``sizes`` are the C-family files that no vendored folder holds. The copies are the project where
    nothing else is there, or where the tree bears the library's name and they are most of it.
    """
    inside = outside = 0
    for path, size in sizes:
        if path.startswith(tuple(copies)):
            inside += size
        else:
            outside += size
    return outside == 0 or (named and inside > outside)
