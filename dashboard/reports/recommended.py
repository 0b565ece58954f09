"""Recommendations in words: what to change, of which object, why, and what a simulation says to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.wording.amounts import cpu, size
from clusters.wording.lists import begun as sentence_start
from clusters.wording.reviews import recommendations as words
from clusters.wording.reviews.utilisation import NO_POOL

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Recommended:
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
    return [_MEASURES[measure](before, made["after"][measure]) for measure, before in made["before"].items()]


def _brings(made: Data) -> str:
    gain = made["gain"]
    said = [say(gain[key]) for key, say in _GAINS.items() if gain[key]]
    if gain["cpu_milli"] or gain["memory_bytes"]:
        said.append(words.FREED(cpu=cpu(gain["cpu_milli"]), memory=size(gain["memory_bytes"])))
    return sentence_start("; ".join(said))


def _costs(made: Data) -> str:
    spent = made["cost"]
    return sentence_start("; ".join(say(spent[key]) for key, say in _COSTS.items() if spent[key])) or str(words.NO_COST)


def _context(made: Data) -> list[str]:
    """Say which pods are helped, and what the effect counts on."""
    said = []
    if helped := made["helped"]:
        said.append(words.helped(helped, made["gain"]["pods_scheduled"]))
    if after := made["facts"].get("after"):
        said.append(words.counts_on(after))
    return said


def _beside(made: Data) -> str:
    """Say how a recommendation goes together with others."""
    said = []
    if numbers := made["covered_by"]:
        said.append(words.covered(numbers))
    if (beside := made["beside"]) and beside["reasons"]:
        pools = [each["pool"] or str(NO_POOL) for each in beside["pools"]]
        reasons = [each["reason"] or each["plugin"] for each in beside["reasons"]]
        said.append(words.why_both(number=beside["number"], nodes=beside["nodes"], pools=pools, reasons=reasons))
    if loss := made["zone_loss"]:
        said.append(words.ZONE_LOSS(zone=loss["zone"], after=loss["after"], before=loss["before"]))
    return " ".join(said)


def _remove_budget(made: Data, facts: Data) -> tuple[str, str, str]:
    budget = f"{made['object']['namespace']}/{made['object']['name']}"
    return (
        words.REMOVE_BUDGET(budget=budget),
        words.selected_by_others(budget=budget, budgets=facts["budgets"]),
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
    change = [words.SAME_RESOURCES(nodes=nodes, like=like)]
    if facts["instance_type"]:
        change.append(words.INSTANCE_TYPE(type=facts["instance_type"]))
    if facts["pool"]:
        change.append(words.POOL(pool=facts["pool"]))
    return words.ADD_NODES(nodes=nodes, like=like), " ".join(change), words.FEWER_PENDING(pods=_fewer(made))


def _uncordon(made: Data, facts: Data) -> tuple[str, str, str]:
    nodes = facts["nodes"]
    return words.uncordon(nodes), words.run_uncordon(nodes), words.FEWER_PENDING(pods=_fewer(made))


def _remove_taint(made: Data, facts: Data) -> tuple[str, str, str]:
    taint, nodes = f"{facts['taint']}:{facts['effect']}", facts["nodes"]
    return (
        words.REMOVE_TAINT(taint=taint, nodes=len(nodes)),
        words.remove_taint_from(nodes),
        words.UNTOLERATED(pods=_fewer(made)),
    )


def _remove_nodes(_made: Data, facts: Data) -> tuple[str, str, str]:
    nodes = facts["nodes"]
    change = words.drain_and_remove(nodes) if len(nodes) > 1 else words.DRAIN_AND_REMOVE_ONE(node=nodes[0])
    reason = str(words.ROOM_ELSEWHERE)
    if pools := facts.get("pools"):
        reason = f"{reason} {words.of_pools([(each['pool'], each['nodes']) for each in pools])}"
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
_MEASURES: Mapping[str, Callable[[int, int], str]] = {
    "kept": words.not_evicted,
    "pending": words.pending,
    "nodes": words.nodes,
}


_GAINS: Mapping[str, Callable[[int], str]] = {
    "pods_scheduled": words.pods_scheduled,
    "nodes_drainable": words.nodes_drainable,
    "nodes_removed": words.nodes_removed,
}
_COSTS: Mapping[str, Callable[[int], str]] = {
    "nodes_added": words.nodes_added,
    "pods_evicted": words.pods_evicted,
    "pods_restarted": words.pods_restarted,
    "newly_pending": words.newly_pending,
    "workloads_fewer": words.workloads_fewer,
    "quorums_lost": words.quorums_lost,
    "budgets_broken": words.budgets_broken,
}


def _evidence(made: Data) -> str:
    drained = made["facts"].get("node") if "kept" in made["before"] else None
    said = words.simulated_drain(drained, effects(made)) if drained else words.simulated(effects(made))
    # Other numbers than of those that are pending now: some of them fit, or fit by preemption.
    return f"{said} {words.TRIED_AGAIN}" if "pending" in made["before"] else said
