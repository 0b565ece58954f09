"""The sentences of each section of a review: which ones its numbers call for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from clusters.engine.disruption import Outlook
from clusters.engine.usage import FEW_HOURS
from clusters.wording import counts, drains, overview as overview_words, usage as usage_words
from clusters.wording.amounts import cpu, grouped, percent, size
from clusters.wording.evaluation import counted
from clusters.wording.lists import alternatives, begun as sentence_start, first_of, listed
from clusters.wording.resources import resource_amount, resource_name, resource_names
from clusters.wording.reviews import document as cover, sections, sections as words
from clusters.wording.reviews.sections import NO_POOL
from clusters.wording.runs.summary import affected_sentences
from clusters.wording.spread import RANKING
from dashboard.reports import upgrade

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Data = Mapping[str, Any]
    from collections.abc import Iterable, Mapping

    Said = list[tuple[str, str, str]]


# Of the nodes of a change.
_NAMED = 5


class Recommended(Struct, frozen=True):
    """One recommendation; `run` is the primary key of the simulation that backs it.

    `beside`: how it goes together with other recommendations, where that has to be said.
    """

    title: str
    change: str
    reason: str
    evidence: str
    run: int | None
    brings: str
    costs: str
    beside: str = ""


def recommended(made: Data) -> Recommended:
    """Say a recommendation of a review's document."""
    title, change, reason = _RULES[made["rule"]](made, made["facts"])
    beside = _beside(made)
    reason = " ".join(filter(None, (reason, *_context(made), beside)))
    return Recommended(title, change, reason, _evidence(made), made["run"], _brings(made), _costs(made), beside)


def effects(made: Data) -> list[str]:
    """Say what a simulation without the change and one with it come to, for each measure."""
    return [
        words.MEASURES[measure](before=before, after=made["after"][measure])
        for measure, before in made["before"].items()
    ]


def _brings(made: Data) -> str:
    gain = made["gain"]
    said = [say(number=gain[key]) for key, say in words.GAINS.items() if gain[key]]
    if gain["cpu_milli"] or gain["memory_bytes"]:
        said.append(words.FREED(cpu=cpu(gain["cpu_milli"]), memory=size(gain["memory_bytes"])))
    return sentence_start("; ".join(said))


def _costs(made: Data) -> str:
    spent = made["cost"]
    return sentence_start("; ".join(say(number=spent[key]) for key, say in words.COSTS.items() if spent[key])) or str(
        words.NO_COST
    )


def _context(made: Data) -> list[str]:
    """Say which pods are helped, and what the effect counts on."""
    said = []
    if helped := made["helped"]:
        said.append(words.HELPED(pods=first_of(helped, total=made["gain"]["pods_scheduled"])))
    if after := made["facts"].get("after"):
        said.append(words.COUNTS_ON(budgets=first_of(after)))
    return said


def _beside(made: Data) -> str:
    """Say how a recommendation goes together with others."""
    said = []
    if numbers := made["covered_by"]:
        said.append(words.COVERED(numbers=", ".join(map(str, numbers))))
    if (beside := made["beside"]) and beside["reasons"]:
        pools = [each["pool"] or str(NO_POOL) for each in beside["pools"]]
        reasons = [each["reason"] or each["plugin"] for each in beside["reasons"]]
        said.append(words.WHY_BOTH(number=str(beside["number"]), pools=", ".join(pools), reasons="; ".join(reasons)))
    if loss := made["zone_loss"]:
        said.append(words.ZONE_LOSS(zone=loss["zone"], after=loss["after"], before=loss["before"]))
    return " ".join(said)


def _remove_budget(made: Data, facts: Data) -> tuple[str, str, str]:
    budget = f"{made['object']['namespace']}/{made['object']['name']}"
    return (
        words.REMOVE_BUDGET(budget=budget),
        words.SELECTED_BY_OTHERS(budgets=alternatives(facts["budgets"])),
        " ".join(
            (words.REFUSED_EVICTION(pods=facts["pods"]), words.BLOCKS_NODES(nodes=facts["nodes"], node=facts["node"]))
        ),
    )


def _set_requests(_made: Data, facts: Data) -> tuple[str, str, str]:
    change = words.SET_REQUESTS(workloads=facts["workloads"], pods=facts["pods"])
    return str(words.RIGHT_SIZE), change, str(words.RESTARTED)


def _allow_disruption(made: Data, facts: Data) -> tuple[str, str, str]:
    budget = f"{made['object']['namespace']}/{made['object']['name']}"
    return (
        words.ALLOW_DISRUPTION(budget=budget),
        words.REPLACE_FIELD(field=facts["field"], value=facts["value"], budget=budget),
        " ".join(
            (words.NEVER_ALLOWS(pods=facts["pods"]), words.BLOCKS_NODES(nodes=facts["nodes"], node=facts["node"]))
        ),
    )


def _add_nodes(made: Data, facts: Data) -> tuple[str, str, str]:
    nodes, like = facts["count"], facts["like"]
    change = [words.SAME_RESOURCES(like=like)]
    if facts["instance_type"]:
        change.append(words.INSTANCE_TYPE(type=facts["instance_type"]))
    if facts["pool"]:
        change.append(words.POOL(pool=facts["pool"]))
    return words.ADD_NODES(nodes=nodes, like=like), " ".join(change), words.FEWER_PENDING(pods=_fewer(made))


def _uncordon(made: Data, facts: Data) -> tuple[str, str, str]:
    nodes = first_of(facts["nodes"], most=_NAMED)
    return words.UNCORDON(name=nodes), words.RUN_UNCORDON(nodes=nodes), words.FEWER_PENDING(pods=_fewer(made))


def _remove_taint(made: Data, facts: Data) -> tuple[str, str, str]:
    taint, nodes = f"{facts['taint']}:{facts['effect']}", facts["nodes"]
    return (
        words.REMOVE_TAINT(taint=taint, nodes=len(nodes)),
        words.REMOVE_TAINT_FROM(nodes=first_of(nodes, most=_NAMED)),
        words.NOBODY_TOLERATES(pods=_fewer(made)),
    )


def _remove_nodes(_made: Data, facts: Data) -> tuple[str, str, str]:
    nodes = facts["nodes"]
    change = words.DRAIN_AND_REMOVE(nodes=first_of(nodes, most=_NAMED))
    reason = str(words.ROOM_ELSEWHERE)
    if pools := facts.get("pools"):
        named = [
            words.OF_POOL(pool=each["pool"], nodes=each["nodes"])
            if each["pool"]
            else words.OF_NO_POOL(nodes=each["nodes"])
            for each in pools
        ]
        reason = f"{reason} {words.OF_POOLS(pools=', '.join(named))}"
    return words.REMOVE_NODES(nodes=len(nodes)), change, reason


def _fewer(made: Data) -> int:
    fewer: int = made["before"]["pending"] - made["after"]["pending"]
    return fewer


_RULES: Mapping[str, Callable[[Data, Data], tuple[str, str, str]]] = {
    "allow-disruption": _allow_disruption,
    "remove-budget": _remove_budget,
    "set-requests": _set_requests,
    "add-nodes": _add_nodes,
    "uncordon": _uncordon,
    "remove-taint": _remove_taint,
    "remove-nodes": _remove_nodes,
}


def _evidence(made: Data) -> str:
    drained = made["facts"].get("node") if "kept" in made["before"] else None
    shown = "; ".join(effects(made))
    said = words.SIMULATED_DRAIN(node=drained, effects=shown) if drained else words.SIMULATED(effects=shown)
    # Other numbers than of those that are pending now: some of them fit, or fit by preemption.
    return f"{said} {words.TRIED_AGAIN}" if "pending" in made["before"] else said


# A cluster that is fuller than this has little left for a node that fails.
_FULL = 0.85
_NO_AMOUNT = {"requested": 0, "allocatable": 0}


def _joined(sentences: Iterable[object]) -> str:
    return " ".join(filter(None, map(str, sentences)))


def _of(facts: Data, resource: str) -> tuple[int, int]:
    found = facts["resources"].get(resource, _NO_AMOUNT)
    return found["requested"], found["allocatable"]


# -- the simulation ----------------------------------------------------------------------------------------------------


def placed(facts: Data) -> str:
    """Say how many pods a run placed, and how many only if what is not computed lets them."""
    certain, uncertain = facts["pods"].get("placed", 0), facts["pods"].get("uncertain", 0)
    if not uncertain:
        return sections.PLACED(pods=certain)
    return sections.PLACED_IN_PART_UNCERTAIN(pods=certain, uncertain=uncertain)


def pending_after_run(facts: Data) -> tuple[int, int]:
    """Return how many pods are newly pending and how many still."""
    return facts["newly_pending"], facts["still_pending"]


def _run(facts: Data) -> str:
    newly, before = pending_after_run(facts)
    return _joined((
        placed(facts),
        sections.NEWLY_PENDING(pods=newly),
        sections.FORBIDDEN(pods=facts["forbidden"]) if facts["forbidden"] else "",
        sections.STILL_PENDING(pods=before) if before else "",
    ))  # fmt: skip


def _run_paragraphs(facts: Data) -> list[str]:
    return [sections.ABOUT(run=str(facts["id"]), title=facts["title"], steps=facts["steps"], seed=str(facts["seed"]))]


# -- capacity ----------------------------------------------------------------------------------------------------------


def requested(facts: Data) -> str:
    """Say which shares of CPU and memory the pods request; empty where the nodes have neither."""
    shares = [
        sections.SHARE_OF(share=percent(found["requested"], found["allocatable"]), resource=resource_name(name))
        for name in ("cpu", "memory")
        if (found := facts["resources"].get(name))
    ]
    return sections.REQUESTED_OF(shares=listed(shares), nodes=facts["nodes"]["total"]) if shares else ""


def _utilisation(facts: Data) -> str:
    pods = facts["pods"]
    without = sections.PENDING(pods=pods["pending"]) if pods["pending"] else overview_words.NOTHING_PENDING
    return _joined((requested(facts), sections.SCHEDULED(pods=pods["placed"]), without))


def _utilisation_paragraphs(facts: Data) -> list[str]:
    (cpu_asked, cpu_there), (memory_asked, memory_there) = _of(facts, "cpu"), _of(facts, "memory")
    idle = [name for name, each in facts["resources"].items() if each["allocatable"] and not each["requested"]]
    conditions = (
        ("not_ready", sections.NOT_READY),
        ("pressure", sections.UNDER_PRESSURE),
        ("cordoned", sections.CORDONED),
    )
    return [
        sections.AMOUNTS(
            cpu=cpu(cpu_asked),
            cpu_allocatable=cpu(cpu_there),
            memory=size(memory_asked),
            memory_allocatable=size(memory_there),
        ),
        _joined(say(nodes=facts["nodes"][key]) for key, say in conditions if facts["nodes"][key]),
        sections.NOT_REQUESTED(resources=resource_names(idle)) if idle else "",
    ]


def _utilisation_callouts(facts: Data) -> Said:
    full = [
        name
        for name in ("cpu", "memory", "pods")
        if _of(facts, name)[1] and _of(facts, name)[0] / _of(facts, name)[1] > _FULL
    ]
    if not full:
        return []
    share = percent(round(100 * _FULL), 100)
    return [
        (
            "warn",
            sections.NEARLY_ALL_REQUESTED(share=share, resources=resource_names(full)),
            str(sections.MAY_BE_PENDING),
        )
    ]


def _cost(facts: Data) -> str:
    return sections.MONTH(
        allocatable=sections.priced(facts["allocatable"]),
        requested=sections.priced(facts["requested"]),
        idle=sections.priced(facts["idle"]),
        currency=facts["currency"],
    )


def _cost_paragraphs(facts: Data) -> list[str]:
    spread_workloads = facts["across_zones"]
    return [
        sections.PRICES(
            cpu=facts["cpu_hour"], memory=facts["memory_gib_hour"], currency=facts["currency"], hours=facts["hours"]
        ),
        *([sections.ACROSS_ZONES(workloads=spread_workloads)] if spread_workloads else []),
    ]


def _trend(facts: Data) -> str:
    if facts["taken"] < 2:
        return str(sections.ONE_SAMPLE if facts["taken"] else sections.NO_SAMPLE)
    return _joined(_change(name, facts["series"][name]["requested"]) for name in ("cpu", "memory"))


def _change(resource: str, series: list[int]) -> str:
    first, last, name = series[0], series[-1], resource_name(resource)
    if first == last:
        return sections.UNCHANGED(resource=name)
    if not first:
        return sections.FROM_NOTHING(resource=name)
    return sections.CHANGED(resource=name, share=f"{100 * (last - first) / first:+.1f} %")


def _trend_paragraphs(facts: Data) -> list[str]:
    taken, shown = facts["taken"], len(facts["times"])
    if taken < 2:
        return [str(sections.SAMPLED_HOURLY)]
    said = sections.SAMPLES_SHOWN(samples=taken, shown=shown) if shown < taken else sections.SAMPLES(samples=taken)
    return [_joined((said, str(sections.STRAIGHT_LINE)))]


def _stranded(facts: Data) -> str:
    if not facts["resources"]:
        return str(sections.NONE_STRANDED)
    amounts = (resource_amount(name, each["left"]) for name, each in facts["resources"].items())
    return sections.STRANDED(amounts=listed(amounts), nodes=counts.NODES(number=facts["nodes"]))


def _stranded_paragraphs(facts: Data) -> list[str]:
    return [
        str(sections.WHAT_IT_IS),
        sections.UNTOLERATED(taints=facts["taints"]) if facts["taints"] else "",
        sections.AT_POD_LIMIT(nodes=facts["full_of_pods"]) if facts["full_of_pods"] else "",
    ]


def worst_zone(row: Data) -> str:
    """Say what the loss of a zone does to pods, workloads, quorums and budgets, as simulations do."""
    lost = sections.LOST(lost=f"{cover.LOST['zone']} {row['zone']}", pods=row["displaced"])
    return _joined((lost, *affected_sentences(row["affected"], row["newly_pending"])))


def _headroom(facts: Data) -> str:
    worst = facts["worst_zone"]
    return _joined((worst_zone(worst) if worst else "", sections.LEAD(shapes=facts["shapes"])))


def _headroom_paragraphs(facts: Data) -> list[str]:
    uncounted = facts["uncounted"]
    return [sections.NOT_COUNTED(shapes=uncounted) if uncounted else "", *_losses(facts)]


def _losses(facts: Data) -> list[str]:
    if not facts["is_played"]:
        return [sections.NO_LOSSES(pods=facts["most_played"])]
    played, kinds = facts["nodes_played"], facts["kinds_of_nodes"]
    return [
        str(sections.RECREATED_FIRST),
        str(sections.WHAT_IS_NEWLY_PENDING),
        sections.NODES_TRIED(nodes=played, kinds=kinds) if played < kinds else "",
        "" if facts["zones"] else str(sections.NO_ZONES),
    ]


# -- constraints and maintenance ---------------------------------------------------------------------------------------


def _spread(facts: Data) -> str:
    blocking = facts["blocking"]
    return _joined(
        (
            sections.VIOLATED(constraints=facts["violated"], total=facts["groups"]),
            sections.BLOCKING(constraints=blocking) if blocking else "",
        )
    )


def _spread_paragraphs(facts: Data) -> list[str]:
    ranking = str(RANKING) if facts["groups"] else ""
    return [ranking, sections.UNREADABLE(templates=facts["unreadable"]) if facts["unreadable"] else ""]


def drainable(facts: Data) -> str:
    """Say how many nodes can be drained now, as the drain page counts them."""
    outlook, nodes = facts["outlook"], facts["nodes"]
    free = outlook["now"] + outlook["allowed"]
    # Where room elsewhere was not looked for, no more is known.
    if outlook["allowed"]:
        return drains.ALLOWED(ready=free, nodes=nodes)
    lacking, waiting = outlook.get("room", 0), facts.get("also_waiting", 0)
    return _joined((
        drains.DRAINABLE(ready=free, nodes=nodes),
        f"{drains.OUTLOOKS[Outlook.NO_ROOM]}: {grouped(lacking)}." if lacking else "",
        drains.ALSO_WAITING(nodes=waiting) if waiting else "",
    ))  # fmt: skip


def _maintenance(facts: Data) -> str:
    return _joined((
        drainable(facts),
        sections.BUDGETS_BLOCKING(budgets=facts["blocking"]),
        sections.LASTING(budgets=facts["lasting"]) if facts["lasting"] else "",
    ))  # fmt: skip


def _maintenance_paragraphs(facts: Data) -> list[str]:
    plan, bare, with_ports = facts["plan"], facts["bare"], facts["host_ports"]
    said = [sections.NOT_RECREATED(pods=bare)] if bare else []
    said += [sections.HOST_PORTS(pods=with_ports)] if with_ports else []
    if plan is None:
        return [sections.NOT_PLANNED(evictions=facts["evictions"], most=facts["most_evictions"]), *said]
    planned = sections.PLANNED(nodes=plan["nodes"], evictions=plan["evictions"], batches=plan["batches"])
    return [_joined((planned, sections.NOT_DRAINED(nodes=plan["not_drained"]))), *said]


def _maintenance_callouts(facts: Data) -> Said:
    found = []
    if lasting := facts["outlook"]["lasting"]:
        found.append(("bad", sections.NEVER_DRAINED(nodes=lasting), str(sections.CHANGE_A_BUDGET)))
    if shared := facts["shared"]:
        found.append(("bad", sections.SHARED(pods=shared), str(sections.ONE_BUDGET_A_POD)))
    return found


def _quotas(facts: Data) -> str:
    if not facts["quotas"]:
        return str(sections.NO_QUOTA)
    share = percent(round(100 * facts["tight_share"]), 100)
    return _joined((sections.TIGHT(limits=facts["tight"], share=share), sections.QUOTAS(quotas=facts["quotas"])))


def _quotas_paragraphs(facts: Data) -> list[str]:
    return [
        str(sections.MAY_BE_MISSING) if facts["may_be_missing"] else "",
        sections.LIMIT_RANGES(ranges=facts["limit_ranges"]) if facts["limit_ranges"] else "",
    ]


def _usage(facts: Data) -> str:
    found = facts["usage"]
    if found is None:
        return str(sections.NO_SAMPLE_OF_USAGE)
    freed = found["freed"]
    removal = sections.REMOVABLE(
        nodes=counted(found["removable"], is_whole=found["removable_is_whole"]),
        total=found["nodes"],
        now=counted(found["removable_now"], is_whole=found["removable_now_is_whole"]),
    )
    return _joined((usage_words.freed(freed["cpu"], freed["memory"]), removal))


def _usage_paragraphs(facts: Data) -> list[str]:
    found = facts["usage"]
    if found is None:
        return []
    return [
        sections.WORKLOADS_COUNTED(
            workloads=found["workloads"], over=found["over"], under=found["under"], missing=found["not_requested"]
        ),
        usage_words.SAMPLES(hours=found["hours"], source=str(usage_words.SOURCES[found["source"]])),
        usage_words.FEW(hours=found["hours"]) if found["hours"] < FEW_HOURS else "",
        usage_words.WITHOUT(workloads=found["without"]) if found["without"] else "",
        usage_words.rule(),
    ]


# -- pods and decisions ------------------------------------------------------------------------------------------------


def _pending(facts: Data) -> str:
    if not facts["pending"]:
        return str(overview_words.NOTHING_PENDING)
    return _joined((sections.PENDING(pods=facts["pending"]), sections.CAUSES(causes=facts["causes"])))


def _pending_paragraphs(facts: Data) -> list[str]:
    recorded = facts["recorded"]
    if recorded is None:
        return [str(sections.NOTHING_RECORDED)]
    return [sections.RECORDED(pods=recorded["pods"], attempts=recorded["attempts"])]


def _agreement(facts: Data) -> str:
    if not facts["judged"]:
        return str(sections.NOT_JUDGED)
    return sections.AGREEMENT(share=percent(facts["agreeing"], facts["judged"]), decisions=facts["judged"])


def sentences_recommended(facts: Data) -> str:
    """Say how many changes are recommended, or why none is."""
    if made := len(facts["made"]):
        return sections.NUMBER_MADE(changes=made)
    if not facts["is_sought"]:
        return sections.NOT_SOUGHT(pods=facts["most_pods"])
    return str(sections.NOTHING_RECOMMENDED)


LEADS: Mapping[str, Callable[[Data], str]] = {
    "run": _run,
    "utilisation": _utilisation,
    "cost": _cost,
    "trend": _trend,
    "stranded": _stranded,
    "headroom": _headroom,
    "spread": _spread,
    "maintenance": _maintenance,
    "upgrade": upgrade.lead,
    "quotas": _quotas,
    "usage": _usage,
    "pending": _pending,
    "agreement": _agreement,
    "recommendations": sentences_recommended,
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
    "upgrade": upgrade.paragraphs,
    "quotas": _quotas_paragraphs,
    "usage": _usage_paragraphs,
    "pending": _pending_paragraphs,
}
CALLOUTS: Mapping[str, Callable[[Data], Said]] = {
    "utilisation": _utilisation_callouts,
    "maintenance": _maintenance_callouts,
    "upgrade": upgrade.callouts,
}
