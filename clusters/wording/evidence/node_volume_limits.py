"""Words for NodeVolumeLimits."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.plugins.node_volume_limits import DriverComparison
from clusters.wording.amounts import grouped
from clusters.wording.evidence.registry import comparison_view
from clusters.wording.evidence.values import count_fact
from clusters.wording.evidence.views import EvidenceView


@comparison_view.register(DriverComparison)
def volume_limit(compared: DriverComparison) -> EvidenceView:
    """Word how many volumes of a driver a node has and may have."""
    facts = (count_fact(_("attached"), compared.attached), count_fact(_("request"), compared.requested))
    if compared.limit is None:
        return EvidenceView(compared.driver, facts, holds=compared.holds)
    attached, limit = grouped(compared.attached), grouped(compared.limit)
    return EvidenceView(
        compared.driver,
        (*facts, count_fact(_("limit"), compared.limit)),
        holds=compared.holds,
        formula=_("attached + request ≤ limit"),
        worked=f"{compared.attached} + {compared.requested} ≤ {compared.limit}",
        missing=""
        if compared.holds
        else _("%(attached)s of at most %(limit)s volumes of %(driver)s are attached")
        % {"attached": attached, "limit": limit, "driver": compared.driver},
    )
