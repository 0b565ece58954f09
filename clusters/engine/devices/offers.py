"""A device that a search looks at, and the devices of one claim that must agree on an attribute."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from clusters.engine.devices.inventory import Attribute, Device, DeviceId, DeviceSlice, Reach
    from clusters.engine.devices.pools import Pool
    from clusters.engine.devices.requests import DeviceRequest, DistinctAttribute, MatchAttribute


class OfferedDevice(NamedTuple):
    """A device, and the slice and the pool that it is of."""

    device: Device
    slice: DeviceSlice
    pool: Pool

    @property
    def id(self) -> DeviceId:
        return self.slice.id_of(self.device)

    @property
    def reach(self) -> Reach:
        """From which nodes the device can be used: its own, or its slice's."""
        return self.device.reach if self.slice.has_reach_by_device else self.slice.reach


class MatchingDevices:
    """Devices that must agree on the value of an attribute, added and removed as the search goes."""

    def __init__(self, rule: MatchAttribute) -> None:
        self.rule = rule
        self._attribute: Attribute | None = None
        self._count = 0

    def add(self, request: DeviceRequest, candidate: OfferedDevice) -> bool:
        """Count a device in, if it agrees with those before it."""
        if not self.rule.concerns(request):
            return True
        attribute = attribute_of(candidate.slice.driver, candidate.device, self.rule.attribute)
        if attribute is None or (self._count and attribute != self._attribute):
            return False
        if not self._count:
            self._attribute = attribute
        self._count += 1
        return True

    def remove(self, request: DeviceRequest) -> None:
        """Count a device out that was counted in."""
        self._count -= self.rule.concerns(request)


class DistinctDevices:
    """Devices that must differ in an attribute, added and removed as the search goes.

    Until 1.36 (``of_every_device`` is False) the last device of each request alone is compared, and until 1.34
    (``by_value`` is False) no device has what another one has, whatever the values are.
    """

    def __init__(self, rule: DistinctAttribute, *, of_every_device: bool, by_value: bool) -> None:
        self.rule = rule
        self._by_value = by_value
        self._of_every_device = of_every_device
        self._by_request: dict[str, Attribute] = {}
        self._count = 0
        self._all: list[Attribute] = []

    def add(self, request: DeviceRequest, candidate: OfferedDevice) -> bool:
        """Count a device in, if it differs from those before it."""
        if not self.rule.concerns(request):
            return True
        attribute = attribute_of(candidate.slice.driver, candidate.device, self.rule.attribute)
        if attribute is None:
            return False
        before = self._all if self._of_every_device else self._by_request.values() if self._count else ()
        if any(attribute is each or (self._by_value and attribute == each) for each in before):
            return False
        self._all.append(attribute)
        self._by_request[request.parent or request.name] = attribute
        self._count += 1
        return True

    def remove(self, request: DeviceRequest) -> None:
        """Count a device out that was counted in."""
        if self.rule.concerns(request):
            self._all.pop()
            self._by_request.pop(request.parent or request.name, None)
            self._count -= 1


def attribute_of(driver: str, device: Device, name: str) -> Attribute | None:
    """A device's attribute by its full name; the driver's own may be written without its domain."""
    attributes = device.attributes
    if name in attributes:
        return attributes[name]
    domain, slash, own = name.partition("/")
    return attributes.get(own) if slash and domain == driver else None
