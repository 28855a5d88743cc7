"""Package names: what requirement lines, installers and image names ask for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.model.signals import Kind, Signal
from migrate.parse.ecosystem.words import version_signals

_NAME = re.compile(r"([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(.*)", re.DOTALL)
_CUDA_SUFFIX = re.compile(r"(?:^cupy-cuda|-cu|-cuda)(\d{2})(\d)?x?$")
_CUDA_ONLY_NAME = re.compile(
    r"(?:nvidia-(?:cublas|cuda-\w+|cudnn|cufft|cufile|curand|cusolver|cusparse|cusparselt|nccl"
    r"|nvjitlink|nvtx|npp|nvjpeg|nvshmem|nvcomp)|cupy-cuda\d+x?|[a-z][\w-]*?)-cu(?:da)?\d{2,3}x?"
    r"|nvidia-(?:cublas|cuda-(?:runtime|nvrtc|cupti|nvcc|cccl)|cudnn|cufft|curand|cusolver|cusparse"
    r"|nccl|nvjitlink|nvtx)"
    r"|cupy-cuda\d+x?|(?:tensorflow|onnxruntime|paddlepaddle|faiss|mxnet|tf-nightly|jaxlib)-gpu"
    r"|pytorch-cuda|cudatoolkit(?:-dev)?|cuda-(?:version|toolkit|nvcc|cudart|compiler|libraries)(?:-dev)?"
)
"""Packages that are built for CUDA alone, as their names say."""
_CUDA_EXTRA = re.compile(r"\[([^\]]*\b(?:and-cuda|cuda\d*(?:[-_]\w+)?|cu\d{2,3}|cupti)\b[^\]]*)\]")
_CUDA_LOCAL = re.compile(r"\+cu\d{2,3}\b")
_CUDA_INDEX = re.compile(
    r"/whl/(?:[\w./-]{0,80}/)?(cu\d{2,3}(?!\w)|\$\{{0,2}\s?[\w.-]{0,60}cuda[\w.-]{0,60}\s?\}{0,2}|cu\$\{?\w+\}?)"
    r"|(pypi\.nvidia\.com)",
    re.IGNORECASE,
)
_TOOLKIT_NAMES = frozenset(("cudatoolkit", "cuda-version", "cuda-toolkit", "cuda", "cuda-nvcc"))
_EXACT = re.compile(r"={1,3}\s*(\d+(?:\.\d+)?)")
_SYSTEM = re.compile(
    r"(?<![\w/.-])((?:lib(?:cublas|cufft|curand|cusparse|cusolver|cudnn|nccl|nvinfer|cutensor"
    r"|nvjitlink|npp|nvjpeg|nvidia|cudart|cupti|cufile|cudss|nvshmem|gdrapi)[\w.+-]*)"
    r"|cuda(?:-[a-z][\w.+-]*|-\d[\d.-]*)?|cudss(?:-[\w.+-]+)?|nvidia-(?:cuda|driver|container|utils)[\w.+-]*"
    r"|datacenter-gpu-manager|nsight-(?:systems|compute)[\w.+-]*|tensorrt[\w.+-]*)(?![\w/-])"
)
_SYSTEM_VERSION = re.compile(
    r"^cuda(?:-toolkit|-compiler|-nvcc|-libraries(?:-dev)?)?-(\d+)[.-](\d+)$"
)
_PIP = re.compile(r"\b(?:pip[\d.]*|uv\s+pip)\s+(?:install|wheel|download)\b(.*)")
_REPOSITORY = re.compile(
    r"\bhttps?://(?:github|gitlab)\.com/[\w.-]{1,60}/(?P<name>[\w-][\w.-]{0,60}?)(?:\.git)?"
    r"(?=[@#/\"'\s]|$)(?!/(?:releases|blob|issues|pull|wiki)\b)"
)
"""A repository that a command clones, downloads or has built: not its pages and packages."""
_FETCHES = re.compile(r"\bgit\s+(?:\S+\s+){0,4}?clone\b|\b(?:wget|curl)\s|\bgit\+https?://")
_OPTION_WITH_VALUE = re.compile(
    r"\s(?:-[rcfient]|--(?:requirement|constraint|find-links|index-url|extra-index-url|channel|name"
    r"|target|prefix|file))[ =]\s*\S+"
)
_CONDA = re.compile(r"\b(?:conda|mamba|micromamba)\s+(?:install|create)\b(.*)")
_INSTALLER = re.compile(r"\b(?:pip|uv|poetry|conda|mamba)\b|-index-url\b")
_SYSTEM_TOOL = re.compile(r"\b(?:apt-get|apt|aptitude|yum|dnf|zypper|apk|tdnf|microdnf)\s")
_INSTALL = re.compile(r"\s(?:install|add|in)\s")
_IMAGE_VERSION = re.compile(r"(?:^|/)(?:nvidia/)?cuda(?:gl)?:(\d+\.\d+)")
_IMAGE_TAG_VERSION = re.compile(r":.*(?:cuda|cu)(\d{1,2})\.?(\d)(?!\d)")
NVIDIA_IMAGE = re.compile(
    r"(?<![\w.-])(?<![\w.-]/)(?:nvcr\.io/[\w-]+/[\w./-]+(?::[\w.${}-]+)?|nvidia/cuda:[\w.${}-]+)"
)
_LONGEST_IMAGE = 300
_LONGEST_PIN = 80
_ROCM_IMAGE = re.compile(r"(?:^|/)rocm/|:.*rocm")


def normalised(name: str) -> str:
    """Return a Python package's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def requirement_signals(text: str, line: int) -> Iterator[Signal]:
    """Yield the package of one requirement, and the CUDA version that its name or pin tells."""
    match = _NAME.match(text.strip())
    if match is None or "://" in text.split("@", 1)[0]:
        return
    name = normalised(match[1])
    yield Signal(Kind.REQUIREMENT, name, line)
    yield from _cuda_build(name, text, line)
    suffix = _CUDA_SUFFIX.search(name)
    pin = _EXACT.match(match[2])
    if suffix is not None:
        version = f"{suffix[1]}.{suffix[2]}" if suffix[2] else suffix[1]
        yield Signal(Kind.CUDA_VERSION, version, line)
    elif name in _TOOLKIT_NAMES and pin is not None:
        yield Signal(Kind.CUDA_VERSION, pin[1], line)
    yield from version_signals(match[2], line)


def _cuda_build(name: str, text: str, line: int) -> Iterator[Signal]:
    """Yield a package in its build for CUDA: by its name, an extra or the version's local part."""
    extra, local = _CUDA_EXTRA.search(text), _CUDA_LOCAL.search(text)
    if _CUDA_ONLY_NAME.fullmatch(name):
        yield Signal(Kind.CUDA_PACKAGE, name, line)
    elif extra is not None:
        yield Signal(Kind.CUDA_PACKAGE, f"{name}[{extra[1]}]", line)
    elif local is not None:
        yield Signal(
            Kind.CUDA_PACKAGE, text[: local.end()].rsplit(maxsplit=1)[-1][-_LONGEST_PIN:], line
        )


def index_signals(text: str, line: int) -> Iterator[Signal]:
    """Yield the index of wheels for CUDA that a command or a requirement file names."""
    for match in _CUDA_INDEX.finditer(text):
        yield Signal(Kind.CUDA_PACKAGE, match[1] or match[2], line)


def install_signals(text: str, line: int) -> Iterator[Signal]:
    """Yield the packages that a shell command installs with pip, conda or the system's tool."""
    if _INSTALLER.search(text):
        yield from index_signals(text, line)
    for command in re.split(r"&&|\|\||;", text):
        yield from _repositories(command, line)
        pip = _PIP.search(command) or _CONDA.search(command)
        if pip is not None:
            words = _OPTION_WITH_VALUE.sub(" ", pip[1]).split()
            for word in (word.strip("\"'") for word in words):
                if word[:1].isalpha() and "/" not in word:
                    yield from requirement_signals(word, line)
        elif _SYSTEM_TOOL.search(command) and _INSTALL.search(command):
            yield from system_signals(command, line)


def _repositories(command: str, line: int) -> Iterator[Signal]:
    if "://" in command and _FETCHES.search(command):
        for match in _REPOSITORY.finditer(command):
            yield Signal(Kind.SUBMODULE, match["name"].lower(), line)


def system_signals(text: str, line: int) -> Iterator[Signal]:
    """Yield CUDA's packages of a distribution that the text names."""
    for match in _SYSTEM.finditer(text):
        name = match[1].split("=")[0]
        yield Signal(Kind.SYSTEM_PACKAGE, name, line)
        version = _SYSTEM_VERSION.match(name)
        if version is not None:
            yield Signal(Kind.CUDA_VERSION, f"{version[1]}.{version[2]}", line)


def image_signals(image: str, line: int) -> Iterator[Signal]:
    """Yield a container image, and the CUDA version that its tag tells."""
    image = image[:_LONGEST_IMAGE]
    yield Signal(Kind.IMAGE, image, line)
    version = _IMAGE_VERSION.search(image)
    tagged = _IMAGE_TAG_VERSION.search(image)
    if version is not None:
        yield Signal(Kind.CUDA_VERSION, version[1], line)
    elif tagged is not None:
        yield Signal(Kind.CUDA_VERSION, f"{tagged[1]}.{tagged[2]}", line)


def named_images(text: str, line: int) -> Iterator[Signal]:
    """Yield NVIDIA's images, with their tags, that a command, a variable or a list names."""
    for match in NVIDIA_IMAGE.finditer(text):
        image = match[0].rstrip(".-:{$")
        if ":" in image:
            yield from image_signals(image, line)


def is_rocm_image(image: str) -> bool:
    """Whether an image is AMD's, or a framework's image for ROCm."""
    return _ROCM_IMAGE.search(image) is not None
