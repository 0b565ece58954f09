"""Taints that no pod of a cluster tolerates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.matching.taints import Toleration

if TYPE_CHECKING:
    from clusters.engine.matching.taints import Taint
    from clusters.services.reports.subject import Subject

# Kubernetes itself puts these on nodes that are not well.
_OF_CONDITIONS = "node.kubernetes.io/"


def untolerated(subject: Subject) -> dict[Taint, list[int]]:
    """Taints that keep pods away and that no pod tolerates, placed or waiting, but for those of DaemonSets.

    With the rows of their nodes; the taint of most nodes first.
    """
    where: dict[Taint, list[int]] = {}
    for row, node in enumerate(subject.snapshot.nodes.nodes):
        for taint in node.taints:
            if taint.forbids_scheduling and not taint.key.startswith(_OF_CONDITIONS):
                where.setdefault(taint, []).append(row)
    tolerations = _tolerations(subject) if where else set()
    return {
        taint: where[taint]
        for taint in sorted(where, key=lambda taint: (-len(where[taint]), taint.key, taint.value, taint.effect))
        if not any(toleration.tolerates(taint) for toleration in tolerations)
    }


def _tolerations(subject: Subject) -> set[Toleration]:
    pods = subject.snapshot.pods
    used = np.unique(pods.template[pods.node >= 0])
    placed = (pods.templates[number] for number in used.tolist())
    written = [entry for template in placed if not template.is_pinned for entry in template.tolerations]
    written += [entry for pod in subject.waiting for entry in (pod.get("spec") or {}).get("tolerations") or ()]
    return {Toleration.from_dict(entry) for entry in written}
