"""The shapes and colours that the pages use, and the keys that move between them."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.pictures.patterns import STROKES
from dashboard.pictures.tokens import PLUGIN_PATTERNS, plugin_colour

# The keys of sections, pressed after `g`, by the name of the section's first page.
SECTION_KEYS = {
    "cluster": "o",
    "pending": "q",
    "pods": "p",
    "workloads": "w",
    "pod-groups": "a",
    "nodes": "n",
    "devices": "v",
    "drain": "d",
    "cluster-runs": "m",
    "upgrade": "l",
    "spread": "s",
    "budgets": "b",
    "quotas": "u",
    "usage": "e",
    "journal": "j",
    "reports": "r",
    "cluster-configuration": "c",
}


@dataclass(frozen=True, slots=True)
class PluginMark:
    """A plugin as figures show it: a fill, and the strokes of its pattern as an SVG path."""

    name: str
    fill: str
    strokes: str


def plugin_marks() -> list[PluginMark]:
    """Return every plugin with a colour, those that score first."""
    return [PluginMark(name, plugin_colour(name), STROKES[pattern]) for name, pattern in PLUGIN_PATTERNS.items()]
