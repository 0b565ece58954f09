"""Objects of a sandbox put in place and taken away, with what their controllers do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from clusters.engine.admission import Refusal, admit
from clusters.engine.admission.creation.problems import LimitRangeRefusal
from clusters.engine.admission.limit_ranges import LIMIT_RANGER
from clusters.engine.admission.objects.priorities import second_default
from clusters.engine.disruption.budget import KIND as BUDGET
from clusters.engine.lessons.completing import as_created
from clusters.engine.lessons.errors import SituationError
from clusters.engine.lessons.lesson import ObjectName
from clusters.engine.lessons.problems import NotInSituation, PlacedPodRefused
from clusters.engine.lessons.situation import object_name
from clusters.engine.objects import Pod, key_of, labels_of, metadata
from clusters.engine.sandbox import nodes
from clusters.engine.sandbox.cluster import SandboxCluster
from clusters.engine.sandbox.objects import ObjectsChange, created, named
from clusters.engine.simulation.admission import QUOTA, PodAdmission
from clusters.engine.simulation.changes.errors import ChangeError
from clusters.engine.simulation.changes.leaving import bring_back
from clusters.engine.simulation.changes.scaling import Scale
from clusters.engine.simulation.changes.workloads import AddWorkload, RemoveWorkload
from clusters.engine.simulation.workloads import WORKLOADS, uid_of
from clusters.engine.workloads.pod_template import Workload

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine.objects import Document
    from clusters.engine.sandbox.objects import Objects

# What controllers create pods for; a pod is created by whoever writes it, and a CronJob's are those of its Jobs.
_CONTROLLERS: Final = frozenset(WORKLOADS) - {"CronJob", "Pod"}
_SCALED: Final = frozenset({"Deployment", "ReplicaSet", "ReplicationController", "StatefulSet"})
# What controllers write into the status of these follows from the other objects.
_COUNTED: Final = frozenset({BUDGET, QUOTA})


class Built(NamedTuple):
    """Objects, and the pods that the API server refused to create among them, with why."""

    objects: Objects
    refused: tuple[tuple[str, Refusal], ...] = ()


def imported(documents: Sequence[Document]) -> Built:
    """A cluster of these objects alone. Raises SituationError.

    Controllers create pods where there are none of theirs, as in a file that somebody wrote by hand.
    """
    return put(SandboxCluster({}), documents)


def put(cluster: SandboxCluster, documents: Sequence[Document]) -> Built:
    """Put objects beside the others, or in the place of those of their names. Raises SituationError."""
    given = named(_as_written(each) for each in documents)
    _hold_to_one_default(given, {**cluster.objects, **given})
    plain = [each for name, each in given.items() if name.kind not in {*_CONTROLLERS, "Node", "Pod"}]
    cluster = SandboxCluster({**cluster.objects, **named(created(plain, cluster.objects))})
    cluster = SandboxCluster(nodes.with_nodes(cluster, (each for name, each in given.items() if name.kind == "Node")))
    pods = [each for name, each in given.items() if name.kind == "Pod"]
    built = _with_pods(cluster, pods)
    refused = list(built.refused)
    for name, manifest in given.items():
        if name.kind in _CONTROLLERS:
            built = _with_workload(SandboxCluster(built.objects), name, manifest)
            refused += built.refused
    if refused and not _creates(cluster.objects, built.objects):
        key, refusal = refused[0]
        raise SituationError(PlacedPodRefused(key, refusal.by, refusal.problem), _pod_name(key), refusal.field)
    # What cannot be is told here, and not by the first who looks.
    _ = SandboxCluster(built.objects).situation
    return Built(built.objects, tuple(refused))


def _hold_to_one_default(given: Objects, objects: Objects) -> None:
    """Raise SituationError for a PriorityClass that is marked as default where another one is."""
    classes = [each for name, each in objects.items() if name.kind == "PriorityClass"]
    for name, document in given.items():
        wrong = second_default(document, classes) if name.kind == "PriorityClass" else None
        if wrong is not None:
            raise SituationError(wrong.problem, name, wrong.field)


def removed(cluster: SandboxCluster, name: ObjectName) -> Objects:
    """Take an object away, a controller with its pods; a pod is recreated by its own. Raises SituationError."""
    if name not in cluster.objects:
        raise SituationError(NotInSituation(str(name), tuple(map(str, cluster.objects))))
    if name.kind == "Node":
        return nodes.removed(cluster, name.name)
    world = cluster.world()
    pod = world.pod(f"{name.namespace}/{name.name}") if name.kind == "Pod" else None
    if name.kind in _CONTROLLERS:
        RemoveWorkload(name.kind, name.namespace, name.name).apply(world, "")
    elif pod is not None:
        bring_back(world, "", [pod])
    after = cluster.after(world)
    return {each: document for each, document in after.items() if each != name}


def _as_written(document: Document) -> Document:
    """An object without what controllers write of it, as in a file that was exported."""
    if document.get("kind") in _COUNTED:
        return {field: value for field, value in document.items() if field != "status"}
    spec = document.get("spec") or {}
    if document.get("kind") == "DaemonSet" and "template" in spec and "selector" not in spec:
        # Nothing reads it of one that exists; the pods that it is to create have to match it.
        selector = {"matchLabels": labels_of(spec["template"])}
        return {**document, "spec": {**spec, "selector": selector}}
    return document


def _creates(before: Objects, after: Objects) -> bool:
    return any(name.kind == "Pod" and name not in before for name in after)


def _pod_name(key: str) -> ObjectName:
    return ObjectName("Pod", *key.split("/", 1))


def _with_pods(cluster: SandboxCluster, pods: Iterable[Document]) -> Built:
    """Create pods, each as the API server admits it after those before."""
    snapshot = cluster.situation.snapshot
    quotas = PodAdmission(snapshot)
    found: list[Document] = []
    refused: list[tuple[str, Refusal]] = []
    for pod in pods:
        admission = admit(as_created(pod), snapshot)
        refusals = list(admission.refusals)
        is_new = object_name(pod) not in cluster.objects
        if is_new and not refusals and (problem := quotas.admit(admission.pod)) is not None:
            refusals.append(Refusal(LIMIT_RANGER if isinstance(problem, LimitRangeRefusal) else QUOTA, "spec", problem))
        if refusals:
            refused.append((key_of(pod), refusals[0]))
        else:
            found.append(admission.pod)
    _hold_on_nodes(cluster, found)
    return Built({**cluster.objects, **named(created(found, cluster.objects))}, tuple(refused))


def _hold_on_nodes(cluster: SandboxCluster, pods: Iterable[Document]) -> None:
    """Raise SituationError for a pod on a node that is not there."""
    for pod in pods:
        if node := Pod(pod).node_name:
            try:
                nodes.node_of(cluster, node)
            except SituationError as error:
                raise SituationError(error.problem, object_name(pod), "spec.nodeName") from None


def _with_workload(cluster: SandboxCluster, name: ObjectName, manifest: Document) -> Built:
    """Put a controller in place; its pods are created anew if their template is another one. Raises SituationError."""
    identified = {**metadata(manifest), "uid": uid_of(name.kind, name.namespace, name.name)}
    manifest = {**manifest, "metadata": {**identified, "namespace": name.namespace}}
    [stored] = created([manifest], cluster.objects)
    world = cluster.world()
    pods = world.pods_of(Workload(name.namespace, name.kind, name.name))
    known = cluster.objects.get(name)
    has_pods = bool(pods) and (known is None or _template(known) == _template(manifest))
    if (has_pods and known is None) or _is_owned(manifest):
        # The pods came with it, or it came with the Deployment that decides about them.
        return Built({**cluster.objects, name: stored})
    try:
        if has_pods and name.kind in _SCALED:
            replicas = (manifest.get("spec") or {}).get("replicas", 1)
            Scale(name.kind, name.namespace, name.name, replicas=replicas).apply(world, "")
        elif not has_pods:
            AddWorkload(manifest).apply(world, "")
    except ChangeError as error:
        raise SituationError(error.problem, name, error.path.removeprefix(".manifest").strip(".")) from None
    change = ObjectsChange.between(cluster.objects, cluster.after(world))
    # Who creates the pods comes before them: what a quota leaves no room for is not created.
    others = [each for each in change.put if each.get("kind") != "Pod"]
    new = [each for each in change.put if each.get("kind") == "Pod"]
    objects = ObjectsChange(tuple(others), change.gone).applied_to(cluster.objects)
    return _with_pods(SandboxCluster({**objects, name: stored}), new)


def _template(manifest: Document) -> object:
    return (manifest.get("spec") or {}).get("template")


def _is_owned(manifest: Document) -> bool:
    return any(owner.get("controller") for owner in metadata(manifest).get("ownerReferences") or ())
