"""The sentences of the decision page: what plugins ask, what their reasons mean, and what would help."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from clusters.engine.evidence import Unit, resource_unit
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
from dashboard.presenters.amounts import counted, grouped
from dashboard.presenters.evidence import amount

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine import Explanation
    from clusters.engine.plugin import Constraint
    from clusters.engine.relaxation import Lift, Reduction
    from clusters.engine.status import Status

# What a plugin decides, in a few words.
PLUGINS = {
    "SchedulingGates": "holds the pod back while it has gates",
    "NodeUnschedulable": "leaves cordoned nodes out",
    "NodeName": "keeps a pod to the node that it names",
    "TaintToleration": "taints that the pod must tolerate, or would rather avoid",
    "NodeAffinity": "node selector and node affinity",
    "NodePorts": "host ports must be free",
    "NodeResourcesFit": "room for what the pod requests",
    "VolumeRestrictions": "volumes that only one pod may hold",
    "NodeVolumeLimits": "how many volumes a node takes",
    "VolumeBinding": "claims must have, or get, a volume that the node reaches",
    "VolumeZone": "bound volumes must be in the node's zone",
    "PodTopologySpread": "spread over the domains of a topology",
    "InterPodAffinity": "nearness to other pods, or distance from them",
    "DynamicResources": "devices that the pod claims",
    "DefaultPreemption": "makes room by removing pods of lower priority",
    "NodeResourcesBalancedAllocation": "resources of the node used to like degrees",
    "ImageLocality": "images that the node holds already",
}

_NOTHING_TO_FILTER = {
    "NodeAffinity": "the pod has no node selector and no required node affinity",
    "NodePorts": "the pod has no host ports",
    "VolumeRestrictions": "no volume of the pod excludes other pods",
    "NodeVolumeLimits": "the pod has no volumes that count against a limit",
    "VolumeBinding": "the pod has no claims",
    "VolumeZone": "the pod has no bound volumes with a zone",
    "PodTopologySpread": "the pod has no spread constraint with DoNotSchedule",
    "InterPodAffinity": "the pod requires nothing of other pods, and no placed pod objects to it",
    "DynamicResources": "the pod has no resource claims",
}

_NOTHING_TO_SCORE = {
    "NodeAffinity": "the pod prefers no nodes",
    "NodeResourcesBalancedAllocation": "the pod requests none of the resources that are balanced",
    "PodTopologySpread": "there is no spread constraint with ScheduleAnyway, neither its own nor a default one",
    "InterPodAffinity": "neither the pod nor a placed pod prefers or avoids the other",
    "VolumeBinding": "scoring by storage capacity is off in Kubernetes' defaults",
}

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


def plugin_question(plugin: str) -> str:
    """Say what a plugin decides; one that Kubernetes does not bring decides what only it knows."""
    return PLUGINS.get(plugin, "is not part of Kubernetes")


def nothing_to_filter(plugin: str) -> str:
    """Say why a filter was skipped."""
    return f"Nothing to check: {_NOTHING_TO_FILTER.get(plugin, 'it says so itself for this pod')}."


def nothing_to_score(plugin: str) -> str:
    """Say why a score was skipped."""
    return f"Does not score: {_NOTHING_TO_SCORE.get(plugin, 'it says so itself for this pod')}."


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
        return "Cannot be scheduled: the cluster has no nodes."
    if not explanation.fits:
        return f"Cannot be scheduled: {of_nodes(explanation, 0)} fit. {_why_not(explanation)}"
    feasible = len(explanation.cycle.feasible)
    if feasible == 1:
        return f"Fits on {of_nodes(explanation, 1)}: {explanation.best[0]}."
    return f"Fits on {of_nodes(explanation, feasible)}; {best_nodes(explanation)}."


def best_nodes(explanation: Explanation) -> str:
    """Name the best node, its points, and how many others have as many."""
    best = explanation.best
    if explanation.cycle.score_error is not None:
        return "scoring them ends in an error, so the scheduler places the pod nowhere"
    points = counted(int(explanation.cycle.totals.max()), "point", "points")
    others = len(best) - 1
    tied = f", tied with {counted(others, 'other', 'others')}" if others else ""
    return f"best is {best[0]} with {points}{tied}"


def _why_not(explanation: Explanation) -> str:
    stopped = explanation.cycle.stopped_by
    if stopped is not None:
        return f"{stopped.plugin or 'PreFilter'} ends it before any node is looked at: {reasons(stopped.status)}."
    counts: Counter[str] = Counter()
    taints = [reason for reason, _ in reported_reasons(explanation) if _TAINT.fullmatch(reason)]
    for reason, number in reported_reasons(explanation):
        # A node reports its first untolerated taint only, so that the numbers add up.
        counts[_TAINTS if len(taints) > 1 and reason in taints else reason] += number
    return f"{'; '.join(what_nodes_do(number, reason) for reason, number in counts.most_common())}."


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


def placement(explanation: Explanation, node: str) -> str:
    """Say how good a placed pod's own node is, judged as of now."""
    row = explanation.snapshot.nodes.index.get(node)
    if row is None:
        return f"Is bound to {node}, a node that the mirror does not hold. {fits_or_not(explanation)}"
    total = explanation.total_of(row)
    if total is None:
        return f"Lies on {node}, where it would not fit if it were scheduled now. {fits_or_not(explanation)}"
    feasible = counted(len(explanation.cycle.feasible), "node", "nodes")
    if len(explanation.cycle.feasible) == 1:
        return f"Lies on {node}, the only one of {of_all(explanation)} that it fits on."
    points = counted(total, "point", "points")
    if node in explanation.best:
        others = len(explanation.best) - 1
        tied = f", tied with {counted(others, 'other', 'others')}" if others else ""
        return f"Lies on {node}, the best of the {feasible} that it fits on: {points}{tied}."
    return (
        f"Lies on {node} with {points}, rank {grouped(rank(explanation, total))} of the {feasible} that it fits on; "
        f"{best_nodes(explanation)}."
    )


def of_all(explanation: Explanation) -> str:
    """Write the number of all nodes."""
    return counted(explanation.node_count, "node", "nodes")


def rank(explanation: Explanation, total: int) -> int:
    """Return the place of a total: 1 for the best, the same for ties."""
    return int((explanation.cycle.totals > total).sum()) + 1


# -- what would help ---------------------------------------------------------------------------------------------------


def lifted(constraints: Iterable[Constraint]) -> str:
    """Name requirements as conditions of a sentence: `the pod tolerated gpu:NoSchedule`."""
    return " and ".join(_without(constraint) for constraint in constraints)


def _without(constraint: Constraint) -> str:
    if constraint.number < 0 or not constraint.about:
        return _WITHOUT_PLUGIN.get(constraint.plugin, f"{constraint.plugin} let every node pass")
    about = constraint.about
    match constraint.plugin:
        case "NodeResourcesFit" if about == "pods":
            return "nodes took one more pod"
        case "NodeResourcesFit":
            return f"the pod requested no {resource_name(about)}"
        case "TaintToleration":
            return f"the pod tolerated {about}"
        case "NodeAffinity":
            return f"the pod did not require {about}"
        case "PodTopologySpread":
            return f"the spread constraint {about} were not there"
        case "InterPodAffinity":
            kind, _, pods = about.partition(": ")
            return f"the {kind} ({pods}) were not there"
        case "NodePorts":
            return f"the pod did not need the host port {about}"
        case "NodeVolumeLimits":
            return f"{about} did not count against the limit"
        case _:
            return f"{about} did not restrict the pod ({constraint.plugin})"


_WITHOUT_PLUGIN = {
    "NodeUnschedulable": "cordoned nodes were uncordoned",
    "NodeName": "the pod did not name a node",
    "TaintToleration": "the pod tolerated every taint",
    "NodeAffinity": "the pod had no node selector and no required node affinity",
    "NodePorts": "the pod had no host ports",
    "NodeResourcesFit": "the pod requested nothing",
    "PodTopologySpread": "the pod had no spread constraints",
    "InterPodAffinity": "no pod required anything of the other",
    "VolumeRestrictions": "no other pod held the pod's volumes",
    "VolumeBinding": "every claim of the pod had a volume that each node reaches",
    "VolumeZone": "volumes had no zone",
    "NodeVolumeLimits": "nodes took any number of volumes",
}


def gain(lift: Lift, *, fits: bool) -> str:
    """Say what lifting requirements would gain; `fits` when there are nodes already."""
    nodes = counted(lift.gained, "more node", "more nodes") if fits else counted(lift.gained, "node", "nodes")
    return f"If {lifted(lift.lifted)}, {nodes} would take it."


def reduction(found: Reduction, node: str) -> str:
    """Say how much less would fit, and where."""
    unit = resource_unit(found.resource)
    fitting, asked = amount(found.fitting, unit), amount(found.asked, unit)
    of_what = "" if unit is Unit.MILLI_CPU else f" of {found.resource}"
    return f"Asking for {fitting}{of_what} instead of {asked}, it would fit on {node}."
