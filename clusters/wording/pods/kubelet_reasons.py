"""What the reasons of kubelets mean that did not admit a pod or ended it, and what to do about each."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.engine.kubelet import LACKS

# By reason: what it means, and what to do about it.
_TAKEN: Final = (
    gettext_lazy("The node's pods, static ones among them, had taken the room before this one came."),
    gettext_lazy("Do not set spec.nodeName, run one scheduler, and reserve room for static pods."),
)
_FULL: Final = (
    gettext_lazy("The node had as many pods as its kubelet permits."),
    gettext_lazy("Raise maxPods of the kubelet, or leave out spec.nodeName."),
)
_UNKNOWN: Final = (
    gettext_lazy("The kubelet gives no reason that is known here."),
    gettext_lazy("Read the kubelet's log on the node."),
)

# NodeAffinity by name: a kubelet gives the names of filters that it repeats as its reasons.
# NodeName by name: a kubelet gives the names of filters that it repeats as its reasons.
# NodePorts by name: a kubelet gives the names of filters that it repeats as its reasons.
# TaintToleration by name: a kubelet gives the names of filters that it repeats as its reasons.
REJECTED: Final = {
    "AppArmor": (
        gettext_lazy("The node cannot enforce the pod's AppArmor profile."),
        gettext_lazy("Load the profile on the node, or select nodes with it."),
    ),
    "EmptyPodSharedPoolError": (
        gettext_lazy("Containers with exclusive CPUs take all that the pod requests."),
        gettext_lazy("Raise the pod's CPU request above the sum of its exclusive CPUs."),
    ),
    "Evicted": (
        gettext_lazy("The node is under pressure and admits no such pod."),
        gettext_lazy("Free the named disk, memory or process IDs on the node."),
    ),
    "InitContainerRestartPolicyForbidden": (
        gettext_lazy("The kubelet does not know init containers with restartPolicy Always (sidecars)."),
        gettext_lazy("Upgrade the kubelet, or make the sidecar a container."),
    ),
    "InvalidNodeInfo": (
        gettext_lazy("The kubelet could not read its own Node."),
        gettext_lazy("Check that the Node exists, and the kubelet's connection and credentials."),
    ),
    "NodeAffinity": (
        gettext_lazy("The node's labels no longer match the pod's node selector or affinity."),
        gettext_lazy("Restore the label, or set it by the kubelet's --node-labels."),
    ),
    "NodeName": (
        gettext_lazy("The pod's spec.nodeName is not the name of this node."),
        gettext_lazy("Correct spec.nodeName, or the kubelet's --hostname-override."),
    ),
    "NodePorts": (
        gettext_lazy("Another pod of the node has the host port."),
        gettext_lazy("Free the host port, or use another."),
    ),
    "NodeShutdown": (
        gettext_lazy("The node is shutting down."),
        gettext_lazy("Wait until it is back, or recreate the pod elsewhere."),
    ),
    "PodFeatureUnsupported": (
        gettext_lazy("The pod uses a feature that the kubelet does not declare."),
        gettext_lazy("Upgrade the kubelet, enable the named feature gate, or leave the feature out."),
    ),
    "PodLevelResourcesNotSupported": (
        gettext_lazy("The node's kubelet does not support resources of whole pods (spec.resources)."),
        gettext_lazy("Set the requests of the containers instead, or enable PodLevelResources on the node."),
    ),
    "PodOSNotSupported": (
        gettext_lazy("The pod's spec.os.name is another operating system than the node's."),
        gettext_lazy("Select nodes by kubernetes.io/os in nodeSelector: spec.os.name does not select any."),
    ),
    "PodOSSelectorNodeLabelDoesNotMatch": (
        gettext_lazy("The pod's label kubernetes.io/os is another operating system than the node's."),
        gettext_lazy("Remove the label, and select nodes by kubernetes.io/os in nodeSelector."),
    ),
    "SMTAlignmentError": (
        gettext_lazy("The node gives exclusive CPUs as whole cores (full-pcpus-only), and has too few."),
        gettext_lazy(
            "Request a multiple of the CPUs that a core has, and fewer where the node has no free cores left."
        ),
    ),
    "SupplementalGroupsPolicyNotSupported": (
        gettext_lazy("The node's container runtime does not support supplementalGroupsPolicy Strict."),
        gettext_lazy("Upgrade the container runtime, or set supplementalGroupsPolicy: Merge."),
    ),
    "SysctlForbidden": (
        gettext_lazy("The node does not allow a sysctl of the pod."),
        gettext_lazy("Add it to the kubelet's --allowed-unsafe-sysctls, or leave it out."),
    ),
    "TaintToleration": (
        gettext_lazy("The node has a taint with the effect NoExecute that the pod does not tolerate."),
        gettext_lazy("Remove the taint, or add a toleration."),
    ),
    "TopologyAffinityError": (
        gettext_lazy(
            "No NUMA node, or permitted set of them, has all that the pod requests. The scheduler does not "
            "see NUMA nodes."
        ),
        gettext_lazy("Request what one NUMA node has, or set topologyManagerPolicy: best-effort."),
    ),
    "UnexpectedAdmissionError": (
        gettext_lazy("A device or another resource could not be allocated, mostly as its device plugin had restarted."),
        gettext_lazy("Check the device plugin on the node."),
    ),
    "UnexpectedPredicateFailureType": _UNKNOWN,
    "UnknownReason": _UNKNOWN,
}
"""By reason of a pod that was not admitted; those of resources begin with OutOf."""
ENDED: Final = {
    "DeadlineExceeded": (
        gettext_lazy("It was active for longer than its activeDeadlineSeconds."),
        gettext_lazy("Raise activeDeadlineSeconds, or find out what takes so long."),
    ),
    "Evicted": (
        gettext_lazy("The node was short of what is named, or the pod was above its own storage limit."),
        gettext_lazy("Request as much memory and ephemeral storage as it uses: who uses more is evicted first."),
    ),
    "Preempting": (
        gettext_lazy("The kubelet made room for a critical pod that the scheduler did not count."),
        gettext_lazy("Reserve room for static pods on the node (kubeReserved or systemReserved)."),
    ),
    "Terminated": (
        gettext_lazy("The node was shut down."),
        gettext_lazy("Drain nodes before they are shut down."),
    ),
}
"""By reason of a pod that had been admitted, and that the kubelet ended."""


def rejection_reason(reason: str) -> tuple[str, str]:
    """Return what the reason of a pod that was not admitted means, and what to do about it."""
    if reason == f"{LACKS}pods":
        meaning, remedy = _FULL
    else:
        meaning, remedy = _TAKEN if reason.startswith(LACKS) else REJECTED.get(reason, _UNKNOWN)
    return str(meaning), str(remedy)
