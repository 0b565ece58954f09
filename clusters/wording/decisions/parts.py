"""The parts of a decision page that have an address of their own: their titles, and what there is in place of one."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

MAP: Final = gettext_lazy("Map of the nodes")
NODES: Final = pgettext_lazy("title of a part of a decision", "Nodes")
NODES_BY_VERDICT: Final = gettext_lazy("Nodes by verdict")
SCORES: Final = pgettext_lazy("title of a part of a decision", "Scores")
RELAXATIONS: Final = gettext_lazy("Ways to make it schedulable")
PREEMPTION: Final = pgettext_lazy("title of a part of a decision", "Preemption")
OBSERVED: Final = pgettext_lazy("title of a part of a decision", "Observed")
WHY_NOT: Final = gettext_lazy("Why not this node?")
COMPARISON: Final = gettext_lazy("Compare two nodes")

NO_NODES: Final = gettext_lazy("There are no nodes.")
NO_SUCH_POOL: Final = gettext_lazy("There is no such zone and pool now.")
NO_GROUP: Final = gettext_lazy("There is no such group of nodes now.")
NOTHING_SCORED: Final = gettext_lazy("Nothing is scored now.")
NO_RELAXATION: Final = gettext_lazy("There is no such way to gain nodes now.")
NO_PREEMPTION: Final = gettext_lazy("Preemption is not evaluated now.")
NO_SUCH_NODES: Final = gettext_lazy("Ask for the nodes that differ, or for all.")
NO_ATTEMPT: Final = gettext_lazy("There is no such recorded attempt of this pod now.")


def profile(name: str) -> str:
    """Name the profile that decides."""
    return _("Profile %(profile)s") % {"profile": name}


def group_title(*, nodes: str, verdict: str) -> str:
    """Name a group of nodes by how many they are, in words, and by their verdict."""
    return _("%(nodes)s: %(verdict)s") % {"nodes": nodes, "verdict": verdict}


def node_title(node: str) -> str:
    """Name what the filters say of a node."""
    return _("On %(node)s") % {"node": node}


def score_title(*, plugin: str, node: str) -> str:
    """Name a plugin's score of a node."""
    return _("%(plugin)s on %(node)s") % {"plugin": plugin, "node": node}


def not_scored(*, plugin: str, node: str) -> str:
    """Say that a plugin has no score of a node."""
    return _("%(plugin)s did not score %(node)s.") % {"plugin": plugin, "node": node}
