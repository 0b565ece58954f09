"""Manifests of the test world in few words: what owns pods, and what constrains them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.controlplane.api import Object

ZONE, HOST = "topology.kubernetes.io/zone", "kubernetes.io/hostname"
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


def container(
    name: str = "main", *, cpu: str = "100m", memory: str = "64Mi", image: str = "app:1", **more: Any
) -> Object:
    """Return a container; `requests` beside cpu and memory are extended resources, which are limits too."""
    extended = more.pop("extended", {})
    resources: Object = {"requests": {"cpu": cpu, "memory": memory, **extended}}
    if extended:
        resources["limits"] = extended
    return {"name": name, "image": image, "resources": resources, **more}


def pod_spec(**spec: Any) -> Object:
    return {"terminationGracePeriodSeconds": 1, "containers": [container()], **spec}


def template(app: str, spec: Object, *, labels: Object | None = None, annotations: Object | None = None) -> Object:
    return {"metadata": {"labels": {"app": app, **(labels or {})}, "annotations": annotations or {}}, "spec": spec}


def owner(api_version: str, kind: str, namespace: str, name: str, spec: Object) -> Object:
    return {
        "apiVersion": api_version,
        "kind": kind,
        "metadata": {"name": name, "namespace": namespace},
        "spec": spec,
    }


def selecting(app: str) -> Object:
    return {"matchLabels": {"app": app}}


def service(namespace: str, name: str) -> Object:
    return owner("v1", "Service", namespace, name, {"selector": {"app": name}, "ports": [{"port": 80}]})


def budget(namespace: str, name: str, app: str, **spec: Any) -> Object:
    return owner("policy/v1", "PodDisruptionBudget", namespace, name, {"selector": selecting(app), **spec})


def priority_class(name: str, value: int, **fields: Any) -> Object:
    return {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": name},
        "value": value,
        **fields,
    }


def node_terms(*expressions: tuple[str, str, list[str]]) -> Object:
    """Return a node selector term of expressions (key, operator, values), all of which must hold."""
    return {"matchExpressions": [_expression(*expression) for expression in expressions]}


def _expression(key: str, operator: str, values: list[str]) -> Object:
    return {"key": key, "operator": operator, **({"values": values} if values else {})}


def node_affinity(*required: Object, preferred: dict[int, Object] | None = None) -> Object:
    """Return an affinity to nodes of any of the required terms; `preferred` by weight."""
    rules: Object = {}
    if required:
        rules[REQUIRED] = {"nodeSelectorTerms": list(required)}
    if preferred:
        rules[PREFERRED] = [{"weight": weight, "preference": term} for weight, term in preferred.items()]
    return {"nodeAffinity": rules}


def near(app: str, key: str, **more: Any) -> Object:
    """Return a pod affinity term."""
    return {"labelSelector": selecting(app), "topologyKey": key, **more}


def weighted(weight: int, term: Object) -> Object:
    return {"weight": weight, "podAffinityTerm": term}


def spread(app: str, key: str, *, skew: int = 1, hard: bool = True, **more: Any) -> Object:
    when = "DoNotSchedule" if hard else "ScheduleAnyway"
    rules = {"maxSkew": skew, "topologyKey": key, "whenUnsatisfiable": when, "labelSelector": selecting(app)}
    return {**rules, **more}


def tolerating(key: str, value: str | None = None) -> Object:
    if value is None:
        return {"key": key, "operator": "Exists"}
    return {"key": key, "operator": "Equal", "value": value}


def claim_volume(claim: str) -> Object:
    return {"name": "data", "persistentVolumeClaim": {"claimName": claim}}


def storage_class(name: str, *, waits: bool) -> Object:
    return {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {"name": name},
        "provisioner": "kubernetes.io/no-provisioner",
        "volumeBindingMode": "WaitForFirstConsumer" if waits else "Immediate",
    }


def claim(name: str, *, storage: str, mode: str = "ReadWriteOnce", namespace: str | None = None, **spec: Any) -> Object:
    """Return a claim; without a namespace it is a StatefulSet's template of one."""
    made: Object = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": name},
        "spec": {
            "storageClassName": storage,
            "accessModes": [mode],
            "resources": {"requests": {"storage": "1Gi"}},
            **spec,
        },
    }
    if namespace is not None:
        made["metadata"]["namespace"] = namespace
    return made


def volume(name: str, *, storage: str, where: Object, mode: str = "ReadWriteOnce", **spec: Any) -> Object:
    """Return a local volume on the nodes of one term."""
    return {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": name},
        "spec": {
            "storageClassName": storage,
            "capacity": {"storage": "1Gi"},
            "accessModes": [mode],
            "local": {"path": f"/volumes/{name}"},
            "nodeAffinity": {"required": {"nodeSelectorTerms": [where]}},
            **spec,
        },
    }
