"""How Berth speaks of NodePorts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from clusters.engine.plugins.node_ports import HostPortSubject, PortComparison
from clusters.engine.traits import ClusterEvent
from clusters.wording.evidence.registry import comparison_view
from clusters.wording.evidence.values import pod_facts, pod_list
from clusters.wording.evidence.views import EvidenceView
from clusters.wording.plugins.plugin_wording import PluginWording, Requeue

if TYPE_CHECKING:
    from clusters.engine.subjects import Subject


class Wording(PluginWording):
    """Words for NodePorts."""

    def decides(self) -> str:
        return _("host ports must be free")

    def nothing_to_filter(self) -> str:
        return _("Nothing to check: the pod has no host ports.")

    def requires(self) -> str:
        return _("host ports")

    def requeued_when(self) -> tuple[Requeue, ...]:
        return (
            Requeue(_("a pod with one of the host ports is deleted"), (ClusterEvent.POD_DELETE,)),
            Requeue(_("a node is added"), (ClusterEvent.NODE_ADD,)),
        )

    def lifting_all(self) -> str:
        return _("remove all host ports")

    def lifting(self, subject: Subject) -> str:
        match subject:
            case HostPortSubject(port):
                return _("remove the host port %(port)s") % {"port": port}
            case _other:
                return super().lifting(subject)


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
