"""Pending pods as rows: since when, how often the scheduler tried, when it tries next, and what it reported."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from clusters.documents.gaps import worded_gap
from clusters.engine.analysis import Kind
from clusters.engine.configuration import tried_again_by
from clusters.wording import amounts
from clusters.wording.clusters.gaps import with_effect
from clusters.wording.evaluation import AT_LEAST, counted
from clusters.wording.pending import page as words
from clusters.wording.pending.names import KIND_WORDS
from dashboard.presenters.decisions.reported import compared
from dashboard.presenters.pending import causes

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from clusters.engine.analysis import PendingFinding
    from clusters.engine.configuration import Backoff
    from clusters.engine.group_states import PodGroupState
    from clusters.engine.versions import Release
    from clusters.models import Cluster
    from clusters.services.pending.pods import Attempts, CauseGroup, WaitingPod

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_UNASKED = frozenset({Kind.GATED, Kind.OTHER_SCHEDULER})
# Nothing was computed for these that a report could be compared with.
_INCOMPARABLE = frozenset({Kind.OTHER_SCHEDULER, Kind.EVALUATING, Kind.UNCERTAIN, Kind.NOT_COMPUTED})
# So many pods of a group are named that are told of together.
_MOST_NAMED = 20
# A badge's text and kind for what a comparison comes to.
_COMPARED = {"success": (words.AGREES, "good"), "warning": (words.DIFFERS, "warn")}


@dataclass(frozen=True, slots=True)
class NextAttempt:
    """When the scheduler may try a pod next: in words, and the time that they end with, if any.

    `earliest` and `latest` are what was computed, None where that is not known.
    """

    text: str
    at: datetime | None = None
    earliest: datetime | None = None
    latest: datetime | None = None


@dataclass(frozen=True, slots=True)
class PodView:
    """One pending pod; `age` counts to the page's moment, `report` is a badge's text and kind.

    `agrees` tells that the report says what is computed. `pod_group`: namespace and name of the group that it names.
    `alike`: the other pods of its group of which all of this holds, by name; `counted` says how many those are, and
    `more` how many are not named.
    """

    namespace: str
    name: str
    workload: str
    owner_kind: str
    owner_name: str
    created_at: datetime | None
    age: str
    where: str
    attempts: str
    last_at: datetime | None
    last: str
    next_attempt: NextAttempt
    report: tuple[str, str]
    agrees: bool
    said: str
    message: str
    pod_group: tuple[str, str] | None
    alike: tuple[str, ...] = ()
    more: str = ""
    counted: str = ""


@dataclass(frozen=True, slots=True)
class CauseView:
    """Pods pending for one cause; `more` leads to those without a row, `hidden` counts those that filters hide.

    `share` is how many pods that is of those of the largest cause beside it, 0 to 100; `is_open` tells that what is
    known of the cause is shown at once. `like` names the node of which one more would help, if that is the best way.
    `pod_group`: namespace and name of the group in which the cause lies, if it lies in one.
    """

    identity: str
    title: str
    name: str
    count: str
    share: int
    state: tuple[str, str]
    age: str
    is_open: bool
    why: str
    way: str
    like: str
    pod_group: tuple[str, str] | None
    requeued: str
    pods: tuple[PodView, ...]
    more: str
    hidden: str


def gap_lines(cluster: Cluster) -> list[str]:
    """Say what the source lacks that may keep some pod pending."""
    return [with_effect([gap.label], f"{gap.why} {gap.affects}") for gap in map(worded_gap, cluster.gaps) if gap.felt]


def folded(pods: Iterable[WaitingPod]) -> list[list[WaitingPod]]:
    """Put the pods of one group of which the same was found together, which are told of once; others stay alone."""
    rows: dict[Hashable, list[WaitingPod]] = {}
    for pod in pods:
        alike = pod.uid if pod.pod_group is None else (pod.pod_group.key, id(pod.finding), pod.workload)
        rows.setdefault(alike, []).append(pod)
    return list(rows.values())


def group_view(
    group: CauseGroup,
    pods: Sequence[Sequence[WaitingPod]],
    *,
    found: int,
    most: int,
    is_whole: bool,
    attempts: Mapping[str, Attempts],
    backoff: Backoff,
    release: Release,
    now: datetime,
) -> CauseView:
    """Present a group with some of its pods, as `folded` puts them together; `found` pods pass the filter.

    `most` is how many pods the largest cause has that is listed beside it; `is_whole` tells that all pods of this cause
    are on this page or those after it.
    """
    hidden = len(group.pods) - found
    kind = group.cause.kind
    return CauseView(
        identity=group.identity,
        title=causes.title(group),
        name=causes.name(group),
        count=counted(len(group.pods), is_whole=group.is_whole),
        share=share_of_largest(len(group.pods), most),
        state=(str(KIND_WORDS[kind]), causes.BADGES.get(kind, "")),
        age=_age(group.since, now),
        is_open=is_whole,
        why=causes.why(group),
        way=causes.way(group),
        like=causes.like(group),
        pod_group=place_of(group.pod_group),
        requeued=causes.requeued_when(group.cause, release),
        pods=tuple(view for alike in pods for view in _views(alike, attempts, backoff, now)),
        more=words.show_all(found) if found > sum(map(len, pods)) and not is_whole else "",
        hidden=words.hidden(hidden) if hidden else "",
    )


def place_of(state: PodGroupState | None) -> tuple[str, str] | None:
    """Return namespace and name of a group of pods, as its page is found; None without one."""
    if state is None:
        return None
    namespace, _, name = str(state.key).partition("/")
    return namespace, name


def _views(
    pods: Iterable[WaitingPod], attempts: Mapping[str, Attempts], backoff: Backoff, now: datetime
) -> Iterator[PodView]:
    """Present pods of which the same was found: as one, where the scheduler's attempts are the same too."""
    alike: dict[PodView, list[WaitingPod]] = {}
    for pod in pods:
        view = pod_view(pod, attempts.get(pod.uid), backoff, now)
        alike.setdefault(replace(view, name="", created_at=None, age=""), []).append(pod)
    for first, *others in alike.values():
        names = tuple(each.name for each in others[:_MOST_NAMED])
        yield replace(
            pod_view(first, attempts.get(first.uid), backoff, now),
            alike=names,
            more=words.more_pods(len(others) - len(names)) if len(others) > len(names) else "",
            counted=words.others_of_group(len(others)) if others else "",
        )


def share_of_largest(number: int, largest: int) -> int:
    """Return a number's share of the largest beside it, 0 to 100; what is not nothing is at least 1."""
    return max(1, round(100 * number / largest)) if number else 0


def pod_view(pod: WaitingPod, attempts: Attempts | None, backoff: Backoff, now: datetime) -> PodView:
    """Present one pod as of a moment."""
    word, kind, said = _report(pod, attempts)
    last_at = attempts.last_at if attempts else None
    return PodView(
        namespace=pod.namespace,
        name=pod.name,
        workload=f"{pod.workload.kind} {pod.workload.name}".strip(),
        owner_kind=pod.workload.kind,
        owner_name=pod.workload.name,
        created_at=pod.created_at,
        age=_age(pod.created_at, now),
        where=_where(pod.finding),
        attempts=AT_LEAST(number=attempts.count) if attempts else str(words.NOT_KNOWN),
        last_at=last_at,
        last=words.last_attempt(_age(last_at, now)) if last_at else "",
        next_attempt=next_attempt(pod.finding, attempts, backoff, now),
        report=(word, kind),
        agrees=kind == "good",
        said=said,
        message=reported(pod, attempts),
        pod_group=place_of(pod.pod_group),
    )


def reported(pod: WaitingPod, attempts: Attempts | None) -> str:
    """Return the scheduler's own message: the condition in full, or else the latest event, which may be cut off."""
    return pod.reported or (attempts.message if attempts else "")


def _report(pod: WaitingPod, attempts: Attempts | None) -> tuple[str, str, str]:
    message = reported(pod, attempts)
    if not message:
        return str(words.NOTHING_REPORTED), "", ""
    if pod.finding.cause.kind in _INCOMPARABLE:
        return str(words.REPORTED), "", ""
    kind, said = compared(message, pod.finding)
    word, badge = _COMPARED.get(kind, (words.REPORTED, "info"))
    return str(word), badge, said


def _where(finding: PendingFinding) -> str:
    match finding.cause.kind:
        case Kind.NOMINATED if finding.is_leaving:
            return words.waiting_for_victims(finding.node)
        case Kind.NOMINATED:
            return words.nominated_in_vain(finding.node)
        case Kind.PREEMPTS if not finding.node:
            return words.victims_of_group(finding.victims)
        case Kind.PREEMPTS:
            return words.victims_on(finding.victims, finding.node)
        case Kind.VOLUME:
            return words.volume_for(finding.node)
        case Kind.FITS:
            return words.fits_on(finding.feasible, finding.node_count)
        case Kind.GATED if finding.cause.plugins:
            return words.in_the_queue(finding.feasible)
        case Kind.GATED:
            return words.without_gates(finding.feasible)
        case _:
            return ""


def next_attempt(finding: PendingFinding, attempts: Attempts | None, backoff: Backoff, now: datetime) -> NextAttempt:
    """Say when the scheduler may try a pod next, as far as it is known when it last did."""
    if finding.cause.kind in _UNASKED:
        held = words.WITH_GROUP if finding.cause.plugins else words.WITHOUT_GATES
        return NextAttempt(str(held if finding.cause.kind is Kind.GATED else words.NOT_KNOWN))
    if attempts is None or attempts.last_at is None:
        return NextAttempt(str(words.NOT_KNOWN))
    failed_at = (attempts.last_at - _EPOCH) // timedelta(microseconds=1) * 1000
    earliest, latest = _moment(backoff.over_at(failed_at, attempts.count)), _moment(tried_again_by(failed_at))
    if now < earliest:
        return NextAttempt(str(words.NOT_BEFORE), earliest, earliest, latest)
    if now < latest:
        text = words.EXPECTED if finding.cause.kind is Kind.FITS else words.REQUEUED_OR_EXPECTED
        return NextAttempt(str(text), latest, earliest, latest)
    return NextAttempt(str(words.TRIED_SINCE), None, earliest, latest)


def _moment(nanoseconds: int) -> datetime:
    return _EPOCH + timedelta(microseconds=nanoseconds // 1000)


def _age(at: datetime | None, now: datetime) -> str:
    return amounts.age(now - at) if at is not None else ""
