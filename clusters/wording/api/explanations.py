"""Errors of the API about explanations of pods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy

from clusters.wording.lists import listed
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Iterable

ASK_FOR_RUNNING: Final = gettext_lazy("Ask for a running pod.")
FIND_POD: Final = gettext_lazy("Search the cluster's pods, or upload a newer dump.")
ASK_FOR_NODES: Final = gettext_lazy("Write nodes=all, or node=NAME.")
FIND_NODES: Final = gettext_lazy("Ask with nodes=all for every node's name.")
TOP_OUT_OF_RANGE: Final = gettext_lazy("top is out of range.")
WRITE_POD: Final = gettext_lazy("Write a Pod.")


NO_POD = message("%(cluster)s has no pod %(pod)s.")
OTHER_SCHEDULER = message("The scheduler %(scheduler)s places this pod.")


def ask_with_profile(known: Iterable[str]) -> str:
    """Say that a profile can be asked for instead, and which there are."""
    return _("Ask with profile=NAME: %(known)s.") % {"known": listed(known)}


BAD_CONFIGURATION = message("The cluster's scheduler configuration cannot be read: %(reason)s")
UPLOAD_AGAIN = message("%(remedy)s Then upload the dump again.")
NODES_NOT_UNDERSTOOD = message("nodes=%(asked)s is not understood.")
NO_NODE = message("There is no node %(node)s.")
WRITE_UP_TO = message("Write 1 to %(most)s.")
PODS_A_MINUTE = plural(
    "%(most)s written pod a minute is judged per user.",
    "%(most)s written pods a minute are judged per user.",
    by="most",
)
NOT_A_POD = message("%(found)s is not a Pod.")
