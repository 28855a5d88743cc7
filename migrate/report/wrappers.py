"""What a report says of a header that gives CUDA's names names of its own."""

from __future__ import annotations

from migrate.model.assessment import CompatibilityLayer
from migrate.report.numbers import count, plural


def wrapper_line(layer: CompatibilityLayer) -> str:
    """Where a layer is, how much hangs on it, and what to do there."""
    uses = f" (at least {plural(layer.expansions, 'use')} through it)" if layer.expansions else ""
    says = f"{layer.path} wraps {plural(layer.names, 'CUDA name')}{uses}"
    left = layer.names - layer.ported
    if not left:
        return f"{says}, all of them mapped to HIP already"
    if not layer.ported:
        return f"{says}: map these there, and the callers follow"
    done = f"{count(layer.ported)} of them mapped to HIP already"
    return f"{says}, {done}: map the other {count(left)} there, and the callers follow"
