"""In which order things come, as numbers that rank them: the lower first, equals in any order.

All functions raise UnsolvableError where that is not certain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.configuration import UnknownScheduler
from clusters.engine.disruption.pressure import pressure_order
from clusters.engine.kubelet.oom import oom_order
from clusters.engine.lessons.problems import QueueOrderUnknown, UsageUnknown
from clusters.engine.lessons.question import UnsolvableError
from clusters.engine.objects import NOT_STARTED, Pod
from clusters.engine.queueing.queue import order
from clusters.engine.registry import held_back

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.candidates import Candidate
    from clusters.engine.lessons.situation import Situation

# Anything that sorts: ranks of one order are compared with each other alone.
Rank = Any


def oom_ranks(situation: Situation, node: str) -> dict[str, Rank]:
    """The pods of a node by the highest oom_score_adj of their containers, which the kernel kills first."""
    ranks: dict[str, Rank] = {}
    for score in oom_order(situation.pods_on(node), situation.capacity_of(node)):
        ranks.setdefault(score.pod, -(score.score or 0))
    return ranks


def pressure_ranks(situation: Situation, node: str) -> dict[str, Rank]:
    """The pods of a node as its kubelet evicts them when memory runs out, without those that it passes over."""
    usage = {Pod(pod).uid: situation.parts.usage.get(key) for key, pod in situation.pods.items()}
    found = [each for each in pressure_order(situation.pods_on(node), usage) if not each.standing.is_exempt]
    for each in found:
        if each.used is None:
            raise UnsolvableError(UsageUnknown(each.key))
    return {each.key: each.earliest for each in found}


def search_ranks(situation: Situation) -> dict[str, Rank]:
    """The nodes as a scheduler looks at them that begins with the first, and knew all of them when it started."""
    rows = situation.snapshot.nodes.search_order.tolist()
    return {situation.node_names[row]: place for place, row in enumerate(rows)}


def queue_ranks(situation: Situation) -> dict[str, Rank]:
    """The pending pods that are in the scheduling queue, as it tries those that it has not tried yet."""
    ranks: dict[str, Rank] = {}
    times: dict[int, set[bool]] = {}
    for document in situation.waiting:
        pod = Pod(document)
        try:
            profile = situation.configuration.profile_for(document)
        except UnknownScheduler:
            continue
        if held_back(pod, profile, situation.snapshot) is not None:
            continue
        told = times.setdefault(pod.priority, set())
        told.add(pod.created == NOT_STARTED)
        if len(told) > 1:
            raise UnsolvableError(QueueOrderUnknown(pod.key))
        ranks[pod.key] = order(pod.priority, pod.created)
    return ranks


def ranking(situation: Situation) -> dict[str, Rank]:
    """The feasible nodes by their total, the highest first."""
    attempt = situation.attempt()
    names = situation.node_names
    return {names[row]: -(attempt.total_of(row) or 0) for row in attempt.ranking().tolist()}


def victim_ranks(situation: Situation, candidate: Candidate) -> dict[str, Rank]:
    """The victims of a candidate by importance: higher priority first, then who started earlier."""
    started = {key: Pod(situation.pods[key]).start_time for key in candidate.victims}
    priorities: Mapping[str, int] = dict(zip(candidate.victims, candidate.priorities, strict=True))
    return {key: (-priorities[key], started[key]) for key in candidate.victims}
