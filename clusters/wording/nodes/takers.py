"""Pending pods as one node sees them: which fit on it, and what rejects it for the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.lists import listed
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Iterable

FAILED: Final = pgettext_lazy("verdict", "Could not be computed")
GATED: Final = pgettext_lazy("verdict", "Would fit without scheduling gates")
STOPPED: Final = pgettext_lazy("verdict", "No node is evaluated")
ONE_FILTER: Final = pgettext_lazy("verdict", "Rejected by one filter")
FOREIGN_SENTENCE: Final = gettext_lazy(
    "No profile of this cluster's scheduler has that name; how the other scheduler decides is not known here."
)


NONE_PENDING: Final = gettext_lazy("No pod is pending.")


def pending(pods: int, kinds: int) -> str:
    """Count the pending pods, and those that differ."""
    if kinds == 1:
        return ngettext("%(pods)s pod is pending.", "%(pods)s pods are pending, all alike.", pods) % {
            "pods": grouped(pods)
        }
    return _("%(pods)s pods are pending, of %(kinds)s kinds.") % {"pods": grouped(pods), "kinds": grouped(kinds)}


def fitting(pods: int, node: str) -> str:
    """Count the pods that fit on the node."""
    if not pods:
        return _("None of them fits on %(node)s now.") % {"node": node}
    return ngettext(
        "%(pods)s of them fits on %(node)s now.",
        "%(pods)s of them fit on %(node)s now, evaluated independently.",
        pods,
    ) % {"pods": grouped(pods), "node": node}


def at_least_fitting(pods: int, node: str) -> str:
    """Count the pods that fit on the node, while others are still evaluated."""
    return ngettext(
        "At least %(pods)s of them fits on %(node)s now.",
        "At least %(pods)s of them fit on %(node)s now, evaluated independently.",
        pods,
    ) % {"pods": grouped(pods), "node": node}


def uncertain(pods: int) -> str:
    """Count the pods of which it is uncertain whether they fit."""
    return ngettext(
        "For %(pods)s pod it is uncertain whether it fits.", "For %(pods)s pods it is uncertain whether they fit.", pods
    ) % {"pods": grouped(pods)}


def gated(pods: int) -> str:
    """Count the pods that would fit without their scheduling gates."""
    return ngettext(
        "%(pods)s pod would fit without its scheduling gates.",
        "%(pods)s pods would fit without their scheduling gates.",
        pods,
    ) % {"pods": grouped(pods)}


def close(pods: int) -> str:
    """Count the pods that one filter alone rejects."""
    return ngettext(
        "For %(pods)s pod one filter alone rejects the node.",
        "For %(pods)s pods one filter alone rejects the node.",
        pods,
    ) % {"pods": grouped(pods)}


def rejected(pods: int) -> str:
    """Count the pods that several filters reject."""
    return ngettext(
        "For %(pods)s pod several filters reject the node.",
        "For %(pods)s pods several filters reject the node.",
        pods,
    ) % {"pods": grouped(pods)}


def stopped(pods: int) -> str:
    """Count the pods that are rejected before any node is evaluated."""
    return ngettext(
        "%(pods)s pod is rejected before any node is evaluated.",
        "%(pods)s pods are rejected before any node is evaluated.",
        pods,
    ) % {"pods": grouped(pods)}


def foreign(pods: int) -> str:
    """Count the pods of other schedulers."""
    return ngettext("%(pods)s pod belongs to another scheduler.", "%(pods)s pods belong to other schedulers.", pods) % {
        "pods": grouped(pods)
    }


def failed(pods: int) -> str:
    """Count the pods that could not be computed."""
    return ngettext("%(pods)s pod could not be computed.", "%(pods)s pods could not be computed.", pods) % {
        "pods": grouped(pods)
    }


TITLE = plural("%(pods)s pod of %(maker)s", "%(pods)s pods of %(maker)s", by="pods")
BARE_TITLE = plural(
    "%(pods)s pod of namespace %(namespace)s, without controller",
    "%(pods)s pods of namespace %(namespace)s, without controller",
    by="pods",
)


def requests(amounts: Iterable[str]) -> str:
    """Say what each of some pods requests."""
    return _("each requests %(amounts)s") % {"amounts": listed(amounts)}


MORE = message("and %(pods)s more")
ONLY_NODE: Final = gettext_lazy("It fits on no other node.")
BEST_OF = plural(
    "It fits on %(others)s other node, which does not score higher.",
    "It fits on %(others)s other nodes, of which none scores higher.",
    by="others",
)
OUTSCORED = plural(
    "It fits on %(others)s other node, which scores higher.",
    "It fits on %(others)s other nodes; the best of them scores higher.",
    by="others",
)
UNCERTAIN_BECAUSE = message("Uncertain: %(clauses)s.")


def gates(names: Iterable[str]) -> str:
    """Say which gates keep the scheduler from trying a pod."""
    return _("The scheduler does not try it before its scheduling gates are removed: %(names)s.") % {
        "names": ", ".join(names)
    }


ROOM_FOR_ALL = message("What is free is enough for all %(pods)s.")
ROOM_FOR = message("What is free is enough for %(fitting)s of the %(pods)s.")
