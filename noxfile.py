"""How each check is run: the same sessions at a desk and in CI (``.ci/run``)."""

from __future__ import annotations

import os
import shutil
import tarfile
from pathlib import Path

import nox

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.sessions = ["lint", "types", "tests", "docs", "wheel"]

HERE = Path(__file__).parent
PROJECT = nox.project.load_toml(HERE / "pyproject.toml")
EXAMPLE = HERE / "fixtures" / "trainer"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
NOT_IN_SDIST = (".gitignore", ".github/")


@nox.session
def lint(session: nox.Session) -> None:
    """Formatting and style."""
    session.install(*nox.project.dependency_groups(PROJECT, "lint"))
    session.run("ruff", "format", "--check", ".")
    session.run("ruff", "check", ".")


@nox.session
def types(session: nox.Session) -> None:
    """Types, strictly, of the package, the tests and this file."""
    session.install("-e", ".[dev]")
    session.run("mypy")


@nox.session
def tests(session: nox.Session) -> None:
    """Every test; what stands after ``--`` goes to pytest."""
    session.install("-e", ".[test]")
    session.run("pytest", "-n", "auto", *session.posargs)


@nox.session
def coverage(session: nox.Session) -> None:
    """Every test, with branch coverage, that of the commands' own processes included."""
    session.install("-e", ".[test]")
    session.env["COVERAGE_FILE"] = str(Path(session.create_tmp()) / "coverage")
    session.run("coverage", "erase")
    session.run("coverage", "run", "-m", "pytest", *session.posargs)
    session.run("coverage", "combine")
    session.run("coverage", "report")


@nox.session(name="property")
def property_(session: nox.Session) -> None:
    """The claims over generated input, longer than the test run does them."""
    session.install("-e", ".[test]")
    session.env["HYPOTHESIS_PROFILE"] = "thorough"
    session.run("pytest", "-m", "property", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """Links land, every error has its section, the README says what .ci/run does."""
    session.install("-e", ".[test]")
    session.run("pytest", "tests/test_project.py", *session.posargs)


@nox.session
def rules_docs(session: nox.Session) -> None:
    """Writes docs/rules anew: a page a rule and the index; a test fails when one is stale."""
    session.install("-e", ".")
    session.run("hipassess", "catalogue", "--format", "markdown", "-o", "docs/rules")


@nox.session
def wheel(session: nox.Session) -> None:
    """The sdist is complete; the wheel built from it works outside the checkout."""
    session.install("build>=1.2")
    here = Path(session.create_tmp()).resolve()
    shutil.rmtree(here / "dist", ignore_errors=True)
    session.run("python", "-m", "build", "--outdir", str(here / "dist"), silent=True)
    _check_sdist(session, next((here / "dist").glob("*.tar.gz")))

    outside = here / "outside"
    shutil.rmtree(outside, ignore_errors=True)
    shutil.copytree(EXAMPLE, outside / "app")
    session.run("python", "-m", "venv", str(outside / "venv"))
    scripts = outside / "venv" / ("Scripts" if os.name == "nt" else "bin")
    built = str(next((here / "dist").glob("*.whl")))
    python = str(scripts / "python")
    session.run(python, "-m", "pip", "install", "--quiet", built, external=True)
    command = str(scripts / "hipassess")
    with session.chdir(outside):
        session.run(command, "--version", external=True)
        session.run(command, "map", "cudaMalloc", external=True)
        session.run(command, "scan", "app", "-o", "report.html", external=True)
        session.run(command, "scan", "app", "-o", "report.json", external=True)
    for name in ("report.html", "report.json"):
        if not (outside / name).stat().st_size:
            session.error(f"{name} is empty")


def _check_sdist(session: nox.Session, sdist: Path) -> None:
    """Every file that git tracks is in the sdist."""
    with tarfile.open(sdist) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    listed = session.run("git", "ls-files", "-z", external=True, silent=True) or ""
    tracked = {name for name in listed.split("\0") if name}
    left_out = {name for name in tracked - packed if not name.startswith(NOT_IN_SDIST)}
    if left_out:
        session.error(f"not in the sdist: {', '.join(sorted(left_out))}")


@nox.session
def bench(session: nox.Session) -> None:
    """Speed, memory and growth on real code (Linux); what stands after ``--`` goes to bench.py."""
    session.install("-e", ".")
    session.run("python", "tests/bench/bench.py", *session.posargs)


@nox.session
def bench_semantic(session: nox.Session) -> None:
    """What the compiler's pass costs beside libclang's own parse; folders stand after ``--``."""
    session.install("-e", ".[cuda-headers]")
    session.run("python", "tests/bench/semantic.py", *session.posargs)


@nox.session
def bench_rules(session: nox.Session) -> None:
    """The rules' share of a scan's time; folders stand after ``--``."""
    session.install("-e", ".")
    session.run("python", "tests/bench/rules.py", *session.posargs)


@nox.session
def tables(session: nox.Session) -> None:
    """The mapping tables against public CUDA and ROCm packages (downloads 6 GB; not part of CI)."""
    session.install(
        "-e", ".", "pip"
    )  # uv makes environments without pip, which fetches the packages
    cache = Path(session.create_tmp()).resolve() / "packages"
    session.run("python", "-m", "tests.upkeep.check", "--cache", str(cache), *session.posargs)


@nox.session
def screenshot(session: nox.Session) -> None:
    """Draws docs/img/report.png anew from a fixture's report, in an installed Chromium."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        session.error(f"none of these browsers is installed: {', '.join(BROWSERS)}")
    session.install("-e", ".")
    report = Path(session.create_tmp()).resolve() / "report.html"
    picture = HERE / "docs" / "img" / "report.png"
    picture.parent.mkdir(exist_ok=True)
    session.run("hipassess", "scan", str(EXAMPLE), "-o", str(report))
    session.run(
        browser,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--window-size=1280,1080",
        f"--screenshot={picture}",
        report.as_uri(),
        external=True,
    )
