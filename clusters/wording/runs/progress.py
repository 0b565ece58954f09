"""How far a simulation is, and what came of it, in one sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.messages import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

# The state of a simulation or of a study.
QUEUED: Final = pgettext_lazy("state of a simulation", "Queued")
RUNNING: Final = pgettext_lazy("state of a simulation", "Running")
DONE: Final = pgettext_lazy("state of a simulation", "Done")
CANCELLED: Final = pgettext_lazy("state of a simulation", "Cancelled")
FAILED: Final = pgettext_lazy("state of a simulation", "Failed")
# By what is stored.
STATES: Final = {"queued": QUEUED, "running": RUNNING, "done": DONE, "cancelled": CANCELLED, "failed": FAILED}

# What stands in the place of a result.
WAITS_FOR_WORKER: Final = gettext_lazy("It waits for a worker.")
BEING_CANCELLED: Final = gettext_lazy("It is being cancelled.")
BEGINS: Final = gettext_lazy("The cluster is being prepared.")
CANCELLED_BEFORE: Final = gettext_lazy("Cancelled before it began.")
IT_FAILED: Final = gettext_lazy("It failed.")
IT_IS_DONE: Final = gettext_lazy("It is done.")

DELETED_USER: Final = gettext_lazy("a deleted account")


DECIDED = plural(
    "%(done)s of %(total)s pods decided, in %(steps)s step.",
    "%(done)s of %(total)s pods decided, in %(steps)s steps.",
    by="steps",
)
CANCELLED_AFTER = plural(
    "Cancelled after %(done)s of %(total)s pod.", "Cancelled after %(done)s of %(total)s pods.", by="total"
)


def placed_sentence(*, placed: int, uncertain: int, wanted: int) -> str:
    """Say how many pods were placed for certain, of those that were to be placed."""
    values = {"placed": grouped(placed), "wanted": grouped(wanted)}
    if not wanted:
        return _("No pod was to be placed.")
    if placed == wanted == 1:
        return _("The pod is placed.")
    if placed == wanted:
        return _("All %(wanted)s pods placed.") % {"wanted": grouped(wanted)}
    if uncertain:
        return (
            ngettext(
                "%(placed)s of %(wanted)s pod placed for certain.",
                "%(placed)s of %(wanted)s pods placed for certain.",
                wanted,
            )
            % values
        )
    return ngettext("%(placed)s of %(wanted)s pod placed.", "%(placed)s of %(wanted)s pods placed.", wanted) % values


def happened(parts: Sequence[str]) -> str:
    """Say what else came of a simulation; ``parts`` count the pods of each outcome."""
    return _("%(parts)s.") % {"parts": ", ".join(parts)}


def uncertain_pods(pods: int) -> str:
    """Count the pods that were placed by all that is computed."""
    return ngettext("%(pods)s pod uncertain", "%(pods)s pods uncertain", pods) % {"pods": grouped(pods)}


def newly_pending(pods: int) -> str:
    """Count the pods that are pending and were not before."""
    return ngettext("%(pods)s pod newly pending", "%(pods)s pods newly pending", pods) % {"pods": grouped(pods)}


def pending_as_before(pods: int) -> str:
    """Count the pods that were pending before and still are."""
    return ngettext("%(pods)s pod pending as before", "%(pods)s pods pending as before", pods) % {"pods": grouped(pods)}


def forbidden(pods: int) -> str:
    """Count the pods that are not created: the API server refuses them, or their StatefulSet waits for another."""
    return ngettext("%(pods)s pod not created", "%(pods)s pods not created", pods) % {"pods": grouped(pods)}


def not_computed(pods: int) -> str:
    """Count the pods whose decision Berth could not compute."""
    return ngettext("%(pods)s pod could not be computed", "%(pods)s pods could not be computed", pods) % {
        "pods": grouped(pods)
    }


def preempted(pods: int) -> str:
    """Count the pods that were preempted."""
    return ngettext("%(pods)s pod preempted", "%(pods)s pods preempted", pods) % {"pods": grouped(pods)}


def evicted(pods: int) -> str:
    """Count the pods that were evicted."""
    return ngettext("%(pods)s pod evicted", "%(pods)s pods evicted", pods) % {"pods": grouped(pods)}


def deleted(pods: int) -> str:
    """Count the pods that were deleted because their Jobs failed."""
    return ngettext("%(pods)s pod of a failed Job deleted", "%(pods)s pods of failed Jobs deleted", pods) % {
        "pods": grouped(pods)
    }


def refused(evictions: int) -> str:
    """Count the evictions that budgets refused."""
    return ngettext(
        "%(evictions)s eviction refused by a budget", "%(evictions)s evictions refused by a budget", evictions
    ) % {"evictions": grouped(evictions)}


def held(pods: int) -> str:
    """Count the pods that no drain evicts without a flag."""
    return ngettext("%(pods)s pod not evicted without --force", "%(pods)s pods not evicted without --force", pods) % {
        "pods": grouped(pods)
    }
