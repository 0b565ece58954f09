"""What is computed of users' sandboxes, kept as long as they stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from clusters.engine.configuration import UnknownScheduler
from clusters.engine.objects import Pod
from clusters.engine.sandbox import PodAttempt, SandboxCluster, explain_attempt
from clusters.engine.simulation import Outcome
from clusters.services.computing import Cache

if TYPE_CHECKING:
    from clusters.engine import Explanation
    from dashboard.sandbox.storing import StoredSandbox


class PodDecision(NamedTuple):
    """The decision about a pod: that of the attempt by which it got its node, or what would be decided now.

    ``node``: the one that it has, empty while it is pending.
    """

    explanation: Explanation
    node: str
    attempt: PodAttempt | None


# Users who are at their sandboxes at the same time, and the pods that they look at.
_clusters: Final[Cache[int, SandboxCluster]] = Cache("clusters of sandboxes", 32)
_decisions: Final[Cache[tuple[int, str], PodDecision | None]] = Cache("decisions of sandboxes", 64)


def cluster_of(sandbox: StoredSandbox) -> SandboxCluster:
    """Return the cluster of a sandbox as it is now."""
    objects = sandbox.history.objects
    return _clusters.get(sandbox.user.pk, lambda: SandboxCluster(objects), version=sandbox.version)


def decision_of(sandbox: StoredSandbox, key: str) -> PodDecision | None:
    """Return the decision about a pod; None for one that there is not, and for one that another scheduler schedules."""
    return _decisions.get((sandbox.user.pk, key), lambda: _decision(sandbox, key), version=sandbox.version)


def _decision(sandbox: StoredSandbox, key: str) -> PodDecision | None:
    cluster = cluster_of(sandbox)
    pod = cluster.pods.get(key)
    if pod is None:
        return None
    node = Pod(pod).node_name
    found = sandbox.history.attempt_of(key) if node else None
    if found is not None and found.attempt.outcome is Outcome.PLACED:
        explanation = explain_attempt(SandboxCluster(found.objects), found.attempt.number)
        return PodDecision(explanation, node, found.attempt)
    try:
        return PodDecision(cluster.explain(key), node, None)
    except UnknownScheduler:
        return None
