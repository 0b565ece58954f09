"""Clusters as rows and a page: how reading a dump goes, and whether a live cluster is followed."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.conf import settings
from django.urls import reverse
from msgspec import Struct

from clusters.adapters.state import DISKS
from clusters.documents.problems import WordedGap, WordedSkip, in_words, worded_gap, worded_skip
from clusters.documents.stored_problems import problem_of_text
from clusters.models import Cluster, Ingest, WatchedKind, WatchLease
from clusters.problems.inputs import OtherGap
from clusters.wording import amounts, clusters as clusters_words, counts, overview as overview_words
from clusters.wording.amounts import grouped
from clusters.wording.lists import listed
from dashboard.pictures.tokens import ZONE_COLOURS
from dashboard.pictures.verdict_map.spec import MapKey, MapPool, VerdictMap
from dashboard.presenters.shared.page import linked

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from dashboard.pictures.verdict_map.drawing import DrawnMap


# The announcer repeats itself only when a tenth more has been read.
_SPOKEN_STEP = 10

_STEPS = (
    (Ingest.State.QUEUED, clusters_words.QUEUED),
    (Ingest.State.READING, clusters_words.READING),
    (Ingest.State.WRITING, clusters_words.WRITING),
    (Ingest.State.DONE, clusters_words.DONE),
)


class IngestStep(Struct, frozen=True):
    """A step of the run; `is_past` steps carry a tick."""

    label: str
    is_current: bool
    is_past: bool


class Failure(Struct, frozen=True):
    """Why a run failed: where, what is wrong, what to do."""

    where: str
    problem: str
    remedy: str


class IngestView(Struct, frozen=True):
    """Everything the progress fragment shows; `percent` is None while it cannot be known."""

    sentence: str
    spoken: str
    percent: int | None
    steps: tuple[IngestStep, ...]
    counts: tuple[tuple[str, str], ...]
    skipped: tuple[WordedSkip, ...]
    kept: tuple[tuple[str, str], ...]
    failure: Failure | None
    is_over: bool
    is_done: bool
    may_cancel: bool


def _failure(stored: Mapping[str, Any]) -> Failure:
    error = in_words(stored)
    document = clusters_words.DOCUMENT(number=str(error["document"])) if error.get("document") else ""
    where = ", ".join(
        str(part) for part in (error.get("file"), document, error.get("subject"), error.get("field")) if part
    )
    return Failure(where, error["problem"], error["remedy"])


def _left(ingest: Ingest) -> str:
    """Say what a run that was not done leaves."""
    if ingest.cluster is None:
        return clusters_words.NOT_ADDED(cluster=ingest.intended_name)
    return str(clusters_words.NOTHING_READ_YET if ingest.cluster.is_unread else clusters_words.UNCHANGED)


def _sentence(ingest: Ingest) -> str:
    is_log = ingest.content == Ingest.Content.LOG
    read = (
        clusters_words.LINES(number=ingest.objects_read)
        if is_log
        else clusters_words.OBJECTS(number=ingest.objects_read)
    )
    match ingest.state:
        case Ingest.State.QUEUED:
            return clusters_words.QUEUED_FILE(file=ingest.file_name)
        case Ingest.State.READING:
            done, whole = amounts.size(ingest.bytes_read), amounts.size(ingest.bytes_total)
            return clusters_words.READING_FILE(file=ingest.file_name, read=done, whole=whole, counted=read)
        case Ingest.State.WRITING:
            return clusters_words.WRITING_OBJECTS(counted=_written(ingest))
        case Ingest.State.FAILED:
            return f"{clusters_words.FAILED(file=ingest.file_name)} {_left(ingest)}"
        case Ingest.State.CANCELLED:
            return f"{clusters_words.READING_CANCELLED(file=ingest.file_name)} {_left(ingest)}"
    if ingest.content == Ingest.Content.USAGE:
        done = clusters_words.USAGE_DONE(samples=ingest.objects_kept, hours=ingest.rows_added)
        taken = f"{done} {clusters_words.ON_USAGE_PAGE}"
        return f"{taken} {clusters_words.DISKS_DONE(nodes=ingest.kept[DISKS])}" if DISKS in ingest.kept else taken
    if is_log:
        known = max(0, ingest.objects_kept - ingest.rows_added - ingest.rows_changed)
        said = clusters_words.LOG_DONE(read=read, added=ingest.rows_added, completed=ingest.rows_changed, known=known)
        return f"{said} {clusters_words.ON_POD_PAGES}"
    added, changed, removed = ingest.rows_added, ingest.rows_changed, ingest.rows_removed
    if not added + changed + removed:
        return clusters_words.NOTHING_NEW(file=ingest.file_name, revision=str(ingest.revision))
    return clusters_words.DUMP_DONE(
        read=read, added=added, changed=changed, removed=removed, revision=str(ingest.revision)
    )


def _written(ingest: Ingest) -> str:
    match ingest.content:
        case Ingest.Content.LOG:
            return clusters_words.ATTEMPTS(number=ingest.objects_kept)
        case Ingest.Content.USAGE:
            return clusters_words.SAMPLES(number=ingest.objects_kept)
    return clusters_words.OBJECTS(number=ingest.objects_kept)


def _spoken(ingest: Ingest) -> str:
    if ingest.state != Ingest.State.READING:
        return _sentence(ingest)
    return clusters_words.SPOKEN(percent=str(int(100 * ingest.fraction_read) // _SPOKEN_STEP * _SPOKEN_STEP))


def _counted(ingest: Ingest) -> tuple[tuple[str, str], ...]:
    read, kept, skipped = map(amounts.grouped, (ingest.objects_read, ingest.objects_kept, ingest.objects_skipped))
    if ingest.content == Ingest.Content.LOG:
        return (
            (str(clusters_words.LINES_READ), read),
            (str(clusters_words.ATTEMPTS_KEPT), kept),
            (str(clusters_words.LINES_SKIPPED), skipped),
        )
    if ingest.content == Ingest.Content.USAGE:
        kept_words = str(clusters_words.SAMPLES_KEPT)
        return (str(clusters_words.OBJECTS_READ), read), (kept_words, kept), (str(clusters_words.SKIPPED), skipped)
    return (
        (str(clusters_words.OBJECTS_READ), read),
        (str(clusters_words.KEPT), kept),
        (str(clusters_words.SKIPPED), skipped),
    )


def ingest_view(ingest: Ingest) -> IngestView:
    """Present a run as it stands."""
    order = [state for state, _ in _STEPS]
    # A run that failed or was cancelled stopped at an unknown step, so none is marked.
    position = order.index(Ingest.State(ingest.state)) if ingest.state in order else -1
    done = ingest.state == Ingest.State.DONE
    return IngestView(
        sentence=_sentence(ingest),
        spoken=_spoken(ingest),
        percent=round(100 * ingest.fraction_read) if ingest.state == Ingest.State.READING else 100 if done else None,
        steps=tuple(
            IngestStep(str(label), is_current=index == position and not done, is_past=index < position or done)
            for index, (_, label) in enumerate(_STEPS)
        ),
        counts=_counted(ingest),
        skipped=tuple(map(worded_skip, ingest.skipped)),
        kept=tuple(
            (clusters_words.kept_thing(kind), amounts.grouped(int(number)))
            for kind, number in sorted(ingest.kept.items())
        ),
        failure=_failure(ingest.error) if ingest.error else None,
        is_over=ingest.is_finished,
        is_done=done,
        may_cancel=ingest.state in {Ingest.State.QUEUED, Ingest.State.READING},
    )


State = WatchedKind.State

# A watcher writes a heartbeat every two seconds; five of them missing are no hiccup.
_WATCHER_SILENT = timedelta(seconds=10)
# From here on the lag is worth a warning: people expect to see a change within a second.
_LONG_LAG_MS = 2_000

_BADGES = {State.OK: "good", State.RELISTING: "info", State.FORBIDDEN: "warn", State.SILENT: "bad", State.UNSERVED: ""}


class KindRow(NamedTuple):
    """One kind: whether it is followed, and if not, what is wrong and what helps; both empty while all is well."""

    watched: WatchedKind
    problem: str
    remedy: str

    @property
    def badge(self) -> str:
        """The kind of the badge of its state."""
        state = State(self.watched.state)
        return "warn" if state == State.OK and self.watched.problem else _BADGES[state]


class LiveStatus(Struct, frozen=True):
    """How a live cluster is doing: a word, a sentence that `since` ends, and the kinds that are behind."""

    word: str
    badge: str
    sentence: str
    since: datetime | None
    problem: str
    remedy: str
    last_event: datetime | None
    last_contact: datetime | None
    lag: str
    behind: tuple[KindRow, ...]
    behind_title: str
    followed: tuple[KindRow, ...]
    followed_title: str

    @property
    def is_old(self) -> bool:
        """Whether what the pages show may not be what the cluster is now."""
        return self.badge == "bad"

    @property
    def alert(self) -> str:
        """The kind of alert that the sentence makes, in the words of the alert component."""
        return {"good": "success", "info": "info", "warn": "warning", "bad": "danger"}[self.badge]


def live_status(lease: WatchLease | None, kinds: Sequence[WatchedKind], *, now: datetime) -> LiveStatus:
    """Present what a cluster's watcher last wrote down about itself and about each kind."""
    rows = [KindRow(kind, *_said(kind)) for kind in kinds]
    heard = [kind.last_event_at for kind in kinds if kind.last_event_at]
    contacts = [kind.last_contact_at for kind in kinds if kind.last_contact_at]
    silent = [kind for kind in kinds if kind.state == State.SILENT]
    said = _said(silent[0]) if silent else ("", "")
    word, badge, sentence, since = _verdict(lease, kinds, contacts, now)
    is_watched = lease is not None and now - lease.heartbeat_at <= _WATCHER_SILENT
    behind = tuple(row for row in rows if row.badge not in ("good", ""))
    followed = tuple(row for row in rows if row.badge in ("good", ""))
    return LiveStatus(
        word=word,
        badge=badge,
        sentence=sentence,
        since=since,
        problem=said[0] if badge == "bad" and is_watched else "",
        remedy=said[1] if is_watched else clusters_words.START_WATCHER(command=settings.BERTH_COMMAND),
        last_event=max(heard, default=None),
        last_contact=max(contacts, default=None),
        lag=f"{grouped(lease.lag_ms)} ms" if lease else "–",
        behind=behind,
        behind_title=clusters_words.KINDS_BEHIND(kinds=len(behind)),
        followed=followed,
        followed_title=clusters_words.KINDS_FOLLOWED(kinds=len(followed)),
    )


def _verdict(
    lease: WatchLease | None, kinds: Sequence[WatchedKind], contacts: Sequence[datetime], now: datetime
) -> tuple[str, str, str, datetime | None]:
    """Return a word, its badge, the sentence and the time that ends it."""
    if lease is None:
        return str(clusters_words.NO_WATCHER), "bad", str(clusters_words.NEVER_WATCHED), None
    if now - lease.heartbeat_at > _WATCHER_SILENT:
        return str(clusters_words.NO_WATCHER), "bad", str(clusters_words.WATCHER_SILENT), lease.heartbeat_at
    numbers = {state: sum(kind.state == state for kind in kinds) for state in State}
    wanted = len(kinds) - numbers[State.UNSERVED]
    if not kinds or numbers[State.RELISTING]:
        return str(clusters_words.LISTING), "info", clusters_words.listing(numbers[State.OK], wanted), lease.acquired_at
    if numbers[State.SILENT] == wanted:
        since = max(contacts, default=None) or min(kind.state_since for kind in kinds)
        return str(clusters_words.SILENT), "bad", str(clusters_words.SERVER_SILENT), since
    heard = max(contacts, default=None)
    if missing := numbers[State.SILENT] + numbers[State.FORBIDDEN]:
        return str(clusters_words.BEHIND), "warn", clusters_words.WITHOUT(kinds=missing), heard
    if lease.lag_ms > _LONG_LAG_MS:
        return str(clusters_words.BEHIND), "warn", clusters_words.LAGGING(milliseconds=lease.lag_ms), heard
    return str(clusters_words.LIVE), "good", str(clusters_words.FOLLOWING), heard


def _said(kind: WatchedKind) -> tuple[str, str]:
    """Return what is wrong with a kind and what helps, both empty while all is well."""
    problem = problem_of_text(kind.problem)
    if problem is None:
        return "", ""
    # The words of problems reach all of Berth, and every page asks here how its cluster is doing.
    from clusters.wording.problems import problem_sentence, remedy_sentence

    return problem_sentence(problem), remedy_sentence(problem)


class Counts(Struct, frozen=True):
    """How much of a cluster is mirrored."""

    nodes: int = 0
    pods: int = 0
    waiting: int = 0
    budgets: int = 0
    events: int = 0
    others: int = 0


class ClusterRow(NamedTuple):
    """One cluster of the list; `first_run` reads the first dump of one, `live` is None of one mirrored from dumps.

    `refusing` are the budgets whose status allows 0 disruptions of their pods, `rate` is as `rate_view` returns it;
    without nodes there is no map.
    """

    cluster: Cluster
    counts: Counts
    first_run: Ingest | None
    live: LiveStatus | None
    refusing: int
    rate: Mapping[str, Any]
    map: DrawnMap | None

    @property
    def gaps(self) -> list[str]:
        """What the source lacks, as far as any pod is concerned: so many kinds, and what is no kind."""
        felt = [gap["kind"] for gap in self.cluster.gaps if gap["felt"]]
        others = [kind for kind in felt if kind in set(OtherGap)]
        kinds = len(felt) - len(others)
        missing = [clusters_words.KINDS_MISSING(number=kinds)] if kinds else []
        return [*missing, *dict.fromkeys(map(clusters_words.label, others))]


_LOOKS: Final = (
    (overview_words.NOT_READY, "verdict-rejected-solid", "cross"),
    (overview_words.UNKNOWN, "verdict-unknown-solid", "question"),
    (overview_words.CORDONED_NODE, "verdict-uncertain-solid", "bar"),
    (overview_words.OPEN, "verdict-fits-solid", ""),
)


def node_map(groups: Sequence[tuple[str, int, int]]) -> VerdictMap:
    """Draw the nodes of a cluster by their state, of groups in the order of zones: a zone, a look's number, nodes."""
    zones, looks = Counter[str](), Counter[int]()
    for zone, look, nodes in groups:
        zones[zone] += nodes
        looks[look] += nodes
    firsts = accumulate(zones.values(), initial=0)
    return VerdictMap(
        sentence=counts.NODES(number=looks.total()),
        keys=tuple(
            MapKey(str(word), "", colour, mark, looks[number]) for number, (word, colour, mark) in enumerate(_LOOKS)
        ),
        pools=tuple(
            MapPool(zone, number % ZONE_COLOURS + 1 if zone else 0, "", next(firsts), nodes)
            for number, (zone, nodes) in enumerate(zones.items())
        ),
        names=("",) * looks.total(),
        key_of=tuple(look for _, look, nodes in groups for _ in range(nodes)),
        shade_of=(0,) * looks.total(),
    )


def gaps(cluster: Cluster) -> list[WordedGap]:
    """Present what the source lacks."""
    return list(map(worded_gap, cluster.gaps))


_CONTROLLERS = frozenset({"ReplicationController", "ReplicaSet", "StatefulSet"})


def spread_gaps(cluster: Cluster) -> list[str]:
    """Say what the source lacks of what spreading is computed from."""
    concerned = {"Node", OtherGap.MISSING_NODE, "Pod", "Service", *_CONTROLLERS}
    lacks = ((gap.label, f"{gap.why} {gap.affects}") for gap in gaps(cluster) if gap.kind in concerned)
    return _by_effect(cluster, lacks)


def budget_gaps(cluster: Cluster) -> list[str]:
    """Say what the source lacks of what budgets are computed from."""
    effects = {
        "PodDisruptionBudget": clusters_words.NO_BUDGETS_READ,
        "Pod": clusters_words.NO_PODS_READ,
        OtherGap.MISSING_NODE: clusters_words.NODE_MISSING,
        **dict.fromkeys(_CONTROLLERS, clusters_words.NO_CONTROLLERS_READ),
    }
    lacks = ((gap.label, f"{gap.why} {effects[gap.kind]}") for gap in gaps(cluster) if gap.kind in effects)
    return _by_effect(cluster, lacks)


def _by_effect(cluster: Cluster, lacks: Iterable[tuple[str, str]]) -> list[str]:
    """Say once what leads to the same, with links to what it names."""
    labels: dict[str, list[str]] = {}
    for label, effect in lacks:
        labels.setdefault(effect, []).append(label)
    return [linked(f"{listed(lacking)}: {effect}", cluster) for effect, lacking in labels.items()]


def tiles(cluster: Cluster, counts: Counts) -> list[tuple[str, str, str]]:
    """Return the counts that have a page as large numbers: word, number, address."""
    pending, pods, nodes, budgets = (
        reverse(page, kwargs={"cluster": cluster.name}) for page in ("pending", "pods", "nodes", "budgets")
    )
    return [
        (str(clusters_words.PENDING_PODS), amounts.grouped(counts.waiting), pending),
        (str(clusters_words.PODS), amounts.grouped(counts.pods), pods),
        (str(clusters_words.NODES), amounts.grouped(counts.nodes), nodes),
        (str(clusters_words.BUDGETS), amounts.grouped(counts.budgets), budgets),
    ]


def also_mirrored(counts: Counts) -> str:
    """Return the counts that have no page in a sentence."""
    return clusters_words.ALSO_MIRRORED(events=counts.events, others=counts.others)
