"""What controllers do in a simulation: the pods they make, their claims and quotas, and those that follow others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from clusters.engine.admission import admit
from clusters.engine.admission.creation import CreationRefusal, claim_refusal, pod_refusal
from clusters.engine.admission.objects import TemplateNotSelected
from clusters.engine.devices.claims import claims_from_templates, is_imagined, owner_of
from clusters.engine.devices.inventory import CLAIM
from clusters.engine.disruption.drains import ephemeral_claims
from clusters.engine.objects import (
    NOT_STARTED,
    Document,
    Node,
    Pod,
    key_of,
    labels_of,
    metadata,
    name_of,
    namespace_of,
    sortable_time,
)
from clusters.engine.owners import TEMPLATE_HASH, Controller, template_of
from clusters.engine.problems import (
    BelowLeast,
    Empty,
    MissingField,
    OutOfRange,
    PlacedError,
    Problem,
    Quoted,
    UnknownField,
    shown,
)
from clusters.engine.quantity import NotAQuantity, QuantityError
from clusters.engine.quotas import (
    CONFIGURATION,
    Charge,
    LimitedResource,
    QuotaLedger,
    QuotaRefusal,
    claim_charge,
    counted_quotas,
    device_claim_charge,
    device_quota_rules,
    is_counted,
    new_claims,
    pod_charge,
    templated_claims,
    with_status,
)
from clusters.engine.resources import pod_amounts
from clusters.engine.selectors import LabelSelector, NodeSelector, SelectorError
from clusters.engine.simulation.case import MOST_REPLICAS, Origin, Wanted, copied_again
from clusters.engine.simulation.problems import (
    AwaitsOrdinal,
    JobFailed,
    JobHadEnded,
    JobIndexFailed,
    UncountableRequest,
)
from clusters.engine.simulation.remarks import (
    ClaimsIgnored,
    JobInParts,
    JobSuspended,
    NodeNameIgnored,
    NoEligibleNode,
    Remark,
)
from clusters.engine.taints import NO_EXECUTE, Taint, Toleration
from clusters.engine.volumes import (
    IMAGINED_CLAIM,
    WAIT_FOR_FIRST_CONSUMER,
    annotations_of,
    claim_use,
    class_of,
    default_class,
    spec_of,
    volume_name_of,
    with_class,
)
from clusters.engine.workloads.jobs import (
    DISRUPTION_TARGET,
    DisruptedJob,
    JobFailureReason,
    backoff_limit,
    disrupted_job,
    has_ended,
    index_of,
    of_next_index,
)
from clusters.engine.workloads.pods import POD_INDEX, POD_NAME, REVISION_HASH, Ordinals, PodCopy, copy_of

if TYPE_CHECKING:
    from clusters.engine.snapshot import Snapshot

# A short text that stands for a document: the same for equal ones, on every machine.

# What Kubernetes writes hashes with: no vowels, which could make words.
_LETTERS: Final = "bcdfghjklmnpqrstvwxz2456789"
_LENGTH: Final = 9


def fingerprint(document: Any) -> str:
    """Nine letters and digits; the order of a map's keys does not matter."""
    number = int.from_bytes(blake2b(repr(_sorted(document)).encode(), digest_size=16).digest())
    text = ""
    for _ in range(_LENGTH):
        number, digit = divmod(number, len(_LETTERS))
        text += _LETTERS[digit]
    return text


def _sorted(value: Any) -> Any:
    if isinstance(value, Mapping):
        return [(str(key), _sorted(value[key])) for key in sorted(value, key=str)]
    return [_sorted(part) for part in value] if isinstance(value, list | tuple) else value


# Pods of DaemonSets: on which nodes they run, and what ties each to its node.
#
# Upstream: ``NodeShouldRunDaemonPod`` in ``pkg/controller/daemon/daemon_controller.go``,
# ``AddOrUpdateDaemonPodTolerations`` and ``ReplaceDaemonSetPodNodeNameNodeAffinity`` in
# ``pkg/controller/daemon/util``, v1.34.1.

_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_TOLERATED: Final = (
    ("node.kubernetes.io/not-ready", "NoExecute"),
    ("node.kubernetes.io/unreachable", "NoExecute"),
    ("node.kubernetes.io/disk-pressure", "NoSchedule"),
    ("node.kubernetes.io/memory-pressure", "NoSchedule"),
    ("node.kubernetes.io/pid-pressure", "NoSchedule"),
    ("node.kubernetes.io/unschedulable", "NoSchedule"),
)
_OF_HOST_NETWORK: Final = ("node.kubernetes.io/network-unavailable", "NoSchedule")


def tolerating(spec: Document) -> dict[str, Any]:
    """The spec of a DaemonSet's pod with what the controller lets it tolerate: for ever, whatever time is given."""
    given = [dict(each) for each in spec.get("tolerations") or ()]
    for key, effect in (*_TOLERATED, *((_OF_HOST_NETWORK,) if spec.get("hostNetwork") else ())):
        own = {"key": key, "operator": "Exists", "effect": effect}
        known = [number for number, each in enumerate(given) if not each.get("value") and own.items() <= each.items()]
        for number in known:
            given[number] = own
        if not known:
            given.append(own)
    return {**spec, "tolerations": given}


class DaemonEligibility:
    """On which nodes a DaemonSet runs pods such as one.

    ``is_template``: the pod has the node affinity of the DaemonSet's template; that of one that runs was replaced by
    the name of its own node, and tells nothing.
    """

    def __init__(self, pod: Document, *, is_template: bool) -> None:
        spec = pod.get("spec") or {}
        self._selector: dict[str, str] = spec.get("nodeSelector") or {}
        required = ((spec.get("affinity") or {}).get("nodeAffinity") or {}).get(_REQUIRED) if is_template else None
        self._affinity: NodeSelector | None = None
        self._is_nowhere = False
        try:
            self._affinity = None if required is None else NodeSelector.from_dict(required)
        except SelectorError:
            self._is_nowhere = True
        self._tolerations = [Toleration.from_dict(each) for each in spec.get("tolerations") or ()]

    def runs_on(self, node: Node) -> bool:
        """Whether a pod is made on a node that has none."""
        return self._is_for(node) and all(self._tolerates(taint) for taint in node.taints if taint.forbids_scheduling)

    def stays_on(self, node: Node) -> bool:
        """Whether a pod that is on a node may stay there."""
        return self._is_for(node) and all(self._tolerates(taint) for taint in node.taints if taint.effect == NO_EXECUTE)

    def _is_for(self, node: Node) -> bool:
        labels = node.labels
        if self._is_nowhere or any(labels.get(key) != value for key, value in self._selector.items()):
            return False
        return self._affinity is None or self._affinity.matches(labels, {"metadata.name": node.name})

    def _tolerates(self, taint: Taint) -> bool:
        return any(toleration.tolerates(taint) for toleration in self._tolerations)


def pinned(pod: Document, node: str) -> dict[str, Any]:
    """A DaemonSet's pod that may run on one node only."""
    spec = pod.get("spec") or {}
    affinity = spec.get("affinity") or {}
    fields = [{"key": "metadata.name", "operator": "In", "values": [node]}]
    own = {**(affinity.get("nodeAffinity") or {}), _REQUIRED: {"nodeSelectorTerms": [{"matchFields": fields}]}}
    return {**pod, "spec": {**spec, "affinity": {**affinity, "nodeAffinity": own}}}


def pinned_node(pod: Document) -> str:
    """The only node that a DaemonSet's pod may run on; empty for a pod that is not tied to one that way."""
    affinity = ((pod.get("spec") or {}).get("affinity") or {}).get("nodeAffinity") or {}
    terms = (affinity.get(_REQUIRED) or {}).get("nodeSelectorTerms") or ()
    fields = [field for term in terms for field in term.get("matchFields") or ()]
    named = {
        name
        for field in fields
        if (field.get("key"), field.get("operator")) == ("metadata.name", "In")
        for name in field.get("values") or ()
    }
    return str(named.pop()) if len(named) == 1 and len(fields) == len(terms) else ""


# Many pods that are like one another but for their names.


def renamed(pod: Document, name: str) -> Document:
    """The same pod under another name; all else is shared, so that tens of thousands take little memory."""
    return {**pod, "metadata": {**metadata(pod), "name": name, "uid": f"imagined:{namespace_of(pod)}/{name}"}}


def copies_of(shelf: Snapshot, pod: Document, names: Iterable[str]) -> Iterator[PodCopy]:
    """Copies of a pod, each with claims of its own where its controllers would make some."""
    controller = Controller.of(pod)
    spec = pod.get("spec") or {}
    if (
        (controller is not None and controller.kind == "StatefulSet")
        or any(volume.get("ephemeral") for volume in spec.get("volumes") or ())
        or any("resourceClaimTemplateName" in entry for entry in spec.get("resourceClaims") or ())
    ):
        yield from (copy_of(shelf, pod, name) for name in names)
        return
    first: PodCopy | None = None
    for name in names:
        if first is None:
            first = copy_of(shelf, pod, name)
            yield first
        else:
            yield PodCopy(renamed(first.pod, name), devices=first.devices)


def put_claim(shelf: Snapshot, claim: Document) -> None:
    """Add a claim; one of the same name stays, unless it was made for another pod and goes with that."""
    owners = metadata(claim).get("ownerReferences")
    if owners or shelf.object(str(claim.get("kind")), name_of(claim), namespace_of(claim)) is None:
        shelf.upsert(claim)


# The claims that controllers make for new pods, and which of them can be said to bind anywhere.
#
# Upstream: ``pkg/controller/statefulset``, ``pkg/controller/volume/ephemeral`` and the admission plugin
# ``plugin/pkg/admission/storage/storageclass/setdefault``, v1.34.1.


class NewClaims(Struct, frozen=True):
    """Pods with the volumes that can be judged, the claims ``made`` for them, and volumes ``unplaced`` by name."""

    pods: Sequence[Document]
    made: tuple[Document, ...]
    unplaced: tuple[str, ...]


def claims_of(pods: Sequence[Document], templates: Sequence[Document], shelf: Snapshot) -> NewClaims:
    """Make claims for pods of one making: from a StatefulSet's templates, and for ephemeral volumes.

    A claim whose volume would be made at once, before anybody knows on which node the pod will lie, says nothing of
    where the pod can go: its volume is left out.
    """
    default = default_class(shelf)
    placed = [template for template in templates if _waits(_claim(template, "", default), shelf)]
    gone = {name_of(template) for template in templates} - {name_of(template) for template in placed}
    if pods:
        ephemeral = ephemeral_claims(pods[0])
        prefix = len(name_of(pods[0])) + 1
        waits = {name_of(claim)[prefix:]: _waits(_claim(claim, "", default), shelf) for claim in ephemeral}
        gone |= {name for name, waiting in waits.items() if not waiting}
        gone |= {name for name, claim in _new_claims(pods[0], shelf) if not _waits(claim, shelf)}
    if gone:
        pods = _without(pods, gone)
    if not pods or (not placed and not ephemeral_claims(pods[0])):
        return NewClaims(pods, (), tuple(sorted(gone)))
    return NewClaims(pods, tuple(_made(pods, placed, default, shelf)), tuple(sorted(gone)))


def as_stored(claim: Document, shelf: Snapshot) -> Document:
    """A claim that somebody adds, as the API server would store it."""
    uid = f"{IMAGINED_CLAIM}{namespace_of(claim)}/{name_of(claim)}"
    fields = {**metadata(claim), "namespace": namespace_of(claim), "uid": uid}
    return with_class({"status": {"phase": "Pending"}, **claim, "metadata": fields}, default_class(shelf))


def _new_claims(pod: Document, shelf: Snapshot) -> Iterator[tuple[str, Document]]:
    """A pod's volumes by name with their claims, of those that were added and ask for no volume by its name."""
    for volume in spec_of(pod).get("volumes") or ():
        name = (volume.get("persistentVolumeClaim") or {}).get("claimName")
        claim = shelf.object("PersistentVolumeClaim", str(name), namespace_of(pod)) if name else None
        is_new = claim is not None and str(metadata(claim).get("uid")).startswith(IMAGINED_CLAIM)
        if claim is not None and is_new and not volume_name_of(claim):
            yield str(volume.get("name")), claim


def _made(pods: Sequence[Document], templates: Sequence[Document], default: str, shelf: Snapshot) -> Iterator[Document]:
    for pod in pods:
        for template in templates:
            claim = _claim(template, f"{name_of(template)}-{name_of(pod)}", default, namespace_of(pod))
            # A StatefulSet finds the claims that an earlier one of its name has left.
            if shelf.object("PersistentVolumeClaim", name_of(claim), namespace_of(claim)) is None:
                yield claim
        yield from (with_class(claim, default) for claim in ephemeral_claims(pod))


def _claim(template: Document, name: str, default: str, namespace: str = "default") -> Document:
    claim: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {
            "name": name,
            "namespace": namespace,
            "uid": f"{IMAGINED_CLAIM}{namespace}/{name}",
            "labels": labels_of(template),
            "annotations": annotations_of(template),
        },
        "spec": dict(spec_of(template)),
        "status": {"phase": "Pending"},
    }
    return with_class(claim, default)


def _waits(claim: Document, shelf: Snapshot) -> bool:
    """Whether a claim's volume is made for the node that its pod gets."""
    storage_class = shelf.object("StorageClass", class_of(claim))
    # One whose class does not exist is never bound, and the scheduler says so.
    return storage_class is None or storage_class.get("volumeBindingMode") == WAIT_FOR_FIRST_CONSUMER


def _without(pods: Sequence[Document], names: set[str]) -> list[Document]:
    """Pods without some volumes; those that shared a spec share one again."""
    specs: dict[int, dict[str, Any]] = {}
    found: list[Document] = []
    for pod in pods:
        spec = specs.get(id(pod["spec"]))
        if spec is None:
            volumes = [volume for volume in pod["spec"].get("volumes") or () if volume.get("name") not in names]
            spec = specs[id(pod["spec"])] = {**pod["spec"], "volumes": volumes}
        found.append({**pod, "spec": spec})
    return found


# The pods that controllers make of a manifest, as the API server would store them.
#
# Upstream, v1.34.1: ``GetPodFromTemplate`` of ``pkg/controller``, ``getNewReplicaSet`` of
# ``pkg/controller/deployment``, ``newStatefulSetPod`` of ``pkg/controller/statefulset``, ``pkg/controller/daemon``,
# and ``pkg/controller/job`` with its indexed jobs. Pods of one template share everything but their names, so that
# 50,000 of them take little memory.

SELECTING: Final = ("Deployment", "ReplicaSet", "StatefulSet", "DaemonSet")
WORKLOADS: Final = (*SELECTING, "ReplicationController", "Job", "CronJob", "Pod")
_API: Final = {"Job": "batch/v1", "Pod": "v1", "ReplicationController": "v1"}
_COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index"


class ManifestError(PlacedError):
    """A manifest of which no pods can be made: the field, and what is wrong."""


class Made(Struct, frozen=True):
    """What comes of a manifest: ``objects`` beside pods, ``pods`` in the order in which they are made, ``remarks``.

    ``template``: the pod of a DaemonSet before it is tied to a node, for nodes that come later.
    """

    objects: tuple[Document, ...]
    pods: Sequence[Document]
    remarks: tuple[Remark, ...] = ()
    template: Document | None = None


def made_of(manifest: Document, shelf: Snapshot, nodes: Iterable[Node], replicas: int | None = None) -> Made:
    """The pods of a workload. ``replicas`` takes the place of its own number. Raises ManifestError.

    ``shelf`` holds the priority classes, limit ranges, claims and storage classes that the API server looks at.
    """
    kind = str(manifest.get("kind"))
    check_manifest(manifest)
    match kind:
        case "Pod":
            return _pods(manifest, shelf, replicas)
        case "Deployment" | "ReplicaSet" | "ReplicationController":
            return _replica_set(manifest, shelf, replicas)
        case "StatefulSet":
            return _stateful_set(manifest, shelf, replicas)
        case "DaemonSet":
            return _daemon_set(manifest, shelf, nodes, replicas)
        case "CronJob":
            return _cron_job(manifest, shelf, replicas)
        case _:
            return _job(manifest, shelf, replicas)


def check_manifest(manifest: Document) -> None:
    """Raise ManifestError for a workload that can have no pods, whatever the cluster is like."""
    kind = str(manifest.get("kind"))
    if not isinstance(manifest.get("metadata"), Mapping) or not isinstance(metadata(manifest).get("name"), str):
        raise ManifestError("metadata.name", MissingField("metadata.name"))
    spec = manifest.get("spec")
    if not isinstance(spec, Mapping):
        raise ManifestError("spec", MissingField("spec"))
    if kind == "Pod":
        return
    template, path = template_of(manifest)
    if not isinstance(template, Mapping) or not isinstance(template.get("spec"), Mapping):
        raise ManifestError(f"{path}.spec", MissingField("spec.template"))
    if kind in SELECTING:
        # The API server refuses a workload that would not find its own pods
        try:
            selector = LabelSelector.from_dict(spec.get("selector"), "spec.selector")
        except SelectorError as error:
            problem = error.faults[0]
            raise ManifestError(problem.path, Quoted(problem.kubernetes)) from None
        if selector.matches_everything or not selector.matches(labels_of(template)):
            raise ManifestError("spec.selector", TemplateNotSelected())


def uid_of(kind: str, namespace: str, name: str) -> str:
    """The UID that an object gets which does not exist."""
    return f"imagined:{kind}/{namespace}/{name}"


# -- kinds -------------------------------------------------------------------------------------------------------------


def _pods(manifest: Document, shelf: Snapshot, replicas: int | None) -> Made:
    fields = {key: value for key, value in metadata(manifest).items() if key in ("labels", "annotations")}
    pod, remarks = _admitted(manifest, manifest["spec"], fields, shelf, "")
    name = name_of(manifest)
    names = [name] if replicas is None or replicas == 1 else [f"{name}-{number}" for number in range(1, replicas + 1)]
    return _with_claims([renamed(pod, each) for each in names], (), shelf, remarks)


def _replica_set(manifest: Document, shelf: Snapshot, replicas: int | None) -> Made:
    """A ReplicaSet, a ReplicationController, or the ReplicaSet of a Deployment.

    The pods of that one bear a hash of their template, and so does its name.
    """
    if manifest["kind"] == "ReplicationController" and not manifest["spec"].get("selector"):
        manifest = {**manifest, "spec": {**manifest["spec"], "selector": labels_of(manifest["spec"]["template"])}}
    count = _count(manifest, replicas)
    owned, objects, more = _stored(manifest, count), [], {}
    if manifest["kind"] == "Deployment":
        objects.append(owned)
        more = {TEMPLATE_HASH: fingerprint(manifest["spec"]["template"])}
        spec, namespace = owned["spec"], namespace_of(owned)
        name = f"{name_of(owned)}-{more[TEMPLATE_HASH]}"
        selector = spec.get("selector") or {}
        matched = {**(selector.get("matchLabels") or {}), **more}
        owned = {
            "apiVersion": "apps/v1",
            "kind": "ReplicaSet",
            "metadata": {
                "name": name,
                "namespace": namespace,
                "uid": uid_of("ReplicaSet", namespace, name),
                "labels": {**labels_of(manifest["spec"]["template"]), **more},
                "ownerReferences": [_reference(owned)],
            },
            "spec": {"replicas": spec["replicas"], "selector": {**selector, "matchLabels": matched}},
        }
    objects.append(owned)
    pod, remarks = _templated(manifest, owned, more, shelf)
    stem = name_of(owned)
    pods = [renamed(pod, f"{stem}-{number}") for number in range(1, count + 1)]
    return _with_claims(pods, objects, shelf, remarks)


def _stateful_set(manifest: Document, shelf: Snapshot, replicas: int | None) -> Made:
    count, name, spec = _count(manifest, replicas), name_of(manifest), manifest["spec"]
    first = (spec.get("ordinals") or {}).get("start") or 0
    if type(first) is not int or first < 0:
        raise ManifestError("spec.ordinals.start", BelowLeast(shown(first), 0))
    owned = _stored(manifest, count)
    pod, remarks = _templated(manifest, owned, {REVISION_HASH: f"{name}-{fingerprint(spec['template'])}"}, shelf)
    templates = spec.get("volumeClaimTemplates") or ()
    pods, shared = [], labels_of(pod)
    for number in range(first, first + count):
        one = renamed(pod, f"{name}-{number}")
        own = {POD_NAME: f"{name}-{number}", POD_INDEX: str(number)}
        one = {**one, "metadata": {**one["metadata"], "labels": {**shared, **own}}}
        pods.append(with_claim_volumes(one, templates))
    return _with_claims(pods, (owned,), shelf, remarks, templates)


def with_claim_volumes(pod: Document, templates: Sequence[Document]) -> Document:
    """A StatefulSet's pod with a volume for each claim that is made for it."""
    if not templates:
        return pod
    mine = [
        {"name": name_of(each), "persistentVolumeClaim": {"claimName": f"{name_of(each)}-{name_of(pod)}"}}
        for each in templates
    ]
    names = {volume["name"] for volume in mine}
    others = [volume for volume in pod["spec"].get("volumes") or () if volume.get("name") not in names]
    return {**pod, "spec": {**pod["spec"], "volumes": [*others, *mine]}}


def _daemon_set(manifest: Document, shelf: Snapshot, nodes: Iterable[Node], replicas: int | None) -> Made:
    if replicas is not None:
        raise ManifestError("replicas", UnknownField("replicas"))
    name, owned = name_of(manifest), _stored(manifest, None)
    pod, remarks = daemon_pod(manifest, shelf)
    where = DaemonEligibility(pod, is_template=True)
    pods = [
        renamed(pinned(pod, node.name), f"{name}-{node.name}")
        for node in sorted(nodes, key=lambda node: node.name)
        if where.runs_on(node)
    ]
    if not pods:
        remarks = (*remarks, NoEligibleNode(f"DaemonSet {namespace_of(manifest)}/{name}"))
    made = _with_claims(pods, (owned,), shelf, remarks)
    return Made(made.objects, made.pods, made.remarks, pod)


def daemon_pod(manifest: Document, shelf: Snapshot, revision: str = "") -> tuple[Document, tuple[Remark, ...]]:
    """The next pod of a DaemonSet before it is tied to a node, and remarks. Raises ManifestError."""
    more = {REVISION_HASH: revision or fingerprint(manifest["spec"]["template"])}
    pod, remarks = _templated(manifest, _stored(manifest, None), more, shelf)
    return renamed({**pod, "spec": tolerating(pod["spec"])}, name_of(manifest)), remarks


def _cron_job(manifest: Document, shelf: Snapshot, replicas: int | None) -> Made:
    """A CronJob with the Job that it starts next, whenever that is."""
    if replicas is not None:
        raise ManifestError("replicas", UnknownField("replicas"))
    spec, name, namespace = manifest["spec"], name_of(manifest), namespace_of(manifest)
    owned = {**manifest, "metadata": _identified(manifest)}
    if spec.get("suspend"):
        return Made((owned,), (), (JobSuspended(f"CronJob {namespace}/{name}"),))
    template = spec["jobTemplate"]
    fields = {
        "name": f"{name}-1",
        "namespace": namespace,
        "labels": labels_of(template),
        "ownerReferences": [_reference(owned)],
    }
    try:
        made = _job(
            {"apiVersion": "batch/v1", "kind": "Job", "metadata": fields, "spec": template["spec"]}, shelf, None
        )
    except ManifestError as error:
        raise ManifestError(f"spec.jobTemplate.{error.path}", error.problem) from None
    return replace(made, objects=(owned, *made.objects))


def _job(manifest: Document, shelf: Snapshot, replicas: int | None) -> Made:
    spec, name, namespace = manifest["spec"], name_of(manifest), namespace_of(manifest)
    parallelism = _number(spec, "parallelism", 1)
    completions = _number(spec, "completions", parallelism)
    count = min(parallelism, completions) if replicas is None else replicas
    owned = {**manifest, "metadata": _identified(manifest)}
    if spec.get("suspend"):
        return Made((owned,), (), (JobSuspended(f"Job {namespace}/{name}"),))
    uid = uid_of("Job", namespace, name)
    more = {"controller-uid": uid, "batch.kubernetes.io/controller-uid": uid}
    more |= {"job-name": name, "batch.kubernetes.io/job-name": name}
    pod, remarks = _templated(manifest, owned, more, shelf)
    is_indexed = spec.get("completionMode") == "Indexed"
    pods, shared = [], labels_of(pod)
    for number in range(count):
        one = renamed(pod, f"{name}-{number if is_indexed else number + 1}")
        if is_indexed:
            one = {**one, "metadata": {**one["metadata"], "labels": {**shared, _COMPLETION_INDEX: str(number)}}}
        pods.append(one)
    if count < completions:
        remarks = (*remarks, JobInParts(f"Job {namespace}/{name}", count, completions))
    return _with_claims(pods, (owned,), shelf, remarks)


# -- parts -------------------------------------------------------------------------------------------------------------


def _count(manifest: Document, replicas: int | None) -> int:
    return _number(manifest["spec"], "replicas", 1) if replicas is None else replicas


def _number(spec: Document, field: str, default: int) -> int:
    value = spec.get(field)
    if value is None:
        return default
    if type(value) is not int or not 0 <= value <= MOST_REPLICAS:
        raise ManifestError(f"spec.{field}", OutOfRange(shown(value), 0, MOST_REPLICAS))
    return value


def _identified(manifest: Document) -> dict[str, Any]:
    namespace, name = namespace_of(manifest), name_of(manifest)
    own = metadata(manifest)
    return {**own, "namespace": namespace, "uid": own.get("uid") or uid_of(str(manifest["kind"]), namespace, name)}


def _stored(manifest: Document, replicas: int | None) -> Document:
    spec = {key: value for key, value in manifest["spec"].items() if key not in ("template", "volumeClaimTemplates")}
    if replicas is not None:
        spec["replicas"] = replicas
    return {**manifest, "metadata": _identified(manifest), "spec": spec}


def _reference(owner: Document) -> Document:
    kind = str(owner["kind"])
    version = str(owner.get("apiVersion") or _API.get(kind, "apps/v1"))
    uid = metadata(owner)["uid"]
    return {"apiVersion": version, "kind": kind, "name": name_of(owner), "uid": uid, "controller": True}


def _templated(
    manifest: Document, owner: Document, more: Mapping[str, str], shelf: Snapshot
) -> tuple[Document, tuple[Remark, ...]]:
    """A pod of a workload's template, as the API server would store it, and remarks."""
    template = manifest["spec"]["template"]
    fields = {"labels": {**labels_of(template), **more}, "ownerReferences": [_reference(owner)]}
    return _admitted(manifest, template["spec"], fields, shelf, "spec.template.")


def _admitted(
    manifest: Document, spec: Document, fields: Document, shelf: Snapshot, within: str
) -> tuple[Document, tuple[Remark, ...]]:
    remarks: tuple[Remark, ...] = ()
    if spec.get("nodeName"):
        spec = {key: value for key, value in spec.items() if key != "nodeName"}
        remarks = (NodeNameIgnored(f"{manifest['kind']} {namespace_of(manifest)}/{name_of(manifest)}"),)
    if not spec.get("containers"):
        raise ManifestError(f"{within}spec.containers", Empty())
    named = {**fields, "name": name_of(manifest), "namespace": namespace_of(manifest)}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": named, "spec": spec, "status": {}}
    try:
        admission = admit(pod, shelf)
        amounts = pod_amounts(admission.pod, use_status=False)
    except QuantityError as error:
        raise ManifestError(f"{within}spec", NotAQuantity(shown(error.given))) from None
    negative = [resource for resource, number in amounts.items() if number < 0]
    if negative:
        # Numbers wrap around in the scheduler, so that far too much comes out as less than nothing.
        raise ManifestError(f"{within}spec", UncountableRequest(negative[0]))
    for refusal in admission.refusals:
        raise ManifestError(f"{within}{refusal.field}", refusal.problem)
    return admission.pod, remarks


def _with_claims(
    pods: Sequence[Document],
    objects: Iterable[Document],
    shelf: Snapshot,
    remarks: tuple[Remark, ...],
    templates: Sequence[Document] = (),
) -> Made:
    """The pods with the claims that are made for them; without those that would get a volume just anywhere."""
    pods, made = _with_resource_claims(pods, shelf)
    claims = claims_of(pods, templates, shelf)
    more = (ClaimsIgnored(claims.unplaced),) if claims.unplaced else ()
    return Made((*objects, *claims.made, *made), claims.pods, (*remarks, *more))


def _with_resource_claims(pods: Sequence[Document], shelf: Snapshot) -> tuple[Sequence[Document], list[Document]]:
    """Pods with the names of the ResourceClaims that are made for them from templates, and these claims."""
    if not pods or not (pods[0].get("spec") or {}).get("resourceClaims"):
        return pods, []
    found: list[Document] = []
    claims: list[Document] = []
    for pod in pods:
        names, made = claims_from_templates(shelf, pod)
        statuses = [{"name": entry, "resourceClaimName": name} for entry, name in names.items()]
        found.append({**pod, "status": {**(pod.get("status") or {}), "resourceClaimStatuses": statuses}})
        claims += made
    return found, claims


# Which pods of a workload go first when there are to be fewer.
#
# Upstream: ``ActivePodsWithRanks`` in ``pkg/controller/controller_utils.go`` and
# ``getPodsRankedByRelatedPodsOnSameNode``
# in ``pkg/controller/replicaset/replica_set.go``, v1.34.1. What is not mirrored plays no part: deletion costs and
# counts of restarts. Times are compared as they are, where the controller compares their logarithms and lets
# chance decide.

_PHASES = {"Pending": 0, "Unknown": 1}
_RANKING_RUNNING = 2


def first_to_go(pods: Iterable[Document], count: int) -> list[Document]:
    """So many pods of a ReplicaSet, or of all that a Deployment has; those of a Job go alike."""
    given = [Pod(document) for document in pods]
    doubled = Counter(pod.node_name for pod in given if pod.node_name)

    def rank(pod: Pod) -> tuple[Any, ...]:
        return (
            bool(pod.node_name),
            _PHASES.get(str(pod.status.get("phase") or "Pending"), _RANKING_RUNNING),
            pod.ready,
            -doubled[pod.node_name],
            -_ready_since(pod),
            -pod.created,
            pod.uid,
        )

    return [pod.document for pod in sorted(given, key=rank)[:count]]


def last_ordinals(pods: Iterable[Document], count: int) -> list[Document]:
    """So many pods of a StatefulSet: the highest ordinals."""
    return sorted(pods, key=ordinal_of, reverse=True)[:count]


def ordinal_of(pod: Document) -> int:
    """The ordinal of a StatefulSet's pod, -1 where its name has none."""
    return ordinal_in(name_of(pod))


def ordinal_in(name: str) -> int:
    """The ordinal at the end of a StatefulSet's pod's name, -1 where there is none."""
    text = name.rpartition("-")[2]
    return int(text) if text.isdecimal() and len(text) < 10 else -1


def _ready_since(pod: Pod) -> int:
    """When a ready pod became so, as a number that sorts like it; the latest where nobody says."""
    for condition in pod.status.get("conditions") or ():
        if pod.ready and condition.get("type") == "Ready" and condition.get("lastTransitionTime"):
            return sortable_time(condition["lastTransitionTime"])
    return NOT_STARTED


# The new ordinals of StatefulSets that do not come to be yet, because one before them has no node.
#
# Upstream: ``updateStatefulSet`` in ``pkg/controller/statefulset/stateful_set_control.go`` v1.34.1: with the policy
# OrderedReady an ordinal is created once all before it are Running and Ready, which a placed pod is at once here.


class _OrderedSet(Struct):
    """A StatefulSet: its wanted pods by ordinal, how many of the first are known to have nodes, and who is held back.

    ``told``: those of whom a step says that they wait for ``predecessor``.
    """

    name: str
    members: dict[str, int]
    order: list[str]
    placed: int = 0
    held: dict[str, tuple[Document, int]] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)
    predecessor: str = ""


class HeldOrdinals:
    """Decides which of the pods that a question adds are created, as others are placed."""

    def __init__(self, snapshot: Snapshot, wanted: Iterable[Wanted]) -> None:
        self._snapshot = snapshot
        self._set_of: dict[str, _OrderedSet] = {}
        self._added: set[str] = set()
        self._stamps: dict[str, int] = {}
        self._holding: dict[str, _OrderedSet] = {}
        members: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        for each in wanted:
            controller = Controller.of(each.pod)
            if controller is None or controller.kind != "StatefulSet":
                continue
            key = key_of(each.pod)
            members[f"{namespace_of(each.pod)}/{controller.name}"].append((ordinal_of(each.pod), key))
            if each.origin is Origin.ADDED:
                self._added.add(key)
        for name, pods in members.items():
            namespace, _, own = name.partition("/")
            if Ordinals.of(snapshot.object("StatefulSet", own, namespace) or {}).is_ordered:
                order = [key for _, key in sorted(pods)]
                found = _OrderedSet(name, {key: place for place, key in enumerate(order)}, order)
                self._set_of |= dict.fromkeys(order, found)

    def holds(self, pod: Document, stamp: Callable[[], int]) -> bool:
        """Whether a pod is not created yet; it is remembered then, with a ``stamp``: its place in the queue."""
        key = key_of(pod)
        found = self._set_of.get(key)
        if found is None:
            return False
        if found.members[key] < found.placed:
            # It was placed, and went.
            found.placed = 0
        if key not in self._added or found.held.get(key):
            return False
        if self._first_without_node(found) in ("", key):
            return False
        found.held[key] = pod, stamp()
        self._holding[found.name] = found
        return True

    def loses(self, key: str) -> None:
        """Note that a pod, which may have been placed, is not Running and Ready any more."""
        found = self._set_of.get(key)
        if found is not None:
            found.placed = min(found.placed, found.members[key])

    def stamp_of(self, key: str) -> int | None:
        """The place in the queue of a pod that was held back; None of any other."""
        return self._stamps.pop(key, None)

    def next_after(self, key: str) -> Document | None:
        """The pod that is created as another has been placed; None where none is."""
        found = self._set_of.get(key)
        return None if found is None or not found.held else self.let_go(self._first_without_node(found))

    def let_go(self, key: str) -> Document | None:
        """Hold a pod back no longer; None where it was not."""
        found = self._set_of.get(key)
        held = None if found is None else found.held.pop(key, None)
        if found is None or held is None:
            return None
        found.told.discard(key)
        if not found.held:
            del self._holding[found.name]
        document, self._stamps[key] = held
        return document

    def document_of(self, key: str) -> Document | None:
        """A pod that is held back, None of any other."""
        found = self._set_of.get(key)
        held = None if found is None else found.held.get(key)
        return None if held is None else held[0]

    def untold(self) -> Iterator[tuple[str, AwaitsOrdinal]]:
        """The pods that are held back and of whom no step says for which pod they wait now."""
        for found in self._holding.values():
            predecessor = self._first_without_node(found)
            if predecessor != found.predecessor:
                found.told.clear()
                found.predecessor = predecessor
            for key in sorted(found.held.keys() - found.told, key=found.members.__getitem__):
                found.told.add(key)
                yield key, AwaitsOrdinal(found.name, predecessor.partition("/")[2])

    def _first_without_node(self, found: _OrderedSet) -> str:
        """The first member that has no node; empty where all have one."""
        while found.placed < len(found.order) and self._is_ready(found.order[found.placed]):
            found.placed += 1
        return found.order[found.placed] if found.placed < len(found.order) else ""

    def _is_ready(self, key: str) -> bool:
        """Whether a pod has a node, and is not being deleted."""
        pods = self._snapshot.pods
        return self._snapshot.placed_on(key) is not None and not pods.terminating[pods.slot_of[key]]


# What controllers make of pods that went, and what a pod is like once it runs.

# That there is a time matters, not which.
_DELETED: Final = "1970-01-01T00:00:00Z"
_RUNNING: Document = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}


def running(pod: Document) -> Document:
    """A pod that was just placed, as if its containers were ready at once."""
    return {**pod, "status": _RUNNING}


def terminating(pod: Document, node: str, *, is_preempted: bool) -> Document:
    """A pod on a node whose deletion has begun, by the scheduler for another pod or for anything else."""
    status = pod.get("status") or {}
    if is_preempted:
        condition = {"type": DISRUPTION_TARGET, "status": "True", "reason": "PreemptionByScheduler"}
        others = (each for each in status.get("conditions") or () if each.get("type") != DISRUPTION_TARGET)
        status = {**status, "conditions": [*others, condition]}
    fields = {**metadata(pod), "deletionTimestamp": _DELETED}
    return {
        **pod,
        "kind": "Pod",
        "metadata": fields,
        "spec": {**(pod.get("spec") or {}), "nodeName": node},
        "status": status,
    }


def nominated(pod: Document, node: str) -> Document:
    """A pending pod with a node nominated for it, or with none where the name is empty."""
    status = {field: value for field, value in (pod.get("status") or {}).items() if field != "nominatedNodeName"}
    if node:
        status["nominatedNodeName"] = node
    return {**pod, "status": status}


class Successors:
    """The pods that controllers make for those that were evicted or preempted."""

    def __init__(self, copy_name: Callable[[str, str, int], str] = copied_again) -> None:
        self._copy_name = copy_name
        self._made: Counter[tuple[str, str]] = Counter()

    def copy(self) -> Successors:
        """Independent ones that go on with the same numbers."""
        twin = Successors(self._copy_name)
        twin._made = self._made.copy()
        return twin

    def of(self, snapshot: Snapshot, pod: Document, is_taken: Callable[[str], bool]) -> PodCopy | None:
        """The pod that replaces one that is gone; None where nobody makes one.

        A StatefulSet's pod keeps its name and its claims; others get the name of the next number that no pod
        bears. Nobody makes a pod again that a kubelet reads from a file, and one that was being deleted already
        has been replaced.
        """
        controller = Controller.of(pod)
        if controller is None or controller.kind == "Node":
            return None
        if controller.kind == "StatefulSet":
            return copy_of(snapshot, pod, name_of(pod), keeps_claims=True)
        if metadata(pod).get("deletionTimestamp"):
            return None
        namespace = namespace_of(pod)
        while True:
            self._made[namespace, controller.name] += 1
            name = self._copy_name(namespace, controller.name, self._made[namespace, controller.name])
            if not is_taken(f"{namespace}/{name}"):
                return copy_of(snapshot, pod, name)


# Jobs of a simulation as they lose pods: whether another one is made, and when a Job fails.
#
# Each Job's count is kept in its object in the snapshot, so that it begins with what its status says.

JobKey = tuple[str, str]


def job_of(pod: Document) -> JobKey | None:
    """The namespace and the name of the Job that controls a pod; None where none does."""
    controller = Controller.of(pod)
    return None if controller is None or controller.kind != "Job" else (namespace_of(pod), controller.name)


class PodLoss(Struct, frozen=True):
    """A pod that has to go, and what its Job says to that: why it makes none in its place, if it does not.

    ``likeness``: the pod after which another one of its index or its Job is made, None without such. ``failed``: the
    Job that fails with it, and whose other pods are deleted.
    """

    pod: Document | None
    likeness: Document | None
    problem: Problem | None = None
    failed: JobKey | None = None


class JobPods:
    """The Jobs of a snapshot as their pods have to go; ``pods_of`` finds the pods that a Job has."""

    def __init__(self, snapshot: Snapshot, pods_of: Callable[[JobKey], Iterable[Document]]) -> None:
        self._snapshot, self._pods_of = snapshot, pods_of

    def lose(self, pod: Document | None) -> PodLoss:
        """Let a pod go that was evicted or preempted; of a Job that is not known every pod is replaced."""
        key = None if pod is None else job_of(pod)
        job = None if key is None else self._snapshot.object("Job", key[1], key[0])
        if pod is None or key is None or job is None:
            return PodLoss(pod, pod)
        found = disrupted_job(job, pod)
        if found.job is not job:
            self._snapshot.upsert(found.job)
        return PodLoss(pod, found.likeness, _problem(found), key if found.fails is not None else None)

    def likeness(self, loss: PodLoss) -> Document | None:
        """The pod after which another one is made, once all have gone that go together; None where none is."""
        key = None if loss.pod is None else job_of(loss.pod)
        job = None if key is None else self._snapshot.object("Job", key[1], key[0])
        if loss.pod is None or key is None or job is None or not isinstance(loss.problem, JobIndexFailed):
            return loss.likeness
        if has_ended(job):
            return None
        completions = int((job.get("spec") or {}).get("completions") or 0)
        active = {index for each in self._pods_of(key) if (index := index_of(each, completions)) is not None}
        return of_next_index(job, loss.pod, active)


def _problem(found: DisruptedJob) -> Problem | None:
    """Why no pod is made in the place of one that a Job lost, or none of its index; None where one is."""
    spec, name = found.job.get("spec") or {}, f"{namespace_of(found.job)}/{name_of(found.job)}"
    if found.had_ended:
        return JobHadEnded(name)
    if found.fails is not None:
        limits = {
            JobFailureReason.BACKOFF_LIMIT: backoff_limit(spec),
            JobFailureReason.MOST_INDEXES: spec.get("maxFailedIndexes"),
        }
        return JobFailed(name, found.fails.value, int(limits.get(found.fails) or 0))
    if found.failed_index is not None:
        return JobIndexFailed(name, found.failed_index, int(spec.get("backoffLimitPerIndex") or 0))
    return None


class PodsOfJobs:
    """Finds the pods of Jobs among many: those that are on nodes from the beginning, and those that came since."""

    def __init__(self, snapshot: Snapshot, documents: Mapping[str, Document], is_placed: Callable[[str], bool]) -> None:
        self._snapshot, self._documents, self._is_placed = snapshot, documents, is_placed
        self._by_job: dict[JobKey, list[str]] | None = None

    def keys(self, job: JobKey) -> Iterator[str]:
        """The pods that a Job has now, by ``namespace/name``."""
        if self._by_job is None:
            found: defaultdict[JobKey, list[str]] = defaultdict(list)
            pods = self._snapshot.pods
            jobs = [number for number, each in enumerate(pods.templates) if each.workload.kind == "Job"]
            for slot in np.flatnonzero(np.isin(pods.template, jobs) & (pods.label_set >= 0)).tolist():
                workload = pods.templates[pods.template[slot]].workload
                found[workload.namespace, workload.name].append(pods.keys[slot])
            self._by_job = found
        for key in self._by_job.get(job, ()):
            if key not in self._documents and self._is_placed(key):
                yield key
        for key, pod in self._documents.items():
            if job_of(pod) == job:
                yield key


# The API server as pods of a simulation are created: what LimitRanges and quotas refuse, and who tries again.
#
# Upstream, v1.34.1: ``LimitRanger`` and ``ResourceQuota`` among the plugins of admission, and controllers, which
# create what was refused again. What takes time there happens at once: usage is free when its pod is gone.

LIMIT_RANGE: Final = "LimitRange"
QUOTA: Final = "ResourceQuota"
_VOLUME_CLAIM: Final = "PersistentVolumeClaim"


class PodAdmission:
    """LimitRanges and quotas as pods are created and deleted, and the pods that they refuse."""

    def __init__(self, snapshot: Snapshot, quotas: Iterable[Document] | None = None, *, asks: bool = True) -> None:
        """``quotas``: those of the snapshot, if another status is to be believed than theirs. ``asks``: otherwise
        everything is created.
        """
        self._snapshot = snapshot
        self._asks = asks
        charged = snapshot.objects(QUOTA) if quotas is None else quotas
        limited = LimitedResource.all_of(snapshot.objects(CONFIGURATION))
        self._ledger = QuotaLedger(charged, limited) if asks else QuotaLedger(())
        self._rules = device_quota_rules(snapshot)
        # Kind and key of those that were charged.
        self._claims: set[tuple[str, str]] = set()
        # ResourceClaims that go with the pods for which they were made, by those: others may have deleted them before.
        self._device_claims: dict[str, list[Document]] = {}
        for claim in snapshot.objects(CLAIM) if self._ledger else ():
            if owner_of(claim) and not is_imagined(claim):
                self._claims.add((CLAIM, key_of(claim)))
                self._device_claims.setdefault(f"{namespace_of(claim)}/{owner_of(claim)}", []).append(claim)
        # Pods of one template share their spec, cost as much each, and keep the same bounds.
        self._alike: dict[int, tuple[Document, Charge]] = {}
        self._within: dict[int, tuple[Document, bool]] = {}
        self._refused: dict[str, dict[str, tuple[Document, CreationRefusal]]] = {}
        # Pods that were created and lack the claim of an ephemeral volume, which was refused.
        self._incomplete: set[str] = set()

    def admit(self, pod: Document) -> CreationRefusal | None:
        """Charge a pod that is created; why it is refused, where it is, and remembered then."""
        refusal = self._ask(pod)
        if refusal is None:
            return None
        self._refused.setdefault(namespace_of(pod), {})[key_of(pod)] = pod, refusal
        return refusal

    def _ask(self, pod: Document) -> CreationRefusal | None:
        """Charge a pod that is created, and the claims that are made with it; why it is refused, where it is.

        A StatefulSet makes the claims before the pod, so that those stay; claims of ephemeral volumes and those from
        ResourceClaimTemplates come after it.
        """
        namespace, key = namespace_of(pod), key_of(pod)
        if not self._asks or not (self._ledger.has(namespace) or self._snapshot.objects(LIMIT_RANGE, namespace)):
            return None
        before, after = self._new_claims(pod)
        refusal = self._ask_for(before, key)
        if refusal is None and key not in self._incomplete:
            refusal = self._bounds(pod) or self._ledger.charge(self._charge(pod))
        if refusal is None:
            refusal = self._ask_for(after, key)
            (self._incomplete.discard if refusal is None else self._incomplete.add)(key)
        return refusal

    def asks_quotas(self, pod: str) -> bool:
        """Whether any quota may count what comes with a pod, by ``namespace/name``."""
        return self._ledger.has(pod.partition("/")[0])

    def refused_claim(self, pod: Document, claim: Document) -> QuotaRefusal | None:
        """Why the claim that the scheduler makes for a pod would not be created now; None where it would."""
        return None if self._is_charged(claim) else self._ledger.refusal(self._claim_charge(pod, claim))

    def charge_claim(self, pod: Document, claim: Document) -> None:
        """Charge the claim that the scheduler makes for a pod; it is free again when the pod is gone."""
        if not self._is_charged(claim):
            self._ledger.count(self._claim_charge(pod, claim))
            self._claims.add((CLAIM, key_of(claim)))
            self._device_claims.setdefault(key_of(pod), []).append(claim)

    def _is_charged(self, claim: Document) -> bool:
        return (CLAIM, key_of(claim)) in self._claims

    def _claim_charge(self, pod: Document, claim: Document) -> Charge:
        """What a claim of a pod is charged beside the pod: of the scheduler's own what the pod has not paid for."""
        return device_claim_charge(claim, self._rules, self._charge(pod).amounts)

    def release(self, pod: Document) -> None:
        """Free what a pod used that is gone, and the claims that go with it."""
        namespace = namespace_of(pod)
        if not self._ledger.has(namespace):
            return
        self._ledger.release(self._charge(pod))
        for use in self._ephemeral(pod):
            claim = self._snapshot.object(_VOLUME_CLAIM, use.claim, namespace)
            self._claims.discard((_VOLUME_CLAIM, f"{namespace}/{use.claim}"))
            if claim is not None:
                self._ledger.release(claim_charge(claim))
        for claim in self._device_claims.pop(key_of(pod), ()):
            self._claims.discard((CLAIM, key_of(claim)))
            self._ledger.release(self._claim_charge(pod, claim))

    # -- refused pods ------------------------------------------------------------------------------------

    def forget(self, key: str) -> None:
        """Let nobody try again to create a pod, or what it lacks."""
        known = self._refused.get(key.partition("/")[0], {}).pop(key, None)
        if known is not None and key in self._incomplete:
            self._incomplete.discard(key)
            self.release(known[0])

    def forget_of(self, job: JobKey) -> None:
        """Let nobody try again to create the pods of a Job."""
        for key, (pod, _) in list(self._refused.get(job[0], {}).items()):
            if job_of(pod) == job:
                self.forget(key)

    def refused(self, key: str) -> Document | None:
        """A pod that does not exist as it was refused, None for any other."""
        known = self._refused.get(key.partition("/")[0], {}).get(key)
        return None if known is None else known[0]

    def refusals(self) -> Iterator[CreationRefusal]:
        """Why the pods were refused that do not exist now."""
        return (refusal for known in self._refused.values() for _, refusal in known.values())

    def room_for(self, pod: Document) -> int | None:
        """How many more pods like this one that bring no claims are created; None where nothing bounds their number."""
        if self._bounds(pod) is not None:
            return 0
        return self._ledger.room_for(self._charge(pod))

    def admitted_now(self, namespace: str) -> Iterable[Document]:
        """The refused pods that fit now and that their controllers try again to create, in the order of refusals.

        They are not charged yet: each is to be asked for before the next is taken.
        """
        for key, (pod, _) in list(self._refused.get(namespace, {}).items()):
            if (Controller.of(pod) is not None or key in self._incomplete) and self._may_fit(pod):
                del self._refused[namespace][key]
                yield pod

    def _may_fit(self, pod: Document) -> bool:
        """Whether nothing that is still to be created for a pod is refused by itself."""
        before, after = self._new_claims(pod)
        if any(map(self._claim_refusal, before)):
            return False
        if key_of(pod) in self._incomplete:
            return not any(map(self._claim_refusal, after))
        return self._keeps_bounds(pod) and self._ledger.refusal(self._charge(pod)) is None

    # -- charges -----------------------------------------------------------------------------------------

    def _new_claims(self, pod: Document) -> tuple[list[Document], list[Document]]:
        """The claims that are still to be made for a pod: those that come before it, and those that come after it."""
        made = new_claims(self._snapshot, Pod(pod))
        claims = [claim for claim in made if (_VOLUME_CLAIM, key_of(claim)) not in self._claims]
        made = templated_claims(self._snapshot, Pod(pod))
        devices = [claim for claim in made if (CLAIM, key_of(claim)) not in self._claims]
        owned = {use.claim for use in self._ephemeral(pod)}
        before = [claim for claim in claims if name_of(claim) not in owned]
        return before, [*(claim for claim in claims if name_of(claim) in owned), *devices]

    def _claim_refusal(self, claim: Document) -> CreationRefusal | None:
        """Why a claim would not be created now; LimitRanges bound those of volumes alone."""
        if claim.get("kind") == CLAIM:
            return self._ledger.refusal(device_claim_charge(claim, self._rules))
        return claim_refusal(claim, self._snapshot) or self._ledger.refusal(claim_charge(claim))

    def _ask_for(self, claims: Iterable[Document], pod: str) -> CreationRefusal | None:
        """Charge claims that are made for a pod, as ``namespace/name``, until one is refused."""
        for claim in claims:
            refusal = self._claim_refusal(claim)
            if refusal is not None:
                return refusal
            if claim.get("kind") == CLAIM:
                self._ledger.count(device_claim_charge(claim, self._rules))
                self._claims.add((CLAIM, key_of(claim)))
                self._device_claims.setdefault(pod, []).append(claim)
            else:
                self._ledger.count(claim_charge(claim))
                self._claims.add((_VOLUME_CLAIM, key_of(claim)))
        return None

    def _bounds(self, pod: Document) -> CreationRefusal | None:
        """Why LimitRanges refuse a pod; None where they do not."""
        spec = pod.get("spec") or {}
        known = self._within.get(id(spec))
        if known is not None and known[0] is spec and known[1]:
            return None
        refusal = pod_refusal(pod, self._snapshot)
        self._within[id(spec)] = spec, refusal is None
        return refusal

    def _keeps_bounds(self, pod: Document) -> bool:
        known = self._within.get(id(pod.get("spec")))
        return self._bounds(pod) is None if known is None or known[0] is not pod.get("spec") else known[1]

    def _ephemeral(self, pod: Document) -> list[Any]:
        uses = (claim_use(volume, name_of(pod)) for volume in (pod.get("spec") or {}).get("volumes") or ())
        return [use for use in uses if use is not None and use.ephemeral]

    def _charge(self, pod: Document) -> Charge:
        spec = pod.get("spec") or {}
        if pod.get("status"):
            return pod_charge(pod, self._rules)
        known = self._alike.get(id(spec))
        if known is None or known[0] is not spec:
            known = self._alike[id(spec)] = (spec, pod_charge(pod, self._rules))
        return known[1].of_another(namespace_of(pod), name_of(pod))


# The quotas of a simulation as it begins: what the changes took away is free.
#
# Upstream, v1.34.1: ``pkg/controller/resourcequota``.

KIND: Final = "ResourceQuota"
# How UIDs of pods begin that a simulation makes.
_IMAGINED: Final = "imagined:"


def is_new(pod: Document) -> bool:
    """Whether a pod is made by a question, and none that the cluster has."""
    return str(metadata(pod).get("uid") or "").startswith(_IMAGINED)


def settle_quotas(snapshot: Snapshot, pods: Iterable[Document], gone: Iterable[Document]) -> None:
    """Write the status of every quota of a snapshot, as pods of the base are ``gone``; ``pods`` are those that remain.

    What the status had used stays used but for them and their claims from templates. A quota without a status is
    counted from its objects.
    """
    quotas = snapshot.objects(KIND)
    ledger = QuotaLedger(quota for quota in quotas if is_counted(quota))
    rules = device_quota_rules(snapshot)
    for pod in gone:
        if ledger.has(namespace_of(pod)):
            ledger.release(pod_charge(pod, rules))
            for claim in claims_from_templates(snapshot, pod)[1]:
                ledger.release(device_claim_charge(claim, rules))
    claims = (claim for claim in snapshot.objects("PersistentVolumeClaim") if not is_new(claim))
    devices = (claim for claim in snapshot.objects(CLAIM) if not is_imagined(claim))
    for document in (*with_status(quotas, ledger), *counted_quotas(quotas, pods, claims, devices, rules)):
        snapshot.upsert(document)
