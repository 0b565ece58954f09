"""The workloads of a cluster with the nodes and zones of their pods, counted once for each revision."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import ref

import numpy as np
from django.conf import settings

from clusters.engine.objects import Document, Pod as PodObject, labels_of, name_of, namespace_of
from clusters.engine.owners import TEMPLATE_HASH, Controller, PodTemplate, Workload
from clusters.engine.spreading import ZONE, SpreadGroup, worst_of
from clusters.engine.workloads import Failures, JobProgress, WorkloadFailure, has_ended, job_progress
from clusters.models import Cluster, KubeObject, Pod
from clusters.services.computing import Cache
from clusters.services.disruption import budgets_of
from clusters.services.mirror.past import pending_pods
from clusters.services.mirror.snapshots import configuration_of, snapshot_of
from clusters.services.mirror.state import pod_groups_of, spread_of
from clusters.services.workloads.failing import (
    BESIDE_SNAPSHOTS,
    CreationReport,
    creation_reports,
    mirrored_failures,
    missed_by,
)
from clusters.services.workloads.owners import (
    BARE,
    BarePods,
    ClusterWorkloads,
    Owners,
    PendingPod,
    Summary,
    WorkloadState,
    WorkloadStates,
    desired_of,
    unevenness_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    from clusters.engine import Snapshot
    from clusters.engine.batch_groups import AnyGroupState
    from clusters.engine.disruption import BudgetState
    from clusters.engine.status import Index, Ints, Mask
    from clusters.models.cluster import Moment

# Counting the pods of a snapshot by workload.

# The workloads of a cluster and the nodes and zones of their pods, cached for each revision.

# What has a size is a workload even while it has no pods.
_LASTING = ("Deployment", "StatefulSet", "ReplicationController")
# Instead of the number of a workload: a pod that nothing controls, of which there may be so many that none is made.
_BARE_SLOT: Final = -2


class Counting:
    """Counts the pods of a snapshot by workload."""

    def __init__(
        self,
        snapshot: Snapshot,
        resolve: Owners,
        owners: Mapping[tuple[str, str, str], Document],
        pending: Iterable[PendingPod],
        failures: Failures,
        *,
        knows_desired: bool,
        in_order: Callable[[Mask], Index],
    ) -> None:
        self._snapshot = snapshot
        self._resolve = resolve
        self._owners = owners
        self._failures = failures
        self._knows_desired = knows_desired
        self._numbers: dict[Workload, int] = {}
        # What the engine calls a workload, by which it names those of a spread group.
        self._named: defaultdict[Workload, set[Workload]] = defaultdict(set)
        self._of_slot = self._numbered()
        self._pending: defaultdict[Workload, list[PendingPod]] = defaultdict(list)
        for pod in pending:
            workload = resolve.of_pod(pod.namespace, pod.name, pod.document)
            self._number(workload)
            self._pending[workload].append(pod)
            self._named[PodTemplate.of(PodObject(pod.document)).workload].add(workload)
        # What has no pods is a workload as well where it lasts, or where that is what is wrong with it.
        for workload in (*self._lasting(), *failures):
            self._number(workload)
        for workload, number in self._numbers.items():
            slot = snapshot.pods.slot_of.get(f"{workload.namespace}/{workload.name}") if workload.kind == BARE else None
            if slot is not None and self._of_slot[slot] == _BARE_SLOT:
                self._of_slot[slot] = number
        self._bare = in_order(self._of_slot == _BARE_SLOT)

    def _number(self, workload: Workload) -> int:
        return self._numbers.setdefault(workload, len(self._numbers))

    def _numbered(self) -> Ints:
        """Return the number of the workload of every slot, shape (P,)."""
        pods = self._snapshot.pods
        of_template = np.full(len(pods.templates), -1, np.int64)
        size = len(pods.keys)
        is_bound = pods.label_set[:size] >= 0
        is_bound[list(pods.nominees)] = False
        bound = np.flatnonzero(is_bound)
        for number in _distinct(pods.template[bound].astype(np.int64)).tolist():
            template = pods.templates[number]
            if template.controller is not None:
                workload = self._resolve.of_controller(template.namespace, template.controller, template.workload)
                of_template[number] = self._number(workload)
                self._named[template.workload].add(workload)
        found = np.full(size, -1, np.int64)
        found[bound] = of_template[pods.template[bound]]
        found[bound[found[bound] < 0]] = _BARE_SLOT
        return found

    def _lasting(self) -> Iterable[Workload]:
        for kind in _LASTING:
            for document in self._snapshot.objects(kind):
                yield Workload(namespace_of(document), kind, name_of(document))
        for document in self._snapshot.objects("ReplicaSet"):
            if Controller.of(document) is None:
                yield Workload(namespace_of(document), "ReplicaSet", name_of(document))
        for kind, namespace, name in self._owners:
            if kind in ("DaemonSet", "CronJob"):
                yield Workload(namespace, kind, name)
        # A Job that waits until it may create its next pod has none.
        for (kind, namespace, name), job in self._owners.items():
            if kind == "Job" and not has_ended(job):
                above = Controller.of(job)
                yield Workload(namespace, *((kind, name) if above is None else (above.kind, above.name)))

    def counted(self, groups: Mapping[str, SpreadGroup], budgets: Mapping[str, BudgetState]) -> ClusterWorkloads:
        """Add everything up; the work grows with the pods only where NumPy does it."""
        pods, size = self._snapshot.pods, len(self._numbers)
        slots = np.flatnonzero(self._of_slot >= 0)
        of = self._of_slot[slots]
        zones, of_row = self._zones()
        zone = of_row[pods.node[slots]]

        # As lists: a number of an array is made anew each time.
        def count(mask: Any = None) -> list[int]:
            counted: list[int] = np.bincount(of if mask is None else of[mask], minlength=size).tolist()
            return counted

        terminating = pods.terminating[slots]
        placed, leaving = count(), count(terminating)
        ready = count(pods.ready[slots] & ~terminating)
        by_zone = np.bincount(of * len(zones) + zone, minlength=size * len(zones)).reshape(size, len(zones)).tolist()
        width = len(self._snapshot.nodes) + 1
        nodes = np.bincount(_distinct(of * width + pods.node[slots] + 1) // width, minlength=size).tolist()
        cpu, memory = (self._requested(slots, of, name) for name in ("cpu", "memory"))
        lowest, highest = self._priorities(slots, of)
        of_label_set = self._selecting(budgets)
        by_group, by_budget = self._groups(groups), self._budgets(slots, budgets, of_label_set)
        states = []
        for workload, number in self._numbers.items():
            waiting = self._pending.get(workload, ())
            own = [PodObject(pod.document).priority for pod in waiting]
            if placed[number]:
                own += [lowest[number], highest[number]]
            state = WorkloadState(
                workload=workload,
                desired=desired_of(workload, self._owners, self._snapshot) if self._knows_desired else None,
                placed=placed[number],
                ready=ready[number],
                terminating=leaving[number],
                pending=len(waiting),
                zones=tuple(by_zone[number]),
                nodes=nodes[number],
                cpu_milli=cpu[number] + sum(pod.cpu_milli for pod in waiting),
                memory_bytes=memory[number] + sum(pod.memory_bytes for pod in waiting),
                priorities=(min(own), max(own)) if own else None,
                groups=tuple(by_group.get(workload, ())),
                budgets=tuple(by_budget.get(workload, ())),
            )
            states.append(state)

        def rank(state: WorkloadState) -> tuple[bool, int, int, int]:
            failing, uneven = state.workload in self._failures, max(0, unevenness_of(groups, state)[0])
            return not failing, -state.pending, -uneven, -state.placed

        states.sort(key=attrgetter("workload.namespace", "workload.kind", "workload.name"))
        states.sort(key=rank)
        bare = BarePods(
            self._snapshot,
            self._bare,
            of_row,
            len(zones),
            {label_set: tuple(keys) for label_set, keys in of_label_set.items()},
            1 if self._knows_desired else None,
        )
        of_slot = np.where(self._of_slot == _BARE_SLOT, -1, self._of_slot)
        astray = int(np.count_nonzero(pods.node[np.flatnonzero(self._of_slot != -1)] < 0))
        return ClusterWorkloads(
            snapshot=self._snapshot,
            zones=zones,
            states=WorkloadStates({state.workload: state for state in states}, _places(states, rank, bare), bare),
            numbers=self._numbers,
            by_number=list(self._numbers),
            of_slot=of_slot,
            pending={workload: tuple(waiting) for workload, waiting in self._pending.items()},
            groups=groups,
            budgets=budgets,
            owners=self._owners,
            failures=self._failures,
            inferred=len(self._resolve.inferred),
            summary=_summary(states, bare, groups, astray=astray),
        )

    def _zones(self) -> tuple[tuple[str, ...], Ints]:
        """Return the zones in order of name with the nameless one last, and the place of each node row's among them.

        The last place is that of nodes that are not there.
        """
        column = self._snapshot.nodes.label(ZONE)
        named = sorted((number for number, value in enumerate(column.values) if value), key=column.values.__getitem__)
        place = np.full(len(column.values) + 1, len(named), np.int64)
        place[named] = np.arange(len(named))
        codes = np.where(column.present, column.codes, len(column.values))
        codes = np.append(codes, len(column.values))
        return (*(column.values[number] for number in named), ""), place[codes]

    def _requested(self, slots: Index, of: Ints, resource: str) -> list[int]:
        shapes = self._snapshot.pods.shapes
        amounts = np.array([dict(shape.requests).get(resource, 0) for shape in shapes], np.int64)
        weights = amounts[self._snapshot.pods.shape[slots]]
        total = np.zeros(len(self._numbers), np.int64)
        np.add.at(total, of, weights)
        return total.tolist()

    def _priorities(self, slots: Index, of: Ints) -> tuple[list[int], list[int]]:
        priority = self._snapshot.pods.priority[slots]
        far = np.iinfo(np.int64)
        lowest, highest = np.full(len(self._numbers), far.max), np.full(len(self._numbers), far.min)
        np.minimum.at(lowest, of, priority)
        np.maximum.at(highest, of, priority)
        return lowest.tolist(), highest.tolist()

    def _groups(self, groups: Mapping[str, SpreadGroup]) -> dict[Workload, list[str]]:
        found: defaultdict[Workload, list[str]] = defaultdict(list)
        for identity, group in groups.items():
            for named in group.workloads:
                for workload in self._named.get(named, ()):
                    found[workload].append(identity)
        for of_workload in found.values():
            of_workload.sort(key=lambda identity: groups[identity].unevenness, reverse=True)
        return found

    def _selecting(self, budgets: Mapping[str, BudgetState]) -> dict[int, list[str]]:
        """Return the budgets that select each label set, of those that any selects."""
        found: defaultdict[int, list[str]] = defaultdict(list)
        for key, state in budgets.items():
            budget = state.budget
            for label_set in self._snapshot.pods.select(budget.selector, frozenset({budget.namespace})).tolist():
                found[label_set].append(key)
        return found

    def _budgets(
        self, slots: Index, budgets: Mapping[str, BudgetState], of_label_set: Mapping[int, list[str]]
    ) -> dict[Workload, list[str]]:
        pods = self._snapshot.pods
        width = max(1, len(pods.label_sets))
        pairs = _distinct(pods.label_set[slots].astype(np.int64) + self._of_slot[slots] * width)
        bearing: defaultdict[int, list[int]] = defaultdict(list)
        for pair in pairs.tolist():
            bearing[pair % width].append(pair // width)
        workloads = list(self._numbers)
        found: defaultdict[Workload, dict[str, None]] = defaultdict(dict)
        order = {key: number for number, key in enumerate(budgets)}
        selected = ((key, label_set) for label_set, keys in of_label_set.items() for key in keys)
        for key, label_set in sorted(selected, key=lambda each: order[each[0]]):
            for number in bearing.get(label_set, ()):
                found[workloads[number]][key] = None
        by_namespace: defaultdict[str, list[BudgetState]] = defaultdict(list)
        for state in budgets.values():
            by_namespace[state.budget.namespace].append(state)
        for workload, waiting in self._pending.items():
            labels = labels_of(waiting[0].document)
            for state in by_namespace.get(workload.namespace, ()):
                if state.budget.selector.matches(labels):
                    found[workload][state.budget.key] = None
        return {workload: list(keys) for workload, keys in found.items()}


def _summary(states: list[WorkloadState], bare: BarePods, groups: Mapping[str, SpreadGroup], *, astray: int) -> Summary:
    worst, pods = worst_of(groups.values()), bare.snapshot.pods
    spaces = {
        pods.label_sets[number].namespace for number in _distinct(pods.label_set[bare.slots].astype(np.int64)).tolist()
    }
    kinds = {BARE} if len(bare.slots) else set()
    return Summary(
        placed=sum(state.placed for state in states) + len(bare.slots),
        astray=astray,
        pending=sum(state.pending for state in states),
        with_pending=sum(state.pending > 0 for state in states),
        worst=next((state for state in states if state.groups and groups[state.groups[0]] is worst), None),
        namespaces=tuple(sorted(spaces | {state.workload.namespace for state in states})),
        kinds=tuple(sorted(kinds | {state.workload.kind for state in states})),
    )


# A bare pod on a node: nothing is wrong with it, it does not wait, is not spread, and is one.
_RANK_OF_BARE: Final = (True, 0, 0, -1)


def _places(
    states: list[WorkloadState], rank: Callable[[WorkloadState], tuple[bool, int, int, int]], bare: BarePods
) -> Index:
    """Return where each of the states that are not of bare pods stands in the order of all, shape (S,)."""
    places = []
    for number, state in enumerate(states):
        own, key = rank(state), _key(state.workload)
        before = 0 if own < _RANK_OF_BARE else len(bare.slots)
        if own == _RANK_OF_BARE:
            before = bisect_left(range(len(bare.slots)), key, key=lambda place: _key(bare.workload(place)))
        places.append(number + before)
    return np.array(places, np.intp)


def _key(workload: Workload) -> tuple[str, str, str]:
    return workload.namespace, workload.kind, workload.name


class _NameOrder(NamedTuple):
    """Slots in order of namespace and name, and the keys of all slots then."""

    slots: Index
    keys: NDArray[Any]


# Sorting a million names takes a second: what did not change is still in order.
_orders: Cache[Moment, _NameOrder] = Cache("order of bare pods", settings.BERTH_SNAPSHOTS_IN_MEMORY)
_MOST_MERGED: Final = 20_000


def _in_order(snapshot: Snapshot, is_asked: Mask, before: _NameOrder | None) -> _NameOrder:
    """Return some slots in order of namespace and name."""
    pods, size = snapshot.pods, len(snapshot.pods.keys)
    keys = np.array(pods.keys, object)
    still = np.empty(0, np.intp)
    if before is not None:
        is_same = np.zeros(size, np.bool_)
        common = min(size, len(before.keys))
        is_same[:common] = (before.keys[:common] == keys[:common]).astype(np.bool_)
        kept = before.slots[before.slots < size]
        still = kept[is_same[kept] & is_asked[kept]]
    is_new = is_asked.copy()
    is_new[still] = False
    added = np.flatnonzero(is_new)

    def key(slot: int) -> tuple[str, str]:
        return pods.namespace(slot), pods.name(slot)

    if len(added) <= _MOST_MERGED:
        of_added = sorted(added.tolist(), key=key)
        places = [bisect_left(still, key(slot), key=key) for slot in of_added]
        return _NameOrder(np.insert(still, places, of_added), keys)
    slots = np.array(sorted(np.flatnonzero(is_asked).tolist(), key=pods.keys.__getitem__), np.intp)
    spaces = {name: rank for rank, name in enumerate(sorted({each.namespace for each in pods.label_sets}))}
    rank = np.array([spaces[each.namespace] for each in pods.label_sets], np.int64)
    return _NameOrder(slots[np.argsort(rank[pods.label_set[slots]], kind="stable")], keys)


def _distinct(values: Ints) -> Ints:
    """Return the distinct ones of many numbers, in order; NumPy's own way, by hashing, takes several times longer."""
    ordered = np.sort(values)
    return ordered[np.append(True, ordered[1:] != ordered[:-1])] if len(ordered) else ordered


# The groups of pods that a workload's pods belong to.


def groups_of_workload(*, cluster: Cluster, found: ClusterWorkloads, workload: Workload) -> list[AnyGroupState]:
    """Return the groups that belong to a workload or have pods of it, those first that need somebody.

    Raises ChangingTooFastError.
    """
    states = pod_groups_of(cluster=cluster).states.values()
    here = (state for state in states if state.key.namespace == workload.namespace)
    return [state for state in here if workload in _workloads(state, found)]


def _workloads(state: AnyGroupState, found: ClusterWorkloads) -> set[Workload]:
    """The workloads of a group and its pods, and what controls those."""
    namespace = state.key.namespace
    named = {Workload(namespace, *state.controller)} if state.controller else set()
    for member in state.members.values():
        template_hash = labels_of(member.document).get(TEMPLATE_HASH, "")
        named.add(Workload.of(namespace, Controller.of(member.document), template_hash))
    documents = (document for each in named if each.kind and (document := found.document(each)) is not None)
    above = (owner for document in documents if (owner := Controller.of(document)) is not None)
    return named | {Workload(namespace, owner.kind, owner.name) for owner in above}


# The Jobs of a workload that have not ended.

# So many pods of a Job are looked at, the newest.
MOST_PODS = 1_000


def jobs_of(*, cluster: Cluster, found: ClusterWorkloads, workload: Workload, most: int) -> list[JobProgress]:
    """Return how far the Jobs of a CronJob are, or a Job itself, by name and at most so many; one query for each.

    Of the past that is not told.
    """
    if workload.kind not in ("Job", "CronJob") or cluster.past is not None:
        return []
    jobs = sorted(
        (
            job
            for (kind, namespace, _), job in found.owners.items()
            if kind == "Job" and namespace == workload.namespace and _is_of(job, workload) and not has_ended(job)
        ),
        key=name_of,
    )
    return [_progress(cluster, workload.namespace, job) for job in jobs[:most]]


def _progress(cluster: Cluster, namespace: str, job: Document) -> JobProgress:
    rows = Pod.objects.filter(cluster=cluster, namespace=namespace, owner_kind="Job", owner_name=name_of(job))
    pods = list(rows.order_by("-created_at", "name").values_list("object", flat=True)[: MOST_PODS + 1])
    return job_progress(job, pods[:MOST_PODS], knows_all=len(pods) <= MOST_PODS)


def _is_of(job: Document, workload: Workload) -> bool:
    controller = Controller.of(job)
    if controller is None:
        return workload.kind == "Job" and name_of(job) == workload.name
    return (controller.kind, controller.name) == (workload.kind, workload.name)


_latest: Cache[Moment, ClusterWorkloads] = Cache("workloads", settings.BERTH_SNAPSHOTS_IN_MEMORY)


def workloads_of(*, cluster: Cluster) -> ClusterWorkloads:
    """Return the cluster's workloads; of the past without failures, and without the sizes that were wanted.

    The result is shared with others who ask for it: leave it as it is. Raises ConfigurationError for a cluster whose
    configuration cannot be read, and ChangingTooFastError.
    """
    configuration = configuration_of(cluster)
    snapshot = snapshot_of(cluster)
    # Changes of these leave the snapshot as it is.
    beside = KubeObject.objects.filter(cluster=cluster, kind__in=BESIDE_SNAPSHOTS)
    digests = frozenset(beside.values_list("uid", "digest"))
    # Of the past it is not told which controllers failed.
    reports = creation_reports(cluster) if cluster.past is None else []
    missed = missed_by(cluster) if cluster.past is None else ()
    settled = (repr(configuration.profiles), digests, frozenset(reports), missed)
    return _latest.get(
        cluster.moment, lambda: _computed(cluster, snapshot, reports, missed), version=(snapshot, settled)
    )


def _computed(
    cluster: Cluster, snapshot: Snapshot, reports: list[CreationReport], missed: Iterable[WorkloadFailure]
) -> ClusterWorkloads:
    beside = KubeObject.objects.filter(cluster=cluster, kind__in=BESIDE_SNAPSHOTS)
    owners: dict[tuple[str, str, str], Document] = {
        (kind, namespace, name): document
        for kind, namespace, name, document in beside.values_list("kind", "namespace", "name", "object")
    }
    columns = attrgetter("namespace", "name", "object", "cpu_milli", "memory_bytes", "created_at")
    pending = sorted(PendingPod(*columns(pod)) for pod in pending_pods(cluster))
    jobs = {(namespace, name): document for (kind, namespace, name), document in owners.items() if kind == "Job"}
    spread, budgets = spread_of(cluster=cluster), budgets_of(cluster=cluster)
    failures = mirrored_failures(cluster, snapshot, owners, reports, missed) if cluster.past is None else {}
    knows_desired = cluster.past is None
    before = _orders.latest(cluster.moment)

    def in_order(is_asked: Mask) -> Index:
        return _orders.get(cluster.moment, lambda: _in_order(snapshot, is_asked, before), version=ref(snapshot)).slots

    counting = Counting(
        snapshot, Owners(snapshot, jobs), owners, pending, failures, knows_desired=knows_desired, in_order=in_order
    )
    return counting.counted(spread.groups, budgets.states)
