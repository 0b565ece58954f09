"""One more node like one that there is: which pending pods it would take, tried and not guessed.

A new node is a twin of one of its pool: the same labels, resources and taints, and the pods of DaemonSets that run on
that one. Nodes that differ in their names alone are tried once.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from clusters.engine.cycle import run_cycle
from clusters.engine.extending import Verb
from clusters.engine.matching.known_taints import TaintMeaning, meaning_of, says_state
from clusters.engine.nodes.health import node_health
from clusters.engine.nodes.pools import pool_of
from clusters.engine.objects import Node, key_of, labels_of, metadata, name_of
from clusters.engine.registry import PLUGINS
from clusters.engine.resources.requests import CPU, EPHEMERAL_STORAGE, MEMORY, PODS
from clusters.engine.simulation.case import Case, Origin, Wanted
from clusters.engine.simulation.node_sets import with_nodes
from clusters.engine.simulation.removable import CONTROL_PLANE
from clusters.engine.simulation.run import Simulation
from clusters.engine.simulation.twins import twin_of
from clusters.engine.spreading.constraints import HOSTNAME
from clusters.engine.traits import Reads

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.explanation import Explanation
    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot

# So many shapes of nodes are tried.
MOST_SHAPES: Final = 24
# Of so many of them a pod that looks at pods elsewhere is tried once more, each node added alone.
_MOST_ALONE: Final = 3
# So many pods are placed in a simulation: few nodes take more.
MOST_PODS: Final = 500
# A label with more values than a cluster has zones, pools and sizes is the node's own, like its name.
_FEW_VALUES: Final = 64
# And so few values tell something even where no two nodes share one.
_HANDFUL: Final = 8
# What taints say of nodes that nobody adds for a pod.
_NOT_ADDED: Final = (TaintMeaning.LEAVING, TaintMeaning.VIRTUAL)
_ORDINARY: Final = frozenset({CPU, MEMORY, EPHEMERAL_STORAGE, PODS})


@dataclass(frozen=True, slots=True)
class NodeLikeness:
    """A node that a new one would be like, and the pods of DaemonSets on it."""

    node: Document
    daemons: tuple[Document, ...] = ()


@dataclass(frozen=True, slots=True)
class OneMoreNode:
    """A new node like the one named ``like``, of the same ``pool`` (empty where nodes do not say)."""

    like: str
    pool: str = ""


def node_shapes(snapshot: Snapshot, most: int = MOST_SHAPES) -> list[str]:
    """Name a node of each shape: labels, resources and taints, apart from what is each node's own.

    Of more shapes than ``most`` every pool and size is there before a second of its zones is. A node of the shape that
    is well speaks for it, if there is one. Nodes of the control plane, virtual ones and those that are about to be
    removed are left out: nobody adds those for a pod.
    """
    nodes, usable = snapshot.nodes, node_health(snapshot).usable
    told = _telling(nodes.nodes)
    alike: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    amounts = np.ascontiguousarray(nodes.allocatable)
    for row, (node, taints) in enumerate(zip(nodes.nodes, nodes.taint_set.tolist(), strict=True)):
        labels = tuple([node.labels.get(key) for key in told])
        alike[labels, taints, amounts[row].tobytes(), int(nodes.allowed_pods[row])].append(row)
    members: dict[tuple[Any, ...], dict[Any, list[int]]] = defaultdict(lambda: defaultdict(list))
    for (labels, _, sums, pods), rows in alike.items():
        node = nodes.nodes[rows[0]]
        is_leaving = any(meaning_of(taint.key, taint.value) in _NOT_ADDED for taint in node.taints)
        if not is_leaving and not any(key in node.labels for key in CONTROL_PLANE):
            lasting = tuple(taint for taint in node.taints if not says_state(taint.key))
            members[pool_of(node.labels), sums, pods, lasting][labels].extend(rows)
    ranked = []
    for shapes in members.values():
        for place, rows in enumerate(sorted(map(sorted, shapes.values()), key=lambda rows: (-len(rows), rows[0]))):
            ranked.append((place, -len(rows), next((row for row in rows if usable[row]), rows[0])))
    return [nodes.names[row] for _, _, row in sorted(ranked)[:most]]


def _telling(nodes: Sequence[Node]) -> tuple[str, ...]:
    """The label keys that tell kinds of nodes: those of few values, and not of another one on each node."""
    values: dict[str, set[str]] = defaultdict(set)
    counts: dict[str, int] = defaultdict(int)
    for node in nodes:
        for key, value in node.labels.items():
            values[key].add(value)
            counts[key] += 1
    few = {key for key, found in values.items() if len(found) <= _HANDFUL or len(found) < min(counts[key], _FEW_VALUES)}
    return tuple(sorted(few - {HOSTNAME}))


class MoreNodes:
    """A cluster with one more node of each shape, to find out which of them would take a pod.

    ``likenesses``: nodes of the snapshot, at most one of each shape.
    """

    def __init__(self, snapshot: Snapshot, likenesses: Iterable[NodeLikeness]) -> None:
        self._before = snapshot
        self._likenesses = {name_of(each.node): each for each in sorted(likenesses, key=_size)}
        self._names = _new_names(snapshot, self._likenesses)
        self._snapshot = self._with(self._names.items())
        index = self._snapshot.nodes.index
        self._rows = {index[self._names[like]]: like for like in self._likenesses}

    def taking(self, explanation: Explanation) -> tuple[OneMoreNode, ...]:
        """The nodes of which one more would take the pod as it is, the smallest first; none of a pod that fits.

        None either where no node was looked at, and where an extender would have to be asked about the new one.
        """
        cycle = explanation.cycle
        is_extended = any(call.verb is Verb.FILTER for call in cycle.calls)
        if explanation.fits or explanation.error is not None or cycle.stopped_by is not None or is_extended:
            return ()
        then = run_cycle(self._snapshot, explanation.pod, explanation.profile)
        feasible = frozenset(then.feasible.tolist()) if len(then.choices) else frozenset()
        found = [like for row, like in self._rows.items() if row in feasible]
        order = {like: number for number, like in enumerate(self._likenesses)}
        found.sort(key=order.__getitem__)
        if any(Reads.PODS in PLUGINS[name].reads for name in then.filters if name in PLUGINS):
            # What is elsewhere counts for it, other new nodes too.
            found = [like for like in found[:_MOST_ALONE] if self._takes_alone(like, explanation)]
        named = {each.like: each for each in self.each}
        return tuple(named[like] for like in found)

    def freed(
        self, more: OneMoreNode, pods: Sequence[Document], configuration: SchedulerConfiguration
    ) -> frozenset[str]:
        """Which of some pending pods, as ``namespace/name``, get a node when the one node is added.

        They are placed one after another in the order of the scheduler's queue, and preempt nobody.
        """
        wanted = [Wanted(_patient(pod), origin=Origin.PENDING_BEFORE) for pod in pods[:MOST_PODS]]
        simulation = Simulation(Case(self.with_several(more.like, 1), configuration, wanted))
        for _ in simulation:
            pass
        return frozenset(key_of(each.pod) for each in wanted) - simulation.waiting.keys()

    def _takes_alone(self, like: str, explanation: Explanation) -> bool:
        snapshot = self.with_several(like, 1)
        then = run_cycle(snapshot, explanation.pod, explanation.profile)
        return len(then.choices) > 0 and snapshot.nodes.index[self._names[like]] in then.feasible.tolist()

    @property
    def each(self) -> tuple[OneMoreNode, ...]:
        """All nodes of which one more can be tried, the smallest first."""
        return tuple(OneMoreNode(like, pool_of(labels_of(each.node))) for like, each in self._likenesses.items())

    def with_several(self, like: str, number: int) -> Snapshot:
        """The cluster with so many new nodes like one, which `each` has, and the pods of DaemonSets on them."""
        first = self._names[like]
        return self._with((like, first if not further else f"{first}-{further}") for further in range(number))

    def _with(self, named: Iterable[tuple[str, str]]) -> Snapshot:
        """The cluster with new nodes like some, by their names, and the pods of DaemonSets on them."""
        chosen = [(self._likenesses[like], name) for like, name in named]
        snapshot = with_nodes(self._before, [twin_of(each.node, name) for each, name in chosen])
        for each, name in chosen:
            limits = snapshot.object("CSINode", name_of(each.node))
            if limits is not None:
                snapshot.upsert({**limits, "metadata": {**metadata(limits), "name": name}})
            for pod in each.daemons:
                key = f"{name_of(pod)}-{name}"
                twin = {**pod, "metadata": {**metadata(pod), "name": key, "uid": f"imagined:pod/{key}"}}
                snapshot.assume(twin, name)
        return snapshot


def _size(likeness: NodeLikeness) -> tuple[int, int, int, str]:
    """What a node costs, as far as its size tells: devices and the like first, then CPU and memory."""
    node = Node.from_dict(likeness.node)
    rare = sum(1 for name, number in node.allocatable.items() if number and name not in _ORDINARY)
    return rare, node.allocatable.get(CPU, 0), node.allocatable.get(MEMORY, 0), node.name


def _new_names(snapshot: Snapshot, likes: Iterable[str]) -> dict[str, str]:
    """A name for a new node like each, that neither a node nor a pod's node has."""
    stem = "one-more"
    while any(name.startswith(stem) for name in [*snapshot.nodes.names, *snapshot.pods.homes.values()]):
        stem = f"{stem}-more"
    return {like: f"{stem}-{number}" for number, like in enumerate(likes)}


def _patient(pod: Document) -> dict[str, Any]:
    return {**pod, "spec": {**(pod.get("spec") or {}), "preemptionPolicy": "Never"}}
