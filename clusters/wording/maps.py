"""What maps of nodes say whatever they show: zones, pools, and how one is used."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from clusters.wording import counts
from clusters.wording.amounts import grouped

NO_ZONE: Final = pgettext_lazy("group of nodes", "No zone")
NO_POOL: Final = pgettext_lazy("group of nodes", "No pool")

# What arrows stand for, by what their ends are.
ARROWS: Final = {
    "nodes": gettext_lazy(
        "An arrow stands for the pods that go from one node to another: thicker for more, in the colour of the zone "
        "to which it leads."
    ),
    "pools-to-nodes": gettext_lazy(
        "An arrow stands for the pods that go from the nodes of one pool to a node: thicker for more, in the colour of "
        "the zone to which it leads."
    ),
    "pools": gettext_lazy(
        "An arrow stands for the pods that go from the nodes of one pool to those of another: thicker for more, in the "
        "colour of the zone to which it leads."
    ),
}


def arrow(*, pods: int, source: str, target: str) -> str:
    """Say an arrow: `3 pods from a to b`."""
    return ngettext(
        "%(pods)s pod from %(source)s to %(target)s", "%(pods)s pods from %(source)s to %(target)s", pods
    ) % {"pods": grouped(pods), "source": source, "target": target}


def left_out_arrows(arrows: int, pods: int) -> str:
    """Say how many arrows are not drawn, and how many pods they stand for."""
    return ngettext(
        "%(arrows)s arrow more, for %(pods)s, is not drawn.",
        "%(arrows)s arrows more, for %(pods)s, are not drawn.",
        arrows,
    ) % {"arrows": grouped(arrows), "pods": counts.pods(pods)}


def place(*, zone: str, pool: str) -> str:
    """Say where a node stands in the map."""
    if not pool:
        return zone or str(NO_ZONE)
    return pgettext("place of a node", "%(zone)s, pool %(pool)s") % {"zone": zone or NO_ZONE, "pool": pool}


def said_by(*, source: str, said: str) -> str:
    """Say what somebody says of a node: `NodeResourcesFit: insufficient CPU`."""
    return pgettext("what is said of a node", "%(source)s: %(said)s") % {"source": source, "said": said}


def nodes_in(*, nodes: str, place: str) -> str:
    """Count nodes of one look in one place, as the label of what opens them."""
    return _("%(nodes)s in %(place)s") % {"nodes": nodes, "place": place}
