"""Speed, memory and growth of ``hipassess scan`` on real code, against two floors (Linux only).

The floors read the same C-family files in one process: (a) tree-sitter parsing alone, (b) one
compiled pattern that finds identifiers. Wall and CPU time are the best of several runs without a
sampler; peak memory comes from a run of its own.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import platform
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

CODES = {
    "exllamav2": "exllamav2==0.3.2",
    "gsplat": "gsplat==1.5.3",
    "nvidia-cutlass": "nvidia-cutlass==4.2.0.0",
}
LARGE = {"flashinfer-python": "flashinfer-python==0.7.4"}
GROWTH_ON = "gsplat"
SUFFIX = re.compile(r"\.(cuh?|[cC]|cc|cppm?|cxx|hh?|hpp|hxx|inl|inc|ipp|tpp|hip)")
IDENTIFIER = re.compile(rb"[A-Za-z_]\w*")
PR_SET_CHILD_SUBREAPER = 36
SAMPLE_SECONDS = 0.02
MIB = 1024 * 1024
# Outside any checkout: a scan leaves out what the surrounding repository ignores.
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hipassess-bench"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a command cost: seconds of clock, of user and system time, and MiB at the peak."""

    wall: float
    cpu: float
    peak: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One code base: its size, and the cost of the scan and of the two floors."""

    code: str
    files: int
    lines: int
    scan: Cost
    tree: Cost
    regex: Cost

    @property
    def lines_per_core_second(self) -> float:
        """Lines of C-family source for one second of CPU time, report included."""
        return self.lines / self.scan.cpu


def sources(root: Path) -> list[Path]:
    """The C-family files under a folder."""
    return sorted(
        path for path in root.rglob("*") if SUFFIX.fullmatch(path.suffix) and path.is_file()
    )


def count_lines(root: Path) -> tuple[int, int]:
    """How many C-family files there are, and how many lines they have."""
    paths = sources(root)
    return len(paths), sum(path.read_bytes().count(b"\n") for path in paths)


def parse_only(root: Path) -> None:
    """Floor (a): a tree for each file, and nothing done with it."""
    import tree_sitter  # noqa: PLC0415 (the other floor must not pay for it)
    import tree_sitter_cuda  # noqa: PLC0415

    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_cuda.language()))
    for path in sources(root):
        parser.parse(path.read_bytes())


def regex_only(root: Path) -> None:
    """Floor (b): the identifiers of each file."""
    for path in sources(root):
        IDENTIFIER.findall(path.read_bytes())


FLOORS = {"tree": parse_only, "regex": regex_only}


def adopt_orphans() -> None:
    """Become the parent of what a command leaves behind, so that its CPU time is counted too."""
    if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError("prctl(PR_SET_CHILD_SUBREAPER) failed")


def reap_all() -> None:
    """Wait for every child, adopted ones included."""
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return


def run(command: list[str]) -> Cost:
    """The clock and CPU time of a command and all that it starts."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, capture_output=True, check=False)
    wall = time.perf_counter() - began
    reap_all()
    if done.returncode:
        sys.exit(f"{' '.join(command)}\nexit {done.returncode}\n{done.stderr.decode()}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Cost(wall=wall, cpu=after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def descendants(root: int) -> list[int]:
    """The process and all below it, as /proc shows them at this moment."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:  # it has ended since
                continue
            children.setdefault(parent, []).append(int(entry.name))
    found, todo = [], [root]
    while todo:
        pid = todo.pop()
        found.append(pid)
        todo.extend(children.get(pid, ()))
    return found


def memory_of(pid: int) -> int:
    """The proportional share of memory of one process in KiB; 0 once it has ended."""
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    return next(int(row.split()[1]) for row in rollup.splitlines() if row.startswith("Pss:"))


def peak_memory(command: list[str]) -> float:
    """The largest sum of PSS over the process tree that a sampler saw, in MiB."""
    peak, stop = 0, threading.Event()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:

        def sample() -> None:
            nonlocal peak
            while not stop.wait(SAMPLE_SECONDS):
                peak = max(peak, sum(map(memory_of, descendants(process.pid))))

        sampler = threading.Thread(target=sample)
        sampler.start()
        process.wait()
        stop.set()
        sampler.join()
    reap_all()
    return peak * 1024 / MIB


def measure_scan(root: Path, runs: int, jobs: int | None) -> Cost:
    """The scan of a folder, its report written where nothing else is."""
    with tempfile.TemporaryDirectory() as folder:
        return best_of(runs, scan_command(root, Path(folder) / "report.json", jobs))


def best_of(runs: int, command: list[str]) -> Cost:
    """The least clock and the least CPU time of several runs, and the peak of one more."""
    costs = [run(command) for _ in range(runs)]
    return Cost(
        wall=min(cost.wall for cost in costs),
        cpu=min(cost.cpu for cost in costs),
        peak=peak_memory(command),
    )


def scan_command(root: Path, report: Path, jobs: int | None) -> list[str]:
    """A whole scan with its report, as a user starts it."""
    command = [sys.executable, "-m", "migrate", "scan", str(root), "--format", "json"]
    command += ["--output", str(report), "--quiet", "--semantic", "off"]
    return command + (["--jobs", str(jobs)] if jobs else [])


def floor_command(name: str, root: Path) -> list[str]:
    """This script, doing nothing but the floor."""
    return [sys.executable, __file__, "--floor", name, str(root)]


def measure(code: str, root: Path, runs: int, jobs: int | None) -> Row:
    """The scan and both floors on one folder."""
    files, lines = count_lines(root)
    return Row(
        code=code,
        files=files,
        lines=lines,
        scan=measure_scan(root, runs, jobs),
        tree=best_of(runs, floor_command("tree", root)),
        regex=best_of(runs, floor_command("regex", root)),
    )


def measure_growth(root: Path, jobs: int | None) -> list[tuple[int, int, Cost]]:
    """The scan of one, two and four copies; each copy's files differ, so that none is known."""
    rows = []
    for copies in (1, 2, 4):
        with tempfile.TemporaryDirectory() as folder:
            for number in range(copies):
                copy = Path(folder) / f"copy{number}"
                shutil.copytree(root, copy)
                for path in sources(copy):
                    with path.open("ab") as file:
                        file.write(f"\n// copy {number}\n".encode())
            _, lines = count_lines(Path(folder))
            rows.append((copies, lines, measure_scan(Path(folder), 2, jobs)))
    return rows


def help_seconds(runs: int) -> float:
    """The least clock time of ``hipassess --help``."""
    return min(run([sys.executable, "-m", "migrate", "--help"]).wall for _ in range(runs))


def tables_seconds(runs: int) -> float:
    """The least CPU time of importing and loading the tables, beside the standard library's."""
    program = (
        "import argparse, csv, dataclasses, enum, pathlib, re, time; start = time.process_time()\n"
        "from migrate.knowledge.apis import load_tables; load_tables()\n"
        "print(time.process_time() - start)"
    )
    command = [sys.executable, "-c", program]
    return min(
        float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        for _ in range(runs)
    )


def fetch(requirement: str, cache: Path) -> Path:
    """The unpacked wheel of a package; it is never installed, and no code of it runs."""
    folder = cache / requirement.replace("==", "-")
    if not folder.is_dir():
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        with tempfile.TemporaryDirectory(dir=cache) as inbox:
            wanted = ["--only-binary", ":all:", "--dest", inbox, requirement]
            subprocess.run([*pip, *wanted], check=True)
            unpacked = Path(inbox) / "unpacked"
            with zipfile.ZipFile(next(Path(inbox).glob("*.whl"))) as wheel:
                wheel.extractall(unpacked)
            unpacked.rename(folder)
    return folder


def machine() -> str:
    """What the figures were measured on."""
    usable = len(os.sched_getaffinity(0))
    return (
        f"hipassess {version('hipassess')}, Python {platform.python_version()}, "
        f"tree-sitter {version('tree-sitter')}, {platform.system()} {platform.machine()}, "
        f"{usable} cores, load {os.getloadavg()[0]:.1f} at the start"
    )


def print_rows(rows: list[Row]) -> None:
    """The table of code bases."""
    print(
        "| code | files | lines | scan wall s | CPU s | x tree-sitter (CPU) | x regex (CPU) |",
        end="",
    )
    print(" lines/s/core | peak MiB |")
    print("| --- |" + " ---: |" * 8)
    for row in rows:
        print(
            f"| {row.code} | {row.files:,} | {row.lines:,} | {row.scan.wall:.2f} "
            f"| {row.scan.cpu:.2f} | {row.scan.cpu / row.tree.cpu:.2f} "
            f"| {row.scan.cpu / row.regex.cpu:.2f} | {row.lines_per_core_second:,.0f} "
            f"| {row.scan.peak:.0f} |"
        )


def print_growth(code: str, growth: list[tuple[int, int, Cost]]) -> None:
    """The table of copies; a factor equal to the copies is linear growth."""
    first = growth[0][2]
    print(f"\n| copies of {code} | lines | wall s | CPU s | x CPU | peak MiB |")
    print("| --- |" + " ---: |" * 5)
    for copies, lines, cost in growth:
        print(
            f"| {copies} | {lines:,} | {cost.wall:.2f} | {cost.cpu:.2f} "
            f"| {cost.cpu / first.cpu:.2f} | {cost.peak:.0f} |"
        )


def options() -> argparse.Namespace:
    """The script's own options."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, default=CACHE, help=f"for the wheels ({CACHE})")
    parser.add_argument("--large", action="store_true", help="flashinfer-python too (570 MB)")
    parser.add_argument("--only", action="append", help="one of the codes; may be repeated")
    parser.add_argument("--runs", type=int, default=3, help="timed runs of each command")
    parser.add_argument("--jobs", type=int, help="given to scan")
    parser.add_argument("--output", type=Path, default=Path("bench.json"))
    parser.add_argument("--floor", choices=sorted(FLOORS), help=argparse.SUPPRESS)
    parser.add_argument("root", type=Path, nargs="?", help="this folder instead of the wheels")
    return parser.parse_args()


def main() -> None:
    """Measure, print the tables, write them as JSON."""
    given = options()
    if given.floor:
        FLOORS[given.floor](given.root)
        return
    adopt_orphans()
    codes = CODES | (LARGE if given.large else {})
    if given.root:
        roots = {given.root.name: given.root}
    else:
        given.cache.mkdir(parents=True, exist_ok=True)
        chosen = given.only or list(codes)
        roots = {code: fetch(codes[code], given.cache) for code in chosen}
    measured_on = machine()
    print(measured_on)
    start = help_seconds(max(given.runs, 5))
    tables = tables_seconds(max(given.runs, 5))
    print(
        f"`hipassess --help`: {start * 1000:.0f} ms; loading the tables: {tables * 1000:.0f} ms\n"
    )
    rows = [measure(code, root, given.runs, given.jobs) for code, root in roots.items()]
    print_rows(rows)
    grown = GROWTH_ON if GROWTH_ON in roots else next(iter(roots))
    growth = measure_growth(roots[grown], given.jobs)
    print_growth(grown, growth)
    figures = {
        "machine": measured_on,
        "help_seconds": start,
        "tables_seconds": tables,
        "codes": [
            asdict(row) | {"lines_per_core_second": row.lines_per_core_second} for row in rows
        ],
        "growth": [{"copies": n, "lines": lines, **asdict(cost)} for n, lines, cost in growth],
    }
    given.output.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
