"""Containers, clusters, batch jobs and scripts: what they say, and for which vendor."""

from __future__ import annotations

import time

import pytest

from migrate.facts.project_files import with_signals
from migrate.model.signals import EcosystemFacts, Kind
from migrate.model.source import Language
from migrate.model.vendor import is_for_rocm, without_vendor
from migrate.model.verdict import State
from migrate.parse.ecosystem.reader import read_ecosystem
from migrate.parse.ecosystem.yaml_tree import yaml_entries


def said(facts: EcosystemFacts, kind: Kind) -> list[tuple[str, int]]:
    return [(one.value, one.line) for one in facts.signals if one.kind is kind]


def states(facts: EcosystemFacts, kind: Kind) -> dict[str, State]:
    return {one.value: one.state for one in facts.signals if one.kind is kind}


def docker(text: str, path: str = "Dockerfile") -> EcosystemFacts:
    return read_ecosystem(path, Language.DOCKER, text)


def shell(text: str, path: str = "run.sh") -> EcosystemFacts:
    return read_ecosystem(path, Language.SHELL, text)


def yaml(text: str, path: str = "deploy.yaml") -> EcosystemFacts:
    return read_ecosystem(path, Language.YAML, text)


def test_arguments_of_arguments_are_put_into_an_image() -> None:
    facts = docker(
        "ARG OS=ubuntu22.04\nARG TAG=12.4.1-devel-${OS}\nARG OTHER\n"
        "FROM nvidia/cuda:${TAG}\nFROM ${OTHER:-alpine}:3\nFROM $UNKNOWN\n"
    )
    assert said(facts, Kind.IMAGE) == [
        *(("$UNKNOWN", 6), ("alpine:3", 5), ("nvidia/cuda:12.4.1-devel-ubuntu22.04", 4))
    ]


def test_a_stage_on_an_image_of_rocm_is_hip_and_so_are_stages_on_it() -> None:
    facts = docker(
        "FROM rocm/dev-ubuntu-22.04:6.2 AS amd\nENV NCCL_DEBUG=1\n"
        "FROM amd AS more\nENV CUDA_CACHE_PATH=x\nFROM ubuntu:22.04\nENV NCCL_ALGO=Ring\n"
    )
    assert states(facts, Kind.ENVIRONMENT) == {
        "NCCL_DEBUG": State.HIP,
        "CUDA_CACHE_PATH": State.HIP,
        "NCCL_ALGO": State.ACTIVE,
    }


def test_a_here_document_is_commands_where_it_is_run_and_data_where_it_is_copied() -> None:
    facts = docker(
        "FROM ubuntu:22.04\nRUN <<EOF\napt-get install -y libnccl-dev\nEOF\n"
        "COPY <<EOF /x\napt-get install -y libcudnn8\nEOF\nRUN nsys --version\n"
    )
    assert said(facts, Kind.SYSTEM_PACKAGE) == [("libnccl-dev", 3)]
    assert said(facts, Kind.TOOL) == [("nsys", 8)]


def test_what_goes_on_over_lines_stands_where_it_is_written() -> None:
    facts = docker("FROM ubuntu:22.04\nRUN true && \\\n # why\n apt install \\\n  libnccl2 gcc\n")
    assert said(facts, Kind.SYSTEM_PACKAGE) == [("libnccl2", 5)]


def test_an_apptainer_definition_is_read_by_its_sections() -> None:
    facts = docker(
        "Bootstrap: docker\nFrom: nvidia/cuda:12.4.1-devel-ubuntu22.04\n\n%post\n"
        "    apt-get install -y libnccl-dev\n%labels\n    Tool nsys profile\n"
        "%environment\n    export NCCL_DEBUG=WARN\n",
        "app.singularity.dockerfile",
    )
    assert said(facts, Kind.IMAGE) == [("nvidia/cuda:12.4.1-devel-ubuntu22.04", 2)]
    assert said(facts, Kind.SYSTEM_PACKAGE) == [("libnccl-dev", 5)]
    assert said(facts, Kind.ENVIRONMENT) == [("NCCL_DEBUG", 9)]
    assert said(facts, Kind.TOOL) == []


def test_compose_and_cluster_files_say_how_gpus_are_asked_for() -> None:
    facts = yaml(
        "services:\n  a:\n    runtime: nvidia\n    gpus: all\n    environment:\n"
        "      - NVIDIA_VISIBLE_DEVICES=all\n    deploy:\n      resources:\n        reservations:\n"
        "          devices:\n            - driver: nvidia\n              capabilities: [gpu]\n---\n"
        "spec:\n  nodeSelector: {accelerator: nvidia-tesla-t4}\n  limits: {nvidia.com/gpu: 1}\n"
    )
    assert said(facts, Kind.GPU_REQUEST) == [
        *(("driver: nvidia", 11), ("gpus: all", 4), ("runtime: nvidia", 3))
    ]
    assert said(facts, Kind.CLUSTER_GPU) == [("nvidia-tesla-t4", 15), ("nvidia.com/gpu", 16)]
    assert said(facts, Kind.ENVIRONMENT) == [("NVIDIA_VISIBLE_DEVICES", 6)]


def test_helm_templates_are_read_whatever_stands_in_their_expressions() -> None:
    text = (
        "{{- if .Values.gpu }}\nenv:\n  {{- range .Values.env }}\n  - name: NCCL_DEBUG\n"
        "    value: {{ .v | quote }}\n  {{- end }}\nlimits:\n  nvidia.com/gpu: {{ .n }}\n"
        "{{- end }}\n{{ .Values.key }}: {{ toYaml . | nindent 4 }}\n"
    )
    facts = yaml(text, "templates/a.yaml.template")
    assert said(facts, Kind.CLUSTER_GPU) == [("nvidia.com/gpu", 8)]
    assert said(facts, Kind.ENVIRONMENT) == [("NCCL_DEBUG", 4)]


def test_a_file_that_is_no_yaml_is_read_line_by_line() -> None:
    text = "a: b: [c\n  image:\n    repository: nvcr.io/nvidia/x\n    tag: 1\n- d: {\n"
    found = [(one.key, one.value, one.line) for one in yaml_entries(text)]
    assert ("repository", "nvcr.io/nvidia/x", 3) in found
    assert said(yaml(text), Kind.IMAGE) == [("nvcr.io/nvidia/x:1", 3)]


def test_an_image_in_two_values_is_one() -> None:
    facts = yaml("image:\n  repository: vllm/vllm-openai\n  tag: v0.6\ngit:\n  repository: a/b\n")
    assert said(facts, Kind.IMAGE) == [("a/b", 5), ("vllm/vllm-openai:v0.6", 2)]


def test_issue_templates_are_prose() -> None:
    assert yaml("about: nvidia-smi\n", ".github/ISSUE_TEMPLATE/bug.yml").signals == ()


def test_a_job_says_type_and_modules() -> None:
    facts = shell(
        "#!/bin/bash\n#SBATCH --gres=gpu:a100:2\n#SBATCH --gpus-per-node=4\n#SBATCH -C v100|p100\n"
        "#PBS -l select=1:ngpus=2:gpu_model=v100\nmodule load gcc CUDA/12.1 openmpi/4-cuda\n"
        "srun --gpus-per-task=mi300x:1 app\nsrun --gres=gpu:your_gpus app\n",
        "job.sbatch",
    )
    assert said(facts, Kind.GPU_TYPE) == [("a100", 2), ("v100", 4), ("v100", 5)]
    assert said(facts, Kind.MODULE) == [("CUDA/12.1", 6), ("openmpi/4-cuda", 6)]


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("mpirun --mca opal_cuda_support 1 a", "opal_cuda_support"),
        ("export UCX_TLS=rc,cuda_ipc", "UCX_TLS=rc,cuda_ipc"),
        ("mpirun -x OMPI_MCA_opal_cuda_support=1 a", "OMPI_MCA_opal_cuda_support"),
        ("export MV2_USE_CUDA=1", "MV2_USE_CUDA"),
        ("cd openmpi && ./configure --with-cuda", "--with-cuda"),
    ],
)
def test_mpi_that_takes_gpu_memory_is_told(line: str, value: str) -> None:
    assert said(shell(line), Kind.MPI_GPU) == [(value, 1)]


@pytest.mark.parametrize(
    "line",
    [
        *(
            "mpirun -n 4 a",
            "export UCX_TLS=rc,sm",
            "export MV2_USE_CUDA=0",
            "mpirun --mca pml ucx a",
        ),
        *(
            "./configure --with-cuda",
            "echo MV2_USE_CUDA=1",
            "cd openmpi && ./configure --with-cuda=no",
        ),
    ],
)
def test_plain_mpi_is_not(line: str) -> None:
    assert said(shell(line), Kind.MPI_GPU) == []


def test_branches_of_a_script_for_either_vendor_are_told_apart() -> None:
    facts = shell(
        "if [ -e /dev/kfd ]; then\n  module load cuda/1\nelse\n  module load cuda/2\nfi\n"
        "if [ $GPU = cuda ]; then\n  module load cuda/3\nfi\n"
        "case $V in\n  rocm) module load cuda/4 ;;\n  cuda)\n    module load cuda/5\n    ;;\nesac\n"
        "if [ -n $ROCM_PATH ]; then\n  module load cuda/6\n"
    )
    assert states(facts, Kind.MODULE) == {
        "cuda/1": State.HIP,
        "cuda/2": State.PORTED,
        "cuda/3": State.ACTIVE,
        "cuda/4": State.HIP,
        "cuda/5": State.PORTED,
        "cuda/6": State.ACTIVE,
    }


def test_a_script_that_uses_rocm_and_names_nothing_of_cuda_is_for_rocm() -> None:
    text = "module load rocm/6.4\nexport MPICH_GPU_SUPPORT_ENABLED=1\n"
    assert states(shell(text), Kind.MPI_GPU) == {"MPICH_GPU_SUPPORT_ENABLED": State.HIP}
    assert set(states(shell(f"{text}nvidia-smi\n"), Kind.MPI_GPU).values()) == {State.ACTIVE}


@pytest.mark.parametrize(
    ("path", "rocm"),
    [
        *(("Dockerfile.rocm", True), ("docker/amd/run.sh", True), ("k8s-mi300x.yaml", True)),
        *(("Dockerfile", False), ("build_amd64.sh", False), ("ship.sh", False)),
        ("rocm_and_cuda.sh", False),
    ],
)
def test_a_name_says_for_which_vendor_a_file_is(path: str, rocm: bool) -> None:
    assert is_for_rocm(path) is rocm


def test_a_file_for_cuda_is_ported_where_its_twin_for_rocm_stands_beside_it() -> None:
    text = "FROM nvidia/cuda:12.4.1-base-ubuntu22.04\n"
    paths = ("Dockerfile", "Dockerfile_amd", "Dockerfile_trt", "ci/cuda/Dockerfile")
    files = with_signals((), [docker(text, path) for path in paths])
    found = {file.path: states(_facts(file.signals), Kind.IMAGE) for file in files}
    assert [next(iter(found[path].values())) for path in paths] == [
        *(State.PORTED, State.HIP, State.ACTIVE, State.ACTIVE)
    ]
    assert without_vendor("docker/cuda/Dockerfile") == without_vendor("docker/rocm/Dockerfile")


def _facts(signals: tuple[object, ...]) -> EcosystemFacts:
    return EcosystemFacts(path="", language=Language.DOCKER, signals=signals)  # type: ignore[arg-type]


HOSTILE = {
    "deep": "nvidia.com/gpu: " + "[" * 50_000,
    "aliases": "a: &a [x]\n" + "b: [*a, *a]\nnvidia.com/gpu: 1\n" * 2000,
    "expressions": "nvidia.com/gpu: 1\n" + "{{ " * 100_000,
    "spaces": "nvidia.com/gpu" + " " * 200_000 + "x\n",
    "ifs": "if rocm\n" * 20_000 + "nvidia-smi\n" * 5000,
    "continued": "nvidia-smi \\\n" * 20_000,
    "options": "srun " + "--gpus=a " * 20_000,
    "rocm-smi": "rocm-smi " * 50_000 + "--setmempolicy",
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("language", [Language.YAML, Language.SHELL, Language.DOCKER])
def test_reading_hostile_text_takes_time_in_proportion(name: str, language: Language) -> None:
    start = time.process_time()
    read_ecosystem("x", language, HOSTILE[name])
    assert time.process_time() - start < 8


def test_a_job_that_builds_for_cuda_beside_one_for_rocm_is_ported() -> None:
    cuda = "jobs:\n  cuda:\n    steps:\n      - run: cmake -DCMAKE_CUDA_ARCHITECTURES=80 ..\n"
    rocm = "  hip:\n    steps:\n      - run: cmake -DUSE_HIP=ON ..\n"
    alone = yaml(cuda, ".github/workflows/build.yml")
    both = yaml(cuda + rocm, ".github/workflows/build.yml")
    assert states(alone, Kind.CUDA_VARIABLE) == {"CMAKE_CUDA_ARCHITECTURES": State.ACTIVE}
    assert states(both, Kind.CUDA_VARIABLE) == {"CMAKE_CUDA_ARCHITECTURES": State.PORTED}


def test_texts_for_people_and_commands_that_only_speak_of_nvcc_give_no_options() -> None:
    facts = yaml(
        "jobs:\n  - name: nvcc -arch=sm_80 a.cu -o a\n    run: echo nvcc -arch=sm_80 a.cu\n"
        "    # nvcc -arch=sm_80 a.cu\n",
        ".github/workflows/build.yml",
    )
    assert not said(facts, Kind.OPTION)
    assert not said(facts, Kind.NVCC)


def test_gpus_asked_for_in_a_variable_or_a_list_are_a_jobs() -> None:
    facts = yaml(
        "env:\n  SLURM_GRES: 'gpu:2'  # a node\nargs:\n  - '--gres=gpu:a100:4'\n  PROGRESS: gpu\n"
    )
    assert said(facts, Kind.JOB_GPU) == [("--gres=gpu:a100:4", 4), ("SLURM_GRES: 'gpu:2", 2)]


def test_a_containers_options_in_a_variable_ask_for_gpus() -> None:
    facts = yaml("env:\n  DOCKER_OPT: '--ipc=host --gpus all --user root'\n  OPT: '--gpus all'\n")
    assert said(facts, Kind.GPU_REQUEST) == [("--gpus all", 2)]


def test_images_are_read_under_any_key_and_in_variables_of_scripts() -> None:
    listed = yaml('docker:\n  - {name: hpc, url: "nvcr.io/nvidia/nvhpc:25.1-devel", arch: x86}\n')
    assert said(listed, Kind.IMAGE) == [("nvcr.io/nvidia/nvhpc:25.1-devel", 2)]
    script = shell("IMG=nvcr.io/nvidia/pytorch:24.01-py3\necho nvcr.io/nvidia/pytorch:24.01-py3\n")
    assert said(script, Kind.IMAGE) == [("nvcr.io/nvidia/pytorch:24.01-py3", 1)]


def test_packages_in_a_variable_are_the_systems() -> None:
    facts = shell('pkg_list="nvidia-cuda-toolkit openmpi-bin"\nNOTE="cuda-toolkit is needed"\n')
    assert said(facts, Kind.SYSTEM_PACKAGE) == [("nvidia-cuda-toolkit", 1)]


def test_what_a_debian_package_needs_is_the_systems_package() -> None:
    facts = read_ecosystem(
        "debian/control",
        Language.OTHER_BUILD,
        "Source: heat\nBuild-Depends: debhelper,\n nvidia-cuda-toolkit (>= 11)\n"
        "Description: for cuda\n"
        " needs cuda-toolkit-12-4 and patience\n",
    )
    assert said(facts, Kind.SYSTEM_PACKAGE) == [("nvidia-cuda-toolkit", 3)]
