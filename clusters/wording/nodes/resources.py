"""How full a node is: what its pods request, what is free, and which resource runs out first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clusters.wording.amounts import grouped
from clusters.wording.lists import listed
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Iterable


REQUESTED_LABEL = message("%(resource)s requested")
EXACT = message("%(requested)s of %(allocatable)s")
KEPT = message("%(amount)s kept from pods")
EXCEEDED_BY = message("%(amount)s over")
AMOUNT_OF = message("%(amount)s of %(resource)s")
FREE_PODS = plural("%(number)s more pod", "%(number)s more pods", by="number")
SHARE_OF = message("%(share)s of its %(resource)s")


def pods_request(pods: int, shares: Iterable[str]) -> str:
    """Say what the pods of a node request; ``shares``: of `share_of`."""
    return ngettext("Its %(pods)s pod requests %(shares)s.", "Its %(pods)s pods request %(shares)s.", pods) % {
        "pods": grouped(pods),
        "shares": listed(shares),
    }


NO_PODS: Final = gettext_lazy("No pod runs on it.")


def free(amounts: Iterable[str]) -> str:
    """Say what is free; ``amounts`` name their resources."""
    return _("Free: %(amounts)s.") % {"amounts": listed(amounts)}


NOTHING_REQUESTED: Final = gettext_lazy("They request nothing.")
OVERCOMMITTED = message("%(resource)s is overcommitted: requests exceed allocatable.")
USED_UP = message("%(resource)s is requested in full.")
POD_LIMIT_REACHED: Final = gettext_lazy("The node pod limit is reached.")
POD_LIMIT_NEXT = plural(
    "The node pod limit is reached first, after %(pods)s more pod.",
    "The node pod limit is reached first, after %(pods)s more pods.",
    by="pods",
)
RUNS_OUT_AT_ONCE = message("%(resource)s runs out first: less is free than these pods request on average.")
RUNS_OUT = plural(
    "%(resource)s runs out first, after about %(pods)s more average pod.",
    "%(resource)s runs out first, after about %(pods)s more average pods.",
    by="pods",
)
