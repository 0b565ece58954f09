"""Preemption from the victims' side: who would remove a pod, who could, and why the others cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.engine.analysis import PreemptionOutcome, Threat
from clusters.wording import states
from clusters.wording.amounts import grouped
from clusters.wording.evaluation import counted, still
from clusters.wording.lists import begun, first_of
from clusters.wording.messages import message, plural
from clusters.wording.quotas import NO_CONTROLLER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.owners import Workload

# What a pending pod means for one that runs.
THREATS: Final = {
    Threat.SELECTED: pgettext_lazy("threat to a pod", "Preempts it"),
    Threat.CANDIDATE: pgettext_lazy("threat to a pod", "May preempt it"),
    Threat.SPARED: pgettext_lazy("threat to a pod", "Spares it"),
    Threat.LEAVING: pgettext_lazy("threat to a pod", "Has preempted it"),
}
LEAVING: Final = gettext_lazy("Preempted: it is terminating; the pending pod is nominated.")
SEARCH_HINT: Final = gettext_lazy("namespace/workload")
NO_PENDING: Final = gettext_lazy("No pod is pending.")
NO_HIGHER_CLASS: Final = gettext_lazy("No PriorityClass is above it.")
# Of what a budget is worth against preemption.
BEST_EFFORT: Final = gettext_lazy("Budgets do not prevent preemption; nodes with fewer violations are preferred.")

INDEPENDENT: Final = gettext_lazy("Each pending pod is evaluated as if it came first.")


# Why a pending pod preempts none, or not the pod that is looked at.
OTHERS: Final = {
    Threat.PRIORITY: pgettext_lazy("why none is preempted", "Their priority is not higher"),
    Threat.OTHER_NODES: pgettext_lazy("why none is preempted", "They preempt on other nodes only"),
    PreemptionOutcome.FITS: pgettext_lazy("why none is preempted", "They fit without preemption"),
    PreemptionOutcome.NOT_HELPFUL: pgettext_lazy("why none is preempted", "Preemption is not helpful"),
    PreemptionOutcome.NEVER: pgettext_lazy("why none is preempted", "Their preemptionPolicy is Never"),
    PreemptionOutcome.GATED: pgettext_lazy("why none is preempted", "Scheduling gates keep them back"),
    PreemptionOutcome.TERMINATING: pgettext_lazy("why none is preempted", "They await their victims' termination"),
    PreemptionOutcome.LOWEST: pgettext_lazy("why none is preempted", "No pod on a node has a lower priority"),
    PreemptionOutcome.NO_PLUGIN: pgettext_lazy("why none is preempted", "Their profile preempts no pods"),
    PreemptionOutcome.ERROR: pgettext_lazy("why none is preempted", "The scheduler ends in an error"),
    PreemptionOutcome.UNCERTAIN: pgettext_lazy("why none is preempted", "They may fit without preemption"),
    PreemptionOutcome.OTHER_SCHEDULER: pgettext_lazy("why none is preempted", "They are of another scheduler"),
    PreemptionOutcome.NOT_EVALUATED: pgettext_lazy("why none is preempted", "Not evaluated: too many victims"),
    PreemptionOutcome.EVALUATING: states.EVALUATING,
    PreemptionOutcome.NOT_COMPUTED: pgettext_lazy("why none is preempted", "Could not be computed; the log says why"),
}


def headline(selected: int, candidate: int, evaluating: int) -> str:
    """Count the pending pods that would preempt a pod, those that might, and those that are still being evaluated."""
    if not selected and not candidate and not evaluating:
        return _("No pending pod would preempt this pod now.")
    if not selected and not candidate:
        return " ".join((_("None so far would preempt this pod."), still(evaluating)))
    said = []
    if selected:
        said.append(
            ngettext(
                "%(pods)s pending pod would preempt this pod.",
                "%(pods)s pending pods would preempt this pod.",
                selected,
            )
            % {"pods": counted(selected, is_whole=not evaluating)}
        )
    if candidate:
        said.append(
            ngettext(
                "%(pods)s pending pod could preempt it, but prefers another node.",
                "%(pods)s pending pods could preempt it, but prefer another node.",
                candidate,
            )
            % {"pods": counted(candidate, is_whole=not evaluating)}
        )
    return " ".join([*map(begun, said), *([still(evaluating)] if evaluating else [])])


IS_VICTIM = plural(
    "%(victims)s victim on %(node)s: this pod.",
    "%(victims)s victims on %(node)s, this pod among them.",
    by="victims",
)
WOULD_BE_VICTIM = plural(
    "%(victims)s victim on %(node)s; %(selected)s is preferred.",
    "%(victims)s victims on %(node)s; %(selected)s is preferred.",
    by="victims",
)
IS_SPARED = plural(
    "%(victims)s other pod of %(node)s makes enough room.",
    "%(victims)s other pods of %(node)s make enough room.",
    by="victims",
)
BUDGETS_VIOLATED = plural(
    "%(victims)s victim violates a budget, as on every candidate.",
    "%(victims)s victims violate budgets, as on every candidate.",
    by="victims",
)
BUDGETS_AVOIDED = plural(
    "On %(node)s %(victims)s victim violates a budget; on %(selected)s fewer do.",
    "On %(node)s %(victims)s victims violate a budget; on %(selected)s fewer do.",
    by="victims",
)
SAMPLED = message("It tries at least %(sample)s of %(nodes)s nodes from a random one on, and may select another.")
UNCERTAIN: Final = gettext_lazy("Something not computed may reject the pod there.")


def priority(value: int, name: str) -> str:
    """Write a priority with the PriorityClass that gives it."""
    return f"{grouped(value)} ({name})" if name else grouped(value)


def classes_above(classes: Sequence[tuple[str, int]]) -> str:
    """Name the PriorityClasses whose pods may preempt a pod."""
    named = [priority_class(name, value) for name, value in classes]
    return ngettext(
        "Pods of %(names)s may preempt it.",
        "Pods of %(names)s may preempt it.",
        len(classes),
    ) % {"names": first_of(named, most=8)}


def classes_that_wait(names: Sequence[str]) -> str:
    """Name the PriorityClasses above a pod that preempt none."""
    return ngettext(
        "%(names)s is above it, but never preempts.",
        "%(names)s are above it, but never preempt.",
        len(names),
    ) % {"names": first_of(names, most=8)}


def priority_class(name: str, value: int) -> str:
    """Write a PriorityClass with its value."""
    return f"{name} ({grouped(value)})"


BUDGET = plural(
    "Budget %(name)s allows %(allowed)s disruption.",
    "Budget %(name)s allows %(allowed)s disruptions.",
    by="allowed",
)


def workload(named: Workload) -> str:
    """Name a workload."""
    return f"{named.kind} {named.namespace}/{named.name}" if named.kind else str(NO_CONTROLLER)


MORE_PODS = plural("and %(pods)s more pod", "and %(pods)s more pods", by="pods")
