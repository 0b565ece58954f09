"""Whether one node can be drained: what blocks it, and what to change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _, ngettext

from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of
from clusters.wording.messages import plural

if TYPE_CHECKING:
    from collections.abc import Sequence


def blocked_until_changed(budgets: Sequence[str]) -> str:
    """Say which budgets block a drain until somebody changes them."""
    return ngettext(
        "It cannot be drained until the budget %(budgets)s is changed.",
        "It cannot be drained until the budgets %(budgets)s are changed.",
        len(budgets),
    ) % {"budgets": first_of(budgets)}


def blocked_for_now(budgets: Sequence[str]) -> str:
    """Say which budgets allow no disruption until more of their pods are ready."""
    return ngettext(
        "It cannot be drained until pods are ready: the budget %(budgets)s allows 0 disruptions.",
        "It cannot be drained until pods are ready: the budgets %(budgets)s allow 0 disruptions.",
        len(budgets),
    ) % {"budgets": first_of(budgets)}


NEEDS_FORCE = plural(
    "Its drain needs --force: nothing recreates %(pods)s pod of it.",
    "Its drain needs --force: nothing recreates %(pods)s pods of it.",
    by="pods",
)


def without_room(pods: Sequence[str]) -> str:
    """Say of which pods the replacements would be unschedulable."""
    return ngettext(
        "It cannot be drained: the replacement of %(pods)s would be unschedulable.",
        "It cannot be drained: the replacements of %(pods)s would be unschedulable.",
        len(pods),
    ) % {"pods": first_of(pods)}


def drainable(pods: int) -> str:
    """Say that a node can be drained, and how many pods that evicts."""
    if not pods:
        return _("It can be drained now: no pod of it has to be evicted.")
    return ngettext(
        "It can be drained now: %(pods)s pod would be evicted.",
        "It can be drained now: %(pods)s pods would be evicted.",
        pods,
    ) % {"pods": grouped(pods)}


ALLOWED = plural(
    "Budgets allow its drain now: %(pods)s pod would be evicted.",
    "Budgets allow its drain now: %(pods)s pods would be evicted.",
    by="pods",
)
