"""What lifts each constraint of a plugin, as a request without its capital letter: `tolerate gpu:NoSchedule`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from clusters.engine.evidence import ClaimSubject, Subject
from clusters.engine.plugins.dynamic_resources import (
    DeviceCapacitySubject,
    DeviceCountSubject,
    DeviceSelectorSubject,
    DeviceTaintSubject,
    DistinctAttributeSubject,
    ExtendedResourceSubject,
    MatchAttributeSubject,
    ResourceClaimSubject,
)
from clusters.engine.plugins.inter_pod_affinity import AffinitySubject, AntiAffinitySubject, ExistingAntiAffinitySubject
from clusters.engine.plugins.node_affinity import (
    AddedAffinitySubject,
    RequirementSubject,
    SelectorSubject,
    TermsSubject,
)
from clusters.engine.plugins.node_ports import HostPortSubject
from clusters.engine.plugins.node_resources_fit import ResourceSubject
from clusters.engine.plugins.node_volume_limits import VolumeSubject
from clusters.engine.plugins.pod_topology_spread import AdjustedSpreadSubject, SpreadSubject
from clusters.engine.plugins.taint_toleration import CORDON_TAINT, TaintSubject
from clusters.engine.plugins.volume_restrictions import DiskSubject
from clusters.engine.resources import PODS
from clusters.engine.taints import TaintMeaning, is_fixed, meaning_of
from clusters.wording.amounts import grouped
from clusters.wording.plugins.words import wording_of
from clusters.wording.resources import requirement_text, resource_name, selector_text

if TYPE_CHECKING:
    from clusters.engine.plugin import Constraint
    from clusters.engine.spreading import SpreadConstraint


def lifting(constraint: Constraint) -> str:
    """Say what lifts a constraint; of one that nobody should lift, on the one node that is asked about."""
    words, subject = wording_of(constraint.plugin), constraint.subject
    match subject:
        case None:
            return words.lifting_all()
        case HostPortSubject(port) if constraint.is_fixed:
            return _("free the host port %(port)s on the node") % {"port": port}
        case ClaimSubject(claim) if constraint.is_fixed:
            return _("move the data of claim %(claim)s into the node's reach") % {"claim": claim}
        case ClaimSubject(claim) if words.lifting_claim is not None:
            return words.lifting_claim(claim=claim)
        case _subject:
            return lifting_of(subject)


def lifting_of(subject: Subject) -> str:
    """Say what lifts a constraint about a subject. Raises TypeError for one without words."""
    match subject:
        case DeviceSelectorSubject(claim=claim, request=request, device_class="", expression=expression):
            return _("remove selector %(expression)s from request %(request)s of claim %(claim)s") % {
                "expression": expression,
                "request": request,
                "claim": claim,
            }
        case DeviceSelectorSubject(device_class=device_class, expression=expression):
            return _("remove selector %(expression)s from device class %(class)s") % {
                "expression": expression,
                "class": device_class,
            }
        case DeviceTaintSubject(taint):
            return _("tolerate the device taint %(taint)s") % {"taint": taint}
        case DeviceCountSubject(claim, request, count):
            return _("request fewer than %(count)s devices in request %(request)s of claim %(claim)s") % {
                "count": grouped(count),
                "request": request,
                "claim": claim,
            }
        case DeviceCapacitySubject(claim, request):
            return _("request less capacity in request %(request)s of claim %(claim)s") % {
                "request": request,
                "claim": claim,
            }
        case DistinctAttributeSubject(claim, attribute):
            return _("let devices of claim %(claim)s share %(attribute)s") % {
                "claim": claim,
                "attribute": attribute,
            }
        case MatchAttributeSubject(claim, attribute):
            return _("let devices of claim %(claim)s differ in %(attribute)s") % {
                "claim": claim,
                "attribute": attribute,
            }
        case ResourceClaimSubject(claim):
            return _("remove the resource claim %(claim)s") % {"claim": claim}
        case ExtendedResourceSubject(resource, device_class):
            return _("request no %(resource)s (device class %(class)s)") % {
                "resource": resource,
                "class": device_class,
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
        case SelectorSubject(key, value):
            return _("remove the node selector %(key)s=%(value)s") % {"key": key, "value": value}
        case RequirementSubject(requirement=requirement):
            return _("remove the node affinity %(requirement)s") % {"requirement": requirement_text(requirement)}
        case TermsSubject():
            return _("remove the required node affinity")
        case AddedAffinitySubject():
            return _("remove addedAffinity from the profile")
        case HostPortSubject(port):
            return _("remove the host port %(port)s") % {"port": port}
        case ResourceSubject(resource) if resource == PODS:
            return _("raise the node pod limit")
        case ResourceSubject(resource):
            return _("request no %(resource)s") % {"resource": resource_name(resource)}
        case VolumeSubject(volume):
            return _("raise the node's volume limit, or remove volume %(volume)s") % {"volume": volume}
        case AdjustedSpreadSubject(spread, adjusted):
            return _adjusting(spread, adjusted)
        case SpreadSubject(spread):
            return _("remove the spread constraint %(key)s with maxSkew %(skew)s for %(pods)s") % {
                "key": spread.topology_key,
                "skew": spread.max_skew,
                "pods": selector_text(spread.selector),
            }
        case TaintSubject(taint) if taint.key == CORDON_TAINT:
            return _("uncordon the node")
        case TaintSubject(taint) if meaning_of(taint.key, taint.value) is TaintMeaning.UNHEALTHY:
            return _("repair the nodes that have %(taint)s") % {"taint": taint}
        case TaintSubject(taint) if is_fixed(taint.key, taint.value):
            return _("wait until %(taint)s is removed") % {"taint": taint}
        case TaintSubject(taint):
            return _("tolerate %(taint)s") % {"taint": taint}
        case DiskSubject(disk=disk):
            return _("release disk %(disk)s, which another pod uses") % {"disk": disk}
        case _other:
            raise TypeError(f"{type(subject).__name__} has no words in {__name__}")


def _adjusting(spread: SpreadConstraint, adjusted: SpreadConstraint) -> str:
    values = {
        "key": spread.topology_key,
        "pods": selector_text(spread.selector),
        "skew": spread.max_skew,
        "least": spread.min_domains,
        "fewer": adjusted.min_domains,
        "more": adjusted.max_skew,
    }
    if adjusted.honours_taints != spread.honours_taints:
        return _("set nodeTaintsPolicy: Honor for %(pods)s per %(key)s") % values
    if adjusted.honours_affinity != spread.honours_affinity:
        return _("set nodeAffinityPolicy: Honor for %(pods)s per %(key)s") % values
    if adjusted.min_domains != spread.min_domains:
        return _("lower minDomains from %(least)s to %(fewer)s for %(pods)s per %(key)s") % values
    return _("raise maxSkew from %(skew)s to %(more)s for %(pods)s per %(key)s") % values
