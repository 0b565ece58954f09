"""Which zone a node is in, as the control plane's own components count zones.

Upstream: ``GetZoneKey`` of ``k8s.io/component-helpers/node/topology`` v1.34.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# The old names go first, as long as nodes bear them.
_REGIONS = ("failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region")
_ZONES = ("failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone")


def zone_key(labels: Mapping[str, str]) -> tuple[str, str]:
    """The region and zone of a node by its labels; nodes without either are together in a zone of their own."""
    return (_first(labels, _REGIONS), _first(labels, _ZONES))


def _first(labels: Mapping[str, str], keys: Sequence[str]) -> str:
    return next((labels[key] for key in keys if key in labels), "")
