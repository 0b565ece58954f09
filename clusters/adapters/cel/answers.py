"""What an expression has answered, by what it looked at: devices that are alike there need no second evaluation.

A cluster has thousands of devices, each with a serial number of its own, and expressions that ask for the model. An
answer depends on nothing but what was read on the way to it, and what is read next on nothing but what was read before:
answers form a tree, with a reading at each branch.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from clusters.engine.devices import Attribute, Device
    from clusters.engine.quantity import Quantity

# Branches of one tree; what comes beyond is evaluated each time.
_MOST = 50_000


class Part(enum.Enum):
    """What of a device is read."""

    DRIVER = enum.auto()
    ATTRIBUTE = enum.auto()
    CAPACITY = enum.auto()
    ALL_ATTRIBUTES = enum.auto()
    ALL_CAPACITY = enum.auto()
    IS_SHARED = enum.auto()


class Reading(NamedTuple):
    """One look at a device: a part of it, and of an attribute or capacity its domain and name."""

    part: Part
    domain: str = ""
    name: str = ""

    def of(self, driver: str, device: Device) -> Hashable:
        """What the device says there; None where it says nothing."""
        match self.part:
            case Part.DRIVER:
                return driver
            case Part.ATTRIBUTE:
                return attribute(driver, device, self.domain, self.name)
            case Part.CAPACITY:
                return capacity(driver, device, self.domain, self.name)
            case Part.ALL_ATTRIBUTES:
                return driver, frozenset(device.attributes.items())
            case Part.ALL_CAPACITY:
                return driver, frozenset(device.capacity.items())
            case Part.IS_SHARED:
                return device.is_shared


def attribute(driver: str, device: Device, domain: str, name: str) -> Attribute | None:
    """An attribute of a device; those without a domain are in the driver's."""
    found = device.attributes.get(f"{domain}/{name}")
    return device.attributes.get(name) if found is None and domain == driver else found


def capacity(driver: str, device: Device, domain: str, name: str) -> Quantity | None:
    """A capacity of a device; those without a domain are in the driver's."""
    found = device.capacity.get(f"{domain}/{name}")
    return device.capacity.get(name) if found is None and domain == driver else found


@dataclass(slots=True)
class _Branch:
    reading: Reading
    following: dict[Hashable, _Branch | Answer] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether a device is selected, or the error that says why that cannot be said."""

    selected: bool
    error: str = ""


class Answers:
    """The answers of one expression."""

    def __init__(self) -> None:
        self._root: _Branch | Answer | None = None
        self._count = 0

    def get(self, driver: str, device: Device) -> Answer | None:
        """The answer for a device like one that was seen before."""
        found = self._root
        while isinstance(found, _Branch):
            found = found.following.get(found.reading.of(driver, device))
        return found

    def keep(self, driver: str, device: Device, readings: Sequence[Reading], answer: Answer) -> None:
        """Remember an answer and what was read for it, in order and each once."""
        self._count += len(readings)
        if self._count > _MOST:
            return
        if not readings:
            self._root = answer
            return
        if self._root is None:
            self._root = _Branch(readings[0])
        branch = self._root
        for place, reading in enumerate(readings):
            if not isinstance(branch, _Branch) or branch.reading != reading:
                return
            value = reading.of(driver, device)
            if place == len(readings) - 1:
                branch.following[value] = answer
            else:
                branch = branch.following.setdefault(value, _Branch(readings[place + 1]))
