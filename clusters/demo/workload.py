"""Parts of pod specs: what pods ask of the nodes and pods around them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from clusters.demo import devices, storage
from clusters.demo.identity import Document, Fields, ago, metadata, number, suffix, uid, written
from clusters.demo.nodes import ARCHITECTURE, HOSTNAME, POOL, ZONE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"

AMD64: Fields = {"nodeSelector": {ARCHITECTURE: "amd64"}}
TOLERATES_GPU: Fields = {"tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}]}


def on_pool(pool: str, **labels: str) -> Fields:
    """Ask for the nodes of one pool."""
    return {"nodeSelector": {POOL: pool, **labels}}


def dedicated(pool: str, use: str) -> Fields:
    """Ask for a pool that is kept for one use."""
    toleration = {"key": "dedicated", "operator": "Equal", "value": use, "effect": "NoSchedule"}
    return {**on_pool(pool), "tolerations": [toleration]}


def spread(app: str, *, by: str = ZONE, hard: bool = False, **more: Any) -> Fields:
    """Spread the pods of an app evenly over zones, or over something else."""
    constraint: Document = {
        "maxSkew": 1,
        "topologyKey": by,
        "whenUnsatisfiable": "DoNotSchedule" if hard else "ScheduleAnyway",
        "labelSelector": {"matchLabels": {"app": app}},
        **more,
    }
    return {"topologySpreadConstraints": [constraint]}


def apart(labels: dict[str, str], *, by: str = HOSTNAME, hard: bool = True, **more: Any) -> Fields:
    """Keep away from pods with these labels; ``more`` fields of the term say in which namespaces."""
    return {"affinity": {"podAntiAffinity": _terms(labels, by, hard=hard, **more)}}


def near(labels: dict[str, str], *, by: str = ZONE, hard: bool = True) -> Fields:
    """Go where pods with these labels are."""
    return {"affinity": {"podAffinity": _terms(labels, by, hard=hard)}}


def _terms(labels: dict[str, str], by: str, *, hard: bool, **more: Any) -> Document:
    term: Document = {"labelSelector": {"matchLabels": labels}, "topologyKey": by, **more}
    return {_REQUIRED: [term]} if hard else {_PREFERRED: [{"weight": 100, "podAffinityTerm": term}]}


def with_label(key: str, *values: str) -> Fields:
    """Go only to nodes with one of these values."""
    expression = {"key": key, "operator": "In", "values": list(values)}
    return {"affinity": {"nodeAffinity": {_REQUIRED: {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}}}}


def rather(key: str, *values: str, weight: int = 50) -> Fields:
    """Prefer nodes with one of these values."""
    expression = {"key": key, "operator": "In", "values": list(values)}
    return {
        "affinity": {
            "nodeAffinity": {_PREFERRED: [{"weight": weight, "preference": {"matchExpressions": [expression]}}]}
        }
    }


def with_claim(*claims: str) -> Fields:
    """Mount existing claims."""
    return {"volumes": [{"name": claim, "persistentVolumeClaim": {"claimName": claim}} for claim in claims]}


# Work that can be interrupted goes where it is cheap.
SPOT: Fields = {
    "tolerations": [{"key": "shop.example/spot", "operator": "Exists"}],
    **rather(POOL, "spot", weight=100),
}


# Workloads, and the pods that their controllers make.

PRIORITIES = {
    "system-node-critical": 2_000_001_000,
    "system-cluster-critical": 2_000_000_000,
    "business-critical": 100_000,
    "patient": 50_000,
    "standard": 1_000,
    "batch-low": -100,
}
# The class that never preempts: it queues ahead, but takes nothing away.
PATIENT = "patient"

_API_VERSIONS = {"Job": "batch/v1"}
# What the API server fills in where nobody says how to update.
_UPDATES: dict[str, Document] = {
    "Deployment": {
        "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"}}
    },
    "StatefulSet": {
        "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 0}},
        "podManagementPolicy": "OrderedReady",
    },
    "DaemonSet": {"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 0, "maxUnavailable": 1}}},
}
# The admission plugin DefaultTolerationSeconds gives these to every pod.
_DEFAULT_TOLERATIONS = [
    {"key": f"node.kubernetes.io/{key}", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}
    for key in ("not-ready", "unreachable")
]
# The DaemonSet controller gives these to its pods.
_DAEMON_TOLERATIONS = [
    *(
        {"key": f"node.kubernetes.io/{key}", "operator": "Exists", "effect": "NoExecute"}
        for key in ("not-ready", "unreachable")
    ),
    *(
        {"key": f"node.kubernetes.io/{key}", "operator": "Exists", "effect": "NoSchedule"}
        for key in ("disk-pressure", "memory-pressure", "pid-pressure", "unschedulable")
    ),
]


class Claim(Struct, frozen=True):
    """A volumeClaimTemplate of a StatefulSet; size in GiB."""

    name: str
    storage_class: str
    size: int


class Workload(Struct, frozen=True):
    """A controller and its pods. CPU in milli-CPU, memory in MiB.

    ``on`` names the nodes of the first pods, which the scheduler chooses for the others; the last ``pending`` pods have
    no node, and ``shows`` says what there is to see about them. ``kind`` Pod is a single pod without a controller.
    ``gpu_template`` names the ResourceClaimTemplate from which each pod has a claim.
    """

    namespace: str
    name: str
    replicas: int
    cpu: int
    memory: int
    kind: str = "Deployment"
    priority: str = "standard"
    spec: Fields = field(default_factory=dict)
    labels: Fields = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    extended: Fields = field(default_factory=dict)
    gpu_template: str = ""
    ports: tuple[int, ...] = ()
    on: tuple[str, ...] = ()
    pending: int = 0
    shows: str = ""
    nominated: str = ""
    phase: str = "Running"
    crashing: int = 0

    @property
    def selector(self) -> dict[str, str]:
        return {"app": self.name}

    @property
    def replica_set(self) -> str:
        return f"{self.name}-{self._template_hash}"

    @property
    def _template_hash(self) -> str:
        return suffix(f"{self.namespace}/{self.name}", 10)

    def pod_names(self) -> list[str]:
        """Return the names of all pods, the pending ones last."""
        if self.kind == "Pod":
            return [self.name]
        if self.kind == "StatefulSet":
            return [f"{self.name}-{ordinal}" for ordinal in range(self.replicas)]
        stem = self.replica_set if self.kind == "Deployment" else self.name
        return [f"{stem}-{suffix(f'{self.namespace}/{stem}/{index}', 5)}" for index in range(self.replicas)]

    def story_pods(self) -> list[str]:
        """Return ``namespace/name`` of the pods that something is shown with."""
        names = self.pod_names()
        return [f"{self.namespace}/{name}" for name in names[len(names) - self.pending :]] if self.shows else []

    def pods(self) -> list[Document]:
        """Return all pods, none of which lies anywhere yet but those ``on`` a node."""
        return [self._pod(name, index) for index, name in enumerate(self.pod_names())]

    def template_claims(self) -> list[Document]:
        """Return the claims that a StatefulSet makes for its pods, all of them unbound."""
        return [
            storage.unbound_claim(self.namespace, f"{template.name}-{pod}", template.storage_class, template.size)
            for pod in self.pod_names()
            for template in self.claims
        ]

    def another_pod(self, seed: str, created: datetime, *, node: str = "", revision: str = "") -> Document:
        """Return a pod beside those of today, pending: of another revision where one is named, and for a node of a
        DaemonSet's.
        """
        stem = self.name if self.kind in ("DaemonSet", "Job") else f"{self.name}-{self._hash_of(revision)}"
        pod = self._pod(f"{stem}-{suffix(f'{self.namespace}/{stem}/{seed}', 5)}", self.replicas)
        fields, spec = pod["metadata"], pod["spec"]
        fields["creationTimestamp"] = written(created)
        if revision:
            fields["labels"]["pod-template-hash"] = self._hash_of(revision)
            fields["ownerReferences"][0] |= {
                "name": stem,
                "uid": uid("ReplicaSet", self.namespace, stem),
            }
            spec["containers"][0]["image"] += f"-{revision}"
        if node:
            spec["affinity"] = _only_on(node)
        return pod

    def _hash_of(self, revision: str) -> str:
        return suffix(f"{self.namespace}/{self.name}/{revision}", 10) if revision else self._template_hash

    def _pod(self, name: str, index: int) -> Document:
        labels = {**self.selector, "team": self.namespace, **self.labels}
        if self.kind == "Deployment":
            labels["pod-template-hash"] = self._template_hash
        if self.kind == "StatefulSet":
            labels["apps.kubernetes.io/pod-index"] = str(index)
        seed = f"{self.namespace}/{name}"
        is_pending = index >= self.replicas - self.pending
        age = {"minutes": 3 + number(seed, 50)} if is_pending else {"hours": 5 + number(seed, 700)}
        fields: Document = {"labels": labels, "creationTimestamp": ago(**age)}
        if self.kind != "Pod":
            fields["ownerReferences"] = [self._owner()]
        spec = self._spec(name)
        if index < len(self.on):
            node = self.on[index]
            if self.kind == "DaemonSet":
                spec["affinity"] = _only_on(node)
            if not is_pending or self.kind == "Pod":
                spec["nodeName"] = node
        return {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": metadata("Pod", name, self.namespace, **fields),
            "spec": spec,
            "status": {"phase": "Pending", "qosClass": "Burstable"},
        }

    def _owner(self) -> Document:
        kind, name = ("ReplicaSet", self.replica_set) if self.kind == "Deployment" else (self.kind, self.name)
        return {
            "apiVersion": _API_VERSIONS.get(kind, "apps/v1"),
            "kind": kind,
            "name": name,
            "uid": uid(kind, self.namespace, name),
            "controller": True,
        }

    def _spec(self, pod: str) -> Document:
        """Return the spec of a pod: its template's with what the controller and the API server add."""
        spec = self._template_spec()
        daemon = _DAEMON_TOLERATIONS if self.kind == "DaemonSet" else _DEFAULT_TOLERATIONS
        spec |= {
            "priority": PRIORITIES[self.priority],
            "preemptionPolicy": "Never" if self.priority == PATIENT else "PreemptLowerPriority",
            "tolerations": [*spec.get("tolerations", ()), *daemon],
        }
        if self.claims:
            spec["volumes"] = [
                *spec.get("volumes", ()),
                *(
                    {"name": claim.name, "persistentVolumeClaim": {"claimName": f"{claim.name}-{pod}"}}
                    for claim in self.claims
                ),
            ]
        return spec

    def _template_spec(self) -> Document:
        """Return the spec that somebody wrote, which is the same for all pods."""
        requests = {"cpu": f"{self.cpu}m", "memory": f"{self.memory}Mi", **self.extended}
        container: Document = {
            "name": self.name,
            "image": self.image,
            "resources": {"requests": requests, "limits": {"memory": f"{self.memory}Mi", **self.extended}},
        }
        if self.ports:
            container["ports"] = [{"containerPort": port, "hostPort": port, "protocol": "TCP"} for port in self.ports]
        own = dict(self.spec)
        if self.gpu_template:
            claims, of_container = devices.pod_fields(self.gpu_template)
            own |= claims
            container["resources"] |= of_container
        return {
            "containers": [container],
            "restartPolicy": "Never" if self.kind == "Job" else "Always",
            "priorityClassName": self.priority,
            "schedulerName": "default-scheduler",
            **own,
        }

    @property
    def image(self) -> str:
        repository = f"{self.namespace}/{self.name}"
        return f"registry.shop.example/{repository}:{1 + number(repository, 40)}.{number(f'{repository}:minor', 9)}"

    def controllers(self) -> Iterator[Document]:
        """Yield the objects that stand behind the pods, and the service in front of them."""
        if self.kind == "Pod":
            return
        labels = {**self.selector, "team": self.namespace, **self.labels}
        body: Document = {
            "replicas": self.replicas,
            "selector": {"matchLabels": self.selector},
            "template": {"metadata": {"labels": labels}, "spec": self._template_spec()},
        }
        if self.claims:
            body["volumeClaimTemplates"] = [
                {"metadata": {"name": claim.name}, "spec": storage.claim_spec(claim.storage_class, claim.size)}
                for claim in self.claims
            ]
        status: Document = {"replicas": self.replicas, "readyReplicas": self.replicas - self.pending - self.crashing}
        if self.kind == "DaemonSet":
            status = {"desiredNumberScheduled": body.pop("replicas")}
        if self.kind == "Job":
            body["parallelism"] = body.pop("replicas")
            status = _job_status(self.phase, body["parallelism"])
        yield {
            "apiVersion": _API_VERSIONS.get(self.kind, "apps/v1"),
            "kind": self.kind,
            "metadata": metadata(self.kind, self.name, self.namespace, labels=labels),
            "spec": {**body, **_UPDATES.get(self.kind, {})},
            "status": status,
        }
        if self.kind == "Deployment":
            owner = {
                "apiVersion": "apps/v1",
                "kind": "Deployment",
                "name": self.name,
                "uid": uid("Deployment", self.namespace, self.name),
                "controller": True,
            }
            yield {
                "apiVersion": "apps/v1",
                "kind": "ReplicaSet",
                "metadata": metadata(
                    "ReplicaSet", self.replica_set, self.namespace, labels=labels, ownerReferences=[owner]
                ),
                "spec": body,
                "status": status,
            }
        if self.kind in ("Deployment", "StatefulSet"):
            yield {
                "apiVersion": "v1",
                "kind": "Service",
                "metadata": metadata("Service", self.name, self.namespace),
                "spec": {"selector": self.selector},
            }


def everywhere(namespace: str, name: str, nodes: tuple[str, ...], cpu: int, memory: int, **fields: object) -> Workload:
    """Return a DaemonSet with a pod on each of the nodes, whatever their taints."""
    return Workload(
        namespace,
        name,
        len(nodes),
        cpu,
        memory,
        kind="DaemonSet",
        on=nodes,
        spec={"tolerations": [{"operator": "Exists"}]},
        **fields,  # type: ignore[arg-type]
    )


def pinned_to(node: str) -> Fields:
    """Return a spec with a node selector for the host name of one node."""
    return {"nodeSelector": {HOSTNAME: node}}


def _only_on(node: str) -> Document:
    """Return the affinity that the DaemonSet controller gives to its pod for a node."""
    terms = [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": [node]}]}]
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}


def _job_status(phase: str, pods: int) -> Document:
    """Return what the Job controller says of so many pods that ended; of those that failed it creates others."""
    if phase == "Succeeded":
        return {"succeeded": pods, "conditions": [{"type": "Complete", "status": "True"}]}
    return {"failed": pods} if phase == "Failed" else {}
