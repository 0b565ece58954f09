"""The day before the demo's present: a simulation that begins 24 hours earlier and ends in the cluster as it is shown.

``recorded_day`` runs it. What happens is in tables: nodes that come, are drained, get lost and fail,
Deployments that are scaled and rolled out, Jobs. What comes of that is decided by the engine alone.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct, field

from clusters.demo import nodes
from clusters.demo.identity import NOW, Document, cut, preempted_note, suffix, uid
from clusters.demo.nodes import CORDONED, NOT_READY, UNDER_PRESSURE
from clusters.demo.running import RUNNING
from clusters.demo.stories import TOLD
from clusters.demo.workload import AMD64, Workload, on_pool
from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, UnknownScheduler, explain
from clusters.engine.objects import key_of, name_of
from clusters.engine.simulation import Case, Outcome, Simulation, Step, Wanted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


# What happens in the demo's last day: which pods come and go, and what becomes of nodes.

BEGINNING = NOW - timedelta(hours=24)
# Nodes of the day alone. A pod of today still names the first one.
DRAINED, LOST = "general-a-10", "spot-c-02"
# On every node, and so on those two.
_DAEMONS = ("kube-proxy", "aws-node", "ebs-csi-node", "node-local-dns", "node-exporter", "log-agent")
# Work in the background that fills what is free on the nodes of a Sunday evening.
_RECEIPTS = Workload("batch", "receipts", 22, 800, 512, priority="batch-low", spec=on_pool("general"))
_WORKLOADS = {each.name: each for each in (*RUNNING, *TOLD, _RECEIPTS)}


class Incident(StrEnum):
    """What happens to a node."""

    ADDED = "added"
    REMOVED = "removed"
    DRAINED = "drained"
    CORDONED = "cordoned"
    UNREACHABLE = "unreachable"
    UNDER_PRESSURE = "memory-pressure"


class Happening(Struct, frozen=True):
    """What happens to a node at a moment."""

    at: datetime
    incident: Incident
    node: str


class Stay(Struct, frozen=True):
    """A pod that is created at a moment, and deleted at another."""

    pod: Document
    at: datetime
    until: datetime


class _Scaling(Struct, frozen=True):
    """So many more pods of a workload for a time: created one after the other, and deleted so as well."""

    workload: str
    pods: int
    clock: str
    hours: float
    apart: float


def at_clock(clock: str) -> datetime:
    """Return when clocks showed this time in the demo's last day."""
    hours, minutes = map(int, clock.split(":"))
    moment = BEGINNING.replace(hour=hours, minute=minutes)
    return moment if moment >= BEGINNING else moment + timedelta(days=1)


HAPPENINGS = (
    Happening(at_clock("17:20"), Incident.ADDED, DRAINED),
    Happening(at_clock("21:10"), Incident.DRAINED, DRAINED),
    Happening(at_clock("21:25"), Incident.REMOVED, DRAINED),
    Happening(at_clock("23:50"), Incident.ADDED, LOST),
    Happening(at_clock("00:40"), Incident.UNREACHABLE, LOST),
    Happening(at_clock("01:10"), Incident.REMOVED, LOST),
    Happening(NOW - timedelta(minutes=40), Incident.CORDONED, CORDONED),
    Happening(NOW - timedelta(minutes=6), Incident.UNDER_PRESSURE, UNDER_PRESSURE),
    Happening(NOW - timedelta(minutes=2), Incident.UNREACHABLE, NOT_READY),
)

_SCALED = (
    _Scaling("storefront", 6, "17:30", 5.0, 4),
    _Scaling("cart", 4, "17:40", 5.0, 3),
    _Scaling("clickstream", 4, "18:10", 6.5, 3),
    _Scaling("receipts", 22, "18:22", 6.0, 1.5),
    _Scaling("search-proxy", 2, "19:30", 3.0, 5),
    _Scaling("suggest", 3, "19:35", 3.5, 5),
    _Scaling("crawler", 6, "00:05", 4.0, 2),
)
# A sale of Sunday evening: more urgent than the work in the background, and too large to fit beside it.
_SALE = Workload("shop", "flash-sale", 12, 900, 1024, priority="business-critical", spec=on_pool("general"))
_SALE_BEGINS, _SALE_ROLLED_OUT, _SALE_ENDS = at_clock("19:00"), at_clock("20:10"), at_clock("22:50")
# Of a rolling update with maxSurge 25% of 12 pods.
_AT_ONCE = 3
_ROLLUP = Workload("batch", "sales-rollup", 2, 500, 512, kind="Job", priority="batch-low", spec=AMD64)
_NIGHT = Workload("warehouse", "stock-count", 6, 900, 1024, kind="Job", priority="batch-low", spec=AMD64)


def stays() -> Iterator[Stay]:
    """Yield the pods that come and go within the day, in no order of time."""
    for scaling in _SCALED:
        workload, begin = _WORKLOADS[scaling.workload], at_clock(scaling.clock)
        for number in range(scaling.pods):
            at = begin + timedelta(minutes=number * scaling.apart)
            pod = workload.another_pod(f"scaled {number}", at)
            yield Stay(pod, at, at + timedelta(hours=scaling.hours))
    yield from _sale()
    yield from _jobs()
    for node, added, removed in ((DRAINED, "17:20", "21:25"), (LOST, "23:50", "01:10")):
        for name in _DAEMONS:
            at = at_clock(added)
            yield Stay(_WORKLOADS[name].another_pod(node, at, node=node), at, at_clock(removed))


def _sale() -> Iterator[Stay]:
    """A Deployment that is created, rolled out once, some pods at a time, and deleted."""
    for number in range(_SALE.replicas):
        step = _SALE_ROLLED_OUT + timedelta(seconds=45 * (number // _AT_ONCE))
        first = _SALE.another_pod(f"first {number}", _SALE_BEGINS)
        yield Stay(first, _SALE_BEGINS, step + timedelta(seconds=30))
        yield Stay(_SALE.another_pod(f"second {number}", step, revision="hotfix"), step, _SALE_ENDS)


def _jobs() -> Iterator[Stay]:
    for hour in range(11, 24 + 9, 2):
        at = at_clock(f"{hour % 24:02d}:30")
        for number in range(_ROLLUP.replicas):
            yield Stay(_ROLLUP.another_pod(f"{hour} {number}", at), at, at + timedelta(minutes=12))
    at = at_clock("02:15")
    for number in range(_NIGHT.replicas):
        yield Stay(_NIGHT.another_pod(f"{number}", at), at, at + timedelta(minutes=50))


# What the demo's day leaves behind: decisions and changes of nodes, in the order in which they happened.

Kept = TypeVar("Kept")


class DayError(Exception):
    """The day does not lead to the demo's present: its tables ask for something that the engine decides otherwise."""


class RecordedDecision(Struct, Generic[Kept]):
    """A decision about a pod; ``kind`` as in the journal.

    ``last_at`` and ``attempts`` count those that ended the same way. ``by`` is the pod that preempted this one, as
    ``namespace/name``. ``kept`` is what was kept of the explanation, None where nothing was computed.
    """

    kind: str
    pod: Document
    at: datetime
    last_at: datetime
    node: str = ""
    message: str = ""
    by: str = ""
    attempts: int = 1
    kept: Kept | None = None

    @property
    def event(self) -> Document | None:
        """The event that came with it, as the journal keeps events; None of what nobody reports."""
        namespace, name = self.pod["metadata"]["namespace"], self.pod["metadata"]["name"]
        match self.kind:
            case "bound":
                reason, note = "Scheduled", f"Successfully assigned {namespace}/{name} to {self.node}"
            case "unschedulable":
                reason, note = "FailedScheduling", cut(self.message)
            case "preempted":
                reason, note = "Preempted", preempted_note(self.preemptor_uid, self.node)
            case _:
                return None
        return {"reason": reason, "note": note, "component": "default-scheduler", "time": self.last_at.isoformat()}

    @property
    def preemptor_uid(self) -> str:
        """The UID of the pod that preempted this one; empty where none did."""
        return uid("Pod", *self.by.split("/")) if self.by else ""


class RecordedDeparture(Struct, frozen=True):
    """A node or a pod that went at a moment, as it was."""

    document: Document
    at: datetime


class Day(Struct, Generic[Kept]):
    """Everything that was recorded, by time."""

    beginning: datetime
    decisions: list[RecordedDecision[Kept]] = field(default_factory=list)
    departures: list[RecordedDeparture] = field(default_factory=list)
    happenings: list[Happening] = field(default_factory=list)


# Running the demo's day: simulations one after the other, each from what happens to a node to the next such time.

# When kube-scheduler tried all pods of the demo's present for the last time.
LAST_ATTEMPTS = NOW - timedelta(minutes=1)
_APART = timedelta(milliseconds=40)
_SECOND = 1_000_000_000
# Pods of today that were created within the day and would get another node in it: they are there from the beginning.
_THERE_BEFORE = frozenset(
    {
        "internal/backoffice-nrvxmdq4gm-74d48",
        "ml/experiment-tracker-xmk5hmtkcv-v59r4",
        "mobile/deep-links-5hpg5gv8mq-c8495",
        "shop/price-engine-v9hwz4km2m-x5rgv",
    }
)
_KINDS = {Outcome.PLACED: "bound", Outcome.GATED: "gated", Outcome.PREEMPTED: "preempted", Outcome.EVICTED: "evicted"}


def recorded_day(objects: Iterable[Document], keep: Callable[[Explanation, str | None], Kept]) -> Day[Kept]:
    """Run the day that leads to the demo's objects; ``keep`` makes of an explanation what is to be kept of it.

    ``keep`` is given the node that the pod got or was nominated for, or None. Raises DayError.
    """
    return _Course(list(objects), keep).run()


class _Course(Generic[Kept]):
    """The cluster in the course of the day."""

    def __init__(self, objects: list[Document], keep: Callable[[Explanation, str | None], Kept]) -> None:
        self._keep = keep
        self._configuration = SchedulerConfiguration.default()
        self._day: Day[Kept] = Day(BEGINNING)
        self._present = Snapshot.from_objects(objects)
        self._nodes = {name_of(each): each for each in objects if each["kind"] == "Node"}
        self._pods = {key_of(each): each for each in objects if each["kind"] == "Pod"}
        self._arrivals: list[tuple[datetime, Document]] = []
        # By namespace/name: pods on nodes, pending pods, when pods leave, and every pod that there was.
        self._placed: dict[str, Document] = {}
        self._pending: dict[str, Document] = {}
        self._leaving: dict[str, datetime] = {}
        self._latest: dict[str, RecordedDecision[Kept]] = {}
        self._known: dict[str, Document] = dict(self._pods)
        # Nodes of the day alone, as what happened to them left them.
        self._added: dict[str, Document] = {}
        self._last_attempts = self._attempted()
        for stay in stays():
            key = key_of(stay.pod)
            if key in self._known:
                raise DayError(f"{key} is there twice")
            self._arrivals.append((stay.at, stay.pod))
            self._leaving[key] = stay.until
            self._known[key] = stay.pod
        self._snapshot = self._first_state(objects)
        self._arrivals.sort(key=lambda arrival: arrival[0])

    # -- what it begins with -----------------------------------------------------------------------------

    def _attempted(self) -> dict[str, Explanation]:
        """Explain the pods of today that the scheduler has a message about, as they are today."""
        found = {}
        for key, pod in self._pods.items():
            conditions = pod["status"].get("conditions", ())
            if any(each["type"] == "PodScheduled" and each.get("reason") == "Unschedulable" for each in conditions):
                try:
                    found[key] = explain(self._present, pod, self._configuration.profile_for(pod))
                except UnknownScheduler:
                    continue
        return found

    def _first_state(self, objects: Iterable[Document]) -> Snapshot:
        """The cluster of 24 hours ago: before anything happened to its nodes, and without the pods created since."""
        healthy = {name_of(each): each for each in nodes.nodes()}
        struck = {each.node for each in HAPPENINGS}
        state = []
        for each in objects:
            if each["kind"] == "Node" and name_of(each) in struck:
                node = healthy[name_of(each)]
                node["status"]["images"] = each["status"]["images"]
                state.append(node)
            elif each["kind"] != "Pod":
                state.append(each)
            elif self._is_there(each):
                state.append(_before_incidents(each))
        return Snapshot.from_objects(state)

    def _is_there(self, pod: Document) -> bool:
        """Whether a pod of today was there; another arrives when it was created, if the simulation can do that."""
        key = key_of(pod)
        created = datetime.fromisoformat(pod["metadata"]["creationTimestamp"])
        if pod["spec"].get("nodeName") and pod["status"]["phase"] == "Pending":
            # Its creator named a node that is gone.
            return False
        if pod["spec"].get("nodeName"):
            if created <= BEGINNING or key in _THERE_BEFORE or pod["status"]["phase"] != "Running":
                self._placed[key] = _before_incidents(pod)
                return True
            self._arrivals.append((created, _unbound(pod)))
        elif self._is_hopeless(key, pod):
            self._arrivals.append((created, _unbound(pod)))
        return False

    def _is_hopeless(self, key: str, pod: Document) -> bool:
        """Whether a pending pod stays so until the present: it neither fits nor can preempt, or is gated."""
        if pod["spec"].get("schedulingGates"):
            return True
        found = self._last_attempts.get(key)
        if found is None or pod["status"].get("nominatedNodeName"):
            return False
        return not found.fits and (found.preemption is None or found.preemption.selected is None)

    # -- the day -----------------------------------------------------------------------------------------

    def run(self) -> Day[Kept]:
        """Go from one happening to the next, and on to the last attempts."""
        ends = [*(each.at for each in HAPPENINGS), LAST_ATTEMPTS]
        begins: list[tuple[datetime, Happening | None]] = [(BEGINNING, None), *((each.at, each) for each in HAPPENINGS)]
        for (begin, happening), end in zip(begins, ends, strict=True):
            if happening is not None:
                self._happen(happening)
            self._simulate(begin, end, happening)
        self._check()
        for number, (key, explanation) in enumerate(self._last_attempts.items()):
            at = LAST_ATTEMPTS + number * _APART
            self._refuse(key, at, explanation.message or "", partial(self._keep, explanation, None))
        self._day.decisions.sort(key=lambda decision: decision.at)
        return self._day

    def _happen(self, happening: Happening) -> None:
        """Change the nodes of the snapshot; what a simulation does to them itself is left to it."""
        name = happening.node
        self._day.happenings.append(happening)
        if happening.incident is Incident.REMOVED:
            for key in [key for key in self._placed if self._snapshot.placed_on(key) == name]:
                self._depart(key, name, happening.at)
                self._snapshot.delete(self._placed.pop(key))
                self._leaving.pop(key, None)
            self._day.departures.append(RecordedDeparture(self._added[name], happening.at))
            self._snapshot.delete({"kind": "Node", "metadata": {"name": name}})
        elif happening.incident is Incident.ADDED:
            pool, zone, number = name.split("-")
            self._added[name] = nodes.node_of(pool, zone, int(number))
            self._snapshot.upsert(self._added[name])
        elif name in self._added:
            self._added[name] = _struck(self._added[name], happening.incident)
        elif name in self._nodes:
            self._snapshot.upsert(self._nodes[name])

    def _simulate(self, begin: datetime, end: datetime, happening: Happening | None) -> None:
        """Run the engine's simulation up to the next happening."""
        # What happens to nodes of today is in the snapshot by now.
        is_own = happening is not None and happening.node not in self._nodes
        incident = happening.incident if is_own and happening is not None else None
        at_hand = (happening.node,) if is_own and happening is not None else ()
        kept: dict[int, Kept] = {}

        def observe(step: Step, explanation: Explanation) -> None:
            latest = self._latest.get(step.pod)
            if not (
                step.outcome is Outcome.UNSCHEDULABLE
                and not step.node
                and latest is not None
                and latest.kind == "unschedulable"
                and latest.message == step.message
            ):
                kept[step.number] = self._keep(explanation, step.node or None)

        simulation = Simulation(
            Case(
                self._snapshot,
                self._configuration,
                self._wanted(begin, end),
                drained=at_hand if incident is Incident.DRAINED else (),
                unreachable=at_hand if incident is Incident.UNREACHABLE else (),
                placed=self._placed,
                leaving={
                    key: _nanoseconds(max(begin, at) - begin)
                    for key, at in self._leaving.items()
                    if key in self._placed and at < end
                },
                copy_name=_copy_name,
            ),
            observe=observe,
        )
        moment, last = 0, begin
        for step in simulation:
            at = begin + timedelta(microseconds=step.at // 1000)
            last = at if step.at != moment else max(at, last + _APART)
            moment = step.at
            self._record(step, last, simulation, kept.get(step.number))
        for gone, copy in simulation.replaced.items():
            # The copy of a copy comes later in the same order.
            if gone in self._leaving:
                self._leaving[copy] = self._leaving.pop(gone)
        self._snapshot = simulation.snapshot.copy()
        self._pending = {key: dict(simulation.document_of(key)) for key in simulation.waiting}
        for key in self._placed.keys() & self._pods.keys():
            pod = _before_incidents(self._pods[key])
            if pod["spec"].get("nodeName") == self._snapshot.placed_on(key) and self._placed[key] is not pod:
                # With the time at which it started, by which victims of preemption are chosen.
                self._placed[key] = pod
                self._snapshot.upsert(pod)

    def _wanted(self, begin: datetime, end: datetime) -> list[Wanted]:
        """The pods that are pending when a stretch begins, and those that arrive within it."""
        arriving = [(begin, pod) for key, pod in self._pending.items() if self._leaving.get(key, end) > begin]
        while self._arrivals and self._arrivals[0][0] < end:
            arriving.append(self._arrivals.pop(0))
        wanted = []
        for at, pod in arriving:
            until = self._leaving.get(key_of(pod), end)
            leaves = None if until >= end else _nanoseconds(until - begin)
            wanted.append(Wanted(pod, _nanoseconds(at - begin), leaves))
        return wanted

    # -- what is recorded --------------------------------------------------------------------------------

    def _record(self, step: Step, at: datetime, simulation: Simulation, kept: Kept | None) -> None:
        key = step.pod
        if step.outcome in (Outcome.PREEMPTED, Outcome.EVICTED):
            pod = self._known[key]
            self._depart(key, step.node, at)
            self._placed.pop(key, None)
        elif step.outcome is Outcome.COMPLETED:
            self._depart(key, step.node, at)
            self._placed.pop(key, None)
            return
        else:
            pod = dict(simulation.document_of(key))
            self._known[key] = pod
        if step.outcome is Outcome.UNSCHEDULABLE:
            self._refuse(key, at, step.message, lambda: kept)
            if step.node:
                self._add("nominated", key, at, node=step.node, kept=kept)
        elif step.outcome in _KINDS:
            if step.outcome is Outcome.PLACED:
                self._placed[key] = pod
            by = step.by if step.outcome is Outcome.PREEMPTED else ""
            self._add(_KINDS[step.outcome], key, at, node=step.node, by=by, kept=kept)

    def _depart(self, key: str, node: str, at: datetime) -> None:
        """Note that a pod goes from its node."""
        pod = self._placed.get(key) or self._known[key]
        namespace, _, name = key.partition("/")
        metadata = {**pod["metadata"], "uid": uid("Pod", namespace, name)}
        # Pods are ready at once in this simulation.
        status = {**pod["status"], "phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
        gone = {**pod, "metadata": metadata, "spec": {**pod["spec"], "nodeName": node}, "status": status}
        self._day.departures.append(RecordedDeparture(gone, at))

    def _refuse(self, key: str, at: datetime, message: str, kept: Callable[[], Kept | None]) -> None:
        """Note an attempt that found no node; one that ended as the one before is counted with that."""
        latest = self._latest.get(key)
        if latest is not None and latest.kind == "unschedulable" and latest.message == message:
            latest.attempts += 1
            latest.last_at = at
        else:
            self._add("unschedulable", key, at, message=message, kept=kept())

    def _add(self, kind: str, key: str, at: datetime, *, node: str = "", message: str = "", by: str = "",
             kept: Kept | None) -> None:  # fmt: skip
        if kind == "gated" and key in self._latest:
            return
        namespace, _, name = key.partition("/")
        pod = self._known[key]
        pod = {**pod, "metadata": {**pod["metadata"], "uid": uid("Pod", namespace, name)}}
        decision = RecordedDecision(kind, pod, at, at, node, message, by, kept=kept)
        self._latest[key] = decision
        self._day.decisions.append(decision)

    def _check(self) -> None:
        """Raise DayError unless what is on nodes now is what is on nodes in the demo's present."""
        wanted, found = _placements(self._present), _placements(self._snapshot)
        differing = sorted(key for key in wanted.keys() | found.keys() if wanted.get(key) != found.get(key))
        if differing or set(self._snapshot.nodes.names) != set(self._nodes):
            elsewhere = [(key, wanted.get(key), found.get(key)) for key in differing]
            raise DayError(f"the day ends with pods elsewhere (pod, today, in the day): {elsewhere}")


def _placements(snapshot: Snapshot) -> dict[str, str]:
    """The pods on nodes that there are, with these."""
    keys = snapshot.pods.slot_of
    return {key: node for key in keys if (node := snapshot.placed_on(key)) in snapshot.nodes.index and node is not None}


def _struck(node: Document, incident: Incident) -> Document:
    """A node that is drained, or that stopped reporting."""
    if incident is Incident.DRAINED:
        return {**node, "spec": {**node["spec"], "unschedulable": True}}
    conditions = [
        {**each, "status": "Unknown"} if each["type"] == "Ready" else each for each in node["status"]["conditions"]
    ]
    return {**node, "status": {**node["status"], "conditions": conditions}}


def _unbound(pod: Document) -> Document:
    """A pod as it was when it was created."""
    spec = {name: part for name, part in pod["spec"].items() if name != "nodeName"}
    status = {"phase": "Pending", "qosClass": pod["status"].get("qosClass", "Burstable")}
    if "resourceClaimStatuses" in pod["status"]:
        # Claims are made from their templates as soon as a pod is created.
        status["resourceClaimStatuses"] = pod["status"]["resourceClaimStatuses"]
    return {**pod, "spec": spec, "status": status}


def _before_incidents(pod: Document) -> Document:
    """A pod of today before its node stopped reporting, or before it had to go."""
    fields, status = pod["metadata"], pod["status"]
    if "deletionTimestamp" not in fields and pod["spec"]["nodeName"] != nodes.NOT_READY:
        return pod
    conditions = [
        {**each, "status": "True"} if each["type"] == "Ready" else each
        for each in status["conditions"]
        if each["type"] != "DisruptionTarget"
    ]
    kept = {name: value for name, value in fields.items() if name != "deletionTimestamp"}
    return {**pod, "metadata": kept, "status": {**status, "conditions": conditions}}


def _copy_name(namespace: str, controller: str, number: int) -> str:
    """Name a replacement as Kubernetes names pods."""
    return f"{controller}-{suffix(f'{namespace}/{controller}/again {number}', 5)}"


def _nanoseconds(length: timedelta) -> int:
    return round(length.total_seconds()) * _SECOND
