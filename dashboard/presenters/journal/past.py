"""What happened last before a moment of a cluster's past, and what of it stands out in the picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import reverse

from clusters.models import Decision, Departure, NodeChange
from clusters.services.journal.timeline import COUNTED_KINDS
from clusters.wording.journal import decisions as decision_words
from clusters.wording.journal import marks as mark_words
from clusters.wording.journal import past as words
from dashboard.pictures.cluster import Highlight

if TYPE_CHECKING:
    from datetime import datetime

    from clusters.services.journal.past import Happened
    from clusters.services.journal.timeline import Marks
    from dashboard.pictures.cluster import HighlightLook

Kind = Decision.Kind

_BADGES = {
    Kind.BOUND: "good",
    Kind.UNSCHEDULABLE: "bad",
    Kind.NOMINATED: "info",
    Kind.PREEMPTED: "warn",
    Kind.EVICTED: "warn",
    Kind.GATED: "",
}
_LOOKS: dict[str, HighlightLook] = {
    Kind.BOUND: "placed",
    Kind.NOMINATED: "nominated",
    Kind.PREEMPTED: "left",
    Kind.EVICTED: "left",
}
# Which kinds have marks over the slider.
_MARKED = frozenset({Kind.UNSCHEDULABLE, Kind.PREEMPTED, Kind.EVICTED})


@dataclass(frozen=True, slots=True)
class HappenedView:
    """What happened: a word with its badge, a sentence, the scheduler's message, and the page about it, or empty.

    ``lesson``: where a lesson is made of it; empty where none can be.
    """

    at: datetime
    word: str
    badge: str
    sentence: str
    message: str
    address: str
    highlight: Highlight | None
    lesson: str = ""


def happened_view(row: Happened, cluster: str) -> HappenedView:
    """Present one thing that happened."""
    match row:
        case Decision():
            pod = f"{row.namespace}/{row.name}"
            kind = decision_words.kind(row.kind, node=row.node_name)
            address = {"cluster": cluster, "pk": row.pk}
            return HappenedView(
                row.heard_at,
                str(decision_words.KINDS[row.kind]),
                _BADGES[Kind(row.kind)],
                words.OF_POD(pod=pod, decision=kind),
                row.message,
                reverse("journaled", kwargs=address),
                Highlight(row.node_name, pod, _LOOKS[row.kind]) if row.node_name and row.kind in _LOOKS else None,
                reverse("lesson-of-decision", kwargs=address) if row.kind in COUNTED_KINDS else "",
            )
        case NodeChange():
            said = mark_words.node_change(row.kind, node=row.node_name, condition=row.condition)
            return HappenedView(
                row.heard_at,
                str(words.NODE),
                "",
                words.ENDED(sentence=said),
                "",
                "",
                Highlight(row.node_name, "", "kept"),
            )
        case Departure():
            pod = f"{row.namespace}/{row.name}"
            is_pod = row.kind == Departure.Kind.POD
            sentence = words.POD_GONE(pod=pod, node=row.node_name) if is_pod else words.NODE_GONE(node=row.name)
            lit = Highlight(row.node_name, pod, "left") if is_pod else None
            return HappenedView(row.heard_at, str(words.GONE), "", sentence, "", "", lit)


def slider_marks(found: Marks) -> tuple[tuple[float, str], ...]:
    """Return where decisions that stand out are, in percent of the way, with the word for their colour."""
    length = found.end - found.start
    marked = (each for each in found.marks if each.kind in _MARKED)
    return tuple((round(100 * max(0.0, (each.start - found.start) / length), 2), each.kind) for each in marked)
