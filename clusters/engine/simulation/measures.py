"""A cluster in a few plain numbers: what is requested of what there is, where, and what of the rest is of use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.disruption import budget_states
from clusters.engine.nodes.health import node_health
from clusters.engine.nodes.pools import pool_of
from clusters.engine.resources.requests import CPU, EPHEMERAL_STORAGE, MEMORY, PODS
from clusters.engine.resources.utilisation import Amounts, amounts_of, stranded, zone_uses
from clusters.engine.simulation.pod_requests import PodRequests
from clusters.engine.spreading.groups import spreading_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from clusters.engine.configuration import Profile
    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index, Ints, Mask

# So many of the fullest nodes, and of the emptiest.
EXTREMES = 5


@dataclass(frozen=True, slots=True)
class Amount:
    """So much of a resource is requested of what is allocatable, in base units."""

    requested: int
    allocatable: int

    @property
    def share(self) -> float:
        """Requested of allocatable; 0 where there is nothing of it."""
        return self.requested / self.allocatable if self.allocatable else 0.0


@dataclass(frozen=True, slots=True)
class MeasuredNodes:
    """Nodes that belong together, by zone or by pool; the name is empty for those that say nothing about it.

    ``usable`` and ``empty`` as in ``Measures``.
    """

    name: str
    nodes: int
    usable: int
    empty: int
    amounts: Mapping[str, Amount]


@dataclass(frozen=True, slots=True)
class NodeUse:
    """A node and what is requested of it; ``share`` is the larger one of those of CPU and memory."""

    node: str
    share: float
    amounts: Mapping[str, Amount]


@dataclass(frozen=True, slots=True)
class StrandedAmount:
    """So much of a resource is left on nodes where another one is nearly gone, as in ``utilisation.stranded``."""

    resource: str
    nodes: int
    left: int
    for_lack: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Measures:
    """A cluster at one moment. ``amounts`` by resource: CPU, memory, pods, and others that matter.

    ``pending``: pending pods, which request ``wanted``. ``empty``: nodes without any pod but those of
    DaemonSets and static ones; the others are in use. ``usable``: nodes that are well and accept pods, of
    which so much is allocatable as is ``open``.
    """

    nodes: int
    usable: int
    empty: int
    pods: int
    pending: int
    wanted: Mapping[str, int]
    amounts: Mapping[str, Amount]
    open: Mapping[str, int]
    zones: tuple[MeasuredNodes, ...]
    pools: tuple[MeasuredNodes, ...]
    fullest: tuple[NodeUse, ...]
    emptiest: tuple[NodeUse, ...]
    stranded: tuple[StrandedAmount, ...]


@dataclass(frozen=True, slots=True)
class SpreadMeasures:
    """Spread constraints by how they stand: ``hard`` ones keep pods pending, the others are ``soft``.

    Of each, ``violated``: some domain holds more than maxSkew above the minimum; ``tight``: a hard one that is not
    violated and has a domain that the next pod may not enter. ``widest``: the largest skew of any hard one.
    """

    hard: int
    hard_violated: int
    hard_tight: int
    soft: int
    soft_violated: int
    widest: int


@dataclass(frozen=True, slots=True)
class BudgetMeasures:
    """Disruption budgets: how many evictions they grant now in all, and those that grant none.

    ``lasting``: those of the ``blocked`` that go on blocking until somebody changes something.
    """

    budgets: int
    granted: int
    blocked: tuple[str, ...]
    lasting: tuple[str, ...]


def measures_of(snapshot: Snapshot, waiting: Iterable[Document] = ()) -> Measures:
    """Measure a snapshot and the pending pods beside it."""
    nodes, pods = snapshot.nodes, snapshot.pods
    documents = list(waiting)
    reading = PodRequests()
    asked = [reading.of(document) for document in documents]
    amounts = resource_amounts(snapshot)
    in_use = nodes_in_use(snapshot)
    usable = node_health(snapshot).usable
    counted = amounts_of(snapshot)
    ranked = _ranked(amounts, usable)
    wanted: dict[str, int] = {}
    for each in asked:
        for resource, number in each.items():
            wanted[resource] = wanted.get(resource, 0) + number
    return Measures(
        nodes=len(nodes),
        usable=int(usable.sum()),
        empty=len(nodes) - int(in_use.sum()),
        pods=int((pods.node >= 0).sum()),
        pending=len(documents),
        wanted=wanted,
        amounts=_total(amounts, np.arange(len(nodes))),
        open={name: int(each.allocatable[usable].sum()) for name, each in amounts.items()},
        zones=tuple(_part(zone.zone, zone.rows, amounts, usable, in_use) for zone in zone_uses(snapshot, counted)),
        pools=tuple(_part(pool, rows, amounts, usable, in_use) for pool, rows in _pools(snapshot)),
        fullest=_uses(snapshot, amounts, ranked[:EXTREMES]),
        emptiest=_uses(snapshot, amounts, ranked[::-1][:EXTREMES]),
        stranded=tuple(
            StrandedAmount(each.resource, len(each.rows), each.left, dict(each.for_lack))
            for each in stranded(counted, usable)
        ),
    )


def spread_measures(
    snapshot: Snapshot, profiles: Iterable[Profile], waiting: Iterable[Document] = ()
) -> SpreadMeasures:
    """Count the spread constraints of a snapshot by how they stand."""
    groups = spreading_of(snapshot, profiles, waiting).groups
    hard = [group for group in groups if group.blocks]
    soft = [group for group in groups if not group.blocks]
    return SpreadMeasures(
        hard=len(hard),
        hard_violated=sum(group.violation > 0 for group in hard),
        hard_tight=sum(
            not group.violation and bool((group.eligibility.exists & ~group.within).any()) for group in hard
        ),
        soft=len(soft),
        soft_violated=sum(group.violation > 0 for group in soft),
        widest=max((group.largest_skew for group in hard), default=0),
    )


def budget_measures(snapshot: Snapshot, waiting: Iterable[Document] = ()) -> BudgetMeasures:
    """Count what the disruption budgets of a snapshot allow, computed from its objects as the controller would."""
    states = budget_states(snapshot, waiting)
    allowed = {
        state.budget.key: state.budget.grants if state.computed.allowed is None else state.computed.allowed
        for state in states
    }
    return BudgetMeasures(
        budgets=len(states),
        granted=sum(allowed.values()),
        blocked=tuple(sorted(key for key, number in allowed.items() if not number)),
        lasting=tuple(sorted(state.budget.key for state in states if state.is_blocker)),
    )


def nodes_in_use(snapshot: Snapshot) -> Mask:
    """Shape (N,): nodes with a pod that is not of a DaemonSet and not static."""
    return moving_pods(snapshot) > 0


def moving_pods(snapshot: Snapshot) -> Ints:
    """Shape (N,): how many pods of each node are neither of a DaemonSet nor static."""
    return np.bincount(snapshot.pods.node[moving_slots(snapshot)], minlength=len(snapshot.nodes)).astype(np.int64)


def moving_slots(snapshot: Snapshot) -> Index:
    """Slots of the pods on nodes that are neither of a DaemonSet nor static."""
    pods = snapshot.pods
    pinned = np.array([template.is_pinned for template in pods.templates], np.bool_)
    bound = np.flatnonzero(pods.node >= 0)
    return bound[~pinned[pods.template[bound]]] if len(bound) else bound


def resource_amounts(snapshot: Snapshot) -> dict[str, Amounts]:
    """CPU, memory and pods, then the other resources that some node has or some pod requests, by name."""
    nodes = snapshot.nodes
    found = {}
    for name in (CPU, MEMORY, EPHEMERAL_STORAGE, *sorted(set(nodes.resources) - {CPU, MEMORY, EPHEMERAL_STORAGE})):
        column = nodes.resources.index(name)
        amounts = Amounts(nodes.requested[:, column], nodes.allocatable[:, column])
        if name in (CPU, MEMORY) or amounts.allocatable.any() or amounts.requested.any():
            found[name] = amounts
    found[PODS] = Amounts(nodes.pod_count, nodes.allowed_pods)
    return found


def _total(amounts: Mapping[str, Amounts], rows: Index) -> dict[str, Amount]:
    return {
        name: Amount(int(each.requested[rows].sum()), int(each.allocatable[rows].sum()))
        for name, each in amounts.items()
    }


def _part(name: str, rows: Index, amounts: Mapping[str, Amounts], usable: Mask, in_use: Mask) -> MeasuredNodes:
    open_rows, empty = int(usable[rows].sum()), len(rows) - int(in_use[rows].sum())
    return MeasuredNodes(name, len(rows), open_rows, empty, _total(amounts, rows))


def _pools(snapshot: Snapshot) -> list[tuple[str, Index]]:
    """The rows of each pool in order of name, nodes without one last."""
    members: dict[str, list[int]] = {}
    for row, node in enumerate(snapshot.nodes.nodes):
        members.setdefault(pool_of(node.labels), []).append(row)
    return [(pool, np.array(members[pool], np.intp)) for pool in sorted(members, key=lambda pool: (not pool, pool))]


def _shares(amounts: Mapping[str, Amounts]) -> NDArray[np.float64]:
    """Shape (N,): the larger one of the shares of CPU and memory of each node."""
    return np.maximum(amounts[CPU].shares, amounts[MEMORY].shares)


def _ranked(amounts: Mapping[str, Amounts], usable: Mask) -> Index:
    """Rows of the usable nodes, the fullest first."""
    rows = np.flatnonzero(usable)
    return rows[np.argsort(-_shares(amounts)[rows], kind="stable")]


def _uses(snapshot: Snapshot, amounts: Mapping[str, Amounts], rows: Index) -> tuple[NodeUse, ...]:
    shares = _shares(amounts)
    return tuple(
        NodeUse(snapshot.nodes.names[row], float(shares[row]), _total(amounts, np.array([row])))
        for row in rows.tolist()
    )


def room_for(amounts: Mapping[str, Amounts], shape: Mapping[str, int]) -> Ints:
    """Shape (N,): how many more pods that request ``shape`` each node has resources and places for."""
    room = amounts[PODS].left.copy()
    for resource, number in shape.items():
        if number > 0:
            left = amounts[resource].left if resource in amounts else np.zeros_like(room)
            room = np.minimum(room, left // number)
    return room
