"""A watcher: holds the lease on one live cluster, follows each kind, and writes what it heard in batches."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import random
import secrets
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from datetime import datetime, timedelta
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from django.db import DatabaseError, IntegrityError, InterfaceError, connection, transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from msgspec import Struct, field
from msgspec.structs import replace

from clusters.adapters.kube import (
    API_KINDS,
    ApiKind,
    BadConnectionError,
    ClusterReader,
    Connection,
    ForbiddenError,
    GoneError,
    Happening,
    HttpReader,
    NotServedError,
    SourceError,
    UnauthorizedError,
    UnreachableError,
    UnreadableObjectError,
    WatchEvent,
    live_row,
    uid_of,
    version_of,
)
from clusters.adapters.state import Gap, feature_gates_of, is_needed
from clusters.documents.stored_problems import problem_of_text, text_of_problem
from clusters.engine.versions import GateSettings, ReplicaSettings, settings_of_replicas
from clusters.models import Cluster, WatchedKind, WatchLease
from clusters.problems.live import CoreKindNotServed, LiveObjectUnreadable, WatchesEnd
from clusters.services.ingest.ingest import Changes, change_kind, record_changes, replace_kind
from clusters.services.journal.judge import Judge
from clusters.services.journal.ledger import Ledger, PodFact
from clusters.services.journal.states import Heard, HeardBatch
from clusters.services.journal.writing import (
    KINDS,
    changes_of,
    write_departures,
    write_events,
    write_facts,
    write_node_changes,
)
from clusters.services.lanes import LeaseLostError, from_now, take, write
from clusters.services.mirror.snapshots import NEVER_READ
from clusters.signals import snapshot_ready

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clusters.adapters.rows import Row
    from clusters.engine.problems import Problem

# The lease on a live cluster: one watcher mirrors it, and whoever lost the lease can write nothing more.
#
# A lease changes hands by one conditional UPDATE. Each change of hands has a token of its own, and every batch is
# written in a transaction that first looks, with the row locked, whether its token is still the present one: a
# watcher that was suspended, and wakes up after another took over, fails there.

# A watcher: holds the lease on one live cluster and keeps the mirror at what the API server says.

LIFETIME = timedelta(seconds=15)


class Lease(Struct, frozen=True):
    """What a watcher shows to be allowed to write."""

    cluster_id: int
    token: int


def acquire(*, cluster_id: int, holder: str) -> Lease | None:
    """Take the lease if nobody holds it; return None if somebody does. Raises LeaseLostError without a cluster."""
    with transaction.atomic():
        # Makes those who come at the same time wait for each other, also where there is no row to lock yet.
        if not Cluster.objects.select_for_update().filter(pk=cluster_id, source=Cluster.Source.LIVE).exists():
            raise LeaseLostError("there is no such live cluster any more")
        held = WatchLease.objects.filter(cluster_id=cluster_id)
        values = {"holder": holder[:255], "acquired_at": Now(), "expires_at": from_now(LIFETIME)}
        if not held.exists():
            WatchLease.objects.create(cluster_id=cluster_id, token=1, heartbeat_at=Now(), **values)
        elif not take(held.filter(expires_at__lte=Now()), token=F("token") + 1, **values):
            return None
        return Lease(cluster_id, held.values_list("token", flat=True).get())


def prolong(lease: Lease, *, lag_ms: int | None = None) -> None:
    """Keep the lease for another LIFETIME from now on. Raises LeaseLostError."""
    write(_held(lease), expires_at=from_now(LIFETIME), **({} if lag_ms is None else {"lag_ms": lag_ms}))


def release(lease: Lease) -> None:
    """Give the lease back, so that the next watcher need not wait; one that was lost is let be."""
    _held(lease).update(expires_at=Now())


def holder_of(cluster_id: int) -> str:
    """Return who holds the lease, empty when nobody does."""
    held = WatchLease.objects.filter(cluster_id=cluster_id, expires_at__gt=Now())
    return held.values_list("holder", flat=True).first() or ""


def _held(lease: Lease) -> QuerySet[WatchLease]:
    return WatchLease.objects.filter(cluster_id=lease.cluster_id, token=lease.token)


# Writing what a watcher heard: one transaction a batch, decisions included, and only under the lease.

_STATUS_COLUMNS = (
    "api_version",
    "state",
    "state_since",
    "resource_version",
    "last_event_at",
    "last_contact_at",
)
State = WatchedKind.State
_MISSING = (State.FORBIDDEN, State.UNSERVED)


class KindStatus(Struct, frozen=True):
    """How one kind is doing, as WatchedKind stores it."""

    kind: str
    state: State
    state_since: datetime
    api_version: str = ""
    problem: Problem | None = None
    resource_version: str = ""
    last_event_at: datetime | None = None
    last_contact_at: datetime | None = None


class Batch(Struct):
    """What is to be written at once; a kind is in `listings` or in `changes`, never in both."""

    # By kind and UID: all objects of the kind.
    listings: dict[str, dict[str, Row]] = field(default_factory=dict)
    # By kind and UID: the object's row, or None for one that is gone.
    changes: dict[str, dict[str, Row | None]] = field(default_factory=dict)
    statuses: dict[str, KindStatus] = field(default_factory=dict)
    facts: list[PodFact] = field(default_factory=list)
    # In the order of arrival; None where too much came to keep each.
    heard: list[Heard] | None = field(default_factory=list)
    # Of the replicas of kube-scheduler, as they are started now; None where nothing was heard of them.
    gates: ReplicaSettings | None = None
    # By the monotonic clock; None of a batch without objects.
    first_arrival: float | None = None


class Applied(Struct, frozen=True):
    """What became of a batch: the cluster's revision after it, and the kinds of which rows changed.

    `is_raised`: whether the batch raised it. `before` holds the objects that `changes` replaced or removed as they
    were, by kind and UID.
    """

    revision: int
    is_raised: bool
    kinds: tuple[str, ...]
    lag_ms: int
    before: Mapping[str, Mapping[str, Mapping[str, Any]]]


def apply_batch(*, lease: Lease, batch: Batch) -> Applied:
    """Write a batch, and announce the new revision if there is one.

    Objects that are the same after pruning change nothing. Raises LeaseLostError, and IntegrityError for a batch that
    contradicts the mirror, as only a kind that was followed with a gap can; in both cases nothing is written.
    """
    with transaction.atomic():
        cluster = _locked(lease)
        written = {kind: replace_kind(cluster, kind, rows.values()) for kind, rows in batch.listings.items()}
        written |= {kind: change_kind(cluster, kind, rows) for kind, rows in batch.changes.items()}
        kinds = tuple(sorted(kind for kind, changes in written.items() if changes))
        _write_statuses(cluster, batch, written)
        is_regated = batch.gates is not None and batch.gates != cluster.feature_gates
        if is_regated:
            cluster.feature_gates = batch.gates
        if kinds or is_regated:
            cluster.revision += 1
        if kinds:
            record_changes(cluster, {kind: written[kind].touched[kind] for kind in kinds})
        is_told = write_facts(cluster, batch.facts)
        is_told = write_events(cluster, _fresh_events(batch, written)) or is_told
        if "Node" in batch.changes:
            # A list tells how nodes are, not when they became so.
            told = changes_of(cluster, batch.changes["Node"], written["Node"].before, timezone.now())
            is_told = write_node_changes(told) or is_told
        is_told = _write_departures(cluster, batch, written) or is_told
        cluster.gaps = _gaps(cluster)
        cluster.last_sync = timezone.now()
        cluster.save(update_fields=["revision", "gaps", "last_sync", "departures_since", "feature_gates"])
        lag_ms = 0 if batch.first_arrival is None else round(1000 * (monotonic() - batch.first_arrival))
        # Last, so that a batch that took long does not leave the lease about to expire.
        prolong(lease, lag_ms=lag_ms)
        if kinds or is_regated or is_told:
            news = {
                "revision": cluster.revision,
                "changed": bool(kinds) or is_regated,
                "kinds": (*kinds, *["Decision"] * is_told),
            }
            transaction.on_commit(
                lambda: snapshot_ready.send_robust(sender=Cluster, cluster_id=lease.cluster_id, **news)
            )
    return Applied(
        cluster.revision,
        bool(kinds) or is_regated,
        kinds,
        lag_ms,
        {kind: changes.before for kind, changes in written.items()},
    )


def _write_departures(cluster: Cluster, batch: Batch, written: Mapping[str, Changes]) -> bool:
    """Store which nodes and pods went, from the first list of pods on; return whether any did."""
    now = timezone.now()
    if cluster.departures_since is None:
        if "Pod" in batch.listings:
            cluster.departures_since = now
        return False
    is_told = False
    for kind in KINDS:
        gone = written[kind].gone if kind in written else []
        if gone:
            write_departures(cluster, kind, gone, now, is_late=kind in batch.listings)
            is_told = True
    return is_told


def known_statuses(*, cluster_id: int) -> dict[str, KindStatus]:
    """Return how each kind was doing when that was last written, by kind: what a new watcher begins with."""
    return {
        row.kind: KindStatus(
            row.kind,
            problem=problem_of_text(row.problem),
            **{column: getattr(row, column) for column in _STATUS_COLUMNS} | {"state": State(row.state)},
        )
        for row in WatchedKind.objects.filter(cluster=cluster_id)
    }


def note_version(*, lease: Lease, version: str) -> None:
    """Store the API server's version. Raises LeaseLostError."""
    with transaction.atomic():
        cluster = _locked(lease)
        cluster.kube_version = version[:64]
        cluster.save(update_fields=["kube_version"])


def _locked(lease: Lease) -> Cluster:
    """Lock the cluster for a transaction that holds the lease."""
    cluster = Cluster.objects.select_for_update().filter(pk=lease.cluster_id).first()
    if cluster is None:
        raise LeaseLostError("the cluster was deleted meanwhile")
    prolong(lease)
    return cluster


def _write_statuses(cluster: Cluster, batch: Batch, written: dict[str, Changes]) -> None:
    WatchedKind.objects.bulk_create(
        (
            WatchedKind(
                cluster=cluster,
                kind=kind,
                problem=text_of_problem(status.problem),
                **{column: getattr(status, column) for column in _STATUS_COLUMNS},
            )
            for kind, status in batch.statuses.items()
        ),
        update_conflicts=True,
        unique_fields=["cluster", "kind"],
        update_fields=(*_STATUS_COLUMNS, "problem"),
    )
    for kind, changes in written.items():
        count = (
            len(batch.listings[kind])
            if kind in batch.listings
            else F("objects_count") + changes.added - changes.removed
        )
        if kind in batch.listings or changes.added != changes.removed:
            WatchedKind.objects.filter(cluster=cluster, kind=kind).update(objects_count=count)


def _fresh_events(batch: Batch, written: dict[str, Changes]) -> list[Row | None]:
    """Return the events that were heard of, and of a list those that the mirror did not have."""
    listed = batch.listings.get("Event", {})
    fresh = [listed[each.uid] for each in written["Event"].touched["Event"] if not each.is_deleted] if listed else []
    return [*batch.changes.get("Event", {}).values(), *fresh]


def _gaps(cluster: Cluster) -> list[dict[str, Any]]:
    """Return which kinds the mirror has to do without, and why."""
    missing = WatchedKind.objects.filter(cluster=cluster, state__in=_MISSING).order_by("kind")
    return [
        Gap(kind, problem).as_dict()
        for kind, state, text in missing.values_list("kind", "state", "problem")
        if (problem := problem_of_text(text)) and is_needed(kind, is_served=state != State.UNSERVED)
    ]


def heard_of(batch: Batch, applied: Applied) -> HeardBatch:
    """Return what judging needs of a batch that was committed."""
    heard = batch.heard
    if heard is not None:
        has_jumped = any(kind in applied.kinds and kind not in NEVER_READ for kind in batch.listings)
        # A list brought something new of a kind that scheduling reads, in whatever order it happened.
        heard = None if has_jumped else [each for each in heard if each.kind not in batch.listings]
    return HeardBatch(heard, applied.before, batch.facts, applied.revision)


# How long to wait before asking again.

_FIRST = 0.5
_FACTOR = 2.0
# An hour, which is longer than any limit: what fails for weeks must not outgrow a float.
_MOST_DOUBLINGS = 13


class Backoff:
    """Seconds that grow from half a second to a limit, shortened at random by up to a half.

    The chance keeps many kinds, and many watchers, from asking at the same moment.
    """

    def __init__(self, *, longest: float) -> None:
        self._longest = longest
        self.failures = 0

    def next(self) -> float:
        """Count a failure and return how long to wait after it."""
        wait = min(self._longest, _FIRST * _FACTOR ** min(self.failures, _MOST_DOUBLINGS))
        self.failures += 1
        return wait * random.uniform(0.5, 1.0)  # noqa: S311 - to spread load, not to hide anything

    def reset(self) -> None:
        """Begin anew after a success."""
        self.failures = 0


# The writer of one watcher: gathers what was heard for a moment, writes it, and tries again where it has to.

Result = TypeVar("Result")

# Seconds. A change waits for others at least this long, and longer where the last batch took longer to write.
_SHORTEST_GATHERING = 0.1
_LONGEST_GATHERING = 0.25
# Also without changes: the lease, and when the API server was last heard.
HEARTBEAT = 2.0


class DatabaseThread:
    """The one thread of a watcher that talks to the database, so that its connection is used by one at a time."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="database")

    async def run(self, work: Callable[[], Result]) -> Result:
        """Run the work there; a connection that failed is closed, so that the next work gets a new one."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, self._guarded, work)

    async def close(self) -> None:
        def close() -> None:
            # Named here and not outside: Django gives each thread a connection of its own.
            connection.close()

        await self.run(close)
        self._executor.shutdown()

    def _guarded(self, work: Callable[[], Result]) -> Result:
        try:
            return work()
        except (DatabaseError, InterfaceError):
            connection.close()
            raise


class Writer:
    """Takes what is pending and writes it under a lease."""

    def __init__(
        self,
        *,
        lease: Lease,
        pending: Pending,
        database: DatabaseThread,
        judge: Judge,
        list_anew: Callable[[str], None],
    ) -> None:
        self._lease = lease
        self._pending = pending
        self._database = database
        self._judge = judge
        self._list_anew = list_anew
        self._backoff = Backoff(longest=_LONGEST_WAIT)
        self._took = 0.0
        # The cluster's, after the last batch that is known to be written.
        self._revision: int | None = None

    async def run(self) -> None:
        """Write for ever. Raises LeaseLostError."""
        while True:
            with contextlib.suppress(TimeoutError):
                # Not wait_for: in Python 3.11 it drops a cancellation that comes together with a change.
                async with asyncio.timeout(HEARTBEAT):
                    await self._pending.arrived.wait()
                await asyncio.sleep(min(_LONGEST_GATHERING, max(_SHORTEST_GATHERING, self._took)))
            await self.write()

    async def write(self) -> None:
        """Write what is pending now, or put it back and wait a moment where the database does not take it."""
        batch = self._pending.take()
        began = monotonic()
        try:
            applied = await self._database.run(lambda: apply_batch(lease=self._lease, batch=batch))
        except IntegrityError as error:
            self._discard(batch, error)
        except (DatabaseError, InterfaceError) as error:
            self._pending.give_back(batch)
            wait = self._backoff.next()
            _log.warning("The database does not take %d changes: %s. Again in %.1f s.", self._pending.size, error, wait)
            await asyncio.sleep(wait)
            return
        except BaseException:
            self._pending.give_back(batch)
            raise
        else:
            if self._revision not in (None, applied.revision - applied.is_raised):
                # The database had taken an earlier attempt and could not say so: single changes cannot be told from
                # what is there any more.
                batch.heard = None
            self._revision = applied.revision
            self._judge.hear(heard_of(batch, applied))
        self._backoff.reset()
        self._took = monotonic() - began

    def _discard(self, batch: Batch, error: IntegrityError) -> None:
        """Drop a batch that contradicts the mirror: its kinds were followed with a gap, and only a list closes it."""
        kinds = sorted({*batch.listings, *batch.changes})
        _log.error("Changes of %s contradict the mirror (%s). Listing them anew.", ", ".join(kinds), error)
        for kind in kinds:
            self._list_anew(kind)
        self._pending.keep(batch.facts)


# What was heard and is not written yet.
#
# Of objects that is the latest state of each, so that it never outgrows the cluster; of decisions it is every one.

# Beyond so many changes that are not written yet, single ones are no longer kept for judging decisions.
_MOST_HEARD = 20_000


class Pending:
    """Filled by the kinds' tasks, emptied by the writer; all on one event loop.

    It begins with how the kinds were doing when that was last written, so that what is silent stays so since then, and
    with how the pods stood, so that what was decided since then is told.
    """

    def __init__(self, statuses: Mapping[str, KindStatus], ledger: Ledger) -> None:
        self._batch = Batch()
        self._statuses = dict(statuses)
        self._ledger = ledger
        self._schedulers: dict[str, GateSettings] = {}
        self.arrived = asyncio.Event()

    def status(self, kind: str) -> KindStatus:
        """Return how a kind is doing."""
        known = self._statuses.get(kind)
        return known or KindStatus(kind, WatchedKind.State.RELISTING, timezone.now())

    def list_anew(self, kind: str, api_version: str = "") -> None:
        """Note that a kind is being listed, and in which version where that is known."""
        status = self.status(kind)
        self._become(replace(status, api_version=api_version or status.api_version), WatchedKind.State.RELISTING)

    def fail(self, kind: str, state: WatchedKind.State, error: SourceError) -> None:
        """Note that a kind cannot be followed, and why."""
        self._become(self.status(kind), state, error.problem)

    def contact(self, kind: str, resource_version: str) -> None:
        """Note that the API server answers for a kind, which is complete up to a version."""
        status = self.status(kind)
        # What could not be read of an object stays worth saying.
        problem = status.problem if status.state == WatchedKind.State.OK else None
        status = replace(status, resource_version=resource_version, last_contact_at=timezone.now())
        self._become(status, WatchedKind.State.OK, problem)

    def note_unreadable(self, problem: LiveObjectUnreadable) -> None:
        """Note that an object of a kind that is followed otherwise cannot be kept."""
        self._become(self.status(problem.object_kind), WatchedKind.State.OK, problem)

    def replace(self, kind: str, rows: dict[str, Row], versions: Mapping[str, str]) -> None:
        """Take all objects of a kind and their resource versions, by UID."""
        self._batch.changes.pop(kind, None)
        self._batch.listings[kind] = rows
        if kind == "Pod":
            self._batch.facts += self._ledger.replace(rows, versions)
        self._arrive()

    def replace_schedulers(self, schedulers: Mapping[str, GateSettings]) -> None:
        """Take what all replicas of kube-scheduler are started with, by UID of their pods."""
        self._schedulers = dict(schedulers)
        self._note_gates()

    def change_scheduler(self, uid: str, settings: GateSettings | None) -> None:
        """Take what a pod starts kube-scheduler with; None for a pod that does not run it, or is gone."""
        if settings == self._schedulers.get(uid):
            return
        if settings is None:
            del self._schedulers[uid]
        else:
            self._schedulers[uid] = settings
        self._note_gates()

    def _note_gates(self) -> None:
        self._batch.gates = settings_of_replicas(self._schedulers.values())
        self._arrive()

    def change(self, kind: str, uid: str, row: Row | None, version: str) -> None:
        """Take the latest state of one object, and the resource version of its change; None for one that is gone."""
        self._hear(kind, uid, row, version)
        listing = self._batch.listings.get(kind)
        if listing is None:
            self._batch.changes.setdefault(kind, {})[uid] = row
        elif row is None:
            listing.pop(uid, None)
        else:
            listing[uid] = row
        self._statuses[kind] = self._batch.statuses[kind] = replace(self.status(kind), last_event_at=timezone.now())
        self._arrive()

    def _hear(self, kind: str, uid: str, row: Row | None, version: str) -> None:
        if kind == "Pod" and row is not None:
            self._batch.facts += self._ledger.hear(row, version, is_watched=True)
        elif kind == "Pod":
            self._ledger.forget(uid)
        if self._batch.heard is not None and kind not in NEVER_READ:
            self._batch.heard.append(Heard(kind, uid, version, row, monotonic()))
            if len(self._batch.heard) > _MOST_HEARD:
                self._batch.heard = None

    def keep(self, facts: list[PodFact]) -> None:
        """Put back the decisions of a batch whose rows could not be written; lists bring the rows again."""
        self._batch.facts[:0] = facts
        self._arrive()

    @property
    def size(self) -> int:
        """How many objects wait to be written."""
        return sum(map(len, self._batch.listings.values())) + sum(map(len, self._batch.changes.values()))

    def take(self) -> Batch:
        """Hand over what is there, be it nothing."""
        batch, self._batch = self._batch, Batch()
        self.arrived.clear()
        return batch

    def give_back(self, batch: Batch) -> None:
        """Put a batch that could not be written under what has come since."""
        newer, self._batch = self._batch, batch
        for kind, rows in newer.listings.items():
            batch.changes.pop(kind, None)
            batch.listings[kind] = rows
        for kind, changes in newer.changes.items():
            for uid, row in changes.items():
                listing = batch.listings.get(kind)
                if listing is None:
                    batch.changes.setdefault(kind, {})[uid] = row
                elif row is None:
                    listing.pop(uid, None)
                else:
                    listing[uid] = row
        batch.statuses.update(newer.statuses)
        batch.facts += newer.facts
        if batch.heard is not None and newer.heard is not None:
            batch.heard += newer.heard
        else:
            batch.heard = None
        if newer.gates is not None:
            batch.gates = newer.gates
        if batch.first_arrival is None:
            batch.first_arrival = newer.first_arrival
        self.arrived.set()

    def forget(self, kind: str) -> None:
        """Drop what waits of a kind that is about to be listed anew."""
        self._batch.changes.pop(kind, None)
        self._batch.listings.pop(kind, None)

    def _become(self, status: KindStatus, state: WatchedKind.State, problem: Problem | None = None) -> None:
        since = status.state_since if status.state == state else timezone.now()
        changed = replace(status, state=state, state_since=since, problem=problem)
        self._statuses[status.kind] = self._batch.statuses[status.kind] = changed

    def _arrive(self) -> None:
        if self._batch.first_arrival is None:
            self._batch.first_arrival = monotonic()
        self.arrived.set()


# Following one kind: list, watch, resume where a watch ended, list anew where the API server has forgotten.

# Their commands, which are pruned, tell which feature gates kube-scheduler is started with.
_PODS = "Pod"

# Seconds. A reason of its own for each: an API server that restarts is soon back, permissions and kinds change rarely.
# Only the first refusals are doubted soon: an API server that has just started refuses until it knows its roles.
_FOLLOWER_LONGEST_WAIT = 15.0
_LONGEST_WAIT_FOR_PERMISSION = 30.0
_WAIT_FOR_KIND = 300.0
# A watch that ends sooner than this and told nothing did not work.
_SHORTEST_WATCH = 1.0
# So many watches in a row that failed are enough to doubt the version that they resume from.
_MOST_RESUMPTIONS = 8


class Follower:
    """Keeps one kind's rows, and its status, coming; runs until it is cancelled."""

    def __init__(self, kind: ApiKind, reader: ClusterReader, pending: Pending) -> None:
        self._kind = kind
        self._reader = reader
        self._pending = pending
        self._backoff = Backoff(longest=_FOLLOWER_LONGEST_WAIT)
        self._refusals = Backoff(longest=_LONGEST_WAIT_FOR_PERMISSION)
        # Whether the mirror was told that the kind has no objects: to say so again would only disturb the judge.
        self._is_emptied = False

    async def run(self) -> None:
        """List and watch for ever; whatever the cluster answers, only this kind suffers."""
        while True:
            wait = 0.0
            try:
                await self._follow()
            except GoneError as error:
                _log.info("%s: %s", self._kind.name, error)
                # The first time at once; a server that forgets again and again is not asked to list as often.
                if self._backoff.failures:
                    wait = self._backoff.next()
                self._backoff.failures = max(1, self._backoff.failures)
            except SourceError as error:
                wait = self._fail(error)
            await asyncio.sleep(wait)

    def _fail(self, error: SourceError) -> float:
        """Make the failure visible and return how many seconds to wait."""
        name = self._kind.name
        if isinstance(error, NotServedError) and self._is_doubtful:
            error = UnreachableError(CoreKindNotServed(name))
        match error:
            case ForbiddenError():
                state, wait = WatchedKind.State.FORBIDDEN, self._refusals.next()
            case NotServedError():
                state, wait = WatchedKind.State.UNSERVED, _WAIT_FOR_KIND
                # A kind that the API server does not know has no objects.
                if not self._is_emptied:
                    self._pending.replace(name, {}, {})
                self._is_emptied = True
            case _:
                state, wait = WatchedKind.State.SILENT, self._backoff.next()
        if self._pending.status(name).state != state:
            _log.warning("%s: %s", name, error)
        self._pending.fail(name, state, error)
        return wait

    @property
    def _is_doubtful(self) -> bool:
        """Whether it is served all the same: every API server has the core kinds, and what was there may come back."""
        status = self._pending.status(self._kind.name)
        was_served = status.resource_version != "" and status.state != WatchedKind.State.UNSERVED
        return not self._kind.group or (was_served and self._backoff.failures < _MOST_RESUMPTIONS)

    async def _follow(self) -> None:
        if self._pending.status(self._kind.name).state == WatchedKind.State.OK:
            self._pending.list_anew(self._kind.name)
        version = await self._reader.served_version(self._kind)
        position = await self._list(version)
        while True:
            position = await self._watch_once(version, position)

    async def _list(self, version: str) -> str:
        rows: dict[str, Row] = {}
        versions: dict[str, str] = {}
        schedulers: dict[str, GateSettings] = {}
        unreadable = None
        position = ""
        async for page in self._reader.pages(self._kind, version):
            position = page.resource_version
            # Only now: a kind that is forbidden or silent stays so until the API server gives something out.
            self._pending.list_anew(self._kind.name, self._kind.api_version(version))
            for document in page.items:
                try:
                    row = live_row(self._kind, version, document)
                except UnreadableObjectError as error:
                    unreadable = error.problem
                else:
                    uid = uid_of(document)
                    rows[uid], versions[uid] = row, version_of(document)
                    if (gates := self._gates_of(document)) is not None:
                        schedulers[uid] = gates
            # Pruning a page takes a while, and the other kinds' events wait for it.
            await asyncio.sleep(0)
        self._refusals.reset()
        self._is_emptied = False
        self._pending.replace(self._kind.name, rows, versions)
        if self._kind.name == _PODS:
            self._pending.replace_schedulers(schedulers)
        self._pending.contact(self._kind.name, position)
        if unreadable:
            self._pending.note_unreadable(unreadable)
        return position

    async def _watch_once(self, version: str, position: str) -> str:
        """Watch until it ends, and return where to resume. Raises GoneError, and what only a new list can heal."""
        began = monotonic()
        told = False
        try:
            async with aclosing(self._reader.watch(self._kind, version, position)) as events:
                async for event in events:
                    told = told or event.happening is not Happening.OPENED
                    position = self._hear(version, event) or position
            if told or monotonic() - began > _SHORTEST_WATCH:
                self._backoff.reset()
                return position
            error: SourceError = UnreachableError(WatchesEnd())
        except (UnreachableError, UnauthorizedError, BadConnectionError) as caught:
            error = caught
        if told:
            self._backoff.reset()
        if self._backoff.failures >= _MOST_RESUMPTIONS:
            raise error
        await asyncio.sleep(self._fail(error))
        return position

    def _gates_of(self, document: dict[str, Any]) -> GateSettings | None:
        return feature_gates_of(document) if self._kind.name == _PODS else None

    def _hear(self, version: str, event: WatchEvent) -> str:
        """Take one event and return the version that it brings the kind to."""
        name = self._kind.name
        if event.happening in (Happening.OPENED, Happening.BOOKMARK):
            self._pending.contact(name, event.resource_version)
            return event.resource_version
        uid = uid_of(event.object)
        row = None
        unreadable = None
        if event.happening is not Happening.DELETED:
            try:
                row = live_row(self._kind, version, event.object)
            except UnreadableObjectError as error:
                # The row that is there would be an older state of the object: it goes.
                unreadable = error.problem
        self._pending.change(name, uid, row, event.resource_version)
        if name == _PODS:
            self._pending.change_scheduler(uid, None if row is None else self._gates_of(event.object))
        self._pending.contact(name, event.resource_version)
        if unreadable:
            self._pending.note_unreadable(unreadable)
        return event.resource_version


_log = logging.getLogger(__name__)

# Seconds between looks whether the lease has become free.
_STANDBY = 2.0
_LONGEST_WAIT = 5.0
_BETWEEN_VERSIONS = 600.0
# To write what is pending and give the lease back when asked to stop.
_LAST_WORDS = 3.0


class ClusterGoneError(Exception):
    """There is no such live cluster, or not any more."""


class Watcher:
    """Follows one cluster for as long as it runs; a second one of the same cluster waits for the first to go."""

    def __init__(self, cluster_id: int) -> None:
        self._cluster_id = cluster_id
        self._database = DatabaseThread()
        # The random part tells two processes apart that a restart gave the same number.
        self._holder = f"{socket.gethostname()}, process {os.getpid()}, {secrets.token_hex(4)}"

    async def run(self) -> None:
        """Follow until cancelled. Raises ClusterGoneError when the cluster is deleted."""
        try:
            while True:
                connection = await self._connection()
                lease = await self._acquired()
                try:
                    known = await self._database.run(partial(known_statuses, cluster_id=self._cluster_id))
                    ledger = await self._database.run(
                        partial(Ledger.of, self._cluster_id, is_new=not _was_complete(known.get("Pod")))
                    )
                    await _Session(connection, lease, self._database, Pending(known, ledger)).run()
                except LeaseLostError as error:
                    _log.warning("Stopped following: %s.", error)
                except (DatabaseError, InterfaceError) as error:
                    _log.warning("The database is unavailable: %s.", error)
                    await asyncio.sleep(_STANDBY)
        finally:
            await self._database.close()

    async def _connection(self) -> Connection:
        def look() -> Connection | None:
            cluster = Cluster.objects.filter(pk=self._cluster_id, source=Cluster.Source.LIVE).first()
            return None if cluster is None else Connection(cluster.kubeconfig, cluster.context)

        while True:
            try:
                connection = await self._database.run(look)
            except (DatabaseError, InterfaceError) as error:
                _log.warning("The database is unavailable: %s.", error)
                await asyncio.sleep(_STANDBY)
                continue
            if connection is None:
                raise ClusterGoneError
            return connection

    async def _acquired(self) -> Lease:
        told = False
        while True:
            try:
                lease = await self._database.run(lambda: acquire(cluster_id=self._cluster_id, holder=self._holder))
                if lease is not None:
                    return lease
                if not told:
                    other = await self._database.run(lambda: holder_of(self._cluster_id))
                    _log.info("Standing by: the cluster is followed by %s.", other or "another watcher")
                    told = True
            except LeaseLostError:
                raise ClusterGoneError from None
            except (DatabaseError, InterfaceError) as error:
                _log.warning("The database is unavailable: %s.", error)
            await asyncio.sleep(_STANDBY)


class _Session:
    """What runs while a lease is held."""

    def __init__(self, connection: Connection, lease: Lease, database: DatabaseThread, pending: Pending) -> None:
        self._connection = connection
        self._lease = lease
        self._database = database
        self._reader: ClusterReader = HttpReader(connection)
        self._pending = pending
        self._judge = Judge(lease.cluster_id)
        self._writer = Writer(
            lease=lease, pending=self._pending, database=database, judge=self._judge, list_anew=self._list_anew
        )
        self._group = asyncio.TaskGroup()
        self._followers: dict[str, asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Follow every kind until cancelled. Raises LeaseLostError."""
        _log.info("Following the cluster by %s.", self._connection)
        self._judge.start()
        try:
            await self._follow()
        except asyncio.CancelledError:
            await self._say_goodbye()
            raise
        finally:
            self._judge.stop()
            await self._reader.close()
            await asyncio.to_thread(self._judge.join, _LAST_WORDS)

    async def _follow(self) -> None:
        try:
            # One task that fails in a way that nobody foresaw ends them all: better than to go on without its kind.
            async with self._group:
                for name in API_KINDS:
                    self._start(name)
                self._group.create_task(self._note_version())
                self._group.create_task(self._writer.run())
        except ExceptionGroup as failures:
            lost, others = failures.split(LeaseLostError)
            if lost is None or others is not None:
                raise
            raise LeaseLostError(str(lost.exceptions[0])) from None

    def _start(self, name: str) -> None:
        follower = Follower(API_KINDS[name], self._reader, self._pending)
        self._followers[name] = self._group.create_task(follower.run())

    def _list_anew(self, name: str) -> None:
        self._followers[name].cancel()
        self._pending.forget(name)
        self._start(name)

    async def _say_goodbye(self) -> None:
        """Write what is pending, and give the lease back."""
        try:
            async with asyncio.timeout(_LAST_WORDS):
                await self._writer.write()
                await self._database.run(lambda: release(self._lease))
        except (TimeoutError, LeaseLostError, DatabaseError, InterfaceError) as error:
            _log.warning("Stopped without a last word to the database: %r. The next watcher lists anew.", error)

    async def _note_version(self) -> None:
        """Store the API server's version, and look now and then whether it was upgraded."""
        backoff = Backoff(longest=_LONGEST_WAIT)
        while True:
            try:
                version = await self._reader.version()
                await self._database.run(partial(note_version, lease=self._lease, version=version))
            except (SourceError, DatabaseError, InterfaceError):
                await asyncio.sleep(backoff.next())
            else:
                backoff.reset()
                await asyncio.sleep(_BETWEEN_VERSIONS)


def _was_complete(status: KindStatus | None) -> bool:
    """Whether all objects of a kind were in the mirror at one time."""
    return status is not None and status.resource_version != ""
