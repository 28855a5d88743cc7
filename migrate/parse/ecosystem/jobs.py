"""What a batch job asks for and loads: GPUs, their type, modules, MPI with GPU memory."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.signals import Kind, Signal

_JOB = re.compile(
    r"^\s*#(?:SBATCH|PBS|BSUB|FLUX)\b|(?<![\w/.-])(?:srun|sbatch|salloc|jsrun|bsub|qsub)\s"
)
_GRES = re.compile(r"--gres[= ][\"']?((?:gpu|mps|shard)[\w:.-]*)")
_GRES_VARIABLE = re.compile(r"(?<![a-z])(?:[A-Z_]*_)?GRES[\"']?\s*[:=]\s*[\"']?gpu(?::[\w.:-]+)?\b")
_GPUS = re.compile(
    r"--gpus(?:-per-(?:node|task|socket))?[= ][\"']?([\w:.-]+)|(?<!\S)-G\s+([\w:.-]+)"
)
_TYPED = re.compile(r"(?:gpu:)?([A-Za-z][\w.-]*)(?::\d+)?")
_MODEL = re.compile(r"\b(?:gpu_model|gpu_type|gputype|gmodel)=[\"']?([A-Za-z][\w.-]*)")
_WHERE = re.compile(r"(?:(?<!\S)-[Cp]\s*|--(?:constraint|partition)[= ])[\"']?([\w|&,.*\[\]()-]+)")
_MODEL_NAME = re.compile(
    r"(?<![a-z0-9])(?:nvidia\w*|tesla|volta|ampere|hopper|pascal|turing|blackwell|dgx\w*|hgx|rtx\w*"
    r"|gtx\w*|quadro|titan\w*|[abhvp][1238]00|gh200|gb[23]00|k[248]0m?|a[34]0|l40s?)(?![a-z0-9])",
    re.IGNORECASE,
)
_AMD_NAME = re.compile(r"mi\d|amd|instinct|gfx|radeon", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"gpu|your|num|count|^(?:mps|shard|all|none)$", re.IGNORECASE)
_MODULE = re.compile(r"(?:\bmodule\s+(?:-\S+\s+)*(?:load|add|swap|switch)|^\s*ml)\s+([^;&|#]+)")
_CUDA_MODULE = re.compile(
    r"(?:cuda(?:toolkit|core|-toolkit)?|nvhpc\S*|nvidia\S*|cudnn|nccl|cutensor|nvshmem|gdrcopy"
    r"|tensorrt|nsight\S*|craype-accel-nvidia\d+|(?:ucx|ucc|openmpi|mvapich2?)-(?:cuda|gdr))(?:/\S*)?"
    r"|[\w.-]+/\S*cuda\S*",
    re.IGNORECASE,
)
_MPI_OPTION = re.compile(
    r"--?mca\s+((?:opal_cuda_support|btl_openib_want_cuda_gdr|btl_smcuda_\w+|mpi_common_cuda_\w+)\b)"
    r"|--smpiargs[= ]\\?[\"']?(-gpu)\b"
)
_MPI_BUILD = re.compile(r"\b(?:ucx|ucc|open-?mpi|ompi|mpich|mvapich2?)\b", re.IGNORECASE)
_WITH_CUDA = re.compile(r"--with-(?:cuda|gdrcopy)\b(?!=no)")
_MPI_VARIABLE = re.compile(
    r"OMPI_MCA_(?:opal_cuda_support|btl_openib_want_cuda_gdr|btl_smcuda_\w+|mpi_common_cuda_\w+)"
    r"|MPICH_(?:GPU_SUPPORT_ENABLED|RDMA_ENABLED_CUDA|G2G_PIPELINE)|MV2_USE_CUDA|MV2_USE_GDRCOPY"
    r"|MV2_GPUDIRECT\w*|MV2_CUDA_\w+|PSM2_CUDA|PSM2_GPUDIRECT|UCX_CUDA_\w+"
)
_MPI_OFF = frozenset(("0", "no", "false", "off"))
_SLICES = re.compile(r"\bnvidia-smi\s+(?:-i\s+\S+\s+)?(?:mig\b|-mig\b|--multi-instance-gpu)")
_DRIVER = re.compile(
    r"\b(?:modprobe|modinfo|insmod|dkms)\s[^;&|]*?\b(nvidia[-_]peermem|nv[-_]peer[-_]mem(?:ory)?|gdrdrv|nvidia-fs"
    r"|nvidia_uvm|nvidia)\b"
)


def job_signals(text: str, line: int) -> Iterator[Signal]:
    """Yield what one command or directive asks a cluster for."""
    if _JOB.search(text):
        yield from _gpus(text, line)
    elif not text.lstrip().startswith("#"):
        yield from _generic_resources(text, line)
    for match in _MODULE.finditer(text):
        for word in match[1].split():
            if _CUDA_MODULE.fullmatch(word):
                yield Signal(Kind.MODULE, word, line)
    for match in _MPI_OPTION.finditer(text):
        yield Signal(Kind.MPI_GPU, match[1] or "--smpiargs=-gpu", line)
    if _MPI_BUILD.search(text) and (built := _WITH_CUDA.search(text)):
        yield Signal(Kind.MPI_GPU, built[0], line)
    if _SLICES.search(text):
        yield Signal(Kind.TOOL, "nvidia-smi mig", line)
    for match in _DRIVER.finditer(text):
        yield Signal(Kind.KERNEL_MODULE, match[1], line)


def _generic_resources(text: str, line: int) -> Iterator[Signal]:
    """Yield GPUs asked for outside a job's own command: an argument in a list, a variable."""
    for match in (*_GRES.finditer(text), *_GRES_VARIABLE.finditer(text)):
        yield Signal(Kind.JOB_GPU, match[0], line)


def mpi_variable(name: str, value: str) -> str:
    """Return how a variable shows that MPI or UCX takes GPU memory; "" where it does not."""
    if value.lower() in _MPI_OFF:
        return ""
    if _MPI_VARIABLE.fullmatch(name):
        return name
    if name == "UCX_TLS" and re.search(r"\b(?:cuda\w*|gdr_copy)\b", value):
        return f"UCX_TLS={value}"
    return ""


def _gpus(text: str, line: int) -> Iterator[Signal]:
    """Yield the GPUs that a job asks for, and their type where it names one of NVIDIA's."""
    for match in (*_GRES.finditer(text), *_GPUS.finditer(text)):
        yield Signal(Kind.JOB_GPU, match[0], line)
        value = next(filter(None, match.groups()), "")
        typed = _TYPED.fullmatch(value.removeprefix("gpu:"))
        if typed is not None and _is_type(typed[1]):
            yield Signal(Kind.GPU_TYPE, typed[1], line)
    for match in _MODEL.finditer(text):
        if _is_type(match[1]):
            yield Signal(Kind.GPU_TYPE, match[1], line)
    for match in _WHERE.finditer(text):
        if named := _MODEL_NAME.search(match[1].replace("_", "-")):
            yield Signal(Kind.GPU_TYPE, named[0], line)


def _is_type(word: str) -> bool:
    """Whether a word of a request is a GPU's type that is not AMD's."""
    return not (_PLACEHOLDER.search(word) or _AMD_NAME.match(word))
