"""Pods that wait, as rows: since when, how often the scheduler tried, when it looks again, and what it reported."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from clusters.engine.analysis.causes import Kind
from clusters.engine.queueing.backoff import tried_again_by
from clusters.wording import amounts
from clusters.wording.amounts import counted, grouped
from dashboard.presenters.decisions.reported import compared
from dashboard.presenters.pending import words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine.analysis.causes import Finding
    from clusters.engine.queueing.backoff import Backoff
    from clusters.models import Cluster
    from clusters.services.pending.attempts import Attempts
    from clusters.services.pending.pods import CauseGroup, WaitingPod

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_UNASKED = frozenset({Kind.GATED, Kind.OTHER_SCHEDULER})
# Nothing was computed for these that a report could be compared with.
_INCOMPARABLE = frozenset({Kind.OTHER_SCHEDULER, Kind.UNREAD, Kind.UNCERTAIN, Kind.NOT_COMPUTED})
# A badge's text and kind for what a comparison comes to.
_COMPARED = {"success": ("Agrees", "good"), "warning": ("Differs", "warn")}


@dataclass(frozen=True, slots=True)
class NextLook:
    """When the scheduler may look at a pod again: in words, and the time that they end with, if any.

    `earliest` and `latest` are what was computed, None where that is not known.
    """

    text: str
    at: datetime | None = None
    earliest: datetime | None = None
    latest: datetime | None = None


@dataclass(frozen=True, slots=True)
class PodView:
    """One pod that waits; `age` is counted to the moment that the page tells of, `report` a badge's text and kind."""

    namespace: str
    name: str
    workload: str
    created_at: datetime | None
    age: str
    where: str
    attempts: str
    last_at: datetime | None
    last: str
    next_look: NextLook
    report: tuple[str, str]
    said: str
    message: str


@dataclass(frozen=True, slots=True)
class GroupView:
    """Pods that wait for the same; `more` leads to those without a row, `hidden` says how many the filters hide."""

    identity: str
    title: str
    badges: tuple[tuple[str, str], ...]
    why: str
    way: str
    wakes: str
    pods: tuple[PodView, ...]
    more: str
    hidden: str


def gap_lines(cluster: Cluster) -> list[str]:
    """Say what the source lacks and some pod may wait for."""
    return [f"{gap['kind']}: {gap['why']} {gap['affects']}" for gap in cluster.gaps if gap.get("felt", True)]


def group_view(
    group: CauseGroup,
    pods: Sequence[WaitingPod],
    *,
    found: int,
    is_whole: bool,
    attempts: Mapping[str, Attempts],
    backoff: Backoff,
    now: datetime,
) -> GroupView:
    """Present a group with some of its pods; `found` is how many of them the filter lets through.

    `is_whole` tells that all of those are on this page or those after it.
    """
    hidden = len(group.pods) - found
    kind = group.cause.kind
    oldest = ((f"Oldest for {_age(group.since, now)}", ""),) if group.since is not None else ()
    return GroupView(
        identity=group.identity,
        title=words.title(group),
        badges=((words.KINDS[kind], words.BADGES.get(kind, "")), *oldest),
        why=words.why(group),
        way=words.way(group),
        wakes=words.wakes(group.cause),
        pods=tuple(pod_view(pod, attempts.get(pod.uid), backoff, now) for pod in pods),
        more=f"Show all {grouped(found)}" if found > len(pods) and not is_whole else "",
        hidden=f"{counted(hidden, 'of these is', 'of these are')} hidden by the filters." if hidden else "",
    )


def pod_view(pod: WaitingPod, attempts: Attempts | None, backoff: Backoff, now: datetime) -> PodView:
    """Present one pod as of a moment."""
    word, kind, said = _report(pod, attempts)
    last_at = attempts.last_at if attempts else None
    return PodView(
        namespace=pod.namespace,
        name=pod.name,
        workload=f"{pod.workload.kind} {pod.workload.name}".strip(),
        created_at=pod.created_at,
        age=_age(pod.created_at, now),
        where=_where(pod.finding),
        attempts=f"at least {grouped(attempts.count)}" if attempts else "not known",
        last_at=last_at,
        last=f"last {_age(last_at, now)} before" if last_at else "",
        next_look=next_look(pod.finding, attempts, backoff, now),
        report=(word, kind),
        said=said,
        message=reported(pod, attempts),
    )


def reported(pod: WaitingPod, attempts: Attempts | None) -> str:
    """Return the scheduler's own message: the condition in full, or else the latest event, which may be cut off."""
    return pod.reported or (attempts.message if attempts else "")


def _report(pod: WaitingPod, attempts: Attempts | None) -> tuple[str, str, str]:
    message = reported(pod, attempts)
    if not message:
        return "Nothing reported", "", ""
    if pod.finding.cause.kind in _INCOMPARABLE:
        return "Reported", "", ""
    kind, said = compared(message, pod.finding)
    word, badge = _COMPARED.get(kind, ("Reported", "info"))
    return word, badge, said


def _where(finding: Finding) -> str:
    match finding.cause.kind:
        case Kind.NOMINATED if finding.is_leaving:
            return f"Waits for pods to leave {finding.node}."
        case Kind.NOMINATED:
            return f"Nominated for {finding.node}; no pod of lower priority is leaving it."
        case Kind.PREEMPTS:
            return f"Removing {counted(finding.victims, 'pod', 'pods')} from {finding.node} would make room."
        case Kind.VOLUME if finding.node:
            return f"Its volume is being made for {finding.node}."
        case Kind.FITS:
            return f"Fits on {grouped(finding.feasible)} of {counted(finding.node_count, 'node', 'nodes')}."
        case Kind.GATED if finding.feasible:
            return f"Without gates it would fit on {counted(finding.feasible, 'node', 'nodes')}."
        case Kind.GATED:
            return "Without gates it would fit nowhere."
        case _:
            return ""


def next_look(finding: Finding, attempts: Attempts | None, backoff: Backoff, now: datetime) -> NextLook:
    """Say when the scheduler may look again, as far as it is known when it last did."""
    if finding.cause.kind in _UNASKED:
        return NextLook("when the gates are gone" if finding.cause.kind is Kind.GATED else "not known")
    if attempts is None or attempts.last_at is None:
        return NextLook("not known")
    failed_at = (attempts.last_at - _EPOCH) // timedelta(microseconds=1) * 1000
    earliest, latest = _moment(backoff.over_at(failed_at, attempts.count)), _moment(tried_again_by(failed_at))
    if now < earliest:
        return NextLook("backs off: no sooner than", earliest, earliest, latest)
    if now < latest:
        when = "" if finding.cause.kind is Kind.FITS else "when something helps; else "
        return NextLook(f"{when}expected by", latest, earliest, latest)
    return NextLook("not known: it has looked since, or does not run", None, earliest, latest)


def _moment(nanoseconds: int) -> datetime:
    return _EPOCH + timedelta(microseconds=nanoseconds // 1000)


def _age(at: datetime | None, now: datetime) -> str:
    return amounts.age(now - at) if at is not None else ""
