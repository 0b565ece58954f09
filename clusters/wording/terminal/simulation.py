"""Lines of what `manage.py simulate` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from clusters.wording import states
from clusters.wording.amounts import grouped, quantity
from clusters.wording.lists import first_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_MOST_NODES = 15


def verdict_of(base: str, verdict: str) -> str:
    """Begin a simulation's verdict with what it is about."""
    return pgettext("verdict in the terminal", "%(base)s: %(verdict)s") % {"base": base, "verdict": verdict}


def cause_of(*, cause: str, pods: str) -> str:
    """Name a cause and some of the pods that it keeps pending."""
    return pgettext("cause in the terminal", "%(cause)s (%(pods)s)") % {"cause": cause, "pods": pods}


def uncertain_of(*, reasons: str, pods: str) -> str:
    """Say why it is uncertain whether pods fit, and name some of them."""
    return pgettext("doubt in the terminal", "%(reasons)s (%(pods)s)") % {"reasons": reasons, "pods": pods}


def on_the_way(steps: Mapping[str, int]) -> str:
    """Say what happened to pods beside being placed, in the order in which it matters; empty where nothing did."""
    said = [text for text in (_happened(name, steps.get(name, 0)) for name in _EVENTS) if text]
    return _("On the way: %(events)s.") % {"events": ", ".join(said)} if said else ""


_EVENTS = ("preempted", "evicted", "deleted", "refused", "held", "completed")


def _happened(name: str, count: int) -> str:
    if not count:
        return ""
    match name:
        case "preempted":
            return ngettext("%(count)s pod preempted", "%(count)s pods preempted", count) % {"count": grouped(count)}
        case "evicted":
            return ngettext("%(count)s pod evicted", "%(count)s pods evicted", count) % {"count": grouped(count)}
        case "deleted":
            return ngettext("%(count)s pod of a failed Job deleted", "%(count)s pods of failed Jobs deleted", count) % {
                "count": grouped(count)
            }
        case "refused":
            return ngettext(
                "%(count)s eviction refused by a budget", "%(count)s evictions refused by budgets", count
            ) % {"count": grouped(count)}
        case "held":
            return ngettext(
                "%(count)s pod not evicted without --force", "%(count)s pods not evicted without --force", count
            ) % {"count": grouped(count)}
        case _never:
            return ngettext("%(count)s pod completed", "%(count)s pods completed", count) % {"count": grouped(count)}


def pending_head() -> str:
    """Name the section with the pods for which no node was found."""
    return str(states.PENDING)


def refusals_head() -> str:
    """Name the section with the pods that the API server refused."""
    return str(states.NOT_CREATED)


def refusal_columns() -> tuple[str, str]:
    """Name the columns of refusals."""
    return pgettext("column in the terminal", "pods"), pgettext("column in the terminal", "message")


def refusal_of(*, message: str, pods: str) -> str:
    """Quote the API server's message about the first of some pods, and name them."""
    return pgettext("refusal in the terminal", "%(message)s (%(pods)s)") % {"message": message, "pods": pods}


def uncertain_head() -> str:
    """Name the section with the pods that were placed by all that is computed."""
    return _("Uncertain: placed by all computed filters")


def notes_head() -> str:
    """Name the section with notes."""
    return _("Notes")


def pod_group_columns() -> tuple[str, str, str, str]:
    """Name the columns of pod groups: the group, how many pods of it are placed in either way, and how it ends."""
    return (
        pgettext("column in the terminal", "pod group"),
        pgettext("column in the terminal", "placed pod by pod"),
        pgettext("column in the terminal", "by the batch scheduler"),
        pgettext("column in the terminal", "how it ends"),
    )


def cause_columns() -> tuple[str, str]:
    """Name the columns of causes."""
    return _("Pods"), _("Cause")


def uncertain_columns() -> tuple[str, str]:
    """Name the columns of what is uncertain."""
    return _("Pods"), _("Reason")


def more_causes(count: int) -> str:
    """Say how many more causes there are."""
    return ngettext("and %(count)s more cause", "and %(count)s more causes", count) % {"count": grouped(count)}


def more(count: int) -> str:
    """Say how many more there are."""
    return _("and %(count)s more") % {"count": grouped(count)}


def placed(by_node: Mapping[str, int]) -> str:
    """Say on which nodes pods were placed, and how many on each."""
    nodes: Sequence[str] = [f"{node} ({grouped(count)})" for node, count in by_node.items()]
    return ngettext("Placed on %(count)s node: %(nodes)s", "Placed on %(count)s nodes: %(nodes)s", len(nodes)) % {
        "count": grouped(len(nodes)),
        "nodes": first_of(nodes, most=_MOST_NODES),
    }


def utilisation_columns() -> tuple[str, str, str, str]:
    """Name the columns of what is requested before and after."""
    return _("Requested"), _("Before"), _("After"), _("Requested of allocatable")


def requested_of(resource: str, requested: int, allocatable: int) -> str:
    """Write how much of a resource is requested of what is allocatable."""
    return _("%(requested)s of %(allocatable)s") % {
        "requested": quantity(resource, requested),
        "allocatable": quantity(resource, allocatable),
    }


def stored(run: int) -> str:
    """Say where a stored run is found."""
    return _("Stored as run %(run)s: /simulations/%(run)s/") % {"run": str(run)}


def empty_cluster() -> str:
    """Name the base of a simulation without nodes."""
    return _("An empty cluster")


def of_cluster(cluster: str) -> str:
    """Name the base of a simulation of a mirrored cluster."""
    return _("Cluster %(cluster)s") % {"cluster": cluster}
