"""How a pod's decision came about, step by step, for the map that plays it: filters, preemption, scores, the choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.registry import PLUGINS
from clusters.wording.amounts import grouped
from clusters.wording.decisions import filters as filter_words
from clusters.wording.decisions import preemption as preemption_words
from clusters.wording.decisions import verdict_map as words
from clusters.wording.decisions.verdict import best_sentence, verdict_sentence
from dashboard.pictures.verdict_map.spec import SHADES, MapStep, ScalePoint

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clusters.engine import Explanation
    from clusters.engine.status import Index, Ints
    from dashboard.pictures.verdict_map.spec import MapKey
    from dashboard.presenters.decisions.strip import StripView

PRE_FILTER, FILTER, POST_FILTER, SCORE = "PreFilter", "Filter", "PostFilter", "Score"


def map_steps(explanation: Explanation, order: Index, keys: Sequence[MapKey]) -> tuple[MapStep, ...]:
    """Return the steps over the nodes of a map; the last one is the map as it is."""
    return (
        *_filters(explanation, order, {key.source: number for number, key in enumerate(keys) if key.source}, keys),
        *_post_filter(explanation),
        *_scores(explanation, order),
        MapStep(str(words.RESULT), "", _result(explanation)),
    )


def map_scale(view: StripView, steps: Sequence[MapStep]) -> tuple[ScalePoint, ...]:
    """Return the extension points as the scale of the player; what comes after the last step is the result."""
    names = [step.name for step in view.steps]
    done = [names.index(step.point) for step in steps[:-1]]
    last = max(done, default=-1)
    return tuple(
        ScalePoint(
            name=point.name,
            state=point.state,
            summary=point.summary,
            link=f"#step-{point.name}",
            at=len(steps) if number > last else sum(each <= number for each in done),
            is_leading=point.name == view.leading,
        )
        for number, point in enumerate(view.steps)
    )


def levels(points: Ints) -> Ints:
    """Return points as shades from 1 to the best; the best where all are the same."""
    least, most = int(points.min()), int(points.max())
    if least == most:
        return np.full(len(points), SHADES, np.int64)
    # Whole numbers, so that the same points always have the same shade.
    return 1 + np.minimum(SHADES * (points - least) // (most - least), SHADES - 1)


def _filters(
    explanation: Explanation, order: Index, number_of: Mapping[str, int], keys: Sequence[MapKey]
) -> Iterator[MapStep]:
    """Yield what PreFilter leaves out, then each filter that has an answer, then extenders."""
    cycle, nodes = explanation.cycle, len(order)
    left = nodes

    def step(source: str, point: str, said: str) -> MapStep:
        nonlocal left
        number = number_of.get(source)
        gone = () if number is None or not keys[number].nodes else (number,)
        left -= sum(keys[each].nodes for each in gone)
        return MapStep(
            source, point, words.LEFT_AFTER(said=said, nodes=left), grouped(left), round(100 * left / nodes, 1), gone
        )

    if cycle.stopped_by is not None:
        # Every node is of the one who ends the attempt.
        source = cycle.stopped_by.plugin or words.PRE_FILTER
        yield step(source, PRE_FILTER, filter_words.ended_in_pre_filter(cycle.stopped_by))
        return
    if words.PRE_FILTER in number_of:
        yield step(words.PRE_FILTER, PRE_FILTER, filter_words.restricted(cycle.restricting))
    for name in cycle.filters:
        if cycle.plugins[name].uncomputed:
            continue
        here = keys[number_of[name]].nodes if name in number_of else 0
        alone = int(explanation.rejected_alone(name)[order].sum())
        yield step(name, FILTER, filter_words.rejects(left=left - here, here=here, alone=alone, nodes=nodes))
    if (extenders := str(words.EXTENDERS)) in number_of:
        here = keys[number_of[extenders]].nodes
        yield step(extenders, FILTER, filter_words.rejects(left=left - here, here=here, alone=here, nodes=nodes))


def _post_filter(explanation: Explanation) -> Iterator[MapStep]:
    found = explanation.preemption
    if found is not None:
        name = next(each for each in explanation.profile.post_filter if PLUGINS[each].preempts)
        yield MapStep(name, POST_FILTER, preemption_words.headline(found), shows_room=True)


def _scores(explanation: Explanation, order: Index) -> Iterator[MapStep]:
    """Yield the plugins that tell nodes apart, where the scheduler comes to compare them."""
    cycle = explanation.cycle
    if len(cycle.feasible) < 2 or explanation.takes_nominated:
        return
    for score in cycle.scores:
        least, most = int(score.weighted.min()), int(score.weighted.max())
        if least == most:
            continue
        shades = np.zeros(explanation.node_count, np.int64)
        shades[cycle.feasible] = levels(score.weighted)
        said = words.GIVES(least=least, most=most, weight=score.weight)
        yield MapStep(
            score.plugin, SCORE, said, words.POINTS(least=least, most=most), shades=tuple(shades[order].tolist())
        )


def _result(explanation: Explanation) -> str:
    return best_sentence(explanation) if explanation.fits else verdict_sentence(explanation)
