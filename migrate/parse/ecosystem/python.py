"""Python files: what is imported, and what a setup script builds; parsed, never run."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterator

from migrate.parse.ecosystem.signals import Kind, Signal
from migrate.parse.ecosystem.words import (
    architectures_in,
    architectures_of_list,
    cuda_switch_in,
    environment_named,
    library_named,
    linked_in,
)

_MODULES = frozenset(
    """
    torch cupy cupyx pycuda numba cuda pynvml nvidia nvtx triton tensorrt torch_tensorrt
    tensorrt_llm cudf cuml cugraph cuspatial cucim cuvs cuxfilter rmm pylibraft raft_dask
    dask_cudf dask_cuda kvikio cuquantum cuopt cutlass cudnn cutensor nccl nvshmem skcuda
    transformer_engine flash_attn flashinfer bitsandbytes apex xformers deepspeed vllm sglang
    sgl_kernel auto_gptq awq exllamav2 faiss horovod jax tensorflow onnxruntime mmcv pytorch3d
    torchrec fbgemm_gpu dgl megatron nemo deep_ep mamba_ssm causal_conv1d cvcuda PyNvVideoCodec
    nvitop gpustat pydcgm ctranslate2 lightgbm xgboost torchao
    """.split()  # noqa: SIM905 - a long list reads better as words
)
_SUBMODULES = frozenset(("numba.cuda", "cv2.cuda", "nvidia.dali", "torch.utils", "cuda.tile"))
_WORTH_PARSING = re.compile(
    r"^\s*(?:import|from)\s+(?:"
    + "|".join(sorted(_MODULES | {"cv2", "pytest", "unittest"}))
    + r")\b"
    r"|CUDAExtension|CUDA_HOME|ROCM_HOME|\bsetup\s*\(|nvcc|NCCL_|CUDA_|sm_\d\d",
    re.MULTILINE,
)
_TEST_MODULES = frozenset(("pytest", "unittest"))
_SETUP_CALLS = frozenset(("CUDAExtension", "BuildExtension", "CppExtension", "CUDA_HOME"))
_HIP_NAMES = frozenset(
    (
        "ROCM_HOME",
        "ROCM_PATH",
        "HIP_HOME",
        "HIP_HOME_PATH",
        "IS_HIP_EXTENSION",
        "USE_ROCM",
        "USE_HIP",
        "IS_ROCM",
    )
)
_HIP_TEXT = re.compile(
    r"-D?(?:USE_ROCM|USE_HIP|__HIP_PLATFORM_AMD__)|\bhipcc\b|\bROCM_(?:HOME|PATH)\b|--offload-arch"
)
_SWITCH = re.compile(r"CUDA|NVCC|is_available", re.IGNORECASE)


class UnreadableError(ValueError):
    """The file is not what its name says; the text says why."""


def read_python(path: str, text: str) -> Iterator[Signal]:
    """Yield what a Python file imports and, for a setup script, what it builds.

    Raises:
        UnreadableError: it is not Python 3.
    """
    setup = path.rpartition("/")[2] in {"setup.py", "setup_cuda.py", "build.py", "setup_utils.py"}
    if not setup and not _WORTH_PARSING.search(text):
        return
    setup = setup or "CUDAExtension" in text
    tree = _parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from _imports(node)
        elif isinstance(node, ast.Subscript | ast.Call):
            yield from _environment(node)
    if setup:
        yield from _setup(tree, text)


def read_notebook(text: str) -> Iterator[Signal]:
    """Yield what the code cells of a notebook import, at the line of the notebook file.

    Raises:
        UnreadableError: it is not a notebook's JSON.
    """
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError):
        raise UnreadableError("not a notebook: its JSON is broken") from None
    cells = notebook.get("cells", []) if isinstance(notebook, dict) else []
    seen: set[str] = set()
    for cell in cells if isinstance(cells, list) else []:
        source = cell.get("source", "") if isinstance(cell, dict) else ""
        lines = source if isinstance(source, list) else str(source).splitlines()
        for line in lines:
            match = (
                re.match(r"\s*(?:import|from)\s+([\w.]+)", line) if isinstance(line, str) else None
            )
            module = _module(match[1]) if match else ""
            if match and module and module not in seen:
                seen.add(module)
                place = text.find(match[0].strip())
                yield Signal(Kind.IMPORT, module, text.count("\n", 0, max(place, 0)) + 1)


def _parse(text: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        raise UnreadableError(f"not Python 3 (line {error.lineno or 1})") from None
    except (ValueError, RecursionError, MemoryError):
        raise UnreadableError("not Python 3, or nested too deeply") from None


def _imports(node: ast.Import | ast.ImportFrom) -> Iterator[Signal]:
    names = [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        if node.level or node.module is None:
            return
        names = [f"{node.module}.{name}" for name in names]
    for module in dict.fromkeys(map(_module, names)):
        if module:
            yield Signal(Kind.IMPORT, module, node.lineno)
    for name in dict.fromkeys(name.split(".")[0] for name in names):
        if name in _TEST_MODULES:
            yield Signal(Kind.TEST_FRAMEWORK, name, node.lineno)


def _module(name: str) -> str:
    """Return the part of a module's name that tells a component; "" where there is none."""
    parts = name.split(".")
    two = ".".join(parts[:2])
    if two in _SUBMODULES:
        return two
    if parts[0] in {"numba", "cv2"}:
        return ""
    return parts[0] if parts[0] in _MODULES else ""


def _environment(node: ast.Subscript | ast.Call) -> Iterator[Signal]:
    """Yield a variable read or set through os.environ or os.getenv."""
    if isinstance(node, ast.Subscript):
        owner, key = node.value, node.slice
    else:
        if not node.args:
            return
        owner, key = node.func, node.args[0]
    if "environ" not in ast.dump(owner) and "getenv" not in ast.dump(owner):
        return
    if (
        isinstance(key, ast.Constant)
        and isinstance(key.value, str)
        and environment_named(key.value)
    ):
        yield Signal(Kind.ENVIRONMENT, key.value, node.lineno)


def _setup(tree: ast.Module, text: str) -> Iterator[Signal]:
    names = {
        node.id if isinstance(node, ast.Name) else node.attr: node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Attribute)
    }
    yield Signal(Kind.BUILD, "setup.py", 1)
    cuda = "CUDAExtension" in names or re.search(r"\bnvcc\b|\.cu\b|CMAKE_CUDA", text) is not None
    if cuda:
        line = names.get("CUDAExtension") or _line_of(text, r"\bnvcc\b|\.cu\b|CMAKE_CUDA")
        yield Signal(Kind.BUILD_CUDA, "setup.py", line)
        if "setup" in names:
            yield Signal(Kind.PACKAGE, "python", names["setup"])
    for node in ast.walk(tree):
        if isinstance(node, ast.If | ast.IfExp):
            yield from _switch(node)
        elif isinstance(node, ast.Name) and node.id in _HIP_NAMES:
            yield Signal(Kind.HIP, node.id, node.lineno)
        elif isinstance(node, ast.Attribute) and node.attr == "hip":
            yield Signal(Kind.HIP, "torch.version.hip", node.lineno)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _text(node.value, node.lineno)
        elif isinstance(node, ast.keyword) and node.arg == "libraries":
            yield from _libraries(node.value)
        elif isinstance(node, ast.Assign) and "TORCH_CUDA_ARCH_LIST" in ast.dump(node.targets[0]):
            yield from _arch_list(node)


def _switch(node: ast.If | ast.IfExp) -> Iterator[Signal]:
    """Yield the word that decides whether CUDA sources are built."""
    test = ast.unparse(node.test)
    builds = ast.dump(node)
    if "Extension" in builds and _SWITCH.search(test):
        yield Signal(
            Kind.CUDA_OPTIONAL, cuda_switch_in(test) or "torch.cuda.is_available", node.lineno
        )


def _text(value: str, line: int) -> Iterator[Signal]:
    for arch in dict.fromkeys(architectures_in(value)):
        yield Signal(Kind.CUDA_ARCH, arch, line)
    for library in linked_in(value):
        yield Signal(Kind.LINK, library, line)
    if _HIP_TEXT.search(value):
        yield Signal(Kind.HIP, value.strip().splitlines()[0][:60], line)


def _libraries(value: ast.expr) -> Iterator[Signal]:
    for node in ast.walk(value):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            library = library_named(node.value)
            if library:
                yield Signal(Kind.LINK, library, node.lineno)


def _arch_list(node: ast.Assign) -> Iterator[Signal]:
    if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        for arch in architectures_of_list(node.value.value):
            yield Signal(Kind.CUDA_ARCH, arch, node.lineno)


def _line_of(text: str, pattern: str) -> int:
    match = re.search(pattern, text)
    return text.count("\n", 0, match.start()) + 1 if match else 1
