"""The order in which the kernel kills the containers of a node, as rows and a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.kubelet import oom_order
from clusters.wording import amounts
from clusters.wording.nodes import oom as words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine.kubelet import OomScore
    from clusters.engine.objects import Document


@dataclass(frozen=True, slots=True)
class OomRow:
    """One container of a pod with its score."""

    namespace: str
    name: str
    container: str
    role: str
    qos_class: str
    requested: str
    score: str
    ground: str


@dataclass(frozen=True, slots=True)
class OomView:
    """The containers in their order."""

    sentence: str
    rows: tuple[OomRow, ...]


def oom_view(pods: Iterable[Document], capacity: int | None) -> OomView:
    """Present the containers of a node's pods, the one with the highest score first."""
    scores = oom_order(pods, capacity)
    return OomView(_sentence(scores), tuple(map(_row, scores)))


def _sentence(scores: Sequence[OomScore]) -> str:
    if not scores:
        return str(words.NOTHING_RUNS)
    first = scores[0]
    if first.score is None:
        return str(words.EXPLAINED)
    return f"{words.SENTENCE(container=first.container, pod=first.pod, score=first.score)} {words.EXPLAINED!s}"


def _row(score: OomScore) -> OomRow:
    namespace, _, name = score.pod.partition("/")
    return OomRow(
        namespace=namespace,
        name=name,
        container=score.container,
        role=str(words.ROLES[score.role]),
        qos_class=str(score.quality),
        requested=amounts.size(score.requested),
        score=str(words.NO_SCORE) if score.score is None else words.score(score.score),
        ground=str(words.GROUNDS[score.ground]),
    )
