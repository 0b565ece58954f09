"""The pictures' and charts' share of the design tokens: names only, because static/css/tokens.css holds the values.

A figure carries token references such as `var(--verdict-fits-solid)`. The browser resolves them when it draws, so one
figure serves the light theme, the dark theme and paper. Colour never stands alone: verdicts have a word and a shape,
stacked plugins a pattern.
"""

from __future__ import annotations

from types import MappingProxyType

from clusters.engine.configuration.releases import LATEST, ExtensionPoint
from clusters.engine.registry import PLUGINS
from dashboard.pictures.specs import Key

# Keep neighbours in a stacked bar apart without colour: plotly's shapes, given to the plugins that score in turn.
_PATTERNS = ("", "/", ".", "x", "\\", "-", "|", "+")


def _patterns() -> dict[str, str]:
    scoring = [name for name, points in LATEST.points.items() if ExtensionPoint.SCORE in points]
    given = {name: _PATTERNS[number % len(_PATTERNS)] for number, name in enumerate(scoring)}
    return given | {name: "" for name in PLUGINS if name not in given}


PLUGIN_PATTERNS = MappingProxyType(_patterns())
"""Every plugin and its pattern, those that score first."""
ZONE_COLOURS = 8
"""So many tokens ``--zone-1`` and on there are; the zones after them start again."""


def plugin_colour(plugin: str) -> str:
    """Return the fill of a plugin; an out-of-tree plugin gets the neutral one."""
    return f"var(--plugin-{PLUGINS[plugin].colour})" if plugin in PLUGINS else "var(--ink-muted)"


def plugin_key(plugin: str) -> Key:
    """Return a plugin as a part of bars: its name, its colour's token and its pattern."""
    return Key(plugin, plugin_colour(plugin)[6:-1], PLUGIN_PATTERNS.get(plugin, ""))
