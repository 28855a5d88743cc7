"""GPU work that the effort model has no price for: CUDA Fortran, OpenACC, bindings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from migrate.knowledge.components import component_named
from migrate.model.assessment import Unpriced
from migrate.model.facts import FileFacts
from migrate.model.mark import MarkKind
from migrate.model.signals import EcosystemFacts, Kind, Signal
from migrate.model.source import Language, SourceFile
from migrate.model.verdict import State

_KERNELS = frozenset((Kind.FORTRAN_KERNEL, Kind.CUF_LOOP))
_CUDA_FORTRAN = _KERNELS | {
    Kind.FORTRAN_DEVICE_CODE,
    Kind.FORTRAN_LAUNCH,
    Kind.FORTRAN_DEVICE_DATA,
    Kind.FORTRAN_CALL,
    Kind.IMPORT,
}
_PORTABLE_MODULES = ("openacc", "nvtx", "mpi")


def count_unpriced(
    ecosystem: Sequence[EcosystemFacts], sources: Iterable[SourceFile], files: Sequence[FileFacts]
) -> Unpriced:
    """Count what is still to be ported and in no figure; third-party copies do not count."""
    sizes = {source.path: source.size for source in sources if not source.vendored}
    said = {
        file.path: [signal for signal in file.signals if signal.state is State.ACTIVE]
        for file in ecosystem
        if file.language is Language.FORTRAN and file.path in sizes
    }
    counted = _KERNELS | {Kind.FORTRAN_LAUNCH} if _has_hipfort(ecosystem) else _CUDA_FORTRAN
    fortran = [
        path
        for path, signals in said.items()
        if any(_is_cuda_fortran(signal, counted) for signal in signals)
    ]
    return Unpriced(
        fortran_files=len(fortran),
        fortran_kernels=sum(
            signal.kind in _KERNELS for signals in said.values() for signal in signals
        ),
        fortran_bytes=sum(sizes[path] for path in fortran),
        openacc_files=len(_openacc(said, files, sizes)),
        binding_files=_binding_files([file for file in ecosystem if file.path in sizes]),
    )


def _binding_files(files: Sequence[EcosystemFacts]) -> int:
    """The files that reach CUDA from another language.

    These are manifests that ask for a binding, code that takes one of which no manifest speaks, and
    code that links CUDA's libraries itself. A binding that some package of the tree has beside that
    of AMD GPUs does not count.
    """
    said = [
        (_binding(signal), signal.state)
        for file in files
        if file.language is not Language.OTHER_CODE
        for signal in file.signals
    ]
    named = {key for key, _ in said}
    ported = {key for key, state in said if state is State.PORTED}
    return sum(
        any(
            signal.state is State.ACTIVE
            and (
                _links(file, signal)
                or (
                    _binding(signal)
                    and _binding(signal) not in ported
                    and not (file.language is Language.OTHER_CODE and _binding(signal) in named)
                )
            )
            for signal in file.signals
        )
        for file in files
    )


def _links(file: EcosystemFacts, signal: Signal) -> bool:
    """Whether code of another language links a library of CUDA, as cgo does."""
    return file.language is Language.OTHER_CODE and signal.kind is Kind.LINK


def _binding(signal: Signal) -> str:
    """The component that a dependency binds, "" for none."""
    if signal.kind is not Kind.BINDING:
        return ""
    return component_named(Kind.BINDING.value, signal.value)


def _has_hipfort(ecosystem: Iterable[EcosystemFacts]) -> bool:
    """Whether the tree has Fortran for HIP: what is left of CUDA on the host may be there twice."""
    return any(
        signal.kind is Kind.HIP
        for file in ecosystem
        if file.language is Language.FORTRAN
        for signal in file.signals
    )


def _is_cuda_fortran(signal: Signal, counted: Collection[Kind]) -> bool:
    if signal.kind is Kind.IMPORT:
        return Kind.IMPORT in counted and not signal.value.startswith(_PORTABLE_MODULES)
    return signal.kind in counted


def _openacc(
    said: Mapping[str, Sequence[Signal]], files: Iterable[FileFacts], sizes: Mapping[str, int]
) -> set[str]:
    """The paths of files with OpenACC directives, in Fortran and in C or C++."""
    found = {
        path
        for path, signals in said.items()
        if any(signal.kind is Kind.OPENACC for signal in signals)
    }
    return found | {
        file.path
        for file in files
        if file.path in sizes
        and any(
            mark.kind is MarkKind.OFFLOAD_PRAGMA and mark.symbol.startswith("acc")
            for mark in file.marks
        )
    }
