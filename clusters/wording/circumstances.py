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
            return _(
                "Larger than any node: the pod requests %(asked)s, and the most that a node has is %(most)s (%(node)s)."
            ) % {
                "asked": resource_amount(resource, asked),
                "most": resource_amount(resource, most),
                "node": node,
            }
        case LargerThanNodes(resource):
            return _("No node has %(resource)s.") % {"resource": resource_name(resource)}
        case ReservedForResource(resource, nodes, number):
            return ngettext(
                "%(nodes)s is kept for pods that request %(resource)s, by a taint of that name: the admission plugin "
                "ExtendedResourceToleration, off by default, lets each of them tolerate it.",
                "%(nodes)s are kept for pods that request %(resource)s, by a taint of that name: the admission plugin "
                "ExtendedResourceToleration, off by default, lets each of them tolerate it.",
                number,
            ) % {"nodes": first_of(nodes, total=number, most=len(nodes)), "resource": resource}
        case TaintedNodes():
            return _tainted(each)
        case HeldTemplate(namespace, name, True):
            return _(
                "StatefulSet %(name)s replaces no pod by itself (OnDelete): delete this pod after a change of "
                "the template."
            ) % {"name": f"{namespace}/{name}"}
        case HeldTemplate(namespace, name):
            return _(
                "StatefulSet %(name)s replaces no pod before this one is Ready (OrderedReady). Delete this pod after a "
                "change of its template, and after a return to an earlier one."
            ) % {"name": f"{namespace}/{name}"}
        case TooFewDomains(key, domains, least):
            return ngettext(
                "Spread over %(key)s: the minimum counts as 0, as minDomains is %(least)s and there is %(domains)s "
                "domain; a node in a further one counts.",
                "Spread over %(key)s: the minimum counts as 0, as minDomains is %(least)s and there are %(domains)s "
                "domains; a node in a further one counts.",
                domains,
            ) % {"key": key, "least": least, "domains": grouped(domains)}
        case UnreachedMinimum():
            return ngettext(
                "Spread over %(key)s: limit %(limit)s = minimum %(minimum)s + maxSkew %(skew)s. %(domains)s holds the "
                "minimum, and the pod cannot go there: %(why)s.",
                "Spread over %(key)s: limit %(limit)s = minimum %(minimum)s + maxSkew %(skew)s. %(domains)s hold the "
                "minimum, and the pod cannot go there: %(why)s.",
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
                    "%(setter)s is removing %(nodes)s (taint %(taint)s): it takes no new pods.",
                    "%(setter)s is removing %(nodes)s (taint %(taint)s): they take no new pods.",
                    each.number,
                )
                % values
            )
        case TaintMeaning.VIRTUAL:
            return (
                ngettext(
                    "%(nodes)s is a node of %(setter)s (taint %(taint)s), for pods that %(setter)s binds.",
                    "%(nodes)s are nodes of %(setter)s (taint %(taint)s), for pods that %(setter)s binds.",
                    each.number,
                )
                % values
            )
        case _:
            return (
                ngettext(
                    "%(nodes)s is not ready for pods yet (taint %(taint)s).",
                    "%(nodes)s are not ready for pods yet (taint %(taint)s).",
                    each.number,
                )
                % values
            )
