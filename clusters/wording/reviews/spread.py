"""What a review says of spread constraints."""

from __future__ import annotations

from django.utils.translation import ngettext

from clusters.wording.amounts import grouped


def none_violated(constraints: int) -> str:
    """Say that no constraint is violated."""
    return ngettext(
        "The %(constraints)s spread constraint is not violated.",
        "None of %(constraints)s spread constraints is violated.",
        constraints,
    ) % {"constraints": grouped(constraints)}


def violated(constraints: int, total: int) -> str:
    """Say how many constraints are violated."""
    return ngettext(
        "%(constraints)s of %(total)s spread constraints is violated.",
        "%(constraints)s of %(total)s spread constraints are violated.",
        constraints,
    ) % {"constraints": grouped(constraints), "total": grouped(total)}


def blocking(constraints: int) -> str:
    """Say how many of the violated constraints keep pods pending rather than place them."""
    return ngettext(
        "%(constraints)s of them acts as DoNotSchedule.",
        "%(constraints)s of them act as DoNotSchedule.",
        constraints,
    ) % {"constraints": grouped(constraints)}


def unreadable(templates: int) -> str:
    """Say how many pod templates have constraints that the API server would refuse."""
    return ngettext(
        "%(templates)s pod template has constraints that the API server would refuse.",
        "%(templates)s pod templates have constraints that the API server would refuse.",
        templates,
    ) % {"templates": grouped(templates)}
