"""The overview of a cluster in words."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message, plural

# -- The findings that sum a cluster up, each a link ------------------------------------------------------------------


AT_RISK: Final = gettext_lazy("At risk:")
WASTEFUL: Final = gettext_lazy("Wasteful:")


NODES_NOT_READY = plural("%(nodes)s node is NotReady", "%(nodes)s nodes are NotReady", by="nodes")


PENDING = plural("%(pods)s pod is pending", "%(pods)s pods are pending", by="pods")
UNDER_PRESSURE = plural("%(nodes)s node is under pressure", "%(nodes)s nodes are under pressure", by="nodes")
BLOCKED_UNTIL_CHANGED = plural(
    "%(nodes)s drain is blocked until a budget is changed",
    "%(nodes)s drains are blocked until a budget is changed",
    by="nodes",
)
DRAINS_BLOCKED_FOR_NOW = plural(
    "%(nodes)s drain is blocked until pods are ready",
    "%(nodes)s drains are blocked until pods are ready",
    by="nodes",
)
CONSTRAINTS_EXCEEDED = plural(
    "%(constraints)s spread constraint is exceeded (%(worst)s: skew %(skew)s, maxSkew %(max_skew)s)",
    "%(constraints)s spread constraints are exceeded (worst: %(worst)s, skew %(skew)s, maxSkew %(max_skew)s)",
    by="constraints",
)
NOT_RECREATED = plural(
    "%(pods)s pod has no controller",
    "%(pods)s pods have no controller",
    by="pods",
)
HOST_PORTS = plural(
    "%(pods)s pod has a host port",
    "%(pods)s pods have host ports",
    by="pods",
)


NODES_STRAND = plural("%(nodes)s node strands %(left)s", "%(nodes)s nodes strand %(left)s", by="nodes")


# -- The cards of the overview about spreading, drains, nodes and stranded capacity, and the table of zones -----------


# Titles.
SPREAD: Final = pgettext_lazy("card", "Spread")
DRAINS: Final = pgettext_lazy("card", "Drains")
NODES: Final = pgettext_lazy("card", "Nodes")
STRANDED: Final = pgettext_lazy("card", "Stranded")
USAGE: Final = pgettext_lazy("card", "Usage")
# Badges.
NOT_KNOWN: Final = pgettext_lazy("badge", "Not known")
BLOCKING: Final = pgettext_lazy("badge of spread constraints", "Blocking")
EXCEEDED: Final = pgettext_lazy("badge of spread constraints", "Exceeded")
WITHIN: Final = pgettext_lazy("badge of spread constraints", "Within maxSkew")
BLOCKED: Final = pgettext_lazy("badge of drains", "Blocked by budgets")
BLOCKED_FOR_NOW: Final = pgettext_lazy("badge of drains", "Blocked until pods are ready")
DRAINABLE: Final = pgettext_lazy("badge of drains", "Drainable")
UNHEALTHY: Final = pgettext_lazy("badge of nodes", "Unhealthy")
CORDONED: Final = pgettext_lazy("badge of nodes", "Cordoned")
HEALTHY: Final = pgettext_lazy("badge of nodes", "Healthy")
CAPACITY_STRANDED: Final = pgettext_lazy("badge of nodes", "Stranded")
NOTHING_STRANDED: Final = pgettext_lazy("badge of nodes", "None")
# Links.
WORKLOADS: Final = gettext_lazy("Workloads")
WORKLOADS_BY_ZONE: Final = gettext_lazy("Workloads by zone")
PLAN_DRAIN: Final = gettext_lazy("Plan a drain")
FREE_BY_SHAPE: Final = gettext_lazy("Free capacity")
TAINTED_NODES: Final = gettext_lazy("Nodes with any taint")

REQUESTS_OFF: Final = pgettext_lazy("badge of requests", "Not as used")
REQUESTS_FIT: Final = pgettext_lazy("badge of requests", "As used")
NO_USAGE: Final = gettext_lazy("No sample of usage.")

NO_ZONE: Final = pgettext_lazy("group of nodes", "No zone")
UNIT_NOT_KNOWN: Final = gettext_lazy("not known")
NO_NODES: Final = gettext_lazy("No nodes yet.")
NO_CAPACITY: Final = gettext_lazy("No nodes yet.")
NOTHING_TO_SPREAD: Final = gettext_lazy("No pod has spread constraints.")
NO_BUDGETS: Final = gettext_lazy("No disruption budgets.")
BUDGETS_NOT_READ: Final = gettext_lazy("Berth may not read budgets here.")
BUDGETS_NOT_DUMPED: Final = gettext_lazy("The dump has no budgets; the cluster may.")
CPU: Final = pgettext_lazy("resource", "CPU")
MEMORY: Final = pgettext_lazy("resource", "memory")
PODS: Final = pgettext_lazy("resource", "pods")


OVER_MAX_SKEW = plural(
    "of %(constraints)s spread constraint exceeds maxSkew",
    "of %(constraints)s spread constraints exceed maxSkew",
    by="constraints",
)
OF_REQUESTS = plural(
    "of %(workloads)s workload requests too much or too little",
    "of %(workloads)s workloads request too much or too little",
    by="workloads",
)
SKEW = message("skew %(skew)s over %(domains)s, maxSkew %(max_skew)s, %(action)s")
LOSS_AND_SKEW = message("%(pods)s of %(of)s pods in %(zone)s; %(skew)s")
NOT_DRAINABLE = plural("of %(nodes)s drain blocked by budgets", "of %(nodes)s drains blocked by budgets", by="nodes")


BLOCKING_BUDGET = plural(
    "%(bound)s; blocks %(drains)s drain, %(lasting)s of them until changed",
    "%(bound)s; blocks %(drains)s drains, %(lasting)s of them until changed",
    by="drains",
)
BLOCKING_BUDGETS = plural("%(budgets)s budget blocks", "%(budgets)s budgets block", by="budgets")
CLOSED = message("%(nodes)s NotReady, cordoned or under pressure")
OF_CLOSED = plural(
    "of %(nodes)s node NotReady, cordoned or under pressure",
    "of %(nodes)s nodes NotReady, cordoned or under pressure",
    by="nodes",
)


READY_UNKNOWN = plural(
    "%(nodes)s node reports no condition Ready", "%(nodes)s nodes report no condition Ready", by="nodes"
)


NODES_CORDONED = plural("%(nodes)s node is cordoned", "%(nodes)s nodes are cordoned", by="nodes")


ONE_UNDER_PRESSURE = message("%(node)s is under pressure")
RESERVED = plural("%(nodes)s node needs a toleration", "%(nodes)s nodes need a toleration", by="nodes")
OF_STRANDED = plural(
    "of %(nodes)s node strands CPU or memory",
    "of %(nodes)s nodes strand CPU or memory",
    by="nodes",
)


OF_MEMORY = message("%(amount)s of memory")


STRANDED_FOR = message(
    "%(share)s of the cluster's %(resource)s, most on %(most)s; over 90 %% of %(used_up)s is requested there."
)


REQUESTED_SHARE = message("%(requested)s of %(allocatable)s (%(share)s)")


CAPACITY = message("Pods request %(cpu)s and %(memory)s on %(nodes)s in %(zones)s.")


# -- The cards of the overview about pending pods, the most effective change, and failing workloads -------------------


# Titles.
CHANGE: Final = pgettext_lazy("card", "Most effective change")
FAILING: Final = pgettext_lazy("card", "Failing workloads")
# Badges.
BADGE_NONE: Final = pgettext_lazy("badge", "None pending")
BADGE_NO_CHANGE: Final = pgettext_lazy("badge", "No single change")
BADGE_SAME_CHANGE: Final = pgettext_lazy("badge", "The same change")
BADGE_ONE_CHANGE: Final = pgettext_lazy("badge", "One change")
BADGE_TWO_CHANGES: Final = pgettext_lazy("badge", "Two changes")
BADGE_FAILING: Final = pgettext_lazy("badge", "Failing")

NO_PODS: Final = gettext_lazy("No pod is mirrored.")
NOTHING_PENDING: Final = gettext_lazy("No pod is pending.")
QUEUE_ORDER: Final = gettext_lazy("Order of the queue")
NOBODY: Final = pgettext_lazy("number of pods", "None")


OF_PENDING = plural("of %(pods)s pending pod needs a change", "of %(pods)s pending pods need a change", by="pods")


PENDING_ONLY = plural("pending pod, not unschedulable", "pending pods, none unschedulable", by="pods")


MORE_CAUSES = plural("%(causes)s more cause", "%(causes)s more causes", by="causes")
OTHER_PODS = plural("%(pods)s other pending pod", "%(pods)s other pending pods", by="pods")
AND_OTHER_CAUSES = plural("and %(causes)s other cause", "and %(causes)s other causes", by="causes")
ALL_PENDING_FOR = message("All pods pending: %(cause)s")
FIT_AFTER_ONE = plural(
    "of %(pods)s unschedulable pod would fit after one change",
    "of %(pods)s unschedulable pods would fit after one change",
    by="pods",
)
FIT_AFTER_TWO = plural(
    "of %(pods)s unschedulable pod would fit after two changes",
    "of %(pods)s unschedulable pods would fit after two changes",
    by="pods",
)
FIT_AFTER_SAME = plural(
    "of %(pods)s unschedulable pod would fit after the same change to %(changed)s",
    "of %(pods)s unschedulable pods would fit after the same change to %(changed)s",
    by="pods",
)
AT_NODES = plural("The node: %(names)s.", "The nodes: %(names)s.", by="nodes")


# -- The states of nodes on a map --------------------------------------------------------------------------------------


NOT_READY: Final = pgettext_lazy("state of a node in the picture", "NotReady")
UNKNOWN: Final = pgettext_lazy("state of a node in the picture", "readiness not known")
PRESSURE: Final = pgettext_lazy("state of a node in the picture", "under pressure")
CORDONED_NODE: Final = pgettext_lazy("state of a node in the picture", "cordoned")
RESERVED_NODE: Final = pgettext_lazy("state of a node in the picture", "schedulable with toleration")
OPEN: Final = pgettext_lazy("state of a node in the picture", "schedulable")


# -- Titles of the overview that depend on the source of the cluster ---------------------------------------------------


NOT_READABLE: Final = gettext_lazy("What Berth may not read")
NOT_DUMPED: Final = gettext_lazy("Missing from this dump")
LATEST_LOGS: Final = gettext_lazy("Latest logs")
LATEST_DUMPS: Final = gettext_lazy("Latest dumps")
