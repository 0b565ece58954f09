"""Which nodes a spread constraint counts, and why it leaves out the others.

Upstream: ``pkg/scheduler/framework/plugins/podtopologyspread/{common,filtering}.go`` v1.34.1.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from clusters.engine.columns.nodes import LabelColumn
    from clusters.engine.plugin import Context
    from clusters.engine.spreading.constraints import SpreadConstraint
    from clusters.engine.status import Ints, Mask


class Exclusion(enum.StrEnum):
    """Why a node does not count, in the order in which the scheduler looks."""

    LABEL = "label"
    AFFINITY = "affinity"
    TAINTS = "taints"


@dataclass(frozen=True, slots=True, eq=False)
class Eligibility:
    """The domains of a constraint: V values of its key, N nodes.

    ``mask`` (N,) nodes that count; ``nodes`` (V,) how many have the value and ``eligible`` (V,) how many of them count;
    ``excluded`` (V,) how many do not, by reason. ``without_key``: nodes that lack the key and so are in no domain.
    """

    column: LabelColumn
    mask: Mask
    nodes: Ints
    eligible: Ints
    excluded: dict[Exclusion, Ints]
    without_key: int

    @classmethod
    def of(cls, context: Context, constraint: SpreadConstraint, labelled: Mask) -> Eligibility:
        """``labelled`` (N,): nodes that carry every key that they must carry to count."""
        column = context.snapshot.nodes.label(constraint.topology_key)
        nobody = np.zeros(len(labelled), np.bool_)
        reasons = {
            Exclusion.LABEL: ~labelled,
            Exclusion.AFFINITY: ~context.node_affinity if constraint.honours_affinity else nobody,
            Exclusion.TAINTS: ~context.tolerated if constraint.honours_taints else nobody,
        }
        left = column.present
        nodes = _by_value(column, left)
        excluded = {}
        for reason, mask in reasons.items():
            excluded[reason] = _by_value(column, left & mask)
            left = left & ~mask
        return cls(column, left, nodes, _by_value(column, left), excluded, len(labelled) - int(nodes.sum()))

    @property
    def exists(self) -> Mask:
        """Shape (V,): domains that count, as one of their nodes does."""
        return self.eligible > 0

    def why_not(self, number: int) -> dict[Exclusion, int]:
        """How many nodes of a domain are left out, by reason; empty when all count."""
        return {reason: int(nodes[number]) for reason, nodes in self.excluded.items() if nodes[number]}


def _by_value(column: LabelColumn, mask: Mask) -> Ints:
    return np.bincount(column.codes[mask], minlength=len(column.values)).astype(np.int64)
