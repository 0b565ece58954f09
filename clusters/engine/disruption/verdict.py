"""Why a budget allows nothing: because it never will, or because something is under way."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

from clusters.engine.disruption.arithmetic import PercentageError, desired_of, scaled

if TYPE_CHECKING:
    from clusters.engine.disruption.arithmetic import Computed
    from clusters.engine.disruption.budget import DisruptionBudget
    from clusters.engine.disruption.scale import ControllerScale


class Never(enum.StrEnum):
    """Why a budget allows no disruption even when every pod is healthy, at the present scale."""

    NOTHING_ASKED = "nothing-asked"
    NONE_UNAVAILABLE = "none-unavailable"
    ALL_AVAILABLE = "all-available"
    MORE_THAN_REPLICAS = "more-than-replicas"
    UNMANAGED = "unmanaged"


class ZeroCause(enum.StrEnum):
    """Why a budget allows nothing now, the first that holds. Only the first two last by themselves."""

    NEVER = "never"
    SYNC_FAILED = "sync-failed"
    NOT_OBSERVED = "not-observed"
    NO_PODS = "no-pods"
    ROLLOUT = "rollout"
    EVICTING = "evicting"
    UNHEALTHY = "unhealthy"
    MISSING = "missing"
    BEHIND = "behind"
    UNKNOWN = "unknown"

    @property
    def lasts(self) -> bool:
        """Whether the budget goes on blocking until somebody changes it, its replicas or its selector."""
        return self in (ZeroCause.NEVER, ZeroCause.SYNC_FAILED)


def never(budget: DisruptionBudget, pods: int, unmanaged: int, scale: ControllerScale) -> Never | None:
    """Why the budget would allow nothing if all its pods were there and healthy; None when it would, or has no pods.

    ``pods``: how many it selects, of which ``unmanaged`` have no controller.
    """
    if budget.min_available is None and budget.max_unavailable is None:
        return Never.NOTHING_ASKED
    try:
        if budget.max_unavailable is not None:
            if scaled(budget.max_unavailable, 100) <= 0:
                return Never.NONE_UNAVAILABLE
            return Never.UNMANAGED if pods and pods == unmanaged else None
        if isinstance(budget.min_available, str):
            if scaled(budget.min_available, 100) >= 100:
                return Never.ALL_AVAILABLE
            if pods and pods == unmanaged:
                return Never.UNMANAGED
            unmanaged = 0
        if scale.replicas is None or not scale.replicas + unmanaged:
            return None
        reachable = scale.replicas + unmanaged
        spare = reachable - desired_of(budget, reachable)
    except PercentageError:
        return None
    if spare > 0:
        return None
    return Never.MORE_THAN_REPLICAS if spare < 0 else Never.ALL_AVAILABLE


def zero_cause(
    budget: DisruptionBudget,
    computed: Computed,
    why_never: Never | None,
    *,
    pods: int,
    leaving: bool,
    unhealthy: bool,
    rolling_out: bool,
) -> ZeroCause | None:
    """Why nothing may be evicted at the budget's expense now; None when something may.

    ``leaving``: some pods are being deleted or evicted; ``unhealthy``: some of the others are not ready.
    """
    if budget.grants:
        return None
    failed = computed.failure or (budget.reported.failure and budget.is_observed)
    missing = computed.expected is not None and pods < computed.expected
    behind = computed.allowed is not None and computed.allowed > 0
    causes = (
        (ZeroCause.SYNC_FAILED, bool(failed)),
        (ZeroCause.NO_PODS, not pods),
        (ZeroCause.NEVER, why_never is not None),
        (ZeroCause.NOT_OBSERVED, not budget.is_observed),
        (ZeroCause.ROLLOUT, rolling_out),
        (ZeroCause.EVICTING, leaving),
        (ZeroCause.UNHEALTHY, unhealthy),
        (ZeroCause.MISSING, missing),
        (ZeroCause.BEHIND, behind),
    )
    return next((cause for cause, holds in causes if holds), ZeroCause.UNKNOWN)
