"""Whether a small CUDA file parses on this machine, tried in a process of its own."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from clang import cindex

from migrate.model.unit import CompileArguments, Toolkit
from migrate.parse.clang.library import StandardLibrary, find_standard_library
from migrate.parse.clang.native import LibclangError, load_libclang
from migrate.parse.clang.unit import KEEP_GOING, clang_arguments
from migrate.parse.spawn import spawn_context

SECONDS = 120
"""The time limit. The parse takes one or two; a machine may be busy."""
_SHOWN = 3
_FILE = "hipassess-try.cu"
_TEXT = """
#include <vector>
#include <cuda_runtime.h>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void sum(const float *in, float *out, int n) {
  float value = threadIdx.x < n ? in[threadIdx.x] : 0.0f;
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  if (tile.thread_rank() == 0) atomicAdd(out, sqrtf(value));
}

float try_it(const std::vector<float> &values) {
  float *in = nullptr, result = 0.0f;
  cudaMalloc(&in, values.size() * sizeof(float));
  cudaMemcpy(in, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
  sum<<<1, 32>>>(in, in, static_cast<int>(values.size()));
  cudaMemcpy(&result, in, sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(in);
  return result;
}
"""


@dataclass(frozen=True, slots=True)
class Smoke:
    """How the parse went.

    ``library`` is the C++ standard library that it took, None where it did not come so far.
    ``reason`` says why it went wrong, "" where it went well; ``errors`` are the first three.
    """

    ok: bool
    library: StandardLibrary | None = None
    reason: str = ""
    errors: tuple[str, ...] = ()


def check_parse(toolkit: Toolkit, *, seconds: float = SECONDS) -> Smoke:
    """Parse a few lines of CUDA with a toolkit's headers in a process of its own.

    What the headers or libclang do to that process, a crash or a loop, is told as a reason.

    Args:
        toolkit: the headers to parse with.
        seconds: the time limit; the process is ended then.
    """
    return _in_own_process(_try_and_send, toolkit, seconds)


def _in_own_process(
    work: Callable[[Connection, Toolkit], None], toolkit: Toolkit, seconds: float
) -> Smoke:
    context = spawn_context()
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(sender, toolkit), daemon=True)
    process.start()
    sender.close()
    try:
        if not receiver.poll(seconds):
            return Smoke(ok=False, reason=f"it took more than {seconds:g} seconds")
        result = receiver.recv()
    except EOFError:
        process.join()
        return Smoke(ok=False, reason=f"libclang crashed{_how(process.exitcode)}")
    finally:
        process.kill()
        process.join()
        receiver.close()
    return result if isinstance(result, Smoke) else Smoke(ok=False, reason="it gave no result")


def _how(code: int | None) -> str:
    if code is None or code >= 0:
        return f" (exit code {code})"
    return f" ({signal.Signals(-code).name})"


def _try_and_send(sender: Connection, toolkit: Toolkit) -> None:
    # Libclang writes of its own crashes to the terminal; the reason is told in our words.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    with sender:
        sender.send(parse_here(toolkit))


def parse_here(toolkit: Toolkit) -> Smoke:
    """Parse the same lines in this process."""
    try:
        libclang = load_libclang()
        library = find_standard_library()
    except LibclangError as error:
        return Smoke(ok=False, reason=str(error))
    arguments = clang_arguments(CompileArguments(), toolkit, libclang, library.arguments)
    # The text is never a file; its name is in a folder of ours, for libclang looks beside it.
    path = str(libclang.resources / _FILE)
    try:
        unit = cindex.Index.create().parse(
            path, arguments, unsaved_files=[(path, _TEXT)], options=KEEP_GOING
        )
    except cindex.TranslationUnitLoadError:
        return Smoke(ok=False, library=library, reason="libclang gave no translation unit")
    errors = [one for one in unit.diagnostics if one.severity >= cindex.Diagnostic.Error]
    if not errors:
        return Smoke(ok=True, library=library)
    texts = tuple(dict.fromkeys(_text(one) for one in errors))[:_SHOWN]
    return Smoke(ok=False, library=library, reason=_why(library, len(errors)), errors=texts)


def _why(library: StandardLibrary, errors: int) -> str:
    if not library.has_c:
        return "the headers of the C library are not there"
    if not library.name:
        return "the headers of the C++ standard library are not there"
    return "one error" if errors == 1 else f"{errors} errors"


def _text(error: cindex.Diagnostic) -> str:
    place = error.location
    name = Path(place.file.name).name if place.file else ""
    return f"{name}:{place.line}: {error.spelling}" if name else str(error.spelling)
