"""Worker processes that import nothing from the folder in which they are started."""

from __future__ import annotations

import os
from multiprocessing import get_context
from multiprocessing.context import SpawnContext


def spawn_context() -> SpawnContext:
    """The way to start worker processes, with the working folder off their search path.

    They are started as ``python -c ...``, which looks for modules in the working folder first:
    in a scanned tree, a ``multiprocessing.py`` of the tree's would run.
    """
    os.environ["PYTHONSAFEPATH"] = "1"
    return get_context("spawn")
