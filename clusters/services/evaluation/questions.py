"""A question about a cluster's state in parts: what there is no time for while somebody waits, a worker finds out.

Only whole parts are kept, each as long as the state is what it was; so nothing that was cut is ever taken for an
answer. Time is what the thread computes, and without somebody who waits (in workers, in a terminal) there is no limit.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar
from weakref import ref

from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError

from clusters.adapters.shared_redis import AwayError
from clusters.models import Cluster
from clusters.services.computing import deadlines
from clusters.services.computing.caches import Cache
from clusters.services.evaluation import store
from clusters.services.mirror.configurations import digest_of
from clusters.services.mirror.snapshots import is_same_state, snapshot_at_revision
from clusters.signals import snapshot_ready

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from clusters.engine import Snapshot

V = TypeVar("V")

# Of the computing of one page, for one question.
MOST_SECONDS = 3.0
# What open pages hear of when a worker is done, beside the kinds of objects.
NOTICE: Final = "Evaluation"
# By name, because tasks call services and not the other way round.
_TASK: Final = "clusters.tasks.evaluate"


class SupersededError(Exception):
    """The cluster changed while a worker was at a question about it."""


class NoTimeError(Exception):
    """There is no time for a part."""


class Answers(Generic[V]):
    """What is known of the parts of a question, by key. ``left``: how many parts there was no time for."""

    def __init__(self, known: dict[bytes, V] | None = None, has_time: Callable[[], bool] = lambda: True) -> None:
        self.known = {} if known is None else known
        self.left = 0
        self._has_time = has_time

    def of(self, key: bytes, compute: Callable[[], V]) -> V | None:
        """Return what is known or computed of a part; None where there is no time for it."""
        if key not in self.known:
            try:
                self.check()
                self.known[key] = compute()
            except NoTimeError:
                self.left += 1
                return None
        return self.known[key]

    def check(self) -> None:
        """Raise NoTimeError where there is no time; called between the steps of a part that takes long."""
        if not self._has_time():
            raise NoTimeError


class _Known(NamedTuple, Generic[V]):
    """What this process knows of a question about a state: that of a revision, and of those after it that equal it."""

    name: str
    revision: int
    answers: dict[bytes, V]


class Question(Generic[V]):
    """One question, whatever it is asked about. ``name`` is what workers know it by."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._known: Cache[int, _Known[V]] = Cache(name, settings.BERTH_SNAPSHOTS_IN_MEMORY)

    @contextmanager
    def answered(self, cluster: Cluster, *subject: str, snapshot: Snapshot) -> Iterator[Answers[V]]:
        """Let parts be asked for in a state of the cluster; a worker finds out what there is no time for."""
        name = digest_of(cluster, self.name, subject)
        known = self._found(cluster, subject, name, snapshot)
        answers = Answers(known.answers, self._has_time(cluster, name, known))
        yield answers
        if answers.left:
            self._ask_worker(cluster, subject, name)

    def finish(self, *, cluster: Cluster, subject: tuple[str, ...], ask: Callable[[], object]) -> None:
        """Ask the whole question in a worker, and keep what is found for all processes."""
        name = digest_of(cluster, self.name, subject)
        token = _at_work.set(name)
        try:
            ask()
            known = self._known.latest(cluster.pk)
            if known is not None and known.name == name:
                store.keep(name, (known.revision, known.answers))
        except SupersededError:
            # Whoever has a page open asks anew.
            pass
        finally:
            _at_work.reset(token)
            store.end(name)
            snapshot_ready.send_robust(
                sender=Cluster, cluster_id=cluster.pk, revision=cluster.revision, changed=False, kinds=(NOTICE,)
            )

    def _found(self, cluster: Cluster, subject: tuple[str, ...], name: str, snapshot: Snapshot) -> _Known[V]:
        """Return what this process knows, with what a worker found out in the same state."""
        revision, present = snapshot_at_revision(cluster)
        # What was asked once keeps no state of a large cluster in memory.
        version = ref(snapshot), name
        known = self._known.get(cluster.pk, lambda: _Known(name, revision, {}), version=version)
        kept = store.find(name) if present is snapshot else None
        if kept is not None and is_same_state(cluster, kept[0], revision):
            known.answers.update(kept[1])
        return known

    def _has_time(self, cluster: Cluster, name: str, known: _Known[V]) -> Callable[[], bool]:
        if _at_work.get() == name:
            return _Work(cluster, known).goes_on
        # A worker that is at it takes no less time if this process is, too.
        return deadlines.share(0.0 if store.is_asked(name) else MOST_SECONDS)

    def _ask_worker(self, cluster: Cluster, subject: tuple[str, ...], name: str) -> None:
        """Have a worker find out the rest; without one each page finds out a little more."""
        try:
            if store.begin(name):
                current_app.send_task(_TASK, args=(cluster.pk, self.name, [*subject]))
        except OperationalError:
            store.end(name)
        except AwayError:
            pass


_at_work: ContextVar[str] = ContextVar("evaluation", default="")


class _Work(Generic[V]):
    """A worker that keeps what it found out so far with each sign of life."""

    def __init__(self, cluster: Cluster, known: _Known[V]) -> None:
        self._cluster, self._known, self._signs = cluster, known, store.Signs(known.name)

    def goes_on(self) -> bool:
        """Return True, and raise SupersededError once the cluster has changed."""
        if self._signs.give():
            self._cluster.refresh_from_db(fields=["revision"])
            if not is_same_state(self._cluster, self._known.revision, self._cluster.revision):
                raise SupersededError
            store.keep(self._known.name, (self._known.revision, self._known.answers))
        return True
