"""A watcher: holds the lease on one live cluster and keeps the mirror at what the API server says."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
from functools import partial
from typing import TYPE_CHECKING

from django.db import DatabaseError, InterfaceError

from clusters.adapters.kube.connection import Connection
from clusters.adapters.kube.kinds import API_KINDS
from clusters.adapters.kube.port import SourceError
from clusters.adapters.kube.reader import HttpReader
from clusters.models import Cluster
from clusters.services.journal.judge import Judge
from clusters.services.journal.ledger import Ledger
from clusters.services.leases.rows import LeaseLostError
from clusters.services.watching import leases
from clusters.services.watching.backoff import Backoff
from clusters.services.watching.batches import known_statuses, note_version
from clusters.services.watching.follower import Follower
from clusters.services.watching.pending import Pending
from clusters.services.watching.writer import DatabaseThread, Writer

if TYPE_CHECKING:
    from clusters.adapters.kube.port import ClusterReader
    from clusters.services.watching.batches import KindStatus
    from clusters.services.watching.leases import Lease

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
                lease = await self._database.run(
                    lambda: leases.acquire(cluster_id=self._cluster_id, holder=self._holder)
                )
                if lease is not None:
                    return lease
                if not told:
                    other = await self._database.run(lambda: leases.holder_of(self._cluster_id))
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
                await self._database.run(lambda: leases.release(self._lease))
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
