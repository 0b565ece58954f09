"""The claim that the scheduler itself makes for the extended resources of a pod: on each node another one."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.columns.distinct import distinguish
from clusters.engine.devices.extended_resources import (
    claim_made_for,
    classes_by_resource,
    is_held_by,
    is_served_by_devices,
    served_resources,
    special_claim,
    unserved,
    without_plugin,
)
from clusters.engine.devices.pod_claims import PodClaim
from clusters.engine.objects import key_of
from clusters.engine.plugins.dynamic_resources.evidence import ExtendedResourceComparison, LeftBehindClaimComparison

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.devices.extended_resources import ServedResource
    from clusters.engine.devices.requests import Claim
    from clusters.engine.evidence import Comparison
    from clusters.engine.objects import Document, Pod
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index, Mask


class SpecialClaim:
    """What nodes have to give a pod as devices, of the extended resources that it requests.

    ``left_behind``: the claim of an earlier try to bind the pod, which has to go before the pod is scheduled.
    """

    def __init__(
        self, snapshot: Snapshot, pod: Pod, served: tuple[ServedResource, ...], left_behind: Document | None
    ) -> None:
        self._snapshot = snapshot
        self._pod = pod
        self.served = served
        self.left_behind = left_behind

    @cached_property
    def unserved(self) -> Mask:
        """Shape (N,): nodes that have one of the extended resources neither by a device plugin nor as devices."""
        return unserved(self._snapshot, self._pod)

    @cached_property
    def _given_as_devices(self) -> tuple[Mask, ...]:
        """For each resource the nodes, shape (N,), that have no device plugin for it."""
        return tuple(without_plugin(self._snapshot, each.resource) for each in self.served)

    @cached_property
    def whole(self) -> Claim:
        """What is requested of a node without any device plugin for the resources."""
        return special_claim(self._snapshot, self._pod, self.served)

    def variants(self, lifted: frozenset[str]) -> tuple[Index, tuple[Claim | None, ...]]:
        """The distinct claims, None for nothing to allocate, and which of them each node is asked for, shape (N,).

        ``lifted``: resources that are left out.
        """
        given = tuple(
            (each, mask)
            for each, mask in zip(self.served, self._given_as_devices, strict=True)
            if each.resource not in lifted
        )
        numbers, count = distinguish([(mask, 2) for _, mask in given], len(self._snapshot.nodes))
        example = np.zeros(count, np.intp)
        example[numbers] = np.arange(len(numbers))
        return numbers, tuple(self._claim([each for each, mask in given if mask[row]]) for row in example.tolist())

    def on(self, row: int) -> Claim | None:
        """What is requested of one node; None: nothing."""
        served = zip(self.served, self._given_as_devices, strict=True)
        return self._claim([each for each, mask in served if mask[row]])

    def _claim(self, served: list[ServedResource]) -> Claim | None:
        return special_claim(self._snapshot, self._pod, served) if served else None

    def evidence(self, row: int) -> Iterator[Comparison]:
        """How the node has each extended resource; a claim that is left behind comes first."""
        if self.left_behind is not None:
            yield LeftBehindClaimComparison(key_of(self.left_behind))
        classes = classes_by_resource(self._snapshot)
        allocatable = self._snapshot.nodes.nodes[row].allocatable
        given = {each.resource: mask for each, mask in zip(self.served, self._given_as_devices, strict=True)}
        for resource, amount in sorted(self._pod.requests.items()):
            if amount and is_served_by_devices(self._snapshot, resource):
                is_given = resource in given and bool(given[resource][row])
                device_class = classes[resource] if is_given else ""
                yield ExtendedResourceComparison(
                    resource, amount, device_class, is_offered=not is_given and resource in allocatable
                )


def special_claim_of(snapshot: Snapshot, pod: Pod) -> SpecialClaim | PodClaim | None:
    """What stands for a pod's extended resources; a claim that the pod has is like any other of its claims."""
    served = served_resources(snapshot, pod)
    if not served:
        return None
    made = claim_made_for(snapshot, pod)
    if made is not None and is_held_by(made, pod):
        return PodClaim(made)
    return SpecialClaim(snapshot, pod, served, made)
