"""One node under the glass: what every filter compared there, and how it scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.wording.amounts import counted, grouped
from clusters.wording.evidence import EvidenceView, comparison_view
from clusters.wording.plugins import wording_of
from dashboard.presenters import wording
from dashboard.presenters.decisions.groups import verdict_of
from dashboard.presenters.decisions.scores import ScoreRow, row_of

if TYPE_CHECKING:
    from clusters.engine import Explanation

MOST_MATCHES = 20


@dataclass(frozen=True, slots=True)
class FilterView:
    """One filter's answer on the node; `reasons` is empty where it lets the pod in."""

    plugin: str
    question: str
    reasons: str
    evidence: tuple[EvidenceView, ...]
    is_reported: bool


@dataclass(frozen=True, slots=True)
class NodeVerdict:
    """The node with the scheduler's own verdict and all answers, rejections first; `skipped` had nothing to check."""

    name: str
    verdict: str
    verdict_text: str
    sentence: str
    filters: tuple[FilterView, ...]
    skipped: tuple[str, ...]
    score: ScoreRow | None


def node_verdict(explanation: Explanation, row: int) -> NodeVerdict:
    """Present one node."""
    rejection = explanation.verdict_of(row)
    verdict, text = verdict_of(rejection)
    rejections = {**explanation.rejections_of(row), **explanation.rejections_with_nominated(row)}
    evidence = explanation.evidence(row)
    filters = [
        FilterView(
            plugin=plugin,
            question=wording_of(plugin).decides(),
            reasons=wording.reasons(rejections[plugin]) if plugin in rejections else "",
            evidence=tuple(comparison_view(each) for each in found),
            is_reported=rejection is not None and rejection.plugin == plugin,
        )
        for plugin, found in evidence.items()
    ]
    return NodeVerdict(
        name=explanation.snapshot.nodes.names[row],
        verdict=verdict,
        verdict_text=text,
        sentence=_sentence(explanation, row),
        filters=tuple(sorted(filters, key=lambda each: not each.reasons)),
        skipped=tuple(name for name in explanation.profile.filter if name not in explanation.cycle.filters),
        score=row_of(explanation, row),
    )


def _sentence(explanation: Explanation, row: int) -> str:
    total = explanation.total_of(row)
    if total is not None:
        place = f"rank {grouped(wording.rank(explanation, total))} of {grouped(len(explanation.cycle.feasible))}"
        fits = "passes all that is computed here" if explanation.uncertainties else "fits here"
        return f"The pod {fits}: {counted(total, 'point', 'points')}, {place}."
    rejection = explanation.verdict_of(row)
    failing = explanation.rejections_of(row)
    if rejection is not None and not failing and not explanation.decided_by_nominated(row):
        return f"The scheduler does not look at this node: {wording.reasons(rejection.status)}."
    nominated = wording.because_of_nominated(explanation, row)
    first = ""
    if rejection is not None:
        first = f"The scheduler reports {rejection.plugin}: {wording.reasons(rejection.status)}{nominated}."
    others = [plugin for plugin in failing if rejection is None or plugin != rejection.plugin]
    if others:
        return f"{first} {wording.listed(others)} would reject it too."
    if nominated and not failing:
        them = "it" if len(explanation.nominated_on(row)) == 1 else "them"
        return f"{first} Without {them} nothing rejects it."
    if more := wording.only_with_nominated(explanation, row):
        return f"{first} Counting the pods that are nominated for it, {wording.listed(list(more))} would reject it too."
    return f"{first} Nothing else rejects it."


def matches(explanation: Explanation, text: str) -> list[str]:
    """Return names of nodes that contain a text, one more than are shown."""
    found = (name for name in explanation.snapshot.nodes.names if text in name)
    return [name for name, _ in zip(found, range(MOST_MATCHES + 1), strict=False)]
