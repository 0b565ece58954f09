"""The objects of a part of a cluster, as a lesson writes them: with what scheduling reads, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.adapters.prune import KINDS
from clusters.engine.admission.priority import BUILT_IN
from clusters.engine.objects import Pod, metadata, name_of, namespace_of, placement_volumes

# ImageLocality by name: it finds images by references with their default tag.
from clusters.engine.plugins.image_locality import canonical_image
from clusters.engine.resources.requests import CPU

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from clusters.engine import Snapshot
    from clusters.engine.objects import Document, Node
    from clusters.services.taken_lessons.part import Part
    from clusters.services.taken_lessons.states import TakenState

# Whole, as few of them are read together with nodes and pods that are not in the part.
_OF_THE_CLUSTER: Final = ("RuntimeClass", "StorageClass", "CSIDriver", "DeviceClass", "DeviceTaintRule")
# In the namespace of the pod in question: what its default spreading and its group follow from.
_BESIDE_THE_POD: Final = (
    "Service",
    "ReplicationController",
    "ReplicaSet",
    "StatefulSet",
    "Workload",
    "PodGroup",
    "CompositePodGroup",
)
# Of a pod that is on a node: what other pods are scheduled by.
_OF_A_PLACED_POD: Final = (
    "hostNetwork",
    "initContainers",
    "nodeName",
    "overhead",
    "preemptionPolicy",
    "priority",
    "resourceClaims",
    "resources",
    "runtimeClassName",
    "schedulerName",
    "schedulingGroup",
    "workloadRef",
)
_OF_A_STATUS: Final = (
    "phase",
    "startTime",
    "nominatedNodeName",
    "resources",
    "allocatedResources",
    "resize",
    "resourceClaimStatuses",
    "extendedResourceClaimStatus",
    "nodeAllocatableResourceClaimStatuses",
)
_OF_A_CONTAINER: Final = ("name", "ports", "resources", "restartPolicy")
_IDENTITY: Final = ("name", "namespace", "labels", "uid", "ownerReferences", "creationTimestamp", "deletionTimestamp")
_DEFAULT_POLICY: Final = "PreemptLowerPriority"


def objects_of(state: TakenState, part: Part) -> list[Document]:
    """Return the objects of a part in the order in which a snapshot is read, the pod in question at last."""
    snapshot, subject = state.explanation.snapshot, state.explanation.pod.document
    images = {canonical_image(each) for each in (*state.explanation.pod.images, *state.explanation.pod.volume_images)}
    nodes = [_node(snapshot.nodes.nodes[snapshot.nodes.index[name]], images) for name in part.nodes]
    pods = [_placed(snapshot, each) for each in state.pods_named(part.pods)]
    own = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": _metadata(subject),
        "spec": {key: each for key, each in (subject.get("spec") or {}).items() if key != "nodeName"},
        "status": {**_some(subject.get("status") or {}, _OF_A_STATUS), "phase": "Pending"},
    }
    every = [*pods, own]
    classes = _PriorityClasses()
    every = [classes.named(each) for each in every]
    namespaces = {namespace_of(each) for each in every}
    found = [*nodes, *classes.documents, *_namespaces(snapshot, namespaces), *_around(snapshot, part, every)]
    return [*found, *every]


def _node(node: Node, images: Collection[str]) -> Document:
    """A node as its kubelet and its owners wrote it; ``images``: those that the pod in question asks for."""
    spec: dict[str, Any] = {}
    if node.taints:
        spec["taints"] = [_taint(each.key, each.value, str(each.effect)) for each in node.taints]
    if node.unschedulable:
        spec["unschedulable"] = True
    if node.refuses_resizes:
        spec["podPreemptionPolicy"] = {"disableResizePreemption": ["true"]}
    amounts = {name: f"{number}m" if name == CPU else str(number) for name, number in node.allocatable.items()}
    status: dict[str, Any] = {"capacity": amounts}
    found = {name: size for name, size in node.images.items() if name in images}
    if found:
        status["images"] = [{"names": [name], "sizeBytes": size} for name, size in found.items()]
    if node.features:
        status["declaredFeatures"] = sorted(node.features)
    document = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": node.name, "labels": dict(node.labels)}}
    return {**document, **({"spec": spec} if spec else {}), "status": status}


def _taint(key: str, value: str, effect: str) -> Document:
    return {"key": key, **({"value": value} if value else {}), "effect": effect}


def _placed(snapshot: Snapshot, pod: Document) -> Document:
    """A pod on its node, or one for which a node is held."""
    given, status = pod.get("spec") or {}, _some(pod.get("status") or {}, _OF_A_STATUS)
    node = snapshot.placed_on(Pod(pod).key)
    spec = {
        **_some(given, _OF_A_PLACED_POD),
        "containers": [_container(each) for each in given.get("containers") or ()],
    }
    if "initContainers" in spec:
        spec["initContainers"] = [_container(each) for each in spec["initContainers"]]
    affinity = _some(given.get("affinity") or {}, ("podAffinity", "podAntiAffinity"))
    volumes = list(placement_volumes(given))
    spec |= {"affinity": affinity} if affinity else {}
    spec |= {"volumes": volumes} if volumes else {}
    if node is not None:
        spec["nodeName"] = node
        status.pop("nominatedNodeName", None)
    else:
        spec.pop("nodeName", None)
    phase = status.get("phase")
    status["phase"] = "Running" if node is not None and phase in (None, "Pending") else phase or "Pending"
    return {"apiVersion": "v1", "kind": "Pod", "metadata": _metadata(pod), "spec": spec, "status": status}


def _container(container: Mapping[str, Any]) -> dict[str, Any]:
    kept = _some(container, _OF_A_CONTAINER)
    kept["ports"] = [each for each in kept.get("ports") or () if each.get("hostPort")]
    return kept if kept["ports"] else {key: each for key, each in kept.items() if key != "ports"}


def _some(fields: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: fields[name] for name in names if fields.get(name) is not None}


def _metadata(document: Document) -> dict[str, Any]:
    return {"namespace": namespace_of(document), **_some(metadata(document), _IDENTITY)}


# No other class may have so high a value.
_BUILT_IN: Final = {(value, _DEFAULT_POLICY): name for name, value in BUILT_IN.items()}


class _PriorityClasses:
    """A class for each priority and policy of the pods, as priorities are given by classes alone."""

    def __init__(self) -> None:
        self._names: dict[tuple[int, str], str] = {}

    def named(self, pod: Document) -> Document:
        """Return a pod whose class has just its priority and its policy."""
        spec = dict(pod["spec"])
        key = Pod(pod).priority, str(spec.get("preemptionPolicy") or _DEFAULT_POLICY)
        spec.pop("priorityClassName", None)
        if key in _BUILT_IN:
            spec["priorityClassName"] = _BUILT_IN[key]
        elif key != (0, _DEFAULT_POLICY):
            spec["priorityClassName"] = self._names.setdefault(key, f"class-of-{key[0]}-{key[1].lower()}")
        return {**pod, "spec": spec}

    @property
    def documents(self) -> list[Document]:
        """The classes that were named."""
        return [
            {
                "apiVersion": "scheduling.k8s.io/v1",
                "kind": "PriorityClass",
                "metadata": {"name": name},
                "value": value,
                "preemptionPolicy": policy,
            }
            for (value, policy), name in sorted(self._names.items())
        ]


def _namespaces(snapshot: Snapshot, names: Iterable[str]) -> Iterator[Document]:
    for name in sorted(names):
        yield {
            "apiVersion": "v1",
            "kind": "Namespace",
            "metadata": {"name": name, "labels": dict(snapshot.namespace_labels(name))},
        }


def _around(snapshot: Snapshot, part: Part, pods: Sequence[Document]) -> Iterator[Document]:
    """Yield what else of the cluster the part is scheduled by."""
    own, nodes = namespace_of(pods[-1]), frozenset(part.nodes)
    namespaces = {namespace_of(each) for each in pods}
    for kind in _OF_THE_CLUSTER:
        yield from _typed(kind, snapshot.objects(kind))
    for kind in _BESIDE_THE_POD:
        yield from _typed(kind, snapshot.objects(kind, own))
    budgets = (each for each in snapshot.objects("PodDisruptionBudget") if namespace_of(each) in namespaces)
    yield from _typed("PodDisruptionBudget", budgets)
    claims, templates = _claimed(snapshot, pods)
    yield from _typed("PersistentVolumeClaim", claims)
    bound = {str((each.get("spec") or {}).get("volumeName") or "") for each in claims}
    free = (each for each in snapshot.objects("PersistentVolume") if name_of(each) in bound or not _claim_of(each))
    volumes = list(free) if claims else []
    yield from _typed("PersistentVolume", volumes)
    yield from _typed("CSINode", (each for each in snapshot.objects("CSINode") if name_of(each) in nodes))
    if claims:
        yield from _typed("CSIStorageCapacity", snapshot.objects("CSIStorageCapacity"))
        kept = {name_of(each) for each in volumes}
        for each in _typed("VolumeAttachment", snapshot.objects("VolumeAttachment")):
            spec = each.get("spec") or {}
            if spec.get("nodeName") in nodes and (spec.get("source") or {}).get("persistentVolumeName") in kept:
                yield each
    slices = (each for each in snapshot.objects("ResourceSlice") if _node_of(each) in {"", *nodes})
    yield from _typed("ResourceSlice", slices)
    yield from _typed("ResourceClaim", templates)


def _claimed(snapshot: Snapshot, pods: Sequence[Document]) -> tuple[list[Document], list[Document]]:
    """Return the volume claims and the device claims of pods, each once."""
    volumes: dict[tuple[str, str], Document] = {}
    devices: dict[tuple[str, str], Document] = {}
    for pod in pods:
        namespace, spec, status = namespace_of(pod), pod["spec"], pod["status"]
        named = [
            str((each.get("persistentVolumeClaim") or {}).get("claimName") or f"{name_of(pod)}-{each.get('name')}")
            for each in spec.get("volumes") or ()
            if each.get("persistentVolumeClaim") or each.get("ephemeral")
        ]
        for name in named:
            if found := snapshot.object("PersistentVolumeClaim", name, namespace):
                volumes[namespace, name] = found
        asked = [*(spec.get("resourceClaims") or ()), *(status.get("resourceClaimStatuses") or ())]
        asked += [status["extendedResourceClaimStatus"]] if status.get("extendedResourceClaimStatus") else []
        for name in (str(each.get("resourceClaimName") or "") for each in asked):
            if found := snapshot.object("ResourceClaim", name, namespace):
                devices[namespace, name] = found
    return list(volumes.values()), list(devices.values())


def _claim_of(volume: Document) -> str:
    return str(((volume.get("spec") or {}).get("claimRef") or {}).get("name") or "")


def _node_of(resource_slice: Document) -> str:
    return str((resource_slice.get("spec") or {}).get("nodeName") or "")


def _typed(kind: str, documents: Iterable[Document]) -> Iterator[Document]:
    """Yield objects with their kind, and the version that objects without any are taken to have."""
    for document in documents:
        yield {**document, "apiVersion": document.get("apiVersion") or KINDS[kind].versions[0], "kind": kind}
