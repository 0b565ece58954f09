"""Placements of a group of pods: the nodes of one topology domain, as if there were no others.

Upstream: ``plugins/topologyaware`` and ``plugins/podgrouppodscount`` of v1.36.3 and v1.37.2.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.snapshot import Snapshot

# Nodes times domains; each domain is tried on a cluster of its own.
MOST_NODES_TRIED: Final = 20_000
_HIGHEST: Final = 100


def domains_of(snapshot: Snapshot, key: str) -> Mapping[str, frozenset[str]]:
    """The names of the nodes that have a label, by its value, in order of that."""
    found: dict[str, set[str]] = defaultdict(set)
    for node in snapshot.nodes.nodes:
        if key in node.labels:
            found[node.labels[key]].add(node.name)
    return {value: frozenset(found[value]) for value in sorted(found)}


def within(snapshot: Snapshot, names: frozenset[str]) -> Snapshot:
    """The cluster with these nodes alone; pods of others are as good as gone."""
    left = snapshot.copy()
    for name in [each for each in snapshot.nodes.names if each not in names]:
        left.delete({"kind": "Node", "metadata": {"name": name}})
    return left


def best_of(counts: Sequence[int]) -> int:
    """Which of several placements is taken by how many pods of the group each has: the first of equally good ones."""
    most = max(counts)
    scores = [count * _HIGHEST // most if most else 0 for count in counts]
    return scores.index(max(scores))


def domain_of(snapshot: Snapshot, key: str, nodes: Iterable[str]) -> str | None:
    """The domain that all these nodes are in; empty without any, None where they have none or several."""
    by_name = {node.name: node.labels.get(key) for node in snapshot.nodes.nodes}
    found = {by_name.get(name) for name in nodes}
    if not found:
        return ""
    (domain, *others) = found
    return None if others else domain
