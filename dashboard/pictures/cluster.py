"""The picture of a whole cluster as columns: what the browser draws, small enough for 5,000 nodes.

Nodes come zone by zone and in the order of their names; every column has one entry for each cell, which is a node or,
where they are many, some that follow each other, in the gravest state of any. Words are made here, so the browser only
puts values into them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import orjson

from clusters.engine.nodes import Amounts
from clusters.engine.resources import CPU, MEMORY, PODS
from clusters.wording import amounts, counts, overview as words
from clusters.wording.overview import CLOSED, NO_ZONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine.nodes import ZoneUse
    from clusters.engine.status import Index, Ints
    from clusters.services.mirror.state import ClusterUtilisation

# Part of the tag by which browsers keep it: raise it when the columns change.
FORMAT = 4
# Up to so many nodes and pods, the pods are drawn inside of their nodes.
NODES_WITH_PODS = 150
PODS_DRAWN = 4_000

# A token's name and words for each state of a node, in the order of NodeState.
NODE_STATES = (
    ("not-ready", words.NOT_READY),
    ("unknown", words.UNKNOWN),
    ("pressure", words.PRESSURE),
    ("cordoned", words.CORDONED_NODE),
    ("reserved", words.RESERVED_NODE),
    ("open", words.OPEN),
)
POD_STATES = (
    ("terminating", words.TERMINATING),
    ("starting", words.STARTING),
    ("unready", words.UNREADY),
    ("ready", words.READY),
)
_SHARES_END = 999

# With more nodes than this, several of a zone are one cell. So many fill a page of the list of nodes, or a part of it.
_MOST_CELLS = 5_000
_TOGETHER = (1, 2, 5, 10, 25, 50)

# What a pod does on the node: it came, waits for others to go, was to go and stays, or has to go.
HighlightLook = Literal["placed", "nominated", "kept", "left"]


@dataclass(frozen=True, slots=True)
class Highlight:
    """A node that stands out in the picture, and the pod (as namespace/name) for which it does."""

    node: str
    pod: str
    look: HighlightLook


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of a picture: up to ``each`` nodes that follow each other in a zone, and where each begins, (C,)."""

    each: int
    firsts: Index
    in_zones: tuple[int, ...]

    @classmethod
    def of(cls, sizes: Sequence[int]) -> Cells:
        """Cut the nodes of zones of these sizes into cells."""
        fitting = (each for each in _TOGETHER if sum(sizes) <= each * _MOST_CELLS)
        each = next(fitting, _TOGETHER[-1])
        firsts = [np.arange(end - size, end, each) for size, end in zip(sizes, np.cumsum(sizes).tolist(), strict=True)]
        return cls(each, np.concatenate([np.empty(0, np.intp), *firsts]), tuple(map(len, firsts)))

    def sums(self, values: Ints) -> Ints:
        """Sums of a quantity of the nodes in their order, shape (C,)."""
        return np.add.reduceat(values, self.firsts) if len(values) else values

    def least(self, values: Ints) -> Ints:
        """The least value of the nodes of each cell, shape (C,)."""
        return np.minimum.reduceat(values, self.firsts) if len(values) else values

    def names(self, names: Sequence[str], order: Index) -> dict[str, list[str]]:
        """The first and, of cells of several, the last name of each, where nodes have such an order, shape (N,)."""
        firsts = [names[row] for row in order[self.firsts].tolist()]
        if self.each == 1:
            return {"name": firsts}
        lasts = np.append(self.firsts[1:], len(order)) - 1
        return {"name": firsts, "last": [names[row] for row in order[lasts].tolist()]}

    @property
    def told(self) -> dict[str, Any]:
        """Up to how many nodes a cell has, and what is said where that is several."""
        if self.each == 1:
            return {"each": 1}
        named = words.NODES_FROM_TO(first="{first}", last="{last}")
        return {"each": self.each, "together": words.TOGETHER(nodes=self.each), "named": named}


def picture_of(found: ClusterUtilisation, revision: int, highlight: Highlight | None = None) -> bytes:
    """Return the picture as JSON."""
    rows = [zone.rows for zone in found.zones]
    order = np.concatenate(rows) if rows else np.empty(0, np.intp)
    cells = Cells.of([len(each) for each in rows])
    places = np.empty(len(order), np.int64)
    places[order] = np.searchsorted(cells.firsts, np.arange(len(order)), side="right") - 1
    drawn = _drawn_pods(found, places)
    return orjson.dumps(
        {
            "revision": revision,
            "zones": [_zone(found, *each) for each in zip(found.zones, cells.in_zones, strict=True)],
            "nodeStates": [(token, str(word)) for token, word in NODE_STATES],
            "podStates": [(token, str(word)) for token, word in POD_STATES],
            "says": {
                "where": words.ZONE_AND_STATE(zone="{zone}", state="{state}"),
                "cpu": words.NODE_CPU(percent="{percent}", allocatable="{allocatable}"),
                "memory": words.NODE_MEMORY(percent="{percent}", allocatable="{allocatable}"),
                "pods": words.NODE_PODS(pods="{pods}", most="{most}"),
                "requests": words.POD_REQUESTS(cpu="{cpu}", memory="{memory}"),
                "on": words.POD_ON(state="{state}", node="{node}"),
                "noController": str(words.NO_CONTROLLER),
            },
            **cells.told,
            **_nodes(found, order, cells),
            "pods": None if drawn is None else _pods(found, drawn, places),
            "highlight": None if highlight is None else _highlight(found, highlight, places, drawn),
        }
    )


def _highlight(found: ClusterUtilisation, highlight: Highlight, places: Ints, drawn: Index | None) -> dict[str, Any]:
    """Return where the node's cell and the pod stand in their columns; -1 where they are not in the picture."""
    row, slot = found.snapshot.nodes.index.get(highlight.node), found.snapshot.pods.slot_of.get(highlight.pod, -1)
    at = np.empty(0, np.intp) if drawn is None else np.flatnonzero(drawn == slot)
    return {
        "node": -1 if row is None else int(places[row]),
        "pod": int(at[0]) if len(at) else -1,
        "look": highlight.look,
    }


def _zone(found: ClusterUtilisation, zone: ZoneUse, cells: int) -> dict[str, Any]:
    nodes = counts.NODES(number=len(zone.rows))
    cpu, memory = (amounts.percent(zone.requested[name], zone.allocatable[name]) for name in (CPU, MEMORY))
    unwell = int((~found.health.usable[zone.rows]).sum())
    said = {
        CPU: words.CPU_REQUESTED(nodes=nodes, percent=cpu),
        MEMORY: words.MEMORY_REQUESTED(nodes=nodes, percent=memory),
        PODS: words.WITH_PODS(nodes=nodes, pods=counts.PODS(number=zone.requested[PODS])),
        "state": words.SOME_CLOSED(nodes=nodes, closed=CLOSED(nodes=unwell)) if unwell else words.ALL_OPEN(nodes=nodes),
    }
    return {"name": zone.zone or str(NO_ZONE), "zone": zone.zone, "nodes": cells, "words": said}


def _nodes(found: ClusterUtilisation, order: Index, cells: Cells) -> dict[str, Any]:
    told = {
        name: Amounts(cells.sums(each.requested[order]), cells.sums(each.allocatable[order]))
        for name, each in found.amounts.items()
    }
    columns = (told[name].allocatable.tolist() for name in (CPU, MEMORY, PODS))
    sizes, size = _distinct(zip(*columns, strict=True))
    return {
        # Amounts in words, then as numbers: milli-CPU, bytes, pods.
        "sizes": [[amounts.cpu(cpu), amounts.size(memory), cpu, memory, pods] for cpu, memory, pods in sizes],
        "nodes": {
            **cells.names(found.snapshot.nodes.names, order),
            "size": size,
            "cpu": _percents(told[CPU]),
            "memory": _percents(told[MEMORY]),
            "pods": told[PODS].requested.tolist(),
            "state": cells.least(found.health.states[order]).tolist(),
        },
    }


def _percents(each: Amounts) -> list[int]:
    """Return whole percents; one that is not nothing is at least 1, and no longer than three digits."""
    percents = np.minimum(np.rint(100 * np.minimum(each.shares, _SHARES_END)), _SHARES_END)
    return np.where(each.shares > 0, np.maximum(percents, 1), 0).astype(np.int64).tolist()  # type: ignore[no-any-return]


def _distinct(values: Iterable[Any]) -> tuple[list[Any], list[int]]:
    """Return what there is, in the order of its first place, and where in that each value stands."""
    numbers: dict[Any, int] = {}
    places = [numbers.setdefault(value, len(numbers)) for value in values]
    return list(numbers), places


def _drawn_pods(found: ClusterUtilisation, places: Ints) -> Index | None:
    """Return the pods on the nodes, node by node and the largest first; None where there are too many to draw."""
    pods = found.snapshot.pods
    bound = np.flatnonzero(pods.node[: len(pods.keys)] >= 0)
    if len(places) > NODES_WITH_PODS or len(bound) > PODS_DRAWN:
        return None
    cpu = np.array([dict(shape.requests).get(CPU, 0) for shape in pods.shapes], np.int64)
    return bound[np.lexsort((bound, -cpu[pods.shape[bound]], places[pods.node[bound]]))]


def _pods(found: ClusterUtilisation, bound: Index, places: Ints) -> dict[str, Any]:
    pods = found.snapshot.pods
    slots: list[int] = bound.tolist()
    keys = [pods.keys[slot].partition("/") for slot in slots]
    namespaces, namespace = _distinct(key[0] for key in keys)
    owners = (pods.templates[pods.template[slot]].workload for slot in slots)
    workloads, workload = _distinct((each.namespace, each.kind, each.name) for each in owners)
    shapes, shape = _distinct(
        (requests.get(CPU, 0), requests.get(MEMORY, 0))
        for requests in (dict(pods.shapes[pods.shape[slot]].requests) for slot in slots)
    )
    return {
        "count": np.bincount(places[pods.node[bound]], minlength=len(places)).tolist(),
        "name": [key[2] for key in keys],
        "namespaces": namespaces,
        "namespace": namespace,
        "workloads": [f"{kind} {name}".strip() for _, kind, name in workloads],
        "workload": workload,
        "shapes": [[amounts.cpu(milli), amounts.size(count), milli, count] for milli, count in shapes],
        "shape": shape,
        "state": _pod_states(found, bound).tolist(),
    }


def _pod_states(found: ClusterUtilisation, slots: Index) -> Ints:
    pods = found.snapshot.pods
    masks = (pods.terminating[slots], pods.starting[slots], ~pods.ready[slots])
    return np.select(masks, range(len(masks)), len(masks)).astype(np.int64)
