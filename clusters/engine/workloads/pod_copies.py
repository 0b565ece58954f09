"""Pods that a controller would make next, after the likeness of one that it has made.

Upstream: ``GetPodFromTemplate`` in ``pkg/controller/controller_utils.go``, the names, labels and claims that
``pkg/controller/statefulset`` gives, the claims of ``pkg/controller/volume/ephemeral``, and the selectors into which
``pkg/registry/core/pod`` merges matchLabelKeys, v1.34.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.engine.admission.creation import with_defaults_of_now
from clusters.engine.devices.claim_lifecycle import claims_from_templates
from clusters.engine.objects import labels_of, metadata, name_of, namespace_of
from clusters.engine.volumes.claims import (
    WAIT_FOR_FIRST_CONSUMER,
    annotations_of,
    claim_use,
    class_of,
    default_class,
    spec_of,
    with_class,
)
from clusters.engine.workloads.pod_template import TEMPLATE_HASH, Controller

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot

REVISION_HASH = "controller-revision-hash"
POD_NAME, POD_INDEX = "statefulset.kubernetes.io/pod-name", "apps.kubernetes.io/pod-index"
_KEPT_ANNOTATION = "volume.beta.kubernetes.io/storage-class"
_SPREAD = "topologySpreadConstraints"
_AFFINITIES = ("podAffinity", "podAntiAffinity")
_REQUIRED, _PREFERRED = (
    "requiredDuringSchedulingIgnoredDuringExecution",
    "preferredDuringSchedulingIgnoredDuringExecution",
)


@dataclass(frozen=True, slots=True)
class PodCopy:
    """A pod that does not exist, and the claims that its controllers would make for it.

    ``unplaced``: claims whose volume would be made at once, wherever the provisioner likes, or of which nothing is
    known; the pod is judged without.
    ``devices``: resource claims that would be made from templates that are not held; the pod is judged without.
    """

    pod: Document
    claims: tuple[Document, ...] = ()
    unplaced: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()


def copy_of(snapshot: Snapshot, pod: Document, name: str, *, keeps_claims: bool = False) -> PodCopy:
    """A pod called ``name`` that waits for a node and is otherwise as ``pod``.

    Of a StatefulSet's pod it gets claims of its own, unless ``keeps_claims``: then it is the same pod recreated.
    LimitRanges give its containers what they do now.
    """
    pod = with_defaults_of_now(pod, snapshot)
    controller = Controller.of(pod)
    uid = f"imagined:{namespace_of(pod)}/{name}"
    fields = {
        field: value
        for field, value in metadata(pod).items()
        if field not in ("creationTimestamp", "deletionTimestamp", "resourceVersion", "generation")
    }
    labels = dict(labels_of(pod))
    if POD_NAME in labels:
        labels[POD_NAME] = name
    if POD_INDEX in labels:
        labels[POD_INDEX] = name.rpartition("-")[2]
    spec = {field: value for field, value in spec_of(pod).items() if field != "nodeName"}
    copied = {
        "kind": "Pod",
        "metadata": {**fields, "name": name, "uid": uid, "labels": labels},
        "spec": spec,
        "status": {},
    }
    stateful = controller is not None and controller.kind == "StatefulSet"
    return _with_claims(snapshot, pod, copied, renames=stateful and not keeps_claims)


def _with_claims(snapshot: Snapshot, pod: Document, copied: Mapping[str, Any], *, renames: bool) -> PodCopy:
    """Give a copy the claims that would be made for it, and take from it what only their makers could tell."""
    namespace, old, new = namespace_of(pod), name_of(pod), name_of(copied)
    volumes, claims, unplaced = [], [], []
    templates = _claim_templates(snapshot, pod)
    for volume in copied["spec"].get("volumes") or ():
        use = claim_use(volume, old)
        made = None if use is None else _claim_name(use.claim, use.ephemeral, old, new, renames=renames)
        if use is None or made is None:
            volumes.append(volume)
            continue
        original = snapshot.object("PersistentVolumeClaim", use.claim, namespace)
        likeness = _template_of(volume, templates, snapshot, namespace) if original is None else original
        named = volume if use.ephemeral else {**volume, "persistentVolumeClaim": {"claimName": made}}
        if not use.ephemeral and snapshot.object("PersistentVolumeClaim", made, namespace) is not None:
            # A StatefulSet finds the claims that an earlier pod of that ordinal has left.
            volumes.append(named)
        elif likeness is None or not _waits(snapshot, likeness):
            unplaced.append(made)
        else:
            claims.append(_claim(likeness, made, metadata(copied)["uid"] if use.ephemeral else ""))
            volumes.append(named)
    spec = dict(copied["spec"])
    if "volumes" in spec:
        spec["volumes"] = volumes
    names, for_devices = claims_from_templates(snapshot, copied)
    devices = tuple(
        str(each.get("name"))
        for each in spec.get("resourceClaims") or ()
        if "resourceClaimTemplateName" in each and each.get("name") not in names
    )
    if devices:
        spec["resourceClaims"] = [each for each in spec["resourceClaims"] if each.get("name") not in devices]
    status = [{"name": entry, "resourceClaimName": name} for entry, name in names.items()]
    pod = {**copied, "spec": spec, **({"status": {"resourceClaimStatuses": status}} if status else {})}
    return PodCopy(pod, (*claims, *for_devices), tuple(unplaced), devices)


def with_own_claims(snapshot: Snapshot, pod: Document) -> Document:
    """A StatefulSet's pod to copy where its owner is not told: the claims made for it become ephemeral volumes.

    So each copy gets claims of its own, as the StatefulSet's controller makes them for each ordinal. A claim of which
    nothing is known stays as it is.
    """
    controller = Controller.of(pod)
    if controller is None or controller.kind != "StatefulSet":
        return pod
    templates, volumes = _claim_templates(snapshot, pod), []
    for volume in spec_of(pod).get("volumes") or ():
        use = claim_use(volume, name_of(pod))
        likeness = None
        if use is not None and not use.ephemeral and use.claim.endswith(f"-{name_of(pod)}"):
            likeness = snapshot.object("PersistentVolumeClaim", use.claim, namespace_of(pod))
            likeness = likeness or templates.get(str(volume.get("name")))
        volumes.append(volume if likeness is None else _ephemeral(str(volume.get("name")), likeness))
    return {**pod, "spec": {**spec_of(pod), "volumes": volumes}} if volumes else pod


def with_template_claims(pod: Document, templates: Iterable[Document]) -> Document:
    """A pod of a StatefulSet's template with an ephemeral volume for each of its volumeClaimTemplates."""
    mine = [_ephemeral(name_of(each), each) for each in templates]
    if not mine:
        return pod
    names = {volume["name"] for volume in mine}
    others = [volume for volume in spec_of(pod).get("volumes") or () if volume.get("name") not in names]
    return {**pod, "spec": {**spec_of(pod), "volumes": [*others, *mine]}}


def _ephemeral(name: str, claim: Document) -> dict[str, Any]:
    spec = {field: value for field, value in spec_of(claim).items() if field != "volumeName"}
    of_class = class_of(claim)
    if of_class:
        spec["storageClassName"] = of_class
    return {"name": name, "ephemeral": {"volumeClaimTemplate": {"spec": spec}}}


def _claim_templates(snapshot: Snapshot, pod: Document) -> dict[str, Document]:
    """The templates of claims that the pod's StatefulSet has, by the name of the volume that each is for."""
    controller = Controller.of(pod)
    if controller is None or controller.kind != "StatefulSet":
        return {}
    document = snapshot.object("StatefulSet", controller.name, namespace_of(pod))
    return {name_of(each): each for each in spec_of(document or {}).get("volumeClaimTemplates") or ()}


def _template_of(
    volume: Document, templates: Mapping[str, Document], snapshot: Snapshot, namespace: str
) -> Document | None:
    """What a claim that the state lacks would be made from, as it would be stored; None where nothing tells."""
    ephemeral = volume.get("ephemeral") or {}
    template = ephemeral.get("volumeClaimTemplate") or templates.get(str(volume.get("name")))
    if template is None:
        return None
    placed = {**template, "metadata": {**metadata(template), "namespace": namespace}}
    return with_class(placed, default_class(snapshot))


def _claim_name(claim: str, ephemeral: bool, old: str, new: str, *, renames: bool) -> str | None:
    """What the copy's claim is called; None where it shares the one of the pod that it is copied from."""
    if ephemeral or (renames and claim.endswith(f"-{old}")):
        return f"{new}{claim.removeprefix(old)}" if ephemeral else f"{claim.removesuffix(old)}{new}"
    return None


def _waits(snapshot: Snapshot, claim: Document) -> bool:
    """Whether a claim's volume is chosen for the node that its pod gets, and not before."""
    storage_class = snapshot.object("StorageClass", class_of(claim))
    return storage_class is not None and storage_class.get("volumeBindingMode") == WAIT_FOR_FIRST_CONSUMER


def _claim(original: Document, name: str, owner: str) -> Document:
    """A claim like another one, as it is before anything is bound to it; ``owner``: the UID of the pod it is for."""
    kept = {key: value for key, value in annotations_of(original).items() if key == _KEPT_ANNOTATION}
    owners = [{"apiVersion": "v1", "kind": "Pod", "uid": owner, "controller": True}] if owner else []
    return {
        "kind": "PersistentVolumeClaim",
        "metadata": {
            "name": name,
            "namespace": namespace_of(original),
            "uid": f"imagined:claim/{namespace_of(original)}/{name}",
            "labels": labels_of(original),
            "annotations": kept,
            "ownerReferences": owners,
        },
        "spec": {field: value for field, value in spec_of(original).items() if field != "volumeName"},
        "status": {"phase": "Pending"},
    }


# -- the next revision -------------------------------------------------------------------------------------------------


def revised(pod: Document, revision: str) -> Document:
    """A pod of the same workload after its template changed in what the scheduler does not read.

    It bears the labels and belongs to the ReplicaSet of the new revision, and the selectors into which its old labels
    were merged by matchLabelKeys and mismatchLabelKeys name the new ones.
    """
    labels, spec = dict(labels_of(pod)), dict(spec_of(pod))
    changed = {key: revision for key in (TEMPLATE_HASH, REVISION_HASH) if key in labels}
    old = {key: labels[key] for key in changed}
    labels.update(changed)
    if _SPREAD in spec:
        spec[_SPREAD] = [_merged_anew(entry, old, changed) for entry in spec[_SPREAD] or ()]
    affinity = dict(spec.get("affinity") or {})
    for kind in _AFFINITIES:
        if kind in affinity:
            affinity[kind] = _affinity_anew(affinity[kind] or {}, old, changed)
    if affinity:
        spec["affinity"] = affinity
    owners = [
        _owner_anew(owner, old.get(TEMPLATE_HASH, ""), revision) for owner in metadata(pod).get("ownerReferences") or ()
    ]
    return {**pod, "metadata": {**metadata(pod), "labels": labels, "ownerReferences": owners}, "spec": spec}


def revised_replica_set(document: Document, revision: str) -> Document:
    """The ReplicaSet that a Deployment makes for its next revision, as far as default spreading reads it."""
    spec, fields = spec_of(document), metadata(document)
    selector = dict(spec.get("selector") or {})
    matched = dict(selector.get("matchLabels") or {})
    old = str(matched.get(TEMPLATE_HASH) or labels_of(document).get(TEMPLATE_HASH) or "")
    if TEMPLATE_HASH in matched:
        matched[TEMPLATE_HASH] = revision
    owner = _owner_anew({"kind": "ReplicaSet", "name": name_of(document)}, old, revision)
    named = {**fields, "name": owner["name"], "uid": owner["uid"]}
    return {**document, "metadata": named, "spec": {**spec, "selector": {**selector, "matchLabels": matched}}}


def _owner_anew(owner: Mapping[str, Any], old: str, revision: str) -> Mapping[str, Any]:
    if owner.get("kind") != "ReplicaSet":
        return owner
    name = f"{str(owner.get('name')).removesuffix(f'-{old}')}-{revision}"
    return {**owner, "name": name, "uid": f"imagined:ReplicaSet/{name}"}


def _affinity_anew(affinity: Mapping[str, Any], old: Mapping[str, str], new: Mapping[str, str]) -> Mapping[str, Any]:
    found = dict(affinity)
    if affinity.get(_REQUIRED):
        found[_REQUIRED] = [_merged_anew(term, old, new) for term in affinity[_REQUIRED]]
    if affinity.get(_PREFERRED):
        found[_PREFERRED] = [
            {**each, "podAffinityTerm": _merged_anew(each.get("podAffinityTerm") or {}, old, new)}
            for each in affinity[_PREFERRED]
        ]
    return found


def _merged_anew(entry: Mapping[str, Any], old: Mapping[str, str], new: Mapping[str, str]) -> Mapping[str, Any]:
    """A constraint or term whose selector was merged with labels that now have other values."""
    keys = {*(entry.get("matchLabelKeys") or ()), *(entry.get("mismatchLabelKeys") or ())} & new.keys()
    selector = entry.get("labelSelector") or {}
    expressions = selector.get("matchExpressions") or ()
    if not keys or not expressions:
        return entry
    changed = [
        {**each, "values": [new[each["key"]]]}
        if each.get("key") in keys and list(each.get("values") or ()) == [old[each["key"]]]
        else each
        for each in expressions
    ]
    return {**entry, "labelSelector": {**selector, "matchExpressions": changed}}
