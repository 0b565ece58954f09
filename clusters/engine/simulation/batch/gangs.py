"""Pods that are of use only together: a pod group gets its least number of members onto nodes, or none at all.

The labels and the PodGroup object are those of the coscheduling plugin of sigs.k8s.io/scheduler-plugins; the older
annotation is read too, and the Workloads and PodGroups of Kubernetes itself. Without the object every waiting and
running pod of the group counts as needed.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from clusters.engine.objects import labels_of, metadata, namespace_of
from clusters.engine.podgroups.held import held_groups
from clusters.engine.podgroups.reference import PodGroupKey, named_groups
from clusters.engine.simulation.batch.rounds import Filling, fill, one_by_one

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.objects import Document
    from clusters.engine.simulation.batch.lots import Applicant
    from clusters.engine.simulation.batch.problem import Solve
    from clusters.engine.snapshot import Snapshot

POD_GROUP: Final = "pod-group"
KIND: Final = "PodGroup"
_NAMES: Final = (
    "scheduling.x-k8s.io/pod-group",
    "pod-group.scheduling.sigs.k8s.io/name",
    "pod-group.scheduling.sigs.k8s.io",
)


def group_of(pod: Document) -> str:
    """The pod group that a pod belongs to, as in ``namespace/name``, empty where it belongs to none."""
    for group in named_groups(pod.get("spec") or {}, namespace_of(pod)):
        return str(group)
    labels, annotations = labels_of(pod), metadata(pod).get("annotations") or {}
    for key in _NAMES:
        name = labels.get(key) or annotations.get(key)
        if name:
            return f"{metadata(pod).get('namespace') or 'default'}/{name}"
    return ""


class Gangs:
    """The pod groups of the pending pods at one moment, and how many of each are wanted beside those that run."""

    def __init__(self, snapshot: Snapshot, applicants: Sequence[Applicant], running: Mapping[str, int]) -> None:
        self._group = {each.turn: group_of(each.document) for each in applicants}
        waiting = Counter(group for group in self._group.values() if group)
        self.missing = {
            group: max(0, (_least(snapshot, group) or count + running.get(group, 0)) - running.get(group, 0))
            for group, count in waiting.items()
        }

    def of(self, applicant: Applicant) -> str:
        return self._group[applicant.turn]

    def broken(self, placed: Iterable[Applicant]) -> set[str]:
        """Groups of which some members, but too few, have a node."""
        counts = Counter(self.of(each) for each in placed)
        return {group for group, number in counts.items() if group and number < self.missing[group]}


def _least(snapshot: Snapshot, group: str) -> int:
    namespace, *names = group.split("/")
    document = snapshot.object(KIND, names[0], namespace) or {}
    least = int((document.get("spec") or {}).get("minMember") or 0)
    key = PodGroupKey(namespace, names[1], names[0]) if names[1:] else PodGroupKey(namespace, names[0])
    terms = held_groups(snapshot).terms_of(key)
    return least or (0 if terms is None else terms.policy.quorum)


def fill_with_gangs(filling: Filling, applicants: Sequence[Applicant], gangs: Gangs, solve: Solve) -> Filling:
    """Place pods so that no group is broken: while one is, the last of those steps back, and all is done again.

    A group that stepped back is tried alone once more when the others have settled, in order of its first member.
    """
    aside: dict[str, None] = {}
    while True:
        trial = filling.copy()
        fill(trial, [each for each in applicants if gangs.of(each) not in aside], solve)
        broken = gangs.broken(each.applicant for each in trial.placed)
        if not broken:
            break
        members = [each for each in applicants if gangs.of(each) in broken]
        aside[gangs.of(max(members, key=lambda each: (-each.kind.priority, each.turn)))] = None
    for group in reversed(aside):
        again = trial.copy()
        fill(again, [each for each in applicants if gangs.of(each) == group], solve)
        if not gangs.broken(each.applicant for each in again.placed):
            trial = again
    return trial


def fill_freely(filling: Filling, applicants: Sequence[Applicant], solve: Solve) -> Filling:
    """Place pods together, never fewer than pod by pod would.

    Where some are pending, it is done again with those first that keep others off, and in the queue's order; the
    first that places most is taken. More pods of a higher priority count before any of a lower one.
    """
    best = filling.copy()
    if not fill(best, applicants, solve):
        return best
    keen = filling.copy()
    fill(keen, applicants, solve, keen=True)
    in_turn = filling.copy()
    one_by_one(in_turn, sorted(applicants, key=lambda each: (-each.kind.priority, each.turn)))
    for other in (keen, in_turn):
        if _worth(other, applicants) > _worth(best, applicants):
            best = other
    return best


def _worth(filling: Filling, applicants: Iterable[Applicant]) -> list[int]:
    """How many pods of each priority have a node, the highest first."""
    counts = Counter(each.applicant.kind.priority for each in filling.placed)
    return [counts[priority] for priority in sorted({each.kind.priority for each in applicants}, reverse=True)]
