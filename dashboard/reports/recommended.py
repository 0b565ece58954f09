"""Recommendations in words: what to change, of which object, why, and what a simulation says to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.wording.amounts import cpu, size
from clusters.wording.lists import alternatives, begun as sentence_start, first_of
from clusters.wording.reviews import recommendations as words
from clusters.wording.reviews.utilisation import NO_POOL

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Data = Mapping[str, Any]


# Of the nodes of a change.
_NAMED = 5


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
    return words.UNCORDON(nodes=nodes), words.RUN_UNCORDON(nodes=nodes), words.FEWER_PENDING(pods=_fewer(made))


def _remove_taint(made: Data, facts: Data) -> tuple[str, str, str]:
    taint, nodes = f"{facts['taint']}:{facts['effect']}", facts["nodes"]
    return (
        words.REMOVE_TAINT(taint=taint, nodes=len(nodes)),
        words.REMOVE_TAINT_FROM(nodes=first_of(nodes, most=_NAMED)),
        words.UNTOLERATED(pods=_fewer(made)),
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
