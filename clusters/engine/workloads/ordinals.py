"""Which ordinals of a StatefulSet are created and deleted next, and for which its controller waits.

Upstream: ``updateStatefulSet`` in ``pkg/controller/statefulset/stateful_set_control.go`` v1.34.1. With the policy
OrderedReady it does one thing at a time, and nothing while an ordinal before it is not Running and Ready; with Parallel
it waits for none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING

from clusters.engine.volumes.claims import spec_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from clusters.engine.objects import Document


@dataclass(frozen=True, slots=True)
class OrdinalStep:
    """What the controller does in one turn: ordinals it creates and deletes, in this order, or ``waits_for`` one."""

    created: tuple[int, ...] = ()
    deleted: tuple[int, ...] = ()
    waits_for: int | None = None


@dataclass(frozen=True, slots=True)
class Ordinals:
    """The ordinals of a StatefulSet: ``replicas`` of them from ``start`` on."""

    start: int
    replicas: int
    is_ordered: bool

    @classmethod
    def of(cls, document: Document) -> Ordinals:
        """Those of a StatefulSet's object; one without a spec has the defaults of the API."""
        spec = spec_of(document)
        replicas = spec.get("replicas")
        return cls(
            start=int((spec.get("ordinals") or {}).get("start") or 0),
            replicas=1 if replicas is None else int(replicas),
            is_ordered=(spec.get("podManagementPolicy") or "OrderedReady") == "OrderedReady",
        )

    def has(self, number: int) -> bool:
        """Whether an ordinal is among the replicas."""
        return self.start <= number < self.start + self.replicas

    def free(self, taken: Collection[int]) -> Iterator[int]:
        """The ordinals that further pods get: missing ones first, without end."""
        return (number for number in count(self.start) if number not in taken)

    def scaled(self, replicas: int) -> Ordinals:
        """The same set with another number of replicas."""
        return replace(self, replicas=max(0, replicas))

    def step(self, ready: Mapping[int, bool]) -> OrdinalStep:
        """The controller's next turn while these ordinals exist, each Running and Ready or not."""
        wanted = range(self.start, self.start + self.replicas)
        condemned = sorted((number for number in ready if number not in wanted), reverse=True)
        if not self.is_ordered:
            return OrdinalStep(tuple(number for number in wanted if number not in ready), tuple(condemned))
        for number in wanted:
            if number not in ready:
                return OrdinalStep(created=(number,))
            if not ready[number]:
                return OrdinalStep(waits_for=number)
        # All that stay are ready: of those that go the lowest that is not ready may be deleted in its turn.
        unready = next((number for number in reversed(condemned) if not ready[number]), None)
        if condemned and not ready[condemned[0]] and condemned[0] != unready:
            return OrdinalStep(waits_for=unready)
        return OrdinalStep(deleted=tuple(condemned[:1]))
