"""The one file of a tree that an include most likely means, and the folder that leads to it."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from posixpath import dirname, join, normpath

from migrate.model.facts import FileFacts
from migrate.model.source import Language
from migrate.model.verdict import State

_STANDARD = frozenset(
    """
    algorithm any array atomic barrier bit bitset cassert ccomplex cctype cerrno cfenv cfloat
    charconv chrono cinttypes ciso646 climits clocale cmath codecvt compare complex concepts
    condition_variable coroutine csetjmp csignal cstdalign cstdarg cstdbool cstddef cstdint cstdio
    cstdlib cstring ctgmath ctime cuchar cwchar cwctype deque exception execution expected
    filesystem flat_map flat_set format forward_list fstream functional future generator
    initializer_list iomanip ios iosfwd iostream istream iterator latch limits list locale map
    mdspan memory memory_resource mutex new numbers numeric optional ostream print queue random
    ranges ratio regex scoped_allocator semaphore set shared_mutex source_location span spanstream
    sstream stack stacktrace stdexcept stdfloat stop_token streambuf string string_view strstream
    syncstream system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set
    utility valarray variant vector version
    assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h
    setjmp.h signal.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h
    stdnoreturn.h string.h tgmath.h threads.h time.h uchar.h wchar.h wctype.h malloc.h memory.h
    unistd.h pthread.h
    """.split()  # noqa: SIM905 - a long list reads better as words
)
_TOOLKIT = frozenset(
    """
    cuda.h cuda_runtime.h cuda_runtime_api.h cuda_device_runtime_api.h cuda_profiler_api.h
    cuda_fp16.h cuda_fp16.hpp cuda_bf16.h cuda_bf16.hpp cuda_fp8.h cuda_fp8.hpp cuda_fp6.h
    cuda_fp4.h cuda_pipeline.h cuda_awbarrier.h cuda_awbarrier_primitives.h
    cuda_pipeline_primitives.h cuda_occupancy.h cuda_gl_interop.h cudaGL.h cuda_texture_types.h
    cuda_surface_types.h cudaTypedefs.h cuComplex.h cooperative_groups.h mma.h nvrtc.h
    curand.h curand_kernel.h builtin_types.h channel_descriptor.h common_functions.h
    device_atomic_functions.h device_double_functions.h device_functions.h
    device_launch_parameters.h device_types.h driver_functions.h driver_types.h host_config.h
    host_defines.h library_types.h math_constants.h math_functions.h sm_20_intrinsics.h
    sm_30_intrinsics.h sm_35_intrinsics.h surface_functions.h surface_types.h texture_types.h
    texture_fetch_functions.h vector_functions.h vector_functions.hpp vector_types.h
    """.split()  # noqa: SIM905 - a long list reads better as words
)
"""Headers that every CUDA toolkit has, and that its other headers ask for by these names."""
_ELSEWHERE = _STANDARD | _TOOLKIT
_CORE_LIBRARIES = ("cub/", "thrust/", "cuda/", "nv/")
"""The toolkit's own copy fits its other headers, a third party's copy in the tree may not."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """The file that an include means, by its path.

    ``folder`` is the one that has to be searched for it ("" for the root), None where it lies
    beside the file that includes it; ``quoted`` is the ``"..."`` form, ``hip`` says that only HIP
    builds include it.
    """

    path: str
    folder: str | None
    quoted: bool
    hip: bool = False


class NearestFiles:
    """Finds what the includes of a tree's files mean; of several files the nearest.

    Near is what has the most folders in common with the including file, then the shorter path,
    then the first by name. HIP's own files are no answer.
    """

    def __init__(self, files: Sequence[FileFacts], third_party: Collection[str]) -> None:
        self._third_party = third_party
        self._paths = frozenset(file.path for file in files if not is_hip(file))
        asked = {_tail(name)[0] for name in {one.name for file in files for one in file.includes}}
        self._named: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self._paths):
            for tail in _tails(path):
                if tail in asked:
                    self._named[tail].append(path)
        folders = {dirname(path) for path in self._paths}
        self._folders = {above for folder in folders for above in _ancestors(folder)}
        self._known: dict[tuple[str, str], str | None] = {}
        self._resolved: dict[tuple[str, str, bool], Resolved | None] = {}

    def includes(self, file: FileFacts) -> Iterator[Resolved]:
        """What a file's includes mean, in their order."""
        folder = dirname(file.path)
        for include in file.includes:
            key = (folder, include.name, include.quoted)
            if key not in self._resolved:
                self._resolved[key] = self._resolve(*key)
            found = self._resolved[key]
            if found is not None and found.path != file.path:
                yield replace(found, hip=True) if include.state is State.HIP else found

    def _resolve(self, folder: str, name: str, quoted: bool) -> Resolved | None:  # noqa: FBT001
        beside = normpath(join(folder, name))
        if quoted and beside in self._paths:
            return Resolved(beside, None, quoted)
        if name in _ELSEWHERE:
            return None
        tail, ups = _tail(name)
        found = beside if beside in self._paths else self._nearest(folder, tail)
        if found is None or (found in self._third_party and name.startswith(_CORE_LIBRARIES)):
            return None
        searched = self._searched(found, tail, ups)
        return None if searched is None else Resolved(found, searched, quoted)

    def _searched(self, path: str, tail: str, ups: int) -> str | None:
        """The folder from which an include leads to a path; None where there is none.

        An include that goes up starts in some folder below the one that it goes up to.
        """
        base = path[: -len(tail)].rstrip("/")
        if ups == 0:
            return base
        down = tail.split("/")[:-1][:1]
        start = join(base, *down)
        return start if down and ups == 1 and start in self._folders else None

    def _nearest(self, folder: str, tail: str) -> str | None:
        """The file with this end of its path that is nearest to a folder."""
        named = self._named.get(tail, [])
        if len(named) == 1:
            return named[0]
        passed: list[tuple[str, str]] = []
        found: str | None = None
        for above in _ancestors(folder):
            key = (above, tail)
            if key in self._known:
                found = self._known[key]
                break
            passed.append(key)
            within = _within(named, above)
            if within:
                found = min(within, key=lambda path: (len(path), path))
                break
        self._known.update(dict.fromkeys(passed, found))
        return found


def _within(paths: Sequence[str], folder: str) -> Sequence[str]:
    """Those of sorted paths that lie in a folder or below."""
    if not folder:
        return paths
    return paths[bisect_left(paths, f"{folder}/") : bisect_left(paths, f"{folder}0")]


def is_hip(file: FileFacts) -> bool:
    """Whether all of a file is HIP code."""
    return file.hip or file.language is Language.HIP


def _tail(name: str) -> tuple[str, int]:
    """An include's name without what goes up at its start, and how many folders it goes up."""
    parts = normpath(name.lstrip("/")).split("/")
    ups = sum(part == ".." for part in parts)
    return "/".join(parts[ups:]), ups


def _tails(path: str) -> Iterator[str]:
    """``a/b/c.h``, ``b/c.h`` and ``c.h``."""
    yield path
    at = path.find("/")
    while at >= 0:
        yield path[at + 1 :]
        at = path.find("/", at + 1)


def _ancestors(folder: str) -> Iterator[str]:
    yield folder
    while folder:
        folder = dirname(folder)
        yield folder
