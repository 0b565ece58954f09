"""What lifts each constraint of a plugin, as a request without its capital letter: `tolerate gpu:NoSchedule`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

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
from clusters.engine.plugins.inter_pod_affinity import (
    AffinitySubject,
    AntiAffinitySubject,
    ExistingAntiAffinitySubject,
    TermSubject,
)
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
from clusters.wording.messages import message
from clusters.wording.plugins.words import wording_of
from clusters.wording.resources import requirement_text, resource_name, selector_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.plugin import Constraint
    from clusters.engine.spreading import SpreadConstraint
    from clusters.wording.messages import Message


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


_LIFTED: Final[Mapping[type[Subject], Message]] = {
    DeviceSelectorSubject: message("remove selector %(expression)s from request %(request)s of claim %(claim)s"),
    DeviceTaintSubject: message("tolerate the device taint %(taint)s"),
    DeviceCountSubject: message("request fewer than %(count)s devices in request %(request)s of claim %(claim)s"),
    DeviceCapacitySubject: message("request less capacity in request %(request)s of claim %(claim)s"),
    DistinctAttributeSubject: message("let devices of claim %(claim)s share %(attribute)s"),
    MatchAttributeSubject: message("let devices of claim %(claim)s differ in %(attribute)s"),
    ResourceClaimSubject: message("remove the resource claim %(claim)s"),
    ExtendedResourceSubject: message("request no %(resource)s (device class %(device_class)s)"),
    AffinitySubject: message("remove the pod affinity to %(pods)s per %(key)s"),
    AntiAffinitySubject: message("remove the pod anti-affinity to %(pods)s per %(key)s"),
    ExistingAntiAffinitySubject: message("remove the anti-affinity of existing pods to %(pods)s per %(key)s"),
    SelectorSubject: message("remove the node selector %(key)s=%(value)s"),
    RequirementSubject: message("remove the node affinity %(requirement)s"),
    TermsSubject: message("remove the required node affinity"),
    AddedAffinitySubject: message("remove addedAffinity from the profile"),
    HostPortSubject: message("remove the host port %(port)s"),
    ResourceSubject: message("request no %(resource)s"),
    VolumeSubject: message("raise the node's volume limit, or remove volume %(volume)s"),
    SpreadSubject: message("remove the spread constraint %(key)s with maxSkew %(skew)s for %(pods)s"),
    TaintSubject: message("tolerate %(taint)s"),
    DiskSubject: message("release disk %(disk)s, which another pod uses"),
}
_OF_CLASS: Final = message("remove selector %(expression)s from device class %(device_class)s")
_POD_LIMIT: Final = message("raise the node pod limit")
_UNCORDON: Final = message("uncordon the node")
_REPAIR: Final = message("repair the nodes that have %(taint)s")
_WAIT: Final = message("wait until %(taint)s is removed")


def lifting_of(subject: Subject) -> str:
    """Say what lifts a constraint about a subject. Raises KeyError for one without words."""
    match subject:
        case AdjustedSpreadSubject(spread, adjusted):
            return _adjusting(spread, adjusted)
        case DeviceSelectorSubject(device_class=device_class) if device_class:
            template = _OF_CLASS
        case ResourceSubject(resource) if resource == PODS:
            template = _POD_LIMIT
        case TaintSubject(taint) if taint.key == CORDON_TAINT:
            template = _UNCORDON
        case TaintSubject(taint) if meaning_of(taint.key, taint.value) is TaintMeaning.UNHEALTHY:
            template = _REPAIR
        case TaintSubject(taint) if is_fixed(taint.key, taint.value):
            template = _WAIT
        case _:
            template = _LIFTED[type(subject)]
    return template(**{name: _shown(subject, name) for name in template.values})


def _shown(subject: Subject, name: str) -> str | int:
    match subject:
        case TermSubject(term=term):
            return selector_text(term.selector) if name == "pods" else term.topology_key
        case SpreadSubject(spread):
            values = {"key": spread.topology_key, "skew": str(spread.max_skew), "pods": selector_text(spread.selector)}
            return values[name]
        case RequirementSubject(requirement=requirement):
            return requirement_text(requirement)
        case ResourceSubject(resource):
            return resource_name(resource)
    value = getattr(subject, name)
    return value if isinstance(value, int) else str(value)


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
