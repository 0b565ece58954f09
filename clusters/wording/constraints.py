"""What lifts a constraint of a filter, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from clusters.engine.plugins.inter_pod_affinity import InterPodAffinity
from clusters.engine.plugins.node_affinity import (
    AddedAffinitySubject,
    NodeAffinity,
    RequirementSubject,
    SelectorSubject,
    TermsSubject,
)
from clusters.engine.plugins.node_name import NodeName
from clusters.engine.plugins.node_ports import HostPortSubject, NodePorts
from clusters.engine.plugins.node_resources_fit import PODS, NodeResourcesFit, ResourceSubject
from clusters.engine.plugins.node_unschedulable import NodeUnschedulable
from clusters.engine.plugins.node_volume_limits import NodeVolumeLimits, VolumeSubject
from clusters.engine.plugins.pod_topology_spread import PodTopologySpread, SpreadSubject
from clusters.engine.plugins.taint_toleration import TaintSubject, TaintToleration
from clusters.engine.plugins.volume_binding import VolumeBinding
from clusters.engine.plugins.volume_restrictions import DiskSubject, VolumeRestrictions
from clusters.engine.plugins.volume_zone import VolumeZone
from clusters.engine.relaxing.relaxations import CORDON_TAINT
from clusters.engine.subjects import AffinitySubject, AntiAffinitySubject, ClaimSubject, ExistingAntiAffinitySubject
from clusters.wording.resources import resource_name
from clusters.wording.selectors import requirement_text, selector_text

if TYPE_CHECKING:
    from clusters.engine.plugin import Constraint


def lifting(constraint: Constraint) -> str:
    """Say what lifts a constraint, as a request without its capital letter: `tolerate gpu:NoSchedule`."""
    match constraint.subject:
        case None:
            return _lifting_all(constraint.plugin)
        case TaintSubject(taint) if taint.key == CORDON_TAINT:
            return _lifting_all(NodeUnschedulable.name)
        case TaintSubject(taint):
            return _("tolerate %(taint)s") % {"taint": taint}
        case ResourceSubject(resource) if resource == PODS:
            return _("raise the node pod limit")
        case ResourceSubject(resource):
            return _("request no %(resource)s") % {"resource": resource_name(resource)}
        case HostPortSubject(port):
            return _("remove the host port %(port)s") % {"port": port}
        case SelectorSubject(key, value):
            return _("remove the node selector %(key)s=%(value)s") % {"key": key, "value": value}
        case RequirementSubject(requirement=requirement):
            return _("remove the node affinity %(requirement)s") % {"requirement": requirement_text(requirement)}
        case TermsSubject():
            return _("remove the required node affinity")
        case AddedAffinitySubject():
            return _("remove addedAffinity from the profile")
        case SpreadSubject(spread):
            return _("remove the spread constraint %(key)s with maxSkew %(skew)s for %(pods)s") % {
                "key": spread.topology_key,
                "skew": spread.max_skew,
                "pods": selector_text(spread.selector),
            }
        case AffinitySubject(term):
            return _("remove the pod affinity to %(pods)s per %(key)s") % {
                "pods": selector_text(term.selector),
                "key": term.topology_key,
            }
        case AntiAffinitySubject(term):
            return _("remove the pod anti-affinity to %(pods)s per %(key)s") % {
                "pods": selector_text(term.selector),
                "key": term.topology_key,
            }
        case ExistingAntiAffinitySubject(term):
            return _("remove the anti-affinity of existing pods to %(pods)s per %(key)s") % {
                "pods": selector_text(term.selector),
                "key": term.topology_key,
            }
        case ClaimSubject(claim):
            return _lifting_claim(constraint.plugin, claim)
        case DiskSubject(disk=disk):
            return _("release the disk %(disk)s, which another pod uses") % {"disk": disk}
        case VolumeSubject(volume):
            return _("raise the volume limit of the node, or remove the volume %(volume)s") % {"volume": volume}
        case subject:
            raise TypeError(f"{type(subject).__name__} of {constraint.plugin} has no words")


def _lifting_claim(plugin: str, claim: str) -> str:
    match plugin:
        case VolumeRestrictions.name:
            return _("release the claim %(claim)s, which another pod uses") % {"claim": claim}
        case NodeVolumeLimits.name:
            return _("raise the volume limit of the node, or remove the claim %(claim)s") % {"claim": claim}
        case VolumeZone.name:
            return _("move the volume of the claim %(claim)s to the zone of the node") % {"claim": claim}
        case _:
            return _("provide a volume for the claim %(claim)s that the node reaches") % {"claim": claim}


def _lifting_all(plugin: str) -> str:
    match plugin:
        case NodeUnschedulable.name:
            return _("uncordon the node")
        case NodeName.name:
            return _("remove nodeName")
        case TaintToleration.name:
            return _("tolerate every taint")
        case NodeAffinity.name:
            return _("remove the node selector and the required node affinity")
        case NodePorts.name:
            return _("remove all host ports")
        case NodeResourcesFit.name:
            return _("request nothing")
        case PodTopologySpread.name:
            return _("remove all spread constraints")
        case InterPodAffinity.name:
            return _("remove all required affinity and anti-affinity between pods")
        case VolumeRestrictions.name:
            return _("release the volumes that other pods use")
        case VolumeBinding.name:
            return _("provide a volume for every claim that the node reaches")
        case VolumeZone.name:
            return _("move the volumes to the zone of the node")
        case NodeVolumeLimits.name:
            return _("raise the volume limit of the node")
        case _:
            return _("disable %(plugin)s") % {"plugin": plugin}
