"""A cluster at a moment of its past, in words: what happened last, and how far the journal knows it."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped

NODE: Final = pgettext_lazy("what happened", "Node")
GONE: Final = pgettext_lazy("what happened", "Gone")
NOTHING: Final = gettext_lazy("Nothing is recorded between the beginning of this period and this moment.")


def of_pod(pod: str, *, decision: str) -> str:
    """Say what the cluster decided about a pod."""
    return _("%(pod)s: %(decision)s.") % {"pod": pod, "decision": decision}


def pod_gone(pod: str, *, node: str) -> str:
    """Say that a pod was deleted."""
    return _("%(pod)s is gone from %(node)s.") % {"pod": pod, "node": node}


def node_gone(node: str) -> str:
    """Say that a node was removed."""
    return _("%(node)s is gone.") % {"node": node}


def ended(sentence: str) -> str:
    """End what is said of a node."""
    return _("%(sentence)s.") % {"sentence": sentence}


def late(pods: int) -> str:
    """Say of how many pods it is not known when they went."""
    return ngettext(
        "%(pods)s pod of these was missing when Berth listed the cluster anew later; it may have gone before this "
        "moment.",
        "%(pods)s pods of these were missing when Berth listed the cluster anew later; they may have gone before this "
        "moment.",
        pods,
    ) % {"pods": grouped(pods)}


def unknown_before(since: str) -> str:
    """Say from when on the journal knows what ran."""
    return _("What ran before %(since)s is not known: the journal records removed pods from then on.") % {
        "since": since
    }


def never_recorded() -> str:
    """Say that the journal keeps no pods that went."""
    return _(
        "The journal has no record of removed pods here, so it cannot say what ran when. They are recorded while Berth "
        "follows a live cluster."
    )
