"""The pictures' share of the design tokens: names, and for files the values of the light theme."""

from __future__ import annotations

import re
from functools import cache
from types import MappingProxyType

from django.conf import settings

from clusters.engine.registry import PLUGINS
from clusters.engine.versions import RELEASES, ExtensionPoint
from dashboard.pictures.specs import Key
from dashboard.pictures.verdict_map.spec import OF_FILTERS

# -- The pictures' and charts' share of the design tokens -------------------------------------------------------------


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


def plugin_key(plugin: str) -> Key:
    """Return a plugin as a part of bars: its name, its colour's token and its pattern."""
    return Key(plugin, plugin_colour(plugin)[6:-1], PLUGIN_PATTERNS.get(plugin, ""))


# -- The design tokens' values for what leaves the site ---------------------------------------------------------------


_DECLARATION = re.compile(r"--([\w-]+):\s*(#[0-9a-f]{6});")
_REFERENCE = re.compile(r"var\(--([\w-]+)\)")


@cache
def light_colours() -> dict[str, str]:
    """Return the light theme's colours by their tokens' names, as static/css/tokens.css has them."""
    text = (settings.SITE_DIR / "static" / "css" / "tokens.css").read_text(encoding="utf-8")
    light = text[: text.index('[data-bs-theme="dark"]')]
    return dict(_DECLARATION.findall(light))


def with_colours(drawn: str) -> str:
    """Replace the references to tokens in a drawing by the light theme's colours."""
    return _REFERENCE.sub(lambda found: light_colours()[found[1]], drawn)
