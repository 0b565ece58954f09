"""Selectors, requirements and labels in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from clusters.engine.selectors import LabelSelector, Operator, Requirement

if TYPE_CHECKING:
    from clusters.engine.evidence import NodeRequirement


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
