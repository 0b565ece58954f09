"""The quotas of a mirrored cluster, each with what is used of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.objects import namespace_of
from clusters.engine.quotas.counting import counted_quotas, is_counted
from clusters.engine.quotas.device_rules import device_quota_rules
from clusters.models import KubeObject, Pod

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine import Snapshot
    from clusters.models import Cluster


def quotas_of(*, cluster: Cluster, snapshot: Snapshot, namespace: str | None = None) -> list[dict[str, Any]]:
    """Return the ResourceQuotas of a namespace, or of all; one without a status, as in manifests, is counted here."""
    quotas = [dict(each) for each in snapshot.objects("ResourceQuota", namespace)]
    spaces = {namespace_of(quota) for quota in quotas if not is_counted(quota)}
    if not spaces:
        return quotas
    pods = Pod.objects.filter(cluster=cluster, namespace__in=spaces)
    claims = KubeObject.objects.filter(cluster=cluster, kind="PersistentVolumeClaim", namespace__in=spaces)
    counted = counted_quotas(
        quotas,
        (pod.object for pod in pods),
        (claim.object for claim in claims),
        snapshot.objects("ResourceClaim"),
        device_quota_rules(snapshot),
    )
    return [*filter(is_counted, quotas), *map(dict, counted)]


def charged_pods(*, cluster: Cluster, namespaces: Iterable[str], most: int) -> list[dict[str, Any]]:
    """Return the pods of some namespaces as they are mirrored, by name and at most so many."""
    pods = Pod.objects.filter(cluster=cluster, namespace__in=set(namespaces)).order_by("namespace", "name")
    return list(pods.values_list("object", flat=True)[:most])
