"""Pictures of a workload: where more of its pods fit, how a rollout goes, and what the loss of a zone leaves."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from clusters.wording.amounts import grouped
from clusters.wording.nodes.states import NO_ZONE
from clusters.wording.workloads import pictures as words
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import BarRow, BarsSpec, Key, Series, TrendSpec

if TYPE_CHECKING:
    from clusters.services.workloads import ClusterWorkloads, WorkloadState
    from clusters.services.workloads.growth import Growth, Update

# One round is no line.
_LEAST_ROUNDS = 2


def growth_figure(found: ClusterWorkloads, state: WorkloadState, growth: Growth) -> Figure | None:
    """Draw a workload's pods by zone with those that fit beside them; the table of the trial has the same numbers."""
    added = Counter(landing.zone for landing in growth.landings)
    rows = tuple(
        BarRow(zone or str(NO_ZONE), (before, added[zone]), words.SUMS(before=before, added=added[zone]))
        for zone, before in zip(found.zones, state.zones, strict=True)
        if zone or before or added[zone]
    )
    if not growth.landings:
        return None
    keys = (Key(str(words.NOW), "verdict-chosen-solid"), Key(str(words.MORE), "verdict-fits-solid", "/"))
    return Figure(
        id="growth",
        title=str(words.GROWTH_TITLE),
        summary=words.GROWTH(fit=len(growth.landings), asked=growth.asked),
        spec=BarsSpec(keys, rows),
    )


def loss_figure(found: ClusterWorkloads, state: WorkloadState) -> Figure | None:
    """Draw what is left of a workload's pods without each zone that has any; None where there is no zone to lose."""
    pods = sum(state.zones)
    held = [(zone, lost) for zone, lost in zip(found.zones, state.zones, strict=True) if zone and lost]
    if not held:
        return None
    keys = (Key(str(words.LEFT), "verdict-chosen-solid"), Key(str(words.LOST), "verdict-rejected-solid", "x"))
    worst, most = max(held, key=lambda each: each[1])
    return Figure(
        id="zone-loss",
        title=str(words.LOSS_TITLE),
        summary=words.WORST_LOSS(zone=worst, left=pods - most, pods=pods),
        spec=BarsSpec(
            keys,
            tuple(
                BarRow(words.WITHOUT(zone=zone), (pods - lost, lost), words.LEFT_OF(left=pods - lost, pods=pods))
                for zone, lost in held
            ),
        ),
        columns=(str(words.ZONE_LOST), *(key.label for key in keys)),
        rows=[(zone, grouped(pods - lost), grouped(lost)) for zone, lost in held],
    )


def rollout_figure(update: Update) -> Figure | None:
    """Draw old and new pods and the fewest available ones round by round; None for less than two rounds."""
    rounds = update.rounds
    if len(rounds) < _LEAST_ROUNDS:
        return None
    # A pod of before the rollout is old until a round takes it away.
    before = rounds[0].old + len(rounds[0].removed)
    labels = (str(words.BEFORE), *(words.ROUND_NUMBER(number=each.number) for each in rounds))
    old = (before, *(each.old for each in rounds))
    new = (0, *(each.new for each in rounds))
    fewest = (None, *(each.fewest for each in rounds))
    return Figure(
        id="rollout",
        title=str(words.ROLLOUT_TITLE),
        summary=words.ROLLOUT(fewest=min(each.fewest for each in rounds), most=max(each.most for each in rounds)),
        spec=TrendSpec(
            unit=str(words.UNIT),
            times=tuple(map(float, range(len(labels)))),
            series=(
                Series(str(words.OLD), "verdict-unknown-solid", tuple(map(float, old))),
                Series(str(words.NEW), "verdict-fits-solid", tuple(map(float, new))),
                Series(
                    str(words.FEWEST),
                    "verdict-chosen-solid",
                    tuple(None if each is None else float(each) for each in fewest),
                    is_dashed=True,
                ),
            ),
            labels=labels,
            is_stepped=True,
        ),
        columns=(str(words.ROUND), str(words.OLD), str(words.NEW), str(words.FEWEST)),
        rows=[
            (label, grouped(gone), grouped(come), "–" if least is None else grouped(least))
            for label, gone, come, least in zip(labels, old, new, fewest, strict=True)
        ],
    )
