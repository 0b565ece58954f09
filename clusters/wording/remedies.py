"""What to do about the claims, the nodes and the pods that keep a pod from every node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.engine import analysis
from clusters.engine.analysis import (
    AddNodeAtVolume,
    ChangeStrategy,
    CreateClaim,
    DeleteStaying,
    ForgetSelectedNode,
    ReplaceOutdated,
    RestoreHost,
)
from clusters.engine.volumes import SELECTED_NODE
from clusters.wording.lists import alternatives, first_of, listed
from clusters.wording.messages import message, plural
from clusters.wording.resources import resource_amount

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.analysis import Remedy
    from clusters.wording.messages import Message

# By type; the placeholders are the remedy's fields, `number` counts what it names.
_SENTENCES: Final[Mapping[type[Remedy], Message]] = {
    analysis.AwaitNodes: plural(
        "Wait: %(nodes)s is joining (taints %(taints)s) and fits then.",
        "Wait: %(nodes)s are joining (taints %(taints)s) and fit then.",
        by="number",
    ),
    analysis.AwaitTerminating: plural(
        "Wait: once %(pods)s has terminated, the pod fits on %(node)s.",
        "Wait: once %(pods)s have terminated, the pod fits on %(node)s.",
        by="number",
    ),
    analysis.ReleaseFinalizers: plural(
        "Have controllers remove the finalizers of %(pods)s on %(node)s, which has ended.",
        "Have controllers remove the finalizers of %(pods)s on %(node)s, which have ended.",
        by="number",
    ),
    ChangeStrategy: plural(
        "Set the strategy Recreate, or maxSurge: 0 and maxUnavailable: 1, in %(workload_kind)s %(workload)s: "
        "%(pods)s of its earlier revision stays until this pod is available (RollingUpdate, maxSurge %(max_surge)s, "
        "maxUnavailable %(max_unavailable)s).",
        "Set the strategy Recreate, or maxSurge: 0 and maxUnavailable: 1, in %(workload_kind)s %(workload)s: "
        "%(pods)s of its earlier revision stay until this pod is available (RollingUpdate, maxSurge %(max_surge)s, "
        "maxUnavailable %(max_unavailable)s).",
        by="number",
    ),
    DeleteStaying: plural(
        "Delete %(pods)s of an earlier revision: StatefulSet %(workload)s replaces it only once this pod is Ready. All "
        "fit then.",
        "Delete %(pods)s of an earlier revision: StatefulSet %(workload)s replaces them only once this pod is Ready. "
        "All fit then.",
        by="number",
    ),
    ReplaceOutdated: message("Set the partition of StatefulSet %(workload)s to %(lower_to)s and delete %(pod)s."),
    analysis.RepairDevicePlugin: plural(
        "Repair the device plugin of %(nodes)s: %(allocatable)s of %(capacity)s %(resource)s are allocatable.",
        "Repair the device plugins of %(nodes)s: %(allocatable)s of %(capacity)s %(resource)s are allocatable.",
        by="number",
    ),
    analysis.RevertResize: plural(
        "Revert the deferred resize of %(pods)s on %(node)s, or wait for it: %(held)s is counted for it.",
        "Revert the deferred resizes of %(pods)s on %(node)s, or wait for them: %(held)s is counted for them.",
        by="number",
    ),
    analysis.MovePods: plural(
        "Evict %(pods)s from %(node)s: it fits on %(onto)s, and this pod then on %(node)s.",
        "Evict %(pods)s from %(node)s: they fit on %(onto)s, and this pod then on %(node)s.",
        by="number",
    ),
    analysis.FreeClaim: message("Stop %(pods)s: only one pod may use the claim %(claim)s."),
    CreateClaim: message("Create the claim %(claim)s in namespace %(namespace)s."),
    analysis.AwaitEphemeral: message("Wait until the claim %(claim)s is created."),
    analysis.AwaitDeletion: message("Recreate the claim %(claim)s once it is deleted."),
    analysis.RecreateLost: message("Recreate the claim %(claim)s: it has lost its volume %(volume)s."),
    analysis.RestoreVolume: message(
        "Restore the missing volume %(volume)s, or recreate the claim %(claim)s bound to it."
    ),
    analysis.AwaitPods: message("Wait for %(pods)s to terminate: only one pod may use the claim %(claim)s."),
    AddNodeAtVolume: message(
        "Add a node with %(key)s=%(values)s, where the volume %(volume)s of the claim %(claim)s is."
    ),
    analysis.MatchHostLabel: message(
        "The volume %(volume)s of the claim %(claim)s names %(host)s, the kubernetes.io/hostname of %(node)s is "
        "%(label)s: make them agree."
    ),
    RestoreHost: message(
        "Bring back the node %(hosts)s with the volume %(volumes)s of the claim %(claim)s. If it is gone, restore the "
        "data and recreate the claim."
    ),
    analysis.BindOrSetClass: message("Bind the claim %(claim)s to a volume, or set its storageClassName."),
    analysis.CreateClass: message("Create the storage class %(storage_class)s, which the claim %(claim)s names."),
    analysis.CompleteBinding: message("Bind the claim %(claim)s to the volume %(volume)s that it names."),
    analysis.BindImmediate: message(
        "Bind the claim %(claim)s: its class %(storage_class)s has volumeBindingMode Immediate. Or use "
        "WaitForFirstConsumer."
    ),
    ForgetSelectedNode: message(
        "Remove the annotation %(annotation)s from the claim %(claim)s, or delete the claim: it is for the node "
        "%(node)s, where the pod cannot go."
    ),
    analysis.AddNodeForClass: message(
        "Add a node with %(key)s=%(values)s, where alone the class %(storage_class)s of the claim %(claim)s "
        "provisions, or change its allowedTopologies."
    ),
    analysis.FreeVolume: message("Remove spec.claimRef from the volume %(volume)s, if %(claim)s may have its data."),
    analysis.GatherVolumes: message(
        "Restore the volumes %(volumes)s in one place from snapshots: no node reaches all."
    ),
    analysis.PublishCapacity: message(
        "Find out why %(driver)s publishes no capacity for class %(storage_class)s (claim %(claim)s)."
    ),
    analysis.AddStorage: message("Add storage of the class %(storage_class)s: no node reaches enough for %(claim)s."),
    analysis.CreateVolume: message(
        "Create a volume of the class %(storage_class)s for the claim %(claim)s where the pod fits, or use a class "
        "that provisions."
    ),
}
_NO_CLAIM_KNOWN: Final = message("Create the claim %(claim)s in namespace %(namespace)s, or upload the claims too.")
_ROLL_DAEMON_SET: Final = plural(
    "Set maxSurge: 0 and maxUnavailable: 1 in %(workload_kind)s %(workload)s: %(pods)s of its earlier revision stays "
    "until this pod is available (maxSurge %(max_surge)s).",
    "Set maxSurge: 0 and maxUnavailable: 1 in %(workload_kind)s %(workload)s: %(pods)s of its earlier revision stay "
    "until this pod is available (maxSurge %(max_surge)s).",
    by="number",
)
_ON_DELETE: Final = message(
    "Delete %(pod)s of an earlier revision: StatefulSet %(workload)s replaces only deleted pods (OnDelete)."
)
_ORDERED: Final = message(
    "Delete %(pod)s of an earlier revision: StatefulSet %(workload)s waits until it is Ready (OrderedReady)."
)
_SURPLUS: Final = plural(
    "Delete %(pods)s: StatefulSet %(workload)s, scaled below it, waits for this pod (OrderedReady).",
    "Delete %(pods)s: StatefulSet %(workload)s, scaled below them, waits for this pod (OrderedReady).",
    by="number",
)
_HOSTS_GONE: Final = message(
    "Create a volume for the claim %(claim)s on a node that exists: %(volumes)s are on missing nodes (%(hosts)s)."
)
# What follows, and is said beside it.
_REPLACEMENT_FITS: Final = plural(
    "Its replacement fits on %(gained)s node.", "Its replacement fits on %(gained)s nodes.", by="gained"
)
_THEN_FITS: Final = plural(
    "The pod then fits on %(gained)s node.", "The pod then fits on %(gained)s nodes.", by="gained"
)
_TAKES: Final = message("One like %(node)s would take the pod.")


def remedy_sentence(remedy: Remedy) -> str:
    """Say in a sentence or two what to do. Raises KeyError for a type that has no words."""
    match remedy:
        case CreateClaim(is_none_known=True):
            template = _NO_CLAIM_KNOWN
        case ChangeStrategy(workload_kind="DaemonSet"):
            template = _ROLL_DAEMON_SET
        case ReplaceOutdated(lower_to=None):
            template = _ON_DELETE if remedy.is_on_delete else _ORDERED
        case DeleteStaying(are_surplus=True):
            template = _SURPLUS
        case RestoreHost(is_bound=False):
            template = _HOSTS_GONE
        case _:
            template = _SENTENCES[type(remedy)]
    said = template(**{name: _shown(remedy, name) for name in template.values})
    match remedy:
        case ReplaceOutdated(gained=gained):
            return f"{said} {_REPLACEMENT_FITS(gained=gained)}"
        case ForgetSelectedNode(gained=gained) if gained:
            return f"{said} {_THEN_FITS(gained=gained)}"
        case AddNodeAtVolume(like=like) if like:
            return f"{said} {_TAKES(node=like)}"
    return said


def _shown(remedy: Any, name: str) -> str | int:
    match name:
        case "annotation":
            return SELECTED_NODE
        case "workload":
            return f"{remedy.namespace}/{remedy.name}"
        case "held":
            return listed([resource_amount(*each) for each in remedy.held])
        case "number":
            return getattr(remedy, "number", 0) or len(getattr(remedy, "pods", ()) or remedy.nodes)
    value: Any = getattr(remedy, name)
    if not isinstance(value, tuple):
        return value if isinstance(value, int) else str(value)
    if name == "values" or (name == "hosts" and remedy.is_bound):
        return alternatives(value)
    return first_of(tuple(dict.fromkeys(value)), total=getattr(remedy, "number", None))
