"""What a budget's status ought to say.

Upstream: ``trySync`` and what it calls in ``pkg/controller/disruption/disruption.go``, and
``GetScaledValueFromIntOrPercent`` of ``k8s.io/apimachinery/pkg/util/intstr``, v1.34.1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clusters.engine.disruption.budget import DisruptionBudget
    from clusters.engine.disruption.scale import ControllerScale

_PERCENTAGE = re.compile(r"[+-]?[0-9]+%")


@dataclass(frozen=True, slots=True)
class Computed:
    """The status from the objects themselves; ``expected``, ``desired`` and ``allowed`` are None where not known.

    ``failure``: what keeps the disruption controller from computing; it then allows nothing and leaves the rest of the
    status as it was. ``unknown``: what it would look at and the snapshot does not hold.
    """

    healthy: int
    expected: int | None = None
    desired: int | None = None
    allowed: int | None = None
    failure: str = ""
    unknown: str = ""


class PercentageError(ValueError):
    """A number of pods that is neither a count nor a percentage."""


def scaled(amount: int | str, total: int) -> int:
    """A count as it is, a percentage of ``total`` rounded up. Raises PercentageError."""
    if isinstance(amount, int):
        return amount
    if not amount.endswith("%"):
        raise PercentageError("invalid value for IntOrString: invalid type: string is not a percentage")
    if not _PERCENTAGE.fullmatch(amount):
        raise PercentageError(f'invalid value for IntOrString: invalid value "{amount[:-1]}"')
    return -(-int(amount[:-1]) * total // 100)


def desired_of(budget: DisruptionBudget, expected: int) -> int:
    """How many healthy pods a budget requires of ``expected``. Raises PercentageError."""
    if budget.max_unavailable is not None:
        return max(0, expected - scaled(budget.max_unavailable, expected))
    return 0 if budget.min_available is None else scaled(budget.min_available, expected)


def compute(budget: DisruptionBudget, pods: int, healthy: int, scale: ControllerScale) -> Computed:
    """The status of a budget that selects ``pods``, of which ``healthy`` are; ``scale`` is their controllers'."""
    if budget.problem:
        return Computed(healthy, allowed=0, failure=budget.problem)
    if budget.max_unavailable is None and not isinstance(budget.min_available, str):
        expected = 0 if budget.min_available is None else pods
    elif scale.replicas is not None:
        expected = scale.replicas
    else:
        return Computed(healthy, allowed=0 if scale.failure else None, failure=scale.failure, unknown=scale.unknown)
    try:
        desired = desired_of(budget, expected)
    except PercentageError as error:
        return Computed(healthy, allowed=0, failure=str(error))
    allowed = max(0, healthy - desired) if expected > 0 else 0
    return Computed(healthy, expected, desired, allowed)
