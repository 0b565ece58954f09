"""A situation: a small cluster at one moment, with a pod in question, from its parts as they were written."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.admission import Admission, Refusal, admit
from clusters.engine.admission.creation import LimitRangeRefusal
from clusters.engine.admission.plugins import LIMIT_RANGER
from clusters.engine.configuration import ConfigurationError, SchedulerConfiguration, UnknownScheduler
from clusters.engine.devices.inventory import CLAIM
from clusters.engine.disruption import BudgetState, budget_states
from clusters.engine.disruption.budgets import KIND as BUDGET
from clusters.engine.kubelet.settings import KIND as KUBELET_CONFIGURATION, KubeletSettings
from clusters.engine.lessons.asking import UnsolvableError, not_one_of
from clusters.engine.lessons.lesson import ObjectName, SituationParts
from clusters.engine.lessons.problems import (
    AnswerIsUncertain,
    AttemptFails,
    BudgetNotComputed,
    PodHasNode,
    PodIsHeldBack,
    PodIsRefused,
)
from clusters.engine.nodes import READY, condition_taints
from clusters.engine.objects import Document, Pod, key_of, labels_of, metadata, name_of, namespace_of
from clusters.engine.owners import Controller
from clusters.engine.problems import MissingField, NoSuchObject, Problem, Quoted, no_such_name
from clusters.engine.quantity import QuantityError
from clusters.engine.quotas import counted_quotas, device_quota_rules, is_counted
from clusters.engine.resources import MEMORY, base_amount, pod_quantities
from clusters.engine.scheduling.explanation import Explanation, explain, is_preemption_uncertain
from clusters.engine.scheduling.search import foreign_scorers
from clusters.engine.selectors import SelectorError
from clusters.engine.simulation.controllers import QUOTA, PodAdmission, tolerating
from clusters.engine.snapshot import CLUSTER_SCOPED, Snapshot
from clusters.engine.spreading.constraints import HOSTNAME
from clusters.engine.versions import NEWEST, RELEASES, Known, Release, match_release

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from clusters.engine.scheduling.preemption import Preemption

# The error of a situation that cannot be built.


class SituationError(ValueError):
    """A situation that cannot be: what is wrong, with which object (None: with none in particular), in which field."""

    def __init__(self, problem: Problem, subject: ObjectName | None = None, field: str = "") -> None:
        super().__init__(f"{subject or ''} {field}: {problem!r}")
        self.problem = problem
        self.subject = subject
        self.field = field


# Fills in what the objects of a situation leave out, as the components of a cluster would have written it.
#
# Kubelets report what their node has, that it is ready, and that its pods run and are ready. DaemonSets let their
# pods tolerate what becomes of nodes. The node lifecycle controller taints nodes by their conditions, the disruption
# controller writes the status of budgets, and the quota controller that of quotas. What is written stands: nothing is
# put in its place.

# What a kubelet allows that is not told otherwise (--max-pods).
_MOST_PODS: Final = "110"
_NAMESPACE_LABEL: Final = "kubernetes.io/metadata.name"
# Of pods that say nothing of it none started before another.
_STARTED: Final = "2025-01-01T00:00:00Z"


class CompletedObjects(Struct, frozen=True):
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
    # Give the budgets that have no status the one that the disruption controller computes.
    states = {
        state.budget.key: state
        for state in budget_states(Snapshot.from_objects([*nodes, *namespaces, *rest, *admitted], release), pending)
    }
    rest = [
        _budget(each, states[key_of(each)]) if each.get("kind") == BUDGET and not each.get("status") else each
        for each in rest
    ]
    # Give the quotas that have no status the one that the quota controller counts.
    quotas, claims, device_claims = (
        [each for each in rest if each.get("kind") == kind] for kind in (QUOTA, "PersistentVolumeClaim", CLAIM)
    )
    found = counted_quotas(quotas, admitted, claims, device_claims, device_quota_rules(shelf), rest)
    counted = {key_of(each): each for each in found}
    rest = [counted[key_of(each)] if each.get("kind") == QUOTA and not is_counted(each) else each for each in rest]
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
        raise SituationError(
            NoSuchObject("Node", node, tuple(shelf.nodes.names), len(shelf.nodes)), name, "spec.nodeName"
        )
    admission = admit(as_created(pod), shelf)
    if admission.refusals and key_of(pod) not in existing:
        refusal = admission.refusals[0]
        raise SituationError(PodIsRefused(key_of(pod), refusal.by, refusal.problem), name, refusal.field)
    return admission.pod


def _reported(pod: Document) -> Document:
    return running(pod) if Pod(pod).node_name else pending_pod(pod)


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


class Situation:
    """A cluster and the pod in question. Everything is computed once; nobody changes the snapshot.

    ``parts``: as it was written. ``objects``: as the API server returns them, but for the pod in question. ``pending``:
    the other pods without a node. ``admission``: what the API server makes of the pod in question, with what its quotas
    have against it; None where there is none.
    """

    def __init__(
        self,
        parts: SituationParts,
        found: CompletedObjects,
        configuration: SchedulerConfiguration,
        admission: Admission | None,
    ) -> None:
        self.parts = parts
        self.objects = found.objects
        self.pending = found.pending
        self.configuration = configuration
        self.admission = admission

    @property
    def release(self) -> Release:
        """The Kubernetes release as which the scheduler decides."""
        return self.configuration.release

    @property
    def subject(self) -> Document | None:
        """The pod in question as the API server stores it; None where there is none, or where it is refused."""
        if self.admission is None or self.admission.refusals:
            return None
        return pending_pod(self.admission.pod)

    @property
    def refusal(self) -> Refusal | None:
        """Why the API server refuses the pod in question; None where it does not."""
        return next(iter(self.admission.refusals), None) if self.admission is not None else None

    @cached_property
    def snapshot(self) -> Snapshot:
        """The cluster, with the pod in question among the pending ones."""
        own = () if self.subject is None else (self.subject,)
        return Snapshot.from_objects([*self.objects, *own], self.release)

    @property
    def node_names(self) -> list[str]:
        """The nodes in order of name."""
        return self.snapshot.nodes.names

    @cached_property
    def pods(self) -> dict[str, Document]:
        """All pods by ``namespace/name``, the pod in question too where it is created."""
        own = () if self.subject is None else (self.subject,)
        return {key_of(each): each for each in (*self.objects, *own) if each.get("kind") == "Pod"}

    @property
    def waiting(self) -> list[Document]:
        """The pods without a node, the pod in question too where it is created."""
        return [*self.pending, *(() if self.subject is None else (self.subject,))]

    def chosen_nodes(self, node: str = "") -> list[str]:
        """A node by itself, all of them where none is named. Raises UnsolvableError for one that is not there."""
        if not node:
            return self.node_names
        if node not in self.snapshot.nodes.index:
            raise UnsolvableError(NoSuchObject("Node", node, tuple(self.node_names), len(self.node_names)))
        return [node]

    def pods_on(self, node: str) -> list[Document]:
        """The pods that are bound to a node. Raises UnsolvableError for a node that is not there."""
        self.chosen_nodes(node)
        return [pod for pod in self.pods.values() if Pod(pod).node_name == node]

    def capacity_of(self, node: str, resource: str = MEMORY) -> int:
        """What a node has of a resource, of which pods may use a part; 0 of what it does not report.

        Raises UnsolvableError for a node that is not there.
        """
        self.chosen_nodes(node)
        document = next(each for each in self.objects if each.get("kind") == "Node" and name_of(each) == node)
        return base_amount(resource, document["status"]["capacity"].get(resource) or 0)

    @cached_property
    def explanation(self) -> Explanation:
        """Where the pod in question can go. Raises UnsolvableError where it does not exist, or nobody schedules it.

        Gates of the pod are no part of it.
        """
        subject = self.pod_or_subject("")
        try:
            profile = self.configuration.profile_for(subject)
        except UnknownScheduler as error:
            raise UnsolvableError(error.problem) from None
        return explain(self.snapshot, subject, profile)

    @cached_property
    def kubelet(self) -> KubeletSettings:
        """How the kubelets are configured, by default where nothing is said."""
        given = self.parts.kubelet
        return KubeletSettings.default() if given is None else KubeletSettings.from_dict(given)

    @property
    def is_tried(self) -> bool:
        """Whether the scheduler comes to try the pod in question: it is created, and nothing holds it back.

        Raises UnsolvableError where there is none.
        """
        if self.admission is not None and self.admission.refusals:
            return False
        return self.explanation.held_back is None

    def attempt(self) -> Explanation:
        """The explanation of a pod that the scheduler tries, and of which all is computed. Raises UnsolvableError."""
        found = self.explanation
        if found.held_back is not None:
            raise UnsolvableError(PodIsHeldBack(found.pod.key))
        return certain(found)

    def preemption(self) -> Preemption | None:
        """What preemption does for the pod in question; None where it fits, or where preemption finds nothing.

        Raises UnsolvableError where that is not certain.
        """
        attempt = self.attempt()
        found = attempt.preemption
        if found is None or not found.candidates:
            return None
        if is_preemption_uncertain(attempt) or found.sample < found.potential_nodes:
            raise UnsolvableError(AnswerIsUncertain(attempt.pod.key, ("preemption",)))
        return found

    def pod(self, key: str) -> Document:
        """A pod by ``namespace/name``. Raises UnsolvableError where there is none."""
        found = self.pods.get(key)
        if found is None:
            raise UnsolvableError(NoSuchObject("Pod", key))
        return found

    def pod_or_subject(self, key: str) -> Document:
        """A pod, or the pod in question where the key is empty. Raises UnsolvableError where there is none."""
        if key:
            return self.pod(key)
        if self.subject is None:
            raise UnsolvableError(MissingField("pod") if self.admission is None else _refused(self.admission))
        return self.subject

    def written(self, name: ObjectName) -> Document:
        """An object as it was written. Raises UnsolvableError where there is none."""
        found = {object_name(each): each for each in self.parts.objects}
        if name not in found:
            raise UnsolvableError(no_such_name(str(name), tuple(map(str, found))))
        return found[name]

    def with_object(self, document: Document) -> Situation:
        """The situation with an object in place of the one of its kind, namespace and name, or beside the others.

        Pods that exist already stay, whatever the API server would refuse now. Raises SituationError.
        """
        name = object_name(document)
        kept = [each for each in self.parts.objects if object_name(each) != name]
        existing = {key for key in self.pods if name != ObjectName("Pod", *key.split("/", 1))}
        return build_situation(replace(self.parts, objects=(*kept, document)), existing=existing)


def object_name(document: Document) -> ObjectName:
    """The kind, namespace and name of an object; a namespaced one without a namespace is in ``default``."""
    kind = str(document.get("kind"))
    is_namespaced = kind != "Node" and kind not in CLUSTER_SCOPED
    return ObjectName(kind, namespace_of(document) if is_namespaced else "", name_of(document))


def build_situation(parts: SituationParts, *, existing: Collection[str] = ()) -> Situation:
    """Build a situation. ``existing``: pods (``namespace/name``) that nobody creates now, so that none is refused.

    Raises SituationError, with the object and field, for what cannot be.
    """
    release = _release(parts.kubernetes)
    release = release.with_gates(parts.gates) if parts.gates else release
    configuration = _configuration(parts, release)
    try:
        subject = _subject(parts)
        found = completed([each for each in parts.objects if each is not subject], release, existing=existing)
        admission = None if subject is None else _admission(subject, Snapshot.from_objects(found.objects, release))
        situation = Situation(parts, found, configuration, admission)
        # What cannot be read is to be told here and not by the first question.
        _ = situation.snapshot, situation.kubelet
        for pod in situation.waiting:
            _ = pod_quantities(pod, "requests"), pod_quantities(pod, "limits")
    except ConfigurationError as error:
        raise SituationError(error.problem, ObjectName(KUBELET_CONFIGURATION, "", ""), error.path) from None
    except QuantityError as error:
        raise SituationError(error.problem) from None
    except SelectorError as error:
        raise SituationError(Quoted(error.kubernetes)) from None
    return situation


def certain(explanation: Explanation) -> Explanation:
    """An explanation that leaves nothing open. Raises UnsolvableError."""
    key = explanation.pod.key
    if explanation.error is not None:
        raise UnsolvableError(AttemptFails(key, explanation.error.message))
    kinds = [each.kind for each in explanation.uncertainties]
    kinds += ["extender"] if explanation.unknown_scorers else []
    kinds += ["foreign-plugin"] if foreign_scorers(explanation.profile) else []
    if kinds:
        raise UnsolvableError(AnswerIsUncertain(key, tuple(dict.fromkeys(kinds))))
    return explanation


def _refused(admission: Admission) -> PodIsRefused:
    refusal = admission.refusals[0]
    return PodIsRefused(key_of(admission.pod), refusal.by, refusal.problem)


def _release(kubernetes: str) -> Release:
    if not kubernetes:
        return NEWEST
    match = match_release(kubernetes)
    if match.known is not Known.EXACT:
        raise SituationError(not_one_of(kubernetes, tuple(RELEASES)))
    return match.release


def _configuration(parts: SituationParts, release: Release) -> SchedulerConfiguration:
    if parts.configuration is None:
        return SchedulerConfiguration.default(release)
    try:
        return SchedulerConfiguration.from_dict(parts.configuration, release)
    except ConfigurationError as error:
        name = ObjectName(str(parts.configuration.get("kind") or ""), "", "")
        raise SituationError(error.problem, name, error.path) from None


def _subject(parts: SituationParts) -> Document | None:
    if not parts.pod:
        return None
    for document in parts.objects:
        if document.get("kind") == "Pod" and key_of(document) == parts.pod:
            node = Pod(document).node_name
            if node:
                raise SituationError(PodHasNode(parts.pod, node), object_name(document), "spec.nodeName")
            return document
    raise SituationError(NoSuchObject("Pod", parts.pod))


def _admission(pod: Document, snapshot: Snapshot) -> Admission:
    admission = admit(as_created(pod), snapshot)
    if admission.refusals:
        return admission
    refusal = PodAdmission(snapshot).admit({**admission.pod, "status": {}})
    if refusal is None:
        return admission
    by = LIMIT_RANGER if isinstance(refusal, LimitRangeRefusal) else QUOTA
    return replace(admission, refusals=(Refusal(by, "spec", refusal),))
