"""Whether Python code runs on CUDA alone, on ROCm alone or on both, by the conditions around it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from migrate.model.verdict import State
from migrate.parse.python.tree import Path, PythonTree, Step

if TYPE_CHECKING:
    from tree_sitter import Node

_HIP = (
    r"(?<![A-Za-z])(?:hip|rocm|amd|amdgpu|cdna\d?|rdna\d?|HIP|ROCM|AMD|gfx\w+)(?![A-Za-z])"
    r"|is_(?:hip|rocm)\w*"
)
_HIP_WORD = re.compile(_HIP)
_CUDA_ONLY = re.compile(
    r"\b_?is_(?:cuda|nvidia)\(|\bis_nvidia\b|\btorch\.version\.cuda\b(?!\s+is\s+None)"
    r"|\b(?:SYSTEM|\w*(?:[Vv]endor|[Pp]latform|[Bb]ackend))\s*==\s*[\"'](?:cuda|nvidia)[\"']"
)
_NEGATED = re.compile(
    rf"\bnot\s+[\w.]*(?:{_HIP})|(?:{_HIP})[\w.()]*\s*(?:is\s+None|==\s*None)"
    rf"|!=\s*[\"'](?:{_HIP})[\"']"
)
_NOT = re.compile(r"^\s*not\b")
_ENDS = frozenset({"return_statement", "raise_statement", "continue_statement", "break_statement"})
_MOST_BEFORE = 60
_LONGEST = 400
_OTHER_FILE = re.compile(r"(?:^|[/_.-])(?:rocm|hip|amd|amdgpu|aiter)(?:[/_.-]|$)", re.IGNORECASE)


def is_hip_file(path: str) -> bool:
    """Whether a file's path says that it is for ROCm: ``platforms/rocm.py``."""
    return _OTHER_FILE.search(path) is not None


def state_at(tree: PythonTree, path: Path) -> State:
    """The state of a place: ``hip`` where only ROCm runs it, ``ported`` where it has its own way.

    The innermost condition that speaks of HIP decides.
    """
    for at in range(len(path) - 1, 0, -1):
        parent, here = path[at - 1].node, path[at]
        found = _asked(tree, parent, here)
        if found is not State.ACTIVE:
            return found
    return State.ACTIVE


def runs_on_cuda(tree: PythonTree, path: Path) -> bool:
    """Whether CUDA builds reach a place."""
    return state_at(tree, path) is not State.HIP


def _asked(tree: PythonTree, parent: Node, here: Step) -> State:
    ask = _BY_PARENT.get(parent.type)
    return ask(tree, parent, here) if ask is not None else State.ACTIVE


def _in_elif(tree: PythonTree, clause: Node, here: Step) -> State:
    if here.field != "consequence":
        return State.ACTIVE
    return _state(_side(tree, clause.child_by_field_name("condition")))


def _in_operator(tree: PythonTree, operation: Node, here: Step) -> State:
    """The state of what is asked only if what stands before it holds, or does not.

    What stands before an ``or`` that asks for ROCm too decides for CUDA alone.
    """
    operator = operation.child_by_field_name("operator")
    either = operator is not None and operator.type == "or"
    if here.field == "right":
        side = _side(tree, operation.child_by_field_name("left"))
        return _state(-side if either else side)
    other = _side(tree, operation.child_by_field_name("right")) if either else 0
    return State.PORTED if other > 0 else State.ACTIVE


def _in_definition(tree: PythonTree, definition: Node, here: Step) -> State:
    """The state of a function's body by its name, and by one of that name for ROCm beside it."""
    node = definition.child_by_field_name("name")
    if here.field != "body" or node is None:
        return State.ACTIVE
    name = tree.text(node)
    if _HIP_WORD.search(name):
        return State.HIP
    if "cuda" in name:
        twins = (name.replace("cuda", word) for word in ("hip", "rocm"))
        if any(f"def {twin}(".encode() in tree.data for twin in twins):
            return State.PORTED
    return State.ACTIVE


def _in_branch(tree: PythonTree, statement: Node, here: Step) -> State:
    """The state of a branch of an ``if`` by its own condition, those before and those behind."""
    condition = statement.child_by_field_name("condition")
    first = _side(tree, condition)
    if here.field == "condition":
        return State.ACTIVE
    if here.field == "consequence":
        if first:
            return _state(first)
        behind = [_side(tree, one.child_by_field_name("condition")) for one in _elifs(statement)]
        return State.PORTED if any(side > 0 for side in behind) else State.ACTIVE
    for clause in _elifs(statement):
        if clause.start_byte >= here.node.start_byte:
            break
        first = first or _side(tree, clause.child_by_field_name("condition"))
    if here.node.type == "elif_clause":
        own = _side(tree, here.node.child_by_field_name("condition"))
        if own:
            return State.ACTIVE
    return _state(-first)


def _elifs(statement: Node) -> list[Node]:
    alternatives = statement.children_by_field_name("alternative")
    return [one for one in alternatives if one.type == "elif_clause"]


def _in_choice(tree: PythonTree, choice: Node, here: Step) -> State:
    parts = choice.named_children
    if len(parts) < 3 or here.node.id == parts[1].id:  # noqa: PLR2004 - value, condition, other
        return State.ACTIVE
    side = _side(tree, parts[1])
    return _state(side if here.node.id == parts[0].id else -side)


def _after_exits(tree: PythonTree, _block: Node, here: Step) -> State:
    """``ported`` behind an ``if`` for HIP that leaves the function; ``hip`` behind one for CUDA."""
    node = here.node.prev_named_sibling
    for _ in range(_MOST_BEFORE):
        if node is None:
            break
        if node.type == "if_statement" and not node.children_by_field_name("alternative"):
            body = node.child_by_field_name("consequence")
            last = body.named_children[-1] if body is not None and body.named_children else None
            side = _side(tree, node.child_by_field_name("condition"))
            if side and last is not None and last.type in _ENDS:
                return _state(-side)
        node = node.prev_named_sibling
    return State.ACTIVE


_BY_PARENT: dict[str, Callable[[PythonTree, Node, Step], State]] = {
    "if_statement": _in_branch,
    "elif_clause": _in_elif,
    "boolean_operator": _in_operator,
    "conditional_expression": _in_choice,
    "block": _after_exits,
    "function_definition": _in_definition,
    "class_definition": _in_definition,
}


def _state(side: int) -> State:
    """The state of code that runs where a condition of that side holds."""
    return State.HIP if side > 0 else State.PORTED if side < 0 else State.ACTIVE


def _side(tree: PythonTree, condition: Node | None) -> int:
    """1 for a condition that only ROCm meets, -1 for one that only CUDA meets, 0 for others."""
    if condition is None or condition.end_byte - condition.start_byte > _LONGEST:
        return 0
    text = tree.text(condition)
    if _HIP_WORD.search(text):
        return -1 if _NEGATED.search(text) else 1
    if _CUDA_ONLY.search(text):
        return 1 if _NOT.search(text) else -1
    return 0
