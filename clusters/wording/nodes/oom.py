"""Which container the kernel kills first when memory runs out, and why."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.kubelet import ContainerRole, ScoreGround
from clusters.wording.amounts import grouped
from clusters.wording.messages import message

NO_SCORE: Final = pgettext_lazy("OOM score of a container", "depends on the node")
ROLES: Final = {
    ContainerRole.MAIN: pgettext_lazy("role of a container", "container"),
    ContainerRole.SIDECAR: pgettext_lazy("role of a container", "sidecar"),
    ContainerRole.INIT: pgettext_lazy("role of a container", "init container"),
    ContainerRole.EPHEMERAL: pgettext_lazy("role of a container", "ephemeral container"),
}
GROUNDS: Final = {
    ScoreGround.NODE_CRITICAL: gettext_lazy("Its pod is critical for the node (system-node-critical)."),
    ScoreGround.GUARANTEED: gettext_lazy("Its pod is Guaranteed."),
    ScoreGround.BEST_EFFORT: gettext_lazy("Its pod is BestEffort."),
    ScoreGround.REQUEST: gettext_lazy("1000 − 1000 × request / node memory."),
    ScoreGround.OF_MAIN: gettext_lazy("A sidecar: no higher than the lowest of its pod's containers."),
    ScoreGround.LEAST: gettext_lazy("The lowest score that a container of a Burstable pod has."),
    ScoreGround.MOST: gettext_lazy("The highest score that a container of a Burstable pod has."),
}
NOTHING_RUNS: Final = gettext_lazy("No container runs on the node.")


SENTENCE = message(
    "When the node's memory runs out before the kubelet has evicted enough, the kernel kills the container with "
    "the highest score: %(container)s of %(pod)s has the highest oom_score_adj, %(score)s."
)
EXPLAINED: Final = gettext_lazy(
    "The kernel adds to oom_score_adj the thousandths of the node's memory that the process uses. So a Burstable "
    "container that uses more than it requests comes to more than 1000, as BestEffort ones do. A container over "
    "its own memory limit is killed whatever its score is. Killed containers restart by their restartPolicy."
)


def score(number: int) -> str:
    """Write a score."""
    return grouped(number) if number >= 0 else f"\u2212{grouped(-number)}"
