"""A group of pods as a picture: its members as slots against minCount."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.wording.pod_groups import page as words
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import Key, SlotPart, SlotsSpec

if TYPE_CHECKING:
    from clusters.engine.group_states import PodGroupState
    from clusters.engine.scheduling import GroupAttempt

_PARTS = (words.SCHEDULED, words.FINDING, words.REFUSED, words.PENDING, words.MISSING)
_MISSING = 4


def members_figure(state: PodGroupState, attempt: GroupAttempt | None) -> Figure | None:
    """Draw the pods of a group, pending ones by what becomes of them in an attempt; None where there are none."""
    finding = sum(bool(each.node) for each in attempt.members) if attempt else 0
    refused = len(attempt.refused) if attempt else 0
    counts = (state.scheduled, finding, refused, state.pending - finding - refused, state.missing)
    if not any(counts):
        return None
    labels = tuple(map(str, _PARTS))
    spec = SlotsSpec(
        keys=(
            Key(labels[0], "verdict-chosen-solid"),
            Key(labels[1], "verdict-fits-solid"),
            Key(labels[2], "verdict-rejected-solid", "x"),
            Key(labels[3], "verdict-unknown-solid", "."),
            Key(labels[_MISSING], "verdict-unknown-solid"),
        ),
        parts=tuple(
            SlotPart(number, pods, words.PART(label=label, pods=pods))
            for number, (label, pods) in enumerate(zip(labels, counts, strict=True))
        ),
        line_at=state.quorum,
        line_text=words.LINE(least=state.quorum) if state.is_gang else "",
        empty=frozenset({_MISSING}),
    )
    return Figure(
        id="pod-group",
        title=f"{state.key}: {words.TITLE}",
        summary=words.SUMMARY(scheduled=state.scheduled, pending=state.pending, missing=state.missing),
        spec=spec,
    )
