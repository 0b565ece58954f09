"""The list of runs, how far one is, and its steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.counts import PENDING_PODS
from clusters.wording.messages import message, plural
from clusters.wording.problems import problem_sentence

if TYPE_CHECKING:
    from clusters.engine.simulation import Step


# The state of a simulation or of a study, by what is stored.
STATES: Final = {
    "queued": pgettext_lazy("state of a simulation", "Queued"),
    "running": pgettext_lazy("state of a simulation", "Running"),
    "done": pgettext_lazy("state of a simulation", "Done"),
    "cancelled": pgettext_lazy("state of a simulation", "Cancelled"),
    "failed": pgettext_lazy("state of a simulation", "Failed"),
}

# What stands in the place of a result.
WAITS_FOR_WORKER: Final = gettext_lazy("It waits for a worker.")
BEING_CANCELLED: Final = gettext_lazy("It is being cancelled.")
BEGINS: Final = gettext_lazy("The cluster is being prepared.")
CANCELLED_BEFORE: Final = gettext_lazy("Cancelled before it began.")
IT_FAILED: Final = gettext_lazy("It failed.")
IT_IS_DONE: Final = gettext_lazy("It is done.")
DELETED_USER: Final = gettext_lazy("a deleted account")
DECIDED = plural(
    "%(done)s of %(total)s pods decided, in %(steps)s step.",
    "%(done)s of %(total)s pods decided, in %(steps)s steps.",
    by="steps",
)
CANCELLED_AFTER = message("Cancelled after %(done)s of %(total)s pods.")

# What came of it.
NOTHING_WANTED: Final = gettext_lazy("No pod was to be placed.")
PLACED = plural("%(placed)s of %(wanted)s pod placed.", "%(placed)s of %(wanted)s pods placed.", by="wanted")
COUNTS: Final = {
    "uncertain": message("%(number)s uncertain"),
    "newly": message("%(number)s newly pending"),
    "before": message("%(number)s pending as before"),
    "forbidden": message("%(number)s not created"),
    "not-computed": message("%(number)s not computed"),
    "preempted": message("%(number)s preempted"),
    "evicted": message("%(number)s evicted"),
    "deleted": message("%(number)s deleted with failed Jobs"),
    "refused": message("%(number)s not evicted by budgets"),
    "held": message("%(number)s not evicted without --force"),
}

# What it was made from.
BEGAN_WITH: Final = gettext_lazy("Began with")
CONFIGURATION: Final = gettext_lazy("Configuration")
ORDERED_BY: Final = gettext_lazy("Started by")
DEFAULT_CONFIGURATION: Final = gettext_lazy("Kubernetes’ defaults")
EMPTY_CLUSTER: Final = gettext_lazy("An empty cluster")
ON_EVERY_NODE: Final = gettext_lazy("Pod by pod, on every node")
ON_SAMPLED_NODES: Final = gettext_lazy("Pod by pod, sampling nodes")
AT_ONCE: Final = gettext_lazy("All at once")
MAY_MOVE: Final = gettext_lazy("placed pods may move")
WHOLE_GROUPS: Final = gettext_lazy("whole groups only")
CLUSTER_AT = message("%(cluster)s at revision %(revision)s")
OWN_CONFIGURATION = plural("Its own, profile %(profiles)s", "Its own, profiles %(profiles)s", by="number")


# Filters.
SEARCH_HINT: Final = gettext_lazy("Part of a title")
CLUSTER: Final = pgettext_lazy("filter", "Cluster")
LISTING_ORDERED_BY: Final = pgettext_lazy("filter", "Started by")
ME: Final = pgettext_lazy("who", "Me")
MADE_FOR: Final = pgettext_lazy("filter", "Made for")
PEOPLE: Final = pgettext_lazy("purpose", "People")
REVIEWS: Final = pgettext_lazy("purpose", "Reviews")

# Pages that are not there.
NO_STEPS_YET: Final = gettext_lazy("No steps yet.")
NO_SUCH_FIGURE: Final = gettext_lazy("No such figure.")


HAS_STEPS = message("Steps: %(steps)s.")
STEP_NODE: Final = gettext_lazy("node of this step")
DELETED = message("“%(title)s” is deleted.")


NOTHING_PENDING: Final = gettext_lazy("No pod is pending")


def message_of(step: Step) -> str:
    """Quote the message that a step has, or say its problem; empty where it has neither."""
    return step.message if step.problem is None else problem_sentence(step.problem)


PLACED_ON = message("%(pod)s is placed on %(node)s.")
FEASIBLE = message("Feasible nodes: %(feasible)s.")
TOTAL = message("Points: %(points)s.")
# Bars of a zone.
CPU_REQUESTED = message("CPU requested in %(zone)s")
MEMORY_REQUESTED = message("Memory requested in %(zone)s")
PODS_IN = message("Pods in %(zone)s")

NO_ATTEMPT = message("Step %(number)s is no attempt.")
TIE = message("%(nodes)s nodes score the same; search order decides (until 1.34 the seed).")
FITS_ON_NONE = plural("%(pod)s fits on 0 of %(nodes)s node.", "%(pod)s fits on 0 of %(nodes)s nodes.", by="nodes")
REJECTED_BY = message("%(said)s Rejected by %(plugins)s.")
CLAIM_REFUSED = message("%(pod)s is not bound: a quota refuses its ResourceClaim.")
NOMINATED = message("Preemption nominates it to %(node)s.")
VICTIMS_GONE = plural("%(victims)s victim terminates at once.", "%(victims)s victims terminate at once.", by="victims")
VICTIMS_TERMINATE = plural(
    "%(victims)s victim terminates within %(seconds)s s.",
    "%(victims)s victims terminate within %(seconds)s s.",
    by="victims",
)
IS_GATED = message("%(pod)s has scheduling gates.")
NOT_PLACED = message("%(pod)s is not placed.")
REFUSED_BY_API_SERVER = message("%(pod)s is refused by the API server.")
NOT_CREATED_YET = message("%(pod)s is not created.")
IS_PREEMPTED = message("%(pod)s is preempted on %(node)s by %(preemptor)s.")
IS_EVICTED = message("%(pod)s is evicted from %(node)s.")
EVICTED_BY_TAINT = message("%(pod)s is evicted from %(node)s by the taint %(taint)s.")
EVICTED_BY_DRAIN = message("%(pod)s is evicted from %(node)s for the drain of %(drained)s.")
EVICTED_FOR_POD = message("%(pod)s is moved from %(node)s for %(other)s.")
MOVED = message("%(pod)s is moved from %(node)s (%(points)s points) to a node with over %(cost)s more.")
EVICTION_REFUSED = message("The eviction of %(pod)s from %(node)s is refused.")
HELD = message("The drain of %(node)s needs --force: nothing controls %(pod)s.")
# What became of pods that are gone, on a node, and of those that never had one.
DELETED_FROM = message("%(pod)s is deleted from %(node)s, as its Job has failed.")
DELETED_PENDING = message("%(pod)s is deleted, as its Job has failed.")
TERMINATES = message("%(said)s It terminates for %(seconds)s s.")
IS_GONE = message("%(pod)s is gone from %(node)s.")
COMPLETED_ON = message("%(pod)s completes on %(node)s.")
NEVER_PLACED = message("%(pod)s ends without being placed.")
KEPT_FOR_NOMINATED = message("Capacity on %(node)s counts as used for the nominated %(pods)s.")
KEPT_ON_MORE = plural("The same holds on %(nodes)s more node.", "The same holds on %(nodes)s more nodes.", by="nodes")
SEARCHED = plural(
    "%(nodes)s node searched, %(feasible)s feasible.", "%(nodes)s nodes searched, %(feasible)s feasible.", by="nodes"
)


def pending_title(pods: int) -> str:
    """Head the list of pods that are pending after a step."""
    return PENDING_PODS(number=pods) if pods else str(NOTHING_PENDING)
