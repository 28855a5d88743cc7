"""Templates and what is instantiated from them."""

from __future__ import annotations

import ast
import re

from clang import cindex

from migrate.parse.clang.cursors import Cursor, file_place

_CHARACTER = re.compile(
    r"(?:\((?:un)?signed char\))?(?<![LuU8])('(?:\\x[0-9a-f]{2}|\\[abfnrtv0'\\]|[^'\\])')"
)


def pattern_of(function: Cursor) -> Cursor:
    """What a function is instantiated from: the template, or the member of a class template.

    It is the function itself where it is no instantiation; an explicit specialisation has a body
    of its own and is none.
    """
    here = function
    while (template := here.specialized_template) is not None:
        definition = template.get_definition() or template
        if file_place(here) not in (file_place(template), file_place(definition)):
            break
        here = template
    return here


def template_arguments(function: Cursor) -> str:
    """The template arguments of an instantiation as clang spells them, "" where it has none.

    Characters are numbers: templates that take them mean small integers mostly.
    """
    policy = cindex.PrintingPolicy.create(function)
    policy.set_property(cindex.PrintingPolicyProperty.TerseOutput, 1)
    policy.set_property(cindex.PrintingPolicyProperty.AnonymousTagLocations, 0)
    text = function.pretty_printed(policy)
    name = f"{function.spelling}<"
    start = text.find(name)
    if start < 0:
        return ""
    return _within_angles(_CHARACTER.sub(_number, text[start + len(name) :]))


def _number(match: re.Match[str]) -> str:
    return str(ord(ast.literal_eval(match[1])))


def _within_angles(text: str) -> str:
    """The text up to the ``>`` that closes it, without the brackets around a pack's arguments."""
    kept: list[str] = []
    opened: list[bool] = []
    for letter in text:
        if letter in "<([{":
            pack = letter == "<" and "".join(kept[-2:]) in {"", ", "}
            opened.append(pack)
            kept.append("" if pack else letter)
        elif letter in ">)]}":
            if not opened:
                return "".join(kept)
            kept.append("" if opened.pop() else letter)
        else:
            kept.append(letter)
    return ""
