"""Whether one node can be drained: what blocks it, and what to change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of

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
    """Say which budgets allow too few disruptions for a drain now."""
    return ngettext(
        "Its drain is blocked for now: the budget %(budgets)s allows too few disruptions. Wait until more of its pods "
        "are healthy.",
        "Its drain is blocked for now: the budgets %(budgets)s allow too few disruptions. Wait until more of their "
        "pods are healthy.",
        len(budgets),
    ) % {"budgets": first_of(budgets)}


def needs_force(pods: int) -> str:
    """Say that a drain deletes pods that nothing recreates."""
    return ngettext(
        "Its drain needs --force: nothing recreates %(pods)s pod of it.",
        "Its drain needs --force: nothing recreates %(pods)s pods of it.",
        pods,
    ) % {"pods": grouped(pods)}


def allowed(pods: int) -> str:
    """Say that no budget blocks a drain, and how many pods it evicts."""
    if not pods:
        return _("It can be drained now: no pod of it has to be evicted.")
    return ngettext(
        "Budgets allow its drain now: %(pods)s pod would be evicted.",
        "Budgets allow its drain now: %(pods)s pods would be evicted.",
        pods,
    ) % {"pods": grouped(pods)}
