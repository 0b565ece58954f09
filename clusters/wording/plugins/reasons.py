"""What the reasons for rejecting a node mean: of one node, counted over several, and as what keeps pods pending."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from clusters.engine.devices import ResourceClaimProblem, ResourceClaimRefused
from clusters.engine.group_states import GroupWaits
from clusters.engine.plugins.deferred_pod_scheduling import NoResizePreemption, RunsElsewhere
from clusters.engine.plugins.dynamic_resources import (
    ClaimLeftBehind,
    DevicesElsewhere,
    InsufficientWithDevices,
    NoDevices,
    NotCovered,
    NotShared,
    ResourceUnserved,
)
from clusters.engine.plugins.inter_pod_affinity import ExistingAntiAffinity, NoPodAffinity, PodAntiAffinity
from clusters.engine.plugins.node_affinity import NoEnforcedAffinity, NoNodeAffinity
from clusters.engine.plugins.node_declared_features import LacksFeature
from clusters.engine.plugins.node_name import OtherNode
from clusters.engine.plugins.node_ports import PortTaken
from clusters.engine.plugins.node_resources_fit import Insufficient
from clusters.engine.plugins.node_unschedulable import Cordoned
from clusters.engine.plugins.node_volume_limits import DriverMissing, VolumeLimitReached
from clusters.engine.plugins.pod_topology_spread import NoTopologyLabel, SkewExceeded
from clusters.engine.plugins.taint_toleration import Untolerated
from clusters.engine.plugins.volume_binding import NoStorage, NoVolume, VolumeElsewhere, VolumeMissing
from clusters.engine.plugins.volume_restrictions import ClaimTaken, DiskTaken
from clusters.engine.plugins.volume_zone import OtherZone
from clusters.engine.resources import PODS
from clusters.engine.scheduling import LeftOut, OutsidePlacement
from clusters.wording.lists import listed
from clusters.wording.messages import Message, message, plural
from clusters.wording.resources import resource_name, resource_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.status import Reason


POD_LIMIT: Final = message("node pod limit reached")
TAINTS: Final = message("untolerated taints")
# What each means, of one node and as what keeps pods pending.
WORDS: Final[Mapping[type[Reason], Message]] = {
    ClaimLeftBehind: message("ResourceClaim of an earlier try"),
    ClaimTaken: message("ReadWriteOncePod claim in use by another pod"),
    Cordoned: message("unschedulable (cordoned)"),
    DevicesElsewhere: message("allocated devices out of reach"),
    DiskTaken: message("disk in use by another pod"),
    DriverMissing: message("CSI driver %(driver)s not installed"),
    ExistingAntiAffinity: message("conflict with the anti-affinity of existing pods"),
    Insufficient: message("insufficient %(resource)s"),
    InsufficientWithDevices: message("insufficient %(resource)s with its devices"),
    LacksFeature: message("the kubelet lacks a feature that the pod needs"),
    LeftOut: message("left out by %(plugins)s in PreFilter"),
    NoDevices: message("no devices for the claims"),
    NoEnforcedAffinity: message("no match for the profile's added affinity"),
    NoNodeAffinity: message("no match for the pod's node selector or affinity"),
    NoPodAffinity: message("no match for the pod's pod affinity"),
    NoResizePreemption: message("no preemption for resized pods"),
    NoStorage: message("insufficient storage for a claim"),
    NoTopologyLabel: message("topology label of a spread constraint missing"),
    NotCovered: message("pod-level requests or limits do not cover its devices"),
    NotShared: message("ResourceClaim that another pod uses"),
    NoVolume: message("no volume for a claim"),
    OtherNode: message("not the node that the pod names"),
    OtherZone: message("volume in another zone"),
    OutsidePlacement: message("outside the domain of its group"),
    PodAntiAffinity: message("conflict with the pod's anti-affinity"),
    PortTaken: message("host port in use"),
    ResourceUnserved: message("no device plugin or DeviceClass for an extended resource"),
    RunsElsewhere: message("not the node that the pod runs on"),
    SkewExceeded: message("maxSkew of a spread constraint exceeded"),
    Untolerated: message("untolerated taint %(taint)s"),
    VolumeElsewhere: message("no match for the node affinity of a volume"),
    VolumeLimitReached: message("volume limit reached"),
    VolumeMissing: message("volume of a claim does not exist"),
}
# Before any node is looked at.
CLAIMS: Final[Mapping[ResourceClaimProblem, Message]] = {
    ResourceClaimProblem.NOT_CREATED: message("ResourceClaim not created yet"),
    ResourceClaimProblem.NOT_FOUND: message("ResourceClaim not found"),
    ResourceClaimProblem.BEING_DELETED: message("ResourceClaim being deleted"),
    ResourceClaimProblem.NOT_OWNED: message("ResourceClaim of another pod"),
    ResourceClaimProblem.NOT_OF_POD: message("ResourceClaim of another pod"),
    ResourceClaimProblem.NOT_OF_GROUP: message("ResourceClaim of another pod or group"),
    ResourceClaimProblem.UNSUPPORTED: message("resource claim of an unknown kind"),
    ResourceClaimProblem.CLASS_NOT_FOUND: message("DeviceClass not found"),
    ResourceClaimProblem.UNKNOWN_REQUEST: message("device request of an unknown kind"),
    ResourceClaimProblem.ALTERNATIVES_DISABLED: message("device request with alternatives, which are off"),
}
GROUPS: Final = message("groups of pods that are not scheduled")
ON_NODES: Final = plural("%(reason)s on %(nodes)s node", "%(reason)s on %(nodes)s nodes", by="nodes")


def reason_phrases(reasons: Iterable[Reason]) -> str:
    """Say in a few words each why one node rejects a pod: `unschedulable (cordoned), insufficient CPU and memory`."""
    lacking: dict[type[Reason], list[str]] = {}
    given: dict[Reason | type[Reason], None] = {}
    for reason in dict.fromkeys(reasons):
        match reason:
            case Insufficient(resource) | InsufficientWithDevices(resource) if resource != PODS:
                lacking.setdefault(type(reason), []).append(resource)
                given[type(reason)] = None
            case _other:
                given[reason] = None
    return ", ".join(
        WORDS[each](resource=resource_names(lacking[each])) if isinstance(each, type) else reason_phrase(each)
        for each in given
    )


def reason_phrase(reason: Reason) -> str:
    """Say what a reason means, or quote one that only its own words tell."""
    match reason:
        case Insufficient(resource) if resource == PODS:
            return POD_LIMIT()
        case Insufficient(resource) | InsufficientWithDevices(resource):
            return WORDS[type(reason)](resource=resource_name(resource))
        case Untolerated(key=""):
            return TAINTS()
        case Untolerated(key, value):
            return WORDS[Untolerated](taint=f"{key}={value}" if value else key)
        case DriverMissing(driver):
            return WORDS[DriverMissing](driver=driver)
        case LeftOut(plugins):
            return WORDS[LeftOut](plugins=listed(plugins))
    return WORDS[type(reason)]() if type(reason) in WORDS else str(reason)


def nodes_by_reason(found: Sequence[tuple[Reason, int]]) -> str:
    """Say on how many nodes is which reason, most first; nodes with different taints are counted together."""
    are_unlike = sum(isinstance(reason, Untolerated) for reason, _number in found) > 1
    counts: Counter[Reason] = Counter()
    for reason, number in found:
        # A node gives one of them, so that the numbers add up.
        counts[Untolerated() if are_unlike and isinstance(reason, Untolerated) else reason] += number
    return "; ".join(ON_NODES(reason=reason_phrase(reason), nodes=number) for reason, number in counts.most_common())


def named_as_cause(reasons: Sequence[Reason]) -> str:
    """Name what keeps pods pending that are rejected for these reasons; empty where they have no name together."""
    match reasons:
        case (ResourceClaimRefused(problem),):
            return CLAIMS[problem]()
        case (GroupWaits(),):
            return GROUPS()
        case (Untolerated(),):
            return TAINTS()
        case (reason,) if type(reason) in WORDS:
            return reason_phrase(reason)
    return ""
