"""The outcome of changes, asked on the map of a cluster or of a simulation, and what becomes of one node."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

import numpy as np
from msgspec import Struct

from clusters.engine.status import read_refusal
from clusters.wording import asked as words, drains as drains_words
from clusters.wording.blocked_drains import keeping_sentence, kept_sentence
from clusters.wording.lists import first_of
from clusters.wording.runs.summary import origin_sentences
from dashboard.pictures.verdict_map.drawing import MOST_TILES
from dashboard.pictures.verdict_map.spec import MapKey, MapMove, MapStep, MapTurns, ScalePoint, VerdictMap
from dashboard.presenters.decisions.maps import levels
from dashboard.presenters.runs.listing import headline
from dashboard.presenters.runs.summary import affected_headline
from dashboard.presenters.shared.maps import map_pools

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from clusters.engine.columns import NodeTable
    from clusters.services.runs.asked import AskedOutcome, PodMove, StayingPod
    from dashboard.pictures.verdict_map.drawing import DrawnMap


Row = TypeVar("Row")


class LeftPod(NamedTuple):
    """A newly pending pod: the scheduler's message, and the reason in it that most nodes give."""

    pod: str
    opening: str
    whole: str

    @classmethod
    def of(cls, move: PodMove) -> LeftPod:
        """Present a pod that is left without a node."""
        refusal = read_refusal(move.message)
        most = refusal.reasons.most_common(1) if refusal is not None else ()
        return cls(move.pod, "".join(f"{nodes} {reason}" for reason, nodes in most), move.message)


class FirstOf(NamedTuple, Generic[Row]):
    """The first rows of a list, how many there are, and how many of them are not shown."""

    rows: Sequence[Row]
    total: int

    @property
    def more(self) -> int:
        return self.total - len(self.rows)


class OutcomeView(Struct):
    """What changes come to: its sentence, numbers and map, whose zone or pool is the `place`; `whole` leads out.

    `left` are the first of the newly pending pods, of which `preempted` gave way, `kept` and `lost` those that
    a drain left behind and that nobody recreated, `moves` of these that end elsewhere, `others` of those aside; each
    with how `more` of them there are. `beside_plan` says what a plan of the drain leaves out, where pods are preempted.
    Of `added` pods so many are `placed`.
    `uncertain` ones are placed by all that is computed, which is not all. `emptied` is how many more nodes are empty
    in the end, with its sign, where that is known.
    """

    said: str
    added: int
    placed: int
    moved: int
    pending: int
    preempted: int
    uncertain: int
    left: FirstOf[LeftPod]
    kept: FirstOf[StayingPod]
    lost: FirstOf[PodMove]
    moves: FirstOf[PodMove]
    others: FirstOf[PodMove]
    map: DrawnMap
    place: str
    whole: str
    beside_plan: str
    emptied: str = ""


class AskedView(Struct):
    """Changes that are asked on the map, each with the query without it, and what they come to.

    `query` asks for them, `undo` for all but the last, `packed` is what a simulation of them is ordered with, `plan`
    asks for a plan of the drains among them. A `problem` keeps them from an answer. `notes` say what the outcome
    leaves out.
    """

    changes: Sequence[tuple[str, str]] = ()
    query: str = ""
    undo: str = ""
    packed: str = ""
    plan: str = ""
    problem: str = ""
    is_being_computed: bool = False
    outcome: OutcomeView | None = None
    notes: Sequence[str] = ()


class NodeMoves(NamedTuple):
    """The first pods that leave a node or come to it, in words, and how many more do."""

    sentences: Sequence[str]
    more: int


class AskedNode(Struct, frozen=True):
    """What changes do to a node, and the queries that ask one change more."""

    moves: NodeMoves
    drain: str
    loss: str
    copy: str


# The looks of nodes, the first that holds: what became of the node itself, then what its pods do.
_GONE, _DOWN, _KEEPS, _DRAINED, _ADDED, _RECEIVES, _LOSES, _UNTOUCHED = range(8)
_LOOKS: Final = (
    (words.GONE, "verdict-unknown-solid", "cross"),
    (words.DOWN, "verdict-unknown-solid", "question"),
    (words.KEEPS, "verdict-rejected-solid", "bar"),
    (drains_words.DRAINED, "verdict-chosen-solid", "down"),
    (words.ADDED, "verdict-chosen-solid", "plus"),
    (drains_words.RECEIVES, "verdict-fits-solid", ""),
    (words.LOSES, "verdict-preemptible-solid", "corner"),
    (words.UNTOUCHED, "line-strong", ""),
)
# Of one node, so many pods are named.
_MOST_MOVES: Final = 20
# It is played in so many steps at most.
_MOST_STEPS: Final = 8


def outcome_sentences(ends: Mapping[str, Any], moves: Sequence[PodMove] = ()) -> tuple[str, str]:
    """Say what changes come to, by a summary's `ends`, and what more there is to say; empty where nothing is.

    Pods that keep nodes from being drained come first, then how many added pods are placed, and by `moves` on which
    nodes, those with most of them first.
    """
    affected, placed, steps = affected_headline(ends), headline(ends), ends["steps"]
    keeping = keeping_sentence(ends["drains"], steps["refused"] + steps["held"])
    if ends["origins"]["added"]["total"]:
        added, *others = origin_sentences(ends["origins"], with_sum=False)
        arrivals = Counter(move.target for move in moves if move.is_added and move.target)
        where = [words.ARRIVE_ON(nodes=first_of([name for name, _ in arrivals.most_common()]))] if arrivals else []
        are_alone = moves and all(move.is_added or move.is_aside for move in moves)
        first, more = (keeping, added, *where, "" if are_alone else affected), (*others, kept_sentence(ends))
    else:
        told = " ".join(origin_sentences(ends["origins"], with_sum=not affected))
        first, more = (keeping, affected or told), (told if affected else "", kept_sentence(ends))
    said, besides = (" ".join(filter(None, each)) for each in (first, more))
    return (said, besides or placed) if said else (placed, "")


def outcome_map(
    nodes: NodeTable, outcome: AskedOutcome, sentence: str, zone: str | None = None, pool: str = ""
) -> VerdictMap:
    """Present the nodes that there were, and those that come, by what becomes of them.

    Raises LookupError for a zone or a pool that there is not.
    """
    if outcome.added:
        nodes = nodes.replaced([*nodes.nodes, *outcome.added])
    pools, order = map_pools(nodes, zone, pool)
    names = tuple(nodes.names[row] for row in order.tolist())
    asked_about = [move for move in outcome.moves if not move.is_aside]
    leaving = Counter(move.source for move in asked_about)
    arriving = Counter(move.target for move in asked_about)
    added = frozenset(node.name for node in outcome.added)
    kept = frozenset(each.node for each in outcome.kept)
    keys = tuple(_key_of(outcome, kept, added, leaving, arriving, name) for name in names)
    counted = Counter(keys)
    shades = np.zeros(len(names), np.int64)
    receiving = [number for number, key in enumerate(keys) if key == _RECEIVES]
    if receiving:
        shades[receiving] = levels(np.array([arriving[names[number]] for number in receiving], np.int64))
    place = {name: number for number, name in enumerate(names)}
    steps = _steps(asked_about) if len(names) <= MOST_TILES and zone is None else []
    turns = _turns(names, steps)
    return VerdictMap(
        sentence=sentence,
        keys=tuple(
            MapKey(str(word), "", colour, mark, counted[key], is_shaded=key == _RECEIVES, is_faint=key == _UNTOUCHED)
            for key, (word, colour, mark) in enumerate(_LOOKS)
        ),
        pools=pools,
        names=names,
        key_of=keys,
        shade_of=tuple(shades.tolist()),
        moves=_map_moves(asked_about, steps, place),
        figures=tuple(drains_words.figure(leaving=leaving[name], arriving=arriving[name]) for name in names),
        turns=turns,
        **_played(steps),
    )


def _key_of(
    outcome: AskedOutcome,
    kept: Collection[str],
    added: Collection[str],
    leaving: Mapping[str, int],
    arriving: Mapping[str, int],
    name: str,
) -> int:
    found = (
        name in outcome.gone,
        name in outcome.down,
        name in kept,
        name in outcome.drained,
        name in added,
        name in arriving,
        name in leaving,
        True,
    )
    return found.index(True)


def _steps(moves: Sequence[PodMove]) -> list[tuple[PodMove, ...]]:
    """Part the moves into steps of about as many."""
    some = -(-len(moves) // _MOST_STEPS)
    return [tuple(moves[first : first + some]) for first in range(0, len(moves), some)] if len(moves) > 1 else []


def _turns(names: Sequence[str], steps: Sequence[Sequence[PodMove]]) -> MapTurns | None:
    if not steps:
        return None
    left: dict[str, int] = {}
    for number, moves in enumerate(steps, 1):
        for move in moves:
            left.setdefault(move.source, number)
    place = {name: number for number, name in enumerate(names)}
    return MapTurns(
        turn_of=tuple(left.get(name, 0) for name in names),
        kept=(_KEEPS, _UNTOUCHED),
        reached=tuple(tuple(sorted({place[move.target] for move in moves if move.target})) for moves in steps),
        reaching=_RECEIVES,
    )


def _map_moves(
    moves: Sequence[PodMove], steps: Sequence[Sequence[PodMove]], place: Mapping[str, int]
) -> tuple[MapMove, ...]:
    turn = {move.pod: number for number, some in enumerate(steps, 1) for move in some}
    counted = Counter(
        (place[move.source], place[move.target], turn.get(move.pod, 0))
        for move in moves
        if move.source in place and move.target in place
    )
    return tuple(MapMove(source, target, pods, number) for (source, target, number), pods in counted.items())


def _played(steps: Sequence[Sequence[PodMove]]) -> dict[str, Any]:
    if not steps:
        return {}
    course = str(words.COURSE)
    told = tuple(MapStep(str(number), course, _said(moves)) for number, moves in enumerate(steps, 1))
    return {
        "start": str(words.BEFORE),
        "steps": (*told, MapStep(str(words.AFTER), "", str(words.AFTER))),
        "scale": (ScalePoint(course, "ran", course, "#map-card", len(steps) + 1),),
    }


def _said(moves: Sequence[PodMove]) -> str:
    return _move_sentence(moves[0]) if len(moves) == 1 else words.SOME_MOVE(pods=len(moves))


def node_moves(moves: Sequence[PodMove], name: str) -> NodeMoves:
    """Say what pods do to a node."""
    found = [_move_sentence(move) for move in moves if name in (move.source, move.target)]
    return NodeMoves(found[:_MOST_MOVES], max(0, len(found) - _MOST_MOVES))


def _move_sentence(move: PodMove) -> str:
    if not move.target:
        return words.ONE_LEAVES(pod=move.pod, node=move.source)
    if not move.source:
        return words.ONE_ARRIVES(pod=move.pod, node=move.target)
    return words.ONE_MOVES(pod=move.pod, source=move.source, target=move.target)
