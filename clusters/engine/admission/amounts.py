"""Amounts of a whole pod, and two amounts compared, as admission needs them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.engine.resources.quantity import MAX_INT64, canonical_text, milli_value, parsed, value
from clusters.engine.resources.requests import pod_amounts

if TYPE_CHECKING:
    from collections.abc import Mapping

_MOST_MILLI: Final = MAX_INT64 // 1000


def summed(spec: Mapping[str, Any], role: str) -> dict[str, int]:
    """Return what all containers together have as ``requests`` or ``limits``: milli-CPU, else whole units."""
    own = {key: spec[key] for key in ("containers", "initContainers") if spec.get(key)}
    as_requests = {
        kind: [
            {**container, "resources": {"requests": (container.get("resources") or {}).get(role)}}
            for container in containers
        ]
        for kind, containers in own.items()
    }
    return pod_amounts({"spec": as_requests}, use_status=False)


def quantity_text(name: str, amount: int) -> str:
    """Write an amount in base units as a quantity."""
    if name != "cpu":
        return str(amount)
    return f"{amount}m" if amount % 1000 else str(amount // 1000)


def comparable(one: Any, other: Any) -> tuple[int, int]:
    """Return both in thousandths, or whole where thousandths would not fit. Raises QuantityError."""
    whole = value(one), value(other)
    return (milli_value(one), milli_value(other)) if max(whole) <= _MOST_MILLI else whole


def canonical(given: Any) -> str:
    """Write a quantity as the API server does in its messages. Raises QuantityError."""
    quantity = parsed(given)
    return canonical_text(quantity.nano_units, quantity.format)
