"""Which ResourceQuotas are charged for a pod.

Upstream: ``podEvaluator`` in ``pkg/quota/v1/evaluator/core/pods.go`` and ``Matches`` in
``pkg/quota/v1/evaluator/core`` and ``k8s.io/apiserver/pkg/quota/v1/generic``, v1.34.1. What a quota still allows is not
computed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.engine.conclusion import AppliedQuota
from clusters.engine.disruption.qos import QualityOfService, quality_of_service
from clusters.engine.objects import metadata, name_of
from clusters.engine.volumes.claims import IMAGINED_CLAIM

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from clusters.engine.objects import Document, Pod
    from clusters.engine.snapshot import Snapshot

_OF_PODS: Final = frozenset({"pods", "count/pods", "cpu", "memory", "ephemeral-storage"})
_OF_CLAIMS: Final = frozenset({"persistentvolumeclaims", "count/persistentvolumeclaims", "requests.storage"})
_OF_CLASSES: Final = ".storageclass.storage.k8s.io/"


def applied_quotas(snapshot: Snapshot, pod: Pod) -> tuple[AppliedQuota, ...]:
    """The quotas that would be charged for a pod, were it created now, by name.

    Also those that are charged for claims that come to be with it, such as those of ephemeral volumes.
    """
    quotas = sorted(snapshot.objects("ResourceQuota", pod.namespace), key=name_of)
    claims = bool(quotas) and _has_new_claims(snapshot, pod)
    charged = (quota for quota in quotas if _is_charged(quota.get("spec") or {}, pod, has_claims=claims))
    return tuple(AppliedQuota(pod.namespace, name_of(quota)) for quota in charged)


def _has_new_claims(snapshot: Snapshot, pod: Pod) -> bool:
    """Whether claims are made for a pod's volumes, or along with it."""
    for volume in pod.spec.get("volumes") or ():
        name = (volume.get("persistentVolumeClaim") or {}).get("claimName")
        claim = snapshot.object("PersistentVolumeClaim", str(name), pod.namespace) if name else None
        if volume.get("ephemeral") or (claim is not None and _is_imagined(claim)):
            return True
    return False


def _is_imagined(claim: Document) -> bool:
    """Whether a claim is one of a manifest or made for one, and not the cluster's."""
    return str(metadata(claim).get("uid") or "").startswith(IMAGINED_CLAIM)


def _is_charged(spec: Document, pod: Pod, *, has_claims: bool) -> bool:
    scopes = list(_scopes(spec))
    hard = spec.get("hard") or {}
    if any(map(_is_of_pods, hard)) and all(_is_in_scope(scope, pod) for scope in scopes):
        return True
    # A scope that speaks of pods leaves claims out.
    return has_claims and not scopes and any(map(_is_of_claims, hard))


def _is_of_pods(resource: str) -> bool:
    if resource == "requests.storage" or _OF_CLASSES in resource:
        return False
    return resource in _OF_PODS or resource.startswith(("requests.", "limits.", "hugepages-"))


def _is_of_claims(resource: str) -> bool:
    return resource in _OF_CLAIMS or _OF_CLASSES in resource


def _scopes(spec: Document) -> Iterator[Mapping[str, Any]]:
    for name in spec.get("scopes") or ():
        yield {"scopeName": name, "operator": "Exists"}
    yield from (spec.get("scopeSelector") or {}).get("matchExpressions") or ()


def _is_in_scope(scope: Mapping[str, Any], pod: Pod) -> bool:
    """Whether a pod is among those that a scope means; one that is not known here means all."""
    match scope.get("scopeName"):
        case "Terminating":
            return _ends(pod)
        case "NotTerminating":
            return not _ends(pod)
        case "BestEffort":
            return quality_of_service(pod.document) is QualityOfService.BEST_EFFORT
        case "NotBestEffort":
            return quality_of_service(pod.document) is not QualityOfService.BEST_EFFORT
        case "PriorityClass":
            return _is_selected(scope, str(pod.spec.get("priorityClassName") or ""))
        case "CrossNamespacePodAffinity":
            return any(_crosses(term) for term in _terms(pod.spec.get("affinity") or {}))
        case _:
            return True


def _ends(pod: Pod) -> bool:
    seconds = pod.spec.get("activeDeadlineSeconds")
    return seconds is not None and int(seconds) >= 0


def _is_selected(scope: Mapping[str, Any], priority_class: str) -> bool:
    values = scope.get("values") or ()
    match scope.get("operator"):
        case "In":
            return priority_class in values
        case "NotIn":
            return priority_class not in values
        case "DoesNotExist":
            return not priority_class
        case _:
            return bool(priority_class)


def _terms(affinity: Document) -> Iterator[Document]:
    for kind in ("podAffinity", "podAntiAffinity"):
        terms = affinity.get(kind) or {}
        yield from terms.get("requiredDuringSchedulingIgnoredDuringExecution") or ()
        for weighted in terms.get("preferredDuringSchedulingIgnoredDuringExecution") or ():
            yield weighted.get("podAffinityTerm") or {}


def _crosses(term: Document) -> bool:
    return bool(term.get("namespaces")) or term.get("namespaceSelector") is not None
