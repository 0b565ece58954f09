"""The pods that controllers make of a manifest, as the API server would store them.

Upstream, v1.34.1: ``GetPodFromTemplate`` of ``pkg/controller``, ``getNewReplicaSet`` of ``pkg/controller/deployment``,
``newStatefulSetPod`` of ``pkg/controller/statefulset``, ``pkg/controller/daemon``, and ``pkg/controller/job`` with its
indexed jobs. Pods of one template share everything but their names, so that 50,000 of them take little memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.admission import admit
from clusters.engine.admission.objects.problems import TemplateNotSelected
from clusters.engine.devices.claim_lifecycle import claims_from_templates
from clusters.engine.matching.selectors import LabelSelector, SelectorError
from clusters.engine.objects import labels_of, metadata, name_of, namespace_of
from clusters.engine.problems import NotAnAmount, OutOfRange
from clusters.engine.resources.quantity import QuantityError
from clusters.engine.resources.requests import pod_amounts
from clusters.engine.showing import shown
from clusters.engine.simulation.claims import claims_of
from clusters.engine.simulation.copying import renamed
from clusters.engine.simulation.daemons import DaemonEligibility, pinned, tolerating
from clusters.engine.simulation.fingerprint import fingerprint
from clusters.engine.simulation.limits import MOST_REPLICAS
from clusters.engine.simulation.problems import (
    InvalidLabelSelector,
    NegativeOrdinal,
    NoContainers,
    NoName,
    NoPodTemplate,
    NoReplicas,
    NoSpec,
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
from clusters.engine.workloads.pod_copies import POD_INDEX, POD_NAME, REVISION_HASH
from clusters.engine.workloads.pod_template import TEMPLATE_HASH, template_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine.objects import Document
    from clusters.engine.problems import Problem
    from clusters.engine.snapshot import Snapshot

SELECTING: Final = ("Deployment", "ReplicaSet", "StatefulSet", "DaemonSet")
WORKLOADS: Final = (*SELECTING, "ReplicationController", "Job", "CronJob", "Pod")
_API: Final = {"Job": "batch/v1", "Pod": "v1", "ReplicationController": "v1"}
_COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index"


class ManifestError(ValueError):
    """A manifest of which no pods can be made: the field, and what is wrong."""

    def __init__(self, field: str, problem: Problem) -> None:
        super().__init__(f"{field}: {problem!r}")
        self.field = field
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Made:
    """What comes of a manifest: ``objects`` beside pods, ``pods`` in the order in which they are made, ``remarks``.

    ``template``: the pod of a DaemonSet before it is tied to a node, for nodes that come later.
    """

    objects: tuple[Document, ...]
    pods: Sequence[Document]
    remarks: tuple[Remark, ...] = ()
    template: Document | None = None


def made_of(manifest: Document, shelf: Snapshot, nodes: Iterable[Document], replicas: int | None = None) -> Made:
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
        raise ManifestError("metadata.name", NoName(kind))
    spec = manifest.get("spec")
    if not isinstance(spec, Mapping):
        raise ManifestError("spec", NoSpec(kind))
    if kind == "Pod":
        return
    template, path = template_of(manifest)
    if not isinstance(template, Mapping) or not isinstance(template.get("spec"), Mapping):
        raise ManifestError(f"{path}.spec", NoPodTemplate())
    if kind in SELECTING:
        _check_selector(spec, labels_of(template))


def uid_of(kind: str, namespace: str, name: str) -> str:
    """The UID that an object gets which does not exist."""
    return f"imagined:{kind}/{namespace}/{name}"


# -- kinds -------------------------------------------------------------------------------------------------------------


def _pods(manifest: Document, shelf: Snapshot, replicas: int | None) -> Made:
    fields = {key: value for key, value in metadata(manifest).items() if key in ("labels", "annotations")}
    pod, remarks = _admitted(manifest, manifest["spec"], fields, shelf, "")
    name = name_of(manifest)
    names = [name] if replicas is None or replicas == 1 else [f"{name}-{number}" for number in range(1, replicas + 1)]
    pods = [renamed(pod, each) for each in names]
    return _with_claims(pods, (), shelf, remarks)


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
        owned = _of_deployment(owned, labels_of(manifest["spec"]["template"]), more)
    objects.append(owned)
    pod, remarks = _templated(manifest, owned, more, shelf)
    stem = name_of(owned)
    pods = [renamed(pod, f"{stem}-{number}") for number in range(1, count + 1)]
    return _with_claims(pods, objects, shelf, remarks)


def _of_deployment(deployment: Document, labels: Mapping[str, str], hashed: Mapping[str, str]) -> Document:
    spec, namespace = deployment["spec"], namespace_of(deployment)
    name = f"{name_of(deployment)}-{hashed[TEMPLATE_HASH]}"
    selector = spec.get("selector") or {}
    matched = {**(selector.get("matchLabels") or {}), **hashed}
    return {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": {
            "name": name,
            "namespace": namespace,
            "uid": uid_of("ReplicaSet", namespace, name),
            "labels": {**labels, **hashed},
            "ownerReferences": [_reference(deployment)],
        },
        "spec": {"replicas": spec["replicas"], "selector": {**selector, "matchLabels": matched}},
    }


def _stateful_set(manifest: Document, shelf: Snapshot, replicas: int | None) -> Made:
    count, name, spec = _count(manifest, replicas), name_of(manifest), manifest["spec"]
    first = (spec.get("ordinals") or {}).get("start") or 0
    if type(first) is not int or first < 0:
        raise ManifestError("spec.ordinals.start", NegativeOrdinal(shown(first)))
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


def _daemon_set(manifest: Document, shelf: Snapshot, nodes: Iterable[Document], replicas: int | None) -> Made:
    if replicas is not None:
        raise ManifestError("replicas", NoReplicas("DaemonSet"))
    name, owned = name_of(manifest), _stored(manifest, None)
    pod, remarks = daemon_pod(manifest, shelf)
    where = DaemonEligibility(pod, is_template=True)
    pods = [
        renamed(pinned(pod, name_of(node)), f"{name}-{name_of(node)}")
        for node in sorted(nodes, key=name_of)
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
        raise ManifestError("replicas", NoReplicas("CronJob"))
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
        raise ManifestError(f"spec.jobTemplate.{error.field}", error.problem) from None
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


def _check_selector(spec: Document, labels: Mapping[str, str]) -> None:
    """The API server refuses a workload that would not find its own pods."""
    try:
        selector = LabelSelector.from_dict(spec.get("selector"), "spec.selector")
    except SelectorError as error:
        problem = error.faults[0]
        raise ManifestError(problem.path, InvalidLabelSelector(problem.kubernetes)) from None
    if selector.matches_everything or not selector.matches(labels):
        raise ManifestError("spec.selector", TemplateNotSelected())


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
        raise ManifestError(f"{within}spec.containers", NoContainers())
    named = {**fields, "name": name_of(manifest), "namespace": namespace_of(manifest)}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": named, "spec": spec, "status": {}}
    try:
        admission = admit(pod, shelf)
        amounts = pod_amounts(admission.pod, use_status=False)
    except QuantityError as error:
        raise ManifestError(f"{within}spec", NotAnAmount(shown(error.given))) from None
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
