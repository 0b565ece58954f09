"""How many pods of every workload run in every zone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.spreading.constraints import ZONE
from clusters.engine.spreading.groups.census import waiting
from clusters.engine.workloads.pod_template import PodTemplate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Ints
    from clusters.engine.workloads.pod_template import Workload


@dataclass(frozen=True, slots=True, eq=False)
class WorkloadMatrix:
    """W workloads, the largest first, by Z zones in order of name; the last zone, "", is that of nodes without one.

    ``placed`` (W, Z): pods on nodes, those being deleted included; ``pending`` (W,): pending pods.
    """

    zones: tuple[str, ...]
    workloads: tuple[Workload, ...]
    placed: Ints
    pending: Ints


def workload_matrix(snapshot: Snapshot, pending: Iterable[Document] = ()) -> WorkloadMatrix:
    """Count the pods of a snapshot, and the ``pending`` ones that it does not hold, by workload and zone."""
    pods, column = snapshot.pods, snapshot.nodes.label(ZONE)
    known: dict[Workload, int] = {}
    of_template = np.array([known.setdefault(template.workload, len(known)) for template in pods.templates], np.intp)
    queue = [known.setdefault(PodTemplate.of(pod).workload, len(known)) for pod in waiting(snapshot, pending)]
    queue += [int(of_template[pods.template[slot]]) for slot in pods.nominees if not pods.terminating[slot]]
    width = len(column.values) + 1
    bound = np.flatnonzero(pods.node >= 0)
    zone = np.where(column.present, column.codes, width - 1)[pods.node[bound]]
    cells = of_template[pods.template[bound]] * width + zone
    placed = np.bincount(cells, minlength=len(known) * width).reshape(len(known), width)
    waits = np.bincount(np.array(queue, np.intp), minlength=len(known))

    # The empty value of a label and a missing one are one zone: neither has a name.
    named = sorted((number for number, value in enumerate(column.values) if value), key=column.values.__getitem__)
    unnamed = [number for number in range(width) if number not in named]
    placed = np.column_stack([placed[:, named], placed[:, unnamed].sum(axis=1)])
    workloads = list(known)
    sizes = placed.sum(axis=1) + waits
    rows = sorted((row for row in range(len(known)) if sizes[row]), key=lambda row: (-sizes[row], workloads[row]))
    return WorkloadMatrix(
        zones=(*(column.values[number] for number in named), ""),
        workloads=tuple(workloads[row] for row in rows),
        placed=placed[rows].astype(np.int64),
        pending=waits[rows].astype(np.int64),
    )
