"""Disruption budgets and drains of a mirrored cluster."""

from __future__ import annotations

from collections import Counter
from copy import copy
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import ref

import msgspec
import numpy as np
import orjson
from django.conf import settings
from msgspec import Struct, field
from msgspec.structs import replace

from clusters.engine import ConfigurationError, SchedulerConfiguration, Snapshot
from clusters.engine.disruption import (
    BlockedDrain,
    BudgetState,
    DrainCase,
    DrainOptions,
    NodeDrain,
    Outlook,
    Plan,
    alone_blockers,
    blocked_drains,
    budget_states,
    drain_counts,
    drain_plan,
    node_drains,
)
from clusters.engine.nodes import pool_of
from clusters.engine.problems import ProblemError
from clusters.engine.simulation import DrainedWorkload, Quorum, drained_workloads
from clusters.models import Cluster, KubeObject, Node, Pod, PodDisruptionBudget
from clusters.problems.orders import LargeResult, ManyEvictions
from clusters.services.computing import Cache
from clusters.services.decisions.explain import note
from clusters.services.evaluation import Evaluation, Progress, Question, WorkersAwayError
from clusters.services.mirror.bases import beside_nodes
from clusters.services.mirror.past import nodes_of, pods_of, with_objects
from clusters.services.mirror.snapshots import (
    ChangingTooFastError,
    configuration_of,
    is_same_state,
    revision_of,
    snapshot_at_revision,
    snapshot_of,
    unchanging,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from clusters.engine.objects import Document, Node as EngineNode
    from clusters.engine.status import Ints
    from clusters.models.cluster import Moment


# So many workloads are listed, the gravest first; all of them are counted.
_MOST_LISTED: Final = 200


def drained_document(found: Sequence[DrainedWorkload]) -> dict[str, Any]:
    """Return how many workloads a plan evicts pods of, how gravely, and the first of those that it touches."""
    quorums = Counter(each.quorum for each in found)
    return {
        "workloads": sum(bool(each.evicted) for each in found),
        "not_listed": max(0, len(found) - _MOST_LISTED),
        "fewer": sum(bool(each.missing) for each in found),
        "stopped": sum(each.is_stopped for each in found),
        "quorum_lost": quorums[Quorum.LOST],
        "quorum_interrupted": quorums[Quorum.INTERRUPTED],
        "unschedulable": sum(each.unschedulable for each in found),
        "refused": sum(each.refused for each in found),
        "first": [
            {
                "namespace": each.workload.namespace,
                "kind": each.workload.kind,
                "name": each.workload.name,
                "before": each.before,
                "evicted": each.evicted,
                "at_once": each.at_once,
                "after": each.after,
                "missing": each.missing,
                "unschedulable": each.unschedulable,
                "refused": each.refused,
                "quorum": each.quorum.value,
            }
            for each in found[:_MOST_LISTED]
        ],
    }


# What the disruption budgets of a mirrored cluster allow: the engine's answer, kept for each revision.


class ClusterBudgets(NamedTuple):
    """Every budget by ``namespace/name``, the most urgent first, and every node that they keep from being drained."""

    snapshot: Snapshot
    states: Mapping[str, BudgetState]
    drains: tuple[BlockedDrain, ...]

    @property
    def lasting(self) -> frozenset[str]:
        """The budgets that block until somebody changes them."""
        return frozenset(name for name, state in self.states.items() if state.is_blocker)


_latest: Cache[Moment, ClusterBudgets] = Cache("budgets", settings.BERTH_SNAPSHOTS_IN_MEMORY)
# Later states are found from these, which keep no state of the cluster in memory.
_known: Cache[Moment, tuple[BudgetState, ...]] = Cache("known budgets", settings.BERTH_SNAPSHOTS_IN_MEMORY)


def budgets_of(*, cluster: Cluster) -> ClusterBudgets:
    """Return what the cluster's budgets allow.

    The result is shared with others who ask for it: leave it as it is. Raises ChangingTooFastError.
    """
    snapshot = snapshot_of(cluster)
    return _latest.get(cluster.moment, lambda: _computed(cluster, snapshot), version=snapshot)


def pods_beside_nodes(cluster: Cluster) -> Iterator[Document]:
    """Yield the pods that budgets may count and that a snapshot does not hold."""
    if cluster.past is not None:
        return iter(cluster.past.pending.values())
    namespaces = PodDisruptionBudget.objects.filter(cluster=cluster).values("namespace")
    pods = Pod.objects.filter(cluster=cluster, namespace__in=namespaces)
    return (document for _, document in beside_nodes(pods))


def _computed(cluster: Cluster, snapshot: Snapshot) -> ClusterBudgets:
    known = _known.latest(cluster.moment) or ()
    states = _known.get(
        cluster.moment, lambda: budget_states(snapshot, pods_beside_nodes(cluster), known), version=ref(snapshot)
    )
    return ClusterBudgets(
        snapshot=snapshot,
        states={state.budget.key: state for state in states},
        drains=tuple(blocked_drains(states)),
    )


# A plan of a drain, as pages and workers hand it on.


class PlannedDrain(Struct, frozen=True):
    """A plan, and the revision whose state it is about.

    ``workloads``: what the plan does to them, as ``drained_document`` writes it.
    """

    revision: int
    plan: Plan
    workloads: Mapping[str, Any]


# Draining nodes of a mirrored cluster: which can be drained now, and plans for several of them.

# So many evictions are planned while somebody waits: about half a second of work on 5,000 nodes.
MOST_AT_ONCE = 500
# For so many pods room elsewhere is looked for before anybody chooses nodes, anew whenever the cluster changes.
MOST_ROOM_SOUGHT = 500
# So many at all, and so many placements for them, with those that are tried without success.
MOST_EVICTIONS = 10_000
MOST_PLACEMENTS = 30_000
_MOST_ATTEMPTS = 5
_NAMES_AT_ONCE = 900


class DrainableNode(NamedTuple):
    """A node that somebody may choose, and what its drain by itself would meet now."""

    name: str
    zone: str
    pool: str
    version: str
    instance_type: str
    is_cordoned: bool
    drain: NodeDrain
    outlook: Outlook


class ClusterDrains(NamedTuple):
    """Every node of a cluster in order of name, how many have each outlook, and what there is to choose them by.

    ``allowed``: the pods that budgets and controllers allow to be evicted, and for which no room was looked for.
    ``values``: those of zone, pool, version and instance type, each in order.
    """

    snapshot: Snapshot
    nodes: Mapping[str, DrainableNode]
    outlooks: Counter[Outlook]
    allowed: int
    values: Mapping[str, Sequence[str]]


class DrainChoice(Struct, frozen=True):
    """Nodes to be drained: those named and those that have all that is given; and how they are drained."""

    nodes: tuple[str, ...] = ()
    zone: str | None = None
    pool: str | None = None
    version: str | None = None
    instance_type: str | None = None
    options: DrainOptions = field(default_factory=DrainOptions)

    def chosen(self, found: ClusterDrains) -> list[DrainableNode]:
        """The nodes of the cluster that are meant, in order of name."""
        named = frozenset(self.nodes) & found.nodes.keys()
        fields = ("zone", "pool", "version", "instance_type")
        given = {field: value for field in fields if (value := getattr(self, field)) is not None}
        if not given:
            return [found.nodes[name] for name in sorted(named)]
        # With the name it returns a tuple, also of one field.
        values = attrgetter("name", *given)
        asked = tuple(given.values())
        return [node for node in found.nodes.values() if values(node)[1:] == asked or node.name in named]

    @property
    def text(self) -> str:
        """The choice as text, for workers."""
        return msgspec.json.encode(self, order="sorted").decode()

    @classmethod
    def read(cls, text: str) -> DrainChoice:
        """Return the choice of which this is the text."""
        data = orjson.loads(text)
        return cls(**{**data, "nodes": tuple(data["nodes"]), "options": DrainOptions(**data["options"])})


class TooManyError(ProblemError):
    """More evictions than are planned, or a plan that is too large to be kept."""


_drains_latest: Cache[Moment, ClusterDrains] = Cache("drains", settings.BERTH_SNAPSHOTS_IN_MEMORY)


def drains_of(*, cluster: Cluster) -> ClusterDrains:
    """Return every node with what its drain would meet.

    The result is shared with others who ask for it: leave it as it is. Raises ChangingTooFastError.
    """
    budgets = budgets_of(cluster=cluster)
    configuration: SchedulerConfiguration | None
    try:
        configuration = configuration_of(cluster)
    except ConfigurationError:
        # Budgets are known without it; where pods would go is not.
        configuration = None
    return _drains_latest.get(
        cluster.moment,
        lambda: _found(cluster, budgets, configuration),
        version=(budgets.snapshot, repr(configuration)),
    )


class _Drainable(NamedTuple):
    """What `ClusterDrains` tells but for the state, and what the nodes are told by.

    ``counts`` are those of `drain_counts`; ``open``: the evictions of nodes about which more than budgets decides.
    """

    labels: Mapping[str, _Labels]
    counts: Ints
    blocked: Mapping[str, BlockedDrain]
    nodes: dict[str, DrainableNode]
    outlooks: Counter[Outlook]
    allowed: int
    open: int
    values: Mapping[str, Sequence[str]]


# Where no room is looked for, a node's drain stays what it was until the node, its pods or budgets change.
_drainable: Cache[Moment, _Drainable] = Cache("drainable nodes", settings.BERTH_SNAPSHOTS_IN_MEMORY)


def _found(cluster: Cluster, budgets: ClusterBudgets, configuration: SchedulerConfiguration | None) -> ClusterDrains:
    snapshot = budgets.snapshot
    told = snapshot.nodes.nodes
    _, labels = _labels_latest.get(
        cluster.moment, lambda: (told, _labels(cluster, snapshot)), version=[id(node) for node in told]
    )
    before = _drainable.latest(cluster.moment)
    if before is None or before.labels is not labels:
        before = _all_drainable(labels, node_drains(snapshot, budgets.drains), drain_counts(snapshot), budgets)
    found = _drainable.get(cluster.moment, lambda: _brought_forward(before, budgets), version=ref(snapshot))
    if configuration is not None and 0 < found.open <= MOST_ROOM_SOUGHT:
        drains = [node.drain for node in found.nodes.values()]
        drains = planned_alone(drains, snapshot, configuration, lambda nodes: _case(cluster, nodes, budgets))
        found = _all_drainable(labels, drains, found.counts, budgets)
    return ClusterDrains(snapshot, found.nodes, found.outlooks, found.allowed, found.values)


def _all_drainable(
    labels: Mapping[str, _Labels], drains: Iterable[NodeDrain], counts: Ints, budgets: ClusterBudgets
) -> _Drainable:
    nodes = {drain.node: DrainableNode(drain.node, *labels[drain.node], drain, drain.outlook) for drain in drains}
    every = nodes.values()
    return _Drainable(
        labels,
        counts,
        {drain.node: drain for drain in budgets.drains},
        nodes,
        outlooks=Counter([node.outlook for node in every]),
        allowed=sum([node.drain.evicted for node in every if node.outlook is Outlook.ALLOWED]),
        open=sum([node.drain.evicted for node in every if node.drain.needs_plan]),
        values={
            "zone": sorted({node.zone for node in every}),
            "pool": sorted({node.pool for node in every}),
            "version": sorted({node.version for node in every}),
            "instance_type": sorted({node.instance_type for node in every}),
        },
    )


def _brought_forward(before: _Drainable, budgets: ClusterBudgets) -> _Drainable:
    """Return the same nodes with another state's pods and budgets."""
    names, counts = budgets.snapshot.nodes.names, drain_counts(budgets.snapshot)
    blocked = {drain.node: drain for drain in budgets.drains}
    changed = {names[row] for row in np.flatnonzero((counts != before.counts).any(axis=1)).tolist()}
    changed |= {
        node for node in blocked.keys() | before.blocked.keys() if blocked.get(node) != before.blocked.get(node)
    }
    index, nodes, outlooks = budgets.snapshot.nodes.index, before.nodes.copy(), before.outlooks.copy()
    allowed, still_open = before.allowed, before.open
    for name in changed:
        evicted, unmanaged, staying = counts[index[name]].tolist()
        drain = NodeDrain(name, evicted, unmanaged, staying, blocked.get(name))
        node = DrainableNode(name, *before.labels[name], drain, drain.outlook)
        for each, sign in ((nodes[name], -1), (node, 1)):
            outlooks[each.outlook] += sign
            allowed += sign * each.drain.evicted * (each.outlook is Outlook.ALLOWED)
            still_open += sign * each.drain.evicted * each.drain.needs_plan
        nodes[name] = node
    return _Drainable(before.labels, counts, blocked, nodes, +outlooks, allowed, still_open, before.values)


class _Labels(NamedTuple):
    """What nodes are chosen by: zone, pool, version, instance type, and whether they are cordoned."""

    zone: str
    pool: str
    version: str
    instance_type: str
    is_cordoned: bool


# They outlive a change of pods: a node that was not mirrored anew is the same object, which is kept with them.
_labels_latest: Cache[Moment, tuple[Sequence[EngineNode], dict[str, _Labels]]] = Cache(
    "labels of nodes", settings.BERTH_SNAPSHOTS_IN_MEMORY
)


def _labels(cluster: Cluster, snapshot: Snapshot) -> dict[str, _Labels]:
    fields = ("name", "zone", "kubelet_version", "instance_type", "unschedulable")
    nodes: Iterable[Sequence[Any]] = (
        Node.objects.filter(cluster=cluster).values_list(*fields)
        if cluster.past is None
        else map(attrgetter(*fields), nodes_of(cluster))
    )
    rows = {name: told for name, *told in nodes}
    found = {}
    for node in snapshot.nodes.nodes:
        zone, version, instance_type, cordoned = rows.get(node.name, ("", "", "", node.unschedulable))
        found[node.name] = _Labels(zone, pool_of(node.labels), version, instance_type, cordoned)
    return found


def planned_alone(
    drains: list[NodeDrain],
    snapshot: Snapshot,
    configuration: SchedulerConfiguration,
    case_of: Callable[[list[str]], DrainCase],
) -> list[NodeDrain]:
    """Add what the plan of each node by itself says, where budgets and controllers leave it open.

    Nothing is added where that would be too many evictions. ``case_of``: what a plan of some nodes is made from.
    """
    asked, evicted = [], 0
    for drain in drains:
        if drain.needs_plan:
            asked.append(drain.node)
            evicted += drain.evicted
            if evicted > MOST_ROOM_SOUGHT:
                return drains
    if not asked:
        return drains
    blockers = alone_blockers(snapshot, configuration, case_of(asked))
    return [drain._replace(blockers=blockers.get(drain.node)) for drain in drains]


QUESTION: Final[Question[PlannedDrain]] = Question("drain", is_shared=True)


def plan_of(
    *, cluster: Cluster, choice: DrainChoice, as_of: int | None = None, again: int | None = None
) -> PlannedDrain | Progress:
    """Return the plan, or how far the worker is that makes it because it is long.

    A plan that is kept is as good as new while nothing that it is made from has changed, while one goes through its
    pages (``as_of`` names the revision), and where it is long; ``again`` names the revision of one that is not wanted
    any more. Raises TooManyError, WorkersAwayError, ConfigurationError and ChangingTooFastError.
    """
    configuration_of(cluster)
    chosen = choice.chosen(drains_of(cluster=cluster))
    evictions = sum(node.drain.evicted for node in chosen)
    # No worker makes plans of the past.
    most = MOST_EVICTIONS if cluster.past is None else MOST_AT_ONCE
    if evictions > most:
        raise TooManyError(ManyEvictions(evictions, most))
    if cluster.past is not None:
        return make_plan(cluster=cluster, choice=choice)
    kept = QUESTION.last(cluster, choice.text)
    if kept is not None and kept.revision == again:
        kept = None
    if kept is not None and kept.is_too_large:
        raise TooManyError(LargeResult())
    if kept is not None:
        present, _ = snapshot_at_revision(cluster)
        if is_same_state(cluster, kept.revision, present):
            return replace(_kept_plan(kept), revision=present)
        if as_of is not None and is_same_state(cluster, kept.revision, as_of):
            return _kept_plan(kept)
    if evictions > MOST_AT_ONCE or (kept is not None and kept.is_long):
        progress = QUESTION.progress(cluster, choice.text)
        if progress is None and kept is not None:
            return _kept_plan(kept)
        return progress or QUESTION.hand_over(cluster, choice.text, total=len(chosen))
    return make_plan(cluster=cluster, choice=choice)


def make_plan(*, cluster: Cluster, choice: DrainChoice) -> PlannedDrain | Progress:
    """Make a plan of the cluster's present state; how far the worker is that does where there is no time for it."""
    configuration = configuration_of(cluster)
    snapshot, case = _read(cluster, choice)

    def revision() -> int:
        return revision_of(snapshot) if cluster.past is None else cluster.revision

    def planned() -> PlannedDrain:
        total = len(case.nodes)
        plan = drain_plan(
            snapshot, configuration, case, choice.options, lambda done: answers.check(Progress(done, total))
        )
        return PlannedDrain(revision(), plan, drained_document(drained_workloads(snapshot, plan)))

    with QUESTION.answered(cluster, choice.text, snapshot=snapshot) as answers:
        made = answers.of(b"", planned)
    if made is not None:
        return replace(made, revision=revision())
    if not answers.is_asked:
        raise WorkersAwayError
    return Progress(0, len(case.nodes))


def _kept_plan(kept: Evaluation) -> PlannedDrain:
    plan: PlannedDrain = kept.answers[b""]
    # Of a later revision whose state is the same.
    return replace(plan, revision=kept.revision)


def _read(cluster: Cluster, choice: DrainChoice) -> tuple[Snapshot, DrainCase]:
    """Return a state of the cluster, and what a plan in it is made from: all of it is about the same state."""
    # What is read beside a state that is held may be of a later one.
    cluster = copy(cluster)
    cluster.is_held, cluster.held = False, None
    for _ in range(_MOST_ATTEMPTS):
        found = _read_once(cluster, choice)
        if found is not None:
            return found
    # By now it is a moment's work while nothing can be committed.
    with unchanging(cluster):
        found = _read_once(cluster, choice)
    if found is None:
        raise ChangingTooFastError(cluster.name)
    return found


def _read_once(cluster: Cluster, choice: DrainChoice) -> tuple[Snapshot, DrainCase] | None:
    found = drains_of(cluster=cluster)
    budgets = budgets_of(cluster=cluster)
    case = _case(cluster, [node.name for node in choice.chosen(found)], budgets)
    # All of these are about the same state only if none was committed meanwhile.
    return (found.snapshot, case) if found.snapshot is budgets.snapshot is snapshot_of(cluster) else None


def _case(cluster: Cluster, nodes: list[str], budgets: ClusterBudgets) -> DrainCase:
    return DrainCase(
        nodes=nodes,
        pods=pods_on_nodes(cluster, nodes),
        others=list(pods_beside_nodes(cluster)),
        lasting=budgets.lasting,
        daemon_sets=daemon_sets_of(cluster),
        most_placements=MOST_PLACEMENTS,
        note=note,
    )


def pods_on_nodes(cluster: Cluster, nodes: list[str]) -> list[dict[str, Any]]:
    """Return the documents of the pods on nodes, finished ones with them."""
    if cluster.past is not None:
        return [pod.object for pod in with_objects(pods_of(cluster, nodes))]
    return [
        document
        for start in range(0, len(nodes), _NAMES_AT_ONCE)
        for document in Pod.objects.filter(
            cluster=cluster, node_name__in=nodes[start : start + _NAMES_AT_ONCE]
        ).values_list("object", flat=True)
    ]


def daemon_sets_of(cluster: Cluster) -> frozenset[str] | None:
    """Return every DaemonSet as ``namespace/name``; None without any, when it cannot be told whether one is gone."""
    rows = KubeObject.objects.filter(cluster=cluster, kind="DaemonSet").values_list("namespace", "name")
    return frozenset(f"{namespace}/{name}" for namespace, name in rows) or None
