"""When the pods of a node that fails are evicted, as a timeline and rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.disruption import fault_outlooks, removals_on
from clusters.engine.versions import match_release
from clusters.wording.nodes import faults as words
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import Key, Stretch, TimelineRow, TimelineSpec

if TYPE_CHECKING:
    from clusters.engine import Snapshot
    from clusters.engine.disruption import FaultRemoval

_NAMED = 5


@dataclass(frozen=True, slots=True)
class RemovalRow:
    """Pods that are evicted together; `named` are the first of them with their namespaces, `more` counts the others."""

    pods: str
    named: tuple[tuple[str, str], ...]
    more: str
    unreachable: str
    not_ready: str


@dataclass(frozen=True, slots=True)
class NodeFaultsView:
    """What follows when a node fails; `notes` are sentences."""

    sentence: str
    notes: tuple[str, ...]
    rows: tuple[RemovalRow, ...]
    figure: Figure | None


def node_faults(snapshot: Snapshot, node: str, version: str) -> NodeFaultsView:
    """Present when each pod leaves; `version` is the cluster's Kubernetes version. Raises KeyError."""
    minor = match_release(version).named_minor
    outlooks = fault_outlooks(snapshot, node, minor)
    groups = removals_on(snapshot, node, outlooks)
    silent = [(removals[0].after, len(keys)) for removals, keys in groups]
    times = [after for after, _ in silent if after is not None]
    sentence = words.node_sentence(
        node=node,
        pods=sum(count for _, count in silent),
        kept=sum(count for after, count in silent if after is None),
        first=min(times, default=None),
        last=max(times, default=None),
    )
    notes = [words.GRACE_SENTENCE(minor=minor, grace=outlooks[0].grace), str(words.UNREACHABLE_KEEPS_RUNNING)]
    if outlooks[0].tainted_after is None:
        zone = outlooks[0].zone
        notes.insert(0, words.not_tainted(zone.state if zone else None))
    return NodeFaultsView(
        sentence, tuple(notes), tuple(_row(*each) for each in groups), _figure(groups, sentence) if groups else None
    )


def _row(removals: list[FaultRemoval], keys: list[str]) -> RemovalRow:
    unreachable, not_ready = removals
    return RemovalRow(
        pods=words.PODS_OF_GROUP(pods=len(keys)),
        named=tuple((namespace, name) for namespace, _, name in (key.partition("/") for key in keys[:_NAMED])),
        more=words.MORE_PODS(pods=len(keys) - _NAMED) if len(keys) > _NAMED else "",
        unreachable=words.removed(unreachable.after),
        not_ready=words.removed(not_ready.after),
    )


def _figure(groups: list[tuple[list[FaultRemoval], list[str]]], summary: str) -> Figure:
    rows = []
    for removals, keys in groups:
        outlook, after = removals[0].outlook, removals[0].after
        stretches = [Stretch(0, 0, outlook.grace)]
        if after is None or after > outlook.grace:
            stretches.append(Stretch(1, outlook.grace, after))
        rows.append(TimelineRow(words.PODS_OF_GROUP(pods=len(keys)), tuple(stretches), words.ends(after)))
    fills = (Key(str(words.GRACE), "verdict-unknown-solid", "/"), Key(str(words.TOLERATED), "verdict-chosen-solid"))
    spec = TimelineSpec(str(words.SECONDS), fills, tuple(rows))
    return Figure(id="faults-timeline", title=str(words.PICTURE), summary=summary, spec=spec)
