"""What is enforced for a pod and each of its containers, as rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.kubelet import FilesystemLayout, enforced_limits, oom_scores, storage_excess, volume_limits
from clusters.wording import amounts
from clusters.wording.lists import listed
from clusters.wording.nodes import disks as disk_words
from clusters.wording.nodes import oom as oom_words
from clusters.wording.pods import enforcement as words

if TYPE_CHECKING:
    from clusters.engine.kubelet import EnforcedLimits, PodDisks
    from clusters.engine.objects import Document
    from clusters.services.usage.history import DiskSample


@dataclass(frozen=True, slots=True)
class EnforcedRow:
    """A container, or the whole pod, whose `score` is empty; `used` is of ephemeral storage, empty where not known."""

    name: str
    role: str
    shares: str
    weight: str
    quota: str
    memory: str
    storage: str
    used: str
    score: str
    ground: str


@dataclass(frozen=True, slots=True)
class EnforcementView:
    """The rows with what they mean; `notes` are sentences, `excess` one about a limit of storage that is exceeded."""

    rows: tuple[EnforcedRow, ...]
    excess: str
    notes: tuple[str, ...]


def enforcement(pod: Document, capacity: int | None, sample: DiskSample | None = None) -> EnforcementView:
    """Present what is enforced on a node of so many bytes of memory; None where the node is not known.

    ``sample``: what the node's kubelet reported of disks, where somebody gave that.
    """
    limits, scores = enforced_limits(pod), oom_scores(pod, capacity)
    has = None if sample is None else sample.disks.of(pod)
    layout = (sample.disks.layout if sample else None) or FilesystemLayout.ONE
    excess = None if has is None else storage_excess(pod, has, layout)
    rows = [
        EnforcedRow(
            name=each.container or str(words.WHOLE),
            role="" if each.role is None else str(oom_words.ROLES[each.role]),
            shares=amounts.grouped(each.shares),
            weight=words.weight(each.weight, each.newer_weight),
            quota=str(words.NO_LIMIT) if each.quota_micros is None else words.QUOTA(micros=each.quota_micros),
            memory=str(words.NO_LIMIT) if each.memory_bytes is None else amounts.size(each.memory_bytes),
            storage=str(words.NO_LIMIT) if each.storage_bytes is None else amounts.size(each.storage_bytes),
            used="" if has is None else _used(each, has, layout),
            score="" if score is None else _score(score.score),
            ground="" if score is None else str(oom_words.GROUNDS[score.ground]),
        )
        for each, score in zip(limits, (None, *scores), strict=True)
    ]
    notes = [str(words.EXPLAINED)]
    is_limited = any(each.storage_bytes is not None for each in limits)
    if is_limited:
        notes.append(str(words.EVICTED))
    volumes = [words.VOLUME(name=name, limit=amounts.size(limit)) for name, limit in volume_limits(pod).items()]
    if volumes:
        notes.append(words.VOLUMES(volumes=listed(volumes)))
    if has is not None and sample is not None:
        notes.append(disk_words.used_at(sample.at))
    elif (is_limited or volumes) and (pod.get("spec") or {}).get("nodeName"):
        notes.append(str(disk_words.NOT_KNOWN))
    if any(each.score is None for each in scores):
        notes.append(str(words.NOT_SCORED))
    said = "" if excess is None else disk_words.excess_sentence(excess)
    return EnforcementView(tuple(rows), said, tuple(notes))


def _used(limits: EnforcedLimits, has: PodDisks, layout: FilesystemLayout) -> str:
    """Write what a container, or the whole pod, takes of what its limit is of."""
    taken = has.of_container(limits.container, layout) if limits.container else has.total_bytes
    return disk_words.USED(amount=amounts.size(taken))


def _score(number: int | None) -> str:
    return str(oom_words.NO_SCORE) if number is None else oom_words.score(number)
