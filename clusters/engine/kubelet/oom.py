"""Which container the kernel kills first when a node's memory runs out: oom_score_adj.

Upstream: ``GetContainerOOMScoreAdjust`` of ``pkg/kubelet/qos/policy.go`` and ``pkg/kubelet/qos/helpers.go``, v1.34.1
(the gate PodLevelResources on, as it is by default).
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.disruption.pressure import is_critical
from clusters.engine.disruption.qos import QualityOfService, quality_of_service
from clusters.engine.kubelet.containers import ContainerRole, containers_of, written_amounts
from clusters.engine.objects import Pod
from clusters.engine.resources.requests import MEMORY, is_pod_level, pod_amounts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.objects import Document

NODE_CRITICAL = "system-node-critical"
_GUARANTEED, _BEST_EFFORT = -997, 1000
_LEAST, _MOST = 1000 + _GUARANTEED, _BEST_EFFORT - 1


class ScoreGround(enum.StrEnum):
    """What a container's score follows from."""

    NODE_CRITICAL = "node-critical"
    GUARANTEED = "guaranteed"
    BEST_EFFORT = "best-effort"
    REQUEST = "request"
    """1000 less what it requests in thousandths of the node's memory."""
    OF_MAIN = "of-main-containers"
    """A sidecar's: that of the main container which requests least."""
    LEAST = "least"
    """It requests so much that the lowest score of Burstable pods holds."""
    MOST = "most"
    """It requests so little that it would have the score of BestEffort pods."""


@dataclass(frozen=True, slots=True)
class OomScore:
    """A container's score, None where it depends on the memory of a node that does not report it.

    ``requested``: the bytes that count for it, with its share of what is requested at pod level.
    """

    pod: str
    container: str
    role: ContainerRole
    quality: QualityOfService
    requested: int
    score: int | None
    ground: ScoreGround


def oom_scores(document: Document, capacity: int | None) -> list[OomScore]:
    """The scores of a pod's containers on a node of so many bytes of memory."""
    pod, quality = Pod(document), quality_of_service(document)
    share = _share_of_pod_level(pod.spec)
    main = [each.requests.get(MEMORY, 0) for each in containers_of(pod.spec) if each.role is ContainerRole.MAIN]
    found = []
    for container in containers_of(pod.spec):
        requested = container.requests.get(MEMORY, 0) + share
        score: int | None
        if is_critical(pod) and pod.spec.get("priorityClassName") == NODE_CRITICAL:
            score, ground = _GUARANTEED, ScoreGround.NODE_CRITICAL
        elif quality is QualityOfService.GUARANTEED:
            score, ground = _GUARANTEED, ScoreGround.GUARANTEED
        elif quality is QualityOfService.BEST_EFFORT:
            score, ground = _BEST_EFFORT, ScoreGround.BEST_EFFORT
        else:
            least = min(main, default=0) + share if container.role is ContainerRole.SIDECAR else 0
            score, ground = _of_burstable(requested, least, capacity)
        found.append(OomScore(pod.key, container.name, container.role, quality, requested, score, ground))
    return found


def oom_order(pods: Iterable[Document], capacity: int | None) -> list[OomScore]:
    """The containers of a node's pods, the one first that the kernel kills first if all use alike shares of memory."""
    found = [score for pod in pods if not Pod(pod).finished for score in oom_scores(pod, capacity)]
    return sorted(found, key=lambda each: (each.score is None, -(each.score or 0), each.pod, each.container))


def _of_burstable(requested: int, least: int, capacity: int | None) -> tuple[int | None, ScoreGround]:
    """The score by what a container requests; a sidecar's is no higher than that of the ``least`` main container."""
    ground = ScoreGround.REQUEST
    if least > requested:
        requested, ground = least, ScoreGround.OF_MAIN
    if not capacity:
        return None, ground
    score = 1000 - 1000 * requested // capacity
    if score < _LEAST:
        return _LEAST, ScoreGround.LEAST
    if score == _BEST_EFFORT:
        return _MOST, ScoreGround.MOST
    return score, ground


def _share_of_pod_level(spec: Document) -> int:
    """The bytes that each container gets of what is requested at pod level and by none of them."""
    wanted = (spec.get("resources") or {}).get("requests") or {}
    whole = written_amounts(spec, "requests").get(MEMORY, 0)
    if not whole or not any(map(is_pod_level, wanted)):
        return 0
    kinds = ("containers", "initContainers")
    alone = {kind: spec.get(kind) for kind in kinds}
    number = sum(len(each or ()) for each in alone.values())
    return (whole - pod_amounts({"spec": alone}, use_status=False).get(MEMORY, 0)) // number if number else 0
