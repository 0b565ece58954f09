"""How many pods there are of every template and label set, placed and pending."""

from __future__ import annotations

import marshal
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.objects import Pod
from clusters.engine.workloads.pod_template import PodTemplate, template_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine.objects import Document, Labels
    from clusters.engine.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Count:
    """Pods on nodes, those of them that are being deleted, and pending pods."""

    placed: int = 0
    terminating: int = 0
    pending: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(self.placed + other.placed, self.terminating + other.terminating, self.pending + other.pending)


@dataclass(frozen=True, slots=True)
class Members:
    """The pods of one template, by their labels."""

    template: PodTemplate
    by_labels: tuple[tuple[Labels, Count], ...]


def waiting(snapshot: Snapshot, pending: Iterable[Document]) -> Iterator[Pod]:
    """The pods among ``pending`` that wait for a node and that the snapshot does not hold as nominated."""
    for document in pending:
        pod = Pod(document)
        if not (pod.node_name or pod.finished or pod.terminating or pod.key in snapshot.pods.slot_of):
            yield pod


def members_of(snapshot: Snapshot, pending: Iterable[Document]) -> list[Members]:
    """Every pod that is on a node of the snapshot or is pending, by template and labels."""
    return [*_held(snapshot), *_waiting(snapshot, pending)]


def _held(snapshot: Snapshot) -> Iterator[Members]:
    """Bound and nominated pods."""
    pods = snapshot.pods
    label_sets = len(pods.label_sets)
    bound = np.flatnonzero(pods.node >= 0)
    nominees = np.array(sorted(slot for slot in pods.nominees if not pods.terminating[slot]), np.intp)
    state = np.concatenate([pods.terminating[bound].astype(np.int64), np.full(len(nominees), 2)])
    slots = np.concatenate([bound, nominees])
    kin = pods.template[slots].astype(np.int64) * label_sets + pods.label_set[slots]
    found, sizes = np.unique(kin * 3 + state, return_counts=True)
    by_template: dict[int, dict[int, Count]] = {}
    for code, size in zip(found.tolist(), sizes.tolist(), strict=True):
        template, label_set = divmod(code // 3, label_sets)
        count = (Count(placed=size), Count(placed=size, terminating=size), Count(pending=size))[code % 3]
        known = by_template.setdefault(template, {})
        known[label_set] = known.get(label_set, Count()) + count
    for template, counts in by_template.items():
        by_labels = tuple((pods.label_sets[label_set].labels, count) for label_set, count in counts.items())
        yield Members(pods.templates[template], by_labels)


def _waiting(snapshot: Snapshot, pending: Iterable[Document]) -> Iterator[Members]:
    """Pods that nothing but their documents tells of; those with byte-equal sources are read once."""
    kin: dict[bytes, tuple[Pod, dict[bytes, tuple[Labels, int]]]] = {}
    for pod in waiting(snapshot, pending):
        _, by_labels = kin.setdefault(marshal.dumps(template_source(pod), 0), (pod, {}))
        memo = marshal.dumps(sorted(pod.labels.items()), 0)
        by_labels[memo] = pod.labels, by_labels.get(memo, (pod.labels, 0))[1] + 1
    for pod, by_labels in kin.values():
        yield Members(PodTemplate.of(pod), tuple((labels, Count(pending=size)) for labels, size in by_labels.values()))
