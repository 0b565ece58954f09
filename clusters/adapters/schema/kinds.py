"""The kinds that a Kubernetes API server has by itself, by API group: any other of these groups is a slip.

They are those of v1.34, and the groups of pods that came later.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import Final

from clusters.adapters.bad_input import shown
from clusters.adapters.schema.checking import Fault
from clusters.problems.schema import KindOfOtherVersion, NoApiGroup, NoKind

# The newest version of each group that is on by default; older dumps and charts may name others.
_GROUPS: Final[dict[str, tuple[str, str]]] = {
    "": (
        "v1",
        (
            "Binding ComponentStatus ConfigMap Endpoints Event LimitRange List Namespace Node PersistentVolume "
            "PersistentVolumeClaim Pod PodTemplate ReplicationController ResourceQuota Secret Service ServiceAccount"
        ),
    ),
    "admissionregistration.k8s.io": (
        "v1",
        (
            "MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration "
            "ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration"
        ),
    ),
    "apiextensions.k8s.io": ("v1", "CustomResourceDefinition"),
    "apiregistration.k8s.io": ("v1", "APIService"),
    "apps": ("v1", "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet"),
    "authentication.k8s.io": ("v1", "SelfSubjectReview TokenRequest TokenReview"),
    "authorization.k8s.io": (
        "v1",
        "LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview",
    ),
    "autoscaling": ("v2", "HorizontalPodAutoscaler Scale"),
    "batch": ("v1", "CronJob Job"),
    "certificates.k8s.io": ("v1", "CertificateSigningRequest ClusterTrustBundle PodCertificateRequest"),
    "coordination.k8s.io": ("v1", "Lease LeaseCandidate"),
    "discovery.k8s.io": ("v1", "EndpointSlice"),
    "events.k8s.io": ("v1", "Event"),
    "flowcontrol.apiserver.k8s.io": ("v1", "FlowSchema PriorityLevelConfiguration"),
    "networking.k8s.io": ("v1", "IPAddress Ingress IngressClass NetworkPolicy ServiceCIDR"),
    "node.k8s.io": ("v1", "RuntimeClass"),
    "policy": ("v1", "Eviction PodDisruptionBudget PodSecurityPolicy"),
    "rbac.authorization.k8s.io": ("v1", "ClusterRole ClusterRoleBinding Role RoleBinding"),
    "resource.k8s.io": ("v1", "DeviceClass DeviceTaintRule ResourceClaim ResourceClaimTemplate ResourceSlice"),
    "scheduling.k8s.io": ("v1", "CompositePodGroup PodGroup PriorityClass Workload"),
    "storage.k8s.io": (
        "v1",
        "CSIDriver CSINode CSIStorageCapacity StorageClass VolumeAttachment VolumeAttributesClass",
    ),
}
_NAMED: Final = 12
_KINDS: Final = {group: frozenset(kinds.split()) for group, (_, kinds) in _GROUPS.items()}
_VERSIONS: Final = {
    **{
        kind: f"{group}/{version}".lstrip("/")
        for group, (version, _) in reversed(_GROUPS.items())
        for kind in _KINDS[group]
    },
    # Groups of pods are in no stable version.
    "CompositePodGroup": "scheduling.k8s.io/v1alpha3",
    "PodGroup": "scheduling.k8s.io/v1beta1",
    "Workload": "scheduling.k8s.io/v1beta1",
}


def is_built_in(version: str, kind: str) -> bool:
    """Tell whether the API server has a kind by itself."""
    return kind in _KINDS.get(_group(version), ())


def kind_problem(version: str, kind: str) -> Fault | None:
    """Return what is wrong with a kind that no cluster can have; None for any other.

    API groups that somebody added to a cluster have a dot in their name, and may hold anything.
    """
    group = _group(version)
    kinds = _KINDS.get(group)
    if kinds is None:
        if "." in group:
            return None
        close = get_close_matches(group[:60], [each for each in _KINDS if each], n=1, cutoff=0.5)
        right = _VERSIONS.get(kind) or (f"{close[0]}/{_GROUPS[close[0]][0]}" if close else "")
        return Fault("apiVersion", NoApiGroup(shown(group), right))
    if kind in kinds:
        return None
    if kind in _VERSIONS:
        return Fault("apiVersion", KindOfOtherVersion(kind, shown(version), _VERSIONS[kind]))
    lowered = {each.lower(): each for each in (*_VERSIONS, *kinds)}
    close = get_close_matches(kind.lower()[:60], lowered, n=1)
    known = tuple(sorted(kinds)[:_NAMED])
    return Fault("kind", NoKind(shown(kind), shown(version), known, lowered[close[0]] if close else ""))


def _group(version: str) -> str:
    return version.partition("/")[0] if "/" in version else ""
