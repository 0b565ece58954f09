"""The case of a run, made of what it begins with and its changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.adapters.flow import solve
from clusters.documents.words import remark_document
from clusters.engine.simulation import (
    Base,
    BatchSimulation,
    Case,
    ChangeError,
    NodeDocuments,
    Prepared,
    ReleaseDiffers,
    Simulation,
    Step,
    prepared,
)
from clusters.engine.versions import match_release
from clusters.services.computing import Cache
from clusters.services.mirror.bases import beginning
from clusters.services.runs.spec import Spec, of_change

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.models import SimulationRun


# A case holds a snapshot, which takes a gigabyte of a large cluster.
_prepared: Final[Cache[tuple[int, object], Prepared]] = Cache("cases of runs", 2)


def base_under(run: SimulationRun, spec: Spec) -> Base:
    """Return what a run begins with; it is shared, so leave it as it is. Raises SpecError and ChangingTooFastError."""
    return beginning(run.base, spec.scheduler_configuration().release)


def prepared_on(base: Base, spec: Spec) -> Prepared:
    """Return the case of a run on its base, and what is to be said about it. Raises SpecError."""
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


def nodes_of(run: SimulationRun) -> NodeDocuments:
    """Return the nodes of a run by name, as they are once its changes are made; leave them as they are."""
    return _prepared_of(run).nodes


def _prepared_of(run: SimulationRun) -> Prepared:
    # Stepping through a run asks for it again and again.
    spec = Spec.stored(run.spec)
    return _prepared.get((run.pk, run.created_at), lambda: prepared_on(base_under(run, spec), spec))
