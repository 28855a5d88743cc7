"""What one file of the project around the code says: small signals, each with its line."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from migrate.model.source import Language
from migrate.model.verdict import State


class Kind(StrEnum):
    """What a signal speaks of; the comment says what its value is."""

    BUILD = "build"  # a build system that builds something here: cmake, make, setup.py
    BUILD_CUDA = "build_cuda"  # a build system that compiles CUDA here
    PROJECT = "project"  # what a build or package file calls the project: Kokkos, vllm
    TARGET = "target"  # a library that is built here, by the name it is linked with
    CUDA_OPTIONAL = "cuda_optional"  # the word that switches CUDA on or off
    CUDA_ARCH = "cuda_arch"  # sm_80
    ARCH_VARIABLE = "arch_variable"  # a variable of a Makefile that chooses them: SMS
    CUDA_VERSION = "cuda_version"  # 12.4, or 12 where the minor version is not said
    CUDA_AT_LEAST = "cuda_at_least"  # 12.2, the oldest that the build takes
    HIP = "hip"  # the word that shows HIP or ROCm support in a build file
    LINK = "link"  # a library as linked: cublas, nccl
    LINK_NAME = "link_name"  # the same where it is linked by its name: -lcublas
    FIND = "find"  # a CMake package: CUDNN, NCCL
    IMAGE = "image"  # a container image with its tag
    REQUIREMENT = "requirement"  # a Python or conda package, its name normalised
    SYSTEM_PACKAGE = "system_package"  # a distribution's package: libnccl-dev
    IMPORT = "import"  # a Python module: cupy, numba.cuda
    TOOL = "tool"  # a program of the CUDA toolkit or driver: nsys, nvidia-smi
    ENVIRONMENT = "environment"  # a variable that is set: NCCL_DEBUG
    SUBMODULE = "submodule"  # the last part of a repository's address: cutlass
    GPU_REQUEST = (
        "gpu_request"  # how a container is given NVIDIA's GPUs: --gpus all, runtime: nvidia
    )
    CLUSTER_GPU = "cluster_gpu"  # what Kubernetes or Swarm is asked for: nvidia.com/gpu
    OPERATOR = "operator"  # what brings NVIDIA's GPUs into a cluster: gpu-operator
    JOB_GPU = "job_gpu"  # how a batch job asks for GPUs: --gres=gpu:4
    GPU_TYPE = "gpu_type"  # the type of GPU that a job or machine names: a100
    MODULE = "module"  # an environment module that a job loads: cuda/12.4
    INSTALLER = "installer"  # how the CUDA toolkit itself is fetched: cuda-keyring, a run file
    TOOLKIT_PATH = (
        "toolkit_path"  # a variable with the toolkit's folder: CUDA_HOME, LD_LIBRARY_PATH
    )
    MPI_GPU = "mpi_gpu"  # what tells MPI or UCX to take GPU memory: UCX_TLS=cuda_copy
    KERNEL_MODULE = "kernel_module"  # a driver of NVIDIA's GPUs that is loaded: nvidia_peermem
    SETTING = "setting"  # a command or option that mappings/settings.csv knows: its name there
    PACKAGE = "package"  # what is published from here: image, python, conda
    TEST_FRAMEWORK = "test_framework"  # gtest, pytest
    CI = "ci"  # github, gitlab
    CI_GPU = "ci_gpu"  # the word that shows a GPU in CI
    CI_ROCM = "ci_rocm"  # the word that shows ROCm in CI
    DEFINITION = "definition"  # a macro as a CUDA build is given it: NAME, NAME=VALUE
    CUDA_STANDARD = "cuda_standard"  # c++17, for CUDA code
    CXX_STANDARD = "cxx_standard"  # c++17
    FORTRAN_KERNEL = "fortran_kernel"  # a kernel of CUDA Fortran, its name
    FORTRAN_DEVICE_CODE = "fortran_device_code"  # its other procedures for the device
    FORTRAN_LAUNCH = "fortran_launch"  # the kernel that is launched
    FORTRAN_DEVICE_DATA = "fortran_device_data"  # an attribute of data: device, managed, pinned
    FORTRAN_CALL = "fortran_call"  # CUDA's function as called in Fortran: cudaMemcpyAsync
    CUF_LOOP = "cuf_loop"  # a loop that the compiler makes a kernel of: kernel do
    C_INTERFACE = "c_interface"  # CUDA's C function that Fortran declares itself: cudaMalloc
    OPENACC = "openacc"  # a directive without its clauses: parallel loop
    HPC_OPTION = "hpc_option"  # an option of NVIDIA's HPC compilers: -gpu=cc80, -cudalib=cublas
    OFFLOAD_TARGET = "offload_target"  # a target of OpenMP or SYCL: -fopenmp-targets=nvptx64
    LAYER_SWITCH = "layer_switch"  # what builds a portable layer for CUDA: Kokkos_ENABLE_CUDA
    RECIPE = "recipe"  # CUDA in a package recipe, with its system: spack:CudaPackage
    BINDING = "binding"  # a dependency, with its registry or language: cargo:cudarc
    OPENMP_TARGET = "openmp_target"  # the same of OpenMP: target teams distribute
    PYTHON_NAME = "python_name"  # a GPU package's name in full: torch.version.cuda
    CAPABILITY = "capability"  # what GPU code decides by: torch.cuda.get_device_capability
    GPU_NAME = "gpu_name"  # the name of an NVIDIA GPU that code compares with: A100
    OPENED = "opened"  # a library of CUDA that is opened by its file's name: cublas
    CUDA_TEXT = "cuda_text"  # CUDA source inside another file: string, cell
    RUNTIME_SOURCE = "runtime_source"  # what compiles CUDA at run time: cupy.RawKernel
    UNREAD_SOURCE = "unread_source"  # the same where its source is not in the file
    CUDA_PACKAGE = "cuda_package"  # one in its build for CUDA: cupy-cuda12x, jax[cuda12]
    PROVIDER = "provider"  # an execution provider of ONNX Runtime: CUDAExecutionProvider
    WARPS = "warps"  # warps a block that a Triton kernel asks for: 32
    INCLUDED = "included"  # a file or folder that CMake takes in here, as it is written
    CUDA_LANGUAGE = "cuda_language"  # how CUDA is made a language: enable_language(CUDA)
    FIND_CUDA = "find_cuda"  # a command of CMake's old module FindCUDA: cuda_add_library
    CUDA_TOOLKIT = "cuda_toolkit"  # CMake's toolkit or a variable of it: CUDAToolkit_VERSION
    CUDA_TARGET = "cuda_target"  # an imported target of CMake: CUDA::cublas
    CUDA_VARIABLE = "cuda_variable"  # a variable or property of CMake: CMAKE_CUDA_ARCHITECTURES
    CUDA_CONDITION = "cuda_condition"  # what a build asks CUDA's compiler: COMPILE_LANGUAGE:CUDA
    FIND_MODULE = "find_module"  # the package of a Find module in the tree: NCCL
    NVCC = "nvcc"  # the words with which a command line or a variable names nvcc: $(NVCC)
    CUDA_RULE = "cuda_rule"  # what builds CUDA in another build system: cuda_library, if_cuda
    OPTION = "option"  # an option of nvcc as it is written: -gencode arch=compute_80,code=sm_80


@dataclass(frozen=True, slots=True, order=True)
class Signal:
    """One thing said at one line (from 1).

    ``state`` is that of a branch of the file: ``ported`` where a branch for HIP stands beside it,
    ``hip`` in that one. The reader of files fills in the line's hash, and the column (from 1)
    where the reader of the kind does not know it.
    """

    kind: Kind
    value: str
    line: int
    state: State = State.ACTIVE
    column: int = 1
    line_hash: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EcosystemFacts:
    """What one file says; ``error`` is why it could not be read ("" if it could)."""

    path: str
    language: Language
    signals: tuple[Signal, ...] = ()
    vendored: bool = False
    test: bool = False
    error: str = ""
    lines: int = 0
    """The file's length where it is source code, as Fortran."""
