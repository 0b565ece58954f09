"""What became of a pod on its node: the kubelet rejected or ended it, it can never start, or nothing ends it.

Upstream (v1.37.2): ``rejectPod`` in ``pkg/kubelet/kubelet.go`` with the reasons of ``pkg/kubelet/lifecycle``,
``pkg/kubelet/cm``, ``pkg/kubelet/nodeshutdown``, ``pkg/kubelet/eviction`` and ``pkg/kubelet/preemption``; ``getStatus``
of containers in ``pkg/kubelet/kubelet_pods.go``; and ``pkg/controller/nodelifecycle`` with ``pkg/controller/podgc``,
which end what is on nodes that do not answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from clusters.engine.columns import is_held
from clusters.engine.devices.inventory import allocation_of, entries_of
from clusters.engine.nodes import READY
from clusters.engine.objects import Document, Pod, metadata, name_of, namespace_of
from clusters.engine.resources import BY_CONTAINER, RESIZE_PENDING, Counting, deferred_amounts
from clusters.engine.volumes import (
    WAIT_FOR_FIRST_CONSUMER,
    claim_uses,
    class_of,
    controller_of,
    is_bound,
    selected_node,
    spec_of,
    volume_name_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.snapshot import Snapshot

OOM_KILLED: Final = "OOMKilled"
# How the message of every rejection begins since Kubernetes 1.31; before it began with "Pod ".
_REJECTED: Final = "Pod was rejected"
# How reasons begin of nodes that lack something, as in OutOfcpu.
LACKS: Final = "OutOf"
# Of kubelets that say no more: what they admit no pod for.
# NodeAffinity by name: a kubelet gives the names of filters that it repeats as its reasons.
# NodeName by name: a kubelet gives the names of filters that it repeats as its reasons.
# NodePorts by name: a kubelet gives the names of filters that it repeats as its reasons.
# TaintToleration by name: a kubelet gives the names of filters that it repeats as its reasons.
REJECTIONS: Final = frozenset(
    {
        "AppArmor",
        "EmptyPodSharedPoolError",
        "InitContainerRestartPolicyForbidden",
        "InvalidNodeInfo",
        "NodeAffinity",
        "NodeName",
        "NodePorts",
        "NodeShutdown",
        "PodFeatureUnsupported",
        "PodLevelResourcesNotSupported",
        "PodOSNotSupported",
        "PodOSSelectorNodeLabelDoesNotMatch",
        "SMTAlignmentError",
        "SupplementalGroupsPolicyNotSupported",
        "SysctlForbidden",
        "TaintToleration",
        "TopologyAffinityError",
        "UnexpectedAdmissionError",
        "UnexpectedPredicateFailureType",
        "UnknownReason",
    }
)
# Why kubelets end pods that they had admitted.
ENDINGS: Final = frozenset({"DeadlineExceeded", "Evicted", "Preempting", "Terminated"})
_STATUSES: Final = ("initContainerStatuses", "containerStatuses")
# A container that has not begun yet, and one of which nothing is known.
_BEGINNING: Final = frozenset({"", "ContainerCreating", "PodInitializing"})
_NOT_KNOWN: Final = "ContainerStatusUnknown"
_UNREACHABLE: Final = "node.kubernetes.io/unreachable"
_OUT_OF_SERVICE: Final = "node.kubernetes.io/out-of-service"


class KubeletRejection(Struct, frozen=True):
    """The kubelet of ``node`` did not admit the pod: in its own words, of which the message may be empty."""

    node: str
    reason: str
    message: str


class KubeletTermination(Struct, frozen=True):
    """The kubelet of ``node`` ended a pod that it had admitted: in its own words, of which the message may be empty."""

    node: str
    reason: str
    message: str


class ClaimsNotBound(Struct, frozen=True):
    """The pod has a ``node``, and ``claims`` for volumes or ``devices`` that nobody provides any more.

    The scheduler provides both before it binds a pod; one that named its node itself has not passed it.
    """

    node: str
    claims: tuple[str, ...]
    devices: tuple[str, ...]


class StuckDeletion(Struct, frozen=True):
    """The pod was to be gone ``since`` (RFC 3339), and its ``node``, which does not answer, cannot say that it is.

    ``stateful_set``: what creates no replacement as long as it exists; empty for other pods.
    """

    node: str
    since: str
    stateful_set: str


class HeldByFinalizers(Struct, frozen=True):
    """The pod was to be gone ``since`` (RFC 3339), its containers have ended, and ``finalizers`` keep its object.

    ``node``: where it still counts; empty for one that has ended by its phase too, or never had a node.
    """

    node: str
    since: str
    finalizers: tuple[str, ...]


PodTrouble = HeldByFinalizers | KubeletRejection | KubeletTermination | ClaimsNotBound | StuckDeletion


class PendingResize(Struct, frozen=True):
    """A resize that the kubelet has not made, and why. ``held``: how much the scheduler counts for it alone."""

    reason: str
    message: str
    held: tuple[tuple[str, int], ...]


class ContainerEnd(Struct, frozen=True):
    """How a container last ended: in the runtime's words, when (RFC 3339, may be empty) and how often it restarted."""

    container: str
    reason: str
    exit_code: int | None
    finished: str
    restarts: int


def trouble_of(pod: Document, snapshot: Snapshot) -> PodTrouble | None:
    """Return what is wrong with a pod on its node that its phase does not say; None where nothing is."""
    return (
        _held_by_finalizers(pod)
        or rejection_of(pod)
        or _termination(pod)
        or _stuck_deletion(pod, snapshot)
        or _claims_not_bound(pod, snapshot)
    )


def rejection_of(pod: Document) -> KubeletRejection | None:
    """Return why the kubelet did not admit a pod; None where it did, or was not asked."""
    status, node = _status(pod), str(spec_of(pod).get("nodeName") or "")
    reason, message = str(status.get("reason") or ""), str(status.get("message") or "")
    if status.get("phase") != "Failed" or not node or any(map(_has_run, _containers(pod))):
        return None
    if not message.startswith(_REJECTED) and not reason.startswith(LACKS) and reason not in REJECTIONS:
        return None
    return KubeletRejection(node, reason, message.removeprefix(_REJECTED).removeprefix(":").strip())


def is_rejection(phase: str, reason: str) -> bool:
    """Whether phase and reason alone say that the kubelet did not admit a pod."""
    return phase == "Failed" and (reason.startswith(LACKS) or reason in REJECTIONS)


def container_ends(pod: Document) -> Iterator[ContainerEnd]:
    """Yield how containers of a pod ended, of each the last time; one that completed is none."""
    for each in _containers(pod):
        ended = _ended(each)
        if ended and (ended.get("exitCode") or ended.get("reason") not in ("Completed", None)):
            yield ContainerEnd(
                container=str(each.get("name") or ""),
                reason=str(ended.get("reason") or ""),
                exit_code=ended.get("exitCode"),
                finished=str(ended.get("finishedAt") or ""),
                restarts=int(each.get("restartCount") or 0),
            )


def reason_of(pod: Document) -> str:
    """Return the reason that most says how a pod is, beside its phase, as kubectl shows it; mostly empty.

    A container that was ended for its memory comes first, as what it waits for now follows from that.
    """
    states = [(each.get("state") or {}) for each in _containers(pod)]
    found = [str(_status(pod).get("reason") or "")]
    if any(_ended(each).get("reason") == OOM_KILLED for each in _containers(pod)):
        found.append(OOM_KILLED)
    waiting = (str((each.get("waiting") or {}).get("reason") or "") for each in states)
    found += (reason for reason in waiting if reason not in _BEGINNING)
    ended = (each.get("terminated") or {} for each in states)
    found += (str(each.get("reason") or "") for each in ended if each.get("exitCode"))
    return next(filter(None, found), "")


def resize_of(pod: Document, counting: Counting = BY_CONTAINER) -> PendingResize | None:
    """Return the resize that a pod waits for; None where it waits for none."""
    for condition in _status(pod).get("conditions") or ():
        if condition.get("type") == RESIZE_PENDING and condition.get("status") != "False":
            reason, message = str(condition.get("reason") or ""), str(condition.get("message") or "")
            return PendingResize(reason, message, deferred_amounts(pod, counting))
    return None


def _held_by_finalizers(document: Document) -> HeldByFinalizers | None:
    pod, fields = Pod(document), metadata(document)
    if not is_held(pod):
        return None
    finalizers = tuple(map(str, fields["finalizers"]))
    return HeldByFinalizers("" if pod.finished else pod.node_name, str(fields["deletionTimestamp"]), finalizers)


def _termination(pod: Document) -> KubeletTermination | None:
    status, node = _status(pod), str(spec_of(pod).get("nodeName") or "")
    if status.get("phase") != "Failed" or not node or status.get("reason") not in ENDINGS:
        return None
    return KubeletTermination(node, status["reason"], str(status.get("message") or ""))


def _status(pod: Document) -> Any:
    return pod.get("status") or {}


def _containers(pod: Document) -> Iterator[Document]:
    for statuses in _STATUSES:
        yield from _status(pod).get(statuses) or ()


def _ended(container: Document) -> Document:
    """Return how a container ended, or how it did before its present run; empty where it never did."""
    for state in ("state", "lastState"):
        ended: Document = (container.get(state) or {}).get("terminated") or {}
        if ended:
            return ended
    return {}


def _has_run(container: Document) -> bool:
    ended = _ended(container)
    return bool(
        (container.get("state") or {}).get("running")
        or container.get("restartCount")
        or (ended and ended.get("reason") != _NOT_KNOWN)
    )


def _stuck_deletion(pod: Document, snapshot: Snapshot) -> StuckDeletion | None:
    since, name = metadata(pod).get("deletionTimestamp"), str(spec_of(pod).get("nodeName") or "")
    row = snapshot.nodes.index.get(name)
    if not since or row is None or _status(pod).get("phase") in ("Succeeded", "Failed"):
        return None
    node = snapshot.nodes.nodes[row]
    keys = {taint.key for taint in node.taints}
    if (node.conditions.get(READY) != "Unknown" and _UNREACHABLE not in keys) or _OUT_OF_SERVICE in keys:
        return None
    owner = controller_of(pod)
    return StuckDeletion(name, str(since), str(owner.get("name")) if owner.get("kind") == "StatefulSet" else "")


def _claims_not_bound(pod: Document, snapshot: Snapshot) -> ClaimsNotBound | None:
    """Return the claims of a pod that waits on its node for what the scheduler would have seen to."""
    node = str(spec_of(pod).get("nodeName") or "")
    if not node or _status(pod).get("phase") not in (None, "", "Pending") or metadata(pod).get("deletionTimestamp"):
        return None
    namespace = namespace_of(pod)
    claims = tuple(
        use.claim
        for use in claim_uses(spec_of(pod).get("volumes") or (), name_of(pod))
        if _waits_for_scheduler(snapshot.object("PersistentVolumeClaim", use.claim, namespace), snapshot)
    )
    devices = tuple(
        name_of(claim)
        for _, claim in entries_of(snapshot, Pod(pod))
        if claim is not None and allocation_of(claim) is None
    )
    return ClaimsNotBound(node, claims, devices) if claims or devices else None


def _waits_for_scheduler(claim: Document | None, snapshot: Snapshot) -> bool:
    """Whether a claim is provisioned once a node is selected for it, and none is."""
    if claim is None or is_bound(claim) or volume_name_of(claim) or selected_node(claim) is not None:
        return False
    storage_class = snapshot.object("StorageClass", class_of(claim))
    return storage_class is not None and storage_class.get("volumeBindingMode") == WAIT_FOR_FIRST_CONSUMER
