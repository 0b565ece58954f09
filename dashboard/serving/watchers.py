"""The watchers of an installation: one process for each live cluster, as clusters come and go."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, NamedTuple

from django.db import DatabaseError, InterfaceError, connections

from clusters.models import Cluster

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dashboard.serving.children import Child

_log = logging.getLogger(__name__)

# Seconds. Between looks at which clusters there are; and from a start to the next one of the same cluster, so that a
# watcher that cannot live does not keep the machine busy.
_BETWEEN_LOOKS = 2.0
_BETWEEN_STARTS = 5.0


class Wanted(NamedTuple):
    """What a watcher is started for; when the connection changes it is started anew, when the name does it goes on."""

    name: str
    kubeconfig: str
    context: str


class _Running(NamedTuple):
    child: Child
    wanted: Wanted


def wanted_watchers() -> dict[int, Wanted] | None:
    """Return the live clusters by primary key, or None while the database does not say."""
    try:
        rows = Cluster.objects.filter(source=Cluster.Source.LIVE).values_list("pk", "name", "kubeconfig", "context")
        return {pk: Wanted(*rest) for pk, *rest in rows}
    except (DatabaseError, InterfaceError) as error:
        _log.warning("Which clusters to watch is unknown: %s", error)
        return None
    finally:
        # The supervisor lives long, and a connection that it keeps would outlive a restart of the database.
        connections.close_all()


class Watchers:
    """Starts and stops watchers. One that dies is started again: the others, and the pages, do not suffer for it."""

    def __init__(
        self, *, start: Callable[[str, str], Child], look: Callable[[], Mapping[int, Wanted] | None] = wanted_watchers
    ) -> None:
        self._start = start
        self._look = look
        self._running: dict[int, _Running] = {}
        self._leaving: list[Child] = []
        self._started: dict[int, float] = {}
        self._next_look = 0.0

    def tend(self) -> None:
        """Bring the processes in line with the clusters, if it is time to look again."""
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + _BETWEEN_LOOKS
        wanted = self._look()
        if wanted is None:
            return
        self._leaving = [child for child in self._leaving if child.process.poll() is None]
        for pk, running in list(self._running.items()):
            if pk not in wanted or wanted[pk][1:] != running.wanted[1:]:
                running.child.process.terminate()
                self._leaving.append(running.child)
            elif running.child.process.poll() is None:
                continue
            del self._running[pk]
        for pk, cluster in wanted.items():
            if pk not in self._running and now - self._started.get(pk, -_BETWEEN_STARTS) >= _BETWEEN_STARTS:
                self._started[pk] = now
                self._running[pk] = _Running(self._start(f"watch {cluster.name}", cluster.name), cluster)

    def stop(self, *, grace: float) -> None:
        """Ask all watchers to end at once, then wait for each."""
        children = self._children()
        for child in children:
            child.process.terminate()
        for child in children:
            child.stop(grace=grace)

    def kill(self) -> None:
        """End every watcher now."""
        for child in self._children():
            child.kill()

    def _children(self) -> list[Child]:
        return [*(running.child for running in self._running.values()), *self._leaving]
