"""Pods that the API server refuses for rules between their fields: a spec, and the field that is to blame."""

from __future__ import annotations

from typing import Any, Final

Object = dict[str, Any]
_ZONE = "topology.kubernetes.io/zone"
_SELECTOR = {"matchLabels": {"app": "web"}}
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


def _resources(**resources: Any) -> Object:
    return {"containers": [{"name": "web", "image": "web:1", "resources": resources}]}


def _spread(*constraints: Object) -> Object:
    usual = {"maxSkew": 1, "topologyKey": _ZONE, "whenUnsatisfiable": "DoNotSchedule", "labelSelector": _SELECTOR}
    return {"topologySpreadConstraints": [{**usual, **each} for each in constraints]}


def _anti(**parts: Any) -> Object:
    term = {"topologyKey": _ZONE, "labelSelector": _SELECTOR, **parts}
    return {"affinity": {"podAntiAffinity": {_REQUIRED: [term]}}}


def _nodes(**term: Any) -> Object:
    return {"affinity": {"nodeAffinity": {_REQUIRED: {"nodeSelectorTerms": [term]}}}}


def _ports(*ports: Object, **spec: Any) -> Object:
    return {"containers": [{"name": "web", "image": "web:1", "ports": list(ports)}], **spec}


_OF_CONTAINER = "spec.containers[0].resources"
_GPU = "nvidia.com/gpu"

REFUSED: Final[dict[str, tuple[Object, str]]] = {
    "half-a-gpu": (
        _resources(requests={_GPU: "500m"}, limits={_GPU: "500m"}),
        f"{_OF_CONTAINER}.limits.{_GPU}",
    ),
    "gpu-request-is-not-its-limit": (
        _resources(requests={_GPU: "1"}, limits={_GPU: "2"}),
        f"{_OF_CONTAINER}.requests.{_GPU}",
    ),
    "gpu-without-limit": (_resources(requests={_GPU: "1"}), f"{_OF_CONTAINER}.limits.{_GPU}"),
    "huge-pages-alone": (_resources(limits={"hugepages-2Mi": "10Mi"}), _OF_CONTAINER),
    "part-of-a-huge-page": (
        _resources(limits={"hugepages-2Mi": "3Mi", "cpu": "1"}),
        f"{_OF_CONTAINER}.limits.hugepages-2Mi",
    ),
    "less-than-nothing": (_resources(requests={"cpu": "-1"}), f"{_OF_CONTAINER}.requests.cpu"),
    "more-than-the-limit": (
        _resources(requests={"cpu": "2"}, limits={"cpu": "1"}),
        f"{_OF_CONTAINER}.requests.cpu",
    ),
    "no-such-resource": (_resources(requests={"gpu": "1"}), f"{_OF_CONTAINER}.requests.gpu"),
    "name-for-quotas": (
        _resources(limits={"requests.example.com/gpu": "1"}),
        f"{_OF_CONTAINER}.limits.requests.example.com/gpu",
    ),
    "claim-that-is-not-there": (_resources(claims=[{"name": "gpu"}]), f"{_OF_CONTAINER}.claims[0].name"),
    "pod-level-gpu": ({"resources": {"limits": {_GPU: "1"}}}, f"spec.resources.limits.{_GPU}"),
    "pod-level-below-containers": (
        {**_resources(requests={"cpu": "2"}), "resources": {"requests": {"cpu": "1"}}},
        "spec.resources.requests.cpu",
    ),
    "container-above-the-pod": (
        {**_resources(limits={"cpu": "2"}, requests={"cpu": "1"}), "resources": {"limits": {"cpu": "1"}}},
        "spec.containers[0].resources.limits.cpu",
    ),
    "min-domains-of-a-preference": (
        _spread({"minDomains": 3, "whenUnsatisfiable": "ScheduleAnyway"}),
        "spec.topologySpreadConstraints[0].minDomains",
    ),
    "same-constraint-twice": (_spread({}, {"maxSkew": 2}), "spec.topologySpreadConstraints[1].topologyKey"),
    "no-topology-key": (_spread({"topologyKey": ""}), "spec.topologySpreadConstraints[0].topologyKey"),
    "no-skew": (_spread({"maxSkew": 0}), "spec.topologySpreadConstraints[0].maxSkew"),
    "label-keys-without-selector": (
        _spread({"matchLabelKeys": ["app"], "labelSelector": None}),
        "spec.topologySpreadConstraints[0].matchLabelKeys",
    ),
    "label-key-is-selected-too": (
        _spread({"matchLabelKeys": ["app"]}),
        "spec.topologySpreadConstraints[0].matchLabelKeys",
    ),
    "seconds-of-no-schedule": (
        {"tolerations": [{"key": "a", "operator": "Exists", "effect": "NoSchedule", "tolerationSeconds": 5}]},
        "spec.tolerations[0].effect",
    ),
    "seconds-of-every-effect": (
        {"tolerations": [{"key": "a", "operator": "Exists", "tolerationSeconds": 5}]},
        "spec.tolerations[0].effect",
    ),
    "exists-with-a-value": (
        {"tolerations": [{"key": "a", "operator": "Exists", "value": "b"}]},
        "spec.tolerations[0].value",
    ),
    "no-key-and-equal": ({"tolerations": [{"operator": "Equal", "value": "b"}]}, "spec.tolerations[0].operator"),
    "value-that-no-taint-has": ({"tolerations": [{"key": "a", "value": "b c"}]}, "spec.tolerations[0].value"),
    "weight-of-nothing": (
        {
            "affinity": {
                "podAffinity": {
                    _PREFERRED: [{"weight": 0, "podAffinityTerm": {"topologyKey": _ZONE, "labelSelector": _SELECTOR}}]
                }
            }
        },
        f"spec.affinity.podAffinity.{_PREFERRED}[0].weight",
    ),
    "anti-affinity-without-key": (
        _anti(topologyKey=""),
        f"spec.affinity.podAntiAffinity.{_REQUIRED}[0].topologyKey",
    ),
    "selector-without-values": (
        _anti(labelSelector={"matchExpressions": [{"key": "app", "operator": "In"}]}),
        f"spec.affinity.podAntiAffinity.{_REQUIRED}[0].labelSelector.matchExpressions[0].values",
    ),
    "no-node-term": (
        {"affinity": {"nodeAffinity": {_REQUIRED: {"nodeSelectorTerms": []}}}},
        f"spec.affinity.nodeAffinity.{_REQUIRED}.nodeSelectorTerms",
    ),
    "exists-with-values": (
        _nodes(matchExpressions=[{"key": "disk", "operator": "Exists", "values": ["ssd"]}]),
        f"spec.affinity.nodeAffinity.{_REQUIRED}.nodeSelectorTerms[0].matchExpressions[0].values",
    ),
    "greater-than-two": (
        _nodes(matchExpressions=[{"key": "cores", "operator": "Gt", "values": ["1", "2"]}]),
        f"spec.affinity.nodeAffinity.{_REQUIRED}.nodeSelectorTerms[0].matchExpressions[0].values",
    ),
    "two-names-of-a-node": (
        _nodes(matchFields=[{"key": "metadata.name", "operator": "In", "values": ["a", "b"]}]),
        f"spec.affinity.nodeAffinity.{_REQUIRED}.nodeSelectorTerms[0].matchFields[0].values",
    ),
    "node-selector-value": ({"nodeSelector": {"disk": "very fast"}}, "spec.nodeSelector.disk"),
    "two-containers-of-a-name": (
        {"containers": [{"name": "web", "image": "web:1"}, {"name": "web", "image": "web:2"}]},
        "spec.containers[1].name",
    ),
    "one-port-twice": (
        _ports({"containerPort": 80, "hostPort": 80}, {"containerPort": 81, "hostPort": 80}),
        "spec.containers[0].ports[1].hostPort",
    ),
    "another-port-of-the-host": (
        _ports({"containerPort": 80, "hostPort": 81}, hostNetwork=True),
        "spec.containers[0].ports[0].hostPort",
    ),
    "one-gate-twice": (
        {"schedulingGates": [{"name": "example.com/wait"}, {"name": "example.com/wait"}]},
        "spec.schedulingGates[1].name",
    ),
}
