"""The entries of the table of Kubernetes versions, in words."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

from clusters.engine.upgrading import AmendmentKind

# Every plugin by name: rules and gates stand in a table for all of them.
_RULES: Final = {
    "features": gettext_lazy("NodeDeclaredFeatures looks at other features of kubelets."),
    "names_taints": gettext_lazy("TaintToleration no longer names the taint in its message, from 1.34.2 on."),
    "counts_label_bytes": gettext_lazy("How long a label may be is said in bytes."),
    "compares_unnamed_namespaces": gettext_lazy(
        "A namespaceSelector of a pod's own affinity terms that only excludes reaches the namespaces it "
        "selects, not every namespace."
    ),
    "balances_by_improvement": gettext_lazy(
        "NodeResourcesBalancedAllocation scores how much the pod improves the balance."
    ),
    "scores_image_volumes": gettext_lazy("ImageLocality counts images that are mounted as volumes."),
    "counts_image_volumes": gettext_lazy("ImageLocality expects as many more images as are mounted as volumes."),
    "asks_nodes_about_portworx": gettext_lazy("NodeVolumeLimits counts Portworx volumes as its CSI driver's."),
    "asks_drivers_to_prevent": gettext_lazy(
        "Whether NodeVolumeLimits rejects nodes without a CSI driver (preventPodSchedulingIfMissing)."
    ),
    "counts_whole_pods": gettext_lazy(
        "NodeResourcesFit counts resized pods with the largest of spec, allocated and actual resources."
    ),
    "scores_claims_by_position": gettext_lazy(
        "Whether DynamicResources takes its allocations for those of the first claims of a pod, and fails where a "
        "claim has devices."
    ),
    "completes_pods_after_admission": gettext_lazy(
        "What a pod requests and is limited to as a whole is derived after LimitRanges gave its containers theirs."
    ),
    "names_groups_in_workloads": gettext_lazy("A pod names its group by a PodGroup, not by a Workload."),
    "evaluates_groups_first": gettext_lazy(
        "Pods of a group are tried while enough can get a node; preemption comes last."
    ),
    "tells_nodes_by_name": gettext_lazy(
        "A scheduler that starts is told of the nodes that are there in no order, and searches them in that order."
    ),
    "takes_first_found": gettext_lazy("Of equally good nodes the first in the order of the search is taken."),
    "names_preemptions": gettext_lazy("The FailedScheduling text says where preemption makes room."),
    "looks_at_victims_once": gettext_lazy(
        "Of pods that have not started, preemption spares the one that came to the node first."
    ),
    "says_what_devices_lack": gettext_lazy("DynamicResources has no words for claims that it cannot free."),
    "requeues_for_classes": gettext_lazy("A changed DeviceClass requeues pods that NodeResourcesFit rejected."),
    "requeues_for_deleted_claims": gettext_lazy(
        "A ResourceClaim that is deleted requeues pods that DynamicResources rejected."
    ),
}
_DEVICE_RULES: Final = {
    "presumes_gates": gettext_lazy(
        "Taints and counters of devices count only with their feature gates, off by default."
    ),
    "sees_whole_pools": gettext_lazy(
        "A pool of devices is complete with all of its slices; incomplete and invalid pools are passed over."
    ),
    "explains_errors": gettext_lazy("DynamicResources names the device whose expression fails, and what helps."),
    "shares_counters_by_name": gettext_lazy("Which counters pools of one name from several drivers have."),
    "includes_counter_slices": gettext_lazy("Slices with counters alone do not count as reached from every node."),
    "gives_everything_back": gettext_lazy("A device that is rejected gives its counters back."),
    "has_both_names_of_classes": gettext_lazy(
        "A DeviceClass stands for the extended resource that it names and for the one of its own name; "
        "init containers share devices with later containers; scores count devices."
    ),
    "knows_distinct_attributes": gettext_lazy(
        "Whether distinctAttribute is an error without consumable capacity and binding conditions."
    ),
    "counts_every_share": gettext_lazy(
        "distinctAttribute compares all devices of a request; allocationMode All is for all that are "
        "large enough, whatever is left of them."
    ),
    "reads_every_effect": gettext_lazy(
        "A taint of a device keeps it from being allocated with NoSchedule and NoExecute alone."
    ),
    "selects_by_class": gettext_lazy("DeviceTaintRules select by driver, pool and device alone."),
    "taints_without_selector": gettext_lazy("A DeviceTaintRule without a selector taints no device, no longer all."),
    "refuses_uncountable": gettext_lazy(
        "A request of a device's capacity that is negative, or too large to be rounded to steps, ends the cycle."
    ),
    "knows_owning_groups": gettext_lazy("DynamicResources says otherwise that a ResourceClaim is another pod's."),
    "types_attributes_freely": gettext_lazy("Expressions compile where an attribute is used as a list."),
    "takes_of_nodes": gettext_lazy("Devices say what they take of their node's resources."),
    "counts_by_request": gettext_lazy("Devices of a claim are counted request by request."),
}
_GATES: Final = {
    "CompositePodGroup": gettext_lazy("Whether groups of pods can be parts of a CompositePodGroup."),
    "DRAConsumableCapacity": gettext_lazy("DynamicResources shares devices by their consumable capacity."),
    "DRADeviceBindingConditions": gettext_lazy("DynamicResources waits for conditions of devices before it binds."),
    "DRADeviceTaintRules": gettext_lazy("DeviceTaintRules add taints to devices."),
    "DRADeviceTaints": gettext_lazy("Whether DynamicResources reads taints of devices."),
    "DRAExtendedResource": gettext_lazy("DynamicResources answers for extended resources of a DeviceClass."),
    "DRAPartitionableDevices": gettext_lazy("Whether DynamicResources reads counters that devices share."),
    "DRAWorkloadResourceClaims": gettext_lazy("Whether the pods of a group share claims of devices."),
    "GangScheduling": gettext_lazy("Whether GangScheduling holds pods of a group back until all can be scheduled."),
    "GenericWorkload": gettext_lazy("Whether kube-scheduler knows groups of pods."),
    "NodeDeclaredFeatures": gettext_lazy(
        "NodeDeclaredFeatures rejects nodes without a kubelet feature that the pod needs."
    ),
    "InPlacePodVerticalScalingSchedulerPreemption": gettext_lazy(
        "Whether pods are preempted to make room for one that is resized on its node."
    ),
    "InPlacePodLevelResourcesVerticalScaling": gettext_lazy(
        "NodeResourcesFit counts the status of pods that are resized as a whole."
    ),
    "NominatedNodeNameForExpectation": gettext_lazy(
        "A pod is nominated to its node while its volumes or devices are being bound."
    ),
    "OpportunisticBatching": gettext_lazy("Whether pods that are alike share one evaluation of the nodes."),
    "PodGroupPreemptionPolicy": gettext_lazy("Whether a group of pods says itself if it may preempt."),
    "StorageCapacityScoring": gettext_lazy("VolumeBinding scores: the emptier the storage, the more points."),
    "TaintTolerationComparisonOperators": gettext_lazy("TaintToleration compares taints with Gt and Lt."),
    "TopologyAwareWorkloadScheduling": gettext_lazy("Whether a group of pods can ask for one topology domain."),
    "VolumeLimitScaling": gettext_lazy(
        "NodeVolumeLimits rejects nodes without a CSI driver that has preventPodSchedulingIfMissing."
    ),
    "WorkloadAwarePreemption": gettext_lazy("Whether preemption makes room for a whole group, or removes one."),
}


_BY_KIND: Final = {AmendmentKind.RULE: _RULES, AmendmentKind.DEVICE_RULE: _DEVICE_RULES, AmendmentKind.GATE: _GATES}


def rule_sentence(kind: AmendmentKind, name: str) -> str:
    """Say what a rule does since the release that brings it. Raises KeyError for one that has no words."""
    if kind is AmendmentKind.PLUGINS:
        return _("The default plugins have other points, order or weights.")
    return str(_BY_KIND[kind][name])


SEVERAL_RULES: Final = gettext_lazy("Several rules of the release together")
