"""The scheduling attempt as a strip: one step for each extension point, in it the plugins and what each did."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.scheduling import Part, PluginPart, Stage, may_share_an_evaluation, stages
from clusters.wording.amounts import grouped
from clusters.wording.decisions import attempt as words
from clusters.wording.plugins import wording_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine import Explanation

# Of a step the first that some plugin did decides how it looks.
_RANKS = (Part.REJECTED, Part.RAN, Part.NOT_COMPUTED, Part.SKIPPED, Part.NOT_REACHED)


@dataclass(frozen=True, slots=True)
class PluginView:
    """One plugin at one point: a word and a sentence.

    ``state`` is a part with a hyphen instead of a blank; ``rejected`` says how many nodes it turned down, where it did.
    """

    name: str
    question: str
    state: str
    word: str
    rejected: str
    sentence: str


@dataclass(frozen=True, slots=True)
class ExtensionPointView:
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
    steps: tuple[ExtensionPointView, ...]
    notes: tuple[str, ...]


def strip(explanation: Explanation) -> StripView:
    """Present an attempt from PreEnqueue to PostBind."""
    found = stages(explanation)
    return StripView(
        sentence=words.outcome(explanation),
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


def _notes(explanation: Explanation) -> Iterable[str]:
    everywhere = [name for name, points in explanation.profile.unknown_plugins.items() if "multiPoint" in points]
    if everywhere:
        yield words.unknown_points(everywhere)
    if len(explanation.cycle.feasible) and may_share_an_evaluation(explanation):
        yield str(words.SHARED_EVALUATION)


def _step(explanation: Explanation, stage: Stage) -> ExtensionPointView:
    name = f"{stage.point[0].upper()}{stage.point[1:]}"
    parts = Counter(each.part for each in stage.parts)
    leading = next((part for part in _RANKS if parts[part]), Part.NOT_REACHED if not stage.reached else None)
    unseen = stage.point in ("reserve", "permit", "preBind", "bind", "postBind")
    return ExtensionPointView(
        name=name,
        about=str(words.POINTS[stage.point]),
        state="empty" if leading is None else leading.value,
        summary=words.step_summary(stage, parts),
        note=str(words.AFTER_THE_CHOICE)
        if unseen and stage.reached and stage.parts
        else words.why_not_reached(explanation, stage),
        plugins=tuple(_plugin(explanation, stage.point, each) for each in stage.parts),
    )


def _plugin(explanation: Explanation, point: str, part: PluginPart) -> PluginView:
    return PluginView(
        name=part.plugin,
        question=wording_of(part.plugin).decides(),
        state=part.part.value,
        word=str(words.PARTS[part.part]),
        rejected=grouped(part.rejected) if part.rejected else "",
        sentence=_what(explanation, point, part),
    )


def _what(explanation: Explanation, point: str, part: PluginPart) -> str:
    match part.part:
        case Part.REJECTED:
            return words.rejected(point, part)
        case Part.NOT_REACHED:
            return str(words.NOT_REACHED)
        case Part.NOT_COMPUTED:
            return words.not_computed(explanation, point, part.plugin)
        case Part.SKIPPED if point in ("preFilter", "filter"):
            return wording_of(part.plugin).nothing_to_filter()
        case Part.SKIPPED:
            return wording_of(part.plugin).nothing_to_score()
        case Part.RAN:
            return words.ran(explanation, point, part)
