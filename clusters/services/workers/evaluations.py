"""The questions that workers finish, by the name that a task has of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.engine.versions import RELEASES
from clusters.engine.workloads.pod_template import Workload
from clusters.models import Cluster
from clusters.services.decisions import takers
from clusters.services.disruption import drains
from clusters.services.disruption.drains import DrainChoice
from clusters.services.pending import pods, preemptors
from clusters.services.upgrading import asking
from clusters.services.workloads import growth, updates, workloads_of
from clusters.services.workloads.samples import sample_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusters.services.evaluation.questions import Question


def _grow(cluster: Cluster, workload: Workload) -> growth.GrowthCounts | None:
    found = workloads_of(cluster=cluster)
    sample = sample_of(cluster, found, workload) if workload in found.states else None
    if sample is None:
        return None
    tried = growth.growth_of(cluster=cluster, found=found, workload=workload, sample=sample, more=growth.MOST_PODS)
    return tried.counts


def _update(cluster: Cluster, workload: Workload) -> None:
    found = workloads_of(cluster=cluster)
    sample = sample_of(cluster, found, workload) if workload in found.states else None
    plan = None if sample is None else updates.plan_for(found, workload)
    if sample is not None and plan is not None:
        updates.update_of(cluster=cluster, found=found, workload=workload, sample=sample, plan=plan)


def _plan(cluster: Cluster, text: str) -> None:
    drains.make_plan(cluster=cluster, choice=DrainChoice.read(text))


def _preview(cluster: Cluster, minor: str) -> None:
    asking.make_preview(cluster=cluster, target=RELEASES[minor])


# What they return is told of the evaluation when a later one is under way.
_ASKED: Final[dict[str, tuple[Question[Any], Callable[..., object]]]] = {
    question.name: (question, ask)
    for question, ask in (
        (pods.QUESTION, lambda cluster: pods.pending_of(cluster=cluster).counts),
        (preemptors.QUESTION, lambda cluster: preemptors.preemptors_of(cluster=cluster).counts),
        (takers.QUESTION, lambda cluster, node: takers.takers_of(cluster=cluster, node=node).counts),
        (growth.QUESTION, lambda cluster, *of: _grow(cluster, Workload(of[1], of[0], of[2]))),
        (updates.QUESTION, lambda cluster, *of: _update(cluster, Workload(of[1], of[0], of[2]))),
        (drains.QUESTION, _plan),
        (asking.QUESTION, _preview),
    )
}


def finish(*, cluster_id: int, question: str, subject: tuple[str, ...]) -> None:
    """Evaluate all that a page left, and tell open pages; nothing of a cluster that is gone."""
    cluster = Cluster.objects.filter(pk=cluster_id).first()
    if cluster is not None:
        asked, ask = _ASKED[question]
        asked.finish(cluster=cluster, subject=subject, ask=lambda: ask(cluster, *subject))
