"""When the scheduler tries a pending pod next, as far as it is known when it last did."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.analysis import Kind, PendingFinding
from clusters.engine.configuration import Backoff, tried_again_by
from clusters.wording import pending as words

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

    from clusters.services.pending.pods import Attempts

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class NextAttempt(NamedTuple):
    """When the scheduler may try a pod next: in words, and the time that they end with, if any.

    `earliest` and `latest` are what was computed, None where that is not known.
    """

    text: _StrOrPromise
    at: datetime | None = None
    earliest: datetime | None = None
    latest: datetime | None = None


def next_attempt(finding: PendingFinding, attempts: Attempts | None, backoff: Backoff, now: datetime) -> NextAttempt:
    """Say when a pod is tried next by what was found of it and by its last attempt."""
    kind = finding.cause.kind
    if kind is Kind.GATED:
        return NextAttempt(words.WITH_GROUP if finding.cause.plugins else words.WITHOUT_GATES)
    if kind is Kind.OTHER_SCHEDULER or attempts is None or attempts.last_at is None:
        return NextAttempt(words.NOT_KNOWN)
    earliest, latest = retry_times(attempts.last_at, attempts.count, backoff)
    if now < earliest:
        return NextAttempt(words.NOT_BEFORE, earliest, earliest, latest)
    if now < latest:
        text = words.EXPECTED if kind is Kind.FITS else words.REQUEUED_OR
        return NextAttempt(text, latest, earliest, latest)
    return NextAttempt(words.TRIED_SINCE, None, earliest, latest)


def retry_times(last_at: datetime, failures: int, backoff: Backoff) -> tuple[datetime, datetime]:
    """Return when the backoff after a failed attempt ends, and by when a pod is tried that no event requeues."""
    failed_at = (last_at - _EPOCH) // timedelta(microseconds=1) * 1000
    return _moment(backoff.over_at(failed_at, failures)), _moment(tried_again_by(failed_at))


def _moment(nanoseconds: int) -> datetime:
    return _EPOCH + timedelta(microseconds=nanoseconds // 1000)
