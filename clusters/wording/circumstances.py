"""What is worth knowing beside the verdict of a pod that fits nowhere, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _, ngettext

from clusters.engine.analysis import (
    Circumstance,
    HeldTemplate,
    LargerThanNodes,
    ReservedForResource,
    TaintedNodes,
    TooFewDomains,
    UnreachedMinimum,
    circumstances,
)
from clusters.engine.taints import TaintMeaning
from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of
from clusters.wording.plugins.reasons import reason_phrases
from clusters.wording.resources import resource_amount, resource_name

if TYPE_CHECKING:
    from clusters.engine import Explanation


def circumstance_sentences(explanation: Explanation) -> list[str]:
    """Say what is worth knowing of a pod that fits nowhere."""
    return list(map(_sentence, circumstances(explanation)))


def _sentence(each: Circumstance) -> str:
    match each:
        case LargerThanNodes(resource, asked, most, node) if node:
            return _("The pod requests %(asked)s; the largest node has %(most)s (%(node)s).") % {
                "asked": resource_amount(resource, asked),
                "most": resource_amount(resource, most),
                "node": node,
            }
        case LargerThanNodes(resource):
            return _("No node has %(resource)s.") % {"resource": resource_name(resource)}
        case ReservedForResource(resource, nodes, number):
            return ngettext(
                "%(nodes)s is tainted for pods that request %(resource)s; ExtendedResourceToleration, "
                "off by default, adds the toleration.",
                "%(nodes)s are tainted for pods that request %(resource)s; ExtendedResourceToleration, "
                "off by default, adds the toleration.",
                number,
            ) % {"nodes": first_of(nodes, total=number, most=len(nodes)), "resource": resource}
        case TaintedNodes():
            return _tainted(each)
        case HeldTemplate(namespace, name, True):
            return _(
                "StatefulSet %(name)s replaces only deleted pods (OnDelete): delete this one after each "
                "change of the template."
            ) % {"name": f"{namespace}/{name}"}
        case HeldTemplate(namespace, name):
            return _(
                "StatefulSet %(name)s waits until this pod is Ready (OrderedReady): delete it after each "
                "change of the template."
            ) % {"name": f"{namespace}/{name}"}
        case TooFewDomains(key, domains, least):
            return ngettext(
                "Spread over %(key)s: the minimum counts as 0, as there is %(domains)s domain of minDomains %(least)s.",
                "Spread over %(key)s: the minimum counts as 0, as there are %(domains)s domains of "
                "minDomains %(least)s.",
                domains,
            ) % {"key": key, "least": least, "domains": grouped(domains)}
        case UnreachedMinimum():
            return ngettext(
                "Spread over %(key)s: limit %(limit)s = minimum %(minimum)s + maxSkew %(skew)s. "
                "%(domains)s holds the minimum, but rejects the pod: %(why)s.",
                "Spread over %(key)s: limit %(limit)s = minimum %(minimum)s + maxSkew %(skew)s. "
                "%(domains)s hold the minimum, but reject the pod: %(why)s.",
                each.number,
            ) % {
                "key": each.topology_key,
                "limit": grouped(each.minimum + each.max_skew),
                "skew": grouped(each.max_skew),
                "minimum": grouped(each.minimum),
                "domains": first_of(each.domains, total=each.number, most=len(each.domains)),
                "why": reason_phrases(each.status.reasons),
            }


def _tainted(each: TaintedNodes) -> str:
    values = {
        "nodes": first_of(each.nodes, total=each.number, most=len(each.nodes)),
        "setter": each.setter,
        "taint": each.taint,
    }
    match each.meaning:
        case TaintMeaning.LEAVING if each.setter:
            return (
                ngettext(
                    "%(setter)s is removing %(nodes)s (taint %(taint)s).",
                    "%(setter)s is removing %(nodes)s (taint %(taint)s).",
                    each.number,
                )
                % values
            )
        case TaintMeaning.VIRTUAL:
            return (
                ngettext(
                    "%(nodes)s is only for pods that %(setter)s binds (taint %(taint)s).",
                    "%(nodes)s are only for pods that %(setter)s binds (taint %(taint)s).",
                    each.number,
                )
                % values
            )
        case _:
            return (
                ngettext(
                    "%(nodes)s is not ready yet (taint %(taint)s).",
                    "%(nodes)s are not ready yet (taint %(taint)s).",
                    each.number,
                )
                % values
            )
