"""When taints evict a pod that runs, and what becomes of it once its node fails."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from clusters.engine.disruption import (
    NodeFault,
    TimedTaint,
    fault_outlooks,
    fault_removals,
    grace_period_of,
    lost_node_events,
    planned_eviction,
    taint_stays,
)
from clusters.engine.objects import Pod
from clusters.engine.taints import NO_EXECUTE, Taint
from clusters.engine.versions import match_release
from clusters.engine.volumes import exclusive_volumes
from clusters.wording.nodes import faults as fault_words
from clusters.wording.pods import removal as words
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import Key, Stretch, TimelineRow, TimelineSpec
from dashboard.presenters.nodes.facts import conditions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clusters.engine import Snapshot
    from clusters.engine.disruption import FaultRemoval, LostNodeEvent
    from clusters.engine.objects import Document
    from clusters.engine.volumes import ExclusiveVolume


@dataclass(frozen=True, slots=True)
class TaintView:
    """A NoExecute taint of the node, how long the pod tolerates it, and since when it is there."""

    text: str
    tolerated: str
    since: str


@dataclass(frozen=True, slots=True)
class ConditionView:
    """A condition of the node that matters to the pod; `kind` is a badge's kind."""

    text: str
    kind: str
    since: str


@dataclass(frozen=True, slots=True)
class PodFaultView:
    """What follows from one fault: `steps` are when and what, `events` are what they come from."""

    fault: NodeFault
    title: str
    steps: tuple[tuple[str, str], ...]
    events: tuple[LostNodeEvent, ...]


@dataclass(frozen=True, slots=True)
class NodeRemovalView:
    """What the pod's node has to do with its end; `planned` is the moment of a planned eviction, None without one."""

    sentences: tuple[str, ...]
    planned: datetime | None
    taints: tuple[TaintView, ...]
    conditions: tuple[ConditionView, ...]
    faults: tuple[PodFaultView, ...]
    volumes: tuple[ExclusiveVolume, ...]
    notes: tuple[str, ...]
    figure: Figure


def node_removal(snapshot: Snapshot, document: Document, node: Document, version: str) -> NodeRemovalView:
    """Present a placed pod's timeline; `node` is the object, `version` the cluster's. Raises KeyError."""
    pod = Pod(document)
    minor = match_release(version).named_minor
    outlooks = fault_outlooks(snapshot, pod.node_name, minor)
    tolerations = pod.spec.get("tolerations") or ()
    removals = fault_removals(outlooks, tolerations)
    volumes = exclusive_volumes(snapshot, pod)
    faults = []
    for removal in removals:
        events = tuple(lost_node_events(removal, pod, volumes))
        steps = tuple((words.after(event.at), words.step(event.step)) for event in events)
        faults.append(PodFaultView(removal.outlook.fault, str(words.FAULTS[removal.outlook.fault]), steps, events))
    taints = _timed(node)
    sentences, planned = _plan(taints, pod)
    return NodeRemovalView(
        sentences=tuple(sentences),
        planned=planned,
        taints=tuple(_taints(taints, tolerations)),
        conditions=tuple(_conditions(node)),
        faults=tuple(faults),
        volumes=tuple(volumes),
        notes=(
            *([words.exclusive([volume.claim for volume in volumes])] if volumes else []),
            fault_words.GRACE_SENTENCE(minor=minor, grace=outlooks[0].grace),
        ),
        figure=_figure(removals, pod),
    )


def _timed(node: Document) -> list[TimedTaint]:
    found = []
    for taint in (node.get("spec") or {}).get("taints") or ():
        if taint.get("effect") == NO_EXECUTE:
            added = _moment(taint.get("timeAdded"))
            found.append(TimedTaint(Taint.from_dict(taint), None if added is None else int(added.timestamp())))
    return found


def _plan(taints: Sequence[TimedTaint], pod: Pod) -> tuple[list[str], datetime | None]:
    if not taints:
        return [str(words.NO_TAINT)], None
    began = _moment(pod.status.get("startTime"))
    plan = planned_eviction(
        taints, pod.spec.get("tolerations") or (), since=0 if began is None else int(began.timestamp())
    )
    if plan is None:
        return [str(words.TOLERATES_ALL)], None
    taint = str(plan.taint)
    planned = None if plan.at is None else datetime.fromtimestamp(plan.at, UTC)
    if not plan.is_tolerated:
        said = [words.AT_ONCE(taint=taint)]
    elif planned is None:
        said = [words.EVICTED_AFTER(seconds=plan.seconds, taint=taint)]
    else:
        said = [words.EVICTED_AT(seconds=plan.seconds, taint=taint, moment=_written(planned))]
    if plan.overruled is not None:
        said.append(words.OVERRULED(taint=str(plan.overruled)))
    return [*said, str(words.PLAN)], planned


def _taints(taints: Sequence[TimedTaint], tolerations: Sequence[Document]) -> Iterator[TaintView]:
    for timed, stay in zip(taints, taint_stays(taints, tolerations), strict=True):
        added = "" if timed.added is None else _written(datetime.fromtimestamp(timed.added, UTC))
        yield TaintView(
            str(timed.taint), words.tolerated(stay.seconds, is_tolerated=stay.is_tolerated), words.since(added)
        )


def _conditions(node: Document) -> Iterator[ConditionView]:
    """Present Ready, and every condition that is not as it should be."""
    moments: dict[str, Any] = {
        str(each.get("type")): each.get("lastTransitionTime")
        for each in (node.get("status") or {}).get("conditions") or ()
    }
    for each in conditions(node):
        if each.kind != "good" or each.type == "Ready":
            moment = _moment(moments.get(each.type))
            yield ConditionView(
                f"{each.type}={each.status}", each.kind, words.since("" if moment is None else _written(moment))
            )


def _figure(removals: Sequence[FaultRemoval], pod: Pod) -> Figure:
    rows = []
    for removal in removals:
        outlook, after = removal.outlook, removal.after
        is_silent = outlook.fault is NodeFault.UNREACHABLE
        stretches = [Stretch(0, 0, outlook.grace)] if outlook.grace else []
        if after is None or after > outlook.grace:
            stretches.append(Stretch(1, outlook.grace, after))
        gone = 0
        if after is not None:
            gone = after + grace_period_of(pod)
            if is_silent or gone > after:
                stretches.append(Stretch(2, after, None if is_silent else gone))
        ends = words.fault_ends(after, is_silent=is_silent, gone=gone)
        rows.append(TimelineRow(str(words.ROWS[outlook.fault]), tuple(stretches), ends))
    fills = (
        Key(str(fault_words.GRACE), "verdict-unknown-solid", "/"),
        Key(str(fault_words.TOLERATED), "verdict-chosen-solid"),
        Key(str(words.TERMINATING), "verdict-rejected-solid", "x"),
    )
    spec = TimelineSpec(str(fault_words.SECONDS), fills, tuple(rows))
    summary = " ".join(f"{row.label}: {row.text}." for row in rows)
    return Figure(id="removal-timeline", title=str(words.PICTURE), summary=summary, spec=spec)


def _moment(text: object) -> datetime | None:
    try:
        found = datetime.fromisoformat(str(text)) if text else None
    except ValueError:
        return None
    return found if found is None or found.tzinfo else found.replace(tzinfo=UTC)


def _written(moment: datetime) -> str:
    return f"{timezone.localtime(moment):%Y-%m-%d %H:%M:%S %Z}"
