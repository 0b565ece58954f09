"""The parts of a decision page that have an address of their own: their titles, and what there is in place of one."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message

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


PROFILE = message("Profile %(profile)s")
GROUP_TITLE = message("%(nodes)s: %(verdict)s")
NODE_TITLE = message("On %(node)s")
SCORE_TITLE = message("%(plugin)s on %(node)s")
NOT_SCORED = message("%(plugin)s did not score %(node)s.")
