"""The summary of a simulation as the parts of its page: numbers, before and after, which pods are pending and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.documents.explanation import read_cause, read_remedy
from clusters.documents.run_words import read_message, summary_in_words
from clusters.documents.words import sentence_of_uncertainty
from clusters.engine.conclusion import Conclusion
from clusters.engine.quotas import QuotaUncovered
from clusters.engine.simulation import Origin
from clusters.services.runs.results import forbidden_after, pending_after, placed_of, uncertain_groups, verdict
from clusters.wording.amounts import grouped, percent
from clusters.wording.conclusions import conclusion_word
from clusters.wording.lists import first_of
from clusters.wording.overview.cards import CLOSED as CLOSED_NODES
from clusters.wording.pending.names import KIND_WORDS, cause_name
from clusters.wording.pending.page import PENDING_FOR
from clusters.wording.problems import problem_sentence
from clusters.wording.remedies import remedy_sentence
from clusters.wording.runs import affected as affected_words
from clusters.wording.runs import summary as words
from clusters.wording.states import NEEDS_FORCE
from dashboard.pictures.meter import Meter, meter
from dashboard.presenters.pending.causes import BADGES
from dashboard.presenters.runs.affected import affected_tiles
from dashboard.presenters.runs.before_after import in_order, written

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Summary = Mapping[str, Any]

# The resources of tables that have room for three.
_SHOWN = ("cpu", "memory", "pods")
_NO_NAME = {"zones": words.NO_ZONE, "pools": words.NO_POOL}
_BLOCKED_NAMED = 5
# The causes beyond are folded away: the last ones are about a pod or two.
_CAUSES_SHOWN = 5
_POOLS_OPEN = 4
_EXAMPLES = 5
_TOKENS = {Conclusion.FITS: "fits", Conclusion.UNSCHEDULABLE: "rejected", Conclusion.UNCERTAIN: "uncertain"}


@dataclass(frozen=True, slots=True)
class PartRow:
    """A zone or a pool before and after; ``meters`` are pairs of both for CPU, memory and pods."""

    name: str
    nodes: str
    meters: tuple[tuple[str, Meter, Meter], ...]


@dataclass(frozen=True, slots=True)
class PendingGroup:
    """Pods that are pending for one cause; ``way`` says what would be enough for them.

    ``message`` is kube-scheduler's about the first of them, ``problem`` says what stands in its place.
    """

    title: str
    badge: tuple[str, str]
    message: str
    problem: str
    examples: tuple[str, ...]
    more: str
    way: str


@dataclass(frozen=True, slots=True)
class Uncertain:
    """Pods that are uncertain for the same; ``sentences`` say why."""

    title: str
    sentences: tuple[str, ...]
    examples: tuple[str, ...]
    more: str


@dataclass(frozen=True, slots=True)
class RefusedPods:
    """Pods that the API server refused for the same: its ``message`` to the first of them, its status as ``badge``."""

    title: str
    badge: str
    message: str
    examples: tuple[str, ...]
    more: str


def mark(summary: Summary) -> tuple[str, str] | None:
    """Return the verdict on what was asked: its token and its word; None where there was nothing to place."""
    conclusion = verdict(summary, even_pending=False).conclusion
    asked = (each["total"] for name, each in summary["origins"].items() if name != Origin.PENDING_BEFORE)
    if conclusion is Conclusion.FITS and not any(asked):
        return None
    return _TOKENS[conclusion], conclusion_word(conclusion)


def tiles(summary: Summary) -> list[tuple[str, str]]:
    """Return the key numbers."""
    steps, after, placed = summary["steps"], summary["after"]["cluster"], placed_of(summary)
    pending = pending_after(summary["origins"])
    affected = affected_tiles(summary)
    found = [
        *affected,
        (str(words.PLACED), grouped(placed.certain)),
        *([(str(words.PLACED_UNCERTAIN), grouped(placed.uncertain))] if placed.uncertain else []),
        *([] if affected else [(str(words.NEWLY_PENDING), grouped(pending.newly))]),
        (str(words.STILL_PENDING), grouped(pending.before)),
        (str(words.PREEMPTED), grouped(steps["preempted"])),
        (str(words.EVICTED), grouped(steps["evicted"])),
    ]
    if steps["deleted"]:
        found.append((str(words.DELETED), grouped(steps["deleted"])))
    if forbidden := forbidden_after(summary["origins"]):
        found.append((str(words.FORBIDDEN), grouped(forbidden)))
    if steps["refused"]:
        found.append((str(words.EVICTIONS_REFUSED), grouped(steps["refused"])))
    if steps["held"]:
        found.append((str(NEEDS_FORCE), grouped(steps["held"])))
    for resource in ("cpu", "memory"):
        each = after["amounts"].get(resource)
        if each:
            found.append((words.requested(resource), percent(each["requested"], each["allocatable"])))
    return found


def pending_split(summary: Summary) -> str:
    """Say how many of the pending pods are newly pending."""
    pending = pending_after(summary["origins"])
    return affected_words.PENDING_SPLIT(newly=pending.newly, before=pending.before)


@dataclass(frozen=True, slots=True)
class MoreCauses:
    """The causes that are folded away, and a sentence that counts them."""

    sentence: str
    groups: list[PendingGroup]


def pending_by_cause(summary: Summary) -> list[PendingGroup]:
    """Present the pods that are pending for the causes of most of them."""
    return [_pending_group(each) for each in summary["pending_causes"][:_CAUSES_SHOWN]]


def more_causes(summary: Summary) -> MoreCauses:
    """Present the pods that are pending for any other cause."""
    rest = summary["pending_causes"][_CAUSES_SHOWN:]
    sentence = words.more_causes(causes=len(rest), pods=sum(cause["pods"] for cause in rest))
    return MoreCauses(sentence, [_pending_group(each) for each in rest])


def _pending_group(cause: Mapping[str, Any]) -> PendingGroup:
    found = read_cause(cause)
    examples = tuple(cause["examples"])
    said = read_message(cause["message"])
    return PendingGroup(
        title=PENDING_FOR(pods=cause["pods"], cause=cause_name(found)),
        badge=(str(KIND_WORDS[found.kind]), BADGES.get(found.kind, "")),
        message=said.text,
        problem="" if said.problem is None else problem_sentence(said.problem),
        examples=examples,
        more=words.more_of_workloads(pods=max(0, cause["pods"] - len(examples)), workloads=cause["workloads"]),
        way=_way(cause),
    )


def _way(cause: Mapping[str, Any]) -> str:
    """Say which single change would be enough for the most of them."""
    way = cause["way"]
    if way is None:
        return ""
    frees, total = way["frees"], cause["pods"]
    if remedy := way["remedy"]:
        return " ".join((remedy_sentence(read_remedy(remedy)), words.would_fit(pods=frees, total=total)))
    if way["reduced"]:
        return words.would_fit_requesting_less(resources=way["reduced"], pods=frees, total=total)
    plugins = [each["plugin"] for each in way["lifted"]]
    return words.would_fit_without(plugins=plugins, pods=frees, total=total, nodes=way["nodes_gained"])


def uncertain(summary: Summary) -> list[Uncertain]:
    """Present the pods that were placed by all that is computed, those that are uncertain for the same together."""
    return [_uncertain(each) for each in sorted(uncertain_groups(summary), key=lambda group: -group["pods"])]


def _uncertain(group: Mapping[str, Any]) -> Uncertain:
    examples = tuple(group["examples"][:_EXAMPLES])
    more = group["pods"] - len(examples)
    return Uncertain(
        title=words.placed_uncertain(group["pods"]),
        sentences=tuple(map(sentence_of_uncertainty, group["why"])),
        examples=examples,
        more=words.AND_MORE(pods=more) if more > 0 else "",
    )


def refusals(summary: Summary) -> list[RefusedPods]:
    """Present the pods that the API server refused."""
    return [_refused(each) for each in summary["refusals"]]


def _refused(group: Mapping[str, Any]) -> RefusedPods:
    examples = tuple(group["examples"][:_EXAMPLES])
    more = group["pods"] - len(examples)
    pods, namespace, badge = group["pods"], group["namespace"], str(words.FORBIDDEN_BADGE)
    if group["limit_range"]:
        title = words.REFUSED_BY_LIMIT_RANGE(pods=pods, namespace=namespace, limit_range=group["limit_range"])
    elif group["kind"] == QuotaUncovered.kind:
        title = words.UNCOVERED(pods=pods, namespace=namespace)
        badge = badge if group["resources"] else str(words.ERROR_BADGE)
    elif group["quota"]:
        title = words.REFUSED_BY_QUOTA(pods=pods, namespace=namespace, quota=group["quota"])
    else:
        title, badge = words.INVALID_BY_DEFAULTS(pods=pods, namespace=namespace), str(words.INVALID_BADGE)
    return RefusedPods(
        title=title,
        badge=badge,
        message=group["message"],
        examples=examples,
        more=words.AND_MORE(pods=more) if more > 0 else "",
    )


def parts(summary: Summary, what: str) -> list[PartRow]:
    """Compare zones or pools (``what``) before and after; those that there are on one side only count too."""
    old = {each["name"]: each for each in summary["before"]["cluster"][what]}
    new = {each["name"]: each for each in summary["after"]["cluster"][what]}
    names = sorted(old.keys() | new.keys(), key=lambda name: (not name, name))
    return [_part(name, what, old.get(name), new.get(name)) for name in names]


def folded_pools(summary: Summary) -> str:
    """Return what opens the table of pools; empty where it is short enough to stand open."""
    pools = len(summary["after"]["cluster"]["pools"])
    return words.ALL_POOLS(pools=pools) if pools > _POOLS_OPEN else ""


def _part(name: str, what: str, old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> PartRow:
    shown = name or str(_NO_NAME[what])
    nodes = [each["nodes"] if each else 0 for each in (old, new)]
    count = grouped(nodes[1]) if nodes[0] == nodes[1] else f"{grouped(nodes[0])} → {grouped(nodes[1])}"
    closed = new["nodes"] - new["usable"] if new else 0
    return PartRow(
        name=shown,
        nodes=words.WITH_CLOSED(nodes=count, closed=CLOSED_NODES(nodes=closed)) if closed else count,
        meters=tuple(
            (
                words.resource_title(resource),
                _meter(words.meter_before(resource=resource, part=shown), resource, old),
                _meter(words.meter_after(resource=resource, part=shown), resource, new),
            )
            for resource in _SHOWN
        ),
    )


def _meter(name: str, resource: str, part: Mapping[str, Any] | None) -> Meter:
    each = (part or {}).get("amounts", {}).get(resource) or {"requested": 0, "allocatable": 0}
    return meter(name, each["requested"], each["allocatable"], lambda number: written(resource, number))


def fragmentation(summary: Summary) -> list[tuple[str, str]]:
    """Say for each shape of pod how many more fit after the run, and what of the free capacity is of no use to it."""
    shapes = summary["after"]["cluster"]["fragmentation"]
    return [(words.pod_shape(in_order(each["requests"])), _room(each)) for each in shapes]


def _room(each: Mapping[str, Any]) -> str:
    fit = words.room_of_shape(pods=each["pods"], nodes=each["nodes"], is_whole=each["is_whole"])
    lost = [
        words.share_of_free(share=percent(number, each["free"][resource]), resource=resource)
        for resource, number in in_order(each["unusable"])
        if number
    ]
    return " ".join((fit, words.of_no_use(lost))) if lost else fit


def stranded(summary: Summary) -> str:
    """Say what is left on nodes where another resource is nearly used up; empty where nothing is."""
    parts = [
        words.stranded(
            resource=each["resource"], amount=each["left"], nodes=each["nodes"], insufficient=each["for_lack"]
        )
        for each in summary["after"]["cluster"]["stranded"]
        if each["left"]
    ]
    return words.all_stranded(parts) if parts else ""


def budgets(summary: Summary) -> str:
    """Say which budgets allow no eviction after the run; empty where all allow some."""
    blocked: Sequence[str] = summary["after"]["budgets"]["blocked"]
    return words.NO_DISRUPTION_ALLOWED(budgets=first_of(blocked, most=_BLOCKED_NAMED)) if blocked else ""


def notes(summary: Summary) -> list[str]:
    """Return what was simplified, left out or relaxed."""
    told = summary_in_words(summary)
    return [*told["notes"], *told["relaxed"]]
