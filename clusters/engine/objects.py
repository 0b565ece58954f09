"""Kubernetes objects as small typed values, parsed once.

Only what scheduling and disruption read is parsed; a pod keeps its dictionary for the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import product
from sys import intern
from typing import Any, Final

from msgspec import Struct, field

from clusters.engine.resources import (
    BY_CONTAINER,
    Amounts,
    Counting,
    deferred_amounts,
    image_sizes,
    node_amounts,
    non_zero_amounts,
    pod_amounts,
    scheduled_amounts,
    unhealthy_devices,
)
from clusters.engine.selectors import LabelSelector, SelectorError, SelectorFault
from clusters.engine.taints import Taint, Toleration

Labels = Mapping[str, str]
Document = Mapping[str, Any]

# Later than any real start time: a pod without one counts as starting now.
NOT_STARTED = 9_999_999_999_999_999


def metadata(document: Document) -> Document:
    """The metadata of an object, empty when it has none."""
    return document.get("metadata") or {}


def name_of(document: Document) -> str:
    """The name of an object."""
    return str(metadata(document).get("name", ""))


def namespace_of(document: Document) -> str:
    """The namespace of an object, ``default`` when it names none."""
    return str(metadata(document).get("namespace") or "default")


def key_of(document: Document) -> str:
    """``namespace/name`` of a namespaced object."""
    return f"{namespace_of(document)}/{name_of(document)}"


def labels_of(document: Document) -> dict[str, str]:
    """The labels of an object."""
    return dict(metadata(document).get("labels") or {})


def sortable_time(text: str | None) -> int:
    """An RFC 3339 time in UTC as an integer that sorts like it (seconds precision)."""
    if not text:
        return NOT_STARTED
    digits = "".join(filter(str.isdigit, text[:19]))
    return int(digits) if digits else NOT_STARTED


class AffinityTerm(Struct, frozen=True):
    """A pod (anti-)affinity term: which pods it means and over which topology.

    ``namespaces`` are named; ``namespace_selector`` adds namespaces by label (None adds none).
    """

    namespaces: frozenset[str]
    namespace_selector: LabelSelector | None
    selector: LabelSelector
    topology_key: str
    weight: int = 0

    @classmethod
    def from_dict(cls, data: Document, namespace: str, weight: int = 0) -> AffinityTerm:
        """Parse a PodAffinityTerm of a pod that lives in ``namespace``.

        Of two selectors that cannot be read the error is that of ``labelSelector``, as upstream reads it first
        (``newAffinityTerm`` in ``pkg/scheduler/framework/types.go`` v1.34.1).
        """
        named = data.get("namespaces") or []
        by_label = data.get("namespaceSelector")
        selector = LabelSelector.from_dict(data.get("labelSelector"))
        return cls(
            namespaces=frozenset(named) if named or by_label is not None else frozenset({namespace}),
            namespace_selector=None if by_label is None else LabelSelector.from_dict(by_label),
            selector=selector,
            topology_key=str(data.get("topologyKey", "")),
            weight=weight,
        )

    def matches(self, namespace: str, labels: Labels, namespace_labels: Labels) -> bool:
        """Whether the term means a pod with these labels in this namespace."""
        return self.selects_namespace(namespace, namespace_labels) and self.selector.matches(labels)

    def selects_namespace(self, namespace: str, namespace_labels: Labels) -> bool:
        if namespace in self.namespaces:
            return True
        return self.namespace_selector is not None and self.namespace_selector.matches(namespace_labels)


def _affinity_term(term: Document, namespace: str) -> AffinityTerm:
    """A required term as it is, or a preferred one with its weight."""
    weighted = term.get("podAffinityTerm")
    if weighted is None:
        return AffinityTerm.from_dict(term, namespace)
    return AffinityTerm.from_dict(weighted, namespace, int(term.get("weight") or 0))


class PodAffinity(Struct, frozen=True):
    """The four kinds of inter-pod terms of a pod."""

    required: tuple[AffinityTerm, ...] = ()
    required_anti: tuple[AffinityTerm, ...] = ()
    preferred: tuple[AffinityTerm, ...] = ()
    preferred_anti: tuple[AffinityTerm, ...] = ()
    errors: tuple[SelectorFault, ...] = ()

    @classmethod
    def from_dict(cls, affinity: Document, namespace: str) -> PodAffinity:
        """Parse the terms; a kind with a selector that Kubernetes would refuse counts as empty, as upstream."""
        errors: list[SelectorFault] = []

        def terms(kind: str, rule: str) -> tuple[AffinityTerm, ...]:
            found = (affinity.get(kind) or {}).get(f"{rule}DuringSchedulingIgnoredDuringExecution") or ()
            try:
                return tuple(_affinity_term(term, namespace) for term in found)
            except SelectorError as error:
                where = f"{rule}{kind.removeprefix('pod')}Terms"
                said = (f"{where}: {error.said(in_bytes=in_bytes)}" for in_bytes in (False, True))
                errors.append(SelectorFault(where, *said))
                return ()

        return cls(
            terms("podAffinity", "required"),
            terms("podAntiAffinity", "required"),
            terms("podAffinity", "preferred"),
            terms("podAntiAffinity", "preferred"),
            tuple(errors),
        )

    def __len__(self) -> int:
        """How many terms there are."""
        return len(self.required) + len(self.required_anti) + len(self.preferred) + len(self.preferred_anti)


class HostPort(Struct, frozen=True):
    """A port of the node that a container takes."""

    ip: str
    protocol: str
    port: int

    @classmethod
    def from_dict(cls, data: Document) -> HostPort:
        """Parse a container's port; the number is 0 where it takes none of the node."""
        ip, protocol = data.get("hostIP") or "0.0.0.0", data.get("protocol") or "TCP"  # noqa: S104
        return cls(ip, protocol, int(data.get("hostPort") or 0))

    def __str__(self) -> str:
        return f"{self.ip}:{self.port}/{self.protocol}"

    def conflicts(self, other: HostPort) -> bool:
        """Two ports collide when one of them binds every address or both bind the same."""
        if self.port != other.port or self.protocol != other.protocol:
            return False
        return "0.0.0.0" in (self.ip, other.ip) or self.ip == other.ip  # noqa: S104 - the wildcard is data here


def host_ports(spec: Document) -> tuple[HostPort, ...]:
    """The host ports of containers and sidecars; other init containers do not hold theirs."""
    sidecars = [entry for entry in spec.get("initContainers") or () if entry.get("restartPolicy") == "Always"]
    return tuple(
        port
        for container in (*sidecars, *(spec.get("containers") or ()))
        for port in map(HostPort.from_dict, container.get("ports") or ())
        if port.port > 0
    )


# Volumes of other kinds (secrets, config maps, empty directories ...) never restrict where a pod can go.
_PLACEMENT_VOLUMES = (
    "persistentVolumeClaim",
    "ephemeral",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "azureDisk",
    "azureFile",
    "cinder",
    "csi",
    "iscsi",
    "portworxVolume",
    "rbd",
    "vsphereVolume",
)


def placement_volumes(spec: Document) -> tuple[Document, ...]:
    """The pod's volumes that can restrict its placement, as in its spec."""
    return tuple(volume for volume in spec.get("volumes") or () if any(volume.get(k) for k in _PLACEMENT_VOLUMES))


class Pod:
    """A pod as the scheduler looks at it. Parts are parsed when first read.

    ``counting``: how its quantities are read.
    """

    def __init__(self, document: Document, counting: Counting = BY_CONTAINER) -> None:
        self.document = document
        self.counting = counting
        self.spec: Document = document.get("spec") or {}
        self.status: Document = document.get("status") or {}
        self.name = name_of(document)
        self.namespace = namespace_of(document)
        self.labels = labels_of(document)

    @property
    def key(self) -> str:
        return f"{self.namespace}/{self.name}"

    @property
    def uid(self) -> str:
        """The UID; hand-written pods have none and stand for themselves by name."""
        return str(metadata(self.document).get("uid") or self.key)

    @property
    def owner_uid(self) -> str:
        """The UID that objects made for the pod name as their owner's."""
        return str(metadata(self.document).get("uid") or "")

    @property
    def node_name(self) -> str:
        return str(self.spec.get("nodeName") or "")

    @property
    def nominated_node_name(self) -> str:
        return str(self.status.get("nominatedNodeName") or "")

    @property
    def scheduler_name(self) -> str:
        return str(self.spec.get("schedulerName") or "default-scheduler")

    @property
    def priority(self) -> int:
        return int(self.spec.get("priority") or 0)

    @property
    def preempts(self) -> bool:
        return self.spec.get("preemptionPolicy") != "Never"

    @property
    def finished(self) -> bool:
        return self.status.get("phase") in ("Succeeded", "Failed")

    @property
    def terminating(self) -> bool:
        return bool(metadata(self.document).get("deletionTimestamp"))

    @property
    def ready(self) -> bool:
        """Whether the kubelet reports the pod as ready, which is what disruption budgets call healthy."""
        for condition in self.status.get("conditions") or ():
            if condition.get("type") == "Ready":
                return bool(condition.get("status") == "True")
        return False

    @property
    def starting(self) -> bool:
        return self.status.get("phase") == "Pending"

    @property
    def terminating_by_preemption(self) -> bool:
        """Whether the pod is going because the scheduler took its place for another."""
        if not self.terminating:
            return False
        for condition in self.status.get("conditions") or ():
            if condition.get("type") == "DisruptionTarget":
                return (condition.get("status"), condition.get("reason")) == ("True", "PreemptionByScheduler")
        return False

    @property
    def created(self) -> int:
        """When the pod was created, as a number that sorts like it."""
        return sortable_time(metadata(self.document).get("creationTimestamp"))

    @property
    def start_time(self) -> int:
        """When the pod was started, as a number that sorts like it."""
        return sortable_time(self.status.get("startTime"))

    @property
    def scheduling_gates(self) -> tuple[str, ...]:
        return tuple(str(gate.get("name")) for gate in self.spec.get("schedulingGates") or ())

    @property
    def controller(self) -> Document | None:
        """The owner reference that controls the pod."""
        owners = metadata(self.document).get("ownerReferences") or ()
        return next((dict(owner) for owner in owners if owner.get("controller")), None)

    @cached_property
    def tolerations(self) -> tuple[Toleration, ...]:
        return tuple(Toleration.from_dict(entry) for entry in self.spec.get("tolerations") or ())

    @cached_property
    def affinity(self) -> PodAffinity:
        affinity = self.spec.get("affinity")
        return PodAffinity.from_dict(affinity, self.namespace) if affinity else PodAffinity()

    @cached_property
    def host_ports(self) -> tuple[HostPort, ...]:
        return host_ports(self.spec)

    @cached_property
    def volumes(self) -> tuple[Document, ...]:
        return placement_volumes(self.spec)

    @cached_property
    def images(self) -> tuple[str, ...]:
        """The images of init containers and containers, one an entry, in upstream's order."""
        kinds = ("initContainers", "containers")
        return tuple(str(each.get("image") or "") for kind in kinds for each in self.spec.get(kind) or ())

    @cached_property
    def volume_images(self) -> tuple[str, ...]:
        """The images that the pod mounts as volumes, one an entry."""
        mounted = (volume.get("image") for volume in self.spec.get("volumes") or ())
        return tuple(str(image.get("reference") or "") for image in mounted if image is not None)

    @cached_property
    def requests(self) -> Amounts:
        """What filtering asks of a node for this pending pod; nothing is the least that it takes a request for."""
        amounts = scheduled_amounts(pod_amounts(self.document, use_status=False, counting=self.counting))
        return {resource: max(0, number) for resource, number in amounts.items()}


class PodShape(Struct, frozen=True):
    """What placed pods of one making share: everything a node books for them but their volumes.

    ``requests`` and the non-zero pair are in base units; ``deferred`` of them is for a resize that is deferred.
    """

    requests: tuple[tuple[str, int], ...]
    non_zero_cpu: int
    non_zero_memory: int
    affinity: PodAffinity
    host_ports: tuple[HostPort, ...]
    deferred: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of(cls, pod: Pod, counting: Counting = BY_CONTAINER) -> PodShape:
        amounts = pod_amounts(pod.document, counting=counting)
        cpu, memory = non_zero_amounts(pod.document, amounts, counting)
        deferred, requests = deferred_amounts(pod.document, counting), sorted(scheduled_amounts(amounts).items())
        return cls(tuple(requests), cpu, memory, pod.affinity, pod.host_ports, deferred)


_CONTAINERS: Final = ("containerStatuses", "initContainerStatuses")
_ALLOCATED: Final = ("resources", "allocatedResources", "nodeAllocatableResourceClaimStatuses")
# Feature gates can be set otherwise than in any release by default.
_COUNTINGS: Final = tuple(Counting(*each) for each in product((False, True), repeat=4))
_SATURATING: Final = Counting(saturates=True)


def is_counted_variously(pod: Pod) -> bool:
    """Return whether releases disagree about what a pod on a node requests.

    They may where it is resized, where its devices take of the node's resources, and where it leaves int64.
    """
    if pod_amounts(pod.document) != pod_amounts(pod.document, counting=_SATURATING):
        return True
    status = pod.document.get("status") or {}
    of_containers = (each for role in _CONTAINERS for each in status.get(role) or ())
    if not any(field in part for part in (status, *of_containers) for field in _ALLOCATED):
        return False
    return len({PodShape.of(pod, counting) for counting in _COUNTINGS}) > 1


class Node(Struct, frozen=True):
    """A node as the scheduler looks at it; ``conditions`` (status by type) are for readers, not for it.

    ``features``: those that its kubelet declares. ``created``: when it came, as a number that sorts like it.
    ``refuses_resizes``: preemption is disabled for pods that are resized on it. ``unhealthy``: what its capacity has of
    extended resources and its allocatable has not. ``saturated``: what is allocatable as releases read it in which
    quantities stop at the ends of int64.
    """

    name: str
    labels: Mapping[str, str]
    taints: tuple[Taint, ...]
    unschedulable: bool
    allocatable: Mapping[str, int]
    images: Mapping[str, int]
    conditions: Mapping[str, str]
    features: frozenset[str]
    created: int
    refuses_resizes: bool = False
    unhealthy: tuple[tuple[str, int], ...] = ()
    saturated: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def from_dict(cls, document: Document) -> Node:
        spec, status = document.get("spec") or {}, document.get("status") or {}
        return cls(
            name=name_of(document),
            labels=labels_of(document),
            taints=tuple(Taint.from_dict(taint) for taint in spec.get("taints") or ()),
            unschedulable=bool(spec.get("unschedulable")),
            allocatable=node_amounts(status.get("allocatable")),
            images=image_sizes(status.get("images") or ()),
            conditions={
                intern(str(each.get("type"))): intern(str(each.get("status")))
                for each in status.get("conditions") or ()
            },
            features=frozenset(map(str, status.get("declaredFeatures") or ())),
            created=sortable_time(metadata(document).get("creationTimestamp")),
            refuses_resizes=bool((spec.get("podPreemptionPolicy") or {}).get("disableResizePreemption")),
            unhealthy=unhealthy_devices(status.get("capacity"), status.get("allocatable")),
            saturated=node_amounts(status.get("allocatable"), saturates=True),
        )
