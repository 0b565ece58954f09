"""Following one kind: list, watch, resume where a watch ended, list anew where the API server has forgotten."""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing
from time import monotonic
from typing import TYPE_CHECKING, Any

from clusters.adapters.kube.objects import UnreadableObjectError, live_row, uid_of, version_of
from clusters.adapters.kube.port import (
    BadConnectionError,
    ForbiddenError,
    GoneError,
    Happening,
    NotServedError,
    SourceError,
    UnauthorizedError,
    UnreachableError,
)
from clusters.adapters.scheduler_flags import feature_gates_of
from clusters.models import WatchedKind
from clusters.problems.live import CoreKindNotServed, WatchesEnd
from clusters.services.watching.backoff import Backoff

if TYPE_CHECKING:
    from clusters.adapters.kube.kinds import ApiKind
    from clusters.adapters.kube.port import ClusterReader, WatchEvent
    from clusters.adapters.rows import Row
    from clusters.engine.versions import GateSettings
    from clusters.services.watching.pending import Pending

_log = logging.getLogger(__name__)

# Their commands, which are pruned, tell which feature gates kube-scheduler is started with.
_PODS = "Pod"

# Seconds. A reason of its own for each: an API server that restarts is soon back, permissions and kinds change rarely.
# Only the first refusals are doubted soon: an API server that has just started refuses until it knows its roles.
_LONGEST_WAIT = 15.0
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
        self._backoff = Backoff(longest=_LONGEST_WAIT)
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
