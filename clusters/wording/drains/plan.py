"""Plans of drains: batches, evictions, blocked nodes, answers as of now, and what a plan assumes."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.engine.disruption import Block
from clusters.wording import states
from clusters.wording.amounts import grouped
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
    gettext_lazy("As kubectl drain --ignore-daemonsets does: pods of DaemonSets stay."),
    gettext_lazy(
        "Nothing else changes the cluster: no scaling, no rollout, no node that is added or removed. Pods that are "
        "pending now stay pending."
    ),
    gettext_lazy(
        "A replacement has the same spec (in a StatefulSet the same name), is created once the evicted "
        "pod is gone, and is ready before the next request."
    ),
    gettext_lazy("The best node is taken, the first by name of equal ones. No pod is preempted."),
    gettext_lazy(
        "Budgets are updated between batches; within one they are charged eviction by eviction, by pod "
        "name. kubectl evicts a node's pods at once, so another of them may be first."
    ),
    gettext_lazy(
        "A node is not drained where a replacement of one of its pods would be unschedulable. kubectl would evict the "
        "pod all the same, and its replacement would be pending."
    ),
)
_CORDONED: Final = gettext_lazy("All chosen nodes are cordoned first, as by kubectl, and stay cordoned.")
_ROLLING: Final = gettext_lazy(
    "Only the nodes of a batch are cordoned, and they are uncordoned afterwards. A replacement may be placed on a node "
    "that is drained later, and evicted again."
)

# Answers as of now.
ALL_AT_ONCE: Final = gettext_lazy("Every eviction is allowed at the first request.")
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


def node_drained(node: str, *, is_blocked: bool) -> str:
    """Say whether the only node of a plan can be drained."""
    if is_blocked:
        return _("%(node)s cannot be drained. Nothing would be evicted.") % {"node": node}
    return _("%(node)s can be drained.") % {"node": node}


DRAINED = plural(
    "%(done)s of %(nodes)s node can be drained.", "%(done)s of %(nodes)s nodes can be drained.", by="nodes"
)
IN_BATCHES = plural("It takes %(batches)s batch.", "It takes %(batches)s batches.", by="batches")
EVICTED = plural("%(pods)s pod is evicted.", "%(pods)s pods are evicted.", by="pods")


def placed(replacements: int) -> str:
    """Say for how many evicted pods a replacement is placed."""
    return ngettext(
        "%(pods)s replacement is placed on another node.",
        "%(pods)s replacements are placed on other nodes.",
        replacements,
    ) % {"pods": grouped(replacements)}


def uncertain(replacements: int) -> str:
    """Say how many of these placements are uncertain."""
    return ngettext(
        "%(pods)s of these placements is uncertain.", "%(pods)s of these placements are uncertain.", replacements
    ) % {"pods": grouped(replacements)}


def without_replacement(pods: int) -> str:
    """Say how many evicted pods need no replacement."""
    return ngettext("%(pods)s needs no replacement.", "%(pods)s need no replacement.", pods) % {"pods": grouped(pods)}


def not_recreated(pods: int) -> str:
    """Say how many evicted pods nothing recreates."""
    return ngettext(
        "%(pods)s is not recreated: it has no controller.", "%(pods)s are not recreated: they have no controller.", pods
    ) % {"pods": grouped(pods)}


def blocked(kind: Block, nodes: int) -> str:
    """Say how many nodes cannot be drained for one reason."""
    return _("%(reason)s: %(nodes)s.") % {"reason": BLOCKS[kind], "nodes": grouped(nodes)}


def requested(rounds: int) -> str:
    """Say how often the evictions of a batch are requested; empty where once is enough."""
    if rounds == 1:
        return ""
    return ngettext("%(rounds)s request", "%(rounds)s requests", rounds) % {"rounds": grouped(rounds)}


REPEATED = plural(
    "Some evictions are refused at first and requested %(rounds)s time, after replacements are ready.",
    "Some evictions are refused at first and requested %(rounds)s times, after replacements are ready.",
    by="rounds",
)
TOGETHER = plural("%(nodes)s node is drained.", "%(nodes)s nodes are drained at the same time.", by="nodes")
STAYING = plural("%(pods)s pod stays.", "%(pods)s pods stay.", by="pods")
EVICTIONS = plural("%(number)s eviction", "%(number)s evictions", by="number")
MORE_REASONS = plural("and %(number)s more reason", "and %(number)s more reasons", by="number")
MORE_PODS = plural("and %(number)s more pod", "and %(number)s more pods", by="number")
ANSWERED = message("%(answer)s: %(pods)s", context="answers to evictions")
BEGINS = plural(
    "A worker makes plans of so many pods. It reads the cluster's state first, then it plans %(nodes)s node.",
    "A worker makes plans of so many pods. It reads the cluster's state first, then it plans %(nodes)s nodes.",
    by="nodes",
)
PROGRESS = plural(
    "Planned in the background: %(done)s of %(nodes)s node.",
    "Planned in the background: %(done)s of %(nodes)s nodes.",
    by="nodes",
)
BLOCKED_TAB = message("Blocked nodes (%(nodes)s)")
BATCH_TITLE = message("Batch %(number)s")
