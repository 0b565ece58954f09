"""The steps of a simulation: one of them in words, the cluster at it, and how the cluster fills and empties."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from clusters.engine.resources import CPU, MEMORY, PODS
from clusters.engine.simulation import MOVE_COST, STAYED, AwaitsOrdinal, Outcome, Step
from clusters.engine.status import tells_failed_binding
from clusters.wording import amounts, figures as figures_words
from clusters.wording.amounts import grouped
from clusters.wording.conclusions import uncertain_sentence
from clusters.wording.lists import first_of, listed
from clusters.wording.overview import CLOSED, NO_ZONE
from clusters.wording.runs import progress as steps_words, summary as summary_words
from clusters.wording.runs.progress import message_of
from clusters.wording.runs.summary import OUTCOMES
from clusters.wording.states import UNSCHEDULABLE
from dashboard.pictures.figure import Figure
from dashboard.pictures.meter import Meter, meter
from dashboard.pictures.specs import Series, TrendSpec
from dashboard.pictures.verdict_map.spec import MapMark
from dashboard.presenters.decisions.page import judged
from dashboard.presenters.shared import page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from clusters.engine import Explanation
    from clusters.services.mirror.state import ClusterUtilisation
    from dashboard.pictures.verdict_map.spec import MarkKind

    Points = Sequence[Mapping[str, Any]]


def zone_rows(found: ClusterUtilisation) -> list[tuple[str, int, str, list[Meter]]]:
    """Present zones: their nodes, how many of them accept no pods, and what is requested of CPU, memory and pods."""
    rows = []
    for zone in found.zones:
        name, unwell = zone.zone or str(NO_ZONE), int((~found.health.usable[zone.rows]).sum())
        meters = [
            meter(title(zone=name), zone.requested[resource], zone.allocatable[resource], write)
            for title, resource, write in (
                (steps_words.CPU_REQUESTED, CPU, amounts.cpu),
                (steps_words.MEMORY_REQUESTED, MEMORY, amounts.size),
                (steps_words.PODS_IN, PODS, amounts.grouped),
            )
        ]
        rows.append((name, len(zone.rows), CLOSED(nodes=unwell) if unwell else "", meters))
    return rows


def queue_rows(waiting: Mapping[str, Step], most: int) -> list[tuple[str, Step, str]]:
    """Present the pending pods with their last steps and what those say, the one that was attempted last first."""
    latest = sorted(waiting.items(), key=lambda each: -each[1].number)[:most]
    return [(key, step, message_of(step)) for key, step in latest]


# A pod got no node, or was refused: what somebody who looks for failures wants to see next.
FAILURES = frozenset({Outcome.UNSCHEDULABLE, Outcome.FORBIDDEN, Outcome.NOT_COMPUTED, *STAYED})
# What has a mark over the slider.
TELLING = FAILURES | {Outcome.PREEMPTED, Outcome.EVICTED, Outcome.DELETED}

_BADGES = {
    Outcome.PLACED: "good",
    Outcome.UNSCHEDULABLE: "bad",
    Outcome.FORBIDDEN: "bad",
    Outcome.NOT_COMPUTED: "warn",
    Outcome.PREEMPTED: "warn",
    Outcome.EVICTED: "warn",
    Outcome.DELETED: "warn",
    Outcome.REFUSED: "warn",
    Outcome.HELD: "warn",
}
# On a node, and pending.
_GONE = {
    Outcome.DELETED: (steps_words.DELETED_FROM, steps_words.DELETED_PENDING),
    Outcome.TERMINATED: (steps_words.IS_GONE, steps_words.IS_GONE),
    Outcome.COMPLETED: (steps_words.COMPLETED_ON, steps_words.NEVER_PLACED),
}
# So many marks are drawn over the slider; more would run together.
_MOST_MARKS = 400
_NODES_NAMED = 5
_UNITS = (("d", 86_400), ("h", 3_600), ("min", 60))


class StepView(Struct, frozen=True):
    """A step: its number in words, what happened, and whether it can be explained."""

    number: int
    shown: str
    badge: tuple[str, str]
    sentence: str
    message: str
    at: str
    is_decision: bool


def step_view(step: Step) -> StepView:
    """Present one step."""
    kind = "uncertain" if step.uncertain else _BADGES.get(step.outcome, "")
    return StepView(
        number=step.number,
        shown=grouped(step.number + 1),
        badge=(str(OUTCOMES["uncertain" if step.uncertain else step.outcome]), kind),
        sentence=step_sentence(step),
        message="" if step.outcome in (Outcome.PLACED, Outcome.COMPLETED) else steps_words.message_of(step),
        at=after(step.at) if step.at else "",
        is_decision=step.is_decision,
    )


def step_marks(step: Step, names: Sequence[str]) -> tuple[MapMark, ...]:
    """Return the node that a step is about as a mark on a map of nodes by their names; none where it is not there."""
    kind: MarkKind = "nominated" if step.outcome is Outcome.UNSCHEDULABLE else "own"
    return (MapMark(kind, str(steps_words.STEP_NODE), names.index(step.node)),) if step.node in names else ()


def step_verdict(step: Step, explanation: Explanation) -> tuple[str, str, str | None]:
    """Return the verdict on the pod of a step: its token, its word, and the scheduler's message.

    They are those of the explanation, which ends before the pod is bound, unless binding failed.
    """
    if tells_failed_binding(step.message):
        return "rejected", str(UNSCHEDULABLE), step.message
    return *judged(explanation), explanation.message


def step_sentence(step: Step) -> str:
    """Say what happened in a step, and how long a pod that has to go still terminates."""
    said = _happened(step)
    return steps_words.TERMINATES(said=said, seconds=step.grace) if step.grace else said


def _happened(step: Step) -> str:
    match step.outcome:
        case Outcome.PLACED:
            return " ".join(_placed(step))
        case Outcome.UNSCHEDULABLE if tells_failed_binding(step.message):
            return steps_words.CLAIM_REFUSED(pod=step.pod)
        case Outcome.UNSCHEDULABLE:
            said = steps_words.FITS_ON_NONE(pod=step.pod, nodes=step.looked_at)
            said = steps_words.REJECTED_BY(said=said, plugins=listed(step.plugins)) if step.plugins else said
            return " ".join((said, _nominated(step))) if step.node else said
        case Outcome.GATED:
            return steps_words.IS_GATED(pod=step.pod)
        case Outcome.NOT_COMPUTED:
            return " ".join((steps_words.NOT_PLACED(pod=step.pod), page.not_computed_sentence(step.by)))
        case Outcome.FORBIDDEN:
            waits = isinstance(step.problem, AwaitsOrdinal)
            return (steps_words.NOT_CREATED_YET if waits else steps_words.REFUSED_BY_API_SERVER)(pod=step.pod)
        case Outcome.PREEMPTED:
            return steps_words.IS_PREEMPTED(pod=step.pod, node=step.node, preemptor=step.by)
        case Outcome.EVICTED:
            return _evicted(step)
        case Outcome.REFUSED:
            return steps_words.EVICTION_REFUSED(pod=step.pod, node=step.node)
        case Outcome.HELD:
            return steps_words.HELD(pod=step.pod, node=step.node)
        case Outcome.DELETED | Outcome.TERMINATED | Outcome.COMPLETED:
            on_node, without = _GONE[step.outcome]
            return (on_node if step.node else without)(pod=step.pod, node=step.node)


def kept_rooms(explanation: Explanation) -> list[str]:
    """Say which nodes are out only because pods that are nominated there count as running on them."""
    world = explanation.cycle.nominated_world
    rows = [] if world is None else list(dict.fromkeys(world.rows.tolist()))
    kept = [row for row in rows if explanation.decided_by_nominated(row)]
    names = explanation.snapshot.nodes.names
    sentences = [
        steps_words.KEPT_FOR_NOMINATED(node=names[row], pods=first_of(explanation.nominated_on(row)))
        for row in kept[:_NODES_NAMED]
    ]
    more = len(kept) - len(sentences)
    return [*sentences, steps_words.KEPT_ON_MORE(nodes=more)] if more > 0 else sentences


def search_sentence(step: Step) -> str:
    """Say how far the search for a node went, which is known of a simulation whether it samples or not."""
    return steps_words.SEARCHED(nodes=step.looked_at, feasible=step.feasible)


def _placed(step: Step) -> list[str]:
    said = [steps_words.PLACED_ON(pod=step.pod, node=step.node)]
    if step.feasible:
        said.append(steps_words.FEASIBLE(feasible=step.feasible))
    if step.feasible > 1 and step.total is not None:
        said.append(steps_words.TOTAL(points=step.total))
    if step.feasible > 1 and step.ties > 1:
        said.append(steps_words.TIE(nodes=step.ties))
    if step.uncertain:
        said.append(uncertain_sentence(step.uncertain))
    return said


def _nominated(step: Step) -> str:
    said = steps_words.NOMINATED(node=step.node)
    if step.waits is None:
        return said
    seconds, victims = step.waits.seconds, step.waits.victims
    if not seconds:
        return f"{said} {steps_words.VICTIMS_GONE(victims=victims)}"
    return f"{said} {steps_words.VICTIMS_TERMINATE(victims=victims, seconds=seconds)}"


def _evicted(step: Step) -> str:
    if not step.by and step.total is not None:
        return steps_words.MOVED(pod=step.pod, node=step.node, points=step.total, cost=MOVE_COST)
    if not step.by:
        return steps_words.IS_EVICTED(pod=step.pod, node=step.node)
    if ":" in step.by or "=" in step.by:
        return steps_words.EVICTED_BY_TAINT(pod=step.pod, node=step.node, taint=step.by)
    if "/" in step.by:
        return steps_words.EVICTED_FOR_POD(pod=step.pod, node=step.node, other=step.by)
    return steps_words.EVICTED_BY_DRAIN(pod=step.pod, node=step.node, drained=step.by)


def after(nanoseconds: int) -> str:
    """Write how long after the beginning something happened, in the two largest units."""
    seconds = nanoseconds // 1_000_000_000
    parts = []
    for unit, length in _UNITS:
        number, seconds = divmod(seconds, length)
        if number:
            parts.append(f"{grouped(number)} {unit}")
    if seconds or not parts:
        parts.append(f"{seconds} s")
    return " ".join(parts[:2])


def marks(steps: Sequence[Step]) -> list[tuple[float, str]]:
    """Return where telling steps stand, in percent of the way, with the word for their colour."""
    last = max(1, len(steps) - 1)
    found = [(round(100 * step.number / last, 2), step.outcome.value) for step in steps if step.outcome in TELLING]
    stride = max(1, len(found) // _MOST_MARKS)
    return found[::stride]


def neighbours(steps: Iterable[Step], number: int) -> tuple[int | None, int | None]:
    """Return the failures before and after a step; None where there is none."""
    before, following = None, None
    for step in steps:
        if step.outcome not in FAILURES:
            continue
        if step.number < number:
            before = step.number
        elif step.number > number:
            following = step.number
            break
    return before, following


# More zones than this cannot be told apart; the table by zone has all.
_MOST_ZONES = 6
_MOST_RESOURCES = 4
_MOST_ROWS = 25


def figures(summary: Mapping[str, Any], address: Callable[[str], str]) -> list[Figure]:
    """Present what is requested, in all and by zone, and how many pods are pending; none of a run without steps.

    `address` says where the figure of a name is as a chart to explore.
    """
    series = summary.get("series") or {}
    points: Points = series.get("points") or []
    if len(points) < 2:
        return []
    found = [_requested(series, points, address)]
    if any(point["pending"] for point in points):
        found.append(_waiting(points, address))
    if 1 < len(series["zones"]) <= _MOST_ZONES:
        found.append(_by_zone(series, points, address))
    return found


def _percents(points: Points, requested: Sequence[int], allocatable: int) -> list[float]:
    return [100 * number / allocatable if allocatable else 0.0 for number in requested]


def _percent(value: float) -> str:
    return f"{value:.0f} %"


def _requested(series: Mapping[str, Any], points: Points, address: Callable[[str], str]) -> Figure:
    shown = [
        name
        for name in series["resources"]
        if series["allocatable"].get(name) and any(point["requested"].get(name) for point in points)
    ][:_MOST_RESOURCES]
    values = {
        figures_words.resource(name): _percents(
            points, [point["requested"].get(name, 0) for point in points], series["allocatable"][name]
        )
        for name in shown
    }
    courses = [
        figures_words.COURSE(name=name, first=_percent(each[0]), last=_percent(each[-1]), most=_percent(max(each)))
        for name, each in values.items()
    ]
    return _figure(
        "requested",
        str(figures_words.REQUESTED_TITLE),
        figures_words.REQUESTED(courses=listed(courses)),
        points,
        {name: [round(value) for value in each] for name, each in values.items()},
        "%",
        address,
    )


def _waiting(points: Points, address: Callable[[str], str]) -> Figure:
    numbers = [int(point["pending"]) for point in points]
    return _figure(
        "waiting",
        str(figures_words.UNSCHEDULABLE_TITLE),
        figures_words.UNSCHEDULABLE(most=max(numbers), last=numbers[-1]),
        points,
        {str(UNSCHEDULABLE): numbers},
        str(figures_words.PODS),
        address,
    )


def _by_zone(series: Mapping[str, Any], points: Points, address: Callable[[str], str]) -> Figure:
    values = {
        zone or str(summary_words.NO_ZONE): _percents(
            points, [point["zones"][zone].get("cpu", 0) for point in points], allocatable.get("cpu", 0)
        )
        for zone, allocatable in sorted(series["zones"].items())
    }
    last = {zone: each[-1] for zone, each in values.items()}
    fullest, emptiest = max(last, key=lambda zone: last[zone]), min(last, key=lambda zone: last[zone])
    return _figure(
        "zones-over-steps",
        str(figures_words.ZONES_TITLE),
        figures_words.ZONES(
            fullest=fullest, most=_percent(last[fullest]), emptiest=emptiest, least=_percent(last[emptiest])
        ),
        points,
        {name: [round(value) for value in each] for name, each in values.items()},
        "%",
        address,
    )


def _figure(
    name: str,
    title: str,
    summary: str,
    points: Points,
    values: Mapping[str, Sequence[int]],
    unit: str,
    address: Callable[[str], str],
) -> Figure:
    """Draw lines over time where pods arrive over time, else over steps."""
    is_over_time = bool(points[-1]["at"])
    at = [float(point["at"] if is_over_time else point["step"] + 1) for point in points]
    labels = [after(point["at"]) if is_over_time else grouped(point["step"] + 1) for point in points]
    suffix = "\u00a0%" if unit == "%" else ""
    return Figure(
        id=name,
        title=title,
        summary=summary,
        spec=TrendSpec(
            unit,
            tuple(at),
            tuple(
                Series(label, f"zone-{number}", tuple(map(float, each)), is_dashed=number % 2 == 0)
                for number, (label, each) in enumerate(values.items(), 1)
            ),
            labels=tuple(label if is_over_time else figures_words.STEP(number=label) for label in labels),
            is_stepped=True,
        ),
        columns=(str(figures_words.TIME) if is_over_time else str(figures_words.STEP_COLUMN), *values),
        rows=[
            (labels[row], *(f"{grouped(each[row])}{suffix}" for each in values.values()))
            for row in _some(range(len(points)))
        ],
        address=address(name),
    )


def _some(rows: range) -> list[int]:
    """Return rows for a table that people read: spread evenly, with the first and the last."""
    if len(rows) <= _MOST_ROWS:
        return list(rows)
    return sorted({round(number * (len(rows) - 1) / (_MOST_ROWS - 1)) for number in range(_MOST_ROWS)})
