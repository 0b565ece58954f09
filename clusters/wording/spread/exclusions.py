"""Spread constraints in words."""

from __future__ import annotations

from django.utils.translation import ngettext, pgettext

from clusters.engine.spreading import Exclusion
from clusters.wording.amounts import grouped


def excluded_nodes(reason: Exclusion, nodes: int, total: int) -> str:
    """Say how many of a domain's nodes do not count for a constraint, and why."""
    match reason:
        case Exclusion.LABEL:
            return ngettext(
                "%(nodes)s of %(total)s nodes lacks a required label",
                "%(nodes)s of %(total)s nodes lack a required label",
                nodes,
            ) % {"nodes": grouped(nodes), "total": grouped(total)}
        case Exclusion.AFFINITY:
            return ngettext(
                "%(nodes)s of %(total)s nodes does not match the node affinity (nodeAffinityPolicy: Honor)",
                "%(nodes)s of %(total)s nodes do not match the node affinity (nodeAffinityPolicy: Honor)",
                nodes,
            ) % {"nodes": grouped(nodes), "total": grouped(total)}
        case Exclusion.TAINTS:
            return ngettext(
                "%(nodes)s of %(total)s nodes has taints that the pods do not tolerate (nodeTaintsPolicy: Honor)",
                "%(nodes)s of %(total)s nodes have taints that the pods do not tolerate (nodeTaintsPolicy: Honor)",
                nodes,
            ) % {"nodes": grouped(nodes), "total": grouped(total)}


def excluded_count(reason: Exclusion, nodes: int) -> str:
    """Write in a cell of a file how many of a domain's nodes do not count for a constraint, and why."""
    match reason:
        case Exclusion.LABEL:
            return pgettext("cell of a file", "missing label: %(nodes)s") % {"nodes": str(nodes)}
        case Exclusion.AFFINITY:
            return pgettext("cell of a file", "node affinity: %(nodes)s") % {"nodes": str(nodes)}
        case Exclusion.TAINTS:
            return pgettext("cell of a file", "taints: %(nodes)s") % {"nodes": str(nodes)}
