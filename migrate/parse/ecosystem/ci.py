"""CI files and other YAML: which system, whether it has GPUs or ROCm, images and packages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain

from migrate.model.signals import Kind, Signal
from migrate.model.verdict import State
from migrate.parse.ecosystem.cluster_yaml import cluster_signals
from migrate.parse.ecosystem.command_lines import (
    logical_lines,
    nvcc_signals,
    setting_of_nvcc,
)
from migrate.parse.ecosystem.nvcc_options import names_nvcc
from migrate.parse.ecosystem.packages import (
    image_signals,
    is_rocm_image,
    named_images,
    requirement_signals,
)
from migrate.parse.ecosystem.requirements import conda_lines
from migrate.parse.ecosystem.shell import script_lines, shell_signals, variable_signals
from migrate.parse.ecosystem.shell_branches import is_script_for_rocm, with_states
from migrate.parse.ecosystem.words import ci_rocm_word_in

_SYSTEMS = (
    (re.compile(r"(?:^|/)\.github/(?:workflows|actions)/.+\.ya?ml$"), "github"),
    (re.compile(r"(?:^|/)(?:\.gitlab-ci[\w.-]*\.ya?ml|\.gitlab(?:-ci)?/.+\.ya?ml)$"), "gitlab"),
    (re.compile(r"(?:^|/)Jenkinsfile[\w.-]*$|\.jenkinsfile$", re.IGNORECASE), "jenkins"),
    (re.compile(r"(?:^|/)\.?[\w-]*azure-pipelines(?:[\w.-]*|/.+)\.ya?ml$"), "azure"),
    (re.compile(r"(?:^|/)\.buildkite/.+\.ya?ml$"), "buildkite"),
    (re.compile(r"(?:^|/)\.circleci/.+\.ya?ml$"), "circleci"),
    (re.compile(r"(?:^|/)\.travis\.ya?ml$"), "travis"),
    (re.compile(r"(?:^|/)\.cirrus\.ya?ml$"), "cirrus"),
    (re.compile(r"(?:^|/)\.?appveyor\.ya?ml$"), "appveyor"),
    (re.compile(r"(?:^|/)bitbucket-pipelines\.ya?ml$"), "bitbucket"),
)  # fmt: skip
_SCRIPT_FOLDER = re.compile(
    r"(?:^|/)(?:\.?ci|\.github|\.gitlab(?:-ci)?|\.buildkite|\.circleci|\.jenkins|jenkins|\.travis"
    r"|\.azure-pipelines|\.kokoro)/",
    re.IGNORECASE,
)
_MACHINE_KEY = re.compile(
    r"\s*-?\s*(?:runs-on|runner|tags|agents|queue|resource_class|labels?|pool|vmImage|demands|node"
    r"|agent|accelerator|machine|gpu|instance|os|host)\b[\"']?\s*[:({\[]?",
    re.IGNORECASE,
)
_GPU_WORD = re.compile(
    r"(?<![a-z0-9])(?:gpus?|nvidia|cuda[\d.]*|[avhlt]100|h200|a10g?|l40s?|t4|v100|rtx\w*|linux\.g\d\w*"
    r"|g\d[a-z]{0,2}\.\d*x?large)(?![a-z0-9])",
    re.IGNORECASE,
)
_NO_GPU = re.compile(r"(?<![a-z])(?:no|non|without)[-_ ]?gpu", re.IGNORECASE)
_GPU_ASKED = re.compile(
    r"--gpus[= ]|--runtime[= ]nvidia|nvidia\.com/gpu|\bnvidia-smi\b|--gres[= ]gpu"
)
_IMAGE = re.compile(
    r"\s*-?\s*[\"']?(?:image|container)[\"']?\s*:\s*[\"']?([\w./-]+(?::[\w.${}-]+)?)[\"']?\s*(?:#.*)?$"
)
_TOOLKIT_ACTION = re.compile(r"[\w-]+/[Cc]uda-toolkit(?=@)")
_ACTION_VERSION = re.compile(r"\s*cuda\s*:\s*[\"']?(\d+\.\d+)")
_PAIR = re.compile(r"\s*-?\s*([A-Z_][A-Z0-9_]*)\s*:\s*[\"']?([^\"'#\n]*)")
_COMMENT = re.compile(r"^\s*(?:#|//).*$|\s#\s.*$")
_RECIPE = re.compile(r"(?:^|/)(?:meta|recipe)\.ya?ml(?:\.template)?$")
_MATRIX_CUDA = re.compile(r"\s*-?\s*cuda(?:[-_]version)?s?\s*:\s*(.*\d.*)", re.IGNORECASE)
_VERSION_TEXT = re.compile(r"(?<![\d.])(1[0-9]\.\d{1,2})(?:\.\d+)?(?![\d.])")
_ACTION_REACH = 6
_KEY = re.compile(r"\s*(?:-\s+)*(?:[\"']?[\w.-]+[\"']?\s*:\s)?\s*(?:[|>][-+]?\s)?\s*[\"'\[]*")
_SAID = re.compile(
    r"\s*(?:-\s+)*[\"']?(?:name|displayName|description|summary|title|label|help|message|about)"
    r"[\"']?\s*:"
)
"""Keys whose values are told to people."""
_OF_NVCC = frozenset({Kind.NVCC, Kind.OPTION, Kind.CUDA_VARIABLE})
_SPOKEN = re.compile(r"(?:^|(?<=[;&]))\s*(?:echo|printf)\s[^;&|]*")
_PROSE = re.compile(r"(?:^|/)(?:ISSUE|DISCUSSION)_TEMPLATE/", re.IGNORECASE)


def ci_system(path: str) -> str:
    """Return the CI system that a file belongs to; "" where it is none's."""
    return next((name for form, name in _SYSTEMS if form.search(path)), "")


def read_shell(path: str, text: str) -> Iterator[Signal]:
    """Yield what a shell or batch script says; one in CI's folders says what CI has too."""
    lines = tuple(script_lines(text))
    signals = with_states(chain(_script(path, lines), _nvcc(text)), lines)
    if not is_script_for_rocm(lines):
        yield from signals
        return
    yield from (replace(one, state=State.HIP) for one in signals)


def _nvcc(text: str) -> Iterator[Signal]:
    if not names_nvcc(text):
        return
    for line, content in logical_lines(text, "#"):
        yield from nvcc_signals(line, content)


def _script(path: str, lines: Iterable[tuple[int, str]]) -> Iterator[Signal]:
    ci = _SCRIPT_FOLDER.search(path) is not None
    for line, content in lines:
        yield from shell_signals(content, line)
        yield from named_images(_SPOKEN.sub(" ", content), line)
        if ci:
            asked = _GPU_ASKED.search(content)
            if asked is not None:
                yield Signal(Kind.CI_GPU, asked[0].strip(), line)
            if rocm := ci_rocm_word_in(content):
                yield Signal(Kind.CI_ROCM, rocm, line)


def read_yaml(path: str, text: str) -> Iterator[Signal]:
    """Yield what a CI file, a compose or cluster file or a conda recipe says.

    Where it names ROCm too, nvcc and its options are ported: both are built already.
    """
    if _PROSE.search(path):
        return
    found = [*_yaml(path, text), *_yaml_nvcc(text)]
    rocm = any(one.kind in {Kind.HIP, Kind.CI_ROCM} for one in found)
    for one in found:
        yield replace(one, state=State.PORTED) if rocm and one.kind in _OF_NVCC else one


def _yaml_nvcc(text: str) -> Iterator[Signal]:
    """Yield nvcc, its options and CMake's definitions in the commands of a YAML file."""
    if not names_nvcc(text):
        return
    for line, content in logical_lines(text, "#"):
        if _SAID.match(content) or content.lstrip().startswith("//"):
            continue
        pair = _PAIR.match(content)
        if pair is not None:
            yield from setting_of_nvcc(pair[1], pair[2].strip(), line)
        else:
            yield from nvcc_signals(line, _KEY.sub("", content, count=1))


def _yaml(path: str, text: str) -> Iterator[Signal]:
    system = ci_system(path)
    if system:
        yield Signal(Kind.CI, system, 1)
    if _RECIPE.search(path):
        yield from _recipe(text)
    yield from cluster_signals(text)
    action = 0
    for line, raw in enumerate(text.splitlines(), start=1):
        content = _COMMENT.sub("", raw)
        if not content.strip():
            continue
        if system:
            yield from _machine(content, line)
        if used := _TOOLKIT_ACTION.search(content):
            action = line
            yield Signal(Kind.INSTALLER, used[0], line)
        yield from _entries(content, line)
        version = _ACTION_VERSION.match(content)
        if version is not None and action and line - action <= _ACTION_REACH:
            yield Signal(Kind.CUDA_VERSION, version[1], line)


def _machine(content: str, line: int) -> Iterator[Signal]:
    """Yield the words that show a GPU or ROCm in a CI job."""
    asked = _GPU_ASKED.search(content)
    if asked is not None:
        yield Signal(Kind.CI_GPU, asked[0].strip(), line)
    elif (key := _MACHINE_KEY.match(content)) and not _NO_GPU.search(content):
        word = _GPU_WORD.search(content, 0 if content[key.end() :].strip() else len(content))
        if word is not None:
            yield Signal(Kind.CI_GPU, word[0], line)
    rocm = ci_rocm_word_in(content)
    if rocm:
        yield Signal(Kind.CI_ROCM, rocm, line)


def _entries(content: str, line: int) -> Iterator[Signal]:
    image = _IMAGE.match(content)
    if image is not None and ("/" in image[1] or ":" in image[1]):
        yield from image_signals(image[1], line)
        if is_rocm_image(image[1]):
            yield Signal(Kind.HIP, image[1], line)
    else:
        yield from named_images(content, line)
    pair = _PAIR.match(content)
    if pair is not None:
        yield from variable_signals(pair[1], pair[2].strip(), line)
    matrix = _MATRIX_CUDA.match(content)
    if matrix is not None and image is None:
        for match in _VERSION_TEXT.finditer(matrix[1]):
            yield Signal(Kind.CUDA_VERSION, match[1], line)
    yield from shell_signals(content, line)


def _recipe(text: str) -> Iterator[Signal]:
    """Yield the packages of a conda recipe; a recipe that asks for CUDA publishes a package."""
    cuda = 0
    for line, requirement in conda_lines(text):
        for signal in requirement_signals(requirement, line):
            yield signal
            if signal.kind is Kind.REQUIREMENT and signal.value.startswith(
                ("cuda", "libcu", "cudnn")
            ):
                cuda = cuda or line
    if cuda:
        yield Signal(Kind.PACKAGE, "conda", cuda)
