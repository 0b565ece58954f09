"""Which zone a node is in, as the control plane's own components count zones, and how zones take turns.

Upstream: ``GetZoneKey`` of ``k8s.io/component-helpers/node/topology`` and ``pkg/scheduler/backend/cache/node_tree.go``,
v1.34.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine.objects import Node
    from clusters.engine.status import Index

# The old names go first, as long as nodes bear them.
_REGIONS = ("failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region")
ZONES = ("failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone")


def zone_key(labels: Mapping[str, str]) -> tuple[str, str]:
    """The region and zone of a node by its labels; nodes without either are together in a zone of their own."""
    return (_first(labels, _REGIONS), _first(labels, ZONES))


def _first(labels: Mapping[str, str], keys: Sequence[str]) -> str:
    return next((labels[key] for key in keys if key in labels), "")


def interleaved(nodes: Sequence[Node]) -> Index:
    """Rows of the nodes with their zones in turn: the first of each zone, the second of each, and so on, shape (N,)."""
    places: dict[tuple[str, str], int] = {}
    turns: dict[tuple[str, str], int] = {}
    keys = []
    for node in nodes:
        key = zone_key(node.labels)
        place = places.setdefault(key, len(places))
        turn = turns[key] = turns.get(key, -1) + 1
        keys.append((turn, place))
    return np.array(sorted(range(len(nodes)), key=keys.__getitem__), np.intp)
