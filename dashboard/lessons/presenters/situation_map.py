"""The map of a situation before anything is decided: zones, nodes, taints and loads, and nothing of the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from clusters.engine.resources import CPU, MEMORY
from clusters.wording.lessons import situation as words
from clusters.wording.lists import listed
from dashboard.lessons.presenters.cluster import node_line
from dashboard.pictures.verdict_map.marks import OF_FILTERS
from dashboard.pictures.verdict_map.spec import MapKey, VerdictMap
from dashboard.presenters.shared.map_pools import map_pools
from dashboard.presenters.shared.node_loads import node_loads

if TYPE_CHECKING:
    from clusters.engine.lessons import Situation
    from clusters.engine.objects import Node
    from clusters.engine.status import Index

# Sets of taints that are told apart; what is rarer is one key.
_MOST_SETS: Final = 8
_PLAIN, _TAINTED = "verdict-chosen-solid", "verdict-unknown-solid"


def situation_map(situation: Situation) -> VerdictMap:
    """Present the nodes of a situation by their taints."""
    snapshot = situation.snapshot
    nodes = snapshot.nodes.nodes
    pools, order = map_pools(nodes)
    ordered = [nodes[row] for row in order.tolist()]
    keys, key_of = _keys(ordered)
    resource = _resource(situation, order)
    loads = node_loads(snapshot, order, resource)
    return VerdictMap(
        sentence=words.summary(len(ordered), (words.KEY(nodes=key.nodes, label=key.label) for key in keys)),
        keys=keys,
        pools=pools,
        names=tuple(node.name for node in ordered),
        key_of=key_of,
        shade_of=(0,) * len(ordered),
        loads=loads,
        loads_caption=words.loads(resource) if loads else "",
        lines=tuple(node_line(snapshot, row) for row in order.tolist()),
    )


def _keys(nodes: list[Node]) -> tuple[tuple[MapKey, ...], tuple[int, ...]]:
    """Return a key for each set of taints, those without any first, and which of them each node has."""
    sets = [taints_of(node) for node in nodes]
    distinct = sorted(set(sets) - {""}, key=lambda each: (-sets.count(each), each))
    labels = [str(words.UNTAINTED), *(words.TAINTED(taints=each) for each in distinct[:_MOST_SETS])]
    number_of = {"": 0, **{each: number for number, each in enumerate(distinct[:_MOST_SETS], 1)}}
    key_of = tuple(number_of.get(each, len(labels)) for each in sets)
    if len(distinct) > _MOST_SETS:
        labels.append(str(words.OTHER_TAINTS))
    marks = ["", *OF_FILTERS]
    return tuple(
        MapKey(label, "", _TAINTED if number else _PLAIN, marks[number], key_of.count(number))
        for number, label in enumerate(labels)
    ), key_of


def taints_of(node: Node) -> str:
    """Return the taints of a node in a row; a cordoned node says so, whatever its taints are."""
    found = [str(taint) for taint in node.taints]
    return listed([*([str(words.CORDONED)] if node.unschedulable and not found else []), *found])


def _resource(situation: Situation, order: Index) -> str:
    """Return the resource of which the pod in question requests the most, by what nodes have; without a pod CPU.

    What is free does not count: where it is scarce would say too much.
    """
    nodes, subject = situation.snapshot.nodes, situation.subject
    if subject is None or not len(order):
        return CPU
    requests = situation.explanation.pod.requests
    shares = {
        resource: requests[resource] / max(1, int(np.max(nodes.allocatable[:, nodes.resources.index(resource)])))
        for resource in (CPU, MEMORY, *requests)
        if resource in nodes.resources and requests.get(resource)
    }
    return max(shares, key=lambda resource: shares[resource], default=CPU)
