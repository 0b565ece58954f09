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

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Sequence

    from clusters.engine import Explanation

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
        return attempt_of_group(explanation.blocking_group)
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


def unknown_points(plugins: Sequence[str]) -> str:
    """Say that plugins which are not part of Kubernetes are enabled at points that cannot be known."""
    return ngettext(
        "%(plugins)s is enabled with multiPoint; its extension points are not known.",
        "%(plugins)s are enabled with multiPoint; their extension points are not known.",
        len(plugins),
    ) % {"plugins": listed(plugins)}


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
