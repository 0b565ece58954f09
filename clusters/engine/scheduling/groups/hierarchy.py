"""What has to be alike in a group of pods, or in a tree of groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.group_states import DEEPEST
from clusters.engine.podgroups import (
    DisruptionMode,
)
from clusters.engine.scheduling.groups.runs import Composite, Group

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.objects import Pod


class Hierarchy:
    """What has to be alike in a tree of groups (from 1.38).

    Upstream: ``validatePodGroupHierarchy`` of v1.38.0-beta.0.
    """

    def __init__(self, root: Group | Composite, namespace: str, priority: int) -> None:
        self._root, self._namespace, self._priority = root, namespace, priority
        self._first = next(pod for leaf in root.leaves for pod in leaf.queued)
        preempts = root.terms.preempts
        self._policy = policy_name(preempts=self._first.preempts if preempts is None else preempts)

    def wrong(self) -> str:
        """The first thing that is not alike; empty where all is."""
        return next(self._of(self._root, None, 1), "")

    def _of(self, group: Group | Composite, parent: Composite | None, depth: int) -> Iterator[str]:
        key = self._key(group)
        if isinstance(group, Composite) and depth == DEEPEST:
            yield f'hierarchy depth exceeds maximum allowed depth {DEEPEST} at "{key}"'
        if parent is not None:
            yield from self._beside(group, parent, key)
        for part in group.parts if isinstance(group, Composite) else ():
            yield from self._of(part, group if isinstance(group, Composite) else None, depth + 1)
        for pod in (*group.queued, *group.bound) if isinstance(group, Group) else ():
            yield from self._pod(pod)

    def _key(self, group: Group | Composite) -> str:
        kind = "compositepodgroup" if isinstance(group, Composite) else "podgroup"
        return f"{kind}/{self._namespace}/{group.name}"

    def _beside(self, group: Group | Composite, parent: Composite, key: str) -> Iterator[str]:
        own, root = group.terms, self._root
        if group.workload != root.workload:
            both = f'got: "{group.workload}" ("{key}") and "{root.workload}" ("{self._key(root)}")'
            yield f"pod group workload does not match root workload, {both}"
        if (own.priority or 0) != self._priority:
            same = "all pod groups in a hierarchy should have the same priority as the root pod group's priority"
            yield f'{same}, got {own.priority or 0} ("{key}") and {self._priority} ("{self._key(root)}")'
        if own.preempts is not None and policy_name(preempts=own.preempts) != self._policy:
            same = "all pod groups in a hierarchy should have the same preemption policy"
            yield f'{same}, got {policy_name(preempts=own.preempts)} ("{key}") and {self._policy}'
        if parent.terms.policy.is_gang and not own.policy.is_gang:
            yield f'gang parent "{self._key(parent)}" cannot have basic child "{key}"'
        if parent.terms.disruption is DisruptionMode.ALL and own.disruption is DisruptionMode.SINGLE:
            parents = f'parent "{self._key(parent)}" with All disruption mode'
            yield f'{parents} cannot have child "{key}" with Single disruption mode'

    def _pod(self, pod: Pod) -> Iterator[str]:
        first, same = self._first, "all pods in a pod group hierarchy should have the same"
        if pod.scheduler_name != first.scheduler_name:
            both = f'"{pod.scheduler_name}" ("{pod.name}") and "{first.scheduler_name}" ("{first.name}")'
            yield f"{same} .spec.schedulerName set, got: {both}"
        if pod.priority != self._priority:
            both = f'{pod.priority} ("{pod.name}") and {self._priority} ("{self._key(self._root)}")'
            yield f"{same} priority as the root pod group's priority, got {both}"
        if policy_name(preempts=pod.preempts) != self._policy:
            own = policy_name(preempts=pod.preempts)
            yield f'{same} preemption policy, got {own} ("{pod.name}") and {self._policy}'


def policy_name(*, preempts: bool) -> str:
    """The ``preemptionPolicy`` of a pod or group."""
    return "PreemptLowerPriority" if preempts else "Never"
