"""What the domains of a topology key are called: zones, nodes, values of a label."""

from __future__ import annotations

from typing import Final

from django.utils.translation import ngettext, pgettext, pgettext_lazy

from clusters.engine.spreading import HOSTNAME, ZONE
from clusters.wording.amounts import grouped

_REGION: Final = "topology.kubernetes.io/region"
_SINGULAR: Final = {
    ZONE: pgettext_lazy("domain of a topology key", "zone"),
    _REGION: pgettext_lazy("domain of a topology key", "region"),
    HOSTNAME: pgettext_lazy("domain of a topology key", "node"),
}
_PLURAL: Final = {
    ZONE: pgettext_lazy("domains of a topology key", "zones"),
    _REGION: pgettext_lazy("domains of a topology key", "regions"),
    HOSTNAME: pgettext_lazy("domains of a topology key", "nodes"),
}


def domain_name(key: str) -> str:
    """Return what one domain of a topology key is called."""
    if key in _SINGULAR:
        return str(_SINGULAR[key])
    return pgettext("domain of a topology key", "value of %(key)s") % {"key": key}


def domains_name(key: str) -> str:
    """Return what the domains of a topology key are called."""
    if key in _PLURAL:
        return str(_PLURAL[key])
    return pgettext("domains of a topology key", "values of %(key)s") % {"key": key}


def counted_domains(key: str, number: int) -> str:
    """Count domains of a topology key."""
    if key == ZONE:
        return ngettext("%(number)s zone", "%(number)s zones", number) % {"number": grouped(number)}
    if key == _REGION:
        return ngettext("%(number)s region", "%(number)s regions", number) % {"number": grouped(number)}
    if key == HOSTNAME:
        return ngettext("%(number)s node", "%(number)s nodes", number) % {"number": grouped(number)}
    return ngettext("%(number)s value of %(key)s", "%(number)s values of %(key)s", number) % {
        "number": grouped(number),
        "key": key,
    }
