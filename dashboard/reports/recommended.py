"""Recommendations in words: what to change, of which object, why, and what a simulation says to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.wording.amounts import counted, grouped

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Data = Mapping[str, Any]

_NAMED = 5


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


def _allow_disruption(made: Data, facts: Data) -> tuple[str, str, str]:
    which = f"{made['object']['namespace']}/{made['object']['name']}"
    return (
        f"Let the budget {which} allow one eviction at a time",
        f"Replace {facts['field']}: {facts['value']} of the PodDisruptionBudget {which} by maxUnavailable: 1.",
        (
            f"It never allows any eviction of its {counted(facts['pods'], 'pod', 'pods')}, and keeps "
            f"{counted(facts['nodes'], 'node', 'nodes')} from being drained; {facts['node']} is the one that "
            "it refuses "
            "the most pods of."
        ),
    )


def _add_nodes(made: Data, facts: Data) -> tuple[str, str, str]:
    nodes, like = counted(facts["count"], "node", "nodes"), facts["like"]
    details = [text for text in (facts["instance_type"], f"pool {facts['pool']}" if facts["pool"] else "") if text]
    about = f" ({', '.join(details)})" if details else ""
    return (
        f"Add {nodes} like {like}",
        f"Add {nodes} with what {like} has{about}.",
        _fewer_wait(made),
    )


def _uncordon(made: Data, facts: Data) -> tuple[str, str, str]:
    nodes = _named(facts["nodes"])
    return (
        f"Uncordon {nodes}",
        f"Run kubectl uncordon for {nodes}, unless somebody is at work there.",
        _fewer_wait(made),
    )


def _remove_taint(made: Data, facts: Data) -> tuple[str, str, str]:
    taint, nodes = f"{facts['taint']}:{facts['effect']}", counted(len(facts["nodes"]), "node", "nodes")
    return (
        f"Remove the taint {taint} from {nodes}",
        f"Remove it from {_named(facts['nodes'])}, or let the pods that wait tolerate it.",
        f"No pod tolerates it. {_fewer_wait(made)}",
    )


def _remove_nodes(_: Data, facts: Data) -> tuple[str, str, str]:
    nodes = facts["nodes"]
    return (
        f"Remove {counted(len(nodes), 'node', 'nodes')}",
        f"Drain {_named(nodes)}, and take them out of the cluster."
        if len(nodes) > 1
        else f"Drain and remove {nodes[0]}.",
        (
            "Less than half of what they have is requested, and their pods find room elsewhere, with budgets, "
            "constraints "
            "and taints respected."
        ),
    )


def _fewer_wait(made: Data) -> str:
    fewer = made["before"]["waiting"] - made["after"]["waiting"]
    return f"{counted(fewer, 'pod that waits', 'pods that wait')} would find a place."


_RULES: Mapping[str, Callable[[Data, Data], tuple[str, str, str]]] = {
    "allow-disruption": _allow_disruption,
    "add-nodes": _add_nodes,
    "uncordon": _uncordon,
    "remove-taint": _remove_taint,
    "remove-nodes": _remove_nodes,
}
_MEASURES: Mapping[str, tuple[str, str]] = {
    "kept": ("pod that the drain cannot evict", "pods that the drain cannot evict"),
    "waiting": ("pod still waits", "pods still wait"),
    "nodes": ("node", "nodes"),
}


def effect(made: Data) -> str:
    """Say what a simulation without the change and one with it come to."""
    return "; ".join(
        f"{counted(before, *_MEASURES[measure])}, {grouped(made['after'][measure])} with it"
        for measure, before in made["before"].items()
    )


def _evidence(made: Data) -> str:
    # Other numbers than of those that wait now: some of them fit, or fit by preemption.
    retried = " Both simulations first try all pods that wait again." if "waiting" in made["before"] else ""
    return f"Simulated without it: {effect(made)}.{retried}"


def _named(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    listed = ", ".join(names[:_NAMED])
    return f"{listed} and {grouped(more)} more" if more > 0 else listed
