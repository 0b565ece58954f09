"""What another version decides otherwise: of pods, drains and pod groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.upgrading import AmendmentKind, AnswerAspect, DrainAspect
from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.conclusions import conclusion_word
from clusters.wording.lists import first_of
from clusters.wording.messages import message, plural
from clusters.wording.releases import DECIDES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine.conclusion import Conclusion


ASPECTS: Final = {
    AnswerAspect.ADMISSION: gettext_lazy("Admission"),
    AnswerAspect.VERDICT: gettext_lazy("Result"),
    AnswerAspect.PREEMPTION: gettext_lazy("Preemption"),
    AnswerAspect.NODES: gettext_lazy("Best nodes"),
    AnswerAspect.MESSAGE: gettext_lazy("FailedScheduling message"),
}
CONFIGURATION: Final = gettext_lazy("Scheduler configuration")
SETTING_ABSENT: Final = pgettext_lazy("value of a setting", "absent")
CREATED: Final = pgettext_lazy("answer of the API server", "The API server creates the pod.")
BEFORE: Final = pgettext_lazy("under the release that runs", "Before")
AFTER: Final = pgettext_lazy("under the later release", "After")
FIGURE: Final = gettext_lazy("Differences by release")
RELEASE: Final = pgettext_lazy("column", "Release")
NOT_CHANGED: Final = pgettext_lazy("a release", "nothing changes")
DIFFERENCES = plural("%(number)s difference", "%(number)s differences", by="number")
KUBERNETES = message("Kubernetes %(minor)s")
NO_LATER: Final = gettext_lazy("No later Kubernetes minor is known.")
NOT_EVALUATED: Final = gettext_lazy("The upgrade cannot be evaluated.")
IN_PROGRESS: Final = gettext_lazy("A worker evaluates the cluster under each minor; this takes up to two minutes.")

_NOTHING = message("Upgrade to %(after)s: nothing changes for %(workloads)s and %(pending)s.")
_CHANGES = message(
    "Upgrade to %(after)s: %(results)s with another result, %(nodes)s with other best nodes, %(messages)s with another "
    "message, of %(workloads)s and %(pending)s."
)


def headline(*, after: str, workloads: int, pending: int, results: int, nodes: int, messages: int) -> str:
    """Say how many answers an upgrade changes: results first, messages alone last."""
    of_workloads, of_pods = counts.WORKLOADS(number=workloads), counts.PENDING_PODS(number=pending)
    if not results and not nodes and not messages:
        return _NOTHING(after=after, workloads=of_workloads, pending=of_pods)
    return _CHANGES(
        after=after, workloads=of_workloads, pending=of_pods, results=results, nodes=nodes, messages=messages
    )


LEFT_OUT = plural(
    "Not evaluated, beyond the limit: %(number)s pod or workload.",
    "Not evaluated, beyond the limit: %(number)s pods or workloads.",
    by="number",
)
NOT_COMPUTED = plural("%(number)s pod could not be evaluated.", "%(number)s pods could not be evaluated.", by="number")
_TIES = message(
    "Kubernetes %(after)s nearly always takes the first of equally good nodes: %(workloads)s and %(pending)s have some."
)


def ties(*, after: str, workloads: int, pending: int) -> str:
    """Say that one of several best nodes is no longer taken at random, and how many pods have several."""
    return _TIES(after=after, workloads=counts.WORKLOADS(number=workloads), pending=counts.PENDING_PODS(number=pending))


REFUSED = message("kube-scheduler %(release)s does not start with this configuration. %(problem)s")
REFUSED_PODS = plural(
    "The API server refuses the next pod of %(number)s workload under either minor. %(workload)s: %(why)s",
    "The API server refuses the next pod of %(number)s workloads under either minor, first %(workload)s: %(why)s",
    by="number",
)


def counted(*, workloads: int, pending: int) -> str:
    """Say for how many workloads and pending pods something changes."""
    return ", ".join((counts.WORKLOADS(number=workloads), counts.PENDING_PODS(number=pending)))


NEXT_POD = message("next pod of %(kind)s %(namespace)s/%(name)s")

# What a configuration means otherwise to a release.
PLUGIN = message("%(release)s, %(profile)s: %(plugin)s joins %(point)s.")
WEIGHTED_PLUGIN = message("%(release)s, %(profile)s: %(plugin)s in %(point)s has weight %(weight)s.")
PLUGIN_GONE = message("%(release)s, %(profile)s: %(plugin)s leaves %(point)s.")
REORDERED = message("%(release)s, %(profile)s: %(point)s has another order, first %(first)s.")
SETTING = message("%(release)s, %(profile)s: %(plugin)s has %(name)s %(value)s.")

# What keeps a release from starting.
OBSTACLES: Final = gettext_lazy("kube-scheduler does not start, or crashes, after the upgrade")
CRASH = message(
    "%(release)s: scoring a CSIStorageCapacity without capacity, of StorageClass %(name)s, crashes kube-scheduler."
)
LOCKED_GATE = message(
    "%(release)s: the feature gate %(name)s is locked to %(locked)s. Take %(name)s=%(value)s out of --feature-gates."
)
REMOVED_GATE = message(
    "%(release)s: the feature gate %(name)s is removed. Take %(name)s=%(value)s out of --feature-gates."
)
TAKEN_NAME = message("%(release)s: Kubernetes has a plugin %(name)s of its own. Rename another of this name.")

NOT_HELPFUL: Final = pgettext_lazy("outcome of preemption", "not helpful")
_FOR_GROUP = message("for its whole group, victims: %(victims)s")
_ON_NODE = message("on %(node)s, victims: %(victims)s")
_TIP = message("%(plugin)s: lead of %(node_after)s over %(node_before)s %(before)s before, %(after)s after.")


def verdict(conclusion: Conclusion, message: str | None) -> str:
    """Name a verdict, with the scheduler's message where there is one."""
    word = conclusion_word(conclusion)
    return word if message is None else f"{word}: {message}"


def preemption(node: str | None, victims: Sequence[str]) -> str:
    """Say on which node preemption makes room, if not for a whole group of pods, and which pods it removes."""
    if node is not None:
        return _ON_NODE(node=node, victims=first_of(victims))
    return _FOR_GROUP(victims=first_of(victims)) if victims else str(NOT_HELPFUL)


def tip(*, plugin: str, node_before: str, node_after: str, lead_before: int, lead_after: int) -> str:
    """Say which plugin tips the choice: by how many points the one node leads the other; what trails is negative."""
    before, after = (f"\u2212{grouped(-lead)}" if lead < 0 else grouped(lead) for lead in (lead_before, lead_after))
    return _TIP(plugin=plugin, node_before=node_before, node_after=node_after, before=before, after=after)


TITLE: Final = gettext_lazy("Drain of each node pool")
DRAINS_FIGURE: Final = gettext_lazy("Nodes of each pool by what differs in their drain")
POOL: Final = pgettext_lazy("column", "Node pool")
SAME: Final = pgettext_lazy("drain of a node under both releases", "nothing changes")
NOT_DRAINED: Final = pgettext_lazy("drain of a node under both releases", "not evaluated")
DRAINS_ASPECTS: Final = {
    DrainAspect.VERDICT: pgettext_lazy("what differs in a drain", "Whether it is drained"),
    DrainAspect.NODES: pgettext_lazy("what differs in a drain", "Nodes of the replacements"),
    DrainAspect.MESSAGE: gettext_lazy("FailedScheduling message"),
}
_NO_POOL: Final = gettext_lazy("nodes without a pool")
DRAINED: Final = pgettext_lazy("drain of a node", "Drained")
NODE_POOLS = plural("%(number)s node pool", "%(number)s node pools", by="number")
DRAINED_OF = plural("%(drained)s of %(nodes)s node evaluated", "%(drained)s of %(nodes)s nodes evaluated", by="nodes")
DRAINS_LEFT_OUT = plural(
    "Not drained, beyond the limit: %(number)s node pool.",
    "Not drained, beyond the limit: %(number)s node pools.",
    by="number",
)
DRAINED_WITH = plural(
    "Drained; %(number)s replacement is placed.", "Drained; %(number)s replacements are placed.", by="number"
)
BLOCKED_BY = message("%(reason)s: %(budgets)s refuses %(pods)s.")
LEFT_PENDING = message("%(reason)s: %(pods)s. %(message)s")
REPLACED_UNCERTAINLY_ON = message("%(pod)s on %(node)s, uncertain")
DRAINS_HEADLINE = message("Drain: %(changed)s of %(nodes)s in %(pools)s would meet something else.")


def pool_name(name: str) -> str:
    """Name a pool, or the nodes that have none."""
    return name or str(_NO_POOL)


POD_GROUPS_TITLE: Final = gettext_lazy("Pod groups")
GROUP: Final = pgettext_lazy("column in the terminal", "Pod group")
ALONE: Final = gettext_lazy("Each pod is scheduled by itself.")
NOT_FOUND: Final = gettext_lazy("The group does not exist: its pods stay out of the queue.")
GATED: Final = gettext_lazy("SchedulingGated: a gated pod keeps the whole group out of the queue.")
ERROR: Final = gettext_lazy("SchedulerError: every attempt ends with an error.")
UNCERTAIN: Final = pgettext_lazy("what becomes of a group of pods", "Uncertain: it is not computed.")
HEADLINE = plural(
    "%(changed)s of %(evaluated)s pod group with pending pods would be placed otherwise.",
    "%(changed)s of %(evaluated)s pod groups with pending pods would be placed otherwise.",
    by="evaluated",
)
POD_GROUPS_LEFT_OUT = plural(
    "%(groups)s pod group with pending pods was not evaluated.",
    "%(groups)s pod groups with pending pods were not evaluated.",
    by="groups",
)
WAITING = plural(
    "Waiting for pods: %(pods)s of minCount %(least)s pod exists.",
    "Waiting for pods: %(pods)s of minCount %(least)s pods exist.",
    by="least",
)
SCHEDULED = plural(
    "Scheduled: %(found)s pod on %(nodes)s.",
    "Scheduled: %(found)s pods on %(nodes)s.",
    by="found",
)
SCHEDULED_IN = plural(
    "Scheduled in the topology domain %(domain)s: %(found)s pod on %(nodes)s.",
    "Scheduled in the topology domain %(domain)s: %(found)s pods on %(nodes)s.",
    by="found",
)
UNSCHEDULABLE = plural(
    "Unschedulable: %(found)s of minCount %(least)s pod has or finds a node.",
    "Unschedulable: %(found)s of minCount %(least)s pods have or find a node.",
    by="least",
)
WAITS_ON_PERMIT = plural(
    "Unschedulable for now: %(found)s of minCount %(least)s pod waits at Permit.",
    "Unschedulable for now: %(found)s of minCount %(least)s pods wait at Permit.",
    by="least",
)
PREEMPTS = message("Fits by preemption of %(names)s.")


# Every plugin by name: rules and gates stand in a table for all of them.
_RULES: Final = {
    "features": gettext_lazy("NodeDeclaredFeatures looks at other kubelet features."),
    "names_taints": gettext_lazy("TaintToleration names no taint in its message (from 1.34.2)."),
    "counts_label_bytes": gettext_lazy("The limit of labels is given in bytes."),
    "compares_unnamed_namespaces": gettext_lazy(
        "A namespaceSelector of affinity terms that only excludes no longer reaches every namespace."
    ),
    "balances_by_improvement": gettext_lazy("NodeResourcesBalancedAllocation scores improvement."),
    "scores_image_volumes": gettext_lazy("ImageLocality counts image volumes."),
    "counts_image_volumes": gettext_lazy("ImageLocality expects more images for image volumes."),
    "asks_nodes_about_portworx": gettext_lazy("NodeVolumeLimits counts Portworx volumes for its CSI driver."),
    "asks_drivers_to_prevent": gettext_lazy(
        "NodeVolumeLimits rejects nodes without a CSI driver (preventPodSchedulingIfMissing)."
    ),
    "counts_whole_pods": gettext_lazy("NodeResourcesFit counts the largest of spec, allocated and actual resources."),
    "scores_claims_by_position": gettext_lazy(
        "Whether DynamicResources takes allocations for those of a pod's first claims."
    ),
    "completes_pods_after_admission": gettext_lazy("Pod-level resources are derived after LimitRanges."),
    "names_groups_in_workloads": gettext_lazy("A pod names a PodGroup, not a Workload."),
    "evaluates_groups_first": gettext_lazy("Groups try all their pods before preemption."),
    "tells_nodes_by_name": gettext_lazy("A starting scheduler learns the nodes in no order."),
    "takes_first_found": gettext_lazy("Of equally good nodes the first is taken."),
    "names_preemptions": gettext_lazy("FailedScheduling says where preemption makes room."),
    "looks_at_victims_once": gettext_lazy("Preemption spares the first of pods that have not started."),
    "says_what_devices_lack": gettext_lazy("DynamicResources has no message for claims it cannot free."),
    "requeues_for_classes": gettext_lazy("A changed DeviceClass requeues pods."),
    "requeues_for_deleted_claims": gettext_lazy("A deleted ResourceClaim requeues pods."),
    "scores_whole_pods": gettext_lazy("NodeResourcesFit scores what a pod requests as a whole."),
    "saturates": gettext_lazy("Amounts beyond int64 stop at its ends."),
    "ties_overhead_to_containers": gettext_lazy(
        "What a device takes of its node for a container counts while that runs."
    ),
    "counts_for_empty_selectors": gettext_lazy("A spread constraint with an empty selector counts every pod."),
    "protects_by_empty_selectors": gettext_lazy("Preemption spares pods for budgets with an empty selector."),
    "orders_victims_by_uid": gettext_lazy("Of equally important victims the lower UID is spared."),
    "expects_victims": gettext_lazy("Preemption takes nodes without victims."),
    "compares_exact_capacities": gettext_lazy("VolumeBinding compares claims with storage capacities exactly."),
    "says_what_groups_lack": gettext_lazy("Groups say what they lack; a label without a value is no domain."),
    "ranks_nodes_by_victims": gettext_lazy("A group preempts where its victims cost least."),
}
_DEVICE_RULES: Final = {
    "presumes_gates": gettext_lazy("Device taints and counters need feature gates."),
    "sees_whole_pools": gettext_lazy("Incomplete and invalid device pools are passed over."),
    "explains_errors": gettext_lazy("DynamicResources names the device whose expression fails."),
    "shares_counters_by_name": gettext_lazy("Counters of equally named pools of several drivers."),
    "includes_counter_slices": gettext_lazy("Slices with counters alone are not on every node."),
    "gives_everything_back": gettext_lazy("A rejected device gives its counters back."),
    "has_both_names_of_classes": gettext_lazy(
        "A DeviceClass has two extended resource names; init containers share devices; scores count them."
    ),
    "knows_distinct_attributes": gettext_lazy("Whether distinctAttribute may be an error."),
    "counts_every_share": gettext_lazy(
        "distinctAttribute compares a request's devices; All takes all that are large enough."
    ),
    "reads_every_effect": gettext_lazy("Only NoSchedule and NoExecute device taints prevent allocation."),
    "selects_by_class": gettext_lazy("DeviceTaintRules select by driver, pool and device."),
    "taints_without_selector": gettext_lazy("A DeviceTaintRule without selector taints no device."),
    "refuses_uncountable": gettext_lazy("A negative or huge capacity request ends the cycle."),
    "knows_owning_groups": gettext_lazy("Another message where a ResourceClaim is another pod's."),
    "types_attributes_freely": gettext_lazy("Expressions may use an attribute as a list."),
    "takes_of_nodes": gettext_lazy("Devices take of their node's resources."),
    "counts_by_request": gettext_lazy("Claims count devices by request."),
    "fails_whole_cycles": gettext_lazy("A device pool being updated fails its nodes alone."),
    "qualifies_capacities": gettext_lazy("Capacities are known by domain and name."),
    "refuses_negative_shares": gettext_lazy("A negative consumed capacity ends the cycle."),
    "keeps_shared_devices": gettext_lazy("A device with shares goes to nobody alone."),
    "ignores_builds": gettext_lazy("Constraints compare versions without build."),
}
_BY_KIND: Final[Mapping[AmendmentKind, Mapping[Any, object]]] = {
    AmendmentKind.RULE: _RULES,
    AmendmentKind.DEVICE_RULE: _DEVICE_RULES,
    AmendmentKind.GATE: DECIDES,
}


_PLUGINS: Final = gettext_lazy("Default plugins, order or weights differ.")


def rule_sentence(kind: AmendmentKind, name: str) -> str:
    """Say what a rule does since the release that brings it. Raises KeyError for one that has no words."""
    if kind is AmendmentKind.PLUGINS:
        return str(_PLUGINS)
    return str(_BY_KIND[kind][name])


SEVERAL_RULES: Final = gettext_lazy("Several rules together")
