"""Words for NodeUnschedulable."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.plugins.node_unschedulable import CordonComparison
from clusters.wording.evidence.registry import comparison_view
from clusters.wording.evidence.values import yes_no
from clusters.wording.evidence.views import EvidenceView, FactView


@comparison_view.register(CordonComparison)
def cordon(compared: CordonComparison) -> EvidenceView:
    """Word whether a node is cordoned."""
    return EvidenceView(
        label="spec.unschedulable",
        facts=(
            FactView(_("node is cordoned"), yes_no(compared.unschedulable)),
            FactView(_("pod tolerates it"), yes_no(compared.tolerated)),
        ),
        holds=compared.holds,
        missing="" if compared.holds else _("the node is unschedulable (cordoned)"),
    )
