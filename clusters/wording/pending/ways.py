"""The single change after which most pods of a cause would fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy

from clusters.wording.evaluation import counted
from clusters.wording.lists import first_of
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

NO_SINGLE_CHANGE: Final = gettext_lazy("No single tried change is enough.")
# Requests, without their capital letters.
REQUEST_LESS = message("request less %(resources)s")
_ADD_NODE = message("add one more node like %(node)s")
_ADD_NODE_OF_POOL = message("add one more node like %(node)s (pool %(pool)s)")
# How many pods would fit after a request.
_FITS_THERE = message("%(change)s: it would fit there.")
_FITS = message("%(change)s: it would fit.")
_FITS_ON = plural(
    "%(change)s: it would fit on %(nodes)s node.", "%(change)s: it would fit on %(nodes)s nodes.", by="nodes"
)
_SOME_FIT = message("%(change)s: %(fitting)s of %(pods)s would fit.")
_SOME_FIT_ON = plural(
    "%(change)s: %(fitting)s of %(pods)s would fit on %(nodes)s node.",
    "%(change)s: %(fitting)s of %(pods)s would fit on %(nodes)s nodes.",
    by="nodes",
)
THEN_FIT = message("%(fitting)s of %(pods)s would then fit.")
_NOMINATED = message("Wait: it is nominated to %(node)s.")
_NOMINATED_WAITING = message("Wait for %(pods)s to terminate (nominated to %(node)s).")
_ALL_NOMINATED = message("Wait: nominated to %(nodes)s.")
_ALL_NOMINATED_WAITING = message("Wait for %(pods)s to terminate (nominated to %(nodes)s).")


def add_node(like: str, pool: str) -> str:
    """Say which node is to be added, as a request without its capital letter."""
    return _ADD_NODE_OF_POOL(node=like, pool=pool) if pool else _ADD_NODE(node=like)


def takes(change: str, placed: int, pods: int, *, is_whole: bool) -> str:
    """Say how many pods a node that is added takes; ``change`` is a request. At least as many, unless ``is_whole``."""
    if pods == 1:
        return _FITS_THERE(change=change)
    return _SOME_FIT(change=change, fitting=counted(placed, is_whole=is_whole), pods=pods)


def frees(change: str, fitting: int, pods: int, nodes: int | None) -> str:
    """Say how many of the pods would fit after a request, and on how many nodes where that is the same for each."""
    if nodes is None:
        return _FITS(change=change) if pods == 1 else _SOME_FIT(change=change, fitting=fitting, pods=pods)
    if pods == 1:
        return _FITS_ON(change=change, nodes=nodes)
    return _SOME_FIT_ON(change=change, fitting=fitting, pods=pods, nodes=nodes)


def await_nomination(node: str, leaving: Sequence[str]) -> str:
    """Say which node a pod is nominated to, and whose termination it waits for."""
    return _NOMINATED_WAITING(node=node, pods=first_of(leaving)) if leaving else _NOMINATED(node=node)


def await_nominations(nodes: Sequence[str], leaving: Sequence[str]) -> str:
    """Say which nodes pods are nominated to, and whose termination they wait for."""
    if not leaving:
        return _ALL_NOMINATED(nodes=first_of(nodes))
    return _ALL_NOMINATED_WAITING(nodes=first_of(nodes), pods=first_of(leaving))
