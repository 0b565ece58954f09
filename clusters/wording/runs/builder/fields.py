"""What the forms of changes have in common, and what is wrong with short texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.lists import alternatives, first_of
from clusters.wording.messages import message

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ADD_CHANGE: Final = gettext_lazy("Add this change")
DAMAGED: Final = gettext_lazy("The changes are damaged. Start over.")
INCOMPLETE: Final = gettext_lazy("The changes are incomplete or too large. Start over.")


def too_small(least: int) -> str:
    """Say what the smallest number is that a field takes."""
    return _("Write %(least)s or more.") % {"least": grouped(least)}


def too_large(most: int) -> str:
    """Say what the largest number is that a field takes."""
    return _("Write %(most)s or less.") % {"most": grouped(most)}


FILE_TOO_LARGE = message("%(file)s has %(size)s; at most %(most)s.")
TOO_MANY_CHANGES = message("%(changes)s changes; at most %(most)s.")
MOST_CHANGES = message("At most %(most)s changes.")


# -- short texts -------------------------------------------------------------------------------------------------------


def no_resource(text: str) -> str:
    """Say that a text is no resource with its amount."""
    return _("“%(text)s” is not name=amount.") % {"text": text}


def no_label(text: str) -> str:
    """Say that a text is no label."""
    return _("“%(text)s” is not key=value.") % {"text": text}


def no_taint(text: str, effects: Iterable[str]) -> str:
    """Say that a text is no taint."""
    return _("“%(text)s” is not key=value:Effect, with %(effects)s.") % {
        "text": text,
        "effects": alternatives(effects),
    }


NO_WORKLOAD = message("“%(text)s” is not like Deployment shop/web.")


# -- what is not there -------------------------------------------------------------------------------------------------


def no_such_nodes(names: Sequence[str]) -> str:
    """Name the nodes of a change that the cluster has not got."""
    return _("No such nodes: %(names)s.") % {"names": first_of(names, most=5)}


NO_SUCH_WORKLOAD = message("There is no %(workload)s.")
NO_SUCH_BUDGET = message("There is no budget %(budget)s.")
