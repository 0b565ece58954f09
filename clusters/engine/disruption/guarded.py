"""The pods that a budget selects, as slots of the snapshot and as documents of pods that it does not hold."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.objects import Pod
from clusters.engine.workloads.pod_template import Controller, PodTemplate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clusters.engine.disruption.budget import DisruptionBudget
    from clusters.engine.objects import Document, Labels
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index, Mask
    from clusters.engine.workloads.pod_template import Workload

_STATEFUL_REVISION = "controller-revision-hash"


@dataclass(frozen=True, slots=True, eq=False)
class Guarded:
    """The pods of one budget. ``slots`` are on nodes or nominated; ``others`` are pending or have finished."""

    slots: Index
    others: Sequence[Pod]

    def __len__(self) -> int:
        return len(self.slots) + len(self.others)


class Census:
    """Who is guarded by which budget, and by how many."""

    def __init__(self, snapshot: Snapshot, budgets: Sequence[DisruptionBudget], others: Iterable[Document]) -> None:
        self._pods = snapshot.pods
        self._others: defaultdict[str, list[Pod]] = defaultdict(list)
        for pod in map(Pod, others):
            if pod.key not in snapshot.pods.slot_of:
                self._others[pod.namespace].append(pod)
        self._label_sets = [self._pods.select(each.selector, frozenset({each.namespace})) for each in budgets]
        self._budgets = budgets

    @cached_property
    def _aside(self) -> Index:
        """Slots of pods on no known node, which no index by labels holds."""
        return np.flatnonzero((self._pods.label_set >= 0) & (self._pods.node < 0))

    @cached_property
    def guards(self) -> Index:
        """How many budgets select each label set, shape (L,)."""
        counts = np.zeros(len(self._pods.label_sets), np.intp)
        for numbers in self._label_sets:
            counts[numbers] += 1
        return counts

    def guarded(self, number: int) -> Guarded:
        """The pods of one budget."""
        budget, numbers = self._budgets[number], self._label_sets[number]
        bound = self._pods.bound_slots(numbers).astype(np.intp)
        aside = self._aside[np.isin(self._pods.label_set[self._aside], numbers)]
        others = [pod for pod in self._others[budget.namespace] if budget.selector.matches(pod.labels)]
        return Guarded(np.concatenate([bound, aside]), others)

    def sharing(self, number: int, slots: Index) -> list[str]:
        """Names of the other budgets that select some of these pods of one budget."""
        namespace, numbers = self._budgets[number].namespace, set(self._pods.label_set[slots].tolist())
        return [
            other.name
            for place, other in enumerate(self._budgets)
            if place != number and other.namespace == namespace and not numbers.isdisjoint(self._label_sets[place])
        ]

    def shared(self, slots: Index) -> Mask:
        """Which of the pods more than one budget selects, shape (M,)."""
        shared: Mask = self.guards[self._pods.label_set[slots]] > 1
        return shared

    def controllers(self, guarded: Guarded) -> Iterator[tuple[Controller, str]]:
        """The distinct controllers of some pods, each with the name of one of them."""
        seen: dict[Controller, str] = {}
        templates, first = np.unique(self._pods.template[guarded.slots], return_index=True)
        for template, place in zip(templates.tolist(), first.tolist(), strict=True):
            controller = self._pods.templates[template].controller
            if controller is not None:
                seen.setdefault(controller, self._pods.name(int(guarded.slots[place])))
        for pod in guarded.others:
            controller = Controller.of(pod.document)
            if controller is not None:
                seen.setdefault(controller, pod.name)
        yield from seen.items()

    def unmanaged(self, guarded: Guarded) -> list[str]:
        """Names of the pods that nothing controls."""
        bare = np.array([template.controller is None for template in self._pods.templates], np.bool_)
        slots = guarded.slots[bare[self._pods.template[guarded.slots]]] if len(guarded.slots) else guarded.slots
        names = [self._pods.name(slot) for slot in slots.tolist()]
        return sorted(names + [pod.name for pod in guarded.others if Controller.of(pod.document) is None])

    def is_rolling_out(self, guarded: Guarded) -> bool:
        """Whether pods of two revisions of one workload are there and not on their way out."""
        revisions: dict[Workload, str] = {}
        slots = guarded.slots[~self._pods.terminating[guarded.slots]]
        width = max(1, len(self._pods.label_sets))
        kin = np.unique(self._pods.template[slots].astype(np.int64) * width + self._pods.label_set[slots]).tolist()
        found = [(self._pods.templates[code // width], self._pods.label_sets[code % width].labels) for code in kin]
        found += [(PodTemplate.of(pod), pod.labels) for pod in guarded.others if not (pod.finished or pod.terminating)]
        return any(
            revisions.setdefault(template.workload, revision) != revision
            for template, labels in found
            if (revision := _revision(template, labels))
        )


def _revision(template: PodTemplate, labels: Labels) -> str:
    """What tells the pods of one version of a workload from those of the next; empty where nothing does."""
    controller = template.controller
    if controller is None:
        return ""
    return controller.name if controller.kind == "ReplicaSet" else labels.get(_STATEFUL_REVISION, "")
