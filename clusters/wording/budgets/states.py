"""What a disruption budget allows now, and why if that is nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext, pgettext_lazy

from clusters.engine.disruption import BudgetState, DisruptionBudget, Never, ZeroCause
from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of
from clusters.wording.messages import plural

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
            (ALLOWS(pods=state.budget.grants), healthy(reported.desired, reported.healthy, reported.expected))
        )
    if state.cause is ZeroCause.NEVER and state.never is not None:
        return _never(state, state.never)
    if state.cause is ZeroCause.UNHEALTHY:
        return _not_ready(state, snapshot)
    return _zero(state, state.cause)


ALLOWS = plural("Allows %(pods)s disruption.", "Allows %(pods)s disruptions.", by="pods")


def healthy(required: int, number: int, expected: int) -> str:
    """Say how many healthy pods a budget requires, and how many of the expected ones are healthy."""
    return ngettext(
        "%(required)s healthy pod required, %(healthy)s of %(expected)s healthy.",
        "%(required)s healthy pods required, %(healthy)s of %(expected)s healthy.",
        required,
    ) % {"required": grouped(required), "healthy": grouped(number), "expected": grouped(expected)}


ALLOWS_BADGE = plural("Allows %(pods)s disruption", "Allows %(pods)s disruptions", by="pods")


def zero_badge(cause: ZeroCause) -> str:
    """Say why a budget allows nothing, at a glance."""
    return _("Allows 0 disruptions: %(cause)s") % {"cause": CAUSES[cause]}


SHARED_BADGE = plural("%(pods)s pod under several budgets", "%(pods)s pods under several budgets", by="pods")


def _never(state: BudgetState, why: Never) -> str:
    pods, required = state.pods, bound(state.budget)
    replicas = pods if state.scale.replicas is None else state.scale.replicas
    match why:
        case Never.NOTHING_ASKED:
            return _("Allows 0 disruptions: it has neither minAvailable nor maxUnavailable.")
        case Never.NONE_UNAVAILABLE:
            return ngettext(
                "%(bound)s never allows a disruption of its %(pods)s pod.",
                "%(bound)s never allows a disruption of its %(pods)s pods.",
                pods,
            ) % {"bound": required, "pods": grouped(pods)}
        case Never.ALL_AVAILABLE:
            return ngettext(
                "%(bound)s requires all of %(replicas)s replica: it never allows a disruption.",
                "%(bound)s requires all of %(replicas)s replicas: it never allows a disruption.",
                replicas,
            ) % {"bound": required, "replicas": grouped(replicas)}
        case Never.MORE_THAN_REPLICAS:
            return ngettext(
                "%(bound)s exceeds %(replicas)s replica: it never allows a disruption.",
                "%(bound)s exceeds %(replicas)s replicas: it never allows a disruption.",
                replicas,
            ) % {"bound": required, "replicas": grouped(replicas)}
        case Never.UNMANAGED:
            return ngettext(
                "No controller says how many pods are expected of its %(pods)s pod: it never allows a disruption.",
                "No controller says how many pods are expected of its %(pods)s pods: it never allows a disruption.",
                pods,
            ) % {"pods": grouped(pods)}


def _zero(state: BudgetState, cause: ZeroCause) -> str:
    computed = state.computed
    match cause:
        case ZeroCause.SYNC_FAILED:
            failure = computed.failure or state.budget.reported.failure
            return _("Allows 0 disruptions: its status cannot be computed: %(failure)s.") % {"failure": failure}
        case ZeroCause.NO_PODS:
            return _("Selects no pods, so it refuses no eviction.")
        case ZeroCause.NOT_OBSERVED:
            return _("Allows 0 disruptions until the disruption controller has observed its spec.")
        case ZeroCause.ROLLOUT:
            return _("Allows 0 disruptions until the new pods of a rollout are ready.")
        case ZeroCause.EVICTING:
            return _("Allows 0 disruptions until replacements of terminating pods are ready.")
        case ZeroCause.MISSING:
            missing = max(0, (computed.expected or 0) - state.pods)
            return ngettext(
                "Allows 0 disruptions until its controllers have created %(pods)s missing pod.",
                "Allows 0 disruptions until its controllers have created %(pods)s missing pods.",
                missing,
            ) % {"pods": grouped(missing)}
        case ZeroCause.BEHIND:
            return _("Reported to allow 0 disruptions; its objects allow %(pods)s: the status is behind.") % {
                "pods": grouped(computed.allowed or 0)
            }
        case _:
            return _("Reported to allow 0 disruptions; the mirrored objects do not say why.")


def _not_ready(state: BudgetState, snapshot: Snapshot) -> str:
    computed, reported = state.computed, state.budget.reported
    numbers = (reported.desired, reported.healthy, reported.expected)
    if computed.desired is not None and computed.expected is not None:
        numbers = (computed.desired, computed.healthy, computed.expected)
    pending = [key for key in state.unhealthy if _is_pending(key, snapshot)]
    unready = [key for key in state.unhealthy if not _is_pending(key, snapshot)]
    said = [ALLOWS(pods=0), healthy(*numbers)]
    if unready:
        said.append(pgettext("state of pods", "Not ready: %(pods)s.") % {"pods": first_of(unready)})
    if pending:
        said.append(pgettext("state of pods", "Pending: %(pods)s.") % {"pods": first_of(pending)})
    said.append(_("Make these pods ready; the budget need not change."))
    return " ".join(said)


def _is_pending(key: str, snapshot: Snapshot) -> bool:
    slot = snapshot.pods.slot_of.get(key)
    return slot is None or bool(snapshot.pods.node[slot] < 0)
