"""Preemption in words: whether it is tried, where it makes room, and whose removal it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clusters.engine.status import Code
from clusters.wording.amounts import grouped

if TYPE_CHECKING:
    from clusters.engine import Explanation
    from clusters.engine.preemption import Preemption

# Why the selected node is preferred, in the order of Candidate.preference().
_CRITERIA: Final = (
    gettext_lazy("%(node)s is selected: it violates the fewest disruption budgets."),
    gettext_lazy("%(node)s is selected: its most important victim has the lowest priority."),
    gettext_lazy("%(node)s is selected: the sum of its victims' priorities is the lowest."),
    gettext_lazy("%(node)s is selected: it has the fewest victims."),
    gettext_lazy("%(node)s is selected: its most important victims started last."),
    gettext_lazy("%(node)s is selected: its name comes first; among equals the scheduler picks at random."),
)
# Which of them looks at when victims started.
STARTED_LAST: Final = 4


def headline(found: Preemption) -> str:
    """Say whether preemption makes room, and where."""
    selected = found.selected
    if not found.eligible:
        return _("Preemption is not tried for this pod.")
    if selected is None:
        return _("Preemption is not helpful: removing pods of lower priority makes room on no node.")
    victims = len(selected.victims)
    room = ngettext(
        "Removing %(victims)s pod of lower priority from %(node)s makes room.",
        "Removing %(victims)s pods of lower priority from %(node)s makes room.",
        victims,
    ) % {"victims": grouped(victims), "node": selected.node}
    others = len(found.candidates) - 1
    if not others:
        return room
    elsewhere = ngettext(
        "Preemption would also help on %(nodes)s other node.",
        "Preemption would also help on %(nodes)s other nodes.",
        others,
    ) % {"nodes": grouped(others)}
    return f"{room} {elsewhere}"


def selected_because(node: str, criterion: int) -> str:
    """Say by which criterion the selected node beats the next best."""
    return str(_CRITERIA[criterion] % {"node": node})


def sampled(found: Preemption) -> str:
    """Say that the scheduler tries only some of the nodes where preemption may help; empty where it tries all."""
    if found.sample >= found.potential_nodes:
        return ""
    return _(
        "The scheduler tries %(sample)s or more of the %(nodes)s nodes where removing pods may help, starting at a "
        "random one; here all are tried, so it may select another of these nodes."
    ) % {"sample": grouped(found.sample), "nodes": grouped(found.potential_nodes)}


def victims(number: int) -> str:
    """Count victims."""
    return ngettext("%(victims)s victim", "%(victims)s victims", number) % {"victims": grouped(number)}


def not_started() -> str:
    """Say when victims of the highest priority started: not yet."""
    return _("of the highest priority: not started yet")


def started(moment: str) -> str:
    """Say when victims of the highest priority started, as a time in UTC."""
    return _("of the highest priority: started %(moment)s UTC") % {"moment": moment}


def on_node(explanation: Explanation, row: int) -> str:
    """Say whether removing pods makes room on one node that rejects the pod."""
    preemption, verdict = explanation.preemption, explanation.verdict_of(row)
    if preemption is None:
        return _not_tried(explanation)
    if not preemption.eligible:
        return _("Preemption is not tried for this pod. The scheduler reports: %(message)s") % {
            "message": preemption.message.removeprefix("preemption: ")
        }
    name = explanation.snapshot.nodes.names[row]
    if (candidate := next((each for each in preemption.candidates if each.node == name), None)) is not None:
        return " ".join(filter(None, (_makes_room(len(candidate.victims)), _selection(preemption, name))))
    if verdict is None or verdict.status.code is not Code.UNSCHEDULABLE:
        return _("Preemption is not helpful on this node: its reasons do not depend on other pods.")
    pods = explanation.snapshot.pods
    lower = sum(int(pods.priority[slot]) < explanation.pod.priority for slot in pods.on_node(row))
    if not lower:
        return _("Preemption is not helpful: no pod of lower priority is on this node.")
    return ngettext(
        "Preemption is not helpful: even without its %(pods)s pod of lower priority the node rejects the pod.",
        "Preemption is not helpful: even without its %(pods)s pods of lower priority the node rejects the pod.",
        lower,
    ) % {"pods": grouped(lower)}


def _not_tried(explanation: Explanation) -> str:
    feasible = len(explanation.cycle.feasible)
    if not explanation.fits:
        return _("The profile has no plugin that preempts pods.")
    return ngettext(
        "The scheduler preempts no pod, as %(nodes)s other node is feasible.",
        "The scheduler preempts no pod, as %(nodes)s other nodes are feasible.",
        feasible,
    ) % {"nodes": grouped(feasible)}


def _makes_room(number: int) -> str:
    return ngettext(
        "Removing %(victims)s pod of lower priority from this node makes room.",
        "Removing %(victims)s pods of lower priority from this node makes room.",
        number,
    ) % {"victims": grouped(number)}


def _selection(preemption: Preemption, node: str) -> str:
    selected = preemption.selected
    if selected is None:
        return ""
    if selected.node == node:
        return _("The scheduler would select this node.")
    return _("The scheduler would select %(node)s instead.") % {"node": selected.node}
