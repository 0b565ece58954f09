"""Maps of made-up nodes, for tests of how they are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dashboard.pictures.verdict_map.spec import SHADES, MapKey, MapPool, VerdictMap

if TYPE_CHECKING:
    from collections.abc import Sequence

KEYS = (("best", "star"), ("feasible", ""), ("insufficient CPU", "rails"), ("untolerated taint", "cross"))


def a_map(
    pools: Sequence[tuple[str, str, int]], keys: Sequence[int] = (), names: Sequence[str] = (), **facts: object
) -> VerdictMap:
    """Make a map of pools (zone, name, nodes); nodes take the given keys in turn, and shades in turn too."""
    count = sum(nodes for _, _, nodes in pools)
    key_of = tuple(keys[place % len(keys)] if keys else 2 for place in range(count))
    found, first = [], 0
    zones = list(dict.fromkeys(zone for zone, _, _ in pools))
    for zone, name, nodes in pools:
        found.append(MapPool(zone, zones.index(zone) + 1, name, first, nodes))
        first += nodes
    return VerdictMap(
        sentence="Map of nodes.",
        keys=tuple(
            MapKey(label, "", "plugin-blue", mark, key_of.count(number), is_shaded=number == 1)
            for number, (label, mark) in enumerate(KEYS)
        ),
        pools=tuple(found),
        names=tuple(names) or tuple(f"node-{place:05}" for place in range(count)),
        key_of=key_of,
        shade_of=tuple(place % SHADES + 1 if key == 1 else 0 for place, key in enumerate(key_of)),
        **facts,  # type: ignore[arg-type]
    )
