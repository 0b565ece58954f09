"""The sentences of each section of a review: which ones its numbers call for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.usage import FEW_HOURS
from clusters.wording import counts, usage as usage_words
from clusters.wording.amounts import cpu, percent, size
from clusters.wording.evaluation import counted
from clusters.wording.lists import listed
from clusters.wording.resources import resource_amount, resource_name, resource_names
from clusters.wording.reviews import (
    cost,
    headroom,
    maintenance,
    pending,
    quotas,
    recommendations,
    simulation,
    spread,
    stranded,
    trend,
    usage,
    utilisation,
)
from clusters.wording.runs.affected import affected_sentences
from clusters.wording.spread import RANKING
from dashboard.reports import upgrade

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Data = Mapping[str, Any]
    Said = list[tuple[str, str, str]]

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
        return simulation.PLACED(pods=certain)
    return simulation.PLACED_IN_PART_UNCERTAIN(pods=certain, uncertain=uncertain)


def pending_after_run(facts: Data) -> tuple[int, int]:
    """Return how many pods are newly pending and how many still."""
    return facts["newly_pending"], facts["still_pending"]


def _run(facts: Data) -> str:
    newly, before = pending_after_run(facts)
    return _joined((
        placed(facts),
        simulation.NEWLY_PENDING(pods=newly),
        simulation.FORBIDDEN(pods=facts["forbidden"]) if facts["forbidden"] else "",
        simulation.STILL_PENDING(pods=before) if before else "",
    ))  # fmt: skip


def _run_paragraphs(facts: Data) -> list[str]:
    return [simulation.ABOUT(run=str(facts["id"]), title=facts["title"], steps=facts["steps"], seed=str(facts["seed"]))]


# -- capacity ----------------------------------------------------------------------------------------------------------


def requested(facts: Data) -> str:
    """Say which shares of CPU and memory the pods request; empty where the nodes have neither."""
    shares = [
        utilisation.SHARE_OF(share=percent(found["requested"], found["allocatable"]), resource=resource_name(name))
        for name in ("cpu", "memory")
        if (found := facts["resources"].get(name))
    ]
    return utilisation.REQUESTED_OF(shares=listed(shares), nodes=facts["nodes"]["total"]) if shares else ""


def _utilisation(facts: Data) -> str:
    pods = facts["pods"]
    without = utilisation.PENDING(pods=pods["pending"]) if pods["pending"] else utilisation.NONE_PENDING
    return _joined((requested(facts), utilisation.SCHEDULED(pods=pods["placed"]), without))


def _utilisation_paragraphs(facts: Data) -> list[str]:
    (cpu_asked, cpu_there), (memory_asked, memory_there) = _of(facts, "cpu"), _of(facts, "memory")
    idle = [name for name, each in facts["resources"].items() if each["allocatable"] and not each["requested"]]
    conditions = (
        ("not_ready", utilisation.NOT_READY),
        ("pressure", utilisation.UNDER_PRESSURE),
        ("cordoned", utilisation.CORDONED),
    )
    return [
        utilisation.AMOUNTS(
            cpu=cpu(cpu_asked),
            cpu_allocatable=cpu(cpu_there),
            memory=size(memory_asked),
            memory_allocatable=size(memory_there),
        ),
        _joined(say(nodes=facts["nodes"][key]) for key, say in conditions if facts["nodes"][key]),
        utilisation.NOT_REQUESTED(resources=resource_names(idle)) if idle else "",
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
            utilisation.NEARLY_ALL_REQUESTED(share=share, resources=resource_names(full)),
            str(utilisation.MAY_BE_PENDING),
        )
    ]


def _cost(facts: Data) -> str:
    return cost.MONTH(
        allocatable=cost.priced(facts["allocatable"]),
        requested=cost.priced(facts["requested"]),
        idle=cost.priced(facts["idle"]),
        currency=facts["currency"],
    )


def _cost_paragraphs(facts: Data) -> list[str]:
    spread_workloads = facts["across_zones"]
    return [
        cost.PRICES(
            cpu=facts["cpu_hour"], memory=facts["memory_gib_hour"], currency=facts["currency"], hours=facts["hours"]
        ),
        *([cost.ACROSS_ZONES(workloads=spread_workloads)] if spread_workloads else []),
    ]


def _trend(facts: Data) -> str:
    if facts["taken"] < 2:
        return str(trend.ONE_SAMPLE if facts["taken"] else trend.NO_SAMPLE)
    return _joined(_change(name, facts["series"][name]["requested"]) for name in ("cpu", "memory"))


def _change(resource: str, series: list[int]) -> str:
    first, last, name = series[0], series[-1], resource_name(resource)
    if first == last:
        return trend.UNCHANGED(resource=name)
    if not first:
        return trend.FROM_NOTHING(resource=name)
    return trend.CHANGED(resource=name, share=f"{100 * (last - first) / first:+.1f} %")


def _trend_paragraphs(facts: Data) -> list[str]:
    taken, shown = facts["taken"], len(facts["times"])
    if taken < 2:
        return [str(trend.SAMPLED_HOURLY)]
    said = trend.SAMPLES_SHOWN(samples=taken, shown=shown) if shown < taken else trend.SAMPLES(samples=taken)
    return [_joined((said, str(trend.STRAIGHT_LINE)))]


def _stranded(facts: Data) -> str:
    if not facts["resources"]:
        return str(stranded.NONE)
    amounts = (resource_amount(name, each["left"]) for name, each in facts["resources"].items())
    return stranded.STRANDED(amounts=listed(amounts), nodes=counts.nodes(facts["nodes"]))


def _stranded_paragraphs(facts: Data) -> list[str]:
    return [
        str(stranded.WHAT_IT_IS),
        stranded.UNTOLERATED(taints=facts["taints"]) if facts["taints"] else "",
        stranded.AT_POD_LIMIT(nodes=facts["full_of_pods"]) if facts["full_of_pods"] else "",
    ]


def worst_zone(row: Data) -> str:
    """Say what the loss of a zone does to pods, workloads, quorums and budgets, as simulations do."""
    lost = headroom.ZONE_LOST(name=row["zone"], pods=row["displaced"])
    return _joined((lost, *affected_sentences(row["affected"], row["newly_pending"])))


def _headroom(facts: Data) -> str:
    worst = facts["worst_zone"]
    return _joined((worst_zone(worst) if worst else "", headroom.LEAD(shapes=facts["shapes"])))


def _headroom_paragraphs(facts: Data) -> list[str]:
    uncounted = facts["uncounted"]
    return [headroom.NOT_COUNTED(shapes=uncounted) if uncounted else "", *_losses(facts)]


def _losses(facts: Data) -> list[str]:
    if not facts["is_played"]:
        return [headroom.NO_LOSSES(pods=facts["most_played"])]
    played, kinds = facts["nodes_played"], facts["kinds_of_nodes"]
    return [
        str(headroom.RECREATED_FIRST),
        str(headroom.NEWLY_PENDING),
        headroom.NODES_TRIED(nodes=played, kinds=kinds) if played < kinds else "",
        "" if facts["zones"] else str(headroom.NO_ZONES),
    ]


# -- constraints and maintenance ---------------------------------------------------------------------------------------


def _spread(facts: Data) -> str:
    blocking = facts["blocking"]
    return _joined(
        (
            spread.VIOLATED(constraints=facts["violated"], total=facts["groups"]),
            spread.BLOCKING(constraints=blocking) if blocking else "",
        )
    )


def _spread_paragraphs(facts: Data) -> list[str]:
    ranking = str(RANKING) if facts["groups"] else ""
    return [ranking, spread.UNREADABLE(templates=facts["unreadable"]) if facts["unreadable"] else ""]


def drainable(facts: Data) -> str:
    """Say how many nodes can be drained now, as the drain page counts them."""
    outlook, nodes = facts["outlook"], facts["nodes"]
    free = outlook["now"] + outlook["allowed"]
    # Where room elsewhere was not looked for, no more is known.
    if outlook["allowed"]:
        return maintenance.ALLOWED(nodes=free, total=nodes)
    lacking = outlook.get("room", 0)
    return _joined(
        (maintenance.DRAINABLE(nodes=free, total=nodes), maintenance.WITHOUT_ROOM(nodes=lacking) if lacking else "")
    )


def _maintenance(facts: Data) -> str:
    return _joined((
        drainable(facts),
        maintenance.BLOCKING(budgets=facts["blocking"]),
        maintenance.LASTING(budgets=facts["lasting"]) if facts["lasting"] else "",
    ))  # fmt: skip


def _maintenance_paragraphs(facts: Data) -> list[str]:
    plan, bare, with_ports = facts["plan"], facts["bare"], facts["host_ports"]
    said = [maintenance.NOT_RECREATED(pods=bare)] if bare else []
    said += [maintenance.HOST_PORTS(pods=with_ports)] if with_ports else []
    if plan is None:
        return [maintenance.NOT_PLANNED(evictions=facts["evictions"], most=facts["most_evictions"]), *said]
    planned = maintenance.PLANNED(nodes=plan["nodes"], evictions=plan["evictions"], batches=plan["batches"])
    return [_joined((planned, maintenance.NOT_DRAINED(nodes=plan["not_drained"]))), *said]


def _maintenance_callouts(facts: Data) -> Said:
    found = []
    if lasting := facts["outlook"]["lasting"]:
        found.append(("bad", maintenance.NEVER_DRAINED(nodes=lasting), str(maintenance.CHANGE_A_BUDGET)))
    if shared := facts["shared"]:
        found.append(("bad", maintenance.SHARED(pods=shared), str(maintenance.ONE_BUDGET_A_POD)))
    return found


def _quotas(facts: Data) -> str:
    if not facts["quotas"]:
        return str(quotas.NONE)
    share = percent(round(100 * facts["tight_share"]), 100)
    return _joined((quotas.TIGHT(limits=facts["tight"], share=share), quotas.QUOTAS(quotas=facts["quotas"])))


def _quotas_paragraphs(facts: Data) -> list[str]:
    return [
        str(quotas.MAY_BE_MISSING) if facts["may_be_missing"] else "",
        quotas.LIMIT_RANGES(ranges=facts["limit_ranges"]) if facts["limit_ranges"] else "",
    ]


def _usage(facts: Data) -> str:
    found = facts["usage"]
    if found is None:
        return str(usage.NONE)
    freed = found["freed"]
    removal = usage.REMOVABLE(
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
        usage.COUNTED(
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
        return str(pending.NONE)
    return _joined((pending.PENDING(pods=facts["pending"]), pending.CAUSES(causes=facts["causes"])))


def _pending_paragraphs(facts: Data) -> list[str]:
    recorded = facts["recorded"]
    if recorded is None:
        return [str(pending.NOTHING_RECORDED)]
    return [pending.RECORDED(pods=recorded["pods"], attempts=recorded["attempts"])]


def _agreement(facts: Data) -> str:
    if not facts["judged"]:
        return str(pending.NOT_JUDGED)
    return pending.AGREEMENT(share=percent(facts["agreeing"], facts["judged"]), decisions=facts["judged"])


def recommended(facts: Data) -> str:
    """Say how many changes are recommended, or why none is."""
    if made := len(facts["made"]):
        return recommendations.NUMBER_MADE(changes=made)
    if not facts["is_sought"]:
        return recommendations.NOT_SOUGHT(pods=facts["most_pods"])
    return str(recommendations.NOTHING_RECOMMENDED)


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
    "recommendations": recommended,
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
