"""Plans of drains: batches, evictions, blocked nodes, answers as of now, and what a plan assumes."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.disruption import Block
from clusters.wording import states
from clusters.wording.messages import message, plural

BLOCKS: Final = {
    Block.FLAG: pgettext_lazy("what blocks a drain", "Needs a flag"),
    Block.TWO_BUDGETS: pgettext_lazy("what blocks a drain", "Several budgets"),
    Block.NEVER: pgettext_lazy("what blocks a drain", "Budget blocks until changed"),
    Block.BUDGET: pgettext_lazy("what blocks a drain", "Budget blocks until pods are ready"),
    Block.NO_ROOM: pgettext_lazy("what blocks a drain", "Replacements unschedulable"),
    Block.NOT_COMPUTED: states.NOT_COMPUTED,
}
_ASSUMPTIONS: Final = (
    gettext_lazy("kubectl drain --ignore-daemonsets: pods of DaemonSets stay."),
    gettext_lazy("Nothing else changes the cluster; pending pods stay pending."),
    gettext_lazy("A replacement has the same spec, and is ready before the next request."),
    gettext_lazy("The best node is taken, the first by name of equal ones. No pod is preempted."),
    gettext_lazy("Within a batch, budgets are charged by pod name; kubectl may evict another pod first."),
    gettext_lazy(
        "A node is not drained where a replacement would be unschedulable; kubectl would evict the pod all the same."
    ),
)
_CORDONED: Final = gettext_lazy("All chosen nodes are cordoned first, and stay cordoned.")
_ROLLING: Final = gettext_lazy("Only the nodes of a batch are cordoned: a replacement may be evicted again.")

# Answers as of now.
NOTHING_TO_EVICT: Final = gettext_lazy("No pod has to be evicted.")
STAYS: Final = pgettext_lazy("answer to an eviction", "Stays")
NOT_REQUESTED: Final = pgettext_lazy("answer to an eviction", "Not requested")
NEEDS_A_FLAG: Final = pgettext_lazy("answer to an eviction", "Needs a flag")
FORBIDDEN: Final = pgettext_lazy("answer to an eviction", "Forbidden (403)")

# What keeps a plan from being shown.
CHANGES_TOO_FAST: Final = gettext_lazy("The cluster changes too fast to be read.")
NO_CONFIGURATION: Final = gettext_lazy("The cluster's scheduler configuration cannot be read.")
NOT_YET: Final = gettext_lazy("The plan is not made yet.")

# The columns of a plan as a file.
COLUMNS: Final = (
    pgettext_lazy("column of a file", "batch"),
    pgettext_lazy("column of a file", "node"),
    pgettext_lazy("column of a file", "pod"),
    pgettext_lazy("column of a file", "request"),
    pgettext_lazy("column of a file", "answer"),
    pgettext_lazy("column of a file", "because"),
    pgettext_lazy("column of a file", "placed on"),
    pgettext_lazy("column of a file", "how chosen"),
    pgettext_lazy("column of a file", "remarks"),
)


def assumptions(*, uncordon: bool) -> list[str]:
    """Return what a plan assumes."""
    return [*map(str, _ASSUMPTIONS), str(_ROLLING if uncordon else _CORDONED)]


TITLE = plural("Drain %(nodes)s node", "Drain %(nodes)s nodes", by="nodes")


NODE_DRAINED = message("%(node)s can be drained.")
NODE_BLOCKED = message("%(node)s cannot be drained. Nothing would be evicted.")
DRAINED = plural(
    "%(done)s of %(nodes)s node can be drained.", "%(done)s of %(nodes)s nodes can be drained.", by="nodes"
)
IN_BATCHES = plural("It takes %(batches)s batch.", "It takes %(batches)s batches.", by="batches")
EVICTED = plural("%(pods)s pod is evicted.", "%(pods)s pods are evicted.", by="pods")


PLACED = plural(
    "%(pods)s replacement is placed on another node.", "%(pods)s replacements are placed on other nodes.", by="pods"
)
UNCERTAIN = plural("%(pods)s placement is uncertain.", "%(pods)s placements are uncertain.", by="pods")
WITHOUT_REPLACEMENT = plural("%(pods)s needs no replacement.", "%(pods)s need no replacement.", by="pods")
NOT_RECREATED = plural(
    "%(pods)s is not recreated: it has no controller.",
    "%(pods)s are not recreated: they have no controller.",
    by="pods",
)
BLOCKED = message("%(reason)s: %(nodes)s.")
REQUESTS = plural("%(rounds)s request", "%(rounds)s requests", by="rounds")
REPEATED = plural(
    "Some evictions are refused at first and requested %(rounds)s time.",
    "Some evictions are refused at first and requested %(rounds)s times.",
    by="rounds",
)
TOGETHER = plural("%(nodes)s node is drained.", "%(nodes)s nodes are drained at the same time.", by="nodes")
STAYING = plural("%(pods)s pod stays.", "%(pods)s pods stay.", by="pods")
EVICTIONS = plural("%(number)s eviction", "%(number)s evictions", by="number")
ANSWERED = message("%(answer)s: %(pods)s", context="answers to evictions")
BEGINS = plural(
    "A worker reads the cluster's state, then plans %(nodes)s node.",
    "A worker reads the cluster's state, then plans %(nodes)s nodes.",
    by="nodes",
)
PROGRESS = plural(
    "Planned in the background: %(done)s of %(nodes)s node.",
    "Planned in the background: %(done)s of %(nodes)s nodes.",
    by="nodes",
)
BLOCKED_TAB = message("Blocked nodes (%(nodes)s)")
BATCH_TITLE = message("Batch %(number)s")
