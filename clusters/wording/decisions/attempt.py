"""A scheduling attempt in words: its steps, the order of the search, preemption, and the parts of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.engine.scheduling import Part, PluginPart, Stage, stages
from clusters.engine.status import Code
from clusters.wording import states
from clusters.wording.amounts import grouped, rate
from clusters.wording.conclusions import error_sentence
from clusters.wording.decisions.verdict import ATTEMPT_OF_GROUP
from clusters.wording.evaluation import ALL_SEARCHED, SAMPLED
from clusters.wording.lists import first_of, listed
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator

    from clusters.engine import Explanation
    from clusters.engine.scheduling import Candidate, CandidateChange, Preemption, SearchChances


# -- The parts of a decision page that have an address of their own ---------------------------------------------------


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
NODE_TITLE = message("On %(node)s")
NOT_SCORED = message("%(plugin)s did not score %(node)s.")


# -- Words for a search that ends early -------------------------------------------------------------------------------


TITLE: Final = gettext_lazy("Search order")
FIGURE_TITLE: Final = gettext_lazy("Chance that a search looks at a node")
FEASIBLE: Final = pgettext_lazy("nodes in a picture of the search", "feasible")
REJECTED: Final = pgettext_lazy("nodes in a picture of the search", "rejected")
AXIS: Final = gettext_lazy("Looked at, percent of starts")
PLACES: Final = pgettext_lazy("column of a table: a stretch of the search", "Places in the order")
NUMBER_OF_NODES: Final = pgettext_lazy("column of a table: how many nodes", "Nodes")
# So few nodes are all looked at.
LEAST: Final = gettext_lazy("Least chance")
MOST: Final = gettext_lazy("Greatest chance")


def sampling_sentence(explanation: Explanation) -> str:
    """Say how many nodes the scheduler looks at; empty where there are none."""
    sampling, feasible = explanation.sampling, len(explanation.cycle.feasible)
    if not explanation.node_count:
        return ""
    if sampling.complete:
        return str(ALL_SEARCHED)
    if feasible <= sampling.wanted:
        return ngettext(
            "The scheduler looks at every node: %(feasible)s is feasible, and it would stop after %(wanted)s.",
            "The scheduler looks at every node: %(feasible)s are feasible, and it would stop after %(wanted)s.",
            feasible,
        ) % {"wanted": grouped(sampling.wanted), "feasible": grouped(feasible)}
    return SAMPLED(nodes=sampling.nodes, wanted=sampling.wanted)


def search_sentence(chances: SearchChances) -> str:
    """Say how far a search goes, in which order, and what is not known of it."""
    said = ngettext(
        "A search of %(nodes)s nodes stops at %(wanted)s of the %(feasible)s feasible ones and compares only that one.",
        "A search of %(nodes)s nodes stops at %(wanted)s of the %(feasible)s feasible ones and compares only those.",
        chances.wanted,
    ) % {
        "nodes": grouped(chances.starts),
        "wanted": grouped(chances.wanted),
        "feasible": grouped(chances.feasible),
    }
    order = _("Every start is counted as equally likely.")
    return f"{said} {order}"


def node_sentence(chances: SearchChances, node: str, row: int) -> str:
    """Say from how many starts a search looks at a node."""
    reached = int(chances.reached[row])
    return _("A search looks at %(node)s from %(reached)s of %(starts)s starts (%(share)s).") % {
        "node": node,
        "reached": grouped(reached),
        "starts": grouped(chances.starts),
        "share": rate(reached, chances.starts),
    }


def choice_sentence(node: str, chance: float) -> str:
    """Say with what chance the pod gets a node."""
    if not chance:
        return _("Another node always has a higher total than %(node)s.") % {"node": node}
    return _("The pod gets %(node)s with a chance of %(share)s.") % {"node": node, "share": chance_text(chance)}


def chance_text(chance: float) -> str:
    """Write a chance from 0 to 1 in percent with two decimals."""
    return rate(round(chance * 1_000_000), 1_000_000)


NO_CHOICES: Final = gettext_lazy("Which node is taken is not computed.")


# -- The steps of a scheduling attempt in words, from PreEnqueue to PostBind, and what each plugin does there ---------


PARTS: Final = {
    Part.RAN: gettext_lazy("ran"),
    Part.SKIPPED: gettext_lazy("skipped"),
    Part.REJECTED: gettext_lazy("rejected"),
    Part.NOT_REACHED: gettext_lazy("not reached"),
    Part.NOT_COMPUTED: states.ANSWER_NOT_COMPUTED,
}


def outcome(explanation: Explanation) -> str:
    """Say how far the attempt comes, and what decides it."""
    cycle = explanation.cycle
    if explanation.pod.scheduling_gates and not explanation.gates.ok:
        return _("Scheduling gates keep the pod out of the queue.")
    refusing = next((part.plugin for part in stages(explanation)[0].parts if part.part is Part.REJECTED), "")
    if refusing:
        return _("%(plugin)s keeps the pod out of the queue.") % {"plugin": refusing}
    if not explanation.node_count:
        return _("There are no nodes.")
    if explanation.error is not None:
        return error_sentence(explanation.error)
    if cycle.stopped_by is not None:
        return _("%(plugins)s ends the attempt in PreFilter.") % {
            "plugins": cycle.stopped_by.plugin or listed(cycle.restricting)
        }
    if explanation.blocking_group is not None:
        return ATTEMPT_OF_GROUP(group=str(explanation.blocking_group.key))
    if not explanation.fits and not explanation.preempts_alone:
        return _("No node passes Filter.")
    if not explanation.fits:
        selected = None if explanation.preemption is None else explanation.preemption.selected
        if selected is None and explanation.preemption is not None and explanation.preemption.computed:
            return _("No node passes Filter, and extenders prevent preemption.")
        if selected is None:
            return _("No node passes Filter, and preemption is not helpful.")
        return _("No node passes Filter; preemption makes room on %(node)s.") % {"node": selected.node}
    return _scheduled(explanation)


def _scheduled(explanation: Explanation) -> str:
    feasible, best = len(explanation.cycle.feasible), explanation.best
    if explanation.takes_nominated:
        return _("%(node)s is nominated and passes Filter: it is taken without filtering or scoring the others.") % {
            "node": explanation.pod.nominated_node_name
        }
    if feasible == 1:
        return _("%(node)s alone passes Filter and is taken; nothing is scored.") % {"node": best[0]}
    if len(best) == 1:
        return ngettext(
            "%(nodes)s node passes Filter; the best is %(node)s.",
            "%(nodes)s nodes pass Filter; the best is %(node)s.",
            feasible,
        ) % {"nodes": grouped(feasible), "node": best[0]}
    return ngettext(
        "%(nodes)s node passes Filter; %(best)s share the highest total.",
        "%(nodes)s nodes pass Filter; %(best)s share the highest total.",
        feasible,
    ) % {"nodes": grouped(feasible), "best": grouped(len(best))}


UNKNOWN_POINTS = plural(
    "%(plugins)s is enabled with multiPoint; its extension points are not known.",
    "%(plugins)s are enabled with multiPoint; their extension points are not known.",
    by="number",
)


SHARED_EVALUATION: Final = gettext_lazy(
    "After a pod like this one, within half a second, the scheduler may reuse its evaluation (OpportunisticBatching)."
)
AFTER_THE_CHOICE: Final = gettext_lazy("Not computed; a plugin may send the pod back to the queue.")


def step_summary(stage: Stage, parts: Counter[Part]) -> str:
    """Count what the plugins of a step did."""
    if not stage.parts:
        return _("no plugin")
    if set(parts) == {Part.NOT_REACHED}:
        return str(PARTS[Part.NOT_REACHED])
    said = []
    if parts[Part.REJECTED]:
        said.append(_rejecting(stage, parts[Part.REJECTED]))
    if ran := parts[Part.RAN]:
        said.append(_("%(number)s ran") % {"number": grouped(ran)})
    if skipped := parts[Part.SKIPPED]:
        said.append(_("%(number)s skipped") % {"number": grouped(skipped)})
    if unknown := parts[Part.NOT_COMPUTED]:
        said.append(_("%(number)s not computed") % {"number": grouped(unknown)})
    if unreached := parts[Part.NOT_REACHED]:
        said.append(_("%(number)s not reached") % {"number": grouped(unreached)})
    return ", ".join(said)


def _rejecting(stage: Stage, plugins: int) -> str:
    rejected = sum(each.rejected for each in stage.parts)
    if rejected:
        return ngettext("%(plugins)s rejects %(nodes)s", "%(plugins)s reject %(nodes)s", plugins) % {
            "plugins": grouped(plugins),
            "nodes": grouped(rejected),
        }
    if stage.point == "postFilter":
        return ngettext("%(plugins)s makes no room", "%(plugins)s make no room", plugins) % {
            "plugins": grouped(plugins)
        }
    return ngettext("%(plugins)s rejected", "%(plugins)s rejected", plugins) % {"plugins": grouped(plugins)}


def why_not_reached(explanation: Explanation, stage: Stage) -> str:
    """Say why the attempt does not come to a step; empty where it does."""
    if stage.reached:
        return ""
    if not explanation.gates.ok:
        return _("Not reached: shown as if the pod were in the queue.")
    if not explanation.node_count:
        return _("Not reached: there are no nodes.")
    if stage.point == "postFilter" and not explanation.preempts_alone:
        return _("Preemption is for the whole group, after all its pods.")
    if stage.point == "postFilter" and explanation.error is None:
        return _("Runs only when no node passes Filter.")
    if explanation.takes_nominated or (
        len(explanation.cycle.feasible) == 1 and stage.point in ("preScore", "score", "normalizeScore")
    ):
        return _("Not reached: the node is taken without scoring.")
    return _("Not reached: the attempt had ended.")


def rejected(point: str, part: PluginPart) -> str:
    """Say what a plugin that rejects does at a point."""
    if point == "filter":
        return ngettext(
            "Rejects %(rejected)s of %(asked)s node.",
            "Rejects %(rejected)s of %(asked)s nodes.",
            part.asked,
        ) % {"rejected": grouped(part.rejected), "asked": grouped(part.asked)}
    reported = part.status.reported.removesuffix(".")
    if part.status.code is Code.ERROR:
        return _("Fails with an error: %(message)s.") % {"message": reported}
    if point == "postFilter":
        return _("Makes no room: %(message)s.") % {"message": reported}
    return _("Ends the attempt: %(message)s.") % {"message": reported}


def not_computed(explanation: Explanation, point: str, plugin: str) -> str:
    """Say why what a plugin does at a point is not computed; empty of points after the choice of a node."""
    if plugin in explanation.profile.unknown_plugins:
        return _("Not part of Kubernetes: its answer is unknown.")
    if point == "preEnqueue":
        return _("Not computed for this pod.")
    if point in ("preFilter", "filter"):
        return _("Not computed: every node counts as passing.")
    return ""


def ran(explanation: Explanation, point: str, part: PluginPart) -> str:
    """Say what a plugin that ran did at a point; empty where it prepared another point."""
    match point:
        case "preEnqueue":
            return _("Lets the pod into the queue.")
        case "queueSort":
            return _("Highest priority first; this pod's is %(priority)s.") % {
                "priority": grouped(explanation.pod.priority)
            }
        case "preFilter" if part.plugin in explanation.cycle.restricting:
            left = int(explanation.cycle.considered.sum())
            return ngettext(
                "Leaves %(left)s of %(nodes)s node.",
                "Leaves %(left)s of %(nodes)s nodes.",
                explanation.node_count,
            ) % {"left": grouped(left), "nodes": grouped(explanation.node_count)}
        case "filter":
            return ngettext("Passes %(nodes)s node.", "Passes all %(nodes)s nodes.", part.asked) % {
                "nodes": grouped(part.asked)
            }
        case "postFilter":
            found = explanation.preemption
            node = found.selected.node if found is not None and found.selected is not None else ""
            return _("Makes room on %(node)s.") % {"node": node}
        case "score":
            return ngettext(
                "Scores %(nodes)s node, with weight %(weight)s.",
                "Scores %(nodes)s nodes, with weight %(weight)s.",
                part.asked,
            ) % {"nodes": grouped(part.asked), "weight": grouped(explanation.profile.weights[part.plugin])}
        case "normalizeScore":
            return ngettext("Scales %(scores)s score to 0–100.", "Scales %(scores)s scores to 0–100.", part.asked) % {
                "scores": grouped(part.asked)
            }
        case _checks_or_compares:
            return ""


# -- Preemption in words ----------------------------------------------------------------------------------------------


# So many victims are named in a sentence.
_MOST_NAMED_VICTIMS: Final = 5

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
        return _UNUSABLE(extender=found.extender_error.extender.address)
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
    return first_of(candidate.victims, most=_MOST_NAMED_VICTIMS)


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
    if explanation.blocking_group is not None:
        # For the group as a whole, in the scheduler's words.
        return explanation.blocking_group.message
    if not explanation.fits:
        return _("The profile preempts no pods.")
    return ngettext(
        "No pod is preempted: %(nodes)s other node is feasible.",
        "No pod is preempted: %(nodes)s other nodes are feasible.",
        feasible,
    ) % {"nodes": grouped(feasible)}


def _left_out(preemption: Preemption, node: str) -> str:
    if preemption.extender_error is not None:
        return _UNUSABLE(extender=preemption.extender_error.extender.address)
    return _("The extender %(extender)s leaves the node out.") % {"extender": preemption.changed_by(node)}


_UNUSABLE = message("No pod is preempted: the answer of the extender %(extender)s is unusable.")


def _selection(preemption: Preemption, node: str) -> str:
    selected = preemption.selected
    if selected is None:
        return ""
    if selected.node == node:
        return _("The scheduler would select this node.")
    return _("The scheduler would select %(node)s instead.") % {"node": selected.node}
