"""Features that HIP lacks, has later or has otherwise."""

from __future__ import annotations

from migrate.model.rule import Rule
from migrate.rules.features import (
    conditional_node,
    dependent_launch,
    device_clock,
    device_graph,
    device_heap,
    device_launch,
    device_recursion,
    extern_device,
    group_collective,
    indirect_call,
    launch_attribute,
    layered_surface,
    mipmap,
    no_images,
    texture_reference,
    texture_settings,
    vmm_unmap,
)

RULES: tuple[Rule, ...] = (
    conditional_node.RULE,
    launch_attribute.RULE,
    vmm_unmap.RULE,
    device_launch.RULE,
    device_graph.RULE,
    dependent_launch.RULE,
    texture_reference.RULE,
    no_images.RULE,
    mipmap.RULE,
    layered_surface.RULE,
    texture_settings.RULE,
    group_collective.RULE,
    device_heap.RULE,
    indirect_call.RULE,
    device_recursion.RULE,
    extern_device.RULE,
    device_clock.RULE,
)
