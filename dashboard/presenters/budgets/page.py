"""Disruption budgets as rows and as a page of their own, and the drains that they block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.spreading.constraints import ZONE
from clusters.wording.amounts import counted, grouped
from dashboard.presenters.budgets import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine import Snapshot
    from clusters.engine.disruption import BlockedDrain, BudgetState

_NO_ZONE = "No zone"


@dataclass(frozen=True, slots=True)
class Number:
    """One number of the status as the cluster reports it and as it follows from the objects."""

    name: str
    reported: str
    computed: str
    differs: bool


@dataclass(frozen=True, slots=True)
class ZoneView:
    """A budget's pods in one zone; `fill` and `healthy_fill` are percentages of the fullest zone."""

    zone: str
    text: str
    fill: float
    healthy_fill: float


@dataclass(frozen=True, slots=True)
class BudgetRow:
    """One budget of the list; `without_node` counts its pods that no zone does, and is empty where there are none."""

    namespace: str
    name: str
    bound: str
    sentence: str
    badges: tuple[tuple[str, str], ...]
    numbers: tuple[Number, ...]
    zones: tuple[ZoneView, ...]
    without_node: str
    blocked: str


@dataclass(frozen=True, slots=True)
class NodeRow:
    """A budget's pods on one node."""

    name: str
    zone: str
    pods: str
    healthy: str
    answer: str
    kind: str


@dataclass(frozen=True, slots=True)
class RefusalView:
    """What one budget does to a drain; `kind` is the badge's kind."""

    namespace: str
    name: str
    text: str
    duration: str
    kind: str


@dataclass(frozen=True, slots=True)
class DrainRow:
    """A node whose drain budgets block."""

    node: str
    zone: str
    duration: str
    kind: str
    refusals: tuple[RefusalView, ...]


def numbers(state: BudgetState) -> tuple[Number, ...]:
    """Compare the status as reported with the one computed."""
    reported, computed = state.budget.reported, state.computed
    pairs = (
        ("Expected", reported.expected, computed.expected),
        ("Healthy", reported.healthy, computed.healthy),
        ("Desired", reported.desired, computed.desired),
        ("Allowed", reported.allowed, computed.allowed),
    )
    # Where the controller cannot compute, it leaves the rest of the status as it was.
    compared = {"Allowed"} if computed.expected is None else {name for name, _, _ in pairs}
    return tuple(
        Number(
            name,
            grouped(said),
            "not known" if found is None else grouped(found),
            name in compared and found is not None and said != found,
        )
        for name, said, found in pairs
    )


def budget_row(state: BudgetState, snapshot: Snapshot) -> BudgetRow:
    """Present a budget."""
    blocked = len(state.nodes.blocked)
    elsewhere = state.pods - sum(share.pods for share in state.zones)
    return BudgetRow(
        namespace=state.budget.namespace,
        name=state.budget.name,
        bound=words.bound_text(state.budget),
        sentence=words.sentence(state, snapshot),
        badges=words.badges(state),
        numbers=numbers(state),
        zones=zone_views(state),
        without_node=_without_node(elsewhere) if elsewhere else "",
        blocked=counted(blocked, "node", "nodes") if blocked else "none",
    )


def _without_node(pods: int) -> str:
    return counted(pods, "pod that waits for a node or has finished", "pods that wait for a node or have finished")


def zone_views(state: BudgetState) -> tuple[ZoneView, ...]:
    """Present where a budget's pods lie."""
    full = max((share.pods for share in state.zones), default=1)
    return tuple(
        ZoneView(
            zone=share.zone or _NO_ZONE,
            text=f"{counted(share.pods, 'pod', 'pods')}, {grouped(share.healthy)} healthy",
            fill=100 * share.pods / full,
            healthy_fill=100 * share.healthy / full,
        )
        for share in state.zones
    )


def node_order(state: BudgetState) -> list[int]:
    """Return the positions of a budget's nodes: those that it keeps from being drained first."""
    refused = state.nodes.refused.tolist()
    return sorted(range(len(refused)), key=lambda place: (-refused[place], state.nodes.names[place]))


def node_rows(state: BudgetState, places: Sequence[int], snapshot: Snapshot) -> list[NodeRow]:
    """Present a budget's pods on some of its nodes."""
    nodes = state.nodes
    found = []
    for place in places:
        refused, shared = int(nodes.refused[place]), int(nodes.shared[place])
        answer = "Lets the drain pass"
        if refused:
            answer = f"Refuses {counted(refused, 'pod', 'pods')}" + (f", {words.shared_text(shared)}" if shared else "")
        found.append(
            NodeRow(
                name=nodes.names[place],
                zone=_zone_of(nodes.names[place], snapshot),
                pods=grouped(int(nodes.pods[place])),
                healthy=grouped(int(nodes.healthy[place])),
                answer=answer,
                kind="good" if not refused else "bad" if state.is_blocker or shared else "warn",
            )
        )
    return found


def drain_rows(drains: Sequence[BlockedDrain], snapshot: Snapshot) -> list[DrainRow]:
    """Present nodes whose drain is blocked."""
    return [
        DrainRow(
            node=drain.node,
            zone=_zone_of(drain.node, snapshot),
            duration=_duration(lasts=drain.lasts),
            kind="bad" if drain.lasts else "warn",
            refusals=tuple(
                RefusalView(
                    namespace=refusal.budget.namespace,
                    name=refusal.budget.name,
                    text=words.refusal_text(refusal),
                    duration=_duration(lasts=refusal.lasts),
                    kind="bad" if refusal.lasts else "warn",
                )
                for refusal in drain.refusals
            ),
        )
        for drain in drains
    ]


def drains_sentence(drains: Sequence[BlockedDrain], nodes: int) -> str:
    """Sum up how many nodes cannot be drained now."""
    if not drains:
        return f"Each of {counted(nodes, 'node', 'nodes')} can be drained now as far as budgets go."
    lasting = sum(drain.lasts for drain in drains)
    return (
        f"{grouped(len(drains))} of {counted(nodes, 'node', 'nodes')} cannot be drained at once: "
        f"{grouped(lasting)} until somebody changes a budget, {grouped(len(drains) - lasting)} for now."
    )


def _duration(*, lasts: bool) -> str:
    return "Until changed" if lasts else "For now"


def _zone_of(node: str, snapshot: Snapshot) -> str:
    column, row = snapshot.nodes.label(ZONE), snapshot.nodes.index[node]
    return column.values[column.codes[row]] if column.present[row] else ""


@dataclass(frozen=True, slots=True)
class PodList:
    """Some pods of a budget by namespace and name; `more` says how many are not shown."""

    title: str
    pods: tuple[tuple[str, str], ...]
    more: str


def pod_list(title: str, keys: Sequence[str], *, most: int) -> PodList:
    """Present the first of some pods."""
    pairs = tuple((namespace, name) for namespace, _, name in (key.partition("/") for key in keys[:most]))
    hidden = len(keys) - len(pairs)
    return PodList(f"{title}: {grouped(len(keys))}", pairs, f"and {grouped(hidden)} more" if hidden else "")
