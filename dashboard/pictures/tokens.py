"""The pictures' and charts' share of the design tokens: names only, because static/css/tokens.css holds the values.

A figure carries token references such as `var(--verdict-fits-solid)`. The browser resolves them when it draws, so one
figure serves the light theme, the dark theme and paper. Colour never stands alone: verdicts have a word and a shape,
stacked plugins a pattern.
"""

from __future__ import annotations

import re
from types import MappingProxyType

VERDICTS = MappingProxyType(
    {
        "fits": "Fits",
        "rejected": "Rejected",
        "preemptible": "Resolvable by preemption",
        "uncertain": "Uncertain",
        "unknown": "Unknown",
        "chosen": "Chosen",
    }
)

# Every plugin with a token, those that score first; a pattern keeps stacked neighbours apart without colour.
PLUGIN_PATTERNS = MappingProxyType(
    {
        "NodeResourcesFit": "",
        "NodeResourcesBalancedAllocation": "/",
        "PodTopologySpread": ".",
        "InterPodAffinity": "x",
        "NodeAffinity": "\\",
        "TaintToleration": "-",
        "ImageLocality": "|",
        "VolumeBinding": "+",
        "NodeUnschedulable": "",
        "NodeName": "",
        "NodePorts": "",
        "VolumeRestrictions": "",
        "NodeVolumeLimits": "",
        "VolumeZone": "",
        "DynamicResources": "",
        "SchedulingGates": "",
        "DefaultPreemption": "",
    }
)
ZONE_COLOURS = 8


def kebab(name: str) -> str:
    """Turn a plugin's name into its token's: `NodeResourcesFit` is `node-resources-fit`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


def plugin_colour(plugin: str) -> str:
    """Return the fill of a plugin; an out-of-tree plugin gets the neutral one."""
    return f"var(--plugin-{kebab(plugin)})" if plugin in PLUGIN_PATTERNS else "var(--ink-muted)"


def plugin_marker(plugin: str) -> dict[str, object]:
    """Return plotly's `marker` for a plugin's bars: its colour, its pattern and a seam in the card's colour."""
    return {
        "color": plugin_colour(plugin),
        "pattern": {"shape": PLUGIN_PATTERNS.get(plugin, ""), "fillmode": "overlay", "size": 6, "solidity": 0.25},
        "line": {"color": "var(--surface-card)", "width": 1},
    }


def zone_colour(position: int) -> str:
    """Return the fill of the zone at this position among the sorted zone names; the ninth starts again."""
    return f"var(--zone-{position % ZONE_COLOURS + 1})"
