"""How Berth speaks of each plugin: what it decides, when it has nothing to do, what requeues pods, its arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from clusters.wording.messages import Message, message

if TYPE_CHECKING:
    from collections.abc import Mapping


# Of a plugin that Kubernetes does not bring.
_DECIDES: Final = message("not part of Kubernetes")
NOTHING_TO_FILTER: Final = message("Nothing to check: its PreFilter returns Skip for this pod.")
NOTHING_TO_SCORE: Final = message("Does not score: its PreScore returns Skip for this pod.")
_LIFTING_ALL: Final = message("disable the plugin")


class PluginWords(Struct, frozen=True):
    """How Berth speaks of a plugin; one that Kubernetes does not bring is spoken of as here.

    ``decides``: in a few words; ``requires``: what of pods or nodes it goes by, in the plural, named among several that
    keep a pod pending together. ``lifting_all`` lifts all that its filter checks, ``lifting_claim`` what it has against
    one claim, as requests without their capital letter. ``arguments``: what its fields in a KubeSchedulerConfiguration
    are about; ``argument_values``: what values mean.
    """

    decides: Message = _DECIDES
    requires: Message = _DECIDES
    lifting_all: Message = _LIFTING_ALL
    lifting_claim: Message | None = None
    arguments: Mapping[str, Message] = field(default_factory=dict)
    argument_values: Mapping[tuple[str, str], Message] = field(default_factory=dict)


_FOREIGN: Final = PluginWords()
WORDS: Final[Mapping[str, PluginWords]] = {
    "DefaultBinder": PluginWords(decides=message("binds the pod to its node")),
    "DefaultPreemption": PluginWords(
        decides=message("preempts pods of lower priority"),
        arguments={
            "minCandidateNodesPercentage": message("least nodes tried, in percent"),
            "minCandidateNodesAbsolute": message("least nodes tried"),
        },
    ),
    "DeferredPodScheduling": PluginWords(
        decides=message("preemption for a deferred resize"),
        requires=message("preemption for resized pods"),
        lifting_all=message("allow preemption for resized pods"),
    ),
    "DynamicResources": PluginWords(
        decides=message("devices that the pod claims"),
        requires=message("devices"),
        arguments={
            "filterTimeout": message("time to find devices on a node"),
            "bindingTimeout": message("time for conditions of devices"),
        },
        lifting_all=message("remove the resource claims"),
    ),
    "GangScheduling": PluginWords(
        decides=message("holds pods back until their group is complete"),
        requires=message("groups of pods"),
    ),
    "ImageLocality": PluginWords(decides=message("prefers nodes that have the pod's images")),
    "InterPodAffinity": PluginWords(
        decides=message("affinity and anti-affinity to other pods"),
        requires=message("pod affinity or anti-affinity"),
        arguments={
            "hardPodAffinityWeight": message("points for an existing pod's required affinity"),
            "ignorePreferredTermsOfExistingPods": message("ignores preferences of existing pods"),
        },
        lifting_all=message("remove required pod affinity and anti-affinity"),
    ),
    "NodeAffinity": PluginWords(
        decides=message("node selector and node affinity"),
        requires=message("node selectors or node affinity"),
        arguments={
            "addedAffinity": message("node affinity added to every pod"),
        },
        lifting_all=message("remove node selector and required node affinity"),
    ),
    "NodeDeclaredFeatures": PluginWords(
        decides=message("kubelet features that the pod needs"),
        requires=message("features of the kubelet"),
        lifting_all=message("use kubelets with the features"),
    ),
    "NodeName": PluginWords(
        decides=message("the node of spec.nodeName"),
        requires=message("the node of spec.nodeName"),
        lifting_all=message("remove nodeName"),
    ),
    "NodePorts": PluginWords(
        decides=message("host ports must be free"),
        requires=message("host ports"),
        lifting_all=message("remove all host ports"),
    ),
    "NodeResourcesBalancedAllocation": PluginWords(
        decides=message("prefers evenly used nodes"),
        arguments={
            "resources": message("balanced resources"),
        },
    ),
    "NodeResourcesFit": PluginWords(
        decides=message("free resources for the pod's requests"),
        requires=message("node pod limits"),
        arguments={
            "scoringStrategy.type": message("how utilization becomes a score"),
            "scoringStrategy.resources": message("scored resources and their weights"),
            "scoringStrategy.requestedToCapacityRatio.shape": message("score (0 to 10) by utilisation"),
            "ignoredResources": message("ignored extended resources"),
            "ignoredResourceGroups": message("ignored groups of extended resources"),
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
        lifting_all=message("uncordon the node"),
    ),
    "NodeVolumeLimits": PluginWords(
        decides=message("volumes attached per node"),
        requires=message("volume limits of nodes"),
        lifting_all=message("raise the node's volume limit"),
        lifting_claim=message("raise the node's volume limit, or remove claim %(claim)s"),
    ),
    "PodTopologySpread": PluginWords(
        decides=message("spread over topology domains"),
        requires=message("spread constraints"),
        arguments={
            "defaultingType": message("source of default constraints"),
            "defaultConstraints": message("default constraints"),
        },
        argument_values={
            ("defaultingType", "System"): message("System: maxSkew 3 over hostnames and 5 over zones, ScheduleAnyway"),
            ("defaultingType", "List"): message("List: defaultConstraints"),
        },
        lifting_all=message("remove all spread constraints"),
    ),
    "PrioritySort": PluginWords(decides=message("sorts the queue, higher priority first")),
    "SchedulingGates": PluginWords(
        decides=message("holds pods with scheduling gates back"),
        requires=message("scheduling gates"),
    ),
    "TaintToleration": PluginWords(
        decides=message("untolerated taints"),
        requires=message("taints"),
        lifting_all=message("tolerate every taint"),
    ),
    "VolumeBinding": PluginWords(
        decides=message("volumes of claims in the node's reach"),
        requires=message("volumes that nodes cannot reach"),
        arguments={
            "bindTimeoutSeconds": message("time to bind a pod's volumes"),
        },
        lifting_all=message("provide volumes in the node's reach"),
        lifting_claim=message("provide a volume for claim %(claim)s in the node's reach"),
    ),
    "VolumeRestrictions": PluginWords(
        decides=message("volumes that only one pod may use"),
        requires=message("volumes that other pods use"),
        lifting_all=message("release the volumes that other pods use"),
        lifting_claim=message("release claim %(claim)s, which another pod uses"),
    ),
    "VolumeZone": PluginWords(
        decides=message("zones of bound volumes"),
        requires=message("zones of volumes"),
        lifting_all=message("move the volumes to the node's zone"),
        lifting_claim=message("move the volume of claim %(claim)s to the node's zone"),
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
