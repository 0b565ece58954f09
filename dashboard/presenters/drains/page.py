"""The pages of drains: which nodes can be drained, the maps of both pages, and their rows."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypedDict

import numpy as np
from django.utils.safestring import SafeString, mark_safe
from msgspec import Struct, field

from clusters.engine.disruption import Block, BlockedNode, Eviction, Outlook, Plan
from clusters.services.disruption import MOST_ROOM_SOUGHT, DrainableNode
from clusters.wording import counts, drains as drains_words, lists
from clusters.wording.amounts import grouped
from clusters.wording.budgets import refused_of
from clusters.wording.drains import BLOCKS_OF
from clusters.wording.lists import first_of
from clusters.wording.nodes import NO, YES
from dashboard.pictures.verdict_map.drawing import MOST_TILES
from dashboard.pictures.verdict_map.spec import MapKey, MapMove, MapStep, MapTurns, ScalePoint, VerdictMap
from dashboard.pictures.verdict_map.tiles import swatch
from dashboard.presenters.decisions.maps import levels
from dashboard.presenters.drains.plan import (
    batch_view,
    blocked_row,
    blocker_reason as blocker_why,
    eviction_row,
)
from dashboard.presenters.shared.maps import map_pools

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from clusters.engine import Snapshot
    from clusters.services.disruption import ClusterDrains
    from dashboard.presenters.shared.page import Quote


# -- Drains as maps ---------------------------------------------------------------------------------------------------


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
        figure = drains_words.FIGURE(nodes=counts.NODES(number=len(batch.nodes)), pods=len(batch.evictions))
        steps.append(MapStep(view["title"], str(drains_words.SCALE), view["sentence"], figure))
    said = drains_words.BATCHES(number=len(steps))
    return BatchSteps(
        start=str(drains_words.BEFORE),
        steps=(*steps, MapStep(str(drains_words.WHOLE), "", said)),
        scale=(ScalePoint(str(drains_words.SCALE), "ran", said, _MAP, len(steps) + 1),),
    )


def batch_pods(plan: Plan, number: int) -> dict[str, Any]:
    """Present a batch with its first evictions; `more` says how many others it has."""
    evictions = plan.batches[number - 1].evictions
    shown = tuple(eviction_row(place, each) for place, each in enumerate(evictions[:_MOST_LISTED], 1))
    hidden = len(evictions) - len(shown)
    return {"batch": batch_view(plan, number), "rows": shown, "more": lists.and_more(hidden)}


# The first keys; those of what blocks drains come after them, then who receives pods, and all others.
_DRAINED, _LATER = 0, 1
_BLOCKS = {
    Block.FLAG: ("verdict-unknown-solid", "corner"),
    Block.TWO_BUDGETS: ("verdict-rejected-solid", "rails"),
    Block.NEVER: ("verdict-rejected-solid", "cross"),
    Block.BUDGET: ("verdict-preemptible-solid", "bar"),
    Block.NO_ROOM: ("verdict-uncertain-solid", "square"),
    Block.NOT_COMPUTED: ("verdict-unknown-solid", "question"),
}
_OF_BLOCK = {block: number for number, block in enumerate(_BLOCKS, _LATER + 1)}
_RECEIVES = _LATER + 1 + len(_BLOCKS)
_UNCHANGED = _RECEIVES + 1
# Nodes that are not drained look alike before, during and after all batches.
_KEPT = tuple(_OF_BLOCK.values())
# So many nodes are named beside the map.
_MOST_NAMED = 12


class _Traffic(Struct):
    """The evictions of a plan by the node they begin at, and by the node they end at."""

    leaving: dict[str, list[Eviction]] = field(default_factory=dict)
    arriving: dict[str, list[Eviction]] = field(default_factory=dict)
    blocked: dict[str, BlockedNode] = field(default_factory=dict)
    drained: frozenset[str] = frozenset()

    @classmethod
    def of(cls, plan: Plan) -> _Traffic:
        found = cls(
            blocked={node.name: node for node in plan.blocked},
            drained=frozenset(node.name for batch in plan.batches for node in batch.nodes),
        )
        for evictions in plan.courses:
            for eviction in evictions:
                found.leaving.setdefault(eviction.node, []).append(eviction)
                if target := target_of(eviction):
                    found.arriving.setdefault(target, []).append(eviction)
        return found

    @property
    def nodes(self) -> set[str]:
        """The nodes to which something happens."""
        return {*self.leaving, *self.arriving, *self.blocked, *self.drained}

    def key_of(self, node: str) -> int:
        if node in self.blocked:
            return _OF_BLOCK[self.blocked[node].kind]
        if node in self.drained:
            return _LATER if any(each.round > 1 for each in self.leaving.get(node, ())) else _DRAINED
        return _RECEIVES if node in self.arriving else _UNCHANGED


def plan_map(snapshot: Snapshot, plan: Plan, zone: str | None = None, pool: str = "") -> VerdictMap:
    """Present the nodes of a plan's cluster, or those of one zone and pool, batch by batch where there are several.

    Raises LookupError for a pool there is not.
    """
    pools, order = map_pools(snapshot.nodes, zone, pool)
    names = tuple(snapshot.nodes.names[row] for row in order.tolist())
    traffic = _Traffic.of(plan)
    touched = traffic.nodes
    place = {name: number for number, name in enumerate(names) if name in touched}
    keys_of, leaving, arriving = [_UNCHANGED] * len(names), [0] * len(names), [0] * len(names)
    for name, number in place.items():
        keys_of[number] = traffic.key_of(name)
        leaving[number], arriving[number] = (len(each.get(name, ())) for each in (traffic.leaving, traffic.arriving))
    keys = _keys(traffic, place, keys_of)
    moves, moved = _moves(plan, place), sum(arriving)
    # Of the map of all nodes, both ends of each move are there.
    turns = map_turns(plan, names, _KEPT, _RECEIVES) if len(names) <= MOST_TILES else None
    has_other_ends = sum(move.pods for move in moves) < max(moved, sum(leaving)) and zone is not None
    return VerdictMap(
        sentence=drains_words.summary(len(names), ((key.nodes, key.label) for key in keys if key.nodes), moved),
        keys=keys,
        pools=pools,
        names=names,
        key_of=tuple(keys_of),
        shade_of=_shades(keys_of, arriving),
        moves=moves,
        figures=tuple(
            drains_words.figure(leaving=left, arriving=came) if left or came else ""
            for left, came in zip(leaving, arriving, strict=True)
        ),
        notes=(str(drains_words.OTHER_ENDS),) if has_other_ends else (),
        turns=turns,
        **(BatchSteps() if turns is None else batch_steps(plan)),
    )


def _keys(traffic: _Traffic, place: Mapping[str, int], keys_of: Sequence[int]) -> tuple[MapKey, ...]:
    nodes, pods = Counter(keys_of), Counter[int]()
    for name, number in place.items():
        key = keys_of[number]
        if name in traffic.blocked:
            # A node that needs a flag may have pods that a budget keeps, too.
            pods.update(_OF_BLOCK[blocker.kind] for blocker in traffic.blocked[name].blockers)
        elif key == _RECEIVES:
            # Nodes that are uncordoned again, or cannot be drained, may receive pods too: their figures say so.
            pods[key] += len(traffic.arriving[name])
        else:
            pods[key] += len(traffic.leaving.get(name, ()))
    drained = [
        (_DRAINED, drains_words.DRAINED, "verdict-chosen-solid", "down"),
        (_LATER, drains_words.DRAINED_LATER, "verdict-chosen-solid", "zigzag"),
    ]
    return (
        *(
            MapKey(str(label), "", colour, mark, nodes[key], together=drains_words.EVICTIONS(number=pods[key]))
            for key, label, colour, mark in drained
        ),
        *(
            MapKey(
                str(BLOCKS_OF[block]), "", *look, nodes[_OF_BLOCK[block]],
                together=counts.PODS(number=pods[_OF_BLOCK[block]]) if pods[_OF_BLOCK[block]] else "",
            )
            for block, look in _BLOCKS.items()
        ),
        MapKey(
            str(drains_words.RECEIVES), "", "verdict-fits-solid", "", nodes[_RECEIVES], is_shaded=True,
            together=drains_words.ARRIVING(number=pods[_RECEIVES]),
        ),
        MapKey(str(drains_words.UNCHANGED), "", "line-strong", "", nodes[_UNCHANGED], is_faint=True),
    )  # fmt: skip


def _shades(keys_of: Sequence[int], arriving: Sequence[int]) -> tuple[int, ...]:
    """Shade the nodes that receive pods by how many they receive."""
    receiving = [number for number, key in enumerate(keys_of) if key == _RECEIVES]
    shades = [0] * len(keys_of)
    if receiving:
        found = levels(np.array([arriving[number] for number in receiving], np.int64)).tolist()
        for number, shade in zip(receiving, found, strict=True):
            shades[number] = shade
    return tuple(shades)


def _moves(plan: Plan, place: Mapping[str, int]) -> tuple[MapMove, ...]:
    counted = Counter(
        (place[eviction.node], place[target], number)
        for number, evictions in enumerate(plan.courses, 1)
        for eviction in evictions
        if (target := target_of(eviction)) in place and eviction.node in place
    )
    return tuple(
        MapMove(source, target, pods, number if len(plan.batches) > 1 else 0)
        for (source, target, number), pods in counted.items()
    )


def drained_nodes(plan: Plan) -> dict[str, Any]:
    """Name the nodes that a plan drains, those of most evictions first; `more` counts the others."""
    drained = [node for batch in plan.batches for node in batch.nodes]
    drained.sort(key=lambda node: (-len(node.evictions), node.name))
    hidden = len(drained) - _MOST_NAMED
    return {
        "named": [(node.name, drains_words.EVICTIONS(number=len(node.evictions))) for node in drained[:_MOST_NAMED]],
        "more": drains_words.MORE_DRAINED(nodes=hidden) if hidden > 0 else "",
    }


# -- one node ----------------------------------------------------------------------------------------------------------


def plan_lines(plan: Plan, names: Iterable[str]) -> list[str]:
    """Say of each of these nodes what the plan does to it; empty where that is nothing."""
    traffic = _Traffic.of(plan)
    return [_said(traffic, name) for name in names]


def _said(traffic: _Traffic, name: str) -> str:
    said = []
    blocked = traffic.blocked.get(name)
    if blocked is not None and blocked.blockers:
        said.append(drains_words.BLOCKED_BY_PODS(pods=first_of([blocker.pod for blocker in blocked.blockers])))
    if leaving := traffic.leaving.get(name):
        targets = Counter(filter(None, map(target_of, leaving)))
        said.append(drains_words.leave(len(leaving), sum(each.round > 1 for each in leaving), _most_first(targets)))
    if arriving := traffic.arriving.get(name):
        said.append(drains_words.arrive(len(arriving), _most_first(Counter(each.node for each in arriving))))
    return " ".join(said)


def _most_first(nodes: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(nodes.items(), key=lambda each: (-each[1], each[0]))


def node_moves(plan: Plan, name: str) -> dict[str, Any]:
    """Present what the plan does to one node, pod by pod.

    The pods that are evicted there, the replacements that are placed there, and what blocks it.
    """
    traffic = _Traffic.of(plan)
    blocked = traffic.blocked.get(name)
    return {
        "name": name,
        "said": _said(traffic, name),
        "leaving": [eviction_row(number, each) for number, each in enumerate(traffic.leaving.get(name, ()), 1)],
        "arriving": [eviction_row(number, each) for number, each in enumerate(traffic.arriving.get(name, ()), 1)],
        "blocked": None if blocked is None else blocked_row(blocked),
    }


# Colours and marks are those of the map of a plan, where it has the same state.
_LOOKS = {
    Outlook.NOW: ("verdict-fits-solid", ""),
    Outlook.ALLOWED: ("verdict-chosen-solid", "plus"),
    Outlook.WAITS: ("verdict-preemptible-solid", "bar"),
    Outlook.FORCE: ("verdict-unknown-solid", "corner"),
    Outlook.NO_ROOM: ("verdict-uncertain-solid", "square"),
    Outlook.LASTING: ("verdict-rejected-solid", "cross"),
}
# Of so many nodes the page says how many pods each drain evicts; of more, the numbers on bars and tiles do.
MOST_LINES = 300
_NUMBER = {outlook: number for number, outlook in enumerate(_LOOKS)}


def outlook_key(outlook: Outlook, nodes: int) -> MapKey:
    """Return what the nodes of an outlook have in common."""
    return MapKey(str(drains_words.OUTLOOKS[outlook]), "", *_LOOKS[outlook], nodes)


def outlook_map(found: ClusterDrains, zone: str | None = None, pool: str = "") -> VerdictMap:
    """Present nodes by their outlook, with how many of its pods a drain evicts.

    Raises LookupError for a zone or a pool that there is not.
    """
    pools, order = map_pools(found.snapshot.nodes, zone, pool)
    nodes = [found.nodes[found.snapshot.nodes.names[row]] for row in order.tolist()]
    outlooks = Counter(node.outlook for node in nodes)
    return VerdictMap(
        sentence=sentence(nodes),
        keys=tuple(outlook_key(outlook, outlooks[outlook]) for outlook in _LOOKS),
        pools=pools,
        names=tuple([node.name for node in nodes]),
        key_of=tuple([_NUMBER[node.outlook] for node in nodes]),
        shade_of=(0,) * len(nodes),
        lines=tuple(f"{drains_words.PODS_TO_EVICT}: {grouped(node.drain.evicted)}" for node in nodes)
        if len(nodes) <= MOST_LINES
        else (),
        figures=tuple(grouped(node.drain.evicted) if node.drain.evicted else "" for node in nodes)
        if len(nodes) <= MOST_TILES
        else (),
    )


# -- Which nodes can be drained now, as a sentence, a picture and rows ------------------------------------------------


KINDS = {
    Outlook.NOW: "good",
    Outlook.ALLOWED: "info",
    Outlook.WAITS: "warn",
    Outlook.FORCE: "warn",
    Outlook.NO_ROOM: "bad",
    Outlook.LASTING: "bad",
}
_ORDER = (Outlook.NOW, Outlook.ALLOWED, Outlook.WAITS, Outlook.FORCE, Outlook.NO_ROOM, Outlook.LASTING)
_OBSTACLES_OF_NODE = 2
_CULPRITS_SHOWN = 6


class Obstacle(Struct, frozen=True):
    """What blocks a drain: a budget or a pod, each as namespace and name, or something without a page of its own."""

    text: str
    budget: tuple[str, str] | None = None
    pod: tuple[str, str] | None = None
    quote: Quote | None = None

    def __str__(self) -> str:
        """Return all of it in one line, as a file has it."""
        said = " ".join(filter(None, (self.quote.whole if self.quote is not None else "", self.text)))
        namespace, name = self.budget or self.pod or ("", "")
        return f"{namespace}/{name}: {said}" if name else said


class DrainNodeRow(NamedTuple):
    """One node of the list; `more` says how many other things are in the way, `otherwise` that nothing known is."""

    node: DrainableNode
    state: str
    kind: str
    obstacles: tuple[Obstacle, ...]
    more: str
    otherwise: str


def sentence(nodes: Collection[DrainableNode]) -> str:
    """Say how many nodes can be drained now as far as that is known, and how many budgets block beside other things."""
    states, waiting = Counter(node.outlook for node in nodes), sum(node.drain.also_waits for node in nodes)
    ready, total = states[Outlook.NOW] + states[Outlook.ALLOWED], states.total()
    said = (drains_words.ALLOWED if states[Outlook.ALLOWED] else drains_words.DRAINABLE)(ready=ready, nodes=total)
    return f"{said} {drains_words.ALSO_WAITING(nodes=waiting)}" if waiting else said


def note(found: ClusterDrains) -> str:
    """Say what the states assume, and whether replacements were placed."""
    pods = found.allowed
    if not found.outlooks[Outlook.ALLOWED]:
        why = ""
    elif pods > MOST_ROOM_SOUGHT:
        why = drains_words.TOO_MANY_PODS(pods=pods, most=MOST_ROOM_SOUGHT)
    else:
        why = str(drains_words.NO_CONFIGURATION)
    return f"{drains_words.CALLED!s} {why}".strip()


def shares(states: Counter[Outlook]) -> list[tuple[str, str, str, SafeString]]:
    """Present the states as the legend of the map: each with its name, how many nodes have it, and its tile."""
    return [
        (
            state.value,
            str(drains_words.OUTLOOKS[state]),
            counts.NODES(number=states[state]),
            mark_safe(swatch(outlook_key(state, states[state]))),  # noqa: S308 - the picture writes no words of its own
        )
        for state in _ORDER
        if states[state]
    ]


def culprits(nodes: Iterable[DrainableNode]) -> list[tuple[str, str, str]]:
    """Name the budgets that block the most nodes, by namespace and name, with how many each blocks."""
    blocked = [node.drain.blocked for node in nodes if node.drain.blocked is not None]
    budgets = [refusal.budget for drain in blocked for refusal in drain.refusals]
    blocking = Counter((budget.namespace, budget.name) for budget in budgets)
    worst = sorted(blocking.items(), key=lambda each: (-each[1], each[0]))
    return [(namespace, name, counts.NODES(number=number)) for (namespace, name), number in worst[:_CULPRITS_SHOWN]]


def node_row(node: DrainableNode) -> DrainNodeRow:
    """Present a node."""
    state = node.outlook
    obstacles = tuple(_obstacles(node))
    hidden = len(obstacles) - _OBSTACLES_OF_NODE
    return DrainNodeRow(
        node,
        state=str(drains_words.OUTLOOKS[state]),
        kind=KINDS[state],
        obstacles=obstacles[:_OBSTACLES_OF_NODE],
        more=lists.and_more(hidden),
        otherwise=str(drains_words.NO_BUDGET if state is Outlook.ALLOWED else drains_words.NOTHING),
    )


def _obstacles(node: DrainableNode) -> Iterator[Obstacle]:
    drain = node.drain
    for refusal in drain.blocked.refusals if drain.blocked is not None else ():
        budget = refusal.budget
        refused = refused_of(refusal.refused, refusal.pods, refusal.shared)
        said = refused if refusal.lasts else drains_words.FOR_NOW(refused=refused)
        yield Obstacle(said, budget=(budget.namespace, budget.name))
    if drain.unmanaged:
        yield Obstacle(drains_words.UNMANAGED(pods=drain.unmanaged))
    for blocker in drain.blockers or ():
        # Budgets that refuse stand above, for all of their pods.
        if blocker.answer is not None and blocker.landing is None and drain.blocked is not None:
            continue
        namespace, _, name = blocker.pod.partition("/")
        why = blocker_why(blocker)
        yield Obstacle(why.text, pod=(namespace, name), quote=why.quote)


FILE_COLUMNS: Final = (
    "node",
    "zone",
    "pool",
    "kubelet",
    "instance type",
    "cordoned",
    "state",
    "pods to evict",
    "pods without controller",
    "pods that stay",
    "blocked by",
)


def node_cells(nodes: Sequence[DrainableNode]) -> Iterator[tuple[str | int, ...]]:
    """Yield one row for each node, for a file."""
    for node in nodes:
        found = "; ".join(map(str, _obstacles(node)))
        yield (
            node.name,
            node.zone,
            node.pool,
            node.version,
            node.instance_type,
            str(YES if node.is_cordoned else NO),
            str(drains_words.OUTLOOKS[node.outlook]),
            node.drain.evicted,
            node.drain.unmanaged,
            node.drain.staying,
            found,
        )
