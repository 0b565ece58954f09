"""What was heard and is not written yet.

Of objects that is the latest state of each, so that it never outgrows the cluster; of decisions it is every one.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

from django.utils import timezone

from clusters.engine.versions import settings_of_replicas
from clusters.models import WatchedKind
from clusters.services.journal.heard import Heard
from clusters.services.mirror.snapshots import NEVER_READ
from clusters.services.watching.batches import Batch, KindStatus

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.adapters.kube.port import SourceError
    from clusters.adapters.rows import Row
    from clusters.engine.problems import Problem
    from clusters.engine.versions import GateSettings
    from clusters.problems.live import LiveObjectUnreadable
    from clusters.services.journal.ledger import Ledger, PodFact

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
        before = self._schedulers.get(uid)
        if settings == before:
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
