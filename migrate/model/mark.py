"""Constructs of a file that rules judge and that no table of names can tell."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from migrate.model.verdict import Side, State


class MarkKind(StrEnum):
    """What a mark is; the comment says what its symbol and its ``values`` are."""

    OWN_OPERATOR = "own-operator"
    """A free operator on CUDA's vector or complex types: ``operator+``; (its sign, both parameters'
    types without ``const``, with ``&`` where it may change one, where it runs: ``both``,
    ``device``, ``host``, "" where a macro may say it)."""
    OWN_MIN_MAX = "own-min-max"
    """A template ``min`` or ``max`` of two values, for the device and in no namespace: its name."""
    DEPENDENT_CALL = "dependent-call"
    """A member template called on a type that a template parameter decides, without the word
    ``template``: the call's head; (the member)."""
    BARE_SPECIALISATION = "bare-specialisation"
    """A specialisation without the ``__device__`` that the function template has: its name."""
    REGISTER = "register"
    """The storage class ``register``."""
    PRAGMA = "pragma"
    """A pragma that only nvcc knows: its name."""
    OFFLOAD_PRAGMA = "offload-pragma"
    """A pragma that runs code on a GPU, without its clauses: ``acc parallel loop``,
    ``omp target``."""
    BRACE_ASSIGNMENT = "brace-assignment"
    """``pair = {a, b}`` on a variable of a half type: the variable; (its type, the text between the
    braces)."""
    TYPED_ARGUMENT = "typed-argument"
    """A call with one argument that is a variable or a cast: the function; (the argument, the type
    that the cast, or a declaration in the function around it, says)."""
    FP8_CHOICE = "fp8-choice"
    """PyTorch's OCP fp8 type chosen once for much code: the type; (``alias`` or ``case``)."""
    HOST_MATH = "host-math"
    """A function of CUDA's mathematics, as ``rsqrtf``, called in a host function: its name."""
    LIBRARY_CALL = "library-call"
    """A call of the C library in a file that does not include its header: the function."""
    CONSTANT = "constant"
    """A named integer: its name; (value as a decimal number, ``macro``/``constant``/``enum``/
    ``template``/``function``, bits of its type, "" where the value gives them)."""
    CONSTANT_ALIAS = "constant-alias"
    """A named warp size that is another name: its name; (the other,)."""
    LANE_ARITHMETIC = "lane-arithmetic"
    """``tid & 31``: the text; (left side, operator, right side as written)."""
    GPU_IMAGE = "gpu-image"
    """A whole file of PTX or of machine code: its suffix; none."""
    KERNEL_TEXT = "kernel-text"
    """CUDA source code in a string literal: ``__global__``; none."""
    MATRIX_CALL = "matrix-call"
    """A call whose name speaks of matrix products, as ``load_ldmatrix``: the name; none."""
    PTX_TEXT = "ptx-text"
    """PTX in a string literal: its target, as ``sm_80``; none."""
    """``tid & 31``: the text; (left side, operator, right side as written, where the left side
    comes from: ``thread``, ``grid``, ``name`` for a name that says so)."""
    WMMA_FRAGMENT = "wmma-fragment"
    """``wmma::fragment<matrix_a, 16, 16, 16, half>``: the text; (use, rows, columns, depth,
    element type as written)."""
    QUALIFIER = "qualifier"
    """``__launch_bounds__(256, 2)``, ``__managed__``: its name; (arguments as written)."""
    MEMBER = "member"
    """``pipe.producer_commit``: the name of a member that only CUDA's objects have."""
    LANE_MASK = "lane-mask"
    """A mask given to a builtin, which stands at the place: its name; (the mask, the bits of its
    type, "" for unknown)."""
    MASK_VARIABLE = "mask-variable"
    """A local 32-bit mask given to a warp function of the project's: its name; (the function)."""
    MASK_RESULT = "mask-result"
    """A builtin whose lane mask ends in 32 bits: its name; (the variable, "return" or "", "32")."""
    MASK_BITS = "mask-bits"
    """``__popc(mask)`` of a lane mask: the function; (the mask, ``direct`` for a builtin's result
    or ``held`` for a variable)."""
    LANE_BIT = "lane-bit"
    """``1 << lane`` in 32 bits: the text; (left side, right side)."""
    WARP_LOOP = "warp-loop"
    """``for (o = 16; o > 0; o /= 2)`` with a shuffle or steps in memory: start or end; (the bound,
    ``down``, ``up`` or ``up to``, the shuffle or ``shared``, the shuffle's width or "")."""
    LANE_STEP = "lane-step"
    """``shfl(x, 16 + lane)``: the text; (the function,)."""
    SHARED_STEP = "shared-step"
    """``a[i + 16]`` in a reduction of steps written out, or ``exchange(i, i + 16)`` of a function
    that does it: the text; (array or function, step, what orders it behind the one before:
    ``barrier``, ``volatile``, ``syncwarp`` or "")."""
    LANE_BROADCAST = "lane-broadcast"
    """A read of the shared entry that one lane of the warp has just written: the text; (the array,
    ``volatile`` or "")."""
    WARP_ARRAY = "warp-array"
    """A shared array of so many threads by a warp: its name; (extent, what it is divided by)."""
    WARP_READ = "warp-read"
    """A lane's read, with no guard, of a shared array written by warp: the text; (the array,)."""
    WARP_SIZE_CONSTANT = "warp-size-constant"
    """``warpSize``, or a name like it, where a constant is wanted: the name; (by what,)."""
    WARP_SIZE_TEST = "warp-size-test"
    """A comparison with 32 after which the program gives up: the text; (what, the operator)."""
    WAVEFRONT_MACRO = "wavefront-macro"
    """``__AMDGCN_WAVEFRONT_SIZE``: the name; ()."""
    TILE = "tile"
    """``tiled_partition<32>``, ``thread_block_tile<32>``: the text; (the size,)."""
    CUB_WARP = "cub-warp"
    """``cub::WarpReduce<int>``: the name; (the template arguments)."""
    BLOCK_SIZE = "block-size"
    """A number of threads that launches get: the variable or call; (number, ``dim3`` for a
    variable's or ``template`` for a template argument's)."""
    LANE_WORD = "lane-word"
    """A word with a bit for each lane: the text; (``type`` for its name or ``rounded`` for a size
    in such words,)."""
    SYNCWARP = "syncwarp"
    """``__syncwarp``: its name; (the names of warp sizes in its function)."""
    CUDA_BRANCH = "cuda-branch"
    """A branch that no HIP build compiles since a macro of CUDA's is undefined there, from its line
    to its end: the condition; (the macro,)."""
    WARP_CALL = "warp-call"
    """A call of the project's own by a name like ``shfl`` or ``ballot``: the name; (bits of the
    first argument, "" for unknown, the arguments)."""
    KERNEL_ARGUMENT = "kernel-argument"
    """``cudaLaunchKernel<F>(f, ...)``: the function; (its template arguments or "", what it is
    given first)."""
    OWN_ATOMIC = "own-atomic"
    """A definition of a device function with the name of an atomic: the name; (the type that its
    first parameter points to, ``namespace`` in a named one)."""
    TYPED_ATOMIC = "typed-atomic"
    """``atomicAdd(&sum, x)`` on a floating, half or vector type: the function; (the type)."""
    WAITING_LOOP = "waiting-loop"
    """``while (flags[i] != n);`` in a kernel, or ``flags[j] = n;`` before it: the condition or the
    assignment; (``flag`` or ``lock``, ``one`` where one thread alone waits)."""

    CAPABILITY = "capability"
    """``prop.major``: the text; (what is done with it: ``compared``, ``counted``, ``kept`` or
    ``told``; ``copy``: a variable is compared that only by its name holds one)."""
    RTC_OPTION = "rtc-option"
    """An option that names the GPU for NVRTC: the option."""
    ENVIRONMENT = "environment"
    """An environment variable of CUDA's or ROCm's world that the host reads or sets: its name;
    (the function)."""
    CONDITIONAL = "conditional"
    """An ``#if`` with its branches: its condition; (the condition under which it is reached, "" for
    always; then for each branch ``first-last condition`` with the lines of its directive, the
    condition of ``#else`` being 1). Include guards are none."""
    SWITCH_MACRO = "switch-macro"
    """A macro that conditions may ask for: its name; (the condition under which it is defined, ""
    for always; its body)."""

    DEVICE_CALL = "device-call"
    """``malloc(``, ``new`` or ``clock(`` in device code: the word; ()."""
    RECURSION = "recursion"
    """A device function's call of itself, as far as text can tell: its name; ()."""
    DEVICE_VIRTUAL = "device-virtual"
    """A virtual function of device code: its name; (``both`` where the host has it too)."""
    DEVICE_POINTER = "device-pointer"
    """A pointer to a function in a ``__device__`` variable or a kernel's parameter: what is
    declared, or the pointer's type; ()."""
    EXTERN_DEVICE = "extern-device"
    """A device function or variable that another unit defines: its name; ()."""
    LOOP = "loop"
    """A host loop with CUDA in it: its keyword; (what it counts with, "" where that cannot be
    told, ``timed`` where a clock is read in it)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One construct at a place; lines and columns start at 1, columns count characters.

    ``symbol`` names it for a reader, ``values`` are its parts as :class:`MarkKind` says.
    ``function`` is the enclosing function's name, "" at file scope; ``first_line`` and
    ``last_line`` are that function's, 0 at file scope. ``line_hash`` is as in
    :class:`migrate.model.facts.UseTable`. Unlike uses, marks are also in code that only HIP builds
    compile (``State.HIP``).
    """

    kind: MarkKind
    symbol: str
    line: int
    end_line: int
    column: int
    function: str
    side: Side
    state: State
    line_hash: int
    values: tuple[str, ...] = ()
    first_line: int = 0
    last_line: int = 0
