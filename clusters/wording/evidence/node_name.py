"""Words for NodeName."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.plugins.node_name import NodeNameComparison
from clusters.wording.evidence.registry import comparison_view
from clusters.wording.evidence.views import EvidenceView, FactView


@comparison_view.register(NodeNameComparison)
def node_name(compared: NodeNameComparison) -> EvidenceView:
    """Word the node that a pod names."""
    return EvidenceView(
        label="spec.nodeName",
        facts=(FactView(_("requested node"), compared.requested), FactView(_("this node"), compared.node)),
        holds=compared.holds,
        missing="" if compared.holds else _("the pod names the node %(node)s") % {"node": compared.requested},
    )
