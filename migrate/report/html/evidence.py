"""Where a fact comes from, as a link: sources by their titles, web addresses only."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlsplit

from migrate.knowledge.sources import known_sources
from migrate.model.resolution import Evidence

_URL = re.compile(r"https?://\S+")


@dataclass(frozen=True, slots=True)
class Link:
    """Where a fact comes from; ``url`` is "" where only its name is known."""

    title: str
    url: str


def evidence_links(evidence: Iterable[str]) -> tuple[Link, ...]:
    """Turn evidence into links: a key or URL of mappings/sources.csv, another URL, or words.

    A source that is given twice, by its key and its URL or in two places, is one link.
    """
    links: dict[str, Link] = {}
    for link in map(_evidence_link, evidence):
        if link.url not in {one.url for one in links.values() if one.url}:
            links.setdefault(link.title, link)
    return tuple(links.values())


def _evidence_link(word: str) -> Link:
    source = known_sources().get(word) or _by_url().get(word)
    if source is not None:
        return Link(source.title, source.url if _URL.fullmatch(source.url) else "")
    found = _URL.search(word)
    if found is None:
        return Link(word, "")
    title = (word[: found.start()] + word[found.end() :]).strip(" :;,()<>")
    return Link(title or _url_title(found[0]), found[0])


@cache
def _by_url() -> Mapping[str, Evidence]:
    return {source.url: source for source in known_sources().values()}


def _url_title(url: str) -> str:
    parts = urlsplit(url)
    last = parts.path.rstrip("/").rpartition("/")[2]
    return f"{parts.netloc}: {last}" if last else parts.netloc
