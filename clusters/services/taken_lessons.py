"""Decisions of clusters, simulations and the journal made into lessons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from msgspec import Struct

from clusters.adapters.anonymous import NamesReadInPartsError, anonymised
from clusters.adapters.prune import KINDS
from clusters.documents.lessons import LESSONS_API_VERSION
from clusters.documents.taken_lessons import lesson_texts
from clusters.engine import ConfigurationError, Explanation, Snapshot, UnknownScheduler, explain
from clusters.engine.admission import BUILT_IN
from clusters.engine.lessons import (
    TERMS,
    AnswerIsUncertain,
    AskedStep,
    SituationError,
    SituationParts,
    UnsolvableError,
    build_situation,
    certain,
    read_question,
    steps_for,
)
from clusters.engine.objects import Document, Node, Pod, key_of, metadata, name_of, namespace_of, placement_volumes

# ImageLocality by name: it finds images by references with their default tag.
from clusters.engine.plugins.image_locality import canonical_image
from clusters.engine.problems import ProblemError, TooLarge
from clusters.engine.resources import CPU
from clusters.models import Cluster, Decision, Departure, SimulationRun
from clusters.problems.lessons import DecisionNotKept, PodNotKept
from clusters.services.computing import check
from clusters.services.decisions.explain import as_text, computed, explain_pod, free_of_its_node
from clusters.services.journal.timeline import COUNTED_KINDS
from clusters.services.lessons.reading import (
    LANGUAGES,
    LESSON_FILE,
    MOST_BYTES,
    MOST_NODES,
    MOST_PODS,
    BadLesson,
    check_lesson,
    text_file,
)
from clusters.services.mirror.past import UnknownPastError, known_since, state_at
from clusters.services.mirror.snapshots import configuration_of, document_of
from clusters.services.mirror.state import MirroredObjects
from clusters.services.runs.results import decision_at, state_at as run_state_at
from clusters.services.runs.spec import Spec

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence


# The objects of a part of a cluster, as a lesson writes them: with what scheduling reads, and nothing else.


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
        spec["taints"] = [
            {"key": each.key, **({"value": each.value} if each.value else {}), "effect": str(each.effect)}
            for each in node.taints
        ]
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
    free = (
        each
        for each in snapshot.objects("PersistentVolume")
        if name_of(each) in bound or not str(((each.get("spec") or {}).get("claimRef") or {}).get("name") or "")
    )
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
    slices = (
        each
        for each in snapshot.objects("ResourceSlice")
        if str((each.get("spec") or {}).get("nodeName") or "") in {"", *nodes}
    )
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


def _typed(kind: str, documents: Iterable[Document]) -> Iterator[Document]:
    """Yield objects with their kind, and the version that objects without any are taken to have."""
    for document in documents:
        yield {**document, "apiVersion": document.get("apiVersion") or KINDS[kind].versions[0], "kind": kind}


# Which nodes and pods of a cluster a lesson shows: all of a small one, and of a larger one a part that decides alike.
#
# Of a larger cluster the nodes are taken that the scheduler prefers, those where preemption makes room, and of each
# plugin that rejects nodes as large a share as it has, one at least; and all pods on them.

# Nodes with the highest totals, and nodes where preemption makes room, that come before all others.
_BEST: Final = 8
_CANDIDATES: Final = 4


class Part(NamedTuple):
    """Nodes by name, in their order in the cluster, and the pods on them by ``namespace/name``, in order of arrival.

    ``nodes_in_all``, ``pods_in_all``: how many the cluster has.
    """

    nodes: tuple[str, ...]
    pods: tuple[str, ...]
    nodes_in_all: int
    pods_in_all: int

    @property
    def is_whole(self) -> bool:
        """Whether it is all of the cluster."""
        return len(self.nodes) == self.nodes_in_all and len(self.pods) == self.pods_in_all


def part_of(explanation: Explanation, *, most_nodes: int, most_pods: int) -> Part:
    """Choose nodes and pods around a decision; the pod in question is not among the pods."""
    snapshot = explanation.snapshot
    pods, nodes = snapshot.pods, snapshot.nodes
    is_other = pods.label_set >= 0
    own = pods.slot_of.get(explanation.pod.key)
    if own is not None:
        is_other[own] = False
    placed = np.flatnonzero(is_other & (pods.node >= 0))
    held = np.flatnonzero(is_other & (pods.node < 0) & (pods.nominated >= 0))
    on_row = np.bincount(pods.node[placed], minlength=len(nodes)).tolist()
    rows: list[int] = []
    left = most_pods
    for row in _in_order(explanation, min(_BEST, most_nodes // 3)):
        if len(rows) == most_nodes:
            break
        if on_row[row] <= left:
            rows.append(row)
            left -= on_row[row]
    is_shown = np.zeros(len(nodes), np.bool_)
    is_shown[rows] = True
    waiting = held[is_shown[pods.nominated[held]]]
    waiting = waiting[np.argsort(pods.arrival[waiting])][:left]
    taken = np.concatenate([placed[is_shown[pods.node[placed]]], waiting])
    return Part(
        nodes=tuple(nodes.names[row] for row in sorted(rows)),
        pods=tuple(pods.keys[slot] for slot in taken[np.argsort(pods.arrival[taken])].tolist()),
        nodes_in_all=len(nodes),
        pods_in_all=len(placed) + len(held),
    )


def _in_order(explanation: Explanation, best: int) -> Iterator[int]:
    """Yield every row once, those first that matter most: so many of the highest totals, and the first candidates."""
    index, cycle = explanation.snapshot.nodes.index, explanation.cycle
    ranked = explanation.ranking() if explanation.fits else np.zeros(0, np.intp)
    preemption = explanation.preemption
    candidates = sorted(preemption.candidates, key=lambda each: each.preference()) if preemption is not None else []
    first = [*ranked[:best].tolist(), *(index[each.node] for each in candidates[:_CANDIDATES])]
    # The last is that of the nodes which nothing rejects.
    plugins = np.array([*(each.plugin for each in cycle.rejections), ""])
    by_plugin = [np.flatnonzero((plugins == plugin)[cycle.rejected_by]) for plugin in np.unique(plugins)]
    if len(ranked):
        by_plugin[0] = ranked
    shares = np.concatenate([np.arange(len(rows)) / max(1, len(rows)) for rows in by_plugin])
    every = np.concatenate(by_plugin)
    seen: set[int] = set()
    for row in [*first, *every[np.lexsort((every, shares))].tolist()]:
        if row not in seen:
            seen.add(row)
            yield row


# A decision with all that it was made of, wherever it was made: a cluster now, a run, the journal.

# SQLite may be built to take no more than 999 values in one statement.
_AT_ONCE: Final = 400


class NotTakenError(ProblemError):
    """What cannot become a lesson, and why."""


class TakenState(Struct, frozen=True):
    """A decision, and what finds the pods around it by ``namespace/name``, as they were written.

    ``configuration``: as it was given, None for the default.
    """

    explanation: Explanation
    configuration: dict[str, Any] | None
    pods_named: Callable[[Sequence[str]], list[Document]]


def state_of_pod(*, cluster: Cluster, namespace: str, name: str) -> TakenState:
    """Return the decision about a pod as the cluster is now.

    Raises PodNotFound, NotTakenError, NotComputed and ChangingTooFastError.
    """
    try:
        explanation = explain_pod(cluster=cluster, namespace=namespace, name=name)
    except (UnknownScheduler, ConfigurationError) as error:
        raise NotTakenError(error.problem) from None
    return TakenState(explanation, document_of(cluster), MirroredPods(cluster.pk))


def state_of_step(*, run: SimulationRun, number: int) -> TakenState:
    """Return the decision of a step of a run, from 0. Raises SpecError and NotComputed."""
    explanation = decision_at(run, number)
    simulation = run_state_at(run, number)

    def pods_named(keys: Sequence[str]) -> list[Document]:
        return [simulation.document_of(key) for key in keys]

    configuration = Spec.stored(run.spec).configuration
    return TakenState(explanation, None if configuration is None else dict(configuration), pods_named)


def state_of_decision(*, decision: Decision) -> TakenState:
    """Return a decision of the journal, made again in what the journal knows of its moment.

    Raises NotTakenError, NotComputed and ChangingTooFastError.
    """
    cluster = decision.cluster
    try:
        past = state_at(cluster=cluster, at=decision.heard_at)
    except UnknownPastError:
        raise NotTakenError(DecisionNotKept()) from None
    pods = PastPods(cluster.pk, decision)
    key = f"{decision.namespace}/{decision.name}"
    document = next(iter(pods([key])), None)
    if document is None:
        raise NotTakenError(PodNotKept(key))
    snapshot = past.snapshot
    pod = free_of_its_node({**document, "status": {}}, snapshot.release)
    try:
        profile = configuration_of(cluster).profile_for(pod)
    except (UnknownScheduler, ConfigurationError) as error:
        raise NotTakenError(error.problem) from None
    explanation = computed(key, lambda: explain(snapshot, pod, profile))
    return TakenState(explanation, document_of(cluster), pods)


def can_be_taken(decision: Decision) -> bool:
    """Tell whether a decision of the journal can become a lesson: the scheduler's own, of a moment that is known."""
    since = known_since(decision.cluster)
    return decision.kind in COUNTED_KINDS and since is not None and decision.heard_at >= since


class MirroredPods:
    """The pods of a cluster as the mirror has them now."""

    def __init__(self, cluster_id: int) -> None:
        self._objects = MirroredObjects(cluster_id)

    def __call__(self, keys: Sequence[str]) -> list[Document]:
        found: dict[str, Document] = {}
        for start in range(0, len(keys), _AT_ONCE):
            found |= {key_of(each): each for each in self._objects.pods_named(keys[start : start + _AT_ONCE])}
        return [found[key] for key in keys if key in found]


class PastPods:
    """The pods of a cluster around a decision: those that went since, too, as they were last seen."""

    def __init__(self, cluster_id: int, decision: Decision) -> None:
        self._cluster_id, self._decision = cluster_id, decision
        self._present = MirroredPods(cluster_id)

    def __call__(self, keys: Sequence[str]) -> list[Document]:
        found = {key_of(each): each for each in self._present(keys)}
        names = sorted({key.partition("/")[2] for key in keys})
        for start in range(0, len(names), _AT_ONCE):
            rows = Departure.objects.filter(
                cluster_id=self._cluster_id,
                kind=Departure.Kind.POD,
                name__in=names[start : start + _AT_ONCE],
                heard_at__gt=self._decision.heard_at,
            )
            # Of several pods that had a name one after the other, the one that went first was there.
            found |= {f"{row.namespace}/{row.name}": row.document for row in rows.order_by("-heard_at", "-pk")}
        return [found[key] for key in keys if key in found]


# From a decision to the files of a lesson about it.

OBJECTS_FILE: Final = "cluster.yaml"
_CONFIGURATION_FILE: Final = "scheduler.yaml"
_MINUTES: Final = 5
# What the texts and the file of the lesson take beside the objects.
_BYTES_OF_TEXTS: Final = 64 * 1024
_FEWEST_NODES: Final = 4
# For the check; the lesson has its name when it is stored.
_NAME: Final = "situation"


class TakenLesson(Struct, frozen=True):
    """A lesson that was made of a decision: its files, what it asks, and how much of the cluster it shows."""

    files: Mapping[str, str]
    steps: tuple[AskedStep, ...]
    part: Part
    pods: int


def lesson_of(state: TakenState) -> TakenLesson:
    """Make a lesson of a decision; everything in it has a neutral name.

    Raises NotTakenError where the decision cannot be computed from objects, BadLesson where the lesson could not be
    played, and OverTimeError.
    """
    _hold_certain(state)
    most_nodes = MOST_NODES
    while True:
        check()
        part = part_of(state.explanation, most_nodes=most_nodes, most_pods=MOST_PODS - 1)
        made = _made(state, part)
        if sum(len(text.encode()) for text in made.files.values()) <= MOST_BYTES - _BYTES_OF_TEXTS:
            break
        if most_nodes <= _FEWEST_NODES:
            raise NotTakenError(TooLarge(MOST_BYTES))
        most_nodes //= 2
    faults = [each for each in check_lesson(_NAME, made.files) if not each.is_warning]
    if faults:
        raise BadLesson(faults)
    return made


def _hold_certain(state: TakenState) -> None:
    """Raise NotTakenError where something had a part in the decision that no lesson has: extenders, for one."""
    explanation = state.explanation
    if explanation.calls:
        raise NotTakenError(AnswerIsUncertain(explanation.pod.key, ("extender",)))
    if explanation.held_back is None:
        try:
            certain(explanation)
        except UnsolvableError as error:
            raise NotTakenError(error.problem) from None


def _made(state: TakenState, part: Part) -> TakenLesson:
    objects, subject = objects_of(state, part), state.explanation.pod
    try:
        names = anonymised(map(_pruned, objects), state.configuration)
    except NamesReadInPartsError as error:
        raise NotTakenError(error.problem) from None
    pod = names.pod(subject.namespace, subject.name)
    release = state.explanation.snapshot.release
    version = release.first_version if release.patch else release.minor
    parts = SituationParts(objects=names.objects, pod=pod, kubernetes=version, configuration=names.configuration)
    steps = _solvable(parts)
    lesson: dict[str, Any] = {
        "apiVersion": LESSONS_API_VERSION,
        "kind": "Lesson",
        "kubernetes": version,
        "minutes": _MINUTES,
        "steps": [
            {"name": str(step.kind), "terms": terms, "pod": pod, "question": step.question}
            for step, terms in zip(steps, _new_terms(steps), strict=True)
        ],
    }
    lesson["steps"][0]["objects"] = [OBJECTS_FILE]
    files = {LESSON_FILE: "", OBJECTS_FILE: "---\n".join(map(as_text, names.objects))}
    if names.configuration is not None:
        lesson["steps"][0]["configuration"] = _CONFIGURATION_FILE
        files[_CONFIGURATION_FILE] = as_text(names.configuration)
    files[LESSON_FILE] = as_text(lesson)
    for language in LANGUAGES:
        texts = lesson_texts(language, steps, pod=pod, nodes=len(part.nodes), nodes_in_all=part.nodes_in_all)
        files[text_file(language)] = as_text(texts)
    pods = sum(each["kind"] == "Pod" for each in names.objects)
    return TakenLesson(dict(sorted(files.items())), steps, part, pods)


def _new_terms(steps: Sequence[AskedStep]) -> Iterator[list[str]]:
    """Yield for each step the words that it is the first to use."""
    known: set[str] = set()
    for step in steps:
        new = [str(term) for term in TERMS[step.kind] if term not in known]
        known.update(new)
        yield new


def _pruned(document: Document) -> Document:
    """Return an object as lessons are read, so that nothing is written that a reader would leave out."""
    kind = KINDS[str(document["kind"])]
    return {"apiVersion": document["apiVersion"], "kind": kind.name, **kind.prune(dict(document))}


def _solvable(parts: SituationParts) -> tuple[AskedStep, ...]:
    """Return the steps whose questions have a certain answer. Raises NotTakenError where the first one has none."""
    try:
        situation = build_situation(parts)
        steps: Sequence[AskedStep] = steps_for(situation.explanation)
    except (SituationError, UnsolvableError) as error:
        raise NotTakenError(error.problem) from None
    found: list[AskedStep] = []
    for step in steps:
        try:
            read_question(step.question, "").check(situation)
        except UnsolvableError as error:
            if not found:
                raise NotTakenError(error.problem) from None
        else:
            found.append(step)
    return tuple(found)
