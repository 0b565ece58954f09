"""A situation: a small cluster at one moment, with a pod in question, from its parts as they were written."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from clusters.engine.admission import Admission, Refusal, admit
from clusters.engine.admission.creation.problems import LimitRangeRefusal
from clusters.engine.admission.limit_ranges import LIMIT_RANGER
from clusters.engine.configuration import ConfigurationError, SchedulerConfiguration, UnknownScheduler
from clusters.engine.explanation import explain
from clusters.engine.kubelet.settings import KIND as KUBELET_CONFIGURATION
from clusters.engine.kubelet.settings import KubeletSettings
from clusters.engine.lessons.arguments import not_one_of
from clusters.engine.lessons.completing import CompletedObjects, as_created, completed, pending_pod
from clusters.engine.lessons.errors import SituationError
from clusters.engine.lessons.lesson import ObjectName, SituationParts
from clusters.engine.lessons.problems import (
    AnswerIsUncertain,
    AttemptFails,
    NoPodInQuestion,
    NoSuchPod,
    NotInSituation,
    PodHasNode,
    PodIsHeldBack,
    PodIsRefused,
)
from clusters.engine.lessons.question import UnsolvableError
from clusters.engine.matching.selectors import SelectorError
from clusters.engine.objects import Pod, key_of, name_of, namespace_of
from clusters.engine.problems import Quoted
from clusters.engine.resources.quantity import QuantityError
from clusters.engine.resources.requests import MEMORY, amount, pod_quantities
from clusters.engine.sampling import foreign_scorers
from clusters.engine.simulation.admission import QUOTA, PodAdmission
from clusters.engine.simulation.changes.problems import NoSuchNode
from clusters.engine.snapshot import CLUSTER_SCOPED, Snapshot
from clusters.engine.uncertainty import is_preemption_uncertain
from clusters.engine.versions import NEWEST, RELEASES, Known, match_release

if TYPE_CHECKING:
    from collections.abc import Collection

    from clusters.engine.explanation import Explanation
    from clusters.engine.objects import Document
    from clusters.engine.preemption import Preemption
    from clusters.engine.versions import Release


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
            raise UnsolvableError(NoSuchNode(node, tuple(self.node_names), len(self.node_names)))
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
        return amount(resource, document["status"]["capacity"].get(resource) or 0)

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
            raise UnsolvableError(NoSuchPod(key))
        return found

    def pod_or_subject(self, key: str) -> Document:
        """A pod, or the pod in question where the key is empty. Raises UnsolvableError where there is none."""
        if key:
            return self.pod(key)
        if self.subject is None:
            raise UnsolvableError(NoPodInQuestion() if self.admission is None else _refused(self.admission))
        return self.subject

    def written(self, name: ObjectName) -> Document:
        """An object as it was written. Raises UnsolvableError where there is none."""
        found = {object_name(each): each for each in self.parts.objects}
        if name not in found:
            raise UnsolvableError(NotInSituation(str(name), tuple(map(str, found))))
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
    configuration = _configuration(parts, release)
    try:
        subject = _subject(parts)
        others = [each for each in parts.objects if each is not subject]
        found = completed(others, release, existing=existing)
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
    raise SituationError(NoSuchPod(parts.pod))


def _admission(pod: Document, snapshot: Snapshot) -> Admission:
    admission = admit(as_created(pod), snapshot)
    if admission.refusals:
        return admission
    refusal = PodAdmission(snapshot).admit({**admission.pod, "status": {}})
    if refusal is None:
        return admission
    by = LIMIT_RANGER if isinstance(refusal, LimitRangeRefusal) else QUOTA
    return replace(admission, refusals=(Refusal(by, "spec", refusal),))
