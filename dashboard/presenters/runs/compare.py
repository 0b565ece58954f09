"""Two simulations side by side: what was asked otherwise, what came of it, and which pods ended elsewhere."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from clusters.documents.run_words import why_of
from clusters.engine.simulation import MovedPod, MovedPods, PodEnding
from clusters.services.runs.results import pending_after
from clusters.wording import counts
from clusters.wording.amounts import grouped
from clusters.wording.runs import compare as words, progress
from clusters.wording.runs.affected import full_name
from clusters.wording.runs.differences import cost_sentence
from dashboard.pictures.verdict_map.spec import MapBox, MapKey, MapMove, MapPair, MapPool, NodeAddresses, VerdictMap
from dashboard.presenters.decisions.maps import levels
from dashboard.presenters.runs.changes import base_sentence, change_sentence, scheduler_sentence
from dashboard.presenters.runs.listing import headline, kubernetes_of
from dashboard.presenters.runs.summary import (
    BeforeAfter,
    MoreCauses,
    PendingGroup,
    Uncertain,
    compared,
    more_causes,
    pending_by_cause,
    uncertain,
)
from dashboard.presenters.shared.maps import map_pools

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.owners import Workload
    from clusters.models import SimulationRun

    Difference = Mapping[str, Any]
    Document = Mapping[str, Any]

COLUMNS = ("pod", "left", "right", "why")


@dataclass(frozen=True, slots=True)
class DifferenceView:
    """One pod that ended elsewhere, or did not; steps lead to the decisions, None where there is none."""

    pod: str
    left: str
    right: str
    left_step: int | None
    right_step: int | None
    why: str


def difference_views(found: Iterable[Difference]) -> list[DifferenceView]:
    """Present placements that differ."""
    return [
        DifferenceView(
            pod=each["pod"],
            left=_ended(each["left"], each["left_pod"]),
            right=_ended(each["right"], each["right_pod"]),
            left_step=each.get("left_step"),
            right_step=each.get("right_step"),
            why=why_of(each),
        )
        for each in found
    ]


def _ended(node: str, replacement: str) -> str:
    """Say where a pod ended, and as which one where another replaced it."""
    name = replacement.partition("/")[2]
    ended = node or str(words.NOT_PLACED)
    return words.PLACED_AS(node=ended, replacement=name) if name else ended


def summary_sentence(found: Mapping[str, Any]) -> str:
    """Say how many placements differ."""
    differing, pods = len(found["placements"]), found["pods"]
    return words.PLACED_ELSEWHERE(differing=differing, pods=pods) if differing else words.ALL_ALIKE(pods=pods)


def disruption(found: Mapping[str, Any]) -> str:
    """Say what going from one to the other would cost."""
    return cost_sentence(found["cost"])


def cells(each: Difference) -> tuple[str, ...]:
    """Return a row of the file."""
    return each["pod"], each["left"], each["right"], why_of(each)


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
        pair=_pair(moved, shown, titles, addresses),
        all_label=words.ALL_WORKLOADS(pods=counts.pods(len(moved.pods))),
        workloads=tuple(_workload(each, counted, chosen) for each in offered),
        others=tuple(_workload(each, counted, chosen) for each in others[:_MOST_LISTED]),
        more=words.MORE_WORKLOADS(workloads=len(others), pods=counts.pods(sum(counted[each] for each in others)))
        if others
        else "",
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
        (
            PodEnding.PENDING,
            words.PENDING_HERE,
            ("verdict-rejected-solid", "question"),
            (on_left.pending, on_right.pending),
        ),
        (PodEnding.ABSENT, words.GONE_HERE, ("verdict-unknown-solid", "dots"), (on_left.absent, on_right.absent)),
    ):
        left, right = without["left", ending], without["right", ending]
        if left or right:
            place_of[ending] = len(names) + len(boxes)
            boxes.append(MapBox(label(pods=counts.pods(left)), label(pods=counts.pods(right)), *look, *leads))

    def end_of(node: str, ending: PodEnding) -> int:
        return place[node] if ending is PodEnding.ON_NODE else place_of[ending]

    moves = Counter((end_of(pod.left, pod.left_end), end_of(pod.right, pod.right_end)) for pod in pods)
    sentence = words.MAPS(
        moved=counts.pods(len(pods)),
        left=without["left", PodEnding.PENDING],
        right=without["right", PodEnding.PENDING],
    )
    return MapPair(
        sentence=sentence,
        titles=(words.LEFT_TITLE(title=titles[0]), words.RIGHT_TITLE(title=titles[1])),
        left=_side(sentence, pools, names, of_left, moved.not_left),
        right=_side(sentence, pools, names, of_right, moved.not_right),
        boxes=tuple(boxes),
        moves=tuple(MapMove(source, target, number) for (source, target), number in moves.items()),
        notes=(str(words.FIGURES),),
        addresses=(on_left.nodes, on_right.nodes),
        figure=str(words.FIGURE),
    )


def _side(
    sentence: str,
    pools: tuple[MapPool, ...],
    names: tuple[str, ...],
    pods: Mapping[str, int],
    missing: frozenset[str],
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
            MapKey(str(words.DIFFERS), "", "verdict-chosen-solid", "", nodes[_DIFFERS], is_shaded=True),
            MapKey(str(words.ALIKE), "", "line-strong", "", nodes[_ALIKE], is_faint=True),
            MapKey(str(words.NO_SUCH_NODE), "", "verdict-unknown-solid", "dots", nodes[_NO_SUCH_NODE]),
        ),
        pools=pools,
        names=names,
        key_of=key_of,
        shade_of=tuple(shades.tolist()),
        figures=tuple(grouped(pods[name]) if pods.get(name) else "" for name in names),
    )


@dataclass(frozen=True, slots=True)
class SpecDifference:
    """One thing that was asked differently: what it is, and what each side has; empty where a side lacks it."""

    what: str
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """One of the two."""

    run: SimulationRun
    headline: str
    pending: list[PendingGroup]
    more_causes: MoreCauses
    uncertain: list[Uncertain]


def side(run: SimulationRun) -> ComparedRun:
    """Present one of the two runs, which is done."""
    summary = run.summary or {}
    return ComparedRun(run, headline(summary), pending_by_cause(summary), more_causes(summary), uncertain(summary))


def spec_differences(left: SimulationRun, right: SimulationRun) -> list[SpecDifference]:
    """Say what was asked differently."""
    found = []
    for what, one, other in (
        (words.BEGINS_WITH, _base(left), _base(right)),
        (progress.SCHEDULER, scheduler_sentence(left.spec), scheduler_sentence(right.spec)),
        (progress.KUBERNETES, kubernetes_of(left.spec), kubernetes_of(right.spec)),
        (progress.SEED, str(left.spec.get("seed", 0)), str(right.spec.get("seed", 0))),
    ):
        if one != other:
            found.append(SpecDifference(str(what), one, other))
    mine, theirs = ([change_sentence(each) for each in run.spec.get("changes", [])] for run in (left, right))
    found += [SpecDifference(str(words.CHANGE), change, "") for change in mine if change not in theirs]
    found += [SpecDifference(str(words.CHANGE), "", change) for change in theirs if change not in mine]
    if left.spec.get("configuration") != right.spec.get("configuration"):
        found += _configurations(left.spec.get("configuration"), right.spec.get("configuration"))
    return found


def _base(run: SimulationRun) -> str:
    return base_sentence(run.spec, run.cluster.name if run.cluster else "", run.base.revision if run.base else None)


def _configurations(left: Document | None, right: Document | None) -> list[SpecDifference]:
    """Name the leaves in which two configurations differ, in the order of the left one."""
    mine, theirs = dict(_leaves(left, "")), dict(_leaves(right, ""))
    paths = [path for path in dict.fromkeys((*mine, *theirs)) if mine.get(path) != theirs.get(path)]
    default = str(words.THE_DEFAULT)
    return [
        SpecDifference(words.CONFIGURATION_FIELD(path=path), mine.get(path, default), theirs.get(path, default))
        for path in paths[:20]
    ]


def _leaves(value: Any, path: str) -> list[tuple[str, str]]:
    if isinstance(value, dict):
        return [leaf for key, each in value.items() for leaf in _leaves(each, f"{path}.{key}".lstrip("."))]
    if isinstance(value, list):
        return [leaf for key, each in enumerate(value) for leaf in _leaves(each, f"{path}[{_key(each, key)}]")]
    return [] if value is None else [(path, str(value))]


def _key(value: Any, number: int) -> str:
    """Name an entry of a list by its name, where it has one."""
    return str(value.get("name") or number) if isinstance(value, dict) else str(number)


def numbers(left: SimulationRun, right: SimulationRun) -> list[BeforeAfter]:
    """Compare the clusters that both leave behind."""
    one, other = left.summary or {}, right.summary or {}
    pending = (pending_after(each["origins"]) for each in (one, other))
    return compared(one["after"], other["after"], *pending)


def sentence(left: SimulationRun, right: SimulationRun, names: tuple[str, str] | None = None) -> str:
    """Say how many pods both leave newly pending; ``names``: what they are called where not by title."""
    one, other = (pending_after((run.summary or {})["origins"]).newly for run in (left, right))
    first, second = names or (left.title, right.title)
    if one == other:
        return words.NEWLY_PENDING_ALIKE(pods=one)
    if first == second:
        return words.NEWLY_PENDING(left=one, right=other)
    return words.NEWLY_PENDING_OF(first_pods=one, first=first, second_pods=other, second=second)
