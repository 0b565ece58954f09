"""What a run did to each group of pods, beside what the other way to place them would have done."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from clusters.adapters.flow import FlowError, solve
from clusters.documents.run_groups import group_document
from clusters.engine.failure import Failure
from clusters.engine.simulation.batch import BatchSimulation
from clusters.engine.simulation.batch.gangs import POD_GROUP
from clusters.engine.simulation.group_ends import group_results, groups_named
from clusters.engine.simulation.run import Simulation
from clusters.services.decisions.failures import attempted
from clusters.services.runs.spec import BATCH, PODS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine.objects import Document
    from clusters.engine.podgroups.reference import PodGroupKey
    from clusters.engine.simulation import Case
    from clusters.engine.simulation.group_ends import GroupResult

# A run of more pods is not simulated a second time for the sake of its groups.
MOST_BESIDE: Final = 1_000


def pod_groups_of(case: Case, simulation: Simulation, pods: Iterable[Document]) -> list[dict[str, Any]]:
    """Return the groups that these pods of a run name: how each ends, by which ``way``, and the answer ``beside``.

    Beside a run that goes pod by pod that is the batch scheduler's, which places groups whole or not at all, and the
    other way round; None where there are too many pods, or it cannot be computed.
    """
    keys = groups_named(pods, simulation.snapshot)
    if not keys:
        return []
    others = {each.group: group_document(each) for each in _beside(case, simulation, keys)}
    way = BATCH if isinstance(simulation, BatchSimulation) else PODS
    return [
        {**group_document(each), "way": way, "beside": others.get(each.group)}
        for each in _results(case, simulation, keys)
    ]


def _results(case: Case, simulation: Simulation, keys: Sequence[PodGroupKey]) -> list[GroupResult]:
    is_batch = isinstance(simulation, BatchSimulation)
    return group_results(simulation.snapshot, keys, None if is_batch else case.configuration)


def _beside(case: Case, simulation: Simulation, keys: Sequence[PodGroupKey]) -> list[GroupResult]:
    if len(case.wanted) > MOST_BESIDE:
        return []
    is_batch = isinstance(simulation, BatchSimulation)
    other = Simulation(case) if is_batch else BatchSimulation(case, solve, gangs=POD_GROUP)
    try:
        # What fails beside a run does not cost the run its own answer.
        ended = attempted(str(keys[0]), partial(_go_through, other))
    except FlowError:
        return []
    return [] if isinstance(ended, Failure) else _results(case, other, keys)


def _go_through(simulation: Simulation) -> None:
    for _step in simulation:
        pass
