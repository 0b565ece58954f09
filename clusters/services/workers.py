"""What workers do: the one module that knows every kind of work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import orjson

from clusters.engine.owners import Workload
from clusters.engine.versions import RELEASES
from clusters.models import Cluster, Report, SimulationRun, StudyPart
from clusters.services import disruption as drains, reports, upgrading as asking
from clusters.services.decisions import takers
from clusters.services.disruption import DrainChoice
from clusters.services.lanes import Work, next_piece
from clusters.services.pending import pods, queue
from clusters.services.runs import asked, working
from clusters.services.studies.asking import work_on_part
from clusters.services.workloads import growth, workloads_of
from clusters.services.workloads.growth import UPDATE_QUESTION, plan_for, update_of
from clusters.services.workloads.owners import sample_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clusters.models.run import Lane
    from clusters.services.evaluation import Question

# The questions that workers finish, by the name that a task has of them.


# What workers do: the one package that knows every kind of work.


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
    plan = None if sample is None else plan_for(found, workload)
    if sample is not None and plan is not None:
        update_of(cluster=cluster, found=found, workload=workload, sample=sample, plan=plan)


def _plan(cluster: Cluster, text: str) -> None:
    drains.make_plan(cluster=cluster, choice=DrainChoice.read(text))


def _preview(cluster: Cluster, minor: str) -> None:
    asking.make_preview(cluster=cluster, target=RELEASES[minor])


# What they return is told of the evaluation when a later one is under way.
_ASKED: Final[dict[str, tuple[Question[Any], Callable[..., object]]]] = {
    question.name: (question, ask)
    for question, ask in (
        (pods.QUESTION, lambda cluster: pods.pending_of(cluster=cluster).counts),
        (queue.QUESTION, lambda cluster: queue.preemptors_of(cluster=cluster).counts),
        (takers.QUESTION, lambda cluster, node: takers.takers_of(cluster=cluster, node=node).counts),
        (growth.QUESTION, lambda cluster, *of: _grow(cluster, Workload(of[1], of[0], of[2]))),
        (UPDATE_QUESTION, lambda cluster, *of: _update(cluster, Workload(of[1], of[0], of[2]))),
        (drains.QUESTION, _plan),
        (asked.QUESTION, lambda cluster, text: asked.outcome_of(cluster=cluster, changes=orjson.loads(text))),
        (asking.QUESTION, _preview),
    )
}


def finish(*, cluster_id: int, question: str, subject: tuple[str, ...]) -> None:
    """Evaluate all that a page left, and tell open pages; nothing of a cluster that is gone."""
    cluster = Cluster.objects.filter(pk=cluster_id).first()
    if cluster is not None:
        of_it, ask = _ASKED[question]
        of_it.finish(cluster=cluster, subject=subject, ask=lambda: ask(cluster, *subject))


# Works on the next piece of work of a lane, chosen so that users take turns.

# What works on one piece, by primary key, if no other worker is quicker.
_WORK: Final[Mapping[type[Work], Callable[[int], bool]]] = {
    SimulationRun: working.work,
    StudyPart: work_on_part,
    Report: reports.write,
}


def take(lane: Lane) -> bool:
    """Work on the piece whose turn it is in a line, to its end; return whether there was one."""
    while (piece := next_piece(lane)) is not None:
        if _WORK[piece.model](piece.pk):
            return True
    return False
