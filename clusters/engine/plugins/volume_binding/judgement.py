"""What filtering by claims and volumes found for each node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.status import SUCCESS, Code, FilterAnswer, Index, Mask, Status, unresolvable
from clusters.engine.volumes.claims import requested_bytes, selected_node

if TYPE_CHECKING:
    from clusters.engine.objects import Document
    from clusters.engine.volumes.claim_matching import Match

NODE_CONFLICT = "node(s) didn't match PersistentVolume's node affinity"
BIND_CONFLICT = "node(s) didn't find available persistent volumes to bind"
NO_SPACE = "node(s) did not have enough free storage"
VOLUME_MISSING = "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"

# Reasons in the order in which upstream reports them together.
_REASONS = (NODE_CONFLICT, BIND_CONFLICT, NO_SPACE, VOLUME_MISSING)


@dataclass(frozen=True, slots=True)
class UsableClaim:
    """A claim of the pod: bound, or waiting for its first consumer (then with its storage class)."""

    document: Document
    waits_for: Document | None = None

    @property
    def size(self) -> int:
        return requested_bytes(self.document) or 0

    @property
    def is_fixed(self) -> bool:
        """Whether it needs no other volume: what a bound one holds would be lost, or one is being provisioned."""
        return self.waits_for is None or selected_node(self.document) is not None


class VolumeJudgement:
    """What filtering found for each node; all masks have shape (N,).

    ``running`` are the nodes on which reading went without an error; ``chosen`` holds by claim number which volume the
    claim would take on each node.
    """

    def __init__(self, nodes: int) -> None:
        self.running = np.ones(nodes, np.bool_)
        self.chosen: dict[int, Match] = {}
        self._rejected = {reason: np.zeros(nodes, np.bool_) for reason in _REASONS}
        self._errors: list[tuple[Mask, str]] = []

    def reject(self, where: Mask, reason: str) -> None:
        self._rejected[reason] |= where

    def fail(self, where: Mask, error: str) -> None:
        self._errors.append((where, error))
        self.running &= ~where

    def outcome(self) -> FilterAnswer:
        """Each node's reasons together; an error stands alone."""
        masks = tuple(self._rejected.values())
        index: Index = np.zeros(len(self.running), np.intp)
        for bit, mask in enumerate(masks):
            index |= mask.astype(np.intp) << bit
        statuses = [
            unresolvable(*(reason for bit, reason in enumerate(_REASONS) if code >> bit & 1)) if code else SUCCESS
            for code in range(1 << len(masks))
        ]
        for where, error in self._errors:
            index[where] = len(statuses)
            statuses.append(Status(Code.ERROR, (error,)))
        return FilterAnswer.by_table(statuses, index)
