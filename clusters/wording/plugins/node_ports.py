"""How Berth speaks of NodePorts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.engine.plugin import ClusterEvent
from clusters.engine.plugins.node_ports import REASON, HostPortSubject, PortComparison
from clusters.wording.amounts import grouped
from clusters.wording.evidence.registry import comparison_view
from clusters.wording.evidence.values import pod_facts, pod_list
from clusters.wording.evidence.views import EvidenceView
from clusters.wording.plugins.plugin_wording import PluginWording, Reason, Requeue

if TYPE_CHECKING:
    from clusters.engine.evidence import Subject


class Wording(PluginWording):
    """Words for NodePorts."""

    def decides(self) -> str:
        return _("host ports must be free")

    def nothing_to_filter(self) -> str:
        return _("Nothing to check: the pod has no host ports.")

    def requires(self) -> str:
        return _("host ports")

    def reason(self, reason: str, nodes: int) -> Reason | None:
        if reason == REASON:
            return Reason(
                phrase=_("host port in use"),
                counted=ngettext(
                    "%(nodes)s node has a host port of the pod in use",
                    "%(nodes)s nodes have a host port of the pod in use",
                    nodes,
                )
                % {"nodes": grouped(nodes)},
                cause=_("host port in use"),
            )
        return None

    def requeued_when(self) -> tuple[Requeue, ...]:
        return (
            Requeue(_("a pod with one of the host ports is deleted"), (ClusterEvent.POD_DELETE,)),
            Requeue(_("a node is added"), (ClusterEvent.NODE_ADD,)),
        )

    def lifting_all(self) -> str:
        return _("remove all host ports")

    def lifting_fixed(self, subject: Subject) -> str:
        match subject:
            case HostPortSubject(port):
                return _("free the host port %(port)s on the node") % {"port": port}
            case _other:
                return super().lifting_fixed(subject)

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
