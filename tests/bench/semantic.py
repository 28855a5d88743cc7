"""What the compiler's pass costs: each unit beside libclang's own parse of it, and a second run.

Every unit of the plan is parsed by libclang alone and read whole, in turn, in this process; CPU
seconds are compared. Then the whole command runs three times on each folder, without the pass, with
an empty cache, and with a full one: what the pass adds to the first counts.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from migrate.discover.inventory import discover_sources
from migrate.discover.toolkit import find_toolkit
from migrate.facts.join import drop_own_names
from migrate.facts.units import plan_units
from migrate.model.unit import CompileDatabase
from migrate.parse.clang.reader import read_unit
from migrate.parse.clang.stage import unit_tasks
from migrate.parse.clang.task import UnitTask
from migrate.parse.clang.unit import parse_unit
from migrate.progress import no_progress
from migrate.reading import read_sources
from migrate.settings import load_settings


def planned(root: Path, most: int) -> list[UnitTask]:
    """The first units that a scan of the folder would parse, with guessed arguments."""
    settings = load_settings([root], {"semantic": "auto"})
    inventory = discover_sources([root])
    third_party = frozenset(file.path for file in inventory.sources if file.vendored)
    files = drop_own_names(read_sources(inventory, settings, no_progress), third_party)
    plan = plan_units(
        files, (), CompileDatabase(), root=inventory.root, third_party=third_party, budget=most
    )
    return unit_tasks(plan.units, inventory.root, find_toolkit(None))


def cpu_seconds(work: Callable[[], object]) -> float:
    """The CPU time of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def unit_costs(tasks: list[UnitTask]) -> list[tuple[str, float, float]]:
    """Each unit with the CPU seconds of libclang's parse alone and of reading it, best of two."""
    costs = []
    for task in tasks:
        parses, reads = [], []
        for _ in range(2):
            parses.append(
                cpu_seconds(lambda: parse_unit(task.unit.path, task.root, task.arguments))  # noqa: B023
            )
            reads.append(cpu_seconds(lambda: read_unit(task)))  # noqa: B023
        costs.append((task.unit.path, min(parses), min(reads)))
    return costs


def scan_seconds(root: Path, cache: Path, *options: str) -> float:
    """The clock of a whole scan."""
    command = [sys.executable, "-m", "migrate", "scan", str(root), "--quiet", "--format", "json"]
    with tempfile.TemporaryDirectory() as folder:
        report = ["--output", str(Path(folder) / "report.json")]
        start = time.monotonic()
        subprocess.run(
            [*command, *report, *options],
            check=True,
            env={**os.environ, "XDG_CACHE_HOME": str(cache)},
        )
        return time.monotonic() - start


def main() -> None:
    """Measure each folder and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--units", type=int, default=20, help="most units that are compared")
    parser.add_argument("roots", type=Path, nargs="+")
    given = parser.parse_args()
    print(
        f"libclang-ng {version('libclang-ng')}, Python {platform.python_version()}, "
        f"load {os.getloadavg()[0]:.1f} at the start"
    )
    for root in given.roots:
        costs = unit_costs(planned(root, given.units))
        parse = sum(cost[1] for cost in costs)
        read = sum(cost[2] for cost in costs)
        worst = max(costs, key=lambda cost: cost[2] / cost[1])
        print(
            f"{root.name}: {len(costs)} units, libclang alone {parse:.1f} CPU s, "
            f"read {read:.1f} ({read / parse:.2f}x; worst {worst[0]} {worst[2] / worst[1]:.2f}x)"
        )
        with tempfile.TemporaryDirectory() as cache:
            without = scan_seconds(root, Path(cache), "--semantic", "off")
            first = scan_seconds(root, Path(cache)) - without
            second = scan_seconds(root, Path(cache)) - without
            print(
                f"  scan without the pass {without:.1f} s; the pass adds {first:.1f} s at first, "
                f"{second:.2f} s with a full cache"
            )


if __name__ == "__main__":
    main()
