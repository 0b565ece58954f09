"""Pending pods tried one after the other, as kube-scheduler takes them from its queue, with what follows from each.

All nodes are looked at, preempted pods are gone at once and recreated by their controllers, and pods that no node takes
are tried again once something happens that may help them: the engine's own simulation decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

from clusters.engine.objects import Pod
from clusters.engine.sandbox.objects import ObjectsChange, created, named
from clusters.engine.simulation.run import Simulation
from clusters.engine.simulation.steps import Outcome
from clusters.engine.simulation.successors import nominated

if TYPE_CHECKING:
    from clusters.engine.explanation import Explanation
    from clusters.engine.objects import Document
    from clusters.engine.sandbox.cluster import SandboxCluster
    from clusters.engine.sandbox.objects import Objects
    from clusters.engine.simulation.steps import Step

# What is bound to pods, and allocated for them, when they get a node.
_CLAIMED: Final = ("PersistentVolumeClaim", "PersistentVolume", "ResourceClaim")
_ATTEMPTS: Final = frozenset({Outcome.PLACED, Outcome.UNSCHEDULABLE, Outcome.NOT_COMPUTED})


@dataclass(frozen=True, slots=True)
class PodAttempt:
    """One attempt to schedule a pod: ``number`` finds it among the steps of the queue's run.

    ``node``: where the pod was placed, or for which it was nominated. ``victims``: the pods that it preempted.
    """

    number: int
    pod: str
    outcome: Outcome
    node: str = ""
    message: str = ""
    victims: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QueueRun:
    """The objects after some attempts. ``is_over``: nobody is left whom kube-scheduler would try now."""

    objects: Objects
    attempts: tuple[PodAttempt, ...]
    is_over: bool


def run_queue(cluster: SandboxCluster, most: int | None = None) -> QueueRun:
    """Try the pending pods, at most so many attempts. Raises SituationError."""
    simulation = Simulation(cluster.world().case(seed=0, samples=False))
    attempts: list[PodAttempt] = []
    victims: dict[str, list[str]] = {}
    pods = dict(cluster.pods)
    refused: set[str] = set()
    is_over, steps = True, 0
    for step in simulation:
        if step.outcome in _ATTEMPTS:
            if len(attempts) == most:
                # The next one shows that whatever follows from those before has happened.
                is_over = False
                break
            attempts.append(PodAttempt(step.number, step.pod, step.outcome, step.node, step.message))
            refused.discard(step.pod)
            pods[step.pod] = _tried(pods.get(step.pod) or simulation.document_of(step.pod), step)
        elif step.outcome in (Outcome.PREEMPTED, Outcome.DELETED):
            victims.setdefault(step.by, []).append(step.pod)
            del pods[step.pod]
        elif step.outcome is Outcome.FORBIDDEN:
            refused.add(step.pod)
        steps += 1
    for new in simulation.replaced.values():
        if new not in pods and new not in refused:
            pods[new] = simulation.document_of(new)
    told = tuple(_with_victims(attempt, victims) for attempt in attempts)
    before = named(cluster.pods.values())
    change = ObjectsChange.between(before, named(pods.values()))
    put = created(change.put, cluster.objects)
    after = ObjectsChange(tuple(put), change.gone).applied_to(cluster.objects)
    return QueueRun(_claims_after(cluster, steps).applied_to(after), told, is_over)


def explain_attempt(cluster: SandboxCluster, number: int) -> Explanation:
    """Explain an attempt as it was made, in the cluster with which the run of the queue began."""
    return Simulation(cluster.world().case(seed=0, samples=False)).explanation_at(number)


def _tried(pod: Document, step: Step) -> Document:
    """A pod as it is after an attempt: on its node, or with what kube-scheduler writes into its status."""
    if step.outcome is Outcome.PLACED:
        spec = {**pod["spec"], "nodeName": step.node}
        kept = {field: part for field, part in (pod.get("status") or {}).items() if field == "resourceClaimStatuses"}
        return {**pod, "apiVersion": "v1", "kind": "Pod", "spec": spec, "status": kept}
    said = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": step.message}
    others = [each for each in _conditions(pod) if each.get("type") != "PodScheduled"]
    status = {**(pod.get("status") or {}), "phase": "Pending", "conditions": [*others, said]}
    return nominated({**pod, "status": status}, step.node)


def last_message(pod: Document) -> str:
    """What kube-scheduler said when it tried a pod last, empty where it has not, or where the pod has a node."""
    if Pod(pod).node_name:
        return ""
    said = (each for each in _conditions(pod) if each.get("type") == "PodScheduled" and each.get("status") == "False")
    return next((str(each.get("message") or "") for each in said), "")


def _conditions(pod: Document) -> list[Document]:
    return list((pod.get("status") or {}).get("conditions") or ())


def _with_victims(attempt: PodAttempt, victims: dict[str, list[str]]) -> PodAttempt:
    if attempt.outcome is not Outcome.UNSCHEDULABLE or not attempt.node:
        return attempt
    found = tuple(victims.get(attempt.pod, ()))
    return PodAttempt(attempt.number, attempt.pod, attempt.outcome, attempt.node, attempt.message, found)


def _claims_after(cluster: SandboxCluster, steps: int) -> ObjectsChange:
    """What so many steps make of claims, their volumes and devices."""
    before = named(each for kind in _CLAIMED for each in cluster.situation.snapshot.objects(kind))
    if not before:
        return ObjectsChange()
    simulation = Simulation(cluster.world().case(seed=0, samples=False))
    for _ in islice(simulation, steps):
        pass
    after = named(each for kind in _CLAIMED for each in simulation.snapshot.objects(kind))
    put = [document for name, document in after.items() if before.get(name) != document]
    return ObjectsChange(tuple(created(put, cluster.objects)), tuple(name for name in before if name not in after))
