"""What questions begin with: a cluster at one revision, however often it changes afterwards.

A base is the mirror itself, but for the objects that were replaced since. Of those it keeps what was there before,
which whoever replaces rows writes down in the same transaction, and only while there is a base. So holding a base costs
nothing, and reading one what changed.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.db import connection
from django.db.models import Exists, OuterRef, Q
from django.db.models.deletion import RestrictedError

from clusters.adapters.rows import OBJECTS, Table
from clusters.engine.objects import key_of
from clusters.engine.simulation import Base, is_beside
from clusters.models import Cluster, KubeObject, Node, Pod, ReplacedObject, RunBase
from clusters.services.computing import Cache
from clusters.services.mirror.snapshots import (
    JOBS,
    NEVER_READ,
    last_moment,
    places,
    snapshot_as,
    snapshot_at_revision,
    snapshot_of,
    unchanging,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from django.db.models import QuerySet

    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.versions import Release
    from clusters.models.mirrored import Mirrored

# SQLite may be built to take no more than 999 values in one statement.
_AT_ONCE: Final = 900
# Each may hold a snapshot of its own.
_bases: Final[Cache[tuple[int, object, str], Base]] = Cache("bases", 2)


def hold(cluster: Cluster) -> RunBase:
    """Return the base of the cluster's present revision; the caller's transaction gives it a run or a study.

    Raises Cluster.DoesNotExist.
    """
    count = Node.objects.filter(cluster=cluster).count() + Pod.objects.filter(cluster=cluster).count()
    with unchanging(cluster) as revision:
        of_it = {"as_of": last_moment(cluster), "object_count": count}
        return RunBase.objects.get_or_create(cluster=cluster, revision=revision, defaults=of_it)[0]


def free(base_id: int | None) -> bool:
    """Remove a base unless a run or a study begins with it, and say whether that was so."""
    if base_id is None or (base := RunBase.objects.select_related("cluster").filter(pk=base_id).first()) is None:
        return False
    # A cluster that is deleted takes its bases with it, and a run that comes in this moment keeps one.
    with suppress(Cluster.DoesNotExist, RestrictedError), unchanging(base.cluster):
        unused = _unused().filter(pk=base_id)
        if not unused.exists():
            return False
        earlier = RunBase.objects.filter(cluster=base.cluster, revision__lt=base.revision).order_by("-revision").first()
        if earlier is not None:
            # What was replaced after this one was replaced after that one, too.
            known = ReplacedObject.objects.filter(base=earlier, kind=OuterRef("kind"), uid=OuterRef("uid"))
            ReplacedObject.objects.filter(~Exists(known), base=base).update(base=earlier)
        return bool(unused.delete()[0])
    return False


def free_unused() -> int:
    """Remove every base that nothing begins with, and return how many there were."""
    return sum(free(pk) for pk in _unused().values_list("pk", flat=True))


def _unused() -> Any:
    return RunBase.objects.filter(runs__isnull=True, studies__isnull=True)


class Replaced(NamedTuple):
    """An object that a row is written for which was not there."""

    kind: str
    uid: str
    namespace: str
    name: str


def keep_replaced(*, cluster: Cluster, table: Table, going: Sequence[int], coming: Iterable[Replaced]) -> None:
    """Keep rows that are about to be deleted, by primary key, and which objects come, for the cluster's newest base.

    The caller holds the transaction.
    """
    base = RunBase.objects.filter(cluster=cluster).order_by("-revision").values_list("pk", flat=True).first()
    if base is None:
        return
    ReplacedObject.objects.bulk_create(
        (ReplacedObject(base_id=base, **each._asdict(), object=None) for each in coming),
        ignore_conflicts=True,
        batch_size=_AT_ONCE,
    )
    quote = connection.ops.quote_name
    kind = quote("kind") if table is OBJECTS else "%s"
    namespace = quote("namespace") if "namespace" in table.columns else "''"
    for start in range(0, len(going), _AT_ONCE):
        keys = going[start : start + _AT_ONCE]
        places = ", ".join(["%s"] * len(keys))
        statement = (
            f"INSERT INTO {quote(ReplacedObject._meta.db_table)} (base_id, kind, uid, namespace, name, object)"  # noqa: S608 -- names of our own models
            f" SELECT %s, {kind}, uid, {namespace}, name, object FROM {quote(table.model._meta.db_table)}"
            f" WHERE id IN ({places}) ON CONFLICT DO NOTHING"
        )
        with connection.cursor() as cursor:
            cursor.execute(statement, [base, *([] if table is OBJECTS else [table.model.__name__]), *keys])


def beside_nodes(pods: QuerySet[Pod]) -> Iterator[tuple[str, Document]]:
    """Yield those of some pods that wait for a node or have finished, with UIDs: a snapshot holds the others."""
    # By two indexes, of which the second is read whole, but not the wide rows of all pods.
    finished = pods.filter(phase__in=("Succeeded", "Failed")).values("pk")
    for some in (pods.filter(node_name=""), Pod.objects.filter(pk__in=finished).exclude(node_name="")):
        yield from some.order_by("pk").values_list("uid", "object").iterator(2_000)


def beginning(base: RunBase | None, release: Release) -> Base:
    """Return a base as the engine begins with it, read as a release; it is shared. None: an empty cluster.

    Raises ChangingTooFastError.
    """
    if base is None:
        return Base.of((), release)
    cluster = base.cluster
    name = f"{release.first_version} {sorted(gate.value for gate, is_on in release.gates.items() if is_on)}"
    return _bases.get(
        (base.pk, base.created_at, name),
        lambda: _made(base, snapshot_as(cluster, snapshot_of(cluster), release)),
    )


def present(cluster: Cluster) -> tuple[int, Base]:
    """Return the cluster's present revision, and the cluster as a question begins with it that is answered at once.

    What is read later may be a moment newer. Raises ChangingTooFastError.
    """
    revision, snapshot = snapshot_at_revision(cluster)
    return revision, _made(RunBase(cluster=cluster, revision=revision), snapshot)


def _made(base: RunBase, present: Snapshot) -> Base:
    """Return a base, by a snapshot of the same or a later revision."""
    beside = dict(beside_nodes(Pod.objects.filter(cluster=base.cluster)))
    jobs = dict(KubeObject.objects.filter(cluster=base.cluster, kind__in=JOBS).values_list("uid", "object"))
    # After all else: what changed in the moment before is among them.
    replaced = list(_replaced_since(base))
    for each in replaced:
        now = beside if each.kind == "Pod" else jobs if each.kind in JOBS else {}
        now.pop(each.uid, None)
        if each.object is not None and (each.kind != "Pod" or is_beside(each.object)):
            now[each.uid] = each.object
    return Base(
        _as_it_was(present, replaced, jobs.values()),
        tuple(beside.values()),
        lambda names: _read(base, Node, names),
        lambda keys: _read(base, Pod, keys),
    )


def _as_it_was(present: Snapshot, replaced: Sequence[ReplacedObject], jobs: Collection[Document]) -> Snapshot:
    """Return a snapshot as it was before objects were replaced, with the Jobs that there were."""
    held = [each for each in replaced if each.kind not in NEVER_READ]
    if not held and not jobs:
        return present
    snapshot = present.copy()
    # A name may have passed from one object to another.
    for each in held:
        if each.object is None:
            place = {"namespace": each.namespace} if each.namespace else {}
            snapshot.delete({"kind": each.kind, "metadata": {"name": each.name, **place}})
    for document in (*(each.object for each in held if each.object is not None), *jobs):
        snapshot.upsert(document)
    return snapshot


def _replaced_since(base: RunBase, *conditions: Q) -> Iterator[ReplacedObject]:
    """Yield what the base had, of each object that was replaced since."""
    later = ReplacedObject.objects.filter(*conditions, base__cluster=base.cluster, base__revision__gte=base.revision)
    told = set()
    for each in later.order_by("base__revision").iterator(2_000):
        if (each.kind, each.uid) not in told:
            told.add((each.kind, each.uid))
            yield each


def _read(base: RunBase, model: type[Mirrored], keys: Collection[str]) -> Mapping[str, Document]:
    """Return objects of a base that are there, by name or ``namespace/name``."""
    found: dict[str, Document] = {}
    for some in places(keys):
        namespace = some.get("namespace")
        rows = model._default_manager.filter(cluster=base.cluster, **some).values_list("name", "object")
        found.update((f"{namespace}/{name}" if namespace else name, document) for name, document in rows)
        # After the rows: what changed in the moment before is among them.
        for each in _replaced_since(base, Q(kind=model.__name__, **some)):
            if each.object is not None:
                found[key_of(each.object) if namespace else each.name] = each.object
    return found
