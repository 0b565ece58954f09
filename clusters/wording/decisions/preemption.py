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
    gettext_lazy("%(node)s is selected: fewest violated disruption budgets."),
    gettext_lazy("%(node)s is selected: lowest priority of its first victim."),
    gettext_lazy("%(node)s is selected: lowest sum of victims' priorities."),
    gettext_lazy("%(node)s is selected: fewest victims."),
    gettext_lazy("%(node)s is selected: its first victims started last."),
    gettext_lazy("%(node)s is selected by name; the scheduler picks at random."),
)
# Which of them looks at when victims started.
STARTED_LAST: Final = 4


def headline(found: Preemption) -> str:
    """Say whether preemption makes room, and where."""
    selected = found.selected
    if not found.eligible:
        return _("Preemption is not tried.")
    if found.extender_error is not None:
        return _unusable(found.extender_error.extender.address)
    if found.is_emptied:
        return ngettext(
            "No pod is preempted: extenders leave out the %(nodes)s node where that makes room.",
            "No pod is preempted: extenders leave out all %(nodes)s nodes where that makes room.",
            len(found.computed),
        ) % {"nodes": grouped(len(found.computed))}
    if selected is None:
        return _("Preemption is not helpful on any node.")
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


def _removed(found: Preemption, candidate: Candidate) -> str:
    victims, extender = len(candidate.victims), found.changed_by(candidate.node)
    if extender:
        return ngettext(
            "The extender %(extender)s has %(victims)s pod removed from %(node)s.",
            "The extender %(extender)s has %(victims)s pods removed from %(node)s.",
            victims,
        ) % {"victims": grouped(victims), "node": candidate.node, "extender": extender}
    return _MAKES_ROOM(victims=victims, node=candidate.node)


_MAKES_ROOM = plural(
    "Removing %(victims)s pod of lower priority from %(node)s makes room.",
    "Removing %(victims)s pods of lower priority from %(node)s makes room.",
    by="victims",
)


def change_sentences(found: Preemption) -> Iterator[tuple[str, str]]:
    """Say what extenders changed of the candidates, each with its node, in the order in which they were asked."""
    for call in found.calls:
        for change in call.changes:
            yield change.node, " ".join(_changed(call.extender.address, change))


MORE_CHANGES = plural(
    "… and %(nodes)s more node; all are in the API.",
    "… and %(nodes)s more nodes; all are in the API.",
    by="nodes",
)


def _changed(extender: str, change: CandidateChange) -> Iterator[str]:
    before, after = change.before, change.after
    if after is None:
        if before is not None:
            yield _LEAVES_OUT(extender=extender, victims=_named(before))
    elif before is None:
        yield _ADDS(extender=extender, victims=_named(after))
    else:
        if before.victims != after.victims:
            yield _OTHER_VICTIMS(extender=extender, after=_named(after), before=_named(before))
        if before.pdb_violations != after.pdb_violations:
            yield _OTHER_VIOLATIONS(extender=extender, after=after.pdb_violations, before=before.pdb_violations)


_LEAVES_OUT = message("Extender %(extender)s leaves the node out (victims: %(victims)s).")
_ADDS = message("Extender %(extender)s adds the node (victims: %(victims)s).")
_OTHER_VICTIMS = message("Extender %(extender)s: victims %(after)s instead of %(before)s.")
_OTHER_VIOLATIONS = plural(
    "Extender %(extender)s: %(after)s violated disruption budget instead of %(before)s.",
    "Extender %(extender)s: %(after)s violated disruption budgets instead of %(before)s.",
    by="after",
)


def _named(candidate: Candidate) -> str:
    return first_of(candidate.victims, most=_NAMED_VICTIMS)


def selected_because(node: str, criterion: int) -> str:
    """Say by which criterion the selected node beats the next best."""
    return str(_CRITERIA[criterion] % {"node": node})


def sampled(found: Preemption) -> str:
    """Say that the scheduler tries only some of the nodes where preemption may help; empty where it tries all."""
    if found.sample >= found.potential_nodes:
        return ""
    return _("It tries at least %(sample)s of %(nodes)s nodes from a random one on, and may select another.") % {
        "sample": grouped(found.sample),
        "nodes": grouped(found.potential_nodes),
    }


VICTIMS = plural("%(victims)s victim", "%(victims)s victims", by="victims")
NOT_STARTED: Final = gettext_lazy("of the highest priority: not started yet")
STARTED = message("of the highest priority: started %(moment)s UTC")


def on_node(explanation: Explanation, row: int) -> str:
    """Say whether removing pods makes room on one node that rejects the pod."""
    preemption, verdict = explanation.preemption, explanation.verdict_of(row)
    if preemption is None:
        return _not_tried(explanation)
    if not preemption.eligible:
        return _("Preemption is not tried: %(message)s") % {"message": preemption.message.removeprefix("preemption: ")}
    name = explanation.snapshot.nodes.names[row]
    if (candidate := next((each for each in preemption.candidates if each.node == name), None)) is not None:
        return " ".join(filter(None, (_removed(preemption, candidate), _selection(preemption, name))))
    if (computed := next((each for each in preemption.computed if each.node == name), None)) is not None:
        return f"{_MAKES_ROOM(victims=len(computed.victims), node=name)} {_left_out(preemption, name)}"
    if verdict is None or verdict.status.code is not Code.UNSCHEDULABLE:
        return _("Preemption is not helpful: the reasons do not depend on other pods.")
    pods = explanation.snapshot.pods
    lower = sum(int(pods.priority[slot]) < explanation.pod.priority for slot in pods.on_node(row))
    if not lower:
        return _("Preemption is not helpful: the node has no pod of lower priority.")
    return ngettext(
        "Preemption is not helpful, even without its %(pods)s pod of lower priority.",
        "Preemption is not helpful, even without its %(pods)s pods of lower priority.",
        lower,
    ) % {"pods": grouped(lower)}


def _not_tried(explanation: Explanation) -> str:
    feasible = len(explanation.cycle.feasible)
    if not explanation.fits:
        return _("The profile preempts no pods.")
    return ngettext(
        "No pod is preempted: %(nodes)s other node is feasible.",
        "No pod is preempted: %(nodes)s other nodes are feasible.",
        feasible,
    ) % {"nodes": grouped(feasible)}


def _left_out(preemption: Preemption, node: str) -> str:
    if preemption.extender_error is not None:
        return _unusable(preemption.extender_error.extender.address)
    return _("The extender %(extender)s leaves the node out.") % {"extender": preemption.changed_by(node)}


def _unusable(extender: str) -> str:
    return _("No pod is preempted: the answer of the extender %(extender)s is unusable.") % {"extender": extender}


def _selection(preemption: Preemption, node: str) -> str:
    selected = preemption.selected
    if selected is None:
        return ""
    if selected.node == node:
        return _("The scheduler would select this node.")
    return _("The scheduler would select %(node)s instead.") % {"node": selected.node}
