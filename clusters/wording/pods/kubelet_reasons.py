"""What to do about each reason of kubelets that did not admit a pod or ended it."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.engine.kubelet import LACKS

_TAKEN: Final = gettext_lazy("Do not set spec.nodeName, run one scheduler, and reserve room for static pods.")
_FULL: Final = gettext_lazy("Raise maxPods of the kubelet, or leave out spec.nodeName.")
_UNKNOWN: Final = gettext_lazy("Read the kubelet's log on the node.")

# NodeAffinity by name: a kubelet gives the names of filters that it repeats as its reasons.
# NodeName by name: a kubelet gives the names of filters that it repeats as its reasons.
# NodePorts by name: a kubelet gives the names of filters that it repeats as its reasons.
# TaintToleration by name: a kubelet gives the names of filters that it repeats as its reasons.
REJECTED: Final = {
    "AppArmor": gettext_lazy("Load the AppArmor profile on the node, or select nodes with it."),
    "EmptyPodSharedPoolError": gettext_lazy("Raise the pod's CPU request above the sum of its exclusive CPUs."),
    "Evicted": gettext_lazy("Free the named disk, memory or process IDs on the node."),
    "InitContainerRestartPolicyForbidden": gettext_lazy("Upgrade the kubelet, or make the sidecar a container."),
    "InvalidNodeInfo": gettext_lazy("Check that the Node exists, and the kubelet's connection and credentials."),
    "NodeAffinity": gettext_lazy("Restore the node's label, or set it by the kubelet's --node-labels."),
    "NodeName": gettext_lazy("Correct spec.nodeName, or the kubelet's --hostname-override."),
    "NodePorts": gettext_lazy("Free the host port, or use another."),
    "NodeShutdown": gettext_lazy("Wait until the node is back, or recreate the pod elsewhere."),
    "PodFeatureUnsupported": gettext_lazy("Upgrade the kubelet, enable the named feature gate, or leave it out."),
    "PodLevelResourcesNotSupported": gettext_lazy(
        "Set requests of containers, or enable PodLevelResources on the node."
    ),
    "PodOSNotSupported": gettext_lazy("Select nodes by kubernetes.io/os in nodeSelector: spec.os.name selects none."),
    "PodOSSelectorNodeLabelDoesNotMatch": gettext_lazy(
        "Remove the pod's label kubernetes.io/os, and select nodes by it in nodeSelector."
    ),
    "SMTAlignmentError": gettext_lazy("Request whole cores (full-pcpus-only), and fewer where the node has none left."),
    "SupplementalGroupsPolicyNotSupported": gettext_lazy(
        "Upgrade the container runtime, or set supplementalGroupsPolicy: Merge."
    ),
    "SysctlForbidden": gettext_lazy("Add the sysctl to the kubelet's --allowed-unsafe-sysctls, or leave it out."),
    "TaintToleration": gettext_lazy("Remove the NoExecute taint, or add a toleration."),
    "TopologyAffinityError": gettext_lazy(
        "Request what one NUMA node has, which the scheduler does not see, or set topologyManagerPolicy: best-effort."
    ),
    "UnexpectedAdmissionError": gettext_lazy("Check the device plugin on the node."),
    "UnexpectedPredicateFailureType": _UNKNOWN,
    "UnknownReason": _UNKNOWN,
}
"""What to do, by reason of a pod that was not admitted; those of resources begin with OutOf."""
ENDED: Final = {
    "DeadlineExceeded": gettext_lazy("Raise activeDeadlineSeconds, or find out what takes so long."),
    "Evicted": gettext_lazy("Request as much memory and ephemeral storage as it uses: who uses more goes first."),
    "Preempting": gettext_lazy("Reserve room for static pods on the node (kubeReserved or systemReserved)."),
    "Terminated": gettext_lazy("Drain nodes before they are shut down."),
}
"""What to do, by reason of a pod that had been admitted, and that the kubelet ended."""


def rejection_remedy(reason: str) -> str:
    """Say what to do about a pod that was not admitted."""
    if reason == f"{LACKS}pods":
        return str(_FULL)
    return str(_TAKEN if reason.startswith(LACKS) else REJECTED.get(reason, _UNKNOWN))
