"""Writing what a watcher heard: one transaction a batch, decisions included, and only under the lease."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from clusters.adapters.gaps import Gap, is_needed
from clusters.documents.stored_problems import problem_of_text, text_of_problem
from clusters.models import Cluster, WatchedKind
from clusters.services.ingest import change_log
from clusters.services.ingest.tables import Changes, change_kind, replace_kind
from clusters.services.journal.departures import KINDS
from clusters.services.journal.heard import HeardBatch
from clusters.services.journal.nodes import changes_of
from clusters.services.journal.writing import write_departures, write_events, write_facts, write_node_changes
from clusters.services.leases.rows import LeaseLostError
from clusters.services.mirror.snapshots import NEVER_READ
from clusters.services.watching.leases import Lease, prolong
from clusters.signals import snapshot_ready

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from clusters.adapters.rows import Row
    from clusters.engine.problems import Problem
    from clusters.engine.versions import ReplicaSettings
    from clusters.services.journal.heard import Heard
    from clusters.services.journal.ledger import PodFact

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


@dataclass(frozen=True, slots=True)
class KindStatus:
    """How one kind is doing, as WatchedKind stores it."""

    kind: str
    state: State
    state_since: datetime
    api_version: str = ""
    problem: Problem | None = None
    resource_version: str = ""
    last_event_at: datetime | None = None
    last_contact_at: datetime | None = None


@dataclass(slots=True)
class Batch:
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


@dataclass(frozen=True, slots=True)
class Applied:
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
            change_log.record(cluster, {kind: written[kind].touched for kind in kinds})
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
            problem=problem_of_text(row.problem, row.remedy),
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
        update_fields=(*_STATUS_COLUMNS, "problem", "remedy"),
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
    fresh = [listed[each.uid] for each in written["Event"].touched if not each.is_deleted] if listed else []
    return [*batch.changes.get("Event", {}).values(), *fresh]


def _gaps(cluster: Cluster) -> list[dict[str, Any]]:
    """Return which kinds the mirror has to do without, and why."""
    missing = WatchedKind.objects.filter(cluster=cluster, state__in=_MISSING).order_by("kind")
    return [
        Gap(kind, problem).as_dict()
        for kind, state, text, remedy in missing.values_list("kind", "state", "problem", "remedy")
        if (problem := problem_of_text(text, remedy)) and is_needed(kind, is_served=state != State.UNSERVED)
    ]


def heard_of(batch: Batch, applied: Applied) -> HeardBatch:
    """Return what judging needs of a batch that was committed."""
    heard = batch.heard
    if heard is not None:
        has_jumped = any(kind in applied.kinds and kind not in NEVER_READ for kind in batch.listings)
        # A list brought something new of a kind that scheduling reads, in whatever order it happened.
        heard = None if has_jumped else [each for each in heard if each.kind not in batch.listings]
    return HeardBatch(heard, applied.before, batch.facts, applied.revision)
