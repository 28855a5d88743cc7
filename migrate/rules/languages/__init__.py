"""Other languages than CUDA C++: Fortran, directives, bindings, package recipes, layers."""

from __future__ import annotations

from migrate.model.rule import Rule
from migrate.rules.languages import (
    binding,
    c_interface,
    cuda_fortran,
    fortran_host,
    hpc_compiler,
    layer_switch,
    offload_target,
    openacc,
    recipe,
)

RULES: tuple[Rule, ...] = (
    cuda_fortran.RULE,
    fortran_host.RULE,
    c_interface.RULE,
    openacc.RULE,
    hpc_compiler.RULE,
    binding.RULE,
    recipe.RULE,
    layer_switch.RULE,
    offload_target.RULE,
)
