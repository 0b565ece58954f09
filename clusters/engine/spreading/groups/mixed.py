"""Which pods a constraint counts that do not have it themselves: all pods of a group should have the same one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.matching.selectors import SelectorError
from clusters.engine.spreading.constraints import SpreadConstraint

if TYPE_CHECKING:
    from clusters.engine.columns.grouping import Slots
    from clusters.engine.objects import Labels
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.workloads.pod_template import PodTemplate, Workload


@dataclass(frozen=True, slots=True, order=True)
class UnlikePods:
    """Counted pods of a workload: those that have another constraint for the same key, or those that have none."""

    workload: Workload
    has_another: bool
    pods: int


def unlike_pods(
    snapshot: Snapshot, constraint: SpreadConstraint, action: str, counted: Slots
) -> tuple[UnlikePods, ...]:
    """The pods among those that a constraint counts which do not have it; those of DaemonSets are left out."""
    pods = snapshot.pods
    label_sets = len(pods.label_sets)
    template = pods.template[counted].astype(np.int64)
    used, place = np.unique(template, return_inverse=True)
    # What constraints are may depend on labels only where they are merged into them.
    merges = [
        any(entry.get("matchLabelKeys") for entry in pods.templates[number].constraints) for number in used.tolist()
    ]
    kin = template * label_sets + np.where(np.array(merges, np.bool_)[place], pods.label_set[counted], 0)
    found: dict[tuple[Workload, bool], int] = {}
    for first, size in zip(*np.unique(kin, return_index=True, return_counts=True)[1:], strict=True):
        slot = counted[first]
        made_from = pods.templates[pods.template[slot]]
        own = _own(made_from, pods.label_sets[pods.label_set[slot]].labels, constraint.topology_key)
        if not made_from.is_pinned and (constraint, action) not in own:
            key = made_from.workload, bool(own)
            found[key] = found.get(key, 0) + int(size)
    return tuple(sorted(UnlikePods(workload, another, size) for (workload, another), size in found.items()))


def _own(template: PodTemplate, labels: Labels, key: str) -> list[tuple[SpreadConstraint | None, str]]:
    """The constraints of a pod for one key, each with what it does; None stands for one that cannot be read."""
    found: list[tuple[SpreadConstraint | None, str]] = []
    for entry in template.constraints:
        if entry.get("topologyKey") == key:
            try:
                read = SpreadConstraint.from_dict(entry, labels)
            except SelectorError:
                read = None
            found.append((read, str(entry.get("whenUnsatisfiable"))))
    return found
