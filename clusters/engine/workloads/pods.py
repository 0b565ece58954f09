"""Pods that a controller would make next, which ordinals and how many, and when containers are restarted."""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.admission.creation import with_defaults_of_now
from clusters.engine.devices.claims import claims_from_templates
from clusters.engine.objects import Document, labels_of, metadata, name_of, namespace_of
from clusters.engine.owners import TEMPLATE_HASH, Controller
from clusters.engine.volumes import (
    WAIT_FOR_FIRST_CONSUMER,
    annotations_of,
    claim_use,
    class_of,
    default_class,
    spec_of,
    with_class,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index

# Pods that a controller would make next, after the likeness of one that it has made.
#
# Upstream: ``GetPodFromTemplate`` in ``pkg/controller/controller_utils.go``, the names, labels and claims that
# ``pkg/controller/statefulset`` gives, the claims of ``pkg/controller/volume/ephemeral``, and the selectors into
# which ``pkg/registry/core/pod`` merges matchLabelKeys, v1.34.1.

REVISION_HASH = "controller-revision-hash"
POD_NAME, POD_INDEX = "statefulset.kubernetes.io/pod-name", "apps.kubernetes.io/pod-index"
_KEPT_ANNOTATION = "volume.beta.kubernetes.io/storage-class"
_SPREAD = "topologySpreadConstraints"
_AFFINITIES = ("podAffinity", "podAntiAffinity")
_REQUIRED, _PREFERRED = (
    "requiredDuringSchedulingIgnoredDuringExecution",
    "preferredDuringSchedulingIgnoredDuringExecution",
)


class PodCopy(Struct, frozen=True):
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
    given = copied["spec"].get("volumes") or ()
    if not given and not copied["spec"].get("resourceClaims"):
        return PodCopy(copied)
    namespace, old, new = namespace_of(pod), name_of(pod), name_of(copied)
    volumes, claims, unplaced = [], [], []
    templates = _claim_templates(snapshot, pod) if given else {}
    for volume in given:
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


# Which ordinals of a StatefulSet are created and deleted next, and for which its controller waits.
#
# Upstream: ``updateStatefulSet`` in ``pkg/controller/statefulset/stateful_set_control.go`` v1.34.1. With the policy
# OrderedReady it does one thing at a time, and nothing while an ordinal before it is not Running and Ready; with
# Parallel it waits for none.


class OrdinalStep(Struct, frozen=True):
    """What the controller does in one turn: ordinals it creates and deletes, in this order, or ``waits_for`` one."""

    created: tuple[int, ...] = ()
    deleted: tuple[int, ...] = ()
    waits_for: int | None = None


class Ordinals(Struct, frozen=True):
    """The ordinals of a StatefulSet: ``replicas`` of them from ``start`` on."""

    start: int
    replicas: int
    is_ordered: bool

    @classmethod
    def of(cls, document: Document) -> Ordinals:
        """Those of a StatefulSet's object; one without a spec has the defaults of the API."""
        spec = spec_of(document)
        replicas = spec.get("replicas")
        return cls(
            start=int((spec.get("ordinals") or {}).get("start") or 0),
            replicas=1 if replicas is None else int(replicas),
            is_ordered=(spec.get("podManagementPolicy") or "OrderedReady") == "OrderedReady",
        )

    def has(self, number: int) -> bool:
        """Whether an ordinal is among the replicas."""
        return self.start <= number < self.start + self.replicas

    def free(self, taken: Collection[int]) -> Iterator[int]:
        """The ordinals that further pods get: missing ones first, without end."""
        return (number for number in count(self.start) if number not in taken)

    def scaled(self, replicas: int) -> Ordinals:
        """The same set with another number of replicas."""
        return replace(self, replicas=max(0, replicas))

    def step(self, ready: Mapping[int, bool]) -> OrdinalStep:
        """The controller's next turn while these ordinals exist, each Running and Ready or not."""
        wanted = range(self.start, self.start + self.replicas)
        condemned = sorted((number for number in ready if number not in wanted), reverse=True)
        if not self.is_ordered:
            return OrdinalStep(tuple(number for number in wanted if number not in ready), tuple(condemned))
        for number in wanted:
            if number not in ready:
                return OrdinalStep(created=(number,))
            if not ready[number]:
                return OrdinalStep(waits_for=number)
        # All that stay are ready: of those that go the lowest that is not ready may be deleted in its turn.
        unready = next((number for number in reversed(condemned) if not ready[number]), None)
        if condemned and not ready[condemned[0]] and condemned[0] != unready:
            return OrdinalStep(waits_for=unready)
        return OrdinalStep(deleted=tuple(condemned[:1]))


# How a Deployment that is scaled in the middle of a rollout shares its replicas among its ReplicaSets.
#
# Upstream: ``scale`` in ``pkg/controller/deployment/sync.go`` and ``GetReplicaSetProportion`` in
# ``pkg/controller/deployment/util``, v1.34.1.

MAX_REPLICAS: Final = "deployment.kubernetes.io/max-replicas"


class SizedReplicaSet(Struct, frozen=True):
    """A ReplicaSet with replicas. ``created`` sorts like its creation; ``most``: what its Deployment allowed then.

    That is replicas and maxSurge together, as the controller notes it on the ReplicaSet.
    """

    name: str
    replicas: int
    created: str
    most: int


def proportional_sizes(sets: Sequence[SizedReplicaSet], *, desired: int, surge: int) -> dict[str, int]:
    """The replicas of each active ReplicaSet of a rolling update after scaling to ``desired``; ``surge``: then.

    The largest is served first, and takes what rounding leaves. Among equals the newer one grows first and the older
    one shrinks first; of one age the name decides.
    """
    active = [each for each in sets if each.replicas > 0]
    most = desired + surge if desired > 0 else 0
    to_add = most - sum(each.replicas for each in active)
    by_age = sorted(active, key=lambda each: (each.created, each.name), reverse=to_add > 0)
    ordered = sorted(by_age, key=lambda each: -each.replicas)
    sizes: dict[str, int] = {}
    added = 0
    for each in ordered:
        share = 0
        if to_add not in (0, added):
            fraction = -each.replicas if desired == 0 else _fraction(each, desired + surge)
            left = to_add - added
            share = min(fraction, left) if to_add > 0 else max(fraction, left)
        sizes[each.name] = each.replicas + share
        added += share
    if ordered:
        largest = ordered[0].name
        sizes[largest] = max(0, sizes[largest] + to_add - added)
    return sizes


def _fraction(of: SizedReplicaSet, most: int) -> int:
    """By how many replicas a set grows, or shrinks, to keep its part; halves are rounded away from zero."""
    if not of.most:
        return 0
    size = float(of.replicas * most) / float(of.most)
    return int(size + 0.5) - of.replicas


# When the kubelet restarts a container that ended, and what becomes of its pod meanwhile.
#
# Upstream (v1.34.1, gates at their defaults): ``doBackOff`` in ``pkg/kubelet/kuberuntime/kuberuntime_manager.go``
# with the back-off of ``pkg/kubelet/kubelet.go``; ``ShouldContainerBeRestarted`` in
# ``pkg/kubelet/container/helpers.go``; and ``getPhase`` in ``pkg/kubelet/kubelet_pods.go``. ContainerRestartRules,
# KubeletCrashLoopBackOffMax and ReduceDefaultCrashLoopBackOffDecay are alpha and off.

# Seconds: the delay after the first restart, the longest one, and after how long a run it begins anew.
FIRST_DELAY: Final = 10
LONGEST_DELAY: Final = 300
FORGOTTEN_AFTER: Final = 600

CRASH_LOOP: Final = "CrashLoopBackOff"
_TOLD: Final = re.compile(
    r"back-off (?:(?P<hours>\d{1,3})h)?(?:(?P<minutes>\d{1,3})m)?(?P<seconds>\d{1,3})(?:\.\d+)?s\b"
)
_LISTS: Final = ("initContainerStatuses", "containerStatuses")


def delay_before(restart: int) -> int:
    """Return how many seconds after its end a container is restarted for the ``restart``-th time, counted from 1.

    The first time it is at once; a run of more than FORGOTTEN_AFTER seconds makes the next restart a first one again.
    """
    if restart <= 1:
        return 0
    # Beyond 5 doublings the longest is reached, however often it is restarted.
    return min(LONGEST_DELAY, FIRST_DELAY << min(restart - 2, 5))


def is_restarted(policy: str, exit_code: int) -> bool:
    """Return whether a container that ended is started again in its pod, of this restartPolicy."""
    return policy == "Always" or (policy == "OnFailure" and exit_code != 0)


def phase_of(policy: str, exit_codes: Sequence[int | None]) -> str:
    """Return the phase of a pod whose containers all began: each has ended with an exit code, or runs (None)."""
    if not exit_codes or any(code is None or is_restarted(policy, code) for code in exit_codes):
        return "Running"
    return "Failed" if any(exit_codes) else "Succeeded"


class CrashLoop(Struct, frozen=True):
    """A container that waits to be restarted.

    ``restart``: for the how many-th time, from 1; ``delay``: seconds from its end, and whether the kubelet tells it
    (``is_told``) or it follows from the number of restarts, which is the most it can be. ``ended``: when (RFC 3339),
    empty where that is not known; ``reason`` and ``exit_code`` of its last end, "" and None where not.
    """

    container: str
    restart: int
    delay: int
    is_told: bool
    ended: str
    reason: str
    exit_code: int | None


def crash_loops(pod: Document) -> Iterator[CrashLoop]:
    """Yield the containers of a pod that are in CrashLoopBackOff."""
    status = pod.get("status") or {}
    for statuses in _LISTS:
        for each in status.get(statuses) or ():
            waiting = (each.get("state") or {}).get("waiting") or {}
            if waiting.get("reason") != CRASH_LOOP:
                continue
            last = (each.get("lastState") or {}).get("terminated") or {}
            restart = int(each.get("restartCount") or 0) + 1
            told = _delay_told(str(waiting.get("message") or ""))
            yield CrashLoop(
                container=str(each.get("name") or ""),
                restart=restart,
                delay=delay_before(restart) if told is None else told,
                is_told=told is not None,
                ended=str(last.get("finishedAt") or ""),
                reason=str(last.get("reason") or ""),
                exit_code=last.get("exitCode"),
            )


def _delay_told(message: str) -> int | None:
    match = _TOLD.match(message)
    if match is None:
        return None
    hours, minutes, seconds = (int(match[part] or 0) for part in ("hours", "minutes", "seconds"))
    return hours * 3600 + minutes * 60 + seconds


# Pods at risk for what they are: those that nothing recreates, and those that few nodes can take.


def bare_pods(snapshot: Snapshot) -> Index:
    """Return the slots of pods on nodes that no controller owns and that are not being deleted."""
    pods = snapshot.pods
    slots = np.flatnonzero((pods.node >= 0) & ~pods.terminating)
    bare = np.array([template.controller is None for template in pods.templates], np.bool_)
    return slots[bare[pods.template[slots]]] if len(slots) else slots


def host_port_pods(snapshot: Snapshot) -> Index:
    """Return the slots of pods on nodes that have host ports and could run elsewhere, where those ports are free."""
    pods = snapshot.pods
    slots = np.flatnonzero((pods.node >= 0) & ~pods.terminating & (pods.ports > 0))
    pinned = np.array([template.is_pinned for template in pods.templates], np.bool_)
    return slots[~pinned[pods.template[slots]]] if len(slots) else slots
