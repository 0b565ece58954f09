"""What would make a pod schedulable, in words: headings, each way, and the one sentence that leads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.analysis import (
    Advice,
    ClaimRemedy,
    LargerThanNodes,
    LowerRequests,
    NumberedLift,
    Realism,
    Remedy,
    Way,
    awaited,
    circumstances,
)
from clusters.engine.simulation import OneMoreNode
from clusters.wording import lifts as lift_words, ways
from clusters.wording.lists import begun
from clusters.wording.pending import add_node, await_nomination, takes
from clusters.wording.remedies import remedy_sentence
from clusters.wording.resources import resource_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine import Explanation


def advice_title(advice: Advice) -> str:
    """Title ways of one sort; empty for those that are told as details alone."""
    if advice.realism in (Realism.LOWER_UNUSED, Realism.LOWER, Realism.REQUEST_NONE):
        return str(ways.LOWER_REQUESTS_TITLE)
    if advice.realism is Realism.TWO_CHANGES:
        return str(ways.PAIRS_TITLE)
    if advice.ways and all(isinstance(each, ClaimRemedy) for each in advice.ways):
        return str(ways.VOLUMES_TITLE)
    return str(ways.REALISM_TITLES.get(advice.realism, ""))


def details_title(advice: Advice) -> str:
    """Title the lifts that are told as details; empty where there are none."""
    if not advice.details:
        return ""
    if advice.realism is Realism.UNWANTED:
        return str(ways.FILTERS_TITLE) if advice.details[0].kind == "filter" else str(ways.PINNED_TITLE)
    return str(ways.REQUEST_NONE_TITLE)


def way_sentence(explanation: Explanation, way: Way) -> str:
    """Say one way in a sentence or two."""
    names = explanation.snapshot.nodes.names
    match way:
        case Remedy():
            return remedy_sentence(way)
        case OneMoreNode(like, pool):
            return takes(begun(add_node(like, pool)), 1, 1, is_whole=True)
        case LowerRequests(reduced):
            return lift_words.reduction(reduced, names)
        case NumberedLift():
            return lift_words.gain(way.lift, names, fits=explanation.fits)


def leading_way(found: Sequence[Advice]) -> Way | None:
    """Return what is told first; None where all is detail."""
    return next((each.ways[0] for each in found if each.ways), None)


def advice_summary(explanation: Explanation, found: Sequence[Advice]) -> str:
    """Say what to do in one sentence: the first way, or why there is none."""
    way = leading_way(found)
    first = "" if way is None else way_sentence(explanation, way)
    unwanted = [each for advice in found if advice.realism is Realism.UNWANTED for each in advice.details]
    is_pinned = any(each.kind != "filter" for each in unwanted)
    if not explanation.node_count:
        return str(ways.WITHOUT_NODES)
    if explanation.fits:
        if first:
            return ways.FITS_ALREADY(way=first)
        return str(ways.FITS_ON_PINNED) if is_pinned else str(ways.NOTHING_GAINS)
    waits = awaited(explanation)
    if waits is not None:
        return await_nomination(waits.node, waits.leaving)
    if explanation.preemption is not None and explanation.preemption.selected is not None:
        return str(ways.PREEMPTION_HELPS)
    match way:
        case NumberedLift(kind="pair"):
            return ways.TWO_CHANGES(way=first)
        case NumberedLift():
            return ways.ONE_CHANGE(way=first)
        case LowerRequests(reduced) if len(reduced) == 1:
            return ways.ONE_CHANGE(way=first)
        case Remedy() | OneMoreNode() | LowerRequests():
            return first
    none = next((each for each in found if each.realism is Realism.REQUEST_NONE), None)
    larger = [each for each in circumstances(explanation) if isinstance(each, LargerThanNodes)]
    nowhere = next((each.resource for each in larger if not each.node), "")
    if nowhere:
        return ways.OFFER_RESOURCE(resource=resource_name(nowhere))
    if none is not None:
        return ways.LOWER_IS_NOT_ENOUGH(way=way_sentence(explanation, none.details[0]))
    stopped = explanation.cycle.stopped_by
    if stopped is not None:
        return ways.ENDED_BEFORE_NODES(plugin=stopped.plugin or "PreFilter", reasons=stopped.status.reported)
    return str(ways.NOTHING_HELPS_PINNED) if is_pinned else str(ways.NOTHING_HELPS)
