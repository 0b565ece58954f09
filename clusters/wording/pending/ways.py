"""The single change after which most pods of a cause would fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clusters.wording.amounts import grouped
from clusters.wording.resources import resource_names

if TYPE_CHECKING:
    from collections.abc import Iterable

NO_SINGLE_CHANGE: Final = gettext_lazy("No single change is enough.")
TWO_TOGETHER: Final = gettext_lazy("No single change is enough, but two together are.")


def request_less(resources: Iterable[str]) -> str:
    """Say which requests are to be lowered, as a request without its capital letter."""
    return _("request less %(resources)s") % {"resources": resource_names(resources)}


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
