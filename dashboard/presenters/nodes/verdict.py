"""One node under the glass: what every filter compared there, and how it scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.wording.decisions.nodes import node_sentence, verdict_word
from clusters.wording.evidence import EvidenceView, comparison_view
from clusters.wording.plugins import wording_of
from clusters.wording.reasons import as_reported
from dashboard.presenters.decisions.groups import verdict_token
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
    rejections = {**explanation.rejections_of(row), **explanation.rejections_with_nominated(row)}
    evidence = explanation.evidence(row)
    filters = [
        FilterView(
            plugin=plugin,
            question=wording_of(plugin).decides(),
            reasons=as_reported(rejections[plugin]) if plugin in rejections else "",
            evidence=tuple(comparison_view(each) for each in found),
            is_reported=rejection is not None and rejection.plugin == plugin,
        )
        for plugin, found in evidence.items()
    ]
    return NodeVerdict(
        name=explanation.snapshot.nodes.names[row],
        verdict=verdict_token(rejection),
        verdict_text=verdict_word(rejection),
        sentence=node_sentence(explanation, row),
        filters=tuple(sorted(filters, key=lambda each: not each.reasons)),
        skipped=tuple(name for name in explanation.profile.filter if name not in explanation.cycle.filters),
        score=row_of(explanation, row),
    )


def matches(explanation: Explanation, text: str) -> list[str]:
    """Return names of nodes that contain a text, one more than are shown."""
    found = (name for name in explanation.snapshot.nodes.names if text in name)
    return [name for name, _ in zip(found, range(MOST_MATCHES + 1), strict=False)]
