"""The devices of one pool as rows of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.engine.devices import DeviceState, exact
from clusters.wording.devices import page as words
from clusters.wording.devices import states
from dashboard.presenters.devices.page import counter_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from clusters.engine.devices import Device, PooledDevice, ResourceClaimState

_BADGES: Final = {
    DeviceState.FREE: "good",
    DeviceState.HELD: "info",
    DeviceState.SHARED: "info",
    DeviceState.TAINTED: "bad",
    DeviceState.COUNTERS_USED: "warn",
}
MOST_PODS: Final = 3


@dataclass(frozen=True, slots=True)
class DeviceRow:
    """One device: the claim that holds it and the first of its pods, and what the driver says of it alone."""

    name: str
    state: str
    badge: str
    namespace: str
    claim: str
    pods: tuple[str, ...]
    more_pods: str
    taints: tuple[str, ...]
    short: str
    shares: tuple[str, ...]
    attributes: tuple[tuple[str, str], ...]


def shared_attributes(devices: Sequence[PooledDevice]) -> tuple[tuple[str, str], ...]:
    """What the driver says of all devices of a pool alike; nothing where there is one device."""
    if len(devices) < 2:
        return ()
    first, *others = devices
    known = set(_attributes(first.device))
    for each in others:
        known.intersection_update(_attributes(each.device))
    return tuple(sorted(known))


def _attributes(device: Device) -> list[tuple[str, str]]:
    """The attributes and capacities of a device by name."""
    amounts = {name: counter_text(exact(amount)) for name, amount in device.capacity.items()}
    known = {name: str(value) for name, value in device.attributes.items()}
    return sorted({**known, **amounts}.items())


def _shares(each: PooledDevice) -> Iterator[str]:
    """Who shares a device, and how much of each capacity is consumed."""
    if each.sharing:
        yield words.sharing(each.sharing)
        for amount in each.consumed:
            yield words.CONSUMED(
                consumed=counter_text(amount.consumed), total=counter_text(amount.total), name=amount.name
            )


def device_row(
    each: PooledDevice, claims: Mapping[str, ResourceClaimState], shared: Collection[tuple[str, str]]
) -> DeviceRow:
    """Present a device; ``shared`` is what is said of all of its pool."""
    holder = claims.get(each.claim)
    pods = holder.pods if holder else ()
    device = each.device
    return DeviceRow(
        name=device.name,
        state=str(states.DEVICE[each.state]),
        badge=_BADGES[each.state],
        namespace=holder.namespace if holder else "",
        claim=holder.name if holder else "",
        pods=pods[:MOST_PODS],
        more_pods=states.more_pods(len(pods) - MOST_PODS) if len(pods) > MOST_PODS else "",
        taints=tuple(map(str, device.taints)),
        short=words.LACKS_COUNTER(
            requested=counter_text(each.short.requested),
            name=each.short.name,
            available=counter_text(each.short.available),
        )
        if each.short
        else "",
        shares=tuple(_shares(each)),
        attributes=tuple(attribute for attribute in _attributes(device) if attribute not in shared),
    )
