"""How the answers of a class are distributed, in words: on the map, in tables, by size, and by what changes achieve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Mapping

# Of maps, by what answers name: nodes, nodes that reject the pod, pods that run there.
HEAT_TITLES: Final[Mapping[str, object]] = {
    "nodes": gettext_lazy("Named nodes"),
    "rejections": gettext_lazy("Nodes that are said to reject the pod"),
    "pods": gettext_lazy("Nodes of the named pods"),
}
IN_ANSWERS: Final = gettext_lazy("The more answers, the stronger")
IN_NO_ANSWER: Final = gettext_lazy("In no answer")
RIGHT_NODE: Final = gettext_lazy("Right")

ALL_NODES: Final = gettext_lazy("All nodes together")
BY_PLUGIN: Final = gettext_lazy("How many answers let a plugin reject the pod, by node")
BY_PLACE: Final = gettext_lazy("In how many answers each stands at which place")
NODE: Final = pgettext_lazy("head of a column", "Node")
POD: Final = pgettext_lazy("head of a column", "Pod")

VERDICTS: Final = gettext_lazy("Changed manifests")
GOALS: Final = gettext_lazy("Goals that are met")
EVERY_GOAL: Final = gettext_lazy("Every goal is met")
REFUSED: Final = gettext_lazy("The API server refuses it")
KEPT_CHANGED: Final = gettext_lazy("A field is changed that has to stay as it is")


NODE_HEAT = plural(
    "%(node)s: %(number)s of %(answers)s answer", "%(node)s: %(number)s of %(answers)s answers", by="answers"
)
HEAT_SUMMARY = plural(
    "Answers on each of %(nodes)s node (answers: %(answers)s).",
    "Answers on each of %(nodes)s nodes (answers: %(answers)s).",
    by="nodes",
)
LATER_PLACES = message("%(first)s and later")
OTHER_ROWS = plural("%(number)s more row is not listed.", "%(number)s more rows are not listed.", by="number")
OTHER_RIGHT = plural(
    "%(number)s more is right and not listed.", "%(number)s more are right and not listed.", by="number"
)
NUMBER_RANGE = message("%(least)s to %(most)s")
NUMBER_SPREAD = message("From %(least)s to %(most)s; half of the answers are at most %(middle)s.")
GOAL_MISSED = message("Not met: %(goal)s")
GOALS_MISSED = plural("%(number)s goal is not met", "%(number)s goals are not met", by="number")
