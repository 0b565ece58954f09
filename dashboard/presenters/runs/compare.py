"""Simulations beside each other: two of them, and those of a study."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from django.urls import reverse
from django.utils.http import urlencode
from msgspec import Struct
from msgspec.structs import replace

from clusters.documents.problems import in_words
from clusters.documents.words import sentence_of_uncertainty, why_of
from clusters.engine.columns import NodeTable
from clusters.engine.simulation import Keeps, MovedPod, MovedPods, PodEnding
from clusters.models import SimulationRun, Study, StudyPart
from clusters.services.runs.results import Placed, pending_after, placed_of
from clusters.wording import counts, lists
from clusters.wording.amounts import grouped, percent
from clusters.wording.lists import OF, TO, first_of, listed
from clusters.wording.runs import (
    building as building_words,
    changes,
    comparing as compare_words,
    progress,
    removal as removal_words,
    summary as summary_words,
)
from clusters.wording.runs.summary import full_name
from dashboard.pictures.verdict_map.spec import MapBox, MapKey, MapMove, MapPair, MapPool, NodeAddresses, VerdictMap
from dashboard.presenters.decisions.maps import levels
from dashboard.presenters.runs.listing import (
    base_sentence,
    change_sentence,
    headline,
    kubernetes_of,
    scheduler_sentence,
)
from dashboard.presenters.runs.summary import (
    BeforeAfter,
    compared,
    emptied,
    more_causes,
    pending_by_cause,
    uncertain,
)
from dashboard.presenters.shared.maps import map_pools

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clusters.engine.owners import Workload

    Difference = Mapping[str, Any]
    Document = Mapping[str, Any]
    Result = Mapping[str, Any]


# -- Two simulations side by side -------------------------------------------------------------------------------------


COLUMNS = ("pod", "left", "right", "why")


class PlacementRow(NamedTuple):
    """One pod that ended elsewhere, or did not; without a step in ``found`` no decision of that side is about it."""

    found: Difference
    left: str
    right: str
    why: str


def placement_rows(found: Iterable[Difference]) -> list[PlacementRow]:
    """Present placements that differ."""
    return [
        PlacementRow(
            each,
            left=_ended(each["left"], each["left_pod"]),
            right=_ended(each["right"], each["right_pod"]),
            why=why_of(each),
        )
        for each in found
    ]


def _ended(node: str, replacement: str) -> str:
    """Say where a pod ended, and as which one where another replaced it."""
    name = replacement.partition("/")[2]
    ended = node or str(compare_words.NOT_PLACED)
    return compare_words.PLACED_AS(node=ended, replacement=name) if name else ended


def summary_sentence(found: Mapping[str, Any]) -> str:
    """Say how many placements differ."""
    differing, pods = len(found["placements"]), found["pods"]
    return (
        compare_words.PLACED_ELSEWHERE(differing=differing, pods=pods)
        if differing
        else compare_words.ALL_ALIKE(pods=pods)
    )


def cells(each: Difference) -> tuple[str, ...]:
    """Return a row of the file."""
    return each["pod"], each["left"], each["right"], why_of(each)


_DIFFERS, _ALIKE, _NO_SUCH_NODE = 0, 1, 2
# So many workloads are offered as links, those of the most pods; so many others can be chosen by name.
_MOST_OFFERED, _MOST_LISTED = 20, 200


class WorkloadMoves(Struct, frozen=True):
    """A workload with pods that ended elsewhere; `value` names it in an address."""

    value: str
    label: str
    pods: str
    is_chosen: bool


class MovesView(Struct, frozen=True):
    """The two maps, and the workloads of which one may be chosen: those of the most pods, and `others`.

    `more` counts the others and their pods, be they listed or not.
    """

    pair: MapPair
    all_label: str
    workloads: tuple[WorkloadMoves, ...]
    others: tuple[WorkloadMoves, ...]
    more: str
    chosen: str


class SideAddresses(Struct, frozen=True):
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
        all_label=compare_words.ALL_WORKLOADS(pods=counts.PODS(number=len(moved.pods))),
        workloads=tuple(_workload(each, counted, chosen) for each in offered),
        others=tuple(_workload(each, counted, chosen) for each in others[:_MOST_LISTED]),
        more=compare_words.MORE_WORKLOADS(
            workloads=len(others), pods=counts.PODS(number=sum(counted[each] for each in others))
        )
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
    nodes = NodeTable()
    nodes.fill(moved.nodes)
    pools, order = map_pools(nodes)
    names = tuple(nodes.names[row] for row in order.tolist())
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
            compare_words.PENDING_HERE,
            ("verdict-rejected-solid", "question"),
            (on_left.pending, on_right.pending),
        ),
        (
            PodEnding.ABSENT,
            compare_words.ABSENT_HERE,
            ("verdict-unknown-solid", "dots"),
            (on_left.absent, on_right.absent),
        ),
    ):
        left, right = without["left", ending], without["right", ending]
        if left or right:
            place_of[ending] = len(names) + len(boxes)
            boxes.append(
                MapBox(label(pods=counts.PODS(number=left)), label(pods=counts.PODS(number=right)), *look, *leads)
            )

    def end_of(node: str, ending: PodEnding) -> int:
        return place[node] if ending is PodEnding.ON_NODE else place_of[ending]

    moves = Counter((end_of(pod.left, pod.left_end), end_of(pod.right, pod.right_end)) for pod in pods)
    sentence = compare_words.MAPS(
        moved=counts.PODS(number=len(pods)),
        first=titles[0],
        left=without["left", PodEnding.PENDING],
        second=titles[1],
        right=without["right", PodEnding.PENDING],
    )
    return MapPair(
        sentence=sentence,
        titles=titles,
        left=_side(sentence, pools, names, of_left, moved.not_left),
        right=_side(sentence, pools, names, of_right, moved.not_right),
        boxes=tuple(boxes),
        moves=tuple(MapMove(source, target, number) for (source, target), number in moves.items()),
        notes=(str(compare_words.FIGURES),),
        addresses=(on_left.nodes, on_right.nodes),
        figure=str(compare_words.FIGURE),
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
            MapKey(str(compare_words.DIFFERS), "", "verdict-chosen-solid", "", nodes[_DIFFERS], is_shaded=True),
            MapKey(str(compare_words.ALIKE), "", "line-strong", "", nodes[_ALIKE], is_faint=True),
            MapKey(str(compare_words.NO_SUCH_NODE), "", "verdict-unknown-solid", "dots", nodes[_NO_SUCH_NODE]),
        ),
        pools=pools,
        names=names,
        key_of=key_of,
        shade_of=tuple(shades.tolist()),
        figures=tuple(grouped(pods[name]) if pods.get(name) else "" for name in names),
    )


def side(run: SimulationRun) -> dict[str, Any]:
    """Present one of the two runs, which is done."""
    summary = run.summary or {}
    return {
        "run": run,
        "headline": headline(summary),
        "pending": pending_by_cause(summary),
        "more_causes": more_causes(summary),
        "uncertain": uncertain(summary),
    }


def spec_differences(left: SimulationRun, right: SimulationRun) -> list[tuple[str, str, str]]:
    """Say what was asked differently, and what each side has; empty where a side lacks it."""
    found = []
    for what, one, other in (
        (compare_words.BEGINS_WITH, _base(left), _base(right)),
        (building_words.SCHEDULER, scheduler_sentence(left.spec), scheduler_sentence(right.spec)),
        (building_words.KUBERNETES, kubernetes_of(left.spec), kubernetes_of(right.spec)),
        (building_words.SEED, str(left.spec.get("seed", 0)), str(right.spec.get("seed", 0))),
    ):
        if one != other:
            found.append((str(what), one, other))
    mine, theirs = ([change_sentence(each) for each in run.spec.get("changes", [])] for run in (left, right))
    found += [(str(compare_words.CHANGE), change, "") for change in mine if change not in theirs]
    found += [(str(compare_words.CHANGE), "", change) for change in theirs if change not in mine]
    if left.spec.get("configuration") != right.spec.get("configuration"):
        found += _configurations(left.spec.get("configuration"), right.spec.get("configuration"))
    return found


def _base(run: SimulationRun) -> str:
    return base_sentence(run.spec, run.cluster.name if run.cluster else "", run.base.revision if run.base else None)


def _configurations(left: Document | None, right: Document | None) -> list[tuple[str, str, str]]:
    """Name the leaves in which two configurations differ, in the order of the left one."""
    mine, theirs = dict(_leaves(left, "")), dict(_leaves(right, ""))
    paths = [path for path in dict.fromkeys((*mine, *theirs)) if mine.get(path) != theirs.get(path)]
    default = str(compare_words.THE_DEFAULT)
    return [
        (compare_words.CONFIGURATION_FIELD(path=path), mine.get(path, default), theirs.get(path, default))
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


def verdict_sentence(left: SimulationRun, right: SimulationRun, names: tuple[str, str]) -> str:
    """Say how many pods both leave newly pending, and how many more nodes the right one leaves empty."""
    measured = ((run.summary or {})["after"] for run in (left, right))
    return " ".join((sentence(left, right, names), compare_words.EMPTIED(change=emptied(*measured))))


def sentence(left: SimulationRun, right: SimulationRun, names: tuple[str, str]) -> str:
    """Say how many pods both leave newly pending."""
    one, other = (pending_after((run.summary or {})["origins"]).newly for run in (left, right))
    if one == other:
        return compare_words.NEWLY_PENDING_ALIKE(pods=one)
    return compare_words.NEWLY_PENDING(first_pods=one, first=names[0], second_pods=other, second=names[1])


# -- Studies in words -------------------------------------------------------------------------------------------------


State = StudyPart.State

_BADGES = {"queued": "", "running": "info", "done": "good", "failed": "bad", "cancelled": "warn"}
_PLACES = 8
_MOVES = 5
# Of the nodes of a large cluster a page shows the first; its file has all.
_NODES_SHOWN = 100


class StudyRow(NamedTuple):
    """A study in a list."""

    study: Study
    kind: str
    badge: tuple[str, str]
    by: str


class PartView(Struct, frozen=True):
    """A part and its answer: a sentence, what stops more, and bars by zone, by node, and of gangs by their domain.

    A bar is a name, its number, and how long it is in percent.
    """

    label: str
    badge: tuple[str, str]
    sentence: str
    stop: str
    reasons: tuple[str, ...]
    zones: tuple[tuple[str, int, float], ...]
    nodes: tuple[tuple[str, int, float], ...]
    more_nodes: str
    notes: tuple[str, ...]
    domains: tuple[tuple[str, int, float], ...] = ()


class SweepRow(Struct, frozen=True):
    """A run of a sweep; ``fill`` is the share of its pods that were placed, in percent, None before it is done."""

    pk: int
    label: str
    badge: tuple[str, str]
    result: str
    placed: str
    fill: float | None
    newly_pending: str
    nodes_in_use: str
    cpu: str
    skew: str
    is_best: bool


def state_of(states: Sequence[str]) -> str:
    """Return how a study is, of its parts."""
    if any(state in ("queued", "running") for state in states):
        return "queued" if all(state == "queued" for state in states) else "running"
    return "failed" if states and all(state in ("failed", "cancelled") for state in states) else "done"


def study_row(study: Study, states: Sequence[str]) -> StudyRow:
    """Present a study in a list."""
    return StudyRow(
        study,
        kind=str(compare_words.KINDS[study.kind]),
        badge=_badge(state_of(states)),
        by=study.created_by.get_username() if study.created_by else str(progress.DELETED_USER),
    )


def _badge(state: str) -> tuple[str, str]:
    return str(progress.STATES[state]), _BADGES[state]


def progress_sentence(states: Sequence[str]) -> str:
    """Say how far a study is."""
    done = sum(state not in ("queued", "running") for state in states)
    return compare_words.PROGRESS(answered=done, parts=len(states))


# -- parts -------------------------------------------------------------------------------------------------------------


def part_view(part: StudyPart, kind: Study.Kind) -> PartView:
    """Present one part."""
    badge = _badge(part.state)
    if part.state == State.FAILED:
        error = in_words(part.error) if part.error else {"problem": progress.IT_FAILED, "remedy": ""}
        said = f"{error['problem']} {error['remedy']}".strip()
        return PartView(part.label, badge, said, "", (), (), (), "", ())
    if part.result is None:
        return PartView(part.label, badge, "", "", (), (), (), "", ())
    if kind is Study.Kind.HEADROOM:
        view = _headroom(part, part.result["headroom"], part.result.get("gangs"))
    else:
        view = _needed(part, part.result["needed"], part.result["pods"])
    doubts = [sentence_of_uncertainty(each) for each in part.result.get("uncertainties", ())]
    if not doubts:
        return view
    said = " ".join((view.sentence, str(compare_words.UNCERTAIN_ANSWER)))
    return replace(view, sentence=said, notes=(*doubts, *view.notes))


def _bars(numbers: Mapping[str, int], empty: str, most: int = 0) -> tuple[tuple[str, int, float], ...]:
    found = sorted(numbers.items(), key=lambda each: -each[1]) if most else sorted(numbers.items())
    top = max(numbers.values(), default=0) or 1
    shown = found[:most] if most else found
    return tuple((name or empty, number, 100 * number / top) for name, number in shown)


def _headroom(part: StudyPart, found: Result, gangs: Result | None) -> PartView:
    stop = found["stop"] if gangs is None else gangs["stop"]
    pods, nodes = sum(found["counts"]), counts.NODES(number=len(found["nodes"]))
    said, notes, domains = compare_words.MORE_FIT(pods=pods, nodes=nodes), [], {}
    reasons = _reasons(stop)
    if gangs is not None:
        number, size, next_one = gangs["count"], gangs["size"], gangs["found"]
        said, domains = compare_words.GANGS_FIT(gangs=number, size=size, found=next_one), gangs["domains"]
        notes = [compare_words.POD_BY_POD(pods=pods, nodes=nodes)]
        if gangs["topology_key"]:
            # Where gangs go, not pods by themselves.
            found = {**found, "zones": {}, "nodes": {}}
            reasons = reasons or tuple(filter(None, (gangs["refusal"],)))
            notes.append(compare_words.ONE_DOMAIN(key=gangs["topology_key"]))
        if gangs["is_open"]:
            notes.append(str(compare_words.UNCERTAIN_ANSWER))
    if len(found["counts"]) > 1:
        names = [each["manifest"]["metadata"]["name"] for each in part.spec["mix"]]
        parts = zip(names, found["counts"], strict=True)
        notes.append(compare_words.OF_MIX(parts=listed(OF(part=number, whole=name) for name, number in parts)))
    if stop is None:
        notes.append(compare_words.COUNTING_ENDED(limit=found["limit"]))
    more = len(found["nodes"]) - _PLACES
    return PartView(
        label=part.label,
        badge=_badge(part.state),
        sentence=said,
        stop=_stop(stop),
        reasons=reasons,
        zones=_bars(found["zones"], str(summary_words.NO_ZONE)),
        domains=_bars(domains, ""),
        nodes=_bars(found["nodes"], "", _PLACES),
        more_nodes=lists.and_more(more),
        notes=tuple(notes),
    )


def _stop(stop: Result | None) -> str:
    return "" if stop is None else str(stop["message"])


def _reasons(stop: Result | None) -> tuple[str, ...]:
    if stop is None:
        return ()
    return tuple(
        f"{counts.NODES(number=each['nodes'])}: {', '.join((each['plugin'], *each['reasons']))}"
        for each in stop["reasons"]
    )


def _needed(part: StudyPart, found: Result, pods: int) -> PartView:
    count, stop = found["count"], found["stop"]
    if count is None and stop and stop.get("is_forbidden"):
        said = compare_words.NODES_DO_NOT_CREATE()
    elif count is None and found["never"]:
        said = compare_words.NODES_DO_NOT_HELP(pods=pods)
    elif count is None:
        said = compare_words.NOT_ENOUGH(nodes=max((each["nodes"] for each in found["trials"]), default=0))
    else:
        said = compare_words.NODES_NEEDED(nodes=count, pods=counts.PODS(number=pods))
    notes = []
    if count and not found["is_least"]:
        notes.append(str(compare_words.NOT_LEAST))
    if found["trials"]:
        tried = (
            (compare_words.ENOUGH if each["fits"] else compare_words.TOO_FEW)(nodes=each["nodes"])
            for each in found["trials"]
        )
        notes.append(compare_words.TRIED(trials=", ".join(tried)))
    return PartView(
        label=part.label,
        badge=_badge(part.state),
        sentence=said,
        stop=_stop(stop),
        reasons=_reasons(stop),
        zones=(),
        nodes=(),
        more_nodes="",
        notes=tuple(notes),
    )


# -- removable nodes ---------------------------------------------------------------------------------------------------


def removal(found: Result) -> dict[str, Any]:
    """Present as many as a page shows of the nodes that are removable, and of those that are not."""
    gone, kept = found["removed"], found["kept"]
    total = len(gone) + len(kept)
    open_ones = sum(each["why"] == Keeps.LIMIT for each in kept)
    if open_ones:
        said = removal_words.AT_LEAST(removed=len(gone), nodes=total, others=open_ones)
    else:
        said = removal_words.REMOVABLE(removed=len(gone), nodes=total)
    if gone:
        said = " ".join((said, removal_words.MOVING(pods=sum(len(each["moves"]) for each in gone))))
    return {
        "sentence": said,
        "removed": [(each, _share(each), *_moves_of(each)) for each in gone[:_NODES_SHOWN]],
        "more": _more(gone),
        "groups": list(_kept_groups(kept)),
    }


def removal_cells(found: Result) -> Iterator[tuple[str, str, str, str]]:
    """Yield a row of the file for each node: its name, what is requested, whether it is removable, and why not."""
    for each in found["removed"]:
        yield each["name"], _share(each), str(removal_words.YES), ""
    for each in found["kept"]:
        yield each["name"], _share(each), str(removal_words.NO), str(removal_words.WHY[Keeps(each["why"])])


def _kept_groups(kept: Iterable[Result]) -> Iterator[tuple[str, str, list[tuple[Result, str, str]], str]]:
    """Yield why nodes stay, the reason of most first, how many do for it, the first of them, and how many more."""
    by_reason: dict[str, list[Result]] = {}
    for each in kept:
        by_reason.setdefault(str(removal_words.WHY[Keeps(each["why"])]), []).append(each)
    for why, nodes in sorted(by_reason.items(), key=lambda each: -len(each[1])):
        shown = [(each, _share(each), first_of(each.get("pods") or ())) for each in nodes[:_NODES_SHOWN]]
        yield why, counts.NODES(number=len(nodes)), shown, _more(nodes)


def _more(nodes: Sequence[Result]) -> str:
    """Say how many nodes only the file has."""
    beyond = len(nodes) - _NODES_SHOWN
    return removal_words.IN_FILE(nodes=beyond) if beyond > 0 else ""


def _share(each: Result) -> str:
    return percent(round(each["share"] * 100), 10_000)


def _moves_of(each: Result) -> tuple[list[str], str]:
    """Say where a removable node's pods would go, and how many more would."""
    moves = each["moves"]
    if not moves:
        return [], str(removal_words.NOTHING_TO_MOVE)
    more = lists.and_more(len(moves) - _MOVES)
    return [TO(first=move["pod"], last=move["node"]) for move in moves[:_MOVES]], more


# -- sweeps ------------------------------------------------------------------------------------------------------------


def sweep_rows(runs: Sequence[tuple[str, SimulationRun]]) -> list[SweepRow]:
    """Present the runs of a sweep beside each other; those that place the most pods are marked."""
    placed = {
        run.pk: placed_of(run.summary) for _, run in runs if run.summary and run.state == SimulationRun.State.DONE
    }
    best = max((each.certain for each in placed.values()), default=None)
    is_told = len({each.certain for each in placed.values()}) > 1
    return [_sweep_row(label, run, placed.get(run.pk), best if is_told else None) for label, run in runs]


def pair_of(runs: Sequence[tuple[str, SimulationRun]]) -> dict[str, str] | None:
    """Return what a sweep's two runs come to, and where they are compared; None of more, or where one is not done."""
    if len(runs) != 2 or any(run.state != SimulationRun.State.DONE for _, run in runs):
        return None
    left, right = (run for _, run in runs)
    first, other = (changes.configuration_name(variant) for variant, _ in runs)
    url = f"{reverse('runs-compare')}?{urlencode({'left': left.pk, 'right': right.pk})}"
    return {"sentence": sentence(left, right, (first, other)), "url": url}


def _sweep_row(variant: str, run: SimulationRun, placed: Placed | None, best: int | None) -> SweepRow:
    label, badge = changes.configuration_name(variant), _badge(run.state)
    if placed is None or run.summary is None:
        return SweepRow(run.pk, label, badge, "", "", None, "", "", "", "", is_best=False)
    number, uncertain, wanted = placed
    after = run.summary["after"]
    cluster, cpu = after["cluster"], after["cluster"]["amounts"].get("cpu", {"requested": 0, "allocatable": 0})
    return SweepRow(
        pk=run.pk,
        label=label,
        badge=badge,
        result=headline(run.summary),
        placed=_placed_of(number, wanted, uncertain),
        fill=100 * number / wanted if wanted else 100.0,
        newly_pending=grouped(pending_after(run.summary["origins"]).newly),
        nodes_in_use=OF(part=cluster["nodes"] - cluster["empty"], whole=cluster["nodes"]),
        cpu=percent(cpu["requested"], cpu["allocatable"]),
        skew=grouped(after["spread"]["widest"]),
        is_best=number == best,
    )


def _placed_of(placed: int, wanted: int, uncertain: int) -> str:
    if uncertain:
        return changes.PLACED_OF_UNCERTAIN(placed=placed, wanted=wanted, uncertain=uncertain)
    return OF(part=placed, whole=wanted)
