"""Errors of the API about explanations of pods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clusters.wording.amounts import grouped
from clusters.wording.lists import listed

if TYPE_CHECKING:
    from collections.abc import Iterable

ASK_FOR_RUNNING: Final = gettext_lazy("Ask for a pod that has a node and has not finished.")
FIND_POD: Final = gettext_lazy(
    "It may be gone since the last dump: look it up among the cluster's pods, or upload a newer dump."
)
ASK_FOR_NODES: Final = gettext_lazy("Write nodes=all, or node=NAME.")
FIND_NODES: Final = gettext_lazy("Ask with nodes=all for every node's name.")
TOP_OUT_OF_RANGE: Final = gettext_lazy("top is out of range.")
WRITE_POD: Final = gettext_lazy("Write a Pod.")


def no_pod(*, cluster: str, pod: str) -> str:
    """Say that a cluster has no such pod."""
    return _("The cluster %(cluster)s has no pod %(pod)s.") % {"cluster": cluster, "pod": pod}


def other_scheduler(scheduler: str) -> str:
    """Say that another scheduler places a pod."""
    return _("The scheduler %(scheduler)s places this pod, and how it decides is not known.") % {"scheduler": scheduler}


def ask_with_profile(known: Iterable[str]) -> str:
    """Say that a profile can be asked for instead, and which there are."""
    return _("Ask with profile=NAME for what a profile of the configuration would decide; there is %(known)s.") % {
        "known": listed(known)
    }


def bad_configuration(reason: str) -> str:
    """Say why a cluster's scheduler configuration cannot be read."""
    return _("The cluster's scheduler configuration cannot be read: %(reason)s") % {"reason": reason}


def upload_again(remedy: str) -> str:
    """Say what would be right in a configuration, and that the dump has to be uploaded with it."""
    return _("%(remedy)s Then upload the dump again.") % {"remedy": remedy}


def nodes_not_understood(asked: str) -> str:
    """Say that the parameter nodes has no such value."""
    return _("nodes=%(asked)s is not understood.") % {"asked": asked}


def no_node(node: str) -> str:
    """Say that a cluster has no such node."""
    return _("There is no node %(node)s.") % {"node": node}


def write_up_to(most: int) -> str:
    """Say which numbers a parameter takes."""
    return _("Write 1 to %(most)s.") % {"most": grouped(most)}


def pods_a_minute(most: int) -> str:
    """Say how many written pods are judged for one user."""
    return ngettext(
        "%(most)s written pod a minute is judged for each user.",
        "%(most)s written pods a minute are judged for each user.",
        most,
    ) % {"most": grouped(most)}


def not_a_pod(found: str) -> str:
    """Say that an object is of another kind."""
    return _("%(found)s is not a Pod.") % {"found": found}
