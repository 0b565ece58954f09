"""Recommendations in words: what to change, of which object, why, and what a simulation says to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.wording.reviews import recommendations as words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Recommended:
    """One recommendation; `run` is the primary key of the simulation that backs it."""

    title: str
    change: str
    reason: str
    evidence: str
    run: int | None


def recommended(made: Data) -> Recommended:
    """Say a recommendation of a review's document."""
    title, change, reason = _RULES[made["rule"]](made, made["facts"])
    return Recommended(title, change, reason, _evidence(made), made["run"])


def effects(made: Data) -> list[str]:
    """Say what a simulation without the change and one with it come to, for each measure."""
    return [_MEASURES[measure](before, made["after"][measure]) for measure, before in made["before"].items()]


def _allow_disruption(made: Data, facts: Data) -> tuple[str, str, str]:
    budget = f"{made['object']['namespace']}/{made['object']['name']}"
    return (
        words.allow_disruption(budget),
        words.replace_field(budget=budget, field=facts["field"], value=facts["value"]),
        " ".join((words.never_allows(facts["pods"]), words.blocks_nodes(facts["nodes"], facts["node"]))),
    )


def _add_nodes(made: Data, facts: Data) -> tuple[str, str, str]:
    nodes, like = facts["count"], facts["like"]
    change = [words.same_resources(nodes=nodes, like=like)]
    if facts["instance_type"]:
        change.append(words.instance_type(facts["instance_type"]))
    if facts["pool"]:
        change.append(words.pool(facts["pool"]))
    return words.add_nodes(nodes, like), " ".join(change), words.fewer_pending(_fewer(made))


def _uncordon(made: Data, facts: Data) -> tuple[str, str, str]:
    nodes = facts["nodes"]
    return words.uncordon(nodes), words.run_uncordon(nodes), words.fewer_pending(_fewer(made))


def _remove_taint(made: Data, facts: Data) -> tuple[str, str, str]:
    taint, nodes = f"{facts['taint']}:{facts['effect']}", facts["nodes"]
    return words.remove_taint(taint, len(nodes)), words.remove_taint_from(nodes), words.untolerated(_fewer(made))


def _remove_nodes(_made: Data, facts: Data) -> tuple[str, str, str]:
    nodes = facts["nodes"]
    change = words.drain_and_remove(nodes) if len(nodes) > 1 else words.drain_and_remove_one(nodes[0])
    return words.remove_nodes(len(nodes)), change, str(words.ROOM_ELSEWHERE)


def _fewer(made: Data) -> int:
    fewer: int = made["before"]["pending"] - made["after"]["pending"]
    return fewer


_RULES: Mapping[str, Callable[[Data, Data], tuple[str, str, str]]] = {
    "allow-disruption": _allow_disruption,
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


def _evidence(made: Data) -> str:
    said = words.simulated(effects(made))
    # Other numbers than of those that are pending now: some of them fit, or fit by preemption.
    return f"{said} {words.TRIED_AGAIN}" if "pending" in made["before"] else said
