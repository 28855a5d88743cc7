"""Variables, commands and compiler options that are told about and do nothing on ROCm."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrate.knowledge.settings import folk_settings
from migrate.model.signals import Kind, Signal

_COMMENT = re.compile(r"(?:^|\s)(?:#|//).*$")
_LONGEST_LINE = 5000


def setting_signals(text: str) -> Iterator[Signal]:
    """Yield the settings of mappings/settings.csv that a file sets, comments aside."""
    wanted = [one for one in folk_settings().values() if one.needle in text]
    if not wanted:
        return
    for line, raw in enumerate(text.splitlines(), start=1):
        content = raw[:_LONGEST_LINE]
        for setting in wanted:
            if setting.needle in content and setting.pattern.search(_COMMENT.sub("", content)):
                yield Signal(Kind.SETTING, setting.name, line)
