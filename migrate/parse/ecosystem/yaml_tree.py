"""The scalars of a YAML file with the keys that they stand under, whatever template wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

_EXPRESSION = re.compile(r"\{\{[^{}]{0,500}\}\}")
_TEMPLATE_LINE = re.compile(r"^[ \t]*(?:\{%.*%\}|\{\{[-#/].*)[ \t]*$", re.MULTILINE)
_PLACEHOLDER = "x"
_LARGEST = 100_000
_DEEPEST_FLOW = 50
_BRACKET = re.compile(r"[\[\]{}]")
_MOST_ENTRIES = 50_000
_COMMENT = re.compile(r"(?:^|[ \t])#.*$")
_DEEPEST = 100


@dataclass(frozen=True, slots=True)
class Entry:
    """A key or a scalar: ``keys`` from the document's root on, without places in sequences."""

    keys: tuple[str, ...]
    value: str
    line: int

    @property
    def key(self) -> str:
        """The innermost key."""
        return self.keys[-1] if self.keys else ""


def yaml_entries(text: str) -> tuple[Entry, ...]:
    """Return what a YAML file holds, in its order.

    Expressions of Helm and Jinja count as a word each, and lines that are only that as nothing.
    Where the rest is no YAML, or too much of it, keys and values are taken line by line.
    """
    plain = _EXPRESSION.sub(_blank, _TEMPLATE_LINE.sub("", text))
    if len(plain) <= _LARGEST and _flow_depth(plain) <= _DEEPEST_FLOW:
        try:
            return tuple(_composed(plain))
        except (yaml.YAMLError, RecursionError, ValueError):
            pass
    return tuple(_by_line(plain))


def _flow_depth(text: str) -> int:
    """How deep brackets are nested; PyYAML's time grows with the square of it."""
    depth = deepest = 0
    for bracket in _BRACKET.findall(text):
        depth = max(0, depth + (1 if bracket in "[{" else -1))
        deepest = max(deepest, depth)
    return deepest


def _blank(match: re.Match[str]) -> str:
    """A word in place of an expression, with its line breaks."""
    return _PLACEHOLDER + "\n" * match[0].count("\n")


def _composed(text: str) -> Iterator[Entry]:
    seen: set[int] = set()
    left = [_MOST_ENTRIES]
    for node in yaml.compose_all(text, Loader=yaml.SafeLoader):
        if node is not None:
            yield from _walk(node, (), seen, left)


def _walk(
    node: yaml.Node, keys: tuple[str, ...], seen: set[int], left: list[int]
) -> Iterator[Entry]:
    """Yield a node's entries; what an alias names again is not shown twice."""
    if id(node) in seen or left[0] <= 0:
        return
    seen.add(id(node))
    left[0] -= 1
    line = node.start_mark.line + 1
    if isinstance(node, yaml.ScalarNode):
        yield Entry(keys, node.value, line)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _walk(item, keys, seen, left)
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else ""
            inner = (*keys, name)
            if not isinstance(value, yaml.ScalarNode):
                yield Entry(inner, "", key.start_mark.line + 1)
            yield from _walk(value, inner, seen, left)


def _by_line(text: str) -> Iterator[Entry]:
    """Yield keys and values as indentation tells them."""
    stack: list[tuple[int, str]] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        content = _COMMENT.sub("", raw).rstrip()
        rest = content.lstrip(" \t-")
        if not rest:
            continue
        indent = len(content) - len(rest)
        while stack and stack[-1][0] >= indent:
            stack.pop()
        key, colon, value = f"{rest} ".partition(": ")
        if not colon:
            value = key
        elif len(stack) < _DEEPEST:
            stack.append((indent, key.strip("\"'")))
        yield Entry(tuple(name for _, name in stack), value.strip().strip("\"'"), number)
