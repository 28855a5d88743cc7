"""The page as one self-contained HTML file: fills the templates, and nothing else."""

from __future__ import annotations

import base64
import hashlib

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from migrate.knowledge.files import data_path
from migrate.model.assessment import Assessment
from migrate.report.html.places import Limits
from migrate.report.html.view import view_page
from migrate.report.numbers import count, plural
from migrate.report.safe import printable
from migrate.report.words import (
    CONFIDENCE_MEANING,
    MEANING,
    SEVERITY_MEANING,
    STATE_MEANING,
    TIER_MEANING,
)

_WORDS = {
    "verdicts": tuple((word.value, text) for word, text in MEANING.items()),
    "states": tuple((word.value, text) for word, text in STATE_MEANING.items()),
    "tiers": tuple((word.value, text) for word, text in TIER_MEANING.items()),
    "severities": tuple((word.value, text) for word, text in SEVERITY_MEANING.items()),
    "confidences": tuple((word.value, text) for word, text in CONFIDENCE_MEANING.items()),
}


def render_html(assessment: Assessment, *, limits: Limits | None = None) -> str:
    """Write an assessment as one HTML file that loads nothing and works without scripts.

    ``limits`` caps the rows of the long tables; what is left out is counted beside the totals.
    """
    style, script = _template("report/report.css"), _template("report/report.js")
    template = _environment().get_template("report.html.j2")
    return template.render(
        page=view_page(assessment, limits),
        words=_WORDS,
        style=Markup(style),  # noqa: S704 - our own file, no part of it from the tree
        script=Markup(script),  # noqa: S704 - the same
        style_hash=_csp_hash(style),
        script_hash=_csp_hash(script),
    )


def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_template),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_showable,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals.update(count=count, plural=plural)
    return environment


def _template(name: str) -> str:
    return data_path("templates", *name.split("/")).read_text(encoding="utf-8")


def _showable(value: object) -> object:
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _csp_hash(content: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"
