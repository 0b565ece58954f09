"""The sentences about pods that wait: for what, what would free them, and when the scheduler looks again."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from clusters.engine.analysis.causes import Kind
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
from clusters.engine.registry import reads_amounts
from clusters.wording import amounts
from clusters.wording.amounts import Unit, counted, grouped, resource_unit
from clusters.wording.causes import cause_reason
from clusters.wording.lifts import liftings
from clusters.wording.lists import begun
from clusters.wording.plugins import wording_of
from clusters.wording.reasons import nodes_by_reason
from clusters.wording.remedies import remedy_sentence
from clusters.wording.resources import resource_names
from dashboard.presenters import wording
from dashboard.presenters.pending import queue_words
from dashboard.presenters.shared import failures

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from clusters.engine.analysis.causes import Cause, Change, Finding
    from clusters.services.pending.pods import CauseGroup, ClusterPending, Way

KINDS = {
    Kind.UNSCHEDULABLE: "Cannot be scheduled",
    Kind.FITS: "Fits now",
    Kind.PREEMPTS: "Fits by preemption",
    Kind.NOMINATED: "Nominated",
    Kind.VOLUME: "Waits for a volume",
    Kind.GATED: "Gated",
    Kind.OTHER_SCHEDULER: "Another scheduler",
    Kind.ERROR: "Ends in an error",
    Kind.UNCERTAIN: "Uncertain",
    Kind.UNREAD: "Not judged here",
    Kind.NOT_COMPUTED: "Could not be computed",
}
BADGES = {
    Kind.UNSCHEDULABLE: "bad",
    Kind.FITS: "good",
    Kind.PREEMPTS: "warn",
    Kind.NOMINATED: "warn",
    Kind.VOLUME: "bad",
    Kind.GATED: "info",
    Kind.ERROR: "bad",
    Kind.NOT_COMPUTED: "warn",
    Kind.UNCERTAIN: "uncertain",
}
# So many causes are told in the sentence; the rest is counted.
_TOLD = 4
_TAINTS = "TaintToleration"

_FOR_KIND = {
    Kind.FITS: "for the scheduler's next look",
    Kind.PREEMPTS: "for preemption to make room",
    Kind.NOMINATED: "for pods to leave the nominated node",
    Kind.UNREAD: "for what was not looked into here",
    Kind.NOT_COMPUTED: "for what could not be computed",
}
_FOR_REASON = {
    node_resources_fit.TOO_MANY_PODS: "because nodes hold as many pods as they may",
    node_unschedulable.REASON: "because nodes are cordoned",
    node_name.REASON: "for the node that is named",
    node_affinity.REASON_POD: "because of node selectors or node affinity",
    node_affinity.REASON_ENFORCED: "because of the affinity that the profile adds",
    node_ports.REASON: "for a host port",
    pod_topology_spread.REASON_SKEW: "because of spread constraints",
    pod_topology_spread.REASON_LABEL: "for the topology label of a spread constraint",
    inter_pod_affinity.REASON_AFFINITY: "because of pod affinity",
    inter_pod_affinity.REASON_ANTI_AFFINITY: "because of pod anti-affinity",
    inter_pod_affinity.REASON_EXISTING: "because of other pods' anti-affinity",
    volume_restrictions.DISK_CONFLICT: "for a disk that another pod holds",
    volume_restrictions.CLAIM_CONFLICT: "for a claim that another pod holds alone",
    node_volume_limits.REASON: "because nodes take no more volumes",
    volume_zone.REASON: "because of a volume's zone",
    volume_binding.NODE_CONFLICT: "for a node that reaches a volume",
    volume_binding.BIND_CONFLICT: "for a volume that suits a claim",
    volume_binding.NO_SPACE: "for storage for a claim",
    volume_binding.VOLUME_MISSING: "for a volume that does not exist",
}
# The reasons with which the scheduler ends a cycle before any node, the claim's name left out.
_FOR_CLAIM = {
    "persistentvolumeclaim not found": "for a claim that does not exist",
    "persistentvolumeclaim is being deleted": "for a claim that is being deleted",
    "pod has unbound immediate PersistentVolumeClaims": "for a claim to be bound",
}


def phrase(cause: Cause) -> str:
    """Say what pods wait for, after `3 pods wait`."""
    match cause.kind:
        case Kind.GATED:
            return f"for {_gates(cause)} to be removed"
        case Kind.OTHER_SCHEDULER:
            return f"for {cause.scheduler_name}, another scheduler"
        case Kind.VOLUME if cause.is_provisioning:
            return "for a volume that is being provisioned"
        case Kind.VOLUME:
            reason = cause_reason(cause)
            return _FOR_CLAIM.get(reason, f"for a volume: {reason}")
        case Kind.UNCERTAIN if cause.has_no_nodes:
            return "for nodes, of which there are none here"
        case Kind.ERROR:
            return f"because of an error of {', '.join(cause.plugins)}"
        case Kind.UNCERTAIN:
            return f"and are uncertain to fit: {cause_reason(cause)}"
        case Kind.UNSCHEDULABLE:
            return _rejected(cause)
        case _:
            return _FOR_KIND[cause.kind]


def _gates(cause: Cause) -> str:
    return f"the gate{'s' * (len(cause.gates) > 1)} {', '.join(cause.gates)}"


def _rejected(cause: Cause) -> str:
    if len(cause.plugins) > 1:
        return f"because of {_several(cause)} together"
    if cause.plugins == (_TAINTS,):
        return "because of taints"
    if lacking := _lacking(cause):
        return f"for lack of {lacking}"
    reason = ", ".join(cause.reasons)
    return _FOR_REASON.get(reason, f"because of {', '.join(cause.plugins)}: {reason}")


def _lacking(cause: Cause) -> str:
    """Name the resources whose lack a cause is; empty where it is something else."""
    return "" if node_resources_fit.PODS in cause.resources else resource_names(cause.resources)


def _several(cause: Cause) -> str:
    """Name what frees pods only together."""
    lacking = _lacking(cause)
    return wording.listed(
        [
            f"lack of {lacking}" if lacking and reads_amounts(plugin) else wording_of(plugin).requires()
            for plugin in cause.plugins
        ]
    )


def sentence(pending: ClusterPending, now: datetime) -> str:
    """Say how many pods wait, for what, and how long the oldest has waited."""
    counts: Counter[str] = Counter()
    failed = 0
    for group in pending.groups.values():
        counts[phrase(group.cause)] += len(group.pods)
        failed += len(group.pods) * (group.cause.kind is Kind.NOT_COMPUTED)
    told = counts.most_common(_TOLD if len(counts) > _TOLD + 1 else None)
    rest = pending.total - sum(number for _, number in told)
    parts = [f"{grouped(number)} {what}" for what, number in told]
    if rest:
        parts.append(f"{grouped(rest)} for other causes")
    causes = parts[0].partition(" ")[2] if len(parts) == 1 else f": {', '.join(parts)}"
    waits = counted(pending.total, "pod waits", "pods wait")
    since = next(iter(pending.groups.values())).since
    oldest = f"; the oldest for {amounts.age(now - since)}" if since is not None else ""
    not_computed = f" {not_computed_words(failed)}." if failed else ""
    return f"{waits}{'' if causes.startswith(':') else ' '}{causes}{oldest}.{not_computed}"


def not_computed_words(pods: int) -> str:
    """Count the pods whose explanation failed."""
    return f"{counted(pods, 'pod', 'pods')} could not be computed"


def title(group: CauseGroup) -> str:
    """Name a group: how many wait for what."""
    if group.cause.kind is Kind.NOT_COMPUTED:
        return not_computed_words(len(group.pods))
    return f"{counted(len(group.pods), 'pod waits', 'pods wait')} {phrase(group.cause)}"


def why(group: CauseGroup) -> str:
    """Say in a sentence or two what was found, of the most pods that are alike."""
    findings = group.findings
    finding, _ = findings[0]
    match group.cause.kind:
        case Kind.FITS:
            return f"{_fits([found for found, _ in findings])} The scheduler places a pod that fits at its next look."
        case Kind.GATED:
            return "The scheduler does not look at pods with scheduling gates; whoever set a gate removes it."
        case Kind.OTHER_SCHEDULER:
            return "No profile of this cluster's scheduler has that name. How the other one decides is not known here."
        case Kind.UNREAD:
            return (
                "So many pods wait that are unlike all others that these were not judged on this page. Their own are."
            )
        case Kind.NOT_COMPUTED:
            return f"{failures.what(group.cause.reference)} {failures.remedy(group.cause.reference)}"
        case Kind.UNCERTAIN | Kind.ERROR:
            return _unsettled(group.cause)
        case Kind.VOLUME if group.cause.is_provisioning:
            return "The scheduler has chosen a node, and waits for a volume to be made there before it binds the pod."
        case Kind.VOLUME:
            return (
                f"{', '.join(group.cause.plugins)} ends it before any node is looked at: {cause_reason(group.cause)}."
            )
        case Kind.PREEMPTS:
            return "No node has room as things are. Removing pods of lower priority would make some."
        case Kind.NOMINATED:
            return "The scheduler has chosen a node, and waits for pods of lower priority to leave it."
        case Kind.UNSCHEDULABLE:
            of_nodes = f"0 of {counted(finding.node_count, 'node fits', 'nodes fit')}"
            return f"{of_nodes}. {nodes_by_reason(finding.reasons)}.{_for_whom(group, finding)}"


def _for_whom(group: CauseGroup, finding: Finding) -> str:
    """Say for how many pods the numbers of a finding hold, unless they do for all."""
    alike = sum(number for found, number in group.findings if found.reasons == finding.reasons)
    if alike == len(group.pods):
        return ""
    return f" That holds for {grouped(alike)} of the {grouped(len(group.pods))}; for the others the numbers differ."


def _fits(findings: Iterable[Finding]) -> str:
    feasible = sorted(found.feasible for found in findings)
    total = counted(next(iter(findings)).node_count, "node", "nodes")
    if feasible[0] == feasible[-1]:
        return f"Fits on {grouped(feasible[0])} of {total}."
    return f"Each fits on {grouped(feasible[0])} to {grouped(feasible[-1])} of {total}."


def _unsettled(cause: Cause) -> str:
    if cause.kind is Kind.ERROR:
        return f"Every attempt ends in an error, whatever other nodes say: {cause_reason(cause)}."
    if cause.has_no_nodes:
        return "The cluster has no nodes here: nothing can be judged."
    return f"Nodes pass all that is computed. What is not may still reject these pods: {cause_reason(cause)}."


def way(group: CauseGroup) -> str:
    """Say which single change would free the most pods; empty where nothing has to change."""
    if group.cause.kind is not Kind.UNSCHEDULABLE and group.cause.kind is not Kind.VOLUME:
        return ""
    if group.cause.is_provisioning:
        return ""
    found = group.way
    if found is None:
        return "No single change would be enough."
    return _enough(found, len(group.pods))


def _enough(found: Way, pods: int) -> str:
    if pods == 1:
        fit, each = "it would fit", ""
    else:
        number = "all" if found.frees == pods else grouped(found.frees)
        fit, each = f"{number} of {grouped(pods)} would fit", ", each judged by itself"
        if found.frees == pods:
            fit = f"all {grouped(pods)} would fit"
    change = found.change
    if change.remedy is not None:
        remedy = remedy_sentence(change.remedy)
        return remedy if pods == 1 else f"{remedy} Then {fit}{each}."
    if change.reduced:
        return f"{_less(change, is_alike=found.is_alike)}, {fit}{each}."
    nodes = counted(change.gained, "node", "nodes")
    where = f" on {nodes}" if found.is_alike else ""
    condition = f"{begun(liftings(change.lifted))}: {fit}{where}{each}."
    return condition if len(change.lifted) == 1 else f"No single change is enough, but two together are. {condition}"


def _less(change: Change, *, is_alike: bool) -> str:
    if not is_alike:
        return f"Asking for less {wording.listed([wording.resource_name(each.resource) for each in change.reduced])}"
    return f"Asking for at most {wording.listed([_at_most(each.resource, each.fitting) for each in change.reduced])}"


def _at_most(resource: str, fitting: int) -> str:
    unit = resource_unit(resource)
    text = amounts.at_most(fitting) if unit is Unit.BYTES else amounts.quantity(resource, fitting)
    return text if unit is Unit.MILLI_CPU else f"{text} of {resource}"


def wakes(cause: Cause) -> str:
    """Say what makes the scheduler look at the pods of a group again; empty where that is not known."""
    if cause.kind not in (Kind.UNSCHEDULABLE, Kind.VOLUME):
        return ""
    found = [said for plugin in cause.plugins if (said := queue_words.wakes(plugin))]
    return f"The scheduler looks again when {'; or '.join(dict.fromkeys(found))}." if found else ""
