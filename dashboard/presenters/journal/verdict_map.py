"""The map of a decision that the journal keeps: its nodes by who rejected them, and how that came about.

Documents name the nodes of small clusters, and count those of larger ones by zone and pool. Where there are too many
zones they do neither, and all nodes are one bar.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from msgspec import UNSET

from clusters.documents.explanation import ExplanationDocument, FunnelDocument, PoolDocument, reasons_of
from clusters.engine.analysis import BEFORE_FILTERS
from clusters.engine.registry import PLUGINS
from clusters.engine.scheduling import Part, PluginPart, Stage
from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.decisions import attempt as attempt_words, nodes as words
from clusters.wording.journal import decisions as document_words
from clusters.wording.plugins import NOTHING_TO_FILTER, wording_of
from dashboard.pictures.tokens import ZONE_COLOURS
from dashboard.pictures.verdict_map.layout import MOST_NAMED
from dashboard.pictures.verdict_map.spec import SHADES, MapKey, MapMark, MapPool, MapStep, VerdictMap
from dashboard.presenters.decisions.maps import (
    FILTER,
    POST_FILTER,
    PRE_FILTER,
    SCORE,
    levels,
    map_scale,
    source_colour,
    source_mark,
    source_name,
)
from dashboard.presenters.decisions.page import ExtensionPointView, PluginView, StripView
from dashboard.presenters.journal import decision

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clusters.engine.status import Reason


_TAKEN, _FEASIBLE = 0, 1
# What removes pods to make room.
_PREEMPTING = next(name for name, plugin in PLUGINS.items() if plugin.preempts)


# -- the attempt -------------------------------------------------------------------------------------------------------


def kept_attempt(document: ExplanationDocument) -> StripView:
    """Present what the journal keeps of an attempt: its filters, preemption, and the plugins that scored."""
    points_kept = list(_points(document))
    leading = SCORE if document.ranking else PRE_FILTER if document.pre_filter_verdict else FILTER
    return StripView(
        sentence=str(document_words.KEPT_STEPS),
        leading=leading if any(each.name == leading for each in points_kept) else "",
        steps=tuple(points_kept),
        notes=(),
    )


def _points(document: ExplanationDocument) -> Iterator[ExtensionPointView]:
    before = _before_filters(document)
    if before:
        stopped = document.pre_filter_verdict
        plugin = stopped.plugin if stopped else words.PRE_FILTER
        yield _point("preFilter", [(PluginPart(plugin or words.PRE_FILTER, Part.REJECTED), before)])
    filters = [(_part(step), _said(step, document.node_count)) for step in document.funnel]
    if filters:
        yield _point("filter", filters)
    preemption = decision.preemption(document)
    if preemption is not None:
        ran = Part.RAN if preemption.node else Part.REJECTED
        yield _point("postFilter", [(PluginPart(_PREEMPTING, ran), preemption.sentence)])
    if document.ranking and document.weights is not UNSET and document.weights:
        weights = document.weights.items()
        yield _point(
            "score",
            [(PluginPart(plugin, Part.RAN), document_words.WEIGHT(weight=weight)) for plugin, weight in weights],
        )


def _before_filters(document: ExplanationDocument) -> str:
    """Say what PreFilter does; empty where it leaves every node."""
    stopped = decision.rejection(document.pre_filter_verdict)
    if stopped is not None:
        return words.REJECTS(who=stopped.plugin or "PreFilter", reasons=stopped.status.reported)
    return str(document_words.RESTRICTED) if document.considered_count < document.node_count else ""


def _part(step: FunnelDocument) -> PluginPart:
    part = Part.SKIPPED if step.skipped else Part.REJECTED if step.rejected_here or step.rejected_alone else Part.RAN
    return PluginPart(step.plugin, part, asked=step.left + step.rejected_here, rejected=step.rejected_here)


def _said(step: FunnelDocument, nodes: int) -> str:
    if step.skipped:
        return NOTHING_TO_FILTER()
    return words.rejects(left=step.left, here=step.rejected_here, alone=step.rejected_alone, nodes=nodes)


def _point(name: str, plugins: Sequence[tuple[PluginPart, str]]) -> ExtensionPointView:
    parts = Counter(part.part for part, _ in plugins)
    return ExtensionPointView(
        name=f"{name[0].upper()}{name[1:]}",
        state=next(part for part in (Part.REJECTED, Part.RAN, Part.SKIPPED) if parts[part]).value,
        summary=attempt_words.step_summary(Stage(name, tuple(part for part, _ in plugins), reached=True), parts),
        note="",
        plugins=tuple(
            PluginView(
                name=part.plugin,
                question=wording_of(part.plugin).decides(),
                state=part.part.value,
                word=str(attempt_words.PARTS[part.part]),
                rejected=grouped(part.rejected) if part.rejected else "",
                sentence=said,
            )
            for part, said in plugins
        ),
    )


# -- the map -----------------------------------------------------------------------------------------------------------


def kept_map(document: ExplanationDocument, attempt: StripView, own: str = "") -> VerdictMap | None:
    """Present the nodes of a kept decision; `own` is the node decided for. None where there were no nodes."""
    if not document.node_count:
        return None
    pools = _pools(document)
    is_named = all(pool.nodes is not UNSET for pool in pools)
    sources = _sources(document, pools)
    number_of = {source: number for number, source in enumerate(sources, _FEASIBLE + 1)}
    names, key_of, totals = _nodes(document, pools, number_of)
    keys = _keys(document, sources, key_of, is_shaded=is_named)
    steps = tuple(_steps(document, keys, number_of))
    return VerdictMap(
        sentence=words.summary(len(names), ((key.nodes, key.label, key.source) for key in keys if key.nodes)),
        keys=keys,
        pools=tuple(_placed(pools)),
        names=names,
        key_of=key_of,
        shade_of=_shades(key_of, totals),
        marks=tuple(MapMark("own", words.DECIDED_FOR(node=own), names.index(own)) for _ in range(own in names)),
        lines=_lines(key_of, totals) if is_named and len(names) <= MOST_NAMED else (),
        start=words.START(nodes=len(names)),
        steps=steps,
        scale=map_scale(attempt, steps),
    )


def _pools(document: ExplanationDocument) -> tuple[PoolDocument, ...]:
    """Return the pools; all nodes as one where they are not told apart."""
    if document.pools is not UNSET:
        return document.pools
    rejected: Counter[str] = Counter()
    for group in document.groups:
        if group.verdict is not None:
            rejected[group.verdict.plugin] += group.count
    # Of groups that are not listed nobody knows who rejects them.
    others = document.node_count - document.feasible_count - rejected.total()
    if others > 0:
        rejected[BEFORE_FILTERS] += others
    return (
        PoolDocument(
            zone="", name="", count=document.node_count, feasible=document.feasible_count, rejected=dict(rejected)
        ),
    )


def _placed(pools: Iterable[PoolDocument]) -> Iterator[MapPool]:
    zones: dict[str, int] = {}
    first = 0
    for pool in pools:
        number = zones.setdefault(pool.zone, len(zones))
        yield MapPool(pool.zone, number % ZONE_COLOURS + 1 if pool.zone else 0, pool.name, first, pool.count)
        first += pool.count


def _sources(document: ExplanationDocument, pools: Iterable[PoolDocument]) -> list[str]:
    """Return who rejects nodes, in the order of the attempt."""
    rank = {step.plugin: number for number, step in enumerate(document.funnel)}
    found = {source for pool in pools for source in pool.rejected}
    return sorted(found, key=lambda source: (source != BEFORE_FILTERS, rank.get(source, len(rank)), source))


def _nodes(
    document: ExplanationDocument, pools: Iterable[PoolDocument], number_of: dict[str, int]
) -> tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...]]:
    """Return name, key and total of each node; without names where nodes are counted only."""
    names: list[str] = []
    keys: list[int] = []
    totals: list[int] = []
    for pool in pools:
        if pool.nodes is UNSET:
            counted = [_FEASIBLE] * pool.feasible
            counted += [number_of[source] for source, nodes in pool.rejected.items() for _ in range(nodes)]
            names += [""] * pool.count
            keys += counted
            totals += [0] * pool.count
            continue
        for name, said in pool.nodes.items():
            names.append(name)
            if isinstance(said, str):
                keys.append(number_of[said])
                totals.append(0)
            else:
                keys.append(_TAKEN if _is_taken(document, name, said) else _FEASIBLE)
                totals.append(said)
    return tuple(names), tuple(keys), tuple(totals)


def _is_taken(document: ExplanationDocument, name: str, total: int) -> bool:
    """Whether a node is one of those of which the scheduler takes one."""
    choice = document.choice
    if choice is None:
        return False
    return name in choice.examples or (choice.by == "score" and total == choice.total)


def _keys(
    document: ExplanationDocument, sources: Sequence[str], key_of: Sequence[int], *, is_shaded: bool
) -> tuple[MapKey, ...]:
    times = Counter(key_of)
    is_certain = document.uncertainties is UNSET or not document.uncertainties
    colour = "verdict-fits-solid" if is_certain else "verdict-uncertain-solid"
    reasons = _reasons(document, set(sources))
    extenders = set(document.extenders) if document.extenders is not UNSET else set()
    by = document.choice.by if document.choice else "score"
    keys = [
        MapKey(words.taken_by(by), "", colour, "star", times[_TAKEN]),
        MapKey(
            # Where nodes are only counted, those with the most points are among them.
            words.feasible(is_certain=is_certain, is_outscored=is_shaded and by == "score"), "", colour,
            "" if is_certain else "question", times[_FEASIBLE], is_shaded=is_shaded,
        ),
    ]  # fmt: skip
    for number, source in enumerate(sources, _FEASIBLE + 1):
        named = source_name(source, is_extender=source in extenders)
        label = words.rejected_for(reasons[source]) or str(words.BEFORE_FILTERING)
        keys.append(MapKey(label, named, source_colour(named), source_mark(named), times[number]))
    return tuple(keys)


def _reasons(document: ExplanationDocument, sources: set[str]) -> dict[str, Counter[tuple[Reason, ...]]]:
    """Return for which reasons whoever rejects nodes does, and how many nodes."""
    found: dict[str, Counter[tuple[Reason, ...]]] = {source: Counter() for source in sources}
    for group in document.groups:
        if group.verdict is None:
            continue
        source = group.verdict.plugin if group.verdict.plugin in sources else BEFORE_FILTERS
        if source in found:
            found[source][reasons_of(group.verdict)] += group.count
    return found


def _shades(key_of: Sequence[int], totals: Sequence[int]) -> tuple[int, ...]:
    shades = np.zeros(len(key_of), np.int64)
    feasible = np.flatnonzero(np.array(key_of, np.int64) <= _FEASIBLE)
    if len(feasible):
        shades[feasible] = levels(np.array(totals, np.int64)[feasible])
    return tuple(np.clip(shades, 0, SHADES).tolist())


def _lines(key_of: Sequence[int], totals: Sequence[int]) -> tuple[str, ...]:
    """Say how many points nodes have; of the others their key says all that is kept."""
    return tuple(
        counts.POINTS(number=total) if number <= _FEASIBLE else "" for number, total in zip(key_of, totals, strict=True)
    )


def _steps(document: ExplanationDocument, keys: Sequence[MapKey], number_of: dict[str, int]) -> Iterator[MapStep]:
    nodes = left = document.node_count

    def step(source: str, name: str, point: str, said: str) -> MapStep:
        nonlocal left
        number = number_of.get(source)
        gone = () if number is None or not keys[number].nodes else (number,)
        left -= sum(keys[each].nodes for each in gone)
        return MapStep(
            name, point, words.LEFT_AFTER(said=said, nodes=left), grouped(left), round(100 * left / nodes, 1), gone
        )

    stopped = document.pre_filter_verdict
    before = _before_filters(document)
    if before:
        source = BEFORE_FILTERS if stopped is None or stopped.plugin not in number_of else stopped.plugin
        yield step(source, (stopped.plugin if stopped else "") or words.PRE_FILTER, PRE_FILTER, before)
    if stopped is None:
        for each in document.funnel:
            if not each.skipped:
                # As the nodes are counted: those that only nominated pods fill are rejected here, and by nobody alone.
                here = keys[number_of[each.plugin]].nodes if each.plugin in number_of else 0
                said = words.rejects(left=left - here, here=here, alone=max(here, each.rejected_alone), nodes=nodes)
                yield step(each.plugin, each.plugin, FILTER, said)
    preemption = decision.preemption(document)
    if preemption is not None:
        yield MapStep(_PREEMPTING, POST_FILTER, preemption.sentence, shows_room=True)
    yield MapStep(str(words.RESULT), "", decision.result_sentence(document))
