"""Batch jobs, scripts, CI and the variables that they set."""

from __future__ import annotations

from migrate.model.rule import Rule
from migrate.rules.cluster import (
    binary_tool,
    ci_gpu,
    cuda_module,
    cuda_variable,
    debugger_command,
    gpu_sharing,
    gpu_type,
    monitor_command,
    profiler_command,
    toolkit_path,
)

RULES: tuple[Rule, ...] = (
    gpu_type.RULE,
    cuda_module.RULE,
    monitor_command.RULE,
    profiler_command.RULE,
    gpu_sharing.RULE,
    toolkit_path.RULE,
    ci_gpu.RULE,
    cuda_variable.RULE,
    binary_tool.RULE,
    debugger_command.RULE,
)
