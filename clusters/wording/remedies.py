"""What to do about the claims, the nodes and the pods that keep a pod from every node."""

from __future__ import annotations

from django.utils.translation import gettext as _, ngettext

from clusters.engine.analysis import (
    AddNodeAtVolume,
    AddNodeForClass,
    AddStorage,
    AwaitDeletion,
    AwaitEphemeral,
    AwaitNodes,
    AwaitPods,
    AwaitTerminating,
    BindImmediate,
    BindOrSetClass,
    ChangeStrategy,
    CompleteBinding,
    CreateClaim,
    CreateClass,
    CreateVolume,
    DeleteStaying,
    ForgetSelectedNode,
    FreeClaim,
    FreeVolume,
    GatherVolumes,
    MatchHostLabel,
    MovePods,
    PublishCapacity,
    RecreateLost,
    ReleaseFinalizers,
    Remedy,
    RepairDevicePlugin,
    ReplaceOutdated,
    RestoreHost,
    RestoreVolume,
    RevertResize,
)
from clusters.engine.volumes import SELECTED_NODE
from clusters.wording.amounts import grouped
from clusters.wording.lists import alternatives, first_of, listed
from clusters.wording.resources import resource_amount


def remedy_sentence(remedy: Remedy) -> str:
    """Say in a sentence or two what to do."""
    match remedy:
        case AwaitNodes(nodes, taints):
            return ngettext(
                "Wait: %(nodes)s is joining (taints %(taints)s) and fits then.",
                "Wait: %(nodes)s are joining (taints %(taints)s) and fit then.",
                len(nodes),
            ) % {"nodes": listed(nodes), "taints": listed(taints)}
        case AwaitTerminating(node, pods):
            return ngettext(
                "Wait: once %(pods)s has terminated, the pod fits on %(node)s.",
                "Wait: once %(pods)s have terminated, the pod fits on %(node)s.",
                len(pods),
            ) % {"pods": first_of(pods), "node": node}
        case ReleaseFinalizers(node, pods):
            return ngettext(
                "Have controllers remove the finalizers of %(pods)s on %(node)s, which has ended.",
                "Have controllers remove the finalizers of %(pods)s on %(node)s, which have ended.",
                len(pods),
            ) % {"pods": first_of(pods), "node": node}
        case ChangeStrategy():
            return _strategy(remedy)
        case ReplaceOutdated():
            return _outdated(remedy)
        case DeleteStaying(namespace, name, pods, are_surplus):
            values = {"pods": listed(pods), "name": f"{namespace}/{name}"}
            if are_surplus:
                return (
                    ngettext(
                        "Delete %(pods)s: StatefulSet %(name)s, scaled below it, waits for this pod (OrderedReady).",
                        "Delete %(pods)s: StatefulSet %(name)s, scaled below them, waits for this pod (OrderedReady).",
                        len(pods),
                    )
                    % values
                )
            return (
                ngettext(
                    "Delete %(pods)s of an earlier revision: StatefulSet %(name)s replaces it only once this "
                    "pod is Ready. All fit then.",
                    "Delete %(pods)s of an earlier revision: StatefulSet %(name)s replaces them only once "
                    "this pod is Ready. All fit then.",
                    len(pods),
                )
                % values
            )
        case RepairDevicePlugin() | RevertResize():
            return _on_nodes(remedy)
        case MovePods(node, pods, onto):
            return ngettext(
                "Evict %(pods)s from %(node)s: it fits on %(onto)s, and this pod then on %(node)s.",
                "Evict %(pods)s from %(node)s: they fit on %(onto)s, and this pod then on %(node)s.",
                len(pods),
            ) % {"pods": listed(pods), "node": node, "onto": listed(dict.fromkeys(onto))}
        case FreeClaim(claim, pods):
            return ngettext(
                "Stop %(pods)s: only one pod may use the claim %(claim)s.",
                "Stop %(pods)s: only one pod may use the claim %(claim)s.",
                len(pods),
            ) % {"claim": claim, "pods": listed(pods)}
        case CreateClaim(claim, namespace, is_none_known=True):
            return _("Create the claim %(claim)s in namespace %(namespace)s, or upload the claims too.") % {
                "claim": claim,
                "namespace": namespace,
            }
        case CreateClaim(claim, namespace):
            return _("Create the claim %(claim)s in namespace %(namespace)s.") % {
                "claim": claim,
                "namespace": namespace,
            }
        case AwaitEphemeral(claim):
            return _("Wait until the claim %(claim)s is created.") % {"claim": claim}
        case AwaitDeletion(claim):
            return _("Recreate the claim %(claim)s once it is deleted.") % {"claim": claim}
        case RecreateLost(claim, volume):
            return _("Recreate the claim %(claim)s: it has lost its volume %(volume)s.") % {
                "claim": claim,
                "volume": volume,
            }
        case RestoreVolume(claim, volume):
            return _("Restore the missing volume %(volume)s, or recreate the claim %(claim)s bound to it.") % {
                "claim": claim,
                "volume": volume,
            }
        case AwaitPods(claim, pods):
            return ngettext(
                "Wait for %(pods)s to terminate: only one pod may use the claim %(claim)s.",
                "Wait for %(pods)s to terminate: only one pod may use the claim %(claim)s.",
                len(pods),
            ) % {"claim": claim, "pods": listed(pods)}
        case AddNodeAtVolume() | MatchHostLabel() | RestoreHost():
            return _placed(remedy)
        case _:
            return _unbound(remedy)


def _on_nodes(remedy: RepairDevicePlugin | RevertResize) -> str:
    if isinstance(remedy, RevertResize):
        return ngettext(
            "Revert the deferred resize of %(pods)s on %(node)s, or wait for it: %(held)s is counted for it.",
            "Revert the deferred resizes of %(pods)s on %(node)s, or wait for them: %(held)s is counted for them.",
            remedy.number,
        ) % {
            "pods": first_of(remedy.pods, total=remedy.number),
            "node": remedy.node,
            "held": listed([resource_amount(*each) for each in remedy.held]),
        }
    return ngettext(
        "Repair the device plugin of %(nodes)s: %(allocatable)s of %(capacity)s %(resource)s are allocatable.",
        "Repair the device plugins of %(nodes)s: %(allocatable)s of %(capacity)s %(resource)s are allocatable.",
        remedy.number,
    ) % {
        "nodes": first_of(remedy.nodes, total=remedy.number),
        "resource": remedy.resource,
        "capacity": grouped(remedy.capacity),
        "allocatable": grouped(remedy.allocatable),
    }


def _strategy(remedy: ChangeStrategy) -> str:
    values = {
        "kind": remedy.workload_kind,
        "workload": f"{remedy.namespace}/{remedy.name}",
        "pods": listed(remedy.pods),
        "surge": remedy.max_surge,
        "unavailable": remedy.max_unavailable,
    }
    if remedy.workload_kind == "DaemonSet":
        return (
            ngettext(
                "Set maxSurge: 0 and maxUnavailable: 1 in %(kind)s %(workload)s: %(pods)s of its earlier "
                "revision stays until this pod is available (maxSurge %(surge)s).",
                "Set maxSurge: 0 and maxUnavailable: 1 in %(kind)s %(workload)s: %(pods)s of its earlier "
                "revision stay until this pod is available (maxSurge %(surge)s).",
                len(remedy.pods),
            )
            % values
        )
    return (
        ngettext(
            "Set the strategy Recreate, or maxSurge: 0 and maxUnavailable: 1, in %(kind)s "
            "%(workload)s: %(pods)s of its earlier revision stays until this pod is available "
            "(RollingUpdate, maxSurge %(surge)s, maxUnavailable %(unavailable)s).",
            "Set the strategy Recreate, or maxSurge: 0 and maxUnavailable: 1, in %(kind)s "
            "%(workload)s: %(pods)s of its earlier revision stay until this pod is available "
            "(RollingUpdate, maxSurge %(surge)s, maxUnavailable %(unavailable)s).",
            len(remedy.pods),
        )
        % values
    )


def _outdated(remedy: ReplaceOutdated) -> str:
    values = {"pod": remedy.pod, "name": f"{remedy.namespace}/{remedy.name}", "partition": remedy.lower_to}
    if remedy.lower_to is not None:
        said = _("Set the partition of StatefulSet %(name)s to %(partition)s and delete %(pod)s.") % values
    elif remedy.is_on_delete:
        said = (
            _("Delete %(pod)s of an earlier revision: StatefulSet %(name)s replaces only deleted pods (OnDelete).")
            % values
        )
    else:
        said = (
            _("Delete %(pod)s of an earlier revision: StatefulSet %(name)s waits until it is Ready (OrderedReady).")
            % values
        )
    fits = ngettext(
        "Its replacement fits on %(nodes)s node.",
        "Its replacement fits on %(nodes)s nodes.",
        remedy.gained,
    ) % {"nodes": grouped(remedy.gained)}
    return f"{said} {fits}"


def _placed(remedy: AddNodeAtVolume | MatchHostLabel | RestoreHost) -> str:
    match remedy:
        case AddNodeAtVolume(claim, volume, key, values, like):
            said = _("Add a node with %(key)s=%(values)s, where the volume %(volume)s of the claim %(claim)s is.") % {
                "claim": claim,
                "volume": volume,
                "key": key,
                "values": alternatives(values),
            }
            takes = _("One like %(node)s would take the pod.") % {"node": like}
            return f"{said} {takes}" if like else said
        case MatchHostLabel(claim, volume, host, node, label):
            return _(
                "The volume %(volume)s of the claim %(claim)s names %(host)s, the kubernetes.io/hostname "
                "of %(node)s is %(label)s: make them agree."
            ) % {"claim": claim, "volume": volume, "host": host, "node": node, "label": label}
        case RestoreHost(claim, volumes, hosts, True):
            return _(
                "Bring back the node %(hosts)s with the volume %(volumes)s of the claim %(claim)s. If it "
                "is gone, restore the data and recreate the claim."
            ) % {"claim": claim, "volumes": listed(volumes), "hosts": alternatives(hosts)}
        case RestoreHost(claim, volumes, hosts):
            return _(
                "Create a volume for the claim %(claim)s on a node that exists: %(volumes)s are on "
                "missing nodes (%(hosts)s)."
            ) % {"claim": claim, "volumes": listed(volumes), "hosts": listed(hosts)}


def _unbound(remedy: Remedy) -> str:
    match remedy:
        case BindOrSetClass(claim):
            return _("Bind the claim %(claim)s to a volume, or set its storageClassName.") % {"claim": claim}
        case CreateClass(claim, storage_class):
            return _("Create the storage class %(class)s, which the claim %(claim)s names.") % {
                "claim": claim,
                "class": storage_class,
            }
        case CompleteBinding(claim, volume):
            return _("Bind the claim %(claim)s to the volume %(volume)s that it names.") % {
                "claim": claim,
                "volume": volume,
            }
        case BindImmediate(claim, storage_class):
            return _(
                "Bind the claim %(claim)s: its class %(class)s has volumeBindingMode Immediate. Or use "
                "WaitForFirstConsumer."
            ) % {"claim": claim, "class": storage_class}
        case ForgetSelectedNode(claim, node, _, gained):
            said = _(
                "Remove the annotation %(annotation)s from the claim %(claim)s, or delete the claim: it is for the "
                "node %(node)s, where the pod cannot go."
            ) % {"claim": claim, "node": node, "annotation": SELECTED_NODE}
            if not gained:
                return said
            fits = ngettext("The pod then fits on %(nodes)s node.", "The pod then fits on %(nodes)s nodes.", gained) % {
                "nodes": grouped(gained)
            }
            return f"{said} {fits}"
        case AddNodeForClass(claim, storage_class, key, values):
            return _(
                "Add a node with %(key)s=%(values)s, where alone the class %(class)s of the claim "
                "%(claim)s provisions, or change its allowedTopologies."
            ) % {"claim": claim, "class": storage_class, "key": key, "values": alternatives(values)}
        case FreeVolume(claim, volume):
            return _("Remove spec.claimRef from the volume %(volume)s, if %(claim)s may have its data.") % {
                "claim": claim,
                "volume": volume,
            }
        case GatherVolumes(_claim, volumes):
            return _("Restore the volumes %(volumes)s in one place from snapshots: no node reaches all.") % {
                "volumes": listed(volumes)
            }
        case PublishCapacity(claim, storage_class, driver):
            return _("Find out why %(driver)s publishes no capacity for class %(class)s (claim %(claim)s).") % {
                "claim": claim,
                "class": storage_class,
                "driver": driver,
            }
        case AddStorage(claim, storage_class):
            return _("Add storage of the class %(class)s: no node reaches enough for %(claim)s.") % {
                "claim": claim,
                "class": storage_class,
            }
        case CreateVolume(claim, storage_class):
            return _(
                "Create a volume of the class %(class)s for the claim %(claim)s where the pod fits, or "
                "use a class that provisions."
            ) % {"claim": claim, "class": storage_class}
        case _:
            raise TypeError(f"{type(remedy).__name__} has no words")
