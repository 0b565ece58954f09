"""What the forms of changes have in common, and what is wrong with short texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clusters.wording.amounts import grouped
from clusters.wording.lists import alternatives, first_of
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ADD_CHANGE: Final = gettext_lazy("Add this change")
DAMAGED: Final = gettext_lazy("The changes in the form are damaged. Start over.")
NOT_IN_ADDRESS: Final = gettext_lazy("The changes in the address are damaged. Start over.")
INCOMPLETE: Final = gettext_lazy("The changes in the form are incomplete or too large. Start over.")


def too_small(least: int) -> str:
    """Say what the smallest number is that a field takes."""
    return _("Write %(least)s or more.") % {"least": grouped(least)}


def too_large(most: int) -> str:
    """Say what the largest number is that a field takes."""
    return _("Write %(most)s or less.") % {"most": grouped(most)}


FILE_TOO_LARGE = message("%(file)s has %(size)s. At most %(most)s are taken.")
TOO_MANY_CHANGES = plural(
    "There is %(changes)s change. At most %(most)s are taken.",
    "There are %(changes)s changes. At most %(most)s are taken.",
    by="changes",
)
MOST_CHANGES = plural("At most %(most)s change is taken.", "At most %(most)s changes are taken.", by="most")


# -- short texts -------------------------------------------------------------------------------------------------------


def no_resource(text: str) -> str:
    """Say that a text is no resource with its amount."""
    return _("“%(text)s” is not a resource with its amount. Write name=amount.") % {"text": text}


def no_label(text: str) -> str:
    """Say that a text is no label."""
    return _("“%(text)s” is not a label. Write key=value.") % {"text": text}


def no_taint(text: str, effects: Iterable[str]) -> str:
    """Say that a text is no taint."""
    return _("“%(text)s” is not a taint. Write key=value:Effect with the effect %(effects)s.") % {
        "text": text,
        "effects": alternatives(effects),
    }


NO_WORKLOAD = message("“%(text)s” is not a workload. Write its kind, namespace and name: Deployment shop/web.")


# -- what is not there -------------------------------------------------------------------------------------------------


def no_such_nodes(names: Sequence[str]) -> str:
    """Name the nodes of a change that the cluster has not got."""
    return ngettext(
        "There is no node %(names)s. Remove it, or name another.",
        "There are no nodes %(names)s. Remove them, or name others.",
        len(names),
    ) % {"names": first_of(names, most=5)}


NO_SUCH_WORKLOAD = message("There is no %(workload)s. Remove the change, or name another workload.")
NO_SUCH_BUDGET = message("There is no disruption budget %(budget)s. Remove the change, or name another.")
