"""What the page of devices says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.engine.devices import DeviceState
from clusters.wording.amounts import grouped
from clusters.wording.devices.states import counted_state
from clusters.wording.lists import listed, side_by_side
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Tiles.
DEVICES: Final = pgettext_lazy("number of devices", "Devices")

# Filters of the pools.
SEARCH_HINT: Final = gettext_lazy("Part of a pool's or device's name")
DRIVER: Final = pgettext_lazy("label of a filter", "Driver")
WITH_FREE: Final = pgettext_lazy("filter of pools", "Free devices")
WITHOUT_FREE: Final = pgettext_lazy("filter of pools", "No free device")
WITH_TAINTS: Final = pgettext_lazy("filter of pools", "Tainted devices")
WITH_COUNTERS: Final = pgettext_lazy("filter of pools", "Shared counters")
UNUSUAL: Final = pgettext_lazy("filter of pools", "Incomplete or invalid")

CLASS_UNKNOWN: Final = gettext_lazy("Not known: an expression of the class is not supported.")

_WITHOUT: Final = {
    "ResourceSlice": gettext_lazy("without ResourceSlices no devices are known"),
    "ResourceClaim": gettext_lazy("without ResourceClaims every device counts as not held"),
    "DeviceClass": gettext_lazy("without DeviceClasses no request can be met"),
}


def counts(number_by_state: Mapping[DeviceState, int]) -> str:
    """Put the numbers of devices by state beside each other; states that no device is in are left out."""
    return side_by_side(
        counted_state(state, number_by_state[state])
        for state in (
            DeviceState.FREE,
            DeviceState.SHARED,
            DeviceState.HELD,
            DeviceState.TAINTED,
            DeviceState.COUNTERS_USED,
        )
        if number_by_state.get(state)
    )


NO_DEVICES: Final = gettext_lazy("No devices.")
TILE = message("%(device)s: %(state)s")
HELD_BY = message("%(device)s: held by %(claim)s")


def shared_by(device: str, claims: Iterable[str]) -> str:
    """Say which claims share a device of the picture."""
    return _("%(device)s: shared by %(claims)s") % {"device": device, "claims": listed(list(claims))}


CONSUMED = message("%(consumed)s of %(total)s %(name)s consumed")


def sharing(claims: Iterable[str]) -> str:
    """Name the claims that share a device."""
    return _("shared by %(claims)s") % {"claims": listed(list(claims))}


MORE_COUNTERS = plural("and %(number)s more counter", "and %(number)s more counters", by="number")
UNUSUAL_POOLS = plural(
    "%(number)s pool is incomplete or invalid.",
    "%(number)s pools are incomplete or invalid.",
    by="number",
)


def lacking(kinds: Iterable[str]) -> str:
    """Say which kinds there are no objects of, and what that means."""
    return _("No such objects are held: %(kinds)s. If the cluster has any, this page is incomplete: %(effects)s.") % {
        "kinds": listed(kinds),
        "effects": listed(str(_WITHOUT[kind]) for kind in kinds),
    }


def nothing(kinds: Iterable[str]) -> str:
    """Say that a cluster has no devices, by kind."""
    return _(
        "This cluster has no objects of these kinds: %(kinds)s. No driver offers devices, and no pod claims any."
    ) % {"kinds": listed(kinds)}


def nothing_held(kinds: Iterable[str]) -> str:
    """Say that a dump has nothing about devices, by kind."""
    return _(
        "The dump holds no objects of these kinds: %(kinds)s. If the cluster has devices, read a dump that has them "
        "too, as this command writes it:"
    ) % {"kinds": listed(kinds)}


EXTENDED_RESOURCE = message("Stands for the extended resource %(name)s")
CLASS_FAILS: Final = gettext_lazy("An attempt that evaluates it ends with this error:")


def more_classes(number: int) -> str:
    """Count the classes that are not listed; empty where none is left out."""
    if number <= 0:
        return ""
    return ngettext("and %(number)s more class", "and %(number)s more classes", number) % {"number": grouped(number)}


LACKS_COUNTER = message("takes %(requested)s of the counter %(name)s, of which %(available)s is left")
