"""What ends the deadlock of a StatefulSet that waits for a pod, while the pod waits for the StatefulSet.

Upstream: ``processReplica``, ``processCondemned`` and the update after them in
``pkg/controller/statefulset/stateful_set_control.go``, v1.34.1 to v1.37.2. With the policy OrderedReady nothing is
updated or scaled down before every pod is Ready, also not a pod of an earlier revision that never will be.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.analysis.other_remedies import bound_slots, passing_without
from clusters.engine.analysis.remedies import DeleteStaying, ReplaceOutdated
from clusters.engine.cycle import run_cycle
from clusters.engine.disruption.arithmetic import PercentageError
from clusters.engine.objects import Pod, labels_of, metadata, name_of
from clusters.engine.rollout.plan import Way, plan_of
from clusters.engine.simulation.workloads import with_claim_volumes
from clusters.engine.volumes.claims import spec_of
from clusters.engine.workloads.ordinals import Ordinals
from clusters.engine.workloads.pod_copies import POD_INDEX, POD_NAME, REVISION_HASH, copy_of
from clusters.engine.workloads.pod_template import Controller, Workload

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine import Explanation
    from clusters.engine.analysis.remedies import Remedy
    from clusters.engine.objects import Document
    from clusters.engine.rollout.plan import RolloutPlan
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Ints


@dataclass(frozen=True, slots=True)
class OrdinalPlace:
    """The place of a pod among the replicas of a StatefulSet.

    ``newest``: the revision of the template as it is, empty where nothing tells it.
    """

    owner: Document
    ordinals: Ordinals
    plan: RolloutPlan
    ordinal: int
    newest: str
    is_outdated: bool

    @classmethod
    def of(cls, explanation: Explanation) -> OrdinalPlace | None:
        """The place of the explained pod; None where it has none, or its StatefulSet is being deleted."""
        pod, controller = explanation.pod, Controller.of(explanation.pod.document)
        if controller is None or controller.kind != "StatefulSet":
            return None
        owner, ordinal = (
            explanation.snapshot.object(controller.kind, controller.name, pod.namespace),
            _ordinal(pod.name),
        )
        if owner is None or metadata(owner).get("deletionTimestamp") is not None:
            return None
        ordinals = Ordinals.of(owner)
        try:
            plan = plan_of(owner, controller.kind, ordinals.replicas)
        except PercentageError:
            return None
        if plan is None or not ordinals.has(ordinal):
            return None
        newest = str((owner.get("status") or {}).get("updateRevision") or "")
        return cls(owner, ordinals, plan, ordinal, newest, bool(newest) and newest != pod.labels.get(REVISION_HASH))

    @property
    def is_held(self) -> bool:
        """Whether the pod is not replaced by another one before it is Ready, or before somebody deletes it."""
        return self.ordinals.is_ordered or self.plan.way is Way.ON_DELETE


def stateful_remedies(explanation: Explanation) -> Iterator[Remedy]:
    """Yield what ends the deadlock of a pod that fits nowhere with its StatefulSet; each has been tried."""
    place = None if explanation.fits or not explanation.node_count else OrdinalPlace.of(explanation)
    if place is None:
        return
    yield from _outdated(explanation, place)
    if explanation.cycle.stopped_by is None:
        yield from _staying(explanation, place)


def _outdated(explanation: Explanation, place: OrdinalPlace) -> Iterator[ReplaceOutdated]:
    """A pod of an earlier revision that is waited for, while one of the template as it is would fit."""
    is_kept = place.ordinal < place.plan.partition
    if not place.is_outdated or not (place.is_held or is_kept):
        return
    made = _made(explanation.snapshot, place, explanation.pod.document)
    gained = 0 if made is None else len(run_cycle(explanation.snapshot, made, explanation.profile).feasible)
    if gained:
        yield ReplaceOutdated(
            namespace=explanation.pod.namespace,
            name=name_of(place.owner),
            pod=explanation.pod.name,
            is_on_delete=place.plan.way is Way.ON_DELETE,
            lower_to=place.ordinal - place.ordinals.start if is_kept else None,
            gained=gained,
        )


def _staying(explanation: Explanation, place: OrdinalPlace) -> Iterator[DeleteStaying]:
    """Pods of the StatefulSet that hold what the pod needs, on the node where they are fewest."""
    for slots, are_surplus in ((_surplus(explanation, place), True), (_earlier(explanation, place), False)):
        if not len(slots):
            continue
        pods = explanation.snapshot.pods
        number = np.bincount(pods.node[slots], minlength=len(explanation.snapshot.nodes))
        rows = np.flatnonzero(passing_without(explanation, slots) & (number > 0))
        row = int(rows[np.argmin(number[rows])]) if len(rows) else -1
        held = [slot for slot in slots.tolist() if pods.node[slot] == row]
        if held and (are_surplus or _all_fit(explanation, place, held, row)):
            keys = sorted(pods.keys[slot] for slot in held)
            yield DeleteStaying(explanation.pod.namespace, name_of(place.owner), tuple(keys), are_surplus)
            return


def _own(explanation: Explanation, place: OrdinalPlace) -> list[int]:
    """Slots of the StatefulSet's bound pods that are not terminating."""
    pods = explanation.snapshot.pods
    mine = Workload(explanation.pod.namespace, "StatefulSet", name_of(place.owner))
    own = [number for number, template in enumerate(pods.templates) if template.workload == mine]
    found: list[int] = bound_slots(explanation, np.isin(pods.template, own) & ~pods.terminating).tolist()
    return found


def _surplus(explanation: Explanation, place: OrdinalPlace) -> Ints:
    """Those that the StatefulSet is scaled below, which it deletes once all others are Ready."""
    if not place.ordinals.is_ordered:
        return np.empty(0, np.int64)
    names = explanation.snapshot.pods.keys
    numbers = ((slot, _ordinal(names[slot])) for slot in _own(explanation, place))
    return np.array([slot for slot, number in numbers if number >= 0 and not place.ordinals.has(number)], np.int64)


def _earlier(explanation: Explanation, place: OrdinalPlace) -> Ints:
    """Those of an earlier revision that are replaced once this pod is Ready, or not by themselves.

    With the policy Parallel the update waits for the pods of higher ordinals and, where the minor counts
    maxUnavailable, for as many as that: what waits by both rules does.
    """
    pods, plan = explanation.snapshot.pods, place.plan
    if not place.newest or place.is_outdated:
        return np.empty(0, np.int64)
    own = _own(explanation, place)
    missing = place.ordinals.replicas - sum(
        bool(pods.ready[slot]) and place.ordinals.has(_ordinal(pods.keys[slot])) for slot in own
    )
    found = []
    for slot in own:
        number = _ordinal(pods.keys[slot])
        waits = place.is_held or (number < place.ordinal and missing >= plan.unavailable)
        is_replaced = place.ordinals.has(number) and number >= plan.partition
        if waits and is_replaced and pods.labels(slot).get(REVISION_HASH) != place.newest:
            found.append(slot)
    return np.array(found, np.int64)


def _all_fit(explanation: Explanation, place: OrdinalPlace, held: list[int], row: int) -> bool:
    """Whether those that replace pods of the StatefulSet fit beside the pod, once it is where they were."""
    snapshot, pods = explanation.snapshot.copy(), explanation.snapshot.pods
    fields = metadata(explanation.pod.document)
    names = [pods.name(slot) for slot in held]
    for name in names:
        snapshot.delete({"kind": "Pod", "metadata": {"name": name, "namespace": explanation.pod.namespace}})
    snapshot.assume(explanation.pod.document, snapshot.nodes.names[row])
    for name in names:
        one = {**explanation.pod.document, "metadata": {**fields, "name": name, "uid": ""}}
        made = _made(snapshot, place, one)
        found = None if made is None else run_cycle(snapshot, made, explanation.profile)
        if made is None or found is None or not len(found.feasible):
            return False
        snapshot.assume(made.document, snapshot.nodes.names[int(found.feasible[0])])
    return True


def _made(snapshot: Snapshot, place: OrdinalPlace, pod: Document) -> Pod | None:
    """A pod of the same name made of the template as it is; None where that, or what it would use, is not held."""
    template, name = spec_of(place.owner).get("template") or {}, name_of(pod)
    if not template.get("spec"):
        return None
    own = {key: value for key, value in labels_of(pod).items() if key in (POD_NAME, POD_INDEX)}
    labels = {**labels_of(template), **own, REVISION_HASH: place.newest}
    made = {
        **pod,
        "metadata": {**metadata(pod), "labels": labels},
        "spec": {"priority": spec_of(pod).get("priority"), **template["spec"]},
    }
    claims = spec_of(place.owner).get("volumeClaimTemplates") or ()
    copied = copy_of(snapshot, with_claim_volumes(made, claims), name, keeps_claims=True)
    return None if copied.claims or copied.unplaced or copied.devices else Pod(copied.pod)


def _ordinal(name: str) -> int:
    """The number at the end of a pod's name, with its namespace or without; -1 where there is none."""
    number = name.rpartition("-")[2]
    return int(number) if number.isdecimal() else -1
