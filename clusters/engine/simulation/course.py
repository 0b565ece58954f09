"""The cluster of a simulation and its pending pods, brought forward one change at a time."""

from __future__ import annotations

import heapq
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.conclusion import Uncertainty, UncomputedField, UncomputedObject
from clusters.engine.devices.claims import release, uses_devices
from clusters.engine.disruption.drains import DrainOptions, Flag, Handling, Ledger, Treatment, handling_of
from clusters.engine.disruption.failing_nodes import grace_period_of
from clusters.engine.nodes import NOT_READY_KEY, SECOND, UNREACHABLE_KEY, TaintChange, TaintEvent, taint_events
from clusters.engine.objects import Document, Node, Pod, key_of, metadata, name_of, namespace_of
from clusters.engine.owners import Controller
from clusters.engine.plugin import ClusterEvent, Context

# DynamicResources by name: its PreBind makes the claim.
from clusters.engine.plugins.dynamic_resources import DynamicResources

# VolumeBinding by name: it alone binds claims in PreBind.
from clusters.engine.plugins.volume_binding import VolumeBinding
from clusters.engine.podgroups import field_of, group_key_of, has_group
from clusters.engine.queueing import order
from clusters.engine.registry import PLUGINS, group_plugins, held_back, requeue_events
from clusters.engine.resources import PODS
from clusters.engine.scheduling.cycle import Cycle, ReservedClaims, claim_made_on, nominated_world, reserve_devices
from clusters.engine.scheduling.explanation import Explanation, explain, uncertainties
from clusters.engine.scheduling.groups import GroupAttempt, MemberAttempt, attempt_group
from clusters.engine.scheduling.search import SearchOrder, first_found
from clusters.engine.simulation.case import Case, Origin, Outcome, Step, VictimsWait
from clusters.engine.simulation.controllers import (
    JobKey,
    PodAdmission,
    PodLoss,
    PodsOfJobs,
    Successors,
    job_of,
    nominated,
    running,
    terminating,
)
from clusters.engine.simulation.kinds import AttemptResult, KindsOnNodes, PodKind, PodKinds, explain_attempt, find
from clusters.engine.status import Ints, tells_failed_binding
from clusters.engine.taints import NO_EXECUTE, Taint
from clusters.engine.versions import Gate
from clusters.engine.volumes import BIND_COMPLETED, annotations_of, spec_of
from clusters.engine.workloads.jobs import replaces_only_failed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clusters.engine.columns import PodEntry
    from clusters.engine.configuration import Profile
    from clusters.engine.disruption.budgets import EvictionAnswer
    from clusters.engine.scheduling.cost import Failure
    from clusters.engine.snapshot import Snapshot

# Claims that are bound, and get devices, because their pod was placed.
#
# Upstream: ``AssumePodVolumes`` and ``BindPodVolumes`` of ``plugins/volumebinding`` v1.34.1. A claim that takes a
# volume which is there has it from now on, and nobody else does. A volume that a provisioner would make is not there:
# nobody knows from where else it could be reached, and its claim stays open.


def bind_claims(snapshot: Snapshot, pod: Pod, profile: Profile, row: int) -> ReservedClaims:
    """Give the claims of a pod that is placed on a row the volumes and devices that they take there."""
    reserved = reserve_devices(snapshot, pod, profile, row)
    if not pod.volumes or VolumeBinding.name not in profile.filter:
        return reserved
    plugin = VolumeBinding(Context(snapshot, pod, profile.args))
    if plugin.pre_filter().status.ok:
        for claim, volume in plugin.volumes_taken(row):
            snapshot.upsert(_taken(volume, claim))
            snapshot.upsert(_bound(claim, volume))
    return reserved


def has_claims(snapshot: Snapshot, pod: Pod) -> bool:
    """Whether a pod has claims of its own, for volumes or for devices, or gets some with its extended resources."""
    return bool(pod.volumes) or uses_devices(snapshot, pod)


def _taken(volume: Document, claim: Document) -> dict[str, Any]:
    reference = {
        "kind": "PersistentVolumeClaim",
        "namespace": namespace_of(claim),
        "name": name_of(claim),
        "uid": metadata(claim).get("uid"),
    }
    return {**volume, "spec": {**spec_of(volume), "claimRef": reference}, "status": {"phase": "Bound"}}


def _bound(claim: Document, volume: Document) -> dict[str, Any]:
    fields = {**metadata(claim), "annotations": {**annotations_of(claim), BIND_COMPLETED: "yes"}}
    spec = {**spec_of(claim), "volumeName": name_of(volume)}
    return {**claim, "metadata": fields, "spec": spec, "status": {"phase": "Bound"}}


# Whom of those that sleep an event may help.
#
# Upstream: the queueing hints of ``noderesources``, ``interpodaffinity`` and ``podtopologyspread``, v1.34.1. Those
# that look at nothing but the node where something happened are held against that node exactly: elsewhere nothing
# changed.


def _may_gain(plugin: str) -> bool:
    """Whether a node that is closed may let a pod in elsewhere; to plugins that judge each node by itself it cannot."""
    return ClusterEvent.NODE_TAINT in requeue_events(plugin) and not PLUGINS[plugin].is_fixed()


class Requeueing:
    """Decides which kinds of sleeping pods are worth another attempt; the same state always gives the same answer."""

    def __init__(self, snapshot: Snapshot, kinds_on_nodes: KindsOnNodes) -> None:
        self._snapshot, self._on_nodes = snapshot, kinds_on_nodes
        self._asked: dict[int, Ints] = {}
        # A lower bound: those that leave are not taken out of it.
        self._lowest = int(snapshot.pods.priority[snapshot.pods.label_set >= 0].min(initial=2**62))

    def by_departure(self, row: int, asleep: Asleep) -> list[PodKind]:
        """The kinds that a departure from a row may help: room is what they lack there, or pods they may preempt."""
        local: list[PodKind] = []
        found: list[PodKind] = []
        for kind in asleep.kinds_woken_by(ClusterEvent.POD_DELETE):
            (local if self.is_local(kind) else found).append(kind)
        if local:
            free = self._free(row)
            asked = np.stack([self._asked_by(kind) for kind in local])
            has_room = ((asked <= free) | (asked == 0)).all(axis=1)
            found += [
                kind
                for kind, fits in zip(local, has_room.tolist(), strict=True)
                if self._on_nodes.peek(kind).fixed.fixed[row] and (fits or self._could_preempt(kind, row, free))
            ]
        return found

    def may_fit_on(self, kind: PodKind, row: int) -> bool:
        """Whether there still is what ``by_departure`` found on a row for a kind."""
        free, asked = self._free(row), self._asked_by(kind)
        return bool(((asked <= free) | (asked == 0)).all()) or self._could_preempt(kind, row, free)

    def by_arrival(self, placed: PodKind, asleep: Asleep) -> list[PodKind]:
        """The kinds that a pod that was just placed may help: those that want its like near, or spread out."""
        return [
            kind
            for kind in asleep.kinds_woken_by(ClusterEvent.POD_ADD)
            if kind.profile is not None and self._is_helped(kind, kind.profile, placed)
        ]

    def _is_helped(self, kind: PodKind, profile: Profile, placed: PodKind) -> bool:
        """Whether any filter of a kind says that the pod that was placed may let it in."""
        context = Context(self._snapshot, kind.pod, profile.args)
        asked = (name for name in profile.filter if ClusterEvent.POD_ADD in requeue_events(name))
        return any(PLUGINS[name](context).is_helped_by(placed.pod) for name in asked)

    def by_taint(self, asleep: Asleep) -> list[PodKind]:
        """The kinds that may be helped when a node is closed: its domain may no longer count when pods are spread."""
        return [
            kind
            for kind in asleep.kinds_woken_by(ClusterEvent.NODE_TAINT)
            if any(_may_gain(plugin) for plugin in asleep.plugins_of(kind))
        ]

    def may_fit(self, kind: PodKind) -> bool:
        """Whether another pod of a kind may fit now; exactly known where only what is on a node counts."""
        if not self.is_local(kind):
            return True
        on_nodes = self._on_nodes.of(kind)
        return on_nodes is None or on_nodes.feasible > 0

    def note(self, placed: PodKind) -> None:
        """Take in that a pod was placed."""
        self._lowest = min(self._lowest, placed.priority)

    # -- by node -----------------------------------------------------------------------------------------

    def is_local(self, kind: PodKind) -> bool:
        """Whether a pod of this kind is rejected by nothing but nodes themselves and what is on each of them."""
        if kind.pod.volumes:
            return False
        on_nodes = self._on_nodes.peek(kind)
        return on_nodes.is_usable and not on_nodes.is_filtered_around

    def _free(self, row: int) -> Ints:
        """What is free on a row, shape (R + 1,): the resources, then pods."""
        nodes = self._snapshot.nodes
        return np.append(nodes.allocatable[row] - nodes.requested[row], nodes.allowed_pods[row] - nodes.pod_count[row])

    def _asked_by(self, kind: PodKind) -> Ints:
        """What a kind asks of a row, shape (R + 1,), as far as it is checked."""
        resources = self._snapshot.nodes.resources
        known = self._asked.get(kind.number)
        if known is None or len(known) != len(resources) + 1:
            assert kind.profile is not None  # noqa: S101 - nobody else sleeps
            known = np.zeros(len(resources) + 1, np.int64)
            context = Context(self._snapshot, kind.pod, kind.profile.args)
            for name in kind.profile.filter:
                for resource, amount in PLUGINS[name](context).checked_amounts():
                    if resource == PODS:
                        known[-1] = amount
                    elif resource in resources:
                        known[resources.index(resource)] = amount
            self._asked[kind.number] = known
        return known

    def _could_preempt(self, kind: PodKind, row: int, free: Ints) -> bool:
        """Whether a row would have room if every pod of lower priority left it."""
        if kind.profile is None or not any(PLUGINS[name].preempts for name in kind.profile.post_filter):
            return False
        if not kind.pod.preempts or kind.priority <= self._lowest:
            return False
        pods, nodes = self._snapshot.pods, self._snapshot.nodes
        slots = pods.on_node(row)
        lower = slots[pods.priority[slots] < kind.priority]
        if not len(lower):
            return False
        given = free.copy()
        given[-1] += len(lower)
        for slot in lower.tolist():
            given[:-1] += nodes.vector(pods.shapes[pods.shape[slot]].requests)
        asked = self._asked_by(kind)
        return bool(((asked <= given) | (asked == 0)).all())


# Pending pods: in the queue for an attempt, or unschedulable until an event may help them.
#
# Upstream: ``pkg/scheduler/backend/queue`` v1.34.1. Each failure counts as a new entry, so that who failed goes
# behind those of the same priority that arrived before. Nobody rests after a failure, and who sleeps is not tried
# just because time has passed.


class Line:
    """The active queue: pods in the order of PrioritySort."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, str]] = []
        self._entered: dict[str, int] = {}
        self._stamps = 0

    def __len__(self) -> int:
        return len(self._entered)

    def __contains__(self, key: str) -> bool:
        return key in self._entered

    def stamp(self) -> int:
        """The place behind all that have one."""
        self._stamps += 1
        return self._stamps

    def push(self, key: str, priority: int, stamp: int | None = None) -> None:
        """Let a pod enter at a place among those of its priority; behind them by default."""
        entry = self.stamp() if stamp is None else stamp
        self._entered[key] = entry
        heapq.heappush(self._heap, (*order(priority, entry), key))

    def pop(self) -> str | None:
        """Take the first; None where nobody is in line."""
        while self._heap:
            _, entry, key = heapq.heappop(self._heap)
            if self._entered.get(key) == entry:
                del self._entered[key]
                return key
        return None

    def discard(self, key: str) -> None:
        """Let a pod leave the line."""
        self._entered.pop(key, None)


class Asleep:
    """Pods that failed, by kind: those of a kind fare alike, so the one that failed first is woken for all of them.

    A pod that is woken stays here until it is tried.
    """

    def __init__(self) -> None:
        self._kinds: dict[int, PodKind] = {}
        self._keys: dict[int, dict[str, None]] = {}
        self._plugins: dict[int, tuple[str, ...]] = {}
        self._events: dict[int, frozenset[ClusterEvent]] = {}

    def __len__(self) -> int:
        """How many kinds sleep."""
        return len(self._kinds)

    def add(self, kind: PodKind, key: str, plugins: tuple[str, ...]) -> None:
        """Let a pod sleep that these plugins rejected; one that failed by an error is tried when pods leave."""
        number = kind.number
        self._keys.setdefault(number, {})[key] = None
        if self._plugins.get(number) != plugins:
            self._kinds[number], self._plugins[number] = kind, plugins
            events = {event for plugin in plugins for event in requeue_events(plugin)}
            self._events[number] = frozenset(events or {ClusterEvent.POD_DELETE})

    def discard(self, kind: PodKind, key: str) -> None:
        """Forget a pod that is tried or gone."""
        number = kind.number
        keys = self._keys.get(number)
        if keys is not None and key in keys:
            del keys[key]
            if not keys:
                for table in (self._keys, self._kinds, self._plugins, self._events):
                    del table[number]

    def first(self, kind: PodKind) -> str | None:
        """The pod of a kind that has slept longest."""
        return next(iter(self._keys.get(kind.number, ())), None)

    def plugins_of(self, kind: PodKind) -> tuple[str, ...]:
        """The plugins that rejected a kind that sleeps."""
        return self._plugins[kind.number]

    def kinds_woken_by(self, event: ClusterEvent) -> list[PodKind]:
        """The kinds rejected by a plugin that the queue asks about an event, in the order in which they fell asleep."""
        return [self._kinds[number] for number, events in self._events.items() if event in events]


class Course:
    """What changes in the course of a simulation. ``waiting``: the pods without a node, each with its last step.

    ``replaced``: the pods that came in the place of those that are gone, by those.
    """

    def __init__(self, case: Case) -> None:
        self.snapshot = case.snapshot.copy()
        self.waiting: dict[str, Step] = {}
        self.order = SearchOrder(self.snapshot.nodes, ends_early=case.samples)
        self.line = Line()
        self._placed = case.placed
        self._documents: dict[str, Document] = {}
        self._kind_of: dict[str, PodKind] = {}
        self.replaced: dict[str, str] = {}
        self._kinds = PodKinds(case.configuration, self.snapshot)
        self._asleep = Asleep()
        self._on_nodes = KindsOnNodes(self.snapshot)
        self._requeueing = Requeueing(self.snapshot, self._on_nodes)
        self._successors = Successors(case.copy_name)
        self._entries: dict[int, PodEntry | None] = {}
        # Of pods that sleep: their places in line, and the rows for whose sake they were woken; empty: for any.
        self._stamps: dict[str, int] = {}
        self._hopes: dict[str, set[int]] = {}
        self._uncertain: dict[tuple[int, bool], tuple[Uncertainty, ...]] = {}
        # Pods that do not exist yet, and have to be admitted first.
        self._created: set[str] = set()
        self._failed: dict[int, AttemptResult] = {}
        self._failed_at = -1
        # Pods on nodes whose deletion has begun.
        self._leaving: dict[str, Document] = {}
        self._of_jobs = PodsOfJobs(self.snapshot, self._documents, self.is_placed)

    # -- pods --------------------------------------------------------------------------------------------

    def document_of(self, key: str) -> Document:
        """A pod as it was wanted or copied, or as it was on its node from the beginning. Raises KeyError."""
        found = self.known(key)
        return self._placed[key] if found is None else found

    def known(self, key: str) -> Document | None:
        """A pod's document, None where it is not known."""
        return self._documents.get(key) or self._leaving.get(key) or self._placed.get(key)

    def kind_of(self, key: str) -> PodKind:
        """The kind of a pod that arrived."""
        return self._kind_of[key]

    def _know(self, key: str, document: Document) -> None:
        self._documents[key], self._kind_of[key] = document, self._kinds.of(document)

    def arrive(self, pod: Document, *, is_created: bool = False) -> str:
        """Take in a pod that wants a node, and may only be created by then; returns its key. It is not in line yet."""
        key = key_of(pod)
        if is_created:
            self._created.add(key)
        self._know(key, pod)
        if self.snapshot.placed_on(key) is not None:
            self._take_off(key)
        if self.kind_of(key).pod.nominated_node_name or has_group(self.kind_of(key).pod):
            self._count_nominated(key)
        return key

    def _count_nominated(self, key: str) -> None:
        self.snapshot.upsert({**self._documents[key], "kind": "Pod"})
        self._on_nodes.meet(self.kind_of(key).pod.affinity)
        self._on_nodes.note()

    def remove(self, key: str) -> tuple[Document | None, str]:
        """Take a pod out of the cluster and out of the queue; returns its document, if known, and where it lay."""
        key = self.last_of(key)
        document, kind = self._documents.pop(key, None), self._kind_of.pop(key, None)
        if key in self.waiting:
            del self.waiting[key]
            if kind is not None:
                # Let a pod that sleeps or was woken go; if it was woken, the next of its kind is woken in its place
                self._asleep.discard(kind, key)
                self._stamps.pop(key, None)
                hopes, sibling = self._hopes.pop(key, None), self._asleep.first(kind)
                if key in self.line and sibling is not None:
                    self.requeue(sibling)
                    if hopes is not None:
                        self._hopes[sibling] = hopes
        self.line.discard(key)
        node = self._take_off(key)
        gone = self._placed.get(key) if document is None else document
        if node and gone is not None:
            self._release(gone)
        if kind is not None and kind.pod.nominated_node_name:
            self._on_nodes.note()
            self._wake_by_departure(kind.pod.nominated_node_name)
        return gone, node

    def _release(self, gone: Document) -> None:
        """Free the devices of a pod that left its node."""
        if release(self.snapshot, Pod(gone)):
            self._on_nodes.note()
            self._wake(self._asleep.kinds_woken_by(ClusterEvent.RESOURCE_CLAIM_UPDATE))

    def terminate(self, key: str, *, is_preempted: bool) -> None:
        """Let the deletion of a pod on a node begin: it still takes up what it requests, and is wanted no more."""
        document, node = self.document_of(key), self.snapshot.placed_on(key) or ""
        if key in self._documents:
            document = running(document)
            del self._documents[key], self._kind_of[key]
        self._leaving[key] = terminating(document, node, is_preempted=is_preempted)
        self.snapshot.upsert(self._leaving[key])
        self._on_nodes.touch(self.snapshot.nodes.index[node])

    def end(self, key: str) -> None:
        """Let a pod be gone that terminated."""
        gone = self._leaving.pop(key)
        self._take_off(key)
        self._release(gone)

    def is_terminating(self, key: str) -> bool:
        """Whether the deletion of a pod has begun in the course of the simulation."""
        return key in self._leaving

    def _stays(self, key: str) -> bool:
        return key not in self._leaving and self.snapshot.placed_on(key) is not None

    def replace(self, key: str, pod: Document | None) -> Document | None:
        """The pod that a controller makes for one that is gone, with the claims made for it; None where none does."""
        copy = None if pod is None else self._successors.of(self.snapshot, pod, self.is_taken)
        if copy is None:
            return None
        for claim in copy.claims:
            self.snapshot.upsert(claim)
            self._on_nodes.note()
        self.replaced[key] = key_of(copy.pod)
        if key in self._created:
            self._created.add(self.replaced[key])
        return copy.pod

    def successors(self) -> Successors:
        """Who would be made next, to try something out with."""
        return self._successors.copy()

    def last_of(self, key: str) -> str:
        """The pod that took the place of one that is gone, or the pod itself."""
        while key not in self._documents and key in self.replaced and self.replaced[key] != key:
            key = self.replaced[key]
        return key

    def is_known(self, key: str) -> bool:
        """Whether a pod, or who took its place, is still here."""
        return self.last_of(key) in self._documents

    def pods_of(self, job: JobKey) -> list[str]:
        """The pods that a Job has, placed or pending, in order of name."""
        return sorted(self._of_jobs.keys(job))

    def is_placed(self, key: str) -> bool:
        """Whether a pod that was on a node from the beginning is still there, and does not terminate."""
        return key in self._placed and self._stays(key)

    def is_taken(self, key: str) -> bool:
        """Whether a pod bears this name, or did at the beginning."""
        return key in self._documents or key in self.snapshot.pods.slot_of or key in self._placed

    def _take_off(self, key: str) -> str:
        """Remove a pod from the snapshot; returns the node that it was on, empty where it had none."""
        node = self.snapshot.placed_on(key)
        self.snapshot.remove_pod(key)
        if node is not None:
            self._on_nodes.touch(self.snapshot.nodes.index[node])
            self._wake_by_departure(node)
        return node or ""

    # -- attempts ----------------------------------------------------------------------------------------

    def explain(self, key: str) -> tuple[Explanation, int]:
        """Explain a pod as it would be tried now, and say how many nodes would be looked at."""
        profile = self.kind_of(key).profile
        assert profile is not None  # noqa: S101 - nobody else is in line
        is_created = key in self._created
        return explain_attempt(self.snapshot, self._documents[key], profile, self.order, is_created=is_created)

    def uncertainties_of(self, key: str, kind: PodKind) -> tuple[Uncertainty, ...]:
        """What could keep a pod of a kind from the node that takes it, and is not computed; it may not have arrived."""
        is_created = key in self._created
        if kind.profile is None:
            return ()
        alike = kind.number, is_created
        if alike not in self._uncertain:
            self._uncertain[alike] = uncertainties(self.snapshot, kind.pod, kind.profile, is_created=is_created)
        return self._uncertain[alike]

    def find(self, key: str) -> AttemptResult:
        """Try a pod as things are."""
        document, kind = self._documents[key], self.kind_of(key)
        assert kind.profile is not None  # noqa: S101 - nobody else is in line
        if self._failed_at != self._on_nodes.clock:
            self._failed.clear()
            self._failed_at = self._on_nodes.clock
        known = self._failed.get(kind.number)
        if known is not None:
            return known
        if not (self.snapshot.pods.nominees and self._is_about_nominations(document, kind.profile)):
            on_nodes = self._on_nodes.of(kind)
            found = None if on_nodes is None else on_nodes.find(self.order)
            if found is not None:
                return found
        found = find(self.snapshot, document, kind.profile, self.order)
        if not found.ties:
            self._failed[kind.number] = found
        return found

    def _is_about_nominations(self, document: Document, profile: Profile) -> bool:
        """Whether a nomination, its own or of others that go first, has a say in where a pod goes."""
        pod = Pod(document)
        return bool(pod.nominated_node_name) or nominated_world(self.snapshot, pod, profile) is not None

    def place(self, key: str, row: int) -> None:
        """Place a pod on the node of a row."""
        document, kind = self._documents[key], self.kind_of(key)
        nominated_on = kind.pod.nominated_node_name
        # Of pods that are placed together one may have woken another.
        self.line.discard(key)
        entry = self._entry_of(kind)
        if entry is None:
            if has_claims(self.snapshot, kind.pod) and kind.profile is not None:
                document = bind_claims(self.snapshot, Pod(document), kind.profile, row).counted(document)
            self.snapshot.assume(running(document), self.snapshot.nodes.names[row])
        else:
            self.snapshot.assume_like(key, str(metadata(document).get("uid") or ""), entry, row)
        self._on_nodes.placed(row, kind)
        self._requeueing.note(kind)
        if self.waiting.pop(key, None) is not None:
            self._asleep.discard(kind, key)
            self._stamps.pop(key, None)
        if nominated_on:
            self._wake_by_departure(nominated_on)
        if self._asleep:
            if kind.pod.volumes:
                self._wake(self._asleep.kinds_woken_by(ClusterEvent.CLAIM_UPDATE))
            if uses_devices(self.snapshot, kind.pod):
                self._wake(self._asleep.kinds_woken_by(ClusterEvent.RESOURCE_CLAIM_UPDATE))
            self._wake(self._requeueing.by_arrival(kind, self._asleep))
            sibling = self._asleep.first(kind)
            if sibling is not None and sibling not in self.line and self._requeueing.may_fit(kind):
                self.requeue(sibling)
                self._hopes[sibling] = set()

    def _entry_of(self, kind: PodKind) -> PodEntry | None:
        """What the table of pods keeps of each pod of a kind; None where each has something of its own."""
        if kind.number not in self._entries:
            pod = kind.pod
            is_own = pod.nominated_node_name or has_claims(self.snapshot, pod) or has_group(pod)
            self._entries[kind.number] = None if is_own else self.snapshot.pods.entry(Pod(running(pod.document)))
        return self._entries[kind.number]

    def fail(self, key: str, step: Step) -> None:
        """Let a pod that could not be placed sleep, with the nomination that its step names or without one."""
        self._asleep.discard(self.kind_of(key), key)
        self.waiting[key] = step
        self._stamps[key] = self.line.stamp()
        self.nominate(key, step.node)
        self._asleep.add(self.kind_of(key), key, step.plugins)

    def park(self, key: str, step: Step) -> None:
        """Let a pod wait that is not tried again, as no attempt of it can be computed."""
        self._asleep.discard(self.kind_of(key), key)
        self.line.discard(key)
        self.waiting[key] = step

    def wait_for(self, victims: Sequence[str]) -> VictimsWait | None:
        """How long a preemptor would wait for its victims to terminate; None without victims."""
        if not victims:
            return None
        return VictimsWait(max(grace_period_of(Pod(self.known(key) or {})) for key in victims), len(victims))

    def nominate(self, key: str, node: str) -> None:
        """Give a pod a nomination, or take it away where the node is empty."""
        document = self._documents[key]
        before = self.kind_of(key).pod.nominated_node_name
        if before == node:
            return
        self._know(key, nominated(document, node))
        self._count_nominated(key)
        if before:
            self._wake_by_departure(before)

    def give_way(self, key: str, node: str) -> None:
        """Take their nominations for a node from pods of lower priority than this one, and let them be tried again."""
        pods, row = self.snapshot.pods, self.snapshot.nodes.index[node]
        lower = self.kind_of(key).priority
        profile = self.kind_of(key).profile
        assert profile is not None  # noqa: S101 - nobody else preempts
        slots = [
            slot
            for slot, scheduler in pods.nominees.items()
            if scheduler in profile.queue and pods.nominated[slot] == row and pods.priority[slot] < lower
        ]
        for other in sorted(pods.keys[slot] for slot in slots):
            if other in self._documents:
                asleep = self.waiting.get(other)
                self._asleep.discard(self.kind_of(other), other)
                self.nominate(other, "")
                if asleep is not None:
                    self._asleep.add(self.kind_of(other), other, asleep.plugins)
                    self.requeue(other)
            else:
                self._take_off(other)

    # -- nodes -------------------------------------------------------------------------------------------

    def change_node(self, node: Node) -> None:
        """Put a node in the place of the one of the same name."""
        self.snapshot.nodes.replace(self.snapshot.nodes.index[node.name], node)
        self._on_nodes.forget_all()
        self._wake(self._requeueing.by_taint(self._asleep))

    # -- waking ------------------------------------------------------------------------------------------

    def requeue(self, key: str) -> None:
        """Put a pod back into the queue, whatever it waits for."""
        if key not in self.line:
            self.line.push(key, self.kind_of(key).priority, self._stamps.get(key))
            self._hopes.pop(key, None)

    def is_worth_trying(self, key: str) -> bool:
        """Whether a pod whose turn it is still may fit: another may have taken the room that it was woken for."""
        hopes, kind = self._hopes.pop(key, None), self.kind_of(key)
        if key not in self.waiting or hopes is None:
            return True
        if not hopes:
            return self._requeueing.may_fit(kind)
        return any(self._requeueing.may_fit_on(kind, row) for row in hopes)

    def _wake_by_departure(self, node: str) -> None:
        row = self.snapshot.nodes.index.get(node)
        if not self._asleep or row is None:
            return
        for kind in self._requeueing.by_departure(row, self._asleep):
            first = self._asleep.first(kind)
            if first is None:
                continue
            if not self._requeueing.is_local(kind):
                self.requeue(first)
            elif first not in self.line:
                self.requeue(first)
                self._hopes[first] = {row}
            elif first in self._hopes:
                self._hopes[first].add(row)

    def _wake(self, kinds: Iterable[PodKind]) -> None:
        """Let the first of each kind enter the line; the others follow once it is placed."""
        for kind in kinds:
            first = self._asleep.first(kind)
            if first is not None:
                self.requeue(first)


# Which of equally good nodes is taken where kube-scheduler takes any: as good as random, and the same each time.
#
# Upstream: ``selectHost`` in ``pkg/scheduler/schedule_one.go`` v1.34.1 takes any of the best.

_WORD: Final = 2**64 - 1


def choose(seed: int, number: int, among: int) -> int:
    """A number from 0 to ``among`` - 1 that follows from the seed and the number of the attempt alone.

    The mixing is that of SplitMix64, so that neighbouring numbers give unlike answers.
    """
    if among < 2:
        return 0
    mixed = (seed * 0x9E3779B97F4A7C15 + number + 0x9E3779B97F4A7C15) & _WORD
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _WORD
    return (mixed ^ (mixed >> 31)) % among


# The step that an attempt leads to.


def decided(
    course: Course, key: str, finding: AttemptResult, number: int, *, at: int, seed: int, preferred: str = ""
) -> Step:
    """The step of an attempt to place a pod: on one of the best nodes, or on none.

    It is the preferred one where that is among the best, then the one that the release takes; else the seed chooses.
    """
    ties = finding.ties
    if not ties:
        return Step(
            number,
            at,
            Outcome.UNSCHEDULABLE,
            key,
            node=finding.nominated,
            feasible=finding.feasible,
            looked_at=finding.looked_at,
            plugins=finding.plugins,
            message=finding.message,
            waits=course.wait_for(finding.victims),
        )
    row = course.snapshot.nodes.index.get(preferred)
    if row is None or row not in finding.best:
        row = finding.best[choose(seed, number, ties)] if finding.taken is None else finding.taken
    return Step(
        number,
        at,
        Outcome.PLACED,
        key,
        course.snapshot.nodes.names[row],
        finding.total,
        ties,
        finding.feasible,
        finding.looked_at,
        uncertain=course.uncertainties_of(key, course.kind_of(key)),
    )


def not_computed(number: int, at: int, key: str, failure: Failure) -> Step:
    """The step of an attempt that could not be computed."""
    return Step(number, at, Outcome.NOT_COMPUTED, key, message=failure.error, by=failure.reference)


# In which order events of one time happen in a simulation.


class EventPhase(IntEnum):
    """What happens first at one time; the line is emptied before drains begin and before those leave who passed by.

    ``RETRIED``: pods that were pending before arrive once drains have begun, which are not to depend on them.
    """

    TERMINATED = 0
    LEAVES = 1
    TAINTED = 2
    DRIVEN = 3
    ARRIVES = 4
    DRAINS = 5
    RETRIED = 6
    PASSES = 7


# Pods that have to go: at once, or in runs with times once their grace period is over.
#
# Upstream, v1.34.1: ``beforeDelete`` of ``pkg/registry/core/pod``, the kubelet, which lets a pod's containers end
# within its terminationGracePeriodSeconds, and controllers: a StatefulSet and a DaemonSet make the next pod once the
# one before is gone, others as soon as its deletion has begun. Pods take all of their grace period here.

# Of these the next pod comes once the one before is gone.
_LATER: Final = frozenset({"StatefulSet", "DaemonSet"})


class Departure(Struct, eq=False):
    """A pod that goes from a node, empty where it had none: it is gone after ``grace`` seconds.

    ``loss``: what its Job says to that, once its step tells.
    """

    key: str
    document: Document | None
    node: str
    grace: int = 0
    loss: PodLoss | None = None


class Departures:
    """Lets pods go from their nodes; those that terminate are gone with an event of the timeline."""

    def __init__(self, case: Case, course: Course, timeline: Timeline) -> None:
        self._takes_time = case.is_graceful and case.has_times
        self._silent = frozenset(case.unreachable)
        self._course, self._timeline = course, timeline
        self._terminating: list[Departure] = []
        # When the last of the pods that terminate on a node is gone.
        self._last: dict[str, int] = {}

    def begin(self, key: str, outcome: Outcome, now: int) -> Departure:
        """Let a pod go. Where the kubelet does not answer, nobody waits for it."""
        key, course = self._course.last_of(key), self._course
        node, document = course.snapshot.placed_on(key), course.known(key)
        grace = 0
        if self._takes_time and node and document is not None and node not in self._silent:
            grace = grace_period_of(Pod(document))
        if not node or document is None or not grace:
            return Departure(key, *course.remove(key))
        departure = Departure(key, document, node, grace)
        course.terminate(key, is_preempted=outcome is Outcome.PREEMPTED)
        end = now + grace * SECOND
        self._timeline.add(end, EventPhase.TERMINATED, len(self._terminating))
        self._terminating.append(departure)
        self._last[node] = max(end, self._last.get(node, 0))
        return departure

    def end(self, number: int) -> Departure:
        """Let a pod that terminates be gone, by its number of the timeline."""
        departure = self._terminating[number]
        self._course.end(departure.key)
        return departure

    def last_on(self, node: str, now: int) -> int:
        """When the last pod of a node that terminates now is gone; now, where none does."""
        return max(now, self._last.get(node, 0))

    def is_followed_later(self, departure: Departure) -> bool:
        """Whether the pod in the place of one that terminates is made only once that is gone."""
        controller = None if departure.document is None else Controller.of(departure.document)
        if departure.document is None or controller is None or not departure.grace:
            return False
        if controller.kind in _LATER:
            return True
        key = job_of(departure.document)
        job = None if key is None else self._course.snapshot.object("Job", key[1], key[0])
        return job is not None and replaces_only_failed(job.get("spec") or {})


# The claims that the scheduler makes as it binds pods, for extended resources as devices, and quotas for them.
#
# Upstream: ``createExtendedResourceClaimInAPI`` of ``plugins/dynamicresources`` and ``Usage`` of
# ``resource_claims.go`` in ``pkg/quota/v1/evaluator/core``, v1.34.1 and v1.37.2. Where a quota refuses the claim,
# PreBind fails, the pod stays pending, and is tried again; here as soon as something is freed in its namespace.


class SchedulerClaims:
    """Charges the scheduler's own claims as pods are placed; a pod whose claim is refused does not get its node."""

    def __init__(self, course: Course, admission: PodAdmission) -> None:
        self._course = course
        self._admission = admission
        # By namespace, each once, in the order in which their claims were refused.
        self._refused: dict[str, dict[str, None]] = {}

    def checked(self, step: Step) -> Step:
        """Return the step of an attempt, without its node where a quota refuses the claim that comes with that."""
        claim = self._claim(step)
        refusal = None if claim is None else self._admission.refused_claim(self._course.document_of(step.pod), claim)
        if claim is None or refusal is None:
            return step
        namespace = step.pod.partition("/")[0]
        message = (
            f'running PreBind plugin "{DynamicResources.name}": create claim for extended resources {namespace}/: '
            f"{refusal.message}"
        )
        return replace(
            step,
            outcome=Outcome.UNSCHEDULABLE,
            node="",
            total=None,
            ties=0,
            plugins=(DynamicResources.name,),
            message=message,
            uncertain=(),
        )

    def take_in(self, step: Step) -> None:
        """Take in an attempt, which may be a recorded one, before it happens to the snapshot.

        The claim that comes with a pod's node is charged, whatever is allowed; a pod whose claim was refused is noted.
        """
        if tells_failed_binding(step.message):
            self._refused.setdefault(step.pod.partition("/")[0], {})[step.pod] = None
        claim = self._claim(step)
        if claim is not None:
            self._admission.charge_claim(self._course.document_of(step.pod), claim)

    def freed(self, namespace: str) -> Iterator[str]:
        """Yield the pods of a namespace whose claims were refused before something was freed."""
        for key in self._refused.pop(namespace, ()):
            if key in self._course.waiting:
                yield key

    def _claim(self, step: Step) -> Document | None:
        """The claim that is made where a step places a pod; None where none is, or no quota is asked."""
        course, kind = self._course, self._course.kind_of(step.pod)
        if step.outcome is not Outcome.PLACED or kind.profile is None or not self._admission.asks_quotas(step.pod):
            return None
        pod = Pod(course.document_of(step.pod))
        return claim_made_on(course.snapshot, pod, kind.profile, course.snapshot.nodes.index[step.node])


# The taints of a node after the node lifecycle controller changed them.
#
# Upstream: ``SwapNodeControllerTaint`` of ``pkg/controller/util/node`` v1.34.1, which removes the opposite taint.


def tainted(node: Node, event: TaintEvent) -> Node:
    """The node with one of the two taints of its condition, or without those that evict."""
    effect = "NoSchedule" if event.change is TaintChange.NO_SCHEDULE else NO_EXECUTE
    kept = [
        taint for taint in node.taints if taint.effect != effect or taint.key not in (NOT_READY_KEY, UNREACHABLE_KEY)
    ]
    if event.change is not TaintChange.LIFTED:
        kept.append(Taint(event.key, "", effect))
    return replace(node, taints=tuple(kept))


# Which pods of a node a drain evicts, and what the Eviction API answers for each.
#
# Upstream: ``k8s.io/kubectl/pkg/drain`` and the Eviction API, v1.34.1, as ``clusters.engine.disruption`` knows them.
# The disruption controller has always just caught up here.

_CORDONED: Final = Taint("node.kubernetes.io/unschedulable", "", "NoSchedule")
_UNMANAGED: Final = "cannot delete Pods that declare no controller (use --force to override)"


def cordoned(node: Node) -> Node:
    """A node that accepts no pods, with the taint that the node controller adds."""
    taints = node.taints if _CORDONED in node.taints else (*node.taints, _CORDONED)
    return replace(node, unschedulable=True, taints=taints)


class DrainingPod(Struct, frozen=True):
    """A pod of a node that is drained."""

    pod: Pod
    handling: Handling

    @property
    def refusal(self) -> str:
        """What kubectl says when it does not begin with a node on account of this pod; empty where it does."""
        return f"{_UNMANAGED}: {self.pod.key}" if Flag.FORCE in self.handling.wants else ""


class Draining:
    """Drains as kubectl does it with --ignore-daemonsets and --delete-emptydir-data, and without --force."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._ledger = Ledger(course.snapshot)

    def asked_on(self, node: str) -> list[DrainingPod]:
        """The pods that a drain does not leave where they are, by name."""
        found = []
        row, pods = self._course.snapshot.nodes.index[node], self._course.snapshot.pods
        for slot in sorted(pods.on_node(row).tolist(), key=pods.keys.__getitem__):
            pod = self._pod(slot)
            handling = handling_of(pod, DrainOptions())
            if self._course.is_terminating(pod.key):
                continue
            if not handling.treatment.stays:
                found.append(DrainingPod(pod, handling))
        return found

    def is_held(self, asked: list[DrainingPod]) -> bool:
        """Whether some pod keeps the drain of a node from beginning."""
        return any(each.handling.treatment is Treatment.HELD for each in asked)

    def answer(self, pod: Pod) -> EvictionAnswer:
        """What the eviction of a pod is answered now; a budget at whose expense it is granted is charged."""
        keys = self._ledger.keys_of(pod)
        self._ledger.look_again(keys)
        self._ledger.settle(self._course.snapshot, keys)
        return self._ledger.ask(pod)

    def _pod(self, slot: int) -> Pod:
        """A pod on a node: as it is known, or what the snapshot tells of it."""
        pods = self._course.snapshot.pods
        known = self._course.known(pods.keys[slot])
        if known is None:
            template = pods.templates[pods.template[slot]].pod(pods.labels(slot)).document
            known = {**template, "metadata": {**template["metadata"], "name": pods.name(slot)}}
        state = "True" if pods.ready[slot] else "False"
        status: dict[str, Any] = {
            "phase": "Pending" if pods.starting[slot] else "Running",
            "conditions": [{"type": "Ready", "status": state}],
        }
        return Pod({**known, "status": status})


def words(answer: EvictionAnswer) -> str:
    """What the API server says to a refused eviction."""
    return " ".join(each for each in (answer.message, answer.detail) if each)


# What happens in a simulation and when: events known from its beginning, and those that follow from others.


class Timeline:
    """Events in the order in which they happen: a time in nanoseconds from the beginning, a phase, and a number.

    What the number counts depends on the phase: pods that are wanted, ``taints``, or what whoever adds an event says.
    Of pods that leave, those that are on nodes from the beginning are counted after the wanted ones.
    """

    def __init__(self, case: Case) -> None:
        events = []
        for number, each in enumerate(case.wanted):
            is_retried = bool(case.drained) and each.origin is Origin.PENDING_BEFORE
            events.append((each.at, EventPhase.RETRIED if is_retried else EventPhase.ARRIVES, number))
        for number, each in enumerate(case.wanted):
            if each.until is not None:
                phase = EventPhase.PASSES if each.until <= each.at else EventPhase.LEAVES
                events.append((max(each.at, each.until), phase, number))
        self._wanted, self._leaving = case.wanted, tuple(case.leaving)
        events += [(at, EventPhase.LEAVES, number) for number, at in enumerate(case.leaving.values(), len(case.wanted))]
        if case.drained:
            events.append((0, EventPhase.DRAINS, 0))
        self.taints: list[TaintEvent] = []
        if case.unreachable or case.not_ready:
            self.taints = taint_events(case.snapshot, case.unreachable, case.not_ready)
            events += [(each.at, EventPhase.TAINTED, number) for number, each in enumerate(self.taints)]
        heapq.heapify(events)
        self._events = events

    def __bool__(self) -> bool:
        return bool(self._events)

    def add(self, at: int, phase: EventPhase, number: int) -> None:
        """Let something happen, now or later."""
        heapq.heappush(self._events, (at, phase, number))

    def pop(self) -> tuple[int, EventPhase, int]:
        """Take the next event."""
        return heapq.heappop(self._events)

    def leaver(self, number: int) -> str:
        """The pod that leaves with an event, by its number."""
        wanted = self._wanted
        return key_of(wanted[number].pod) if number < len(wanted) else self._leaving[number - len(wanted)]

    def lets_try(self, now: int) -> bool:
        """Whether the pods in line are tried before the next event."""
        following = self._events[0][:2] if self._events else None
        return following is None or following[0] != now or following[1] in (EventPhase.DRAINS, EventPhase.PASSES)


# Groups of pods in a simulation: they enter the queue together, and are placed together or not at all.
#
# A pod that waits for its group is told of once nothing else happens. In 1.35 pods of a gang keep their nodes for
# some minutes while they wait for others at Permit; here they do not.


class GroupTrials:
    """Who waits for a group, and what becomes of the pods of a group that are tried together."""

    def __init__(self, course: Course, seed: int) -> None:
        self._course, self._seed = course, seed
        # Pods that wait for their group, with what keeps them out of the queue, and what was told of it.
        self._held: dict[str, str] = {}
        self._told: dict[str, str] = {}

    def concerns(self, key: str) -> bool:
        """Whether a pod is scheduled with a group."""
        release = self._course.snapshot.release
        return release.enables(Gate.GENERIC_WORKLOAD) and group_key_of(self._pod(key), release) is not None

    def _pod(self, key: str) -> Pod:
        return self._course.kind_of(key).pod

    def holds(self, key: str) -> bool:
        """Whether a pod that has arrived is kept out of the queue by its group."""
        profile = self._course.kind_of(key).profile
        if profile is None or not self.concerns(key):
            return False
        rejection = held_back(self._pod(key), profile, self._course.snapshot)
        self._held.pop(key, None)
        if rejection is not None:
            self._held[key] = rejection.status.said
        return rejection is not None

    def released(self) -> Iterator[str]:
        """The pods that wait for their group no longer, each once, in the order in which they came."""
        for key in list(self._held):
            if not self._course.is_known(key):
                del self._held[key]
            elif not self.holds(key):
                self._told.pop(key, None)
                self._course.waiting.pop(key, None)
                yield key

    def untold(self) -> Iterator[tuple[str, str]]:
        """The pods that wait for their group of which it is not told yet, with the scheduler's words."""
        for key, message in list(self._held.items()):
            if self._told.get(key) != message and self._course.is_known(key):
                self._told[key] = message
                yield key, message

    def explain(self, key: str) -> Explanation:
        """Explain a pod with its group."""
        profile = self._course.kind_of(key).profile
        assert profile is not None  # noqa: S101 - nobody else is in line
        return explain(self._course.snapshot, self._course.document_of(key), profile)

    def explain_waiting(self, untried: frozenset[Outcome]) -> Iterator[tuple[list[str], Explanation]]:
        """Explain, as things are now, the pods that were tried without success: those that are alike together, once."""
        alike: dict[PodKind, list[str]] = {}
        for key, step in self._course.waiting.items():
            kind = self._course.kind_of(key)
            if step.outcome not in untried and kind.profile is not None:
                alike.setdefault(kind, []).append(key)
        for keys in alike.values():
            yield keys, self.explain(keys[0]) if self.concerns(keys[0]) else self._course.explain(keys[0])[0]

    def apply(self, step: Step) -> None:
        """Let a step of an attempt happen."""
        self._course.line.discard(step.pod)
        if step.outcome is Outcome.PLACED:
            self._course.place(step.pod, self._course.snapshot.nodes.index[step.node])
        else:
            self._course.fail(step.pod, step)

    def steps(self, key: str, number: int, at: int) -> list[Step]:
        """The steps of an attempt to place the group of a pod, from a number on; none where it is placed by itself."""
        profile = self._course.kind_of(key).profile
        assert profile is not None  # noqa: S101 - nobody else is in line
        found = attempt_group(
            self._course.snapshot,
            self._pod(key),
            profile,
            choose=lambda turn, cycle: self._taken(number + turn, cycle),
            settles=True,
        )
        if found is None:
            return []
        plugins = set(group_plugins(profile, self._course.snapshot.release))
        plugins |= {name for member in found.members for name in member.plugins}
        members = [each for each in found.members if self._course.is_known(each.pod)]
        if not members:
            # An attempt that ends before anybody is tried is that of the pod alone.
            return [_refused(number, at, key, found.pod_message, found, tuple(sorted(plugins)))]
        return [
            self._placed(number + turn, at, member, found)
            if member.node and not found.is_blocking
            else _refused(number + turn, at, member.pod, found.message_of(member), found, tuple(sorted(plugins)))
            for turn, member in enumerate(members)
        ]

    def _taken(self, number: int, cycle: Cycle) -> int:
        row = first_found(cycle, self._course.order)
        return int(cycle.choices[choose(self._seed, number, len(cycle.choices))]) if row is None else row

    def _placed(self, number: int, at: int, member: MemberAttempt, found: GroupAttempt) -> Step:
        kind = self._course.kind_of(member.pod)
        uncertain = self._course.uncertainties_of(member.pod, kind)
        if not found.is_open:
            uncertain = tuple(each for each in uncertain if not self._is_of_group(each, kind.pod))
        return Step(
            number,
            at,
            Outcome.PLACED,
            member.pod,
            member.node,
            member.total,
            member.ties,
            member.feasible,
            member.looked_at,
            uncertain=uncertain,
        )

    def _is_of_group(self, uncertainty: Uncertainty, pod: Pod) -> bool:
        field = field_of(pod, self._course.snapshot.release)
        is_of_field = isinstance(uncertainty, UncomputedField) and uncertainty.field == field
        return is_of_field or isinstance(uncertainty, UncomputedObject)


def _refused(number: int, at: int, key: str, message: str, found: GroupAttempt, plugins: tuple[str, ...]) -> Step:
    member = next((each for each in found.members if each.pod == key), None)
    looked_at = 0 if member is None else member.looked_at
    step = Step(number, at, Outcome.UNSCHEDULABLE, key, looked_at=looked_at, plugins=plugins, message=message)
    return step if member is None else replace(step, feasible=member.feasible)
