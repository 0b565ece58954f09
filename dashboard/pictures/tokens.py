"""The pictures' and charts' share of the design tokens: names only, because static/css/tokens.css holds the values.

A figure carries token references such as `var(--verdict-fits-solid)`. The browser resolves them when it draws, so one
figure serves the light theme, the dark theme and paper. Colour never stands alone: verdicts have a word and a shape,
stacked plugins a pattern.
"""

from __future__ import annotations

from types import MappingProxyType

from clusters.engine.registry import PLUGINS
from clusters.engine.versions import RELEASES, ExtensionPoint
from dashboard.pictures.specs import Key
from dashboard.pictures.verdict_map.marks import OF_FILTERS, OTHER

# Keep neighbours in a stacked bar apart without colour: plotly's shapes, given to the plugins that score in turn.
_PATTERNS = ("", "/", ".", "x", "\\", "-", "|", "+")


def _patterns() -> dict[str, str]:
    scoring = dict.fromkeys(
        name
        for release in RELEASES.values()
        for name, points in release.points.items()
        if ExtensionPoint.SCORE in points
    )
    given = {name: _PATTERNS[number % len(_PATTERNS)] for number, name in enumerate(scoring)}
    return given | {name: "" for name in PLUGINS if name not in given}


def _marks() -> dict[str, str]:
    filtering = dict.fromkeys(
        name
        for release in RELEASES.values()
        for name, points in release.points.items()
        if ExtensionPoint.FILTER in points
    )
    return dict(zip(filtering, OF_FILTERS, strict=False))


PLUGIN_PATTERNS = MappingProxyType(_patterns())
"""Every plugin and its pattern, those that score first."""
PLUGIN_MARKS = MappingProxyType(_marks())
"""The mark of the nodes that a plugin rejects, for every plugin that filters."""
ZONE_COLOURS = 8
"""So many tokens ``--zone-1`` and on there are; the zones after them start again."""


def plugin_colour(plugin: str) -> str:
    """Return the fill of a plugin; an out-of-tree plugin gets the neutral one."""
    return f"var(--plugin-{PLUGINS[plugin].colour})" if plugin in PLUGINS else "var(--ink-muted)"


def plugin_mark(plugin: str) -> str:
    """Return the mark of the nodes that a plugin rejects; those of all that are not in-tree have the same."""
    return PLUGIN_MARKS.get(plugin, OTHER)


def plugin_key(plugin: str) -> Key:
    """Return a plugin as a part of bars: its name, its colour's token and its pattern."""
    return Key(plugin, plugin_colour(plugin)[6:-1], PLUGIN_PATTERNS.get(plugin, ""))
