"""How Berth speaks of each plugin: what it decides, when it has nothing to do, what requeues pods, its arguments."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from clusters.engine.plugin import ClusterEvent
from clusters.engine.registry import registered_events
from clusters.wording.messages import Message, message

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.versions import Release


# Of a plugin that Kubernetes does not bring.
_DECIDES: Final = message("not part of Kubernetes")
_NOTHING_TO_FILTER: Final = message("Nothing to check: its PreFilter returns Skip for this pod.")
_NOTHING_TO_SCORE: Final = message("Does not score: its PreScore returns Skip for this pod.")
_NOT_COMPUTED_IN_PRE_ENQUEUE: Final = message("Not computed for this pod.")
_LIFTING_ALL: Final = message("disable the plugin")


class Requeue(NamedTuple):
    """What has to happen so that the queue asks a plugin again, as a clause, and the events that stand for it."""

    when: Message
    events: tuple[ClusterEvent, ...]


@dataclass(frozen=True, slots=True)
class PluginWords:
    """How Berth speaks of a plugin; one that Kubernetes does not bring is spoken of as here.

    ``decides``: in a few words; ``requires``: what of pods or nodes it goes by, in the plural, named among several that
    keep a pod pending together. Why its filter or score is skipped for a pod, or its PreEnqueue is not computed, are
    sentences. ``lifting_all`` lifts all that its filter checks, ``lifting_claim`` what it has against one claim, as
    requests without their capital letter. ``requeued_when``: what requeues a pod that it rejected, in any release.
    ``arguments``: what its fields in a KubeSchedulerConfiguration are about; ``argument_values``: what values mean.
    """

    decides: Message = _DECIDES
    requires: Message = _DECIDES
    nothing_to_filter: Message = _NOTHING_TO_FILTER
    nothing_to_score: Message = _NOTHING_TO_SCORE
    not_computed_in_pre_enqueue: Message = _NOT_COMPUTED_IN_PRE_ENQUEUE
    lifting_all: Message = _LIFTING_ALL
    lifting_claim: Message | None = None
    requeued_when: tuple[Requeue, ...] = ()
    arguments: Mapping[str, Message] = field(default_factory=dict)
    argument_values: Mapping[tuple[str, str], Message] = field(default_factory=dict)


_FOREIGN: Final = PluginWords()
WORDS: Final[Mapping[str, PluginWords]] = {
    "DefaultBinder": PluginWords(decides=message("binds the pod to its node")),
    "DefaultPreemption": PluginWords(
        decides=message("makes room by removing pods of lower priority"),
        not_computed_in_pre_enqueue=message(
            "Not computed: it keeps the pod out of the queue while the scheduler is still removing pods for it, which "
            "only the scheduler knows."
        ),
        requeued_when=(Requeue(message("a pod is deleted"), (ClusterEvent.POD_DELETE,)),),
        arguments={
            "minCandidateNodesPercentage": message("nodes that preemption tries at least, in percent of all"),
            "minCandidateNodesAbsolute": message("nodes that preemption tries at least"),
        },
    ),
    "DeferredPodScheduling": PluginWords(
        decides=message("whether pods may be preempted for a pod whose resize is deferred on its node"),
        nothing_to_filter=message("Nothing to check: the pod does not run with a resize that is deferred."),
        requires=message("preemption for resized pods"),
        requeued_when=(
            Requeue(message("its node allows preemption for resized pods"), (ClusterEvent.NODE_PREEMPTION_POLICY,)),
            Requeue(message("its node is added"), (ClusterEvent.NODE_ADD,)),
        ),
        lifting_all=message("allow preemption for resized pods on the node"),
    ),
    "DynamicResources": PluginWords(
        decides=message("devices that the pod claims"),
        nothing_to_filter=message("Nothing to check: the pod has no resource claims."),
        requires=message("devices"),
        requeued_when=(
            Requeue(
                message("a resource claim is added or changes"),
                (
                    ClusterEvent.RESOURCE_CLAIM_ADD,
                    ClusterEvent.RESOURCE_CLAIM_UPDATE,
                    ClusterEvent.POD_GENERATED_RESOURCE_CLAIM,
                ),
            ),
            Requeue(message("a resource claim is deleted"), (ClusterEvent.RESOURCE_CLAIM_DELETE,)),
            Requeue(
                message("a device class or a driver's devices are added or change"),
                (
                    ClusterEvent.DEVICE_CLASS_ADD,
                    ClusterEvent.DEVICE_CLASS_UPDATE,
                    ClusterEvent.RESOURCE_SLICE_ADD,
                    ClusterEvent.RESOURCE_SLICE_UPDATE,
                ),
            ),
            Requeue(
                message("a node is added, or its labels or allocatable resources change"),
                (ClusterEvent.NODE_ADD, ClusterEvent.NODE_LABEL, ClusterEvent.NODE_ALLOCATABLE),
            ),
        ),
        arguments={
            "filterTimeout": message("how long finding devices on one node may take"),
            "bindingTimeout": message("how long binding waits for conditions of devices"),
        },
        lifting_all=message("remove the resource claims"),
    ),
    "GangScheduling": PluginWords(
        decides=message("keeps pods of a group out of the queue until those that the group needs exist"),
        requires=message("groups of pods"),
        not_computed_in_pre_enqueue=message(
            "Not computed for a group in a CompositePodGroup that is not held, or whose gate is not set."
        ),
        requeued_when=(
            Requeue(message("another pod of the group is created"), (ClusterEvent.POD_ADD,)),
            Requeue(message("the Workload is created"), (ClusterEvent.WORKLOAD_ADD,)),
            Requeue(message("the PodGroup is created"), (ClusterEvent.POD_GROUP_ADD,)),
            Requeue(message("the PodGroup needs fewer pods"), (ClusterEvent.POD_GROUP_UPDATE,)),
            Requeue(message("a CompositePodGroup of the group is created"), (ClusterEvent.COMPOSITE_POD_GROUP_ADD,)),
        ),
    ),
    "ImageLocality": PluginWords(decides=message("prefers nodes that have the pod's images")),
    "InterPodAffinity": PluginWords(
        decides=message("affinity and anti-affinity to other pods"),
        nothing_to_filter=message(
            "Nothing to check: the pod has no required pod affinity or anti-affinity, and no existing pod has "
            "anti-affinity to it."
        ),
        nothing_to_score=message("Does not score: neither the pod nor an existing pod prefers or avoids the other."),
        requires=message("pod affinity or anti-affinity"),
        requeued_when=(
            Requeue(
                message("a pod that its terms select is added, is deleted or changes its labels"),
                (ClusterEvent.POD_ADD, ClusterEvent.POD_DELETE, ClusterEvent.POD_LABEL),
            ),
            Requeue(message("a node is added or its labels change"), (ClusterEvent.NODE_ADD, ClusterEvent.NODE_LABEL)),
        ),
        arguments={
            "hardPodAffinityWeight": message("points for meeting an existing pod's required affinity, 0 to 100"),
            "ignorePreferredTermsOfExistingPods": message("whether preferences of existing pods are ignored"),
        },
        lifting_all=message("remove all required affinity and anti-affinity between pods"),
    ),
    "NodeAffinity": PluginWords(
        decides=message("node selector and node affinity"),
        nothing_to_filter=message("Nothing to check: the pod has no node selector and no required node affinity."),
        nothing_to_score=message("Does not score: the pod has no preferred node affinity."),
        requires=message("node selectors or node affinity"),
        requeued_when=(
            Requeue(
                message("a node is added, or its labels change, so that it matches"),
                (ClusterEvent.NODE_ADD, ClusterEvent.NODE_LABEL),
            ),
        ),
        arguments={
            "addedAffinity": message("node affinity that every pod of the profile has in addition to its own"),
        },
        lifting_all=message("remove the node selector and the required node affinity"),
    ),
    "NodeDeclaredFeatures": PluginWords(
        decides=message("whether the node's kubelet declares the features that the pod needs"),
        nothing_to_filter=message("Nothing to check: the pod needs no feature that kubelets declare."),
        requires=message("features of the kubelet"),
        requeued_when=(
            Requeue(
                message("a node is added or declares other features"),
                (ClusterEvent.NODE_ADD, ClusterEvent.NODE_DECLARED_FEATURE),
            ),
            Requeue(message("the pod needs other features"), (ClusterEvent.POD_UPDATE,)),
        ),
        lifting_all=message("use kubelets that declare the features"),
    ),
    "NodeName": PluginWords(
        decides=message("keeps a pod to the node that spec.nodeName names"),
        requires=message("the node that spec.nodeName names"),
        requeued_when=(Requeue(message("a node is added"), (ClusterEvent.NODE_ADD,)),),
        lifting_all=message("remove nodeName"),
    ),
    "NodePorts": PluginWords(
        decides=message("host ports must be free"),
        nothing_to_filter=message("Nothing to check: the pod has no host ports."),
        requires=message("host ports"),
        requeued_when=(
            Requeue(message("a pod with one of the host ports is deleted"), (ClusterEvent.POD_DELETE,)),
            Requeue(message("a node is added"), (ClusterEvent.NODE_ADD,)),
        ),
        lifting_all=message("remove all host ports"),
    ),
    "NodeResourcesBalancedAllocation": PluginWords(
        decides=message("prefers nodes whose resources would be used evenly"),
        nothing_to_score=message("Does not score: the pod requests none of the resources that are balanced."),
        arguments={
            "resources": message("resources that should be used evenly"),
        },
    ),
    "NodeResourcesFit": PluginWords(
        decides=message("free resources for what the pod requests"),
        requires=message("node pod limits"),
        requeued_when=(
            Requeue(message("a pod is deleted"), (ClusterEvent.POD_DELETE,)),
            Requeue(message("a pod requests less"), (ClusterEvent.POD_SCALE_DOWN,)),
            Requeue(message("a node is added that is large enough"), (ClusterEvent.NODE_ADD,)),
            Requeue(message("the allocatable resources of a node change"), (ClusterEvent.NODE_ALLOCATABLE,)),
            Requeue(
                message("a device class is added or changes that stands for a resource that it requests"),
                (ClusterEvent.DEVICE_CLASS_ADD, ClusterEvent.DEVICE_CLASS_UPDATE),
            ),
            Requeue(
                message("it runs, its resize is deferred, and it or another pod of its node requests more"),
                (ClusterEvent.POD_SCALE_UP,),
            ),
        ),
        arguments={
            "scoringStrategy.type": message("how requests against allocatable become a score"),
            "scoringStrategy.resources": message("resources that the score looks at, and their weights"),
            "scoringStrategy.requestedToCapacityRatio.shape": message("score (0 to 10) by utilisation"),
            "ignoredResources": message("extended resources that the filter ignores"),
            "ignoredResourceGroups": message("groups of extended resources that the filter ignores"),
        },
        argument_values={
            ("scoringStrategy.type", "LeastAllocated"): message("LeastAllocated: the emptier, the better"),
            ("scoringStrategy.type", "MostAllocated"): message("MostAllocated: the fuller, the better"),
            ("scoringStrategy.type", "RequestedToCapacityRatio"): message("RequestedToCapacityRatio: by its shape"),
        },
        lifting_all=message("request nothing"),
    ),
    "NodeUnschedulable": PluginWords(
        decides=message("rejects unschedulable (cordoned) nodes"),
        requires=message("unschedulable (cordoned) nodes"),
        requeued_when=(
            Requeue(message("a node is added or uncordoned"), (ClusterEvent.NODE_ADD, ClusterEvent.NODE_TAINT)),
            Requeue(message("the pod gets a toleration"), (ClusterEvent.POD_TOLERATION,)),
        ),
        lifting_all=message("uncordon the node"),
    ),
    "NodeVolumeLimits": PluginWords(
        decides=message("how many volumes can be attached to a node"),
        nothing_to_filter=message("Nothing to check: the pod has no volumes that count against a limit."),
        requires=message("volume limits of nodes"),
        requeued_when=(
            Requeue(message("a pod with volumes is deleted"), (ClusterEvent.POD_DELETE,)),
            Requeue(message("a volume is detached"), (ClusterEvent.VOLUME_ATTACHMENT_DELETE,)),
            Requeue(
                message("the volume limits of a node's drivers change"),
                (ClusterEvent.CSI_NODE_ADD, ClusterEvent.CSI_NODE_UPDATE),
            ),
            Requeue(message("its claim is added"), (ClusterEvent.CLAIM_ADD,)),
        ),
        lifting_all=message("raise the volume limit of the node"),
        lifting_claim=message("raise the volume limit of the node, or remove the claim %(claim)s"),
    ),
    "PodTopologySpread": PluginWords(
        decides=message("spread over topology domains"),
        nothing_to_filter=message("Nothing to check: the pod has no spread constraint with DoNotSchedule."),
        nothing_to_score=message(
            "Does not score: there is no spread constraint with ScheduleAnyway, neither its own nor a default one."
        ),
        requires=message("spread constraints"),
        requeued_when=(
            Requeue(
                message("a pod of the same group is added, is deleted or changes its labels"),
                (ClusterEvent.POD_ADD, ClusterEvent.POD_DELETE, ClusterEvent.POD_LABEL),
            ),
            Requeue(
                message("a node is added, is deleted, or changes its labels or taints"),
                (ClusterEvent.NODE_ADD, ClusterEvent.NODE_DELETE, ClusterEvent.NODE_LABEL, ClusterEvent.NODE_TAINT),
            ),
            Requeue(message("the pod gets a toleration"), (ClusterEvent.POD_TOLERATION,)),
        ),
        arguments={
            "defaultingType": message("where constraints of pods without their own come from"),
            "defaultConstraints": message("constraints of pods without their own"),
        },
        argument_values={
            ("defaultingType", "System"): message("System: maxSkew 3 over hostnames and 5 over zones, ScheduleAnyway"),
            ("defaultingType", "List"): message("List: defaultConstraints"),
        },
        lifting_all=message("remove all spread constraints"),
    ),
    "PrioritySort": PluginWords(decides=message("sorts the queue, higher priority first")),
    "SchedulingGates": PluginWords(
        decides=message("keeps pods with scheduling gates out of the queue"),
        requires=message("scheduling gates"),
        requeued_when=(Requeue(message("the last gate is removed"), (ClusterEvent.POD_GATES_ELIMINATED,)),),
    ),
    "TaintToleration": PluginWords(
        decides=message(
            "untolerated taints: NoSchedule and NoExecute reject the pod, PreferNoSchedule lowers the score"
        ),
        requires=message("taints"),
        requeued_when=(
            Requeue(message("a node is added or its taints change"), (ClusterEvent.NODE_ADD, ClusterEvent.NODE_TAINT)),
            Requeue(message("the pod gets a toleration"), (ClusterEvent.POD_TOLERATION,)),
        ),
        lifting_all=message("tolerate every taint"),
    ),
    "VolumeBinding": PluginWords(
        decides=message("claims must have, or get, a volume that the node can reach"),
        nothing_to_filter=message("Nothing to check: the pod has no claims."),
        nothing_to_score=message("Does not score: scoring by storage capacity is off in this Kubernetes minor."),
        requires=message("volumes that nodes cannot reach"),
        requeued_when=(
            Requeue(message("a claim is added or changes"), (ClusterEvent.CLAIM_ADD, ClusterEvent.CLAIM_UPDATE)),
            Requeue(message("a volume is added or changes"), (ClusterEvent.VOLUME_ADD, ClusterEvent.VOLUME_UPDATE)),
            Requeue(
                message("a storage class is added or changes"),
                (ClusterEvent.STORAGE_CLASS_ADD, ClusterEvent.STORAGE_CLASS_UPDATE),
            ),
            Requeue(message("a node is added or its labels change"), (ClusterEvent.NODE_ADD, ClusterEvent.NODE_LABEL)),
            Requeue(
                message("a driver or its capacity changes"),
                (
                    ClusterEvent.CSI_NODE_ADD,
                    ClusterEvent.CSI_NODE_UPDATE,
                    ClusterEvent.CSI_DRIVER_UPDATE,
                    ClusterEvent.STORAGE_CAPACITY_ADD,
                    ClusterEvent.STORAGE_CAPACITY_UPDATE,
                ),
            ),
        ),
        arguments={
            "bindTimeoutSeconds": message("how long binding the volumes of a pod may take"),
        },
        lifting_all=message("provide a volume for every claim that the node reaches"),
        lifting_claim=message("provide a volume for the claim %(claim)s that the node reaches"),
    ),
    "VolumeRestrictions": PluginWords(
        decides=message("volumes that only one pod may use"),
        nothing_to_filter=message("Nothing to check: no volume of the pod excludes other pods."),
        requires=message("volumes that other pods use"),
        requeued_when=(
            Requeue(message("a pod that shares a volume with it is deleted"), (ClusterEvent.POD_DELETE,)),
            Requeue(message("its claim is added"), (ClusterEvent.CLAIM_ADD,)),
            Requeue(message("a node is added"), (ClusterEvent.NODE_ADD,)),
        ),
        lifting_all=message("release the volumes that other pods use"),
        lifting_claim=message("release the claim %(claim)s, which another pod uses"),
    ),
    "VolumeZone": PluginWords(
        decides=message("bound volumes must be in the node's zone"),
        nothing_to_filter=message("Nothing to check: the pod has no bound volumes with a zone."),
        requires=message("zones of volumes"),
        requeued_when=(
            Requeue(message("a claim is added or changes"), (ClusterEvent.CLAIM_ADD, ClusterEvent.CLAIM_UPDATE)),
            Requeue(message("a volume is added or changes"), (ClusterEvent.VOLUME_ADD, ClusterEvent.VOLUME_UPDATE)),
            Requeue(message("a storage class is added"), (ClusterEvent.STORAGE_CLASS_ADD,)),
            Requeue(message("a node is added or its labels change"), (ClusterEvent.NODE_ADD, ClusterEvent.NODE_LABEL)),
        ),
        lifting_all=message("move the volumes to the zone of the node"),
        lifting_claim=message("move the volume of the claim %(claim)s to the zone of the node"),
    ),
}


def wording_of(plugin: str) -> PluginWords:
    """Return how Berth speaks of a plugin."""
    return WORDS.get(plugin, _FOREIGN)


def argument(plugin: str, field_name: str) -> str:
    """Say what a field of a plugin's arguments is about; empty where that is not said."""
    said = wording_of(plugin).arguments.get(field_name)
    return said() if said else ""


def argument_value(plugin: str, field_name: str, value: str) -> str:
    """Write the value of such a field, with what it means where its name alone does not tell."""
    said = wording_of(plugin).argument_values.get((field_name, value))
    return said() if said else value


def requeues_of(plugin: str, release: Release) -> tuple[Requeue, ...]:
    """Return what requeues a pod in a release that a plugin rejected, with the events that stand for it there."""
    events = registered_events(plugin, release)
    found = (
        each._replace(events=tuple(event for event in each.events if event in events))
        for each in wording_of(plugin).requeued_when
    )
    return tuple(each for each in found if each.events)
