"""What keeps pods pending, where it may be the group that they name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.engine.group_states import GroupPhase, PodGroupState
from clusters.wording.amounts import grouped
from clusters.wording.pending.names import cause_name

if TYPE_CHECKING:
    from clusters.engine.analysis import Cause

SEE_GROUP: Final = gettext_lazy("The page of the group says which of its pods find no node, and what helps.")
LABEL: Final = pgettext_lazy("label of a filter", "Pod group")


def cause_in_group(cause: Cause, state: PodGroupState | None) -> str:
    """Name what keeps pods pending, as `cause_name` does; ``state`` is that of the group that it lies in."""
    if state is None:
        return cause_name(cause)
    if state.phase is GroupPhase.NOT_FOUND:
        return _("pod group %(group)s not found") % {"group": str(state.key)}
    if state.phase is GroupPhase.WAITING_FOR_PODS:
        return _waiting(state)
    return _("gang %(group)s not scheduled as a whole") % {"group": str(state.key)}


def _waiting(state: PodGroupState) -> str:
    return ngettext(
        "waiting for the gang %(group)s, %(pods)s of %(least)s pod exists",
        "waiting for the gang %(group)s, %(pods)s of %(least)s pods exist",
        state.quorum,
    ) % {"group": str(state.key), "pods": grouped(len(state.members)), "least": grouped(state.quorum)}
