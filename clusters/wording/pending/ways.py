"""The single change after which most pods of a cause would fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clusters.wording.amounts import grouped
from clusters.wording.evaluation import counted
from clusters.wording.lists import first_of
from clusters.wording.resources import resource_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NO_SINGLE_CHANGE: Final = gettext_lazy("No single change that was tried is enough.")
TWO_TOGETHER: Final = gettext_lazy("No single change is enough, but two together are.")


def request_less(resources: Iterable[str]) -> str:
    """Say which requests are to be lowered, as a request without its capital letter."""
    return _("request less %(resources)s") % {"resources": resource_names(resources)}


def add_node(like: str, pool: str) -> str:
    """Say which node is to be added, as a request without its capital letter."""
    if not pool:
        return _("add one more node like %(node)s") % {"node": like}
    return _("add one more node like %(node)s (pool %(pool)s)") % {"node": like, "pool": pool}


def takes(change: str, placed: int, pods: int, *, is_whole: bool) -> str:
    """Say how many pods a node that is added takes, one after another; ``change`` is a request.

    At least as many, unless ``is_whole``.
    """
    if pods == 1:
        return _("%(change)s: it would fit there.") % {"change": change}
    return ngettext(
        "%(change)s: %(placed)s of %(pods)s would fit, placed one after another.",
        "%(change)s: %(placed)s of %(pods)s would fit, placed one after another.",
        pods,
    ) % {"change": change, "placed": counted(placed, is_whole=is_whole), "pods": grouped(pods)}


def fits(change: str, nodes: int | None) -> str:
    """Say that the one pod would fit, and on how many nodes where that is known; ``change`` is a request."""
    if nodes is None:
        return _("%(change)s: it would fit.") % {"change": change}
    return ngettext(
        "%(change)s: it would fit on %(nodes)s node.", "%(change)s: it would fit on %(nodes)s nodes.", nodes
    ) % {"change": change, "nodes": grouped(nodes)}


def all_fit(change: str, pods: int, nodes: int | None) -> str:
    """Say that all pods would fit, and on how many nodes where that is the same for each."""
    if nodes is None:
        return _("%(change)s: all %(pods)s would fit, evaluated independently.") % {
            "change": change,
            "pods": grouped(pods),
        }
    return ngettext(
        "%(change)s: all %(pods)s would fit on %(nodes)s node, evaluated independently.",
        "%(change)s: all %(pods)s would fit on %(nodes)s nodes, evaluated independently.",
        nodes,
    ) % {"change": change, "pods": grouped(pods), "nodes": grouped(nodes)}


def some_fit(change: str, *, fitting: int, pods: int, nodes: int | None) -> str:
    """Say how many of the pods would fit, and on how many nodes where that is the same for each."""
    if nodes is None:
        return _("%(change)s: %(fitting)s of %(pods)s would fit, evaluated independently.") % {
            "change": change,
            "fitting": grouped(fitting),
            "pods": grouped(pods),
        }
    return ngettext(
        "%(change)s: %(fitting)s of %(pods)s would fit on %(nodes)s node, evaluated independently.",
        "%(change)s: %(fitting)s of %(pods)s would fit on %(nodes)s nodes, evaluated independently.",
        nodes,
    ) % {"change": change, "fitting": grouped(fitting), "pods": grouped(pods), "nodes": grouped(nodes)}


def then_fit(fitting: int, pods: int) -> str:
    """Say how many of the pods would fit after the remedy that the sentence before names."""
    if fitting == pods:
        return _("All %(pods)s would then fit, evaluated independently.") % {"pods": grouped(pods)}
    return _("%(fitting)s of %(pods)s would then fit, evaluated independently.") % {
        "fitting": grouped(fitting),
        "pods": grouped(pods),
    }


def await_nomination(node: str, leaving: Sequence[str]) -> str:
    """Say which node a pod is nominated to, and whose termination it waits for."""
    if not leaving:
        return _("Wait: the pod is nominated to %(node)s, which the scheduler tries first.") % {"node": node}
    return _("Wait for %(pods)s to terminate: the pod is nominated to %(node)s.") % {
        "node": node,
        "pods": first_of(leaving),
    }


def await_nominations(nodes: Sequence[str], leaving: Sequence[str]) -> str:
    """Say which nodes pods are nominated to, and whose termination they wait for."""
    if not leaving:
        return _("Wait: each pod is nominated to a node: %(nodes)s.") % {"nodes": first_of(nodes)}
    return _("Wait for %(pods)s to terminate: each pod is nominated to a node (%(nodes)s).") % {
        "nodes": first_of(nodes),
        "pods": first_of(leaving),
    }
