"""Compose, Kubernetes and Helm files: GPUs asked for, images in parts, variables, operators."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from migrate.model.signals import Kind, Signal
from migrate.parse.ecosystem.packages import image_signals
from migrate.parse.ecosystem.shell import variable_signals
from migrate.parse.ecosystem.yaml_tree import Entry, yaml_entries

_WORTH = re.compile(
    r"nvidia\.com|runtimeClassName|gke-accelerator|discrete_resource_spec|\bgpus:"
    r"|(?:runtime|driver|accelerator)[\"']?:\s*[\"']?nvidia|gpu-operator|device-plugin|dcgm"
    r"|repository[\"']?:[^\n]{0,80}(?:nvidia|nvcr|vllm|rapids|huggingface|pytorch|tensorflow)"
    r"|name[\"']?:\s*[\"']?(?:CUDA|HIP|MPICH|MV2|NCCL|NVIDIA|NVSHMEM|OMPI|UCX)_"
)
_RESOURCE = re.compile(r"(?:[\w-]+\.)?nvidia\.com/[\w.-]+")
_CDI = re.compile(r"nvidia\.com/gpu=\S+")
_OPERATOR = re.compile(
    r"(?:nvidia-)?gpu-operator|nvidia-device-plugin|k8s-device-plugin|gpu-feature-discovery"
    r"|dcgm-exporter|nvidia-dcgm-exporter"
)
_ENVIRONMENT = re.compile(r"env\w*|extraenv\w*|\w+env", re.IGNORECASE)
_SET = re.compile(r"([A-Za-z_]\w*)=(.*)")
_IMAGE_PATH = re.compile(r"[\w.-]+(?::\d+)?(?:/[\w.-]+)+")
_GKE = "cloud.google.com/gke-accelerator"


def cluster_signals(text: str) -> Iterator[Signal]:
    """Yield what a YAML file of containers says of NVIDIA's GPUs; nothing where it names none."""
    if _WORTH.search(text) is None:
        return
    entries = yaml_entries(text)
    for number, entry in enumerate(entries):
        yield from _gpus(entry)
        yield from _environment(entries, number)
        yield from _image(entries, number)


def _gpus(entry: Entry) -> Iterator[Signal]:
    key, value, line = entry.key, entry.value, entry.line
    if _RESOURCE.fullmatch(key) or key == _GKE:
        yield Signal(Kind.CLUSTER_GPU, key, line)
    if _CDI.fullmatch(value):
        yield Signal(Kind.GPU_REQUEST, value, line)
    elif _RESOURCE.fullmatch(value):
        yield Signal(Kind.CLUSTER_GPU, value, line)
    else:
        yield from _by_key(entry)
    if key == "name" and _OPERATOR.fullmatch(value):
        yield Signal(Kind.OPERATOR, value, line)


def _by_key(entry: Entry) -> Iterator[Signal]:
    """Yield what a value says under its key alone."""
    key, value, line = entry.key, entry.value, entry.line
    said = f"{key}: {value}"
    if key == "runtimeClassName" and value.startswith("nvidia"):
        yield Signal(Kind.CLUSTER_GPU, said, line)
    elif _is_node(entry):
        yield Signal(Kind.CLUSTER_GPU, value, line)
    elif said in {"runtime: nvidia", "driver: nvidia"} or _is_service_gpus(entry):
        yield Signal(Kind.GPU_REQUEST, said, line)


def _is_node(entry: Entry) -> bool:
    """Whether a value names NVIDIA's GPUs as a node or a service's resource has them."""
    if "nodeSelector" in entry.keys:
        return entry.value.startswith("nvidia-")
    return "discrete_resource_spec" in entry.keys and "gpu" in entry.value.lower()


def _is_service_gpus(entry: Entry) -> bool:
    return entry.key == "gpus" and "services" in entry.keys and entry.value != ""


def _environment(entries: Sequence[Entry], number: int) -> Iterator[Signal]:
    """Yield variables of ``env: [{name, value}]`` and of ``environment: [NAME=value]``."""
    entry, *rest = entries[number : number + 3]
    if not entry.keys:
        return
    inside = any(_ENVIRONMENT.fullmatch(key) for key in entry.keys)
    if inside and entry.key == "name":
        value = next((one.value for one in rest if one.key == "value"), "")
        yield from variable_signals(entry.value, value, entry.line)
    elif inside and (assigned := _SET.fullmatch(entry.value)):
        yield from variable_signals(assigned[1], assigned[2], entry.line)


def _image(entries: Sequence[Entry], number: int) -> Iterator[Signal]:
    """Yield an image whose repository and tag are two values; Helm's charts have them so."""
    entry, *rest = entries[number : number + 4]
    if entry.key != "repository" or not _IMAGE_PATH.fullmatch(entry.value):
        return
    beside = (one for one in rest if one.keys[:-1] == entry.keys[:-1])
    tag = next((one.value for one in beside if one.key == "tag"), "")
    yield from image_signals(f"{entry.value}:{tag}" if tag else entry.value, entry.line)
