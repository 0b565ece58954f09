"""Where more pods of a workload would go, and what an update of it would meet: tried on a copy of the state."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from msgspec import Struct

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.disruption import PercentageError
from clusters.engine.objects import Document, Pod, namespace_of
from clusters.engine.owners import Controller, Workload
from clusters.engine.rollout import OldPod, Progress, RolloutPlan, RolloutWay, Round, plan_of, replacing, surging
from clusters.engine.scheduling import place, place_on, uncertainties
from clusters.engine.simulation import PodAdmission, ordinal_in
from clusters.engine.spreading import ZONE, Skew, skews_of
from clusters.engine.volumes import spec_of
from clusters.engine.workloads import Ordinals, PodCopy, copy_of, revised, revised_replica_set
from clusters.services.evaluation import Evaluation, Question
from clusters.services.mirror.snapshots import configuration_of
from clusters.services.mirror.state import quotas_of
from clusters.services.workloads.owners import ClusterWorkloads, documents_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime

    from clusters.engine.admission import CreationRefusal
    from clusters.engine.conclusion import Uncertainty
    from clusters.models import Cluster

# Where more pods of a workload would go: copies of its newest pod, placed one after another on a copy of the state.

MOST_PODS = 500


class Landing(Struct, frozen=True):
    """Where one more pod goes. ``feasible``: nodes that would take it.

    ``plugin`` is what the node has most of over the next best one, ``points`` how much; empty where no other node
    would take the pod (``feasible`` 1) or all that would are as good. ``node`` is empty where the pod does not fit.
    """

    node: str
    zone: str
    feasible: int
    plugin: str
    points: int


_NOWHERE: Final = Landing("", "", 0, "", 0)
QUESTION: Final[Question[Landing]] = Question("growth")


class GrowthCounts(NamedTuple):
    """How many more pods fit, and whether those are all."""

    pods: int
    is_whole: bool


class Growth(Struct, frozen=True):
    """``landings``: the pods that fit, in order. ``refused``: what stops the next one, None where none is.

    ``forbidden``: why the API server does not create the next one, None where it does. ``copy``: the first of them.
    ``is_cut``: a worker tries the others. ``before`` and ``after``: the skew of each of their constraints.
    ``uncertain``: what could reject each of them and is not computed. ``waits_for``: the pod that has to be Running
    and Ready before a StatefulSet with the policy OrderedReady creates the first of them; empty where none.
    ``earlier``: the last trial of all (GrowthCounts), while a worker is at a later one.
    """

    asked: int
    copy: PodCopy
    landings: tuple[Landing, ...]
    refused: Explanation | None
    forbidden: CreationRefusal | None
    is_cut: bool
    before: tuple[Skew, ...]
    after: tuple[Skew, ...]
    uncertain: tuple[Uncertainty, ...]
    waits_for: str = ""
    earlier: Evaluation | None = None

    @property
    def counts(self) -> GrowthCounts:
        """The sum of it."""
        return GrowthCounts(len(self.landings), self.refused is not None or self.forbidden is not None)


def growth_of(
    *,
    cluster: Cluster,
    found: ClusterWorkloads,
    workload: Workload,
    sample: Document,
    more: int,
) -> Growth:
    """Place ``more`` pods like ``sample``. Raises UnknownScheduler, SelectorError and ConfigurationError."""
    configuration = configuration_of(cluster)
    profile = configuration.profile_for(sample)
    snapshot = found.snapshot.copy()
    names = _names(found, workload)
    first = copy_of(snapshot, sample, next(names))
    before = skews_of(snapshot, first.pod, profile)
    landings: list[Landing] = []
    refused = forbidden = None
    admission = PodAdmission(snapshot, quotas_of(cluster=cluster, snapshot=snapshot, namespace=workload.namespace))
    copy = first
    subject = workload.kind, workload.namespace, workload.name
    with QUESTION.answered(cluster, *subject, snapshot=found.snapshot) as answers:
        while len(landings) < more:
            for claim in copy.claims:
                snapshot.upsert(claim)
            forbidden = admission.admit(copy.pod)
            if forbidden is not None:
                break
            key = b"%d" % len(landings)
            landing = answers.known.get(key)
            if landing is not None and landing.node:
                place_on(snapshot, copy.pod, profile, landing.node)
            else:
                landing = answers.of(key, partial(_placed, snapshot, copy.pod, configuration))
            if landing is None:
                break
            if not landing.node:
                refused = explain(snapshot, copy.pod, profile)
                break
            landings.append(landing)
            copy = copy_of(snapshot, sample, next(names))
    return Growth(
        asked=more,
        copy=first,
        landings=tuple(landings),
        refused=refused,
        forbidden=forbidden,
        is_cut=refused is None and forbidden is None and len(landings) < more,
        before=before,
        after=skews_of(snapshot, first.pod, profile),
        uncertain=uncertainties(snapshot, Pod(first.pod), profile, is_created=False),
        waits_for=_waits_for(found, workload),
        earlier=answers.earlier,
    )


def next_pod(found: ClusterWorkloads, workload: Workload, sample: Document) -> tuple[Snapshot, PodCopy]:
    """Return the pod that the workload's controller would make next, and the state with the claims made for it."""
    copy = copy_of(found.snapshot, sample, next(_names(found, workload)))
    if not copy.claims:
        return found.snapshot, copy
    snapshot = found.snapshot.copy()
    for claim in copy.claims:
        snapshot.upsert(claim)
    return snapshot, copy


def next_refusal(*, cluster: Cluster, snapshot: Snapshot, copy: PodCopy) -> CreationRefusal | None:
    """Return why the API server would not create a pod in a state now; None where it would."""
    return PodAdmission(
        snapshot, quotas_of(cluster=cluster, snapshot=snapshot, namespace=namespace_of(copy.pod))
    ).admit(copy.pod)


def _names(found: ClusterWorkloads, workload: Workload) -> Iterator[str]:
    """Yield names for pods to come: of a StatefulSet those of the next ordinals, missing ones first."""
    pods = found.snapshot.pods
    if workload.kind == "StatefulSet":
        for number in _ordinals(found, workload).free(_ready_ordinals(found, workload)):
            yield f"{workload.name}-{number}"
    number = 1
    while True:
        name = f"{workload.name}-more-{number}"
        if f"{workload.namespace}/{name}" not in pods.slot_of:
            yield name
        number += 1


def _ordinals(found: ClusterWorkloads, workload: Workload) -> Ordinals:
    return Ordinals.of(found.document(workload) or {})


def _ready_ordinals(found: ClusterWorkloads, workload: Workload) -> dict[int, bool]:
    """Return the ordinals that a StatefulSet's pods have, and whether each is ready."""
    pods = found.snapshot.pods
    given = [(pods.name(slot), bool(pods.ready[slot])) for slot in found.slots(workload).tolist()]
    given += [(pod.name, False) for pod in found.pending.get(workload, ())]
    numbered = ((ordinal_in(name), is_ready) for name, is_ready in given)
    return {ordinal: is_ready for ordinal, is_ready in numbered if ordinal >= 0}


def _waits_for(found: ClusterWorkloads, workload: Workload) -> str:
    """Return the pod that has to be ready before a StatefulSet creates another one; empty where none."""
    if workload.kind != "StatefulSet":
        return ""
    ready = _ready_ordinals(found, workload)
    number = _ordinals(found, workload).scaled(len(ready) + 1).step(ready).waits_for
    return "" if number is None else f"{workload.name}-{number}"


def _placed(snapshot: Snapshot, pod: Document, configuration: SchedulerConfiguration) -> Landing:
    """Place a pod, and return where; nowhere where it does not fit."""
    landing = _NOWHERE
    for placement in place(snapshot, [pod], configuration):
        if placement.node:
            landing = _landing(snapshot, placement.node, placement.explanation)
    return landing


def _landing(snapshot: Snapshot, node: str, explanation: Explanation) -> Landing:
    column, row = snapshot.nodes.label(ZONE), snapshot.nodes.index[node]
    zone = column.values[int(column.codes[row])] if column.present[row] else ""
    totals = explanation.cycle.totals
    worse = totals[totals < totals.max()] if len(totals) else totals
    plugin, points = "", 0
    if len(worse):
        rival = int(
            explanation.cycle.feasible[int(np.argmax(np.where(totals < totals.max(), totals, totals.min() - 1)))]
        )
        theirs = {cell.plugin: cell.weighted for cell in explanation.cells_of(rival)}
        ahead = {cell.plugin: cell.weighted - theirs[cell.plugin] for cell in explanation.cells_of(row)}
        plugin, points = max(ahead.items(), key=lambda entry: entry[1])
    return Landing(node, zone, len(explanation.cycle.feasible), plugin, points)


# What an update of a workload would meet, simulated on a copy of the state.

# So many new pods are placed; what comes after is not looked at.
MOST_UPDATED_PODS = 300
_REVISION = "next"
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


class Update(Struct, frozen=True):
    """The rounds of an update, all of them unless ``is_cut``; ``wanted`` pods would be replaced.

    ``uncertain``: what could reject each new pod and is not computed.
    """

    plan: RolloutPlan
    rounds: tuple[Round, ...]
    wanted: int
    is_cut: bool
    uncertain: tuple[Uncertainty, ...]


def plan_for(found: ClusterWorkloads, workload: Workload) -> RolloutPlan | None:
    """Return how the workload's controller updates its pods; None where it does not."""
    state = found.states[workload]
    desired = state.placed - state.terminating + state.pending if state.desired is None else state.desired
    try:
        return plan_of(found.document(workload) or {}, workload.kind, desired)
    except PercentageError:
        # Kubernetes takes no such object.
        return None


UPDATE_QUESTION: Final[Question[Update]] = Question("update")


def earlier_update(*, cluster: Cluster, workload: Workload) -> tuple[Update, datetime] | None:
    """Return the update that was simulated last, and the time of the state that it began with."""
    kept = UPDATE_QUESTION.last(cluster, workload.kind, workload.namespace, workload.name)
    return None if kept is None else (kept.answers[b""], kept.at)


def update_of(
    *, cluster: Cluster, found: ClusterWorkloads, workload: Workload, sample: Document, plan: RolloutPlan
) -> Update | None:
    """Replace every pod by one like ``sample``; None while a worker does.

    Raises UnknownScheduler, SelectorError and ConfigurationError.
    """
    subject = workload.kind, workload.namespace, workload.name
    with UPDATE_QUESTION.answered(cluster, *subject, snapshot=found.snapshot) as answers:
        return answers.of(b"", lambda: _simulated(cluster, found, workload, sample, plan, answers.check))


def _simulated(
    cluster: Cluster,
    found: ClusterWorkloads,
    workload: Workload,
    sample: Document,
    plan: RolloutPlan,
    check: Callable[[], object],
) -> Update:
    snapshot = found.snapshot.copy()
    quotas = quotas_of(cluster=cluster, snapshot=found.snapshot, namespace=workload.namespace)
    admission = PodAdmission(snapshot, quotas)
    slots = found.slots(workload).tolist()
    names = [found.snapshot.pods.name(slot) for slot in slots] if quotas else []
    charged = documents_of(cluster, workload.namespace, names)
    old = _standing(found, workload, charged)
    # Pods that are being deleted count no more for their controller, and will have gone.
    staying = {pod.name for pod in old}
    for slot in slots:
        name = found.snapshot.pods.name(slot)
        if name not in staying:
            snapshot.delete({"kind": "Pod", "metadata": {"namespace": workload.namespace, "name": name}})
            if name in charged:
                admission.release(charged[name])
    wanted = (
        len([pod for pod in old if pod.ordinal >= plan.partition]) if plan.way is RolloutWay.ORDINALS else plan.desired
    )
    rounds: list[Round] = []
    placed = 0
    for each in _rounds(cluster, snapshot, workload, sample, plan, old, admission):
        rounds.append(each)
        placed += len(each.nodes)
        if placed >= MOST_UPDATED_PODS:
            break
        check()
    is_cut = not rounds or rounds[-1].progress is Progress.GOES_ON
    profile = configuration_of(cluster).profile_for(sample)
    doubts = uncertainties(snapshot, Pod(sample), profile, is_created=False)
    return Update(plan, tuple(rounds), wanted, is_cut, doubts)


def _standing(found: ClusterWorkloads, workload: Workload, charged: Mapping[str, Document]) -> list[OldPod]:
    """The pods that are replaced; with documents where quotas were charged for them."""
    pods, nodes = found.snapshot.pods, found.snapshot.nodes
    slots, is_pinned = found.slots(workload), workload.kind == "DaemonSet"
    placed = [
        OldPod(
            workload.namespace,
            pods.name(slot),
            nodes.names[int(pods.node[slot])] if pods.node[slot] >= 0 else "",
            is_ready=bool(pods.ready[slot]),
            since=int(pods.start[slot]),
            document=charged.get(pods.name(slot)),
        )
        for slot in slots[~pods.terminating[slots]].tolist()
    ]
    waiting = [
        OldPod(
            workload.namespace,
            pod.name,
            _awaited(pod.document) if is_pinned else "",
            is_ready=False,
            document=pod.document,
        )
        for pod in found.pending.get(workload, ())
    ]
    return placed + waiting


def _rounds(
    cluster: Cluster,
    snapshot: Snapshot,
    workload: Workload,
    sample: Document,
    plan: RolloutPlan,
    old: list[OldPod],
    admission: PodAdmission,
) -> Iterator[Round]:
    configuration = configuration_of(cluster)
    configuration.profile_for(sample)
    new = revised(sample, _REVISION)
    if plan.way is RolloutWay.ORDINALS:
        last = sorted(old, key=lambda pod: -pod.ordinal)[:MOST_UPDATED_PODS]
        documents = documents_of(cluster, workload.namespace, [pod.name for pod in last])

        def again(pod: OldPod) -> PodCopy:
            document = documents.get(pod.name, sample)
            return copy_of(snapshot, revised(document, _REVISION), pod.name, keeps_claims=pod.name in documents)

        return replacing(snapshot, configuration, plan, old, again, admission)
    if plan.way is RolloutWay.NODES:

        def there(pod: OldPod) -> PodCopy:
            return copy_of(snapshot, _meant_for(new, pod.node), f"{pod.name}-{_REVISION}")

        return replacing(snapshot, configuration, plan, [pod for pod in old if pod.node], there, admission)
    owner = Controller.of(sample)
    replica_set = snapshot.object("ReplicaSet", owner.name, workload.namespace) if owner is not None else None
    if replica_set is not None:
        snapshot.upsert(revised_replica_set(replica_set, _REVISION))

    def more(number: int) -> PodCopy:
        return copy_of(snapshot, new, f"{workload.name}-{_REVISION}-{number}")

    return surging(snapshot, configuration, plan, old, more, admission)


def _meant_for(pod: Document, node: str) -> Mapping[str, Any]:
    """Send a DaemonSet's pod to another node, as its controller does: by a term about the node's name."""
    spec = pod["spec"]
    affinity = spec.get("affinity") or {}
    by_node = affinity.get("nodeAffinity") or {}
    required = by_node.get(_REQUIRED) or {}
    field = {"key": "metadata.name", "operator": "In", "values": [node]}
    written: Sequence[Mapping[str, Any]] = required.get("nodeSelectorTerms") or ({},)
    terms = [{**term, "matchFields": [field]} for term in written]
    rule = {**by_node, _REQUIRED: {"nodeSelectorTerms": terms}}
    return {**pod, "spec": {**spec, "affinity": {**affinity, "nodeAffinity": rule}}}


def _awaited(pod: Document) -> str:
    """Return the node that a DaemonSet's pod waits for, by the same term; empty where it tells none."""
    by_node = (spec_of(pod).get("affinity") or {}).get("nodeAffinity") or {}
    terms = (by_node.get(_REQUIRED) or {}).get("nodeSelectorTerms") or ()
    fields = [field for term in terms for field in term.get("matchFields") or () if field.get("key") == "metadata.name"]
    return next((str(name) for field in fields for name in field.get("values") or ()), "")
