"""VolumeZone: a node with zone or region labels must carry those of the volumes that the pod's claims are bound to.

Upstream: ``pkg/scheduler/framework/plugins/volumezone`` v1.34.1.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from clusters.engine.evidence import ClaimSubject, Comparison, UnreadableVolumes
from clusters.engine.objects import Document, labels_of, name_of
from clusters.engine.plugin import (
    NOTHING_LIFTED,
    PROCEED,
    SKIP_FILTER,
    ClusterEvent,
    Constraint,
    Plugin,
    PreFilter,
    Reads,
)
from clusters.engine.status import PASS, FilterAnswer, Mask, Reason, unresolvable
from clusters.engine.volumes import (
    BETA_REGION,
    BETA_ZONE,
    REGION,
    WAIT_FOR_FIRST_CONSUMER,
    ZONE,
    ClaimProblem,
    StorageError,
    claim_uses,
    class_of,
    volume_name_of,
)

if TYPE_CHECKING:
    from clusters.engine.world import World


class OtherZone(Reason, frozen=True):
    """A volume of the pod is in another zone."""

    kind = "other-zone"
    plugin = "VolumeZone"
    text = "node(s) had no available volume zone"


_TODAY = {BETA_ZONE: ZONE, BETA_REGION: REGION, ZONE: ZONE, REGION: REGION}
_SEVERAL_VALUES = "__"
_KEYS = (BETA_ZONE, BETA_REGION, ZONE, REGION)


class _Demand(Struct, frozen=True):
    """A zone or region label of a bound volume: a node must have one of its values."""

    claim: str
    volume: str
    key: str
    values: frozenset[str]


class ZoneComparison(Comparison, frozen=True):
    """A zone or region label of a claim's volume, and what the node has of it.

    ``node_value`` is None where the node lacks the label, today's key standing in for an old one. A node that is not
    ``zoned``, one without any zone or region label, takes every volume.
    """

    kind = "volume-zone"

    claim: str
    volume: str
    key: str
    values: tuple[str, ...]
    node_value: str | None
    zoned: bool

    @property
    def holds(self) -> bool:
        return not self.zoned or self.node_value in self.values


class VolumeZone(Plugin):
    """Each claim with a zoned volume is one requirement."""

    name = "VolumeZone"
    reads = Reads.NODES | Reads.VOLUMES
    requeue_on = (
        ClusterEvent.CLAIM_ADD,
        ClusterEvent.CLAIM_UPDATE,
        ClusterEvent.VOLUME_ADD,
        ClusterEvent.VOLUME_UPDATE,
        ClusterEvent.STORAGE_CLASS_ADD,
        ClusterEvent.NODE_ADD,
        ClusterEvent.NODE_LABEL,
    )
    colour = "lilac"
    skips_for_good = True

    def pre_filter(self) -> PreFilter:
        if self._problem is not None:
            return PreFilter(self._problem.status)
        return PROCEED if self._demands else SKIP_FILTER

    def filter(self, world: World | None = None, lifted: frozenset[int] = NOTHING_LIFTED) -> FilterAnswer:
        if self._problem is not None:
            # Only in a profile without this PreFilter, which would have ended the cycle.
            return PASS if lifted else FilterAnswer.everywhere(self._problem.status, len(self.snapshot.nodes))
        claims = {claim for number, claim in enumerate(self._claims) if number not in lifted}
        missed = [~self._met(demand) for demand in self._demands if demand.claim in claims]
        if not missed:
            return PASS
        return FilterAnswer.first_of((self._zoned & np.logical_or.reduce(missed), unresolvable(OtherZone())))

    def constraints(self) -> tuple[Constraint, ...]:
        if self._problem is not None:
            return super().constraints()
        return tuple(Constraint(self.name, ClaimSubject(claim), is_fixed=True) for claim in self._claims)

    def evidence(self, row: int, world: World | None = None) -> tuple[Comparison, ...]:
        if self._problem is not None:
            return (UnreadableVolumes(self.pod.key, self._problem.status.texts),)
        labels = self.snapshot.nodes.nodes[row].labels
        return tuple(
            ZoneComparison(
                claim=demand.claim,
                volume=demand.volume,
                key=demand.key,
                values=tuple(sorted(demand.values)),
                node_value=labels.get(demand.key, labels.get(_TODAY[demand.key])),
                zoned=bool(self._zoned[row]),
            )
            for demand in self._demands
        )

    @cached_property
    def _problem(self) -> StorageError | None:
        """Why the pod's claims cannot be read; None when they can."""
        try:
            self._demands  # noqa: B018 - only whether they can be read
        except StorageError as error:
            return error
        return None

    @cached_property
    def _claims(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(demand.claim for demand in self._demands))

    @cached_property
    def _zoned(self) -> Mask:
        """Shape (N,): nodes with any zone or region label; the others take every volume."""
        zoned: Mask = np.logical_or.reduce([self.snapshot.nodes.label(key).present for key in _KEYS])
        return zoned

    def _met(self, demand: _Demand) -> Mask:
        """Shape (N,): nodes that have one of the values; today's key stands in for an old one that is missing."""
        column = self.snapshot.nodes.label(demand.key)
        met = _holds_one(column.values, demand.values)[column.codes]
        today = self.snapshot.nodes.label(_TODAY[demand.key])
        return np.where(column.present, met, _holds_one(today.values, demand.values)[today.codes])

    @cached_property
    def _demands(self) -> tuple[_Demand, ...]:
        """Raises StorageError at the first claim that cannot be read."""
        demands: list[_Demand] = []
        for use in claim_uses(self.pod.volumes, self.pod.name):
            if use.ephemeral:
                continue
            volume = self._bound_volume(use.claim)
            if volume is not None:
                labels, found = labels_of(volume), []
                for key in _KEYS:
                    values = (
                        frozenset(value.strip() for value in labels[key].split(_SEVERAL_VALUES))
                        if key in labels
                        else ()
                    )
                    if values and "" not in values:
                        found.append(_Demand(use.claim, name_of(volume), key, frozenset(values)))
                demands.extend(found)
        return tuple(demands)

    def _bound_volume(self, name: str) -> Document | None:
        """The volume of a claim, None for one that waits for its first consumer."""
        if not name:
            raise ClaimProblem.UNNAMED.error()
        claim = self.snapshot.object("PersistentVolumeClaim", name, self.pod.namespace)
        if claim is None:
            raise ClaimProblem.NOT_FOUND.error(name)
        volume_name = volume_name_of(claim)
        if not volume_name:
            self._expect_waiting(class_of(claim))
            return None
        volume = self.snapshot.object("PersistentVolume", volume_name)
        if volume is None:
            raise ClaimProblem.VOLUME_NOT_FOUND.error(volume_name)
        return volume

    def _expect_waiting(self, class_name: str) -> None:
        """Reject an unbound claim unless its class waits for the first consumer."""
        if not class_name:
            raise ClaimProblem.CLASS_UNNAMED.error()
        storage_class = self.snapshot.object("StorageClass", class_name)
        if storage_class is None:
            raise ClaimProblem.CLASS_NOT_FOUND.error(class_name)
        mode = storage_class.get("volumeBindingMode")
        if mode is None:
            raise ClaimProblem.CLASS_WITHOUT_MODE.error(class_name)
        if mode != WAIT_FOR_FIRST_CONSUMER:
            raise ClaimProblem.VOLUME_UNNAMED.error()


def _holds_one(values: tuple[str, ...], wanted: frozenset[str]) -> Mask:
    """Shape (V + 1,): which of a label's values are wanted; the last entry stands for a missing label."""
    return np.array([*(value in wanted for value in values), False], np.bool_)
