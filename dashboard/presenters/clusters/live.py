"""Whether a live cluster is followed; what may be old is never called live."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from clusters.documents.stored_problems import problem_of_text
from clusters.models import WatchedKind
from clusters.wording import amounts
from clusters.wording.clusters import live as words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.models import WatchLease

State = WatchedKind.State

# A watcher writes a heartbeat every two seconds; five of them missing are no hiccup.
_WATCHER_SILENT = timedelta(seconds=10)
# From here on the lag is worth a warning: people expect to see a change within a second.
_LONG_LAG_MS = 2_000

_BADGES = {State.OK: "good", State.RELISTING: "info", State.FORBIDDEN: "warn", State.SILENT: "bad", State.UNSERVED: ""}


@dataclass(frozen=True, slots=True)
class KindRow:
    """One kind: whether it is followed, and if not, since when and why."""

    kind: str
    api_version: str
    state: str
    badge: str
    since: datetime
    objects: str
    last_event: datetime | None
    last_contact: datetime | None
    problem: str
    remedy: str


@dataclass(frozen=True, slots=True)
class LiveStatus:
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
    rows = [_row(kind) for kind in kinds]
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
        remedy=said[1] if is_watched else str(words.START_WATCHER),
        last_event=max(heard, default=None),
        last_contact=max(contacts, default=None),
        lag=words.LAG(milliseconds=lease.lag_ms) if lease else "–",
        behind=behind,
        behind_title=words.KINDS_BEHIND(kinds=len(behind)),
        followed=followed,
        followed_title=words.KINDS_FOLLOWED(kinds=len(followed)),
    )


def _verdict(
    lease: WatchLease | None, kinds: Sequence[WatchedKind], contacts: Sequence[datetime], now: datetime
) -> tuple[str, str, str, datetime | None]:
    """Return a word, its badge, the sentence and the time that ends it."""
    if lease is None:
        return str(words.NO_WATCHER), "bad", str(words.NEVER_WATCHED), None
    if now - lease.heartbeat_at > _WATCHER_SILENT:
        return str(words.NO_WATCHER), "bad", str(words.WATCHER_SILENT), lease.heartbeat_at
    numbers = {state: sum(kind.state == state for kind in kinds) for state in State}
    wanted = len(kinds) - numbers[State.UNSERVED]
    if not kinds or numbers[State.RELISTING]:
        return str(words.LISTING), "info", words.listing(numbers[State.OK], wanted), lease.acquired_at
    if numbers[State.SILENT] == wanted:
        since = max(contacts, default=None) or min(kind.state_since for kind in kinds)
        return str(words.SILENT), "bad", str(words.SERVER_SILENT), since
    heard = max(contacts, default=None)
    if missing := numbers[State.SILENT] + numbers[State.FORBIDDEN]:
        return str(words.BEHIND), "warn", words.WITHOUT(kinds=missing), heard
    if lease.lag_ms > _LONG_LAG_MS:
        return str(words.BEHIND), "warn", words.LAGGING(milliseconds=lease.lag_ms), heard
    return str(words.LIVE), "good", str(words.FOLLOWING), heard


def _row(kind: WatchedKind) -> KindRow:
    state = State(kind.state)
    problem, remedy = _said(kind)
    return KindRow(
        kind=kind.kind,
        api_version=kind.api_version,
        state=str(state.label),
        badge="warn" if state == State.OK and kind.problem else _BADGES[state],
        since=kind.state_since,
        objects=amounts.grouped(kind.objects_count),
        last_event=kind.last_event_at,
        last_contact=kind.last_contact_at,
        problem=problem,
        remedy=remedy,
    )


def _said(kind: WatchedKind) -> tuple[str, str]:
    """Return what is wrong with a kind and what helps, both empty while all is well."""
    problem = problem_of_text(kind.problem)
    if problem is None:
        return "", ""
    # The words of problems reach all of Berth, and every page asks here how its cluster is doing.
    from clusters.wording.problems import problem_sentence, remedy_sentence

    return problem_sentence(problem), remedy_sentence(problem)
