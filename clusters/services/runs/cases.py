"""From a run's description to the case that the engine simulates, and to the simulation itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.adapters.flow import solve
from clusters.documents.run_words import remark_document
from clusters.engine.simulation import (
    BatchSimulation,
    Case,
    ChangeError,
    Prepared,
    ReleaseDiffers,
    Simulation,
    Step,
    prepared,
)
from clusters.engine.versions import match_release
from clusters.services.computing import Cache
from clusters.services.runs.bases import objects_of
from clusters.services.runs.spec import Spec, of_change

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.objects import Document
    from clusters.models import SimulationRun

# A case holds a snapshot, which takes a gigabyte of a large cluster.
_prepared: Final[Cache[tuple[int, object], Prepared]] = Cache("cases of runs", 2)


def prepared_case(run: SimulationRun, spec: Spec) -> Prepared:
    """Return the case of a run, and what is to be said about it. Raises SpecError."""
    return prepared_on(objects_under(run), spec)


def objects_under(run: SimulationRun) -> Sequence[Document]:
    """Return the objects of a run's base; they are shared, so leave them as they are."""
    return () if run.base is None else objects_of(run.base)


def prepared_on(base: Sequence[Document], spec: Spec) -> Prepared:
    """Return the case of a run on a base that the caller has. Raises SpecError."""
    configuration, scheduler = spec.scheduler_configuration(), spec.scheduler
    try:
        return prepared(
            base,
            spec.changes_read,
            configuration,
            seed=spec.seed,
            samples=scheduler.samples,
            is_graceful=scheduler.graceful,
        )
    except ChangeError as error:
        raise of_change(error) from None


def notes_of(spec: Spec, prepared: Prepared, kube_version: str) -> list[str | Mapping[str, Any]]:
    """Return what a run's summary notes: sentences of the spec, and remarks as documents.

    ``kube_version``: of the cluster, empty where unknown.
    """
    match = match_release(kube_version)
    differs = [] if match.is_exact else [remark_document(ReleaseDiffers(match.minor, match.release.compared))]
    return [*differs, *spec.notes, *map(remark_document, prepared.remarks)]


def simulation_of(case: Case, spec: Spec, recorded: Iterable[Step] = ()) -> Simulation | BatchSimulation:
    """Return the simulation of a case by the scheduler that the run asks for."""
    scheduler = spec.scheduler
    if spec.is_batch:
        return BatchSimulation(case, solve, recorded, reschedules=scheduler.reschedules, gangs=scheduler.gangs)
    return Simulation(case, recorded)


def case_of(run: SimulationRun) -> Case:
    """Return the case of a run; it is shared, so leave it as it is. Raises SpecError."""
    return _prepared_of(run).case


def nodes_of(run: SimulationRun) -> Mapping[str, Document]:
    """Return the nodes of a run by name, as they are once its changes are made; leave them as they are."""
    return _prepared_of(run).nodes


def _prepared_of(run: SimulationRun) -> Prepared:
    # Stepping through a run asks for it again and again.
    return _prepared.get((run.pk, run.created_at), lambda: prepared_case(run, Spec.stored(run.spec)))
