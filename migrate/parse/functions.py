"""The functions of a file: by its syntax tree, and where that has errors by its braces too."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace

from migrate.model.verdict import Side
from migrate.parse.braces import find_device_lambdas, find_scopes
from migrate.parse.directives import Directives
from migrate.parse.filetext import FileText
from migrate.parse.heads import TEST_MACROS, describe_head, is_macro, name_of_test
from migrate.parse.scopes import Scope, ScopeIndex, qualified
from migrate.parse.tree import SyntaxTree

_NOT_QUALIFIER = re.compile(rb"[^\w\s]")
_BRACKETED = re.compile(rb"\w*+\s*+\((?:[^()]|\([^()]*+\))*+\)")
_DIRECTIVE = re.compile(rb"^[^\S\n]*+#(?:[^\n\\]|\\[\s\S])*+", re.MULTILINE)
_LONGEST_QUALIFIERS = 300


def read_functions(text: FileText, tree: SyntaxTree | None) -> ScopeIndex:
    """The file's functions; where the tree has errors, those too that only braces show."""
    if tree is None:
        return ScopeIndex([])
    code = text.code
    scopes, classes = tree.scopes, tree.classes
    if tree.has_error:
        sound = [scope for scope in scopes if scope.sound]
        braces = find_scopes(
            code.masked, code.directives, sound, text.regions.cuda_at, own=text.own
        )
        classes = braces.classes
        scopes = _joined(scopes, braces.functions)
    if tree.has_error or text.own:
        scopes = [
            _with_qualifiers_before(text, scope, sound=not tree.has_error) for scope in scopes
        ]
    named = [_with_test_name(text.data, scope) for scope in qualified(scopes, classes)]
    return ScopeIndex([*named, *find_device_lambdas(code.masked, code.brackets, text.own)])


def _with_test_name(data: bytes, scope: Scope) -> Scope:
    if scope.name not in TEST_MACROS:
        return scope
    return replace(scope, name=name_of_test(data[scope.start : scope.body]) or scope.name)


def _joined(by_tree: list[Scope], by_braces: list[Scope]) -> list[Scope]:
    """The functions of a tree with errors and those that only braces show.

    Of a function that the tree could not read well, what the braces show is better. A macro's call
    in a function's body, ``SWITCH(n) {``, is no function, and what holds several is none either.
    """
    bodies = {scope.body for scope in by_braces}
    starts = sorted(scope.start for scope in by_braces)
    ends = sorted(scope.end for scope in by_braces)
    around = ScopeIndex(by_braces)
    joined = [
        scope
        for scope in by_tree
        if scope.body not in bodies
        and not (is_macro(scope.name) and around.in_body(scope.start))
        and (scope.sound or bisect_right(ends, scope.end) - bisect_right(starts, scope.body) <= 1)
    ]
    taken = [scope for scope in joined if not scope.sound]
    number, reach = 0, -1
    for scope in sorted(by_braces, key=lambda scope: scope.start):
        while number < len(taken) and taken[number].start < scope.end:
            reach = max(reach, taken[number].end)
            number += 1
        if reach <= scope.start:
            joined.append(scope)
    return joined


def _with_qualifiers_before(text: FileText, scope: Scope, *, sound: bool) -> Scope:
    """Take in the macros that stand before a head and that the tree left out of it.

    One without errors leaves out the project's own words that have no room for a word of the
    grammar's, as ``HD``.
    """
    before = _code_before(text.code.masked, text.code.directives, scope.start)
    if not before.strip() or (sound and not text.own.of(before)):
        return scope
    side, kernel, attributes = describe_head(before, text.own)
    if side is Side.HOST or scope.kernel:
        return scope
    if scope.side is not Side.HOST and side is not scope.side:
        side = Side.BOTH if not kernel else side
    return replace(scope, side=side, kernel=kernel, attributes=(*attributes, *scope.attributes))


def _code_before(masked: bytes, directives: Directives, start: int) -> bytes:
    """The words before a head, without macros with brackets and without preprocessor lines."""
    begin = max(0, start - _LONGEST_QUALIFIERS)
    cut = directives.at(begin)
    text = _DIRECTIVE.sub(b" ", masked[cut.end if cut else begin : start])
    return _NOT_QUALIFIER.split(_BRACKETED.sub(b" ", text))[-1]
