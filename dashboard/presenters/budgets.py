"""Disruption budgets as rows, pictures and a page: what they allow, what would, and the drains that they block."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import orjson
import yaml
from msgspec import Struct

from clusters.engine.disruption import KIND, BlockedDrain, BudgetState, ZeroCause, one_unavailable, remedy_of
from clusters.engine.spreading import ZONE
from clusters.wording import budgets as budgets_words, columns as heads, counts, lists
from clusters.wording.amounts import grouped
from clusters.wording.budgets import bound, sentence
from clusters.wording.lists import first_of, listed
from clusters.wording.nodes import NO, NO_ZONE, YES
from clusters.wording.resources import selector_text
from clusters.wording.reviews import sections as recommendations_words
from dashboard.pictures.figure import Figure
from dashboard.pictures.specs import BarRow, BarsSpec, Key, SlotPart, SlotsSpec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clusters.engine import Snapshot
    from clusters.services.disruption import ClusterBudgets


def remedy_view(state: BudgetState, snapshot: Snapshot) -> dict[str, Any] | None:
    """Present the remedy that reviews recommend; None where the budget needs none or there is none."""
    remedy, budget = remedy_of(state), state.budget
    if remedy is None:
        return None
    document = snapshot.object(KIND, budget.name, budget.namespace)
    # Names come from whoever wrote the dump, and the command is for a shell.
    command = ["kubectl", "-n", budget.namespace, "patch", KIND.lower(), budget.name, "--type=merge", "-p"]
    return {
        "title": recommendations_words.ALLOW_DISRUPTION(budget=budget.key),
        "change": recommendations_words.REPLACE_FIELD(field=remedy.field, value=remedy.value, budget=budget.key),
        "reason": recommendations_words.NEVER_ALLOWS(pods=state.pods),
        "command": shlex.join([*command, orjson.dumps(remedy.patch).decode()]),
        "manifest": yaml.safe_dump(one_unavailable(document), sort_keys=False, allow_unicode=True) if document else "",
    }


# So many of the nodes that a budget of the list blocks are named.
MOST_NAMED = 6


class Number(Struct, frozen=True):
    """One number of the status as the cluster reports it and as computed; `difference` is empty where they agree."""

    name: str
    reported: str
    computed: str
    difference: str


class BudgetRow(Struct, frozen=True):
    """One budget of the list; `without_node` counts its pods that no zone does, and is empty where there are none.

    Of the nodes whose drain it blocks the first are named.
    """

    namespace: str
    name: str
    bound: str
    sentence: str
    badges: tuple[tuple[str, str], ...]
    numbers: tuple[Number, ...]
    zones: tuple[tuple[str, str, float, float], ...]
    without_node: str
    blocked: str
    blocked_nodes: tuple[str, ...]
    more_blocked: str


def numbers(state: BudgetState) -> tuple[Number, ...]:
    """Compare the status as reported with the one computed."""
    reported, computed = state.budget.reported, state.computed
    pairs = (
        (budgets_words.EXPECTED, reported.expected, computed.expected),
        (budgets_words.HEALTHY_PODS, reported.healthy, computed.healthy),
        (budgets_words.DESIRED, reported.desired, computed.desired),
        (budgets_words.ALLOWED, reported.allowed, computed.allowed),
    )
    # Where the controller cannot compute, it leaves the rest of the status as it was.
    compared = {budgets_words.ALLOWED} if computed.expected is None else {name for name, _, _ in pairs}
    return tuple(
        _number(str(name), said, found, differs=name in compared and found is not None and said != found)
        for name, said, found in pairs
    )


def _number(name: str, said: int, found: int | None, *, differs: bool) -> Number:
    computed = str(budgets_words.NOT_KNOWN) if found is None else grouped(found)
    return Number(
        name=name,
        reported=grouped(said),
        computed=budgets_words.DIFFERS(number=computed) if differs else computed,
        difference=budgets_words.COMPUTED(number=computed) if differs else "",
    )


def budget_row(state: BudgetState, snapshot: Snapshot) -> BudgetRow:
    """Present a budget."""
    blocked, hidden = len(state.nodes.blocked), len(state.nodes.blocked) - MOST_NAMED
    elsewhere = state.pods - sum(share.pods for share in state.zones)
    return BudgetRow(
        namespace=state.budget.namespace,
        name=state.budget.name,
        bound=budgets_words.bound(state.budget),
        sentence=budgets_words.sentence(state, snapshot),
        badges=badges(state),
        numbers=numbers(state),
        zones=zone_views(state),
        without_node=budgets_words.ON_NO_NODE(pods=elsewhere) if elsewhere else "",
        blocked=budgets_words.BLOCKS_DRAINS(nodes=blocked) if blocked else "",
        blocked_nodes=state.nodes.blocked[:MOST_NAMED],
        more_blocked=lists.and_more(hidden),
    )


def badges(state: BudgetState) -> tuple[tuple[str, str], ...]:
    """Return what is to be known about a budget at a glance: pairs of text and kind."""
    cause = state.cause
    found = []
    if cause is None:
        found.append((budgets_words.ALLOWS_BADGE(pods=state.grants), "good"))
    elif cause is ZeroCause.NEVER:
        found.append((str(budgets_words.NEVER_ALLOWS), "bad"))
    elif cause is ZeroCause.NO_PODS:
        found.append((str(budgets_words.SELECTS_NO_PODS), ""))
    else:
        found.append((budgets_words.ZERO_BADGE(cause=budgets_words.CAUSES[cause]), "bad" if cause.lasts else "info"))
    if state.blocks_for_good:
        found.append((str(budgets_words.BLOCKS_UNTIL_CHANGED), "bad"))
    elif state.nodes.blocked:
        found.append((str(budgets_words.BLOCKS_FOR_NOW), "warn"))
    if state.shared:
        found.append((budgets_words.SHARED_BADGE(pods=len(state.shared)), "bad"))
    if state.differs:
        found.append((str(budgets_words.STATUS_DIFFERS), "warn"))
    if state.budget.always_allows_unhealthy:
        found.append((str(budgets_words.ALWAYS_ALLOW), "info"))
    return tuple(found)


def remarks(state: BudgetState) -> list[str]:
    """Return what the numbers alone do not tell."""
    found = []
    if state.shared:
        others = listed(f"{state.budget.namespace}/{name}" for name in state.overlapping)
        found.append(budgets_words.SHARED_PODS(pods=len(state.shared), budgets=others))
    if state.differs:
        found.append(str(budgets_words.MAY_BE_BEHIND))
    if state.computed.failure:
        found.append(budgets_words.NOT_COMPUTABLE(failure=state.computed.failure))
    if state.computed.unknown:
        found.append(budgets_words.EXPECTED_NOT_KNOWN(object=state.computed.unknown))
    if state.unmanaged:
        found.append(budgets_words.UNMANAGED_PODS(pods=len(state.unmanaged)))
    if state.terminating:
        found.append(budgets_words.TERMINATING_PODS(pods=state.terminating))
    return found


def facts(state: BudgetState) -> list[tuple[str, str]]:
    """Return the spec field by field, and how much it selects."""
    budget, replicas = state.budget, state.scale.replicas
    return [
        (str(budgets_words.REQUIRES), budgets_words.bound(budget)),
        (str(budgets_words.SELECTOR), budget.problem or selector_text(budget.selector)),
        (str(budgets_words.UNHEALTHY_PODS), str(budgets_words.POLICIES[budget.always_allows_unhealthy])),
        (str(budgets_words.PODS), grouped(state.pods)),
        (str(budgets_words.REPLICAS), str(budgets_words.NOT_KNOWN) if replicas is None else grouped(replicas)),
        (str(budgets_words.DRAINS_BLOCKED), counts.NODES(number=len(state.nodes.blocked))),
    ]


def zone_views(state: BudgetState) -> tuple[tuple[str, str, float, float], ...]:
    """Present how many of a budget's pods each zone has, in words and, those healthy too, in percent of the fullest."""
    full = max((share.pods for share in state.zones), default=1)
    return tuple(
        (
            share.zone or str(NO_ZONE),
            budgets_words.ZONE_PODS(pods=share.pods, healthy=share.healthy),
            100 * share.pods / full,
            100 * share.healthy / full,
        )
        for share in state.zones
    )


def node_order(state: BudgetState) -> list[int]:
    """Return the positions of a budget's nodes: those that it keeps from being drained first."""
    refused = state.nodes.refused.tolist()
    return sorted(range(len(refused)), key=lambda place: (-refused[place], state.nodes.names[place]))


def node_rows(
    state: BudgetState, places: Sequence[int], snapshot: Snapshot
) -> list[tuple[str, str, int, int, str, str]]:
    """Present some nodes of a budget: name, zone, pods, healthy pods, and what a drain meets there: text and kind."""
    nodes = state.nodes
    found = []
    for place in places:
        pods, refused, shared = (int(each[place]) for each in (nodes.pods, nodes.refused, nodes.shared))
        found.append(
            (
                nodes.names[place],
                _zone_of(nodes.names[place], snapshot),
                pods,
                int(nodes.healthy[place]),
                budgets_words.refused_of(refused, pods, shared) if refused else str(budgets_words.REFUSES_NONE),
                "good" if not refused else "bad" if state.is_blocker or shared else "warn",
            )
        )
    return found


def drain_rows(drains: Sequence[BlockedDrain], snapshot: Snapshot) -> list[tuple[BlockedDrain, str, list[Any]]]:
    """Present nodes whose drain is blocked: each with its zone, and the budgets with what they refuse."""
    return [
        (
            drain,
            _zone_of(drain.node, snapshot),
            [(each.budget, budgets_words.refused_of(each.refused, each.pods, each.shared)) for each in drain.refusals],
        )
        for drain in drains
    ]


def headline(found: ClusterBudgets) -> str:
    """Say which budgets never allow a disruption, and what that keeps from being drained; empty without budgets."""
    if not found.states:
        return ""
    never = [state.budget.key for state in found.states.values() if state.is_blocker]
    blocked = drains_sentence(found.drains, len(found.snapshot.nodes))
    if not never:
        return blocked
    named = first_of(never, most=MOST_NAMED)
    return " ".join((budgets_words.NEVER_ALLOW(number=len(never), total=len(found.states), budgets=named), blocked))


def drains_sentence(drains: Sequence[BlockedDrain], nodes: int) -> str:
    """Sum up how many nodes cannot be drained now."""
    if not drains:
        return budgets_words.BLOCKS_NO_DRAIN(nodes=nodes)
    blocked, lasting = len(drains), sum(drain.lasts for drain in drains)
    return budgets_words.NOT_DRAINABLE(blocked=blocked, nodes=nodes, lasting=lasting, passing=blocked - lasting)


def _zone_of(node: str, snapshot: Snapshot) -> str:
    column, row = snapshot.nodes.label(ZONE), snapshot.nodes.index[node]
    return column.values[column.codes[row]] if column.present[row] else ""


def pod_list(title: str, keys: Sequence[str], *, most: int) -> dict[str, Any]:
    """Present some pods of a budget by their keys; ``more`` says how many are not shown."""
    return {
        "title": f"{title}: {grouped(len(keys))}",
        "pods": keys[:most],
        "more": lists.and_more(len(keys) - most),
    }


# So many nodes have a bar; the table below has them all.
MOST_NODES = 12
_PARTS = (
    budgets_words.REQUIRED,
    budgets_words.MISSING,
    budgets_words.MAY_BE_EVICTED,
    budgets_words.NOT_ALLOWED,
    budgets_words.UNHEALTHY,
)
# Pods that may go are as good as gone: their slots are empty.
_EMPTY = frozenset({2})


def pods_figure(state: BudgetState, *, name: str) -> Figure | None:
    """Draw the pods that the status counts against those required; None where the budget selects no pods."""
    reported, allowed = state.budget.reported, state.grants
    above = max(0, reported.healthy - reported.desired)
    counts = (
        min(reported.healthy, reported.desired),
        max(0, reported.desired - reported.healthy),
        min(allowed, above),
        above - min(allowed, above),
        max(0, reported.expected - max(reported.healthy, reported.desired)),
    )
    if not state.pods or not any(counts):
        return None
    labels = tuple(map(str, _PARTS))
    spec = SlotsSpec(
        keys=(
            Key(labels[0], "verdict-chosen-solid"),
            Key(labels[1], "verdict-rejected-solid", "x"),
            Key(labels[2], "verdict-fits-solid"),
            Key(labels[3], "verdict-preemptible-solid", "/"),
            Key(labels[4], "verdict-unknown-solid", "."),
        ),
        parts=tuple(
            SlotPart(number, pods, f"{label}: {grouped(pods)}")
            for number, (label, pods) in enumerate(zip(labels, counts, strict=True))
        ),
        line_at=reported.desired,
        line_text=budgets_words.FLOOR(terms=reported.desired),
        empty=_EMPTY,
    )
    return Figure(
        id=name,
        title=f"{state.budget.key}: {budgets_words.TITLE}",
        summary=budgets_words.SUMMARY(healthy=reported.healthy, required=reported.desired, allowed=allowed),
        spec=spec,
    )


def nodes_figure(state: BudgetState) -> Figure | None:
    """Draw the pods on each node and which of them a drain could not evict, blocked nodes first.

    Where that is the same on every node, the sentence says all and there is no picture.
    """
    nodes = state.nodes
    if len(set(zip(nodes.pods.tolist(), nodes.refused.tolist(), strict=True))) < 2:
        return None
    places = node_order(state)
    keys = (
        Key(str(budgets_words.EVICTED), "verdict-fits-solid"),
        Key(str(budgets_words.REFUSED), "verdict-rejected-solid", "x"),
    )
    rows = tuple(
        BarRow(
            nodes.names[place],
            (int(nodes.pods[place] - nodes.refused[place]), int(nodes.refused[place])),
            grouped(int(nodes.pods[place])),
        )
        for place in places[:MOST_NODES]
    )
    return Figure(
        id="budget-nodes",
        title=str(budgets_words.NODES_TITLE),
        summary=budgets_words.holds(len(rows), len(nodes.blocked), len(nodes.names)),
        spec=BarsSpec(keys, rows),
        columns=(str(heads.NODE), *(key.label for key in keys)),
        rows=[(row.label, *map(grouped, row.values)) for row in rows],
    )


BUDGET_COLUMNS = (
    "namespace",
    "budget",
    "requires",
    "state",
    "expected",
    "healthy",
    "desired",
    "allowed",
    "expected computed",
    "healthy computed",
    "desired computed",
    "allowed computed",
    "differs",
    "blocks until changed",
    "nodes blocked",
    "pods under several budgets",
)


def budget_cells(states: Iterable[BudgetState], snapshot: Snapshot) -> Iterator[tuple[str | int, ...]]:
    """Yield one row for each budget; what is not known stays empty."""
    for state in states:
        reported, computed = state.budget.reported, state.computed
        found = (computed.expected, computed.healthy, computed.desired, computed.allowed)
        yield (
            state.budget.namespace,
            state.budget.name,
            bound(state.budget),
            sentence(state, snapshot),
            reported.expected,
            reported.healthy,
            reported.desired,
            reported.allowed,
            *("" if number is None else number for number in found),
            str(YES if state.differs else NO),
            str(YES if state.blocks_for_good else NO),
            len(state.nodes.blocked),
            len(state.shared),
        )


DRAIN_COLUMNS = (
    "node",
    "budget",
    "pods",
    "refused",
    "refused with 500",
    "until changed",
)


def drain_cells(drains: Iterable[BlockedDrain]) -> Iterator[tuple[str | int, ...]]:
    """Yield one row for each node and each budget that blocks its drain."""
    for drain in drains:
        for refusal in drain.refusals:
            lasts = str(YES if refusal.lasts else NO)
            yield drain.node, refusal.budget.key, refusal.pods, refusal.refused, refusal.shared, lasts
