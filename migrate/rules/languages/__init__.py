"""Other languages than CUDA C++: Fortran, directives, bindings, package recipes, layers."""

from __future__ import annotations

from migrate.model.rule import Rule
from migrate.rules.languages import c_interface, cuda_fortran, fortran_host, openacc

RULES: tuple[Rule, ...] = (
    cuda_fortran.RULE,
    fortran_host.RULE,
    c_interface.RULE,
    openacc.RULE,
)
