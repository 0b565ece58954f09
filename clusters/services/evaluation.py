"""Questions about a cluster's state that may take long: begun while somebody waits, finished by a worker."""

from __future__ import annotations

import logging
import math
from contextlib import contextmanager
from contextvars import ContextVar
from time import thread_time
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar
from weakref import ref

import orjson
from django.conf import settings
from django.utils import timezone
from msgspec import Struct

from clusters.adapters import shared_redis
from clusters.adapters.shared_redis import AwayError
from clusters.documents.values import UnreadableError, packed_values, read_values
from clusters.models import Cluster
from clusters.problems.orders import WorkersAway
from clusters.services.computing import Cache, share
from clusters.services.mirror.snapshots import digest_of, is_same_state, revision_of
from clusters.signals import snapshot_ready

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import datetime

    from redis import Redis

    from clusters.engine import Snapshot

# What workers found out, and what they are at: kept in Redis for a while, where all processes see it.
#
# Nobody holds anything: a note that a worker is at something lives as long as the worker tells of itself, and where
# two workers are at the same, both find the same. So there is no token and no take-over here, but a time to live.

_log = logging.getLogger(__name__)

KEPT_SECONDS: Final = 3600
# Of a packed plan or preview; ten thousand evictions take a tenth of it.
MOST_BYTES = 8 * 2**20
_TOO_LARGE_SECONDS: Final = 60
# A worker tells of itself at least this often, or it is taken for dead and another one is asked. The longest it is
# silent is at first, when it reads a large cluster's state.
SILENCE_SECONDS: Final = 300
_SECONDS_BETWEEN_SIGNS = 2.0


class Evaluation(NamedTuple):
    """What was found out of a question by its parts, of the state of a revision, which was read ``at`` that time.

    ``told``: what it comes to, where a worker found out the whole (``is_long``). One that ``is_too_large`` to be kept
    has no answers.
    """

    revision: int
    at: datetime
    answers: Mapping[bytes, Any]
    told: Any = None
    is_long: bool = False
    is_too_large: bool = False


class Progress(NamedTuple):
    """How much of its work a worker is done with; ``total`` is 0 where it does not count."""

    done: int = 0
    total: int = 0


def find(name: str) -> Evaluation | None:
    """Return the last evaluation that is whole; None without one, without Redis, and for what another release kept."""
    return _read(_kept(name))


def find_begun(name: str) -> Evaluation | None:
    """Return as much as a worker found out so far; None as above."""
    return _read(_begun(name))


def keep(name: str, whole: Evaluation, most_bytes: float = math.inf) -> None:
    """Keep an evaluation for an hour; without Redis it is not kept.

    Of a larger one that a worker found out is kept for a minute that it is too large.
    """
    text, seconds = packed_values(whole), KEPT_SECONDS
    if len(text) > most_bytes:
        if not whole.is_long:
            return
        text, seconds = packed_values(whole._replace(answers={}, is_too_large=True)), _TOO_LARGE_SECONDS
    _told(lambda client: client.set(_kept(name), text, ex=seconds))
    _told(lambda client: client.delete(_begun(name)))


def keep_begun(name: str, part: Evaluation) -> None:
    """Keep what is known so far."""
    text = packed_values(part)
    _told(lambda client: client.set(_begun(name), text, ex=KEPT_SECONDS))


def begin(name: str, progress: Progress) -> bool:
    """Note that a worker is asked; False where one is already. Raises AwayError."""
    note = orjson.dumps([*progress])
    return bool(shared_redis.ask(lambda client: client.set(_asked(name), note, ex=SILENCE_SECONDS, nx=True)))


def tell(name: str, progress: Progress) -> None:
    """Note that a worker is alive, and how far it is."""
    _told(lambda client: client.set(_asked(name), orjson.dumps([*progress]), ex=SILENCE_SECONDS))


def progress_of(name: str) -> Progress | None:
    """Return how far the worker is that is at something, or is about to be; None without one. Raises AwayError."""
    text = shared_redis.ask(lambda client: client.get(_asked(name)))
    return Progress(*orjson.loads(text)) if isinstance(text, bytes) else None


def end(name: str) -> None:
    """Note that no worker is at it any more."""
    _told(lambda client: client.delete(_asked(name)))


class Signs:
    """The signs of life of a worker."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._due = 0.0

    def give(self, progress: Progress) -> bool:
        """Note that the worker is alive, every few seconds of its computing; return whether it was time to."""
        if thread_time() < self._due:
            return False
        self._due = thread_time() + _SECONDS_BETWEEN_SIGNS
        tell(self._name, progress)
        return True


def _read(key: str) -> Evaluation | None:
    try:
        text = shared_redis.ask(lambda client: client.get(key))
        found = read_values(text) if isinstance(text, bytes) else None
    except AwayError:
        return None
    except UnreadableError as error:
        _log.warning("What a worker found out is kept in a form that is not read: %s", error)
        return None
    return found if isinstance(found, Evaluation) else None


def _told(question: Callable[[Redis], object]) -> None:
    try:
        shared_redis.ask(question)
    except AwayError as error:
        _log.warning("What workers are at is not told: %s", error)


def _kept(name: str) -> str:
    return f"berth:evaluation:kept:{name}"


def _begun(name: str) -> str:
    return f"berth:evaluation:begun:{name}"


def _asked(name: str) -> str:
    return f"berth:evaluation:asked:{name}"


# A question about a cluster's state in parts: what there is no time for while somebody waits, a worker finds out.
#
# Only whole parts are kept, each as long as the state is what it was; so nothing that was cut is ever taken for an
# answer. Time is what the thread computes, and without somebody who waits (in workers, in a terminal) there is no
# limit.
#
# A worker goes on to the end although the cluster changes meanwhile: what it found is kept with the revision and its
# time, so that a cluster that changes faster than it is evaluated has an answer, of a moment ago; then pages ask
# anew.

V = TypeVar("V")

# Of the computing of one page, for one question.
MOST_SECONDS = 3.0
# What open pages hear of when a worker is done, beside the kinds of objects.
NOTICE: Final = "Evaluation"
# By name, because tasks call services and not the other way round.
_TASK: Final = "clusters.tasks.evaluate"
_UNCOUNTED: Final = Progress()


class WorkersAwayError(Exception):
    """Redis is unavailable, so that no worker can be asked."""

    problem = WorkersAway()


class NoTimeError(Exception):
    """There is no time for a part."""


class Answers(Generic[V]):
    """What is known of the parts of a question, by key. ``left``: how many parts there was no time for.

    ``earlier``: the last evaluation that was whole, where it is of another state than this one and this one is not
    whole. ``is_asked``: whether a worker is at what is left. Both once the question is over.
    """

    def __init__(
        self,
        known: dict[bytes, V] | None = None,
        has_time: Callable[[Progress], bool] = lambda _: True,
        earlier: Evaluation | None = None,
    ) -> None:
        self.known = {} if known is None else known
        self.earlier = earlier
        self.left = 0
        self.is_asked = False
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

    def check(self, progress: Progress = _UNCOUNTED) -> None:
        """Raise NoTimeError where there is no time; called between the steps of a part that takes long."""
        if not self._has_time(progress):
            raise NoTimeError


class _Known(Struct, Generic[V]):
    """What this process knows of a question about a state: that of a revision, and of those after it that equal it."""

    name: str
    revision: int
    at: datetime
    answers: dict[bytes, V]
    is_whole: bool = False

    def evaluation(self, told: object = None, *, is_long: bool = False) -> Evaluation:
        return Evaluation(self.revision, self.at, self.answers, told, is_long)


class Question(Generic[V]):
    """One question, whatever it is asked about. ``name`` is what workers know it by.

    ``is_shared``: what a page found out is kept for all processes as well, like what a worker did, up to MOST_BYTES.
    ``is_read``: whether this release reads an answer that was kept; what it does not read is not known.
    """

    def __init__(self, name: str, *, is_shared: bool = False, is_read: Callable[[V], bool] = lambda _: True) -> None:
        self.name = name
        self._is_shared = is_shared
        self._is_read = is_read
        self._known: Cache[int, _Known[V]] = Cache(name, settings.BERTH_SNAPSHOTS_IN_MEMORY)

    @contextmanager
    def answered(self, cluster: Cluster, *subject: str, snapshot: Snapshot) -> Iterator[Answers[V]]:
        """Let parts be asked for in a state of the cluster; a worker finds out what there is no time for.

        Of a moment of the past whoever asks finds out all.
        """
        if cluster.past is not None:
            yield Answers()
            return
        name = self.key(cluster, *subject)
        known = self._known.get(
            cluster.pk,
            lambda: _Known(name, revision_of(snapshot), timezone.now(), {}),
            # What was asked once keeps no state of a large cluster in memory.
            version=(ref(snapshot), name),
        )
        known.revision = revision_of(snapshot)
        whole = self._read(find(name))
        is_present = whole is not None and is_same_state(cluster, whole.revision, known.revision)
        # As much as a worker found out so far, which may have died since.
        begun = None if is_present else self._read(find_begun(name))
        if is_present and whole is not None:
            known.answers.update(whole.answers)
        elif begun is not None and is_same_state(cluster, begun.revision, known.revision):
            known.answers.update(begun.answers)
        answers = Answers(known.answers, _has_time(known), None if is_present else whole)
        yield answers
        known.is_whole = not answers.left
        if known.is_whole:
            answers.earlier = None
        if answers.left:
            answers.is_asked = _ask_worker(cluster, self.name, subject, name, _UNCOUNTED)
        elif self._is_shared and not _is_at_work(name) and (whole is None or whole.revision != known.revision):
            self._keep(name, known.evaluation(is_long=is_present and whole is not None and whole.is_long))

    def key(self, cluster: Cluster, *subject: str) -> str:
        """Return what is kept under: all that the answer depends on but for the state. Raises ConfigurationError."""
        return digest_of(cluster, self.name, subject)

    def last(self, cluster: Cluster, *subject: str) -> Evaluation | None:
        """Return the last evaluation that was whole, of whichever state."""
        return self._read(find(self.key(cluster, *subject)))

    def _read(self, kept: Evaluation | None) -> Evaluation | None:
        return kept if kept is not None and all(map(self._is_read, kept.answers.values())) else None

    def _keep(self, name: str, whole: Evaluation) -> None:
        keep(name, whole, MOST_BYTES if self._is_shared else math.inf)

    def progress(self, cluster: Cluster, *subject: str) -> Progress | None:
        """Return how far the worker is that is at the question; None without one. Raises WorkersAwayError."""
        try:
            return progress_of(self.key(cluster, *subject))
        except AwayError as error:
            raise WorkersAwayError from error

    def hand_over(self, cluster: Cluster, *subject: str, total: int = 0) -> Progress:
        """Have a worker evaluate all of it, unless one does; return how far it is. Raises WorkersAwayError."""
        progress = Progress(0, total)
        if not _ask_worker(cluster, self.name, subject, self.key(cluster, *subject), progress):
            raise WorkersAwayError
        return self.progress(cluster, *subject) or progress

    def finish(self, *, cluster: Cluster, subject: tuple[str, ...], ask: Callable[[], object]) -> None:
        """Ask the whole question in a worker, and keep what it is for all processes; ``ask`` returns what is told."""
        name = self.key(cluster, *subject)
        token = _at_work.set(name)
        try:
            told = ask()
            known = self._known.latest(cluster.pk)
            if known is not None and known.name == name and known.is_whole:
                self._keep(name, known.evaluation(told, is_long=True))
        finally:
            _at_work.reset(token)
            end(name)
            snapshot_ready.send_robust(
                sender=Cluster, cluster_id=cluster.pk, revision=cluster.revision, changed=False, kinds=(NOTICE,)
            )


_at_work: ContextVar[str] = ContextVar("evaluation", default="")


def _is_at_work(name: str) -> bool:
    return _at_work.get() == name


def _has_time(known: _Known[V]) -> Callable[[Progress], bool]:
    if _is_at_work(known.name):
        signs = Signs(known.name)

        def goes_on(progress: Progress) -> bool:
            """Keep what was found out so far with each sign of life."""
            if signs.give(progress) and known.answers:
                keep_begun(known.name, known.evaluation())
            return True

        return goes_on
    # A worker that is at it takes no less time if this process is, too.
    has_time = share(0.0 if _is_asked(known.name) else MOST_SECONDS)
    return lambda _: has_time()


def _is_asked(name: str) -> bool:
    try:
        return progress_of(name) is not None
    except AwayError:
        return False


def _ask_worker(cluster: Cluster, question: str, subject: tuple[str, ...], name: str, progress: Progress) -> bool:
    """Have a worker find out the rest, unless one does; without Redis each page finds out a little more, and False."""
    # A tenth of a second that whoever only asks never needs.
    from kombu.exceptions import OperationalError

    from clusters.celery import current_app

    try:
        if begin(name, progress):
            current_app.send_task(_TASK, args=(cluster.pk, question, [*subject]))
    except OperationalError:
        end(name)
        return False
    except AwayError:
        return False
    return True
