"""The workloads of the test world: every kind of owner, and every kind of constraint that the scheduler knows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.controlplane.kubelet import STATE, State
from tests.controlplane.manifests import (
    HOST,
    PREFERRED,
    REQUIRED,
    ZONE,
    budget,
    claim,
    claim_volume,
    container,
    near,
    node_affinity,
    node_terms,
    owner,
    pod_spec,
    selecting,
    service,
    spread,
    template,
    tolerating,
    weighted,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.controlplane.api import Object

TEAMS = {"shop": "shop", "data": "data", "batch": "platform", "ops": "platform", "lab": "research"}
"""The namespaces, and of each the label `team`."""
GPU = "example.com/gpu"
FULL_SIZE = 3000
_IN_BATCH: Object = {"nodeSelector": {"pool": "batch"}, "tolerations": [tolerating("dedicated", "batch")]}
_IN_INFRA: Object = {"nodeSelector": {"pool": "infra"}, "tolerations": [tolerating("dedicated", "infra")]}


@dataclass(frozen=True, slots=True)
class Workload:
    """What is created for a number of pods that are alike, in this order; `pods` is how many there will be."""

    name: str
    namespace: str
    pods: int
    objects: list[Object] = field(repr=False)


class Catalogue:
    """All workloads, for about so many pods in all. Limits that matter grow and shrink with the numbers."""

    def __init__(self, pods: int) -> None:
        self._scale = pods / FULL_SIZE

    def workloads(self) -> list[Workload]:
        rooms = (self._shop(), self._data(), self._volumes(), self._batch(), self._ops(), self._lab())
        return [workload for room in rooms for workload in room]

    def urgent(self) -> Workload:
        """Return what comes later and drives others away."""
        spec = pod_spec(containers=[container(cpu="1")], priorityClassName="urgent", **_IN_BATCH)
        return self._deployment("batch", "urgent", 10, spec, is_scaled=False)

    def scaled(self, count: int) -> int:
        return max(1, round(count * self._scale))

    def _deployment(
        self,
        namespace: str,
        name: str,
        count: int,
        spec: Object,
        *beside: Object,
        is_scaled: bool = True,
        **labels: str,
    ) -> Workload:
        replicas = self.scaled(count) if is_scaled else count
        wanted = {
            "replicas": replicas,
            "selector": selecting(name),
            "template": template(name, spec, labels=labels),
            "strategy": {"rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "10%"}},
        }
        return Workload(name, namespace, replicas, [*beside, owner("apps/v1", "Deployment", namespace, name, wanted)])

    def _spread(self, name: str, count: int, *constraints: Object, **spec: Any) -> Workload:
        return self._deployment("shop", name, count, pod_spec(topologySpreadConstraints=list(constraints), **spec))

    def _shop(self) -> Iterator[Workload]:
        made = self._deployment
        yield made(
            "shop",
            "web",
            300,
            pod_spec(containers=[container(cpu="250m", memory="128Mi")]),
            service("shop", "web"),
            budget("shop", "web", "web", maxUnavailable="2%"),
        )
        yield made("shop", "api", 260, pod_spec(containers=[container(cpu="200m")]))
        yield made("shop", "fast", 120, pod_spec(nodeSelector={"disktype": "ssd"}))
        yield made("shop", "tape", 4, pod_spec(nodeSelector={"disktype": "tape"}), is_scaled=False)
        required = (
            node_terms((ZONE, "In", ["zone-a", "zone-b"]), ("generation", "Gt", ["2"])),
            node_terms((ZONE, "NotIn", ["zone-a", "zone-b"]), ("disktype", "Exists", [])),
        )
        yield made("shop", "zonal", 120, pod_spec(affinity=node_affinity(*required)))
        preferred = {
            70: node_terms(("generation", "Lt", ["3"])),
            30: node_terms((ZONE, "In", ["zone-d"]), ("disktype", "In", ["hdd"])),
        }
        yield made("shop", "choosy", 180, pod_spec(affinity=node_affinity(preferred=preferred)))
        yield self._spread("front", 160, spread("front", ZONE, matchLabelKeys=["pod-template-hash"]))
        yield self._spread("one-each", 140, spread("one-each", HOST))
        yield self._spread("loose", 160, spread("loose", ZONE, hard=False), spread("loose", HOST, skew=2, hard=False))
        yield self._deployment(
            "shop",
            "five-zones",
            12,
            pod_spec(topologySpreadConstraints=[spread("five-zones", ZONE, skew=2, minDomains=5)]),
            is_scaled=False,
        )
        yield self._spread("untainted", 90, spread("untainted", ZONE, skew=2, nodeTaintsPolicy="Honor"))
        yield self._spread(
            "two-zones",
            48,
            spread("two-zones", ZONE, skew=self.scaled(20), nodeAffinityPolicy="Ignore"),
            affinity=node_affinity(node_terms((ZONE, "In", ["zone-a", "zone-b"]))),
        )

    def _data(self) -> Iterator[Workload]:
        made = self._deployment
        yield made(
            "data",
            "cache",
            40,
            pod_spec(affinity={"podAntiAffinity": {REQUIRED: [near("cache", HOST)]}}),
            service("data", "cache"),
        )
        yield made("data", "near-cache", 100, pod_spec(affinity={"podAffinity": {REQUIRED: [near("cache", ZONE)]}}))
        # As many as fit on the first one's node.
        together = pod_spec(affinity={"podAffinity": {REQUIRED: [near("together", HOST)]}})
        together["containers"] = [container(cpu="900m")]
        yield made("data", "together", 20, together, is_scaled=False)
        shop = {"matchExpressions": [{"key": "team", "operator": "In", "values": ["shop"]}]}
        friendly = {
            "podAffinity": {PREFERRED: [weighted(80, near("web", ZONE, namespaceSelector=shop))]},
            "podAntiAffinity": {PREFERRED: [weighted(40, near("friends", HOST)), weighted(5, near("api", HOST))]},
        }
        yield made("data", "friends", 90, pod_spec(affinity=friendly))
        alone = near("loners", HOST, namespaceSelector={})
        yield made("data", "loners", 40, pod_spec(affinity={"podAntiAffinity": {REQUIRED: [alone]}}))
        # More than there are zones; nodes without a zone take the rest.
        yield made(
            "data",
            "rivals",
            9,
            pod_spec(affinity={"podAntiAffinity": {REQUIRED: [near("rivals", ZONE)]}}),
            is_scaled=False,
        )
        by_release = near("releases", HOST, matchLabelKeys=["pod-template-hash"], namespaces=["data"])
        yield made("data", "releases", 30, pod_spec(affinity={"podAntiAffinity": {REQUIRED: [by_release]}}))

    def _volumes(self) -> Iterator[Workload]:
        mounted = pod_spec(containers=[container(volumeMounts=[{"name": "data", "mountPath": "/data"}])])
        for name, storage, count in (("db", "local", 12), ("starved", "empty", 3)):
            wanted = {
                "replicas": count,
                "serviceName": name,
                "podManagementPolicy": "Parallel",
                "selector": selecting(name),
                "template": template(name, mounted),
                "volumeClaimTemplates": [claim("data", storage=storage)],
            }
            yield Workload(name, "data", count, [owner("apps/v1", "StatefulSet", "data", name, wanted)])
        ordered = {"replicas": 8, "serviceName": "ordered", "selector": selecting("ordered")}
        ordered["template"] = template(
            "ordered", pod_spec(affinity={"podAntiAffinity": {REQUIRED: [near("ordered", HOST)]}})
        )
        yield Workload("ordered", "data", 8, [owner("apps/v1", "StatefulSet", "data", "ordered", ordered)])
        shared = claim("shared", storage="zonal", mode="ReadWriteMany", namespace="data")
        shared["spec"]["volumeName"] = "shared"
        yield self._deployment("data", "readers", 20, pod_spec(volumes=[claim_volume("shared")]), shared)
        unbound = claim("unbound", storage="immediate", namespace="lab")
        for name, what in (("unbound", [unbound]), ("missing", [])):
            pods = [
                _bare("lab", f"{name}-{number}", name, pod_spec(volumes=[claim_volume(name)])) for number in range(2)
            ]
            yield Workload(name, "lab", len(pods), [*what, *pods])

    def _batch(self) -> Iterator[Workload]:
        cheap = pod_spec(containers=[container(cpu="500m")], priorityClassName="cheap", **_IN_BATCH)
        yield self._deployment(
            "batch", "filling", 46, cheap, budget("batch", "filling", "filling", minAvailable=40), is_scaled=False
        )
        polite = pod_spec(containers=[container(cpu="1500m")], priorityClassName="polite", **_IN_BATCH)
        yield self._deployment("batch", "polite", 3, polite, is_scaled=False)
        for name, count, state in (("once", 120, State.SUCCEEDED), ("broken", 10, State.FAILED)):
            pods = self.scaled(count)
            spec = pod_spec(restartPolicy="Never")
            wanted = {
                "completions": pods,
                "parallelism": max(1, pods // 2),
                "backoffLimit": 0,
                "template": template(name, spec, annotations={STATE: state}),
            }
            yield Workload(name, "batch", pods, [owner("batch/v1", "Job", "batch", name, wanted)])
        replicas = self.scaled(80)
        wanted = {"replicas": replicas, "selector": selecting("plain"), "template": template("plain", pod_spec())}
        yield Workload("plain", "batch", replicas, [owner("apps/v1", "ReplicaSet", "batch", "plain", wanted)])

    def _ops(self) -> Iterator[Workload]:
        ports = [{"containerPort": 9100, "hostPort": 9100}]
        for name, spec, count in (
            ("agent", pod_spec(tolerations=[{"operator": "Exists"}], priorityClassName="urgent"), 200),
            ("disks", pod_spec(nodeSelector={"disktype": "ssd"}, containers=[container(ports=ports)]), 60),
        ):
            wanted = {"selector": selecting(name), "template": template(name, spec)}
            yield Workload(name, "ops", count, [owner("apps/v1", "DaemonSet", "ops", name, wanted)])
        made = self._deployment
        listening = container(ports=[{"containerPort": 8080, "hostPort": 8080}])
        yield made(
            "ops", "ports", 44, pod_spec(containers=[listening], nodeSelector={"pool": "large"}), is_scaled=False
        )
        yield made("ops", "infra", 60, pod_spec(**_IN_INFRA))
        tolerations = [tolerating(GPU)]
        for name, count, amount in (("training", 36, "1"), ("huge-model", 3, "8")):
            asking = container(cpu="500m", extended={GPU: amount})
            yield made("ops", name, count, pod_spec(containers=[asking], tolerations=tolerations), is_scaled=False)
        initial = [container("migrate", cpu="400m"), container("mesh", cpu="50m", restartPolicy="Always")]
        yield made("ops", "sidecars", 70, pod_spec(initContainers=initial, runtimeClassName="sandboxed"))

    def _lab(self) -> Iterator[Workload]:
        made = self._deployment
        gates = [{"name": "example.com/quota"}, {"name": "example.com/review"}]
        yield made("lab", "gated", 24, pod_spec(schedulingGates=gates), is_scaled=False)
        yield made("lab", "giants", 3, pod_spec(containers=[container(cpu="60")]), is_scaled=False)
        yield made("lab", "pictures", 80, pod_spec(containers=[container(image="registry.example.com/vision:2")]))
        yield made("lab", "spot", 100, pod_spec(tolerations=[tolerating("spot", "true")]))
        two = (budget("lab", "first", "doubly", maxUnavailable=1), budget("lab", "second", "doubly", minAvailable=1))
        yield made("lab", "doubly", 6, pod_spec(), *two, is_scaled=False)
        # The namespace's LimitRange says what these ask for.
        modest = [{"name": "main", "image": "app:1"}]
        yield made("lab", "modest", 60, pod_spec(containers=modest))
        pods = [_bare("lab", f"alone-{number}", "alone", pod_spec()) for number in range(20)]
        pods += [
            _bare("lab", f"pinned-{number}", "pinned", pod_spec(nodeName=f"node-{number:04}")) for number in range(4)
        ]
        pods.append(_bare("lab", "foreign", "foreign", pod_spec(schedulerName="somebody-else")))
        yield Workload("alone", "lab", len(pods), pods)


def _bare(namespace: str, name: str, app: str, spec: Object) -> Object:
    pod = owner("v1", "Pod", namespace, name, spec)
    pod["metadata"]["labels"] = {"app": app}
    return pod
