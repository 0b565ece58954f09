"""What a simulation changes, as orders: `Add 50 replicas to Deployment shop/web`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of, listed
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

PLACE_PENDING: Final = gettext_lazy("Place the pending pods")
PLACE_ALL: Final = gettext_lazy("Remove all pods but those of DaemonSets and place them again")
NOTHING: Final = gettext_lazy("No change")
UNREADABLE: Final = gettext_lazy("A change that cannot be read")


def first_changes(changes: Sequence[str], more: int) -> str:
    """Name the first changes, and count the others."""
    shown = "; ".join(changes)
    if not more:
        return shown
    return ngettext("%(changes)s; and %(more)s more change", "%(changes)s; and %(more)s more changes", more) % {
        "changes": shown,
        "more": grouped(more),
    }


UNKNOWN = message("Unknown change: %(change)s")


# -- workloads ---------------------------------------------------------------------------------------------------------


SCALE = plural(
    "Scale %(workload)s to %(replicas)s replica", "Scale %(workload)s to %(replicas)s replicas", by="replicas"
)
ADD_REPLICAS = plural(
    "Add %(replicas)s replica to %(workload)s", "Add %(replicas)s replicas to %(workload)s", by="replicas"
)
REMOVE_REPLICAS = plural(
    "Remove %(replicas)s replica from %(workload)s", "Remove %(replicas)s replicas from %(workload)s", by="replicas"
)
ADD_OBJECT = message("Add %(object)s")
ADD_WORKLOAD = plural(
    "Add %(workload)s with %(replicas)s replica", "Add %(workload)s with %(replicas)s replicas", by="replicas"
)
REMOVE_WORKLOAD = message("Remove %(workload)s")
PUT_BUDGET = message("Add or replace disruption budget %(budget)s")
SET_REQUESTS = plural(
    "Set the requests of %(workloads)s workload", "Set the requests of %(workloads)s workloads", by="workloads"
)
REMOVE_BUDGET = message("Remove disruption budget %(budget)s")
PUT_PRIORITY_CLASS = message("Add or replace priority class %(name)s")


def replay_trace(*, pods: int, nodes: int) -> str:
    """Say how many pods and nodes a trace has; many traces have no nodes."""
    if not nodes:
        return ngettext("Replay a trace of %(pods)s pod", "Replay a trace of %(pods)s pods", pods) % {
            "pods": grouped(pods)
        }
    return _("Replay a trace of %(pods)s on %(nodes)s of its own") % {
        "pods": counts.pods(pods),
        "nodes": counts.nodes(nodes),
    }


# -- nodes: those named, those that a label selector matches, or those of a zone ---------------------------------------


def add_nodes_like(*, nodes: int, like: str, zones: Sequence[str]) -> str:
    """Say how many nodes are added like another one, in turn over ``zones`` where there are any."""
    values = {"nodes": grouped(nodes), "like": like}
    if not zones:
        return ngettext("Add %(nodes)s node like %(like)s", "Add %(nodes)s nodes like %(like)s", nodes) % values
    return ngettext(
        "Add %(nodes)s node like %(like)s in %(zones)s", "Add %(nodes)s nodes like %(like)s in %(zones)s", nodes
    ) % {"nodes": grouped(nodes), "like": like, "zones": listed(zones)}


def add_nodes_of_size(*, nodes: int, cpu: str, memory: str, zones: Sequence[str]) -> str:
    """Say how many nodes of a size are added, in turn over ``zones`` where there are any."""
    values = {"nodes": grouped(nodes), "cpu": cpu, "memory": memory}
    if not zones:
        return (
            ngettext(
                "Add %(nodes)s node with %(cpu)s CPU and %(memory)s memory",
                "Add %(nodes)s nodes with %(cpu)s CPU and %(memory)s memory",
                nodes,
            )
            % values
        )
    return ngettext(
        "Add %(nodes)s node with %(cpu)s CPU and %(memory)s memory in %(zones)s",
        "Add %(nodes)s nodes with %(cpu)s CPU and %(memory)s memory in %(zones)s",
        nodes,
    ) % {"nodes": grouped(nodes), "cpu": cpu, "memory": memory, "zones": listed(zones)}


def remove_nodes(*, names: Sequence[str], selector: str, zone: str) -> str:
    """Say which nodes are removed."""
    if names:
        return ngettext("Remove node %(names)s", "Remove nodes %(names)s", len(names)) % {"names": first_of(names)}
    if selector:
        return _("Remove the nodes with the labels %(selector)s") % {"selector": selector}
    return _("Remove all nodes of zone %(zone)s") % {"zone": zone}


def drain_nodes(*, names: Sequence[str], selector: str, zone: str) -> str:
    """Say which nodes are drained."""
    if names:
        return ngettext("Drain node %(names)s", "Drain nodes %(names)s", len(names)) % {"names": first_of(names)}
    if selector:
        return _("Drain the nodes with the labels %(selector)s") % {"selector": selector}
    return _("Drain all nodes of zone %(zone)s") % {"zone": zone}


def unreachable_nodes(*, names: Sequence[str], selector: str, zone: str) -> str:
    """Say which nodes stop reporting."""
    if names:
        return ngettext("Node %(names)s becomes unreachable", "Nodes %(names)s become unreachable", len(names)) % {
            "names": first_of(names)
        }
    if selector:
        return _("The nodes with the labels %(selector)s become unreachable") % {"selector": selector}
    return _("All nodes of zone %(zone)s become unreachable") % {"zone": zone}


def not_ready_nodes(*, names: Sequence[str], selector: str, zone: str) -> str:
    """Say which nodes report that they are not ready."""
    if names:
        return ngettext("Node %(names)s becomes NotReady", "Nodes %(names)s become NotReady", len(names)) % {
            "names": first_of(names)
        }
    if selector:
        return _("The nodes with the labels %(selector)s become NotReady") % {"selector": selector}
    return _("All nodes of zone %(zone)s become NotReady") % {"zone": zone}


def cordon_nodes(*, names: Sequence[str], selector: str, zone: str) -> str:
    """Say which nodes are cordoned."""
    if names:
        return ngettext("Cordon node %(names)s", "Cordon nodes %(names)s", len(names)) % {"names": first_of(names)}
    if selector:
        return _("Cordon the nodes with the labels %(selector)s") % {"selector": selector}
    return _("Cordon all nodes of zone %(zone)s") % {"zone": zone}


def uncordon_nodes(*, names: Sequence[str], selector: str, zone: str) -> str:
    """Say which nodes are uncordoned."""
    if names:
        return ngettext("Uncordon node %(names)s", "Uncordon nodes %(names)s", len(names)) % {"names": first_of(names)}
    if selector:
        return _("Uncordon the nodes with the labels %(selector)s") % {"selector": selector}
    return _("Uncordon all nodes of zone %(zone)s") % {"zone": zone}


def taint_nodes(*, names: Sequence[str], selector: str, zone: str, taints: Sequence[str]) -> str:
    """Say which nodes get and lose which taints, written as kubectl takes them: ``key=value:Effect``, ``key-``."""
    listing = ", ".join(taints)
    if names:
        return ngettext("Taint node %(names)s: %(taints)s", "Taint nodes %(names)s: %(taints)s", len(names)) % {
            "names": first_of(names),
            "taints": listing,
        }
    if selector:
        return _("Taint the nodes with the labels %(selector)s: %(taints)s") % {"selector": selector, "taints": listing}
    return _("Taint all nodes of zone %(zone)s: %(taints)s") % {"zone": zone, "taints": listing}


def label_nodes(*, names: Sequence[str], selector: str, zone: str, labels: Sequence[str]) -> str:
    """Say which nodes get and lose which labels, written as kubectl takes them: ``key=value``, ``key-``."""
    listing = ", ".join(labels)
    if names:
        return ngettext("Label node %(names)s: %(labels)s", "Label nodes %(names)s: %(labels)s", len(names)) % {
            "names": first_of(names),
            "labels": listing,
        }
    if selector:
        return _("Label the nodes with the labels %(selector)s: %(labels)s") % {"selector": selector, "labels": listing}
    return _("Label all nodes of zone %(zone)s: %(labels)s") % {"zone": zone, "labels": listing}


def zone_removed(zone: str) -> str:
    """Say that a zone is lost with its nodes."""
    return _("Lose zone %(zone)s: its nodes are removed") % {"zone": zone}


def zone_unreachable(zone: str) -> str:
    """Say that the nodes of a zone stop answering."""
    return _("Lose zone %(zone)s: its nodes become unreachable") % {"zone": zone}
