"""Which zone and which node pool a node belongs to, by its labels, and the nodes of a cluster by both."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.spreading.constraints import ZONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine.objects import Node
    from clusters.engine.status import Index

# Providers, provisioners and people write to which pool a node belongs under labels that end so.
POOL_NAMES = frozenset({"agentpool", "node-group", "node-pool", "nodegroup", "nodepool", "pool"})
# What nodes of old clusters have instead; spreading does not look at it.
_OLD_ZONE = "failure-domain.beta.kubernetes.io/zone"


@dataclass(frozen=True, slots=True)
class NodePool:
    """The nodes of one zone and one pool, in order of name; either is empty for nodes that do not say."""

    zone: str
    name: str
    rows: Index


def pool_of(labels: Mapping[str, str]) -> str:
    """The pool that a node belongs to: the first label by name that tells it; empty where none does."""
    names = [label for label in labels if label.rpartition("/")[2].removeprefix("gke-") in POOL_NAMES]
    return labels[min(names)] if names else ""


def node_pools(nodes: Iterable[Node]) -> tuple[NodePool, ...]:
    """The nodes by zone, and within it by pool, in the order of their names; those without a name come last."""
    members: dict[tuple[str, str], list[int]] = {}
    for row, node in enumerate(nodes):
        zone = node.labels.get(ZONE) or node.labels.get(_OLD_ZONE, "")
        members.setdefault((zone, pool_of(node.labels)), []).append(row)
    order = sorted(members, key=lambda key: [(not name, name) for name in key])
    return tuple(NodePool(zone, name, np.array(members[zone, name], np.intp)) for zone, name in order)


def pools_or_zones(nodes: Iterable[Node], most: int) -> tuple[NodePool, ...]:
    """The nodes by zone and pool, or where there are more pools than ``most`` by zone alone."""
    found = node_pools(nodes)
    if len(found) <= most:
        return found
    return tuple(_whole_zone(zone, tuple(pools)) for zone, pools in groupby(found, lambda each: each.zone))


def _whole_zone(zone: str, pools: tuple[NodePool, ...]) -> NodePool:
    return NodePool(zone, "", np.sort(np.concatenate([each.rows for each in pools])))
