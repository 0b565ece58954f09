"""What the journal keeps of a decision, in words: groups of nodes, scores and preemption as they were then."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.wording.messages import message, plural

# By the names that a document gives to what it dropped.
DROPPED: Final = {
    "examples": gettext_lazy("names of nodes and victims"),
    "groups": gettext_lazy("groups of nodes"),
    "reasons": gettext_lazy("reasons"),
    "message": gettext_lazy("messages"),
}


GROUPS_NOT_LISTED = message("Smaller groups that the journal does not list: %(groups)s (%(nodes)s).")
AND_MORE = message("and %(number)s more")
RESTRICTED: Final = gettext_lazy("PreFilter names the only nodes to filter.")
KEPT_STEPS: Final = gettext_lazy("The journal keeps these steps in short.")
WEIGHT = message("Weight %(weight)s.")
NO_NODE = plural("The %(nodes)s node did not fit.", "None of %(nodes)s nodes fitted.", by="nodes")
NODE_OF_ITS_TIME = message("%(node)s at that time")
ENDS_IN_ERROR = message("%(fits)s The attempt ends in an error.")
NOTHING_TO_COMPARE = message("%(fits)s With one feasible node the scheduler does not score.")
HIGHEST_TOTAL = plural(
    "%(fits)s %(tied)s node has the highest total, %(total)s.",
    "%(fits)s %(tied)s nodes have the highest total, %(total)s.",
    by="tied",
)
SAMPLED = message(
    "The scheduler's search ends after %(wanted)s feasible nodes of %(nodes)s, beginning where is not known; here all "
    "are compared."
)
ERROR_OF = message("The attempt ends in an error of %(plugin)s.")
ERROR_OF_WITH_MESSAGE = message("The attempt ends in an error of %(plugin)s: %(message)s.")
TAKES_NOMINATED: Final = gettext_lazy("The node of status.nominatedNodeName is tried first; others are not scored.")
PREEMPTION_NOT_TRIED: Final = gettext_lazy("Preemption is not tried.")
PREEMPTION_NOT_HELPFUL: Final = gettext_lazy("Preemption is not helpful on any node.")


MAKES_ROOM = plural(
    "Removing %(victims)s pod of lower priority from %(node)s makes room.",
    "Removing %(victims)s pods of lower priority from %(node)s makes room.",
    by="victims",
)
VIOLATIONS = message("Victims whose disruption budget it violates: %(victims)s.")
HELPS_ELSEWHERE = plural(
    "Preemption would also help on %(nodes)s other node.",
    "Preemption would also help on %(nodes)s other nodes.",
    by="nodes",
)
DROPPED_PARTS = message("Kept less than usual: fewer or shorter %(parts)s.")
