"""What a worker still evaluates: beside it every number says that it may grow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clusters.wording.amounts import grouped
from clusters.wording.counts import pods as counted_pods
from clusters.wording.messages import message

if TYPE_CHECKING:
    from datetime import datetime

BY_WORKER: Final = gettext_lazy("A worker evaluates these pods; the page shows the result once it is there.")


AT_LEAST = message("at least %(number)s")


def counted(number: int, *, is_whole: bool) -> str:
    """Write a number, which may grow unless everything is evaluated."""
    return grouped(number) if is_whole else AT_LEAST(number=number)


def still(pods: int) -> str:
    """Count the pods that a worker still evaluates."""
    return ngettext("%(pods)s pod is still being evaluated.", "%(pods)s pods are still being evaluated.", pods) % {
        "pods": grouped(pods)
    }


def pending_before(at: datetime, *, pods: int, unschedulable: int) -> str:
    """Say how many pods were unschedulable when all were evaluated last."""
    return ngettext(
        "At %(at)s, when all were evaluated last, %(unschedulable)s of %(pods)s pending pod was unschedulable.",
        "At %(at)s, when all were evaluated last, %(unschedulable)s of %(pods)s pending pods were unschedulable.",
        pods,
    ) % {"at": _time(at), "unschedulable": grouped(unschedulable), "pods": grouped(pods)}


def preemption_before(at: datetime, *, pods: int, victims: int) -> str:
    """Say how many pods preemption would have removed, and for how many, when all were evaluated last."""
    return ngettext(
        "At %(at)s, when all were evaluated last, preemption for %(pods)s pending pod would have removed %(victims)s.",
        "At %(at)s, when all were evaluated last, preemption for %(pods)s pending pods would have removed %(victims)s.",
        pods,
    ) % {"at": _time(at), "pods": grouped(pods), "victims": counted_pods(victims)}


def fitting_before(at: datetime, *, pods: int, fitting: int, node: str) -> str:
    """Say how many of the pending pods fit on a node when all were evaluated last."""
    return ngettext(
        "At %(at)s, when all were evaluated last, %(fitting)s of %(pods)s pending pod fit on %(node)s.",
        "At %(at)s, when all were evaluated last, %(fitting)s of %(pods)s pending pods fit on %(node)s.",
        pods,
    ) % {"at": _time(at), "fitting": grouped(fitting), "pods": grouped(pods), "node": node}


def more_before(at: datetime, *, pods: int, is_whole: bool) -> str:
    """Say how many more pods fit when all were tried last."""
    return _("At %(at)s, when all were tried last, %(pods)s more fit.") % {
        "at": _time(at),
        "pods": counted(pods, is_whole=is_whole),
    }


def rollout_before(at: datetime) -> str:
    """Say when the rollout was simulated that is shown."""
    return _("The rollout below is of the cluster at %(at)s.") % {"at": _time(at)}


def _time(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S %Z}"
