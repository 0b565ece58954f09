"""A node's pods drawn to scale: what each requests of CPU and memory, and uses where that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clusters.engine.resources import CPU, MEMORY
from clusters.wording.amounts import at_most, quantity
from clusters.wording.nodes import to_scale as words
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import Key, NodeShareRow, NodeSharesSpec, PodShare
from dashboard.presenters.nodes.heat_map import label_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine import Snapshot

# So many pods have a place of their own in a bar, the largest; the others are one.
MOST_PODS = 24


class _Pod(NamedTuple):
    key: str
    requested: int
    used: int | None


def figure(
    snapshot: Snapshot, name: str, *, drawing: str, used: Mapping[str, Mapping[str, int]] | None = None
) -> Figure | None:
    """Draw the pods on a node; None where there are none. ``used``: by ``namespace/name``, then by resource."""
    pods, nodes = snapshot.pods, snapshot.nodes
    slots = np.flatnonzero(pods.node[: len(pods.keys)] == nodes.index[name])
    if not len(slots):
        return None
    rows = []
    for resource in (CPU, MEMORY):
        amounts = [dict(pods.shapes[pods.shape[slot]].requests).get(resource, 0) for slot in slots.tolist()]
        held = [
            _Pod(pods.keys[slot], amount, None if used is None else used.get(pods.keys[slot], {}).get(resource))
            for slot, amount in zip(slots.tolist(), amounts, strict=True)
        ]
        column = nodes.resources.index(resource)
        rows.append(_row(resource, held, int(nodes.allocatable[nodes.index[name], column])))
    keys = (
        Key(str(words.REQUEST), "verdict-chosen-surface"),
        Key(str(words.FREE), "surface-card"),
        Key(str(words.USED), "verdict-chosen-solid"),
        Key(str(words.OVER), "verdict-rejected-solid", "x"),
    )
    return Figure(
        id=drawing,
        title=str(words.TITLE),
        summary=words.SUMMARY(pods=len(slots)),
        spec=NodeSharesSpec(keys, tuple(rows)),
    )


def _row(resource: str, pods: Sequence[_Pod], allocatable: int) -> NodeShareRow:
    asking = sorted((pod for pod in pods if pod.requested), key=lambda pod: (-pod.requested, pod.key))
    parts = [_share(resource, pod) for pod in asking[:MOST_PODS]]
    rest = asking[MOST_PODS:]
    if rest:
        amount = sum(pod.requested for pod in rest)
        known = [pod.used for pod in rest if pod.used is not None]
        label = words.SMALLER(pods=len(rest))
        said = words.REQUESTS(pod=label, amount=quantity(resource, amount))
        parts.append(PodShare(label, amount, said, sum(known) if len(known) == len(rest) else None))
    requested = sum(pod.requested for pod in asking)
    return NodeShareRow(
        label=label_of(resource),
        pods=tuple(parts),
        whole=allocatable,
        whole_text=words.OF(requested=quantity(resource, requested), allocatable=quantity(resource, allocatable)),
        free_text=words.free(at_most(resource, max(0, allocatable - requested))),
    )


def _share(resource: str, pod: _Pod) -> PodShare:
    amount = quantity(resource, pod.requested)
    said = (
        words.REQUESTS(pod=pod.key, amount=amount)
        if pod.used is None
        else words.REQUESTS_AND_USES(pod=pod.key, amount=amount, used=quantity(resource, pod.used))
    )
    return PodShare(pod.key.partition("/")[2], pod.requested, said, pod.used)
