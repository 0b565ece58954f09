"""What was used at one moment: by each container of each pod, and by each node.

As ``PodMetrics`` and ``NodeMetrics`` have it (``metrics.k8s.io/v1beta1`` of ``k8s.io/metrics`` v0.34.1): CPU is
averaged over a window, memory is the working set.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

# The container's name of a pod of which only the sum is known.
WHOLE_POD = ""


class UsedAmounts(NamedTuple):
    """Milli-CPU and bytes of memory; milli-CPU are rounded up."""

    cpu_milli: int = 0
    memory_bytes: int = 0

    def plus(self, other: UsedAmounts) -> UsedAmounts:
        """Add two amounts."""
        return UsedAmounts(self.cpu_milli + other.cpu_milli, self.memory_bytes + other.memory_bytes)


@dataclass(frozen=True, slots=True)
class PodUsage:
    """What the containers of a pod use, by name; all together under ``WHOLE_POD`` where nothing tells them apart."""

    namespace: str
    name: str
    containers: Mapping[str, UsedAmounts]

    @property
    def key(self) -> str:
        """``namespace/name``."""
        return f"{self.namespace}/{self.name}"

    @property
    def total(self) -> UsedAmounts:
        """What all containers use together."""
        total = UsedAmounts()
        for used in self.containers.values():
            total = total.plus(used)
        return total
