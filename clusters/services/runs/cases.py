"""What runs begin with, and the case that is made of it."""

from __future__ import annotations

import zlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import orjson
from django.db import IntegrityError, transaction
from django.db.models import TextField
from django.db.models.deletion import RestrictedError
from django.db.models.functions import Cast

from clusters.adapters.flow import solve
from clusters.documents.words import remark_document
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
from clusters.models import Cluster, KubeObject, Node, Pod, PodDisruptionBudget, RunBase
from clusters.services.computing import Cache
from clusters.services.runs.spec import Spec, of_change

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clusters.engine.objects import Document
    from clusters.models import SimulationRun


_ROWS_AT_ONCE: Final = 2_000
_ATTEMPTS: Final = 3
# A base has a tenth of the objects' size; one more percent would take twice the time.
_LEVEL: Final = 1
_BYTES_AT_ONCE: Final = 1 << 20
# Runs on the same base follow each other, as in a sweep; the objects of a large cluster take a gigabyte.
_objects: Final[Cache[tuple[int, object], tuple[dict[str, Any], ...]]] = Cache("objects of bases", 1)


class _Packed(NamedTuple):
    revision: int
    data: bytes
    objects: int


def base_of(cluster: Cluster) -> RunBase:
    """Return the base of the cluster's present revision; runs of the same revision share it."""
    found = _find(cluster, _revision(cluster))
    if found is not None:
        return found
    packed = _read(cluster)
    with suppress(IntegrityError), transaction.atomic():
        return RunBase.objects.create(
            cluster=cluster, revision=packed.revision, packed_objects=packed.data, object_count=packed.objects
        )
    # Somebody else was quicker.
    return RunBase.objects.get(cluster=cluster, revision=packed.revision)


def _objects_in(base: RunBase) -> Iterator[dict[str, Any]]:
    """Yield the objects of a base; they are decompressed bit by bit."""
    stream = zlib.decompressobj()
    rest = b""
    data = memoryview(base.packed_objects)
    for start in range(0, len(data), _BYTES_AT_ONCE):
        *lines, rest = (rest + stream.decompress(data[start : start + _BYTES_AT_ONCE])).split(b"\n")
        for line in lines:
            yield orjson.loads(line)


def objects_of(base: RunBase) -> Sequence[dict[str, Any]]:
    """Return the objects of a base in their order; they are shared, so leave them as they are."""
    return _objects.get((base.pk, base.created_at), lambda: tuple(_objects_in(base)))


def objects_now(cluster: Cluster) -> list[dict[str, Any]]:
    """Return the objects of a cluster's present revision, without keeping them for anybody."""
    return list(_objects_in(RunBase(packed_objects=_read(cluster).data)))


def free(base_id: int | None) -> bool:
    """Remove a base unless a run or a study begins with it, and say whether that was so."""
    if base_id is None:
        return False
    with suppress(RestrictedError):
        return bool(RunBase.objects.filter(pk=base_id, runs__isnull=True, studies__isnull=True).delete()[0])
    return False


def free_unused() -> int:
    """Remove every base that nothing begins with, and return how many there were."""
    return sum(
        free(pk) for pk in RunBase.objects.filter(runs__isnull=True, studies__isnull=True).values_list("pk", flat=True)
    )


def _read(cluster: Cluster) -> _Packed:
    """Read all objects of one revision: nothing was committed in between, or else could not be."""
    for _ in range(_ATTEMPTS):
        revision = _revision(cluster)
        data, count = _packed(cluster)
        if _revision(cluster) == revision:
            return _Packed(revision, data, count)
    with transaction.atomic():
        # Whoever changes the mirror takes this row first.
        locked = Cluster.objects.select_for_update().get(pk=cluster.pk)
        return _Packed(locked.revision, *_packed(locked))


def _packed(cluster: Cluster) -> tuple[bytes, int]:
    stream = zlib.compressobj(_LEVEL)
    parts, count = [], 0
    for model in (Node, Pod, PodDisruptionBudget, KubeObject):
        # As text: nothing here looks into the objects.
        rows = model._default_manager.filter(cluster=cluster).order_by("pk").annotate(text=Cast("object", TextField()))
        for text in rows.values_list("text", flat=True).iterator(_ROWS_AT_ONCE):
            parts.append(stream.compress(text.encode() + b"\n"))
            count += 1
    return b"".join([*parts, stream.flush()]), count


def _find(cluster: Cluster, revision: int) -> RunBase | None:
    return RunBase.objects.defer("packed_objects").filter(cluster=cluster, revision=revision).first()


def _revision(cluster: Cluster) -> int:
    return Cluster.objects.values_list("revision", flat=True).get(pk=cluster.pk)


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
