"""What VolumeBinding compared for each claim of the pod on a node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.evidence import Comparison

if TYPE_CHECKING:
    from clusters.engine.evidence import NodeTerm


@dataclass(frozen=True, slots=True)
class BoundClaimComparison(Comparison):
    """A bound claim: whether its volume exists, and the node affinity of the volume.

    One of ``terms`` must match the node; None is a volume that every node reaches.
    """

    kind = "bound-claim"

    claim: str
    volume: str
    exists: bool
    terms: tuple[NodeTerm, ...] | None

    @property
    def holds(self) -> bool:
        return self.exists and (self.terms is None or any(term.matches for term in self.terms))


@dataclass(frozen=True, slots=True)
class SelectedNodeComparison(Comparison):
    """A claim whose volume is being provisioned for another node than this one."""

    kind = "selected-node"

    claim: str
    requested_bytes: int
    selected_node: str
    node: str

    @property
    def holds(self) -> bool:
        return self.selected_node == self.node


@dataclass(frozen=True, slots=True)
class VolumeMatch(Comparison):
    """A claim that waits for the pod and would be bound to an existing volume, which the node reaches."""

    kind = "volume-match"

    claim: str
    requested_bytes: int
    volume: str
    capacity_bytes: int

    @property
    def holds(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class ProvisioningComparison(Comparison):
    """A claim that waits for the pod and for which a volume would have to be provisioned.

    ``provisions`` says whether the storage class provisions volumes at all. One of ``topologies`` must match the node;
    there are none where the class allows all. ``largest_bytes`` is the largest volume that the node can have, None
    where the driver does not tell; ``has_capacity`` says whether that is enough.
    """

    kind = "provisioning"

    claim: str
    requested_bytes: int
    storage_class: str
    provisioner: str
    provisions: bool
    topologies: tuple[NodeTerm, ...]
    largest_bytes: int | None
    has_capacity: bool

    @property
    def is_allowed(self) -> bool:
        """Whether the class allows the node."""
        return not self.topologies or any(term.matches for term in self.topologies)

    @property
    def holds(self) -> bool:
        return self.provisions and self.is_allowed and self.has_capacity
