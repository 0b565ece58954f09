"""What the page of devices says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.devices.states import COUNTED
from clusters.wording.lists import side_by_side
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.devices import DeviceState

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

CLASS_UNKNOWN: Final = gettext_lazy("Unknown: unsupported expression.")


def counts(number_by_state: Mapping[DeviceState, int]) -> str:
    """Put the numbers of devices by state beside each other; states that no device is in are left out."""
    return side_by_side(
        said(number=number) for state, said in COUNTED.items() if (number := number_by_state.get(state))
    )


NO_DEVICES: Final = gettext_lazy("No devices.")
TILE = message("%(device)s: %(state)s")
HELD_BY = message("%(device)s: held by %(claim)s")


SHARED_BY = message("%(device)s: shared by %(claims)s")
SHARING = message("shared by %(claims)s")
CONSUMED = message("%(consumed)s of %(total)s %(name)s consumed")
UNUSUAL_POOLS = plural(
    "%(number)s pool is incomplete or invalid.",
    "%(number)s pools are incomplete or invalid.",
    by="number",
)
LACKING = message("There are no objects of these kinds: %(kinds)s. If the cluster has any, this page is incomplete.")
NOTHING = message("The cluster has no objects of these kinds: %(kinds)s.")
NOTHING_HELD = message(
    "The dump has no objects of these kinds: %(kinds)s. If the cluster has devices, write a dump by this command:"
)
EXTENDED_RESOURCE = message("Extended resource %(name)s")
CLASS_FAILS: Final = gettext_lazy("An attempt that evaluates it ends with this error:")
LACKS_COUNTER = message("takes %(requested)s of the counter %(name)s, of which %(available)s is left")
