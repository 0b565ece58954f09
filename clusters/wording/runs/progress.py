"""How far a simulation is, what came of it in one sentence, and from what it was made."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message, plural

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
HAPPENED = message("%(first)s %(counts)s.")
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
SCHEDULER: Final = gettext_lazy("Scheduler")
CONFIGURATION: Final = gettext_lazy("Configuration")
KUBERNETES: Final = gettext_lazy("Kubernetes")
SEED: Final = gettext_lazy("Seed")
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
