"""The entries of the table of Kubernetes versions, in words."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.engine.upgrading import AmendmentKind

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
    "asks_drivers_to_prevent": gettext_lazy("NodeVolumeLimits and preventPodSchedulingIfMissing of CSI drivers."),
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
}
_GATES: Final = {
    "CompositePodGroup": gettext_lazy("Whether a group can be part of a CompositePodGroup."),
    "DRAConsumableCapacity": gettext_lazy("Devices are shared by consumable capacity."),
    "DRADeviceBindingConditions": gettext_lazy("Binding waits for device conditions."),
    "DRADeviceTaintRules": gettext_lazy("DeviceTaintRules taint devices."),
    "DRADeviceTaints": gettext_lazy("Whether device taints count."),
    "DRAExtendedResource": gettext_lazy("DeviceClasses provide extended resources."),
    "DRAPartitionableDevices": gettext_lazy("Whether shared device counters count."),
    "DRAWorkloadResourceClaims": gettext_lazy("Whether a group's pods share claims."),
    "GangScheduling": gettext_lazy("Whether GangScheduling schedules all or none."),
    "GenericWorkload": gettext_lazy("Whether kube-scheduler knows pod groups."),
    "NodeDeclaredFeatures": gettext_lazy("NodeDeclaredFeatures rejects nodes without a needed feature."),
    "InPlacePodVerticalScalingSchedulerPreemption": gettext_lazy("Whether an in-place resize may preempt."),
    "InPlacePodLevelResourcesVerticalScaling": gettext_lazy("NodeResourcesFit counts the status of pod-level resizes."),
    "NominatedNodeNameForExpectation": gettext_lazy("A pod is nominated while volumes or devices are bound."),
    "OpportunisticBatching": gettext_lazy("Whether like pods share one evaluation."),
    "PodGroupPreemptionPolicy": gettext_lazy("Whether a group has a preemption policy."),
    "StorageCapacityScoring": gettext_lazy("VolumeBinding prefers emptier storage."),
    "TaintTolerationComparisonOperators": gettext_lazy("TaintToleration knows Gt and Lt."),
    "TopologyAwareWorkloadScheduling": gettext_lazy("Whether a group can ask for one topology domain."),
    "VolumeLimitScaling": gettext_lazy(
        "NodeVolumeLimits rejects nodes without a CSI driver (preventPodSchedulingIfMissing)."
    ),
    "WorkloadAwarePreemption": gettext_lazy("Whether preemption considers whole groups."),
}


_BY_KIND: Final = {AmendmentKind.RULE: _RULES, AmendmentKind.DEVICE_RULE: _DEVICE_RULES, AmendmentKind.GATE: _GATES}


_PLUGINS: Final = gettext_lazy("Default plugins, order or weights differ.")


def rule_sentence(kind: AmendmentKind, name: str) -> str:
    """Say what a rule does since the release that brings it. Raises KeyError for one that has no words."""
    if kind is AmendmentKind.PLUGINS:
        return str(_PLUGINS)
    return str(_BY_KIND[kind][name])


SEVERAL_RULES: Final = gettext_lazy("Several rules together")
