"""What maps of nodes say whatever they show: zones, pools, and how one is used."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext, pgettext_lazy

NO_ZONE: Final = pgettext_lazy("group of nodes", "No zone")
NO_POOL: Final = pgettext_lazy("group of nodes", "No pool")


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
