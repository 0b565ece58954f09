"""Words for VolumeZone."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.plugins.volume_zone import ZoneComparison
from clusters.wording.evidence.registry import comparison_view
from clusters.wording.evidence.values import node_value
from clusters.wording.evidence.views import EvidenceView, FactView
from clusters.wording.lists import listed


@comparison_view.register(ZoneComparison)
def volume_zone(compared: ZoneComparison) -> EvidenceView:
    """Word a zone or region label of a volume and of the node."""
    key = compared.key
    unmet = _("the volume %(volume)s is in %(values)s (%(key)s), the node is not") % {
        "volume": compared.volume,
        "values": listed(compared.values),
        "key": key,
    }
    return EvidenceView(
        label=compared.claim,
        facts=(
            FactView(_("volume"), compared.volume),
            *(FactView(_("volume %(key)s") % {"key": key}, value) for value in compared.values),
            FactView(_("node %(key)s") % {"key": key}, node_value(compared.node_value)),
        ),
        holds=compared.holds,
        missing="" if compared.holds else unmet,
    )
