"""The sentences about disruption budgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.disruption import Never, ZeroCause
from clusters.wording.amounts import counted, grouped
from clusters.wording.selectors import selector_text

if TYPE_CHECKING:
    from clusters.engine import Snapshot
    from clusters.engine.disruption import BudgetRefusal, BudgetState, DisruptionBudget

_MOST_NAMED = 3
_POLICIES = {
    True: "unhealthyPodEvictionPolicy AlwaysAllow: pods that are not ready may always be evicted",
    False: (
        "unhealthyPodEvictionPolicy IfHealthyBudget: pods that are not ready may be evicted without being counted only "
        "while enough others are"
    ),
}


def bound_text(budget: DisruptionBudget) -> str:
    """Write what the budget demands, as in its spec."""
    if budget.max_unavailable is not None:
        return f"maxUnavailable {budget.max_unavailable}"
    if budget.min_available is not None:
        return f"minAvailable {budget.min_available}"
    return "neither minAvailable nor maxUnavailable"


def sentence(state: BudgetState, snapshot: Snapshot) -> str:
    """Say what the budget allows now, and why if that is nothing."""
    if state.cause is None:
        return _allows(state)
    if state.cause is ZeroCause.NEVER and state.never is not None:
        return _never(state, state.never)
    return _zero(state, state.cause, snapshot)


def _allows(state: BudgetState) -> str:
    budget = state.budget
    reported = budget.reported
    going = "one pod go at a time" if budget.grants == 1 else f"{grouped(budget.grants)} pods go"
    stay = f"{grouped(reported.healthy)} of {grouped(reported.expected)} are healthy and {grouped(reported.desired)}"
    return f"Lets {going}: {stay} must stay."


def _never(state: BudgetState, why: Never) -> str:
    asked, replicas = bound_text(state.budget), state.scale.replicas
    pods, every = counted(state.pods, "pod", "pods"), grouped(state.pods if replicas is None else replicas)
    wanted = state.computed.desired if state.computed.desired is not None else state.budget.reported.desired
    sentences = {
        Never.NOTHING_ASKED: f"Asks for {asked}, which allows no eviction of its {pods}, ever.",
        Never.NONE_UNAVAILABLE: f"{asked} allows no eviction of its {pods}, ever.",
        Never.ALL_AVAILABLE: f"{asked} demands every pod of {every}, so none may be evicted, ever.",
        Never.MORE_THAN_REPLICAS: f"Wants {grouped(wanted)} healthy pods of {every}: no eviction is allowed, ever.",
        Never.UNMANAGED: f"Nothing controls its {pods}, so how many are enough is unknown: no eviction, ever.",
    }
    return sentences[why]


def _zero(state: BudgetState, cause: ZeroCause, snapshot: Snapshot) -> str:
    computed, reported = state.computed, state.budget.reported
    missing = max(0, (computed.expected or 0) - state.pods)
    is_are = "is" if missing == 1 else "are"
    failure = computed.failure or reported.failure
    would = grouped(computed.allowed or 0)
    owed = counted(missing, "pod", "pods")
    sentences = {
        ZeroCause.SYNC_FAILED: f"Allows nothing, because its status cannot be computed: {failure}.",
        ZeroCause.NO_PODS: "Selects no pod: it protects nothing and blocks nothing.",
        ZeroCause.NOT_OBSERVED: "Allows nothing until the disruption controller has looked at its present spec.",
        ZeroCause.ROLLOUT: "Allows nothing while a rollout is under way; it will again once the new pods are ready.",
        ZeroCause.EVICTING: "Allows nothing while pods are on their way out; it will again once others have come.",
        ZeroCause.MISSING: f"Allows nothing until {owed} that its controllers still owe {is_are} there.",
        ZeroCause.BEHIND: f"Is reported to allow nothing, though its objects allow {would}: the status is behind.",
        ZeroCause.UNKNOWN: "Is reported to allow nothing; what that rests on is not in the mirror.",
    }
    return _unhealthy(state, snapshot) if cause is ZeroCause.UNHEALTHY else sentences[cause]


def _unhealthy(state: BudgetState, snapshot: Snapshot) -> str:
    expected, desired = state.computed.expected, state.computed.desired
    if expected is None or desired is None:
        expected, desired = state.budget.reported.expected, state.budget.reported.desired
    named = "; ".join(f"{name} {_ails(name, snapshot)}" for name in state.unhealthy[:_MOST_NAMED])
    rest = len(state.unhealthy) - _MOST_NAMED
    others = f"; {grouped(rest)} more" if rest > 0 else ""
    spare = counted(max(0, expected - desired), "pod", "pods")
    missing = grouped(len(state.unhealthy))
    is_are = "is" if len(state.unhealthy) == 1 else "are"
    which = f"{named}{others}"
    return f"Allows nothing now: {spare} may be missing and {missing} {is_are}: {which}. Mend that, not the budget."


def _ails(key: str, snapshot: Snapshot) -> str:
    slot = snapshot.pods.slot_of.get(key)
    return "waits for a node" if slot is None or snapshot.pods.node[slot] < 0 else "is not ready"


def badges(state: BudgetState) -> tuple[tuple[str, str], ...]:
    """Return what is to be known about a budget at a glance: pairs of text and kind."""
    cause = state.cause
    found = []
    if cause is None:
        found.append((f"Allows {grouped(state.budget.grants)}", "good"))
    elif cause is ZeroCause.NEVER:
        found.append(("Never satisfiable", "bad"))
    elif cause is ZeroCause.NO_PODS:
        found.append(("Selects no pod", ""))
    else:
        found.append((f"At zero: {cause.value}", "bad" if cause.lasts else "info"))
    if cause is not None and state.nodes.blocked:
        found.append(("Blocks now", "bad") if cause.lasts else ("Blocks now, not for good", "warn"))
    if state.shared:
        found.append((f"{counted(len(state.shared), 'pod', 'pods')} under two budgets", "bad"))
    if state.differs:
        found.append(("Status differs", "warn"))
    if state.budget.always_allows_unhealthy:
        found.append(("Unhealthy pods may go", "info"))
    return tuple(found)


def remarks(state: BudgetState) -> list[str]:
    """Return what the numbers alone do not tell."""
    found = []
    if state.shared:
        others = ", ".join(f"{state.budget.namespace}/{name}" for name in state.overlapping)
        found.append(
            f"{counted(len(state.shared), 'pod is', 'pods are')} selected by {others} as well. The Eviction API "
            "answers 500 for a pod under two budgets, so a drain never gets rid of it: let one budget select it."
        )
    if state.differs:
        found.append(
            "The cluster reports another status than the one that follows from its objects. The API server acts on "
            "what is reported; it may be behind, or the objects were read at different moments."
        )
    if state.computed.failure:
        found.append(f"The disruption controller cannot compute the status: {state.computed.failure}.")
    if state.computed.unknown:
        found.append(f"What should be expected is not known: the mirror lacks {state.computed.unknown}.")
    if state.unmanaged:
        found.append(
            f"{counted(len(state.unmanaged), 'pod has', 'pods have')} no controller that says how many there should be."
        )
    if state.terminating:
        found.append(f"{counted(state.terminating, 'pod is', 'pods are')} being deleted and no longer healthy.")
    return found


def facts(state: BudgetState) -> list[tuple[str, str]]:
    """Return the spec field by field, and how much it selects."""
    budget = state.budget
    return [
        ("Demands", bound_text(budget)),
        ("Selects pods with", budget.problem or selector_text(budget.selector)),
        ("Unhealthy pods", _POLICIES[budget.always_allows_unhealthy]),
        ("Pods", grouped(state.pods)),
        (
            "Replicas asked for",
            "not known" if state.scale.replicas is None else grouped(state.scale.replicas),
        ),
        ("Drains blocked", counted(len(state.nodes.blocked), "node", "nodes")),
    ]


def refusal_text(refusal: BudgetRefusal) -> str:
    """Say what a budget does to a drain."""
    refused = f"{grouped(refusal.refused)} of {counted(refusal.pods, 'pod', 'pods')} refused"
    if not refusal.shared:
        return refused
    return f"{refused}, {shared_text(refusal.shared)}"


def shared_text(pods: int) -> str:
    """Say why the API server refuses pods whatever their budgets allow."""
    return f"{grouped(pods)} because two budgets select {'it' if pods == 1 else 'them'} (HTTP 500)"
