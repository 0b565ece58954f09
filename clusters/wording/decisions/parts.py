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

NO_PART: Final = gettext_lazy("The decision has no such part now.")


PROFILE = message("Profile %(profile)s")
GROUP_TITLE = message("%(nodes)s: %(verdict)s")
NODE_TITLE = message("On %(node)s")
SCORE_TITLE = message("%(plugin)s on %(node)s")
NOT_SCORED = message("%(plugin)s did not score %(node)s.")
