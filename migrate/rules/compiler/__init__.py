"""What clang and HIP's headers take otherwise than nvcc and CUDA's."""

from __future__ import annotations

from migrate.model.rule import Rule
from migrate.rules.compiler import (
    bit_search,
    dependent_call,
    grid_constant,
    header,
    host_math,
    implicit_header,
    nvcc_pragma,
    own_min_max,
    own_operators,
    register_keyword,
    specialisation,
)

RULES: tuple[Rule, ...] = (
    own_operators.RULE,
    dependent_call.RULE,
    specialisation.RULE,
    register_keyword.RULE,
    grid_constant.RULE,
    header.RULE,
    implicit_header.RULE,
    own_min_max.RULE,
    nvcc_pragma.RULE,
    host_math.RULE,
    bit_search.RULE,
)
