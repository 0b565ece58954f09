"""Fills in what the objects of a situation leave out, as the components of a cluster would have written it.

Kubelets report what their node has, that it is ready, and that its pods run and are ready. DaemonSets let their pods
tolerate what becomes of nodes. The node lifecycle controller taints nodes by their conditions, the disruption
controller writes the status of budgets, and the quota controller that of quotas. What is written stands: nothing is put
in its place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.admission import admit
from clusters.engine.devices.pod_claims import CLAIM
from clusters.engine.disruption import budget_states
from clusters.engine.disruption.budget import KIND as BUDGET
from clusters.engine.lessons.errors import SituationError
from clusters.engine.lessons.lesson import ObjectName
from clusters.engine.lessons.problems import BudgetNotComputed, PlacedPodRefused
from clusters.engine.nodes.condition_taints import condition_taints
from clusters.engine.nodes.health import READY
from clusters.engine.objects import Pod, key_of, labels_of, metadata, name_of, namespace_of
from clusters.engine.quotas.counting import counted_quotas, is_counted
from clusters.engine.quotas.device_rules import device_quota_rules
from clusters.engine.simulation.admission import QUOTA
from clusters.engine.simulation.changes.problems import NoSuchNode
from clusters.engine.simulation.daemons import tolerating
from clusters.engine.snapshot import Snapshot
from clusters.engine.spreading.constraints import HOSTNAME
from clusters.engine.workloads.pod_template import Controller

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from clusters.engine.disruption import BudgetState
    from clusters.engine.objects import Document
    from clusters.engine.versions import Release

# What a kubelet allows that is not told otherwise (--max-pods).
_MOST_PODS: Final = "110"
_NAMESPACE_LABEL: Final = "kubernetes.io/metadata.name"
# Of pods that say nothing of it none started before another.
_STARTED: Final = "2025-01-01T00:00:00Z"


@dataclass(frozen=True, slots=True)
class CompletedObjects:
    """The objects of a situation as the API server would return them, without the pod in question.

    ``pending``: the pods among them that have no node.
    """

    objects: tuple[Document, ...]
    pending: tuple[Document, ...]


def completed(objects: Iterable[Document], release: Release, *, existing: Collection[str] = ()) -> CompletedObjects:
    """Fill in all objects. ``existing``: pods (``namespace/name``) that were created before, whatever is refused now.

    Raises SituationError for a pod that the API server would refuse, or whose node is not there, and for a budget whose
    status cannot be known.
    """
    pods, others = _split(objects)
    nodes = [completed_node(each) for each in others if each.get("kind") == "Node"]
    rest = [each for each in others if each.get("kind") not in ("Node", "Namespace")]
    namespaces = _namespaces([*pods, *rest], (each for each in others if each.get("kind") == "Namespace"))
    nodes = _tainted(nodes, release)
    shelf = Snapshot.from_objects([*nodes, *namespaces, *rest], release)
    admitted = [_reported(_admitted(each, shelf, existing)) for each in pods]
    pending = tuple(each for each in admitted if not Pod(each).node_name)
    rest = _with_budgets(Snapshot.from_objects([*nodes, *namespaces, *rest, *admitted], release), rest, pending)
    rest = _with_quotas(shelf, rest, admitted)
    return CompletedObjects((*nodes, *namespaces, *rest, *admitted), pending)


def completed_node(document: Document) -> Document:
    """A node with what its kubelet reports: amounts, its host name, and that it is ready, unless that is written."""
    name, status = name_of(document), document.get("status") or {}
    given = status.get("allocatable") or status.get("capacity") or {}
    allocatable = {"pods": _MOST_PODS, **given}
    capacity = {"pods": _MOST_PODS, **given, **(status.get("capacity") or {})}
    conditions = list(status.get("conditions") or ())
    if not any(each.get("type") == READY for each in conditions):
        conditions.append({"type": READY, "status": "True"})
    labels = {HOSTNAME: name, **labels_of(document)}
    return {
        **document,
        "metadata": {**metadata(document), "labels": labels},
        "status": {**status, "capacity": capacity, "allocatable": allocatable, "conditions": conditions},
    }


def running(pod: Document) -> Document:
    """A pod with a node, as its kubelet reports it where nothing is written: it runs and is ready."""
    status = pod.get("status") or {}
    phase = str(status.get("phase") or "Running")
    reported: dict[str, Any] = {"startTime": _STARTED, **status, "phase": phase}
    if phase == "Running" and not any(each.get("type") == READY for each in status.get("conditions") or ()):
        reported["conditions"] = [*(status.get("conditions") or ()), {"type": READY, "status": "True"}]
    return {**pod, "status": reported}


def as_created(pod: Document) -> Document:
    """A pod as its controller creates it: one of a DaemonSet tolerates failing nodes and those under pressure."""
    controller = Controller.of(pod)
    if controller is None or controller.kind != "DaemonSet":
        return pod
    return {**pod, "spec": tolerating(pod.get("spec") or {})}


def pending_pod(pod: Document) -> Document:
    """A pod without a node, with its phase."""
    return {**pod, "status": {"phase": "Pending", **(pod.get("status") or {})}}


def _split(objects: Iterable[Document]) -> tuple[list[Document], list[Document]]:
    pods: list[Document] = []
    others: list[Document] = []
    for document in objects:
        (pods if document.get("kind") == "Pod" else others).append(document)
    return pods, others


def _namespaces(used: Iterable[Document], given: Iterable[Document]) -> list[Document]:
    """Every namespace that objects are in, those that are given first, each with the label of its name."""
    named = {name_of(document): document for document in given}
    for namespace in sorted({namespace_of(each) for each in used} | {"default"}):
        named.setdefault(namespace, {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})
    return [
        {**document, "metadata": {**metadata(document), "labels": {**labels_of(document), _NAMESPACE_LABEL: name}}}
        for name, document in named.items()
    ]


def _tainted(nodes: Sequence[Document], release: Release) -> list[Document]:
    taints = condition_taints(Snapshot.from_objects(nodes, release))
    found: list[Document] = []
    for node in nodes:
        spec = node.get("spec") or {}
        added = [{"key": taint.key, "effect": taint.effect} for taint in taints[name_of(node)]]
        found.append({**node, "spec": {**spec, "taints": [*(spec.get("taints") or ()), *added]}})
    return found


def _admitted(pod: Document, shelf: Snapshot, existing: Collection[str]) -> Document:
    name = ObjectName("Pod", namespace_of(pod), name_of(pod))
    node = Pod(pod).node_name
    if node and node not in shelf.nodes.index:
        raise SituationError(NoSuchNode(node, tuple(shelf.nodes.names), len(shelf.nodes)), name, "spec.nodeName")
    admission = admit(as_created(pod), shelf)
    if admission.refusals and key_of(pod) not in existing:
        refusal = admission.refusals[0]
        raise SituationError(PlacedPodRefused(key_of(pod), refusal.by, refusal.problem), name, refusal.field)
    return admission.pod


def _reported(pod: Document) -> Document:
    return running(pod) if Pod(pod).node_name else pending_pod(pod)


def _with_budgets(snapshot: Snapshot, rest: Sequence[Document], pending: Sequence[Document]) -> list[Document]:
    """Give the budgets that have no status the one that the disruption controller computes."""
    states = {state.budget.key: state for state in budget_states(snapshot, pending)}
    return [
        _budget(each, states[key_of(each)]) if each.get("kind") == BUDGET and not each.get("status") else each
        for each in rest
    ]


def _budget(document: Document, state: BudgetState) -> Document:
    computed = state.computed
    if computed.unknown:
        name = ObjectName(BUDGET, namespace_of(document), name_of(document))
        raise SituationError(BudgetNotComputed(key_of(document), computed.unknown), name, "spec")
    status: dict[str, Any] = {
        "observedGeneration": int(metadata(document).get("generation") or 0),
        "disruptionsAllowed": computed.allowed or 0,
        "currentHealthy": computed.healthy,
        "desiredHealthy": computed.desired or 0,
        "expectedPods": computed.expected or 0,
    }
    if computed.failure:
        failed = {"type": "DisruptionAllowed", "status": "False", "reason": "SyncFailed", "message": computed.failure}
        status = {**status, "currentHealthy": 0, "conditions": [failed]}
    return {**document, "status": status}


def _with_quotas(shelf: Snapshot, rest: Sequence[Document], pods: Sequence[Document]) -> list[Document]:
    """Give the quotas that have no status the one that the quota controller counts."""
    quotas, claims, device_claims = (
        [each for each in rest if each.get("kind") == kind] for kind in (QUOTA, "PersistentVolumeClaim", CLAIM)
    )
    found = counted_quotas(quotas, pods, claims, device_claims, device_quota_rules(shelf), rest)
    counted = {key_of(each): each for each in found}
    return [counted[key_of(each)] if each.get("kind") == QUOTA and not is_counted(each) else each for each in rest]
