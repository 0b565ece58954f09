"""What maps of nodes say whatever they show: zones, pools, and how one is used."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from clusters.wording.messages import plural

NO_ZONE: Final = pgettext_lazy("group of nodes", "No zone")
NO_POOL: Final = pgettext_lazy("group of nodes", "No pool")

ARROWS: Final = gettext_lazy("Arrows: pods, in the target zone's colour.")
ARROW = plural("%(pods)s pod from %(source)s to %(target)s", "%(pods)s pods from %(source)s to %(target)s", by="pods")


LEFT_OUT_ARROWS = plural(
    "%(arrows)s more arrow (%(pods)s) is not drawn.", "%(arrows)s more arrows (%(pods)s) are not drawn.", by="arrows"
)


def place(*, zone: str, pool: str) -> str:
    """Say where a node stands in the map."""
    if not pool:
        return zone or str(NO_ZONE)
    return pgettext("place of a node", "%(zone)s, pool %(pool)s") % {"zone": zone or NO_ZONE, "pool": pool}
