"""The writer of one watcher: gathers what was heard for a moment, writes it, and tries again where it has to."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from django.db import DatabaseError, IntegrityError, InterfaceError, connection

from clusters.services.watching.backoff import Backoff
from clusters.services.watching.batches import apply_batch, heard_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusters.services.journal.judge import Judge
    from clusters.services.watching.batches import Batch
    from clusters.services.watching.leases import Lease
    from clusters.services.watching.pending import Pending

_log = logging.getLogger(__name__)

Result = TypeVar("Result")

# Seconds. A change waits for others at least this long, and longer where the last batch took longer to write.
_SHORTEST_GATHERING = 0.1
_LONGEST_GATHERING = 0.25
# Also without changes: the lease, and when the API server was last heard.
HEARTBEAT = 2.0
_LONGEST_WAIT = 5.0


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
