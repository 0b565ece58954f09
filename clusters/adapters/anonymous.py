"""Objects of a cluster without anything that tells whose they are, so that anybody may look at them.

Every name that somebody gave becomes a neutral one: the same everywhere, in the same order, and pods are still called
after what they belong to. What Kubernetes' API itself says stays, by list. Verdicts and scores are therefore what they
were."""

from __future__ import annotations

import enum
import re
from itertools import chain, product
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from clusters.adapters.schema.checking import all_words
from clusters.engine.objects import Document, Pod, metadata, name_of
from clusters.engine.owners import Controller

# ImageLocality by name: it finds images by references with their default tag.
from clusters.engine.plugins.image_locality import canonical_image
from clusters.engine.selectors import key_fault, value_fault
from clusters.engine.versions import RELEASES
from clusters.problems.lessons import NamesReadInParts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from clusters.engine.problems import Problem

# CEL expressions over devices with other names: literals and attributes are replaced, everything else stays.

_TOKEN: Final = re.compile(
    r"""(?P<text>[rR]?(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'))|(?P<word>[A-Za-z_]\w*)|(?P<space>\s+)|(?P<sign>.)""",
    re.DOTALL,
)
# Their arguments are versions, amounts and times, not names.
_OF_AMOUNTS: Final = frozenset({"semver", "isSemver", "quantity", "isQuantity", "duration", "timestamp"})
# Whatever reads a part of a text, or makes another one of it.
_OF_PARTS: Final = frozenset(
    {
        "startsWith",
        "endsWith",
        "contains",
        "matches",
        "find",
        "findAll",
        "split",
        "replace",
        "lowerAscii",
        "upperAscii",
        "substring",
        "charAt",
        "indexOf",
        "lastIndexOf",
        "trim",
        "join",
        "reverse",
        "format",
    }
)
_OF_A_DEVICE: Final = frozenset({"driver", "attributes", "capacity", "allowMultipleAllocations"})


class RenamesWord(Protocol):
    """Returns what stands in the place of a literal or an attribute of an expression."""

    def __call__(self, text: str, *, is_attribute: bool) -> str: ...


class NamesReadInPartsError(ValueError):
    """An expression reads parts of names, which would be others under other names."""

    def __init__(self, function: str) -> None:
        super().__init__(function)
        self.problem: Problem = NamesReadInParts(function)


def rewritten_expression(expression: str, rename: RenamesWord) -> str:
    """Return an expression with other names. Raises NamesReadInPartsError."""
    tokens = [(str(found.lastgroup), found[0]) for found in _TOKEN.finditer(expression)]
    meant = [number for number, (kind, _) in enumerate(tokens) if kind != "space"]
    written = [text for _, text in tokens]
    for place, number in enumerate(meant):
        kind, text = tokens[number]
        before, after = _text_at(tokens, meant, place - 1), _text_at(tokens, meant, place + 1)
        if kind == "text" and not (before == "(" and _text_at(tokens, meant, place - 2) in _OF_AMOUNTS):
            quote = text[-1]
            inner = text.lstrip("rR")[1:-1]
            written[number] = f"{quote}{rename(inner, is_attribute=False)}{quote}"
        elif kind == "word" and before == ".":
            if after == "(" and text in _OF_PARTS:
                raise NamesReadInPartsError(text)
            if after != "(" and not (_text_at(tokens, meant, place - 2) == "device" and text in _OF_A_DEVICE):
                written[number] = rename(text, is_attribute=True)
    return "".join(written)


def _text_at(tokens: list[tuple[str, str]], meant: list[int], place: int) -> str:
    return tokens[meant[place]][1] if 0 <= place < len(meant) else ""


# Neutral names in the place of those that somebody gave: the same for the same text, in the same order.


class Noun(enum.Enum):
    """What a name is of. Of a text that names several things the first one here counts."""

    NODE = "node"
    NAMESPACE = "namespace"
    HASH = "h"
    APP = "app"
    POD = "pod"
    CLAIM = "claim"
    DEVICE_CLAIM = "device-claim"
    VOLUME = "volume"
    REGION = "region"
    ZONE = "zone"
    STORAGE_CLASS = "storage-class"
    PRIORITY_CLASS = "priority"
    RUNTIME_CLASS = "runtime"
    DEVICE_CLASS = "device-class"
    BUDGET = "budget"
    SERVICE = "service"
    GROUP = "group"
    POOL = "pool"
    DEVICE = "device"
    SLICE = "slice"
    OBJECT = "object"
    SCHEDULER = "scheduler"
    VOL = "vol"
    DISK = "disk"
    PART = "z"
    CONTAINER = "container"
    INSTANCE_TYPE = "type"
    VALUE = "value"
    # Those below are compared with nothing of the above.
    LABEL = "label"
    TAINT = "taint"
    IMAGE = "image"
    RESOURCE = "resource"
    DOMAIN = "domain"
    DRIVER = "driver"
    ATTRIBUTE = "attribute"
    MODEL = "model"
    UID = "uid"
    ADDRESS = "address"
    PLUGIN = "plugin"
    WORD = "word"


_ORDER: Final = {noun: number for number, noun in enumerate(Noun)}
# What is compared with one another has one name for one text, whatever else it names.
_KINDS_OF_NAMES: Final[tuple[frozenset[Noun], ...]] = (
    frozenset({Noun.LABEL, Noun.TAINT}),
    frozenset({Noun.DRIVER, Noun.ATTRIBUTE, Noun.MODEL}),
    *(
        frozenset({noun})
        for noun in (Noun.IMAGE, Noun.RESOURCE, Noun.DOMAIN, Noun.UID, Noun.ADDRESS, Noun.PLUGIN, Noun.WORD)
    ),
)
_APART: Final = {noun: number for number, nouns in enumerate(_KINDS_OF_NAMES, 1) for noun in nouns}
# Those of a StatefulSet's pods say something; a longer number is a name.
_LONGEST_ORDINAL: Final = 4


class NamesFound:
    """The names of some objects: first they are noted, then each is asked for."""

    def __init__(self) -> None:
        self._nouns: dict[tuple[int, str], Noun] = {}
        self._owners: dict[str, str] = {}
        self._joined: dict[str, tuple[str, str]] = {}
        self._texts: set[str] = set()

    def note(self, noun: Noun, text: str) -> str:
        """Note what a text names; returns the text itself."""
        key = _APART.get(noun, 0), text
        known = self._nouns.get(key)
        if known is None or _ORDER[noun] < _ORDER[known]:
            self._nouns[key] = noun
        self._texts.add(text.lower())
        return text

    def note_owner(self, pod: str, owner: str) -> None:
        """Note that a pod belongs to what has this name."""
        self._owners[pod] = owner

    def note_joined(self, text: str, first: str, second: str) -> None:
        """Note that a name is made of two others with a hyphen between them."""
        self._joined[text] = (first, second)

    def neutral(self) -> NeutralNames:
        """Give every text its neutral name."""
        return NeutralNames(_Assignment(self._nouns, self._owners, self._joined, self._texts).names())


class NeutralNames:
    """Neutral names by the texts in whose place they stand."""

    def __init__(self, names: Mapping[tuple[int, str], str]) -> None:
        self._names = names

    def of(self, noun: Noun, text: str) -> str:
        """Return the neutral name of a text that was noted."""
        return self._names[_APART.get(noun, 0), text]


class _Assignment:
    def __init__(
        self,
        nouns: dict[tuple[int, str], Noun],
        owners: Mapping[str, str],
        joined: Mapping[str, tuple[str, str]],
        texts: Iterable[str],
    ) -> None:
        self._nouns, self._owners, self._joined = nouns, owners, joined
        self._together = "\n".join(texts)
        self._names: dict[tuple[int, str], str] = {}

    def names(self) -> dict[tuple[int, str], str]:
        hashes = [text for (_, text), noun in self._nouns.items() if noun is Noun.HASH]
        for text in [text for (_, text), noun in self._nouns.items() if noun is Noun.APP]:
            found = next((each for each in hashes if text.endswith(f"-{each}") and len(text) > len(each) + 1), None)
            if found is not None:
                stem = text.removesuffix(f"-{found}")
                self._joined = {**self._joined, text: (stem, found)}
                self._nouns.setdefault((0, stem), Noun.APP)
        for text in [text for (_, text), noun in self._nouns.items() if noun is Noun.ZONE and text.count("-") == 2]:
            region, _, part = text.rpartition("-")
            self._joined = {**self._joined, text: (region, part)}
            self._nouns.setdefault((0, region), Noun.REGION)
            self._nouns.setdefault((0, part), Noun.PART)
        by_noun: dict[Noun, list[tuple[int, str]]] = {}
        for key, noun in self._nouns.items():
            by_noun.setdefault(noun, []).append(key)
        for noun, keys in by_noun.items():
            plain = sorted(key for key in keys if not self._is_made(noun, key[1]))
            prefix, width = self._prefix(noun), len(str(len(plain)))
            for number, key in enumerate(plain, 1):
                self._names[key] = _written(noun, prefix, number, width)
        self._name_pods(by_noun.get(Noun.POD, ()))
        for text in self._joined:
            self._join(text)
        return self._names

    def _is_made(self, noun: Noun, text: str) -> bool:
        return noun not in _APART and (text in self._joined or (noun is Noun.POD and text in self._owners))

    def _prefix(self, noun: Noun) -> str:
        """The noun itself, unless somebody's names begin like its neutral names."""
        for suffix in chain.from_iterable(product(ascii_lowercase, repeat=times) for times in range(5)):
            prefix = "-".join((noun.value, *(["".join(suffix)] if suffix else [])))
            if f"{prefix}-" not in self._together and f"{prefix}_" not in self._together:
                return prefix
        raise AssertionError("names hold every prefix there is")

    def _name_pods(self, keys: Iterable[tuple[int, str]]) -> None:
        of_owner: dict[str, list[str]] = {}
        for _, text in sorted(keys):
            if text in self._owners and text not in self._joined:
                of_owner.setdefault(self._owners[text], []).append(text)
        for owner, pods in of_owner.items():
            width = len(str(len(pods)))
            own = [pod.removeprefix(f"{owner}-") for pod in pods]
            if not all(each.isdecimal() and len(each) <= _LONGEST_ORDINAL for each in own):
                own = [f"{number:0{width}}" for number in range(1, len(pods) + 1)]
            for pod, ordinal in zip(pods, own, strict=True):
                self._names[0, pod] = f"{self._whole(owner)}-{ordinal}"

    def _whole(self, text: str) -> str:
        # What was not noted keeps its name.
        return self._join(text) if text in self._joined else self._names.get((0, text), text)

    def _join(self, text: str) -> str:
        key = 0, text
        if key not in self._names:
            first, second = self._joined[text]
            self._names[key] = f"{self._whole(first)}-{self._whole(second)}"
        return self._names[key]


def _written(noun: Noun, prefix: str, number: int, width: int) -> str:
    match noun:
        case Noun.HASH | Noun.PART:
            return f"{prefix.replace('-', '')}{number:0{width}}"
        case Noun.ATTRIBUTE | Noun.MODEL:
            return f"{prefix.replace('-', '_')}_{number:0{width}}"
        case Noun.DRIVER | Noun.DOMAIN:
            return f"{prefix}-{number:0{width}}.example"
        case Noun.ADDRESS:
            # Addresses for measurements between networks, which nobody has.
            return f"198.{18 + number // 65536}.{number // 256 % 256}.{number % 256}"
        case _:
            return f"{prefix}-{number:0{width}}"


# Which field of the pruned objects holds a name of what. Fields are told by their own name and the one above it.

# The name of an object of each kind that scheduling reads. Objects of other kinds are left out.
KINDS: Final = {
    "Namespace": Noun.NAMESPACE,
    "Node": Noun.NODE,
    "Pod": Noun.POD,
    "PodDisruptionBudget": Noun.BUDGET,
    "PriorityClass": Noun.PRIORITY_CLASS,
    "RuntimeClass": Noun.RUNTIME_CLASS,
    "Service": Noun.SERVICE,
    "ReplicationController": Noun.APP,
    "ReplicaSet": Noun.APP,
    "StatefulSet": Noun.APP,
    "PersistentVolume": Noun.VOLUME,
    "PersistentVolumeClaim": Noun.CLAIM,
    "StorageClass": Noun.STORAGE_CLASS,
    "CSINode": Noun.NODE,
    "CSIDriver": Noun.DRIVER,
    "CSIStorageCapacity": Noun.OBJECT,
    "VolumeAttachment": Noun.OBJECT,
    "ResourceSlice": Noun.SLICE,
    "ResourceClaim": Noun.DEVICE_CLAIM,
    "ResourceClaimTemplate": Noun.DEVICE_CLAIM,
    "DeviceClass": Noun.DEVICE_CLASS,
    "DeviceTaintRule": Noun.OBJECT,
    "Workload": Noun.GROUP,
    "PodGroup": Noun.GROUP,
    "CompositePodGroup": Noun.GROUP,
}

# What nothing computes from, and what may quote names.
DROPPED: Final = frozenset(
    {
        "resourceVersion",
        "finalizers",
        "message",
        "description",
        "providerID",
        "volumesAttached",
        "volumesInUse",
        "containerRuntimeVersion",
        "kernelVersion",
        "osImage",
        "extenders",
        "selfLink",
        "generateName",
        "managedFields",
    }
)

# Maps whose keys are labels, resources, or attributes, capacities and counters of devices.
LABEL_MAPS: Final = frozenset({"labels", "matchLabels", "nodeSelector"})
RESOURCE_MAPS: Final = frozenset(
    {
        "requests",
        "limits",
        "capacity",
        "allocatable",
        "overhead",
        "podFixed",
        "hard",
        "used",
        "allocatedResources",
        "default",
        "defaultRequest",
        "max",
        "min",
        "maxLimitRequestRatio",
    }
)
ATTRIBUTE_MAPS: Final = frozenset({"attributes", "consumedCapacity"})
COUNTER_MAPS: Final = frozenset({"counters"})

# A field by its own name, or by the name of the field around it and its own.
NOUNS: Final[dict[str, Noun]] = {
    "namespace": Noun.NAMESPACE,
    "namespaces": Noun.NAMESPACE,
    "nodeName": Noun.NODE,
    "nodeID": Noun.OBJECT,
    "nominatedNodeName": Noun.NODE,
    "uid": Noun.UID,
    "shareID": Noun.UID,
    "ownerReferences.name": Noun.APP,
    "reservedFor.name": Noun.POD,
    "topologyKey": Noun.LABEL,
    "topologyKeys": Noun.LABEL,
    "topology.key": Noun.LABEL,
    "matchLabelKeys": Noun.LABEL,
    "mismatchLabelKeys": Noun.LABEL,
    "schedulerName": Noun.SCHEDULER,
    "priorityClassName": Noun.PRIORITY_CLASS,
    "runtimeClassName": Noun.RUNTIME_CLASS,
    "handler": Noun.RUNTIME_CLASS,
    "claimName": Noun.CLAIM,
    "claimRef.name": Noun.CLAIM,
    "volumeName": Noun.VOLUME,
    "persistentVolumeName": Noun.VOLUME,
    "storageClassName": Noun.STORAGE_CLASS,
    "volumeAttributesClassName": Noun.STORAGE_CLASS,
    "volumes.name": Noun.DISK,
    "containers.name": Noun.CONTAINER,
    "initContainers.name": Noun.CONTAINER,
    "containerStatuses.name": Noun.CONTAINER,
    "initContainerStatuses.name": Noun.CONTAINER,
    "containerName": Noun.CONTAINER,
    "volumeHandle": Noun.VOL,
    "volumeID": Noun.VOL,
    "provisioner": Noun.DRIVER,
    "attacher": Noun.DRIVER,
    "driver": Noun.DRIVER,
    "drivers.name": Noun.DRIVER,
    "image": Noun.IMAGE,
    "reference": Noun.IMAGE,
    "names": Noun.IMAGE,
    "resourceName": Noun.RESOURCE,
    "extendedResourceName": Noun.RESOURCE,
    "resources.name": Noun.RESOURCE,
    "managedResources.name": Noun.RESOURCE,
    "ignoredResources": Noun.RESOURCE,
    "ignoredResourceGroups": Noun.DOMAIN,
    "hostIP": Noun.ADDRESS,
    "pool": Noun.POOL,
    "pool.name": Noun.POOL,
    "device": Noun.DEVICE,
    "devices.name": Noun.DEVICE,
    "resourceClaimName": Noun.DEVICE_CLAIM,
    "resourceClaimTemplateName": Noun.DEVICE_CLAIM,
    "deviceClassName": Noun.DEVICE_CLASS,
    "podGroupName": Noun.GROUP,
    "workloadName": Noun.GROUP,
    "workloadRef.name": Noun.GROUP,
    "parentCompositePodGroupName": Noun.GROUP,
    "controllerRef.name": Noun.APP,
    "attributes.string": Noun.MODEL,
    "capacityKey": Noun.ATTRIBUTE,
    "mapping.name": Noun.RESOURCE,
    "overhead.name": Noun.RESOURCE,
    "matchAttribute": Noun.ATTRIBUTE,
    "distinctAttribute": Noun.ATTRIBUTE,
    "plugins.name": Noun.PLUGIN,
    "enabled.name": Noun.PLUGIN,
    "disabled.name": Noun.PLUGIN,
    "pluginConfig.name": Noun.PLUGIN,
}


class Anonymous(NamedTuple):
    """Objects and a scheduler's configuration with neutral names, and how to find those of nodes and pods."""

    objects: tuple[dict[str, Any], ...]
    configuration: dict[str, Any] | None
    naming: Rewriting

    def node(self, name: str) -> str:
        """Return the neutral name of a node."""
        return self.naming.name(Noun.NODE, name)

    def pod(self, namespace: str, name: str) -> str:
        """Return the neutral ``namespace/name`` of a pod."""
        return f"{self.naming.name(Noun.NAMESPACE, namespace)}/{self.naming.name(Noun.POD, name)}"


def anonymised(objects: Iterable[Document], configuration: Document | None = None) -> Anonymous:
    """Give everything neutral names. The objects are pruned ones; kinds that scheduling does not read are left out.

    Raises NamesReadInPartsError for an expression over devices that reads parts of names.
    """
    documents = [each for each in objects if each.get("kind") in KINDS]
    given = [*documents, *([configuration] if configuration is not None else [])]
    numbers = frozenset(_numbered(given))
    found = NamesFound()
    first = Rewriting(_Noting(found), numbers)
    for document in documents:
        first.document(document)
        _note_structure(found, document)
    if configuration is not None:
        first.configuration(configuration)
    naming = Rewriting(found.neutral(), numbers)
    written = tuple(map(naming.document, documents))
    return Anonymous(written, None if configuration is None else naming.configuration(configuration), naming)


class _Noting:
    """Notes every name, and leaves it as it is."""

    def __init__(self, found: NamesFound) -> None:
        self._found = found

    def of(self, noun: Noun, text: str) -> str:
        return self._found.note(noun, text)


def _note_structure(found: NamesFound, document: Document) -> None:
    """Note which names are made of others."""
    if document.get("kind") != "Pod":
        return
    name, controller = name_of(document), Controller.of(document)
    if controller is not None and controller.kind != "Node":
        found.note_owner(name, controller.name)
    for volume in Pod(document).spec.get("volumes") or ():
        if volume.get("ephemeral"):
            own = str(volume.get("name"))
            found.note(Noun.CLAIM, f"{name}-{own}")
            found.note_joined(f"{name}-{own}", name, own)


# Words that stay as they are: those of Kubernetes' own API, by list, and amounts and times by their form.
#
# Whatever is not here is taken for a name that somebody gave.


def _words_of(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Values of the API's fields: those of its schema, and what statuses, reasons and arguments hold beside them.
WORDS: Final = all_words() | _words_of(
    """
    ABAC AllocationMode Allocatable Balanced Bound Burstable Completed ContainersReady DeletionByTaintManager
    DisruptionAllowed DisruptionTarget DiskPressure EvictionByEvictionAPI ForceTerminated Guaranteed Initialized
    InsufficientPods KubeletNotReady KubeletReady Lost Memory MemoryPressure NetworkUnavailable NodeStatusUnknown
    NotReady PIDPressure Pending Persistent Ephemeral PodResizeInProgress PodResizePending PodReadyToStartContainers
    PodScheduled PreemptionByScheduler Preempting Ready Released Available Running SchedulerError SchedulingGated
    Succeeded SufficientPods SyncFailed TerminationByKubelet Active Unschedulable Infeasible Deferred Proposed
    InProgress HugePages HugePages-2Mi HugePages-1Gi LeastAllocated MostAllocated RequestedToCapacityRatio List
    System CompositePodGroup DaemonSet Deployment Job CronJob Node PodGroup ReplicaSet ReplicationController
    StatefulSet Workload ResourceClaim KubeSchedulerConfiguration metadata.name pods v1 apps/v1 batch/v1 apps batch
    """
)
# Names that every cluster has, and values that say nothing about whose it is.
NAMES: Final = _words_of(
    """
    amd64 arm64 linux windows true false yes no *
    default kube-system kube-public kube-node-lease default-scheduler
    system-cluster-critical system-node-critical
    0.0.0.0 127.0.0.1 ::
    """
)
PLUGINS: Final = frozenset(name for release in RELEASES.values() for name in release.points)
# What the arguments of plugins call themselves.
PLUGIN_ARGUMENTS: Final = frozenset(f"{name}Args" for name in PLUGINS)
API_VERSION: Final = re.compile(r"(?:[a-z.]+\.k8s\.io|policy|autoscaling)(?:/v\d+(?:(?:alpha|beta)\d+)?)?")

LABEL_KEYS: Final = _words_of(
    """
    kubernetes.io/hostname kubernetes.io/os kubernetes.io/arch kubernetes.io/metadata.name
    beta.kubernetes.io/os beta.kubernetes.io/arch beta.kubernetes.io/instance-type
    topology.kubernetes.io/zone topology.kubernetes.io/region
    failure-domain.beta.kubernetes.io/zone failure-domain.beta.kubernetes.io/region
    topology.gke.io/zone topology.ebs.csi.aws.com/zone topology.cinder.csi.openstack.org/zone
    node.kubernetes.io/instance-type node.kubernetes.io/windows-build
    node-role.kubernetes.io/control-plane node-role.kubernetes.io/worker
    node.kubernetes.io/exclude-from-external-load-balancers
    app.kubernetes.io/name app.kubernetes.io/instance app.kubernetes.io/component app.kubernetes.io/part-of
    app.kubernetes.io/managed-by app.kubernetes.io/version
    apps.kubernetes.io/pod-index statefulset.kubernetes.io/pod-name
    batch.kubernetes.io/controller-uid batch.kubernetes.io/job-name batch.kubernetes.io/job-completion-index
    controller-revision-hash pod-template-hash pod-template-generation controller-uid job-name
    """
)
TAINT_KEYS: Final = _words_of(
    """
    node.kubernetes.io/not-ready node.kubernetes.io/unreachable node.kubernetes.io/memory-pressure
    node.kubernetes.io/disk-pressure node.kubernetes.io/pid-pressure node.kubernetes.io/network-unavailable
    node.kubernetes.io/unschedulable node.kubernetes.io/out-of-service
    node.cloudprovider.kubernetes.io/uninitialized node-role.kubernetes.io/control-plane
    """
)
RESOURCES: Final = _words_of(
    """
    cpu memory ephemeral-storage storage pods nvidia.com/gpu amd.com/gpu intel.com/gpu
    attachable-volumes-aws-ebs attachable-volumes-gce-pd attachable-volumes-azure-disk attachable-volumes-cinder
    """
)
HUGE_PAGES: Final = re.compile(r"hugepages-\d+[KMGT]i")
RESOURCE_DOMAINS: Final = frozenset({"nvidia.com", "amd.com", "intel.com", "kubernetes.io"})
# Volume plugins that the scheduler knows by name, and the drivers that took over from those in Kubernetes' tree.
DRIVERS: Final = _words_of(
    """
    kubernetes.io/aws-ebs kubernetes.io/gce-pd kubernetes.io/azure-disk kubernetes.io/azure-file kubernetes.io/cinder
    kubernetes.io/vsphere-volume kubernetes.io/portworx-volume kubernetes.io/no-provisioner kubernetes.io/host-path
    ebs.csi.aws.com pd.csi.storage.gke.io disk.csi.azure.com file.csi.azure.com cinder.csi.openstack.org
    csi.vsphere.vmware.com pxd.portworx.com
    """
)
# Attributes and capacities of devices that Kubernetes defines or that mean the same everywhere.
ATTRIBUTES: Final = frozenset({"resource.kubernetes.io", "pcieRoot", "pciBusID", "memory", "cpu"})
# Of annotations only those that the volume plugins read.
ANNOTATIONS: Final = _words_of(
    """
    pv.kubernetes.io/bind-completed pv.kubernetes.io/bound-by-controller pv.kubernetes.io/provisioned-by
    storage.alpha.kubernetes.io/migrated-plugins
    storageclass.beta.kubernetes.io/is-default-class storageclass.kubernetes.io/is-default-class
    volume.beta.kubernetes.io/storage-class volume.beta.kubernetes.io/storage-provisioner
    volume.kubernetes.io/selected-node volume.kubernetes.io/storage-provisioner
    resource.kubernetes.io/extended-resource-claim
    """
)

INTEGER: Final = re.compile(r"[+-]?\d+")
PERCENTAGE: Final = re.compile(r"\d+%")
QUANTITY: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+|[numkMGTPEK]i?)?")
TIME: Final = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)")
VERSION: Final = re.compile(r"v?\d+\.\d+(?:\.\d+)?")

# Objects and configurations with other names, field by field: names are noted on one way through, put on the next.


_HOSTNAME: Final = "kubernetes.io/hostname"
_ZONES: Final = frozenset(key for key in LABEL_KEYS if key.endswith("/zone"))
_REGIONS: Final = frozenset(key for key in LABEL_KEYS if key.endswith("/region"))
_BY_LABEL: Final = {
    _HOSTNAME: Noun.NODE,
    "kubernetes.io/metadata.name": Noun.NAMESPACE,
    "node.kubernetes.io/instance-type": Noun.INSTANCE_TYPE,
    "beta.kubernetes.io/instance-type": Noun.INSTANCE_TYPE,
    "statefulset.kubernetes.io/pod-name": Noun.POD,
    "pod-template-hash": Noun.HASH,
    "controller-revision-hash": Noun.VALUE,
    **dict.fromkeys(_ZONES, Noun.ZONE),
    **dict.fromkeys(_REGIONS, Noun.REGION),
}
_NAME_FIELD: Final = "metadata.name"
# No label and no value of one begins so.
_REFUSED: Final = "-"
_SEVERAL_ZONES: Final = "__"
_RESOURCE_PREFIXES: Final = ("requests.", "limits.", "count/")
_CLASS_OF_DEVICES: Final = "deviceclass.resource.kubernetes.io/"
_EBS: Final = "aws://"


class Naming(Protocol):
    """What is done with a name that is met: it is noted, or another one is put in its place."""

    def of(self, noun: Noun, text: str) -> str:
        """Return what stands in the place of a text."""


class Rewriting:
    """One way through objects. ``numbers``: labels whose values are compared as numbers, which stay as they are."""

    def __init__(self, naming: Naming, numbers: Collection[str]) -> None:
        self._naming = naming
        self._numbers = numbers

    def document(self, document: Document) -> dict[str, Any]:
        """Return an object with other names."""
        kind, given = str(document.get("kind")), metadata(document)
        unnamed = {key: part for key, part in given.items() if key != "name"}
        parts = {key: part for key, part in document.items() if key not in ("apiVersion", "kind", "metadata")}
        named = {"name": self.name(KINDS[kind], name_of(document)), **self._fields("metadata", unnamed)}
        identity = {"apiVersion": document.get("apiVersion") or "v1", "kind": kind, "metadata": named}
        found = {**identity, **self._fields(kind, parts)}
        if kind in ("Service", "ReplicationController"):
            selector = (document.get("spec") or {}).get("selector")
            if selector:
                found["spec"]["selector"] = self._labels(selector)
        return found

    def configuration(self, document: Document) -> dict[str, Any]:
        """Return a scheduler's configuration with other names."""
        return self._fields("profiles", document)

    def name(self, noun: Noun, text: str) -> str:
        """Return what stands in the place of a name."""
        if not text or text in NAMES or (noun is Noun.DRIVER and text in DRIVERS):
            return text
        if noun is Noun.VOL and not text.startswith("vol-"):
            noun = Noun.DISK
        return self._naming.of(noun, text)

    # -- structure -------------------------------------------------------------------------------------------------

    def _fields(self, around: str, document: Mapping[str, Any]) -> dict[str, Any]:
        if document.keys() >= {"key", "operator"} and around in ("matchExpressions", "matchFields"):
            return self._requirement(document)
        if around in ("taints", "taint", "tolerations"):
            return self._taint(document)
        if around == "matchLabelExpressions":
            return self._requirement(document)
        return {
            key: self._part(around, key, part)
            for key, part in document.items()
            if key not in DROPPED and part is not None
        }

    def _part(self, around: str, key: str, part: Any) -> Any:
        if isinstance(part, dict):
            return self._map(around, key, part)
        if isinstance(part, list):
            return [self._part_of_list(around, key, each) for each in part]
        return self._text(around, key, part) if isinstance(part, str) else part

    def _part_of_list(self, around: str, key: str, part: Any) -> Any:
        if isinstance(part, dict):
            return self._fields(key, part)
        return self._text(around, key, part) if isinstance(part, str) else part

    def _map(self, around: str, key: str, part: dict[str, Any]) -> dict[str, Any]:
        is_plain = all(not isinstance(each, dict | list) for each in part.values())
        if key in LABEL_MAPS and is_plain:
            return self._labels(part)
        if key == "annotations":
            return self._annotations(part)
        if key in ATTRIBUTE_MAPS or (key == "capacity" and not is_plain and "requests" not in part):
            return {self._attribute(name): self._amount(key, each) for name, each in part.items()}
        if key == "requests" and around == "capacity":
            return {self._attribute(name): each for name, each in part.items()}
        if key in COUNTER_MAPS:
            return {self.name(Noun.VALUE, name): self._amount(key, each) for name, each in part.items()}
        if key in RESOURCE_MAPS and all(isinstance(each, str) for each in part.values()):
            return {self._resource(name): each for name, each in part.items()}
        if key == "disruptedPods":
            return {self.name(Noun.POD, name): each for name, each in part.items()}
        return self._fields(key, part)

    def _amount(self, around: str, part: Any) -> Any:
        if not isinstance(part, dict):
            return part
        return {
            key: self.name(Noun.MODEL, each)
            if key == "string"
            else [self.name(Noun.MODEL, text) for text in each]
            if key == "strings"
            else each
            for key, each in part.items()
        }

    # -- texts -----------------------------------------------------------------------------------------------------

    def _text(self, around: str, key: str, text: str) -> str:
        if key == "expression":
            return rewritten_expression(text, self._expression_name)
        if key == "apiVersion" or key == "apiGroup":
            return self._api_version(text)
        noun = NOUNS.get(f"{around}.{key}", NOUNS.get(key))
        if noun is None:
            return self._plain(text)
        match noun:
            case Noun.LABEL:
                return self._label_key(text)
            case Noun.IMAGE:
                return self._image(text, is_asked=around != "images")
            case Noun.RESOURCE:
                return self._resource(text)
            case Noun.ATTRIBUTE:
                return self._attribute(text)
            case Noun.DOMAIN:
                return text if text in RESOURCE_DOMAINS else self.name(noun, text)
            case Noun.PLUGIN:
                return text if text in PLUGINS else self.name(noun, text)
            case Noun.VOL if text.startswith(_EBS):
                zone, _, volume = text.removeprefix(_EBS).partition("/")
                return f"{_EBS}{self.name(Noun.ZONE, zone)}/{self.name(Noun.VOL, volume)}"
            case _:
                return self.name(noun, text)

    def _plain(self, text: str) -> str:
        """Return a text of which nothing is known: a word of the API, an amount or a time, or else a name."""
        forms = (TIME, PERCENTAGE, QUANTITY, API_VERSION)
        if text in WORDS or text in PLUGIN_ARGUMENTS or any(form.fullmatch(text) for form in forms):
            return text
        version = VERSION.match(text)
        return version[0] if version and text[:1] == "v" else self.name(Noun.WORD, text)

    def _api_version(self, text: str) -> str:
        if API_VERSION.fullmatch(text) or text in WORDS or not text:
            return text
        group, slash, _ = text.rpartition("/")
        return f"{self.name(Noun.DOMAIN, group)}/v1" if slash else self.name(Noun.DOMAIN, text)

    def _requirement(self, part: Mapping[str, Any]) -> dict[str, Any]:
        key = str(part["key"])
        values = [self._label_value(key, str(each)) for each in part.get("values") or ()]
        written = {**self._words(part), "key": self._label_key(key)}
        if key == _NAME_FIELD:
            values = [self.name(Noun.NODE, str(each)) for each in part.get("values") or ()]
        return {**written, "values": values} if "values" in part else written

    def _words(self, part: Mapping[str, Any]) -> dict[str, Any]:
        """Return the effect, the operator and the times of a taint, a toleration or a requirement."""
        given = {name: each for name, each in part.items() if name not in ("key", "value", "values")}
        return {name: self._plain(each) if isinstance(each, str) else each for name, each in given.items()}

    def _taint(self, part: Mapping[str, Any]) -> dict[str, Any]:
        found = self._words(part)
        if part.get("key"):
            key = str(part["key"])
            found["key"] = key if key in TAINT_KEYS else self._naming.of(Noun.TAINT, key)
        if "value" in part:
            found["value"] = self.name(Noun.VALUE, str(part["value"]))
        return found

    def _labels(self, labels: Mapping[str, Any]) -> dict[str, Any]:
        return {self._label_key(key): self._label_value(key, str(value)) for key, value in labels.items()}

    def _label_key(self, key: str) -> str:
        if key in LABEL_KEYS or key in TAINT_KEYS or key == _NAME_FIELD or not key:
            return key
        return self._as_valid(self._naming.of(Noun.LABEL, key), key_fault(key))

    def _label_value(self, key: str, value: str) -> str:
        if key in self._numbers and INTEGER.fullmatch(value):
            return value
        noun = _BY_LABEL.get(key, Noun.VALUE)
        if noun in (Noun.ZONE, Noun.REGION) and _SEVERAL_ZONES in value:
            return _SEVERAL_ZONES.join(self.name(noun, each) for each in value.split(_SEVERAL_ZONES))
        return self._as_valid(self.name(noun, value), value_fault(value))

    @staticmethod
    def _as_valid(name: str, fault: str) -> str:
        """Return a name that Kubernetes refuses where it refuses the original, as some selectors have them."""
        return f"{_REFUSED}{name}" if fault else name

    def _annotations(self, annotations: Mapping[str, str]) -> dict[str, str]:
        kept = {key: str(value) for key, value in annotations.items() if key in ANNOTATIONS}
        return {key: self._annotation(key, value) for key, value in kept.items()}

    def _annotation(self, key: str, value: str) -> str:
        if key.endswith("/selected-node"):
            return self.name(Noun.NODE, value)
        if key.endswith("/storage-class"):
            return self.name(Noun.STORAGE_CLASS, value)
        if key.endswith(("/storage-provisioner", "/provisioned-by")):
            return self.name(Noun.DRIVER, value)
        return ",".join(self.name(Noun.DRIVER, each) for each in value.split(","))

    def _image(self, text: str, *, is_asked: bool) -> str:
        """Return an image: what pods ask for has a tag, by default ``latest``, and what nodes report may have none."""
        if not text:
            return text
        whole = canonical_image(text) if is_asked else text
        name = self.name(Noun.IMAGE, whole)
        return f"{name}:v1" if whole == canonical_image(whole) else name

    def _resource(self, name: str) -> str:
        if name in RESOURCES or HUGE_PAGES.fullmatch(name) or not name:
            return name
        for prefix in _RESOURCE_PREFIXES:
            if name.startswith(prefix):
                return f"{prefix}{self._resource(name.removeprefix(prefix))}"
        if name.startswith(_CLASS_OF_DEVICES):
            return f"{_CLASS_OF_DEVICES}{self.name(Noun.DEVICE_CLASS, name.removeprefix(_CLASS_OF_DEVICES))}"
        domain, slash, own = name.partition("/")
        if not slash:
            return self.name(Noun.RESOURCE, name)
        kept = domain if domain in RESOURCE_DOMAINS else self.name(Noun.DOMAIN, domain)
        return f"{kept}/{self.name(Noun.RESOURCE, own)}"

    def _attribute(self, name: str) -> str:
        domain, slash, own = name.rpartition("/")
        return f"{self._device_word(Noun.DRIVER, domain)}{slash}{self._device_word(Noun.ATTRIBUTE, own)}"

    def _device_word(self, noun: Noun, text: str) -> str:
        return text if text in ATTRIBUTES or not text else self.name(noun, text)

    def _expression_name(self, text: str, *, is_attribute: bool) -> str:
        return self._device_word(Noun.ATTRIBUTE if is_attribute else Noun.MODEL, text)


def _numbered(value: Any) -> set[str]:
    if isinstance(value, dict):
        own = {str(value.get("key"))} if value.get("operator") in ("Gt", "Lt") else set()
        return own.union(*map(_numbered, value.values()))
    return set().union(*map(_numbered, value)) if isinstance(value, list | tuple) else set()
