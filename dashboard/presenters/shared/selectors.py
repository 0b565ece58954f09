"""Label selectors in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.matching.selectors import Operator

if TYPE_CHECKING:
    from clusters.engine.matching.selectors import LabelSelector, Requirement


def selector_text(selector: LabelSelector) -> str:
    """Write a selector as kubectl takes it."""
    if selector.matches_nothing:
        return "no pod (there is no selector)"
    if selector.matches_everything:
        return "every pod (the selector is empty)"
    return ", ".join(_requirement(each) for each in selector.requirements)


def _requirement(requirement: Requirement) -> str:
    key, values = requirement.key, requirement.values
    if requirement.operator is Operator.EXISTS:
        return key
    if requirement.operator is Operator.DOES_NOT_EXIST:
        return f"!{key}"
    negated = requirement.operator is Operator.NOT_IN
    if len(values) == 1:
        return f"{key}{'!=' if negated else '='}{values[0]}"
    return f"{key} {'notin' if negated else 'in'} ({', '.join(values)})"
