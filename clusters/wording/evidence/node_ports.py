"""Words for NodePorts."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.plugins.node_ports import PortComparison
from clusters.wording.evidence.registry import comparison_view
from clusters.wording.evidence.values import pod_facts, pod_list
from clusters.wording.evidence.views import EvidenceView


@comparison_view.register(PortComparison)
def host_port(compared: PortComparison) -> EvidenceView:
    """Word a host port and who holds it."""
    port = str(compared.port)
    return EvidenceView(
        label=_("host port %(port)s") % {"port": port},
        facts=pod_facts(_("held by"), compared.holders),
        holds=compared.holds,
        missing=""
        if compared.holds
        else _("host port %(port)s is held by %(pods)s") % {"port": port, "pods": pod_list(compared.holders)},
    )
