"""Which of several nodes with the highest total kube-scheduler takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from clusters.engine.scheduling import TieBreak, tie_of

if TYPE_CHECKING:
    from clusters.engine import Explanation


def tie_sentence(explanation: Explanation) -> str:
    """Say how one of the best nodes is taken, and which where that is known; empty where there is one alone."""
    tie, minor = tie_of(explanation), explanation.snapshot.release.minor
    if tie is None:
        return ""
    if tie.by is TieBreak.RANDOM:
        return _("The scheduler picks one of them at random.")
    if tie.likely is None:
        return _("Kubernetes %(release)s takes the first of its search, whose start is unknown.") % {"release": minor}
    node = explanation.snapshot.nodes.names[tie.likely]
    if tie.is_start_known:
        return _("Kubernetes %(release)s nearly always takes %(node)s, the first of its search.") % {
            "release": minor,
            "node": node,
        }
    return _(
        "Kubernetes %(release)s takes the first of its search: %(node)s, if that goes by name from the first node on."
    ) % {"release": minor, "node": node}
