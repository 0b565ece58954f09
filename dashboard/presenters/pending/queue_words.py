"""The sentences about the scheduler's queue: who stands where, who is next, and what would wake those that wait."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from clusters.engine.queueing.queue import Place
from clusters.wording.amounts import counted, grouped
from clusters.wording.plugins import wording_of
from dashboard.presenters import wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.services.pending.queue import QueuedPodState

# A name, a badge's kind, what it means, and what upstream calls it.
PLACES = {
    Place.ACTIVE: ("Next in line", "good", "tried as soon as its turn comes", "activeQ"),
    Place.BACKOFF: ("Backs off", "warn", "rests after a failed attempt, then stands in line again", "backoffQ"),
    Place.UNSCHEDULABLE: (
        "Waits for an event",
        "bad",
        "was rejected; something has to change first, or five minutes to pass",
        "unschedulablePods",
    ),
    Place.BINDING: ("Being bound", "info", "has a node already, for which a volume is being made", "in flight"),
    Place.GATED: ("Gated", "info", "is kept out of the queue by its scheduling gates", "PreEnqueue"),
    Place.FOREIGN: ("Another scheduler", "", "no profile here has the name that it asks for", "not in this queue"),
}
_TOLD = {
    Place.ACTIVE: ("is next in line", "are next in line"),
    Place.BACKOFF: ("backs off after a failed attempt", "back off after a failed attempt"),
    Place.UNSCHEDULABLE: ("waits for something to change", "wait for something to change"),
    Place.BINDING: ("is being bound", "are being bound"),
    Place.GATED: ("is held back by gates", "are held back by gates"),
    Place.FOREIGN: ("is another scheduler's", "are another scheduler's"),
}


def wakes(plugin: str) -> str:
    """Say in one clause when a pod that the plugin rejected is tried again; empty where that is not known."""
    said = [each.when for each in wording_of(plugin).requeued_when()]
    return said[0] if len(said) == 1 else f"{'; '.join(said[:-1])}; or {said[-1]}" if said else ""


def sentence(placed: Sequence[QueuedPodState]) -> str:
    """Say how many pods wait, where they stand, and which would be tried first."""
    counts = Counter(each.standing.place for each in placed)
    told = [f"{grouped(counts[place])} {_TOLD[place][counts[place] != 1]}" for place in Place if counts[place]]
    first = placed[0]
    who = ""
    if first.standing.rank:
        pod, priority = first.queued.pod, first.queued.priority
        who = f" First is {pod.namespace}/{pod.name}, with priority {grouped(priority)}."
    return f"{counted(len(placed), 'pod waits', 'pods wait')}: {wording.listed(told)}.{who}"
