"""What the sections of a review say, one after another."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.disruption import BudgetFix
from clusters.wording.amounts import grouped
from clusters.wording.lists import begun
from clusters.wording.messages import message, plural
from clusters.wording.resources import resource_name

PODS_IN_FILES: Final = gettext_lazy("The CSV files name each pod.")
MESSAGES: Final = pgettext_lazy("table", "kube-scheduler's messages")
FIRST_MESSAGE: Final = pgettext_lazy("column", "First message")


PLACED = plural("%(pods)s pod placed.", "%(pods)s pods placed.", by="pods")
PLACED_IN_PART_UNCERTAIN = plural(
    "%(pods)s pod placed for certain, %(uncertain)s more uncertain.",
    "%(pods)s pods placed for certain, %(uncertain)s more uncertain.",
    by="pods",
)
NEWLY_PENDING = message("%(pods)s newly pending.")
FORBIDDEN = message("%(pods)s not created.")
STILL_PENDING = message("%(pods)s still pending.")
CAUSE = message("Main cause: %(cause)s (%(pods)s).")
ABOUT = message("Run %(run)s, “%(title)s”: steps %(steps)s, seed %(seed)s. The sections below show its end.")


MAY_BE_PENDING: Final = gettext_lazy("If a node fails, pods may be pending.")
# Figures and parts of pictures.
NODES: Final = pgettext_lazy("figure", "Nodes")
SCHEDULED_PODS: Final = pgettext_lazy("figure", "Scheduled pods")
CAPACITY: Final = pgettext_lazy("picture", "Capacity of the cluster")
REQUESTED: Final = pgettext_lazy("capacity", "requested")
FREE: Final = pgettext_lazy("capacity", "free")
RESERVED: Final = pgettext_lazy("capacity", "reserved for the system")
NO_ZONE: Final = pgettext_lazy("nodes", "no zone")
NO_POOL: Final = pgettext_lazy("nodes", "no node pool")


SHARE_OF = message("%(share)s of the %(resource)s")
REQUESTED_OF = plural(
    "The pods request %(shares)s of %(nodes)s node.", "The pods request %(shares)s of %(nodes)s nodes.", by="nodes"
)
SCHEDULED = plural("%(pods)s pod is scheduled.", "%(pods)s pods are scheduled.", by="pods")
PENDING = plural("%(pods)s pod is pending.", "%(pods)s pods are pending.", by="pods")
AMOUNTS = message("Requested: %(cpu)s of %(cpu_allocatable)s, memory: %(memory)s of %(memory_allocatable)s.")
NOT_READY = message("NotReady: %(nodes)s.")
UNDER_PRESSURE = message("With a pressure condition: %(nodes)s.")
CORDONED = message("Cordoned: %(nodes)s.")
NOT_REQUESTED = message("No pod requests %(resources)s.")
NEARLY_ALL_REQUESTED = message("More than %(share)s is requested of %(resources)s")
FIGURE = message("%(resource)s requested")
OF_AMOUNT = message("of %(amount)s")
ACCEPTING = plural("%(nodes)s accepts pods", "%(nodes)s accept pods", by="nodes")
PENDING_NOTE = message("%(pods)s pending")
BY_ZONE = message("%(resource)s by zone")
BY_POOL = message("%(resource)s by node pool")
FULLEST = message("%(caption)s, the %(shown)s fullest of %(total)s")
BAR = message("%(label)s: %(parts)s (%(share)s requested).")


def resource_label(resource: str) -> str:
    """Write a resource as the first word of a label."""
    name = resource_name(resource)
    return name if "/" in name else begun(name)


def priced(decimal: str) -> str:
    """Write an amount of money, which comes as a decimal text."""
    whole, __, cents = decimal.partition(".")
    return ".".join(filter(None, (grouped(int(whole)), cents)))


MONTH = message(
    "Allocatable: %(allocatable)s %(currency)s a month; requested: %(requested)s %(currency)s, not: %(idle)s "
    "%(currency)s."
)
ACROSS_ZONES = message("Without the traffic between zones of %(workloads)s spread workloads.")
PRICES = message(
    "Prices an hour: %(cpu)s %(currency)s a CPU, %(memory)s %(currency)s a GiB of memory; %(hours)s hours a month."
)


NO_SAMPLE: Final = gettext_lazy("No trend yet: no sample.")
ONE_SAMPLE: Final = gettext_lazy("No trend yet: one sample.")
SAMPLED_HOURLY: Final = gettext_lazy("Sampled hourly; of dumps once a dump.")
STRAIGHT_LINE: Final = gettext_lazy("“Full at” extends a line from first to last sample.")
PODS: Final = pgettext_lazy("trend", "Pods")
UNIT_PODS: Final = pgettext_lazy("trend", "pods")
ALLOCATABLE: Final = pgettext_lazy("trend", "allocatable")
TREND_REQUESTED: Final = pgettext_lazy("trend", "requested")
TREND_SCHEDULED: Final = pgettext_lazy("trend", "scheduled")
TREND_PENDING: Final = pgettext_lazy("trend", "pending")


CHANGED = message("Requests of %(resource)s: %(share)s.")
UNCHANGED = message("Requests of %(resource)s: unchanged.")
FROM_NOTHING = message("Requests of %(resource)s: none at first.")
SAMPLES = message("Samples: %(samples)s.")
SAMPLES_SHOWN = message("Samples: %(samples)s, shown: %(shown)s.")
LINE = message("%(line)s from %(first)s to %(last)s")
LINES = message("%(caption)s, in %(unit)s: %(lines)s.")


NONE_STRANDED: Final = gettext_lazy("No CPU or memory is stranded.")
WHAT_IT_IS: Final = gettext_lazy("Stranded: less than half requested, and more than nine tenths of another resource.")
STRANDED = message("Stranded: %(amounts)s, on %(nodes)s.")
UNTOLERATED = message("Taints that only DaemonSet pods tolerate: %(taints)s.")
AT_POD_LIMIT = message("Nodes with free CPU and memory at their pod limit: %(nodes)s.")


RECREATED_FIRST: Final = gettext_lazy("After a loss, its pods are recreated first and scheduled elsewhere.")
WHAT_IS_NEWLY_PENDING: Final = gettext_lazy("Newly pending: those unschedulable, and preempted ones that stay so.")
NO_ZONES: Final = gettext_lazy("The nodes are not in several zones.")
SHAPES: Final = pgettext_lazy("picture", "How many more pods of each shape fit")
LEAD = plural(
    "More pods of %(shapes)s shape are placed, without preemption.",
    "More pods of %(shapes)s shapes are placed, each by itself, without preemption.",
    by="shapes",
)
NOT_COUNTED = message("Shapes not counted, without such pods or of another scheduler: %(shapes)s.")
NO_LOSSES = message("Losses are not simulated with more than %(pods)s pods, or without a counted shape.")
NODES_TRIED = message("The worst node of %(nodes)s simulated (of %(kinds)s kinds).")
LOST = plural(
    "If %(lost)s is lost, %(pods)s pod is recreated.", "If %(lost)s is lost, %(pods)s pods are recreated.", by="pods"
)
WORST_LOSS = message("The worst loss is %(lost)s: its pods fit elsewhere.")
WORST_SIMULATED_NODE = message("The worst of %(nodes)s simulated losses is %(name)s: its pods fit elsewhere.")
FITS_THEN = message("Then %(fits)s more of shape %(shape)s fit, not %(now)s.")
FIT_NOW = message("%(shape)s: %(pods)s more fit now.")
FIT_WITHOUT_NODE = message("Without the worst node: %(pods)s.")
FIT_WITHOUT_ZONE = message("Without the worst zone: %(pods)s.")


VIOLATED = message("Spread constraints violated: %(constraints)s of %(total)s.")
BLOCKING = message("DoNotSchedule: %(constraints)s.")
UNREADABLE = message("Pod templates with constraints that the API server would refuse: %(templates)s.")


CHANGE_A_BUDGET: Final = gettext_lazy("Change the budget, its selector or the replicas: waiting does not help.")
ONE_BUDGET_A_POD: Final = gettext_lazy("Their eviction fails (500): let one budget select each.")
BUDGETS_BLOCKING = plural(
    "%(budgets)s budget allows 0 disruptions.", "%(budgets)s budgets allow 0 disruptions.", by="budgets"
)
LASTING = message("%(budgets)s of them until changed.")
MOST_BLOCKING = message("Blocked by budgets: %(budgets)s.")
# What makes a budget block no drain any more.
FIXES: Final = {
    BudgetFix.ONE_BUDGET: message("Let one budget select each pod: it shares pods with %(others)s."),
    BudgetFix.ONE_UNAVAILABLE: message("Replace %(field)s: %(value)s by maxUnavailable: 1."),
    BudgetFix.CHANGE: message("Change the budget, its selector or the replicas."),
}
NO_FIX = message("The budget need not change. Cause: %(cause)s.")
NOT_PLANNED = message("No plan here: %(evictions)s evictions, more than %(most)s. See the drain page.")
PLANNED = plural(
    "A rolling upgrade drains %(nodes)s node: %(evictions)s evictions, batches: %(batches)s.",
    "A rolling upgrade drains %(nodes)s nodes: %(evictions)s evictions, batches: %(batches)s.",
    by="nodes",
)
NOT_RECREATED = plural(
    "%(pods)s pod without a controller is not recreated.",
    "%(pods)s pods without a controller are not recreated.",
    by="pods",
)
HOST_PORTS = message("Pods whose host ports must be free elsewhere: %(pods)s.")
NOT_DRAINED = message("Not drained: %(nodes)s.")
NEVER_DRAINED = plural(
    "%(nodes)s node cannot be drained until a budget is changed",
    "%(nodes)s nodes cannot be drained until a budget is changed",
    by="nodes",
)
SHARED = plural("%(pods)s pod is under several budgets", "%(pods)s pods are under several budgets", by="pods")


DRAINS: Final = pgettext_lazy("release", "Drains of nodes")
ADMISSION: Final = {
    "created": pgettext_lazy("answer", "created"),
    "refused": pgettext_lazy("answer", "refused"),
}
TARGET: Final = pgettext_lazy("field", "Upgrade preview to Kubernetes")
TARGET_HINT: Final = gettext_lazy("What that minor decides otherwise.")
NO_TARGET: Final = pgettext_lazy("choice", "none")


OTHER_MESSAGES = message("Kubernetes %(release)s: other messages of %(pods)s pods. %(rules)s")
NOT_LATER = message("Kubernetes %(after)s is not later than %(before)s.")


NO_QUOTA: Final = gettext_lazy("No ResourceQuota.")
MAY_BE_MISSING: Final = gettext_lazy("The dump may lack them: add kubectl get resourcequotas -A.")


TIGHT = message("Limits used to more than %(share)s: %(limits)s.")
QUOTAS = message("ResourceQuotas: %(quotas)s.")
LIMIT_RANGES = message("LimitRanges: %(ranges)s.")


NO_SAMPLE_OF_USAGE: Final = gettext_lazy("No sample of usage.")
USAGE_CHART: Final = gettext_lazy("Used, requested and allocatable")
USED: Final = pgettext_lazy("bar", "used")
UNUSED: Final = pgettext_lazy("bar", "requested, not used")
NOT_REQUESTED_LABEL: Final = pgettext_lazy("bar", "not requested")


REMOVABLE = message("Nodes removable with them: %(nodes)s of %(total)s, %(now)s now (simulated).")
WORKLOADS_COUNTED = message(
    "Workloads with samples: %(workloads)s; over-requested: %(over)s, under-requested: %(under)s, without a request of "
    "what they use: %(missing)s."
)


NOTHING_RECORDED: Final = gettext_lazy("Earlier reasons are not known: the journal is empty.")
NOT_JUDGED: Final = gettext_lazy("No decision was judged.")


CAUSES = message("Causes: %(causes)s.")
RECORDED = message("Pods unschedulable at least once: %(pods)s, in %(attempts)s attempts.")
AGREEMENT = plural(
    "Berth agreed with kube-scheduler in %(share)s of %(decisions)s decision.",
    "Berth agreed with kube-scheduler in %(share)s of %(decisions)s decisions.",
    by="decisions",
)


NOTHING_RECOMMENDED: Final = gettext_lazy("Nothing recommended: no simulation shows a change that helps.")
NO_COST: Final = gettext_lazy("No node is added, no pod is evicted")
RIGHT_SIZE: Final = gettext_lazy("Set the recommended requests")
RESTARTED: Final = gettext_lazy("Each workload is rolled out.")
ROOM_ELSEWHERE: Final = gettext_lazy("Less than half requested, and their pods fit elsewhere.")
TRIED_AGAIN: Final = gettext_lazy("Both simulations first try all pending pods again.")
NOT_SOUGHT = message("Not evaluated: more than %(pods)s pods on nodes.")
NUMBER_MADE = plural(
    "%(changes)s change is recommended, shown by simulation.",
    "%(changes)s changes are recommended, each shown by simulation.",
    by="changes",
)
ALLOW_DISRUPTION = message("Let the budget %(budget)s allow one disruption at a time")
REPLACE_FIELD = message("Replace %(field)s: %(value)s of the PodDisruptionBudget %(budget)s by maxUnavailable: 1.")
NEVER_ALLOWS = plural(
    "It never allows a disruption of its %(pods)s pod.", "It never allows a disruption of its %(pods)s pods.", by="pods"
)
BLOCKS_NODES = message("It blocks drains of %(nodes)s nodes, such as %(node)s.")
ADD_NODES = plural("Add %(nodes)s node like %(like)s", "Add %(nodes)s nodes like %(like)s", by="nodes")
SAME_RESOURCES = message("With the resources, labels and taints of %(like)s.")
INSTANCE_TYPE = message("Instance type: %(type)s.")
POOL = message("Pool: %(pool)s.")
UNCORDON = message("Uncordon %(name)s")
RUN_UNCORDON = message("Run kubectl uncordon for %(nodes)s, unless maintenance is in progress.")
REMOVE_TAINT = plural(
    "Remove the taint %(taint)s from %(nodes)s node", "Remove the taint %(taint)s from %(nodes)s nodes", by="nodes"
)
REMOVE_TAINT_FROM = message("Remove it from %(nodes)s, or let the pending pods tolerate it.")
NOBODY_TOLERATES = message("No pod tolerates it. Pending pods that would be scheduled: %(pods)s.")
FEWER_PENDING = message("Pending pods that would be scheduled: %(pods)s.")
REMOVE_NODES = plural("Remove %(nodes)s node", "Remove %(nodes)s nodes", by="nodes")
DRAIN_AND_REMOVE = message("Drain and remove %(nodes)s.")
REMOVE_BUDGET = message("Delete the budget %(budget)s, or narrow its selector")
SELECTED_BY_OTHERS = message("Its pods are also selected by %(budgets)s.")
REFUSED_EVICTION = message("Evictions of its pods (%(pods)s) fail (500) while several budgets select them.")
COUNTS_ON = message("After the change of budgets: %(budgets)s.")
SET_REQUESTS = plural(
    "%(workloads)s workload, %(pods)s pods (see usage).",
    "%(workloads)s workloads, %(pods)s pods (see usage).",
    by="workloads",
)
OF_POOL = message("%(nodes)s of pool %(pool)s")
OF_NO_POOL = message("%(nodes)s of no pool")
OF_POOLS = message("Nodes: %(pools)s.")
HELPED = message("Scheduled: %(pods)s.")
COVERED = message("Not needed after recommendation %(numbers)s, for the same pods.")
ZONE_LOSS = message("If zone %(zone)s is lost, newly pending: %(after)s (without this: %(before)s).")
WHY_BOTH = message("The nodes that recommendation %(number)s removes (%(pools)s) reject these pods: %(reasons)s.")

# -- simulated ---------------------------------------------------------------------------------------------------------
# By what is measured, without a change and with it.
MEASURES: Final = {
    "kept": message("pods not evicted: %(before)s → %(after)s"),
    "pending": message("pending pods: %(before)s → %(after)s"),
    "nodes": message("nodes: %(before)s → %(after)s"),
}
SIMULATED = message("Simulated: %(effects)s.")
SIMULATED_DRAIN = message("Simulated drain of %(node)s: %(effects)s.")
SIMULATION = message("Simulation %(run)s in Berth.")

# -- what a change brings, and what it costs ---------------------------------------------------------------------------
GAINS: Final = {
    "pods_scheduled": plural("%(number)s pending pod scheduled", "%(number)s pending pods scheduled", by="number"),
    "nodes_drainable": plural(
        "budgets no longer block %(number)s node", "budgets no longer block %(number)s nodes", by="number"
    ),
    "nodes_removed": plural("%(number)s fewer node", "%(number)s fewer nodes", by="number"),
}
FREED = message("%(cpu)s and %(memory)s freed")
COSTS: Final = {
    "nodes_added": plural("%(number)s more node", "%(number)s more nodes", by="number"),
    "pods_evicted": plural("%(number)s pod leaves its node", "%(number)s pods leave their nodes", by="number"),
    "pods_restarted": plural("%(number)s pod restarted", "%(number)s pods restarted", by="number"),
    "newly_pending": plural("%(number)s pod newly pending", "%(number)s pods newly pending", by="number"),
    "workloads_fewer": plural(
        "%(number)s workload runs fewer pods", "%(number)s workloads run fewer pods", by="number"
    ),
    "quorums_lost": plural("%(number)s quorum lost", "%(number)s quorums lost", by="number"),
    "budgets_broken": plural("%(number)s budget broken", "%(number)s budgets broken", by="number"),
}
