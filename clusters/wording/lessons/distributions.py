"""How the answers of a class are distributed, in words: on the map, in tables, by size, and by what changes achieve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.lessons.goals import goal_words
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.lessons import Goal

# Of maps, by what answers name: nodes, nodes that reject the pod, pods that run there.
HEAT_TITLES: Final[Mapping[str, object]] = {
    "nodes": gettext_lazy("Named nodes"),
    "rejections": gettext_lazy("Nodes that are said to reject the pod"),
    "pods": gettext_lazy("Nodes of the named pods"),
}
HEAT_NUMBERS: Final[Mapping[str, object]] = {
    "nodes": gettext_lazy("Numbers count the answers that name the node."),
    "rejections": gettext_lazy("Numbers count the answers in which a plugin rejects the pod there."),
    "pods": gettext_lazy("Numbers count the answers that name a pod of the node."),
}
IN_ANSWERS: Final[Mapping[str, object]] = {
    "nodes": gettext_lazy("Named in answers: the more often, the stronger"),
    "rejections": gettext_lazy("Rejects the pod in answers: the more often, the stronger"),
    "pods": gettext_lazy("A pod is named in answers: the more often, the stronger"),
}
IN_NO_ANSWER: Final[Mapping[str, object]] = {
    "nodes": gettext_lazy("Named in no answer"),
    "rejections": gettext_lazy("Rejects the pod in no answer"),
    "pods": gettext_lazy("No pod is named in any answer"),
}
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


def node_heat(kind: str, node: str, number: int, answers: int) -> str:
    """Say in how many answers a node is named, a plugin rejects the pod there, or a pod that runs there is named."""
    match kind:
        case "rejections":
            return ngettext(
                "%(node)s: rejects the pod in %(number)s of %(answers)s answer",
                "%(node)s: rejects the pod in %(number)s of %(answers)s answers",
                answers,
            ) % {"node": node, "number": grouped(number), "answers": grouped(answers)}
        case "pods":
            return ngettext(
                "%(node)s: a pod is named in %(number)s of %(answers)s answer",
                "%(node)s: a pod is named in %(number)s of %(answers)s answers",
                answers,
            ) % {"node": node, "number": grouped(number), "answers": grouped(answers)}
        case _nodes:
            return ngettext(
                "%(node)s: named in %(number)s of %(answers)s answer",
                "%(node)s: named in %(number)s of %(answers)s answers",
                answers,
            ) % {"node": node, "number": grouped(number), "answers": grouped(answers)}


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


def goal_missed(goal: Goal) -> str:
    """Say which goal a changed manifest does not meet."""
    return _("Not met: %(goal)s") % {"goal": goal_words(goal)}


GOALS_MISSED = plural("%(number)s goal is not met", "%(number)s goals are not met", by="number")
