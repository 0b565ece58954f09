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
                "Wait: %(nodes)s is joining; the pod fits there without its taints: %(taints)s.",
                "Wait: %(nodes)s are joining; the pod fits there without their taints: %(taints)s.",
                len(nodes),
            ) % {"nodes": listed(nodes), "taints": listed(taints)}
        case AwaitTerminating(node, pods):
            return ngettext(
                "Wait until %(pods)s, which is terminating on %(node)s, is gone: the pod fits there then.",
                "Wait until %(pods)s, which are terminating on %(node)s, are gone: the pod fits there then.",
                len(pods),
            ) % {"pods": first_of(pods), "node": node}
        case ReleaseFinalizers(node, pods):
            return ngettext(
                "Have the finalizers of %(pods)s on %(node)s removed by their controllers: its containers have ended.",
                "Have the finalizers of %(pods)s on %(node)s removed by their controllers: their containers have "
                "ended.",
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
                        "Delete %(pods)s, which holds what this pod needs: StatefulSet %(name)s is scaled below it, "
                        "and deletes it only once this pod is Ready (OrderedReady).",
                        "Delete %(pods)s, which hold what this pod needs: StatefulSet %(name)s is scaled below them, "
                        "and deletes them only once this pod is Ready (OrderedReady).",
                        len(pods),
                    )
                    % values
                )
            return (
                ngettext(
                    "Delete %(pods)s, of an earlier revision, which holds what this pod needs: StatefulSet %(name)s "
                    "replaces it only once this pod is Ready. All fit then.",
                    "Delete %(pods)s, of an earlier revision, which hold what this pod needs: StatefulSet %(name)s "
                    "replaces them only once this pod is Ready. All fit then.",
                    len(pods),
                )
                % values
            )
        case RepairDevicePlugin() | RevertResize():
            return _on_nodes(remedy)
        case MovePods(node, pods, onto):
            return ngettext(
                "Evict %(pods)s from %(node)s: its replacement fits on %(onto)s, and this pod then on %(node)s.",
                "Evict %(pods)s from %(node)s: their replacements fit on %(onto)s, and this pod then on %(node)s.",
                len(pods),
            ) % {"pods": listed(pods), "node": node, "onto": listed(dict.fromkeys(onto))}
        case FreeClaim(claim, pods):
            return ngettext(
                "Stop %(pods)s, which uses the claim %(claim)s and does not end by itself: one pod only may use it.",
                "Stop %(pods)s, which use the claim %(claim)s and do not end by themselves: one pod only may use it.",
                len(pods),
            ) % {"claim": claim, "pods": listed(pods)}
        case CreateClaim(claim, namespace, is_none_known=True):
            return _(
                "Create the claim %(claim)s in namespace %(namespace)s, or upload the claims too: there are none here."
            ) % {"claim": claim, "namespace": namespace}
        case CreateClaim(claim, namespace):
            return _("Create the claim %(claim)s in namespace %(namespace)s: there is none of this name.") % {
                "claim": claim,
                "namespace": namespace,
            }
        case AwaitEphemeral(claim):
            return _("Wait for the claim %(claim)s, which the ephemeral volume controller creates for the pod.") % {
                "claim": claim
            }
        case AwaitDeletion(claim):
            return _("Wait until the claim %(claim)s is deleted, then create it again.") % {"claim": claim}
        case RecreateLost(claim, volume):
            return _("Create the claim %(claim)s again: it has lost its volume %(volume)s.") % {
                "claim": claim,
                "volume": volume,
            }
        case RestoreVolume(claim, volume):
            return _(
                "Restore the volume %(volume)s, which the claim %(claim)s is bound to and which does not exist, or "
                "create the claim again."
            ) % {"claim": claim, "volume": volume}
        case AwaitPods(claim, pods):
            return ngettext(
                "Wait until %(pods)s has terminated: only one pod may use the claim %(claim)s.",
                "Wait until %(pods)s have terminated: only one pod may use the claim %(claim)s.",
                len(pods),
            ) % {"claim": claim, "pods": listed(pods)}
        case AddNodeAtVolume() | MatchHostLabel() | RestoreHost():
            return _placed(remedy)
        case _:
            return _unbound(remedy)


def _on_nodes(remedy: RepairDevicePlugin | RevertResize) -> str:
    if isinstance(remedy, RevertResize):
        return ngettext(
            "Revert the resize of %(pods)s on %(node)s, or wait for it: it is deferred, and %(held)s is counted for it "
            "that the pod does not run with.",
            "Revert the resizes of %(pods)s on %(node)s, or wait for them: they are deferred, and %(held)s is counted "
            "for them that the pods do not run with.",
            remedy.number,
        ) % {
            "pods": first_of(remedy.pods, total=remedy.number),
            "node": remedy.node,
            "held": listed([resource_amount(*each) for each in remedy.held]),
        }
    return ngettext(
        "Repair the device plugin of %(nodes)s: the node has capacity %(capacity)s of %(resource)s, and allocatable "
        "%(allocatable)s. It does not run, or reports devices unhealthy.",
        "Repair the device plugins of %(nodes)s: the nodes have capacity %(capacity)s of %(resource)s, and allocatable "
        "%(allocatable)s. They do not run, or report devices unhealthy.",
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
                "Set maxSurge: 0 and maxUnavailable: 1 in %(kind)s %(workload)s: %(pods)s, of its earlier revision, "
                "holds what this pod needs and stays until it is available (maxSurge %(surge)s).",
                "Set maxSurge: 0 and maxUnavailable: 1 in %(kind)s %(workload)s: %(pods)s, of its earlier revision, "
                "hold what this pod needs and stay until it is available (maxSurge %(surge)s).",
                len(remedy.pods),
            )
            % values
        )
    return (
        ngettext(
            "Set the strategy Recreate, or maxSurge: 0 and maxUnavailable: 1, in %(kind)s %(workload)s: %(pods)s, of "
            "its earlier revision, holds what this pod needs and stays until it is available (RollingUpdate, maxSurge "
            "%(surge)s, maxUnavailable %(unavailable)s).",
            "Set the strategy Recreate, or maxSurge: 0 and maxUnavailable: 1, in %(kind)s %(workload)s: %(pods)s, of "
            "its earlier revision, hold what this pod needs and stay until it is available (RollingUpdate, maxSurge "
            "%(surge)s, maxUnavailable %(unavailable)s).",
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
            _(
                "Delete %(pod)s: it is of an earlier revision, and StatefulSet %(name)s replaces only pods that "
                "somebody deletes (OnDelete)."
            )
            % values
        )
    else:
        said = (
            _(
                "Delete %(pod)s: it is of an earlier revision, and StatefulSet %(name)s replaces no pod before this "
                "one is Ready (OrderedReady)."
            )
            % values
        )
    fits = ngettext(
        "The pod of the present template fits on %(nodes)s node.",
        "The pod of the present template fits on %(nodes)s nodes.",
        remedy.gained,
    ) % {"nodes": grouped(remedy.gained)}
    return f"{said} {fits}"


def _placed(remedy: AddNodeAtVolume | MatchHostLabel | RestoreHost) -> str:
    match remedy:
        case AddNodeAtVolume(claim, volume, key, values, like):
            said = _(
                "Add a node with %(key)s=%(values)s: there is none, and the volume %(volume)s of the claim %(claim)s "
                "is there."
            ) % {"claim": claim, "volume": volume, "key": key, "values": alternatives(values)}
            takes = _("One like %(node)s would take the pod.") % {"node": like}
            return f"{said} {takes}" if like else said
        case MatchHostLabel(claim, volume, host, node, label):
            return _(
                "Let the node affinity of the volume %(volume)s of the claim %(claim)s and the node %(node)s "
                "agree: it names %(host)s, the node's kubernetes.io/hostname is %(label)s."
            ) % {"claim": claim, "volume": volume, "host": host, "node": node, "label": label}
        case RestoreHost(claim, volumes, hosts, True):
            return _(
                "Bring back the node %(hosts)s: the volume %(volumes)s of the claim %(claim)s is there, and the node "
                "does not exist. If it is gone for good, restore the data elsewhere and create the claim again."
            ) % {"claim": claim, "volumes": listed(volumes), "hosts": alternatives(hosts)}
        case RestoreHost(claim, volumes, hosts):
            return _(
                "Create a volume for the claim %(claim)s on a node that exists: those of its class (%(volumes)s) are "
                "on nodes that do not (%(hosts)s)."
            ) % {"claim": claim, "volumes": listed(volumes), "hosts": listed(hosts)}


def _unbound(remedy: Remedy) -> str:
    match remedy:
        case BindOrSetClass(claim):
            return _("Bind the claim %(claim)s to a volume, or set its storageClassName: it has none.") % {
                "claim": claim
            }
        case CreateClass(claim, storage_class):
            return _(
                "Create the storage class %(class)s, which the claim %(claim)s names and which does not exist."
            ) % {"claim": claim, "class": storage_class}
        case CompleteBinding(claim, volume):
            return _("Bind the claim %(claim)s: it names the volume %(volume)s and is not bound to it yet.") % {
                "claim": claim,
                "volume": volume,
            }
        case BindImmediate(claim, storage_class):
            return _(
                "Bind the claim %(claim)s: its class %(class)s has volumeBindingMode Immediate, and it is not bound; "
                "or use a class with WaitForFirstConsumer."
            ) % {"claim": claim, "class": storage_class}
        case ForgetSelectedNode(claim, node, exists, gained):
            said = (
                _(
                    "Remove the annotation %(annotation)s from the claim %(claim)s, or delete the "
                    "claim: its volume is to be provisioned for the node %(node)s, which does not take the pod."
                )
                % {"claim": claim, "node": node, "annotation": SELECTED_NODE}
                if exists
                else _(
                    "Remove the annotation %(annotation)s from the claim %(claim)s, or delete the "
                    "claim: its volume is to be provisioned for the node %(node)s, which does not exist."
                )
                % {"claim": claim, "node": node, "annotation": SELECTED_NODE}
            )
            if not gained:
                return said
            fits = ngettext("The pod then fits on %(nodes)s node.", "The pod then fits on %(nodes)s nodes.", gained) % {
                "nodes": grouped(gained)
            }
            return f"{said} {fits}"
        case AddNodeForClass(claim, storage_class, key, values):
            return _(
                "Add a node with %(key)s=%(values)s: there is none, and the class %(class)s of the claim %(claim)s "
                "provisions volumes only there. Or change its allowedTopologies."
            ) % {"claim": claim, "class": storage_class, "key": key, "values": alternatives(values)}
        case FreeVolume(claim, volume):
            return _(
                "Remove spec.claimRef from the volume %(volume)s, still reserved for an earlier claim, if "
                "%(claim)s may have its data."
            ) % {"claim": claim, "volume": volume}
        case GatherVolumes(_claim, volumes):
            return _(
                "Restore the volumes %(volumes)s in one place, from snapshots: each is on nodes that do not reach the "
                "others."
            ) % {"volumes": listed(volumes)}
        case PublishCapacity(claim, storage_class, driver):
            return _("See why %(driver)s publishes no capacity for the class %(class)s of the claim %(claim)s.") % {
                "claim": claim,
                "class": storage_class,
                "driver": driver,
            }
        case AddStorage(claim, storage_class):
            return _("Add or free storage of the class %(class)s: no node reaches enough for %(claim)s.") % {
                "claim": claim,
                "class": storage_class,
            }
        case CreateVolume(claim, storage_class):
            return _(
                "Create a volume of the class %(class)s that suits the claim %(claim)s and that a node which fits the "
                "pod reaches, or use a class that provisions volumes there."
            ) % {"claim": claim, "class": storage_class}
        case _:
            raise TypeError(f"{type(remedy).__name__} has no words")
