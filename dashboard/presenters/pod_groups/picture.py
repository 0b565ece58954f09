"""A group of pods as a picture: its members as slots against minCount."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.wording.pod_groups import page as words
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import Key, SlotPart, SlotsSpec

if TYPE_CHECKING:
    from clusters.engine.podgroups.states import PodGroupState

_PARTS = (words.SCHEDULED, words.WAITING, words.BLOCKED, words.MISSING)
_MISSING = 3


def members_figure(state: PodGroupState, *, blocked: int) -> Figure | None:
    """Draw the pods of a group, ``blocked`` of them rejected by themselves; None where there are none to draw."""
    counts = (state.scheduled, state.pending - blocked, blocked, state.missing)
    if not any(counts):
        return None
    labels = tuple(map(str, _PARTS))
    spec = SlotsSpec(
        keys=(
            Key(labels[0], "verdict-chosen-solid"),
            Key(labels[1], "verdict-fits-solid"),
            Key(labels[2], "verdict-rejected-solid", "x"),
            Key(labels[_MISSING], "verdict-unknown-solid"),
        ),
        parts=tuple(
            SlotPart(number, pods, words.part(label, pods))
            for number, (label, pods) in enumerate(zip(labels, counts, strict=True))
        ),
        line_at=state.quorum,
        line_text=words.line(state.quorum) if state.is_gang else "",
        empty=frozenset({_MISSING}),
    )
    return Figure(
        id="pod-group",
        title=f"{state.key}: {words.TITLE}",
        summary=words.summary(scheduled=state.scheduled, pending=state.pending, missing=state.missing),
        spec=spec,
    )
