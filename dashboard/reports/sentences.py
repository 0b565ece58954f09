"""The sentences of each section of a review, made from its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.wording.amounts import counted, cpu, grouped, percent, size
from clusters.wording.resources import resource_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Data = Mapping[str, Any]
    Said = list[tuple[str, str, str]]

# A cluster that is fuller than this has little left for a node that fails.
_FULL = 0.85


def amount(resource: str, number: int) -> str:
    """Write an amount of a resource with its unit."""
    if resource == "cpu":
        return cpu(number)
    if resource in ("memory", "ephemeral-storage") or resource.startswith("hugepages-"):
        return size(number)
    return grouped(number)


def _of(facts: Data, resource: str) -> tuple[int, int]:
    found = facts["resources"].get(resource, {"requested": 0, "allocatable": 0})
    return found["requested"], found["allocatable"]


# -- sections ----------------------------------------------------------------------------------------------------------


def _run(facts: Data) -> str:
    newly, before = pending_after_run(facts)
    outcome = f"{counted(newly, 'pod is', 'pods are')} newly pending" if newly else "no pod is newly pending"
    still = f"; {counted(before, 'pod is', 'pods are')} still pending" if before else ""
    return f"The simulation placed {placed_pods(facts)}, and {outcome}{still}."


def placed_pods(facts: Data) -> str:
    """Say how many pods a run placed, and how many only if what is not computed lets them."""
    placed, uncertain = facts["pods"].get("placed", 0), facts["pods"].get("uncertain", 0)
    if not uncertain:
        return counted(placed, "pod", "pods")
    return f"{counted(placed, 'pod', 'pods')} for certain and {counted(uncertain, 'pod', 'pods')} uncertainly"


def pending_after_run(facts: Data) -> tuple[int, int]:
    """Return how many pods are newly pending and how many still; reviews of before told their sum alone."""
    return facts.get("newly_pending", facts["left_over"]), facts.get("still_pending", 0)


def _run_paragraphs(facts: Data) -> list[str]:
    return [
        (
            f"Run {facts['id']}, “{facts['title']}”, took {counted(facts['steps'], 'step', 'steps')} with the seed "
            f"{facts['seed']}. The sections below are about the cluster as the run left it."
        )
    ]


def _utilisation(facts: Data) -> str:
    nodes, pods = facts["nodes"], facts["pods"]
    return (
        f"The pods request {percent(*_of(facts, 'cpu'))} of the CPU and {percent(*_of(facts, 'memory'))} of the memory "
        f"of {counted(nodes['total'], 'node', 'nodes')}; {counted(pods['placed'], 'pod lies', 'pods lie')} on "
        "them, and "
        f"{counted(pods['pending'], 'waits', 'wait')}."
    )


def _utilisation_paragraphs(facts: Data) -> list[str]:
    (cpu_asked, cpu_there), (memory_asked, memory_there) = _of(facts, "cpu"), _of(facts, "memory")
    idle = [name for name, each in facts["resources"].items() if each["allocatable"] and not each["requested"]]
    ails = [
        counted(facts["nodes"][key], one, many)
        for key, one, many in (
            ("not_ready", "node is not ready", "nodes are not ready"),
            ("pressure", "node is under pressure", "nodes are under pressure"),
            ("cordoned", "node is cordoned", "nodes are cordoned"),
        )
        if facts["nodes"][key]
    ]
    return [
        (
            f"Requested are {cpu(cpu_asked)} of {cpu(cpu_there)} and {size(memory_asked)} of "
            f"{size(memory_there)}. Requests "
            "are what the scheduler counts; what pods really use is not known here."
        ),
        f"{_listed(ails)}." if ails else "",
        f"Nobody requests {_listed([resource_name(name) for name in idle])}." if idle else "",
    ]


def _utilisation_callouts(facts: Data) -> Said:
    full = [
        resource_name(name)
        for name in ("cpu", "memory", "pods")
        if _of(facts, name)[1] and _of(facts, name)[0] / _of(facts, name)[1] > _FULL
    ]
    if not full:
        return []
    text = "A node that fails, or the next release, may leave pods without a place."
    return [("warn", f"More than {_FULL * 100:.0f} % is requested of: {_listed(full)}", text)]


def _cost(facts: Data) -> str:
    money = facts["currency"]
    return (
        f"What can be allocated costs {priced(facts['allocatable'])} {money} a month; {priced(facts['requested'])} "
        f"{money} of it is requested, and {priced(facts['idle'])} {money} is not."
    )


def _cost_paragraphs(facts: Data) -> list[str]:
    return [
        (
            f"By the prices that were given: {facts['cpu_hour']} {facts['currency']} for an hour of a CPU and "
            f"{facts['memory_gib_hour']} {facts['currency']} for an hour of a GiB of memory; a month has "
            f"{facts['hours']} "
            "hours."
        )
    ]


def _trend(facts: Data) -> str:
    if facts["taken"] < 2:
        return "There is no trend yet: " + (
            "one sample of the cluster was taken." if facts["taken"] else "no sample of the period was taken."
        )
    asked = facts["series"]["cpu"]["requested"], facts["series"]["memory"]["requested"]
    moved = [f"{name} {_change(each[0], each[-1])}" for name, each in zip(("of CPU", "of memory"), asked, strict=True)]
    return f"Over the period the requests {_listed(moved)}."


def _change(first: int, last: int) -> str:
    if not first or first == last:
        return "stayed as they were" if first == last else "began at nothing"
    share = abs(last - first) / first
    return f"{'grew' if last > first else 'shrank'} by {100 * share:.1f} %"


def _trend_paragraphs(facts: Data) -> list[str]:
    if facts["taken"] < 2:
        return ["Berth samples every cluster once an hour; a cluster that is read from a dump has one sample a dump."]
    drawn = len(facts["times"])
    thinned = f", of which {grouped(drawn)} are shown" if drawn < facts["taken"] else ""
    return [
        (
            f"{counted(facts['taken'], 'sample', 'samples')}{thinned}. “Full at” goes on from the first and the last "
            "sample in a straight line, as if nothing else were going to change."
        )
    ]


def _stranded(facts: Data) -> str:
    if not facts["resources"]:
        return "No CPU and no memory is stranded: where one is nearly gone, the other is too."
    parts = [
        amount(name, each["left"]) + ("" if name == "cpu" else f" of {resource_name(name)}")
        for name, each in facts["resources"].items()
    ]
    where = counted(facts["nodes"], "node", "nodes")
    return f"{_listed(parts)} can hardly be used by any pod, on {where} where something else is nearly gone."


def _stranded_paragraphs(facts: Data) -> list[str]:
    taints = counted(facts["taints"], "taint keeps", "taints keep")
    full = counted(facts["full_of_pods"], "node has", "nodes have")
    return [
        (
            "A resource is stranded on a node when less than half of it is requested while more than nine "
            "tenths of another "
            "one are."
        ),
        f"{taints} pods away and no pod tolerates it but those of DaemonSets." if facts["taints"] else "",
        f"{full} CPU and memory left, and no place for one more pod." if facts["full_of_pods"] else "",
    ]


def _headroom(facts: Data) -> str:
    return (
        f"How many more pods of {counted(facts['shapes'], 'shape', 'shapes')} fit, each by itself, placed as the "
        "scheduler places them, without preempting anybody."
    )


def _headroom_paragraphs(facts: Data) -> list[str]:
    uncounted = ""
    if number := facts.get("uncounted"):
        shapes = counted(number, "shape is", "shapes are")
        uncounted = f"{shapes} not counted: there is no pod to be like, or another scheduler places such pods."
    return [uncounted, *_losses(facts)]


def _losses(facts: Data) -> list[str]:
    if not facts["is_played"]:
        pods = grouped(facts["most_played"])
        return [f"Losses are not played through with more than {pods} pods on nodes, or where no shape can be counted."]
    played, kinds = facts["nodes_played"], facts["kinds_of_nodes"]
    looked = (
        f"The worst node was looked for among {counted(played, 'node', 'nodes')}, those whose loss takes most, of "
        f"{counted(kinds, 'kind', 'kinds')} that differ in what they have and hold."
    )
    return [
        "After the loss of a node or a zone its pods are first recreated by their controllers and scheduled elsewhere.",
        "Newly pending are those of them that fit nowhere, and pods preempted for others that fit nowhere.",
        looked if played < kinds else "",
        "" if facts["zones"] else "There are not several zones, so none can be lost without all.",
    ]


def _spread(facts: Data) -> str:
    if not facts["violated"]:
        return f"None of {counted(facts['groups'], 'spread constraint', 'spread constraints')} is violated."
    blocking = facts["blocking"]
    hard = f", and {counted(blocking, 'of them keeps', 'of them keep')} pods pending" if blocking else ""
    groups = counted(facts["groups"], "spread constraint", "spread constraints")
    return f"{grouped(facts['violated'])} of {groups} {'is' if facts['violated'] == 1 else 'are'} violated{hard}."


def _spread_paragraphs(facts: Data) -> list[str]:
    unreadable = counted(facts["unreadable"], "pod template has", "pod templates have")
    return [f"{unreadable} constraints that Kubernetes would refuse." if facts["unreadable"] else ""]


def drainable(facts: Data) -> str:
    """Say how many nodes can be drained now, as the drain page counts them."""
    outlook, nodes = facts["outlook"], facts["nodes"]
    free, of = outlook["now"] + outlook["allowed"], counted(nodes, "node", "nodes")
    # Where room elsewhere was not looked for, no more is known.
    can = f"Budgets and controllers let {grouped(free)} of {of} be drained now"
    if not outlook["allowed"]:
        lacking = outlook.get("room", 0)
        room = f", and {grouped(lacking)} more could if their pods found room elsewhere" if lacking else ""
        can = f"{grouped(free)} of {of} can be drained now, each by itself{room}"
    return can


def _maintenance(facts: Data) -> str:
    return (
        f"{drainable(facts)}; "
        f"{counted(facts['blocking'], 'budget allows', 'budgets allow')} no eviction, "
        f"{counted(facts['lasting'], 'of them', 'of them')} until somebody changes something."
    )


def _maintenance_paragraphs(facts: Data) -> list[str]:
    plan = facts["plan"]
    if plan is None:
        return [
            (
                f"There is no plan here: {counted(facts['evictions'], 'eviction', 'evictions')} are more than the "
                f"{grouped(facts['most_evictions'])} that a review plans. The drain page plans them by zone or pool."
            )
        ]
    stuck = counted(plan["stuck"], "node stays", "nodes stay")
    return [
        (
            f"A rolling upgrade drains {counted(plan['nodes'], 'node', 'nodes')} in "
            f"{counted(plan['batches'], 'batch', 'batches')} with "
            f"{counted(plan['evictions'], 'eviction', 'evictions')}; "
            f"each node takes pods again once it is done. {stuck} undrained."
        )
    ]


def _maintenance_callouts(facts: Data) -> Said:
    found = []
    if lasting := facts["outlook"]["lasting"]:
        text = "Waiting does not help: a budget, its replicas or its selector has to be changed."
        found.append(("bad", f"{counted(lasting, 'node cannot', 'nodes cannot')} be drained at all", text))
    if shared := facts.get("shared"):
        text = "Evicting such a pod is answered with an error, whatever the budgets allow: leave it to one budget."
        found.append(("bad", f"{counted(shared, 'pod lies', 'pods lie')} under more than one budget", text))
    return found


def _quotas(facts: Data) -> str:
    if not facts["quotas"]:
        return "The mirror holds no ResourceQuota of this cluster."
    tight = counted(facts["tight"], "limit is", "limits are")
    share = f"{facts['tight_share'] * 100:.0f} %"
    return f"{tight} used to more than {share}, of {counted(facts['quotas'], 'quota', 'quotas')}."


def _quotas_paragraphs(facts: Data) -> list[str]:
    ranges = counted(facts["limit_ranges"], "LimitRange sets", "LimitRanges set")
    return [
        "The dump may lack them: kubectl get resourcequotas -A has to be part of it."
        if facts["may_be_missing"]
        else "",
        f"{ranges} bounds or defaults for what pods ask." if facts["limit_ranges"] else "",
    ]


def _pending(facts: Data) -> str:
    if not facts["waiting"]:
        return "No pod waits for a node."
    waits = counted(facts["waiting"], "pod waits", "pods wait")
    return f"{waits} for a node, for {counted(facts['causes'], 'reason', 'reasons')}."


def _pending_paragraphs(facts: Data) -> list[str]:
    recorded = facts["recorded"]
    if recorded is None:
        return ["What kept pods waiting before is not known: the journal holds no decision of this cluster."]
    pods = counted(recorded["pods"], "pod was", "pods were")
    return [
        (
            f"Over the period {pods} refused at least once, in "
            f"{counted(recorded['attempts'], 'attempt', 'attempts')}; the reasons are the scheduler's own."
        )
    ]


def _agreement(facts: Data) -> str:
    if not facts["judged"]:
        return "No decision of the period was judged, so how often Berth agrees with the scheduler is not known."
    agreeing = percent(facts["agreeing"], facts["judged"])
    return (
        f"Berth agreed with the scheduler in {agreeing} of {counted(facts['judged'], 'decision', 'decisions')}: so far "
        "the numbers of this review can be relied upon."
    )


def _recommendations(facts: Data) -> str:
    made = len(facts["made"])
    if not made:
        return "No simulation shows a change that would help, so nothing is recommended."
    return (
        f"{counted(made, 'change is', 'changes are')} recommended, each backed by a simulation that shows what it does."
    )


# -- parts -------------------------------------------------------------------------------------------------------------


def priced(text: str) -> str:
    """Write an amount of money, which comes as a decimal text."""
    whole, _, cents = text.partition(".")
    return f"{grouped(int(whole))}.{cents}" if cents else grouped(int(whole))


def _listed(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


LEADS: Mapping[str, Callable[[Data], str]] = {
    "run": _run,
    "utilisation": _utilisation,
    "cost": _cost,
    "trend": _trend,
    "stranded": _stranded,
    "headroom": _headroom,
    "spread": _spread,
    "maintenance": _maintenance,
    "quotas": _quotas,
    "pending": _pending,
    "agreement": _agreement,
    "recommendations": _recommendations,
}
PARAGRAPHS: Mapping[str, Callable[[Data], list[str]]] = {
    "run": _run_paragraphs,
    "utilisation": _utilisation_paragraphs,
    "cost": _cost_paragraphs,
    "trend": _trend_paragraphs,
    "stranded": _stranded_paragraphs,
    "headroom": _headroom_paragraphs,
    "spread": _spread_paragraphs,
    "maintenance": _maintenance_paragraphs,
    "quotas": _quotas_paragraphs,
    "pending": _pending_paragraphs,
}
CALLOUTS: Mapping[str, Callable[[Data], Said]] = {
    "utilisation": _utilisation_callouts,
    "maintenance": _maintenance_callouts,
}
