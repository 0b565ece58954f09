"""The map of a pod's decision: every node by what rejects the pod there, and how that came about step by step."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from clusters.engine.analysis import rejecting_sources
from clusters.engine.registry import PLUGINS
from clusters.engine.resources import CPU
from clusters.engine.scheduling import OutsidePlacement
from clusters.wording.amounts import grouped
from clusters.wording.decisions import attempt as attempt_words, nodes as words
from clusters.wording.decisions.verdict import best_sentence, verdict_sentence
from clusters.wording.lists import listed
from dashboard.pictures.tokens import PLUGIN_MARKS, plugin_colour
from dashboard.pictures.verdict_map.layout import MOST_NAMED
from dashboard.pictures.verdict_map.spec import (
    OTHER,
    SHADES,
    MapKey,
    MapMark,
    MapStep,
    MarkKind,
    NodeLoad,
    ScalePoint,
    VerdictMap,
)
from dashboard.presenters.decisions.page import StripView, node_lines
from dashboard.presenters.shared.maps import map_pools, node_loads

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clusters.engine import Explanation
    from clusters.engine.status import Index, Ints, Reason
    from clusters.wording.messages import Message

PRE_FILTER, FILTER, POST_FILTER, SCORE = "PreFilter", "Filter", "PostFilter", "Score"


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
        yield step(
            source,
            PRE_FILTER,
            words.REJECTS(who=cycle.stopped_by.plugin or "PreFilter", reasons=cycle.stopped_by.status.reported),
        )
        return
    if cycle.placement is not None:
        yield step(OutsidePlacement.generator, PRE_FILTER, str(words.ONE_DOMAIN))
    if words.PRE_FILTER in number_of:
        yield step(
            words.PRE_FILTER,
            PRE_FILTER,
            words.RESTRICTED(plugins=listed(cycle.restricting), number=len(cycle.restricting)),
        )
    for name in cycle.filters:
        if cycle.plugins[name].uncomputed:
            continue
        here = keys[number_of[name]].nodes if name in number_of else 0
        alone = int(explanation.rejected_alone(name)[order].sum())
        yield step(name, FILTER, words.rejects(left=left - here, here=here, alone=alone, nodes=nodes))
    if (extenders := str(words.EXTENDERS)) in number_of:
        here = keys[number_of[extenders]].nodes
        yield step(extenders, FILTER, words.rejects(left=left - here, here=here, alone=here, nodes=nodes))


def _post_filter(explanation: Explanation) -> Iterator[MapStep]:
    found = explanation.preemption
    if found is not None:
        name = next(each for each in explanation.profile.post_filter if PLUGINS[each].preempts)
        yield MapStep(name, POST_FILTER, attempt_words.headline(found), shows_room=True)


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
            score.plugin, SCORE, said, f"{grouped(least)}–{grouped(most)}", shades=tuple(shades[order].tolist())
        )


def _result(explanation: Explanation) -> str:
    return best_sentence(explanation) if explanation.fits else verdict_sentence(explanation)


# The first keys, in this order; those of whoever rejects nodes come after them.
_TAKEN, _FEASIBLE = 0, 1


class _Verdicts(Struct, frozen=True):
    """The keys of a map, and which of them each row of the snapshot has."""

    keys: tuple[MapKey, ...]
    of_row: Ints


def verdict_map(
    explanation: Explanation,
    attempt: StripView,
    own: str = "",
    *,
    is_simulated: bool = False,
    zone: str | None = None,
    pool: str = "",
) -> VerdictMap:
    """Present the nodes of a decision, or those of one zone and pool.

    `own` is the node that the pod runs on, or on which the step of a simulation placed it.

    The `attempt` is the scale by which it is played. Raises LookupError for a zone or a pool that there is not.
    """
    pools, order = map_pools(explanation.snapshot.nodes, zone, pool)
    verdicts = _verdicts(explanation, order)
    loads, caption = _loads(explanation, order)
    names = explanation.snapshot.nodes.names
    steps = (
        *_filters(
            explanation,
            order,
            {key.source: number for number, key in enumerate(verdicts.keys) if key.source},
            verdicts.keys,
        ),
        *_post_filter(explanation),
        *_scores(explanation, order),
        MapStep(str(words.RESULT), "", _result(explanation)),
    )
    return VerdictMap(
        sentence=words.summary(len(order), ((key.nodes, key.label, key.source) for key in verdicts.keys if key.nodes)),
        keys=verdicts.keys,
        pools=pools,
        names=tuple(names[row] for row in order.tolist()),
        key_of=tuple(verdicts.of_row[order].tolist()),
        shade_of=tuple(_shades(explanation, explanation.cycle.totals)[order].tolist()),
        marks=tuple(_marks(explanation, order, own, words.PLACED if is_simulated else words.POD_RUNS_HERE)),
        loads=loads,
        loads_caption=caption,
        lines=tuple(line.brief for line in node_lines(explanation, order.tolist())) if len(order) <= MOST_NAMED else (),
        start=words.START(nodes=len(order)),
        steps=steps,
        scale=map_scale(attempt, steps),
    )


# -- verdicts ----------------------------------------------------------------------------------------------------------


def _verdicts(explanation: Explanation, order: Index) -> _Verdicts:
    """Give each row its key: first of who rejects it, or feasible, or one of those that the scheduler takes.

    Nodes are counted that are in the `order`.
    """
    cycle = explanation.cycle
    of_rejection = _sources(explanation)
    rejecting: dict[str, Counter[tuple[Reason, ...]]] = {}
    numbers = cycle.rejected_by[order]
    recorded = np.bincount(numbers[numbers >= 0], minlength=len(cycle.rejections)).tolist()
    for source, rejection, nodes in zip(of_rejection, cycle.rejections, recorded, strict=True):
        given = rejecting.setdefault(source, Counter())
        if nodes:
            given[rejection.status.stated] += nodes
    rank = {name: number for number, name in enumerate(explanation.profile.filter)}
    sources = sorted(rejecting, key=lambda source: (source != words.PRE_FILTER, rank.get(source, len(rank))))
    number_of = {source: number for number, source in enumerate(sources, _FEASIBLE + 1)}
    table = [number_of[source] for source in of_rejection]
    of_row = np.array([*table, _FEASIBLE], np.int64)[cycle.rejected_by]
    of_row[cycle.choices] = _TAKEN
    times = np.bincount(of_row[order], minlength=len(sources) + _FEASIBLE + 1).tolist()
    is_certain = not explanation.uncertainties
    colour = "verdict-fits-solid" if is_certain else "verdict-uncertain-solid"
    keys = [
        MapKey(words.taken(explanation), "", colour, "star", times[_TAKEN]),
        MapKey(
            words.feasible(is_certain=is_certain, is_outscored=not explanation.takes_nominated), "", colour,
            "" if is_certain else "question", times[_FEASIBLE], is_shaded=True,
        ),
        *(
            MapKey(
                words.rejected_for(rejecting[source]), source, source_colour(source), source_mark(source),
                times[number],
            )
            for source, number in number_of.items()
        ),
    ]  # fmt: skip
    return _Verdicts(tuple(keys), of_row)


def rejecting_keys(explanation: Explanation) -> list[MapKey]:
    """Return who rejects nodes first, as the map's legend has them."""
    every = np.arange(explanation.node_count)
    return [key for key in _verdicts(explanation, every).keys[_FEASIBLE + 1 :] if key.nodes]


def _sources(explanation: Explanation) -> list[str]:
    """Name who says each rejection: PreFilter of nodes that no filter came to, and extenders together."""
    extenders = {call.extender.address for call in explanation.cycle.calls}
    return [source_name(source, is_extender=source in extenders) for source in rejecting_sources(explanation)]


def source_name(source: str, *, is_extender: bool) -> str:
    """Name who rejects nodes as maps do."""
    return str(words.EXTENDERS) if is_extender else source or words.PRE_FILTER


def source_colour(source: str) -> str:
    """Return the token of whoever rejects nodes."""
    return "verdict-unknown-solid" if source == words.PRE_FILTER else plugin_colour(source)[6:-1]


def source_mark(source: str) -> str:
    """Return the mark of whoever rejects nodes."""
    return "dots" if source == words.PRE_FILTER else PLUGIN_MARKS.get(source, OTHER)


def _shades(explanation: Explanation, points: Ints) -> Ints:
    """Return a shade for each row, 0 for those that are not feasible: how good it is among the others, in steps."""
    shades = np.zeros(explanation.node_count, np.int64)
    feasible: Index = explanation.cycle.feasible
    if len(feasible):
        shades[feasible] = levels(points) if len(points) == len(feasible) else SHADES
    return shades


def _marks(explanation: Explanation, order: Index, own: str, says: Message) -> Iterator[MapMark]:
    index = explanation.snapshot.nodes.index
    place = {row: number for number, row in enumerate(order.tolist())}
    nominated = "" if own else explanation.pod.nominated_node_name
    selected = None if explanation.preemption is None else explanation.preemption.selected
    found: list[tuple[MarkKind, str, str]] = [
        ("own", own, says(node=own)),
        ("nominated", nominated, words.NOMINATED(node=nominated)),
    ]
    if selected is not None:
        found.append(("room", selected.node, words.MAKES_ROOM(node=selected.node, victims=len(selected.victims))))
    for kind, node, label in found:
        if (number := place.get(index.get(node, -1))) is not None:
            yield MapMark(kind, label, number)


# -- what fills the nodes ----------------------------------------------------------------------------------------------


def _loads(explanation: Explanation, order: Index) -> tuple[tuple[NodeLoad, ...], str]:
    """Return what the pods request of the resource that matters most to this pod, and say which it is.

    None where nodes or pods are too many to draw.
    """
    pods = explanation.snapshot.pods
    resource = _deciding_resource(explanation)
    candidates = () if explanation.preemption is None else explanation.preemption.candidates
    victims = {candidate.node: {pods.slot_of[key] for key in candidate.victims} for candidate in candidates}
    nominated, asked = explanation.cycle.nominated_world, explanation.pod.requests.get(resource, 0)
    joining = None if nominated is None else nominated.joining
    loads = node_loads(explanation.snapshot, order, resource, asked, victims, joining)
    return (loads, words.loads(resource)) if loads else ((), "")


def _deciding_resource(explanation: Explanation) -> str:
    """Return the requested resource of which the most nodes have too little; then that of which they have least."""
    nodes = explanation.snapshot.nodes

    def weight(resource: str) -> tuple[int, float]:
        column = nodes.resources.index(resource)
        has, used = nodes.allocatable[:, column], nodes.requested[:, column]
        asked = explanation.pod.requests[resource]
        return int((asked > has - used).sum()), asked / max(1, int(has.max(initial=0)))

    requested = [name for name, amount in explanation.pod.requests.items() if amount and name in nodes.resources]
    return max(requested, key=weight, default=CPU)
