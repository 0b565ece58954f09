"""The steps of a scheduling attempt in words, from PreEnqueue to PostBind, and what each plugin does there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clusters.engine.scheduling import Part, PluginPart, Stage, stages
from clusters.engine.status import Code
from clusters.wording import states
from clusters.wording.amounts import grouped
from clusters.wording.attempts import error_sentence
from clusters.wording.decisions.pod_groups import attempt_of_group
from clusters.wording.lists import listed, side_by_side
from clusters.wording.plugins import wording_of

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence

    from clusters.engine import Explanation

POINTS: Final = {
    "preEnqueue": gettext_lazy("May the pod enter the queue?"),
    "queueSort": gettext_lazy("In which order are pods taken from the queue?"),
    "preFilter": gettext_lazy("What is there to check, and on which nodes?"),
    "filter": gettext_lazy("Which nodes are feasible?"),
    "postFilter": gettext_lazy("If none is feasible: does preemption make room?"),
    "preScore": gettext_lazy("What is there to compare?"),
    "score": gettext_lazy("How good is each feasible node?"),
    "normalizeScore": gettext_lazy("Scores of some plugins are brought to 0 to 100."),
    "reserve": gettext_lazy("The node is reserved for the pod."),
    "permit": gettext_lazy("Does the pod have to wait?"),
    "preBind": gettext_lazy("What the pod needs is prepared, such as its volumes."),
    "bind": gettext_lazy("The pod is bound to its node."),
    "postBind": gettext_lazy("Plugins are told that the pod is bound."),
}
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
        return _(
            "The attempt does not begin: scheduling gates keep the pod out of the queue. The steps show what would "
            "come without them."
        )
    refusing = next((part.plugin for part in stages(explanation)[0].parts if part.part is Part.REJECTED), "")
    if refusing:
        return _("The attempt does not begin: %(plugin)s keeps the pod out of the queue.") % {"plugin": refusing}
    if not explanation.node_count:
        return _("The attempt ends before it begins: there are no nodes.")
    if explanation.error is not None:
        return error_sentence(explanation.error)
    if cycle.stopped_by is not None:
        return _("The attempt ends in PreFilter, by %(plugins)s.") % {
            "plugins": cycle.stopped_by.plugin or listed(cycle.restricting)
        }
    if explanation.blocking_group is not None:
        return attempt_of_group(explanation.blocking_group)
    if not explanation.fits:
        selected = None if explanation.preemption is None else explanation.preemption.selected
        if selected is None and explanation.preemption is not None and explanation.preemption.computed:
            return _("No node passes Filter, and extenders prevent preemption: the attempt ends without a node.")
        if selected is None:
            return _("No node passes Filter, and preemption is not helpful: the attempt ends without a node.")
        return _("No node passes Filter; preemption makes room on %(node)s, and the pod is tried again.") % {
            "node": selected.node
        }
    return _scheduled(explanation)


def _scheduled(explanation: Explanation) -> str:
    feasible, best = len(explanation.cycle.feasible), explanation.best
    if explanation.takes_nominated:
        return _(
            "%(node)s is nominated and passes Filter: the scheduler takes it at once, and no other node is filtered or "
            "scored. What Filter says of the others is shown all the same."
        ) % {"node": explanation.pod.nominated_node_name}
    if feasible == 1:
        return _("One node passes Filter and is taken at once: %(node)s. Nothing is scored.") % {"node": best[0]}
    if len(best) == 1:
        return ngettext(
            "%(nodes)s node passes Filter, Score ranks them, and the pod would be bound to %(node)s.",
            "%(nodes)s nodes pass Filter, Score ranks them, and the pod would be bound to %(node)s.",
            feasible,
        ) % {"nodes": grouped(feasible), "node": best[0]}
    return ngettext(
        "%(nodes)s node passes Filter, Score ranks them, and the pod would be bound to one of the %(best)s with the "
        "highest total.",
        "%(nodes)s nodes pass Filter, Score ranks them, and the pod would be bound to one of the %(best)s with the "
        "highest total.",
        feasible,
    ) % {"nodes": grouped(feasible), "best": grouped(len(best))}


def unknown_points(plugins: Sequence[str]) -> str:
    """Say that plugins which are not part of Kubernetes are enabled at points that cannot be known."""
    return ngettext(
        "%(plugins)s is enabled at every extension point that it implements; which those are is not known here.",
        "%(plugins)s are enabled at every extension point that they implement; which those are is not known here.",
        len(plugins),
    ) % {"plugins": listed(plugins)}


SHARED_EVALUATION: Final = gettext_lazy(
    "Where a pod that is like this one was scheduled within half a second before, the scheduler may take the next "
    "best node of that evaluation without a new one (OpportunisticBatching); here the nodes are evaluated anew."
)
AFTER_THE_CHOICE: Final = gettext_lazy(
    "What follows the choice of a node is not computed; these plugins would run, and one may send "
    "the pod back to the queue."
)


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
        said.append(ngettext("%(plugins)s ran", "%(plugins)s ran", ran) % {"plugins": grouped(ran)})
    if skipped := parts[Part.SKIPPED]:
        said.append(ngettext("%(plugins)s skipped", "%(plugins)s skipped", skipped) % {"plugins": grouped(skipped)})
    if unknown := parts[Part.NOT_COMPUTED]:
        said.append(
            ngettext("%(plugins)s not computed", "%(plugins)s not computed", unknown) % {"plugins": grouped(unknown)}
        )
    if unreached := parts[Part.NOT_REACHED]:
        said.append(
            ngettext("%(plugins)s not reached", "%(plugins)s not reached", unreached) % {"plugins": grouped(unreached)}
        )
    return side_by_side(said)


def _rejecting(stage: Stage, plugins: int) -> str:
    rejected = sum(each.rejected for each in stage.parts)
    if rejected:
        return ngettext(
            "%(plugins)s plugin rejects nodes (%(nodes)s)", "%(plugins)s plugins reject nodes (%(nodes)s)", plugins
        ) % {"plugins": grouped(plugins), "nodes": grouped(rejected)}
    if stage.point == "postFilter":
        return ngettext("%(plugins)s makes no room", "%(plugins)s make no room", plugins) % {
            "plugins": grouped(plugins)
        }
    return ngettext("%(plugins)s rejected", "%(plugins)s rejected", plugins) % {"plugins": grouped(plugins)}


def why_not_reached(explanation: Explanation, stage: Stage) -> str:
    """Say why the attempt does not come to a step; empty where it does."""
    if stage.reached:
        return ""
    if not explanation.gates.ok and not explanation.pod.scheduling_gates:
        return _("Not reached while the pod is kept out of the queue; this is what would happen if it entered it.")
    if not explanation.gates.ok:
        return _("Not reached while the pod has scheduling gates; this is what would happen without them.")
    if not explanation.node_count:
        return _("Not reached: there are no nodes.")
    if explanation.error is not None:
        return _("Not reached: the attempt had ended in an error.")
    if stage.point == "postFilter":
        return _("Runs only when no node passes Filter.")
    if explanation.takes_nominated:
        return _("Not reached: the nominated node is taken without being scored.")
    if len(explanation.cycle.feasible) == 1 and stage.point in ("preScore", "score", "normalizeScore"):
        return _("Not reached: a single feasible node is taken without being scored.")
    if not explanation.fits:
        return _("Not reached: no node is feasible.")
    return _("Not reached: the attempt had ended.")


NOT_REACHED: Final = gettext_lazy("The attempt does not reach it.")


def rejected(point: str, part: PluginPart) -> str:
    """Say what a plugin that rejects does at a point."""
    if point == "filter":
        return ngettext(
            "Rejects %(rejected)s of %(asked)s node that reaches it.",
            "Rejects %(rejected)s of %(asked)s nodes that reach it.",
            part.asked,
        ) % {"rejected": grouped(part.rejected), "asked": grouped(part.asked)}
    reported = part.status.reported.removesuffix(".")
    if part.status.code is Code.ERROR:
        return _("Fails with an error: %(message)s.") % {"message": reported}
    if point == "postFilter":
        return _("Makes no room: %(message)s.") % {"message": reported}
    return _("Ends the attempt: %(message)s.") % {"message": reported}


def not_computed(explanation: Explanation, point: str, plugin: str) -> str:
    """Say why what a plugin does at a point is not computed."""
    if plugin in explanation.profile.unknown_plugins:
        return _("It is not part of Kubernetes; what it answers cannot be known here.")
    if point == "preEnqueue":
        return wording_of(plugin).not_computed_in_pre_enqueue()
    if point in ("preFilter", "filter"):
        return _("Not computed for this pod; counted as if every node passed.")
    return _("Would run once a node is chosen; not computed.")


def ran(explanation: Explanation, point: str, part: PluginPart) -> str:
    """Say what a plugin that ran did at a point."""
    match point:
        case "preEnqueue":
            return _("Lets the pod into the queue.")
        case "queueSort":
            return _("Higher priority first, then earlier queued; this priority is %(priority)s.") % {
                "priority": grouped(explanation.pod.priority)
            }
        case "preFilter" if part.plugin in explanation.cycle.restricting:
            left = int(explanation.cycle.considered.sum())
            return ngettext(
                "Names the only nodes to filter: %(left)s of %(nodes)s node.",
                "Names the only nodes to filter: %(left)s of %(nodes)s nodes.",
                explanation.node_count,
            ) % {"left": grouped(left), "nodes": grouped(explanation.node_count)}
        case "preFilter":
            return _("Has something to check.")
        case "filter":
            return ngettext(
                "Passes the %(nodes)s node that reaches it.", "Passes all %(nodes)s nodes that reach it.", part.asked
            ) % {"nodes": grouped(part.asked)}
        case "postFilter":
            found = explanation.preemption
            node = found.selected.node if found is not None and found.selected is not None else ""
            return _("Makes room: pods of lower priority would be removed from %(node)s.") % {"node": node}
        case "preScore":
            return _("Has something to compare.")
        case "score":
            return ngettext(
                "Scores %(nodes)s node, with weight %(weight)s.",
                "Scores %(nodes)s nodes, with weight %(weight)s.",
                part.asked,
            ) % {"nodes": grouped(part.asked), "weight": grouped(explanation.profile.weights[part.plugin])}
        case _never:
            return ngettext(
                "Brings %(scores)s score to 0 to 100.", "Brings %(scores)s scores to 0 to 100.", part.asked
            ) % {"scores": grouped(part.asked)}
