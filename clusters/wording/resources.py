"""Resources, selectors and costs in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy

from clusters.engine.resources import CPU
from clusters.engine.scheduling import LIMITS, Measure
from clusters.engine.selectors import LabelSelector, Operator, Requirement
from clusters.wording import amounts
from clusters.wording.lists import listed
from clusters.wording.messages import message

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.evidence import NodeRequirement


# -- Resources and amounts of them in words ---------------------------------------------------------------------------


def resource_name(resource: str) -> str:
    """Name a resource as a sentence does: `CPU`."""
    return "CPU" if resource == CPU else resource


def resource_names(resources: Iterable[str]) -> str:
    """Name resources as a sentence does: `CPU and memory`."""
    return listed([resource_name(each) for each in dict.fromkeys(resources)])


def resource_amount(resource: str, amount: int) -> str:
    """Write an amount in base units with its resource: `1.5 CPU`, `2 GiB of memory`, `3 of example.com/gpu`."""
    return _named(resource, amounts.quantity(resource, amount))


def request_up_to(resource: str, amount: int) -> str:
    """Write an amount that somebody may request, which is never rounded up, with its resource."""
    return _named(resource, amounts.at_most(resource, amount))


def _named(resource: str, written: str) -> str:
    if resource == CPU:
        return written
    return _("%(amount)s of %(resource)s") % {"amount": written, "resource": resource}


# -- Selectors, requirements and labels in words ----------------------------------------------------------------------


def selector_text(selector: LabelSelector) -> str:
    """Write a selector as kubectl takes it."""
    if selector.matches_nothing:
        return _("no pod (there is no selector)")
    if selector.matches_everything:
        return _("every pod (the selector is empty)")
    return ", ".join(requirement_text(each) for each in selector.requirements)


def requirement_text(requirement: Requirement | NodeRequirement) -> str:
    """Write a requirement as kubectl takes it; kubectl takes no comparison, which is written with its sign."""
    key, values = requirement.key, requirement.values
    match requirement.operator:
        case Operator.EXISTS:
            return key
        case Operator.DOES_NOT_EXIST:
            return f"!{key}"
        case Operator.GREATER_THAN:
            return f"{key}>{', '.join(values)}"
        case Operator.LESS_THAN:
            return f"{key}<{', '.join(values)}"
        case Operator.IN if len(values) == 1:
            return f"{key}={values[0]}"
        case Operator.NOT_IN if len(values) == 1:
            return f"{key}!={values[0]}"
        case operator:
            return f"{key} {'in' if operator is Operator.IN else 'notin'} ({', '.join(values)})"


# -- Explanations that would cost too much, in words ------------------------------------------------------------------


_LIMITS: Final = {
    Measure.REQUIREMENTS: message("Too costly to compute: more than %(limit)s requirements."),
    Measure.COMPARISONS: message("Too costly to compute: more than %(limit)s comparisons for its requirements."),
    Measure.PLACED_TERMS: message("Too costly to compute: more than %(limit)s affinity terms of running pods."),
    Measure.DRY_RUNS: message("Too costly to compute: more than %(limit)s combinations in preemption."),
}
_FEWER_REQUIREMENTS: Final = gettext_lazy("Merge or remove requirements of the pod.")
_REMEDIES: Final = {
    Measure.REQUIREMENTS: _FEWER_REQUIREMENTS,
    Measure.COMPARISONS: _FEWER_REQUIREMENTS,
    Measure.PLACED_TERMS: gettext_lazy("Merge terms of the longest spec.affinity."),
    Measure.DRY_RUNS: gettext_lazy("Merge or remove requirements of the pod, or set preemptionPolicy Never."),
}
COUNTED = message("Here: %(counted)s.")


def limit_sentence(measure: Measure) -> str:
    """Say that an explanation was refused, and which limit it exceeds."""
    return _LIMITS[measure](limit=LIMITS[measure])


def limit_remedy(measure: Measure) -> str:
    """Say what makes an explanation possible."""
    return str(_REMEDIES[measure])
