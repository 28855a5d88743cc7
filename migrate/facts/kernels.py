"""The kernels of a project that are still to be ported, one row each, whoever saw them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from migrate.facts.graph_edges import Edges
from migrate.facts.graph_nodes import FunctionNodes
from migrate.model.facts import FileFacts
from migrate.model.kernel import KernelRow, KernelTraits, LaunchPlace
from migrate.model.semantic import KernelInstance, UnitFacts
from migrate.model.verdict import State


def kernel_rows(
    files: Sequence[FileFacts],
    units: Sequence[UnitFacts],
    kernels: Sequence[KernelInstance],
    third_party: Collection[str],
) -> tuple[KernelRow, ...]:
    """List the kernels in the project's own active code, in order of place.

    Args:
        files: the files of the tree.
        units: what the compiler says of launches.
        kernels: what all units together say of kernels.
        third_party: the paths of others' code.
    """
    units = sorted(units, key=lambda unit: unit.path)
    functions = FunctionNodes(files, units, kernels)
    nodes = {node.id: node for node in functions.nodes()}
    launches: dict[str, set[LaunchPlace]] = defaultdict(set)
    for edge in Edges(files, units, functions).launches():
        caller = nodes.get(edge.source)
        name = caller.name if caller is not None else ""
        launches[edge.target].update(
            LaunchPlace(name, place.path, place.line) for place in edge.places
        )
    own = {file.path: file for file in files if file.path not in third_party}
    rows = [
        KernelRow(
            name=node.name,
            path=node.path,
            line=node.line,
            traits=node.traits or KernelTraits(),
            launched_from=tuple(
                sorted(launches[node.id], key=lambda one: (one.path, one.line, one.function))
            ),
            seen_by=node.seen_by,
        )
        for node in nodes.values()
        if node.kernel and node.defined and node.path in own
        if _state_at(own[node.path], node.line) is State.ACTIVE
    ]
    return tuple(sorted(rows, key=lambda row: (row.path, row.line, row.name)))


def _state_at(file: FileFacts, line: int) -> State | None:
    """The state of a line by the last branch that holds it; None for disabled code."""
    state: State | None = State.HIP if file.hip else State.ACTIVE
    for branch in file.conditionals:
        if branch.line <= line <= branch.end_line:
            state = branch.state
    return state
