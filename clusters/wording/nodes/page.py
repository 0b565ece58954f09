"""What the page of a node says: how full it is, its pods and those that would fit, its drain and its failure."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message, plural

# Titles of the parts that are computed when they are asked for.
PENDING: Final = gettext_lazy("Pending pods that fit here")
DRAIN: Final = gettext_lazy("Drain preview")
FAULTS: Final = gettext_lazy("Evictions when the node fails")
USAGE: Final = gettext_lazy("Usage of the node and its pods")
SHUTDOWN: Final = gettext_lazy("Graceful node shutdown")
OOM: Final = gettext_lazy("Kills when memory runs out")
PRESSURE: Final = gettext_lazy("Eviction under pressure")

NOT_COMPUTED: Final = gettext_lazy("This node cannot be computed.")
DRAIN_BY_WORKER: Final = gettext_lazy("A worker plans this drain …")
MISSING = message("%(cluster)s has no node %(node)s.")
REMOVED = message("%(cluster)s has no node %(node)s any more.")

# -- resources -----------------------------------------------------------------------------------------------------

REQUESTED_LABEL = message("%(resource)s requested")
EXACT = message("%(requested)s of %(allocatable)s")
KEPT = message("%(amount)s kept from pods")
EXCEEDED_BY = message("%(amount)s over")
AMOUNT_OF = message("%(amount)s of %(resource)s")
FREE_PODS = plural("%(number)s more pod", "%(number)s more pods", by="number")
SHARE_OF = message("%(share)s of its %(resource)s")
PODS_REQUEST = plural(
    "Its %(pods)s pod requests %(shares)s.",
    "Its %(pods)s pods request %(shares)s.",
    by="pods",
)
NO_PODS: Final = gettext_lazy("No pod runs on it.")
FREE = message("Free: %(amounts)s.")
NOTHING_REQUESTED: Final = gettext_lazy("They request nothing.")
OVERCOMMITTED = message("%(resource)s is overcommitted.")
USED_UP = message("%(resource)s: nothing is free.")
POD_LIMIT_NEXT = plural(
    "The node pod limit is reached first, after %(pods)s more pod.",
    "The node pod limit is reached first, after %(pods)s more pods.",
    by="pods",
)
RUNS_OUT = plural(
    "%(resource)s runs out first, after about %(pods)s average pod.",
    "%(resource)s runs out first, after about %(pods)s average pods.",
    by="pods",
)
USED = message("%(resource)s: %(used)s used (%(share)s), %(requested)s of %(allocatable)s requested.")
OVER_HOURS = plural(
    "Over %(hours)s hourly sample: CPU p95 %(cpu)s, memory at most %(memory)s.",
    "Over %(hours)s hourly samples: CPU p95 %(cpu)s, memory at most %(memory)s.",
    by="hours",
)

# -- what it reports -----------------------------------------------------------------------------------------------

# By type of a condition that is not as it should be: what follows.
CONDITIONS: Final = {
    "Ready": gettext_lazy("No new pods; running ones are evicted as their tolerations expire."),
    "MemoryPressure": gettext_lazy("Pods are evicted; no new BestEffort pods."),
    "DiskPressure": gettext_lazy("Unused images are removed and pods evicted; no new pods."),
    "PIDPressure": gettext_lazy("Pods are evicted; no new pods."),
    "NetworkUnavailable": gettext_lazy("No new pods."),
}
EVICTED_AT_ONCE = plural(
    "NoExecute taints evict %(pods)s pod at once.", "NoExecute taints evict %(pods)s pods at once.", by="pods"
)
EVICTED_AFTER = plural(
    "NoExecute taints evict %(pods)s pod after %(seconds)s s.",
    "NoExecute taints evict %(pods)s pods after %(seconds)s s.",
    by="pods",
)
TOLERATE = plural("%(pods)s pod tolerates them.", "%(pods)s pods tolerate them.", by="pods")
HOLDERS = message("%(nodes)s of %(all)s")
OTHER_NAMES = plural("%(number)s more name", "%(number)s more names", by="number")
IMAGES = plural("%(number)s image", "%(number)s images", by="number")
LABELS = plural("%(number)s label", "%(number)s labels", by="number")
ATTACHED = plural(
    "%(volumes)s volume attached, no limit known", "%(volumes)s volumes attached, no limit known", by="volumes"
)
VOLUMES_OF = message("Volumes of %(driver)s")
VOLUME_PARTS = message("Used by pods here: %(by_pods)s. Attached without a pod: %(others)s.")
DEFERRED_RESIZES = message("The scheduler counts %(held)s more for deferred resizes of %(pods)s.")
UNHEALTHY_DEVICES = message(
    "%(resource)s: capacity %(capacity)s, allocatable %(allocatable)s; the others are unhealthy, or their device "
    "plugin does not run."
)

# -- who would come ------------------------------------------------------------------------------------------------

FAILED: Final = pgettext_lazy("verdict", "Could not be computed")
GATED: Final = pgettext_lazy("verdict", "Would fit without scheduling gates")
STOPPED: Final = pgettext_lazy("verdict", "No node is evaluated")
ONE_FILTER: Final = pgettext_lazy("verdict", "Rejected by one filter")
FOREIGN: Final = gettext_lazy("Another scheduler decides about it.")
NONE_PENDING: Final = gettext_lazy("No pod is pending.")
FITTING = plural(
    "%(fitting)s of %(pods)s pending pods fits on %(node)s now.",
    "%(fitting)s of %(pods)s pending pods fit on %(node)s now, evaluated independently.",
    by="fitting",
)
AT_LEAST_FITTING = plural(
    "At least %(fitting)s of %(pods)s pending pods fits on %(node)s now.",
    "At least %(fitting)s of %(pods)s pending pods fit on %(node)s now, evaluated independently.",
    by="fitting",
)
UNCERTAIN = message("Uncertain: %(pods)s.")
TITLE = plural("%(pods)s pod of %(maker)s", "%(pods)s pods of %(maker)s", by="pods")
BARE_TITLE = plural(
    "%(pods)s pod of namespace %(namespace)s, without controller",
    "%(pods)s pods of namespace %(namespace)s, without controller",
    by="pods",
)
EACH_REQUESTS = message("each requests %(amounts)s")
MORE = message("and %(pods)s more")
ONLY_NODE: Final = gettext_lazy("It fits on no other node.")
BEST_OF = plural(
    "It fits on %(others)s other node, which does not score higher.",
    "It fits on %(others)s other nodes; none scores higher.",
    by="others",
)
OUTSCORED = plural(
    "It fits on %(others)s other node, which scores higher.",
    "It fits on %(others)s other nodes; the best scores higher.",
    by="others",
)
UNCERTAIN_BECAUSE = message("Uncertain: %(clauses)s.")
GATES = message("Scheduling gates: %(names)s.")
ROOM_FOR = message("Room for %(fitting)s of %(pods)s.")

# -- who would go --------------------------------------------------------------------------------------------------

BLOCKED_UNTIL_CHANGED = message("It cannot be drained until a budget is changed: %(budgets)s.")
BLOCKED_FOR_NOW = message("It cannot be drained until pods are ready; 0 disruptions allowed: %(budgets)s.")
NEEDS_FORCE = plural(
    "Its drain needs --force: nothing recreates %(pods)s pod.",
    "Its drain needs --force: nothing recreates %(pods)s pods.",
    by="pods",
)
NO_ROOM = message("It cannot be drained: replacements would be unschedulable: %(pods)s.")
DRAINABLE = plural("Drainable now: evicts %(pods)s pod.", "Drainable now: evicts %(pods)s pods.", by="pods")
ALLOWED = plural(
    "Budgets allow its drain: evicts %(pods)s pod.", "Budgets allow its drain: evicts %(pods)s pods.", by="pods"
)

# -- when it fails -------------------------------------------------------------------------------------------------

FAULTS_PICTURE: Final = gettext_lazy("From the last report of the node to the eviction of its pods")
SECONDS: Final = pgettext_lazy("unit of a scale of time", "s")
# The stretches of the timeline.
GRACE: Final = gettext_lazy("node still counted as Ready")
TOLERATED: Final = gettext_lazy("pods stay")
AFTER = message("%(seconds)s s")
NEVER: Final = pgettext_lazy("when a pod is evicted", "never")
KEPT_ALL = message("If %(node)s stops reporting, none of its %(all)s pods is evicted.")
EVICTED = plural(
    "If %(node)s stops reporting, %(pods)s of its %(all)s pods is evicted after %(times)s.",
    "If %(node)s stops reporting, %(pods)s of its %(all)s pods are evicted after %(times)s.",
    by="pods",
)
FROM_TO = message("%(first)s to %(last)s")
GRACE_SENTENCE = message(
    "A node that does not report becomes Unknown after %(grace)s s (--node-monitor-grace-period of %(minor)s). "
    "Each step may come 5 s later."
)
UNREACHABLE_KEEPS_RUNNING: Final = gettext_lazy(
    "On an unreachable node containers keep running, and evicted pods stay Terminating until it reports or is deleted."
)
PODS_OF_GROUP = plural("%(pods)s pod", "%(pods)s pods", by="pods")
ZONE_NOT_READY: Final = gettext_lazy(
    "No pods are evicted there: 55 % or more of a zone of at most 50 nodes would not be ready."
)
NO_NODE_READY: Final = gettext_lazy("No pods are evicted: no node would be ready.")
