"""The questions that workers finish, by the name that a task has of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.models import Cluster
from clusters.services.decisions import takers
from clusters.services.pending import pods, preemptors

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusters.services.evaluation.questions import Question

_ASKED: Final[dict[str, tuple[Question[Any], Callable[..., object]]]] = {
    question.name: (question, ask)
    for question, ask in (
        (pods.QUESTION, lambda cluster: pods.pending_of(cluster=cluster)),
        (preemptors.QUESTION, lambda cluster: preemptors.preemptors_of(cluster=cluster)),
        (takers.QUESTION, lambda cluster, node: takers.takers_of(cluster=cluster, node=node)),
    )
}


def finish(*, cluster_id: int, question: str, subject: tuple[str, ...]) -> None:
    """Evaluate all that a page left, and tell open pages; nothing of a cluster that is gone."""
    cluster = Cluster.objects.filter(pk=cluster_id).first()
    if cluster is not None:
        asked, ask = _ASKED[question]
        asked.finish(cluster=cluster, subject=subject, ask=lambda: ask(cluster, *subject))
