"""What was found when all was evaluated last, beside a result that a worker is still at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.timezone import localtime

from clusters.services.decisions.takers import TakerCounts
from clusters.services.pending.pods import PendingCounts
from clusters.services.pending.preemptors import PreemptionCounts
from clusters.services.workloads.growth import GrowthCounts
from clusters.wording import evaluation as words

if TYPE_CHECKING:
    from clusters.services.evaluation import Evaluation


def earlier_sentence(earlier: Evaluation | None, *, node: str = "") -> str:
    """Say what it came to, and when; nothing without one. ``node``: the one that pods were tried on."""
    if earlier is None:
        return ""
    at = localtime(earlier.at)
    match earlier.told:
        case PendingCounts(total, unschedulable):
            return words.pending_before(at, pods=total, unschedulable=unschedulable)
        case PreemptionCounts(preemptors, victims):
            return words.preemption_before(at, pods=preemptors, victims=victims)
        case TakerCounts(total, fits):
            return words.fitting_before(at, pods=total, fitting=fits, node=node)
        case GrowthCounts(pods, is_whole):
            return words.more_before(at, pods=pods, is_whole=is_whole)
    return ""
