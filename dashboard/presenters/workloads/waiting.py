"""Why a workload's pods are pending, and what would help, in a sentence of its page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.wording.pending.page import AT_LEAST_PENDING_FOR, PENDING_FOR
from dashboard.presenters.pending import causes

if TYPE_CHECKING:
    from clusters.services.pending.pods import CauseGroup, ClusterPending
    from clusters.services.workloads import WorkloadState


def waiting_sentence(pending: ClusterPending, state: WorkloadState) -> str:
    """Name the cause of most of a workload's pending pods with what would help; empty where none is pending now."""

    def own(group: CauseGroup) -> int:
        return sum(pod.workload == state.workload for pod in group.pods)

    most = max(pending.groups.values(), key=own, default=None)
    if most is None or not own(most):
        return ""
    title = PENDING_FOR if most.is_whole else AT_LEAST_PENDING_FOR
    return " ".join(filter(None, (f"{title(pods=own(most), cause=causes.name(most))}.", causes.way(most))))
