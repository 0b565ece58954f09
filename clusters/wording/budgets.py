"""Disruption budgets in words: what they require and allow, what they block, and their columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.disruption import BudgetState, DisruptionBudget, Never, ZeroCause
from clusters.wording.lists import first_of
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from clusters.engine import Snapshot


# -- What a disruption budget allows now, and why if that is nothing --------------------------------------------------


NO_BOUND: Final = gettext_lazy("neither minAvailable nor maxUnavailable")

# Badges of a budget.
NEVER_ALLOWS: Final = pgettext_lazy("state of a budget", "Never allows disruptions")
SELECTS_NO_PODS: Final = pgettext_lazy("state of a budget", "Selects no pods")
BLOCKS_UNTIL_CHANGED: Final = pgettext_lazy("state of a budget", "Blocks drains until changed")
BLOCKS_FOR_NOW: Final = pgettext_lazy("state of a budget", "Blocks drains until pods are ready")
STATUS_DIFFERS: Final = pgettext_lazy("state of a budget", "Status differs")
ALWAYS_ALLOW: Final = pgettext_lazy("state of a budget", "AlwaysAllow for pods that are not ready")

CAUSES: Final = {
    ZeroCause.NEVER: pgettext_lazy("why a budget allows 0 disruptions", "never allows any"),
    ZeroCause.SYNC_FAILED: pgettext_lazy("why a budget allows 0 disruptions", "status cannot be computed"),
    ZeroCause.NOT_OBSERVED: pgettext_lazy("why a budget allows 0 disruptions", "spec not observed yet"),
    ZeroCause.NO_PODS: pgettext_lazy("why a budget allows 0 disruptions", "selects no pods"),
    ZeroCause.ROLLOUT: pgettext_lazy("why a budget allows 0 disruptions", "rollout in progress"),
    ZeroCause.EVICTING: pgettext_lazy("why a budget allows 0 disruptions", "pods terminating"),
    ZeroCause.UNHEALTHY: pgettext_lazy("why a budget allows 0 disruptions", "pods not ready"),
    ZeroCause.MISSING: pgettext_lazy("why a budget allows 0 disruptions", "pods not created yet"),
    ZeroCause.BEHIND: pgettext_lazy("why a budget allows 0 disruptions", "status is behind"),
    ZeroCause.UNKNOWN: pgettext_lazy("why a budget allows 0 disruptions", "not known"),
}

NEVER: Final = {
    Never.NOTHING_ASKED: pgettext_lazy("why a budget never allows any", "neither minAvailable nor maxUnavailable"),
    Never.NONE_UNAVAILABLE: pgettext_lazy("why a budget never allows any", "maxUnavailable is 0"),
    Never.ALL_AVAILABLE: pgettext_lazy("why a budget never allows any", "minAvailable is all replicas"),
    Never.MORE_THAN_REPLICAS: pgettext_lazy("why a budget never allows any", "minAvailable exceeds the replicas"),
    Never.UNMANAGED: pgettext_lazy("why a budget never allows any", "no controller says how many pods are expected"),
    Never.SEVERAL_BUDGETS: pgettext_lazy("why a budget never allows any", "several budgets select each of its pods"),
}


def bound(budget: DisruptionBudget) -> str:
    """Write what a budget requires, as in its spec."""
    if budget.max_unavailable is not None:
        return " ".join(("maxUnavailable", str(budget.max_unavailable)))
    if budget.min_available is not None:
        return " ".join(("minAvailable", str(budget.min_available)))
    return str(NO_BOUND)


def sentence(state: BudgetState, snapshot: Snapshot) -> str:
    """Say what a budget allows now, and why if that is nothing."""
    reported = state.budget.reported
    if state.cause is None:
        return " ".join((ALLOWS(pods=state.grants), _healthy(reported.desired, reported.healthy, reported.expected)))
    if state.cause is ZeroCause.NEVER and state.never is not None:
        return _never(state, state.never)
    if state.cause is ZeroCause.UNHEALTHY:
        return _not_ready(state, snapshot)
    return _zero(state, state.cause)


ALLOWS = plural("Allows %(pods)s disruption.", "Allows %(pods)s disruptions.", by="pods")


HEALTHY = plural(
    "%(required)s healthy pod required, %(healthy)s of %(expected)s healthy.",
    "%(required)s healthy pods required, %(healthy)s of %(expected)s healthy.",
    by="required",
)
ALLOWS_BADGE = plural("Allows %(pods)s disruption", "Allows %(pods)s disruptions", by="pods")


ZERO_BADGE = message("Allows 0 disruptions: %(cause)s")
SHARED_BADGE = plural("%(pods)s pod under several budgets", "%(pods)s pods under several budgets", by="pods")


_NEVER: Final = {
    Never.NOTHING_ASKED: message("Allows 0 disruptions: it has neither minAvailable nor maxUnavailable."),
    Never.NONE_UNAVAILABLE: plural(
        "%(bound)s never allows a disruption of its %(pods)s pod.",
        "%(bound)s never allows a disruption of its %(pods)s pods.",
        by="pods",
    ),
    Never.ALL_AVAILABLE: plural(
        "%(bound)s requires all of %(replicas)s replica: it never allows a disruption.",
        "%(bound)s requires all of %(replicas)s replicas: it never allows a disruption.",
        by="replicas",
    ),
    Never.MORE_THAN_REPLICAS: plural(
        "%(bound)s exceeds %(replicas)s replica: it never allows a disruption.",
        "%(bound)s exceeds %(replicas)s replicas: it never allows a disruption.",
        by="replicas",
    ),
    Never.UNMANAGED: plural(
        "No controller says how many pods are expected of its %(pods)s pod: it never allows a disruption.",
        "No controller says how many pods are expected of its %(pods)s pods: it never allows a disruption.",
        by="pods",
    ),
    Never.SEVERAL_BUDGETS: message("Several budgets select each of its pods: every eviction fails (500)."),
}
_ZERO: Final = {
    ZeroCause.SYNC_FAILED: message("Allows 0 disruptions: its status cannot be computed: %(failure)s."),
    ZeroCause.NO_PODS: message("Selects no pods, so it refuses no eviction."),
    ZeroCause.NOT_OBSERVED: message("Allows 0 disruptions until its spec is observed."),
    ZeroCause.ROLLOUT: message("Allows 0 disruptions until the new pods of a rollout are ready."),
    ZeroCause.EVICTING: message("Allows 0 disruptions until replacements of terminating pods are ready."),
    ZeroCause.MISSING: plural(
        "Allows 0 disruptions until %(missing)s missing pod is created.",
        "Allows 0 disruptions until %(missing)s missing pods are created.",
        by="missing",
    ),
    ZeroCause.BEHIND: message("Reported to allow 0 disruptions; its objects allow %(allowed)s: the status is behind."),
}
_NOT_EXPLAINED = message("Reported to allow 0 disruptions; the objects do not say why.")
_NOT_READY = message("Not ready: %(pods)s.", context="state of pods")
_PENDING = message("Pending: %(pods)s.", context="state of pods")
_MAKE_READY: Final = gettext_lazy("Make these pods ready; the budget need not change.")


def _never(state: BudgetState, why: Never) -> str:
    replicas = state.pods if state.scale.replicas is None else state.scale.replicas
    return _NEVER[why](bound=bound(state.budget), pods=state.pods, replicas=replicas)


def _zero(state: BudgetState, cause: ZeroCause) -> str:
    computed = state.computed
    return _ZERO.get(cause, _NOT_EXPLAINED)(
        failure=computed.failure or state.budget.reported.failure,
        missing=max(0, (computed.expected or 0) - state.pods),
        allowed=computed.allowed or 0,
    )


def _not_ready(state: BudgetState, snapshot: Snapshot) -> str:
    computed, reported = state.computed, state.budget.reported
    numbers = (reported.desired, reported.healthy, reported.expected)
    if computed.desired is not None and computed.expected is not None:
        numbers = (computed.desired, computed.healthy, computed.expected)
    pending = [key for key in state.unhealthy if _is_pending(key, snapshot)]
    unready = [key for key in state.unhealthy if not _is_pending(key, snapshot)]
    said = [ALLOWS(pods=0), _healthy(*numbers)]
    if unready:
        said.append(_NOT_READY(pods=first_of(unready)))
    if pending:
        said.append(_PENDING(pods=first_of(pending)))
    said.append(str(_MAKE_READY))
    return " ".join(said)


def _healthy(required: int, number: int, expected: int) -> str:
    return HEALTHY(required=required, healthy=number, expected=expected)


def _is_pending(key: str, snapshot: Snapshot) -> bool:
    slot = snapshot.pods.slot_of.get(key)
    return slot is None or bool(snapshot.pods.node[slot] < 0)


# -- The pages about disruption budgets -------------------------------------------------------------------------------


# The numbers of a status.
EXPECTED: Final = pgettext_lazy("number of pods", "Expected")
HEALTHY_PODS: Final = pgettext_lazy("number of pods", "Healthy")
DESIRED: Final = pgettext_lazy("number of pods", "Desired")
ALLOWED: Final = pgettext_lazy("number of disruptions", "Allowed")
NOT_KNOWN: Final = pgettext_lazy("number of pods", "not known")

# The spec field by field.
REQUIRES: Final = pgettext_lazy("field of a budget", "Requires")
SELECTOR: Final = pgettext_lazy("field of a budget", "Selector")
UNHEALTHY_PODS: Final = pgettext_lazy("field of a budget", "Pods that are not ready")
PODS: Final = pgettext_lazy("field of a budget", "Pods selected")
REPLICAS: Final = pgettext_lazy("field of a budget", "Replicas")
DRAINS_BLOCKED: Final = pgettext_lazy("field of a budget", "Drains blocked")
# By whether the budget always allows the eviction of pods that are not ready.
POLICIES: Final = {
    True: gettext_lazy("unhealthyPodEvictionPolicy AlwaysAllow."),
    False: gettext_lazy("unhealthyPodEvictionPolicy IfHealthyBudget: only while enough others are healthy."),
}

# Lists of pods on a budget's page.
NOT_READY: Final = pgettext_lazy("heading of a list of pods", "Not ready")
UNDER_SEVERAL: Final = pgettext_lazy("heading of a list of pods", "Under several budgets")
WITHOUT_CONTROLLER: Final = pgettext_lazy("heading of a list of pods", "Without a controller")

REFUSES_NONE: Final = gettext_lazy("Refuses no eviction")
MAY_BE_BEHIND: Final = gettext_lazy("The API server acts on the reported status, which may be behind.")

# Filters of the list.
SEARCH_HINT: Final = gettext_lazy("Part of a budget's name")
FILTER_LASTING: Final = pgettext_lazy("filter of budgets", "Allows 0 until changed")
FILTER_PASSING: Final = pgettext_lazy("filter of budgets", "Allows 0 until pods are ready")
FILTER_ZERO: Final = pgettext_lazy("filter of budgets", "Reports 0 disruptions")
FILTER_DRAINS: Final = pgettext_lazy("filter of budgets", "Blocks drains")
FILTER_ALLOWS: Final = pgettext_lazy("filter of budgets", "Allows disruptions")
FILTER_SHARED: Final = pgettext_lazy("filter of budgets", "Pods under several budgets")
FILTER_DIFFERS: Final = pgettext_lazy("filter of budgets", "Status differs")


DIFFERS = message("%(number)s, differs")
COMPUTED = message("computed %(number)s")
ZONE_PODS = plural("%(pods)s pod, %(healthy)s healthy", "%(pods)s pods, %(healthy)s healthy", by="pods")
ON_NO_NODE = plural(
    "Pending or finished: %(pods)s pod.",
    "Pending or finished: %(pods)s pods.",
    by="pods",
)


BLOCKS_DRAINS = plural("Blocks the drain of %(nodes)s node.", "Blocks the drains of %(nodes)s nodes.", by="nodes")
SHARED_PODS = plural(
    "%(pods)s pod is also selected by %(budgets)s, so its eviction fails (500): let one budget select it.",
    "%(pods)s pods are also selected by %(budgets)s, so their evictions fail (500): let one budget select each.",
    by="pods",
)
NOT_COMPUTABLE = message("The status cannot be computed: %(failure)s.")
EXPECTED_NOT_KNOWN = message("Expected pods unknown: %(object)s is missing.")
UNMANAGED_PODS = plural(
    "%(pods)s pod without a controller.",
    "%(pods)s pods without a controller.",
    by="pods",
)
TERMINATING_PODS = plural(
    "%(pods)s terminating pod is not counted as healthy.",
    "%(pods)s terminating pods are not counted as healthy.",
    by="pods",
)


_REFUSED_OF = plural(
    "%(evictions)s of %(pods)s eviction refused", "%(evictions)s of %(pods)s evictions refused", by="pods"
)
_REFUSED_OF_SHARED = plural(
    "%(evictions)s of %(pods)s eviction refused, %(shared)s with 500 (several budgets)",
    "%(evictions)s of %(pods)s evictions refused, %(shared)s with 500 (several budgets)",
    by="pods",
)


def refused_of(evictions: int, pods: int, shared: int) -> str:
    """Say how many evictions of a node's drain a budget refuses, ``shared`` of them for pods under several budgets."""
    if shared:
        return _REFUSED_OF_SHARED(evictions=evictions, pods=pods, shared=shared)
    return _REFUSED_OF(evictions=evictions, pods=pods)


BLOCKS_NO_DRAIN = plural(
    "Budgets allow the drain of %(nodes)s node now.",
    "Budgets allow the drain of each of %(nodes)s nodes now.",
    by="nodes",
)
NOT_DRAINABLE = plural(
    "Budgets block the drain of %(blocked)s of %(nodes)s node: %(lasting)s until changed, %(passing)s until pods are "
    "ready.",
    "Budgets block the drains of %(blocked)s of %(nodes)s nodes: %(lasting)s until changed, %(passing)s until pods are "
    "ready.",
    by="nodes",
)
NEVER_ALLOW = message("%(number)s of %(total)s budgets never allow a disruption until changed: %(budgets)s.")


SHOW_BLOCKED = plural("Show %(nodes)s node", "Show all %(nodes)s nodes", by="nodes")


# -- What the pictures of a budget say --------------------------------------------------------------------------------


TITLE: Final = gettext_lazy("Healthy pods and required ones")
REQUIRED: Final = pgettext_lazy("part of a picture", "Healthy, required")
MISSING: Final = pgettext_lazy("part of a picture", "Required, not healthy")
MAY_BE_EVICTED: Final = pgettext_lazy("part of a picture", "Healthy, may be evicted")
NOT_ALLOWED: Final = pgettext_lazy("part of a picture", "Healthy, not granted")
UNHEALTHY: Final = pgettext_lazy("part of a picture", "Not healthy")
NODES_TITLE: Final = gettext_lazy("Pods by node, and evictions refused")
EVICTED: Final = pgettext_lazy("part of a picture", "Evicted at once")
REFUSED: Final = pgettext_lazy("part of a picture", "Eviction refused")


FLOOR = message("required: %(terms)s", context="line in a picture")
SUMMARY = plural(
    "%(healthy)s healthy, %(required)s required: %(allowed)s disruption allowed.",
    "%(healthy)s healthy, %(required)s required: %(allowed)s disruptions allowed.",
    by="allowed",
)


_DRAWN = message("Drawn: the first %(shown)s.")


def holds(shown: int, blocked: int, nodes: int) -> str:
    """Say of how many nodes a budget blocks the drain, and how many of the ``nodes`` with its pods are drawn."""
    every = BLOCKS_DRAINS(nodes=blocked)
    return every if shown == nodes else f"{every} {_DRAWN(shown=shown)}"
