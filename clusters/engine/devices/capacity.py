"""How much of a device's capacity a request consumes, and whether that is left, where claims share devices.

Upstream: ``consumable_capacity.go`` of ``structured/internal/experimental`` of ``k8s.io/dynamic-resource-allocation``
v0.34.1 and v0.35.4, and of ``structured/internal/incubating`` v0.36.3 and v0.37.2. Steps are counted in int64: until
1.36 what does not fit wraps around, so that a request may consume less than nothing; later that is an error.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.engine.resources.quantity import MAX_INT64, canonical_text, parsed, wrapped

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.devices.inventory import Device
    from clusters.engine.devices.requests import DeviceRequest
    from clusters.engine.resources.quantity import Quantity
    from clusters.engine.versions.device_rules import DeviceRules

Amounts = tuple[tuple[str, Fraction], ...]
_MILLI: Final = 1000
_UNCOUNTABLE: Final = "capacity request cannot be represented in the device's range arithmetic"
_NEGATIVE: Final = "capacity value is negative"
NOTHING_CONSUMED: Final[Mapping[str, Fraction]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class RequestPolicy:
    """What requests of one capacity may consume: one of ``values``, or what a range admits, by default ``default``.

    ``wholes``: the default, minimum and step in whole units, as int64; with a step of 0 there kube-scheduler crashes.
    """

    default: Fraction | None = None
    values: tuple[Fraction, ...] = ()
    minimum: Fraction | None = None
    maximum: Fraction | None = None
    step: Fraction | None = None
    wholes: tuple[int, int, int] = (0, 0, 0)

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any]) -> RequestPolicy:
        """Read a ``requestPolicy``. Raises QuantityError."""
        limits = fields.get("validRange") or {}
        return cls(
            _amount(fields.get("default")),
            tuple(exact(parsed(each)) for each in fields.get("validValues") or ()),
            _amount(limits.get("min")),
            _amount(limits.get("max")),
            _amount(limits.get("step")),
            (whole(fields.get("default")), whole(limits.get("min")), whole(limits.get("step"))),
        )

    def rounded(self, requested: Fraction, in_units: int, *, in_thousandths: bool = False) -> Fraction:
        """The next amount that the policy admits; the request itself where that is too much.

        ``in_units``: the request in whole units, as int64.
        """
        if self.minimum is not None:
            if requested < self.minimum:
                return self.minimum
            if self.step is None or not self.wholes[2]:
                return requested
            if self._scale(in_thousandths=in_thousandths) == 1:
                _, least, step = self.wholes
                return Fraction(wrapped(least + step * _steps(wrapped(in_units - least), step)))
            least, step = ceil(self.minimum * _MILLI), ceil(self.step * _MILLI)
            return Fraction(least + step * _steps(ceil(requested * _MILLI) - least, step), _MILLI)
        return next((value for value in self.values if requested <= value), requested)

    def uncountable(self, requested: Fraction, text: str, *, in_thousandths: bool) -> str:
        """Why an amount cannot be rounded to the policy's steps; empty where it can."""
        if self.minimum is None or requested < self.minimum or self.step is None or not self.wholes[2]:
            return ""
        scale = self._scale(in_thousandths=in_thousandths)
        in_units, limit = scale == 1, "MaxInt64" if scale == 1 else "the milli-value range"
        if in_units and requested > MAX_INT64:
            return f"request {text} exceeds {limit}"
        if not in_units and not is_in_thousandths(requested):
            return f"request {text} is not a representable milli value"
        _, least, step = self.wholes
        if not in_units:
            least, step = ceil(self.minimum * scale), ceil(self.step * scale)
        steps = -(-(ceil(requested * scale) - least) // step)
        if (least >= 0 or not in_units) and steps > (MAX_INT64 - least) // step:
            return f"rounding request {text} up to the next step passes {limit}"
        return ""

    def refuses(self, consumed: Fraction, capacity: int, *, in_thousandths: bool = False) -> bool:
        """Whether an amount is none that the policy admits; ``capacity``: the whole one in whole units, as int64."""
        if consumed == self.default:
            return False
        if self.minimum is not None or self.maximum is not None or self.step:
            if self.maximum is not None and consumed > self.maximum:
                return True
            if self.step is None or not self.wholes[2]:
                return False
            if self._scale(in_thousandths=in_thousandths) == 1:
                default, least, step = self.wholes
                units = ceil(consumed)
                if units != wrapped(units):
                    units = {self.default: default, self.minimum: least}.get(consumed, capacity)
                return wrapped(units - least) % step != 0
            if not is_in_thousandths(consumed):
                return True
            return ceil((consumed - (self.minimum or Fraction())) * _MILLI) % ceil(self.step * _MILLI) != 0
        return bool(self.values) and consumed not in self.values

    @property
    def is_fractional(self) -> bool:
        """Whether a limit of its range is no whole number."""
        return any(each is not None and each.denominator != 1 for each in (self.minimum, self.maximum, self.step))

    def _scale(self, *, in_thousandths: bool) -> int:
        """Into how many parts steps divide a unit: one where thousandths are not counted, or do not fit int64."""
        limits = (each for each in (self.minimum, self.maximum, self.step) if each is not None)
        return _MILLI if in_thousandths and all(is_in_thousandths(each) for each in limits) else 1


def is_in_thousandths(amount: Fraction) -> bool:
    """Whether an amount can be counted in thousandths, in int64."""
    return (amount * _MILLI).denominator == 1 and amount * _MILLI <= MAX_INT64


def exact(quantity: Quantity) -> Fraction:
    """A quantity without any rounding, as counters and capacities are compared."""
    return quantity.unscaled * Fraction(10) ** quantity.exponent


def quantity_text(amount: Fraction) -> str:
    """Write an amount as a quantity: of thousand-millionths where it is no whole number, which is as exact as any."""
    return str(amount.numerator) if amount.denominator == 1 else f"{ceil(amount * 10**9)}n"


def whole(quantity: Any) -> int:
    """A quantity in whole units, as int64; 0 for none."""
    return 0 if quantity is None else parsed(quantity).scaled(0)


def _steps(distance: int, step: int) -> int:
    """How many steps reach so far, as Go counts them: it divides towards zero, and adds one where a rest is left."""
    steps = abs(distance) // abs(step) * (1 if (distance < 0) is (step < 0) else -1)
    return steps + (distance != steps * step)


def _amount(quantity: Any) -> Fraction | None:
    return None if quantity is None else exact(parsed(quantity))


class CapacityFault(Exception):  # noqa: N818 - the fault of a request, not of a program
    """An amount of a capacity that the allocator refuses to count with; the message is the scheduler's."""


class CapacityLack(enum.Enum):
    """Why a device's capacity is not enough for a request."""

    ABSENT = enum.auto()
    """The device has no capacity of that name."""
    REFUSED = enum.auto()
    """Its policy does not admit the amount."""
    SHORT = enum.auto()
    """Less is left than the request would consume."""


class CapacityShortage(NamedTuple):
    """The capacity that a device lacks: what a request would consume of it, and what is left."""

    lack: CapacityLack
    name: str
    requested: Fraction
    available: Fraction = Fraction()


def consumed_amounts(device: Device, request: DeviceRequest, *, in_thousandths: bool) -> dict[str, Fraction]:
    """What a request consumes of each capacity of a device: of one that it does not name, the default or all.

    ``in_thousandths``: policies count in these where they name some, not in whole units.
    """
    wanted = {
        name: (amount, quantity) for (name, amount), quantity in zip(request.amounts, request.quantities, strict=True)
    }
    found: dict[str, Fraction] = {}
    for name, all_of_it in device.amounts.items():
        policy = device.policies.get(name)
        if name not in wanted:
            found[name] = all_of_it if policy is None or policy.default is None else policy.default
            continue
        amount, quantity = wanted[name]
        found[name] = (
            amount if policy is None else policy.rounded(amount, quantity.scaled(0), in_thousandths=in_thousandths)
        )
    return found


def _check(device: Device, request: DeviceRequest, *, in_thousandths: bool) -> None:
    """Refuse amounts that cannot be counted with, whatever else keeps the device out. Raises CapacityFault."""
    for (name, amount), quantity in zip(request.amounts, request.quantities, strict=True):
        policy = device.policies.get(name)
        text = canonical_text(quantity.nano_units, quantity.format)
        problem = "" if policy is None else policy.uncountable(amount, text, in_thousandths=in_thousandths)
        if problem:
            raise CapacityFault(f'capacity "{name}": {_UNCOUNTABLE}: {problem}')
    for name, amount in consumed_amounts(device, request, in_thousandths=in_thousandths).items():
        if amount < 0:
            raise CapacityFault(f'capacity "{name}": {_NEGATIVE}')


def capacity_shortage(
    device: Device, request: DeviceRequest, *used: Mapping[str, Fraction], rules: DeviceRules
) -> CapacityShortage | None:
    """The first capacity that keeps a device from a request beside what is used of it; None where there is none.

    Raises CapacityFault.
    """
    requested, in_thousandths = request.amounts, rules.counts_in_thousandths
    is_whole = not requested and not device.policies and not any(used)
    if is_whole and not (rules.refuses_uncountable and any(amount < 0 for amount in device.amounts.values())):
        # It would be consumed whole, which is what there is.
        return None
    for name, amount in requested:
        if name not in device.capacity:
            return CapacityShortage(CapacityLack.ABSENT, name, amount)
    if rules.refuses_uncountable:
        _check(device, request, in_thousandths=in_thousandths)
    for name, amount in consumed_amounts(device, request, in_thousandths=in_thousandths).items():
        policy = device.policies.get(name)
        if policy is not None and policy.refuses(
            amount, device.capacity[name].scaled(0), in_thousandths=in_thousandths
        ):
            return CapacityShortage(CapacityLack.REFUSED, name, amount, device.amounts[name])
        left = device.amounts[name] - sum(each.get(name, Fraction()) for each in used)
        if amount > left:
            return CapacityShortage(CapacityLack.SHORT, name, amount, left)
    return None
