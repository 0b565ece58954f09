"""The batches of a drain's plan as steps of its map: which nodes are drained at each, and which pods reach others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypedDict

from clusters.wording.drains import batches as words
from clusters.wording.drains.page import MORE
from dashboard.pictures.verdict_map.spec import MapStep, MapTurns, ScalePoint
from dashboard.presenters.drains.plan import batch_view, eviction_row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.disruption import Eviction, Plan
    from dashboard.presenters.drains.plan import BatchView, EvictionRow

# More batches than this are not played: the list of batches has pages.
MOST_STEPS: Final = 20
# So many evictions of a batch are listed beside the map.
_MOST_LISTED: Final = 50
# The map itself, where no page shows more.
_MAP: Final = "#map-card"


class BatchSteps(TypedDict, total=False):
    """What of a map plays its batches."""

    start: str
    steps: tuple[MapStep, ...]
    scale: tuple[ScalePoint, ...]


@dataclass(frozen=True, slots=True)
class BatchPods:
    """A batch with its first evictions; `more` says how many others it has."""

    batch: BatchView
    rows: tuple[EvictionRow, ...]
    more: str


def target_of(eviction: Eviction) -> str:
    """Return the node on which an evicted pod's replacement is placed; empty where none is."""
    return eviction.landing.node if eviction.landing is not None else ""


def map_turns(plan: Plan, names: Sequence[str], kept: tuple[int, ...], reaching: int) -> MapTurns | None:
    """Say at which batch each node is drained, and which nodes receive pods then; None where there is one batch."""
    if not 1 < len(plan.batches) <= MOST_STEPS:
        return None
    place = {name: number for number, name in enumerate(names)}
    turn = {node.name: number for number, batch in enumerate(plan.batches, 1) for node in batch.nodes}
    reached = ({place.get(target_of(each), -1) for each in batch.evictions} - {-1} for batch in plan.batches)
    return MapTurns(
        turn_of=tuple(turn.get(name, 0) for name in names),
        kept=kept,
        reached=tuple(tuple(sorted(nodes)) for nodes in reached),
        reaching=reaching,
    )


def batch_steps(plan: Plan) -> BatchSteps:
    """Return a step for each batch, then the whole plan."""
    steps = []
    for number, batch in enumerate(plan.batches, 1):
        view = batch_view(plan, number)
        figure = words.figure(nodes=len(batch.nodes), evictions=len(batch.evictions))
        steps.append(MapStep(view.title, str(words.SCALE), view.sentence, figure))
    said = words.BATCHES(number=len(steps))
    return BatchSteps(
        start=str(words.BEFORE),
        steps=(*steps, MapStep(str(words.WHOLE), "", said)),
        scale=(ScalePoint(str(words.SCALE), "ran", said, _MAP, len(steps) + 1),),
    )


def batch_pods(plan: Plan, number: int) -> BatchPods:
    """Present the pods that one batch evicts."""
    evictions = plan.batches[number - 1].evictions
    shown = tuple(eviction_row(place, each) for place, each in enumerate(evictions[:_MOST_LISTED], 1))
    hidden = len(evictions) - len(shown)
    return BatchPods(batch_view(plan, number), shown, MORE(number=hidden) if hidden else "")
