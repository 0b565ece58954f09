"""What a disruption budget allows now, and why if that is nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.disruption import BudgetState, DisruptionBudget, Never, ZeroCause
from clusters.wording.lists import first_of
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from clusters.engine import Snapshot

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
        return " ".join(
            (ALLOWS(pods=state.budget.grants), _healthy(reported.desired, reported.healthy, reported.expected))
        )
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
