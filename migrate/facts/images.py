"""Files of a tree that hold GPU code ready made: PTX, and machine code of NVIDIA GPUs."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from migrate.model.facts import FileFacts
from migrate.model.mark import Mark, MarkKind
from migrate.model.source import Language, SourceFile
from migrate.model.verdict import Side, State

_KINDS = frozenset({Language.PTX, Language.GPU_IMAGE})


def image_files(
    sources: Iterable[SourceFile], third_party: Collection[str]
) -> tuple[FileFacts, ...]:
    """The facts of such files: one mark, at the first line."""
    return tuple(
        FileFacts(
            path=source.path,
            language=source.language,
            marks=(_mark(source.path, vendored=source.path in third_party),),
        )
        for source in sources
        if source.language in _KINDS
    )


def _mark(path: str, *, vendored: bool) -> Mark:
    suffix = path.rpartition(".")[2].lower()
    return Mark(
        kind=MarkKind.GPU_IMAGE,
        symbol=f".{suffix}",
        line=1,
        end_line=1,
        column=1,
        function="",
        side=Side.DEVICE,
        state=State.VENDORED if vendored else State.ACTIVE,
        line_hash=0,
    )
