"""The summary of a simulation: numbers, before and after, who is the worse for it, and its pods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from django.urls import reverse
from django.utils.http import urlencode
from msgspec import Struct

from clusters.documents.explanation import read_cause, read_remedy
from clusters.documents.words import (
    both_ways,
    message_in_words,
    read_group,
    read_message,
    sentence_of_uncertainty,
    summary_in_words,
)
from clusters.engine.conclusion import Conclusion
from clusters.engine.configuration import NoScheduler
from clusters.engine.quotas import QuotaUncovered
from clusters.engine.simulation import GroupEnd, GroupResult, Origin, WorkloadEffect
from clusters.models import Cluster, RunPod
from clusters.services.runs.results import (
    PendingAfter,
    forbidden_after,
    pending_after,
    placed_of,
    uncertain_groups,
    verdict,
)
from clusters.services.runs.summary import effect_of
from clusters.wording import amounts, counts, lists
from clusters.wording.amounts import Unit, grouped, percent, resource_unit, signed
from clusters.wording.conclusions import conclusion_word
from clusters.wording.lists import NOT_LISTED, OF, first_of, listed
from clusters.wording.overview import CLOSED as CLOSED_NODES
from clusters.wording.pending import KIND_WORDS, PENDING_FOR, cause_name
from clusters.wording.problems import problem_sentence
from clusters.wording.remedies import remedy_sentence
from clusters.wording.resources import resource_amount, resource_name, resource_names
from clusters.wording.runs import groups as groups_words, summary as summary_words
from clusters.wording.runs.summary import OUTCOMES
from clusters.wording.states import NEEDS_FORCE
from dashboard.pictures.meter import Meter, meter
from dashboard.presenters.pending import BADGES
from dashboard.presenters.pod_groups import known_pages
from dashboard.presenters.shared.page import address, node_links, workload_links

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Summary = Mapping[str, Any]
    # A zone or a pool: its name, its nodes, and pairs of meters, before and after, for CPU, memory and pods.
    _Part = tuple[str, str, list[tuple[str, Meter, Meter]]]

_Amount = TypeVar("_Amount")

_FIRST = ("cpu", "memory", "pods", "ephemeral-storage")


def written(resource: str, number: int) -> str:
    """Write an amount of a resource in its unit."""
    unit = resource_unit(resource)
    if unit is Unit.BYTES:
        return amounts.size(number)
    return amounts.grouped(number) if resource == "pods" else amounts.quantity(resource, number)


def in_order(amounts: Mapping[str, _Amount]) -> list[tuple[str, _Amount]]:
    """Return amounts by resource in one order wherever they come from: PostgreSQL keeps the keys of JSON in its own."""
    return sorted(
        amounts.items(), key=lambda each: (_FIRST.index(each[0]) if each[0] in _FIRST else len(_FIRST), each[0])
    )


class BeforeAfter(Struct, frozen=True):
    """One thing that changed: what it was, what it is, and whether that is better (good), worse (bad) or neither."""

    name: str
    before: str
    after: str
    change: str
    kind: str


def before_after(summary: Summary) -> list[BeforeAfter]:
    """Compare the cluster before and after."""
    old, pending = summary["before"], pending_after(summary["origins"])
    before = PendingAfter(0, old["cluster"]["pending"])
    return compared(old, summary["after"], before, pending)


def compared(old: Summary, new: Summary, before: PendingAfter, after: PendingAfter) -> list[BeforeAfter]:
    """Compare two clusters, each with its pending pods."""
    rows = [
        _numbers(str(summary_words.NODES), old["cluster"]["nodes"], new["cluster"]["nodes"]),
        _numbers(str(summary_words.OPEN_NODES), old["cluster"]["usable"], new["cluster"]["usable"], better=1),
        _numbers(str(summary_words.EMPTY_NODES), old["cluster"]["empty"], new["cluster"]["empty"]),
        _numbers(str(summary_words.PODS_ON_NODES), old["cluster"]["pods"], new["cluster"]["pods"]),
        _numbers(str(summary_words.PENDING_BEFORE), before.before, after.before, better=-1),
        _numbers(str(summary_words.NEWLY_PENDING_PODS), before.newly, after.newly, better=-1),
    ]
    rows += [_open(resource, old, new) for resource in ("cpu", "memory")]
    for resource, each in in_order(new["cluster"]["amounts"]):
        was = old["cluster"]["amounts"].get(resource, {"requested": 0, "allocatable": 0})
        if resource != "pods" and (each["allocatable"] or was["allocatable"]):
            rows.append(_share(summary_words.requested(resource), was, each))
    rows += [
        _numbers(str(summary_words.VIOLATED), _violated(old), _violated(new), better=-1),
        _numbers(str(summary_words.LARGEST_SKEW), old["spread"]["widest"], new["spread"]["widest"], better=-1),
        _numbers(str(summary_words.ALLOWED), old["budgets"]["granted"], new["budgets"]["granted"], better=1),
        _numbers(
            str(summary_words.ALLOW_NONE), len(old["budgets"]["blocked"]), len(new["budgets"]["blocked"]), better=-1
        ),
    ]
    return rows


def _open(resource: str, old: Summary, new: Summary) -> BeforeAfter:
    """Compare what is allocatable on the nodes that accept pods."""
    before, after = (each["cluster"]["open"].get(resource, 0) for each in (old, new))
    sign, kind = ("+", "good") if after > before else ("−", "bad")
    change = f"{sign}{written(resource, abs(after - before))}" if after != before else ""
    name = summary_words.OPEN_CAPACITY(resource=summary_words.resource_title(resource))
    return BeforeAfter(name, written(resource, before), written(resource, after), change, kind if change else "")


def _violated(measured: Summary) -> int:
    number: int = measured["spread"]["hard_violated"] + measured["spread"]["soft_violated"]
    return number


def _numbers(name: str, before: int, after: int, better: int = 0) -> BeforeAfter:
    """Compare two numbers; ``better`` is 1 where more is better, -1 where less is, 0 where nobody can say."""
    difference = after - before
    kind = "" if not difference or not better else "good" if difference * better > 0 else "bad"
    return BeforeAfter(name, grouped(before), grouped(after), signed(difference) if difference else "", kind)


def emptied(before: Summary, after: Summary) -> str:
    """Write how many more nodes of a measured cluster are empty than before, with its sign."""
    return signed(after["cluster"]["empty"] - before["cluster"]["empty"])


def _share(name: str, before: Mapping[str, int], after: Mapping[str, int]) -> BeforeAfter:
    shares = [100 * each["requested"] / each["allocatable"] if each["allocatable"] else 0.0 for each in (before, after)]
    difference = shares[1] - shares[0]
    change = (
        ""
        if abs(difference) < 0.05
        else summary_words.POINTS(difference=f"{'+' if difference > 0 else '−'}{abs(difference):.1f}")
    )
    texts = [f"{percent(each['requested'], each['allocatable'])}" for each in (before, after)]
    return BeforeAfter(name, texts[0], texts[1], change, "")


_AFFECTED_SHOWN = 15
_AFFECTED_BADGES = {
    WorkloadEffect.LOSES_QUORUM: "bad",
    WorkloadEffect.STOPPED: "bad",
    WorkloadEffect.QUORUM_INTERRUPTED: "warn",
    WorkloadEffect.RUNS_FEWER: "warn",
    WorkloadEffect.MORE_PENDING: "warn",
    WorkloadEffect.RECREATED: "good",
}


class AffectedRow(NamedTuple):
    """A workload as summaries store it, and its addresses; ``url`` is empty where the cluster has no such workload."""

    workload: Mapping[str, Any]
    url: str
    pods_url: str

    @property
    def badge(self) -> tuple[str, str]:
        """The effect, and the kind of its badge."""
        effect = effect_of(self.workload)
        return str(summary_words.EFFECTS[effect]), _AFFECTED_BADGES[effect]


def affected_of(summary: Summary) -> Mapping[str, Any] | None:
    """Return what a run did to running pods; None where it made none leave its node."""
    found: Mapping[str, Any] = summary["affected"]
    return found if found["left"] else None


def affected_headline(summary: Summary) -> str:
    """Say what a loss or a drain comes to; empty for a run that makes no running pod leave."""
    found = affected_of(summary)
    if found is None:
        return ""
    return " ".join(filter(None, summary_words.affected_sentences(found, pending_after(summary["origins"]).newly)))


def affected_tiles(summary: Summary) -> list[tuple[str, str]]:
    """Return the key numbers of a loss or a drain."""
    found = affected_of(summary)
    if found is None:
        return []
    said = [
        (str(summary_words.NEWLY_PENDING), pending_after(summary["origins"]).newly),
        (str(summary_words.WORKLOADS), found["workloads"]),
        (str(summary_words.FEWER), found["fewer"]),
        (str(summary_words.QUORUM_LOST), found["quorum_lost"] + found["quorum_interrupted"]),
        (str(summary_words.BUDGETS), found["budgets"]),
    ]
    return [(name, grouped(number)) for name, number in said]


def affected_view(summary: Summary, run: int, cluster: Cluster | None) -> dict[str, Any] | None:
    """Present the workloads that are affected, the gravest first, and broken budgets with their addresses."""
    found = affected_of(summary)
    if found is None:
        return None
    first: Sequence[Mapping[str, Any]] = found["first"]
    links = workload_links(cluster, [(each["kind"], each["namespace"], each["name"]) for each in first])
    rows = [
        AffectedRow(each, links.get((each["kind"], each["namespace"], each["name"]), ""), _pods_address(run, each))
        for each in first
    ]
    grave = sum(bool(each["missing"] or each["pending"] or each["quorum"] != "kept") for each in first) or min(
        _AFFECTED_SHOWN, len(rows)
    )
    others = len(first) - grave
    return {
        "rows": rows[:grave],
        "more": rows[grave:],
        "more_title": summary_words.MORE_WORKLOADS(workloads=others) if others else "",
        "not_listed": NOT_LISTED(number=found["workloads"] - len(first)) if found["workloads"] > len(first) else "",
        "budgets": [(each, _budget_address(each["budget"], cluster)) for each in found["broken_budgets"]],
    }


def _pods_address(run: int, each: Mapping[str, Any]) -> str:
    """Return the table of the run's pods with those of a workload alone."""
    if each["kind"] == "Pod":
        query = {"q": f"{each['namespace']}/{each['name']}"}
    else:
        query = {"namespace": each["namespace"], "workload": f"{each['kind']}/{each['name']}"}
    return f"{reverse('run', kwargs={'pk': run})}?{urlencode(query)}#pods"


def _budget_address(budget: str, cluster: Cluster | None) -> str:
    namespace, _, name = budget.partition("/")
    return "" if cluster is None else address("budget", cluster=cluster.name, namespace=namespace, name=name)


COLUMNS = ("namespace", "pod", "workload", "outcome", "node", "step", "attempts", "message")

_PODS_BADGES = {
    RunPod.Outcome.PLACED: "good",
    RunPod.Outcome.UNCERTAIN: "uncertain",
    RunPod.Outcome.UNSCHEDULABLE: "bad",
    RunPod.Outcome.FORBIDDEN: "bad",
    RunPod.Outcome.NOT_COMPUTED: "warn",
    RunPod.Outcome.PREEMPTED: "warn",
    RunPod.Outcome.EVICTED: "warn",
    RunPod.Outcome.DELETED: "warn",
    RunPod.Outcome.REFUSED: "warn",
    RunPod.Outcome.HELD: "warn",
}
_DECIDED = (RunPod.Outcome.PLACED, RunPod.Outcome.UNCERTAIN, RunPod.Outcome.UNSCHEDULABLE)


class RunPodRow(NamedTuple):
    """One pod; ``url``: its decision in the run, or the step at which it ended.

    ``workload_url`` and ``node_url`` are empty where the cluster has no such object, which then is one that the
    simulation added.
    """

    pod: RunPod
    badge: tuple[str, str]
    message: str
    url: str
    workload_url: str
    node_url: str


def decision_of(pod: RunPod) -> int | None:
    """Return the step that decided about a pod, None where none did; it needs the pod's outcome, message and step."""
    if RunPod.Outcome(pod.outcome) not in _DECIDED:
        return None
    return None if isinstance(read_message(pod.message).problem, NoScheduler) else pod.step


def pod_rows(pods: Sequence[RunPod], cluster: Cluster | None) -> list[RunPodRow]:
    """Present pods of a run with links to the objects of its cluster."""
    nodes = node_links(cluster, (pod.node_name for pod in pods if pod.node_name))
    workloads = workload_links(cluster, (_workload(pod) for pod in pods if pod.workload))
    return [_pod_row(pod, workloads.get(_workload(pod), ""), nodes.get(pod.node_name, "")) for pod in pods]


def _workload(pod: RunPod) -> tuple[str, str, str]:
    kind, _, name = pod.workload.partition("/")
    return kind, pod.namespace, name


def _pod_row(pod: RunPod, workload_url: str, node_url: str) -> RunPodRow:
    outcome, decision = RunPod.Outcome(pod.outcome), decision_of(pod)
    if decision is None:
        url = reverse("run-state", kwargs={"pk": pod.run_id, "number": pod.step})
    else:
        url = reverse("run-decision", kwargs={"pk": pod.run_id, "number": decision})
    return RunPodRow(
        pod,
        badge=(str(OUTCOMES[outcome]), _PODS_BADGES.get(outcome, "")),
        message="" if outcome is RunPod.Outcome.PLACED else message_in_words(pod.message),
        url=url,
        workload_url=workload_url,
        node_url=node_url,
    )


def cells(pod: RunPod) -> tuple[str | int, ...]:
    """Return a pod's row of the file."""
    return (
        pod.namespace, pod.name, pod.workload, pod.outcome, pod.node_name, pod.step + 1, pod.attempts,
        message_in_words(pod.message),
    )  # fmt: skip


_POD_GROUPS_BADGES: Final = {
    GroupEnd.PLACED: "good",
    GroupEnd.PARTLY_PLACED: "warn",
    GroupEnd.TOO_FEW_PODS: "info",
    GroupEnd.PREEMPTION: "warn",
    GroupEnd.GATED: "info",
    GroupEnd.UNCERTAIN: "uncertain",
}
_BAD: Final = "bad"


class GroupWay(Struct, frozen=True):
    """What one way to place pods makes of a group: how many have a node, and a badge's text and kind.

    ``counted`` stands alone where there is no answer.
    """

    counted: str
    badge: tuple[str, str] = ("", "")


class SimulatedGroup(Struct, frozen=True):
    """A group of a simulation; ``sentence`` says how the run leaves it, ``refused`` leads to the pod that it names.

    ``url``: its page, empty for one that the run's cluster does not have.
    """

    name: str
    url: str
    policy: str
    ways: tuple[GroupWay, GroupWay]
    sentence: str
    refused: str


def pod_groups(summary: Mapping[str, Any], cluster: Cluster | None) -> list[SimulatedGroup]:
    """Present the groups of a run on a cluster, those first of which pods are pending."""
    stored = sorted(summary["pod_groups"], key=lambda each: each["end"] == GroupEnd.PLACED)
    pages = known_pages(cluster, [each["group"] for each in stored])
    return [_group(each, pages.get(each["group"], "")) for each in stored]


def _group(stored: Mapping[str, Any], url: str) -> SimulatedGroup:
    result = read_group(stored)
    first, second = both_ways(stored)
    return SimulatedGroup(
        name=result.group,
        url=url,
        policy=groups_words.policy_of(result),
        ways=(_pod_groups_way(first), _pod_groups_way(second)),
        sentence=groups_words.group_sentence(result),
        refused=result.refused,
    )


def _pod_groups_way(result: GroupResult | None) -> GroupWay:
    if result is None:
        return GroupWay(str(groups_words.NO_ANSWER_BESIDE))
    badge = groups_words.end_word(result.end), _POD_GROUPS_BADGES.get(result.end, _BAD)
    return GroupWay(OF(part=result.placed, whole=result.pods), badge)


# The resources of tables that have room for three.
_SUMMARY_SHOWN = ("cpu", "memory", "pods")
_NO_NAME = {"zones": summary_words.NO_ZONE, "pools": summary_words.NO_POOL}
_BLOCKED_NAMED = 5
# The causes beyond are folded away: the last ones are about a pod or two.
_CAUSES_SHOWN = 5
_POOLS_OPEN = 4
_EXAMPLES = 5
_TOKENS = {Conclusion.FITS: "fits", Conclusion.UNSCHEDULABLE: "rejected", Conclusion.UNCERTAIN: "uncertain"}


class PendingGroup(Struct, frozen=True):
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


class Uncertain(Struct, frozen=True):
    """Pods that are uncertain for the same; ``sentences`` say why."""

    title: str
    sentences: tuple[str, ...]
    examples: tuple[str, ...]
    more: str


class RefusedPods(Struct, frozen=True):
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
        (str(summary_words.PLACED), grouped(placed.certain)),
        *([(str(summary_words.PLACED_UNCERTAIN), grouped(placed.uncertain))] if placed.uncertain else []),
        *([] if affected else [(str(summary_words.NEWLY_PENDING), grouped(pending.newly))]),
        (str(summary_words.STILL_PENDING), grouped(pending.before)),
        (str(summary_words.PREEMPTED), grouped(steps["preempted"])),
        (str(summary_words.EVICTED), grouped(steps["evicted"])),
    ]
    if steps["deleted"]:
        found.append((str(summary_words.DELETED), grouped(steps["deleted"])))
    if forbidden := forbidden_after(summary["origins"]):
        found.append((str(summary_words.FORBIDDEN), grouped(forbidden)))
    if steps["refused"]:
        found.append((str(summary_words.EVICTIONS_REFUSED), grouped(steps["refused"])))
    if steps["held"]:
        found.append((str(NEEDS_FORCE), grouped(steps["held"])))
    for resource in ("cpu", "memory"):
        each = after["amounts"].get(resource)
        if each:
            found.append(
                (
                    summary_words.requested(resource),
                    percent(each["requested"], each["allocatable"]),
                )
            )
    return found


def pending_by_cause(summary: Summary) -> list[PendingGroup]:
    """Present the pods that are pending for the causes of most of them."""
    return [_pending_group(each) for each in summary["pending_causes"][:_CAUSES_SHOWN]]


def more_causes(summary: Summary) -> dict[str, Any]:
    """Present the pods that are pending for any other cause; the sentence counts them."""
    rest = summary["pending_causes"][_CAUSES_SHOWN:]
    sentence = summary_words.MORE_CAUSES(
        causes=len(rest), pods=counts.PODS(number=sum(cause["pods"] for cause in rest))
    )
    return {"sentence": sentence, "groups": [_pending_group(each) for each in rest]}


def _pending_group(cause: Mapping[str, Any]) -> PendingGroup:
    found = read_cause(cause)
    examples, workloads = tuple(cause["examples"]), cause["workloads"]
    others = cause["pods"] - len(examples)
    said = read_message(cause["message"])
    return PendingGroup(
        title=PENDING_FOR(pods=cause["pods"], cause=cause_name(found)),
        badge=(str(KIND_WORDS[found.kind]), BADGES.get(found.kind, "")),
        message=said.text,
        problem="" if said.problem is None else problem_sentence(said.problem),
        examples=examples,
        more=summary_words.MORE_OF_WORKLOADS(pods=others, workloads=workloads)
        if others > 0
        else summary_words.OF_WORKLOADS(workloads=workloads),
        way=_summary_way(cause),
    )


def _summary_way(cause: Mapping[str, Any]) -> str:
    """Say which single change would be enough for the most of them."""
    way = cause["way"]
    if way is None:
        return ""
    frees, total = way["frees"], cause["pods"]
    if remedy := way["remedy"]:
        return summary_words.WOULD_FIT(remedy=remedy_sentence(read_remedy(remedy)), pods=frees, total=total)
    if way["reduced"]:
        reduced = resource_names(way["reduced"])
        return summary_words.WOULD_FIT_REQUESTING_LESS(resources=reduced, pods=frees, total=total)
    plugins = listed(each["plugin"] for each in way["lifted"])
    return summary_words.WOULD_FIT_WITHOUT(plugins=plugins, pods=frees, total=total, nodes=way["nodes_gained"])


def uncertain(summary: Summary) -> list[Uncertain]:
    """Present the pods that were placed by all that is computed, those that are uncertain for the same together."""
    return [_uncertain(each) for each in sorted(uncertain_groups(summary), key=lambda group: -group["pods"])]


def _uncertain(group: Mapping[str, Any]) -> Uncertain:
    examples = tuple(group["examples"][:_EXAMPLES])
    more = group["pods"] - len(examples)
    return Uncertain(
        title=summary_words.PODS_UNCERTAIN(pods=group["pods"]),
        sentences=tuple(map(sentence_of_uncertainty, group["why"])),
        examples=examples,
        more=lists.and_more(more),
    )


def refusals(summary: Summary) -> list[RefusedPods]:
    """Present the pods that the API server refused."""
    return [_refused(each) for each in summary["refusals"]]


def _refused(group: Mapping[str, Any]) -> RefusedPods:
    examples = tuple(group["examples"][:_EXAMPLES])
    more = group["pods"] - len(examples)
    pods, namespace, badge = counts.PODS(number=group["pods"]), group["namespace"], str(summary_words.FORBIDDEN_BADGE)
    if group["limit_range"]:
        title = summary_words.REFUSED_BY_LIMIT_RANGE(pods=pods, namespace=namespace, limit_range=group["limit_range"])
    elif group["kind"] == QuotaUncovered.kind:
        title = summary_words.UNCOVERED(pods=pods, namespace=namespace)
        badge = badge if group["resources"] else str(summary_words.ERROR_BADGE)
    elif group["quota"]:
        title = summary_words.REFUSED_BY_QUOTA(pods=pods, namespace=namespace, quota=group["quota"])
    else:
        title, badge = (
            summary_words.INVALID_BY_DEFAULTS(pods=pods, namespace=namespace),
            str(summary_words.INVALID_BADGE),
        )
    return RefusedPods(
        title=title,
        badge=badge,
        message=group["message"],
        examples=examples,
        more=lists.and_more(more),
    )


def parts(summary: Summary, what: str) -> list[_Part]:
    """Compare zones or pools (``what``) before and after; those on one side only count too."""
    old = {each["name"]: each for each in summary["before"]["cluster"][what]}
    new = {each["name"]: each for each in summary["after"]["cluster"][what]}
    names = sorted(old.keys() | new.keys(), key=lambda name: (not name, name))
    return [_part(name, what, old.get(name), new.get(name)) for name in names]


def folded_pools(summary: Summary) -> str:
    """Return what opens the table of pools; empty where it is short enough to stand open."""
    pools = len(summary["after"]["cluster"]["pools"])
    return summary_words.ALL_POOLS(number=pools) if pools > _POOLS_OPEN else ""


def _part(name: str, what: str, old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> _Part:
    shown = name or str(_NO_NAME[what])
    nodes = [each["nodes"] if each else 0 for each in (old, new)]
    count = grouped(nodes[1]) if nodes[0] == nodes[1] else f"{grouped(nodes[0])} → {grouped(nodes[1])}"
    closed = new["nodes"] - new["usable"] if new else 0
    return (
        shown,
        f"{count}, {CLOSED_NODES(nodes=closed)}" if closed else count,
        [
            (
                title,
                _meter(summary_words.METER_BEFORE(resource=title, part=shown), resource, old),
                _meter(summary_words.METER_AFTER(resource=title, part=shown), resource, new),
            )
            for resource in _SUMMARY_SHOWN
            for title in [summary_words.resource_title(resource)]
        ],
    )


def _meter(name: str, resource: str, part: Mapping[str, Any] | None) -> Meter:
    each = (part or {}).get("amounts", {}).get(resource) or {"requested": 0, "allocatable": 0}
    return meter(name, each["requested"], each["allocatable"], lambda number: written(resource, number))


def fragmentation(summary: Summary) -> list[tuple[str, str]]:
    """Say for each shape of pod how many more fit after the run, and what of the free capacity is of no use to it."""
    shapes = summary["after"]["cluster"]["fragmentation"]
    return [(summary_words.pod_shape(in_order(each["requests"])), _room(each)) for each in shapes]


def _room(each: Mapping[str, Any]) -> str:
    if each["is_whole"]:
        fit = summary_words.MORE_FIT(pods=each["pods"], nodes=counts.NODES(number=each["nodes"]))
    else:
        fit = summary_words.AT_LEAST(pods=each["pods"])
    lost = [
        summary_words.SHARE_OF_FREE(share=percent(number, each["free"][resource]), resource=resource_name(resource))
        for resource, number in in_order(each["unusable"])
        if number
    ]
    return summary_words.OF_NO_USE(fit=fit, shares=listed(lost)) if lost else fit


def stranded(summary: Summary) -> str:
    """Say what is left on nodes where another resource is nearly used up; empty where nothing is."""
    parts = [
        summary_words.STRANDED(
            amount=resource_amount(each["resource"], each["left"]),
            nodes=counts.NODES(number=each["nodes"]),
            resources=resource_names(each["for_lack"]),
        )
        for each in summary["after"]["cluster"]["stranded"]
        if each["left"]
    ]
    return summary_words.ALL_STRANDED(parts="; ".join(parts)) if parts else ""


def budgets(summary: Summary) -> str:
    """Say which budgets allow no eviction after the run; empty where all allow some."""
    blocked: Sequence[str] = summary["after"]["budgets"]["blocked"]
    return summary_words.NO_DISRUPTION_ALLOWED(budgets=first_of(blocked, most=_BLOCKED_NAMED)) if blocked else ""


def notes(summary: Summary) -> list[str]:
    """Return what was simplified, left out or relaxed."""
    told = summary_in_words(summary)
    return [*told["notes"], *told["relaxed"]]
