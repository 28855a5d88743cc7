"""The settings of mappings/settings.csv that a file sets, as hits."""

from __future__ import annotations

from collections.abc import Iterator

from migrate.knowledge.settings import folk_settings
from migrate.model.mark import MarkKind
from migrate.model.rule import Hit
from migrate.model.signals import Kind
from migrate.rules.code import Code


def settings_found(code: Code, kind: str) -> Iterator[Hit]:
    """Yield a hit where a setting of a kind (variable, command, option) is set."""
    for signal in code.signals(Kind.SETTING):
        setting = folk_settings()[signal.value]
        if setting.kind == kind:
            instead = f" Instead: {setting.instead}." if setting.instead else ""
            yield code.hit(signal, detail=f"{setting.name}: {setting.note}{instead}")
    for mark in code.marks(MarkKind.ENVIRONMENT):
        asked = folk_settings().get(mark.symbol)
        if asked is not None and asked.kind == kind:
            yield code.hit(mark, detail=f"{asked.name}: {asked.note}")
