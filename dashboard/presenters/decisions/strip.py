"""The scheduling attempt as a strip: one step for each extension point, in it the plugins and what each did."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.registry import PLUGINS
from clusters.engine.stages import Part, PluginPart, Stage, stages
from clusters.engine.status import Code
from clusters.wording import attempts
from clusters.wording.amounts import counted, grouped
from clusters.wording.plugins import wording_of
from dashboard.presenters import wording

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine import Explanation

_ABOUT = {
    "preEnqueue": "May the pod enter the queue?",
    "queueSort": "When is it its turn?",
    "preFilter": "What is there to check, and on which nodes?",
    "filter": "Which nodes can take it?",
    "postFilter": "If none can: does anything make room?",
    "preScore": "What is there to compare?",
    "score": "How good is each node that can take it?",
    "normalizeScore": "Scores of some plugins are brought to 0 to 100.",
    "reserve": "The node is noted for the pod.",
    "permit": "Does the pod have to wait?",
    "preBind": "What the pod needs is prepared, such as its volumes.",
    "bind": "The pod is given its node.",
    "postBind": "Those who want to know are told.",
}
_UNSEEN = (
    "What happens after a node is chosen is not computed here; these plugins would be asked, and one of them can still "
    "send the pod back."
)
# Of a step the first that some plugin did decides how it looks.
_RANKS = (Part.REJECTED, Part.RAN, Part.NOT_COMPUTED, Part.SKIPPED, Part.NOT_REACHED)
_WORDS = {
    Part.RAN: "ran",
    Part.SKIPPED: "skipped",
    Part.REJECTED: "rejected",
    Part.NOT_REACHED: "not reached",
    Part.NOT_COMPUTED: "not computed",
}
_LINKS = {
    "filter": ("#groups-card", "The nodes by verdict"),
    "postFilter": ("#preemption-card", "All about preemption"),
    "score": ("#scores-card", "The scores"),
    "normalizeScore": ("#scores-card", "The scores"),
}


@dataclass(frozen=True, slots=True)
class PluginView:
    """One plugin at one point: a word, a sentence, and where more stands (empty where nothing does).

    ``state`` is a part with a hyphen instead of a blank; ``rejected`` says how many nodes it turned down, where it did;
    ``cell`` is the node whose arithmetic is offered.
    """

    name: str
    question: str
    state: str
    word: str
    rejected: str
    sentence: str
    link: str
    link_text: str
    cell: str


@dataclass(frozen=True, slots=True)
class StepView:
    """One extension point; ``summary`` counts what its plugins did, ``state`` is the most telling of it."""

    name: str
    about: str
    state: str
    summary: str
    note: str
    plugins: tuple[PluginView, ...]


@dataclass(frozen=True, slots=True)
class StripView:
    """The whole attempt: how far it comes, its steps, and what is to be known beside; ``leading`` names one step."""

    sentence: str
    leading: str
    steps: tuple[StepView, ...]
    notes: tuple[str, ...]


def strip(explanation: Explanation) -> StripView:
    """Present an attempt from PreEnqueue to PostBind."""
    found = stages(explanation)
    return StripView(
        sentence=_sentence(explanation),
        leading=_leading(explanation),
        steps=tuple(_step(explanation, stage) for stage in found),
        notes=tuple(_notes(explanation)),
    )


def _leading(explanation: Explanation) -> str:
    """Name the step that decides."""
    if not explanation.gates.ok or not explanation.node_count:
        return "PreEnqueue"
    if explanation.cycle.stopped_by is not None:
        return "PreFilter"
    if explanation.takes_nominated or (explanation.error is not None and not explanation.error.phase.is_scoring):
        return "Filter"
    return "Score" if len(explanation.cycle.feasible) > 1 else "Filter"


def _sentence(explanation: Explanation) -> str:
    cycle = explanation.cycle
    if not explanation.gates.ok:
        return "The attempt does not begin: gates keep the pod out of the queue. The steps say what would come then."
    if not explanation.node_count:
        return "The attempt ends before it begins: there are no nodes."
    if explanation.error is not None:
        return f"The attempt ends in an error: {attempts.error_clause(explanation.error)}. No node is taken."
    if cycle.stopped_by is not None:
        return f"The attempt ends in PreFilter, by {cycle.stopped_by.plugin or wording.listed(cycle.restricting)}."
    if not explanation.fits:
        selected = None if explanation.preemption is None else explanation.preemption.selected
        if selected is None:
            return "No node passes Filter, and nothing makes room: the attempt ends without a node."
        return f"No node passes Filter; PostFilter makes room on {selected.node}, and the pod is tried again."
    feasible = counted(len(cycle.feasible), "node", "nodes")
    if explanation.takes_nominated:
        return (
            f"{explanation.pod.nominated_node_name} is nominated and passes Filter: it is taken at once, and no other "
            "is looked at or scored. What Filter says of the others is told all the same."
        )
    if len(cycle.feasible) == 1:
        return f"One node passes Filter and is taken at once: {explanation.best[0]}. Nothing is scored."
    return f"{feasible} pass Filter, Score ranks them, and the pod would be bound to {_ranked_first(explanation)}."


def _ranked_first(explanation: Explanation) -> str:
    best = explanation.best
    return best[0] if len(best) == 1 else f"one of the {grouped(len(best))} with the highest total"


def _notes(explanation: Explanation) -> Iterable[str]:
    everywhere = [name for name, points in explanation.profile.unknown_plugins.items() if "multiPoint" in points]
    if everywhere:
        are = (
            "is enabled at every point that it takes part in, and which those are"
            if len(everywhere) == 1
            else ("are enabled at every point that they take part in, and which those are")
        )
        yield f"{wording.listed(everywhere)} {are} is not known here."


def _step(explanation: Explanation, stage: Stage) -> StepView:
    name = f"{stage.point[0].upper()}{stage.point[1:]}"
    parts = Counter(each.part for each in stage.parts)
    leading = next((part for part in _RANKS if parts[part]), Part.NOT_REACHED if not stage.reached else None)
    unseen = stage.point in ("reserve", "permit", "preBind", "bind", "postBind")
    return StepView(
        name=name,
        about=_ABOUT[stage.point],
        state="empty" if leading is None else leading.replace(" ", "-"),
        summary=_summary(stage, parts),
        note=_UNSEEN if unseen and stage.reached and stage.parts else _why_not_reached(explanation, stage),
        plugins=tuple(_plugin(explanation, stage.point, each) for each in stage.parts),
    )


def _summary(stage: Stage, parts: Counter[Part]) -> str:
    if not stage.parts:
        return "no plugin"
    if set(parts) == {Part.NOT_REACHED}:
        return "not reached"
    rejected = sum(each.rejected for each in stage.parts)
    said = [
        f"{grouped(number)} {_WORDS[part]}"
        for part in (Part.RAN, Part.SKIPPED, Part.NOT_COMPUTED)
        if (number := parts[part])
    ]
    if rejected:
        said.insert(
            0,
            f"{counted(parts[Part.REJECTED], 'plugin rejects', 'plugins reject')} {counted(rejected, 'node', 'nodes')}",
        )
    elif parts[Part.REJECTED] and stage.point == "postFilter":
        said.insert(0, f"{counted(parts[Part.REJECTED], 'makes', 'make')} no room")
    elif parts[Part.REJECTED]:
        said.insert(0, f"{grouped(parts[Part.REJECTED])} rejected")
    if parts[Part.NOT_REACHED]:
        said.append(f"{grouped(parts[Part.NOT_REACHED])} not reached")
    return ", ".join(said)


def _why_not_reached(explanation: Explanation, stage: Stage) -> str:
    if stage.reached:
        return ""
    if not explanation.gates.ok:
        return "Not reached while the gates stand; this is what would happen without them."
    if not explanation.node_count:
        return "Not reached: there are no nodes."
    if explanation.error is not None:
        return "Not reached: the attempt had ended in an error."
    if stage.point == "postFilter":
        return "Asked only when no node passes Filter."
    if explanation.takes_nominated:
        return "Not reached: the nominated node is taken without being scored."
    if len(explanation.cycle.feasible) == 1 and stage.point in ("preScore", "score", "normalizeScore"):
        return "Not reached: a single node that fits is taken without being scored."
    if not explanation.fits:
        return "Not reached: no node is left."
    return "Not reached: the attempt had ended."


def _plugin(explanation: Explanation, point: str, part: PluginPart) -> PluginView:
    link, text = _LINKS.get(point, ("", ""))
    if part.part not in (Part.RAN, Part.REJECTED) or (point == "postFilter" and not PLUGINS[part.plugin].preempts):
        link, text = "", ""
    scored = point in ("score", "normalizeScore") and part.part is Part.RAN
    return PluginView(
        name=part.plugin,
        question=wording_of(part.plugin).decides(),
        state=part.part.replace(" ", "-"),
        word=_WORDS[part.part],
        rejected=grouped(part.rejected) if part.rejected else "",
        sentence=_what(explanation, point, part),
        link=link,
        link_text=text,
        cell=next(iter(explanation.best), "") if scored else "",
    )


def _what(explanation: Explanation, point: str, part: PluginPart) -> str:
    match part.part:
        case Part.REJECTED:
            return _rejected(point, part)
        case Part.NOT_REACHED:
            return "The attempt does not come to it."
        case Part.NOT_COMPUTED:
            return _not_computed(explanation, point, part.plugin)
        case Part.SKIPPED:
            return _skipped(point, part.plugin)
        case Part.RAN:
            return _ran(explanation, point, part)


def _rejected(point: str, part: PluginPart) -> str:
    if point == "filter":
        of = counted(part.asked, "node that it is asked about", "nodes that it is asked about")
        return f"Rejects {grouped(part.rejected)} of the {of}."
    if part.status.code is Code.ERROR:
        return f"Ends in an error: {wording.reasons(part.status)}."
    said = wording.reasons(part.status).removesuffix(".")
    return f"Finds no way out: {said}." if point == "postFilter" else f"Ends the attempt: {said}."


def _not_computed(explanation: Explanation, point: str, plugin: str) -> str:
    if plugin in explanation.profile.unknown_plugins:
        return "It is not part of Kubernetes; what it says cannot be known here."
    if point == "preEnqueue":
        return wording_of(plugin).not_computed_in_pre_enqueue()
    if point in ("preFilter", "filter"):
        return "Not computed for this pod; counted as letting every node pass."
    return "Would be asked once a node is chosen; not computed."


def _skipped(point: str, plugin: str) -> str:
    if point in ("preFilter", "filter"):
        return wording_of(plugin).nothing_to_filter()
    return wording_of(plugin).nothing_to_score()


def _ran(explanation: Explanation, point: str, part: PluginPart) -> str:
    match point:
        case "preEnqueue":
            return "Lets the pod into the queue."
        case "queueSort":
            priority = grouped(explanation.pod.priority)
            return f"Higher priority first, then who came earlier; the pod's priority is {priority}."
        case "preFilter" if part.plugin in explanation.cycle.restricting:
            looked = wording.of_nodes(explanation, int(explanation.cycle.considered.sum()))
            return f"Has something to check, and names the only nodes to look at: {looked} are left."
        case "preFilter":
            return "Has something to check."
        case "filter":
            return f"Lets all of the {counted(part.asked, 'node', 'nodes')} pass that it is asked about."
        case "postFilter":
            found = explanation.preemption
            node = found.selected.node if found is not None and found.selected is not None else ""
            return f"Makes room: pods of lower priority would have to leave {node}."
        case "preScore":
            return "Has something to compare."
        case "score":
            weight = grouped(explanation.profile.weights[part.plugin])
            return f"Scores {counted(part.asked, 'node', 'nodes')}, with weight {weight}."
        case _:
            return f"Brings {counted(part.asked, 'score', 'scores')} to 0 to 100."
