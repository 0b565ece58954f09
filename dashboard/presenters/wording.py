"""The sentences of the decision page: what plugins ask, what their reasons mean, and what would help."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from clusters.engine.conclusion import Conclusion
from clusters.engine.plugins import (
    inter_pod_affinity,
    node_affinity,
    node_name,
    node_ports,
    node_resources_fit,
    node_unschedulable,
    node_volume_limits,
    pod_topology_spread,
    volume_binding,
    volume_restrictions,
    volume_zone,
)
from clusters.wording import attempts
from clusters.wording.amounts import counted, grouped
from clusters.wording.conclusions import uncertainty_clauses

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine import Explanation
    from clusters.engine.status import Status

# Stands for several taints in one sentence.
_TAINTS = "untolerated taints"

# What a node is or does that gives a reason: for one node, and for several.
_REASONS = {
    _TAINTS: ("has a taint that the pod does not tolerate", "have taints that the pod does not tolerate"),
    node_resources_fit.TOO_MANY_PODS: ("has no room for another pod", "have no room for another pod"),
    node_unschedulable.REASON: ("is cordoned", "are cordoned"),
    node_name.REASON: (
        "is not the node that the pod names",
        "are not the node that the pod names",
    ),
    node_affinity.REASON_POD: (
        "does not match the pod's node selector or affinity",
        "do not match the pod's node selector or affinity",
    ),
    node_affinity.REASON_ENFORCED: (
        "does not match the affinity that the profile adds",
        "do not match the affinity that the profile adds",
    ),
    node_ports.REASON: (
        "has a host port of the pod in use",
        "have a host port of the pod in use",
    ),
    pod_topology_spread.REASON_SKEW: (
        "would break a spread constraint",
        "would break a spread constraint",
    ),
    pod_topology_spread.REASON_LABEL: (
        "lacks the topology label of a spread constraint",
        "lack the topology label of a spread constraint",
    ),
    inter_pod_affinity.REASON_AFFINITY: (
        "is not near the pods that the pod must be near",
        "are not near the pods that the pod must be near",
    ),
    inter_pod_affinity.REASON_ANTI_AFFINITY: (
        "is near pods that the pod must keep away from",
        "are near pods that the pod must keep away from",
    ),
    inter_pod_affinity.REASON_EXISTING: (
        "is near pods that keep such a pod away",
        "are near pods that keep such a pod away",
    ),
    volume_restrictions.DISK_CONFLICT: (
        "has a pod that holds a disk of the pod",
        "have a pod that holds a disk of the pod",
    ),
    volume_restrictions.CLAIM_CONFLICT: (
        "cannot have a claim that another pod holds alone",
        "cannot have a claim that another pod holds alone",
    ),
    volume_binding.VOLUME_MISSING: (
        "cannot have a claim whose volume does not exist",
        "cannot have a claim whose volume does not exist",
    ),
    node_volume_limits.REASON: ("takes no more volumes", "take no more volumes"),
    volume_zone.REASON: (
        "is in another zone than a volume of the pod",
        "are in another zone than a volume of the pod",
    ),
    volume_binding.NODE_CONFLICT: (
        "cannot reach a volume of the pod",
        "cannot reach a volume of the pod",
    ),
    volume_binding.BIND_CONFLICT: (
        "has no volume for a claim of the pod",
        "have no volume for a claim of the pod",
    ),
    volume_binding.NO_SPACE: (
        "has too little storage for a claim of the pod",
        "have too little storage for a claim of the pod",
    ),
}

_INSUFFICIENT = re.compile(r"Insufficient (?P<resource>\S+)")
_TAINT = re.compile(r"node\(s\) had untolerated taint \{(?P<key>[^:]*): (?P<value>.*)\}", re.DOTALL)
_RULED_OUT = re.compile(r"node\(s\) didn't satisfy plugin\(s\) \[(?P<plugins>.*)\]")
_RESOURCES = {"cpu": "CPU"}
_PLACED = {"Running": "Runs", "Succeeded": "Ran", "Failed": "Ran"}
_LACKS = "lacks "
# So many pods can be named in a sentence.
_NAMED_VICTIMS = 2


def resource_name(resource: str) -> str:
    """Write a resource as people do."""
    return _RESOURCES.get(resource, resource)


def what_nodes_do(number: int, reason: str) -> str:
    """Say of a number of nodes what a reason of the scheduler means: `41 lack CPU`."""
    return f"{grouped(number)} {what_they_do(number, reason)}"


def what_they_do(number: int, reason: str) -> str:
    """Say the same without the number: `lack CPU`."""
    one, many = _spoken(reason)
    return one if number == 1 else many


def _spoken(reason: str) -> tuple[str, str]:
    if found := _REASONS.get(reason):
        return found
    if match := _INSUFFICIENT.fullmatch(reason):
        resource = resource_name(match["resource"])
        return f"lacks {resource}", f"lack {resource}"
    if match := _TAINT.fullmatch(reason):
        taint = f"{match['key']}={match['value']}" if match["value"] else match["key"]
        return f"has the untolerated taint {taint}", f"have the untolerated taint {taint}"
    if match := _RULED_OUT.fullmatch(reason):
        plugins = listed(match["plugins"].split())
        return f"is ruled out by {plugins} beforehand", f"are ruled out by {plugins} beforehand"
    return f"says: {reason}", f"say: {reason}"


def listed(words: Sequence[str]) -> str:
    """Join words as a sentence does: `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def of_nodes(explanation: Explanation, number: int) -> str:
    """Write `12 of 60 nodes`."""
    return f"{grouped(number)} of {counted(explanation.node_count, 'node', 'nodes')}"


# -- the verdict -------------------------------------------------------------------------------------------------------


def fits_or_not(explanation: Explanation) -> str:
    """Say on how many nodes the pod fits and which is best, or why it fits on none."""
    if not explanation.node_count:
        return (
            "Cannot be judged: the cluster has no nodes here. Upload the nodes too; without them no pod fits anywhere."
        )
    if explanation.error is not None:
        return f"{attempts.error_sentence(explanation.error)} {attempts.passing_sentence(explanation)}"
    if not explanation.fits:
        return _fits_nowhere(explanation)
    feasible = len(explanation.cycle.feasible)
    fits = "Fits"
    if explanation.conclusion is Conclusion.UNCERTAIN:
        fits = f"Uncertain: {uncertainty_clauses(explanation.uncertainties)}. Passes all that is computed"
    if feasible == 1:
        return f"{fits} on {of_nodes(explanation, 1)}: {explanation.best[0]}."
    return f"{fits} on {of_nodes(explanation, feasible)}; {best_nodes(explanation)}."


def _fits_nowhere(explanation: Explanation) -> str:
    preemption = explanation.preemption
    if preemption is None or preemption.selected is None:
        return f"Cannot be scheduled: {of_nodes(explanation, 0)} fit. {_why_not(explanation)}"
    node, victims = preemption.selected.node, preemption.selected.victims
    who = listed(victims) if len(victims) <= _NAMED_VICTIMS else f"{grouped(len(victims))} pods of lower priority"
    would = "Might" if explanation.uncertainties else "Would"
    return (
        f"{would} fit by preemption: removing {who} from {node} makes room. "
        f"As things are, {of_nodes(explanation, 0)} fit. {_why_not(explanation)}"
    )


def best_nodes(explanation: Explanation) -> str:
    """Name the best node, its points, and how many others have as many."""
    best = explanation.best
    if explanation.error is not None:
        return f"{attempts.error_clause(explanation.error)}, so the scheduler would place the pod nowhere"
    if explanation.takes_nominated:
        return attempts.nomination_clause(explanation)
    points = counted(int(explanation.cycle.totals.max()), "point", "points")
    others = len(best) - 1
    tied = f", tied with {counted(others, 'other', 'others')}" if others else ""
    return f"best is {best[0]} with {points}{tied}"


def _why_not(explanation: Explanation) -> str:
    stopped = explanation.cycle.stopped_by
    if stopped is not None:
        return f"{stopped.plugin or 'PreFilter'} ends it before any node is looked at: {reasons(stopped.status)}."
    return f"{nodes_by_reason(reported_reasons(explanation))}."


def nodes_by_reason(found: Sequence[tuple[str, int]]) -> str:
    """Say how many nodes give which of the scheduler's reasons, taints put together: `41 lack CPU; 2 are cordoned`."""
    counts: Counter[str] = Counter()
    taints = [reason for reason, _ in found if _TAINT.fullmatch(reason)]
    for reason, number in found:
        # A node reports its first untolerated taint only, so that the numbers add up.
        counts[_TAINTS if len(taints) > 1 and reason in taints else reason] += number
    return "; ".join(what_nodes_do(number, reason) for reason, number in counts.most_common())


def reported_reasons(explanation: Explanation) -> list[tuple[str, int]]:
    """Return each reason that the scheduler records and on how many nodes, most first."""
    counts: Counter[str] = Counter()
    for group in explanation.groups:
        if group.verdict is not None:
            for reason in group.verdict.status.reasons:
                counts[reason] += len(group)
    return counts.most_common()


def reasons(status: Status) -> str:
    """Join the reasons of a status as the scheduler spells them."""
    return ", ".join(status.reasons) or str(status.code)


def placement(explanation: Explanation, node: str, phase: str) -> str:
    """Say how good a placed pod's own node is, judged as of now; `phase` is the pod's."""
    row = explanation.snapshot.nodes.index.get(node)
    if row is None:
        return f"Is bound to {node}, a node that the mirror does not hold. {fits_or_not(explanation)}"
    there = f"{_PLACED.get(phase, 'Is placed')} on {node}"
    total = explanation.total_of(row)
    if total is None:
        return (
            f"{there}, where it would not fit if it were scheduled now: the node {why_not_there(explanation, row)}. "
            f"{fits_or_not(explanation)}"
        )
    feasible = counted(len(explanation.cycle.feasible), "node", "nodes")
    if len(explanation.cycle.feasible) == 1:
        return f"{there}, the only one of {of_all(explanation)} that it fits on."
    points = counted(total, "point", "points")
    if node in explanation.best:
        others = len(explanation.best) - 1
        tied = f", tied with {counted(others, 'other', 'others')}" if others else ""
        return f"{there}, the best of the {feasible} that it fits on: {points}{tied}."
    return (
        f"{there} with {points}, rank {grouped(rank(explanation, total))} of the {feasible} that it fits on; "
        f"{best_nodes(explanation)}."
    )


def why_not_there(explanation: Explanation, row: int) -> str:
    """Say what stands against one node, everything that rejects it: `is cordoned and lacks CPU`."""
    statuses = [*explanation.rejections_of(row).values()]
    verdict = explanation.verdict_of(row)
    if not statuses and verdict is not None:
        statuses = [verdict.status]
    said = [what_they_do(1, reason) for status in statuses for reason in status.reasons or (str(status.code),)]
    against = listed(_lacks_together(list(dict.fromkeys(said))))
    if more := only_with_nominated(explanation, row):
        them = [what_they_do(1, reason) for status in more.values() for reason in status.reasons]
        return f"{against}; {_counting(explanation, row)}, it {listed(_lacks_together(list(dict.fromkeys(them))))} too"
    return f"{against}{because_of_nominated(explanation, row)}"


def only_with_nominated(explanation: Explanation, row: int) -> dict[str, Status]:
    """Return what rejects a node only once nominated pods count, where it is rejected without them already."""
    alone = explanation.rejections_of(row)
    if not alone or explanation.decided_by_nominated(row):
        return {}
    counted_in = explanation.rejections_with_nominated(row)
    return {plugin: status for plugin, status in counted_in.items() if plugin not in alone}


def _lacks_together(said: list[str]) -> list[str]:
    """Say of several things that are lacking that they are, once and last."""
    lacking = [each.removeprefix(_LACKS) for each in said if each.startswith(_LACKS)]
    others = [each for each in said if not each.startswith(_LACKS)]
    return [*others, f"{_LACKS}{listed(lacking)}"] if lacking else others


def because_of_nominated(explanation: Explanation, row: int) -> str:
    """Name the nominated pods without which the verdict on a node would be another; empty where there are none."""
    return f", {_counting(explanation, row)}" if explanation.decided_by_nominated(row) else ""


def _counting(explanation: Explanation, row: int) -> str:
    names = explanation.nominated_on(row)
    are = "is" if len(names) == 1 else "are"
    return f"counting {listed(names)}, which {are} nominated for it"


def of_all(explanation: Explanation) -> str:
    """Write the number of all nodes."""
    return counted(explanation.node_count, "node", "nodes")


def rank(explanation: Explanation, total: int) -> int:
    """Return the place of a total: 1 for the best, the same for ties."""
    return int((explanation.cycle.totals > total).sum()) + 1
