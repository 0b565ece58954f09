"""Constraints as short texts, so that a test can list them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.evidence import ClaimSubject
from clusters.engine.plugins.dynamic_resources import DeviceSelectorSubject, DeviceTaintSubject, ResourceClaimSubject
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
from clusters.engine.plugins.pod_topology_spread import SpreadSubject
from clusters.engine.plugins.taint_toleration import TaintSubject
from clusters.engine.plugins.volume_restrictions import DiskSubject

if TYPE_CHECKING:
    from clusters.engine.objects import AffinityTerm
    from clusters.engine.plugin import Constraint
    from clusters.engine.selectors import Requirement


def about(constraint: Constraint) -> str:  # noqa: C901 - one branch for each subject
    """Return what a constraint requires; empty for a whole filter."""
    match constraint.subject:
        case None:
            return ""
        case TaintSubject(taint):
            return str(taint)
        case ResourceSubject(text) | ClaimSubject(text) | VolumeSubject(text):
            return text
        case ResourceClaimSubject(text) | DeviceTaintSubject(text) | DeviceSelectorSubject(expression=text):
            return text
        case HostPortSubject(port):
            return str(port)
        case SelectorSubject(key, value):
            return f"nodeSelector {key}={value}"
        case RequirementSubject(_, requirement):
            return _requirement(requirement)
        case TermsSubject(terms):
            return f"any of {terms} terms"
        case AddedAffinitySubject():
            return "addedAffinity"
        case SpreadSubject(spread):
            return f"{spread.topology_key} maxSkew {spread.max_skew}"
        case AffinitySubject(term):
            return f"affinity: {_term(term)}"
        case AntiAffinitySubject(term):
            return f"anti-affinity: {_term(term)}"
        case ExistingAntiAffinitySubject(term):
            return f"anti-affinity of existing pods: {_term(term)}"
        case DiskSubject(field, disk):
            return f"{field} {disk}"
        case subject:
            raise TypeError(type(subject).__name__)


def _requirement(requirement: Requirement) -> str:
    return f"{requirement.key} {requirement.operator} {', '.join(requirement.values)}".strip()


def _term(term: AffinityTerm) -> str:
    pods = " and ".join(map(_requirement, term.selector.requirements)) or "any labels"
    return f"pods with {pods} per {term.topology_key}"
