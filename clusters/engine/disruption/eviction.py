"""What the API server answers to an eviction.

Upstream: ``pkg/registry/core/pod/storage/eviction.go`` v1.34.1. Who may evict, admission webhooks and conflicts between
requests at the same moment are not looked at.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.disruption.budget import MOST_DISRUPTED, DisruptionBudget, budgets_of
from clusters.engine.objects import Document, Pod

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.snapshot import Snapshot

REFUSED = "Cannot evict pod as it would violate the pod's disruption budget."
SEVERAL = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."


class Ground(enum.StrEnum):
    """What an answer rests on."""

    FINISHED = "finished"
    STARTING = "starting"
    TERMINATING = "terminating"
    NO_BUDGET = "no-budget"
    UNHEALTHY_ALLOWED = "unhealthy-allowed"
    UNHEALTHY_SPARED = "unhealthy-spared"
    WITHIN_BUDGET = "within-budget"
    NOT_OBSERVED = "not-observed"
    EXHAUSTED = "exhausted"
    OVERFULL = "overfull"
    NEGATIVE = "negative"
    SEVERAL_BUDGETS = "several-budgets"


@dataclass(frozen=True, slots=True)
class EvictionAnswer:
    """``code``: 200, 403, 429 or 500. ``message`` and ``detail`` are the API server's words, empty for a success.

    ``budgets``: those that select the pod, as far as they were looked at. ``is_charged``: whether the budget allows one
    disruption less afterwards. ``retry_after``: seconds that the caller is told to wait, 0 when it is told none.
    """

    code: int
    ground: Ground
    budgets: tuple[str, ...] = ()
    message: str = ""
    detail: str = ""
    is_charged: bool = False
    retry_after: int = 0

    @property
    def is_granted(self) -> bool:
        return self.code == 200


def eviction_answer(snapshot: Snapshot, pod: Document) -> EvictionAnswer:
    """What evicting a pod would be answered now; the budgets are those of the snapshot, with their reported status."""
    evicted = Pod(pod)
    return answer_under(evicted, budgets_of(snapshot, evicted.namespace, evicted.labels))


def answer_under(evicted: Pod, found: Sequence[DisruptionBudget]) -> EvictionAnswer:
    """What evicting a pod would be answered while ``found`` are the budgets that select it."""
    ground = _unquestioned(evicted)
    if ground is not None:
        return EvictionAnswer(200, ground)
    names = tuple(budget.name for budget in found)
    if len(found) > 1:
        return EvictionAnswer(500, Ground.SEVERAL_BUDGETS, names, SEVERAL)
    if not found:
        return EvictionAnswer(200, Ground.NO_BUDGET)
    budget = found[0]
    if not evicted.ready and budget.spares_unhealthy:
        always = budget.always_allows_unhealthy
        return EvictionAnswer(200, Ground.UNHEALTHY_ALLOWED if always else Ground.UNHEALTHY_SPARED, names)
    return _charge(budget, names)


def _unquestioned(pod: Pod) -> Ground | None:
    """Why a pod may go whatever the budgets say."""
    if pod.finished:
        return Ground.FINISHED
    if pod.starting:
        return Ground.STARTING
    return Ground.TERMINATING if pod.terminating else None


def _charge(budget: DisruptionBudget, names: tuple[str, ...]) -> EvictionAnswer:
    reported = budget.reported
    forbidden = f'poddisruptionbudget.policy "{budget.name}" is forbidden: '
    if not budget.is_observed:
        detail = f"The disruption budget {budget.name} is still being processed by the server."
        return EvictionAnswer(429, Ground.NOT_OBSERVED, names, REFUSED, detail, retry_after=10)
    if reported.allowed < 0:
        return EvictionAnswer(403, Ground.NEGATIVE, names, f"{forbidden}pdb disruptions allowed is negative")
    if len(reported.disrupted) > MOST_DISRUPTED:
        why = "DisruptedPods map too big - too many evictions not confirmed by PDB controller"
        return EvictionAnswer(403, Ground.OVERFULL, names, forbidden + why)
    if reported.allowed == 0:
        needs, has = reported.desired, reported.healthy
        detail = f"The disruption budget {budget.name} needs {needs} healthy pods and has {has} currently"
        return EvictionAnswer(429, Ground.EXHAUSTED, names, REFUSED, detail)
    return EvictionAnswer(200, Ground.WITHIN_BUDGET, names, is_charged=True)


def charged(budget: Document, pod: str, moment: str) -> Document:
    """The budget as the API server stores it after granting the eviction of the pod named ``pod`` at ``moment``."""
    status = budget.get("status") or {}
    disrupted = {**(status.get("disruptedPods") or {}), pod: moment}
    left = int(status.get("disruptionsAllowed") or 0) - 1
    return {**budget, "status": {**status, "disruptionsAllowed": left, "disruptedPods": disrupted}}
