"""Which variable an argument names."""

from __future__ import annotations

import re

_CAST = re.compile(r"^(?:\(\s*void\s*\*\s*\*?\s*\)|(?:reinterpret|static)_cast\s*<[^<>]{1,40}>)\s*")
_NAME = re.compile(r"[A-Za-z_]\w*(?:(?:\.|->)[A-Za-z_]\w*)*")


def variable_of(argument: str) -> str:
    """The variable or member that an argument is, behind a cast; "" for anything else."""
    text = _CAST.sub("", argument).strip()
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1].strip()
    return text if _NAME.fullmatch(text) else ""


def address_of(argument: str) -> str:
    """The variable or member whose address an argument is; "" for anything else."""
    text = _CAST.sub("", argument).strip()
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1].strip()
    return variable_of(text[1:]) if text.startswith("&") else ""
