"""Drains in words: which nodes can be drained, where their pods go, and what stands in the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.disruption import Block, EvictionAnswer, Flag, Ground, Handling, Landing, Outlook, Treatment
from clusters.wording import counts, states
from clusters.wording.amounts import grouped
from clusters.wording.conclusions import uncertain_sentence
from clusters.wording.decisions.nodes import key
from clusters.wording.lists import first_of
from clusters.wording.messages import message, plural
from clusters.wording.runs.summary import FEWER_PODS, grave_sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


# -- The list of nodes with what a drain of each meets now, and the choice of those to be drained ---------------------


OUTLOOKS: Final = {
    Outlook.NOW: pgettext_lazy("what a drain meets now", "Can be drained now"),
    Outlook.ALLOWED: pgettext_lazy("what a drain meets now", "Allowed by budgets"),
    Outlook.WAITS: pgettext_lazy("what a drain meets now", "Blocked until pods are ready"),
    Outlook.FORCE: pgettext_lazy("what a drain meets now", "Needs --force"),
    Outlook.NO_ROOM: pgettext_lazy("what a drain meets now", "Replacements unschedulable"),
    Outlook.LASTING: pgettext_lazy("what a drain meets now", "Blocked until changed"),
}

POOL: Final = pgettext_lazy("column", "Pool")
KUBELET: Final = pgettext_lazy("column", "Kubelet")
PODS_TO_EVICT: Final = pgettext_lazy("column", "Pods to evict")
DRAIN_NOW: Final = pgettext_lazy("column", "A drain now")
BLOCKED_BY: Final = pgettext_lazy("column", "Blocked by")

NO_BUDGET: Final = pgettext_lazy("what blocks a drain", "no budget")
NOTHING: Final = pgettext_lazy("what blocks a drain", "nothing")

# What the states of the list assume.
CALLED: Final = gettext_lazy("Each node alone, with --ignore-daemonsets and --delete-emptydir-data.")
NO_CONFIGURATION: Final = gettext_lazy("Replacements are not placed here: the scheduler configuration cannot be read.")

# The choice of nodes.
SEARCH_HINT: Final = gettext_lazy("Name, zone, pool, version or type")
AT_A_TIME: Final = pgettext_lazy("label of a choice", "At a time")
KUBECTL: Final = pgettext_lazy("label of a choice", "kubectl drain")
DRAINED_NODES: Final = pgettext_lazy("label of a choice", "Drained nodes")
NONE: Final = pgettext_lazy("choice of a filter", "None")
AS_BUDGETS_ALLOW: Final = pgettext_lazy("how many nodes at a time", "As budgets allow")
WITHOUT_FORCE: Final = pgettext_lazy("flags of kubectl drain", "Without --force")
WITH_FORCE: Final = pgettext_lazy("flags of kubectl drain", "With --force")
KEEPING_DATA: Final = pgettext_lazy("flags of kubectl drain", "Without --delete-emptydir-data")
STAY_CORDONED: Final = pgettext_lazy("what becomes of drained nodes", "Stay cordoned")
UNCORDONED: Final = pgettext_lazy("what becomes of drained nodes", "Are uncordoned")


AT_MOST = message("At most %(nodes)s", context="how many nodes at a time")
DRAINABLE = plural(
    "%(ready)s of %(nodes)s node can be drained now.", "%(ready)s of %(nodes)s nodes can be drained now.", by="nodes"
)
ALSO_WAITING = message("Also blocked until pods are ready: %(nodes)s of the other blocked nodes.")
ALLOWED = plural(
    "Budgets and controllers allow %(ready)s of %(nodes)s drain now.",
    "Budgets and controllers allow %(ready)s of %(nodes)s drains now.",
    by="nodes",
)


TOO_MANY_PODS = message("Replacements are not placed here: there are %(pods)s, more than %(most)s. A plan places them.")
UNMANAGED = plural(
    "%(pods)s pod without a controller needs --force", "%(pods)s pods without a controller need --force", by="pods"
)
FOR_NOW = message("%(refused)s until pods are ready")


PLAN_ALL = message("Plan the drain of these %(nodes)s")


# -- What becomes of one pod in a drain -------------------------------------------------------------------------------


EMPTY_DIR_LOST: Final = pgettext_lazy("note on an eviction", "emptyDir lost")
NOT_RECREATED: Final = pgettext_lazy("note on an eviction", "Not recreated")
MOVES_AGAIN: Final = pgettext_lazy("note on an eviction", "Evicted again")
IS_NOT_RECREATED: Final = gettext_lazy("Not recreated: it has no controller.")
ALREADY_REPLACED: Final = gettext_lazy("Its replacement exists already.")
NO_REPLACEMENT: Final = gettext_lazy("Needs no replacement.")
NOT_BEGUN: Final = gettext_lazy("kubectl drain does not begin: other pods need a flag.")
WHY_IT_STAYS: Final = {
    Treatment.DAEMON_SET: gettext_lazy("Stays: a DaemonSet's pod."),
    Treatment.STATIC: gettext_lazy("Stays: a static pod."),
}


_ANSWERS: Final = {
    200: pgettext_lazy("answer to an eviction", "Allowed (200)"),
    429: pgettext_lazy("answer to an eviction", "Refused by a budget (429)"),
    500: pgettext_lazy("answer to an eviction", "Misconfigured (500)"),
}
_OTHER_ANSWER = message("Refused (%(code)s)", context="answer to an eviction")
GATED = message("Its replacement is %(state)s.")
_GROUNDS: Final = {
    Ground.FINISHED: message("The pod has finished."),
    Ground.STARTING: message("The pod has not started."),
    Ground.TERMINATING: message("The pod is terminating already."),
    Ground.NO_BUDGET: message("No budget selects the pod."),
    Ground.UNHEALTHY_ALLOWED: message("The pod is not ready; %(budget)s always allows the eviction of such pods."),
    Ground.UNHEALTHY_SPARED: message("The pod is not ready; %(budget)s has enough healthy pods."),
    Ground.WITHIN_BUDGET: message("Charged to %(budget)s."),
    Ground.NOT_OBSERVED: message("The spec of %(budget)s has not been observed yet."),
    Ground.EXHAUSTED: message("%(budget)s allows 0 disruptions."),
    Ground.OVERFULL: message("%(budget)s has too many unconfirmed evictions."),
    Ground.NEGATIVE: message("The status of %(budget)s is negative."),
    Ground.SEVERAL_BUDGETS: message("Several budgets select the pod."),
}
AT_REQUEST = message("Allowed at request %(number)s.")
_ONLY_NODE: Final = gettext_lazy("The only feasible node.")
_BEST_NODE = message("The best of %(nodes)s feasible nodes.")
_ONE_OF_THE_BEST = message("One of the %(best)s best of %(nodes)s feasible nodes.")


def eviction_answer(code: int) -> str:
    """Name an answer of the Eviction API."""
    return str(_ANSWERS[code]) if code in _ANSWERS else _OTHER_ANSWER(code=str(code))


def ground(answer: EvictionAnswer, namespace: str) -> str:
    """Say what an answer of the Eviction API rests on."""
    budget = "/".join((namespace, answer.budgets[0])) if answer.budgets else ""
    return _GROUNDS[answer.ground](budget=budget)


def refused(answer: EvictionAnswer) -> str:
    """Return the API server's own words."""
    return " ".join(filter(None, (answer.message, answer.detail)))


def landing(replacement: Landing) -> str:
    """Say how a replacement's node is chosen."""
    if replacement.feasible == 1:
        said = str(_ONLY_NODE)
    elif replacement.best == 1:
        said = _BEST_NODE(nodes=replacement.feasible)
    else:
        said = _ONE_OF_THE_BEST(best=replacement.best, nodes=replacement.feasible)
    if not replacement.uncertain:
        return said
    return " ".join((said, uncertain_sentence(replacement.uncertain)))


OTHER_SCHEDULER = message("Scheduler %(scheduler)s places its replacement; where is not known.")
PREEMPTIBLE = plural(
    "It would fit on %(nodes)s node by preemption.", "It would fit on %(nodes)s nodes by preemption.", by="nodes"
)
_FLAGS: Final = {
    Flag.EMPTY_DIR: message("Needs %(flag)s: its emptyDir data would be lost."),
    Flag.FORCE: message("Needs %(flag)s: it has no controller, and is not recreated."),
}
_EVICTING = message("Evicting one of its ready pods now: %(answer)s.")
_QUOTED = message("The API server says: %(message)s")


def needed_flags(handling: Handling) -> str:
    """Say which flags of kubectl drain a pod needs, and why."""
    return " ".join(_FLAGS[flag](flag=str(flag)) for flag in handling.wants)


def evicting(answer: EvictionAnswer, namespace: str) -> str:
    """Say what evicting one of a workload's ready pods is answered now, and quote the API server where it refuses."""
    said = [_EVICTING(answer=eviction_answer(answer.code)), ground(answer, namespace)]
    if answer.message:
        said.append(_QUOTED(message=answer.detail or answer.message))
    return " ".join(said)


# -- What a plan of a drain does to workloads -------------------------------------------------------------------------


# Key numbers.
UNIT_OF_EVICTIONS: Final = gettext_lazy("evictions")
UNSCHEDULABLE: Final = gettext_lazy("replacements unschedulable")
REFUSED: Final = gettext_lazy("evictions refused by budgets")

# Effects on a workload, beside those of runs.
KEEPS_UNSCHEDULABLE: Final = pgettext_lazy("effect on a workload", "Replacements unschedulable")
KEEPS_REFUSED: Final = pgettext_lazy("effect on a workload", "Evictions refused")


def sentences(workloads: Mapping[str, Any]) -> list[str]:
    """Say what a plan does to workloads, those that stop or are without their quorum by name."""
    if not workloads["workloads"]:
        return []
    return [FEWER_PODS(fewer=workloads["fewer"], workloads=workloads["workloads"]), *grave_sentences(workloads)]


# -- The batches of a drain's plan as steps of its map, in words ------------------------------------------------------


BEFORE: Final = gettext_lazy("Before the first batch")
WHOLE: Final = pgettext_lazy("step of the map of a drain", "Whole plan")
SCALE: Final = pgettext_lazy("steps of the map of a drain", "Batches")


BATCHES = plural("%(number)s batch", "%(number)s batches, one after another", by="number")


FIGURE = message("%(nodes)s, −%(pods)s", context="a batch of a drain")
NO_SUCH_BATCH = plural("The plan has %(number)s batch.", "The plan has %(number)s batches.", by="number")


# -- Plans of drains --------------------------------------------------------------------------------------------------


BLOCKS_OF: Final = {
    Block.FLAG: pgettext_lazy("what blocks a drain", "Needs a flag"),
    Block.TWO_BUDGETS: pgettext_lazy("what blocks a drain", "Several budgets"),
    Block.NEVER: pgettext_lazy("what blocks a drain", "Budget blocks until changed"),
    Block.BUDGET: pgettext_lazy("what blocks a drain", "Budget blocks until pods are ready"),
    Block.NO_ROOM: pgettext_lazy("what blocks a drain", "Replacements unschedulable"),
    Block.NOT_COMPUTED: states.NOT_COMPUTED,
}
_ASSUMPTIONS: Final = (
    gettext_lazy("kubectl drain --ignore-daemonsets: pods of DaemonSets stay."),
    gettext_lazy("Nothing else changes the cluster."),
    gettext_lazy("A replacement has the same spec, and is ready before the next request."),
    gettext_lazy("The best node is taken, the first by name of equal ones."),
    gettext_lazy("Within a batch, budgets are charged by pod name; kubectl may evict another first."),
    gettext_lazy("A node is not drained where a replacement would be unschedulable; kubectl would evict all the same."),
)
# Why a plan and what is simulated differ, beside the numbers of both.
COUNTS_ALONE: Final = gettext_lazy(
    "A drain plan leaves pending pods pending, and none preempts; the map and simulations try them afterwards."
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
PLAN_WITHOUT_CONFIGURATION: Final = gettext_lazy("The cluster's scheduler configuration cannot be read.")
NOT_YET: Final = gettext_lazy("The plan is not made yet.")


def assumptions(*, uncordon: bool) -> list[str]:
    """Return what a plan assumes."""
    return [*map(str, _ASSUMPTIONS), str(_ROLLING if uncordon else _CORDONED)]


TITLE = message("Drain %(nodes)s")


NODE_DRAINED = message("%(node)s can be drained.")
NODE_BLOCKED = message("%(node)s cannot be drained.")
NOTHING_EVICTED: Final = gettext_lazy("Nothing would be evicted.")
KUBECTL_EVICTS = message("kubectl drain evicts %(gone)s of %(pods)s.")
KUBECTL_WAITS = message("It waits for %(left)s.")
KUBECTL_FAILS = plural(
    "It ends with an error: %(failed)s eviction fails.",
    "It ends with an error: %(failed)s evictions fail.",
    by="failed",
)
CAN_BE_DRAINED = plural(
    "%(done)s of %(nodes)s node can be drained.", "%(done)s of %(nodes)s nodes can be drained.", by="nodes"
)
IN_BATCHES = plural("It takes %(batches)s batch.", "It takes %(batches)s batches.", by="batches")
EVICTED = plural("%(pods)s pod is evicted.", "%(pods)s pods are evicted.", by="pods")


PLACED = plural(
    "%(pods)s replacement is placed on another node.", "%(pods)s replacements are placed on other nodes.", by="pods"
)
UNPLACED = plural("%(pods)s replacement is unschedulable.", "%(pods)s replacements are unschedulable.", by="pods")
UNCERTAIN = plural("%(pods)s placement is uncertain.", "%(pods)s placements are uncertain.", by="pods")
WITHOUT_REPLACEMENT = plural("%(pods)s needs no replacement.", "%(pods)s need no replacement.", by="pods")
PODS_NOT_RECREATED = plural(
    "%(pods)s is not recreated: it has no controller.",
    "%(pods)s are not recreated: they have no controller.",
    by="pods",
)
REQUESTS = plural("%(rounds)s request", "%(rounds)s requests", by="rounds")
REPEATED = plural(
    "Some evictions are refused at first and requested %(rounds)s time.",
    "Some evictions are refused at first and requested %(rounds)s times.",
    by="rounds",
)
TOGETHER = plural("%(nodes)s node is drained.", "%(nodes)s nodes are drained at the same time.", by="nodes")
STAYING = plural("%(pods)s pod stays.", "%(pods)s pods stay.", by="pods")
EVICTIONS = plural("%(number)s eviction", "%(number)s evictions", by="number")
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


# -- The map of a plan of a drain in words ----------------------------------------------------------------------------


DRAINED: Final = pgettext_lazy("nodes of the map of a drain", "drained")
DRAINED_LATER: Final = pgettext_lazy("nodes of the map of a drain", "drained, evictions refused at first")
RECEIVES: Final = pgettext_lazy("nodes of the map of a drain", "receiving pods")
UNCHANGED: Final = pgettext_lazy("nodes of the map of a drain", "neither drained nor receiving pods")
NO_SUCH_POOL: Final = gettext_lazy("The cluster has no such zone or pool.")
NO_SUCH_NODE: Final = gettext_lazy("The cluster has no such node.")
# A pool by itself has not got the nodes to which the pods of others go.
OTHER_ENDS: Final = gettext_lazy("Arrows to elsewhere are on the map of all nodes.")


ARRIVING = plural("%(number)s replacement", "%(number)s replacements", by="number")


_SUMMARY = plural(
    "Map of %(nodes)s: %(keys)s. %(moved)s pod moves.", "Map of %(nodes)s: %(keys)s. %(moved)s pods move.", by="moved"
)


def summary(nodes: int, keys: Iterable[tuple[int, str]], moved: int) -> str:
    """Say the whole map: what becomes of how many nodes, and how many pods go from node to node."""
    said = ", ".join(key(number, label, "") for number, label in keys)
    return _SUMMARY(nodes=counts.NODES(number=nodes), keys=said, moved=moved)


def figure(*, leaving: int, arriving: int) -> str:
    """Say in signed numbers how many pods leave a node and how many arrive; empty where none does."""
    left = f"−{grouped(leaving)}" if leaving else ""
    came = f"+{grouped(arriving)}" if arriving else ""
    return f"{left} {came}".strip()


MORE_DRAINED = plural("%(nodes)s more drained node", "%(nodes)s more drained nodes", by="nodes")


_REFUSED = message("Refused at first: %(pods)s.")
_PLACED_ON = message("Replacements are placed on %(nodes)s.")
_ARRIVE = plural(
    "%(pods)s replacement is placed here, from %(nodes)s.",
    "%(pods)s replacements are placed here, from %(nodes)s.",
    by="pods",
)
BLOCKED_BY_PODS = message("Blocked by %(pods)s.")


def leave(pods: int, refused: int, targets: Sequence[tuple[str, int]]) -> str:
    """Say how many pods of a node are evicted, how many of them not at once, and where their replacements go."""
    said = [EVICTED(pods=pods)]
    if refused:
        said.append(_REFUSED(pods=refused))
    if targets:
        said.append(_PLACED_ON(nodes=_nodes(targets)))
    return " ".join(said)


def arrive(pods: int, sources: Sequence[tuple[str, int]]) -> str:
    """Say how many replacements are placed on a node, and from which nodes their pods come."""
    return _ARRIVE(pods=pods, nodes=_nodes(sources))


def _nodes(nodes: Sequence[tuple[str, int]]) -> str:
    return first_of([f"{name} ({grouped(pods)})" for name, pods in nodes])
