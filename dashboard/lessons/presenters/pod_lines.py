"""Pods of one place of a situation: one by one where they are few, else by workload."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.wording.lessons import situation as words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.objects import Pod

# So many pods stand there one by one, and so many lines at once.
MOST_LINES: Final = 4


@dataclass(frozen=True, slots=True)
class PodFacts:
    """A pod: where it is, what it requests, and what else decides about it; ``workload`` is the same for its twins."""

    key: str
    facts: str
    workload: str


@dataclass(frozen=True, slots=True)
class PodLine:
    """Alike pods of one workload: ``title`` says how many they are; of one pod that is its name."""

    title: str
    facts: str
    pods: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PodLines:
    """The pods of one place."""

    lines: tuple[PodLine, ...]

    @property
    def is_folded(self) -> bool:
        """Whether there are more lines than stand there at once."""
        return len(self.lines) > MOST_LINES


def pod_lines(pods: Sequence[PodFacts]) -> PodLines:
    """Present few pods one by one, and many by their workload and what they request."""
    if len(pods) <= MOST_LINES:
        return PodLines(tuple(PodLine(pod.key, pod.facts, (pod.key,)) for pod in pods))
    alike: dict[tuple[str, str], list[str]] = {}
    for pod in pods:
        alike.setdefault((pod.workload, pod.facts), []).append(pod.key)
    return PodLines(
        tuple(
            PodLine(keys[0] if len(keys) == 1 else words.PODS_OF(name=workload, number=len(keys)), facts, tuple(keys))
            for (workload, facts), keys in alike.items()
        )
    )


def workload_name(pod: Pod) -> str:
    """Name what a pod belongs to, the same for its twins: what controls it, else its labels, or its namespace alone."""
    owner = pod.controller
    name = str(owner.get("name")) if owner else ",".join(f"{key}={value}" for key, value in sorted(pod.labels.items()))
    return f"{pod.namespace}/{name}" if name else pod.namespace
