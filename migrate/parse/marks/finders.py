"""All finders of marks, and a file's marks read with them."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.model.mark import Mark
from migrate.parse.filetext import FileText
from migrate.parse.marks import (
    atomics,
    capability,
    conditionals,
    constants,
    cuda_branches,
    device,
    environment,
    fp8,
    host_math,
    kernel_arguments,
    lane_masks,
    lanes,
    libc,
    lockstep,
    loops,
    matrix,
    members,
    operators,
    qualifiers,
    rtc_options,
    sizes,
    templates,
    texts,
    types,
    waiting,
    warp_arrays,
    warp_groups,
    warp_loops,
    warp_size,
    words,
)
from migrate.parse.marks.finder import Finder, MarkText, place_mark
from migrate.parse.scopes import ScopeIndex

FINDERS: tuple[Finder, ...] = (
    atomics.FINDER,
    capability.FINDER,
    conditionals.FINDER,
    constants.FINDER,
    cuda_branches.FINDER,
    device.FINDER,
    environment.FINDER,
    fp8.FINDER,
    host_math.FINDER,
    kernel_arguments.FINDER,
    lane_masks.FINDER,
    lanes.FINDER,
    libc.FINDER,
    lockstep.FINDER,
    loops.FINDER,
    matrix.FINDER,
    members.FINDER,
    operators.FINDER,
    qualifiers.FINDER,
    rtc_options.FINDER,
    sizes.FINDER,
    *templates.FINDERS,
    texts.FINDER,
    *types.FINDERS,
    waiting.FINDER,
    warp_arrays.FINDER,
    warp_groups.FINDER,
    warp_loops.FINDER,
    warp_size.FINDER,
    *words.FINDERS,
)
_OF_ALL_CODE = tuple(finder for finder in FINDERS if not finder.gpu_code)


def read_marks(
    text: FileText, scopes: ScopeIndex, words: set[bytes], *, gpu_code: bool
) -> tuple[Mark, ...]:
    """The marks of a file in order of place.

    ``gpu_code`` says that the file has a CUDA name or device code; in others few finders look.
    """
    marked = MarkText(text, scopes, words, b" %b " % b" ".join(words))
    finders = FINDERS if gpu_code else _OF_ALL_CODE
    asked = [finder for finder in finders if marked.has(*finder.signs)]
    if not asked:
        return ()
    found = list(_found(asked, marked))
    found.sort(key=lambda mark: (mark.line, mark.column, mark.kind, mark.symbol))
    return tuple(found)


def _found(finders: list[Finder], text: MarkText) -> Iterator[Mark]:
    for finder in finders:
        for one in finder.find(text):
            mark = place_mark(text, one)
            if mark is not None:
                yield mark
