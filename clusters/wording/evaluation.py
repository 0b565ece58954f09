"""What a worker still evaluates: beside it every number says that it may grow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.counts import PENDING_PODS, PODS
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from datetime import datetime

SAMPLED = message(
    "The scheduler stops after %(wanted)s feasible nodes, from an unknown start; here all %(nodes)s nodes are "
    "evaluated."
)
ALL_SEARCHED: Final = gettext_lazy("The scheduler looks at every node.")
BY_WORKER: Final = gettext_lazy("A worker evaluates these pods.")
AT_LEAST = message("at least %(number)s")
STILL = plural("%(pods)s pod is still being evaluated.", "%(pods)s pods are still being evaluated.", by="pods")
_PENDING = message("At %(at)s all were evaluated: %(unschedulable)s of %(pods)s unschedulable.")
_PREEMPTION = message("At %(at)s all were evaluated: preemption for %(pods)s would have removed %(victims)s.")
_FITTING = message("At %(at)s all were evaluated: %(fitting)s of %(pods)s fit on %(node)s.")
_MORE = message("At %(at)s all were tried: %(pods)s more fit.")


def counted(number: int, *, is_whole: bool) -> str:
    """Write a number, which may grow unless everything is evaluated."""
    return grouped(number) if is_whole else AT_LEAST(number=number)


def pending_before(at: datetime, *, pods: int, unschedulable: int) -> str:
    """Say how many pods were unschedulable when all were evaluated last."""
    return _PENDING(at=_time(at), unschedulable=unschedulable, pods=pods)


def preemption_before(at: datetime, *, pods: int, victims: int) -> str:
    """Say how many pods preemption would have removed, and for how many, when all were evaluated last."""
    return _PREEMPTION(at=_time(at), pods=PENDING_PODS(number=pods), victims=PODS(number=victims))


def fitting_before(at: datetime, *, pods: int, fitting: int, node: str) -> str:
    """Say how many of the pending pods fit on a node when all were evaluated last."""
    return _FITTING(at=_time(at), fitting=fitting, pods=pods, node=node)


def more_before(at: datetime, *, pods: int, is_whole: bool) -> str:
    """Say how many more pods fit when all were tried last."""
    return _MORE(at=_time(at), pods=counted(pods, is_whole=is_whole))


def _time(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S %Z}"
