"""Preemption in words: whether it is tried, where it makes room, and whose removal it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clusters.engine.status import Code
from clusters.wording.amounts import grouped
from clusters.wording.lists import first_of
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine import Explanation
    from clusters.engine.scheduling import Candidate, CandidateChange, Preemption

# So many victims are named in a sentence.
_NAMED_VICTIMS: Final = 5

# Why the selected node is preferred, in the order of Candidate.preference().
_CRITERIA: Final = (
    gettext_lazy("%(node)s is selected: it violates the fewest disruption budgets."),
    gettext_lazy("%(node)s is selected: its most important victim has the lowest priority."),
    gettext_lazy("%(node)s is selected: lowest sum of victims' priorities."),
    gettext_lazy("%(node)s is selected: it has the fewest victims."),
    gettext_lazy("%(node)s is selected: its most important victims started last."),
    gettext_lazy("%(node)s is selected: first by name; the scheduler picks at random."),
)
# Which of them looks at when victims started.
STARTED_LAST: Final = 4


def headline(found: Preemption) -> str:
    """Say whether preemption makes room, and where."""
    selected = found.selected
    if not found.eligible:
        return _("Preemption is not tried for this pod.")
    if found.extender_error is not None:
        return _("No pod is preempted: the scheduler cannot use the answer of the extender %(extender)s.") % {
            "extender": found.extender_error.extender.address
        }
    if found.is_emptied:
        return ngettext(
            "No pod is preempted: extenders do not keep the %(nodes)s node where removing pods makes room.",
            "No pod is preempted: extenders keep none of the %(nodes)s nodes where removing pods makes room.",
            len(found.computed),
        ) % {"nodes": grouped(len(found.computed))}
    if selected is None:
        return _("Preemption is not helpful: removing pods of lower priority makes room on no node.")
    room = _removed(found, selected)
    others = len(found.candidates) - 1
    if not others:
        return room
    elsewhere = ngettext(
        "Preemption would also help on %(nodes)s other node.",
        "Preemption would also help on %(nodes)s other nodes.",
        others,
    ) % {"nodes": grouped(others)}
    return f"{room} {elsewhere}"


def _removed(found: Preemption, selected: Candidate) -> str:
    victims, extender = len(selected.victims), found.changed_by(selected.node)
    if extender:
        return ngettext(
            "The scheduler would remove %(victims)s pod from %(node)s, as the extender %(extender)s answers.",
            "The scheduler would remove %(victims)s pods from %(node)s, as the extender %(extender)s answers.",
            victims,
        ) % {"victims": grouped(victims), "node": selected.node, "extender": extender}
    return ngettext(
        "Removing %(victims)s pod of lower priority from %(node)s makes room.",
        "Removing %(victims)s pods of lower priority from %(node)s makes room.",
        victims,
    ) % {"victims": grouped(victims), "node": selected.node}


def change_sentences(found: Preemption) -> Iterator[tuple[str, str]]:
    """Say what extenders changed of the candidates, each with its node, in the order in which they were asked."""
    for call in found.calls:
        for change in call.changes:
            yield change.node, " ".join(_changed(call.extender.address, change))


MORE_CHANGES = plural(
    "… and %(nodes)s more node; the API lists them all.",
    "… and %(nodes)s more nodes; the API lists them all.",
    by="nodes",
)


def _changed(extender: str, change: CandidateChange) -> Iterator[str]:
    before, after = change.before, change.after
    if before is not None and after is None:
        yield _("The extender %(extender)s leaves out %(node)s, where removing %(victims)s makes room.") % {
            "extender": extender,
            "node": change.node,
            "victims": _named(before),
        }
    if before is None and after is not None:
        yield _("The extender %(extender)s adds %(node)s, with %(victims)s to remove.") % {
            "extender": extender,
            "node": change.node,
            "victims": _named(after),
        }
    if before is None or after is None:
        return
    if before.victims != after.victims:
        yield _("On %(node)s the extender %(extender)s has %(after)s removed instead of %(before)s.") % {
            "node": change.node,
            "extender": extender,
            "after": _named(after),
            "before": _named(before),
        }
    if before.pdb_violations != after.pdb_violations:
        yield ngettext(
            "On %(node)s the extender %(extender)s counts %(after)s violated disruption budget instead of %(before)s.",
            "On %(node)s the extender %(extender)s counts %(after)s violated disruption budgets instead of %(before)s.",
            abs(after.pdb_violations),
        ) % {
            "node": change.node,
            "extender": extender,
            "after": grouped(after.pdb_violations),
            "before": grouped(before.pdb_violations),
        }


def _named(candidate: Candidate) -> str:
    return first_of(candidate.victims, most=_NAMED_VICTIMS)


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


VICTIMS = plural("%(victims)s victim", "%(victims)s victims", by="victims")
NOT_STARTED: Final = gettext_lazy("of the highest priority: not started yet")
STARTED = message("of the highest priority: started %(moment)s UTC")


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
        return " ".join(filter(None, (_on_this_node(preemption, candidate), _selection(preemption, name))))
    if (computed := next((each for each in preemption.computed if each.node == name), None)) is not None:
        return f"{_MAKES_ROOM(victims=len(computed.victims))} {_left_out(preemption, name)}"
    if verdict is None or verdict.status.code is not Code.UNSCHEDULABLE:
        return _("Preemption is not helpful on this node: its reasons do not depend on other pods.")
    pods = explanation.snapshot.pods
    lower = sum(int(pods.priority[slot]) < explanation.pod.priority for slot in pods.on_node(row))
    if not lower:
        return _("Preemption is not helpful: no pod of lower priority is on this node.")
    return ngettext(
        "Preemption is not helpful: without its %(pods)s pod of lower priority the node still rejects the pod.",
        "Preemption is not helpful: without its %(pods)s pods of lower priority the node still rejects the pod.",
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


_MAKES_ROOM = plural(
    "Removing %(victims)s pod of lower priority from this node makes room.",
    "Removing %(victims)s pods of lower priority from this node makes room.",
    by="victims",
)


def _on_this_node(preemption: Preemption, candidate: Candidate) -> str:
    extender, victims = preemption.changed_by(candidate.node), len(candidate.victims)
    if not extender:
        return _MAKES_ROOM(victims=victims)
    return ngettext(
        "The extender %(extender)s has %(victims)s pod removed from this node.",
        "The extender %(extender)s has %(victims)s pods removed from this node.",
        victims,
    ) % {"extender": extender, "victims": grouped(victims)}


def _left_out(preemption: Preemption, node: str) -> str:
    if preemption.extender_error is not None:
        return _("No pod is preempted, as the scheduler cannot use the answer of the extender %(extender)s.") % {
            "extender": preemption.extender_error.extender.address
        }
    return _("The extender %(extender)s leaves the node out, so the scheduler does not select it.") % {
        "extender": preemption.changed_by(node)
    }


def _selection(preemption: Preemption, node: str) -> str:
    selected = preemption.selected
    if selected is None:
        return ""
    if selected.node == node:
        return _("The scheduler would select this node.")
    return _("The scheduler would select %(node)s instead.") % {"node": selected.node}
