"""Files of another language that hold CUDA: its facts, with the places of the file around it."""

from __future__ import annotations

from dataclasses import replace

from migrate.model.facts import FileFacts
from migrate.model.source import Language
from migrate.parse.conditions import ProjectMacros
from migrate.parse.python.cuda_text import find_cuda, lay_bare
from migrate.parse.python.guards import runs_on_cuda
from migrate.parse.python.notebook import cuda_of_cells, read_cells
from migrate.parse.python.tree import PythonTree
from migrate.parse.reader import read_source
from migrate.parse.vocabulary import Vocabulary


def read_embedded(
    text: str, path: str, language: Language, vocabulary: Vocabulary, macros: ProjectMacros
) -> FileFacts:
    """Read the CUDA code in a Python file or notebook; its lines are those that hold code."""
    if language is Language.NOTEBOOK:
        cells = read_cells(text)
        code = overlay(cuda_of_strings(cells.python), cuda_of_cells(cells))
    else:
        code = cuda_of_strings(text)
    facts = read_source(code.encode("utf-8", "replace"), path, Language.CUDA, vocabulary, macros)
    lines = sum(1 for line in code.split("\n") if line.strip())
    return replace(facts, language=language, lines=lines)


def cuda_of_strings(text: str) -> str:
    """A Python file with everything blanked but the CUDA code in its strings."""
    tree = PythonTree(text.encode("utf-8", "replace"))
    strings = [
        node for node in find_cuda(tree).strings if runs_on_cuda(tree, tree.path(node.start_byte))
    ]
    return lay_bare(tree, strings)


def overlay(one: str, other: str) -> str:
    """Two texts of one length, of which everywhere one at least is blank, as one."""
    pairs = zip(one, other, strict=True)
    return "".join(left if left != " " else right for left, right in pairs)
