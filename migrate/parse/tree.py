"""The one home of tree-sitter: function definitions and what a word is at a place.

The grammar is tree-sitter-cuda for every C-family file. The plain C++ grammar was measured beside
it on exllamav2 0.3.2, gsplat 1.5.3 and CUTLASS 4.2.0: of 1,088 files there is none that it reads
with fewer errors. Functions are found by a walk that leaves out every body that was read well:
measured on the same files it takes 7 % of the time of parsing, a query over all nodes 25 %, and a
query takes quadratic time on deep nesting.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cache

import tree_sitter_cuda
from tree_sitter import Language, Node, Parser

from migrate.parse.declarations import Declared
from migrate.parse.heads import describe_head, tight
from migrate.parse.own_words import NO_WORDS, OwnWords
from migrate.parse.scopes import ClassSpan, Scope

_CONTAINERS = frozenset(
    {
        *("translation_unit", "namespace_definition", "declaration_list", "template_declaration"),
        *("class_specifier", "struct_specifier", "union_specifier", "field_declaration_list"),
        *("linkage_specification", "declaration", "field_declaration", "friend_declaration"),
        *("preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif", "preproc_elifdef"),
        *("type_definition", "ERROR"),
    }
)
"""What may hold a function definition, other than another function's body."""
_DECLARED = frozenset(
    {
        *("identifier", "field_identifier", "qualified_identifier", "operator_name"),
        *("destructor_name", "template_function", "type_identifier", "operator_cast"),
    }
)
_DECLARING_PARENTS = frozenset(
    {
        *("function_declarator", "init_declarator", "pointer_declarator", "reference_declarator"),
        *("array_declarator", "parameter_declaration", "optional_parameter_declaration"),
        *("declaration", "field_declaration", "enumerator", "type_definition"),
        *("alias_declaration", "struct_specifier", "class_specifier", "union_specifier"),
        *("enum_specifier", "namespace_definition", "preproc_def", "preproc_function_def"),
        *("type_parameter_declaration", "concept_definition"),
    }
)
_BODY_OF = frozenset({"struct_specifier", "class_specifier", "union_specifier", "enum_specifier"})


_INNER = _DECLARED | {"function_declarator", "pointer_declarator", "array_declarator"}
"""What stands in a declarator without a field's name, as behind the ``&`` of a reference."""
_CLASSES = frozenset({"struct_specifier", "class_specifier", "union_specifier"})


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_cuda.language()))


@dataclass(frozen=True, slots=True)
class WordRole:
    """What the tree says of a word: read without error, the name being declared, a type's name."""

    seen: bool
    declared: Declared
    type_name: bool


class SyntaxTree:
    """A parsed file with its function definitions in order of place.

    ``text`` is what is parsed, ``masked`` the file's code, with the same bytes at the same places
    but for what the grammar does not know, ``own`` the project's words for qualifiers.
    """

    def __init__(self, text: bytes, masked: bytes, own: OwnWords = NO_WORDS) -> None:
        self._root = _parser().parse(text).root_node
        functions, classes, errors = _read_structure(self._root)
        self.classes = [span for node in classes if (span := _class_span(node)) is not None]
        found = (_scope(node, masked, own) for node in functions)
        self.scopes = sorted((scope for scope in found if scope), key=lambda scope: scope.start)
        self.error_nodes = len(errors)
        self._errors = _outermost(sorted(errors))

    @property
    def has_error(self) -> bool:
        """Whether any part could not be read as C++ or CUDA."""
        return self._root.has_error

    def reads(self, offset: int) -> bool:
        """Whether the place is outside of what could not be read."""
        index = bisect_right(self._errors, (offset + 1, 0)) - 1
        return index < 0 or offset >= self._errors[index][1]

    def role(self, start: int, end: int) -> WordRole:
        """Look a word up in the tree by its byte offsets."""
        node = self._root.descendant_for_byte_range(start, end)
        if node is None or node.start_byte != start or node.end_byte != end:
            return WordRole(seen=False, declared=Declared.NOT, type_name=False)
        parent = node.parent
        is_type = node.type == "type_identifier"
        if parent is not None and parent.type == "qualified_identifier" and _is_glued(parent):
            # `status_t CALLAPI name(...)`: the macro was taken for the name's namespace.
            node, parent = parent, parent.parent
        if parent is None or parent.type == "ERROR":
            return WordRole(seen=False, declared=Declared.NOT, type_name=is_type)
        return WordRole(seen=True, declared=_declared(parent, node), type_name=is_type)


def _read_structure(root: Node) -> tuple[list[Node], list[Node], list[tuple[int, int]]]:
    """All functions and classes outside of sound bodies, and the spans of all ERROR nodes."""
    functions: list[Node] = []
    classes: list[Node] = []
    errors: list[tuple[int, int]] = []
    cursor = root.walk()
    entering = True
    while True:
        if entering and (node := cursor.node) is not None:
            kind = node.type
            if kind == "function_definition":
                functions.append(node)
            elif kind in _CLASSES:
                classes.append(node)
            elif kind == "ERROR":
                errors.append((node.start_byte, node.end_byte))
            inside = kind in _CONTAINERS or node.has_error
            if inside and cursor.goto_first_child():
                continue
        entering = cursor.goto_next_sibling()
        if not entering and not cursor.goto_parent():
            return functions, classes, errors


def _outermost(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for start, end in spans:
        if not kept or end > kept[-1][1]:
            kept.append((start, end))
    return kept


def _class_span(node: Node) -> ClassSpan | None:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if body is None:
        return None
    return ClassSpan(node.start_byte, node.end_byte, tight(name.text or b"") if name else "")


def _scope(node: Node, masked: bytes, own: OwnWords) -> Scope | None:
    body = node.child_by_field_name("body")
    declarator = node.child_by_field_name("declarator")
    if body is None or declarator is None:
        return None
    named = _named(declarator)
    place = named.start_byte if named else declarator.start_byte
    name = _name(named) if named else ""
    side, kernel, attributes = describe_head(masked[node.start_byte : place], own)
    return Scope(
        node.start_byte,
        body.start_byte,
        node.end_byte,
        name,
        side,
        kernel,
        attributes,
        sound=not node.has_error,
    )


def _name(named: Node) -> str:
    cast = named.child_by_field_name("type") if named.type == "operator_cast" else None
    return f"operator {tight(cast.text or b'')}" if cast else tight(named.text or b"")


def _named(declarator: Node) -> Node | None:
    """The node of the name that a declarator declares."""
    node: Node | None = declarator
    while node is not None and node.type not in _DECLARED:
        inner = node.child_by_field_name("declarator")
        if inner is None:
            inner = next((child for child in node.named_children if child.type in _INNER), None)
        node = inner
    # Of a type and a name with a missing "::" between, the name.
    while node is not None and node.type == "qualified_identifier" and _is_glued(node):
        node = node.child_by_field_name("name")
    return node


def _is_glued(node: Node) -> bool:
    return any(child.is_missing for child in node.children)


def _declared(parent: Node, node: Node) -> Declared:
    if not _declares(parent, node):
        return Declared.NOT
    return Declared.PROTOTYPE if _is_prototype(parent) else Declared.DEFINED


def _is_prototype(parent: Node) -> bool:
    """Whether a function is declared without a body, outside of classes."""
    if parent.type != "function_declarator":
        return False
    node = parent.parent
    while node is not None and node.type in {"pointer_declarator", "reference_declarator"}:
        node = node.parent
    return node is not None and node.type == "declaration"


def _declares(parent: Node, node: Node) -> bool:
    if parent.type not in _DECLARING_PARENTS:
        return False
    field = "name" if parent.type in _BODY_OF else "declarator"
    if parent.type in _BODY_OF and parent.child_by_field_name("body") is None:
        return False
    return any(
        child == node for name in (field, "name") for child in parent.children_by_field_name(name)
    )
