"""The cluster of a simulation and its pending pods, brought forward one change at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.cycle import nominated_world
from clusters.engine.devices.claim_lifecycle import release
from clusters.engine.devices.extended_resources import uses_devices
from clusters.engine.disruption.lost_node import grace_period_of
from clusters.engine.objects import Pod, key_of
from clusters.engine.podgroups.reference import has_group
from clusters.engine.search_order import SearchOrder
from clusters.engine.simulation.binding import bind_claims, has_claims
from clusters.engine.simulation.finding import AttemptResult, explain_attempt, find
from clusters.engine.simulation.job_pods import PodsOfJobs
from clusters.engine.simulation.kinds import PodKinds
from clusters.engine.simulation.kinds_on_nodes import KindsOnNodes
from clusters.engine.simulation.requeueing import Requeueing
from clusters.engine.simulation.steps import VictimsWait
from clusters.engine.simulation.successors import Successors, nominated, running, terminating
from clusters.engine.simulation.waiting import Asleep, Line
from clusters.engine.traits import ClusterEvent
from clusters.engine.uncertainty import uncertainties

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine.columns.pods import PodEntry
    from clusters.engine.conclusion import Uncertainty
    from clusters.engine.configuration import Profile
    from clusters.engine.explanation import Explanation
    from clusters.engine.objects import Document, Node
    from clusters.engine.simulation.case import Case
    from clusters.engine.simulation.job_pods import JobKey
    from clusters.engine.simulation.kinds import PodKind
    from clusters.engine.simulation.steps import Step


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
        self._entries: dict[int, PodEntry] = {}
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
        self._of_jobs = PodsOfJobs(self._placed, self._documents, self._stays)

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
                self._hand_on(key, kind)
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

    def _hand_on(self, key: str, kind: PodKind) -> None:
        """Let a pod that sleeps or was woken go; if it was woken, the next of its kind is woken in its place."""
        self._asleep.discard(kind, key)
        self._stamps.pop(key, None)
        hopes, sibling = self._hopes.pop(key, None), self._asleep.first(kind)
        if key in self.line and sibling is not None:
            self.requeue(sibling)
            if hopes is not None:
                self._hopes[sibling] = hopes

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
        namespace, _, name = key.partition("/")
        self.snapshot.delete({"kind": "Pod", "metadata": {"namespace": namespace, "name": name}})
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
        if not len(found.best):
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
        if has_claims(self.snapshot, kind.pod) and kind.profile is not None:
            document = bind_claims(self.snapshot, Pod(document), kind.profile, row).counted(document)
        entry = self._entries.get(kind.number)
        if entry is None or nominated_on or has_claims(self.snapshot, kind.pod) or has_group(kind.pod):
            bound = running(document)
            self.snapshot.assume(bound, self.snapshot.nodes.names[row])
            self._entries[kind.number] = self.snapshot.pods.entry(Pod(bound))
        else:
            self.snapshot.assume_like(key, entry, row)
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
