"""The page of a simulation: its numbers, the cluster before and after, and the pods that are pending."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from clusters.wording.messages import message, plural
from clusters.wording.resources import resource_amount

if TYPE_CHECKING:
    from collections.abc import Iterable

# Key numbers.
PLACED: Final = gettext_lazy("placed")
PLACED_UNCERTAIN: Final = gettext_lazy("placed, uncertain")
NEWLY_PENDING: Final = gettext_lazy("newly pending")
STILL_PENDING: Final = gettext_lazy("still pending")
FORBIDDEN: Final = gettext_lazy("not created")
FORBIDDEN_BADGE: Final = pgettext_lazy("answer", "Forbidden (403)")
ERROR_BADGE: Final = pgettext_lazy("answer", "Internal error (500)")
INVALID_BADGE: Final = pgettext_lazy("answer", "Invalid (422)")
PREEMPTED: Final = gettext_lazy("preempted")
EVICTED: Final = gettext_lazy("evicted")
DELETED: Final = gettext_lazy("deleted with failed Jobs")
EVICTIONS_REFUSED: Final = gettext_lazy("evictions refused")

# The cluster before and after.
NODES: Final = gettext_lazy("Nodes")
OPEN_NODES: Final = gettext_lazy("Nodes that accept pods")
EMPTY_NODES: Final = gettext_lazy("Empty nodes")
PODS_ON_NODES: Final = gettext_lazy("Pods on nodes")
PENDING_BEFORE: Final = gettext_lazy("Pods pending before")
NEWLY_PENDING_PODS: Final = gettext_lazy("Newly pending pods")
VIOLATED: Final = gettext_lazy("Spread constraints violated")
LARGEST_SKEW: Final = gettext_lazy("Largest DoNotSchedule skew")
ALLOWED: Final = gettext_lazy("Disruptions allowed")
ALLOW_NONE: Final = gettext_lazy("Budgets allowing none")

NO_ZONE: Final = gettext_lazy("No zone")
NO_POOL: Final = gettext_lazy("No pool")


def resource_title(resource: str) -> str:
    """Name a resource as headings do; "pods" are the pods that nodes may hold."""
    return {"cpu": _("CPU"), "memory": _("Memory"), "pods": _("Pods")}.get(resource, resource)


def requested(resource: str) -> str:
    """Name the share of a resource that pods request."""
    return _("%(resource)s requested") % {"resource": resource_title(resource)}


OPEN_CAPACITY = message("%(resource)s of nodes that accept pods")
POINTS = message("%(difference)s points")
# Bars of a zone or pool.
METER_BEFORE = message("%(resource)s in %(part)s before")
METER_AFTER = message("%(resource)s in %(part)s after")
WITH_CLOSED = message("%(nodes)s, %(closed)s")
ALL_POOLS = plural("%(pools)s pool", "All %(pools)s pools", by="pools")

# -- pending pods by cause ---------------------------------------------------------------------------------------------
REFUSED_BY_QUOTA = message("%(pods)s: ResourceQuota %(namespace)s/%(quota)s")
REFUSED_BY_LIMIT_RANGE = message("%(pods)s: LimitRange %(namespace)s/%(limit_range)s")
INVALID_BY_DEFAULTS = message("%(pods)s: invalid with the LimitRange defaults of %(namespace)s")
UNCOVERED = message("%(pods)s: not covered by any ResourceQuota of %(namespace)s")
MORE_CAUSES = plural("%(causes)s more cause, %(pods)s", "%(causes)s more causes, %(pods)s", by="causes")
AND_MORE = message("and %(pods)s more")
OF_WORKLOADS = plural("of %(workloads)s workload", "of %(workloads)s workloads", by="workloads")
MORE_OF_WORKLOADS = plural(
    "and %(pods)s more, of %(workloads)s workload", "and %(pods)s more, of %(workloads)s workloads", by="workloads"
)
# Each pod is evaluated by itself.
WOULD_FIT = message("%(remedy)s Then %(pods)s of %(total)s fit, evaluated independently.")
WOULD_FIT_REQUESTING_LESS = message("%(pods)s of %(total)s fit with less %(resources)s, evaluated independently.")
WOULD_FIT_WITHOUT = plural(
    "%(pods)s of %(total)s would fit on %(nodes)s node without %(plugins)s.",
    "%(pods)s of %(total)s would fit on %(nodes)s nodes without %(plugins)s.",
    by="nodes",
)
PODS_UNCERTAIN = plural("%(pods)s pod placed, uncertain", "%(pods)s pods placed, uncertain", by="pods")


# -- free capacity -----------------------------------------------------------------------------------------------------
def pod_shape(requests: Iterable[tuple[str, int]]) -> str:
    """Name a shape of pod by what it requests, in base units."""
    return ", ".join(resource_amount(resource, amount) for resource, amount in requests)


MORE_FIT = message("%(pods)s more on %(nodes)s.")
AT_LEAST = message("At least %(pods)s more.")
OF_NO_USE = message("%(fit)s On other nodes: %(shares)s.")
SHARE_OF_FREE = message("%(share)s of the free %(resource)s")
STRANDED = message("%(amount)s on %(nodes)s with insufficient %(resources)s")
ALL_STRANDED = message("Stranded: %(parts)s.")
NO_DISRUPTION_ALLOWED = message("No disruption allowed: %(budgets)s.")
