"""One pod after the other, each placed before the next is tried, as a scheduler with nothing else to do would."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.explanation import Explanation, explain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine.configuration import SchedulerConfiguration
    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot


def replay(
    snapshot: Snapshot, pods: Iterable[Document], configuration: SchedulerConfiguration
) -> Iterator[Explanation]:
    """Explain pods in turn and place each that any node has the highest total for on the first of those by name.

    So recordings go on, also where the scheduler would take a nominated node or end in an error. ``snapshot`` is
    brought forward while the pods are walked, so what is wanted of an explanation must be taken before the next one.
    Nothing is reserved for volumes. Raises UnknownScheduler.
    """
    for pod in pods:
        explanation = explain(snapshot, pod, configuration.profile_for(pod))
        yield explanation
        if explanation.best:
            snapshot.assume(pod, explanation.best[0])
