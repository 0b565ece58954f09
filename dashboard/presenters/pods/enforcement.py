"""What is enforced for a pod and each of its containers, as rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.kubelet.enforcement import enforced_limits, volume_limits
from clusters.engine.kubelet.oom import oom_scores
from clusters.wording import amounts
from clusters.wording.lists import listed
from clusters.wording.nodes import oom as oom_words
from clusters.wording.pods import enforcement as words

if TYPE_CHECKING:
    from clusters.engine.objects import Document


@dataclass(frozen=True, slots=True)
class EnforcedRow:
    """A container, or the whole pod, whose `score` is empty."""

    name: str
    role: str
    shares: str
    weight: str
    quota: str
    memory: str
    storage: str
    score: str
    ground: str


@dataclass(frozen=True, slots=True)
class EnforcementView:
    """The rows with what they mean; `notes` are sentences."""

    rows: tuple[EnforcedRow, ...]
    notes: tuple[str, ...]


def enforcement(pod: Document, capacity: int | None) -> EnforcementView:
    """Present what is enforced on a node of so many bytes of memory; None where the node is not known."""
    limits, scores = enforced_limits(pod), oom_scores(pod, capacity)
    rows = [
        EnforcedRow(
            name=each.container or str(words.WHOLE),
            role="" if each.role is None else str(oom_words.ROLES[each.role]),
            shares=amounts.grouped(each.shares),
            weight=words.weight(each.weight, each.newer_weight),
            quota=str(words.NO_LIMIT) if each.quota_micros is None else words.quota(each.quota_micros),
            memory=str(words.NO_LIMIT) if each.memory_bytes is None else amounts.size(each.memory_bytes),
            storage=str(words.NO_LIMIT) if each.storage_bytes is None else amounts.size(each.storage_bytes),
            score="" if score is None else _score(score.score),
            ground="" if score is None else str(oom_words.GROUNDS[score.ground]),
        )
        for each, score in zip(limits, (None, *scores), strict=True)
    ]
    notes = [str(words.EXPLAINED)]
    if any(each.storage_bytes for each in limits):
        notes.append(str(words.EVICTED))
    volumes = [words.volume(name, amounts.size(limit)) for name, limit in volume_limits(pod).items()]
    if volumes:
        notes.append(words.volumes(listed(volumes)))
    if any(each.score is None for each in scores):
        notes.append(str(words.NOT_SCORED))
    return EnforcementView(tuple(rows), tuple(notes))


def _score(number: int | None) -> str:
    return str(oom_words.NO_SCORE) if number is None else oom_words.score(number)
