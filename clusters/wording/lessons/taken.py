"""What a lesson says that was made of a decision: its texts, and the page on which it is made."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

from clusters.engine.lessons import StepKind
from clusters.wording.messages import message, plural

_TITLES: Final = {
    StepKind.WHERE: gettext_lazy("Where does the pod go?"),
    StepKind.OUTCOME: gettext_lazy("What becomes of the pod?"),
    StepKind.VICTIMS: gettext_lazy("Which pods are preempted?"),
    StepKind.EACH_NODE: gettext_lazy("What does each node say?"),
}
_ASKS: Final = {
    StepKind.WHERE: gettext_lazy("Choose the node that kube-scheduler takes, or none."),
    StepKind.OUTCOME: gettext_lazy("Choose what happens at the scheduler's next attempt."),
    StepKind.VICTIMS: gettext_lazy("Choose the pods that are removed to make room."),
    StepKind.EACH_NODE: gettext_lazy("For each node choose the plugin that rejects the pod, if any."),
}
HINTS: Final = {
    StepKind.WHERE: (
        gettext_lazy("First leave out nodes that a filter rejects: taints, requests, affinity."),
        gettext_lazy("The remaining node with the highest total is taken."),
    ),
    StepKind.OUTCOME: (
        gettext_lazy("Is there a node that passes every filter?"),
        gettext_lazy("If not: would it fit without pods of lower priority?"),
    ),
    StepKind.VICTIMS: (
        gettext_lazy("Only pods of lower priority are removed, as few as suffice."),
        gettext_lazy("Preferred is the node with the fewest violated budgets and the least important victims."),
    ),
    StepKind.REJECTED: (gettext_lazy("Where several plugins reject a node, the first of them is recorded."),),
    StepKind.EACH_NODE: (gettext_lazy("Where several plugins reject a node, the first of them is recorded."),),
}
REVEALS: Final = {
    StepKind.WHERE: gettext_lazy("kube-scheduler takes {answer}."),
    StepKind.OUTCOME: gettext_lazy("The answer: {answer}."),
    StepKind.VICTIMS: gettext_lazy("These pods are preempted: {answer}."),
    StepKind.REJECTED: gettext_lazy("The plugin rejects: {answer}."),
    StepKind.EACH_NODE: gettext_lazy("What kube-scheduler records: {answer}."),
}
NAMES_REPLACED: Final = gettext_lazy("All names are replaced.")


def step_title(kind: StepKind, plugin: str) -> str:
    """Name a step by what it asks; ``plugin``: about which one."""
    if kind is StepKind.REJECTED:
        return _("Which nodes does %(plugin)s reject?") % {"plugin": plugin}
    return str(_TITLES[kind])


def step_ask(kind: StepKind, plugin: str) -> str:
    """Ask the question of a step."""
    if kind is StepKind.REJECTED:
        return _("Choose the nodes for which kube-scheduler records %(plugin)s.") % {"plugin": plugin}
    return str(_ASKS[kind])


SITUATION = plural(
    "The pod `%(pod)s` is pending in a cluster of %(nodes)s node.",
    "The pod `%(pod)s` is pending in a cluster of %(nodes)s nodes.",
    by="nodes",
)
FROM_A_PART = plural(
    "It is a part of a cluster of %(nodes)s node: scores may have differed there.",
    "It is a part of a cluster of %(nodes)s nodes: scores may have differed there.",
    by="nodes",
)
ABOUT: Final = gettext_lazy("A situation taken from a cluster, with other names.")
NODES_AND_PODS = plural(
    "%(nodes)s node and %(pods)s pods.",
    "%(nodes)s nodes and %(pods)s pods.",
    by="nodes",
)


PART_TAKEN = message(
    "A part of the cluster: %(nodes)s of %(nodes_in_all)s nodes, %(pods)s of %(pods_in_all)s pods. Scores that "
    "depend on the whole cluster may differ."
)
