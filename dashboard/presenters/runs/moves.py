"""The pods that ended elsewhere in another simulation, as arrows between two maps, by workload."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.simulation import PodEnding
from clusters.wording.amounts import grouped
from clusters.wording.runs import moves as words
from clusters.wording.runs.affected import full_name
from dashboard.pictures.verdict_map.spec import MapBox, MapKey, MapMove, MapPair, NodeAddresses, VerdictMap
from dashboard.presenters.decisions.map_steps import levels
from dashboard.presenters.shared.map_pools import map_pools

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine.owners import Workload
    from clusters.engine.simulation import MovedPod, MovedPods
    from clusters.wording.runs.moves import MovesWords
    from dashboard.pictures.verdict_map.spec import MapPool

_DIFFERS, _ALIKE, _NO_SUCH_NODE = 0, 1, 2
# So many workloads are offered as links, those of the most pods; so many others can be chosen by name.
_MOST_OFFERED, _MOST_LISTED = 20, 200


@dataclass(frozen=True, slots=True)
class WorkloadMoves:
    """A workload with pods that ended elsewhere; `value` names it in an address."""

    value: str
    label: str
    pods: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class MovesView:
    """The two maps, and the workloads of which one may be chosen: those of the most pods, and `others`.

    `more` counts the others and their pods, be they listed or not.
    """

    pair: MapPair
    all_label: str
    workloads: tuple[WorkloadMoves, ...]
    others: tuple[WorkloadMoves, ...]
    more: str
    chosen: str


@dataclass(frozen=True, slots=True)
class SideAddresses:
    """Where one of the maps leads: from its nodes, and from the pods that are pending there, or not there at all."""

    nodes: NodeAddresses
    pending: str = ""
    absent: str = ""


NOWHERE = (SideAddresses(NodeAddresses()), SideAddresses(NodeAddresses()))


def moves_view(
    moved: MovedPods,
    titles: tuple[str, str],
    workload: str = "",
    addresses: tuple[SideAddresses, SideAddresses] = NOWHERE,
    said: MovesWords | None = None,
) -> MovesView | None:
    """Present the pods that ended elsewhere, or those of one workload; None where none did, or there are no nodes."""
    if not moved.pods or not moved.nodes:
        return None
    counted = Counter(pod.workload for pod in moved.pods)
    ordered = sorted(counted, key=lambda each: (-counted[each], each))
    chosen = next((each for each in ordered if _value(each) == workload), None)
    offered = ordered[:_MOST_OFFERED]
    if chosen is not None and chosen not in offered:
        offered.append(chosen)
    others = [each for each in ordered if each not in offered]
    shown = [pod for pod in moved.pods if chosen in (None, pod.workload)]
    return MovesView(
        pair=_pair(moved, shown, titles, addresses, said or words.of_simulations()),
        all_label=words.all_workloads(len(moved.pods)),
        workloads=tuple(_workload(each, counted, chosen) for each in offered),
        others=tuple(_workload(each, counted, chosen) for each in others[:_MOST_LISTED]),
        more=words.more_workloads(len(others), sum(counted[each] for each in others)) if others else "",
        chosen="" if chosen is None else _label(chosen),
    )


def _workload(workload: Workload, counted: Mapping[Workload, int], chosen: Workload | None) -> WorkloadMoves:
    return WorkloadMoves(_value(workload), _label(workload), grouped(counted[workload]), workload == chosen)


def _value(workload: Workload) -> str:
    return f"{workload.namespace}/{workload.kind}/{workload.name}"


def _label(workload: Workload) -> str:
    return full_name({"kind": workload.kind, "namespace": workload.namespace, "name": workload.name})


def _pair(
    moved: MovedPods,
    pods: Sequence[MovedPod],
    titles: tuple[str, str],
    addresses: tuple[SideAddresses, SideAddresses],
    said: MovesWords,
) -> MapPair:
    pools, order = map_pools(moved.nodes)
    names = tuple(moved.nodes[row].name for row in order.tolist())
    place = {name: number for number, name in enumerate(names)}
    of_left = Counter(pod.left for pod in pods if pod.left)
    of_right = Counter(pod.right for pod in pods if pod.right)
    without = Counter(("left", pod.left_end) for pod in pods) + Counter(("right", pod.right_end) for pod in pods)
    on_left, on_right = addresses
    boxes: list[MapBox] = []
    place_of: dict[PodEnding, int] = {}
    for ending, label, look, leads in (
        (PodEnding.PENDING, words.pending, ("verdict-rejected-solid", "question"), (on_left.pending, on_right.pending)),
        (PodEnding.ABSENT, said.absent, ("verdict-unknown-solid", "dots"), (on_left.absent, on_right.absent)),
    ):
        left, right = without["left", ending], without["right", ending]
        if left or right:
            place_of[ending] = len(names) + len(boxes)
            boxes.append(MapBox(label(left), label(right), *look, *leads))

    def end_of(node: str, ending: PodEnding) -> int:
        return place[node] if ending is PodEnding.ON_NODE else place_of[ending]

    moves = Counter((end_of(pod.left, pod.left_end), end_of(pod.right, pod.right_end)) for pod in pods)
    sentence = words.summary(
        moved=len(pods),
        left_pending=without["left", PodEnding.PENDING],
        right_pending=without["right", PodEnding.PENDING],
    )
    return MapPair(
        sentence=sentence,
        titles=(words.LEFT_TITLE(title=titles[0]), words.RIGHT_TITLE(title=titles[1])),
        left=_side(sentence, pools, names, of_left, moved.not_left, said),
        right=_side(sentence, pools, names, of_right, moved.not_right, said),
        boxes=tuple(boxes),
        moves=tuple(MapMove(source, target, number) for (source, target), number in moves.items()),
        notes=(said.figures,),
        addresses=(on_left.nodes, on_right.nodes),
        figure=said.figure,
    )


def _side(
    sentence: str,
    pools: tuple[MapPool, ...],
    names: tuple[str, ...],
    pods: Mapping[str, int],
    missing: frozenset[str],
    said: MovesWords,
) -> VerdictMap:
    """Present one of the maps: how many pods of each node ended elsewhere in the other simulation."""
    key_of = tuple(_NO_SUCH_NODE if name in missing else _DIFFERS if pods.get(name) else _ALIKE for name in names)
    nodes = Counter(key_of)
    shades = np.zeros(len(names), np.int64)
    differing = [number for number, key in enumerate(key_of) if key == _DIFFERS]
    if differing:
        shades[differing] = levels(np.array([pods[names[number]] for number in differing], np.int64))
    return VerdictMap(
        sentence=sentence,
        keys=(
            MapKey(said.differs, "", "verdict-chosen-solid", "", nodes[_DIFFERS], is_shaded=True),
            MapKey(said.alike, "", "line-strong", "", nodes[_ALIKE], is_faint=True),
            MapKey(said.no_such_node, "", "verdict-unknown-solid", "dots", nodes[_NO_SUCH_NODE]),
        ),
        pools=pools,
        names=names,
        key_of=key_of,
        shade_of=tuple(shades.tolist()),
        figures=tuple(grouped(pods[name]) if pods.get(name) else "" for name in names),
    )
