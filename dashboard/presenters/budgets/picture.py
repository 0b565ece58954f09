"""A budget as pictures: its healthy pods against the floor, and the nodes that it keeps from being drained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.wording import columns as heads
from clusters.wording.amounts import grouped
from clusters.wording.budgets import picture as words
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import BarRow, BarsSpec, Key, SlotPart, SlotsSpec
from dashboard.presenters.budgets.page import node_order

if TYPE_CHECKING:
    from clusters.engine.disruption import BudgetState

# So many nodes have a bar; the table below has them all.
MOST_NODES = 12
_PARTS = (words.REQUIRED, words.MISSING, words.ALLOWED, words.NOT_ALLOWED, words.UNHEALTHY)
# Pods that may go are as good as gone: their slots are empty.
_EMPTY = frozenset({2})


def pods_figure(state: BudgetState, *, name: str) -> Figure | None:
    """Draw the pods that the status counts against those required; None where the budget selects no pods."""
    reported, allowed = state.budget.reported, state.budget.grants
    above = max(0, reported.healthy - reported.desired)
    counts = (
        min(reported.healthy, reported.desired),
        max(0, reported.desired - reported.healthy),
        min(allowed, above),
        above - min(allowed, above),
        max(0, reported.expected - max(reported.healthy, reported.desired)),
    )
    if not state.pods or not any(counts):
        return None
    labels = tuple(map(str, _PARTS))
    spec = SlotsSpec(
        keys=(
            Key(labels[0], "verdict-chosen-solid"),
            Key(labels[1], "verdict-rejected-solid", "x"),
            Key(labels[2], "verdict-fits-solid"),
            Key(labels[3], "verdict-preemptible-solid", "/"),
            Key(labels[4], "verdict-unknown-solid", "."),
        ),
        parts=tuple(
            SlotPart(number, pods, words.PART(label=label, pods=pods))
            for number, (label, pods) in enumerate(zip(labels, counts, strict=True))
        ),
        line_at=reported.desired,
        line_text=words.FLOOR(pods=reported.desired),
        empty=_EMPTY,
    )
    return Figure(
        id=name,
        title=f"{state.budget.key}: {words.TITLE}",
        summary=words.SUMMARY(healthy=reported.healthy, required=reported.desired, allowed=allowed),
        spec=spec,
    )


def nodes_figure(state: BudgetState) -> Figure | None:
    """Draw the pods on each node and which of them a drain could not evict, blocked nodes first.

    Where that is the same on every node, the sentence says all and there is no picture.
    """
    nodes = state.nodes
    if len(set(zip(nodes.pods.tolist(), nodes.refused.tolist(), strict=True))) < 2:
        return None
    places = node_order(state)
    keys = (
        Key(str(words.EVICTED), "verdict-fits-solid"),
        Key(str(words.REFUSED), "verdict-rejected-solid", "x"),
    )
    rows = tuple(
        BarRow(
            nodes.names[place],
            (int(nodes.pods[place] - nodes.refused[place]), int(nodes.refused[place])),
            grouped(int(nodes.pods[place])),
        )
        for place in places[:MOST_NODES]
    )
    return Figure(
        id="budget-nodes",
        title=str(words.NODES_TITLE),
        summary=words.holds(len(rows), len(nodes.blocked), len(nodes.names)),
        spec=BarsSpec(keys, rows),
        columns=(str(heads.NODE), *(key.label for key in keys)),
        rows=[(row.label, *map(grouped, row.values)) for row in rows],
    )
